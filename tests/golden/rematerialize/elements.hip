// Each element is loaded where it is read, and no array is left. The sibling is what comes out.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy rematerialize:element -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: cmp %S/elements.rematerialize %t.hip
// RUN: %FileCheck %s < %t.txt
// RUN: %unphi rewrite %t.hip --target gfx90a --strategy rematerialize:element --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | cmp - /dev/null
// RUN: %unphi rewrite %s --target gfx90a --strategy rematerialize:unrolled --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.diff
// RUN: %FileCheck %s --check-prefix UNROLLED < %t.diff
//
// CHECK: elements.hip: 6 fragments that loops only read, 6 loaded again

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ float load(const float *at, int row, int i)
{
	return at[row + i * 64];
}

// An argument stays one; so does a pragma.
// UNROLLED:      +		int zero{{[0-9]*}} = 0;
// UNROLLED-NEXT: +		asm volatile("" : "+s"(zero{{[0-9]*}})); // hides it from LLVM
// UNROLLED-NEXT: +		#pragma unroll
// UNROLLED-NEXT:  		for (int e = 0; e < 7; ++e) {
// UNROLLED:       #pragma unroll 2
// UNROLLED-NEXT:  		for (int e = 0; e < 8; ++e) {
__global__ void called(const float *__restrict__ in, float *__restrict__ out, int n)
{
	const int row = (int)threadIdx.x;
	float top = 0;
	float q[8]; // of a row
	for (int i = 0; i < 8; ++i) {
		q[i] = load(in, row, i);
	}

	for (int k = 0; k < n; ++k) {
		for (int e = 0; e < 7; ++e) {
			top = fmaxf(top, q[e + 1]);
		}
#pragma unroll 2
		for (int e = 0; e < 8; ++e) {
			top = fmaxf(q[7 - e], -q[e]);
		}
	}
	out[threadIdx.x] = top;
}

// The index has the type of the loop's variable, and the value that of the array.
// UNROLLED: +		#pragma unroll
// UNROLLED: +		#pragma unroll
__global__ void types(const short *__restrict__ in, int *__restrict__ out, int n)
{
	int sum = 0;
	int q[2][8];
	for (int r = 0; r < 2; ++r)
		for (unsigned i = 0; i < 8; ++i)
			q[r][i] = in[(r * 8 + i) * 64 + threadIdx.x];
	for (int k = 0; k < n; ++k) {
		for (int r = 0; r < 2; ++r)
			for (int i = 0; i < 8; ++i)
				sum = sum * 3 + q[r][i] - q[1][k & 7];
	}
	out[threadIdx.x] = sum;
}

// A bit-field would be calculated with as an int.
struct bits {
	unsigned low : 3;
};
__global__ void narrow(const bits *__restrict__ in, int *__restrict__ out, int n)
{
	int sum = 0;
	unsigned q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x].low;
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += (q[i] - 5) / 2;
		}
	}
	out[threadIdx.x] = sum;
}

// Vectors and their parts, in two loops.
__global__ void vectors(const f32x4 *__restrict__ in, float *__restrict__ out, int n)
{
	f32x4 sum = {};
	f32x4 q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = *(in + i * 64 + threadIdx.x);
	}
	for (int k = 0; k < n; ++k) {
		sum += q[0] * q[k % 4u].x + f32x4{q[1][2], q[2].y, 0, 0};
	}
	do {
		for (int i = 0; i < 8; ++i) {
			if (n > i) {
				sum -= q[i];
			}
		}
	} while (--n > 0);
	out[threadIdx.x] = sum.x + sum.y;
}

// Each instantiation has the same edits, and the second fragment goes behind the first.
template <int N> __device__ float best_of(const float *__restrict__ in, int n)
{
	float best = 0;
	float q[N];
	float p[N] = {};
	for (int i = 0; i < N; ++i) {
		q[i] = in[i];
	}
	for (int i = 0; i < N; i++)
	{
		p[i] = (in + N)[i];
	}
	while (n-- > 0) {
		for (int i = 0; i < N; ++i) {
			best = fmaxf(fmaxf(best, -p[i]), q[i]);
		}
	}
	return best;
}

__global__ void instances(const float *__restrict__ in, float *__restrict__ out, int n)
{
	out[threadIdx.x] = best_of<8>(in + threadIdx.x, n) + best_of<16>(in, n);
}
