// One element at a time, handed to a function that unphi does not see through, where the other arm makes
// one of HIP's vectors: what their constructors may touch is no other way to the array.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a | %FileCheck %s

#include <hip/hip_runtime.h>

typedef void (*load_t)(const void *, void *, int);
__device__ void load(const void *p, void *to, int at)
{
	*(float4 *)to = ((const float4 *)p)[at];
}
__device__ load_t which(int n)
{
	return n < 1000 ? load : nullptr;
}

// CHECK-NOT: in by_element
__global__ void by_element(const char *p, float *out, int n)
{
	const load_t get = which(n);
	float4 k[8];
	for (int i = 0; i < 8; ++i) {
		if ((int)threadIdx.y + i < n) {
			get(p, &k[i], threadIdx.x);
		} else {
			k[i] = make_float4(0, 0, 0, 0);
		}
	}
	for (int i = 0; i < 8; ++i) out[i] = k[i].x + k[i].w;
}

// CHECK: warning: 'k' (float4[8], 32 VGPRs per lane) crosses this if/else
// CHECK: in two_elements
__global__ void two_elements(const char *p, float *out, int n)
{
	const load_t get = which(n);
	float4 k[8];
	for (int i = 0; i < 7; ++i) {
		if ((int)threadIdx.y + i < n) {
			get(p, &k[i], threadIdx.x);
		} else {
			k[7 - i] = make_float4(0, 0, 0, 0);
		}
	}
	for (int i = 0; i < 8; ++i) out[i] = k[i].x + k[i].w;
}
