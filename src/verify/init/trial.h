#pragma once
/*
 * Runs kernels with numbers, shapes and buffers chosen for each run: --init finds the cases of a
 * first spec this way. A program is compiled once, from a spec whose arguments stand for numbers
 * and buffers of the trial (params_cpp); the other contents of its cases are not used.
 */
#include "verify/verify.h"

struct trial_number {
	int64_t whole; /* for an integer, an enumeration, a bool */
	double real;   /* for a floating-point number */
};

static inline struct trial_number trial_whole(int64_t v)
{
	return (struct trial_number){v, (double)v};
}

static inline struct trial_number trial_real(double v)
{
	return (struct trial_number){(int64_t)v, v};
}

struct trial {
	const struct spec_case *c; /* shape, LDS, wave size and buffers */
	size_t program;		   /* the number of the case in the program */
	const struct trial_number *number;
	size_t numbers;
	unsigned limit_ms; /* CPU time, 0: the default; trial_see starts no fault after it */
	bool stores;	   /* the run has output */
};

enum {
	TRIAL_NUMBERS = 256,
	TRIAL_BUFFERS = 64
};

/* The operands of a comparison that ran. */
struct trial_pair {
	int64_t place; /* the same number for the same code in all trials */
	int64_t a;
	int64_t b;
};

struct trial_result {
	struct verify_run run; /* output: only if RUN_OK, and it stores */
	int64_t cpu_ms;	       /* CPU time of the process from main on; -1: it was killed */
	struct trial_pair *pair;
	size_t pairs;
};

struct trials;
/* Compiles the source. *said: the compiler's message if it fails, else "". FAIL_USAGE or FAIL_INPUT
 * as verify_open. */
int trials_open(struct trials **out, const char **said, struct arena *a,
	const struct verify_opts *opts, const struct verify_source *source);
void trials_close(struct trials *t); /* NULL is allowed */
/* CPU seconds spent on the runner's objects, which are compiled once for all files. */
double trials_runner_s(const struct trials *t);
/* FAIL_USAGE after a message if files cannot be written. */
int trial_run(struct trial_result *out, struct trials *t, const struct trial *what);
/* The result of launches of a text with faults (fault/fault.h). */
struct trial_seen {
	enum run_status status; /* of the launch without a fault; the rest is set if RUN_OK */
	const char *said;
	size_t lanes[2]; /* lanes that store something, and all lanes */
	size_t waves[2];
	size_t bytes[TRIAL_BUFFERS]; /* that each buffer needs to have */
	size_t tried;		     /* faults launched within the time limit, the first ones */
};
/* Launches with each of n faults; seen[i] is set if the launch shows number[i]. Requires t from
 * trials_open with opts->faults. FAIL_USAGE as trial_run. */
int trial_see(struct trial_seen *out, bool *seen, struct trials *t, const struct trial *what,
	const unsigned *number, size_t n);
void trial_forget(const struct trial_result *r); /* removes its output file */
