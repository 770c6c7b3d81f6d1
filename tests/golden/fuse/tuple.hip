// The names of a binding that std::get takes apart have no declarations that could be told apart or
// taken along: refused, and the merges beside it are rewritten (tests/exec/unread.sh has the same
// file where the clause is switched off).
//
// RUN: %unphi rewrite --verbose --strategy fuse --target gfx90a %s -o %t.hip -- -nogpuinc -std=c++17 > %t.said
// RUN: %FileCheck %s < %t.said
// RUN: %unphi rewrite --verbose --strategy hoist --target gfx90a %s -o %t.hip -- -nogpuinc -std=c++17 > %t.said
// RUN: %FileCheck --check-prefix=HOIST %s < %t.said

// CHECK: 64 chained VGPRs in before
// CHECK-NEXT: fuse (plain): kept
// CHECK: fuse: not legal (clause 6): a structured binding is declared in an arm: 'auto [x, y] = p'
// CHECK: fuse: not legal (clause 6): a structured binding is declared in an arm: 'auto &[x, y] = p'
// CHECK: 64 chained VGPRs in behind
// CHECK-NEXT: fuse (plain): kept
// HOIST: hoist: not legal (clause 8): a structured binding is declared in an arm: 'auto [x, y] = p'
namespace std {
using size_t = unsigned long;
template <class T> struct tuple_size;
template <size_t I, class T> struct tuple_element;
}
#define __device__ __attribute__((device))
struct pair_of {
	int a, b;
	template <std::size_t I> __device__ int get() const { return I ? b : a; }
};
template <> struct std::tuple_size<pair_of> { static constexpr std::size_t value = 2; };
template <std::size_t I> struct std::tuple_element<I, pair_of> { using type = int; };
__attribute__((global)) void before(float *out, const float *b, int n)
{
	float acc[64] = {};
	for (int q = 0; q < 100; q++) {
		if (__builtin_amdgcn_workgroup_id_x() & 1) {
			pair_of p{q, 3}; const int x = p.a, y = p.b;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		} else {
			pair_of p{q + 1, 3}; const int x = p.a, y = p.b;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}
__attribute__((global)) void values(float *out, const float *b, int n)
{
	float acc[64] = {};
	for (int q = 0; q < 100; q++) {
		if (__builtin_amdgcn_workgroup_id_x() & 1) {
			pair_of p{q, 3}; auto [x, y] = p;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		} else {
			pair_of p{q + 1, 3}; auto [x, y] = p;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}
__attribute__((global)) void references(float *out, const float *b, int n)
{
	float acc[64] = {};
	for (int q = 0; q < 100; q++) {
		if (__builtin_amdgcn_workgroup_id_x() & 1) {
			pair_of p{q, 3}; auto &[x, y] = p;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		} else {
			pair_of p{q + 1, 3}; auto &[x, y] = p;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}
__attribute__((global)) void behind(float *out, const float *b, int n)
{
	float acc[64] = {};
	for (int q = 0; q < 100; q++) {
		if (__builtin_amdgcn_workgroup_id_x() & 1) {
			pair_of p{q, 3}; const int x = p.a, y = p.b;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		} else {
			pair_of p{q + 1, 3}; const int x = p.a, y = p.b;
			for (int i = 0; i < 64; i++) {
				acc[i] += b[i + x + y];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}
