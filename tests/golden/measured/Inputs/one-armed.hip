// Iterations that some condition passes by, of matrix operations on 128 VGPRs: by what the condition is made of.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(1, 256)))
typedef float f32x16 __attribute__((ext_vector_type(16)));
__device__ inline int lane()
{
	return (int)__builtin_amdgcn_workitem_id_x();
}
__device__ inline void step(f32x16 (&acc)[8], const float *__restrict__ p, int k)
{
	const float x = p[k * 64 + lane() % 64];
	for (int i = 0; i < 8; i++) {
		acc[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(x, p[(k + i) * 64 + lane() % 64], acc[i], 0, 0, 0);
	}
}
template <int HOW> __device__ inline bool live(const int *__restrict__ m, int k, int first)
{
	if (HOW == 1) {
		return k >= first;
	}
	if (HOW == 2) {
		return m[k] != 0;
	}
	const int wave = lane() / 64;
	return HOW == 0 || m[k * 4 + wave] != 0;
}
template <int HOW> BOUNDS __global__ void one(float *__restrict__ q, const float *__restrict__ p, const int *__restrict__ m, int n, int first)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (live<HOW>(m, k, first)) {
			step(acc, p, k);
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[(i * 16 + j) * 256 + lane()] = acc[i][j];
		}
	}
}
BOUNDS __global__ void passed(float *__restrict__ q, const float *__restrict__ p, const int *__restrict__ m, int n)
{
	f32x16 acc[8] = {};
	int seen = 0;
	for (int k = 0; k < n; k++) {
		seen += m[k];
		if (m[k] == 0) continue;
		step(acc, p, k + seen);
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[(i * 16 + j) * 256 + lane()] = acc[i][j];
		}
	}
}
BOUNDS __global__ void ends(float *__restrict__ q, const float *__restrict__ p, const int *__restrict__ m, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (m[k] == 0) break;
		step(acc, p, k);
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[(i * 16 + j) * 256 + lane()] = acc[i][j];
		}
	}
}
template <int HOW> BOUNDS __global__ void needs(float *__restrict__ q, const float *__restrict__ p, const int *__restrict__ m, int n)
{
	__shared__ float lds[256];
	f32x16 acc[8] = {};
	int i = 0;
	while (i < n) {
		const int t = HOW == 0 ? m[i] : i;
		i++;
		if (HOW == 1) {
			__builtin_amdgcn_s_barrier();
			lds[lane()] = p[t * 256 + lane()];
			__builtin_amdgcn_s_barrier();
		}
		if (m[t] & 1) {
			step(acc, HOW == 1 ? lds : p, HOW == 1 ? 0 : t);
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[(i * 16 + j) * 256 + lane()] = acc[i][j];
		}
	}
}
template <bool LOOP> __device__ inline void whole(float *__restrict__ q, const float *__restrict__ p, int n)
{
	f32x16 acc[8] = {};
	if (LOOP) {
		for (int k = 0; k + 1 < n; k++) {
			step(acc, p, k);
		}
	}
	step(acc, p, n - 1);
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[(i * 16 + j) * 256 + lane()] = acc[i][j];
		}
	}
}
BOUNDS __global__ void tail(float *__restrict__ q, const float *__restrict__ p, int n)
{
	if (n > 2) {
		whole<true>(q, p, n);
	} else {
		whole<false>(q, p, n);
	}
}
template __global__ void one<0>(float *, const float *, const int *, int, int);
template __global__ void one<1>(float *, const float *, const int *, int, int);
template __global__ void one<2>(float *, const float *, const int *, int, int);
template __global__ void one<3>(float *, const float *, const int *, int, int);
template __global__ void needs<0>(float *, const float *, const int *, int);
template __global__ void needs<1>(float *, const float *, const int *, int);
