// Raw buffers, on the CPU as in machine code: words, halves and bytes, what lies behind the end, a scalar's offset, lanes
// that are apart, and a stride whose bit 14 swizzles the cache alone.
//
// REQUIRES: compiler
// RUN: %verify %s %s --on both --spec %S/Inputs/buffers.verify.yaml --compiler %compiler -q -- -nogpuinc \
// RUN:   -I%S/../rewrite/Inputs | grep -x "  3 of 3 cases equal"
#include <hip/hip_runtime.h>
typedef unsigned u4 __attribute__((ext_vector_type(4)));
typedef unsigned u3 __attribute__((ext_vector_type(3)));
typedef unsigned u2 __attribute__((ext_vector_type(2)));
__global__ void raw(unsigned *in, unsigned *out, int n, int shift)
{
	const int t = __builtin_amdgcn_workitem_id_x();
	__amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc((void *)in, 0, n, 0x00020000);
	__amdgpu_buffer_rsrc_t w = __builtin_amdgcn_make_buffer_rsrc((void *)out, 0x4000 | 64, 4 * 1024, 0x00020000);
	u4 a = __builtin_amdgcn_raw_buffer_load_b128(r, t * 16, shift, 0);
	u3 b = __builtin_amdgcn_raw_buffer_load_b96(r, t * 12 + 4, 0, 0);
	u2 c = {0, 0};
	if (t % 3) {
		c = __builtin_amdgcn_raw_buffer_load_b64(r, t * 8, 8, 0);
	}
	unsigned d = __builtin_amdgcn_raw_buffer_load_b32(r, t % 5 ? t * 4 : -4, 0, 0);
	unsigned short h = __builtin_amdgcn_raw_buffer_load_b16(r, t * 2, 0, 0);
	unsigned char e = __builtin_amdgcn_raw_buffer_load_b8(r, t, 0, 0);
	a.x += b.x + c.x; a.y ^= b.y + c.y; a.z += b.z + d; a.w += h * 256u + e;
	__builtin_amdgcn_raw_buffer_store_b128(a, w, t * 16, 0, 0);
	__builtin_amdgcn_raw_buffer_store_b96(b, w, t * 12, 1024, 0);
	if (t & 1) {
		__builtin_amdgcn_raw_buffer_store_b64(c, w, t * 8, 2048, 0);
	}
	__builtin_amdgcn_raw_buffer_store_b32(d, w, t * 4 + (t > 50 ? 1 << 30 : 0), 2560, 0);
	__builtin_amdgcn_raw_buffer_store_b16(h, w, t * 2 + 1, 3072 - 1, 0);
	__builtin_amdgcn_raw_buffer_store_b8(e, w, t, 4096 - 40, 0);
}
