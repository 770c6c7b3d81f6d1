#pragma once
template <bool First> __device__ void step(float (&acc)[64], const float *p)
{
	const float by = First ? p[0] : p[1];
	for (int i = 0; i < 64; i++) {
		acc[i] = acc[i] / by - p[i];
	}
}
__device__ inline void run(float *p, int c)
{
	float acc[64] = {};
	if (c > 1) {
		step<true>(acc, p);
	} else {
		step<false>(acc, p);
	}
	p[0] = acc[c];
}
