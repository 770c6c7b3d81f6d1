// A scaled matrix operation of gfx950, OCP fp8, and swapped halves of the wave: in an arm or as one body.
#include <hip/hip_runtime.h>
typedef int v8i __attribute__((ext_vector_type(8)));
typedef float v4f __attribute__((ext_vector_type(4)));
__global__ __launch_bounds__(64) void scaled(const v8i *a, const v8i *b, const int *scale, float *out, int n)
{
	extern __shared__ float big[];
	const int lane = threadIdx.x;
	v4f acc = {0, 0, 0, 0};
	if (n > 1) {
		acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a[lane], b[lane], acc, 0, 4, 0, scale[lane], 1, scale[lane]);
	} else {
		acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(b[lane], a[lane], acc, 2, 1, 3, scale[lane], 2, scale[lane]);
	}
	for (int i = 0; i < 4; ++i) {
		big[40 * 1024 - 256 + i * 64 + lane] = acc[i];
	}
	__syncthreads();
	for (int i = 0; i < 4; ++i) {
		const float x = big[40 * 1024 - 256 + i * 64 + (lane ^ 1)];
		out[i * 64 + lane] = x;
		const int packed = __builtin_amdgcn_cvt_pk_fp8_f32(x, -0.0f, 0, false);
		((int *)out)[256 + i * 64 + lane] = packed;
	}
}
