#pragma once
/*
 * Compares what runs: a kernel's paths in the assembly (measure/isa/path.h), or the cases of a
 * spec. In order: scratch traffic, resident waves, issue cycles.
 *
 * Waves against cycles: a wave issues vector instructions for V cycles and scalar ones for S, and
 * waits for its loads for L. In each cycle a SIMD issues one instruction of each kind, of different
 * waves (AMD, "AMD Graphics Cores Next (GCN) Architecture", 2012). So W waves on a SIMD are a
 * closed queue: two servers, which they share, and a delay. Mean value analysis gives the time for
 * each wave (M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
 * Networks", Journal of the ACM 27, 1980). It is exact for the means V, S and L with any
 * distribution, if waves with work share the servers evenly. L is an estimate, good enough to
 * compare versions of one kernel.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/settings.h"

/* What a wave executes on one path, or in one case. */
struct run_cost {
	double cycles;	 /* of issue */
	double scalar;	 /* of these: of instructions without a vector unit */
	double scratch;	 /* accesses, or bytes: the same unit on both sides */
	double branches; /* executed */
	double waits;	 /* cycles, for loads: measure/isa/stall.h */
	double share;	 /* weight among all paths or cases */
	int64_t waves;	 /* resident on a SIMD; METRIC_ABSENT: not known */
};

struct cost_opts {
	enum prefer prefer;
	int64_t latency;      /* cycles of a load from memory: waits are made for STALL_MEMORY */
	int64_t min_gain;     /* percent of issue cycles that make an edit worthwhile */
	int64_t branch_every; /* one more branch per this many instructions is worse */
	bool paths; /* paths, the likeliest first, which must save min_gain; false: cases */
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
	size_t at; /* index of the path or case that decided by cycles */
};

struct cost_sums {
	double scratch, cycles, branches;
	double value; /* cycles per wave, with all waves of the SIMD sharing it */
	double near;  /* the same with all loads from the nearest cache */
	int64_t waves;
};

/* The sums over all n, weighted by share. */
struct cost_sums cost_sum(const struct run_cost *v, size_t n, const struct cost_opts *o);
/* Compares after with before, path by path or case by case. */
struct cost_verdict cost_compare(const struct run_cost *before, const struct run_cost *after,
	size_t n, const struct cost_opts *o);
