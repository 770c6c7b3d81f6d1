// Bounds that are there: one that forces spills, one that does nothing, one for more threads than are launched, and
// kernels that cannot be launched.
// REQUIRES: hipcc
// RUN: %exits 1 %unphi lint %s --measure --verbose --target gfx90a --checks=-*,unphi-launch-bounds --export-fixes %t.yaml > %t.txt 2> %t.err
// RUN: grep 'launch-bounds' %t.txt | %FileCheck %s
// CHECK: the 8 waves a SIMD (not blocks) that __launch_bounds__(256, 8) asks for make 'forced' spill; without them: VGPR spills {{[1-9][0-9]*}} -> 0, {{.*}}waves/SIMD 8 -> {{[1-7]}} (gfx90a)
// CHECK: the 2 waves a SIMD in __launch_bounds__(256, 2) do nothing for 'nothing': without them it has the same {{[0-9]+}} VGPRs and 8 waves (gfx90a)
// CHECK: 'roomy' is bound to 1024 threads a block, and this unit launches it with 256 at most. With __launch_bounds__(256): VGPR spills {{[1-9][0-9]*}} -> 0
// CHECK: error: 'clobbers' cannot be launched with its 1024 threads a block: that is 4 waves on a SIMD of {{[0-9]+}} VGPRs each, and a SIMD has 512 (gfx90a)
// CHECK: error: 'beyond' is launched with 512 threads a block, and its bound is 256: such a launch fails (gfx90a)
// CHECK: the 8 waves a SIMD (not blocks) that __launch_bounds__(n, 8) of BOUNDED asks for make 'by_macro' spill; without them: VGPR spills {{[1-9][0-9]*}} -> 0
// CHECK: the 2 waves a SIMD in __launch_bounds__(256, 2) of KERNEL do nothing for 'by_other':
// CHECK: amdgpu_waves_per_eu(8) makes 'by_attribute' spill; without it: VGPR spills {{[1-9][0-9]*}} -> 0
// CHECK-NOT: 'plain'
// CHECK-NOT: 'loose'
// CHECK-NOT: 'twice'
// CHECK-NOT: 'unbounded'
// RUN: grep 'ReplacementText: .*256' %t.yaml
#include <hip/hip_runtime.h>
template <int N> __device__ inline void body(float *p)
{
	float x[N];
#pragma unroll
	for (int i = 0; i < N; i++) x[i] = ((volatile float *)p)[i];
#pragma unroll
	for (int i = 0; i < N; i++) ((volatile float *)p)[i] = x[i] * x[N - 1 - i];
}
#define BOUNDED(n) \
	__launch_bounds__(n, 8)
#define KERNEL __global__ __launch_bounds__(256, 2)
#ifdef SOME
#define TWICE __launch_bounds__(256, 2)
#else
#define TWICE __launch_bounds__(256, 4)
#endif
__global__ void __launch_bounds__(256, 8) forced(float *p) { body<100>(p); }
__global__ void __launch_bounds__(256, 2) nothing(float *p) { body<20>(p); }
__global__ void __launch_bounds__(1024) roomy(float *p) { body<180>(p); }
__global__ void __launch_bounds__(1024) clobbers(float *p) { asm volatile("" ::: "v200"); p[0] = 1; }
// launched with what fits
__global__ void unbounded(float *p) { asm volatile("" ::: "v200"); p[0] = 1; }
__global__ void __launch_bounds__(256) beyond(float *p) { p[threadIdx.x] = 1; }
__global__ void BOUNDED(256) by_macro(float *p) { body<100>(p); }
KERNEL void by_other(float *p) { body<20>(p); }
__global__ void __launch_bounds__(256) __attribute__((amdgpu_waves_per_eu(8))) by_attribute(float *p) { body<100>(p); }
__global__ void __launch_bounds__(256) __attribute__((amdgpu_waves_per_eu(1))) loose(float *p) { body<20>(p); }
__global__ void TWICE twice(float *p) { body<20>(p); } // which of the two is not looked at
__global__ void __launch_bounds__(256) plain(float *p) { body<180>(p); }
int main()
{
	roomy<<<1, 256>>>(nullptr);
	beyond<<<1, 512>>>(nullptr);
	unbounded<<<1, 256>>>(nullptr);
	plain<<<1, 256>>>(nullptr);
}
