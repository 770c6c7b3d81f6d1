// instances.hip with one body for each kernel, written by hand: flags are arguments, tests are made
// once, and what differs is chosen where it is used.
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
__device__ __forceinline__ float attend(
	f32x16 (&acc)[8], const _Float16 *k, const _Float16 *v, int at, int n)
{
	const int lane = threadIdx.x % 64;
	f16x4 p = load4(k + at * 64 + lane * 4);
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		p[e] = at + e < n ? p[e] : (_Float16)0;
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(p, load4(v + (at * 8 + i) * 256 + lane * 4), acc[i]);
	}
	return (float)p[0];
}
extern "C" __global__ void __launch_bounds__(256)
	returns_2(const _Float16 *k, const _Float16 *v, float *out, int n)
{
	f32x16 acc[8] = {};
	float top = 0;
	for (int at = 0; at < n; at += 4) {
		top = fmaxf(top, attend(acc, k, v, at, n));
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
	auto step = [&](int at) {
		const bool inside = at + lane / 32 * 4 < k;
		f16x4 x = {};
		if (inside) {
			x = load4(a + lane % 32 * k + at);
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			f16x4 y = {};
			if (inside) {
				y = load4(b + (i * 32 + lane % 32) * k + at);
			}
			acc[i] = mma(x, y, acc[i]);
		}
	};
	for (int at = 0; at < k; at += 8) {
		step(at);
	}
	store(out, acc);
}

// 3. ifs in a row that return
__device__ __forceinline__ int stream(
	f32x16 (&acc)[8], const _Float16 *a, const float *part, int at, int n)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
	if (at == 0) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = (f32x16)(part[i * 64 + lane]);
		}
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(x, load4(a + (at * 8 + i) * 64 + lane), acc[i]);
	}
	const bool last = at != 0 && at == n - 1;
	if (last) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] *= part[i];
		}
	}
	return at == 0 ? 0 : at + (last ? 2 : 1);
}
extern "C" __global__ void __launch_bounds__(256)
	chain_3(const _Float16 *a, const float *part, float *out, int n)
{
	f32x16 acc[8] = {};
	int sum = 0;
	for (int at = 0; at < n; ++at) {
		sum += stream(acc, a, part, at, n);
	}
	store(out, acc);
	out[threadIdx.x] = sum;
}

// 4. a switch that returns
__device__ __forceinline__ float activate(float x, float limit, int how)
{
	if (how == 1) {
		return fmaxf(x, 0.f);
	} else if (how == 2) {
		return fminf(fmaxf(x, 0.f), limit);
	} else if (how == 3) {
		return x > 0.f ? x : x * limit;
	} else {
		return x;
	}
}
__device__ __forceinline__ void epilogue(
	f32x16 (&acc)[8], const _Float16 *a, int at, float limit, int how)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f32x16 y = mma(x, load4(a + (at * 8 + i) * 64 + lane), acc[i]);
#pragma unroll
		for (int e = 0; e < 16; ++e) {
			acc[i][e] = activate(y[e], limit, how);
		}
	}
}
extern "C" __global__ void __launch_bounds__(256)
	switch_4(const _Float16 *a, const int *how, float *out, int n, float limit)
{
	f32x16 acc[8] = {};
	for (int at = 0; at < n; ++at) {
		epilogue(acc, a, at, limit, how[at]);
	}
	store(out, acc);
}

// 5. ?: as an operand
__device__ __forceinline__ float moment(
	f32x16 (&acc)[8], const _Float16 *a, int at, bool first, bool last)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + at * 256 + lane * 4);
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		acc[i] = mma(x, y, first ? f32x16{} : acc[i]);
		if (last) {
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
		least = fminf(least, moment(acc, a, at, at == 0, at > 0 && at + 1 == n));
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
		const bool inner = at > 0 && at + 1 < n;
		gather(acc, a, at, !inner, at == 0 ? 4 : rest);
	}
	store(out, acc);
}

