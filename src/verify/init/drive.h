#pragma once
/*
 * The search for cases: a kernel is launched again and again with other sizes, fills and shapes,
 * and a launch that takes an arm which none before took becomes a case. What to try comes from the
 * comparisons that the launches before made: a number that stood on one side may become what stood
 * on the other. Internal to the room.
 */
#include "base/map.h"
#include "verify/fault/fault.h"
#include "verify/init/params.h"

struct driven_case {
	const char *name;
	struct trial_number *value; /* one a slot */
	struct trial_result result;
	bool wanted;	/* whatever arms it runs */
	bool cut;	/* there was no time to look at all faults with it */
	bool races;	/* it ends with an error where races are watched for */
	size_t *length; /* of its buffers, in elements; NULL: as params have them */
};

/* What became of a kernel. */
struct driven {
	struct params params;
	bool runs;	   /* false: no launch came to its end */
	const char *error; /* what the first said, then */
	ARRAY(struct driven_case) cases;
	const struct trial_number *full; /* of the first, with sizes before they were made less */
	struct verify_arm *unrun;
	size_t unruns;
	size_t trials;
	bool late; /* there would have been more to try */
	/* of the faults planted into what the kernel reaches: how many, their numbers, and those
	 * that no case shows */
	size_t faults;
	const unsigned *fault;
	unsigned *unseen;
	size_t unseens;
	const char *fault_error; /* what a launch of the text with faults said, or NULL */
	/* of the case with the largest share: what stores something, and all */
	size_t lanes[2];
	size_t waves[2];
};

struct drive_job {
	struct trials *t;
	size_t number; /* of the kernel in t */
	const struct target *target;
	const struct driven *like; /* a kernel that params_match and runs, or NULL */
	double cpu_limit_s;
	struct trials *faulty; /* of the text with faults, or NULL */
	const struct faults *faults;
};
/* Arms that no launch of the kernel takes; the caller releases the map. */
void arms_find_never(struct map *out, struct arena *a, const struct kt_unit *u, kt_id kernel);
bool arm_is_never(const struct map *never, struct arena *a, const struct verify_arm *arm);
/* The search for a kernel. FAIL_USAGE after a message when files cannot be written. */
int drive(struct driven *out, const struct drive_job *job);
void driven_release(struct driven *d);
