// Macros: what stands in an invocation's argument is an operand like any other; what a macro's body
// holds is compared by its value.
//
// RUN: %unphi rewrite --prefix unphi_ --strategy hoist --threshold 1 --target gfx90a %s -o %t.hip -- -nogpuinc > %t.said
// RUN: %FileCheck %s < %t.hip
// RUN: %FileCheck --check-prefix=SAID %s < %t.said
// RUN: %unphi rewrite --prefix unphi_ --strategy hoist:guarded --threshold 1 --target gfx90a --quiet %s -o %t.guarded.hip -- -nogpuinc
// RUN: %unphi rewrite --prefix unphi_ --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: %FileCheck --check-prefix=FUSE %s < %t.fuse.hip
// RUN: %unphi rewrite --prefix unphi_ --strategy sequentialize --threshold 1 --target gfx90a --quiet %s -o %t.seq.hip -- -nogpuinc
// RUN: %verify %s %t.hip %t.guarded.hip %t.fuse.hip %t.seq.hip --spec %S/macros.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -xc "  14 of 14 cases equal" %t.txt | grep -x 4

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x2 __attribute__((ext_vector_type(2)));

#define STEP(c, a, b) c = step(a, b, c)
#define TAIL(c, a, b) c = step(a, 2.0f, c) + b
#define INNER(a, b, c) step(a, b, (c))
#define OUTER(a, b, c) INNER(b, a, c)
#define BARE(c, a, b) c = c + a - b * 0.5f
#define BOTH(c, a) c = step(a, 1.0f, c); c = step(1.0f, a, c)
#define PAIR(x, y) x += 1.0f; y += 2
#define LESS(a, b) a - b
#define SAY(c, a) c = step(a, length(#a), c)
#define OWN(c, a) { float t = 4.0f; c = step(a, t, c); }
#define ONE 1.0f
#define TWO 2.0f
#define FIRST(v) ((v).x)
#define LAST(v) v.y

__device__ f32x4 step(float a, float b, f32x4 c)
{
	return c * 0.5f + (a - b);
}
__device__ float length(const char *text)
{
	float n = 0;
	while (*text++) {
		n += 1.0f;
	}
	return n;
}

