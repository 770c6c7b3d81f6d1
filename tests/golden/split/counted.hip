// A loop that a break ends: its iterations are counted first.
//
// RUN: %unphi rewrite %s --target gfx942 --strategy split:counted --quiet -o %t.hip -- -nogpuinc -std=c++17
// RUN: %verify %s %t.hip -- -nogpuinc -std=c++17 | grep -x '  14 of 14 cases equal'
// RUN: grep -v '// CHECK' %t.hip | %FileCheck %s
// RUN: %unphi rewrite %t.hip --target gfx942 --strategy split:counted --diff -- -nogpuinc -std=c++17 | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(64, 64)))
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct tile {
	f32x16 v[8];
};

__device__ inline void step(tile &t, const float *p, int k)
{
	for (int i = 0; i < 8; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k & 63], p[(k + i) & 63], t.v[i], 0, 0, 0);
	}
}

__device__ inline void store(float *out, const tile &t)
{
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[i * 16 + j] += t.v[i][j];
		}
	}
}

// CHECK-LABEL: void plain(
// CHECK: {{^	}}// Counts the steps first: no accumulator crosses a merge (unphi explain split)
// CHECK-NEXT: {{^	}}// none is left
// CHECK-NEXT: {{^	}}unsigned steps = 0;
// CHECK-NEXT: {{^	}}for (int k = 0; k < n && live[k]; ++k) {
// CHECK-NEXT: {{^		}}++steps;
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: #pragma unroll 2
// CHECK-NEXT: {{^	}}for (int k = 0; steps > 0; ++k, --steps) {
// CHECK-NEXT: {{^		}}step(acc, in, k);
// CHECK-NEXT: {{^		}}out[4] += k; // rest
// CHECK-NEXT: {{^	}}}
BOUNDS __global__ void plain(float *__restrict__ out, const float *__restrict__ in, const int *__restrict__ live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
#pragma unroll 2
	for (int k = 0; k < n; ++k) {
		if (!live[k]) break; // none is left
		step(acc, in, k);
		out[4] += k; // rest
	}
	store(out, acc);
}

// CHECK-LABEL: void forms(
// CHECK: for (unsigned k = 1u, e = n; k < e && live[k] < 3; k += 2, --e) {
// CHECK: for (unsigned k = 1u, e = n; steps2 > 0; k += 2, --e, --steps2) {
// CHECK: {{^	}}if (n > 3)
// CHECK: unsigned steps3 = 0;
BOUNDS __global__ void forms(float *__restrict__ out, const float *__restrict__ in, const int *__restrict__ live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int steps = 7;
	for (unsigned k = 1u, e = n; k < e; k += 2, --e) {
		if (live[k] < 3) {
			int at = k;
			for (int i = 0; i < 3; i++) {
				if (in[i] > 2) break;
				at += i;
			}
			step(acc, in, at);
		} else {
			break;
		}
	}
	if (n > 3)
		for (int k = n - 1; k >= 0; --k) {
			if (live[k] == 0 || k == steps) {
				break;
			} else {
				step(acc, in, k);
			}
		}
	out[0] = steps;
	store(out, acc);
}

// What an iteration does says how many there are; another exit; more than a number to count by.
// CHECK-LABEL: void others(
// CHECK-NOT: steps
BOUNDS __global__ void others(float *out, const float *in, int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	__shared__ int seen[64];
	const volatile int *on = live;
	for (int k = 0; k < n; ++k) {
		if (live[k] == 2) break;
		step(acc, in, k);
		live[k + 1] = 2;
	}
	for (int k = 0; k < n; ++k) {
		if (live[k] == 0) break;
		step(acc, in, k);
		k += live[k] & 1;
	}
	for (int k = 0; k < n; ++k) {
		if (on[k] == 0) break;
		step(acc, in, k);
	}
	for (int k = 0, e = 0; k < n; ++k, out += 1) {
		if (live[k] == 0) break;
		step(acc, in, k + e);
	}
	out -= 0;
	for (int k = 0; k < n; ++k) {
		if (live[k] == 0) break;
		step(acc, in, k);
		if (in[k] > 0.9f) return;
	}
	for (int k = 0; k < n; ++k) {
		const int at = live[k];
		if (at == 0) break;
		step(acc, in, at);
	}
	for (int k = 0; k < n; ++k) {
		if (live[k] == 0) break;
		__builtin_amdgcn_s_barrier();
		seen[__builtin_amdgcn_workitem_id_x()] = k;
		__builtin_amdgcn_s_barrier();
		step(acc, in, seen[k & 63]);
	}
	for (int k = 0; live[k] < n; ++k) {
		if (live[k]++ == 9) break;
		step(acc, in, k);
	}
	store(out, acc);
}
