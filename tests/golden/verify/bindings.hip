// Structured bindings name what they are bound to: an accumulator behind one is found, and whatever a
// strategy makes of it leaves the same bits.
//
// RUN: cp %s %t.hip
// RUN: for strategy in hoist fuse split; do \
// RUN:   %unphi rewrite %t.hip --target gfx90a --threshold 16 --strategy $strategy -o %t.$strategy.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs || exit 1; \
// RUN:   cp %t.$strategy.hip %t.hip; \
// RUN: done > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %FileCheck %s --check-prefix=HOIST < %t.hip
// RUN: %unphi verify %s %t.hip --spec %S/Inputs/bindings.verify.yaml | grep -x '  18 of 18 cases equal'
//
// What is read through a binding is the accumulator's, as it stands between the writes.
// CHECK: in mixed: kept as it is: 'p[40] = x[3].x' comes after the code that would move and cannot run before it: 's' is written before it is read
// CHECK: in hides: kept as it is: a structured binding is declared in an arm: 'auto [x, y] = nar{p[k], 2}'
// CHECK: in operands: kept as it is: 'w.s = p[k + 1]' comes after the code that would move and cannot run before it: 'w' is read before it is written
//
// HOIST: void by_ref(
// HOIST: step(x, p[index
// HOIST-NEXT: step(y, p[k + operand

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
struct pair {
	f32x4 a[8];
	f32x4 b[8];
};
struct nar {
	float s;
	int o;
};
__device__ inline void step(f32x4 (&t)[8], float x)
{
	for (int i = 0; i < 8; i++) {
		t[i] = t[i] * x + (float)i;
	}
}

// reference to a struct, arms by name of the binding
__global__ void by_ref(float *p, int n, int c)
{
	pair s = {};
	auto &[x, y] = s;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			step(x, p[k]);
			step(y, p[k + 1]);
		} else {
			step(x, p[k + 2]);
			step(y, p[k + 3]);
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = x[i].x;
		p[i + 8] = s.b[i].y;
	}
}

// one arm by binding, the other by the struct
__global__ void mixed(float *p, int n, int c)
{
	pair s = {};
	auto &[x, y] = s;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			step(s.a, p[k]);
			p[40] = x[3].x;
			step(s.b, p[k + 1]);
		} else {
			step(s.a, p[k]);
			step(s.b, p[k + 1]);
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = s.a[i].x;
		p[i + 8] = s.b[i].y;
	}
}

// the hole reads what the binding wrote
__global__ void hole(float *p, int c)
{
	pair s = {};
	float f[2] = {p[1], p[2]};
	auto &[u, v] = f;
	if (c == 1) {
		u = p[3];
		step(s.a, f[0]);
		v = p[4];
	} else {
		u = p[5];
		step(s.a, f[1]);
		v = p[6];
	}
	for (int i = 0; i < 8; i++) {
		p[i] = s.a[i].x;
	}
	p[20] = u;
	p[21] = v;
}

// a copy: no alias
__global__ void copy(float *p, int c)
{
	pair s = {};
	auto [x, y] = s;
	if (c == 1) {
		step(x, p[1]);
		step(s.a, p[2]);
	} else {
		step(x, p[3]);
		step(s.a, p[4]);
	}
	for (int i = 0; i < 8; i++) {
		p[i] = s.a[i].x;
		p[i + 8] = x[i].x;
	}
}

// lambda
__global__ void lambda(float *p, int n, int c)
{
	pair s = {};
	auto &[x, y] = s;
	auto go = [&](float f) { step(s.a, f); };
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			go(p[k]);
			p[30] = x[0].x;
		} else {
			go(p[k + 1]);
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = x[i].x;
	}
}

// names of an arm's bindings hide the outer ones
__global__ void hides(float *p, int n, int c)
{
	pair s = {};
	float x = 3, y = 4;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			auto [x, y] = nar{p[k], 2};
			for (int i = 0; i < 8; i++) {
				s.a[i] = s.a[i] + x;
				s.b[i] = s.b[i] - (float)y;
			}
		} else {
			for (int i = 0; i < 8; i++) {
				s.a[i] = s.a[i] + x;
				s.b[i] = s.b[i] - (float)y;
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = s.a[i].x;
		p[i + 20] = s.b[i].y;
	}
}

// operands are bindings, written meanwhile
__global__ void operands(float *p, int n, int c)
{
	f32x4 acc[8] = {};
	nar w{1, 2};
	auto &[f, o] = w;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			f = p[k];
			for (int i = 0; i < 8; i++) {
				acc[i] = acc[i] + w.s;
			}
			w.s = p[k + 1];
		} else {
			for (int i = 0; i < 8; i++) {
				acc[i] = acc[i] + f;
			}
			f = p[k + 2] + (float)o;
			o = 5;
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = acc[i].x;
	}
	p[40] = f;
}

// get gives the other one
struct swapped {
	f32x4 p[8], q[8];
	template <int I> __device__ f32x4 (&get())[8]
	{
		if constexpr (I == 0) {
			return q;
		} else {
			return p;
		}
	}
};
namespace std
{
template <class T> struct tuple_size;
template <decltype(sizeof(0)) I, class T> struct tuple_element;
template <> struct tuple_size<swapped> {
	static constexpr int value = 2;
};
template <decltype(sizeof(0)) I> struct tuple_element<I, swapped> {
	using type = f32x4[8];
};
} // namespace std
__global__ void tuple(float *p, int n, int c)
{
	swapped s = {};
	auto &[x, y] = s;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			for (int i = 0; i < 8; i++) {
				x[i] = x[i] + p[k];
			}
			for (int i = 0; i < 8; i++) {
				s.p[i] = s.p[i] + 2.0f;
			}
			p[k + 60] = x[1].x;
		} else {
			for (int i = 0; i < 8; i++) {
				x[i] = x[i] + p[k + 1];
			}
			for (int i = 0; i < 8; i++) {
				s.q[i] = s.q[i] * 3.0f;
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = s.p[i].x;
		p[i + 20] = s.q[i].y;
		p[i + 40] = y[i].x;
	}
}

// bit-fields, bases, vectors
struct bits {
	int a : 5, b : 6;
};
struct based : nar {
};
__global__ void odd(float *p, int n, int c)
{
	f32x4 acc[8] = {};
	bits w{1, 2};
	based d;
	d.s = 2;
	d.o = 1;
	f32x4 v = {1, 2, 3, 4};
	auto &[e, f] = w;
	auto &[s, o] = d;
	auto &[v0, v1, v2, v3] = v;
	for (int k = 0; k < n; k++) {
		if (k + c < 3) {
			e = k;
			s = p[k];
			v0 = p[k];
			for (int i = 0; i < 8; i++) {
				acc[i] = acc[i] + (float)w.a + d.s + v.x;
			}
			w.b = 4;
			v2 = 1;
		} else {
			d.o = 9;
			w.a = 3;
			for (int i = 0; i < 8; i++) {
				acc[i] = acc[i] + (float)e + s + v2;
			}
			f = 4;
			s = 4;
			v.z = 2;
		}
	}
	for (int i = 0; i < 8; i++) {
		p[i] = acc[i].x;
	}
	p[30] = (float)(w.a + w.b + d.o) + d.s;
}

