// What the source shows of launch bounds: none where blocks are small and registers many, one that is exceeded. Quiet:
// narrow kernels, blocks of any size, bounds by a macro, of a template, of an earlier declaration.
// RUN: %exits 1 %unphi lint %s --target gfx942 --checks=-*,unphi-launch-bounds --verbose > %t.txt
// RUN: grep launch-bounds %t.txt | %FileCheck %s
// CHECK: warning: 'small' is launched with 512 threads a block, and its bound is 128: such a launch fails [unphi-launch-bounds]
// CHECK-NEXT: warning: 'by_api' is launched with 512 threads a block, and its bound is 128
// CHECK-NEXT: warning: 'together<3>' is launched with 256 threads a block, and its bound is 128
// CHECK-NEXT: warning: 'chosen' is launched with 512 threads a block, and its bound is 128
// CHECK-NEXT: note: 'indices<160>' has no launch bounds: the compiler leaves a thread 128 VGPRs, for blocks of 1024 threads, and it takes about 16{{[0-9]}} ({{[0-9]+}} to {{[0-9]+}}), so it spills; its index arithmetic is for blocks of 256 (if no launch has more, use that as the bound) (gfx942)
// CHECK-NEXT: note: 'counts<160>' has no launch bounds: {{.*}} its index arithmetic is for blocks of 128
// CHECK-NEXT: note: 'launched<160>' has no launch bounds: {{.*}} this unit launches it with 256 at most (gfx942)
// CHECK-NEXT: note: 'loose' is bound to 1024 threads a block: the compiler leaves a thread 128 VGPRs, and it takes {{.*}} this unit launches it with 64 at most {{.*}}launch-bounds]
// CHECK-NOT: {{warning|note}}: {{.*}}launch-bounds]
#include <hip/hip_runtime.h>
#define BLOCK 256
#define BOUNDED __launch_bounds__(BLOCK)
constexpr int THREADS = 128;

template <int N> __device__ inline void body(const float *__restrict__ a, float *o, int i, int n)
{
	float v[N];
#pragma unroll
	for (int k = 0; k < N; k++) v[k] = a[i + k * n];
	for (int r = 0; r < n; r++) {
#pragma unroll
		for (int k = 0; k < N; k++) v[k] = v[k] * v[(k * 7 + 3) % N] + 1.f;
	}
#pragma unroll
	for (int k = 0; k < N; k++) o[i + k * n] = v[k];
}

__global__ void __launch_bounds__(THREADS) small(float *o) { o[threadIdx.x] = 1; }
__global__ void __launch_bounds__(THREADS) by_api(float *o) { o[threadIdx.x] = 1; }
template <int N> __global__ void __launch_bounds__(THREADS) together(float *o) { o[threadIdx.x] = N; }
__global__ void __launch_bounds__(THREADS) chosen(float *o) { o[threadIdx.x] = 1; }
template <int N> __global__ void indices(const float *a, float *o, int n)
{
	const int i = blockIdx.x * BLOCK + threadIdx.x;
	body<N>(a, o, i, n);
}
template <int N> __global__ void counts(const float *a, float *o, int n)
{
	float sum[N] = {};
	for (int i = threadIdx.x; i < n; i += THREADS) {
#pragma unroll
		for (int k = 0; k < N; k++) sum[k] += a[i + k];
	}
#pragma unroll
	for (int k = 0; k < N; k++) o[(blockIdx.x * N + k) * THREADS + threadIdx.x] = sum[k];
}
template <int N> __global__ void launched(const float *a, float *o, int n) { body<N>(a, o, threadIdx.y, n); }
__global__ void __launch_bounds__(1024) loose(const float *a, float *o, int n) { body<160>(a, o, threadIdx.x, n); }

// quiet
__global__ void any(const float *a, float *o, int n) { body<160>(a, o, blockIdx.x * blockDim.x + threadIdx.x, n); }
__global__ void unlaunched(const float *a, float *o, int n) { body<160>(a, o, threadIdx.x, n); }
__global__ void varies(const float *a, float *o, int n) { body<160>(a, o, threadIdx.x, n); }
__global__ void full(const float *a, float *o, int n) { body<160>(a, o, blockIdx.x * 1024 + threadIdx.x, n); }
// a lane has several of the 256
__global__ void several(const float *a, float *o, int n)
{
	for (int k = 0; k < 4; k++) body<160>(a, o, blockIdx.x * BLOCK + threadIdx.x + k * 64, n);
}
__global__ void two(const float *a, float *o, int n)
{
	body<160>(a, o, blockIdx.x * 64 + threadIdx.x, n);
	body<160>(a, o, blockIdx.x * BLOCK + threadIdx.x, n);
}
template <int N> __global__ BOUNDED void by_macro(const float *a, float *o, int n)
{
	body<N>(a, o, blockIdx.x * BLOCK + threadIdx.x, n);
}
__global__ void BOUNDED declared(const float *a, float *o, int n);
__global__ void declared(const float *a, float *o, int n) { body<160>(a, o, blockIdx.x * BLOCK + threadIdx.x, n); }
__global__ void __launch_bounds__(512) within(float *o) { o[blockIdx.x * 512 + threadIdx.x] = 1; }
__global__ void narrow(const float *a, float *o, int n) { body<16>(a, o, blockIdx.x * BLOCK + threadIdx.x, n); }

template __global__ void indices<160>(const float *, float *, int);
template __global__ void counts<160>(const float *, float *, int);
template __global__ void by_macro<160>(const float *, float *, int);
void launch(float *p, int n, int t)
{
	const int threads = THREADS * 4;
	const dim3 block(16, 16);
	small<<<n, threads>>>(p);
	small<<<n, n>>>(p); // a launch of unknown size, which does not mend the one before
	launched<160><<<n, block>>>(p, p, n);
	loose<<<n, 64>>>(p, p, n);
	varies<<<n, t>>>(p, p, n);
	within<<<n, 512>>>(p);
	narrow<<<n, 256>>>(p, p, n);
	void *args[] = {&p, &p, &n};
	(void)hipLaunchKernel(reinterpret_cast<const void *>(by_api), dim3(n), dim3(512), args, 0, nullptr);
	(void)hipLaunchCooperativeKernel((void *)together<3>, dim3(n), dim3(2 * THREADS), args, 0, nullptr);
	chosen<<<n, t ? THREADS : 512>>>(p);
	within<<<n, sizeof(int) == 4 ? 512 : 1024>>>(p);
}
