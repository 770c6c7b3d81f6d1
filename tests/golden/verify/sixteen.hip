// Numbers of 16 bits for which the host's compiler calls libraries that Debian 12 has not: conversions to __bf16, and the root
// of a half. No operation on __bf16 has another one's result here: clang 19 keeps that in float for GPUs, and clang 22 does not.
//
// REQUIRES: compiler, all
// RUN: %unphi verify %s %s --on both --spec %S/Inputs/sixteen.verify.yaml --compiler %compiler -q -- -ffp-contract=off -w \
// RUN:   | grep -x "  3 of 3 cases equal"
#include <hip/hip_runtime.h>

__global__ void sixteen(const unsigned *in, unsigned *out, int n)
{
	const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
	const unsigned x = in[g % 256], y = in[(g * 7 + n) % 256];
	const float f = (float)(int)x * 0x1p-24f, h = (float)(int)y * 0x1p-24f;
	__bf16 a = (__bf16)f, b = (__bf16)((double)h * 1.00000001), c = (__bf16)((double)__uint_as_float(y) * 3), p = a * b, z = p - a;
	unsigned short v[4];
	__builtin_memcpy(v, &b, 2), __builtin_memcpy(v + 1, &c, 2), __builtin_memcpy(v + 2, &p, 2), __builtin_memcpy(v + 3, &z, 2);
	unsigned r = v[0] ^ v[2] * 3u ^ v[3] * 0x10000u ^ ((float)c == (float)c ? v[1] * 5u : 0);
	out[g] = r + __float_as_uint((float)__builtin_sqrtf16((_Float16)fabsf(f))) + (a < b);
}
