#pragma once
/* The opened cases of a file; cli.h declares the questions about them. Internal to the steps. */
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "verify/verify.h"

/* A text whose bits differed; a proof may still allow it. */
struct bits_ran {
	const struct verify_source *source;
	const bool *at; /* per case: do the bits differ? */
};

struct cli_bits {
	struct arena *arena;
	struct spec spec;
	const struct gpu *gpu;
	struct verify *verify;
	const char *path;
	struct verify_run *original;	/* one a case */
	struct verify_run *arms;	/* the same on the CPU, if that was needed */
	bool races;			/* check for races */
	struct verify_machine *machine; /* runs machine code; NULL: not */
	const struct cli_opts *opts;
	struct verify_source *source; /* the file itself, for the machine */
	int open; /* 1: open; or the failure, after a message; 0: not opened yet */
	const struct choose_job *job; /* counting: the job that compiles the texts; or NULL */
	const struct verify_source
		*ran_as;	    /* counting: the source that the original ran as, or NULL */
	const char *unrun;	    /* counting: why the cases do not run, or NULL */
	ARRAY(struct bits_ran) ran; /* of counts */
};

/* Loads the spec and runs the original, once. 0, or enum fail after a message. */
int bits_open(struct cli_bits *b);
/* Compares one run per case with the original. Sets *why (NULL before) to the first line of the
 * first difference. *apart: per case, whether it differs, if a proof may allow that; else NULL.
 * Errors as verify_compare, which removes the runs' outputs. */
int bits_differ(
	const char **why, const bool **apart, struct cli_bits *b, const struct verify_run *runs);
/* Is the source's machine code equal for all data in all cases, or equal but for contraction where
 * that is allowed? Sets *why to the weakest verdict if so, or to why not. */
bool bits_equal_for_data(const char **why, struct cli_bits *b, const bool *apart,
	const struct verify_source *source);
