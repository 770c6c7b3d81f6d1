#pragma once
/* A first spec, from the parse of the kernels and from trial launches (drive.h). */
#include "kernel/kernel.h"
#include "target/intrinsic.h"
#include "verify/verify.h"

struct spec_init {
	struct kt_unit *u;
	const struct intrinsic_db *intrinsics;
	const char *shown;	     /* the file's name without directories */
	const struct target *target; /* the target of u */
	struct verify_source source; /* the program to launch */
	struct verify_opts opts;     /* without a spec */
	void (*progress)(const char *kernel, size_t trials); /* or NULL */
	double cpu_limit_s;  /* for all launches; after it the result so far is used */
	const char *targets; /* for the spec, "gfx90a, gfx942"; NULL: target's name */
	bool may_be_none;    /* a file without a kernel is not an error: no text, 0 */
	bool sees;	     /* plant faults, and search cases that show them */
	/* out */
	size_t kernels;
	size_t cases;
	size_t trials;
	bool late;	      /* the time limit ended the search for a kernel */
	const char *undriven; /* a kernel without a successful launch; or NULL */
};

/* Appends YAML that spec_load reads, with each kernel that the file defines or launches. Warns
 * about kernels that could not be launched. FAIL_INPUT after a message if there is no kernel,
 * FAIL_USAGE if files cannot be written. Lives in a. */
int spec_init(struct sbuf *out, struct arena *a, struct spec_init *job);
