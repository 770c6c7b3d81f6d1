#pragma once
/*
 * The one judge of what runs: of a kernel's paths as the text has them (measure/isa/path.h), and of
 * cases that were run. In order: scratch traffic, resident waves, issue cycles.
 *
 * Waves against cycles: a wave issues vector instructions for V cycles and scalar ones for S,
 * and waits for its loads for L. In each cycle a SIMD issues one instruction of each kind, of
 * different waves (AMD, "AMD Graphics Cores Next (GCN) Architecture", 2012). So W waves on a
 * SIMD are a closed queue: two servers, which they share, and a delay. Mean value analysis gives
 * the time for each wave (M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of Closed
 * Multichain Queuing Networks", Journal of the ACM 27, 1980). It is exact for the means V, S and
 * L however they spread, as long as waves with work share the servers evenly. L is an estimate,
 * made to compare texts of one kernel with each other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/settings.h"

/* What runs of a wave on one path, or in one case. */
struct run_cost {
	double cycles;	 /* of issue */
	double scalar;	 /* of these, of what needs no vector unit */
	double scratch;	 /* accesses, or bytes: of both sides the same */
	double branches; /* that are met */
	double waits;	 /* cycles, for loads: measure/isa/stall.h */
	double share;	 /* of all that is compared */
	int64_t waves;	 /* resident on a SIMD; METRIC_ABSENT: not known */
};

struct cost_opts {
	enum prefer prefer;
	int64_t latency;      /* cycles of a load from memory: waits are made for STALL_MEMORY */
	int64_t min_gain;     /* percent of the issue cycles that are worth an edit */
	int64_t branch_every; /* a branch more for so many instructions is worse */
	bool paths;	      /* shares of one run, of which the first is the likeliest: it has to
				 save min_gain, too. false: cases, each a run */
};

enum cost_by {
	COST_BY_NOTHING,
	COST_BY_SCRATCH,
	COST_BY_WAVES,
	COST_BY_BRANCHES,
	COST_BY_WAITS,
	COST_BY_CYCLES
};

struct cost_verdict {
	int better; /* 1, 0: equal, or -1 */
	enum cost_by by;
	size_t at; /* what decided by cycles */
};

struct cost_sums {
	double scratch, cycles, branches;
	double value; /* cycles until it is done, for each of the waves that share a SIMD */
	double near;  /* the same where the loads come from the nearest cache */
	int64_t waves;
};

/* Of all n, by their shares. */
struct cost_sums cost_sum(const struct run_cost *v, size_t n, const struct cost_opts *o);
/* after against before, one by one. */
struct cost_verdict cost_compare(const struct run_cost *before, const struct run_cost *after,
	size_t n, const struct cost_opts *o);
