// A matrix operation that only some lanes of a wave reach ignores EXEC on CDNA: it depends on the registers and
// branches that the compiler chooses, so every rewrite is refused. lint has unphi-divergent-matrix for it.
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy sequentialize --threshold 1 -o %t.hip -- -nogpuinc | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=OUT --input-file=%t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim { unsigned x, y, z; };
extern const __device__ dim threadIdx, blockIdx;
typedef float f32x4 __attribute__((ext_vector_type(4)));

// CHECK: per-lane.hip:[[#@LINE+10]]:2: {{.*}} in lane: kept as it is:
// CHECK-NEXT: sequentialize: not legal (clause 95): 'threadIdx.x < n' in line [[#@LINE+9]] differs per lane, so only some lanes of a wave reach a matrix operation in line [[#@LINE+10]]: its result is undefined
// CHECK: per-lane.hip:[[#@LINE+20]]:2: {{.*}} in uniform
// CHECK-NEXT: sequentialize (selector): kept
// CHECK: per-lane.hip:[[#@LINE+30]]:2: {{.*}} in no_matrix
// CHECK-NEXT: sequentialize (selector): kept

__global__ void lane(f32x4 *o, int n)
{
	f32x4 a = o[0];
	if (threadIdx.x < n) {
		a = __builtin_amdgcn_mfma_f32_4x4x1f32(1.f, 2.f, a, 0, 0, 0);
	} else {
		a = __builtin_amdgcn_mfma_f32_4x4x1f32(2.f, 1.f, a, 0, 0, 0);
	}
	o[0] = a;
}
// OUT: if (threadIdx.x < n) {

__global__ void uniform(f32x4 *o, int n)
{
	f32x4 a = o[0];
	if (blockIdx.x < n) {
		a = __builtin_amdgcn_mfma_f32_4x4x1f32(1.f, 2.f, a, 0, 0, 0);
	} else {
		a = __builtin_amdgcn_mfma_f32_4x4x1f32(2.f, 1.f, a, 0, 0, 0);
	}
	o[0] = a;
}
// OUT: const bool taken = blockIdx.x < n;

__global__ void no_matrix(f32x4 *o, int n)
{
	f32x4 a = o[0];
	if (threadIdx.x < n) {
		a += 1.f;
	} else {
		a *= 2.f;
	}
	o[0] = a;
}
// OUT: const bool taken = threadIdx.x < n;
