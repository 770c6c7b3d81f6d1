// The same two arms: one leaves by continue; as an if/else; and one of them alone.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
__global__ void by_continue(const float *__restrict__ p, float *q, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++) {
		if (c + k > 5) {
			for (int i = 0; i < 32; i++) {
				acc[i] += p[k + i];
			}
			continue;
		}
		for (int i = 0; i < 32; i++) {
			acc[i] += p[k + 2 * i] * 3.0f;
		}
	}
	for (int i = 0; i < 32; i++) {
		q[i] = acc[i].x + acc[i].w;
	}
}
__global__ void by_else(const float *__restrict__ p, float *q, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++) {
		if (c + k > 5) {
			for (int i = 0; i < 32; i++) {
				acc[i] += p[k + i];
			}
		} else {
			for (int i = 0; i < 32; i++) {
				acc[i] += p[k + 2 * i] * 3.0f;
			}
		}
	}
	for (int i = 0; i < 32; i++) {
		q[i] = acc[i].x + acc[i].w;
	}
}
__global__ void one_arm(const float *__restrict__ p, float *q, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 32; i++) {
			acc[i] += p[k + 2 * i] * 3.0f;
		}
	}
	for (int i = 0; i < 32; i++) {
		q[i] = acc[i].x + acc[i].w;
	}
}
