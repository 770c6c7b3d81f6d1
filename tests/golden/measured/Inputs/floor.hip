// Needs more VGPRs than its 1024 threads leave each of them, and has no merge; the bound says so.

#include <hip/hip_runtime.h>

template <int N> __device__ void fill(float (&acc)[N], const float *p)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = p[i * 64];
	}
}

template <int N>
__global__ void __launch_bounds__(1024) over(float *p, float s)
{
	float acc[N];

	fill(acc, p);
	for (int k = 1; k < 9; ++k) {
		for (int i = 0; i < N; ++i) {
			acc[i] += acc[(i + 7) % N] * s;
		}
	}
	for (int i = 0; i < N; ++i) {
		p[i * 64] = acc[i];
	}
}
template __global__ void over<150>(float *p, float s);
template __global__ void over<145>(float *p, float s);
template __global__ void over<16>(float *p, float s);

// Spills for want of bounds only, and nothing says how many threads there are.
__global__ void unknown(float *p, float s)
{
	float acc[150];

	for (int i = 0; i < 150; ++i) {
		acc[i] = p[i * 64];
	}
	for (int k = 1; k < 9; ++k) {
		for (int i = 0; i < 150; ++i) {
			acc[i] += acc[(i + 7) % 150] * s;
		}
	}
	for (int i = 0; i < 150; ++i) {
		p[i * 64] = acc[i];
	}
}

__global__ void known_elsewhere(float *p, float s) // NOLINT(unphi-launch-bounds): not launched
{
	float acc[150];

	for (int i = 0; i < 150; ++i) {
		acc[i] = p[i * 64];
	}
	for (int k = 1; k < 9; ++k) {
		for (int i = 0; i < 150; ++i) {
			acc[i] -= acc[(i + 7) % 150] * s;
		}
	}
	for (int i = 0; i < 150; ++i) {
		p[i * 64] = acc[i];
	}
}
