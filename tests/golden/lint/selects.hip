// Accumulator writes that become selects: an if or ?: for each element, on what each lane has of its own.
// No copy of the accumulator meets another one there (doc/shapes.md has what they cost).
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: .acc. \(|note: in ' %t.txt | sed 's/ crosses.*//' | %FileCheck %s --match-full-lines
// RUN: sed '/^\/\/ ---- found/,$d' %s > %t.hip && %unphi lint --verbose %t.hip --threshold 64 --target gfx90a -- -nogpuinc | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define LANE (int)__builtin_amdgcn_workitem_id_x()

typedef float f32x4 __attribute__((ext_vector_type(4)));

__global__ void masked(float *p, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			acc[i] = k + i <= LANE ? acc[i] * p[k] : acc[i] - 10000.0f;
		}
	}
	p[0] = acc[1];
}

__device__ void rows(f32x4 (&acc)[4][8], const float *p, int n, int row, int column)
{
	for (int i = 0; i < 4; i++) {
		const bool inside = row + i < n;
		for (int j = 0; j < 8; j++) {
			if (inside && column + j < n) {
				acc[i][j] += p[i];
			} else {
				acc[i][j].x -= p[j];
			}
		}
		if (inside) {
			acc[i][0] += p[i];
		} else {
			for (int j = 0; j < 8; j++) {
				acc[i][j] = p[j];
			}
		}
	}
}
__global__ void tiles(float *p, int n)
{
	f32x4 acc[4][8] = {};
	for (int k = 0; k < n; k++) {
		rows(acc, p + k, n, LANE / 16, LANE % 16);
	}
	p[0] = acc[1][1].x;
}

struct tile {
	float v[64];
};
__global__ void by_value(float *p, int n)
{
	tile t = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; ++i) {
			if (t.v[i] > p[i]) {
				t.v[i] = p[k];
			} else {
				t.v[i] += p[k];
			}
		}
		for (float &e : t.v) {
			e = e > p[k] ? e - 1 : e + p[k];
		}
	}
	p[0] = t.v[1];
}

template <class T, int N> struct array {
	T v[N];
	__device__ T &operator[](int i)
	{
		return v[i];
	}
};

// An operator[] that is a subscript.
__global__ void by_operator(float *p, int n)
{
	array<float, 64> acc = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			if (LANE + i < n) {
				acc[i] = p[k + i];
			} else {
				acc[i] = 0;
			}
		}
	}
	p[0] = acc[1];
}

// All lanes take the same arm, but a turn has done with its element when it ends: one is live.
__global__ void turns(float *p, const float *q, int n, int first)
{
	float v[64];
	for (int k = 0; k < n; k++) {
		float most = 0;
		for (int i = 0; i < 64; i++) {
			v[i] = q[k * 64 + i];
			if (first == 1) {
				v[i] *= p[k];
			} else {
				v[i] = v[i] * 0.5f + p[k + 1];
			}
			most += v[i] * v[i];
		}
		p[k] = most;
	}
}

// Arms that are whole loops, on constants: each loop begins with these anew.
template <bool TAIL> __device__ void panels(float (&acc)[64], const float *p, int n)
{
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			acc[i] += p[k + i] * (!TAIL || k + LANE < n ? p[k + LANE] : 0.f);
		}
	}
}
__global__ void tails(float *p, int n)
{
	float acc[64];
	for (int i = 0; i < 64; i++) {
		acc[i] = 0.f;
	}
	if (n % 8 == 0) {
		panels<false>(acc, p, n);
	} else {
		panels<false>(acc, p, n / 8 * 8);
		panels<true>(acc, p + n / 8 * 8, n % 8);
	}
	for (int i = 0; i < 64; i++) {
		p[i * 64 + LANE] = acc[i];
	}
}

template <int N> struct number {
	__device__ constexpr operator int() const { return N; }
};
template <int I, int N, class F> __device__ void for_each(F f)
{
	if constexpr (I < N) {
		f(number<I>{});
		for_each<I + 1, N>(f);
	}
}
struct buffer { // that gives references to its elements
	f32x4 data[16];
	template <int I> __device__ float &operator()(number<I>)
	{
		return reinterpret_cast<float *>(&data[I / 4])[I % 4];
	}
};
struct scaled {
	float by;
	__device__ void operator()(float &y, const float &x) const { y = x * by; }
};
__global__ void by_reference(float *p, int n, scaled op)
{
	buffer acc = {};
	for (int k = 0; k < n; k++) {
		for_each<0, 64>([&](auto i) { acc(i) += p[k + i]; });
		for_each<0, 64>([&](auto i) {
			if (k + i <= LANE) {
				acc(i) = -1000;
			} else {
				op(acc(i), acc(i));
			}
		});
	}
	for_each<0, 64>([&](auto i) { p[i] = acc(i); });
}

// ---- found ----

// All lanes take the same arm: a branch is better.
// CHECK: {{.*}}:[[#@LINE+7]]:4: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in uniform
__global__ void uniform(float *p, int n, int row)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			if (k + i <= row) {
				acc[i] *= p[k];
			} else {
				acc[i] -= p[k + 1];
			}
		}
	}
	p[0] = acc[1];
}

// What a turn makes is read behind the loop; or, of the turn before of the loop around, in it.
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: warning: 'v' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in turns_kept
// CHECK-NEXT: {{.*}}:[[#@LINE+21]]:4: warning: 'w' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in turns_kept
__global__ void turns_kept(float *p, const float *q, int n, int first)
{
	float v[64], w[64];
	for (int i = 0; i < 64; i++) {
		v[i] = q[i];
		if (first == 1) {
			v[i] *= p[i];
		} else {
			v[i] = v[i] * 0.5f + p[i + 1];
		}
	}
	for (int i = 0; i < 64; i++) {
		p[i] = v[i];
	}
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			if (k == 0) {
				w[i] = q[i];
			}
			if (first == 1) {
				w[i] *= p[k];
			} else {
				w[i] = w[i] * 0.5f + p[k + 1];
			}
			p[i] += w[i];
		}
	}
}

// More of it than the element; but lanes part.
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: note: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in others
// CHECK-NEXT: {{.*}}:[[#@LINE+12]]:3: note: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in others
__global__ void others(float *p, int n)
{
	float acc[64] = {};
	float *at = acc;
	for (int i = 0; i < 32; i++) {
		if (p[i] > LANE) {
			acc[i] += acc[i + 32];
		} else {
			acc[i] -= p[i];
		}
		if (p[i] > LANE + 1) {
			acc[i] += 1;
			*at++ = 3;
		} else {
			acc[i] -= p[i];
		}
	}
	p[0] = acc[1];
}

// Arms that are loops, on values that are no constants, or more than once.
// CHECK-NEXT: {{.*}}:[[#@LINE+10]]:2: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in primed
// CHECK-NEXT: {{.*}}:[[#@LINE+21]]:3: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in around
__global__ void primed(float *p, int n)
{
	float acc[64] = {};
	for (int i = 0; i < 64; i++) {
		acc[i] = p[i * 64 + LANE];
	}
	if (n % 8 == 0) {
		panels<false>(acc, p, n);
	} else {
		panels<true>(acc, p, n);
	}
	for (int i = 0; i < 64; i++) {
		p[i * 64 + LANE] = acc[i];
	}
}
__global__ void around(float *p, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (k % 8 == 0) {
			panels<false>(acc, p, n);
		} else {
			panels<true>(acc, p, n);
		}
	}
	for (int i = 0; i < 64; i++) {
		p[i * 64 + LANE] = acc[i];
	}
}
// CHECK-NOT: warning:
