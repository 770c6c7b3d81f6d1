// Ten kernels whose arms call instances of one function template, in the ways that people write that:
// ?:, if, else-if chain, switch, nested; flags, enumerators, numbers; constants of an arm; members.
#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

#define SELECT(p, x, y) ((p) ? (x) : (y))

__device__ __forceinline__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}
__device__ __forceinline__ f16x4 load4(const _Float16 *p)
{
	return *reinterpret_cast<const f16x4 *>(p);
}
template <int N> __device__ __forceinline__ void store(float *out, const f32x4 (&acc)[N])
{
	out += blockIdx.x * (N * 1024);
	for (int i = 0; i < N; ++i) {
		*reinterpret_cast<f32x4 *>(out + (i * blockDim.x + threadIdx.x) * 4) = acc[i];
	}
}

// 1. a tail, by ?:
template <bool Is_even_K>
__device__ __forceinline__ void gemm_step(
	f32x4 (&acc)[32], const _Float16 *a, const _Float16 *b, int k0, int k)
{
	const int lane = threadIdx.x % 64, col = k0 + lane / 16 * 4;
	f16x4 x = {};
	if (Is_even_K || col < k) {
		x = load4(a + lane % 16 * k + col);
	}
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		f16x4 y = {};
		if (Is_even_K || col < k) {
			y = load4(b + (i * 16 + lane % 16) * k + col);
		}
		acc[i] = mma(x, y, acc[i]);
	}
}
extern "C" __global__ void __launch_bounds__(256) gemm_tail(
	const _Float16 *a, const _Float16 *b, float *out, int k)
{
	f32x4 acc[32] = {};
	for (int k0 = 0; k0 < k; k0 += 16) {
		k0 + 16 <= k ? gemm_step</*Is_even_K=*/true>(acc, a, b, k0, k)
			     : gemm_step</*Is_even_K=*/false>(acc, a, b, k0, k);
	}
	store(out, acc);
}

// 2. first and causal steps of a softmax, by nested ifs and a member template
struct online_softmax {
	float top = -INFINITY, sum = 0;

	template <bool Is_first, bool Is_causal>
	__device__ __forceinline__ void step(f32x4 (&acc)[32], f32x4 s, const _Float16 *v, int row, int col)
	{
		float m = Is_first ? -INFINITY : top;
#pragma unroll
		for (int e = 0; e < 4; ++e) {
			if constexpr (Is_causal) {
				s[e] = col + e > row ? -INFINITY : s[e];
			}
			m = fmaxf(m, s[e]);
		}
		if constexpr (!Is_first) {
			const float shrink = exp2f(top - m);
			sum *= shrink;
#pragma unroll
			for (int i = 0; i < 32; ++i) {
				acc[i] *= shrink;
			}
		}
		f16x4 p;
#pragma unroll
		for (int e = 0; e < 4; ++e) {
			const float w = exp2f(s[e] - m);
			sum += w;
			p[e] = (_Float16)w;
		}
		top = m;
#pragma unroll
		for (int i = 0; i < 32; ++i) {
			acc[i] = mma(p, load4(v + i * 64), acc[i]);
		}
	}
};
extern "C" __global__ void __launch_bounds__(256) softmax_steps(
	const _Float16 *q, const _Float16 *k, const _Float16 *v, float *out, float *sums, int n)
{
	f32x4 acc[32] = {};
	online_softmax state;
	const int lane = threadIdx.x % 64, row = blockIdx.x * 16;
	const f16x4 x = load4(q + lane * 4);
	for (int t = 0; t < n; t += 16) {
		const f32x4 s = mma(load4(k + t * 64 + lane * 4), x, f32x4{});
		if (t + 16 > row) {
			t == 0 ? state.step<true, true>(acc, s, v + t * 64 + lane * 4, row, t)
			       : state.step<false, true>(acc, s, v + t * 64 + lane * 4, row, t);
		} else {
			t == 0 ? state.step<true, false>(acc, s, v + t * 64 + lane * 4, row, t)
			       : state.step<false, false>(acc, s, v + t * 64 + lane * 4, row, t);
		}
	}
	store(out, acc);
	sums[blockIdx.x * 256 + threadIdx.x] = state.sum;
}

