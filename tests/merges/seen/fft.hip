// FFT of 16 or 8 points a lane in registers, an exchange through LDS; twiddles from a table, or
// computed.
#include <hip/hip_runtime.h>

__device__ __forceinline__ float2 mul(float2 a, float2 b)
{
	return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <int N> struct Butterfly {
	static __device__ __forceinline__ void run(float2 *v, float sign)
	{
		float2 e[N / 2], o[N / 2];
#pragma unroll
		for (int i = 0; i < N / 2; ++i) {
			e[i] = v[2 * i];
			o[i] = v[2 * i + 1];
		}
		Butterfly<N / 2>::run(e, sign);
		Butterfly<N / 2>::run(o, sign);
#pragma unroll
		for (int i = 0; i < N / 2; ++i) {
			const float2 t =
				mul(o[i], {cospif(2.f * i / N), sign * sinpif(2.f * i / N)});
			v[i] = {e[i].x + t.x, e[i].y + t.y};
			v[i + N / 2] = {e[i].x - t.x, e[i].y - t.y};
		}
	}
};
template <> struct Butterfly<1> {
	static __device__ __forceinline__ void run(float2 *, float)
	{
	}
};

template <int N, int T>
__global__ __launch_bounds__(T) void fft(const float2 *__restrict__ in, float2 *__restrict__ out,
	const float2 *__restrict__ table, float sign, int passes)
{
	__shared__ float2 s[N * T];
	float2 v[N];
#pragma unroll
	for (int i = 0; i < N; ++i) {
		v[i] = in[(size_t)blockIdx.x * N * T + i * T + threadIdx.x];
	}
	for (int pass = 0; pass < passes; ++pass) {
		Butterfly<N>::run(v, sign);
		if (table) {
#pragma unroll
			for (int i = 1; i < N; ++i) {
				v[i] = mul(v[i], table[(pass * N + i) * T + threadIdx.x]);
			}
		} else {
#pragma unroll
			for (int i = 1; i < N; ++i) {
				float c, w;
				__sincosf(sign * 6.2831853f * i * threadIdx.x / (N * T), &w, &c);
				v[i] = mul(v[i], {c, w});
			}
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < N; ++i) {
			s[threadIdx.x * N + i] = v[i];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < N; ++i) {
			v[i] = s[i * T + threadIdx.x];
		}
	}
#pragma unroll
	for (int i = 0; i < N; ++i) {
		out[(size_t)blockIdx.x * N * T + i * T + threadIdx.x] = v[i];
	}
}
#define X(...)                                                                                     \
	template __global__ void fft<__VA_ARGS__>(                                                 \
		const float2 *, float2 *, const float2 *, float, int);
X(8, 128)
X(16, 64)
X(16, 256)
