#pragma once
/*
 * The one judge of what runs: of a kernel's paths as the text has them (measure/isa/path.h), and of
 * cases that were run. In order: scratch traffic, resident waves, issue cycles.
 *
 * Waves against cycles: a wave issues for I cycles and waits for its loads for L, and while it
 * waits the others issue. So W waves do their work in max(I * W, I + L), which is I + L for each of
 * min(W, 1 + L / I) waves: Little's law ("A Proof for the Queuing Formula: L = lambda W", 1961),
 * as V. Volkov ("Understanding Latency Hiding on GPUs", 2016) has it for a SIMD whose
 * waves are alike. L is a constant for each wait that loads precede: an estimate, made to compare
 * texts of one kernel with each other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/settings.h"

/* What runs of a wave on one path, or in one case. */
struct run_cost {
	double cycles;	 /* of issue */
	double scratch;	 /* accesses, or bytes: of both sides the same */
	double branches; /* that are met */
	double waits;	 /* for loads */
	double share;	 /* of all that is compared */
	int64_t waves;	 /* resident on a SIMD; METRIC_ABSENT: not known */
};

struct cost_opts {
	enum prefer prefer;
	int64_t latency;      /* cycles of a wait for loads */
	int64_t min_gain;     /* percent of the issue cycles that are worth an edit */
	int64_t branch_every; /* a branch more for so many instructions is worse */
	bool first_saves;     /* which have to be saved by the first, too: the likeliest path */
};

enum cost_by {
	COST_BY_NOTHING,
	COST_BY_SCRATCH,
	COST_BY_WAVES,
	COST_BY_BRANCHES,
	COST_BY_CYCLES
};

struct cost_verdict {
	int better; /* 1, 0: equal, or -1 */
	enum cost_by by;
	size_t at; /* what decided by cycles */
};

/* Cycles until it is done, for each of the waves that share a SIMD. */
double cost_value(const struct run_cost *c, const struct cost_opts *o);
/* after against before, one by one. */
struct cost_verdict cost_compare(const struct run_cost *before, const struct run_cost *after,
	size_t n, const struct cost_opts *o);
