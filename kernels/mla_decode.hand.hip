// mla_decode.hip by hand: process_tile() ends before GEMM2, hands over what GEMM2 needs, 5 VGPRs,
// and GEMM2 runs once behind all the if/else.
//
// "SSA Phi Explosion: VGPR Waste and Spills When Large Accumulators Cross scf.IfOp Boundaries"
// names this as its workaround: 7 VGPRs cross the merge in place of 128, and no spill is left.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

// An operand is the 8 bytes that a lane hands to one matrix operation: 8 fp8 or 4 f16 numbers.
typedef unsigned long operand;

#if defined(__gfx942__)
constexpr int OPERAND_LEN = 8;
__device__ f32x4 mma(operand a, operand b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8((long)a, (long)b, c, 0, 0, 0);
}
__device__ operand pack(const f32x4 (&p)[2])
{
	int lo = __builtin_amdgcn_cvt_pk_fp8_f32(p[0].x, p[0].y, 0, false);
	lo = __builtin_amdgcn_cvt_pk_fp8_f32(p[0].z, p[0].w, lo, true);
	int hi = __builtin_amdgcn_cvt_pk_fp8_f32(p[1].x, p[1].y, 0, false);
	hi = __builtin_amdgcn_cvt_pk_fp8_f32(p[1].z, p[1].w, hi, true);
	return (operand)(unsigned)hi << 32 | (unsigned)lo;
}
#else
constexpr int OPERAND_LEN = 4;
__device__ f32x4 mma(operand a, operand b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(
		__builtin_bit_cast(f16x4, a), __builtin_bit_cast(f16x4, b), c, 0, 0, 0);
}
__device__ operand pack(const f32x4 (&p)[1])
{
	const f16x4 h = {(_Float16)p[0].x, (_Float16)p[0].y, (_Float16)p[0].z, (_Float16)p[0].w};
	return __builtin_bit_cast(operand, h);
}
#endif

constexpr int THREADS = 512;
constexpr int HEADS = 128;
constexpr int WAVE_HEADS = 16;
constexpr int K_DIM = 384;
constexpr int V_DIM = 512;
constexpr int TILE = 4 * OPERAND_LEN;		 // tokens in a page
constexpr int K_ROW = K_DIM / OPERAND_LEN;	 // operands in a row of K
constexpr int K_PITCH = K_ROW + 1;		 // one more: no LDS bank conflicts
constexpr int K_COPIES = TILE * K_ROW / THREADS; // operands of a page that a thread copies
constexpr int V_COPIES = V_DIM * 4 / THREADS;
constexpr int S_BLOCKS = TILE / 16; // blocks of 16 tokens in a page
constexpr int S_STEPS = K_ROW / 4;  // matrix operations to a block of scores
constexpr int O_BLOCKS = V_DIM / 16;

// A page of the cache holds K as [token][K_DIM], and V as [dimension][token], the tokens in the
// order of GEMM2's operands: operand g of a dimension holds tokens 4g..4g+3 of each block of 16.
// What a page holds past its last token is not defined, and may be a NaN.
struct page {
	int index;
	int tokens; // in use, 1..TILE; a shared prefix may end in any page
};

struct work_item {
	int query;
	int first_page; // in the page table
	int pages;	// at least 1
};

struct tile_buffer {
	operand k[TILE * K_PITCH];
	operand v[V_DIM * 4];
};

struct fetched {
	operand k[K_COPIES];
	operand v[V_COPIES];
};

struct softmax_state {
	float row_max; // of a head, times log2(e)
	float row_sum; // this lane's part
};

enum next_tile {
	NEXT_NONE,
	NEXT_FULL,
	NEXT_MASKED
};

__device__ f32x4 splat(float x)
{
	return f32x4{x, x, x, x};
}

template <next_tile Next>
__device__ void fetch(fetched &f, const operand *__restrict__ k_cache,
	const operand *__restrict__ v_cache, page p)
{
	const operand *k = k_cache + (size_t)p.index * (TILE * K_ROW);
	const operand *v = v_cache + (size_t)p.index * (V_DIM * 4);
	const int tid = threadIdx.x;

	for (int i = 0; i < K_COPIES; ++i) {
		const int at = i * THREADS + tid;
		f.k[i] = 0;
		if (Next == NEXT_FULL || at / K_ROW < p.tokens) {
			f.k[i] = k[at];
		}
	}
	for (int i = 0; i < V_COPIES; ++i) {
		const int at = i * THREADS + tid;
		f.v[i] = 0;
		if (Next == NEXT_FULL || at % 4 * 4 < p.tokens) {
			f.v[i] = v[at];
		}
	}
}

