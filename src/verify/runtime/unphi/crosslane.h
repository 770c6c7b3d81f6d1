#pragma once
/*
 * Operations that cross lanes or order memory. Reading an inactive lane gives 0 for shuffles and
 * ds_swizzle (ds_bpermute on the device), and the old value or 0 for DPP, by bound_ctrl. For
 * readlane it is an error: the device reads that lane's stale register, which the runner does not
 * model.
 */
#pragma GCC system_header
#include <string.h>
#include <unphi/race.h>
#include <unphi/wave.h>

namespace unphi
{

enum class absent {
	zero,
	keep,
	error
};

/* Reads the value of lane `from`. */
struct pull : meeting {
	uint64_t value;
	int from; /* -1: keep the own value */
	absent missing;
	uint64_t result; /* on entry: the value to keep */
};
/* Writes the value to lane `to`; if several lanes write there, the highest one wins. */
struct push : meeting {
	uint64_t value;
	int to;
	uint64_t result;
};
struct vote : meeting {
	bool value;
	uint64_t yes;
	uint64_t here;
};
/* Gives every lane the values of all lanes. */
struct gather : meeting {
	uint64_t value;
	uint64_t mask; /* lanes that must be active */
	uint64_t here;
	uint64_t values[64];
};
struct act : meeting {
	void (*step)(void *context);
	void *context;
};

extern const operation op_pull, op_pull_first, op_push, op_vote, op_gather, op_act, op_wave_sync,
	op_readlane, op_swap, op_syncthreads, op_s_barrier;

template <class T> UNPHI_INLINE uint64_t to_bits(const T &x)
{
	static_assert(sizeof(T) <= 8, "a lane exchanges up to 8 bytes");
	uint64_t bits = 0;
	memcpy(&bits, &x, sizeof x);
	return bits;
}
template <class T> UNPHI_INLINE T from_bits(uint64_t bits)
{
	T x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

template <class M> UNPHI_INLINE void do_meet(M &m)
{
	/* Keeps the compiler from merging the calls of two branch arms. */
	[[clang::nomerge]] meet(&m);
}

template <class T>
UNPHI_INLINE T pull_from(const operation &op, T x, int from, absent missing, T old, place at)
{
	pull m{{&op, at}, to_bits(x), from, missing, to_bits(old)};
	do_meet(m);
	return from_bits<T>(m.result);
}
template <class T> UNPHI_INLINE T bpermute(T x, int from, place at)
{
	return pull_from(op_pull, x, from & (int)(wave_size() - 1), absent::zero, T(), at);
}
UNPHI_INLINE vote votes(bool value, place at)
{
	vote m{{&op_vote, at}, value, 0, 0};
	do_meet(m);
	return m;
}
UNPHI_INLINE void wave_sync(place at)
{
	meeting m{&op_wave_sync, at};
	do_meet(m);
}
UNPHI_INLINE int block_sync(const operation &op, int value, place at)
{
	barrier m{{&op, at}, value, 0};
	do_meet(m);
	return m.sum;
}
/* Runs the step for one lane after the other, once the active lanes have reached it. */
template <class F> UNPHI_INLINE void in_turn(F &step, place at)
{
	act m{{&op_act, at}, [](void *context) { (*(F *)context)(); }, &step};
	do_meet(m);
}
template <class T> UNPHI_INLINE gather gather_all(T x, uint64_t mask, place at)
{
	gather m;
	m.what = &op_gather;
	m.at = at;
	m.value = to_bits(x);
	m.mask = mask;
	do_meet(m);
	return m;
}
/* The lane that a shuffle within width lanes reads for a lane beyond it: HIP's versions differ. */
int beyond_width(int from, int wrapped, int width, place at);
int swizzle_source(int lane, int pattern, place at);
/* Source lane of a DPP control; -1: none. */
int dpp_source(int lane, int control, place at);

UNPHI_FN(uint64_t, lanes_below, (), (1ull << lane_id()) - 1)
template <class T> struct same_type {
	using type = T;
};
template <class T> using same = typename same_type<T>::type;

} // namespace unphi

#define UNPHI_AT unphi::place at = unphi::place::here()
/* Declares a function that a source without HIP's headers may define itself; overload resolution
 * prefers the source's own. */
#define UNPHI_HIP template <class = void> UNPHI_INLINE
#define UNPHI_HIP_FN(type, name, parameters, ...)                                                  \
	template <class = void> UNPHI_FN(type, name, parameters, __VA_ARGS__)

/* Shuffles. */
template <class T>
UNPHI_INLINE T __shfl(T x, int from, int width = (int)unphi::wave_size(), UNPHI_AT)
{
	const int self = (int)unphi::lane_id();
	const int wrapped = from & (width - 1);
	if (((from ^ wrapped) & (int)(unphi::wave_size() - 1)) != 0) {
		from = unphi::beyond_width(from, wrapped, width, at);
	}
	return unphi::bpermute(x, from + (self & ~(width - 1)), at);
}
template <class T>
UNPHI_INLINE T __shfl_up(T x, unsigned delta, int width = (int)unphi::wave_size(), UNPHI_AT)
{
	const int self = (int)unphi::lane_id();
	const int from = self - (int)delta;
	return unphi::bpermute(x, from < (self & ~(width - 1)) ? self : from, at);
}
template <class T>
UNPHI_INLINE T __shfl_down(T x, unsigned delta, int width = (int)unphi::wave_size(), UNPHI_AT)
{
	const int self = (int)unphi::lane_id();
	const int from = self + (int)delta;
	return unphi::bpermute(x, (self & (width - 1)) + (int)delta >= width ? self : from, at);
}
template <class T>
UNPHI_INLINE T __shfl_xor(T x, int mask, int width = (int)unphi::wave_size(), UNPHI_AT)
{
	const int self = (int)unphi::lane_id();
	const int from = self ^ mask;
	return unphi::bpermute(x, from >= ((self + width) & ~(width - 1)) ? self : from, at);
}

/* The forms with a mask; all lanes in the mask must be active. */
namespace unphi
{
template <class M> UNPHI_INLINE void check_mask(M mask, place at)
{
	(void)gather_all(0, (uint64_t)mask, at);
}
} // namespace unphi
#define UNPHI_SHFL_SYNC(name, by)                                                                  \
	template <class M, class T>                                                                \
	UNPHI_FN(T, name##_sync,                                                                   \
		(M mask, T x, by lanes, int width = (int)unphi::wave_size(), UNPHI_AT),            \
		(unphi::check_mask(mask, at), name(x, lanes, width, at)))
UNPHI_SHFL_SYNC(__shfl, int)
UNPHI_SHFL_SYNC(__shfl_up, unsigned)
UNPHI_SHFL_SYNC(__shfl_down, unsigned)
UNPHI_SHFL_SYNC(__shfl_xor, int)
#undef UNPHI_SHFL_SYNC

/* Votes. */
UNPHI_HIP_FN(unsigned long long, __ballot, (int predicate, UNPHI_AT),
	unphi::votes(predicate != 0, at).yes)
UNPHI_FN(unsigned long long, __ballot64, (int predicate, UNPHI_AT),
	unphi::votes(predicate != 0, at).yes)
UNPHI_HIP_FN(int, __any, (int predicate, UNPHI_AT), unphi::votes(predicate != 0, at).yes != 0)
UNPHI_HIP int __all(int predicate, UNPHI_AT)
{
	const unphi::vote v = unphi::votes(predicate != 0, at);
	return v.yes == v.here;
}
UNPHI_HIP_FN(unsigned long long, __activemask, (UNPHI_AT), unphi::votes(true, at).here)
template <class M>
UNPHI_FN(unsigned long long, __ballot_sync, (M mask, int predicate, UNPHI_AT),
	(unphi::check_mask(mask, at), __ballot(predicate, at) & mask))
template <class M>
UNPHI_FN(int, __any_sync, (M mask, int predicate, UNPHI_AT),
	(unphi::check_mask(mask, at), __any(predicate, at)))
template <class M>
UNPHI_FN(int, __all_sync, (M mask, int predicate, UNPHI_AT),
	(unphi::check_mask(mask, at), __all(predicate, at)))
template <class T>
UNPHI_INLINE unsigned long long __match_any(T value, UNPHI_AT)
{
	const unphi::gather g = unphi::gather_all(value, 0, at);
	unsigned long long equal = 0;
	for (int i = 0; i < 64; ++i) {
		equal |= (unsigned long long)(g.here >> i & 1 && g.values[i] == g.value) << i;
	}
	return equal;
}
template <class T> UNPHI_INLINE unsigned long long __match_all(T value, int *all, UNPHI_AT)
{
	const unphi::gather g = unphi::gather_all(value, 0, at);
	*all = 1;
	for (int i = 0; i < 64; ++i) {
		*all &= !(g.here >> i & 1) || g.values[i] == g.value;
	}
	return *all ? g.here : 0;
}
template <class M, class T>
UNPHI_FN(unsigned long long, __match_any_sync, (M mask, T value, UNPHI_AT),
	(unphi::check_mask(mask, at), __match_any(value, at) & mask))
template <class M, class T>
UNPHI_FN(unsigned long long, __match_all_sync, (M mask, T value, int *all, UNPHI_AT),
	(unphi::check_mask(mask, at), __match_all(value, all, at) & mask))

#define UNPHI_REDUCE(name, step)                                                                   \
	template <class M, class T>                                                                \
	UNPHI_INLINE T __reduce_##name##_sync(M mask, T value, UNPHI_AT)                           \
	{                                                                                          \
		const unphi::gather g = unphi::gather_all(value, (uint64_t)mask, at);              \
		bool first = true;                                                                 \
		T a = T();                                                                         \
		for (int i = 0; i < 64; ++i) {                                                     \
			if ((uint64_t)mask >> i & g.here >> i & 1) {                               \
				const T b = unphi::from_bits<T>(g.values[i]);                      \
				a = first ? b : (T)(step);                                         \
				first = false;                                                     \
			}                                                                          \
		}                                                                                  \
		return a;                                                                          \
	}
UNPHI_REDUCE(add, a + b) UNPHI_REDUCE(min, b < a ? b : a) UNPHI_REDUCE(max, b > a ? b : a)
	UNPHI_REDUCE(and, a &b) UNPHI_REDUCE(or, a | b) UNPHI_REDUCE(xor, a ^ b)
#undef UNPHI_REDUCE

