#pragma once
/* Atomics under the names of HIP, clang and LLVM. Lanes of a wave execute them one after the
 * other. */
#pragma GCC system_header
#include <unphi/crosslane.h>

/* Atomics; each returns the value before it. */
namespace unphi
{
/* syncs: an exchange, a load or a store, from which kernels build flags and locks. */
template <class T, class F> UNPHI_INLINE T atomic(T *p, F next, place at, bool syncs = false)
{
	T old = T();
	auto step = [&] {
		race_syncs = syncs;
		old = *p;
		*p = next(old);
	};
	in_turn(step, at);
	return old;
}
/* Fences before an atomic whose order contains a release. scope: a __HIP_MEMORY_SCOPE_ value. */
UNPHI_INLINE void release(int order, int scope)
{
	if (order >= __ATOMIC_RELEASE) {
		race_fence(scope > 3);
	}
}
UNPHI_INLINE void release(int order, int, int scope)
{
	release(order, scope);
}
} // namespace unphi

#define UNPHI_ATOMIC(name, next, ...)                                                              \
	template <class T> UNPHI_INLINE T name(T *p, unphi::same<T> x, UNPHI_AT)                   \
	{                                                                                          \
		return unphi::atomic(p, [&](T old) { return (T)(next); }, at, ##__VA_ARGS__);      \
	}
#define UNPHI_ATOMICS(name, next, ...)                                                             \
	UNPHI_ATOMIC(name, next, ##__VA_ARGS__)                                                    \
	UNPHI_ATOMIC(name##_system, next, ##__VA_ARGS__)                                           \
	UNPHI_ATOMIC(name##_block, next, ##__VA_ARGS__)
UNPHI_ATOMICS(atomicAdd, old + x)
UNPHI_ATOMICS(atomicSub, old - x)
UNPHI_ATOMICS(atomicMin, x < old ? x : old)
UNPHI_ATOMICS(atomicMax, x > old ? x : old)
UNPHI_ATOMICS(atomicExch, x, true)
UNPHI_ATOMICS(atomicAnd, old &x)
UNPHI_ATOMICS(atomicOr, old | x)
UNPHI_ATOMICS(atomicXor, old ^ x)
UNPHI_ATOMICS(atomicInc, old >= x ? 0 : old + 1)
UNPHI_ATOMICS(atomicDec, old == 0 || old > x ? x : old - 1)
UNPHI_ATOMIC(atomicAddNoRet, old + x)
UNPHI_ATOMIC(unsafeAtomicAdd, old + x)
UNPHI_ATOMIC(safeAtomicAdd, old + x)
UNPHI_ATOMIC(unsafeAtomicMin, x < old ? x : old)
UNPHI_ATOMIC(safeAtomicMin, x < old ? x : old)
UNPHI_ATOMIC(unsafeAtomicMax, x > old ? x : old)
UNPHI_ATOMIC(safeAtomicMax, x > old ? x : old)
#define __builtin_amdgcn_atomic_inc32(p, x, ...) atomicInc(p, x)
#define __builtin_amdgcn_atomic_inc64(p, x, ...) atomicInc(p, x)
#define __builtin_amdgcn_atomic_dec32(p, x, ...) atomicDec(p, x)
#define __builtin_amdgcn_atomic_dec64(p, x, ...) atomicDec(p, x)
#undef UNPHI_ATOMICS
#undef UNPHI_ATOMIC

template <class T>
UNPHI_INLINE T atomicCAS(T *p, unphi::same<T> expected, unphi::same<T> x, UNPHI_AT)
{
	return unphi::atomic(p, [&](T old) { return old == expected ? x : old; }, at, true);
}
template <class T>
UNPHI_FN(T, atomicCAS_system, (T * p, unphi::same<T> expected, unphi::same<T> x, UNPHI_AT),
	atomicCAS(p, expected, x, at))

namespace unphi
{
	template <class T>
	UNPHI_INLINE bool compare_exchange(T * p, T * expected, same<T> x, place at = place::here())
	{
		const T old = atomicCAS(p, *expected, x, at);
		const bool done = old == *expected;
		*expected = old;
		return done;
	}
	template <class T> UNPHI_INLINE T atomic_load(const T *p, place at = place::here())
	{
		return atomic(const_cast<T *>(p), [](T old) { return old; }, at, true);
	}
	template <class T>
	UNPHI_INLINE void atomic_store(T * p, same<T> x, place at = place::here())
	{
		(void)atomic(p, [&](T) { return x; }, at, true);
	}
} // namespace unphi

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define UNPHI_ORDERED(...) unphi::release(__VA_ARGS__)
#define __hip_atomic_load(p, ...) (UNPHI_ORDERED(__VA_ARGS__), unphi::atomic_load(p))
#define __hip_atomic_store(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), unphi::atomic_store(p, x))
#define __hip_atomic_exchange(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicExch(p, x))
#define __hip_atomic_fetch_add(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicAdd(p, x))
#define __hip_atomic_fetch_sub(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicSub(p, x))
#define __hip_atomic_fetch_min(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicMin(p, x))
#define __hip_atomic_fetch_max(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicMax(p, x))
#define __hip_atomic_fetch_and(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicAnd(p, x))
#define __hip_atomic_fetch_or(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicOr(p, x))
#define __hip_atomic_fetch_xor(p, x, ...) (UNPHI_ORDERED(__VA_ARGS__), atomicXor(p, x))
#define __hip_atomic_compare_exchange_strong(p, expected, x, ...)                                  \
	(UNPHI_ORDERED(__VA_ARGS__), unphi::compare_exchange(p, expected, x))
#define __hip_atomic_compare_exchange_weak(p, expected, x, ...)                                    \
	(UNPHI_ORDERED(__VA_ARGS__), unphi::compare_exchange(p, expected, x))
#define __builtin_amdgcn_ds_faddf(p, x, ...) atomicAdd(p, x)
#define __builtin_amdgcn_ds_fminf(p, x, ...) atomicMin(p, x)
#define __builtin_amdgcn_ds_fmaxf(p, x, ...) atomicMax(p, x)
#define __builtin_amdgcn_global_atomic_fadd_f32(p, x) atomicAdd(p, x)
#define __builtin_amdgcn_global_atomic_fadd_f64(p, x) atomicAdd(p, x)
#define __builtin_amdgcn_flat_atomic_fadd_f32(p, x) atomicAdd(p, x)
#define __builtin_amdgcn_flat_atomic_fadd_f64(p, x) atomicAdd(p, x)
#define __builtin_amdgcn_ds_atomic_fadd_f32(p, x) atomicAdd(p, x)

/* clang's own atomics, under the names that prepare.h gives them outside of system headers. */
namespace unphi
{
template <class T> UNPHI_INLINE T *plain(const volatile T *p)
{
	return const_cast<T *>(p);
}
template <class T> T plain_value(T *p);
template <class T, class F>
UNPHI_INLINE T builtin_atomic(T *p, F next, int order, bool syncs, bool gives_new, place at)
{
	T given = T();
	release(order, __HIP_MEMORY_SCOPE_SYSTEM);
	(void)atomic(
		p,
		[&](T old) {
			const T x = next(old);
			given = gives_new ? x : old;
			return x;
		},
		at, syncs);
	return given;
}
} // namespace unphi
#define UNPHI_BUILTIN(name, next, syncs, gives_new)                                                \
	template <class P, class X>                                                                \
	UNPHI_INLINE auto unphi_##name(P p, X value, int order = __ATOMIC_SEQ_CST, UNPHI_AT)       \
	{                                                                                          \
		auto *q = unphi::plain(p);                                                         \
		using T = decltype(unphi::plain_value(q));                                         \
		const T x = (T)value;                                                              \
		return unphi::builtin_atomic(                                                      \
			q,                                                                         \
			[&](T old) {                                                               \
				(void)old;                                                         \
				return (T)(next);                                                  \
			},                                                                         \
			order, syncs, gives_new, at);                                              \
	}
#define UNPHI_BUILTINS(what, next)                                                                 \
	UNPHI_BUILTIN(__atomic_fetch_##what, next, false, false)                                   \
	UNPHI_BUILTIN(__atomic_##what##_fetch, next, false, true)
#define UNPHI_SYNCS(what, next)                                                                    \
	UNPHI_BUILTINS(what, next)                                                                 \
	UNPHI_BUILTIN(__sync_fetch_and_##what, next, false, false)                                 \
	UNPHI_BUILTIN(__sync_##what##_and_fetch, next, false, true)
UNPHI_SYNCS(add, old + x)
UNPHI_SYNCS(sub, old - x)
UNPHI_SYNCS(and, old &x)
UNPHI_SYNCS(or, old | x)
UNPHI_SYNCS(xor, old ^ x)
UNPHI_SYNCS(nand, ~(old &x))
UNPHI_BUILTINS(min, x < old ? x : old)
UNPHI_BUILTINS(max, x > old ? x : old)
UNPHI_BUILTIN(__atomic_exchange_n, x, true, false)
UNPHI_BUILTIN(__atomic_store_n, x, true, false)
UNPHI_BUILTIN(__sync_lock_test_and_set, x, true, false)
#undef UNPHI_SYNCS
#undef UNPHI_BUILTINS
#undef UNPHI_BUILTIN
template <class P> UNPHI_INLINE auto unphi___atomic_load_n(P p, int order, UNPHI_AT)
{
	unphi::release(order, __HIP_MEMORY_SCOPE_SYSTEM);
	return unphi::atomic_load(unphi::plain(p), at);
}
template <class P, class T> UNPHI_INLINE void unphi___atomic_load(P p, T *to, int order, UNPHI_AT)
{
	*to = unphi___atomic_load_n(p, order, at);
}
template <class P, class T>
UNPHI_INLINE void unphi___atomic_store(P p, T *from, int order, UNPHI_AT)
{
	(void)unphi___atomic_store_n(p, *from, order, at);
}
template <class P, class T>
UNPHI_INLINE void unphi___atomic_exchange(P p, T *from, T *to, int order, UNPHI_AT)
{
	*to = unphi___atomic_exchange_n(p, *from, order, at);
}
template <class P, class T, class X>
UNPHI_INLINE bool unphi___atomic_compare_exchange_n(
	P p, T *expected, X x, bool, int order, int, UNPHI_AT)
{
	unphi::release(order, __HIP_MEMORY_SCOPE_SYSTEM);
	return unphi::compare_exchange(unphi::plain(p), expected, x, at);
}
template <class P, class T>
UNPHI_INLINE bool unphi___atomic_compare_exchange(
	P p, T *expected, T *x, bool weak, int order, int other, UNPHI_AT)
{
	return unphi___atomic_compare_exchange_n(p, expected, *x, weak, order, other, at);
}
template <class P, class E, class X>
UNPHI_INLINE auto unphi___sync_val_compare_and_swap(P p, E expected, X x, UNPHI_AT)
{
	unphi::release(__ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
	return atomicCAS(unphi::plain(p), expected, x, at);
}
template <class P, class E, class X>
UNPHI_INLINE bool unphi___sync_bool_compare_and_swap(P p, E expected, X x, UNPHI_AT)
{
	return unphi___sync_val_compare_and_swap(p, expected, x, at) == expected;
}
template <class P> UNPHI_INLINE void unphi___sync_lock_release(P p, UNPHI_AT)
{
	(void)unphi___atomic_store_n(p, 0, __ATOMIC_RELEASE, at);
}
UNPHI_INLINE void unphi___sync_synchronize(UNPHI_AT)
{
	unphi::fence(true, at);
}
UNPHI_INLINE void unphi___atomic_thread_fence(int, UNPHI_AT)
{
	unphi::fence(true, at);
}
