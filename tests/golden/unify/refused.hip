// Each kernel violates one clause of unify: the report names it, and not a byte changes.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy unify -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

template <bool P> __device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : -x;
	}
}

template <bool P> __device__ inline void shift(tile &t, int x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : -x;
	}
}

template <bool P> struct stepper {
	int by;
	__device__ void one(int &x) const
	{
		x += P ? by : -by;
	}
	__device__ void all(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] += P ? by : -by;
		}
	}
};
template <bool P> __device__ inline int starts(int x)
{
	return P ? x : -x;
}

__device__ constexpr int known(int n)
{
	return __builtin_is_constant_evaluated() ? n : -n;
}

// CHECK: 65 chained VGPRs in reordered
// CHECK-NEXT: unify: not legal (clause 4): a call of an arm may change what a condition reads, which one after it needs
__device__ inline void count_down(int &left)
{
	left -= 1;
}
__global__ void reordered(float *p, int c)
{
	tile acc = {};
	int left = c;
	if (left > 0) {
		count_down(left);
		shift<true>(acc, c);
	} else {
		count_down(left);
		shift<false>(acc, c + 1);
	}
	p[0] = acc.v[c] + left;
}

// CHECK: 65 chained VGPRs in remade
// CHECK-NEXT: unify: not legal (clause 3): the arms make objects with other values, or in an unusual way
__global__ void remade(float *p, int c)
{
	tile acc = {};
	int by = c + 1;
	if (c) {
		stepper<true> s{by};
		s.one(by);
		s.all(acc);
	} else {
		stepper<false> s{by};
		s.one(by);
		s.all(acc);
	}
	p[0] = acc.v[c] + by;
}

// CHECK: 65 chained VGPRs in together
// CHECK-NEXT: unify: not legal (clause 9): 'x = __builtin_amdgcn_ds_bpermute(4 * (x ^ 1), x)' holds a cross-lane operation, and the condition is not proved uniform: 'threadIdx' may differ between lanes
__global__ void together(float *p, int c)
{
	tile acc = {};
	int x = threadIdx.x;
	if (threadIdx.x < 3) {
		shift<true>(acc, c);
		x = __builtin_amdgcn_ds_bpermute(4 * (x ^ 1), x);
		shift<true>(acc, c + 1);
	} else {
		shift<false>(acc, c);
		x = __builtin_amdgcn_ds_bpermute(4 * (x ^ 1), x);
		shift<false>(acc, c + 1);
	}
	p[threadIdx.x] = acc.v[c] + x;
}

