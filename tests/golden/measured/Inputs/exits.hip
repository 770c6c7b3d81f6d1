// Wide compute behind an exit, and once more behind its loop.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(1, 256)))
__device__ inline void step(f32x16 (&acc)[8], const float *__restrict__ p, int k)
{
	for (int i = 0; i < 8; i++) {
		acc[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k], p[k + i], acc[i], 0, 0, 0);
	}
}
__device__ inline void sink(float *q, f32x16 (&acc)[8])
{
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[i * 16 + j] = acc[i][j];
		}
	}
}
BOUNDS __global__ void plain(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k0 = 0; k0 < K; k0 += 4) {
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			step(acc, p, k0 + kk);
		}
	}
	sink(q, acc);
}
BOUNDS __global__ void with_break(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k0 = 0; k0 < K; k0 += 4) {
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			if (k0 + kk >= K) {
				break;
			}
			step(acc, p, k0 + kk);
		}
	}
	sink(q, acc);
}
BOUNDS __global__ void with_continue(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k0 = 0; k0 < K; k0 += 4) {
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			if (k0 + kk >= K) {
				continue;
			}
			step(acc, p, k0 + kk);
		}
	}
	sink(q, acc);
}
BOUNDS __global__ void with_tail(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	int k = 0;
	for (; k + 4 <= K; k += 4) {
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			step(acc, p, k + kk);
		}
	}
	if (k < K) {
		step(acc, p, k);
	}
	sink(q, acc);
}
