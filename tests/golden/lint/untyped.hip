// libclang gives no type for what a template's pattern initializes a member of an anonymous union with.
//
// RUN: %unphi lint %s --target gfx942 -- -nogpuinc

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
template <class T> struct half { T lo, hi; };
template <class T>
struct fragment {
	__device__ fragment() {}
	__device__ fragment(const fragment &other);
	union {
		half<T> stored;
		T one;
	};
};
template <class T>
__device__ fragment<T>::fragment(const fragment &other) : stored(other.stored)
{
}
__global__ void k(float *o)
{
	fragment<float> a;
	a.stored.lo = o[0];
	fragment<float> b(a);
	o[1] = b.stored.lo;
}
