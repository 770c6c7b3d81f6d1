// What overwrites a variable reads nothing of it: the value from before the merge is not carried over it.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep 'crosses this' %t.txt | sed "s/^[^']*hip:\\([0-9]*\\):[^']*/\\1 /; s/ crosses.* arms write it, and/:/; s/ *\\[unphi.*//" | %FileCheck %s --match-full-lines
// RUN: sed '/^\/\/ ---- found/,$d' %s > %t.hip && %unphi lint %t.hip --threshold 16 --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));

template <class T, int N> struct array {
	T v[N];
	__device__ T &operator[](int i) { return v[i]; }
	__device__ void clear()
	{
		for (int i = 0; i < N; ++i) {
			v[i] = T{};
		}
	}
	__device__ array &operator=(const T &x)
	{
		for (auto &e : v) {
			e = x;
		}
		return *this;
	}
};

// An operator[] hands out a place, and reads nothing.
__global__ void by_operator(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a;
	a.clear();
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 8; j++) {
				a[j] = q[j];
			}
		} else {
			a.clear();
		}
		for (int j = 0; j < 8; j++) {
			p[i * 8 + j] = a[j].x;
		}
	}
}

// Nobody takes what the operator= returns.
__global__ void by_assignment(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a;
	a = f32x4{};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			a = q[i];
		} else
			a = f32x4{};
		p[i] = a[1].x;
	}
}

// ---- found ----

__device__ float sum(array<f32x4, 8> a) { return a[0].x + a[7].y; }

// CHECK: [[#@LINE+5]] 'a' (array<f32x4, 8>, 32 VGPRs per lane): 2 read the value from before
__global__ void reads_element(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 8; j++) {
				a[j] = a[7 - j];
			}
		} else {
			for (int j = 0; j < 8; j++) {
				a[j] += q[j];
			}
		}
		p[i] = a[1].x;
	}
}

// CHECK-NEXT: [[#@LINE+5]] 'a' (array<f32x4, 8>, 32 VGPRs per lane): 2 read the value from before
__global__ void reads_result(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			array<f32x4, 8> old = (a[1] = q[i], a);
			a = old[2];
		} else {
			f32x4 &e = a[2];
			a = e;
		}
		p[i] = sum(a);
	}
}