// CHECK-LABEL: void statement
// CHECK: const float unphi_[[A:[a-z]+]] = {{.*}} ? s : t;
// CHECK-NEXT: for (int i = 0; i < 16; i++) STEP(acc[i], unphi_[[A]], in[i & 7]);
__global__ void statement(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			for (int i = 0; i < 16; i++) STEP(acc[i], s, in[i & 7]);
		else
			for (int i = 0; i < 16; i++) STEP(acc[i], t, in[i & 7]);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The last token is the argument's.
// CHECK-LABEL: void ending
// CHECK: const float unphi_[[B:[a-z0-9]+]] = {{.*}} ? s : t;
// CHECK-NEXT: for (int i = 0; i < 16; i++) TAIL(acc[i], in[i & 7], unphi_[[B]]);
__global__ void ending(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) TAIL(acc[i], in[i & 7], s);
		} else {
			for (int i = 0; i < 16; i++) TAIL(acc[i], in[i & 7], t);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void expression
// CHECK: const float unphi_[[A:[a-z0-9]+]] = {{.*}} ? -s : t;
// CHECK: acc[i] = OUTER(in[i & 7], unphi_[[A]], acc[i]);
__global__ void expression(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { acc[i] = OUTER(in[i & 7], -s, acc[i]); }
		} else {
			for (int i = 0; i < 16; i++) { acc[i] = OUTER(in[i & 7], t, acc[i]); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Named twice by the macro: one text, replaced once.
// CHECK-LABEL: void twice
// CHECK: BOTH(acc[i], unphi_[[A:[a-z0-9]+]]);
// CHECK-NOT: unphi_[[A]]unphi
__global__ void twice(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { BOTH(acc[i], s); }
		} else {
			for (int i = 0; i < 16; i++) { BOTH(acc[i], t); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// No parentheses in the macro: a choice in the argument's place brings its own.
// FUSE-LABEL: void bare
// FUSE: BARE(acc[i], 1.0f, (unphi_taken{{[0-9]*}} ? s : t));
__global__ void bare(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { BARE(acc[i], 1.0f, s); }
		} else {
			for (int i = 0; i < 16; i++) { BARE(acc[i], 1.0f, t); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// `s - 1.0f - in[k]` of the one arm is no operand of the other.
// CHECK-LABEL: void torn
// CHECK: acc[i] = step(LESS(s - 1.0f, in[k]), 1.0f, acc[i])
__global__ void torn(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { acc[i] = step(LESS(s - 1.0f, in[k]), 1.0f, acc[i]); }
		} else {
			for (int i = 0; i < 16; i++) { acc[i] = step(LESS(1.0f, t - in[k]), 1.0f, acc[i]); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Two arguments are no operand, however near they stand.
// CHECK-LABEL: void near
// CHECK: LESS(unphi_{{[a-z0-9]*}},unphi_{{[a-z0-9]*}})
__global__ void near(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { acc[i] = step((float)(LESS(n,k)), 1.0f, acc[i]); }
		} else {
			for (int i = 0; i < 16; i++) { acc[i] = step((float)(LESS(k,n)), 1.0f, acc[i]); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The second statement of the macro is behind the if.
// SAID: in shared: kept as it is: {{.*}}macro
// CHECK-LABEL: void shared
// CHECK: for (int i = 0; i < 16; i++) PAIR(acc[i], z);
__global__ void shared(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	int z = 0;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { acc[i] += 1.0f; }
		} else
			for (int i = 0; i < 16; i++) PAIR(acc[i], z);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + (float)z;
}

// The argument's text is more than an operand here.
// SAID: in spoken: kept as it is: the arms differ where they write the accumulator: 'SAY(acc[i], s)' against 'SAY(acc[i], longer)'
// CHECK-LABEL: void spoken
// CHECK: SAY(acc[i], longer)
__global__ void spoken(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, longer = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) { SAY(acc[i], s); }
		} else {
			for (int i = 0; i < 16; i++) { SAY(acc[i], longer); }
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// In the macro, t is another.
// CHECK-LABEL: void captured
// CHECK: OWN(acc[i], t)
__global__ void captured(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) OWN(acc[i], s)
		} else {
			for (int i = 0; i < 16; i++) OWN(acc[i], t)
		}
		out[16] += t;
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

__device__ void two(f32x4 *acc, float s, float t)
{
	for (int i = 0; i < 16; i++) {
		acc[i] = step(s, t, acc[i]);
	}
}

// Not one operand: the macros have other values.
// CHECK-LABEL: void constants
// CHECK: two(acc, unphi_s{{[0-9]*}}, unphi_t{{[0-9]*}});
__global__ void constants(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			two(acc, s - ONE, s - TWO);
		} else {
			two(acc, t + 1.0f, t + 1.0f);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Nor are two elements of a vector, by a macro or by an arrow.
// CHECK-LABEL: void elements
// CHECK: two(acc, unphi_s{{[0-9]*}}, unphi_t{{[0-9]*}});
__global__ void elements(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		f32x2 v = {in[k], in[k] + 2.0f};
		float t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			two(acc, 0.5f + FIRST(v), 0.5f + LAST(v));
		} else {
			two(acc, t + 1.0f, t + 1.0f);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
// CHECK-LABEL: void arrow
// CHECK: ? v->x : t;
// CHECK: ? (v + 1)->y : t;
__global__ void arrow(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	f32x2 v[2] = {};
	for (int k = 0; k < n; k++) {
		v->x = in[k];
		(v + 1)->y = in[k] + 2.0f;
		float t = in[k] - 1.0f;
		if (in[k] > 0.0f) {
			two(acc, v->x + 0.5f, (v + 1)->y + 0.5f);
		} else {
			two(acc, t + 1.0f, t + 1.0f);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + v[0].y;
}

// A cast's type that is written with constants.
template <int N> struct number {
	int v;
};
template <int N> __device__ inline float half(number<N> n, float x)
{
	return N * x + n.v;
}
#define TYPED(c, a, last)                                                                          \
	do {                                                                                       \
		c = step(half(number<2>{7}, a), 2.0f, c);                                          \
		if (last) {                                                                        \
			tries += static_cast<number<3>>(number<3>{1}).v;                           \
		}                                                                                  \
	} while (0)
// CHECK-LABEL: void typed
// CHECK: TYPED(acc[i], in[k], unphi_operand{{[0-9]*}});
// FUSE-LABEL: void typed
// FUSE: TYPED(acc[i], in[k], (unphi_taken{{[0-9]*}} ? 1 : 0));
__global__ void typed(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	int tries = 0;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			for (int i = 0; i < 16; i++) TYPED(acc[i], in[k], 1);
		} else {
			for (int i = 0; i < 16; i++) TYPED(acc[i], in[k], 0);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + (float)tries;
}
