// Methods of class templates, called for a variable of a template: their parts are methods as well, and the state
// between them is named by decltype.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %FileCheck %s --check-prefix TXT < %t.txt
// RUN: %unphi verify %s %t.hip --spec %S/class-template.verify.yaml | grep -x '  20 of 20 cases equal'

#include <hip/hip_runtime.h>

template <class T, int N> struct gemm {
	const T *from;
	T acc[N], last;

	template <bool Masked> __device__ void tile(int k, int n)
	{
		T x[N / 16];
		for (int i = 0; i < 4; i++) {
			x[i] = from[k + i];
			if constexpr (Masked) {
				x[i] = k + i < n ? x[i] : 0;
			}
		}
		last = x[0];
		for (int i = 0; i < N; i++) {
			acc[i] += x[i % 4] / last;
		}
	}
	// CHECK: struct tile_state {
	// CHECK-NEXT: T x[N / 16];
	// CHECK-NEXT: };
	// CHECK: void tile_narrow(tile_state &
	// CHECK: void tile_wide(tile_state &
	// CHECK: void inside(int n)
	__device__ void inside(int n)
	{
		for (int k = 0; k < 8; k += 4) {
			// CHECK: {{^}}			tile_state [[IN:[a-z0-9]+]];
			// CHECK: this->template tile_narrow<false>([[IN]], k, n);
			// CHECK: this->template tile_narrow<true>([[IN]], k, n);
			// CHECK: this->tile_wide([[IN]]);
			if (k + 4 <= n) {
				this->template tile<false>(k, n);
			} else {
				this->template tile<true>(k, n);
			}
		}
	}
	__device__ T sum() const
	{
		T all = last;
		for (int i = 0; i < N; i++) {
			all += acc[i] / (i + 1);
		}
		return all;
	}
};

// CHECK: void kernel(
template <class T, int N> __global__ void kernel(T *p, int n)
{
	gemm<T, N> g = {p};
	for (int k = 0; k < 8; k += 4) {
		// CHECK: typename decltype(g)::tile_state [[STATE:[a-z0-9]+]];
		// CHECK: g.template tile_narrow<false>([[STATE]], k, n);
		// CHECK: g.template tile_narrow<true>([[STATE]], k, n);
		// CHECK: {{^}}		g.tile_wide([[STATE]]);
		if (k + 4 <= n) {
			g.template tile<false>(k, n);
		} else {
			g.template tile<true>(k, n);
		}
	}
	p[64 + threadIdx.x] = g.sum();
}
template __global__ void kernel<float, 64>(float *, int);

// CHECK: void within(
template <int N> __global__ void within(float *p, int n)
{
	gemm<float, N> g = {p};
	g.inside(n);
	p[64 + threadIdx.x] = g.sum();
}
template __global__ void within<64>(float *, int);

// CHECK: void run(
// CHECK: typename decltype(this->g)::tile_state [[MEMBER:[a-z0-9]+]];
// CHECK: this->g.tile_wide([[MEMBER]]);
template <class T> struct holder {
	gemm<T, 64> g;
	__device__ void run(int n)
	{
		for (int k = 0; k < 8; k += 4) {
			if (k + 4 <= n) {
				this->g.template tile<false>(k, n);
			} else {
				this->g.template tile<true>(k, n);
			}
		}
	}
};

template <class T> __global__ void held(T *p, int n)
{
	holder<T> h;
	h.g = {p};
	h.run(n);
	p[64 + threadIdx.x] = h.g.sum();
}
template __global__ void held<float>(float *, int);

// A base's methods and types are not found by their names alone.
// TXT: {{[0-9]+}} chained VGPRs in derived<float>::run
// TXT-NEXT: hoist: not legal (clause 27): the class of 'tile' (gemm<float, 64>) cannot be written down, or may depend on a template's parameter
template <class T> struct derived : gemm<T, 64> {
	__device__ void run(int n)
	{
		for (int k = 0; k < 8; k += 4) {
			if (k + 4 <= n) {
				this->template tile<false>(k, n);
			} else {
				this->template tile<true>(k, n);
			}
		}
	}
};

template <class T> __global__ void based(T *p, int n)
{
	derived<T> d;
	d.from = p;
	for (int i = 0; i < 64; i++) {
		d.acc[i] = 0;
	}
	d.run(n);
	p[64 + threadIdx.x] = d.sum();
}
template __global__ void based<float>(float *, int);

// decltype of a reference is no class.
// CHECK: void referred(
// CHECK: typename gemm<float, N>::tile_state [[REFERRED:[a-z0-9]+]];
// CHECK: {{^}}		h.tile_wide([[REFERRED]]);
template <int N> __global__ void referred(float *p, int n)
{
	gemm<float, N> g = {p};
	const int rows = n;
	gemm<float, N> &h = g;
	for (int k = 0; k < 8; k += 4) {
		if (k + 4 <= rows) {
			h.template tile<false>(k, n);
		} else {
			h.template tile<true>(k, n);
		}
	}
	p[64 + threadIdx.x] = g.sum();
}
template __global__ void referred<64>(float *, int);

// TXT: 64 chained VGPRs in anything<gemm<float, 64>{{ ?}}>
// TXT-NEXT: hoist: not legal (clause 27): the class of 'tile' (gemm<float, 64>) cannot be written down, or may depend on a template's parameter
template <class G> __global__ void anything(float *p, int n)
{
	G g = {p};
	auto &h = g;
	for (int k = 0; k < 8; k += 4) {
		if (k + 4 <= n) {
			h.template tile<false>(k, n);
		} else {
			h.template tile<true>(k, n);
		}
	}
	p[64 + threadIdx.x] = g.sum();
}
template __global__ void anything<gemm<float, 64>>(float *, int);
