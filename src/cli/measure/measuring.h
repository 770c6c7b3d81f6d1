#pragma once
/* One run of unphi measure, over files or over a project, and its verdict. Internal to measure. */
#include "cli/measure/revision.h"
#include "cli/setup/kernels.h"
#include "cli/setup/units.h"
#include "measure/budget.h"
#include "report/figures/gate.h"
#include "report/figures/measured.h"

/* A target and one of the compilers for it. */
struct tool {
	struct compiler *compiler;
	const struct target *target;
};

struct measuring {
	const struct cli_opts *opts;
	struct arena *arena;
	struct target_db db;
	struct cli_targets targets; /* of the sources; none without sources */
	ARRAY(struct tool) tools;   /* for the sources */
	bool target_lost;	    /* a target was skipped: no compiler here supports it */
	ARRAY(struct measured) found;
	struct budget_list budgets;
	struct measured *saved; /* with --against */
	size_t saved_n;
	const struct revision *before; /* the commit of saved; NULL: saved is from a file */
	const struct revision *at; /* measure the sources at this commit; NULL: the current ones */
	const struct cli_units *units; /* of a project; NULL: files */
	bool by_compiler;	       /* saved has the figures of the first of several compilers */
	bool project; /* the whole project was measured: a missing kernel was removed */
	struct cli_kernels kernels;
};

/* gate.c */
/* Budgets of the configuration, with --check. FAIL_USAGE after a message. */
int measuring_add_config(struct measuring *m);
/* The budgets in a text, which must outlive m. FAIL_USAGE after a message. */
int measuring_add_budgets(struct measuring *m, struct str text, const char *file);
/* FAIL_INPUT after a message if --check finds no budget. */
int measuring_check_budgets(const struct measuring *m);
/* The results of --check and --against; returns the exit code. */
int measuring_judge(struct gate *out, const struct measuring *m);

/* cmd_measure.c: compiles and reads the files, and prints errors of single results. Returns the
 * exit code. *go_on: there are results to show. */
int measuring_run(struct measuring *m, bool *go_on);
/* Reads options, kernel patterns and the earlier figures. FAIL_USAGE after a message. */
int measuring_open(struct measuring *m);
/* Prints verdict and results; returns the exit code. */
int measuring_finish(struct measuring *m);
void measuring_release(struct measuring *m);

/* causes.c: with a commit for --against, adds a line after each kernel that got worse: the
 * variables that need more registers, by the ledger. Nothing if the source does not parse. */
void measuring_add_causes(struct gate *g, const struct measuring *m);

/* sarif.c */
void measuring_sarif(struct sbuf *out, struct arena *a, const struct gate *g);

/* ran.c: --run */
int measure_ran(const struct cli_opts *o);

/* project.c */
int measure_project(const struct cli_opts *o);