	/* Permutations, named after their instructions. */
	UNPHI_FN(int, __builtin_amdgcn_ds_bpermute, (int address, int x, UNPHI_AT),
		unphi::bpermute(x, address >> 2, at)) UNPHI_INLINE
	int __builtin_amdgcn_ds_permute(int address, int x, UNPHI_AT)
{
	unphi::push m{{&unphi::op_push, at}, unphi::to_bits(x),
		address >> 2 & (int)(unphi::wave_size() - 1), 0};
	unphi::do_meet(m);
	return unphi::from_bits<int>(m.result);
}
UNPHI_FN(int, __builtin_amdgcn_ds_swizzle, (int x, int pattern, UNPHI_AT),
	unphi::bpermute(x, unphi::swizzle_source((int)unphi::lane_id(), pattern, at), at))
UNPHI_INLINE int __builtin_amdgcn_update_dpp(
	int old, int x, int control, int row_mask, int bank_mask, bool bound_ctrl, UNPHI_AT)
{
	const int lane = (int)unphi::lane_id();
	const bool written = row_mask >> (lane / 16) & bank_mask >> (lane / 4 % 4) & 1;
	const int from = unphi::dpp_source(lane, control, at);
	/* Other lanes still read a lane that is not written. */
	return unphi::pull_from(unphi::op_pull, x, written ? from : -1,
		bound_ctrl ? unphi::absent::zero : unphi::absent::keep,
		written && from < 0 && bound_ctrl ? 0 : old, at);
}
/* On the device, lanes that are not written hold an undefined value; here they hold 0. */
UNPHI_FN(int, __builtin_amdgcn_mov_dpp,
	(int x, int control, int row_mask, int bank_mask, bool bound_ctrl, UNPHI_AT),
	__builtin_amdgcn_update_dpp(0, x, control, row_mask, bank_mask, bound_ctrl, at))
UNPHI_INLINE unsigned __builtin_amdgcn_mov_dpp8(unsigned x, unsigned selectors, UNPHI_AT)
{
	const int lane = (int)unphi::lane_id();
	return unphi::bpermute(x, (lane & ~7) + (int)(selectors >> (lane % 8 * 3) & 7), at);
}
/* Reads lanes of the own row of 16, or of the other row of the pair. */
#define UNPHI_PERMLANE(name, row)                                                                  \
	UNPHI_INLINE unsigned __builtin_amdgcn_##name(unsigned old, unsigned x, unsigned lo,       \
		unsigned hi, bool fetch_inactive, bool bound_ctrl, UNPHI_AT)                       \
	{                                                                                          \
		(void)fetch_inactive;                                                              \
		const int lane = (int)unphi::lane_id();                                            \
		const unsigned long long select = (unsigned long long)hi << 32 | lo;               \
		return unphi::pull_from(unphi::op_pull, x,                                         \
			(row) + (int)(select >> (lane % 16 * 4) & 15),                             \
			bound_ctrl ? unphi::absent::zero : unphi::absent::keep, old, at);          \
	}
