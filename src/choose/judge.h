#ifndef UNPHI_CHOOSE_JUDGE_H
#define UNPHI_CHOOSE_JUDGE_H
/*
 * One changed text against the one before it: by its figures, its bits and its time, and then taken
 * over. What stands behind the merges (barriers, fragments) goes through all of it; the search
 * compares figures by rules of its own.
 */
#include "choose/state.h"

/* Outcome and reason over all targets: the first that speaks against it, else the first gain.
 * result: one a target. kernels: symbols of those that are compared; NULL: all of the unit. */
void judge_figures(struct attempt *at, struct state *s, const struct measure_result *result,
	const struct map *kernels, const struct compare_opts *opts);
/* 1: the same bits as the source, or nobody asks; 0 and *why; or enum fail. */
int judge_bits(const struct state *s, struct str text, const char **why);
/* 1: the user's command finds it faster (at has how much), or there is none; 0: it does not; or
 * enum fail. */
int judge_time(struct attempt *at, struct state *s, struct str text);
/* Takes text, which l makes of the one before, and its figures (NULL: forced). False: it cannot be
 * read back. */
bool judge_keep(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result);
#endif
