#pragma once
/*
 * The search for cases launches a kernel many times with different sizes, fills and shapes. A
 * launch that runs a new arm becomes a case. The next values to try come from the comparisons of
 * earlier launches: if a number was compared with another one, it is set to that one. Internal to
 * init/.
 */
#include "base/map.h"
#include "verify/fault/fault.h"
#include "verify/init/params.h"

struct driven_case {
	const char *name;
	struct trial_number *value; /* one per slot */
	struct trial_result result;
	bool wanted;	/* kept even without a new arm */
	bool cut;	/* the time limit ended its launches with faults */
	bool races;	/* it ends with an error if races are checked */
	size_t *length; /* of its buffers, in elements; NULL: those in params */
};

/* The result of the search for one kernel. */
struct driven {
	struct params params;
	bool runs;	   /* false: no launch ran to its end */
	const char *error; /* then: the first launch's error */
	ARRAY(struct driven_case) cases;
	const struct trial_number
		*full; /* values of the first case before its sizes were reduced */
	struct verify_arm *unrun;
	size_t unruns;
	size_t trials;
	bool late; /* the search ended early */
	/* the faults in code that the kernel reaches: how many, their numbers, and those that no
	 * case shows */
	size_t faults;
	const unsigned *fault;
	unsigned *unseen;
	size_t unseens;
	const char *fault_error; /* first error of a launch of the text with faults, or NULL */
	/* of the case with the largest share of storing lanes: storing, and all */
	size_t lanes[2];
	size_t waves[2];
};

struct drive_job {
	struct trials *t;
	size_t number; /* of the kernel in t */
	const struct target *target;
	const struct driven
		*like; /* a running kernel with the same params (params_match), or NULL */
	double cpu_limit_s;
	struct trials *faulty; /* of the text with faults, or NULL */
	const struct faults *faults;
};
/* Arms that no launch of the kernel takes; the caller releases the map. */
void arms_find_never(struct map *out, struct arena *a, const struct kt_unit *u, kt_id kernel);
bool arm_is_never(const struct map *never, struct arena *a, const struct verify_arm *arm);
/* Searches cases for a kernel. FAIL_USAGE after a message if files cannot be written. */
int drive(struct driven *out, const struct drive_job *job);
void driven_release(struct driven *d);
