#pragma once
/*
 * Kernels run with numbers, shapes and buffers that are decided for each run: how --init finds the
 * cases of a first spec. A program is made once of a spec whose arguments are number(I) and
 * buffer(I); what stands in its cases counts for nothing else.
 */
#include "verify/verify.h"

struct trial_number {
	int64_t whole; /* what an integer, an enumeration, a bool becomes */
	double real;   /* what a floating-point number becomes */
};

struct trial {
	const struct spec_case *c; /* shape, LDS, wave size and buffers */
	size_t program;		   /* the number of the case in the program */
	const struct trial_number *number;
	size_t numbers;
	unsigned limit_ms; /* of CPU time; 0: as launch_trial.hpp has it; of trial_see: after which
			    * no other fault is launched */
	bool stores;	   /* the run has output */
};

enum {
	TRIAL_NUMBERS = 256,
	TRIAL_BUFFERS = 64
};

/* Two operands that were compared. */
struct trial_pair {
	int64_t place; /* the same number for the same code in all trials */
	int64_t a;
	int64_t b;
};

struct trial_result {
	struct verify_run run; /* output: of a run that is RUN_OK and stores */
	int64_t cpu_ms;	       /* of the process from main on; -1: it was killed */
	struct trial_pair *pair;
	size_t pairs;
};

struct trials;
/* Compiles the source. *said: the compiler's words where it does not compile, else "". FAIL_USAGE
 * or FAIL_INPUT as verify_open. */
int trials_open(struct trials **out, const char **said, struct arena *a,
	const struct verify_opts *opts, const struct verify_source *source);
void trials_close(struct trials *t); /* NULL is allowed */
/* CPU time that went into the runner's objects, which are made once for all files. */
double trials_runner_s(const struct trials *t);
/* FAIL_USAGE after a message when files cannot be written. */
int trial_run(struct trial_result *out, struct trials *t, const struct trial *what);
/* Of a launch of a text with faults (fault/fault.h). */
struct trial_seen {
	enum run_status
		status; /* of the launch without a fault; the rest is of one that is RUN_OK */
	const char *said;
	size_t lanes[2]; /* that store something, of how many */
	size_t waves[2];
	size_t bytes[TRIAL_BUFFERS]; /* that each buffer needs */
	size_t tried;		     /* faults that there was time for, the first ones */
};
/* Launches with each of n faults; seen[i] is set where the launch shows number[i]. t is of
 * trials_open with opts->faults. FAIL_USAGE as trial_run. */
int trial_see(struct trial_seen *out, bool *seen, struct trials *t, const struct trial *what,
	const unsigned *number, size_t n);
void trial_forget(const struct trial_result *r); /* what it left in its buffers */