// 3. layouts of an operand, by a switch
enum class layout { rows, columns, packed };
template <layout L>
__device__ __forceinline__ void layout_step(
	f32x4 (&acc)[32], const _Float16 *a, const _Float16 *b, int k0, int ld)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + lane * 4 + k0 * 16);
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		f16x4 y;
		if constexpr (L == layout::columns) {
			for (int e = 0; e < 4; ++e) {
				y[e] = b[(k0 + lane / 16 * 4 + e) * ld + i * 16 + lane % 16];
			}
		} else if constexpr (L == layout::rows) {
			y = load4(b + (i * 16 + lane % 16) * ld + k0 + lane / 16 * 4);
		} else {
			y = load4(b + ((k0 / 16 * 32 + i) * 64 + lane) * 4);
		}
		acc[i] = mma(x, y, acc[i]);
	}
}
extern "C" __global__ void __launch_bounds__(256) layouts(
	const _Float16 *a, const _Float16 *b, float *out, int k, int ld, int kind)
{
	f32x4 acc[32] = {};
	for (int k0 = 0; k0 < k; k0 += 16) {
		switch (kind) {
		case 0:
			layout_step<layout::rows>(acc, a, b, k0, ld);
			break;
		case 1:
			layout_step<layout::columns>(acc, a, b, k0, ld);
			break;
		default:
			layout_step<layout::packed>(acc, a, b, k0, ld);
		}
	}
	store(out, acc);
}

// 4. tiles that need a fixup, by constants of the arms
template <int Cols, bool needs_fixup, bool is_fixup>
__device__ __forceinline__ void stream_tile(f32x4 (&acc)[32], const _Float16 *a, const _Float16 *b,
	const float *partial, int from, int to)
{
	const int lane = threadIdx.x % 64;
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		if constexpr (needs_fixup) {
			acc[i] = *reinterpret_cast<const f32x4 *>(partial + (i * 64 + lane) * 4);
		} else if constexpr (!is_fixup) {
			acc[i] = f32x4{};
		}
	}
	for (int k = from; k < to; k += Cols) {
		const f16x4 x = load4(a + (k + lane) * 4);
#pragma unroll
		for (int i = 0; i < 32; ++i) {
			acc[i] = mma(x, load4(b + (k * 32 + i * 64 + lane) * 4), acc[i]);
		}
	}
}
extern "C" __global__ void __launch_bounds__(256) stream_k(
	const _Float16 *a, const _Float16 *b, const float *partial, float *out, int tiles, int k)
{
	f32x4 acc[32] = {};
	for (int t = 0; t < tiles; ++t) {
		const int from = t * 7 % k;
		constexpr bool is_fixup = false; // all but the last write their own tile
		if (from == 0) {
			constexpr bool needs_fixup = false; // a whole tile
			stream_tile<16, needs_fixup, is_fixup>(acc, a, b, partial, from, k);
		} else if (t + 1 == tiles) {
			constexpr bool needs_fixup = false;
			stream_tile<16, needs_fixup, true>(acc, a, b, partial, from, k);
		} else {
			constexpr bool needs_fixup = true; // the beginning is missing
			stream_tile<16, needs_fixup, is_fixup>(acc, a, b, partial, from, k);
		}
		store(out + t * 65536, acc);
	}
}

