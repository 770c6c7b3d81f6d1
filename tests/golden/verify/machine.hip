// Twelve kernels of what machine code is made of: packed math, DPP and other lanes, LDS and its atomics, lanes that are apart,
// scratch by an index, halves, atomics with and without results, priorities and votes, 64-bit integers, doubles, bytes, locks. What runs
// of each has to leave what the CPU run of its source leaves. (A product in floats that becomes a half is no product with
// 0 here: LLVM makes v_fma_mixlo_f16 of it, whose addend 0 turns -0 to 0.)
//
// REQUIRES: compiler, all
// RUN: %unphi verify %s %s --on both --spec %S/Inputs/machine.verify.yaml --compiler %compiler -q -- -ffp-contract=off -w \
// RUN:   | grep -x "  36 of 36 cases equal"
// RUN: %unphi verify %s %s --on both --spec %S/Inputs/machine.verify.yaml --compiler %compiler -q -- -ffp-contract=off -w \
// RUN:   -O0 | grep -x "  36 of 36 cases equal"
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
typedef float f2 __attribute__((ext_vector_type(2)));
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef unsigned long long u64;
typedef long long i64;

#define HEAD const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t; const unsigned x = in[g % 256], y = in[(g * 7 + 3) % 256]; (void)y; (void)n;
#define ARGS const unsigned *in, unsigned *out, int n

__device__ float fl(unsigned x) { return (float)(int)x * 0x1p-24f; }
__device__ unsigned fb(float f) { return f == f ? __float_as_uint(f) : 0x7fc00000u; }

__global__ void packed(ARGS)
{
	HEAD
	f2 a = {fl(x), fl(y)}, b = {fl(x ^ y), -fl(y)}, c = a;
	for (int i = 0; i < n; i++) { c = a * c + b; a = f2{a.y, -a.x}; c *= 0.25f; }
	h2 p = {(_Float16)fl(x), (_Float16)fl(y)}, q = p;
	for (int i = 0; i < n; i++) { q = p * q + p; p = h2{(_Float16)-p.y, p.x}; q = q * (_Float16)0.5f; }
	s2 u = {(short)x, (short)y}, v = u;
	for (int i = 0; i < n; i++) { v = v * u + u; u = s2{u.y, (short)(u.x >> 3)}; v = __builtin_elementwise_max(v, u); }
	unsigned r = fb(c.x) ^ fb(c.y) * 3u ^ fb((float)q.x) * 5u ^ fb((float)q.y) * 7u ^ (unsigned short)v.x ^ (unsigned)v.y << 16;
	out[g] = r;
}

__global__ void dpp(ARGS)
{
	HEAD
	int s = (int)(x >> 8), m = (int)y;
#if defined(__GFX9__)
	s += __builtin_amdgcn_update_dpp(0, s, 0x111, 0xf, 0xf, false);
	s += __builtin_amdgcn_update_dpp(0, s, 0x112, 0xf, 0xf, false);
	s += __builtin_amdgcn_update_dpp(0, s, 0x114, 0xf, 0xe, false);
	s += __builtin_amdgcn_update_dpp(0, s, 0x118, 0xf, 0xc, false);
	s += __builtin_amdgcn_update_dpp(0, s, 0x142, 0xa, 0xf, false);
	s += __builtin_amdgcn_update_dpp(0, s, 0x143, 0xc, 0xf, false);
	m = max(m, __builtin_amdgcn_update_dpp(m, m, 0x130, 0xf, 0xf, true));
	m ^= __builtin_amdgcn_update_dpp(7, m, 0x138, 0xf, 0xf, false);
#endif
	m = min(m, __builtin_amdgcn_mov_dpp(m, 0xb1, 0xf, 0xf, true));
	m += __builtin_amdgcn_update_dpp(s, m, 0x141, 0x5, 0xa, false);
	m ^= __builtin_amdgcn_update_dpp(s, m, 0x140, 0xf, 0xf, true);
	m += __builtin_amdgcn_ds_swizzle(m, 0x041f) ^ __builtin_amdgcn_ds_bpermute((t * 5 + n) * 4, s);
	m ^= __builtin_amdgcn_ds_permute((t * 3) * 4, s);
	m += __shfl_xor(m, 9) + __shfl_up(s, 3) + __shfl_down(s, 5, 16);
	out[g] = (unsigned)(m ^ s * 3);
}

