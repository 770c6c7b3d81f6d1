#pragma once
/*
 * The engine of all trials: one changed text against the one before it, by its figures, its bits
 * and its time, and then taken over. Merges, barriers, fragments, flags and accesses go through it,
 * each with the options that say what counts for it.
 */
#include "choose/judge/compile.h"

/* What came of a text, over all targets: the worst objection, else the first gain. */
struct judged {
	enum outcome outcome;
	bool late;		   /* a compile was stopped because time ran out */
	const char *reason;	   /* with the target's name where there are several */
	const char *why;	   /* without */
	size_t target;		   /* that decided; 0 where none did */
	const char *kernel;	   /* by which it was decided, or NULL */
	const char *allowed;	   /* the gain, where but for FMAs no target stood against it */
	const char *fused;	   /* what is fused otherwise, where that is allowed; or NULL */
	enum metric by;		   /* that decided; METRIC_COUNT: none */
	struct measured_cost cost; /* by the text, over all targets */
	bool ran;		   /* that overruled it: these figures are of what ran */
	bool to_prove;		   /* its bits differ, or it fuses otherwise: only by proof */
	bool keeps_arms;	   /* the arms stay apart */
};

struct judge_by {
	const struct measure_result *before; /* one a target; NULL: those of the state */
	const struct map *kernels;	     /* symbols; NULL: all of the unit */
	const bool *views; /* the targets that have a say; NULL: all. None: it cannot be told */
	struct compare_opts opts;
};

/* Do all compilers of the job leave regions of uniform branches as they are? */
bool judge_skips_uniform(const struct state *s);
/* Does a clang of this major version leave regions of uniform branches as they are, by default or
 * by these flags? NULL: none. */
bool flags_skip_uniform(const char *const *flags, unsigned clang, const struct settings *settings);
/* What the settings say of gains. Where cases run, a proof decides what may fuse otherwise, and not
 * --allow-recontraction. */
struct compare_opts judge_options(const struct state *s);
/* after: one a target. */
struct judged judge_figures(
	struct state *s, const struct measure_result *after, const struct judge_by *by);
/* The same as outcome and reason of an attempt: not tried, where time ran out. */
void judge_attempt(struct attempt *at, const struct state *s, const struct judged *g);
/* Is this outcome at least as bad as `as`? OUTCOME_WORSE: is it bad at all? */
bool judge_is_as_bad(enum outcome o, enum outcome as);
bool judge_is_cheaper(const struct state *s, const struct judged *x, const struct judged *y);
/* Does a kernel cost no more than with only one arm, in whatever decides? */
bool judge_is_at_one_arm(const struct kernel_metrics *now, const struct kernel_metrics *one_arm);

/* 1: the same bits as the source, or nobody asks; 0 and *why; or enum fail. */
int judge_bits(const struct state *s, struct str text, const char **why);
/* Times the user's command with each text, the one as it is first: outcome and reason of at[i] are
 * those of text[i], and *fastest is the best of those that gain; 0: none does. Or enum fail. */
int judge_times(size_t *fastest, struct attempt *const *at, struct state *s, const struct str *text,
	size_t n);
/* Takes text, which is parsed and which l makes of the one before, and its figures (NULL: forced).
 */
void judge_accept(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result);
/* What runs overrules what the paths in the text say. now and then: their figures, one a target;
 * after leaves the bits of before. */
void judge_ran(struct judged *g, const struct state *s, const struct measurement *now,
	const struct measurement *then, const struct choose_ran *before,
	const struct choose_ran *after);