// 7. a lambda with a number and a flag, called by nested ifs
extern "C" __global__ void __launch_bounds__(256)
	lambda_4(const _Float16 *a, const _Float16 *b, float *out, int k, int mode)
{
	f32x16 acc[8] = {};
	const int lane = threadIdx.x % 64;
	auto step = [&](int at, int stride, bool masked) {
		f16x4 x = load4(a + (at * stride + lane) * 4);
		if (masked) {
			x = at + lane < k ? x : f16x4{};
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, load4(b + (i * 64 * stride + lane) * 4), acc[i]);
		}
	};
	for (int at = 0; at < k; at += 64) {
		step(at, mode ? 1 : 4, at + 64 > k);
	}
	store(out, acc);
}

// 8. six instances of a member template, in a function that returns
struct mixer {
	f32x16 acc[8] = {};
	__device__ __forceinline__ bool mix(
		const _Float16 *a, const _Float16 *b, int at, int source, int rows)
	{
		const int lane = threadIdx.x % 64;
		const _Float16 *from = source == 0 ? a : source == 1 ? b : a + rows;
		f16x4 x = {};
		if (at + lane < rows) {
			x = load4(from + (at + lane) * 4);
		}
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, load4(from + (i * 64 + lane) * 4), acc[i]);
		}
		return x[0] > (_Float16)0;
	}
};
extern "C" __global__ void __launch_bounds__(256)
	members_6(const _Float16 *a, const _Float16 *b, const int *source, float *out, int rows)
{
	mixer m;
	int any = 0;
	for (int at = 0; at < rows; at += 64) {
		any += m.mix(a, b, at, source[at / 64], rows);
	}
	store(out, m.acc);
	out[threadIdx.x] = any;
}

// 9. eight instances, by ?: of three flags
__device__ __forceinline__ void convolve(
	f32x16 (&acc)[8], const _Float16 *a, const float *s, int at, int n, bool even, bool scaled)
{
	const int lane = threadIdx.x % 64;
	f16x4 x = load4(a + at * 256 + lane * 4);
	x = even || lane < n ? x : f16x4{};
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		acc[i] = mma(x, y, at == 0 ? f32x16{} : acc[i]);
		if (scaled) {
			acc[i] *= s[i];
		}
	}
}
extern "C" __global__ void __launch_bounds__(256)
	flags_8(const _Float16 *a, const float *s, float *out, int n, int rest, int scaled)
{
	f32x16 acc[8] = {};
	for (int at = 0; at < n; ++at) {
		convolve(acc, a, s, at, rest, at + 1 < n, scaled);
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
__device__ __forceinline__ float product(
	f32x16 (&acc)[8], const _Float16 *a, const float *s, int at, int n, kind k, int rest)
{
	const int lane = threadIdx.x % 64;
	f16x4 x = load4(a + at * 256 + lane * 4);
	if (k == kind::banded) {
		x = lane > at ? x : f16x4{};
	} else if (k == kind::sparse) {
		x = (lane & 1) == 0 ? x : f16x4{};
	}
	if (at == 0) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = f32x16{};
		}
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f16x4 y = load4(a + (at * 8 + i) * 64 + lane);
		if (k == kind::dense) {
			y = i < rest ? y : f16x4{};
		}
		acc[i] = mma(x, y, acc[i]);
	}
	if (at > 0 && at + 1 >= n) {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] *= s[i];
		}
	}
	return (float)x[1];
}
extern "C" __global__ void __launch_bounds__(256)
	switches_12(const _Float16 *a, const float *s, const kind *k, float *out, int n, int rest)
{
	f32x16 acc[8] = {};
	float top = 0;
	for (int at = 0; at < n; ++at) {
		top = fmaxf(top, product(acc, a, s, at, n, k[at], rest));
	}
	store(out, acc);
	out[threadIdx.x] = top;
}
