#pragma once
/*
 * The steps of drive(): one launch, the cases so far, the first case, the search from there, and
 * the completion of the set of cases. Functions that return a code return FAIL_USAGE after a
 * message if files cannot be written.
 */
#include "base/process/proc.h"
#include "verify/init/drive.h"

enum {
	MOST_CASES = 24
};

struct drive {
	struct driven *d;
	struct params *p;
	struct trials *t;
	struct arena *a;
	size_t number;
	struct spec_case c; /* the next launch */
	struct trial_number *numbers;
	struct map tried;		 /* choices of values */
	struct map never;		 /* arms that no choice takes */
	struct map compared;		 /* places of comparisons, and their results */
	ARRAY(struct driven_case) seeds; /* launches with a new result of a comparison; not cases */
	const struct trial_number
		*full;	       /* values of the first case before it was reduced; or NULL */
	struct trials *faulty; /* or NULL */
	const struct faults *faults;
	bool stores;	   /* launches have output */
	int64_t left;	   /* trials left; a long one counts as several */
	unsigned limit_ms; /* CPU time per launch; 0: the default */
	double ends_at_s;  /* on proc_cpu_s() */
};

static inline bool is_near(int64_t x, int64_t y)
{
	return x >= y - 1 && x <= y + 1;
}

/* Is it a size: an integer, but not a bool or an enumeration? */
static inline bool is_size(const struct slot *s)
{
	return s->kind == SLOT_NUMBER && !s->is_float && !s->is_bool && !s->is_enum;
}

/* ---- drive_launch.c ---- */

/* Is the time limit reached? Then the cases so far are the result. */
bool drive_is_late(struct drive *x);
/* One launch, with the current buffers. */
int drive_run(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* Launches, with larger buffers if needed. 1: it ran to its end; 0: it failed. */
int drive_grow(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* The same; 0 also if these values were tried before. */
int drive_launch(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* Are these values new? Marks them as launched. */
bool drive_is_new(struct drive *x, const struct trial_number *value);
/* Launches the text with faults, once for each of n faults, until limit_ms is over; with larger
 * buffers if needed. */
int drive_look(struct trial_seen *out, bool *seen, struct drive *x,
	const struct trial_number *value, const unsigned *number, size_t n, unsigned limit_ms);
/* A copy of the buffers' lengths, to restore them. */
size_t *drive_lengths(const struct drive *x);
void drive_set_lengths(struct drive *x, const size_t *length);

/* ---- drive_draw.c ---- */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct drawing {
	const struct drive *x;
	uint64_t state; /* of the random numbers */
	bool *bounded;	/* per slot: only small sizes run */
};

/* A random number from 0 to below - 1. */
uint64_t drive_draw(struct drawing *d, uint64_t below);
size_t drive_count_sizes(const struct drive *x);
/* Float i of a list without 0 and 1. */
double drive_plain_real(size_t i);
/* Sets the values of attempt k: sizes of one family, on several workgroups. Even attempts keep the
 * block in value. */
void drive_set_ragged(struct drawing *d, struct trial_number *value, size_t k);
/* Changes one to three values of a case. */
void drive_change_some(
	struct drawing *d, struct trial_number *value, const struct driven_case *from);

/* ---- drive_cases.c ---- */

/* The number of arms that no case runs, not counting the case without (may be NULL). */
size_t drive_count_unrun(struct drive *x, const struct driven_case *without);
bool drive_runs_arm(const struct verify_run *run, const struct verify_arm *arm);
struct trial_number *drive_copy(struct drive *x, const struct trial_number *value);
/* Adds the values as a case; the name gets a number if it is taken. */
void drive_keep(struct drive *x, const char *name, const struct trial_number *value,
	const struct trial_result *r);
/* Launches the values, and keeps them as a case if a new arm runs. */
int drive_attempt(struct drive *x, const struct trial_number *value);

/* ---- the search, in drive()'s order ---- */

/* Finds the first case, starting from like's values if there is such a kernel, and reduces its
 * cost. */
int drive_first(struct drive *x, const struct driven *like);
/* Adds a case in which sizes that are compared are a little smaller, so that they are not multiples
 * of tile sizes. */
int drive_add_boundary(struct drive *x);
/* Varies the cases, one slot at a time, until every arm has run or nothing is left to try. */
int drive_vary(struct drive *x);
/* Adds a case for each enumerator of an argument, even without a new arm, since the search does not
 * count the arms of ?:. */
int drive_add_enumerators(struct drive *x);
/* Chooses fills for buffers that are read and written. */
int drive_fill_outputs(struct drive *x);
/* Adds cases that show faults. */
int drive_see(struct drive *x);
/* Removes cases that show nothing new, and sets lengths. */
int drive_finish(struct drive *x);
