// Functors, however they are called: as one, by operator(), as what each call makes anew; methods of other instances of
// one class template in other arms, whose state stands in front of the class, and whose arguments that differ become
// members of it. A ?: whose value nobody takes becomes an if, where a strategy gains by that.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: %FileCheck %s < %t.hip
// RUN: %verify %s %t.hip --spec %S/functors.verify.yaml | grep -x '  14 of 14 cases equal'

#include <hip/hip_runtime.h>

struct tile {
	int v[64];
};

// CHECK: struct Loads {
struct Loads {
	template <bool Masked> __device__ void operator()(tile &t, const int *p, int k) const
	{
		// CHECK: const LoadsState state = LoadsNarrow<Masked>(p, k);
		// CHECK-NEXT: LoadsWide(state, t, p);
		const int s = Masked && k > 3 ? 0 : p[k];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * p[i];
		}
	}
	// CHECK: template <bool Masked> __device__ LoadsState LoadsNarrow(const int *p, int k) const
	// CHECK: __device__ void LoadsWide(const LoadsState &state, tile &t, const int *p) const
};

// CHECK-LABEL: void by_name(
// CHECK: Loads::LoadsState state;
// CHECK: state = op.template LoadsNarrow<false>(p, k);
// CHECK: state = op.template LoadsNarrow<true>(p, k);
// CHECK: op.LoadsWide(state, acc, p);
__global__ void by_name(int *out, const int *p, int c)
{
	tile acc = {};
	const Loads op;
	for (int k = 0; k < 8; k++) {
		if (c > k) {
			op.template operator()<false>(acc, p, k);
		} else {
			op.template operator()<true>(acc, p, k);
		}
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}

namespace gemm {

// CHECK: namespace gemm {
// CHECK: struct BlockwiseState {
// CHECK-NEXT: int s;
// CHECK-NEXT: bool Masked;
// CHECK-NEXT: };
// CHECK: // One for whole tiles
// One for whole tiles, one for those at the end.
template <bool Masked, int Step = 1>
struct Blockwise {
	static constexpr int size = 64;

	// CHECK: __device__ void operator()(
	// CHECK: const BlockwiseState state = BlockwiseNarrow(p, k);
	// CHECK-NEXT: BlockwiseWide(state, t, p);
	// CHECK: if (state.Masked) {
	__device__ void operator()(tile &t, const int *p, int k) const
	{
		const int s = Masked && k > 3 ? 0 : p[k];
		for (int i = 0; i < size; i++) {
			if constexpr (Masked) {
				t.v[i] += s;
			}
			t.v[i] += s * p[i];
		}
	}

	// CHECK: static __device__ RunState RunNarrow(const int *p, int k)
	static __device__ void Run(tile &t, const int *p, int k)
	{
		const int s = Masked ? p[k] : p[k + Step];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * p[i];
		}
	}
};

} // namespace gemm

// CHECK-LABEL: void made(
// CHECK: ::gemm::BlockwiseState state;
// CHECK: state = gemm::Blockwise<false>{}.BlockwiseNarrow(p, k);
// CHECK: state = gemm::Blockwise<true>{}.BlockwiseNarrow(p, k);
// CHECK: gemm::Blockwise<false>{}.BlockwiseWide(state, acc, p);
__global__ void made(int *out, const int *p, int c)
{
	tile acc = {};
	for (int k = 0; k < 8; k++) {
		if (c > k) {
			gemm::Blockwise<false>{}(acc, p, k);
		} else {
			gemm::Blockwise<true>{}(acc, p, k);
		}
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK-LABEL: void objects(
// CHECK: state = whole.BlockwiseNarrow(p, k);
// CHECK: state = edge.BlockwiseNarrow(p, k);
// CHECK: whole.BlockwiseWide(state, acc, p);
__global__ void objects(int *out, const int *p, int c)
{
	tile acc = {};
	gemm::Blockwise<false> whole;
	gemm::Blockwise<true> edge;
	for (int k = 0; k < 8; k++) {
		if (c > k) {
			whole(acc, p, k);
		} else {
			edge(acc, p, k);
		}
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK-LABEL: void statics(
// CHECK: ::gemm::RunState state;
// CHECK: state = gemm::Blockwise<false>::RunNarrow(p, k);
// CHECK: state = gemm::Blockwise<true, 2>::RunNarrow(p, k);
// CHECK: gemm::Blockwise<false>::RunWide(state, acc, p);
__global__ void statics(int *out, const int *p, int c)
{
	tile acc = {};
	for (int k = 0; k < 8; k++) {
		if (c > k) {
			gemm::Blockwise<false>::Run(acc, p, k);
		} else {
			gemm::Blockwise<true, 2>::Run(acc, p, k);
		}
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}

// An object that the call makes of the same values, which are there behind the arms as well.
struct whole_tile {
	__device__ int at(const int *p, int k) const { return p[k]; }
};

struct masked_tile {
	int end;
	__device__ int at(const int *p, int k) const { return k < end ? p[k] : 0; }
};

struct mma {
	int alpha;
	template <class Load> __device__ void operator()(tile &t, const Load &load, const int *p, int k) const
	{
		const int s = load.at(p, k);
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * alpha;
		}
	}
};

// CHECK-LABEL: void in_template(
// CHECK: typename decltype(mma{alpha})::mma_state state;
// CHECK: state = mma{alpha}.mma_narrow(whole_tile{}, p, k);
// CHECK: state = mma{alpha}.mma_narrow(masked_tile{N}, p, k + 1);
// CHECK: mma{alpha}.mma_wide(state, acc);
template <int N> __global__ void in_template(int *out, const int *p, int c)
{
	tile acc = {};
	const int alpha = p[3];
	for (int k = 0; k < 8; k++) {
		if (c > k) {
			mma{alpha}(acc, whole_tile{}, p, k);
		} else {
			mma{alpha}(acc, masked_tile{N}, p, k + 1);
		}
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}
template __global__ void in_template<5>(int *, const int *, int);

// CHECK-LABEL: void question(
// CHECK: if (c > k) {
// CHECK-NEXT: state = op.LoadsNarrow<true>(p, k);
// CHECK-NEXT: } else {
// CHECK-NEXT: state = op.LoadsNarrow<false>(p, k + 1);
// CHECK-NEXT: }
// CHECK-NEXT: op.LoadsWide(state, acc, p);
__global__ void question(int *out, const int *p, int c)
{
	tile acc = {};
	Loads op;
	for (int k = 0; k < 8; k++) {
		(void)(c > k ? op.operator()<true>(acc, p, k) : op.operator()<false>(acc, p, k + 1));
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}

// Two steps of a chain.
// CHECK-LABEL: void chain(
// CHECK: if (c > k) {
// CHECK: } else if (c > k - 2) {
// CHECK: } else {
// CHECK: op.LoadsWide(state, acc, p);
__global__ void chain(int *out, const int *p, int c)
{
	tile acc = {};
	Loads op;
	for (int k = 0; k < 8; k++) {
		c > k       ? op.operator()<true>(acc, p, k)
		: c > k - 2 ? op.operator()<false>(acc, p, k)
			    : op.operator()<true>(acc, p, 2 * k);
	}
	out[threadIdx.x] = acc.v[threadIdx.x];
}
