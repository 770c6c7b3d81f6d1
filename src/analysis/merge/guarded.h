#pragma once
/*
 * Guarded ifs in a row, as sequentialize and launder write them: ifs without else on one variable,
 * with nothing between them but what keeps LLVM from joining them.
 *
 *   if (taken) {
 *           step(acc, x);
 *   }
 *   __builtin_amdgcn_wave_barrier();
 *   if (!taken) {
 *           last(acc, x);
 *   }
 */
#include "kernel/kernel.h"

/* The condition of such an if: is the variable equal to value? If the variable itself is the
 * condition, value says whether it has to be true. */
struct guard_on {
	kt_id sym;
	bool flag;
	int64_t value;
};

/* False: the if has another condition. */
bool guard_on(struct guard_on *out, const struct kt_node *cond);
/* The code between two ifs of a row. */
enum guard_between {
	BETWEEN_OTHER,	 /* no row */
	BETWEEN_LAUNDER, /* an empty asm on the variable in a scalar register, or the macro */
	BETWEEN_LANES,	 /* the same in a vector register */
	BETWEEN_MACRO,	 /* UNPHI_FENCE() */
	BETWEEN_FENCE	 /* the builtin, which may be the source's own */
};
enum guard_between guard_between(
	const struct kt_unit *u, const struct kt_node *x, const struct kt_node *y);
/* The next if of n's row, or the one before n; NULL: there is none. */
const struct kt_node *guard_next(const struct kt_unit *u, const struct kt_node *n);
const struct kt_node *guard_before(const struct kt_unit *u, const struct kt_node *n);
