// 4 * N floats that both arms of an if/else go on from, on a condition that all lanes share or on one of each
// lane's own; and the first arm alone.
#include <hip/hip_runtime.h>
#ifndef N
#define N 32
#endif

enum chosen {
	ALIKE,
	BY_LANE,
	ALONE
};

template <chosen By> static __device__ bool first(const int *flag, int k)
{
	return By == ALONE || (By == ALIKE ? flag[k] > 0 : (int)threadIdx.x < flag[k]);
}

template <chosen By>
__global__ __launch_bounds__(512) void lanes(float *q, const float *p, const int *flag, int n)
{
	float acc[N * 4];
	for (int i = 0; i < N * 4; i++) {
		acc[i] = q[i * 512 + threadIdx.x];
	}
	for (int k = 0; k < n; k++) {
		if (first<By>(flag, k)) {
#pragma unroll
			for (int i = 0; i < N * 4; i++) {
				acc[i] += p[k * 64 + i] * p[k + threadIdx.x];
			}
		} else {
#pragma unroll
			for (int i = 0; i < N * 4; i++) {
				acc[i] = acc[i] * p[k * 32 + i + 7] - p[k * 3 + threadIdx.x];
			}
		}
	}
	for (int i = 0; i < N * 4; i++) {
		q[i * 512 + threadIdx.x] = acc[i];
	}
}

template __global__ void lanes<ALIKE>(float *, const float *, const int *, int);
template __global__ void lanes<BY_LANE>(float *, const float *, const int *, int);
template __global__ void lanes<ALONE>(float *, const float *, const int *, int);
