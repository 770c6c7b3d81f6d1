struct dim3 {
	unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
typedef float f32x4 __attribute__((ext_vector_type(4)));
#define BOTH __attribute__((host, device))
#define WIDTH 32
BOTH f32x4 mma(float a, float b, f32x4 c)
{
#ifdef __HIP_DEVICE_COMPILE__
	return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
#else
	return c;
#endif
}
BOTH void steps(f32x4 (&acc)[WIDTH], const float *p, int n, int id)
{
	for (int k = 0; k < n; ++k) {
		if (p[k] > 3) {
			break;
		}
		if (n >> (k & 7) & 1) {
			for (int i = 0; i < WIDTH; ++i) {
				acc[i] = mma(p[k + id], p[k + i], acc[i]);
			}
		} else {
			for (int i = 0; i < WIDTH; ++i) {
				acc[WIDTH - 1 - i] = mma(p[k + i], p[id], acc[WIDTH - 1 - i]);
				acc[WIDTH - 1 - i] = mma(p[k - i], p[2], acc[WIDTH - 1 - i]);
			}
		}
	}
}
__attribute__((global, amdgpu_flat_work_group_size(512, 512))) void both(
	const float *p, f32x4 *q, int n)
{
	f32x4 acc[WIDTH] = {};
	const int id = __builtin_amdgcn_workitem_id_x();
	steps(acc, p, n, id);
	for (int i = 0; i < WIDTH; ++i) {
		q[i * 64 + id] = acc[i];
	}
}
