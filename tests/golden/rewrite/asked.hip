// What no part of a wave may come to asks for all of it: an arm that surely comes to a matrix operation
// or a barrier is taken by all lanes or by none, though no analysis of this number of a wave says so.
// Rewrites that need that say what they build on, and verify runs them with waves in both arms.
//
// RUN: for s in hoist:plain fuse:plain fuse:laundered launder:uniform 'launder:uniform, if/else kept' predicate:plain; do \
// RUN:   %unphi rewrite %s --verbose --target gfx90a --strategy "$s" -o %t.hip -- -nogpuinc -I %S/Inputs > %t.txt || exit 1; \
// RUN:   %FileCheck %s --check-prefixes "$(tr -cd a-zA-Z <<< "$s")" < %t.txt || exit 1; \
// RUN:   %verify %s %t.hip --no-races --spec %S/Inputs/asked.verify.yaml > %t.said; \
// RUN:   grep -x '  13 of 13 cases equal' %t.said || exit 1; done
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy launder --format json -o %t.hip -- -nogpuinc -I %S/Inputs > %t.json
// RUN: grep -F '"assumes": "what the matrix operation in line 31 asks for: all lanes of a wave reach it, or none"' %t.json
//
// Where lanes part after all, the kernel was wrong before, and verify says so.
// RUN: %exits 3 %verify %s %t.hip --no-races --spec %S/Inputs/asked-parted.verify.yaml > %t.said
// RUN: %FileCheck %s --check-prefix PARTED < %t.said
// PARTED: unknown both/parted: the original does not run:
// PARTED-NEXT: {{.*}}asked.hip:31: error: mfma_f32_16x16x4f32 is reached by 32 of 64 lanes of wave 0 in block (0,0,0): 0-31
// PARTED: unknown waits/parted: the original does not run:
// PARTED-NEXT: {{.*}}asked.hip:{{[0-9]+}}: error: __syncthreads is not reached by all lanes at one place in block (0,0,0)

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

struct tile {
	f32x4 v[16];
};

__device__ inline void multiply(tile &t, float x)
{
	t.v[0] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, x, t.v[0], 0, 0, 0);
}

// Of the lowest lane of those that are here.
__device__ inline void add(tile &t, float x)
{
	const float by = __builtin_amdgcn_readfirstlane(threadIdx.x) + x;
	for (int i = 0; i < 16; i++) {
		t.v[i] += by;
	}
}

#define PART(by) ((int)(threadIdx.x | (by - 1)) / by)

// hoistplain: VGPRs in both
// hoistplain-NEXT: hoist (plain): kept
// hoistplain-NEXT: assumes what the matrix operation in line 31 asks for: all lanes of a wave reach it, or none
// fuseplain: VGPRs in both
// fuseplain-NEXT: fuse (plain): kept
// fuseplain-NEXT: assumes what the matrix operation in line 31 asks for
// fuselaundered: VGPRs in both
// fuselaundered-NEXT: fuse (laundered): kept
// fuselaundered-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniform: VGPRs in both
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniformifelsekept: VGPRs in both
// launderuniformifelsekept-NEXT: launder (uniform, if/else kept): kept
// launderuniformifelsekept-NEXT: assumes what the matrix operation in line 31 asks for
__global__ void both(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < c) {
		multiply(acc, p[threadIdx.x]);
		add(acc, 1);
	} else {
		multiply(acc, p[threadIdx.x + 7]);
		add(acc, 1);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// The other arm's lanes are all that are left: they are no part of those that multiply.
// hoistplain: VGPRs in one
// fuseplain: VGPRs in one
// fuselaundered: VGPRs in one
// launderuniform: VGPRs in one
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniformifelsekept: VGPRs in one
// launderuniformifelsekept-NEXT: launder (uniform, if/else kept): kept
__global__ void one(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < c) {
		add(acc, 1);
	} else {
		for (int i = 0; i < 2; i++) {
			multiply(acc, p[threadIdx.x + 7]);
		}
	}
	p[threadIdx.x] = acc.v[c].x;
}

// Turns that differ per lane in front of it do not part the wave for good.
// hoistplain: VGPRs in turns
// hoistplain-NEXT: hoist (plain): kept
// hoistplain-NEXT: assumes what the matrix operation in line 31 asks for
// fuseplain: VGPRs in turns
// fuseplain-NEXT: fuse (plain): kept
// fuseplain-NEXT: assumes what the matrix operation in line 31 asks for
// fuselaundered: VGPRs in turns
// launderuniform: VGPRs in turns
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniformifelsekept: VGPRs in turns
__global__ void turns(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < c) {
		float x = 0;
		for (int i = 0; i < (int)threadIdx.x; i++) {
			x += p[i];
		}
		multiply(acc, x);
		add(acc, 1);
	} else {
		const float x = p[threadIdx.x];
		multiply(acc, x);
		add(acc, 1);
	}
	p[threadIdx.x + 128] = acc.v[c].x;
}

