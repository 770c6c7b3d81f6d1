// Overloads and template arguments see what takes a hole as they saw the hole: const, a temporary, or
// neither.
//
// RUN: %unphi rewrite --prefix unphi_ --strategy hoist --threshold 1 --target gfx90a --quiet %s -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi rewrite --prefix unphi_ --strategy hoist:guarded --threshold 1 --target gfx90a %s -o %t.guarded.hip -- -nogpuinc > %t.txt.guarded
// RUN: %FileCheck --check-prefix=ALONG %s < %t.txt.guarded
// RUN: %unphi rewrite --prefix unphi_ --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: %verify %s %t.hip %t.guarded.hip %t.fuse.hip --spec %S/overloads.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -xc "  13 of 13 cases equal" %t.txt | grep -x 3

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ float pick(float &x) { return x + 1.0f; }
__device__ float pick(const float &x) { return x + 2.0f; }

template <class T> struct is {
	static constexpr float value = 8.0f;
};
template <class T> struct is<const T> {
	static constexpr float value = 16.0f;
};
template <class T> __device__ float deduce(T &x) { return x + is<T>::value; }

__device__ float wide(float &x) { return x + 1.0f; }
__device__ float wide(double x) { return (float)x + 2.0f; }

__device__ float any(double x) { return (float)x + 4.0f; }
template <class T> __device__ float any(T &x) { return x + 8.0f; }

struct box {
	float v;
	__device__ box(float &x) : v(x + 64.0f) {}
	__device__ box(double x) : v((float)x + 128.0f) {}
};
__device__ float open(box b) { return b.v; }

__device__ float more(const float &x) { return x + 32.0f; }
__device__ float less(float x) { return x - 5.0f; }

// CHECK-LABEL: void constant
// CHECK: acc[i] += pick(static_cast<const float &>(unphi_x{{[0-9]*}}));
__global__ void constant(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += pick(a);
		} else {
			const float b = less(in[t]);
			for (int i = 0; i < 16; i++) acc[i] += pick(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void deduced
// CHECK: acc[i] += deduce(static_cast<const float &>([[X:unphi_x[0-9]*]]));
__global__ void deduced(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += deduce(a);
		} else {
			const float b = less(in[t]);
			for (int i = 0; i < 16; i++) acc[i] += deduce(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// What may be written through a reference is no hole: the whole call is.
// CHECK-LABEL: void object
// CHECK: const float [[X:unphi_operand[0-9]*]] = in[t] > 0.0f ? pick(a) : pick(b);
// CHECK: acc[i] += [[X]];
__global__ void object(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		float a = in[t] + 3.0f, b = less(in[t]);
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += pick(a);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += pick(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// One that only takes what is const takes a constant, too.
// CHECK-LABEL: void variable
// CHECK: const float [[X:unphi_x[0-9]*]] = in[t] > 0.0f ? a : b;
// CHECK: acc[i] += more([[X]]);
__global__ void variable(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		float a = in[t] + 3.0f, b = less(in[t]);
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += more(a);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += more(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// What is read, and not bound, needs no such care.
// CHECK-LABEL: void read
// CHECK: acc[i] += less(unphi_x{{[0-9]*}}
__global__ void read(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += less(a);
		} else {
			const float b = less(in[t]);
			for (int i = 0; i < 16; i++) acc[i] += less(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// By value, after a conversion: what is not const would be taken by reference.
// CHECK-LABEL: void converted
// CHECK: acc[i] += wide(static_cast<const float &>(
__global__ void converted(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	const float first = in[0];
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += wide(a);
		} else {
			const float b = less(in[t]);
			for (int i = 0; i < 16; i++) acc[i] += wide(b);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// So would a variable in place of what had no name.
// CHECK-LABEL: void temporary
// CHECK: acc[i] += wide(static_cast<float>(
__global__ void temporary(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	const float first = in[0];
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += wide(in[t] + 3.0f);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += wide(less(in[t]));
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Const is not enough then: a template takes that, and no temporary.
// CHECK-LABEL: void nameless
// CHECK: const float [[X:unphi_x[0-9]*]] = in[t] > 0.0f ? in[t] + 3.0f : less(in[t]);
// CHECK: acc[i] += any(static_cast<float>([[X]]));
__global__ void nameless(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	const float first = in[0];
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += any(in[t] + 3.0f);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += any(less(in[t]));
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A constructor is a function, too.
// CHECK-LABEL: void constructed
// CHECK: acc[i] += open(static_cast<float>(
__global__ void constructed(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	const float first = in[0];
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += open(in[t] + 3.0f);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += open(less(in[t]));
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// It may be one of two that are given.
// CHECK-LABEL: void chosen
// CHECK: wide(i > 3 ? static_cast<const float &>(
__global__ void chosen(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	const float first = in[0];
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += wide(i > 3 ? a : first);
		} else {
			const float b = less(in[t]);
			for (int i = 0; i < 16; i++) acc[i] += wide(i > 3 ? b : first);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A const variable does not go along to where the other overload would take its copy, neither by hoist
// nor by fuse.
// ALONG: in along: kept as it is: the arms differ in 'pick(a)', and that 'a' is const may say which function is meant
__global__ void along(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			const float a = in[t] + 3.0f;
			for (int i = 0; i < 16; i++) acc[i] += pick(a);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += pick(less(in[i & 7]));
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A template argument is a temporary in the arms' instances; handed on it would be a constant.
__device__ float flag(const bool &) { return 1.0f; }
__device__ float flag(bool &&) { return 2.0f; }
template <bool P> __device__ void split_flag(f32x4 *acc, float x)
{
	for (int i = 0; i < 16; i++) acc[i] += flag(P) + (P ? x : 3.0f);
}
__global__ void parameter(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			split_flag<true>(acc, in[t]);
		} else {
			split_flag<false>(acc, in[t]);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// What is declared after a template is found by the types of arguments that depend on its own.
struct base {
	float v;
};
struct derived : base {
};
__device__ float norm(const base &b) { return b.v; }
template <bool P> __device__ derived made(float x)
{
	derived d;
	d.v = P ? x : x + 1.0f;
	return d;
}
template <bool P> __device__ void split_norm(f32x4 *acc, float x)
{
	const auto d = made<P>(x);
	for (int i = 0; i < 16; i++) acc[i] += norm(d);
}
__device__ float norm(const derived &b) { return b.v + 256.0f; }
__global__ void later(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			split_norm<true>(acc, in[t]);
		} else {
			split_norm<false>(acc, in[t]);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
