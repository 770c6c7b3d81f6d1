// Ten kernels whose arms call 2 to 12 instances of one function: returns, lambdas, ?: as an operand,
// switches, and plain arguments. instances.hand.hip has one body for each, written by hand.
#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

__device__ __forceinline__ f32x16 mma(f16x4 a, f16x4 b, f32x16 c)
{
	return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
}
__device__ __forceinline__ f16x4 load4(const _Float16 *p)
{
	return *reinterpret_cast<const f16x4 *>(p);
}
template <int N> __device__ __forceinline__ void store(float *out, const f32x16 (&acc)[N])
{
	for (int i = 0; i < N; ++i) {
		for (int e = 0; e < 16; ++e) {
			out[(i * 16 + e) * blockDim.x + threadIdx.x] = acc[i][e];
		}
	}
}

// 1. a function that returns in both arms
template <bool Masked>
__device__ __forceinline__ float attend(
	f32x16 (&acc)[8], const _Float16 *k, const _Float16 *v, int at, int n)
{
	const int lane = threadIdx.x % 64;
	f16x4 p = load4(k + at * 64 + lane * 4);
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		if (Masked && at + e >= n) {
			p[e] = (_Float16)0;
		}
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(p, load4(v + (at * 8 + i) * 256 + lane * 4), acc[i]);
	}
	return (float)p[0];
}
__device__ __forceinline__ float attend_tile(
	f32x16 (&acc)[8], const _Float16 *k, const _Float16 *v, int at, int n)
{
	if (at + 4 <= n) {
		return attend<false>(acc, k, v, at, n);
	}
	return attend<true>(acc, k, v, at, n);
}
extern "C" __global__ void __launch_bounds__(256)
	returns_2(const _Float16 *k, const _Float16 *v, float *out, int n)
{
	f32x16 acc[8] = {};
	float top = 0;
	for (int at = 0; at < n; at += 4) {
		top = fmaxf(top, attend_tile(acc, k, v, at, n));
	}
	store(out, acc);
	out[threadIdx.x] = top;
}

// 2. a generic lambda
extern "C" __global__ void __launch_bounds__(256)
	lambda_2(const _Float16 *a, const _Float16 *b, float *out, int k)
{
	f32x16 acc[8] = {};
	const int lane = threadIdx.x % 64;
	auto step = [&]<bool Even>(int at) {
		f16x4 x = {};
		if (Even || at + lane / 32 * 4 < k) {
			x = load4(a + lane % 32 * k + at);
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			f16x4 y = {};
			if (Even || at + lane / 32 * 4 < k) {
				y = load4(b + (i * 32 + lane % 32) * k + at);
			}
			acc[i] = mma(x, y, acc[i]);
		}
	};
	for (int at = 0; at < k; at += 8) {
		if (at + 8 <= k) {
			step.template operator()<true>(at);
		} else {
			step.template operator()<false>(at);
		}
	}
	store(out, acc);
}

// 3. ifs in a row that return
template <int Phase>
__device__ __forceinline__ int stream(
	f32x16 (&acc)[8], const _Float16 *a, const float *part, int at)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
	if (Phase == 0) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = (f32x16)(part[i * 64 + lane]);
		}
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(x, load4(a + (at * 8 + i) * 64 + lane), acc[i]);
	}
	if (Phase == 2) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] *= part[i];
		}
	}
	return at + Phase;
}
__device__ __forceinline__ int stream_tile(
	f32x16 (&acc)[8], const _Float16 *a, const float *part, int at, int n)
{
	if (at == 0) {
		return stream<0>(acc, a, part, at);
	}
	if (at == n - 1) {
		return stream<2>(acc, a, part, at);
	}
	return stream<1>(acc, a, part, at);
}
extern "C" __global__ void __launch_bounds__(256)
	chain_3(const _Float16 *a, const float *part, float *out, int n)
{
	f32x16 acc[8] = {};
	int sum = 0;
	for (int at = 0; at < n; ++at) {
		sum += stream_tile(acc, a, part, at, n);
	}
	store(out, acc);
	out[threadIdx.x] = sum;
}

