#pragma once
/* One run of unphi verify: over a file, or over one of a project. Internal to verify. */
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "cli/steps/witness.h"
#include "verify/init/init.h"

struct verifying {
	const struct cli_opts *opts;
	struct arena *arena;
	const char *shown; /* the first source's name in messages; NULL: its path */
	bool of_project;   /* it prints no times, so that the output is reproducible */
	struct spec spec;
	const struct gpu *gpu;	      /* NULL: on the CPU */
	struct verify_source *source; /* the original first */
	size_t sources;
	struct verify_machine *machine; /* runs their machine code; or NULL */
	bool made;			/* the second source is the rewritten first one */
	struct verify *verify;
	struct verify_result *result; /* for each rewritten source, a row of the spec's cases */
	struct cli_proof *proof;      /* of each result, with --all-data; or NULL */
	struct verify_arm *unrun;     /* arms of the original that no case runs */
	size_t unruns;
};

/* cmd_verify.c */
/* Runs all sources and compares them. Enum fail after a message. */
int verifying_run(struct verifying *v);
/* The exit code for the results. */
int verifying_judge(const struct verifying *v);

/* Writes a first spec to path if the first file has a kernel. targets: of its unit; NULL: those of
 * o, and a file without a kernel is an error. */
int verifying_init(struct spec_init *out, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets, const char *path);
void verifying_init_note(const struct spec_init *of, const char *path);

/* print.c: a row for each source that is compared with the original. With '--on both', a row for
 * each source: its CPU run and its machine code. */
size_t verifying_rows(const struct verifying *v);
void verifying_text(struct sbuf *out, const struct verifying *v);
void verifying_json(struct sbuf *out, const struct verifying *v);

/* The texts of the first source and of the others, as a diff. */
void verifying_diff(struct sbuf *out, const struct verifying *v);

/* html.c: a section a file. */
struct verify_page {
	const char *name;
	struct str json; /* from verifying_json; n 0 or not JSON: no section */
	struct str diff;
};
/* whole: the text about all files, or "". */
void verifying_html(struct sbuf *out, const struct verify_page *v, size_t n, struct str whole);

/* project.c: verify -p BUILD [PATH...]; the exit code. */
int verify_project(const struct cli_opts *o);