UNPHI_PERMLANE(permlane16, lane & ~15)
UNPHI_PERMLANE(permlanex16, (lane & ~15) ^ 16)
#undef UNPHI_PERMLANE
UNPHI_INLINE unsigned __builtin_amdgcn_permlane64(unsigned x, UNPHI_AT)
{
	const int lane = (int)unphi::lane_id();
	return unphi::wave_size() == 64 ? unphi::bpermute(x, lane ^ 32, at) : x;
}
/* gfx950: swaps rows of 16 lanes (32: halves of the wave): the odd rows of a with the even rows of
 * b. */
namespace unphi
{
typedef unsigned pair_u32 __attribute__((vector_size(8)));
UNPHI_INLINE pair_u32 swap_rows(unsigned a, unsigned b, int lanes, place at)
{
	const int lane = (int)lane_id();
	const uint64_t other = pull_from(
		op_swap, (uint64_t)b << 32 | a, lane ^ lanes, absent::error, (uint64_t)0, at);
	return lane & lanes ? pair_u32{(unsigned)(other >> 32), b} : pair_u32{a, (unsigned)other};
}
} // namespace unphi
UNPHI_FN(unphi::pair_u32, __builtin_amdgcn_permlane16_swap,
	(unsigned a, unsigned b, bool, bool, UNPHI_AT), unphi::swap_rows(a, b, 16, at))
