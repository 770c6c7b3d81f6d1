// Calls through constant pointers to functions are calls of what these point to, as far as that is
// certain: the getters below give step_a or step_b where they are read rightly, and quiet else.
//
// RUN: %exits 1 %unphi lint %s --target gfx942 -- -nogpuinc -std=c++17 > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %exits 0 %unphi rewrite %s --target gfx942 --strategy sequentialize --quiet -o %t.hip -- -nogpuinc -std=c++17
// RUN: %FileCheck %s --check-prefix=TEXT < %t.hip

#define __device__ __attribute__((device))
#define KERNEL __attribute__((global, amdgpu_flat_work_group_size(1, 256)))

constexpr int N = 64;
enum kind { A, B, C };
using step_t = void (*)(float (&)[N], const float *, int, float);

template <int D> __device__ void step_a(float (&acc)[N], const float *p, int k, float c)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = acc[i] * c + p[k * D + i];
	}
}
template <int D> __device__ void step_b(float (&acc)[N], const float *p, int k, float c)
{
	for (int i = 0; i < N; ++i) {
		acc[i] += c * p[k * D + i];
	}
}
__device__ void quiet(float (&acc)[N], const float *p, int k, float c) {}

template <kind K, int D> constexpr __device__ step_t get()
{
	if constexpr (K == A) {
		return step_a<D>;
	} else if constexpr (K == B) {
		return &step_b<D>;
	} else {
		return nullptr;
	}
}
constexpr __device__ step_t pick(kind k)
{
	switch (k) {
	case C: return quiet;
	case B:
	case A: return k == A ? step_a<2> : step_b<2>;
	default: return nullptr;
	}
}
struct steps {
	int rate;
	step_t first, second;
	constexpr __attribute__((host)) __device__ steps(int rate, step_t a, step_t b) : rate(rate), first(b), second(a) {}
};
template <kind K> constexpr __device__ steps both()
{
	if (K != C) {
		switch (K) {
		case A: return steps(1, quiet, step_b<3>);
		default: return steps(2, step_a<4>, quiet);
		}
	}
	return steps(0, nullptr, nullptr);
}

// not known: a parameter that changes, that is another number than its argument, or that is read
// through a reference
constexpr __device__ step_t changed(int k) { k += 1; return k == 1 ? step_a<1> : quiet; }
constexpr __device__ step_t narrow(unsigned char k) { return k == 44 ? step_a<1> : quiet; }
constexpr __device__ step_t behind(int k) { int &r = k; r = 7; return k == 7 ? step_b<1> : quiet; }

#define BODY(COND, FIRST, SECOND) \
	float acc[N]; \
	const int lane = __builtin_amdgcn_workitem_id_x(); \
	for (int i = 0; i < N; ++i) { acc[i] = out[i * 256 + lane]; } \
	for (int k = 0; k < n; ++k) { \
		if (COND) { FIRST(acc, p + lane, k, c); } else { SECOND(acc, p + lane, k, c + 1); } \
	} \
	for (int i = 0; i < N; ++i) { out[i * 256 + lane] = acc[i]; }

// CHECK: [[@LINE+15]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else
// CHECK: arms<0, 1> takes about {{[0-9]+}} VGPRs ({{[0-9]+}} to {{[0-9]+}}), registers for {{.*}}about 64 VGPRs are second copies
// TEXT: {{^		}}const bool taken = k < m;
// TEXT: {{^		}}__builtin_amdgcn_wave_barrier();
// TEXT: {{^			}}two(acc, p + lane, k, c + 1);
template <kind K, kind L> KERNEL void arms(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = get<K, 64>();
	const auto &two = pick(L);
	float acc[N];
	const int lane = __builtin_amdgcn_workitem_id_x();
	for (int i = 0; i < N; ++i) {
		acc[i] = out[i * 256 + lane];
	}
	for (int k = 0; k < n; ++k) {
		if (k < m) {
			one(acc, p + lane, k, c);
		} else {
			two(acc, p + lane, k, c + 1);
		}
	}
	for (int i = 0; i < N; ++i) {
		out[i * 256 + lane] = acc[i];
	}
}
template KERNEL void arms<A, B>(float *, const float *, int, int, float);

// CHECK: [[@LINE+6]]:{{[0-9]+}}: warning: 'acc'
// CHECK: member<0> takes about
template <kind K> KERNEL void member(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = both<K>().first;
	const step_t &two = both<B>().second;
	BODY(k < m, one, two)
}
template KERNEL void member<A>(float *, const float *, int, int, float);

// what it points to writes nothing
// CHECK-NOT: in_one_arm
KERNEL void in_one_arm(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = pick(C);
	BODY(k < m, step_a<3>, one)
}

// unknown code may do anything
// CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: 'acc'
// CHECK-NOT: takes about
KERNEL void not_known(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = changed(0);
	BODY(k < m, step_a<3>, one)
}
// CHECK: [[@LINE+4]]:{{[0-9]+}}: warning: 'acc'
KERNEL void not_the_same(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = narrow(300);
	BODY(k < m, step_a<3>, one)
}
// CHECK: [[@LINE+4]]:{{[0-9]+}}: warning: 'acc'
KERNEL void referred(float *out, const float *p, int n, int m, float c)
{
	constexpr step_t one = behind(0);
	BODY(k < m, step_a<3>, one)
}
// CHECK: [[@LINE+4]]:{{[0-9]+}}: warning: 'acc'
KERNEL void at_run_time(float *out, const float *p, int n, int m, float c)
{
	const step_t one = m > 3 ? step_b<1> : quiet;
	BODY(k < m, step_a<3>, one)
}
