// What overwrites a variable reads nothing of it: the value from before the merge is not carried over it.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep 'crosses this' %t.txt | sed "s/^[^']*hip:\\([0-9]*\\):[^']*/\\1 /; s/ crosses.* arms write it, and/:/; s/ *\\[unphi.*//" | %FileCheck %s --match-full-lines
// RUN: sed '/^\/\/ ---- found/,$d' %s > %t.hip && %unphi lint %t.hip --threshold 16 --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));

template <class T, int N> struct array {
	T v[N];
	__device__ T &operator[](int i) { return v[i]; }
	__device__ void clear()
	{
		for (int i = 0; i < N; ++i) {
			v[i] = T{};
		}
	}
	__device__ array &operator=(const T &x)
	{
		for (auto &e : v) {
			e = x;
		}
		return *this;
	}
};

// An operator[] hands out a place, and reads nothing.
__global__ void by_operator(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a;
	a.clear();
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 8; j++) {
				a[j] = q[j];
			}
		} else {
			a.clear();
		}
		for (int j = 0; j < 8; j++) {
			p[i * 8 + j] = a[j].x;
		}
	}
}

// Nobody takes what the operator= returns.
__global__ void by_assignment(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a;
	a = f32x4{};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			a = q[i];
		} else
			a = f32x4{};
		p[i] = a[1].x;
	}
}

struct tile {
	f32x4 v[8];
	__device__ void fill(f32x4 x)
	{
		for (int i = 0; i < 8; i++) {
			v[i] = x;
		}
	}
	__device__ void zero()
	{
		for (auto &e : v) {
			e = f32x4{};
		}
	}
	__device__ void work(float x)
	{
		for (int i = 0; i < 8; i++) {
			v[i] = v[i] * x;
		}
	}
	__device__ f32x4 &operator[](int i) { return v[i]; }
	__device__ f32x4 operator[](int i) const { return v[i]; }
	__device__ tile &operator=(float x)
	{
		for (int i = 0; i < 8; i++) {
			v[i] = f32x4{x, x, x, x};
		}
		return *this;
	}
};

struct members {
	f32x4 k0, k1, k2, k3, k4, k5, k6, k7;
};

struct state {
	members f;
	f32x4 o[2][4];
	f32x4 m, l;
	__device__ void reset()
	{
		f.k0 = f.k1 = f.k2 = f.k3 = f32x4{};
		f.k4 = f.k5 = f.k6 = f32x4{};
		f.k7 = f32x4{};
		for (int i = 0; i < 2; i++) {
			for (int j = 0; j < 4; j++) {
				this->o[i][j] = f32x4{};
			}
		}
		m = f32x4{};
		l = m;
	}
};

__device__ void use(tile &t, float x) { t.work(x); }

// Each arm begins by overwriting all of it, and then goes on with that.
#define KERNEL(NAME, TYPE, A, B, U)                                                                                    \
	__global__ void NAME(float *p, const f32x4 *q, int n)                                                          \
	{                                                                                                              \
		TYPE t = {}, o = {}, &r = t;                                                                           \
		for (int i = 0; i < n; i++) {                                                                          \
			if (i & 1) {                                                                                   \
				A;                                                                                     \
			} else {                                                                                       \
				B;                                                                                     \
			}                                                                                              \
			p[i] = U;                                                                                      \
		}                                                                                                      \
	}
#define TILE t.v[0].x + r.v[7].y + o.v[1].x
KERNEL(filled, tile, t.fill(q[i]); t.work(2), t.zero(); use(t, 1), TILE)
KERNEL(assigned, tile, t = 2.0f; t.work(2), t = tile{}; use(t, 1), TILE)
KERNEL(copied, tile, t = o; t.work(2), t.zero(); t.work(1); o = t, TILE)
KERNEL(by_index, tile, for (int j = 0; j < 8; j++) { t[j] = q[j]; } t.work(2),
	for (int j = 0; j < 8; j++) { t[j] = q[j]; t[j] += q[i]; } use(t, 1), TILE)
KERNEL(by_bytes, tile, __builtin_memset(&t, 0, sizeof t); t.work(2),
	__builtin_memcpy(t.v, q, sizeof(t.v)); use(t, 1), TILE)
KERNEL(by_reference, tile, for (int j = 0; j < 8; j++) { auto &e = t.v[j]; e = q[j]; } t.work(2),
	for (auto &e : t.v) { e = q[i]; e += q[0]; } use(t, 1), TILE)
KERNEL(by_members, members, t.k0 = q[0]; t.k1 = q[1]; t.k2 = t.k0; t.k3 = q[3]; t.k4 = t.k5 = t.k6 = t.k7 = q[i]; t.k1 += q[9],
	t = members{}; t.k0 += q[2], t.k0.x + t.k5.y + o.k0.x + r.k1.x)
KERNEL(all_but_one, members, t.k0 = t.k1 = t.k2 = t.k3 = t.k4 = t.k5 = t.k6 = q[i]; t.k0 += t.k7,
	t.k0 = t.k1 = q[0]; t.k0 -= t.k7, t.k0.x + t.k7.x + o.k0.x + r.k1.x)
KERNEL(by_constants, tile, t.v[0] = t.v[1] = t.v[2] = t.v[3] = q[i]; t[4] = q[4]; t[5] = t[4]; t[6] = t[7] = q[7]; t.work(1),
	t.zero(); t.work(3), TILE)
KERNEL(in_both_arms, tile, if (n > 3) { t.zero(); } else { t.fill(q[i]); } t.work(2), t.zero(); use(t, 1), TILE)
KERNEL(in_a_turn, tile, do { t.zero(); t.work(2); } while (n < p[i]), t.zero(); use(t, 1), TILE)
KERNEL(of_all_parts, state, t.reset(); t.f.k0 += q[i]; t.o[1][2] += q[i],
	__builtin_memset(&t, 0, sizeof(state)); t.f.k0 -= q[i], t.f.k0.x + t.o[0][1].y + r.m.x + o.m.y)

__global__ void by_lambda(float *p, const f32x4 *q, int n)
{
	f32x4 t[8];
	auto all = [&](auto f) {
		for (int j = 0; j < 8; j++) {
			t[j] = f(j);
		}
	};
	auto one = [&](int j, f32x4 x) { t[j] = x; };
	auto work = [&](float x) {
		for (auto &e : t) {
			e *= x;
		}
	};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			all([&](int j) { return q[j]; });
			work(1);
		} else {
			for (int j = 0; j < 8; j++) {
				one(j, q[i + j]);
			}
			work(2);
		}
		p[i] = t[0].x + t[3].y;
	}
}

// ---- found ----

__device__ float sum(array<f32x4, 8> a) { return a[0].x + a[7].y; }

// CHECK: [[#@LINE+5]] 'a' (array<f32x4, 8>, 32 VGPRs per lane): 2 read the value from before
__global__ void reads_element(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 8; j++) {
				a[j] = a[7 - j];
			}
		} else {
			for (int j = 0; j < 8; j++) {
				a[j] += q[j];
			}
		}
		p[i] = a[1].x;
	}
}

// CHECK-NEXT: [[#@LINE+5]] 'a' (array<f32x4, 8>, 32 VGPRs per lane): 2 read the value from before
__global__ void reads_result(float *p, const f32x4 *q, int n)
{
	array<f32x4, 8> a = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			array<f32x4, 8> old = (a[1] = q[i], a);
			a = old[2];
		} else {
			f32x4 &e = a[2];
			a = e;
		}
		p[i] = sum(a);
	}
}

