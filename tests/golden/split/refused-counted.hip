// Iterations that cannot be counted first: the file stays as it is. tests/exec/mutate.py switches the clause off.
//
// RUN: %unphi rewrite %s --verbose --target gfx942 --strategy split:counted -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}: 3 merges at or over the threshold, 0 rewritten

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct tile {
	f32x16 v[4];
};

__device__ inline void step(tile &t, float x)
{
	for (int i = 0; i < 4; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(x, x + i, t.v[i], 0, 0, 0);
	}
}

// CHECK: {{.*}} VGPRs in changes: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be asked before the iterations: {{.*}}
__global__ void changes(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int left = 4;
	for (int k = 0; k < n; k++) {
		if (left == q[k]) {
			break;
		}
		step(acc, k);
		left--;
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in returns: {{.*}}
// CHECK-NEXT:  split: not legal (clause 4): an iteration may be left by something else, or waits for others
__global__ void returns(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	for (int k = 0; k < n * 100; k++) {
		if (q[k] == 0) {
			break;
		}
		step(acc, k);
		p[1] = k;
		if (q[k] + k > 7) {
			return;
		}
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in steps_more: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): the loop's header changes variables that are not its own
__global__ void steps_more(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int sum = 0;
	for (int k = 0; k < n; k++, sum += 2) {
		if (q[k] == 0) {
			break;
		}
		step(acc, sum);
	}
	p[0] = acc.v[n & 3].x + sum;
}
