// A first spec shows faults of the kinds that people make. The type of what integers stand for, bf16, is
// that of the matrix operation; a pointer that the code asks for is null in some case; sizes are no
// multiple of a tile; alpha is not 1. What the spec shows of planted faults is said in numbers.
//
// REQUIRES: compiler
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.hip
// RUN: %unphi verify --init %t/k.hip --target gfx942 2> %t/err
// RUN: %FileCheck %s < %t/k.verify.yaml
// RUN: %FileCheck %s --check-prefix SAID < %t/err
// SAID: note: product: 2 of 2 arms run, {{[0-9]+}} of {{[0-9]+}} waves and {{[0-9]+}} of {{[0-9]+}} lanes store something; {{[0-9]+}} of {{[0-9]+}} planted faults are seen, {{[0-9]+}} of 6 of those at bounds
//
// RUN: sed 's/c = __builtin.*;/;/' %t/k.hip > %t/no_product.hip
// RUN: sed 's/bias ? bias.col. : 0/bias[col]/' %t/k.hip > %t/no_null.hip
// RUN: sed 's/alpha [*] //' %t/k.hip > %t/no_alpha.hip
// RUN: sed 's/d.row [*] n/d[row * 16/' %t/k.hip > %t/no_stride.hip
// RUN: sed 's/row < m/row <= m/' %t/k.hip > %t/no_edge.hip
// RUN: %exits 0 %unphi verify %t/k.hip %t/k.hip > %t/same
// RUN: %exits 1 %unphi verify %t/k.hip %t/no_product.hip %t/no_null.hip %t/no_alpha.hip %t/no_stride.hip %t/no_edge.hip > %t/out
// RUN: %FileCheck %s --check-prefix WRONG < %t/out
// WRONG: no_product.hip:
// WRONG: {{unequal|broken}}
// WRONG: no_null.hip:
// WRONG: broken
// WRONG: no_alpha.hip:
// WRONG: unequal
// WRONG: no_stride.hip:
// WRONG: {{unequal|broken}}
// WRONG: no_edge.hip:
// WRONG: {{unequal|broken}}
//
// Where waves race in each launch no fault can be seen, and the search for one ends after a few. What a
// launch leaves in a __device__ variable is seen, and the launches after it begin without that.
// Faults of what a header of the user has count as well.
// RUN: rm -rf %t.in && mkdir %t.in && sed -n 's,^// BLIND ,,p' %s > %t.in/blind.hip
// RUN: printf '#pragma once\n__device__ inline bool within(unsigned i, int n)\n{\n\treturn (int)i < n;\n}\n' > %t.in/step.h
// RUN: %verify --init %t.in/blind.hip --target gfx942 --time-limit 60 -o %t.in/blind.yaml 2>&1 | %FileCheck %s --check-prefix BLIND_SAID
// BLIND_SAID: warning: racy: no faults are planted: the kernel fails if races are watched (error: race {{[^\\]*}})
// BLIND_SAID-NEXT: note: counts: {{.*}}; [[ALL:[0-9]+]] of [[ALL]] planted faults are seen, [[BOUNDS:[1-9]]] of [[BOUNDS]] of
// BLIND_SAID-NEXT: note: picks: 7 of 7 arms run
// BLIND_SAID-NEXT: note: gathers: 2 of 2 arms run, {{([2-9]|[1-9][0-9]+)}} of
// BLIND_SAID-NEXT: found in {{[1-6]?[0-9]?[0-9]}} launches
//
// A record is copied whole, though its end is never used: buffers are long enough for that.
// RUN: rm -rf %t.record && mkdir %t.record && sed -n 's,^// RECORD ,,p' %s > %t.record/k.hip
// RUN: %verify --init %t.record/k.hip --target gfx942 --time-limit 30 2>&1 | grep "note: ends: .* [1-9][0-9]* planted faults are seen"
// RUN: %exits 0 %verify %t.record/k.hip %t.record/k.hip
// In one case integers are any of their type, unless they are an index.
// RUN: sed 's/(long long)//' %t.record/k.hip > %t.record/narrow.hip
// RUN: %exits 1 %verify %t.record/k.hip %t.record/narrow.hip | grep "unequal  mean/wide"
// In one case sizes differ, and all waves of a block work in its last round, also where faults need neither.
// RUN: sed 's/waves = 4/waves = base ? 3 : 4/' %t.record/k.hip > %t.record/last.hip
// RUN: %exits 1 %verify %t.record/k.hip %t.record/last.hip | grep "unequal  tiles/"
// RUN: grep -A2 "name: wide" %t.record/k.verify.yaml | grep " b: {[^}]*random: .-2147483648, 4294967295."
// RUN: %exits 1 grep " at: {[^}]*random: .-2147483648" %t.record/k.verify.yaml
//
// Ties, modes that the code asks for by number, groups of more than one block; rows that do not overlap, where
// a kernel is told where they begin: else its blocks race, and only a launch of one block says something.
// RUN: grep "in: {type: bf16" %t.in/blind.yaml
// RUN: %exits 1 grep "not seen: .*\('>='\|group\|77\|78\)" %t.in/blind.yaml
// RECORD #include <hip/hip_runtime.h>
// RECORD struct record { float w[2]; float more[101]; };
// RECORD __global__ void ends(const record *a, float *o, int n)
// RECORD {
// RECORD 	int i = blockIdx.x * blockDim.x + threadIdx.x;
// RECORD 	if (i < n) {
// RECORD 		const record r = a[i];
// RECORD 		o[i] = r.w[0] + r.w[1];
// RECORD 	}
// RECORD }
// RECORD __global__ void mean(const int *a, const int *b, const int *at, int *o, int n)
// RECORD {
// RECORD 	int i = blockIdx.x * blockDim.x + threadIdx.x;
// RECORD 	if (i < n) {
// RECORD 		o[i] = (int)(((long long)a[i] + b[at[i]]) / 2);
// RECORD 	}
// RECORD }
// RECORD __global__ void tiles(const int *in, int *total, int cols, int stride)
// RECORD {
// RECORD 	__shared__ int part[4];
// RECORD 	int all = 0;
// RECORD 	for (int base = 0; base < cols; base += 256) {
// RECORD 		const int i = base + threadIdx.x, waves = 4;
// RECORD 		int v = i < cols ? in[blockIdx.x * stride + i] : 0;
// RECORD 		for (int d = 32; d > 0; d /= 2) { v += __shfl_xor(v, d); }
// RECORD 		if (threadIdx.x % 64 == 0) { part[threadIdx.x / 64] = v; }
// RECORD 		__syncthreads();
// RECORD 		for (int w = 0; w < waves; w++) { all += part[w]; }
// RECORD 		__syncthreads();
// RECORD 	}
// RECORD 	if (threadIdx.x == 0) { total[blockIdx.x] = all; }
// RECORD }
// BLIND #include <hip/hip_runtime.h>
// BLIND #include "step.h"
// BLIND typedef float f32x4 __attribute__((ext_vector_type(4)));
// BLIND __global__ void racy(const float *in, float *out, int n, float alpha)
// BLIND {
// BLIND 	__shared__ float s[256];
// BLIND 	float sum = 0;
// BLIND 	s[threadIdx.x] = in[threadIdx.x] * alpha;
// BLIND 	for (int k = 0; k < 256; k++) { sum += s[k]; }
// BLIND 	sum += __builtin_amdgcn_mfma_f32_4x4x1f32(sum, 1, f32x4{}, 0, 0, 0)[0];
// BLIND 	out[threadIdx.x] = (int)threadIdx.x < n && sum > 0.5f ? sum : alpha;
// BLIND }
// BLIND __device__ int total[1024];
// BLIND __global__ void counts(const int *in, int n)
// BLIND {
// BLIND 	if (within(threadIdx.x, n)) { total[threadIdx.x] += in[blockIdx.x]; }
// BLIND }
// BLIND __global__ void picks(const __bf16 *in, int *out, int groups, int mode)
// BLIND {
// BLIND 	const int group = blockIdx.y / (gridDim.y / groups), me = blockIdx.y * 64 + threadIdx.x;
// BLIND 	int at = 0;
// BLIND 	for (int i = 1; i < 4; i++) { if ((float)in[i] > (float)in[at]) { at = i; } }
// BLIND 	if (mode == 77) { at += 5; } else if (mode == 78) { at += 9; }
// BLIND 	if (threadIdx.x < 64) { out[me] = at + group * 100; }
// BLIND }
// BLIND __global__ void gathers(const float *in, const int *table, const int *length, const int *start, float *out)
// BLIND {
// BLIND 	for (int t = threadIdx.x; t < length[blockIdx.x]; t += blockDim.x) {
// BLIND 		const int page = table[t / 4], to = start[blockIdx.x] + t;
// BLIND 		if (page < 0) { out[to] = 2 * blockIdx.x; continue; }
// BLIND 		out[to] = in[page * 4 + t % 4 + 5 * blockIdx.x];
// BLIND 	}
// BLIND }
#include <hip/hip_runtime.h>

