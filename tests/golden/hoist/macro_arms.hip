// Arms without braces that are a macro's invocation: kept or moved as a whole where they are one
// statement, and where nothing else is in the macro.
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy hoist:plain --threshold 1 --target gfx90a %s -o %t.hoist.hip -- -nogpuinc > %t.said
// RUN: grep -v '^//' %t.hoist.hip | %FileCheck %s
// RUN: %FileCheck --check-prefix=SAID %s < %t.said
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy sequentialize:selector --threshold 1 --target gfx90a --quiet %s -o %t.seq.hip -- -nogpuinc
// RUN: grep -v '^//' %t.seq.hip | %FileCheck --check-prefix=SEQ %s
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy "split:two loops" --threshold 1 --target gfx90a --quiet %s -o %t.split.hip -- -nogpuinc
// RUN: grep -v '^//' %t.split.hip | %FileCheck --check-prefix=SPLIT %s
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: %verify %s %t.hoist.hip %t.seq.hip %t.split.hip %t.fuse.hip --spec %S/macro_arms.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -xc "  18 of 18 cases equal" %t.txt | grep -x 4

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ f32x4 step(float a, float b, f32x4 c)
{
	return c * 0.5f + (a - b);
}
__device__ void all(f32x4 *acc, float a, float b)
{
	for (int i = 0; i < 16; i++) {
		acc[i] = step(a, b, acc[i]);
	}
}

#define CALL(v) all(acc, v, 1.0f)
#define OWN(v) do { float doubled = (v) * 2.0f; all(acc, doubled, 1.0f); } while (0)
#define BLOCK(v) { float doubled = (v) * 2.0f; all(acc, doubled, 1.0f); }
#define LOOP(v) for (int i = 0; i < 16; i++) acc[i] = step(v, 1.0f, acc[i])
#define UNROLLED(v) _Pragma("unroll") LOOP(v)
#define SEMI(v) all(acc, v, 1.0f);
#define VALUE(v) step(v, 1.0f, acc[0])
#define TWO(v) all(acc, v, 1.0f); all(acc, 2.0f, v)
#define HALF(v) if ((v) > 0.5f) all(acc, v, 1.0f)
#define ELSE(v) all(acc, v, 1.0f); else
#define OPEN(v) { all(acc, v, 1.0f);
#define CLOSE(v) all(acc, v, 1.0f); }
#define CLOSE_VALUE(v) step(v, 1.0f, acc[0]); }
#define PRAGMA(v) all(acc, v, 1.0f); _Pragma("unroll")

// CHECK-LABEL: void call(
// CHECK: const float unphi_[[A:[a-z0-9]+]] = {{.*}} ? s : t;
// CHECK-NEXT: CALL(unphi_[[A]]);
// SEQ-LABEL: void call(
// SEQ: if (unphi_[[A:[a-z0-9]+]]) {
// SEQ-NEXT: CALL(s);
// SEQ-NEXT: {{[}]}}
__global__ void call(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			CALL(s);
		else
			CALL(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A statement of its own.
// CHECK-LABEL: void own(
// CHECK: OWN(unphi_{{[a-z0-9]+}});
// SPLIT-LABEL: void own(
// SPLIT: OWN(t);
// SPLIT: OWN(s);
__global__ void own(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (k > 3)
			OWN(s);
		else
			OWN(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A block; the last of them with a semicolon behind it.
// CHECK-LABEL: void block(
// CHECK: BLOCK(unphi_{{[a-z0-9]+}});
__global__ void block(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (k > 3)
			BLOCK(s)
		else
			BLOCK(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The semicolon is that of the body.
// CHECK-LABEL: void loop(
// CHECK: LOOP(unphi_{{[a-z0-9]+}});
__global__ void loop(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (k > 3)
			LOOP(s);
		else
			LOOP(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void semi(
// CHECK: SEMI(unphi_{{[a-z0-9]+}})
__global__ void semi(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			SEMI(s)
		else
			SEMI(t)
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Only its end is a macro's.
// CHECK-LABEL: void value(
// CHECK: acc[k & 15] = VALUE(unphi_{{[a-z0-9]+}});
__global__ void value(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			acc[k & 15] = VALUE(s);
		else
			acc[k & 15] = VALUE(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// A pragma goes along with its loop.
// CHECK-LABEL: void pragma(
// CHECK: UNROLLED(unphi_{{[a-z0-9]+}});
__global__ void pragma(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			UNROLLED(s);
		else
			UNROLLED(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void nest(
// CHECK: CALL(unphi_{{[a-z0-9]+}});
__global__ void nest(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (n > 2)
			if (in[k] > 0.0f)
				CALL(s);
			else
				CALL(t);
		else
			CALL(2.0f);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// No tail in common, and yet three arms.
// CHECK-LABEL: void chain(
// CHECK: else if
// SEQ-LABEL: void chain(
// SEQ: OWN(2.0f);
// SEQ-NEXT: {{[}]}}
__global__ void chain(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 3.0f)
			CALL(s);
		else if (in[k] > 0.0f)
			OWN(2.0f);
		else
			CALL(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void labels(
// SEQ-LABEL: void labels(
// SEQ: BLOCK(s)
__global__ void labels(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		switch (n & 3) {
		case 0: BLOCK(s) break;
		case 2: CALL(t); break;
		default: OWN(2.0f); break;
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The second statement of the macro is behind the if.
// CHECK-LABEL: void two(
// SAID: in two: kept as it is: {{.*}}macro
// CHECK: else
// CHECK-NEXT: TWO(t);
__global__ void two(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			CALL(s);
		else
			TWO(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Here, behind two loops.
// CHECK-LABEL: void two_looped(
// SAID: in two_looped: kept as it is: {{.*}}macro
__global__ void two_looped(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		for (int j = 0; j < 2; j++)
		if (in[k] > 0.0f)
			CALL(s);
		else
			for (int i = 0; i < 2; i++)
				TWO(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The else is the inner if's.
// CHECK-LABEL: void bound(
// SAID: in bound: kept as it is
// SEQ-LABEL: void bound(
// SEQ: HALF(s);
// SEQ-NEXT: else
__global__ void bound(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			HALF(s);
		else
			HALF(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void with_else(
// SAID: in with_else: kept as it is: {{.*}}macro
// SEQ-LABEL: void with_else(
// SEQ: ELSE(s)
__global__ void with_else(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			ELSE(s)
			CALL(t);
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void opens(
// SAID: in opens: kept as it is: {{.*}}macro
__global__ void opens(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			OPEN(s) }
		else
			OPEN(t) }
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void closes(
// SAID: in closes: kept as it is: {{.*}}macro
__global__ void closes(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		{ if (in[k] > 0.0f)
			CALL(s);
		else
			CLOSE(t)
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void closes_value(
// SAID: in closes_value: kept as it is: {{.*}}macro
__global__ void closes_value(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		{ if (in[k] > 0.0f)
			acc[k & 15] = VALUE(s);
		else
			acc[k & 15] = CLOSE_VALUE(t)
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// The pragma is for the loop behind the if.
// CHECK-LABEL: void announces(
// SAID: in announces: kept as it is: {{.*}}macro
__global__ void announces(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		float s = in[k] + 1.0f, t = in[k] - 1.0f;
		if (in[k] > 0.0f)
			CALL(s);
		else
			PRAGMA(t)
		for (int i = 0; i < 16; i++) acc[i] *= 2.0f;
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