// All but one of a chain's.
// hoistplain: VGPRs in chain
// fuseplain: VGPRs in chain
// fuselaundered: VGPRs in chain
// launderuniform: VGPRs in chain
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniformifelsekept: VGPRs in chain
// launderuniformifelsekept-NEXT: launder (uniform, if/else kept): kept
__global__ void chain(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < c) {
		multiply(acc, p[threadIdx.x]);
	} else if (PART(by) == c) {
		add(acc, 1);
	} else {
		add(acc, 2);
		multiply(acc, p[threadIdx.x]);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// Or of a switch's, where the default is one.
// hoistplain: VGPRs in cases
// fuseplain: VGPRs in cases
// fuselaundered: VGPRs in cases
// launderuniform: VGPRs in cases
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the matrix operation in line 31 asks for
// launderuniformifelsekept: VGPRs in cases
__global__ void cases(float *p, int by, int c)
{
	tile acc = {};
	switch (PART(by)) {
	case 0:
	case 4:
		multiply(acc, p[threadIdx.x]);
		add(acc, c);
		break;
	default:
		add(acc, 2);
		break;
	}
	p[threadIdx.x] = acc.v[c].x;
}

// Both sides ask for all lanes: so they come to the if. The compiler sees a branch per lane around it,
// so that only a measurement tells.
// hoistplain: VGPRs in inside
// hoistplain-NEXT: hoist: not legal (clause 92): {{.*}} only a measurement shows
// fuseplain: VGPRs in inside
// fuseplain-NEXT: fuse: not legal (clause 92): {{.*}} only a measurement shows
// fuselaundered: VGPRs in inside
// fuselaundered-NEXT: fuse: not legal (clause 92): {{.*}} only a measurement shows
// launderuniform: VGPRs in inside
// launderuniform-NEXT: launder: not legal (clause 92): {{.*}} only a measurement shows
// launderuniformifelsekept: VGPRs in inside
// launderuniformifelsekept-NEXT: launder: not legal (clause 92): {{.*}} only a measurement shows
__global__ void inside(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < 2) {
		if (PART(by) < c) {
			multiply(acc, p[threadIdx.x]);
			add(acc, 1);
		} else {
			multiply(acc, p[threadIdx.x + 7]);
			add(acc, 1);
		}
	}
	p[threadIdx.x] = acc.v[c].x;
}

