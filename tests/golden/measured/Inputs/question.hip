// An accumulator that a ?: gives one of two values: element by element, and as a whole. What chooses:
// nothing (0), what all lanes share (1), what each wave has of its own (2).
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define LANE (int)__builtin_amdgcn_workitem_id_x()
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct tile {
	f32x16 v[8];
};

__device__ inline tile step(tile t, float a, float b)
{
	for (int i = 0; i < 8; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(a + i, b, t.v[i], 0, 0, 0);
	}
	return t;
}

__device__ inline f32x4 mma(float a, float b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}

// Nobody calls it: there is no figure by which to choose.
__device__ void unused(f32x4 *acc, float a, float x, float y, int c)
{
	for (int i = 0; i < 32; i++) {
		if (c) {
			acc[i] = mma(a + i, x, acc[i]);
			acc[i] = mma(a + i, y, acc[i]);
		} else {
			acc[i] = mma(a + i, y, acc[i]);
		}
	}
}
__device__ float also_unused(float a, float x, float y, int c)
{
	f32x4 acc[32] = {};
	if (c) {
		unused(acc, a, x, y, 1);
	} else {
		unused(acc, a, y, x, 2);
	}
	return acc[c & 31].x;
}

template <int Kind> BOUNDS __global__ void elements(const float *__restrict__ p, float *q, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++) {
		const float a = p[k], x = p[k + 100], y = p[k + 200];
		const bool first = Kind == 2 ? k + c < LANE / 64 : k < c;
		for (int i = 0; i < 32; i++) {
			if constexpr (Kind == 0) {
				acc[i] = mma(a + i, x, acc[i]);
			} else {
				acc[i] = first ? mma(a + i, x, acc[i]) : mma(a + i, y, acc[i]);
			}
		}
	}
	for (int i = 0; i < 32; i++) {
		*(f32x4 *)(q + i * 4) = acc[i];
	}
}
template __global__ void elements<0>(const float *, float *, int, int);
template __global__ void elements<1>(const float *, float *, int, int);
template __global__ void elements<2>(const float *, float *, int, int);

template <int Kind> BOUNDS __global__ void whole(const float *__restrict__ p, float *q, int n, int c)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		const float a = p[k], x = p[k + 100], y = p[k + 200];
		const bool first = Kind == 2 ? k + c < LANE / 64 : k < c;
		if constexpr (Kind == 0) {
			acc = step(acc, a, x);
		} else {
			acc = first ? step(acc, a, x) : step(acc, a, y);
		}
	}
	for (int i = 0; i < 8; i++) {
		*(f32x16 *)(q + i * 16) = acc.v[i];
	}
}
template __global__ void whole<0>(const float *, float *, int, int);
template __global__ void whole<1>(const float *, float *, int, int);
template __global__ void whole<2>(const float *, float *, int, int);