typedef short bf16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

// d[m][n] = alpha * a[16 rows a block][16] * b[16][16] + bias
__global__ void product(const unsigned short *a, const unsigned short *b, const float *bias, float *d, float alpha,
	int m, int n)
{
	const int lane = threadIdx.x % 64, r = lane % 16, q = lane / 16 * 4;
	const int first = (blockIdx.x * (blockDim.x / 64) + threadIdx.x / 64) * 16;
	f32x4 c = {0, 0, 0, 0};
	c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(*(const bf16x4 *)(a + (first + r) * 16 + q), *(const bf16x4 *)(b + r * 16 + q), c, 0, 0, 0);
	for (int i = 0; i < 4; ++i) {
		const int row = first + q + i, col = r;
		if (row < m && col < n) {
			d[row * n + col] = alpha * c[i] + (bias ? bias[col] : 0);
		}
	}
}

// CHECK: - kernel: "product"
// CHECK-NEXT: # 2 of 2 arms run, {{.*}} planted faults are seen, {{.*}}
// CHECK: a: {type: bf16, length: {{[0-9]+}}, fill: {random: [-1, 1], seed: 1}} # const unsigned short
// CHECK-NEXT: b: {type: bf16,
// CHECK: alpha: 0.75
// CHECK: bias: nullptr