// 5. pages of a cache: first, middle or last, masked or not
enum class phase { first, middle, last };
template <phase Phase, bool kMasked>
__device__ __forceinline__ void page_step(f32x4 (&acc)[32], float &top, const _Float16 *page,
	const f16x4 &q, int tokens, float *tops)
{
	const int lane = threadIdx.x % 64;
	f32x4 s = mma(load4(page + lane * 4), q, f32x4{});
	float m = Phase == phase::first ? -1e30f : top;
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		s[e] = SELECT(kMasked && lane / 16 * 4 + e >= tokens, -1e30f, s[e]);
		m = fmaxf(m, s[e]);
	}
	m = fmaxf(m, __shfl_xor(m, 16));
	m = fmaxf(m, __shfl_xor(m, 32));
	f16x4 p;
	for (int e = 0; e < 4; ++e) {
		p[e] = (_Float16)exp2f(s[e] - m);
	}
	const float shrink = Phase == phase::first ? 1.0f : exp2f(top - m);
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		f32x4 o = acc[i];
		if (Phase != phase::first) {
			o *= shrink;
		}
		acc[i] = mma(p, load4(page + 4096 + (i * 64 + lane) * 4), o);
	}
	top = m;
	if (Phase == phase::last && threadIdx.x % 64 == 0) {
		tops[threadIdx.x / 64] = m;
	}
}
extern "C" __global__ void __launch_bounds__(256) paged(const _Float16 *cache, const int *pages,
	const _Float16 *queries, float *out, float *tops, int n, int last_tokens)
{
	f32x4 acc[32] = {};
	float top = 0;
	const f16x4 q = load4(queries + threadIdx.x * 4);
	for (int t = 0; t < n; ++t) {
		const _Float16 *page = cache + (size_t)pages[t] * 16384;
		const int tokens = t + 1 < n ? 16 : last_tokens;
		if (tokens == 16) {
			if (t == 0) {
				page_step<phase::first, false>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			} else if (t + 1 == n) {
				page_step<phase::last, false>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			} else {
				page_step<phase::middle, false>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			}
		} else {
			if (t == 0) {
				page_step<phase::first, true>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			} else if (t + 1 == n) {
				page_step<phase::last, true>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			} else {
				page_step<phase::middle, true>(acc, top, page, q, tokens, tops + blockIdx.x * 4);
			}
		}
	}
	store(out, acc);
}

// 6. rows above and below an image, by two flags
template <bool PadTop, bool PadBottom>
__device__ __forceinline__ void conv_row(
	f32x4 (&acc)[24], const _Float16 *image, const _Float16 *weights, int row, int height)
{
	const int lane = threadIdx.x % 64;
#pragma unroll
	for (int r = 0; r < 3; ++r) {
		const int y = row + r - 1;
		const bool inside = (!PadTop || y >= 0) && (!PadBottom || y < height);
		f16x4 x = {};
		if (inside) {
			x = load4(image + (y * 64 + lane) * 4);
		}
#pragma unroll
		for (int i = 0; i < 24; ++i) {
			acc[i] = mma(x, load4(weights + ((r * 24 + i) * 64 + lane) * 4), acc[i]);
		}
	}
}
extern "C" __global__ void __launch_bounds__(256) conv(
	const _Float16 *image, const _Float16 *weights, float *out, int channels, int height)
{
	f32x4 acc[24] = {};
	const int row = blockIdx.x;
	for (int c = 0; c < channels; ++c, image += height * 256, weights += 72 * 256) {
		const bool top = row == 0, bottom = row + 1 == height;
		if (top && bottom)
			conv_row<true, true>(acc, image, weights, row, height);
		else if (top)
			conv_row<true, false>(acc, image, weights, row, height);
		else if (bottom)
			conv_row<false, true>(acc, image, weights, row, height);
		else
			conv_row<false, false>(acc, image, weights, row, height);
	}
	store(out, acc);
}

