// clang puts headers of its own in front of the standard library's, from beside the driver: in these the placement new of
// <new> is one for devices as well, as block primitives and what makes objects in LDS want it.
//
// RUN: %unphi lint %s --target gfx942 -- -nogpuinc --hip-version=6.0 -std=c++17

#include <cstdlib>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#include <new>

struct value {
	float x;
	__host__ __device__ value(float f) : x(f) {}
};

template <class T> struct raw {
	alignas(T) char bytes[sizeof(T)];
	__host__ __device__ T &make(float f) { return *new (bytes) T(f); }
};

__global__ void in_lds(float *p)
{
	__shared__ raw<value> v;
	p[1] = v.make(p[0]).x;
}
