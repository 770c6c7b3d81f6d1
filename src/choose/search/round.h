#pragma once
/* One round of the search: its merges (or barriers, or fragments), their texts, the compiler's
 * output for these, the picks, and the kept rewrites. Internal to the room. */
#include "choose/judge/judge.h"

struct round {
	struct state *s;
	ARRAY(struct trial) trials;
	/* how the trials are compared; NULL: they are merges, and have sites */
	const struct compare_opts *opts;
	size_t texts; /* the most candidates of a trial */
	/* the kernels in drafts, from the samples of all trials; NULL: all of the unit */
	const char *const *only;
	const bool *views; /* views that drafts are compiled for; NULL: all */
	/* results of the current text for these kernels, one for each target */
	const struct measure_result *base;
	unsigned second;      /* picks made after a first one was dropped */
	struct wanted *want;  /* these */
	const char **kernels; /* per trial: names for people */
	/* by text, then by trial: the result of the text with the trial's candidate, one for each
	 * target */
	const struct measure_result **result;
	struct judged *judged; /* in the same order */
};

/* round.c */
/* Finds the trials of the round and the texts that they need. */
void round_open(struct round *r);
void round_release(struct round *r);
/* The current text with one candidate of each trial (SIZE_MAX: none). The edits go to *edits if it
 * is not NULL. */
struct str round_text(struct round *r, const size_t *pick, struct edit_list **edits);
/* The same with candidate j of only one trial. */
struct str round_text_of(struct round *r, size_t trial, size_t j);
struct compile_as round_draft(const struct round *r);
/* The texts for the compiler, with the current text if it has no figures to compare with. */
size_t round_wanted(const struct round *r);
/* Compiles a failed text of several candidates in halves, until the candidate that causes the
 * failure is known. */
int round_compile(struct round *r);

/* views.c */
/* The views that drafts are compiled for; NULL: all. */
const bool *round_views(const struct round *r);
/* The views with a kernel that the trial is judged by. */
const bool *round_views_of(const struct round *r, const struct trial *t);

/* pick.c: the best candidate of a trial, if any is better. Enum fail after a message. */
int pick_best(struct round *r, size_t trial);
/* The best of the other better candidates: results of a sample, or of some views, are only a
 * hint. */
void pick_second(struct round *r, struct trial *t);
/* A pick decided by a sample or some views is reported with the figures of all kernels and
 * views. */
void pick_tell_whole(struct round *r, const struct measure_result *whole);

/* search.c: round by round, until no merge is left */
int search_run(struct state *s, struct choice *out);

/* keep.c: compiles the picks together, takes over those that are no worse, and decides all
 * trials. */
int keep_round(struct round *r);
/* The same for trials without sites; the caller writes their decisions. Forced picks are not
 * compiled. */
int keep_picked(struct round *r);
