// Instantiations are analysed, patterns are reported: once, naming the instantiations that are at or
// over the threshold and no others.
//
// RUN: %exits 1 %unphi lint --verbose %s --threshold 64 --target gfx90a -- -nogpuinc -std=c++20 > %t.txt
// RUN: grep -E 'warning:|note: in ' %t.txt | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));

// Called from a kernel.
template <int N, bool Last>
__device__ void step(f32x4 (&acc)[N], const float *p, int c)
{
	// CHECK: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' (f32x4[32], 128 VGPRs per lane) crosses this if/else as 32 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
	// CHECK-NEXT: note: in step<16, false>, step<32, true>
	if (c < (Last ? N : 2)) {
		for (auto &e : acc) e += p[0];
	} else {
		acc[N - 1] -= p[1];
	}
}

__global__ void calls(float *p, int c)
{
	f32x4 a[4] = {}, b[8] = {}, d[16] = {}, e[32] = {};
	step<4, true>(a, p, c);
	step<8, false>(b, p, c);
	step<16, false>(d, p, c);
	step<32, true>(e, p, c);
	p[0] = a[0].x + b[0].x + d[0].x + e[0].x;
}

// Instantiated explicitly.
template <int N>
__global__ void explicitly(float *p, int c)
{
	f32x4 acc[N] = {};
	// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' (f32x4[32], 128 VGPRs per lane) crosses this if/else as 32 phis: {{.*}}
	// CHECK-NEXT: note: in explicitly<32>
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e -= 1;
	}
	p[0] = acc[1].x;
}
template __global__ void explicitly<8>(float *, int);
template __global__ void explicitly<32>(float *p, int c);

// Only launched, or named as a value.
struct dim3 {
	unsigned x, y, z;
	__attribute__((host, device)) dim3(unsigned n) : x(n), y(1), z(1) {}
};
extern "C" int hipConfigureCall(dim3, dim3, unsigned long = 0, void * = 0);
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, void * = 0);
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);

template <typename T, int N>
__global__ void launched(T *p, int c)
{
	T acc[N] = {};
	// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' (double[32], 64 VGPRs per lane) crosses this if/else as 32 phis: {{.*}}
	// CHECK-NEXT: note: in launched<double, 32>
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e -= 1;
	}
	p[0] = acc[1];
}

template <int N>
__global__ void named(float *p, int c)
{
	float acc[N] = {};
	// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: {{.*}}
	// CHECK-NEXT: note: in named<64>
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e -= 1;
	}
	p[0] = acc[1];
}

void (*few)(float *, int) = named<32>;
void (*many)(float *, int) = &named<64>;

void launch(float *p, double *q)
{
	launched<float, 32><<<1, 64>>>(p, 1);
	launched<double, 32><<<1, 64>>>(q, 1);
}

// Members of class templates, and what they call.
template <typename T, int M>
struct gemm {
	T acc[M];
	template <int K>
	__device__ static void body(T (&v)[M], int c)
	{
		// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:3: warning: 'v' ({{.*}}[16]{{.*}}, 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
		// CHECK-NEXT: note: in gemm<{{.*}}, 16>::body
		if (c > K) {
			for (auto &e : v) e += 1;
		} else {
			for (auto &e : v) e -= 1;
		}
	}
};

namespace outer {
namespace {
__global__ void members(float *p, int c)
{
	f32x4 small[2] = {}, wide[16] = {};
	gemm<f32x4, 2>::body<3>(small, c);
	gemm<f32x4, 16>::body<3>(wide, c);
	p[0] = small[0].x + wide[0].x;
}
} // namespace
} // namespace outer

// Abbreviated templates and concepts.
template <typename T>
concept number = sizeof(T) > 1;

__device__ void abbreviated(number auto &acc, int c)
{
	// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' ({{.*}}64{{.*}}, 64 VGPRs per lane) crosses this if/else as 64 phis: {{.*}}
	// CHECK-NEXT: note: in abbreviated<{{.*}}>
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e -= 1;
	}
}

__global__ void abbreviations(float *p, int c)
{
	float few[8] = {}, many[64] = {};
	abbreviated(few, c);
	abbreviated(many, c);
	p[0] = few[1] + many[1];
}

// More than six are counted.
template <int K>
__device__ void often(float (&acc)[64], int c)
{
	// CHECK-NEXT: {{.*}}:[[#@LINE+2]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: {{.*}}
	// CHECK-NEXT: note: in often<0>, often<1>, often<2>, often<3>, often<4>, often<5> and 2 more
	if (c > K) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e -= 1;
	}
	if constexpr (K < 7) {
		often<K + 1>(acc, c);
	}
}

__global__ void recursion(float *p, int c)
{
	float acc[64] = {};
	often<0>(acc, c);
	p[0] = acc[1];
}

// CHECK-NOT: {{.}}
