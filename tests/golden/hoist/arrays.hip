// Arrays of the narrow part that the wide one reads stand in the state, however they are declared: together with
// others, with zeros (assigned then), aligned. Of one with other values the state has a copy.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: %FileCheck %s < %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

// CHECK: struct step_state {
// CHECK-NEXT: alignas(16) float a[4];
// CHECK-NEXT: alignas(16) float b[2][2];
// CHECK-NEXT: float c[2];
// CHECK-NEXT: int d[2];
// CHECK-NEXT: };
// CHECK: void step_narrow(
// CHECK: {{^	}}alignas(16) float (&a)[4] = state.a, (&b)[2][2] = state.b, sum = 0;
// CHECK-NEXT: {{^	}}for (auto &element : a) { element = {}; }
// CHECK-NEXT: {{^	}}for (auto &row : b) for (auto &element : row) { element = {}; }
// CHECK-NEXT: const float c[] = {p[k], p[k + 1]};
// CHECK-NEXT: int d[2] = {0}, own = d[1] + k;
// CHECK: __builtin_memcpy(state.c, c, sizeof(c));
// CHECK-NEXT: __builtin_memcpy(state.d, d, sizeof(d));
// CHECK-NEXT: }
// CHECK: void step_wide(step_state &state,
// CHECK-NEXT: {
// CHECK-DAG: float (&a)[4] = state.a;
// CHECK-DAG: float (&b)[2][2] = state.b;
// CHECK-DAG: const float (&c)[2] = state.c;
// CHECK-DAG: int (&d)[2] = state.d;
// CHECK: for (int i = 0; i < 64; i++) {
template <bool First> __device__ void step(tile &t, const float *p, int k)
{
	alignas(16) float a[4] = {}, b[2][2]{0.f}, sum = 0;
	const float c[] = {p[k], p[k + 1]};
	int d[2] = {0}, own = d[1] + k;
	for (int i = 0; i < 4; i++) {
		a[i] += First ? p[i + own] : p[i];
		sum += a[i];
		b[i >> 1][i & 1] -= sum;
	}
	d[0] = own;
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / a[i & 3] - b[i & 1][1] - c[i & 1] - d[0];
	}
}

__global__ void split(float *p, int c)
{
	tile acc = {};
	for (int i = 0; i < c; i++) {
		if (c > i + 4) {
			step<true>(acc, p, i);
		} else {
			step<false>(acc, p, i);
		}
	}
	p[threadIdx.x] = acc.v[c];
}

// What a macro names is not in the tree: a template's parameter of it goes to the wide part, or refuses the split.
#define PICKED(i) (Number > 2 ? p[i] : p[i + Number])

// CHECK: {{^}}template <int Number> __device__ void named_wide(
template <bool First, int Number> __device__ void named(tile &t, const float *p)
{
	float scale = First ? 2 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - PICKED(i);
	}
}

__global__ void macro(float *p, int c)
{
	tile acc = {};
	if (c > 4) {
		named<true, 3>(acc, p);
	} else {
		named<false, 3>(acc, p);
	}
	p[threadIdx.x] = acc.v[c];
}

// CHECK: {{^}}__global__ void differs(
// CHECK: named<true, 1>(acc, p);
__global__ void differs(float *p, int c)
{
	tile acc = {};
	if (c > 4) {
		named<true, 1>(acc, p);
	} else {
		named<true, 2>(acc, p);
	}
	p[threadIdx.x] = acc.v[c];
}
