// A tail tile behind the main loop, on 128 VGPRs of matrix results: none (0), on what all lanes share (1), on
// what each lane has of its own (2), with the condition laundered (3), and behind a fence (4).
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define LANE (int)__builtin_amdgcn_workitem_id_x()
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

__device__ inline f32x16 mma(float a, float b, f32x16 c)
{
	return __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0);
}

__device__ inline f32x4 mma(float a, float b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}

template <class V, int N> __device__ inline void step(V (&acc)[N], const float *__restrict__ p, int k)
{
	for (int i = 0; i < N; i++) {
		acc[i] = mma(p[k], p[k + i], acc[i]);
	}
}

template <class V, int N, int Kind>
BOUNDS __global__ void tail(const float *__restrict__ p, float *__restrict__ q, int K)
{
	V acc[N] = {};
	int k = 0;
	for (; k + 4 <= K; k += 4) {
#pragma unroll
		for (int kk = 0; kk < 4; kk++) {
			step(acc, p, k + kk);
		}
	}
	if constexpr (Kind == 1 || Kind == 4) {
		if constexpr (Kind == 4) {
			__builtin_amdgcn_wave_barrier();
		}
		if (k < K) {
			step(acc, p, k);
		}
	}
	if constexpr (Kind == 2) {
		const int own = k + (LANE & 3);
		if (own < K) {
			step(acc, p, own);
		}
	}
	if constexpr (Kind == 3) {
		int more = __builtin_amdgcn_readfirstlane(k < K);
		asm volatile("" : "+s"(more));
		if (more) {
			step(acc, p, k);
		}
	}
	for (int i = 0; i < N; i++) {
		*(V *)(q + i * sizeof(V) / 4) = acc[i];
	}
}
#define TAIL(V, N, Kind) template __global__ void tail<V, N, Kind>(const float *, float *, int);
#define TAILS(V, N) TAIL(V, N, 0) TAIL(V, N, 1) TAIL(V, N, 2) TAIL(V, N, 3) TAIL(V, N, 4)
TAILS(f32x16, 8)
TAILS(f32x4, 32)