UNPHI_FN(unphi::pair_u32, __builtin_amdgcn_permlane32_swap,
	(unsigned a, unsigned b, bool, bool, UNPHI_AT), unphi::swap_rows(a, b, 32, at))

/* gfx950's transposing loads: 16 lanes read the rows of a tile 16 elements wide, 8 or 12 bytes
 * each, and each lane gets a column. */
namespace unphi
{
template <class R, int bits, int bytes, class P> UNPHI_INLINE R read_transposed(P from, place at)
{
	typedef unsigned __int128 row_bits;
	constexpr int n = 8 * bytes / bits;
	const int lane = (int)lane_id();
	const uint64_t group = 0xffffull << (lane & ~15);
	uint64_t part[2] = {};
	memcpy(part, (const void *)(uintptr_t)from, bytes);
	const gather low = gather_all(part[0], group, at);
	const gather high = bytes > 8 ? gather_all(part[1], group, at) : low;
	row_bits column = 0;
	for (int row = 0; row < n; ++row) {
		const int other = (lane & ~15) + 16 / n * row + lane % 16 / n;
		const row_bits all = (row_bits)high.values[other] << 64 | low.values[other];
		const row_bits one = all >> bits * (lane % n) & ((1u << bits) - 1);
		column |= one << bits * row;
	}
	R r = {};
	memcpy(&r, &column, bytes);
	return r;
}
} // namespace unphi
#define UNPHI_READ_TR(name, T, bits, bytes)                                                        \
	typedef T unphi_##name __attribute__((vector_size(bytes)));                                \
	template <class P>                                                                         \
	UNPHI_FN(unphi_##name, __builtin_amdgcn_ds_read_##name, (P p, UNPHI_AT),                   \
		unphi::read_transposed<unphi_##name, bits, bytes>(p, at))
UNPHI_READ_TR(tr16_b64_v4i16, short, 16, 8)
UNPHI_READ_TR(tr16_b64_v4f16, _Float16, 16, 8)
UNPHI_READ_TR(tr16_b64_v4bf16, __bf16, 16, 8)
UNPHI_READ_TR(tr8_b64_v2i32, int, 8, 8)
UNPHI_READ_TR(tr6_b96_v3i32, int, 6, 12)
UNPHI_READ_TR(tr4_b64_v2i32, int, 4, 8)
#undef UNPHI_READ_TR

#define __hip_ds_bpermute(address, x) __builtin_amdgcn_ds_bpermute(address, x)
#define __hip_ds_permute(address, x) __builtin_amdgcn_ds_permute(address, x)
#define __hip_ds_bpermutef(address, x)                                                             \
	__builtin_bit_cast(                                                                        \
		float, __builtin_amdgcn_ds_bpermute(address, __builtin_bit_cast(int, (float)(x))))
#define __hip_ds_permutef(address, x)                                                              \
	__builtin_bit_cast(                                                                        \
		float, __builtin_amdgcn_ds_permute(address, __builtin_bit_cast(int, (float)(x))))
#define __hip_ds_swizzle(x, pattern) __builtin_amdgcn_ds_swizzle(x, pattern)
#define __hip_ds_swizzlef(x, pattern)                                                              \
	__builtin_bit_cast(                                                                        \
		float, __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, (float)(x)), pattern))
