// Explicit instantiations that libclang does not show: in namespaces, of overloads, of host functions
// that launch, of members, with deduced arguments, and by macros, of headers too. What #if leaves
// out, or what does not parse, takes nothing from the others.
//
// RUN: %exits 1 %unphi lint --verbose %s --threshold 64 --target gfx90a -- -nogpuinc -std=c++20 -I%S/Inputs > %t.txt 2>&1
// RUN: grep -E 'warning:|error:|note: in ' %t.txt | sed 's/.*warning: .*phis.*/warning/' \
// RUN:     | %FileCheck %s --match-full-lines --implicit-check-not=error

#include "instances.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))

struct dim3 {
	unsigned x, y, z;
	__attribute__((host, device)) dim3(unsigned n) : x(n), y(1), z(1) {}
};
extern "C" int hipConfigureCall(dim3, dim3, unsigned long = 0, void * = 0);
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, void * = 0);
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);

#define MERGE                                                                                      \
	if (c) {                                                                                   \
		for (auto &e : acc) e += 1;                                                                       \
	} else {                                                                                   \
		for (auto &e : acc) e -= 1;                                                                       \
	}

namespace ours {
inline namespace v1 {
namespace {
// CHECK: warning
// CHECK-NEXT: note: in ours::v1::overloaded<96>
template <int N>
__global__ void overloaded(float *p, int c)
{
	float acc[N] = {};
	MERGE
	p[0] = acc[1];
}
template <int N>
__global__ void overloaded(double *p, int c)
{
	p[0] = c;
}
template __global__ void overloaded<8>(float *, int);
template __global__ void __launch_bounds__(256) overloaded<96>(float *p, int c);
template __global__ void overloaded<128>(double *p, int c);
} // namespace

// CHECK-NEXT: warning
// CHECK-NEXT: note: in ours::v1::launched<72>
template <int N>
__global__ void launched(float *p, int c)
{
	float acc[N] = {};
	MERGE
	p[0] = acc[1];
}
template <int N>
void launch(float *p)
{
	launched<N><<<1, 64>>>(p, 1);
}
} // namespace v1
template void launch<72>(float *p);

// CHECK-NEXT: warning
// CHECK-NEXT: note: in ours::deduced<double>
template <typename T>
__global__ void deduced(T *p, int c)
{
	T acc[40] = {};
	MERGE
	p[0] = acc[1];
}
template __global__ void deduced(float *p, int c);
template __global__ void deduced(double *p, int c);

// CHECK-NEXT: warning
// CHECK-NEXT: note: in ours::tile<88>::run
template <int N>
struct tile {
	__device__ static void run(float *p, int c)
	{
		float acc[N] = {};
		MERGE
		p[0] = acc[1];
	}
};
template __device__ void tile<88>::run(float *p, int c);
} // namespace ours

// CHECK-NEXT: warning
// CHECK-NEXT: note: in by_macro<80>, by_macro<112>, by_macro<120>
template <int N>
__global__ void by_macro(float *p, int c)
{
	float acc[N] = {};
	MERGE
	p[0] = acc[1];
}
#define KERNEL(N) template __global__ void by_macro<N>(float *p, int c);
#define KERNELS(A, B) \
	KERNEL(A)     \
	KERNEL(B)
KERNEL(80)
KERNELS(112, 120);
#undef KERNEL
#if 0
template __global__ void by_macro<104>(float *p, int c);
template __global__ void missing<104>(float *p, int c);
#endif

// CHECK-NEXT: warning
// CHECK-NEXT: note: in from_header<64>, from_header<72>
template <int N>
__global__ void from_header(float *p, int c)
{
	float acc[N] = {};
	MERGE
	p[0] = acc[1];
}
KERNELS_OF(64);
// CHECK-NOT: note: in
