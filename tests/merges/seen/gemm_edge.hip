// GEMM of 32x32x8 matrix operations: tiles inside load 16 bytes at a time, those at the edge
// test each element.
#include <hip/hip_runtime.h>

typedef _Float16 f16;
typedef f16 f16x4 __attribute__((ext_vector_type(4)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

template <bool EDGE>
__device__ inline f16x8 fetch(
	const f16 *__restrict__ p, int row, int col, int rows, int cols, int ld)
{
	if constexpr (!EDGE) {
		return *reinterpret_cast<const f16x8 *>(p + (size_t)row * ld + col);
	}
	f16x8 v = {};
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		if (row < rows && col + i < cols) {
			v[i] = p[(size_t)row * ld + col + i];
		}
	}
	return v;
}

template <int BM, int BN, int BK, int MT, int NT, int T, bool EDGE>
__device__ inline void tile(const f16 *__restrict__ a, const f16 *__restrict__ b, int m, int n,
	int k, int row, int col, f16 *sa, f16 *sb, f32x16 (&acc)[MT][NT], int wm, int wn)
{
	constexpr int A = BM * BK / 8 / T, B = BN * BK / 8 / T;
	f16x8 ra[A], rb[B];
	const int lane = threadIdx.x % 64;
#pragma unroll
	for (int i = 0; i < A; ++i) {
		const int e = (i * T + threadIdx.x) * 8;
		ra[i] = fetch<EDGE>(a, row + e / BK, e % BK, m, k, k);
	}
#pragma unroll
	for (int i = 0; i < B; ++i) {
		const int e = (i * T + threadIdx.x) * 8;
		rb[i] = fetch<EDGE>(b, col + e / BK, e % BK, n, k, k);
	}
	for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
		for (int i = 0; i < A; ++i) {
			*(f16x8 *)&sa[(i * T + threadIdx.x) * 8] = ra[i];
		}
#pragma unroll
		for (int i = 0; i < B; ++i) {
			*(f16x8 *)&sb[(i * T + threadIdx.x) * 8] = rb[i];
		}
		__syncthreads();
		if (k0 + BK < k) {
#pragma unroll
			for (int i = 0; i < A; ++i) {
				const int e = (i * T + threadIdx.x) * 8;
				ra[i] = fetch<EDGE>(a, row + e / BK, k0 + BK + e % BK, m, k, k);
			}
#pragma unroll
			for (int i = 0; i < B; ++i) {
				const int e = (i * T + threadIdx.x) * 8;
				rb[i] = fetch<EDGE>(b, col + e / BK, k0 + BK + e % BK, n, k, k);
			}
		}
#pragma unroll
		for (int kk = 0; kk < BK; kk += 8) {
			f16x4 fa[MT], fb[NT];
#pragma unroll
			for (int i = 0; i < MT; ++i) {
				fa[i] = *(f16x4 *)&sa[(wm + i * 32 + lane % 32) * BK + kk +
						      lane / 32 * 4];
			}
#pragma unroll
			for (int j = 0; j < NT; ++j) {
				fb[j] = *(f16x4 *)&sb[(wn + j * 32 + lane % 32) * BK + kk +
						      lane / 32 * 4];
			}
#pragma unroll
			for (int i = 0; i < MT; ++i)
#pragma unroll
				for (int j = 0; j < NT; ++j) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						fa[i], fb[j], acc[i][j], 0, 0, 0);
				}
		}
		__syncthreads();
	}
}

template <int BM, int BN, int BK, int WM, int WN, int PER>
__global__ __launch_bounds__(WM *WN * 64, PER) void gemm(
	const f16 *a, const f16 *b, float *c, int m, int n, int k, float beta)
{
	constexpr int T = WM * WN * 64, MT = BM / WM / 32, NT = BN / WN / 32;
	__shared__ f16 sa[BM * BK], sb[BN * BK];
	const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
	const int wm = wave / WN * (BM / WM), wn = wave % WN * (BN / WN);
	const int row = blockIdx.y * BM, col = blockIdx.x * BN;
	f32x16 acc[MT][NT];
#pragma unroll
	for (int i = 0; i < MT; ++i)
#pragma unroll
		for (int j = 0; j < NT; ++j)
#pragma unroll
			for (int e = 0; e < 16; ++e) {
				acc[i][j][e] = beta * c[(size_t)(row + wm + i * 32 + e) * n + col +
							      wn + j * 32 + lane % 32];
			}
	if (row + BM <= m && col + BN <= n && k % BK == 0) {
		tile<BM, BN, BK, MT, NT, T, false>(a, b, m, n, k, row, col, sa, sb, acc, wm, wn);
	} else {
		tile<BM, BN, BK, MT, NT, T, true>(a, b, m, n, k, row, col, sa, sb, acc, wm, wn);
	}
#pragma unroll
	for (int i = 0; i < MT; ++i)
#pragma unroll
		for (int j = 0; j < NT; ++j)
#pragma unroll
			for (int e = 0; e < 16; ++e) {
				c[(size_t)(row + wm + i * 32 + e) * n + col + wn + j * 32 +
					lane % 32] = acc[i][j][e];
			}
}
template __global__ void gemm<64, 64, 32, 2, 2, 2>(
	const f16 *, const f16 *, float *, int, int, int, float);
template __global__ void gemm<128, 128, 32, 2, 2, 1>(
	const f16 *, const f16 *, float *, int, int, int, float);
template __global__ void gemm<128, 128, 32, 2, 4, 1>(
	const f16 *, const f16 *, float *, int, int, int, float);
template __global__ void gemm<128, 64, 32, 2, 1, 2>(
	const f16 *, const f16 *, float *, int, int, int, float);
