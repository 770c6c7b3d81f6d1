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
BOUNDS __global__ void by_data(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < K; k++) {
		if (p[k] == 0) {
			break;
		}
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUNDS __global__ void by_data_counted(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	int m = 0;
	while (m < K && p[m] != 0) {
		m++;
	}
	for (int k = 0; k < m; k++) {
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUNDS __global__ void by_data_alone(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k = 0;; k++) {
		q[k] = 1;
		if (p[k] == 0) {
			break;
		}
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUNDS __global__ void into_bound(const float *__restrict__ p, float *__restrict__ q, int K, int L)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < K; k++) {
		if (k >= L) {
			break;
		}
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUNDS __global__ void twice(const float *__restrict__ p, float *__restrict__ q, int K, int L)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < K; k += 2) {
		if (k >= L) {
			break;
		}
		step(acc, p, k);
		if (k + 1 >= L) {
			break;
		}
		step(acc, p, k + 1);
	}
	sink(q, acc);
}
BOUNDS __global__ void passed_by(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < K; k++) {
		if (p[k] == 0) {
			continue;
		}
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUNDS __global__ void passed_by_sought(const float *__restrict__ p, float *__restrict__ q, int K)
{
	f32x16 acc[8] = {};
	int k = 0;
	while (k < K && p[k] == 0) {
		k++;
	}
	while (k < K) {
		step(acc, p, k);
		k++;
		while (k < K && p[k] == 0) {
			k++;
		}
	}
	sink(q, acc);
}
