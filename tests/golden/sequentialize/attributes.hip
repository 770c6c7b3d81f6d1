// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// Attributes of the arms stay with them; pragmas and directives inside an arm move as text.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] * 0.75f - x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__global__ void likely(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c) [[likely]] {
		add(acc, 1);
	} else [[unlikely]]
	{
		scale(acc, 2);
	}
	store(p, acc);
}

#define STEP(x)                                                                                    \
	do {                                                                                       \
		add(acc, x);                                                                       \
	} while (0)

__global__ void inside(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c) {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			STEP(i);
		}
		const char *text = R"(
	if (c) {
		} else { // no comment
)";
		acc.v[0] += text[1];
	} else {
#ifdef FAST
		scale(acc, 3);
#else
		scale(acc, 2);
#endif
	}
	store(p, acc);
}

__global__ void moved(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c) {
		if (d) {
			const char *text = R"(
				stays)" "\
				stays";
			acc.v[0] += text[1];
			add(acc, text[8]);
		} else {
			scale(acc, 2);
		}
	} else {
		add(acc, 2);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {likely, inside, moved};
#endif
