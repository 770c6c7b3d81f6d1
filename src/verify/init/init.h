#pragma once
/* A first spec: what the parse knows of the kernels, and launches that were tried (drive.h). */
#include "kernel/kernel.h"
#include "target/intrinsic.h"
#include "verify/verify.h"

struct spec_init {
	struct kt_unit *u;
	const struct intrinsic_db *intrinsics;
	const char *shown;	     /* the file's name without directories */
	const struct target *target; /* that u was parsed for */
	struct verify_source source; /* what is run */
	struct verify_opts opts;     /* without a spec */
	void (*progress)(const char *kernel, size_t trials); /* or NULL */
	double cpu_limit_s;  /* of all launches; the best that is found until then counts */
	const char *targets; /* of the spec, "gfx90a, gfx942"; NULL: target's name */
	bool may_be_none;    /* a file without a kernel gives no text, and 0 */
	bool sees;	     /* faults are planted, and cases are looked for that show them */
	/* out */
	size_t kernels;
	size_t cases;
	size_t trials;
	bool late;	      /* the limit ended the search of some kernel */
	const char *undriven; /* a kernel that no launch ran to its end; NULL: there is none */
};

/* Appends YAML that spec_load reads, with every kernel of the main file once. Says with msg_warning
 * what could not be driven. FAIL_INPUT after a message when there is no kernel, FAIL_USAGE when
 * files cannot be written. Lives in a. */
int spec_init(struct sbuf *out, struct arena *a, struct spec_init *job);