// 4. a switch that returns
enum class act {
	none,
	relu,
	clamp,
	leaky
};
template <act A> __device__ __forceinline__ float activate(float x, float limit)
{
	if constexpr (A == act::relu) {
		return fmaxf(x, 0.f);
	} else if constexpr (A == act::clamp) {
		return fminf(fmaxf(x, 0.f), limit);
	} else if constexpr (A == act::leaky) {
		return x > 0.f ? x : x * limit;
	} else {
		return x;
	}
}
template <act A>
__device__ __forceinline__ void epilogue(f32x16 (&acc)[8], const _Float16 *a, int at, float limit)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f32x16 y = mma(x, load4(a + (at * 8 + i) * 64 + lane), acc[i]);
#pragma unroll
		for (int e = 0; e < 16; ++e) {
			acc[i][e] = activate<A>(y[e], limit);
		}
	}
}
__device__ __forceinline__ void dispatch(
	f32x16 (&acc)[8], const _Float16 *a, int at, float limit, int how)
{
	switch (how) {
	case 1:
		epilogue<act::relu>(acc, a, at, limit);
		return;
	case 2:
		epilogue<act::clamp>(acc, a, at, limit);
		return;
	case 3:
		epilogue<act::leaky>(acc, a, at, limit);
		return;
	default:
		epilogue<act::none>(acc, a, at, limit);
		return;
	}
}
extern "C" __global__ void __launch_bounds__(256)
	switch_4(const _Float16 *a, const int *how, float *out, int n, float limit)
{
	f32x16 acc[8] = {};
	for (int at = 0; at < n; ++at) {
		dispatch(acc, a, at, limit, how[at]);
	}
	store(out, acc);
}

// 5. ?: as an operand
template <bool First, bool Last>
__device__ __forceinline__ float moment(f32x16 (&acc)[8], const _Float16 *a, int at)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		acc[i] = mma(x, y, First ? f32x16{} : acc[i]);
		if (Last) {
#pragma unroll
			for (int e = 0; e < 16; ++e) {
				acc[i][e] = fabsf(acc[i][e]);
			}
		}
	}
	return (float)x[0];
}
extern "C" __global__ void __launch_bounds__(256) operand_3(const _Float16 *a, float *out, int n)
{
	f32x16 acc[8] = {};
	float least = 0;
	for (int at = 0; at < n; ++at) {
		least = fminf(least, at == 0	   ? moment<true, false>(acc, a, at)
				     : at + 1 == n ? moment<false, true>(acc, a, at)
						   : moment<false, false>(acc, a, at));
	}
	store(out, acc);
	out[threadIdx.x] = least;
}

// 6. one function with other arguments
__device__ __forceinline__ void gather(
	f32x16 (&acc)[8], const _Float16 *a, int at, bool masked, int limit)
{
	const int lane = threadIdx.x % 64;
	f16x4 x = {};
	if (!masked || lane < limit) {
		x = load4(a + at * 256 + lane * 4);
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f16x4 y = {};
		if (!masked || i < limit) {
			y = load4(a + (at * 8 + i) * 64 + lane);
		}
		acc[i] = mma(x, y, acc[i]);
	}
}
extern "C" __global__ void __launch_bounds__(256)
	arguments_3(const _Float16 *a, float *out, int n, int rest)
{
	f32x16 acc[8] = {};
	for (int at = 0; at < n; ++at) {
		if (at == 0) {
			gather(acc, a, at, true, 4);
		} else if (at + 1 < n) {
			gather(acc, a, at, false, 0);
		} else {
			gather(acc, a, at, true, rest);
		}
	}
	store(out, acc);
}

// 7. a lambda with a number and a flag, called by nested ifs
extern "C" __global__ void __launch_bounds__(256)
	lambda_4(const _Float16 *a, const _Float16 *b, float *out, int k, int mode)
{
	f32x16 acc[8] = {};
	const int lane = threadIdx.x % 64;
	auto step = [&]<int Stride, bool Masked>(int at) {
		f16x4 x = load4(a + (at * Stride + lane) * 4);
		if constexpr (Masked) {
			x = at + lane < k ? x : f16x4{};
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, load4(b + (i * 64 * Stride + lane) * 4), acc[i]);
		}
	};
	for (int at = 0; at < k; at += 64) {
		if (at + 64 <= k) {
			if (mode) {
				step.template operator()<1, false>(at);
			} else {
				step.template operator()<4, false>(at);
			}
		} else {
			if (mode) {
				step.template operator()<1, true>(at);
			} else {
				step.template operator()<4, true>(at);
			}
		}
	}
	store(out, acc);
}

// 8. six instances of a member template, in a function that returns
struct mixer {
	f32x16 acc[8] = {};
	template <int Source, bool Tail>
	__device__ __forceinline__ bool mix(const _Float16 *a, const _Float16 *b, int at, int rows)
	{
		const int lane = threadIdx.x % 64;
		const _Float16 *from = Source == 0 ? a : Source == 1 ? b : a + rows;
		f16x4 x = {};
		if (!Tail || at + lane < rows) {
			x = load4(from + (at + lane) * 4);
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, load4(from + (i * 64 + lane) * 4), acc[i]);
		}
		return x[0] > (_Float16)0;
	}
	__device__ __forceinline__ bool step(
		const _Float16 *a, const _Float16 *b, int at, int source, int rows)
	{
		if (at + 64 <= rows) {
			return source == 0   ? mix<0, false>(a, b, at, rows)
			       : source == 1 ? mix<1, false>(a, b, at, rows)
					     : mix<2, false>(a, b, at, rows);
		} else {
			return source == 0   ? mix<0, true>(a, b, at, rows)
			       : source == 1 ? mix<1, true>(a, b, at, rows)
					     : mix<2, true>(a, b, at, rows);
		}
	}
};
extern "C" __global__ void __launch_bounds__(256)
	members_6(const _Float16 *a, const _Float16 *b, const int *source, float *out, int rows)
{
	mixer m;
	int any = 0;
	for (int at = 0; at < rows; at += 64) {
		any += m.step(a, b, at, source[at / 64], rows);
	}
	store(out, m.acc);
	out[threadIdx.x] = any;
}