__device__ void commit(tile_buffer &to, const fetched &f)
{
	const int tid = threadIdx.x;

	for (int i = 0; i < K_COPIES; ++i) {
		const int at = i * THREADS + tid;
		to.k[at / K_ROW * K_PITCH + at % K_ROW] = f.k[i];
	}
	for (int i = 0; i < V_COPIES; ++i) {
		to.v[i * THREADS + tid] = f.v[i];
	}
}

__device__ void load_query(operand (&q)[S_STEPS], const operand *__restrict__ queries, int query)
{
	const int lane = threadIdx.x % 64;
	const int head = threadIdx.x / 64 * WAVE_HEADS + lane % 16;
	const operand *row = queries + ((size_t)query * HEADS + head) * K_ROW;

	for (int i = 0; i < S_STEPS; ++i) {
		q[i] = row[i * 4 + lane / 16];
	}
}

// Scores of the tile, transposed: a lane holds tokens 4g..4g+3 of each block for one head, which
// is the layout of GEMM2's operand.
template <bool Bounds>
__device__ void gemm1(f32x4 (&s)[S_BLOCKS], const tile_buffer &tile, const operand (&q)[S_STEPS],
	int tokens, float scale)
{
	const int lane = threadIdx.x % 64;

	for (int b = 0; b < S_BLOCKS; ++b) {
		const operand *k = tile.k + (b * 16 + lane % 16) * K_PITCH + lane / 16;
		s[b] = splat(0);
		for (int i = 0; i < S_STEPS; ++i) {
			s[b] = mma(k[i * 4], q[i], s[b]);
		}
		s[b] *= scale;
		if (Bounds) {
			for (int e = 0; e < 4; ++e) {
				if (b * 16 + lane / 16 * 4 + e >= tokens) {
					s[b][e] = -INFINITY;
				}
			}
		}
	}
}

// Turns scores into weights and returns the factor that earlier results shrink by.
template <bool First> __device__ float online_softmax(f32x4 (&s)[S_BLOCKS], softmax_state &state)
{
	float top = s[0].x;
	for (int b = 0; b < S_BLOCKS; ++b) {
		for (int e = 0; e < 4; ++e) {
			top = fmaxf(top, s[b][e]);
		}
	}
	top = fmaxf(top, __shfl_xor(top, 16));
	top = fmaxf(top, __shfl_xor(top, 32));

	float rescale = 1;
	if (!First) {
		top = fmaxf(top, state.row_max);
		rescale = exp2f(state.row_max - top);
	}
	float sum = 0;
	for (int b = 0; b < S_BLOCKS; ++b) {
		for (int e = 0; e < 4; ++e) {
			s[b][e] = exp2f(s[b][e] - top);
			sum += s[b][e];
		}
	}
	state.row_sum = First ? sum : state.row_sum * rescale + sum;
	state.row_max = top;
	return rescale;
}

// The bits of a lane's operand of V that hold tokens in use.
__device__ operand used_bits(int tokens)
{
	const int group = threadIdx.x % 64 / 16;
	const int width = 64 / OPERAND_LEN;
	operand bits = 0;

	for (int b = 0; b < S_BLOCKS; ++b) {
		for (int e = 0; e < 4; ++e) {
			if (b * 16 + group * 4 + e < tokens) {
				bits |= ((1ul << width) - 1) << (b * 4 + e) * width;
			}
		}
	}
	return bits;
}

// What GEMM2 needs of a tile: 5 VGPRs.
struct weights {
	float rescale;
	operand p;
	operand used;
};

// All of a tile but GEMM2.
template <bool Bounds, bool First, next_tile Next>
__device__ weights weigh_tile(const tile_buffer &tile, tile_buffer &other,
	const operand (&q)[S_STEPS], const operand *__restrict__ k_cache,
	const operand *__restrict__ v_cache, int tokens, page next, float scale,
	softmax_state &state)
{
	fetched f;
	if (Next != NEXT_NONE) {
		fetch<Next>(f, k_cache, v_cache, next);
	}

	weights w;
	f32x4 s[S_BLOCKS];
	gemm1<Bounds>(s, tile, q, tokens, scale);
	w.rescale = online_softmax<First>(s, state);
	w.p = pack(s);

	if (Next != NEXT_NONE) {
		commit(other, f);
	}
	w.used = Bounds ? used_bits(tokens) : ~0ul;
	return w;
}

// GEMM2. In the first tile of a work the results are 0 and rescale is 1.
__device__ void add_values(f32x4 (&oaccu)[O_BLOCKS], const tile_buffer &tile, weights w)
{
	const operand *v = tile.v + threadIdx.x % 16 * 4 + threadIdx.x % 64 / 16;

	for (int i = 0; i < O_BLOCKS; ++i) {
		oaccu[i] *= w.rescale;
		oaccu[i] = mma(v[i * 64] & w.used, w.p, oaccu[i]);
	}
}