// 7. widths of packed weights, by a number
template <int Bits>
__device__ __forceinline__ f16x4 unpack(const unsigned *packed, int at)
{
	f16x4 r;
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		const int bit = (at * 4 + e) * Bits;
		const unsigned word = packed[bit / 32] >> bit % 32;
		r[e] = (_Float16)(int)(word & ((1u << Bits) - 1));
	}
	return r;
}
template <int Bits>
__device__ __forceinline__ void quantized_step(
	f32x4 (&acc)[28], const _Float16 *a, const unsigned *b, int k0)
{
	const int lane = threadIdx.x % 64;
	const f16x4 x = load4(a + (k0 * 64 + lane) * 4);
#pragma unroll
	for (int i = 0; i < 28; ++i) {
		acc[i] = mma(x, unpack<Bits>(b, (k0 * 28 + i) * 64 + lane), acc[i]);
	}
}
extern "C" __global__ void __launch_bounds__(256) quantized(
	const _Float16 *a, const unsigned *b, const int *bits, float *out, int k)
{
	f32x4 acc[28] = {};
	for (int k0 = 0; k0 < k; ++k0) {
		const int width = bits[k0];
		if (width == 2) {
			quantized_step<2>(acc, a, b, k0);
		} else if (width == 4) {
			quantized_step<4>(acc, a, b, k0);
		} else {
			quantized_step<8>(acc, a, b, k0);
		}
	}
	store(out, acc);
}

// 8. twelve instances: masked, first, and what is fetched for the next turn
enum next_tile { NEXT_NONE, NEXT_FULL, NEXT_MASKED };
template <bool Bounds, bool First, next_tile Next>
__device__ __forceinline__ void tile_of_12(f32x4 (&acc)[32], f16x4 &ahead, const _Float16 *k,
	const _Float16 *v, const f16x4 &q, int tokens, int next_tokens, float &top)
{
	const int lane = threadIdx.x % 64;
	f32x4 s = mma(ahead, q, f32x4{});
	if (Next == NEXT_FULL) {
		ahead = load4(k + 4096 + lane * 4);
	} else if (Next == NEXT_MASKED) {
		ahead = lane % 16 < next_tokens ? load4(k + 4096 + lane * 4) : f16x4{};
	}
	float m = First ? -1e30f : top;
#pragma unroll
	for (int e = 0; e < 4; ++e) {
		if (Bounds && lane / 16 * 4 + e >= tokens) {
			s[e] = -1e30f;
		}
		m = fmaxf(m, s[e]);
	}
	f16x4 p;
	for (int e = 0; e < 4; ++e) {
		p[e] = (_Float16)exp2f(s[e] - m);
	}
	if (!First) {
		const float shrink = exp2f(top - m);
		for (int i = 0; i < 32; ++i) {
			acc[i] *= shrink;
		}
	}
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		acc[i] = mma(p, load4(v + (i * 64 + lane) * 4), acc[i]);
	}
	top = m;
}
extern "C" __global__ void __launch_bounds__(256) twelve(
	const _Float16 *k, const _Float16 *v, const _Float16 *queries, float *out, int n, int rest)
{
	f32x4 acc[32] = {};
	float top = 0;
	const f16x4 q = load4(queries + threadIdx.x * 4);
	f16x4 ahead = load4(k + threadIdx.x % 64 * 4);
	for (int t = 0; t < n; ++t, k += 4096, v += 8192) {
		const int tokens = t + 1 < n ? 16 : rest, next = t + 2 < n ? 16 : t + 1 < n ? rest : 0;
		if (tokens < 16) {
			if (t == 0) {
				if (next == 0)
					tile_of_12<true, true, NEXT_NONE>(acc, ahead, k, v, q, tokens, next, top);
				else if (next < 16)
					tile_of_12<true, true, NEXT_MASKED>(acc, ahead, k, v, q, tokens, next, top);
				else
					tile_of_12<true, true, NEXT_FULL>(acc, ahead, k, v, q, tokens, next, top);
			} else {
				if (next == 0)
					tile_of_12<true, false, NEXT_NONE>(acc, ahead, k, v, q, tokens, next, top);
				else if (next < 16)
					tile_of_12<true, false, NEXT_MASKED>(acc, ahead, k, v, q, tokens, next, top);
				else
					tile_of_12<true, false, NEXT_FULL>(acc, ahead, k, v, q, tokens, next, top);
			}
		} else {
			if (t == 0) {
				if (next == 0)
					tile_of_12<false, true, NEXT_NONE>(acc, ahead, k, v, q, tokens, next, top);
				else if (next < 16)
					tile_of_12<false, true, NEXT_MASKED>(acc, ahead, k, v, q, tokens, next, top);
				else
					tile_of_12<false, true, NEXT_FULL>(acc, ahead, k, v, q, tokens, next, top);
			} else {
				if (next == 0)
					tile_of_12<false, false, NEXT_NONE>(acc, ahead, k, v, q, tokens, next, top);
				else if (next < 16)
					tile_of_12<false, false, NEXT_MASKED>(acc, ahead, k, v, q, tokens, next, top);
				else
					tile_of_12<false, false, NEXT_FULL>(acc, ahead, k, v, q, tokens, next, top);
			}
		}
	}
	store(out, acc);
}

