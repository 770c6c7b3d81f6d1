// Shapes that public kernels have: what is found in them, and what looks like a finding and is none.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc -std=c++17 > %t.txt
// RUN: grep -E 'warning:|note: in ' %t.txt | sed 's/ crosses.*/ crosses/' | %FileCheck %s --match-full-lines
// RUN: grep ' is .* of ' %t.txt | %FileCheck %s --check-prefix=WHOSE
// RUN: sed -n '/in everywhere/,/warning:/p' %t.txt | %FileCheck %s --check-prefix=WHERE
// RUN: sed '/^\/\/ ---- found/,$d' %s > %t.hip && %unphi lint --verbose %t.hip --target gfx90a -- -nogpuinc -std=c++17 | cmp - /dev/null
// RUN: %unphi lint --verbose %root/tests/golden/measured/Inputs/tails.hip --target gfx90a --checks=-unphi-divergent-matrix -- -nogpuinc -std=c++17 | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ void add(float (&v)[64], float x)
{
	for (float &e : v) {
		e += x;
	}
}

// LDS reached through a parameter.
__device__ void stage(float *tile, float (&also)[64], const float *p, int c)
{
	if (c) {
		for (int i = 0; i < 64; i++) {
			tile[i] += p[i];
			also[i] += p[i];
		}
	} else {
		for (int i = 0; i < 64; i++) {
			tile[i] -= p[i];
			also[i] -= p[i];
		}
	}
}
__global__ void shared_memory(float *p, int c)
{
	__shared__ float tile[64], also[64];
	for (int k = 0; k < 4; k++) {
		stage(tile, also, p, c + k);
	}
	p[0] = tile[1] + also[1];
}

// A struct that the kernel is given, read by reference.
struct params {
	float scale[64];
	float *to;
};
__device__ float pick(const params &s, int c)
{
	if (c) {
		return s.scale[c];
	} else {
		return s.scale[0] + s.scale[1];
	}
}
__global__ void by_reference(params s, int c)
{
	s.to[0] = pick(s, c);
}

// An object that each arm makes holds the reference.
struct picker {
	const params &s;
	__device__ float at(int c) const { return s.scale[c]; }
};
__global__ void by_held_reference(params s, int c)
{
	float sum = 0;
	for (int k = 0; k < 4; k++) {
		if (c) {
			sum += picker{s}.at(k);
		} else {
			const picker first{s};
			sum -= first.at(0);
		}
	}
	*s.to = sum;
}

// Host code.
void host(float (&acc)[64], int c)
{
	if (c) {
		acc[3] += 1;
	} else {
		acc[0] -= 1;
	}
}

// A rescale in one arm, as in online softmax.
__global__ void rescale(float *p, int n)
{
	float acc[64] = {};
	float most = 0;
	for (int k = 0; k < n; k++) {
		if (p[k] > most) {
			for (float &e : acc) {
				e *= most / p[k];
			}
			most = p[k];
		}
		add(acc, p[k]);
	}
	p[0] = acc[1];
}

// Out of the loop before the compute, by its only exit: the accumulator meets nothing (early-exit.hip has others).
__global__ void early_exit(float *p, int n, int c)
{
	float acc[64] = {};
	for (int k = 0;; k++) {
		if (k >= n) {
			break;
		}
		add(acc, p[k]);
	}
	p[0] = acc[1];
}

// A tail tile behind the main loop: an if of one arm, which no rewrite of ours betters (doc/shapes.md).
__global__ void tail_tile(float *p, int n)
{
	float acc[64] = {};
	int k = 0;
	for (; k + 4 <= n; k += 4) {
		add(acc, p[k]);
	}
	if (k < n) {
		add(acc, p[k] + 1);
	}
	p[0] = acc[1];
}

// A pointer to one of many accumulators: the function touches no more than that one.
__device__ void one(float *at, float x, int c)
{
	if (c) {
		*at += x;
	} else {
		at[0] -= x;
	}
}
__global__ void one_by_one(float *p, int c)
{
	float acc[64] = {};
	for (int i = 0; i < 64; i++) {
		one(&acc[i], p[i], c);
	}
	p[0] = acc[1];
}

// A span over LDS, over memory of the device.
template <class T> struct span {
	T *at;
	int n;
	__device__ span(T *a, int m) : at(a), n(m) {}
	__device__ T &operator[](int i) const { return at[i]; }
};
__device__ void elsewhere(span<float> s, const float *p, int c)
{
	if (c) {
		for (int i = 0; i < s.n; i++) {
			s[i] += p[i];
		}
	} else {
		for (int i = 0; i < s.n; i++) {
			s[i] -= p[i];
		}
	}
}
__global__ void spans_elsewhere(float *p, float *q, int c)
{
	__shared__ float tile[64];
	elsewhere(span<float>(tile, 64), p, c);
	elsewhere(span<float>(q, 64), p, c);
	p[0] = tile[1];
}

// ---- found ----

