// A tile of a matrix product for each wave. Whether its rows are all inside is the wave's own affair:
// the commonest test at a boundary, which nothing proves to be the same for all lanes.
#include <hip/hip_runtime.h>

#ifdef __AMDGCN__
#define BOUND __attribute__((amdgpu_flat_work_group_size(1, 256)))
#else
#define BOUND
#endif

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

struct tile {
	f32x4 v[8][4];
};

struct shape {
	const _Float16 *a;
	const _Float16 *b;
	float *c;
	int m, n, k;
};

__device__ inline f16x4 load(const _Float16 *p)
{
	return *(const f16x4 *)p;
}

__device__ inline f16x4 load_masked(const _Float16 *p, int left)
{
	f16x4 x = {0, 0, 0, 0};
	for (int i = 0; i < 4; ++i) {
		if (i < left) {
			x[i] = p[i];
		}
	}
	return x;
}

__device__ inline void store(const shape &s, const tile &acc, int row0, int col0, int r, int q)
{
	for (int i = 0; i < 8; ++i) {
		for (int j = 0; j < 4; ++j) {
			for (int e = 0; e < 4; ++e) {
				const int row = row0 + i * 16 + q * 4 + e;
				if (row < s.m) {
					s.c[row * s.n + col0 + j * 16 + r] = acc.v[i][j][e];
				}
			}
		}
	}
}

__global__ void BOUND arms(shape s)
{
	const int wave = threadIdx.x >> 6;
	const int lane = threadIdx.x & 63;
	const int row0 = (blockIdx.x * 4 + wave) * 128;
	const int col0 = blockIdx.y * 64;
	const int r = lane & 15;
	const int q = lane >> 4;
	tile acc = {};
	for (int k = 0; k < s.k; k += 16) {
		if (row0 + 128 <= s.m) {
			f16x4 a[8], b[4];
			for (int i = 0; i < 8; ++i) {
				a[i] = load(s.a + (row0 + i * 16 + r) * s.k + k + q * 4);
			}
			for (int j = 0; j < 4; ++j) {
				b[j] = load(s.b + (col0 + j * 16 + r) * s.k + k + q * 4);
			}
			__builtin_amdgcn_s_setprio(1);
			for (int i = 0; i < 8; ++i) {
				for (int j = 0; j < 4; ++j) {
					acc.v[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						a[i], b[j], acc.v[i][j], 0, 0, 0);
				}
			}
			__builtin_amdgcn_s_setprio(0);
		} else {
			f16x4 a[8], b[4];
			for (int i = 0; i < 8; ++i) {
				const int row = row0 + i * 16 + r;
				a[i] = load_masked(s.a + row * s.k + k + q * 4, row < s.m ? 4 : 0);
			}
			for (int j = 0; j < 4; ++j) {
				b[j] = load(s.b + (col0 + j * 16 + r) * s.k + k + q * 4);
			}
			__builtin_amdgcn_s_setprio(1);
			for (int i = 0; i < 8; ++i) {
				for (int j = 0; j < 4; ++j) {
					acc.v[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						a[i], b[j], acc.v[i][j], 0, 0, 0);
				}
			}
			__builtin_amdgcn_s_setprio(0);
		}
	}
	store(s, acc, row0, col0, r, q);
}

template <bool Inside> __device__ void step(
	tile &acc, const shape &s, int row0, int col0, int r, int q, int k)
{
	f16x4 a[8];
	f16x4 b[4];
	for (int i = 0; i < 8; ++i) {
		const int row = row0 + i * 16 + r;
		const _Float16 *p = s.a + row * s.k + k + q * 4;
		a[i] = Inside ? load(p) : load_masked(p, row < s.m ? 4 : 0);
	}
	for (int j = 0; j < 4; ++j) {
		b[j] = load(s.b + (col0 + j * 16 + r) * s.k + k + q * 4);
	}
	__builtin_amdgcn_s_setprio(1);
	for (int i = 0; i < 8; ++i) {
		for (int j = 0; j < 4; ++j) {
			acc.v[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[j], acc.v[i][j], 0, 0, 0);
		}
	}
	__builtin_amdgcn_s_setprio(0);
}

__global__ void BOUND calls(shape s)
{
	const int wave = threadIdx.x >> 6;
	const int lane = threadIdx.x & 63;
	const int row0 = (blockIdx.x * 4 + wave) * 128;
	const int col0 = blockIdx.y * 64;
	const int r = lane & 15;
	const int q = lane >> 4;
	tile acc = {};
	for (int k = 0; k < s.k; k += 16) {
		if (row0 + 128 <= s.m) {
			step<true>(acc, s, row0, col0, r, q, k);
		} else {
			step<false>(acc, s, row0, col0, r, q, k);
		}
	}
	store(s, acc, row0, col0, r, q);
}