// 9. a functor's operator()
struct block_gemm {
	int ld;
	template <bool kPadM, bool kPadN>
	__device__ __forceinline__ void operator()(
		f32x4 (&acc)[32], const _Float16 *a, const _Float16 *b, int m, int n, int k0) const
	{
		const int lane = threadIdx.x % 64, col = k0 + lane / 16 * 4;
		const int row = SELECT(kPadM, min(lane % 16, m - 1), lane % 16);
		const f16x4 x = load4(a + row * ld + col);
#pragma unroll
		for (int i = 0; i < 32; ++i) {
			const int at = SELECT(kPadN, min(i * 16 + lane % 16, n - 1), i * 16 + lane % 16);
			acc[i] = mma(x, load4(b + at * ld + col), acc[i]);
		}
	}
};
extern "C" __global__ void __launch_bounds__(256) functor(
	const _Float16 *a, const _Float16 *b, float *out, int m, int n, int k)
{
	f32x4 acc[32] = {};
	const block_gemm gemm{k};
	for (int k0 = 0; k0 < k; k0 += 16) {
		if (m < 16) {
			if (n < 512) {
				gemm.template operator()<true, true>(acc, a, b, m, n, k0);
			} else {
				gemm.template operator()<true, false>(acc, a, b, m, n, k0);
			}
		} else if (n < 512) {
			gemm.template operator()<false, true>(acc, a, b, m, n, k0);
		} else {
			gemm.template operator()<false, false>(acc, a, b, m, n, k0);
		}
	}
	store(out, acc);
}

// 10. two styles of rotary embedding on a narrow tile, and a norm
template <bool IS_NEOX, bool HAS_NORM>
__device__ __forceinline__ void rotate(float (&x)[16], const float *cos, const float *sin, float eps)
{
	float norm = 1;
	if constexpr (HAS_NORM) {
		float sum = 0;
		for (int i = 0; i < 16; ++i) {
			sum = fmaf(x[i], x[i], sum);
		}
		norm = rsqrtf(fmaf(sum, 1.0f / 16, eps));
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const int a = IS_NEOX ? i : 2 * i, b = IS_NEOX ? i + 8 : 2 * i + 1;
		const float u = x[a] * norm, v = x[b] * norm;
		x[a] = u * cos[i] - v * sin[i];
		x[b] = v * cos[i] + u * sin[i];
	}
}
extern "C" __global__ void __launch_bounds__(256) rope(
	float *data, const float *cos, const float *sin, int heads, bool is_neox, bool has_norm)
{
	for (int h = 0; h < heads; ++h) {
		float x[16];
		float *row = data + ((size_t)h * gridDim.x * 256 + blockIdx.x * 256 + threadIdx.x) * 16;
		for (int i = 0; i < 16; ++i) {
			x[i] = row[i];
		}
		if (is_neox) {
			if (has_norm) {
				rotate<true, true>(x, cos, sin, 1e-6f);
			} else {
				rotate<true, false>(x, cos, sin, 1e-6f);
			}
		} else {
			if (has_norm) {
				rotate<false, true>(x, cos, sin, 1e-6f);
			} else {
				rotate<false, false>(x, cos, sin, 1e-6f);
			}
		}
		for (int i = 0; i < 16; ++i) {
			row[i] = x[i];
		}
	}
}
