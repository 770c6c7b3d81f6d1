#include <hip/hip_runtime.h>

typedef float f32x8 __attribute__((ext_vector_type(8)));
#if defined(__gfx1200__) || defined(__gfx1201__)
typedef _Float16 frag __attribute__((ext_vector_type(8)));
constexpr int PER_LANE = 8;
#define WMMA(x, y, z) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, z)
#else
typedef _Float16 frag __attribute__((ext_vector_type(16)));
constexpr int PER_LANE = 16;
#define WMMA(x, y, z) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, z)
#endif

struct Tile {
	f32x8 v[8];
	__device__ f32x8 &operator[](int i)
	{
		return v[i];
	}
};

__device__ inline int depth_of(int lane, int e)
{
	return PER_LANE == 8 ? lane / 16 * 8 + e : e;
}

__device__ inline frag load(const _Float16 *p, int line, int lines, int k0, int k, bool checked)
{
	const int lane = threadIdx.x % 32;
	frag f;
#pragma unroll
	for (int e = 0; e < PER_LANE; ++e) {
		const int at = k0 + depth_of(lane, e);
		f[e] = checked && (line >= lines || at >= k) ? (_Float16)0 : p[line * k + at];
	}
	return f;
}

__device__ inline void store(float *c, Tile &t, int row, int col, int m, int n, float alpha)
{
	const int lane = threadIdx.x % 32;
	for (int j = 0; j < 8; ++j) {
		for (int e = 0; e < 8; ++e) {
			const int r = row + (PER_LANE == 8 ? lane / 16 * 8 + e : e * 2 + lane / 16),
				  q = col + j * 16 + lane % 16;
			if (r < m && q < n) {
				c[r * n + q] = t[j][e] * alpha;
			}
		}
	}
}

/* the inner tiles without checks, those at the edge with them */
__global__ void __launch_bounds__(32) u_wmma_edge(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 32, row = blockIdx.y * 16, col = blockIdx.x * 128;
	Tile acc{};
	for (int k0 = 0; k0 < k; k0 += 16) {
		if (row + 16 <= m && col + 128 <= n && k0 + 16 <= k) {
			const frag x = load(a, row + lane % 16, m, k0, k, false);
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, false),
					acc[j]);
			}
		} else {
			const frag x = load(a, row + lane % 16, m, k0, k, true);
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, true),
					acc[j]);
			}
		}
	}
	store(c, acc, row, col, m, n, alpha);
}

/* blocks of the sum that a mask leaves out */
__global__ void __launch_bounds__(32) u_wmma_skip(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 32, row = blockIdx.y * 16, col = blockIdx.x * 128;
	Tile acc{};
	for (int k0 = 0; k0 < k; k0 += 16) {
		if (idx[k0 / 16 + blockIdx.y] != mode) {
			const frag x = load(a, row + lane % 16, m, k0, k, true);
#pragma unroll
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, true),
					acc[j]);
			}
		}
	}
	store(c, acc, row, col, m, n, alpha);
}

/* a scale that only some modes have */
__global__ void __launch_bounds__(32) u_wmma_mode(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 32, row = blockIdx.y * 16, col = blockIdx.x * 128;
	Tile acc{};
	for (int k0 = 0; k0 < k; k0 += 16) {
		frag x = load(a, row + lane % 16, m, k0, k, true);
		switch (mode) {
		case 0:
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, true),
					acc[j]);
			}
			break;
		case 1:
			x *= (_Float16)alpha;
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, true),
					acc[j]);
			}
			break;
		default:
			for (int e = 0; e < PER_LANE; ++e) {
				x[e] = x[e] < (_Float16)0 ? (_Float16)0 : x[e];
			}
			for (int j = 0; j < 8; ++j) {
				acc[j] = WMMA(x, load(b, col + j * 16 + lane % 16, n, k0, k, true),
					acc[j]);
			}
		}
	}
	store(c, acc, row, col, m, n, alpha);
}
