// A GEMM whose tile is a functor, for whole tiles and for masked ones (doc/shapes.md).
#include <hip/hip_runtime.h>

typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct fragment {
	f16x4 v[4];
};

template <bool Masked> struct blockwise {
	__device__ void operator()(f32x16 (&acc)[8], const _Float16 *a, const _Float16 *b, int k, int depth) const
	{
		fragment x, y;
		const int lane = threadIdx.x % 64;
		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < 4; j++) {
				const int at = k + i * 4 + j;
				const bool in = !Masked || at < depth;
				x.v[i][j] = in ? a[lane * 4096 + at] : _Float16(0);
				y.v[i][j] = in ? b[lane * 4096 + at] : _Float16(0);
			}
		}
		for (int i = 0; i < 8; i++) {
			for (int j = 0; j < 4; j++) {
				acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(x.v[j], y.v[(i + j) % 4], acc[i], 0, 0, 0);
			}
		}
	}
};

__global__ __launch_bounds__(256) void gemm(float *out, const _Float16 *a, const _Float16 *b, int depth)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < depth; k += 16) {
		if (k + 16 <= depth) {
			blockwise<false>{}(acc, a, b, k, depth);
		} else {
			blockwise<true>{}(acc, a, b, k, depth);
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[(i * 16 + j) * 256 + threadIdx.x] = acc[i][j];
		}
	}
}