// CHECK: 64 chained VGPRs in more
// CHECK-NEXT: unify: not legal (clause 1): an arm does more, or less, than to call a function
// MUTATE structural: there is no one call
__global__ void more(float *p, int c)
{
	tile acc = {};
	if (c) {
		add<true>(acc, 1);
		p[2] = 1;
	} else {
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in passed
// CHECK-NEXT: unify: not legal (clause 1): an arm of the switch falls through
// MUTATE structural: on one path there are two calls
__global__ void passed(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 1:
		add<true>(acc, 1);
	case 2:
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in macro
// CHECK-NEXT: unify: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: there is no text to edit
#define CHOICE(c)                                                                                  \
	if (c) {                                                                                   \
		add<true>(acc, 1);                                                                 \
	} else {                                                                                   \
		add<false>(acc, 1);                                                                \
	}
__global__ void macro(float *p, int c)
{
	tile acc = {};
	CHOICE(c)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in arguments
// CHECK-NEXT: unify: not legal (clause 3): the calls differ in more than the template arguments
struct half {
	float v[32];
};
template <bool P> __device__ inline half made(half t, float x)
{
	for (int i = 0; i < 32; i++) {
		t.v[i] += P ? x : -x;
	}
	return t;
}
__global__ void arguments(float *p, int c)
{
	half acc[2] = {};
	acc[1].v[c] = 3;
	if (c) {
		acc[0] = made<true>(acc[0], 1);
	} else {
		acc[1] = made<false>(acc[1], 1);
	}
	p[0] = acc[0].v[c] + 2 * acc[1].v[c];
}

// CHECK: 64 chained VGPRs in effect
// CHECK-NEXT: unify: not legal (clause 4): 'c++ > 0' has a side effect
template <bool P, bool Q> __device__ inline void both(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : Q ? 3 : -x;
	}
}
__global__ void effect(float *p, int c)
{
	tile acc = {};
	if (c++ > 0) {
		both<true, false>(acc, 1);
	} else {
		both<false, true>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in asked
// CHECK-NEXT: unify: not legal (clause 4): 'p[1] > 0' would be evaluated twice, and reads memory
// MUTATE equal: nobody writes to it meanwhile
template <bool P, bool Q> __device__ inline void twice(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : Q ? 1 : -x;
	}
}
__global__ void asked(float *p, int c)
{
	tile acc = {};
	if (p[1] > 0) {
		twice<true, false>(acc, 1);
	} else {
		twice<false, true>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in length
// CHECK-NEXT: unify: not legal (clause 5): 'N' differs between the arms, and is needed at compile time
template <int N> __device__ inline void sized(tile &t, float x)
{
	float part[N] = {};
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + part[1];
	}
}
__global__ void length(float *p, int c)
{
	tile acc = {};
	if (c) {
		sized<2>(acc, 1);
	} else {
		sized<4>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in asserted
// CHECK-NEXT: unify: not legal (clause 5): 'P' differs between the arms, and is needed at compile time
template <bool P> __device__ inline void checked(tile &t, float x)
{
	static_assert(P || sizeof(x) == 4, "");
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : 1;
	}
}
__global__ void asserted(float *p, int c)
{
	tile acc = {};
	if (c) {
		checked<true>(acc, 1);
	} else {
		checked<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in branches
// CHECK-NEXT: unify: not legal (clause 6): an 'if constexpr' of 'dead' has a branch that no instance in the arms compiles
template <bool P, typename T> __device__ inline void dead(tile &t, T x)
{
	for (int i = 0; i < 64; i++) {
		if constexpr (P || sizeof(T) == 4) {
			t.v[i] += P ? x : 1;
		} else {
			t.v[i] += x.missing;
		}
	}
}
__global__ void branches(float *p, int c)
{
	tile acc = {};
	if (c) {
		dead<true>(acc, p[1]);
	} else {
		dead<false>(acc, p[1]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in unrolled
// CHECK-NEXT: unify: not legal (clause 7): 'N' of 'looped' bounds a loop over an array
// MUTATE gain: the loop is unrolled no more, and the array goes to memory
template <int N> __device__ inline void looped(tile &t, float x)
{
	for (int i = 0; i < N; i++) {
		t.v[i] += x;
	}
}
__global__ void unrolled(float *p, int c)
{
	tile acc = {};
	if (c) {
		looped<32>(acc, 1);
	} else {
		looped<64>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in storage
// CHECK-NEXT: unify: not legal (clause 8): 'last' is static or shared: each instance has its own
template <bool P> __device__ inline void counted(tile &t, float x, bool set)
{
	static __shared__ float last;
	if (set) {
		last = P ? 1 : 2;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] += last + x;
	}
}
__global__ void storage(float *p, int c)
{
	tile acc = {};
	counted<true>(acc, p[1], true);
	counted<false>(acc, p[1], true);
	if (c) {
		counted<true>(acc, 1, false);
	} else {
		counted<false>(acc, 1, false);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in lanes
// CHECK-NEXT: unify: not legal (clause 9): 'shuffled' holds a cross-lane operation
template <bool P> __device__ inline void shuffled(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		const float y = __shfl_xor(x, 1);
		t.v[i] += P ? x : y;
	}
}
__global__ void lanes(float *p, int c)
{
	tile acc = {};
	if (threadIdx.x < 3) {
		shuffled<true>(acc, p[threadIdx.x]);
	} else {
		shuffled<false>(acc, p[threadIdx.x]);
	}
	p[threadIdx.x] = acc.v[c];
}

// CHECK: 64 chained VGPRs in contracted
// CHECK-NEXT: unify: not legal (clause 10): the add in
// MUTATE isa: the add is cut from the multiply
template <bool P> __device__ inline void fused(tile &t, float x, float y)
{
	for (int i = 0; i < 64; i++) {
		float z = x * y;
		if (P) {
			z = x;
		}
		t.v[i] += z;
	}
}
__global__ void contracted(float *p, int c)
{
	tile acc = {};
	if (c) {
		fused<true>(acc, p[1], p[2]);
	} else {
		fused<false>(acc, p[1], p[2]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in classes
// CHECK-NEXT: unify: not legal (clause 5): 'scale' is of the class, which is another one in another arm
template <bool P> struct scaled {
	static __device__ float scale(float x)
	{
		return P ? x : -x;
	}
	static __device__ void run(tile &t, float x)
	{
		const auto by = [](float y) { return scale(y); };
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] > x ? by(x) : x;
		}
	}
};
__global__ void classes(float *p, int c)
{
	tile acc = {};
	if (c) {
		scaled<true>::run(acc, 1);
	} else {
		scaled<false>::run(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in bases
// CHECK-NEXT: unify: not legal (clause 2): 'run' cannot be written once: its class is another one in another arm, and is not spelled in a plain way
// MUTATE structural: there is no class to leave
struct empty {
};
template <bool P> struct based : empty {
	static __device__ void run(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] += P ? x : 1;
		}
	}
};
__global__ void bases(float *p, int c)
{
	tile acc = {};
	if (c) {
		based<true>::run(acc, 1);
	} else {
		based<false>::run(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in named
// CHECK-NEXT: unify: not legal (clause 4): an arm names or declares a type or namespace (using)
using number = float;
template <typename T, bool P> __device__ inline void typed(tile &t, T x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : 1;
	}
}
__global__ void named(float *p, int c)
{
	tile acc = {};
	if (c) {
		using number = int;
		typed<number, true>(acc, p[1]);
	} else {
		using number = int;
		typed<number, false>(acc, p[1]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in once
// CHECK-NEXT: unify: not legal (clause 5): 'N' differs between the arms, and a constexpr or static variable is computed from it
// MUTATE equal: run for the host, once; for a device it does not compile
#define LASTING static const
template <int N> __device__ inline void lasting(tile &t, float x)
{
	LASTING int rows = N;
	for (int i = 0; i < 64; i++) {
		t.v[i] += rows + x;
	}
}
__global__ void once(float *p, int c)
{
	tile acc = {};
	if (c) {
		lasting<2>(acc, 1);
	} else {
		lasting<5>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in placed
// CHECK-NEXT: unify: not legal (clause 5): 'N' differs between the arms, and a constexpr or static variable is computed from it
template <int N> __device__ inline void seen(tile &t, const int *&before)
{
	static constexpr int one = 1, rows = N * 2;
	const bool again = before == &one;
	before = &one;
	for (int i = 0; i < 64; i++) {
		t.v[i] += again ? rows : one;
	}
}
__global__ void placed(float *p, int c)
{
	tile acc = {};
	const int *before = nullptr;
	if (c) {
		seen<2>(acc, before);
	} else {
		seen<5>(acc, before);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in questions
// CHECK-NEXT: unify: not legal (clause 5): 'N' differs between the arms, and a function may ask whether a value computed from it is constant
template <int N> __device__ inline void answered(tile &t, float x)
{
	const int rows = known(N);
	for (int i = 0; i < 64; i++) {
		t.v[i] += rows + x;
	}
}
__global__ void questions(float *p, int c)
{
	tile acc = {};
	if (c) {
		answered<2>(acc, 1);
	} else {
		answered<5>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in inner
// CHECK-NEXT: unify: not legal (clause 5): 'known(N)' is a template argument, and may ask whether it is constant
template <int N> __device__ inline float times(float x)
{
	return x * N;
}
template <int N> __device__ inline void passing(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += times<known(N)>(x);
	}
}
__global__ void inner(float *p, int c)
{
	tile acc = {};
	if (c) {
		passing<2>(acc, 1);
	} else {
		passing<5>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in outer
// CHECK-NEXT: unify: not legal (clause 3): template argument '(known(2) > 0)' asks whether it is constant
__global__ void outer(float *p, int c)
{
	tile acc = {};
	if (c) {
		add<(known(2) > 0)>(acc, 1);
	} else {
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rounded
// CHECK-NEXT: unify: not legal (clause 10): 'N * 0.1f' may be a rounded constant in an arm, and not in the new function, where an add could be joined with it
// MUTATE equal: LLVM selects between the two folded numbers here
template <int N> __device__ inline void tenths(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : N * 0.1f + 0.3f;
	}
}
__global__ void rounded(float *p, int c)
{
	tile acc = {};
	if (c) {
		tenths<2>(acc, 1);
	} else {
		tenths<10>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rounded_local
// CHECK-NEXT: unify: not legal (clause 10): 's * 0.1f' may be a rounded constant in an arm, and not in the new function, where an add could be joined with it
// MUTATE isa: the add is joined with the multiply
template <int N> __device__ inline void scaled_here(tile &t, float x)
{
	const float s = N;
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : s * 0.1f + 0.3f;
	}
}
__global__ void rounded_local(float *p, int c)
{
	tile acc = {};
	if (c == 2) {
		scaled_here<2>(acc, 1);
	} else if (c == 1) {
		scaled_here<10>(acc, 1);
	} else {
		scaled_here<11>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rounded_result
// CHECK-NEXT: unify: not legal (clause 10): 'a * b' may be a rounded constant in an arm, and not in the new function, where an add could be joined with it
__device__ inline float tenth(int n)
{
	return n > 9 ? n * 0.1f : 0.7f;
}
__device__ inline float joined(float a, float b, float c)
{
	return a * b + c;
}
// MUTATE isa: the add is joined with the multiply
template <int N> __device__ inline void scaled_by(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : joined(tenth(N), 0.1f, 0.3f);
	}
}
__global__ void rounded_result(float *p, int c)
{
	tile acc = {};
	if (c == 2) {
		scaled_by<2>(acc, 1);
	} else if (c == 1) {
		scaled_by<10>(acc, 1);
	} else {
		scaled_by<11>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rounded_turns
// CHECK-NEXT: unify: not legal (clause 10): 'k * 0.1f' may be a rounded constant in an arm, and not in the new function, where an add could be joined with it
// MUTATE isa: the add is joined with the multiply
template <int N> __device__ inline void turns(tile &t, float x)
{
	float sum = x;
	for (int k = 0; k < N; k++) {
		sum += k * 0.1f;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : sum;
	}
}
__global__ void rounded_turns(float *p, int c)
{
	tile acc = {};
	if (c == 2) {
		turns<2>(acc, 0.3f);
	} else if (c == 1) {
		turns<4>(acc, 0.3f);
	} else {
		turns<8>(acc, 0.3f);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in calculated
// CHECK-NEXT: unify: not legal (clause 5): 'kTop' is of the class, which is another one in another arm, and its value is calculated in a way that is not understood
// MUTATE equal: LLVM selects between the three folded numbers here
template <int N> struct topped {
	static constexpr float kTop = N * 0.1f + 0.3f;
	static __device__ void run(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] > kTop ? x : t.v[i];
		}
	}
};
__global__ void calculated(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		topped<2>::run(acc, 1);
	} else if (c == 2) {
		topped<10>::run(acc, 1);
	} else {
		topped<11>::run(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rounded_step
// CHECK-NEXT: unify: not legal (clause 10): 's * 0.7f' may be a rounded constant in an arm, and not in the new function, where an add could be joined with it
// MUTATE isa: the add is joined with the multiply
template <int N> __device__ inline void stepped(tile &t, float x)
{
	float s = 0.1f;
	const float *at = &s;
	for (int k = 0; k < N; k++) {
		s = *at * 3.3f;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : s * 0.7f + x;
	}
}
__global__ void rounded_step(float *p, int c)
{
	tile acc = {};
	if (c == 2) {
		stepped<2>(acc, 0.3f);
	} else if (c == 1) {
		stepped<4>(acc, 0.3f);
	} else {
		stepped<3>(acc, 0.3f);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in used_up
// CHECK-NEXT: unify: not legal (clause 3): the arms make objects with other values, or in an unusual way
template <bool P> struct counter {
	int by;
	__device__ void one()
	{
		by += P ? 1 : 2;
	}
	__device__ void all(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] += P ? by : -by;
		}
	}
};
__global__ void used_up(float *p, int c)
{
	tile acc = {};
	if (c) {
		counter<true> s{c};
		s.one();
		s.all(acc);
	} else {
		counter<false> s{c};
		s.one();
		s.all(acc);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in rejoined
// CHECK-NEXT: unify: not legal (clause 10): 't' may come from a multiply and is added in an arm: the compiler would join the two to an FMA in other places than now
// MUTATE isa: the add is cut from the multiply
__device__ inline void sum_up(tile &t, const tile &x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x.v[i];
	}
}
template <bool P> __device__ inline void multiply(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x * i;
		if (P) {
			t.v[i] = t.v[i] > 5 ? 5 : t.v[i];
		}
	}
}
__global__ void rejoined(float *p, int c)
{
	tile acc = {}, t = {};
	if (c) {
		multiply<true>(t, p[1]);
		sum_up(acc, t);
	} else {
		multiply<false>(t, p[1]);
		sum_up(acc, t);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in sometimes
// CHECK-NEXT: unify: not legal (clause 1): one of the calls of an arm is under a condition
// MUTATE structural: a call would lose its condition
__global__ void sometimes(float *p, int c)
{
	tile acc = {};
	if (c) {
		shift<true>(acc, 1);
		if (c == 2) {
			shift<true>(acc, c);
		}
	} else {
		shift<false>(acc, 1);
		if (c == 3) {
			shift<false>(acc, c);
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in counted
// CHECK-NEXT: unify: not legal (clause 1): an arm does more, or less, than to call a function
// MUTATE structural: the arms count apart
__global__ void counted(float *p, int c)
{
	tile acc = {};
	if (c) {
		static int k;
		shift<true>(acc, k++);
	} else {
		static int k;
		shift<false>(acc, k++);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in hides
// CHECK-NEXT: unify: not legal (clause 1): an arm does more, or less, than to call a function
// MUTATE structural: 'c' would be another variable in the condition
__global__ void hides(float *p, int c)
{
	tile acc = {};
	const int b = c;
	if (c > 1) {
		int c = starts<true>(b);
		shift<true>(acc, c);
	} else {
		int c = starts<false>(b);
		shift<false>(acc, c);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in remains
// CHECK-NEXT: unify: not legal (clause 3): the arms make objects with other values, or in an unusual way
__global__ void remains(float *p, int c)
{
	tile acc = {};
	const int by = c + 1;
	if (c) {
		stepper<true> s{by};
		int by = starts<true>(5);
		s.all(acc);
		shift<true>(acc, by);
	} else {
		stepper<false> s{by};
		int by = starts<false>(5);
		s.all(acc);
		shift<false>(acc, by);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in multiplied
// CHECK-NEXT: unify: not legal (clause 10): the value of 'times<true>(p[1], p[2])' may come from a multiply, and an add may take it
// MUTATE isa: the add is cut from the multiply
template <bool P> __device__ inline float times(float x, float y)
{
	return P && x > 5 ? 5 : x * y;
}
__global__ void multiplied(float *p, int c)
{
	tile acc = {};
	if (c) {
		const float z = times<true>(p[1], p[2]);
		for (int i = 0; i < 64; i++) {
			acc.v[i] += z;
		}
	} else {
		const float z = times<false>(p[1], p[2]);
		for (int i = 0; i < 64; i++) {
			acc.v[i] += z;
		}
	}
	p[0] = acc.v[c];
}
