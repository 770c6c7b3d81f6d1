#pragma once
/*
 * The judge of all trials. It compares a changed text with the one before it, by figures, bits and
 * time, and makes a kept text the current one. Merges, barriers, fragments, flags and accesses use
 * it, each with options for the gains that count.
 */
#include "choose/judge/compile.h"

/* The verdict on a text over all targets: the worst objection, else the first gain. */
struct judged {
	enum outcome outcome;
	bool late;		   /* a compile was stopped because time ran out */
	const char *reason;	   /* with the target's name if there are several */
	const char *why;	   /* the reason without the target's name */
	size_t target;		   /* the target of the deciding figure; 0: none */
	const char *kernel;	   /* the deciding kernel, or NULL */
	const char *allowed;	   /* the gain, if only the veto on FMAs is against it */
	const char *fused;	   /* the difference in fusing, if that is allowed; or NULL */
	enum metric by;		   /* the deciding metric; METRIC_COUNT: none */
	struct measured_cost cost; /* by the compiler's output, over all targets */
	bool ran;		   /* the runs overruled it: these figures are theirs */
	bool to_prove;	 /* its bits differ, or it fuses differently: kept only with a proof */
	bool keeps_arms; /* the arms are not written as one */
};

struct judge_by {
	const struct measure_result *before; /* one a target; NULL: those of the state */
	const struct map *kernels;	     /* symbols; NULL: all of the unit */
	const bool *views; /* the targets that count; NULL: all; with none the verdict is unknown */
	struct compare_opts opts;
};

/* Do all compilers of the job leave uniform branches unstructurized? */
bool judge_skips_uniform(const struct state *s);
/* Does a clang of this major version leave uniform branches unstructurized, by default or because
 * of these flags (NULL: none)? */
bool flags_skip_uniform(const char *const *flags, unsigned clang, const struct settings *settings);
/* The judge's options, from the settings. If cases run, a proof decides about differences in
 * fusing, not --allow-recontraction. */
struct compare_opts judge_options(const struct state *s);
/* Compares after, a result for each target, with `by`. */
struct judged judge_figures(
	struct state *s, const struct measure_result *after, const struct judge_by *by);
/* Writes the verdict as outcome and reason of an attempt; if time ran out, the outcome is not
 * tried. */
void judge_attempt(struct attempt *at, const struct state *s, const struct judged *g);
/* Is this outcome at least as bad as `as`? OUTCOME_WORSE: is it bad at all? */
bool judge_is_as_bad(enum outcome o, enum outcome as);
bool judge_is_cheaper(const struct state *s, const struct judged *x, const struct judged *y);
/* Does the kernel cost no more than with only one arm, in all figures that decide? */
bool judge_is_at_one_arm(const struct kernel_metrics *now, const struct kernel_metrics *one_arm);

/* 1: the same bits as the source, or bits are not compared; 0 and *why; or enum fail. */
int judge_bits(const struct state *s, struct str text, const char **why);
/* Times the user's command with each text, the current one first. Sets outcome and reason of at[i]
 * for text[i], and *fastest to the best that gains, or to 0. 0 or enum fail. */
int judge_times(size_t *fastest, struct attempt *const *at, struct state *s, const struct str *text,
	size_t n);
/* Makes text the current one. It is parsed, and the edits l make it from the one before. after: its
 * figures, NULL if forced. */
void judge_accept(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result);
/* The verdict by runs, which overrules the one by paths. now and then: the figures, one a target.
 * after has the same bits as before. */
void judge_ran(struct judged *g, const struct state *s, const struct measurement *now,
	const struct measurement *then, const struct choose_ran *before,
	const struct choose_ran *after);
