// In a template a variable has the type that the source spells (T), where that may be another in another instantiation.
//
// RUN: %unphi rewrite --prefix unphi_ %s --target gfx90a --strategy hoist:plain -o %t.plain.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --check-prefix PLAIN < %t.plain.hip
// RUN: %unphi rewrite --prefix unphi_ %s --target gfx90a --strategy fuse:plain -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi verify %s %t.plain.hip --spec %S/templates.verify.yaml | grep -x '  28 of 28 cases equal'
// RUN: %unphi verify %s %t.hip --spec %S/templates.verify.yaml | grep -x '  28 of 28 cases equal'

#include <hip/hip_runtime.h>

template <class T> struct tile {
	T v[64];
};

template <class T> __device__ inline void step(tile<T> &t, const T *from, T by)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + from[i % 8]) / by;
	}
}

// An element, a pointer that is moved, a variable that one arm declares.
// PLAIN-LABEL: void moved(
// PLAIN: const T *const unphi_[[FROM:from[0-9]*]] = {{.*}} ? from + i : from;
// PLAIN-NEXT: const T unphi_[[BY:[a-z]+[0-9]*]] = {{.*}} ? by[i] : half;
// PLAIN: step(acc, unphi_[[FROM]], unphi_[[BY]]);
template <class T> __global__ void moved(T *p, int c)
{
	const T *__restrict__ from = p + 8;
	T by[4];
	T const half = p[3] / 2;
	tile<T> acc = {};
	for (int i = 0; i < 4; i++) {
		by[i] = p[i] + 1;
	}
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			step(acc, from + i, by[i]);
		} else {
			step(acc, from, half);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void moved<float>(float *, int);
template __global__ void moved<double>(double *, int);

// What an arm declares is handed over.
// PLAIN-LABEL: void declared(
// PLAIN: int unphi_[[OFFSET:[a-z]+[0-9]*]];
// PLAIN-NEXT: {{^}}		T unphi_[[BY:by[0-9]*]];
// PLAIN: step(acc, p + unphi_[[OFFSET]], unphi_[[BY]]);
// CHECK-LABEL: void declared(
// CHECK: {{^}}			T unphi_[[BY:by[0-9]*]];
// CHECK: step(acc, p + (unphi_{{taken[0-9]*}} ? 8 : 9), unphi_[[BY]]);
template <class T> __global__ void declared(T *p, int c)
{
	tile<T> acc = {};
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			T by = p[i] + 2;
			step(acc, p + 8, by);
		} else {
			const T by = p[i + 1];
			step(acc, p + 9, by);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void declared<float>(float *, int);

// One type in two ways to write it.
// PLAIN-LABEL: void east(
// PLAIN: const T *unphi_[[FROM:from[0-9]*]];
// PLAIN: step(acc, unphi_[[FROM]], p[1]);
// CHECK-LABEL: void east(
template <class T> __global__ void east(T *p, int c)
{
	tile<T> acc = {};
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			T const *from = p + 8;
			step(acc, from, p[1]);
		} else {
			const T *const from = p + 9;
			step(acc, from, p[1]);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void east<float>(float *, int);

// An array that is moved: the pointer to its elements is not spelled anywhere.
// PLAIN-LABEL: void elements(
// PLAIN-NOT: unphi_
// PLAIN: {{^}}}
// CHECK-LABEL: void elements(
template <class T> __global__ void elements(T *p, int c)
{
	tile<T> acc = {};
	T from[12], more[12];
	for (int i = 0; i < 12; i++) {
		from[i] = p[i] + 1;
		more[i] = p[i] + 2;
	}
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			step<T>(acc, from + i, p[1]);
		} else {
			step<T>(acc, more + c % 4, p[2]);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void elements<float>(float *, int);

// A type that an arm declares is not seen before it.
// PLAIN-LABEL: void inside(
// PLAIN-NOT: unphi_
// PLAIN: {{^}}}
// CHECK-LABEL: void inside(
// CHECK-NOT: unphi_
// CHECK: {{^}}}
template <class T> __global__ void inside(T *p, int c)
{
	tile<T> acc = {};
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			using U = T;
			const U by = p[i] + 2;
			step<U>(acc, p + 8, by);
		} else {
			using U = T;
			const U by = p[i + 1];
			step<U>(acc, p + 9, by);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void inside<float>(float *, int);

// T is an array here, and an element's type is not spelled.
// PLAIN-LABEL: void array(
// PLAIN-NOT: unphi_
// PLAIN: {{^}}}
// CHECK-LABEL: void array(
template <class T> __global__ void array(float *p, int c)
{
	tile<float> acc = {};
	T by = {p[0], p[1], p[2], p[3]};
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			step(acc, p + 8, by[i]);
		} else {
			step(acc, p + 8, p[i] + 1);
		}
	}
	p[128 + threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void array<float[4]>(float *, int);
