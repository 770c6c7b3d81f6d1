// Iterations that are not looked for: the file stays as it is. tests/exec/mutate.py switches the clause off.
//
// RUN: %unphi rewrite %s --verbose --target gfx942 --strategy split:search -o %t.hip -- -nogpuinc -std=c++17 > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}: 7 merges at or over the threshold, 0 rewritten

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
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

// CHECK: {{.*}} VGPRs in both: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): it has two arms that compute
// MUTATE structural: there is no arm to look for
__global__ void both(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {}, more = {};
	for (int k = 0; k < n; k++) {
		if (q[k] != 0) {
			step(acc, k);
		} else {
			step(more, k);
		}
	}
	p[0] = acc.v[n & 3].x + more.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in goes_on: {{.*}}
// CHECK-NEXT:  split: not legal (clause 4): an iteration is left by continue
__global__ void goes_on(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int steps = 0;
	for (int k = 0; k < n; k++) {
		if (q[k] != 0) {
			step(acc, k);
			if (++steps == 2) {
				continue;
			}
		}
		p[64] += 1;
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in changes: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: {{.*}}
__global__ void changes(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int on = 0;
	for (int k = 0; k < n; k++) {
		on ^= q[k];
		int at = k;
		int *by = &at;
		if (on != 0) {
			step(acc, *by);
		}
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in waits: {{.*}}
// CHECK-NEXT:  split: not legal (clause 8): the loop holds a barrier, and one arm computes: waves that pass other iterations by would reach it elsewhere ({{.*}})
// MUTATE equal: the CPU's waves meet at barriers wherever these stand
__global__ void waits(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	for (int k = 0; k < n; k++) {
		__builtin_amdgcn_s_barrier();
		if ((int)(k + __builtin_amdgcn_workitem_id_x() / 64) != n) {
			step(acc, k);
		}
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in rebinds: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): the condition reads 'x', which is made inside the loop
__global__ void rebinds(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int at = 0;
	for (int k = 0; k < n; k++) {
		at += q[k];
		const int &x = q[at];
		at ^= 1;
		if (x != 0) {
			step(acc, x + at);
		}
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in unset: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: {{.*}}
__global__ void unset(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int sum = 0;
	for (int k = 0; k < n; k++) {
		int at;
		if (q[k] > 1) {
			at = q[k];
		}
		sum += q[k];
		if (sum & 1) {
			step(acc, q[k] > 1 ? at : k);
		}
	}
	p[0] = acc.v[n & 3].x;
}

// CHECK: {{.*}} VGPRs in header: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): a variable is declared in its header
__global__ void header(float *p, const int *q, int n)
{
	p += __builtin_amdgcn_workitem_id_x() * 80;
	tile acc = {};
	int at = n;
	for (int k = 0; k < n; k++) {
		if (int at = q[k]; at & 1) {
			step(acc, at);
		}
		p[64] += at;
	}
	p[0] = acc.v[n & 3].x;
}
