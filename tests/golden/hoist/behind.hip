// Functions that are defined behind the kernel that calls them are split in one round: their
// declarations stand side by side. The text is parsed twice, as it was and as it is; for the host as well, and once more
// by both when the functions are made of their parts.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist -o %t.hip --format json -- -nogpuinc > %t.json
// RUN: grep -q '"parses": 5,' %t.json
// RUN: %unphi lint %t.hip --target gfx90a -- -nogpuinc
// RUN: grep -v CHECK %t.hip | %FileCheck %s

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

template <bool TAIL> __device__ void tile0(const float *p, int n, float (&acc)[64]);
template <bool TAIL> __device__ void tile1(const float *p, int n, float (&acc)[64]);
template <bool TAIL> __device__ void tile2(const float *p, int n, float (&acc)[64]);
// CHECK: struct tile0_state {
// CHECK: tile0_state tile0_narrow({{.*}}
// CHECK: void tile0_wide({{.*}}
// CHECK: struct tile1_state {
// CHECK: tile1_state tile1_narrow({{.*}}
// CHECK: void tile1_wide({{.*}}
// CHECK: struct tile2_state {
// CHECK: tile2_state tile2_narrow({{.*}}
// CHECK: void tile2_wide({{.*}}
// CHECK: void k(
__global__ void k(const float *p, float *o, int c)
{
	float acc[64] = {};
	// CHECK: state = tile0_narrow<true>(
	// CHECK: tile0_wide(state, p, acc);
	if (c > 0) {
		tile0<true>(p, 0, acc);
	} else {
		tile0<false>(p, 0, acc);
	}
	// CHECK: handed = tile1_narrow<true>(
	// CHECK: tile1_wide(handed, p, acc);
	if (c > 1) {
		tile1<true>(p, 1, acc);
	} else {
		tile1<false>(p, 1, acc);
	}
	// CHECK: tile2_handed = tile2_narrow<true>(
	// CHECK: tile2_wide(tile2_handed, p, acc);
	if (c > 2) {
		tile2<true>(p, 2, acc);
	} else {
		tile2<false>(p, 2, acc);
	}
	for (int k = 0; k < 64; k++) {
		o[k] = acc[k];
	}
}
template <bool TAIL> __device__ void tile0(const float *p, int n, float (&acc)[64])
{
	float x = p[n];
	if (TAIL) {
		x = x + p[n + 1];
	}
	float y = x * 2.0f;
	for (int k = 0; k < 64; k++) {
		acc[k] += p[k] * y;
	}
}
template <bool TAIL> __device__ void tile1(const float *p, int n, float (&acc)[64])
{
	float x = p[n];
	if (TAIL) {
		x = x + p[n + 1];
	}
	float y = x * 3.0f;
	for (int k = 0; k < 64; k++) {
		acc[k] += p[k] * y;
	}
}
template <bool TAIL> __device__ void tile2(const float *p, int n, float (&acc)[64])
{
	float x = p[n];
	if (TAIL) {
		x = x + p[n + 1];
	}
	float y = x * 4.0f;
	for (int k = 0; k < 64; k++) {
		acc[k] += p[k] * y;
	}
}
