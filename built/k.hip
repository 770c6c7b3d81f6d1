struct dim3 {
	unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);

#include "quick.h"

__attribute__((global, amdgpu_flat_work_group_size(512, 512))) void quick(
	const float *p, f32x4 *q, int n)
{
	f32x4 acc[WIDTH] = {};
	const int id = __builtin_amdgcn_workitem_id_x();
	for (int k = 0; k < n; ++k) {
		if (k < n - 4) {
			for (int i = 0; i < WIDTH; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					p[k + id], p[k + i], acc[i], 0, 0, 0);
			}
		} else {
			for (int i = 0; i < WIDTH; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					p[k + i], p[id], acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < WIDTH; ++i) {
		q[i * 64 + id] = acc[i];
	}
	int late;
}