// 9. eight instances, by ?: of three flags
template <bool Even, bool Scaled, bool First>
__device__ __forceinline__ void convolve(
	f32x16 (&acc)[8], const _Float16 *a, const float *s, int at, int n)
{
	const int lane = threadIdx.x % 64;
	f16x4 x = load4(a + at * 256 + lane * 4);
	if (!Even) {
		x = lane < n ? x : f16x4{};
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		acc[i] = mma(x, y, First ? f32x16{} : acc[i]);
		if (Scaled) {
			acc[i] *= s[i];
		}
	}
}
extern "C" __global__ void __launch_bounds__(256)
	flags_8(const _Float16 *a, const float *s, float *out, int n, int rest, int scaled)
{
	f32x16 acc[8] = {};
	for (int at = 0; at < n; ++at) {
		const bool even = at + 1 < n;
		even	  ? scaled     ? at == 0 ? convolve<true, true, true>(acc, a, s, at, rest)
						 : convolve<true, true, false>(acc, a, s, at, rest)
				 : at == 0 ? convolve<true, false, true>(acc, a, s, at, rest)
				       : convolve<true, false, false>(acc, a, s, at, rest)
		     : scaled ? at == 0 ? convolve<false, true, true>(acc, a, s, at, rest)
					: convolve<false, true, false>(acc, a, s, at, rest)
		     : at == 0 ? convolve<false, false, true>(acc, a, s, at, rest)
			  : convolve<false, false, false>(acc, a, s, at, rest);
	}
	store(out, acc);
}

// 10. twelve instances, by switches that return
enum class kind {
	dense,
	banded,
	sparse,
	full
};
template <kind K, int Phase>
__device__ __forceinline__ float product(
	f32x16 (&acc)[8], const _Float16 *a, const float *s, int at, int n)
{
	const int lane = threadIdx.x % 64;
	f16x4 x = load4(a + at * 256 + lane * 4);
	if constexpr (K == kind::banded) {
		x = lane > at ? x : f16x4{};
	} else if constexpr (K == kind::sparse) {
		x = (lane & 1) == 0 ? x : f16x4{};
	}
	if (Phase == 0) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = f32x16{};
		}
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		if constexpr (K == kind::dense) {
			y = i < n ? y : f16x4{};
		}
		acc[i] = mma(x, y, acc[i]);
	}
	if (Phase == 2) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] *= s[i];
		}
	}
	return (float)x[1];
}
__device__ __forceinline__ float product_of(
	f32x16 (&acc)[8], const _Float16 *a, const float *s, int at, int n, kind k, int rest)
{
	switch (k) {
	case kind::dense:
		if (at == 0) {
			return product<kind::dense, 0>(acc, a, s, at, rest);
		} else if (at + 1 < n) {
			return product<kind::dense, 1>(acc, a, s, at, rest);
		} else {
			return product<kind::dense, 2>(acc, a, s, at, rest);
		}
	case kind::banded:
		if (at == 0) {
			return product<kind::banded, 0>(acc, a, s, at, rest);
		} else if (at + 1 < n) {
			return product<kind::banded, 1>(acc, a, s, at, rest);
		} else {
			return product<kind::banded, 2>(acc, a, s, at, rest);
		}
	case kind::sparse:
		if (at == 0) {
			return product<kind::sparse, 0>(acc, a, s, at, rest);
		} else if (at + 1 < n) {
			return product<kind::sparse, 1>(acc, a, s, at, rest);
		} else {
			return product<kind::sparse, 2>(acc, a, s, at, rest);
		}
	default:
		if (at == 0) {
			return product<kind::full, 0>(acc, a, s, at, rest);
		} else if (at + 1 < n) {
			return product<kind::full, 1>(acc, a, s, at, rest);
		} else {
			return product<kind::full, 2>(acc, a, s, at, rest);
		}
	}
}
extern "C" __global__ void __launch_bounds__(256)
	switches_12(const _Float16 *a, const float *s, const kind *k, float *out, int n, int rest)
{
	f32x16 acc[8] = {};
	float top = 0;
	for (int at = 0; at < n; ++at) {
		top = fmaxf(top, product_of(acc, a, s, at, n, k[at], rest));
	}
	store(out, acc);
	out[threadIdx.x] = top;
}
