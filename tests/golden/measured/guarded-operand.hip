// Operands that each lane loads under a condition of its own: advice to clamp the index and to select, where the
// compiler's output shows that it helps. Element 0 has to be readable, so it is no edit.
// REQUIRES: clang19
// RUN: %unphi lint %s --target gfx1151 --compiler clang++-19 --checks=-*,unphi-guarded-operand --measure --verbose --export-fixes %t.yaml > %t.txt
// RUN: grep -c 'unphi-guarded-operand\]' %t.txt | grep -qx 3 && %FileCheck %s < %t.txt && grep -q 'Diagnostics: \[\]' %t.yaml
// CHECK: note: each lane loads under 'row < rows' here: with 'row' clamped and a select in place of the branch, tiles<0> has VGPR spills {{[1-9][0-9]*}} -> 0, {{.*}}waves/SIMD 5 -> 7 (gfx1151) [unphi-guarded-operand]
// CHECK: note: const auto clamped = row < rows ? row : 0; load with clamped in place of row, always; then select the value if row < rows, else the constant. Lanes that load nothing now read element 0
// CHECK: note: each lane loads under 'row < rows && at < stride' here: with 'row' and 'at' clamped {{.*}}, tiles<1> has VGPR spills {{[1-9][0-9]*}} -> 0
// CHECK: note: each lane loads under 'rows > row' here: {{.*}}, tiles<2> has VGPR spills {{[1-9][0-9]*}} -> 0
#include <hip/hip_runtime.h>
typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));

template <int HOW> __device__ f16x16 operand(const _Float16 *p, int row, int rows, int stride, int at)
{
	f16x16 x = (f16x16)(_Float16)0;
	if (HOW == 0) {
		if (row < rows) {
#pragma unroll
			for (int c = 0; c < 16; c++) x[c] = p[row * stride + at + c];
		} else {
#pragma unroll
			for (int c = 0; c < 16; c++) x[c] = 0;
		}
	} else if (HOW == 1) {
		if (row < rows && at < stride) {
#pragma unroll
			for (int c = 0; c < 16; c++)
				x[c] = p[row * stride + at + c];
		}
	} else if (HOW == 2) {
#pragma unroll
		for (int c = 0; c < 16; c++)
			x[c] = rows > row ? p[row * stride + at + c] : (_Float16)0;
	} else if (HOW == 3) { // quiet: clamped already
		const int r = row < rows ? row : 0;
#pragma unroll
		for (int c = 0; c < 16; c++) {
			const _Float16 v = p[r * stride + at + c];
			x[c] = row < rows ? v : (_Float16)0;
		}
	} else if (HOW == 5) { // quiet: clamping row leaves at + c where it is
#pragma unroll
		for (int c = 0; c < 16; c++)
			x[c] = row < rows && at + c < stride ? p[row * stride + at + c] : (_Float16)0;
	} else if (HOW == 6) { // quiet: nothing may be there
#pragma unroll
		for (int c = 0; c < 16; c++) x[c] = p && row < rows ? p[row * stride + at + c] : (_Float16)0;
	} else if (stride < rows) { // quiet: the same for all lanes
#pragma unroll
		for (int c = 0; c < 16; c++) x[c] = p[stride * rows + row + at + c];
	}
	return x;
}
template <int HOW>
__global__ __launch_bounds__(32) void tiles(
	const _Float16 *__restrict__ a, const _Float16 *__restrict__ b, float *__restrict__ out, int m, int n, int k)
{
	const int lane = threadIdx.x % 16, half = threadIdx.x / 16, row = blockIdx.y * 64, col = blockIdx.x * 64;
	f32x8 acc[4][4] = {};
	for (int j = 0; j < k; j += 32) {
#pragma unroll
		for (int s = 0; s < 2; s++) {
			f16x16 x[4];
#pragma unroll
			for (int i = 0; i < 4; i++) x[i] = operand<HOW>(a, row + i * 16 + lane, m, k, j + s * 16);
#pragma unroll
			for (int h = 0; h < 4; h++) {
				const f16x16 y = operand<HOW>(b, col + h * 16 + lane, n, k, j + s * 16);
#pragma unroll
				for (int i = 0; i < 4; i++)
					acc[i][h] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x[i], y, acc[i][h]);
			}
		}
	}
#pragma unroll
	for (int i = 0; i < 16; i++) {
#pragma unroll
		for (int r = 0; r < 8; r++) {
			const int y = row + i / 4 * 16 + 2 * r + half, x = col + i % 4 * 16 + lane;
			if (y < m && x < n) {
				out[y * n + x] = acc[i / 4][i % 4][r];
			}
		}
	}
}
template __global__ void tiles<0>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<1>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<2>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<3>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<4>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<5>(const _Float16 *, const _Float16 *, float *, int, int, int);
template __global__ void tiles<6>(const _Float16 *, const _Float16 *, float *, int, int, int);
// quiet: registers to spare, stores under the condition
__global__ void copies(const float *a, float *out, int n)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	float x = 0;
	if (i < n) x = a[i];
	if (i < n) out[i] = a[i];
	out[i + n] = x;
}
