// Arms that hand lambdas to a function: alike where these have the same words for the same variables,
// though each is another instantiation of the function.
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy hoist:plain --threshold 1 --target gfx90a %s -o %t.hoist.hip -- -nogpuinc > %t.said
// RUN: grep -v '^//' %t.hoist.hip | %FileCheck %s
// RUN: %FileCheck --check-prefix=SAID %s < %t.said
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: grep -v '^//' %t.fuse.hip | %FileCheck --check-prefix=FUSE %s
// RUN: %verify %s %t.hoist.hip %t.fuse.hip --spec %S/lambdas.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -xc "  18 of 18 cases equal" %t.txt | grep -x 2

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

typedef float f32x4 __attribute__((ext_vector_type(4)));

template <class F> __device__ void process(f32x4 *acc, const float *in, int k, F load)
{
	float x = load(k);
	for (int i = 0; i < 16; ++i) acc[i] = acc[i] * 0.5f + x * load(k + i);
}
template <class F> __device__ void counting(f32x4 *acc, const float *in, int k, F load)
{
	__shared__ int calls;
	calls = k;
	float x = load(k) + calls;
	for (int i = 0; i < 16; ++i) acc[i] = acc[i] * 0.5f + x * load(k + i);
}
template <int N, class F> __device__ void sized(f32x4 *acc, const float *in, int k, F &&load)
{
	for (int i = 0; i < 16; ++i) acc[i] = acc[i] * 0.5f + N * load(k + i);
}
template <class F, class G> __device__ void both(f32x4 *acc, const float *in, int k, F load, const G &add)
{
	for (int i = 0; i < 16; ++i) acc[i] = acc[i] * 0.5f + load(k + i) - 2.0f * add(i);
}

template <int I> struct number
{
	static constexpr int value = I;
	__device__ constexpr operator int() const { return I; }
};
template <int... I> struct sequence
{
};
template <int N, int... I> struct count : count<N - 1, N - 1, I...>
{
};
template <int... I> struct count<0, I...>
{
	using type = sequence<I...>;
};
template <class F, int... I> __device__ void each(F f, sequence<I...>) { (f(number<I>{}), ...); }
template <int N, class F> __device__ void static_for(F f) { each(f, typename count<N>::type{}); }

