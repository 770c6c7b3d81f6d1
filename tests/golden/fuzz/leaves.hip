// An arm leaves under a condition per lane. A matrix operation behind the merge ignores the lane
// mask: laundered, the lanes that left would get its result too.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy launder -o %t.hip -- -nogpuinc >%t.txt
// RUN: %FileCheck %s <%t.txt
//
// CHECK: 2 merges at or over the threshold, 1 rewritten
// CHECK: in leaves: kept as it is
// CHECK: (clause 7): an arm may leave, and the rest of the function holds a matrix operation
// CHECK: in stays
// CHECK: launder (per lane): kept: forced, not measured

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct dim {
	unsigned x, y, z;
};
extern const __device__ dim threadIdx;
typedef float f4 __attribute__((ext_vector_type(4)));

__device__ inline void add(f4 (&acc)[16], float x)
{
	for (int i = 0; i < 16; i++) {
		acc[i] += x;
	}
}

__device__ inline void store(f4 *out, const f4 (&acc)[16])
{
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}

__global__ void leaves(f4 *out, const float *in, int n)
{
	f4 acc[16] = {};
	for (int t = 0; t < n; ++t) {
		if (in[threadIdx.x] > t) {
			add(acc, 2.0f);
			if (t == 3) {
				continue;
			}
		} else {
			add(acc, in[t]);
		}
		for (int i = 0; i < 16; i++) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(1.0f, 2.0f, acc[i], 0, 0, 0);
		}
	}
	store(out, acc);
}

__global__ void stays(f4 *out, const float *in, int n)
{
	f4 acc[16] = {};
	for (int t = 0; t < n; ++t) {
		if (in[threadIdx.x] > t) {
			add(acc, 2.0f);
		} else {
			add(acc, in[t]);
		}
		for (int i = 0; i < 16; i++) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(1.0f, 2.0f, acc[i], 0, 0, 0);
		}
	}
	store(out, acc);
}
