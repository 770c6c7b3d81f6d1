#pragma once
/*
 * The parts of drive(): one launch, the cases so far, the first that runs, what is tried from there
 * on, and how a set of cases is brought to its end. Functions give FAIL_USAGE after a message when
 * files cannot be written, where they give a code.
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
	struct spec_case c; /* as it is launched next */
	struct trial_number *numbers;
	struct map tried;		 /* choices of values */
	struct map never;		 /* arms that no choice takes */
	struct map compared;		 /* places of comparisons, and how they came out */
	ARRAY(struct driven_case) seeds; /* no cases: a comparison came out as in none before */
	const struct trial_number
		*full;	       /* of the first case, before it was made cheaper; or NULL */
	struct trials *faulty; /* or NULL */
	const struct faults *faults;
	bool stores;	   /* launches have output */
	int64_t left;	   /* trials, of which a long one counts for several */
	unsigned limit_ms; /* of CPU time of a launch; 0: the usual one */
	double ends_at_s;  /* on proc_cpu_s() */
};

static inline bool is_near(int64_t x, int64_t y)
{
	return x >= y - 1 && x <= y + 1;
}

/* A size: a number that is none of another kind. */
static inline bool is_size(const struct slot *s)
{
	return s->kind == SLOT_NUMBER && !s->is_float && !s->is_bool && !s->is_enum;
}

/* ---- drive_launch.c ---- */

/* Then what is there counts. */
bool drive_is_late(struct drive *x);
/* Once, with what is there now. */
int drive_run(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* With buffers that grow. 1: it ran to its end; 0: not. */
int drive_grow(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* The same, once: 0 also where it was tried before. */
int drive_launch(struct trial_result *r, struct drive *x, const struct trial_number *value);
/* Were these values launched before? From here on they were. */
bool drive_is_new(struct drive *x, const struct trial_number *value);
/* The text with faults, once with each of n, as far as limit_ms go; buffers are as they are. */
int drive_look(struct trial_seen *out, bool *seen, struct drive *x,
	const struct trial_number *value, const unsigned *number, size_t n, unsigned limit_ms);
/* The lengths of buffers, to be set again. */
size_t *drive_lengths(const struct drive *x);
void drive_set_lengths(struct drive *x, const size_t *length);

/* ---- drive_cases.c ---- */

/* Arms that no case runs, where one is left out; it may be NULL. */
size_t drive_count_unrun(struct drive *x, const struct driven_case *without);
bool drive_runs_arm(const struct verify_run *run, const struct verify_arm *arm);
struct trial_number *drive_copy(struct drive *x, const struct trial_number *value);
/* A case of what ran; its name gets a number where another has it. */
void drive_keep(struct drive *x, const char *name, const struct trial_number *value,
	const struct trial_result *r);
/* Launches it, and keeps it when that takes a new arm. */
int drive_attempt(struct drive *x, const struct trial_number *value);

/* ---- the search, in the order in which drive() asks ---- */

/* The first case, with like's values first where there is such a kernel; made cheap. */
int drive_first(struct drive *x, const struct driven *like);
/* The same with all sizes a little less: no multiple of anything. */
int drive_add_boundary(struct drive *x);
/* Varies what is kept, one slot at a time, until each arm has run or nothing is left to try. */
int drive_vary(struct drive *x);
/* A case for each enumerator of an argument, whatever arms it runs: ?: is no arm. */
int drive_add_enumerators(struct drive *x);
/* Fills of what is read and written. */
int drive_fill_outputs(struct drive *x);
/* Cases that show faults. */
int drive_see(struct drive *x);
/* Cases that show nothing of their own, lengths. */
int drive_finish(struct drive *x);
