typedef float f32x16 __attribute__((ext_vector_type(16)));
namespace vendor
{
__attribute__((device)) float scale(float x);
}
__attribute__((device)) f32x16 tile_mma(float a, float b, f32x16 c);

__attribute__((global)) void kernel(f32x16 *p, const float *q, int c)
{
	f32x16 acc[4] = {};
	for (int i = 0; i < c; ++i) {
		if (i < 3) {
			const float x = vendor::scale(q[i]);
			for (int k = 0; k < 4; ++k) {
				acc[k] = tile_mma(x, 1, acc[k]);
			}
		} else {
			const float x = vendor::scale(q[0]);
			for (int k = 0; k < 4; ++k) {
				acc[k] = tile_mma(x, 1, acc[k]);
			}
		}
	}
	p[0] = acc[c & 3];
}
