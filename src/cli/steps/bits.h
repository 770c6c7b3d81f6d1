#pragma once
/* The opened cases of a file; cli.h declares the questions about them. Internal to the steps. */
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "verify/verify.h"

/* A text whose bits may differ; a proof may still allow it. */
struct bits_ran {
	const struct verify_source *source;
	const bool *differs; /* per case */
};

struct cli_bits {
	struct arena *arena;
	struct spec spec;
	const struct gpu *gpu;
	struct verify *verify;
	const char *path;
	struct verify_run *original;	/* one a case */
	struct verify_run *arms;	/* runs of the original on the CPU, with arms; or NULL */
	bool races;			/* check for races */
	struct verify_machine *machine; /* runs machine code; NULL: not */
	const struct cli_opts *opts;
	struct verify_source *source; /* the file itself, for the machine */
	int open; /* 1: open; 0: not opened yet; else the failure, after a message */
	const struct choose_job *job; /* counting: the job that compiles the texts; or NULL */
	const struct verify_source
		*ran_as;	    /* counting: the source that the original ran as, or NULL */
	const char *unrun;	    /* counting: why the cases do not run, or NULL */
	ARRAY(struct bits_ran) ran; /* of counts */
};

/* Loads the spec and runs the original, once. 0, or enum fail after a message. */
int bits_open(struct cli_bits *b);
/* Compares one run per case with the original. Sets *why (NULL before) to the first line of the
 * first difference. *differs: for each case, whether it differs, if a proof may allow that; else
 * NULL. Errors as verify_compare, which removes the runs' outputs. */
int bits_differ(
	const char **why, const bool **differs, struct cli_bits *b, const struct verify_run *runs);
/* Is the source's machine code equal for all data in all cases, or equal but for contraction where
 * that is allowed? differs: that of bits_differ. Sets *why to the weakest verdict, or to the reason
 * why not. */
bool bits_equal_for_data(const char **why, struct cli_bits *b, const bool *differs,
	const struct verify_source *source);
