#include <hip/hip_runtime.h>
// cross entropy with smoothed labels; labels of `ignored` count for nothing; one wave a row
__global__ void cross_entropy(const __bf16 *logits, const int *label, float *loss, float *total,
	int rows, int classes, int ignored, float smooth)
{
	const int lane = threadIdx.x % 64, row = blockIdx.x * (blockDim.x / 64) + threadIdx.x / 64;
	if (row >= rows) {
		return;
	}
	const __bf16 *l = logits + (size_t)row * classes;
	float m = -INFINITY, s = 0.f, all = 0.f;
	for (int c = lane; c < classes; c += 64) {
		const float v = (float)l[c];
		const float next = fmaxf(m, v);
		s = s * expf(m - next) + expf(v - next);
		m = next;
		all += v;
	}
	for (int o = 32; o > 0; o >>= 1) {
		const float om = __shfl_xor(m, o), os = __shfl_xor(s, o);
		const float next = fmaxf(m, om);
		if (next > -INFINITY) {
			s = s * expf(m - next) + os * expf(om - next);
		}
		m = next;
		all += __shfl_xor(all, o);
	}
	if (lane == 0) {
		const int at = label[row];
		const bool counts = at != ignored && at >= 0 && at < classes;
		const float log_sum = m + logf(s);
		const float own = counts ? (1.f - smooth) * (log_sum - (float)l[at]) +
						   smooth * (log_sum - all / classes)
					 : 0.f;
		loss[row] = own;
		if (counts) {
			atomicAdd(total, own);
		}
	}
}
