// Each kernel violates one clause. tests/exec/mutate.py switches the clauses off and shows what goes
// wrong then: other bits, or a race between waves.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy drop-sync -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 0 merges at or over the threshold, 0 rewritten
// CHECK-NEXT: {{.*}}refused.hip: 12 barriers checked, 0 dropped
// CHECK-EMPTY:

#include <hip/hip_runtime.h>

// What the third condition of the document on branch distribution lets go: only writes above, only
// reads below.
// CHECK-NEXT: {{.*}} barrier in read_after_write: kept as it is: refused.hip:[[#@LINE+6]] writes s, refused.hip:[[#@LINE+8]] reads it
// CHECK-NEXT:  drop-sync: not legal (clause 1): refused.hip:[[#@LINE+5]] writes s, refused.hip:[[#@LINE+7]] reads it
// CHECK-EMPTY:
__global__ void read_after_write(int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = (int)threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = s[127 - threadIdx.x];
}

// And the fourth: only reads above, only writes below.
// CHECK-NEXT: {{.*}} barrier in write_after_read: kept as it is: {{.*}} reads in, {{.*}} writes out
// CHECK-NEXT:  drop-sync: not legal (clause 2): {{.*}} reads in, {{.*}} writes out
// CHECK-EMPTY:
__global__ void write_after_read(const int *in, int *out)
{
	const int x = in[127 - threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = x;
}

// CHECK-NEXT: {{.*}} barrier in write_after_write: kept as it is: {{.*}} writes out, {{.*}} writes it
// CHECK-NEXT:  drop-sync: not legal (clause 3): {{.*}} writes out, {{.*}} writes it
// CHECK-EMPTY:
__global__ void write_after_write(int *out)
{
	out[threadIdx.x] = 1;
	__syncthreads();
	out[127 - threadIdx.x] = (int)threadIdx.x;
}

// CHECK-NEXT: {{.*}} barrier in lines_up: kept as it is: refused.hip:[[#@LINE+6]] calls __builtin_readcyclecounter, which may read a clock: the barrier lines the waves up for that
// MUTATE structural: what reads a clock counts as code that may touch all memory, too (clocks.hip has one side)
// CHECK-NEXT:  drop-sync: not legal (clause 10): refused.hip:[[#@LINE+4]] calls __builtin_readcyclecounter, which may read a clock: the barrier lines the waves up for that
// CHECK-EMPTY:
__global__ void lines_up(int *out)
{
	const int t = (int)__builtin_readcyclecounter();
	__syncthreads();
	out[threadIdx.x] = (int)__builtin_readcyclecounter() - t;
}

// CHECK-NEXT: {{.*}} barrier in open: kept as it is: not all callers of its function are seen
// CHECK-NEXT:  drop-sync: not legal (clause 4): not all callers of its function are seen
// MUTATE structural: with callers that are not seen, everything is above it and below it
// CHECK-EMPTY:
__device__ int open(const int *from)
{
	__syncthreads();
	return from[127 - threadIdx.x];
}

__global__ void calls_open(const int *in, int *out)
{
	int (*volatile function)(const int *) = open;
	out[threadIdx.x] = function(in);
}

// The lanes that write have left when the others come to it: their write is on no path through it.
// CHECK-NEXT: {{.*}} barrier in lanes_left: kept as it is: 'threadIdx.x < 64' at refused.hip:[[#@LINE+6]] differs per lane: not all lanes reach it
// CHECK-NEXT:  drop-sync: not legal (clause 5): 'threadIdx.x < 64' at refused.hip:[[#@LINE+5]] differs per lane: not all lanes reach it
// CHECK-EMPTY:
__global__ void lanes_left(int *out)
{
	__shared__ int s[64];
	if (threadIdx.x < 64) {
		s[threadIdx.x] = (int)threadIdx.x;
		return;
	}
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x - 64];
}

// CHECK-NEXT: {{.*}} barrier in counts: kept as it is: lanes learn a value from it
// CHECK-NEXT:  drop-sync: not legal (clause 6): lanes learn a value from it
// MUTATE structural: its value is used
// CHECK-EMPTY:
__global__ void counts(int *out)
{
	const int n = __syncthreads_count(threadIdx.x & 1);
	out[threadIdx.x] = n;
}

#define STORE_AND_WAIT(value)                                                                       \
	out[threadIdx.x] = (value);                                                              \
	__syncthreads();

// CHECK-NEXT: {{.*}} barrier in macro: kept as it is: it comes from a macro
// CHECK-NEXT:  drop-sync: not legal (clause 7): it comes from a macro
// CHECK-EMPTY:
__global__ void macro(int *out)
{
	STORE_AND_WAIT((int)threadIdx.x)
}

struct reader {
	const int *from;
	int *to;
	__device__ ~reader() { to[threadIdx.x] = from[127 - threadIdx.x]; }
};

// What reads is a destructor, for which no text stands.
// CHECK-NEXT: {{.*}} barrier in destructor: kept as it is: refused.hip:[[#@LINE+8]] writes s, refused.hip:[[#@LINE-4]] reads LDS
// CHECK-NEXT:  drop-sync: not legal (clause 1): {{.*}}
// MUTATE structural: without that hazard, what the destructor writes is one
// CHECK-EMPTY:
__global__ void destructor(int *out)
{
	__shared__ int s[128];
	reader r = {s, out};
	s[threadIdx.x] = (int)threadIdx.x;
	__syncthreads();
}

// CHECK-NEXT: {{.*}} barrier in jumps: kept as it is: its function jumps, or runs implicit code
// CHECK-NEXT:  drop-sync: not legal (clause 8): its function jumps, or runs implicit code
// MUTATE structural: of a function that jumps nobody proves who comes to a barrier
// CHECK-EMPTY:
__global__ void jumps(int *out, int n)
{
	if (n) {
		goto end;
	}
	__syncthreads();
	out[threadIdx.x] = 1;
end:
	return;
}

// Where it is called it is a barrier like any other; in itself it would be one without memory.
// CHECK-NEXT: {{.*}} barrier in wait (kernels: waits): kept as it is: it is all that its function is: calls of that are barriers themselves
// CHECK-NEXT:  drop-sync: not legal (clause 9): it is all that its function is: calls of that are barriers themselves
// CHECK-EMPTY:
// CHECK-NEXT: {{.*}} barrier in {{waits}}: kept as it is: {{.*}}
// CHECK-NEXT:  drop-sync: not legal (clause {{1}}): {{.*}} writes s, {{.*}} reads it
__device__ void wait()
{
	__syncthreads();
}

__global__ void waits(int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = (int)threadIdx.x;
	wait();
	out[threadIdx.x] = s[127 - threadIdx.x];
}