#define __hip_move_dpp(x, control, rows, banks, bound)                                             \
	__builtin_amdgcn_mov_dpp(x, control, rows, banks, bound)

/* clang-19 accepts any type here, clang-15 only int. */
template <class T> UNPHI_INLINE T __builtin_amdgcn_readfirstlane(T x, UNPHI_AT)
{
	return unphi::pull_from(unphi::op_pull_first, x, 0, unphi::absent::error, T(), at);
}
template <class T> UNPHI_INLINE T __builtin_amdgcn_readlane(T x, int from, UNPHI_AT)
{
	return unphi::pull_from(unphi::op_readlane, x, from & (int)(unphi::wave_size() - 1),
		unphi::absent::error, T(), at);
}
template <class T> UNPHI_INLINE T __builtin_amdgcn_writelane(unphi::same<T> x, int to, T old)
{
	return (int)unphi::lane_id() == (to & (int)(unphi::wave_size() - 1)) ? x : old;
}
UNPHI_FN(unsigned, __builtin_amdgcn_mbcnt_lo, (unsigned mask, unsigned add),
	(unsigned)__builtin_popcount(mask &(unsigned)unphi::lanes_below()) + add)
UNPHI_FN(unsigned, __builtin_amdgcn_mbcnt_hi, (unsigned mask, unsigned add),
	(unsigned)__builtin_popcount(mask &(unsigned)(unphi::lanes_below() >> 32)) + add)
#define __mbcnt_lo(mask, add) __builtin_amdgcn_mbcnt_lo(mask, add)
#define __mbcnt_hi(mask, add) __builtin_amdgcn_mbcnt_hi(mask, add)
UNPHI_HIP_FN(unsigned, __lane_id, (), unphi::lane_id())
UNPHI_FN(uint32_t, __builtin_amdgcn_ballot_w32, (bool x, UNPHI_AT),
	(uint32_t)unphi::votes(x, at).yes)
