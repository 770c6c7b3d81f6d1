// Overloads and template arguments see what takes a hole as they saw the hole: const or not.
//
// RUN: %unphi rewrite --strategy hoist --threshold 1 --target gfx90a --quiet %s -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi verify %s %t.hip --spec %S/overloads.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -x "  5 of 5 cases equal" %t.txt

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

__device__ float more(const float &x) { return x + 32.0f; }
__device__ float less(float x) { return x - 5.0f; }

// CHECK-LABEL: void constant
// CHECK: acc[i] += pick(static_cast<const decltype(unphi_x) &>(unphi_x));
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
// CHECK: acc[i] += deduce(static_cast<const decltype([[X:unphi_x[0-9]*]]) &>([[X]]));
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
// CHECK: acc[i] += less(unphi_x
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
