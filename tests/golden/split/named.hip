// Macros that use a name: the text of the code that they stand in does not show it.
//
// RUN: for s in "two loops" "in runs" search; do \
// RUN:   %unphi rewrite %s --target gfx942 --strategy "split:$s" --verbose -o "%t.$s.hip" -- -nogpuinc -std=c++17; \
// RUN:   %verify %s "%t.$s.hip" -- -nogpuinc -std=c++17 | grep -x '  7 of 7 cases equal' || exit 1; \
// RUN: done > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %FileCheck %s --check-prefix LOOPS < "%t.two loops.hip"
//
// CHECK: 7 merges at or over the threshold, 3 rewritten
// CHECK: chained VGPRs in pragma: kept as it is: a preprocessor directive stands in the loop: EXACT
// CHECK: 7 of 7 cases equal
// CHECK: 7 merges at or over the threshold, 4 rewritten
// CHECK: 7 of 7 cases equal
// CHECK: chained VGPRs in header: kept as it is: a variable is declared in its header
// CHECK: 7 of 7 cases equal

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));

struct tile {
	f32x4 v[8];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 8; i++) t.v[i] += x;
}

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 8; i++) t.v[i] = x - t.v[i];
}

__device__ inline void step(tile &t, float x)
{
	for (int i = 0; i < 8; i++) t.v[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, i, t.v[i], 0, 0, 0);
}

#define LAST k
#define ROW (at + 1)
#define NEXT_ROW(by) (ROW * (by))
#define REST (z * 2)
#define EXACT _Pragma("clang fp contract(off)")
#define UNROLL _Pragma("unroll")

// The macro names the outer k.
// LOOPS-LABEL: void outer(
// LOOPS: // A loop for each arm
// LOOPS-NEXT: {
// LOOPS-NEXT: int k = 0;
// LOOPS: LAST;
__global__ void outer(float *p, const int *r, int n)
{
	tile acc = {};
	int k = 7;
	{
		for (int k = 0; k < n; k++) {
			if (k < 5) {
				add(acc, k);
			} else {
				turn(acc, k);
			}
		}
		acc.v[0] += LAST;
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y;
}

struct walk {
	int k;
	tile acc;

	// ... and a member.
	__device__ void go(int n)
	{
		for (int k = 0; k < n; k++) {
			if (k < 5) {
				add(acc, k);
			} else {
				turn(acc, k);
			}
		}
		acc.v[0] += LAST;
	}
};

__global__ void member(float *p, const int *r, int n)
{
	walk w = {7, {}};
	w.go(n);
	p[__builtin_amdgcn_workitem_id_x()] = w.acc.v[0].x + w.acc.v[1].y;
}

// The second loop needs its variable, the first does not.
// LOOPS-LABEL: void needed(
// LOOPS: for (; k < n && (k + 2) < 6; k++) {
// LOOPS-NEXT: add(
// LOOPS: for (; k < n; k++) {
// LOOPS-NEXT: const int at = k + 2;
__global__ void needed(float *p, const int *r, int n)
{
	tile acc = {};
	int at = 50;
	for (int k = 0; k < n; k++) {
		const int at = k + 2;
		if (at < 6) {
			add(acc, k);
		} else {
			turn(acc, NEXT_ROW(k));
		}
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y + at;
}

__global__ void changing(float *p, const int *r, int n)
{
	tile acc = {};
	int at = 50;
	for (int k = 0; k < n; k++) {
		const int at = r[k];
		if (at < 2) {
			add(acc, k);
		} else {
			turn(acc, ROW);
		}
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y + at;
}

// After the if, the macro names the outer z.
__global__ void header(float *p, const int *r, int n)
{
	tile acc = {};
	int z = 50, rest = 0;
	for (int k = 0; k < n; k++) {
		rest += k;
		if (int z = r[k]; z > 1) {
			step(acc, z);
		}
		rest += REST;
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y + rest;
}

// The arm needs its variable by a macro.
__global__ void passed(float *p, const int *r, int n)
{
	tile acc = {};
	int at = 50, i = 0;
	while (i < n) {
		const int at = r[i++];
		if (r[i] != 2) {
			step(acc, ROW);
		}
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y + at;
}

// The pragma is only allowed at the start of a block.
__global__ void pragma(float *p, const int *r, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		acc.v[0] += 1;
		if (k < 5) {
			EXACT
			UNROLL
			for (int i = 0; i < 8; i++) acc.v[i] += k;
		} else {
			turn(acc, k);
		}
	}
	p[__builtin_amdgcn_workitem_id_x()] = acc.v[0].x + acc.v[1].y;
}