// hoistplain: VGPRs in waits
// hoistplain-NEXT: hoist (plain): kept
// hoistplain-NEXT: assumes what the barrier in line 216 asks for: all lanes of a wave reach it, or none
// fuseplain: VGPRs in waits
// fuseplain-NEXT: fuse (plain): kept
// fuselaundered: VGPRs in waits
// launderuniform: VGPRs in waits
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes what the barrier in line 216 asks for
// launderuniformifelsekept: VGPRs in waits
__global__ void waits(float *p, int by, int c)
{
	__shared__ float s[256];
	tile acc = {};
	s[threadIdx.x] = p[threadIdx.x];
	if (PART(by) < c) {
		s[threadIdx.x] = 2;
		__syncthreads();
		add(acc, s[threadIdx.x ^ 1]);
	} else {
		s[threadIdx.x] = 3;
		__syncthreads();
		add(acc, s[threadIdx.x ^ 1]);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// predicateplain: VGPRs in guarded
// predicateplain-NEXT: predicate (plain): kept
// predicateplain-NEXT: assumes what the matrix operation in line 31 asks for
__global__ void guarded(float *p, int by, int c)
{
	tile acc = {};
	if (PART(by) < c) {
		const float x = p[threadIdx.x];
		multiply(acc, x);
		add(acc, x);
	} else {
		float x = 0;
		if (threadIdx.x & 1) {
			x = p[threadIdx.x];
		}
		multiply(acc, x);
		add(acc, x);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// Nothing is asked for here, but the lanes of a wave stand side by side: where blocks have rows the
// number is no wave's, and where nothing is launched that is taken for granted.
// hoistplain: VGPRs in numbered
// hoistplain-NEXT: hoist (plain): kept
// hoistplain-NEXT: assumes blocks of one dimension, as nothing asks for another
// fuseplain: VGPRs in numbered
// fuselaundered: VGPRs in numbered
// launderuniform: VGPRs in numbered
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NEXT: assumes blocks of one dimension, as nothing asks for another
// launderuniformifelsekept: VGPRs in numbered
__global__ void numbered(float *p, int c)
{
	tile acc = {};
	const int tid = threadIdx.x;
	const int wave = tid / 64;
	if (wave < c) {
		p[tid + 256] = 1;
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[tid] = acc.v[c].x;
}

// hoistplain: VGPRs in launched
// hoistplain-NEXT: hoist (plain): kept
// hoistplain-NOT: assumes
// fuseplain: VGPRs in launched
// fuselaundered: VGPRs in launched
// launderuniform: VGPRs in launched
// launderuniform-NEXT: launder (uniform): kept
// launderuniform-NOT: assumes
// launderuniformifelsekept: VGPRs in launched
__global__ void launched(float *p, int c)
{
	tile acc = {};
	if (threadIdx.x >= 128 && (threadIdx.x >> 6) != c) {
		p[threadIdx.x + 256] = 1;
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// A condition that is made of the lane's own number, or of what the lane got by a matrix operation, parts
// the lanes: the kernel does not keep to what the operation asks for, and nothing follows from it.
__device__ inline void plain(tile &t)
{
	for (int i = 0; i < 16; i++) {
		t.v[i] += 1;
	}
}
// hoistplain: VGPRs in own
// hoistplain-NEXT: hoist: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// fuseplain: VGPRs in own
// fuseplain-NEXT: fuse: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// launderuniform: VGPRs in own
// launderuniform-NEXT: launder: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
__global__ void own(float *p, int by, int c)
{
	tile acc = {};
	const int lane = threadIdx.x & 63;
	for (int i = 0; i < by; i++) {
		const bool last = i * 8 < lane - c * 8;
		if (last) {
			multiply(acc, p[threadIdx.x]);
			plain(acc);
		} else {
			multiply(acc, p[threadIdx.x + 7]);
			plain(acc);
		}
	}
	p[threadIdx.x] = acc.v[c].x;
}

// So does what lanes load by their numbers, but not what a wave loads by its own.
// hoistplain: VGPRs in loaded
// hoistplain-NEXT: hoist: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// fuseplain: VGPRs in loaded
// fuseplain-NEXT: fuse: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// launderuniform: VGPRs in loaded
// launderuniform-NEXT: launder: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
__global__ void loaded(float *p, const int *at, int c)
{
	tile acc = {};
	const int limit = at[(threadIdx.x + c) & 255];
	if (limit < c) {
		multiply(acc, p[threadIdx.x]);
		plain(acc);
	} else {
		multiply(acc, p[threadIdx.x + 7]);
		plain(acc);
	}
	p[threadIdx.x] = acc.v[c].x;
}

// hoistplain: VGPRs in result
// hoistplain-NEXT: hoist: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// fuseplain: VGPRs in result
// fuseplain-NEXT: fuse: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
// launderuniform: VGPRs in result
// launderuniform-NEXT: launder: not legal (clause {{[0-9]+}}): {{.*}}the condition is not proved uniform
__global__ void result(float *p, int by, int c)
{
	tile acc = {};
	for (int i = 0; i < by; i++) {
		if (acc.v[0].x < 3.f) {
			multiply(acc, p[threadIdx.x]);
			plain(acc);
		} else {
			multiply(acc, p[threadIdx.x + 7]);
			plain(acc);
		}
	}
	p[threadIdx.x] = acc.v[c].x;
}

// A row of the block is mostly whole waves, and a half of so many threads is, too.
// hoistplain: VGPRs in row
// hoistplain-NEXT: hoist (plain): kept
// fuseplain: VGPRs in row
// fuseplain-NEXT: fuse (plain): kept
// launderuniform: VGPRs in row
// launderuniform-NEXT: launder (uniform): kept
__global__ void row(float *p, const int *at, int c)
{
	tile acc = {};
	const int wave = threadIdx.y;
	if (at[wave * 4 + 1] < c || (threadIdx.x & 255) < 128) {
		multiply(acc, p[threadIdx.x]);
		plain(acc);
	} else {
		multiply(acc, p[threadIdx.x + 7]);
		plain(acc);
	}
	p[wave * 64 + threadIdx.x] = acc.v[c].x;
}

#ifndef UNPHI_INLINE
void launch(float *p, int c)
{
	launched<<<1, 192>>>(p, c);
}
#endif