__global__ void tree(ARGS)
{
	__shared__ unsigned a[256];
	__shared__ float f[128];
	__shared__ unsigned top, count;
	HEAD
	a[t] = x;
	if (t == 0) { top = 0; count = 7; }
	if (t < 128) f[t] = fl(x);
	__syncthreads();
	for (int s = blockDim.x / 2; s > 0; s >>= 1) {
		if (t < s) { a[t] = a[t] * 3 + a[t + s]; if (t + s < 128) f[t] = f[t] + f[t + s]; }
		__syncthreads();
	}
	atomicMax(&top, y);
	atomicAdd(&count, 1u);
	__syncthreads();
	unsigned old = t == 5 ? atomicCAS(&count, 7u + blockDim.x, 99u) : 0;
	__syncthreads();
	out[g] = a[0] ^ a[t] ^ top ^ count * 5 ^ old ^ fb(f[t & 127]);
}

__global__ void masked(ARGS)
{
	HEAD
	unsigned r = x;
	out[g] = 1;
	int k = x & 31;
	while (k > 0) {
		if (k % 3 == 0) { k -= 2; if (y & 1) { r += k; continue; } }
		else if (k % 5 == 1) { r ^= 0x55; if (r & 0x100) { break; } }
		r = r * 5 + 1;
		if ((r & 0x7f) == (unsigned)t % 128) { out[g] = r; }
		k--;
	}
	switch (x % 7) {
	case 0: r += 3; break;
	case 1: r ^= y;
	case 2: out[g] ^= r; break;
	case 5: if (t & 1) { r = ~r; }
	case 6: r >>= 1; break;
	default: r = r << 3 | r >> 29;
	}
	if (t % 4 != 1) { out[g] += r; } else if (t > 40) { out[g] ^= k; }
}

struct rec { float f; short h; unsigned char b[3]; double d; };
__global__ void scratch(ARGS)
{
	HEAD
	unsigned a[24]; _Float16 h[17]; rec r[5]; unsigned char by[33];
	for (int i = 0; i < 24; i++) a[i] = x * i ^ y;
	for (int i = 0; i < 17; i++) h[i] = (_Float16)(fl(x) * (i + 1));
	for (int i = 0; i < 33; i++) by[i] = (unsigned char)(x >> i % 25);
	for (int i = 0; i < 5; i++) r[i] = {fl(y) * i, (short)(x >> i), {(unsigned char)i, (unsigned char)x, (unsigned char)y}, fl(x) + i};
	for (int i = 0; i < n; i++) {
		unsigned k = (x >> i % 20) % 24;
		a[k] += a[(k + 7) % 24] ^ by[k];
		by[a[k] % 33] ^= (unsigned char)i;
		h[a[k] % 17] += h[k % 17] * (_Float16)0.5f;
		rec &q = r[a[k] % 5];
		q.h += q.b[k % 3]; q.b[a[k] % 3]++; q.d = q.d * 0.5 + q.f; q.f = -q.f;
		unsigned *p = (y >> i & 1) ? &a[(k + i) % 24] : out + g;
		if (p == out + g) { *p = a[k]; } else { *p ^= 0x1234; }
	}
	unsigned s = 0;
	for (int i = 0; i < 24; i++) s = s * 31 + a[i];
	for (int i = 0; i < 17; i++) s = s * 31 + fb((float)h[i]);
	for (int i = 0; i < 33; i++) s = s * 31 + by[i];
	for (int i = 0; i < 5; i++) s = s * 31 + (unsigned short)r[i].h + r[i].b[0] + r[i].b[1] + r[i].b[2] + fb(r[i].f) + fb((float)r[i].d);
	out[g] = s;
}

