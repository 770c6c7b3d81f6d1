// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Member templates, called inside their class and from elsewhere.

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
template <int N> struct worker {
	float scale;

	template <bool kMask> __device__ float one(float x) const
	{
		return kMask ? x > scale ? x : scale : x;
	}

	template <bool kMask, typename T> static __device__ T two(T x)
	{
		return kMask ? x : N;
	}

	// all of it
	template <bool kMask, bool kHasBias> __device__ void runTile(tile &accTile, float x)
	{
		for (int i = 0; i < 64; i++) {
			accTile.v[i] += kHasBias ? this->template one<kMask>(x)
						 : worker<N>::template two<kMask>(x);
			accTile.v[i] = accTile.v[i] > 2 ? two<kMask, float>(x) : one<kHasBias>(x);
		}
		scale = x;
	}
	__device__ void all(float *p, int n, int c, int d)
	{
		tile acc = {};
		for (int i = 0; i < n; i++) {
			if (c > d) {
				runTile<true, false>(acc, i);
			} else if (d == 3) {
				runTile<true, true>(acc, i);
			} else {
				runTile<false, true>(acc, i);
			}
		}
		store(p, acc);
	}
};
__global__ void inside(float *p, int n, int c, int d)
{
	worker<3> w = {2};
	w.all(p, n, c, d);
	worker<4> x = {2};
	x.all(p, n, c, d);
}
__global__ void outside(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[i & 1].template runTile<true, false>(acc, i);
		} else {
			w[i & 1].runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}
__global__ void alike(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[i & 1].template runTile<true, false>(acc, i);
		} else {
			w[i & 1].template runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}
__global__ void other(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[0].template runTile<true, false>(acc, i);
		} else {
			w[1].template runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}
#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {inside, outside, alike, other};
#endif
