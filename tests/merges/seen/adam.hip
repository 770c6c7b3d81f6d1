// An optimizer's step on a run of parameters a lane; decayed, or with a clipped gradient, by
// the tensor's flags.
#include <hip/hip_runtime.h>

template <int V, int T>
__global__ __launch_bounds__(T) void adam(float4 *__restrict__ w, const float4 *__restrict__ g,
	float4 *__restrict__ m, float4 *__restrict__ v, const int *__restrict__ flags, float lr,
	float b1, float b2, float eps, float decay)
{
	const size_t at = (size_t)blockIdx.x * V * T + threadIdx.x;
	float4 p[V], d[V], mm[V], vv[V];
#pragma unroll
	for (int i = 0; i < V; ++i) {
		p[i] = w[at + i * T];
		d[i] = g[at + i * T];
		mm[i] = m[at + i * T];
		vv[i] = v[at + i * T];
	}
	const int f = flags[blockIdx.x];
	if (f & 1) {
		if (f & 2) {
#pragma unroll
			for (int i = 0; i < V; ++i) {
				p[i].x -= lr * decay * p[i].x;
				p[i].y -= lr * decay * p[i].y;
				p[i].z -= lr * decay * p[i].z;
				p[i].w -= lr * decay * p[i].w;
			}
		} else {
#pragma unroll
			for (int i = 0; i < V; ++i) {
				d[i].x += decay * p[i].x;
				d[i].y += decay * p[i].y;
				d[i].z += decay * p[i].z;
				d[i].w += decay * p[i].w;
			}
		}
	} else {
		float n = 0.f;
#pragma unroll
		for (int i = 0; i < V; ++i) {
			n += d[i].x * d[i].x + d[i].y * d[i].y + d[i].z * d[i].z + d[i].w * d[i].w;
		}
		const float s = fminf(1.f, rsqrtf(n));
#pragma unroll
		for (int i = 0; i < V; ++i) {
			d[i] = make_float4(d[i].x * s, d[i].y * s, d[i].z * s, d[i].w * s);
		}
	}
	auto step = [&](float &x, float gr, float &a, float &b) {
		a = b1 * a + (1.f - b1) * gr;
		b = b2 * b + (1.f - b2) * gr * gr;
		x -= lr * a / (sqrtf(b) + eps);
	};
#pragma unroll
	for (int i = 0; i < V; ++i) {
		step(p[i].x, d[i].x, mm[i].x, vv[i].x);
		step(p[i].y, d[i].y, mm[i].y, vv[i].y);
		step(p[i].z, d[i].z, mm[i].z, vv[i].z);
		step(p[i].w, d[i].w, mm[i].w, vv[i].w);
		w[at + i * T] = p[i];
		m[at + i * T] = mm[i];
		v[at + i * T] = vv[i];
	}
}
#define X(...)                                                                                     \
	template __global__ void adam<__VA_ARGS__>(float4 *, const float4 *, float4 *, float4 *,   \
		const int *, float, float, float, float, float);
X(2, 256)
X(4, 256)
X(8, 256)
