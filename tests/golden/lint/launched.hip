// Whoever launches it, an instantiation is analysed: host code that is a template itself, or that
// another library calls, has no call of it that libclang shows. One that is missed could have an
// operation of its own, and the rewrite would be right for the others only.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 -- -nogpuinc -std=c++20 > %t.txt
// RUN: grep -E 'warning:|note: in |unknown' %t.txt | %FileCheck %s
// RUN: %exits 1 %unphi lint --verbose --no-cache %s --target gfx942 -- -nogpuinc -std=c++20 > %t.whole
// RUN: cmp %t.txt %t.whole
// RUN: %exits 1 %unphi lint %s --format json --target gfx942 -- -nogpuinc -std=c++20 > %t.json
// RUN: %FileCheck %s --check-prefix=JSON < %t.json
// RUN: %exits 0 %unphi rewrite --verbose --strategy hoist --target gfx942 -o %t.hip %s -- -nogpuinc -std=c++20 > %t.txt
// RUN: %FileCheck %s --check-prefix=FORCED < %t.txt

#include <variant>

#include "Inputs/launcher.h"

#define MERGE                                                                                      \
	f32x4 acc[N] = {};                                                                         \
	for (int t = 0; t < c; t++) {                                                              \
		if (t & 1) {                                                                       \
			for (auto &e : acc) e += p[t];                                             \
		} else {                                                                           \
			for (auto &e : acc) e -= p[t];                                             \
		}                                                                                  \
	}                                                                                          \
	p[0] = acc[1].x

// JSON: "kernels": [
// JSON: "name": "tagged<32, true>",
// JSON-NEXT: "symbol": "_Z6taggedILi32ELb1EEvPfi"
// JSON: "name": "tagged<32, false>",
// JSON-NEXT: "symbol": "_Z6taggedILi32ELb0EEvPfi"
// CHECK: launcher.h:18:3: warning: 'acc' ({{.*}}[32]
// CHECK-NEXT: note: in of_header<32>, of_header<24>
// CHECK-NOT: unknown
// A generic lambda, called with a tag by another one.
// CHECK: {{.*}}:[[#@LINE+2]]:{{[0-9]+}}: warning: 'acc' ({{.*}}[32]
// CHECK-NEXT: note: in tagged<32, true>, tagged<32, false>
template <int N, bool> __global__ void tagged(float *p, int c) { MERGE; }

template <bool B> struct tag {
	static constexpr bool value = B;
};

void run_tagged(float *p, bool b)
{
	auto launch = [&](auto t) { tagged<32, decltype(t)::value><<<1, 64>>>(p, 3); };
	auto choose = [&](auto which) { b ? which(tag<true>{}) : which(tag<false>{}); };
	choose(launch);
}

// A member template of a launcher, and a constructor.
// CHECK: {{.*}}:[[#@LINE+2]]:{{[0-9]+}}: warning: 'acc' ({{.*}}[24]
// CHECK-NEXT: note: in of_member<24>, of_member<16>
template <int N> __global__ void of_member(float *p, int c) { MERGE; }

struct launcher {
	template <int N> void go(float *p) { of_member<N><<<1, 64>>>(p, 3); }
	template <class T> launcher(T, float *p) { of_member<T::count><<<1, 64>>>(p, 3); }
};
struct count16 {
	enum { count = 16 };
};

void run_members(float *p) { launcher(count16{}, p).go<24>(p); }

// A virtual member of a class template, which only its table names.
// CHECK: {{.*}}:[[#@LINE+2]]:{{[0-9]+}}: warning: 'acc' ({{.*}}[32]
// CHECK-NEXT: note: in of_virtual<32>
template <int N> __global__ void of_virtual(float *p, int c) { MERGE; }

struct any_run {
	virtual void go(float *) = 0;
};
template <int N> struct run_of : any_run {
	void go(float *p) override { of_virtual<N><<<1, 64>>>(p, 3); }
};

any_run *make() { return new run_of<32>; }

// What a library calls.
// CHECK: {{.*}}:[[#@LINE+2]]:{{[0-9]+}}: warning: 'acc' ({{.*}}[32]
// CHECK-NEXT: note: in visited<32, double>, visited<32, float>
template <int N, class> __global__ void visited(float *p, int c) { MERGE; }

void run_visited(float *p)
{
	std::variant<float, double> v = 1.f;
	std::visit([&](auto t) { visited<32, decltype(t)><<<1, 64>>>(p, 3); }, v);
}

// hoist would be right for the first of the two.
__device__ int counter;
struct plain {
	__device__ static int next() { return 1; }
};
struct counts {
	__device__ static int next() { return counter++; }
};

// CHECK: {{.*}}:[[#@LINE+9]]:3: warning: 'acc' ({{.*}}[32]
// CHECK-NEXT: note: in mixed<plain>, mixed<counts>
// FORCED: :[[#@LINE+7]]:3: 128 chained VGPRs in mixed<plain> (kernels: mixed<plain>, mixed<counts>): kept as it is:
// FORCED-NEXT: hoist: not legal (clause 15): in mixed<counts> for gfx942: 'counter = 7' comes after the code that would move
template <class T>
__global__ void mixed(float *p, int c)
{
	f32x4 acc[32] = {};
	for (int t = 0; t < c; t++) {
		if (t & 1) {
			for (auto &e : acc) e += (float)T::next();
			counter = 7;
		} else {
			for (auto &e : acc) e += (float)T::next();
		}
	}
	p[0] = acc[1].x;
}

void run_mixed(float *p)
{
	std::variant<float, double> v = 1.f;
	mixed<plain><<<1, 64>>>(p, 3);
	std::visit([&](auto) { mixed<counts><<<1, 64>>>(p, 3); }, v);
}
