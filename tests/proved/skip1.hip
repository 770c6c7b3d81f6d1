#include <hip/hip_runtime.h>

using f32x16 = __attribute__((ext_vector_type(16))) float;
using f32x4 = __attribute__((ext_vector_type(4))) float;
using f16x4 = __attribute__((ext_vector_type(4))) _Float16;

struct Problem {
	int rows, cols, depth;
	__device__ bool inside(int r, int c) const
	{
		return r < rows && c < cols;
	}
};

/* a GEMM that leaves out the blocks of B that the mask says are zero */
__global__ void __launch_bounds__(64) u_block_sparse(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x, row = blockIdx.y * 32, col = blockIdx.x * 128;
	f32x16 acc[4];
#pragma unroll
	for (auto &one : acc) {
		one = f32x16{};
	}
	for (int k0 = 0; k0 + 8 <= k; k0 += 8) {
		if (idx[k0 / 8] == mode) {
			continue;
		}
		const _Float16 *pa = a + (row + lane % 32) % m * k + k0 + lane / 32 * 4;
		const f16x4 x = {pa[0], pa[1], pa[2], pa[3]};
#pragma unroll
		for (int j = 0; j < 4; ++j) {
			const _Float16 *pb =
				b + (col + j * 32 + lane % 32) % n * k + k0 + lane / 32 * 4;
			const f16x4 y = {pb[0], pb[1], pb[2], pb[3]};
			acc[j] = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
		}
	}
	const Problem p{m, n, k};
	for (int j = 0; j < 4; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + e / 4 * 8 + lane / 32 * 4 + e % 4,
				  q = col + j * 32 + lane % 32;
			if (p.inside(r, q)) {
				c[r * n + q] = alpha * acc[j][e];
			}
		}
	}
}

/* experts: a tile of tokens visits only the experts that it was routed to */
__global__ void __launch_bounds__(64) u_experts(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x, token = blockIdx.y * 32, col = blockIdx.x * 64;
	f32x16 acc[2] = {};
	const int routed = idx[blockIdx.y];
	for (int e = 0; e < 8; ++e) {
		const bool mine = (routed >> e & 1) != 0 || e == mode;
		if (mine) {
			for (int k0 = 0; k0 + 8 <= k; k0 += 8) {
				f16x4 x, y[2];
				for (int i = 0; i < 4; ++i) {
					const int at = k0 + lane / 32 * 4 + i;
					x[i] = a[((token + lane % 32) * k + at) % (m * k)];
					y[0][i] =
						b[(e * 131 + (col + lane % 32) * k + at) % (n * k)];
					y[1][i] = b[(e * 131 + (col + 32 + lane % 32) * k + at) %
						    (n * k)];
				}
				acc[0] = __builtin_amdgcn_mfma_f32_32x32x8f16(
					x, y[0], acc[0], 0, 0, 0);
				acc[1] = __builtin_amdgcn_mfma_f32_32x32x8f16(
					x, y[1], acc[1], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 2; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = token + e / 4 * 8 + lane / 32 * 4 + e % 4,
				  q = col + j * 32 + lane % 32;
			if (r < m && q < n) {
				c[r * n + q] = acc[j][e] + alpha;
			}
		}
	}
}

/* a window: key blocks outside of it are skipped, those at its edges are masked */
__global__ void __launch_bounds__(64) u_window(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x, row = blockIdx.y * 16, width = 24 + 8 * mode;
	f32x4 acc[16] = {};
	for (int t = 0; t < m; t += 16) {
		const bool near_ = t + 16 > row - width && t < row + 16 + width;
		if (!near_) {
			continue;
		}
		const bool whole = t >= row + 15 - width && t + 15 <= row + width && t + 16 <= m;
		f16x4 p;
		if (whole) {
			for (int e = 0; e < 4; ++e) {
				p[e] = (_Float16)(alpha * (float)a[((t + lane / 16 * 4 + e) * k +
									   lane % 16) %
								   (m * k)]);
			}
			for (int j = 0; j < 16; ++j) {
				f16x4 v;
				for (int e = 0; e < 4; ++e) {
					v[e] = b[((t + lane / 16 * 4 + e) * n + j * 16 +
							 lane % 16) %
						 (n * k)];
				}
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					p, v, acc[j], 0, 0, 0);
			}
		} else {
			for (int e = 0; e < 4; ++e) {
				const int key = t + lane / 16 * 4 + e, query = row + lane % 16;
				const bool ok =
					key < m && key - query <= width && query - key <= width;
				p[e] = ok ? (_Float16)(alpha *
						       (float)a[(key * k + lane % 16) % (m * k)])
					  : (_Float16)0.f;
			}
			for (int j = 0; j < 16; ++j) {
				f16x4 v;
				for (int e = 0; e < 4; ++e) {
					const int key = t + lane / 16 * 4 + e;
					v[e] = key < m ? b[(key * n + j * 16 + lane % 16) % (n * k)]
						       : (_Float16)0.f;
				}
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					p, v, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 16; ++j) {
		for (int e = 0; e < 4; ++e) {
			const int r = row + lane / 16 * 4 + e, q = j * 16 + lane % 16;
			if (r < m && q < n) {
				c[r * n + q] = acc[j][e];
			}
		}
	}
}