__global__ void halves(ARGS)
{
	HEAD
	_Float16 a = (_Float16)fl(x), b = (_Float16)(fl(y) * 3), c = a * b + (_Float16)1;
	unsigned short us = (unsigned short)x, ut = (unsigned short)(y >> 3);
	short ss = (short)x, st = (short)y;
	signed char sc = (signed char)x;
	unsigned r = 0;
	for (int i = 0; i < n; i++) {
		c = c * a - b; a = a > b ? b : (_Float16)(a + (_Float16)0.25f);
		us = us * ut + i; ut = (unsigned short)(ut >> 1 | us << 7); ss = ss < st ? st - ss : ss >> 2; sc = (signed char)(sc * 3 + ss);
		st ^= (short)(us / (ut | 1)); ss = (short)(ss % (st | 1));
		r = r * 17 + us + (unsigned)ss + (unsigned)sc;
		if (!(c < (_Float16)1000 && c > (_Float16)-1000)) c = (_Float16)1;
	}
	unsigned short bits; __builtin_memcpy(&bits, &c, 2);
	((unsigned short *)out)[2 * g] = bits;
	((unsigned short *)out)[2 * g + 1] = (unsigned short)r;
	r += (unsigned)__builtin_bit_cast(unsigned short, (_Float16)sqrtf((float)a * (float)a)) << 16;
	if (t & 1) ((unsigned char *)out)[4 * g + 3] = (unsigned char)(r >> 24);
}

__global__ void atomics(unsigned *in, unsigned *out, int n)
{
	const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
	const unsigned x = in[g % 256];
	u64 *w = (u64 *)(out + 512);
	atomicAdd(out + 256 + t % 8, x);
	atomicXor(out + 264 + t % 3, x);
	atomicMin((int *)out + 272, (int)x);
	atomicMax(out + 273, x);
	atomicOr(out + 274, x & 0xf0f0);
	atomicAdd(w + t % 4, (u64)x * 0x123456789ull);
	atomicMax(w + 5, (u64)x << 20);
	unsigned r = 0;
	if (g == n) { r = atomicAdd(out + 280, 5u); r += atomicExch(out + 281, x); r ^= atomicCAS(out + 282, 0u, x); r += (unsigned)atomicCAS(w + 7, (u64)0, (u64)x * 77); 
#ifdef INC // not in HIP's own headers of every release
		r += atomicInc(out + 283, 3u) + atomicDec(out + 284, 9u);
#endif
		 r += fb(atomicAdd((float *)out + 285, fl(x))); }
	if (t % 64 == 3) { unsafeAtomicAdd((float *)out + 290 + g / 64, fl(x)); }
	out[g] = r;
}

__global__ void waves(ARGS)
{
	HEAD
	__builtin_amdgcn_s_setprio(1);
	unsigned r = x;
	u64 b = __ballot(x & 4);
	r += (unsigned)__popcll(b) + (unsigned)(b >> 32 | b);
	__builtin_amdgcn_s_sleep(1);
	r ^= (unsigned)__builtin_amdgcn_readfirstlane((int)y);
	if (t % 3 || t % 64 == 29) {
		r += (unsigned)__builtin_amdgcn_readfirstlane((int)x);
		r += (unsigned)__builtin_amdgcn_readlane((int)y, 29);
		r += __builtin_amdgcn_mbcnt_lo((unsigned)b, 3u);
		__builtin_amdgcn_sched_barrier(0);
	}
	__builtin_amdgcn_s_setprio(0);
	r += __any(x == 3) + 2 * __all(x != 5);
	__builtin_amdgcn_wave_barrier();
	for (int i = __builtin_amdgcn_readfirstlane(n); i > 0; i--) { r = r * 3 + __builtin_amdgcn_readfirstlane((int)r); }
	out[g] = r;
}

__global__ void integers(ARGS)
{
	HEAD
	u64 a = (u64)x << 32 | y, b = (u64)(y | 1) << (x & 15); i64 c = (i64)(a ^ ~b);
	unsigned r = x;
	for (int i = 0; i < n; i++) {
		a = a * b + (a >> (x & 63)); c = (i64)((u64)(c / (i64)(b >> 1 | 1)) - (u64)(c % 1000003) + a); b = (b << (i & 63)) ^ a; 
		r += (unsigned)__umulhi(x, r) + (unsigned)__mulhi((int)x, (int)y); r = r / (y % 100 + 1) + r % 7 + (unsigned)((int)r / 9) ;
		r ^= (unsigned)__popc(x ^ i) + (unsigned)__clz((int)(x >> i % 32)) + (unsigned)__ffs((int)(y << i % 31)) + __brev(r) + __byte_perm(x, y, 0x5140 + i);
		r = __funnelshift_l(r, x, i) + (unsigned)__clzll((i64)(a >> i)) + (unsigned)__ffsll(b) + (unsigned)__mul24((int)x, (int)r) + __sad((int)x >> 2, (int)y >> 2, r);
		r += (x >> i % 27 & 31) + (unsigned)((int)(y << i % 20) >> 11); b |= 1;
	}
	__int128 z = (__int128)c * (i64)a + r; 
	out[g] = r ^ (unsigned)a ^ (unsigned)(c >> 32) ^ (unsigned)c ^ (unsigned)(z >> 64) ^ (unsigned)(z >> (x & 31));
}

