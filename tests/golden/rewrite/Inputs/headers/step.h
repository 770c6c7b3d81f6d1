// What two kernels have in common.
#ifndef STEP_H
#define STEP_H

typedef float f32x4 __attribute__((ext_vector_type(4)));

__attribute__((device)) inline void step(f32x4 *acc, const float *p, int n, int c)
{
	if (c > n) {
		for (int i = 0; i < 32; ++i) {
			acc[i] += p[i] * 2.0f;
		}
	} else {
		for (int i = 0; i < 32; ++i) {
			acc[i] += p[i + n] * 3.0f;
		}
	}
}
#endif
