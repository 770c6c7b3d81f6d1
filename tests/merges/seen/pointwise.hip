// No loop: each lane loads a run of several arrays, and an if/else changes it in registers
// before it is stored.
#include <hip/hip_runtime.h>

template <int V, int T>
__global__ __launch_bounds__(T) void blend(const float4 *__restrict__ a,
	const float4 *__restrict__ b, const float4 *__restrict__ c, float4 *__restrict__ out,
	const int *__restrict__ kind, float alpha)
{
	const size_t at = (size_t)blockIdx.x * V * T + threadIdx.x;
	float4 x[V], y[V], z[V];
#pragma unroll
	for (int i = 0; i < V; ++i) {
		x[i] = a[at + i * T];
		y[i] = b[at + i * T];
		z[i] = c[at + i * T];
	}
	if (kind[blockIdx.x]) {
#pragma unroll
		for (int i = 0; i < V; ++i) {
			x[i].x = fmaf(x[i].x, y[i].x, z[i].x);
			x[i].y = fmaf(x[i].y, y[i].y, z[i].y);
			x[i].z = fmaf(x[i].z, y[i].z, z[i].z);
			x[i].w = fmaf(x[i].w, y[i].w, z[i].w);
		}
	} else {
		float s = 0.f;
#pragma unroll
		for (int i = 0; i < V; ++i) {
			s += x[i].x * y[i].x + x[i].y * y[i].y + x[i].z * y[i].z + x[i].w * y[i].w;
		}
#pragma unroll
		for (int i = 0; i < V; ++i) {
			x[i] = make_float4(z[i].x * s, z[i].y * s, z[i].z * alpha, z[i].w * s);
		}
	}
#pragma unroll
	for (int i = 0; i < V; ++i) {
		out[at + i * T] = x[i];
	}
}

template <int N, int T>
__global__ __launch_bounds__(T) void solve(
	const float *__restrict__ m, float *__restrict__ x, int count, float limit)
{
	const int id = blockIdx.x * T + threadIdx.x;
	float a[N][N], r[N];
#pragma unroll
	for (int i = 0; i < N; ++i)
#pragma unroll
		for (int j = 0; j < N; ++j) {
			a[i][j] = m[(i * N + j) * count + id];
		}
#pragma unroll
	for (int i = 0; i < N; ++i) {
		r[i] = x[i * count + id];
	}
#pragma unroll
	for (int k = 0; k < N; ++k) {
		if (fabsf(a[k][k]) < limit) {
			a[k][k] = limit;
		}
		const float inv = 1.f / a[k][k];
#pragma unroll
		for (int i = k + 1; i < N; ++i) {
			const float f = a[i][k] * inv;
#pragma unroll
			for (int j = k + 1; j < N; ++j) {
				a[i][j] -= f * a[k][j];
			}
			r[i] -= f * r[k];
		}
	}
#pragma unroll
	for (int k = N - 1; k >= 0; --k) {
#pragma unroll
		for (int j = k + 1; j < N; ++j) {
			r[k] -= a[k][j] * r[j];
		}
		r[k] /= a[k][k];
		x[k * count + id] = r[k];
	}
}

template <int V, int T>
__global__ __launch_bounds__(T) void rope(const uint4 *__restrict__ q,
	const float4 *__restrict__ angle, uint4 *__restrict__ out, int width, bool halves)
{
	union Eight {
		uint4 u;
		_Float16 h[8];
	};
	const size_t at = (size_t)blockIdx.x * V * T + threadIdx.x;
	float v[V][8];
#pragma unroll
	for (int i = 0; i < V; ++i) {
		Eight e;
		e.u = q[at + i * T];
#pragma unroll
		for (int j = 0; j < 8; ++j) {
			v[i][j] = (float)e.h[j];
		}
	}
	if (halves) {
#pragma unroll
		for (int i = 0; i < V / 2; ++i) {
			const float4 s = angle[i * T + threadIdx.x];
#pragma unroll
			for (int j = 0; j < 8; ++j) {
				const float lo = v[i][j], hi = v[i + V / 2][j];
				v[i][j] = lo * s.x - hi * s.y;
				v[i + V / 2][j] = hi * s.z + lo * s.w;
			}
		}
	} else {
#pragma unroll
		for (int i = 0; i < V; ++i) {
			const float4 s = angle[i * T + threadIdx.x];
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				const float lo = v[i][j], hi = v[i][j + 1];
				v[i][j] = lo * s.x - hi * s.y;
				v[i][j + 1] = hi * s.x + lo * s.y;
			}
		}
	}
#pragma unroll
	for (int i = 0; i < V; ++i) {
		Eight e;
#pragma unroll
		for (int j = 0; j < 8; ++j) {
			e.h[j] = (_Float16)v[i][j];
		}
		out[at + i * T] = e.u;
	}
}
#define B(...)                                                                                     \
	template __global__ void blend<__VA_ARGS__>(                                               \
		const float4 *, const float4 *, const float4 *, float4 *, const int *, float);
#define S(...) template __global__ void solve<__VA_ARGS__>(const float *, float *, int, float);
#define R(...)                                                                                     \
	template __global__ void rope<__VA_ARGS__>(                                                \
		const uint4 *, const float4 *, uint4 *, int, bool);
B(2, 256)
B(6, 256)
B(10, 128)
S(5, 256)
S(7, 128)
S(10, 64)
R(4, 256)
R(8, 256)
R(12, 128)