// A generic lambda is a function for each number, and so is one inside it.
// CHECK-LABEL: void generic(
// CHECK: static_for<4>([&](auto m) { static_for<4>([&](auto i) { acc[m * 4 + i] = {{.*}} });
// CHECK-NOT: static_for<4>
__global__ void generic(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float x;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			x = in[k];
			static_for<4>([&](auto m) { static_for<4>([&](auto i) { acc[m * 4 + i] = acc[m * 4 + i] * 0.5f + in[(k + i) & 7] * x; }); });
		} else {
			x = in[k & 1] - 2.0f;
			static_for<4>([&](auto m) { static_for<4>([&](auto i) { acc[m * 4 + i] = acc[m * 4 + i] * 0.5f + in[(k + i) & 7] * x; }); });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void in_place(
// CHECK: [&](auto m) { for {{.*}} }(number<3>{});
// CHECK-NOT: auto m
__global__ void in_place(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float x;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			x = in[k];
			[&](auto m) { for (int i = 0; i < 16; i++) acc[i] = acc[i] * 0.5f + in[(k + i + m) & 7] * x; }(number<3>{});
		} else {
			x = in[k & 1] - 2.0f;
			[&](auto m) { for (int i = 0; i < 16; i++) acc[i] = acc[i] * 0.5f + in[(k + i + m) & 7] * x; }(number<3>{});
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Called with another number.
// CHECK-LABEL: void in_place_of_another(
// SAID-DAG: in in_place_of_another: kept as it is: the arms differ where they write
__global__ void in_place_of_another(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float x;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			x = in[k];
			[&](auto m) { for (int i = 0; i < 16; i++) acc[i] = acc[i] * 0.5f + in[(k + i + m) & 7] * x; }(number<3>{});
		} else {
			x = in[k & 1] - 2.0f;
			[&](auto m) { for (int i = 0; i < 16; i++) acc[i] = acc[i] * 0.5f + in[(k + i + m) & 7] * x; }(number<4>{});
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// Of the numbers one takes the other variable.
// CHECK-LABEL: void generic_shadowed(
// SAID-DAG: in generic_shadowed: kept as it is: the arms differ where they write
__global__ void generic_shadowed(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	int other = 1;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			static_for<16>([&](auto i) { acc[i] = acc[i] * 0.5f + in[(k + i) & 7]; if constexpr (decltype(i)::value == 7) acc[i] += other; });
		} else {
			const int other = 2;
			static_for<16>([&](auto i) { acc[i] = acc[i] * 0.5f + in[(k + i) & 7]; if constexpr (decltype(i)::value == 7) acc[i] += other; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void equal(
// CHECK: const int unphi_k{{[0-9]*}} = {{.*}} ? k : k + 1;
// CHECK-NEXT: process(acc, in, unphi_k{{[0-9]*}}, [&](int i)
__global__ void equal(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			process(acc, in, k, [&](int i) { return in[(k + i) & 7]; });
		} else {
			process(acc, in, k + 1, [&](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void by_value(
// CHECK: process(acc, in, unphi_k{{[0-9]*}}, [=](int i)
__global__ void by_value(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			process(acc, in, k, [=](int i) { return in[(k + i) & 7]; });
		} else {
			process(acc, in, k + 1, [=](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void two(
// CHECK: both(acc, in, unphi_k{{[0-9]*}}, [&](int i)
__global__ void two(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			both(acc, in, k, [&](int i) { return in[(k + i) & 7]; }, [&](int i) { return i + k + other; });
		} else {
			both(acc, in, k + 1, [&](int i) { return in[(k + i) & 7]; }, [&](int i) { return i + k + other; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// Each arm's own variable goes along with its declaration.
// CHECK-LABEL: void heads(
// CHECK: process(acc, in, unphi_k{{[0-9]*}}, [&](int i) { return in[(page + i) & 7]; });
__global__ void heads(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			int page = k; process(acc, in, 1, [&](int i) { return in[(page + i) & 7]; });
		} else {
			int page = k + 3; process(acc, in, 2, [&](int i) { return in[(page + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void writes(
// CHECK: process(acc, in, unphi_k{{[0-9]*}}, [&](int i) { sum
__global__ void writes(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			process(acc, in, k, [&](int i) { sum += 1.0f; return in[i & 7] + sum; });
		} else {
			process(acc, in, k + 1, [&](int i) { sum += 1.0f; return in[i & 7] + sum; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void carried(
// FUSE-LABEL: void carried(
// FUSE: process(acc, in, unphi_taken{{[0-9]*}} ? 1 : 2, [&](int i) { return in[(page + i) & 7]; });
__global__ void carried(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	int page = 7, q = 5;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			int page = k; page += 3; process(acc, in, 1, [&](int i) { return in[(page + i) & 7]; });
		} else {
			int page = 2; other += 1.0f; process(acc, in, 2, [&](int i) { return in[(page + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other + page + q;
}

// CHECK-LABEL: void copied(
// FUSE-LABEL: void copied(
// FUSE: process(acc, in,{{$}}
// FUSE-NEXT: unphi_taken{{[0-9]*}} ? z : z + 1, [=](int i) { return in[(z + i) & 7]; });
__global__ void copied(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	int page = 7, q = 5;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			int z = k * 2; if (z > 3) { other += 1; } process(acc, in, z, [=](int i) { return in[(z + i) & 7]; });
		} else {
			int z = 3; process(acc, in, z + 1, [=](int i) { return in[(z + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other + page + q;
}

// One has a copy, the other the variable.
// CHECK-LABEL: void modes(
// SAID-DAG: in modes: kept as it is: the arms differ where they write
__global__ void modes(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			process(acc, in, k, [=](int i) { return in[(k + i) & 7]; });
		} else {
			process(acc, in, k + 1, [&](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// Not the same variable.
// CHECK-LABEL: void shadowed(
// SAID-DAG: in shadowed: kept as it is: the arms differ where they write
__global__ void shadowed(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		int page = k; if (in[k] > 0.0f) {
			process(acc, in, 1, [&](int i) { return in[(page + i) & 7]; });
		} else {
			int page = k + 3; process(acc, in, 2, [&](int i) { return in[(page + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void operand(
// SAID-DAG: in operand: kept as it is: the arms differ where they write
__global__ void operand(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			process(acc, in, 1, [&](int i) { return in[(k + i) & 7] + sum; });
		} else {
			process(acc, in, 2, [&](int i) { return in[(k + i) & 7] + other; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void size(
// SAID-DAG: in size: kept as it is: the arms differ where they write
__global__ void size(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			sized<1>(acc, in, k, [&](int i) { return in[(k + i) & 7]; });
		} else {
			sized<2>(acc, in, k, [&](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// CHECK-LABEL: void swapped(
// SAID-DAG: in swapped: kept as it is: the arms differ where they write
__global__ void swapped(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			both(acc, in, k, [&](int i) { return in[(k + i) & 7]; }, [&](int i) { return i + other; });
		} else {
			both(acc, in, k, [&](int i) { return i + other; }, [&](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// Of each instantiation the counter is another.
// CHECK-LABEL: void shares(
// SAID-DAG: in shares: kept as it is: the arms differ where they write
__global__ void shares(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			counting(acc, in, 1, [&](int i) { return in[(k + i) & 7]; });
		} else {
			counting(acc, in, 2, [&](int i) { return in[(k + i) & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}

// The operand is what the lambda writes.
// CHECK-LABEL: void written(
// SAID-DAG: in written: kept as it is: the arms differ in 'sum'
__global__ void written(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	float sum = 0.0f, other = 0.5f;
	for (int k = 0; k < n; k++) {
		if (in[k] > 0.0f) {
			for (int j = 0; j < 3; j++) process(acc, in, (int)sum, [&](int i) { sum += 1.0f; return in[i & 7]; });
		} else {
			for (int j = 0; j < 3; j++) process(acc, in, (int)other, [&](int i) { sum += 1.0f; return in[i & 7]; });
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + sum + other;
}
