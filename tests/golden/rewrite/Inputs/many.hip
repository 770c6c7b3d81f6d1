#define __global__ __attribute__((global))
typedef float f4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));

template <int N, int M>
__global__ __attribute__((amdgpu_flat_work_group_size(1, 256))) void tiles(
	const h4 *a, const h4 *b, f4 *c, int full, int n)
{
	f4 acc[N] = {};
	for (int q = 0; q < n; q++) {
		h4 x = a[q * M];
		if (q < full) {
			for (int i = 0; i < N; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(x, b[q * N + i], acc[i], 0, 0, 0);
			}
		} else {
			for (int i = 0; i < N; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(x, b[i + M], acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < N; i++) {
		c[i] = acc[i];
	}
}

#define SIX(n, m) \
	template __global__ void tiles<n, m>(const h4 *, const h4 *, f4 *, int, int); \
	template __global__ void tiles<n, m + 1>(const h4 *, const h4 *, f4 *, int, int); \
	template __global__ void tiles<n, m + 2>(const h4 *, const h4 *, f4 *, int, int); \
	template __global__ void tiles<n, m + 3>(const h4 *, const h4 *, f4 *, int, int); \
	template __global__ void tiles<n, m + 4>(const h4 *, const h4 *, f4 *, int, int); \
	template __global__ void tiles<n, m + 5>(const h4 *, const h4 *, f4 *, int, int);

SIX(5, 1)
SIX(8, 1)
SIX(12, 1)
SIX(20, 1)