__device__ void begin_work(tile_buffer &tile, operand (&q)[S_STEPS], softmax_state &state,
	f32x4 (&oaccu)[O_BLOCKS], const operand *__restrict__ queries,
	const operand *__restrict__ k_cache, const operand *__restrict__ v_cache, int query,
	page first)
{
	fetched f;
	fetch<NEXT_MASKED>(f, k_cache, v_cache, first);
	load_query(q, queries, query);
	commit(tile, f);
	state.row_max = -INFINITY;
	state.row_sum = 0;
	for (int i = 0; i < O_BLOCKS; ++i) {
		oaccu[i] = splat(0);
	}
}

__device__ void end_work(f32x4 *__restrict__ out, float *__restrict__ lse,
	const softmax_state &state, const f32x4 (&oaccu)[O_BLOCKS], int work)
{
	const int lane = threadIdx.x % 64;
	const int row = work * HEADS + threadIdx.x / 64 * WAVE_HEADS + lane % 16;
	float sum = state.row_sum;
	sum += __shfl_xor(sum, 16);
	sum += __shfl_xor(sum, 32);

	for (int i = 0; i < O_BLOCKS; ++i) {
		out[(size_t)row * (V_DIM / 4) + i * 4 + lane / 16] = oaccu[i] * (1 / sum);
	}
	if (lane < 16) {
		lse[row] = state.row_max + log2f(sum);
	}
}

// The four kernels take the same arguments: out is [work][HEADS][V_DIM], lse is [work][HEADS], and
// scale has log2(e) in it. They differ in what they know of a tile at compile time.

// 2 instances: is this tile full?
__global__ void __launch_bounds__(THREADS) mla_decode_2(const operand *__restrict__ queries,
	const operand *__restrict__ k_cache, const operand *__restrict__ v_cache,
	const page *__restrict__ pages, const work_item *__restrict__ works, int n_works,
	float scale, f32x4 *__restrict__ out, float *__restrict__ lse)
{
	__shared__ tile_buffer tile[2];
	operand q[S_STEPS];
	softmax_state state;
	f32x4 oaccu[O_BLOCKS];

	for (int w = blockIdx.x; w < n_works; w += gridDim.x) {
		const work_item work = works[w];
		const page *table = pages + work.first_page;
		__syncthreads();
		begin_work(
			tile[0], q, state, oaccu, queries, k_cache, v_cache, work.query, table[0]);
		for (int t = 0; t < work.pages; ++t) {
			const int tokens = table[t].tokens;
			const page next = t + 1 < work.pages ? table[t + 1] : page{0, 0};
			tile_buffer &now = tile[t % 2];
			tile_buffer &other = tile[(t + 1) % 2];
			__syncthreads();
			weights todo;
			if (tokens < TILE) {
				todo = weigh_tile<true, false, NEXT_MASKED>(now, other, q, k_cache,
					v_cache, tokens, next, scale, state);
			} else {
				todo = weigh_tile<false, false, NEXT_MASKED>(now, other, q, k_cache,
					v_cache, tokens, next, scale, state);
			}
			add_values(oaccu, now, todo);
		}
		end_work(out, lse, state, oaccu, w);
	}
}

