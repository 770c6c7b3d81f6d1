// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// What is constant in an instance: products of constants that are not rounded.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__device__ inline float eighths(int n)
{
	return n * 0.125f;
}

template <int N> __device__ inline void exact(tile &t, float x)
{
	const float s = N;
	float sum = 0;
	for (int k = 0; k < N; k++) {
		sum += k * 0.5f;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? eighths(N) * 3 + x : s * 2.5f + 0.3f;
		t.v[i] = N * x + sum;
	}
}

__global__ void products(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c == 1) {
		exact<2>(acc, d);
	} else if (c == 2) {
		exact<10>(acc, d);
	} else {
		exact<11>(acc, d);
	}
	store(p, acc);
}

// of the class
enum class mode { none, half, full };
constexpr int WAVE = 64;
template <mode M, int N, class T> struct softmax {
	static constexpr bool kFirst = M == mode::none;
	static constexpr int kStep = kFirst ? N : 2 * N + 1; // in lanes
	static constexpr int kEnd = kStep > 4 && M != mode::full ? kStep : WAVE;
	static constexpr float kTop = kFirst ? 0.25f : -2;
	static inline constexpr const unsigned kAll = N;
	static constexpr int unused[2] = {N, 3};
	static __device__ T one(T x) { return x; }
	static __device__ void run(tile &t, T x)
	{
		constexpr int twice = 2 * kStep;
		for (int i = 0; i < 64; i++) {
			if constexpr (kFirst) {
				t.v[i] = x > kTop ? x : kTop;
			} else {
				t.v[i] = t.v[i] > x ? t.v[i] + twice : x + kAll;
			}
			t.v[i] = i < kEnd ? t.v[i] : x;
		}
	}
};

__global__ void of_class(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			softmax<mode::none, 3, float>::run(acc, d);
		} else if (d == 1) {
			softmax<mode::half, 3, float>::run(acc, d);
		} else {
			softmax<mode::full, 4, float>::run(acc, d);
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {products, of_class};
#endif
