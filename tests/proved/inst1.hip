#include <hip/hip_runtime.h>
#include <type_traits>

using f32x16 = __attribute__((ext_vector_type(16))) float;
using f32x4 = __attribute__((ext_vector_type(4))) float;
using f16x4 = __attribute__((ext_vector_type(4))) _Float16;

constexpr int TILE = 32;

template <bool Edge>
__device__ __forceinline__ f16x4 fetch(const _Float16 *p, int line, int lines, int at, int k)
{
	f16x4 v;
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		if constexpr (Edge) {
			v[e] = line < lines && at + e < k ? p[line * k + at + e] : _Float16(0);
		} else {
			v[e] = p[line * k + at + e];
		}
	}
	return v;
}

template <bool EdgeRows, bool EdgeDepth>
__device__ __forceinline__ void tile(f32x16 (&acc)[4], const _Float16 *a, const _Float16 *b,
	int row, int col, int k0, int m, int n, int k)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x =
		fetch < EdgeRows || EdgeDepth > (a, row + lane % 32, m, k0 + lane / 32 * 4, k);
#pragma unroll
	for (int j = 0; j < 4; ++j) {
		const f16x4 y = fetch < EdgeRows ||
				EdgeDepth > (b, col + j * 32 + lane % 32, n, k0 + lane / 32 * 4, k);
		acc[j] = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
	}
}

/* four instances of one function */
__global__ void __launch_bounds__(64) u_four(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * TILE, col = blockIdx.x * 4 * TILE;
	f32x16 acc[4] = {};
	const bool rows = row + TILE > m || col + 4 * TILE > n;
	for (int k0 = 0; k0 < k; k0 += 8) {
		const bool depth = k0 + 8 > k;
		if (rows) {
			if (depth) {
				tile<true, true>(acc, a, b, row, col, k0, m, n, k);
			} else {
				tile<true, false>(acc, a, b, row, col, k0, m, n, k);
			}
		} else {
			if (depth) {
				tile<false, true>(acc, a, b, row, col, k0, m, n, k);
			} else {
				tile<false, false>(acc, a, b, row, col, k0, m, n, k);
			}
		}
	}
	for (int j = 0; j < 4; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + e / 4 * 8 + lane / 32 * 4 + e % 4,
				  q = col + j * 32 + lane % 32;
			if (r < m && q < n) {
				c[r * n + q] = acc[j][e] * alpha;
			}
		}
	}
}

/* a generic lambda that is given a tag */
__global__ void __launch_bounds__(64) u_tags(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 16;
	f32x4 acc[16] = {};
	float top = -3e38f;
	auto step = [&](int t, auto last) {
		f16x4 p;
		for (int e = 0; e < 4; ++e) {
			const int key = t + lane / 16 * 4 + e;
			if (decltype(last)::value) {
				p[e] = key < m ? a[(key * k + lane % 16) % (m * k)] : _Float16(0);
			} else {
				p[e] = a[(key * k + lane % 16) % (m * k)];
			}
			top = fmaxf(top, static_cast<float>(p[e]));
		}
		for (int j = 0; j < 16; ++j) {
			f16x4 v;
			for (int e = 0; e < 4; ++e) {
				v[e] = b[((t + lane / 16 * 4 + e) * n + j * 16 + lane % 16) %
					 (n * k)];
			}
			acc[j] = __builtin_amdgcn_mfma_f32_16x16x16f16(p, v, acc[j], 0, 0, 0);
		}
	};
	for (int t = 0; t < m; t += 16) {
		if (t + 16 > m) {
			step(t, std::true_type{});
		} else {
			step(t, std::false_type{});
		}
	}
	for (int j = 0; j < 16; ++j) {
		for (int e = 0; e < 4; ++e) {
			const int r = row + lane / 16 * 4 + e, q = j * 16 + lane % 16;
			if (r < m && q < n) {
				c[r * n + q] = acc[j][e] + top * alpha;
			}
		}
	}
}

enum class Phase {
	First,
	Middle,
	Last
};

template <Phase P>
__device__ void stage(f32x4 (&acc)[24], const _Float16 *a, const _Float16 *b, int t, int n, int k,
	int m, float alpha)
{
	const int lane = threadIdx.x % 64;
	f16x4 x;
	for (int e = 0; e < 4; ++e) {
		const int at = t + lane / 16 * 4 + e;
		float v = a[(lane % 16 * k + at) % (m * k)];
		if (P == Phase::First) {
			v *= alpha;
		}
		if (P == Phase::Last && at >= k) {
			v = 0;
		}
		x[e] = (_Float16)v;
	}
	for (int j = 0; j < 24; ++j) {
		f16x4 y;
		for (int e = 0; e < 4; ++e) {
			y[e] = b[((j * 16 + lane % 16) * k + t + lane / 16 * 4 + e) % (n * k)];
		}
		acc[j] = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, acc[j], 0, 0, 0);
	}
}

/* first, middle and last steps of a loop */
__global__ void __launch_bounds__(64) u_phases(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	const int lane = threadIdx.x % 64;
	f32x4 acc[24];
	for (int j = 0; j < 24; ++j) {
		acc[j] = f32x4{0, 0, 0, 0};
	}
	for (int t = 0; t < k; t += 16) {
		if (t == 0) {
			stage<Phase::First>(acc, a, b, t, n, k, m, alpha);
		} else if (t + 16 < k) {
			stage<Phase::Middle>(acc, a, b, t, n, k, m, alpha);
		} else {
			stage<Phase::Last>(acc, a, b, t, n, k, m, alpha);
		}
	}
	for (int j = 0; j < 24; ++j) {
		for (int e = 0; e < 4; ++e) {
			if (lane / 16 * 4 + e < m && blockIdx.y == 0) {
				c[blockIdx.x * 6144 + (lane / 16 * 4 + e) * 384 + j * 16 +
					lane % 16] = acc[j][e];
			}
		}
	}
}