// 4 instances: is this the first tile, and is it full?
__global__ void __launch_bounds__(THREADS) mla_decode_4(const operand *__restrict__ queries,
	const operand *__restrict__ k_cache, const operand *__restrict__ v_cache,
	const page *__restrict__ pages, const work_item *__restrict__ works, int n_works,
	float scale, f32x4 *__restrict__ out, float *__restrict__ lse)
{
	__shared__ tile_buffer tile[2];
	operand q[S_STEPS];
	softmax_state state;
	f32x4 oaccu[O_BLOCKS];

	for (int w = blockIdx.x; w < n_works; w += gridDim.x) {
		const work_item work = works[w];
		const page *table = pages + work.first_page;
		__syncthreads();
		begin_work(
			tile[0], q, state, oaccu, queries, k_cache, v_cache, work.query, table[0]);
		for (int t = 0; t < work.pages; ++t) {
			const int tokens = table[t].tokens;
			const page next = t + 1 < work.pages ? table[t + 1] : page{0, 0};
			tile_buffer &now = tile[t % 2];
			tile_buffer &other = tile[(t + 1) % 2];
			__syncthreads();
			weights todo;
			if (t == 0) {
				if (tokens < TILE) {
					todo = weigh_tile<true, true, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else {
					todo = weigh_tile<false, true, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				}
			} else {
				if (tokens < TILE) {
					todo = weigh_tile<true, false, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else {
					todo = weigh_tile<false, false, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				}
			}
			add_values(oaccu, now, todo);
		}
		end_work(out, lse, state, oaccu, w);
	}
}

// 6 instances: is this tile full, and is there a next one and is that full?
__global__ void __launch_bounds__(THREADS) mla_decode_6(const operand *__restrict__ queries,
	const operand *__restrict__ k_cache, const operand *__restrict__ v_cache,
	const page *__restrict__ pages, const work_item *__restrict__ works, int n_works,
	float scale, f32x4 *__restrict__ out, float *__restrict__ lse)
{
	__shared__ tile_buffer tile[2];
	operand q[S_STEPS];
	softmax_state state;
	f32x4 oaccu[O_BLOCKS];

	for (int w = blockIdx.x; w < n_works; w += gridDim.x) {
		const work_item work = works[w];
		const page *table = pages + work.first_page;
		__syncthreads();
		begin_work(
			tile[0], q, state, oaccu, queries, k_cache, v_cache, work.query, table[0]);
		for (int t = 0; t < work.pages; ++t) {
			const int tokens = table[t].tokens;
			const page next = t + 1 < work.pages ? table[t + 1] : page{0, 0};
			tile_buffer &now = tile[t % 2];
			tile_buffer &other = tile[(t + 1) % 2];
			__syncthreads();
			weights todo;
			if (tokens < TILE) {
				if (next.tokens == 0) {
					todo = weigh_tile<true, false, NEXT_NONE>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else if (next.tokens == TILE) {
					todo = weigh_tile<true, false, NEXT_FULL>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else {
					todo = weigh_tile<true, false, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				}
			} else {
				if (next.tokens == 0) {
					todo = weigh_tile<false, false, NEXT_NONE>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else if (next.tokens == TILE) {
					todo = weigh_tile<false, false, NEXT_FULL>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				} else {
					todo = weigh_tile<false, false, NEXT_MASKED>(now, other, q,
						k_cache, v_cache, tokens, next, scale, state);
				}
			}
			add_values(oaccu, now, todo);
		}
		end_work(out, lse, state, oaccu, w);
	}
}

// 12 instances: all three.
__global__ void __launch_bounds__(THREADS) mla_decode_12(const operand *__restrict__ queries,
	const operand *__restrict__ k_cache, const operand *__restrict__ v_cache,
	const page *__restrict__ pages, const work_item *__restrict__ works, int n_works,
	float scale, f32x4 *__restrict__ out, float *__restrict__ lse)
{
	__shared__ tile_buffer tile[2];
	operand q[S_STEPS];
	softmax_state state;
	f32x4 oaccu[O_BLOCKS];

	for (int w = blockIdx.x; w < n_works; w += gridDim.x) {
		const work_item work = works[w];
		const page *table = pages + work.first_page;
		__syncthreads();
		begin_work(
			tile[0], q, state, oaccu, queries, k_cache, v_cache, work.query, table[0]);
		for (int t = 0; t < work.pages; ++t) {
			const int tokens = table[t].tokens;
			const page next = t + 1 < work.pages ? table[t + 1] : page{0, 0};
			tile_buffer &now = tile[t % 2];
			tile_buffer &other = tile[(t + 1) % 2];
			__syncthreads();
			weights todo;
			if (t == 0) {
				if (tokens < TILE) {
					if (next.tokens == 0) {
						todo = weigh_tile<true, true, NEXT_NONE>(now, other,
							q, k_cache, v_cache, tokens, next, scale,
							state);
					} else if (next.tokens == TILE) {
						todo = weigh_tile<true, true, NEXT_FULL>(now, other,
							q, k_cache, v_cache, tokens, next, scale,
							state);
					} else {
						todo = weigh_tile<true, true, NEXT_MASKED>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					}
				} else {
					if (next.tokens == 0) {
						todo = weigh_tile<false, true, NEXT_NONE>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else if (next.tokens == TILE) {
						todo = weigh_tile<false, true, NEXT_FULL>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else {
						todo = weigh_tile<false, true, NEXT_MASKED>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					}
				}
			} else {
				if (tokens < TILE) {
					if (next.tokens == 0) {
						todo = weigh_tile<true, false, NEXT_NONE>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else if (next.tokens == TILE) {
						todo = weigh_tile<true, false, NEXT_FULL>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else {
						todo = weigh_tile<true, false, NEXT_MASKED>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					}
				} else {
					if (next.tokens == 0) {
						todo = weigh_tile<false, false, NEXT_NONE>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else if (next.tokens == TILE) {
						todo = weigh_tile<false, false, NEXT_FULL>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					} else {
						todo = weigh_tile<false, false, NEXT_MASKED>(now,
							other, q, k_cache, v_cache, tokens, next,
							scale, state);
					}
				}
			}
			add_values(oaccu, now, todo);
		}
		end_work(out, lse, state, oaccu, w);
	}
}
