typedef float f32x4 __attribute__((ext_vector_type(4)));
#define NAME first
#include "../body.inc"
#undef NAME
#define NAME second
#include "../body.inc"

__attribute__((global)) void twice(float *p, int n, int c)
{
	f32x4 acc[32] = {};
	first(acc, p, n, c);
	second(acc, p, n, c);
	for (int i = 0; i < 32; ++i) {
		p[i] = acc[i].x;
	}
}
