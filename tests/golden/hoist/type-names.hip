// A variable in place of an operand has the operand's type, by a name that means it there: not by the name that a
// namespace, a class or another function gives to it, which may mean another type, or none.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist --quiet -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

using index_t = short;
struct place {
	short v;
};

namespace lib
{
using index_t = int;
typedef float f32x2 __attribute__((ext_vector_type(2)));
struct place {
	int v;
};
__device__ inline index_t first(int i) { return i * 40000; }
__device__ inline index_t second(int i) { return i * 40000 + 1; }
__device__ inline f32x2 two(int i) { return f32x2{1, (float)i}; }
__device__ inline f32x2 three(int i) { return f32x2{3, (float)i}; }
__device__ inline place here(int i) { return {i * 40000}; }
__device__ inline place there(int i) { return {i * 50000}; }
__device__ inline int get(place p) { return p.v; }
__device__ inline float get(f32x2 p) { return p[1]; }

// CHECK-LABEL: void inside(
// CHECK: const index_t operand = i < n ? first(i) : second(n);
__device__ inline void inside(float *acc, const float *from, int i, int n)
{
	if (i < n) {
		for (int j = 0; j < 32; j++) {
			acc[j] -= from[first(i) / 30000];
		}
	} else {
		for (int j = 0; j < 32; j++) {
			acc[j] -= from[second(n) / 30000];
		}
	}
}
} // namespace lib

struct tile {
	using index_t = long;
	__device__ index_t first(int i) const { return i * 40000; }
	__device__ index_t second(int i) const { return i * 40000 + 1; }
};

__device__ inline auto near(int i)
{
	using index_t = unsigned;
	return index_t(i);
}

__device__ inline auto far(int i)
{
	using index_t = unsigned;
	return index_t(i) * 3;
}

// CHECK: struct grow_state {
// CHECK-NEXT: int at;
// CHECK-NEXT: };
template <bool First> __device__ inline void grow(float *acc, const float *from, int i)
{
	const auto at = First ? lib::first(i) : lib::second(i);
	for (int j = 0; j < 32; j++) {
		acc[j] -= from[at / 30000];
	}
}

// CHECK-LABEL: void outside(
// CHECK: const int operand = i < n ? lib::first(i) : lib::second(n);
// CHECK: const lib::place {{.*}} = i < n ? lib::here(i) : lib::there(n);
// CHECK: const lib::f32x2 {{.*}} = i < n ? lib::two(i) : lib::three(n);
// CHECK: const long {{.*}} = i < n ? t.first(i) : t.second(n);
// CHECK: const unsigned int {{.*}} = i < n ? near(i) : far(n);
// CHECK: {{^	+}}at_t arm_at;
// CHECK: {{^	+}}int arm_at2;
__global__ void outside(float *p, const float *from, tile t, int n, int m)
{
	using at_t = unsigned char;
	float acc[32];
	for (int j = 0; j < 32; j++) {
		acc[j] = 0;
	}
	for (int i = 0; i < m; i++) {
		lib::inside(acc, from, i, n);
		if (i < n) {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[lib::first(i) / 30000];
			}
		} else {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[lib::second(n) / 30000];
			}
		}
		if (i < n) {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[get(lib::here(i)) / 30000];
			}
		} else {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[get(lib::there(n)) / 30000];
			}
		}
		if (i < n) {
			for (int j = 0; j < 32; j++) {
				acc[j] -= lib::get(lib::two(i));
			}
		} else {
			for (int j = 0; j < 32; j++) {
				acc[j] -= lib::get(lib::three(n));
			}
		}
		if (i < n) {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[t.first(i) / 30000];
			}
		} else {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[t.second(n) / 30000];
			}
		}
		if (i < n) {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[near(i)];
			}
		} else {
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[far(n)];
			}
		}
		if (i < n) {
			at_t at = n;
			at += 3;
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[at];
			}
		} else {
			at_t at = i;
			at *= 3;
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[at];
			}
		}
		if (i < n) {
			auto at = lib::first(i);
			at += 3;
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[at];
			}
		} else {
			auto at = lib::second(i);
			at -= 3;
			for (int j = 0; j < 32; j++) {
				acc[j] -= from[at];
			}
		}
		if (i < n) {
			grow<true>(acc, from, i);
		} else {
			grow<false>(acc, from, i + 1);
		}
	}
	for (int j = 0; j < 32; j++) {
		p[j] = acc[j];
	}
}