__global__ void doubles(ARGS)
{
	HEAD
	double a = (double)fl(x), b = (double)(int)y, c = 1;
	float f = fl(x) * 100;
	unsigned r = 0;
	for (int i = 1; i <= n; i++) {
		c = fma(a, c, b * 0x1p-20); a = a / (c * c + 1) + sqrt(fabs(b)); b = floor(b / 3) - rint(c) + trunc(a * 5);
		f = f / (fl(y) * fl(y) + 1.5f) + sqrtf(fabsf(f)) - truncf(f * 3) + rintf(f); f = fmaxf(fminf(f, 1e6f), -1e6f);
		r += (unsigned)(int)f + (unsigned)(long long)c + (unsigned)fabs(a) + (unsigned)(int)ldexpf(f, i % 5) + fb((float)__float2half(f)) + fb((float)(_Float16)(f * 100));
		int e; float m = frexpf(f, &e); r ^= fb(m) + (unsigned)e; r += fb((float)a) * 3 + (unsigned)__double2hiint(c); r += f < 0 ? 1 : fmodf(f, 7) > 2 ? 3 : 0;
		if (!(c < 1e9 && c > -1e9)) c = 1;
	}
	out[g] = r;
}

__global__ void bytes(ARGS)
{
	HEAD
	unsigned r = __builtin_amdgcn_sad_u8(x, y, 3) ^ __builtin_amdgcn_msad_u8(x, y & 0xff00ff, 5) ^ __builtin_amdgcn_sad_u16(x, y, 9) * 3;
	r ^= __builtin_amdgcn_sad_hi_u8(x, y, 1) ^ __builtin_amdgcn_lerp(x, y, x >> 3) * 5 ^ __builtin_amdgcn_perm(x, y, x & 0x07070707);
	u64 q = __builtin_amdgcn_qsad_pk_u16_u8((u64)x << 32 | y, x, y) + __builtin_amdgcn_mqsad_pk_u16_u8((u64)y << 32 | x, y & 0xff00ff, x);
	r += (unsigned)(q ^ q >> 29) + __builtin_amdgcn_udot4(x, y, 0xfffffff0u, true) + __builtin_amdgcn_udot8(x, y, r, false);
#if defined(__GFX9__)
	r ^= (unsigned)__builtin_amdgcn_sdot8((int)x, (int)y, 7, false);
#else
	r ^= (unsigned)(__builtin_amdgcn_sudot4(true, (int)x, false, (int)y, 5, false) + __builtin_amdgcn_sudot8(false, (int)x, true, (int)y, 9, false));
#endif
	r += (unsigned)__builtin_amdgcn_class((double)fl(x), (int)y & 0x3ff) + (unsigned)__builtin_amdgcn_classf(fl(y), 0x1f8);
	out[g] = r + (unsigned short)((short)(x >> n % 5) * (short)y + (short)r);
}

// Loads beside others' atomics, and a lock that a store gives back: no race.
__global__ void polls(ARGS)
{
	__shared__ unsigned lock, sum, most;
	HEAD
	if (t == 0) lock = sum = most = 0;
	__syncthreads();
	unsigned want, old = *(volatile unsigned *)&sum;
	do { want = old; old = atomicCAS(&sum, want, want + (x & 15)); } while (old != want);
	if (*(volatile unsigned *)&most < y) atomicMax(&most, y);
	if (t % 64 == 0) {
		while (atomicCAS(&lock, 0u, 1u)) {}
		out[512] += (unsigned)n;
		*(volatile unsigned *)&lock = 0;
	}
	__syncthreads();
	out[g] = sum ^ most;
}
