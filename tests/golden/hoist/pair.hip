// RUN: %S/../sequentialize/Inputs/form %unphi hoist:split %s %t.hip any
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split --prefix my_ --no-comments --quiet -o %t.my.hip -- -nogpuinc
// RUN: %FileCheck %s --check-prefix MY --implicit-check-not='unphi explain' < %t.my.hip
// RUN: %exits 2 %unphi rewrite %s --target gfx90a --prefix __my -- -nogpuinc 2>&1 | grep "names that begin with '__my' are reserved or invalid in C++"
// RUN: sed 's/grow_tile/g4_tile/g' %s > %t.g4.hip && echo '#define G(n) g##n' > %t.g.h && echo '#define G(n) g4_tile_state##n' > %t.h.h
// RUN: %unphi rewrite %t.g4.hip --target gfx90a --strategy hoist:split --quiet -o %t.free.hip -- -nogpuinc -include %t.g.h
// RUN: grep '^struct g4_tile_state {' %t.free.hip
// RUN: %unphi rewrite %t.g4.hip --target gfx90a --strategy hoist:split --quiet -o %t.ours.hip -- -nogpuinc -include %t.h.h
// RUN: grep '^struct unphi_g4_tile_state100 {' %t.ours.hip
//
// One pair of parts serves all merges that call a function, and the function goes where nothing can call it.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

// First is handed over for the second merge, and so for the first one.
// CHECK-NOT: void grow_tile(
// CHECK: struct grow_tile_state {
// CHECK-NEXT: float by;
// CHECK-NEXT: bool First;
// CHECK-NEXT: };
// CHECK: grow_tile_state grow_tile_narrow(
// CHECK: void grow_tile_wide(
// CHECK-NOT: grow_tile_narrow2
// MY: struct my_grow_tile_state {
// MY: my_grow_tile_state my_grow_tile_narrow(
// MY: void my_grow_tile_wide(const my_grow_tile_state &my_state,
template <bool First, int Scale> __device__ void grow_tile(tile &acc, float x)
{
	const float by = x - Scale;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = First ? by + i : acc.v[i] / (by + i);
	}
}

// CHECK: // Split at the merge: no accumulator crosses it (unphi explain hoist)
// CHECK-NEXT: grow_tile_state tile_state;
// CHECK: grow_tile_wide(tile_state, acc);
// CHECK: grow_tile_state tile_state;
// CHECK: grow_tile_wide(tile_state, acc);
__global__ void twice(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		grow_tile<false, 2>(acc, n + 1);
	} else {
		grow_tile<false, 3>(acc, n + 2);
	}
	store(p, acc);
}

__global__ void first(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		grow_tile<false, 2>(acc, n + 1);
	} else {
		grow_tile<true, 3>(acc, n + 2);
	}
	store(p, acc);
}

// Another unit may call it.
// CHECK: void external(tile &acc, float x)
__device__ void external(tile &acc, float x)
{
	const float by = x - 2;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] / (by + i);
	}
}

// It is called elsewhere.
// CHECK: void halve(tile &acc, float x)
static __device__ void halve(tile &acc, float x)
{
	const float by = x - 3;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] / (by + i);
	}
}

// A macro names it, though nothing uses that.
// CHECK: void named(tile &acc, float x)
static __device__ void named(tile &acc, float x)
{
	const float by = x - 4;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] / (by + i);
	}
}
#define NAMED(t, x) named(t, x)

// A macro may make its name of two words.
// CHECK: void put_together(tile &acc, float x)
static __device__ void put_together(tile &acc, float x)
{
	const float by = x - 5;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] / (by + i);
	}
}
#define PUT(word) put_##word
struct together {};

// Text of another target calls it.
// CHECK: void elsewhere(tile &acc, float x)
static __device__ void elsewhere(tile &acc, float x)
{
	const float by = x - 6;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] / (by + i);
	}
}
#ifdef OTHER_TARGET
__device__ void other(tile &acc)
{
	elsewhere(acc, 1);
}
#endif

__global__ void stay(float *p, int n, int c, int d)
{
	tile acc = {};
	halve(acc, 1);
	if (c > d) {
		external(acc, n + 1);
	} else {
		external(acc, n + 2);
	}
	if (c > n) {
		halve(acc, n + 1);
	} else {
		halve(acc, n + 2);
	}
	if (c > 2) {
		named(acc, n + 1);
	} else {
		named(acc, n + 2);
	}
	if (c > 3) {
		put_together(acc, n + 1);
	} else {
		put_together(acc, n + 2);
	}
	if (c > 4) {
		elsewhere(acc, n + 1);
	} else {
		elsewhere(acc, n + 2);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {twice, first, stay};
#endif
