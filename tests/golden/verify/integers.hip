// Integers in buffers are symbols, too: what unpacks nibbles otherwise is proved, and a fault that the spec's integers do not show is
// found, with integers of the range of the buffer's random fill, else with any. Those that address or branch stay the spec's, and are named,
// as are integers and records among the arguments.
//
// REQUIRES: compiler
// RUN: sed 's/define OTHER 0/define OTHER 1/' %s > %t.other.hip
// RUN: %unphi verify %s %t.other.hip --on isa --all-data --spec %S/Inputs/integers.verify.yaml --compiler %compiler -- -w \
// RUN:   | %FileCheck %s --check-prefix RIGHT
// RUN: sed 's/define WRONG 0/define WRONG 1/' %s > %t.wrong.hip
// RUN: %exits 1 %unphi verify %s %t.wrong.hip --on isa --all-data --spec %S/Inputs/integers.verify.yaml --compiler %compiler -- -w \
// RUN:   | %FileCheck %s --check-prefix WRONG
//
// RIGHT: nibbles
// RIGHT-NEXT: equal for all data (384 symbols
// RIGHT: paged
// RIGHT-NEXT: equal for all data (integers of table as in the spec; 384 symbols
// RIGHT: sums
// RIGHT-NEXT: equal for all data (384 symbols
// RIGHT: ranged
// RIGHT-NEXT: equal for all data (
// RIGHT: counted
// RIGHT-NEXT: equal for all data (integers of key, hist as in the spec; 256 symbols
//
// RIGHT: passed
// RIGHT-NEXT: equal for all data (integers of table and arguments 5, 6 as in the spec; 257 symbols
// RIGHT: one
// RIGHT-NEXT: equal for all data (argument 2 as in the spec; 128 symbols
//
// WRONG: equal nibbles
// WRONG-NEXT: different: with q: {random: [-2147483648, 4294967295], seed: 1000}, s: {random: [-2, 2], seed: 1001}
// WRONG-NEXT: out[0]:
// WRONG: equal paged
// WRONG-NEXT: different: with v: {random: [-128, 255]
// WRONG: equal sums
// WRONG-NEXT: different: with a: {random:
// WRONG: equal ranged
// WRONG-NEXT: equal for all data (integers of q, out as in the spec;
// WRONG: equal counted
// WRONG-NEXT: equal for all data (the same machine code
// WRONG: 7 of 7 cases equal, 4 of them for all data
#include <hip/hip_runtime.h>
#define WRONG 0
#define OTHER 0
#define THROUGH_LDS \
	__shared__ int tile[64]; \
	tile[threadIdx.x] = x; \
	__syncthreads(); \
	x = tile[threadIdx.x];
#if OTHER
#define STAGE THROUGH_LDS
#else
#define STAGE
#endif
#define HEAD const int i = blockIdx.x * blockDim.x + threadIdx.x;

__global__ void nibbles(const unsigned *q, const float *s, float *out)
{
	HEAD
	unsigned x = q[i];
	STAGE
	float sum = 0;
	for (int k = 0; k < 4; k++) {
		sum += s[i] * (float)(x >> 4 * k & (WRONG ? 7 : 15));
	}
	out[i] = sum;
}

__global__ void paged(const int *table, const signed char *v, const float *s, float *out)
{
	HEAD
	int x = v[table[blockIdx.x] * 64 + threadIdx.x];
	STAGE
	out[i] = s[i] * (float)(WRONG ? (x < 100 ? x : 0) : x);
}

__global__ void sums(const int *a, const int *b, long *out)
{
	HEAD
	int x = OTHER ? b[i] : a[i];
	STAGE
	out[i] = x + (OTHER ? a[i] : b[i]) + (WRONG ? x >> 20 : 0);
}

// The fill says that all are below 8.
__global__ void ranged(const int *q, int *out)
{
	HEAD
	int x = q[i];
	STAGE
	out[i] = WRONG ? x & 7 : x;
}

__global__ void counted(const int *key, int *hist, const float *s, float *out)
{
	HEAD
	int x = key[i];
	STAGE
	atomicAdd(&hist[x & 7], 1);
	out[i] = s[i] * 2;
}

struct scales {
	float factor;
	int shift;
};

__global__ void passed(const int *table, const float *s, float *out, float alpha, int n, scales by)
{
	HEAD
	int x = table[i / 64];
	STAGE
	out[i] = s[(x * 64 + i) % 128] * alpha * by.factor + (float)(n << by.shift);
}

__global__ void one(float *out, int n)
{
	HEAD
	int x = n;
	STAGE
	out[i] += (float)x;
}