// By a pointer that two kernels hand over.
// CHECK: {{.*}}:[[#@LINE+5]]:2: warning: '*acc' (f32x4[24], 96 VGPRs per lane) crosses
// CHECK-NEXT: note: in by_pointer
// WHOSE: note: '*acc' is 'small' (f32x4[16]) of pointing, 'large' (f32x4[24]) of pointing_too
__device__ void by_pointer(f32x4 acc[16], const float *p, int n, int c)
{
	if (c) {
		for (int i = 0; i < n; i++) {
			acc[i] += p[i];
		}
	} else {
		for (int i = 0; i < n; i++) {
			acc[i] -= p[i];
		}
	}
}
__global__ void pointing(float *p, int c)
{
	f32x4 small[16] = {};
	by_pointer(small, p, 16, c);
	p[0] = small[3].x;
}
__global__ void pointing_too(float *p, int c)
{
	f32x4 large[24] = {};
	by_pointer(large, p, 24, c);
	p[0] = large[3].x;
}

// By a span, here and in a function that is given it.
// CHECK-NEXT: {{.*}}:[[#@LINE+4]]:2: warning: '*s' (f32x4[16], 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in by_span
__device__ void by_span(const span<f32x4> &s, const float *p, int c)
{
	if (c) {
		for (int i = 0; i < s.n; i++) {
			s[i] += p[i];
		}
	} else {
		s[3] = -s[4];
	}
}
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:2: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in spanned
__global__ void spanned(float *p, int c)
{
	f32x4 acc[16] = {};
	span<f32x4> s(acc, 16);
	by_span(s, p, c);
	if (c == 3) {
		s[3] += p[3];
	} else {
		s[3] -= p[4];
	}
	p[0] = acc[3].x;
}

// Siblings in the tail of a k loop that call one lambda.
// CHECK-NEXT: {{.*}}:[[#@LINE+11]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in siblings
__global__ void siblings(float *p, int n)
{
	float acc[64] = {};
	auto step = [&](int k, auto wide) {
		for (int i = 0; i < 64; i++) {
			acc[i] += p[k * 64 + i] * decltype(wide)(2);
		}
	};
	for (int k = 0; k < n; k++) {
		if (n - k > 4) {
			step(k, 1.0f);
		} else if (n - k > 2) {
			step(k, 1);
		} else if (n - k > 1) {
			step(0, 1.0f);
		}
	}
	p[0] = acc[1];
}

// The compute they share stands at the start, in the middle, at the end.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in everywhere
// WHERE: note: hoist applies
__global__ void everywhere(float *__restrict__ out, const float *__restrict__ p, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (n - k > 4) {
			add(acc, p[k]);
			out[k] = p[k];
			out[k + 1] = 2;
		} else if (n - k > 2) {
			out[k] = 1;
			add(acc, p[k + 1]);
			out[k + 1] = p[k];
		} else {
			out[k + 1] = 3;
			add(acc, p[k + 2]);
		}
	}
	out[0] = acc[1];
}

// A struct with operators, reached by reference.
// CHECK-NEXT: {{.*}}:[[#@LINE+17]]:3: warning: 't' ({{.*}}tile{{.*}}, 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in accumulate
struct tile {
	f32x4 v[16];
	__device__ f32x4 &operator[](int i) { return v[i]; }
	__device__ tile &operator+=(float x)
	{
		for (int i = 0; i < 16; i++) {
			v[i] += x;
		}
		return *this;
	}
};
__device__ void accumulate(tile &t, const float *p, int n)
{
	for (int k = 0; k < n; k++) {
		const bool edge = k + 1 == n;
		if (!edge) {
			t += p[k];
		} else {
			for (int i = 0; i < 16; i++) {
				t[i] -= p[k + i];
			}
		}
	}
}
__global__ void operators(float *p, int n)
{
	tile t = {};
	accumulate(t, p, n);
	p[0] = t[3].x;
}

// By pointers into it.
// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses
// CHECK-NEXT: note: in pointed
__global__ void pointed(float *p, int c)
{
	f32x4 acc[16] = {};
	if (c) {
		for (f32x4 *at = acc; at < acc + 16; at++) {
			*at += p[1];
		}
	} else {
		f32x4 *const half = acc + 8;
		for (int i = 0; i < 8; i++) {
			half[i] -= p[2];
			half[i - 8] -= p[3];
		}
	}
	p[0] = acc[3].x;
}

// Unrolled by hand.
#define EACH(X)                                                                                    \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: warning: 'acc{{[0-9]+}}' (f32x4, 4 VGPRs per lane (64 with the others)) crosses
// CHECK-NEXT: note: in unrolled
__global__ void unrolled(float *p, int n)
{
#define DECLARE(i) f32x4 acc##i = {};
#define ADD(i) acc##i += p[k + i];
#define SUB(i) acc##i -= p[i];
	EACH(DECLARE)
	for (int k = 0; k < n; k++) {
		if (k < 3) {
			EACH(ADD)
		} else {
			EACH(SUB)
		}
	}
#define STORE(i) p[i] = acc##i.x;
	EACH(STORE)
}

// A member function counts its calls, and gives an element that is written.
struct counted {
	float v[64];
	int calls;
	__device__ float &at(int i)
	{
		++calls;
		return v[i];
	}
};
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (counted, 65 VGPRs per lane) crosses
// CHECK-NEXT: note: in counts
__global__ void counts(float *p, int c)
{
	counted acc = {};
	for (int k = 0; k < 4; k++) {
		if (p[k] < c) {
			for (int i = 0; i < 64; i++) {
				acc.at(i) += p[i];
			}
		} else {
			for (int i = 0; i < 64; i++) {
				acc.at(i) *= p[i];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		p[i] = acc.at(i) + acc.calls;
	}
}
// CHECK-NOT: warning:
