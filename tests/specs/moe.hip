#include <hip/hip_runtime.h>
// gates of a mixture of experts: the two best of each token, their softmax, places in the lists
__global__ void moe_gate(const float *logits, int *expert, float *weight, int *slot, int *count,
	int tokens, int experts, int capacity)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= tokens) {
		return;
	}
	const float *l = logits + t * experts;
	int first = 0, second = -1;
	for (int e = 1; e < experts; ++e) {
		if (l[e] > l[first]) {
			second = first;
			first = e;
		} else if (second < 0 || l[e] > l[second]) {
			second = e;
		}
	}
	const float b = expf(l[second] - l[first]);
	const int chosen[2] = {first, second};
	for (int k = 0; k < 2; ++k) {
		const int at = atomicAdd(&count[chosen[k]], 1);
		expert[t * 2 + k] = at < capacity ? chosen[k] : -1;
		slot[t * 2 + k] = at;
		weight[t * 2 + k] = (k == 0 ? 1.f : b) / (1.f + b);
	}
}