UNPHI_FN(uint64_t, __builtin_amdgcn_ballot_w64, (bool x, UNPHI_AT), unphi::votes(x, at).yes)
UNPHI_FN(bool, __builtin_amdgcn_inverse_ballot_w32, (uint32_t mask), mask >> unphi::lane_id() & 1)
UNPHI_FN(bool, __builtin_amdgcn_inverse_ballot_w64, (uint64_t mask), mask >> unphi::lane_id() & 1)
UNPHI_FN(uint64_t, __builtin_amdgcn_read_exec, (UNPHI_AT), unphi::votes(true, at).here)
UNPHI_FN(uint32_t, __builtin_amdgcn_read_exec_lo, (UNPHI_AT), (uint32_t)unphi::votes(true, at).here)
UNPHI_FN(uint32_t, __builtin_amdgcn_read_exec_hi, (UNPHI_AT),
	(uint32_t)(unphi::votes(true, at).here >> 32))

/* Barriers. Fences need not order memory here. They are convergent, because code may rely on
 * lockstep between fences. */
UNPHI_HIP void __syncthreads(UNPHI_AT)
{
	unphi::block_sync(unphi::op_syncthreads, 0, at);
}
UNPHI_HIP_FN(int, __syncthreads_count, (int predicate, UNPHI_AT),
	unphi::block_sync(unphi::op_syncthreads, predicate != 0, at))
UNPHI_HIP_FN(int, __syncthreads_and, (int predicate, UNPHI_AT),
	unphi::block_sync(unphi::op_syncthreads, predicate == 0, at) == 0)
UNPHI_HIP_FN(int, __syncthreads_or, (int predicate, UNPHI_AT),
	unphi::block_sync(unphi::op_syncthreads, predicate != 0, at) != 0)
UNPHI_INLINE void __builtin_amdgcn_s_barrier(UNPHI_AT)
{
	unphi::block_sync(unphi::op_s_barrier, 0, at);
}
/* The split barrier of gfx12. Waves run one after the other, so only the wait has an effect. */
UNPHI_INLINE void __builtin_amdgcn_s_barrier_signal(int)
{
}
UNPHI_INLINE void __builtin_amdgcn_s_barrier_wait(short, UNPHI_AT)
{
	unphi::block_sync(unphi::op_s_barrier, 0, at);
}
UNPHI_INLINE void __builtin_amdgcn_wave_barrier(UNPHI_AT)
{
	unphi::wave_sync(at);
}
UNPHI_HIP void __syncwarp(unsigned long long mask = ~0ull, UNPHI_AT)
{
	(void)mask;
	unphi::wave_sync(at);
}
namespace unphi
{
UNPHI_INLINE void fence(bool all, place at = place::here())
{
	wave_sync(at);
	race_fence(all);
}
/* Fences by scope name; "workgroup", "wavefront" and "singlethread" stay within the work-group. */
UNPHI_INLINE void fence(const char *scope, place at = place::here())
{
	fence(!(scope[0] == 'w' || (scope[0] == 's' && scope[1] == 'i')), at);
}
} // namespace unphi
UNPHI_HIP_FN(void, __threadfence, (UNPHI_AT), unphi::fence(true, at))
UNPHI_HIP_FN(void, __threadfence_block, (UNPHI_AT), unphi::fence(false, at))
UNPHI_HIP_FN(void, __threadfence_system, (UNPHI_AT), unphi::fence(true, at))
#define UNPHI_FIRST(x, ...) x
#define __builtin_amdgcn_fence(order, ...) unphi::fence(UNPHI_FIRST(__VA_ARGS__))
#define __builtin_amdgcn_s_waitcnt(...) unphi::wave_sync(unphi::place::here())
#define __builtin_amdgcn_s_wait_asynccnt(...) unphi::wave_sync(unphi::place::here())
#define __builtin_amdgcn_sched_barrier(...) ((void)0)
#define __builtin_amdgcn_sched_group_barrier(...) ((void)0)
#define __builtin_amdgcn_iglp_opt(...) ((void)0)
#define __builtin_amdgcn_s_setprio(...) ((void)0)
#define __builtin_amdgcn_s_nop(...) ((void)0)
#define __builtin_amdgcn_s_sleep(...) unphi::yield()
#define __builtin_amdgcn_s_sleep_var(...) unphi::yield()
#define __builtin_amdgcn_s_sethalt(...) ((void)0)
