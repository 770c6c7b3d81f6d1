// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Arguments that differ, between which ?: chooses.

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
template <bool Masked>
__device__ inline void load(tile &t, const float *from, int first, long last, const int &r, bool up)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = Masked && i >= last ? t.v[i] : from[(i + first) % 4] + (up ? r : 2);
	}
}
__global__ void narrow(float *p, int n, int c, int d)
{
	tile acc = {};
	float *q = p + 1;
	for (int i = 0; i < n; i++) {
		if (c > d) {
			load<true>(acc, p, c, i, c, c < 3);
		} else if (c == d) {
			load<false>(acc, q, 0, 64, c, true);
		} else {
			load<true>(acc, p + 2, d > 2 ? 1 : 2, 32L, c, c == i && d);
		}
	}
	store(p, acc);
}
__global__ void same(float *p, int n, int c, int d)
{
	tile acc = {};
	float *q = p + 1;
	for (int i = 0; i < n; i++) {
		if (c > d) {
			load<true>(acc, p, c, n, c, c < 3);
		} else {
			if (c == d) {
				load<false>(acc, q, 0, d, c, true);
			} else {
				load<true>(acc, p + 2, d > 2 ? 1 : 2, d, c, c == i && d);
			}
		}
	}
	store(p, acc);
}
#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {narrow, same};
#endif
