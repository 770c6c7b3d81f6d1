// Where loads go, and how they are written. The sibling is what comes out.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: cmp %S/forms.rematerialize %t.hip
// RUN: %FileCheck %s < %t.txt
// RUN: %unphi rewrite --verbose %t.hip --target gfx90a --strategy rematerialize --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | cmp - /dev/null
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize --format json --quiet --report %t.json -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: %FileCheck %s --check-prefix JSON < %t.json
//
// CHECK: forms.hip: 10 fragments that loops only read, 7 loaded again
// CHECK: 'asm_', 8 VGPRs in laundered: kept as it is: asm in line {{[0-9]+}} may change it, or the code that loads it
// CHECK: 'view', 8 VGPRs in no_pointer: kept as it is: no address in it can have an offset
// CHECK: 'tile_part', 8 VGPRs in calls_unseen: kept as it is: {{.*}} what begins in line {{[0-9]+}} may
// JSON: "fragments":
// JSON: "variable": "q"
// JSON: "vgprs": 16
// JSON: "rewritten": true
// JSON: "strategy": "rematerialize"

#include <hip/hip_runtime.h>

typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

template <int N> __device__ void load(float (&q)[2][N], const float *__restrict__ from, int row)
{
	for (int r = 0; r < 2; ++r) {
		for (int i = 0; i < N; ++i) {
			q[r][i] = from[(row + r) * N + i];
		}
	}
}

template <int N> __device__ float row_sum(const float (&row)[N])
{
	float sum = 0;
	for (int i = 0; i < N; ++i) {
		sum += row[i];
	}
	return sum;
}

// A helper that loads.
__global__ void by_helper(const float *__restrict__ in, float *__restrict__ out, int n)
{
	const int row = (int)threadIdx.x * 2;
	float sum[2] = {0, 0};

	float q[2][8]; // rows
	load<8>(q, in, row); // once
	for (int k = 0; k < n; ++k) {
		for (int r = 0; r < 2; ++r) {
			sum[r] += row_sum<8>(q[r]);
		}
	}
	out[threadIdx.x] = sum[0] + sum[1];
}

// Conditions and a loop pragma, and a second one for two loops.
__global__ void shapes(const f16x4 *__restrict__ h, const float *__restrict__ in, float *out, int n)
{
	const f32x8 v = *(const f32x8 *)(in + threadIdx.x * 8);
	float sum = 0;
	f16x4 half[8] = {};
	// Those of the last block are not there.
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		if ((int)threadIdx.x + i < n) {
			half[i] = h[i * 64 + threadIdx.x];
		}
	}

	for (int k = 0; k < n; ++k) {
		sum += v[k & 7];
		if (sum > 0) {
			sum -= (float)half[k & 7].x;
		}
	}
	do {
		sum *= v[3];
	} while (sum > 1);
	out[threadIdx.x] = sum;
}

// What is written is written behind the loop, and no barrier comes between.
__global__ void in_lds(const float *data, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = data[i];
	}
	__syncthreads();
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) q[i] = tile[i * 64 + 63 - threadIdx.x];
	for (int k = 0; k < n; ++k)
	{
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	tile[threadIdx.x] = sum;
	out[threadIdx.x] = tile[63];
}

struct arguments {
	float *a;
	int stride;
};

__global__ void member(arguments args, int n)
{
	float sum = 0;
	const f32x8 v = *(const f32x8 *)(args.a + threadIdx.x * args.stride);
	for (int k = 0; k < n; ++k) {
		sum += v[k & 7];
	}
	args.a[threadIdx.x] = sum;
}

// Each instantiation has the same edits.
template <int N> __device__ float sum_of(const float *__restrict__ in, int n)
{
	float sum = 0;
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[i] = in[i];
	}
	while (n-- > 0) {
		for (int i = 0; i < N; ++i) {
			sum += q[i];
		}
	}
	return sum;
}

__global__ void instances(const float *__restrict__ in, float *__restrict__ out, int n)
{
	out[threadIdx.x] = sum_of<8>(in + threadIdx.x, n) + sum_of<16>(in, n);
}

#define UNPHI_LAUNDER(x) asm volatile("" : "+v"(x))

// What unphi's own asm does is known: another variable is not meant.
__global__ void laundered(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	int row = (int)threadIdx.x, other = 1;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + row];
	}
	float asm_[8];
	for (int i = 0; i < 8; ++i) {
		asm_[i] = in[i * 64 + n];
	}
	for (int k = 0; k < 9; ++k) {
		UNPHI_LAUNDER(other);
		UNPHI_LAUNDER(n);
		for (int i = 0; i < 8; ++i) {
			sum += q[i] * asm_[i];
		}
	}
	out[threadIdx.x] = sum + (float)other;
}

__device__ float table[8];

struct reader {
	__device__ float at(int i) const { return table[i]; }
};

// The compiler would load it before the loop all the same.
__global__ void no_pointer(float *__restrict__ out, int n)
{
	float sum = 0;
	reader r;
	float view[8];
	for (int i = 0; i < 8; ++i) {
		view[i] = r.at(i);
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += view[i];
		}
	}
	out[threadIdx.x] = sum;
}

__device__ void unseen(float *x);

__global__ void calls_unseen(float *in, float *__restrict__ out, int n)
{
	float sum = 0;
	float tile_part[8];
	for (int i = 0; i < 8; ++i) {
		tile_part[i] = in[i];
	}
	for (int k = 0; k < n; ++k) {
		unseen(in + 8);
		for (int i = 0; i < 8; ++i) {
			sum += tile_part[i];
		}
	}
	out[threadIdx.x] = sum;
}
