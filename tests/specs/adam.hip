#include <hip/hip_runtime.h>
// a step of Adam with decoupled decay; gradients are scaled; some are left out
__global__ void adam(float *w, float *m, float *v, const _Float16 *g, const unsigned char *frozen,
	int n, float lr, float b1, float b2, float eps, float decay, float scale, int step)
{
	const float c1 = 1.f - powf(b1, (float)step), c2 = 1.f - powf(b2, (float)step);
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		if (frozen[i]) {
			continue;
		}
		const float d = (float)g[i] / scale;
		if (!isfinite(d)) {
			continue;
		}
		m[i] = b1 * m[i] + (1.f - b1) * d;
		v[i] = b2 * v[i] + (1.f - b2) * d * d;
		w[i] -= lr * (m[i] / c1 / (sqrtf(v[i] / c2) + eps) + decay * w[i]);
	}
}
