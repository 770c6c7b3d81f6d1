#pragma once
/* One run of unphi measure, which its parts share: over files or over a project, and its verdict.
 * */
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
	struct cli_targets targets; /* of the sources; none when there is no source */
	ARRAY(struct tool) tools;   /* for the sources */
	bool target_lost;	    /* one was asked for that no compiler knows */
	ARRAY(struct measured) found;
	struct budget_list budgets;
	struct measured *saved; /* with --against */
	size_t saved_n;
	const struct revision *before; /* the commit that these are of; NULL: they are of a file */
	const struct revision *at;     /* measured as the sources were there; NULL: as they are */
	const struct cli_units *units; /* of a project; NULL: files */
	bool by_compiler;	       /* saved is what the first of several compilers gave */
	bool project;		       /* all of a project: what is not there is gone */
	struct cli_kernels kernels;
};

/* gate.c */
/* Budgets of the configuration, with --check. FAIL_USAGE after a message. */
int measuring_add_config(struct measuring *m);
/* Those in a text that lives on. FAIL_USAGE after a message. */
int measuring_add_budgets(struct measuring *m, struct str text, const char *file);
/* A --check without a budget. FAIL_INPUT after a message. */
int measuring_check_budgets(const struct measuring *m);
/* What --check and --against say; the exit code. */
int measuring_judge(struct gate *out, const struct measuring *m);

/* cmd_measure.c: compiles and reads o's files; the exit code. *go_on: there is something to show.
 * Says what is wrong with single results. */
int measuring_run(struct measuring *m, bool *go_on);
/* Options, kernels, and the figures of before. FAIL_USAGE after a message. */
int measuring_open(struct measuring *m);
/* Verdict and results; the exit code. */
int measuring_finish(struct measuring *m);
void measuring_release(struct measuring *m);

/* causes.c: with a commit for --against, after each kernel that got worse a line that says which of
 * its variables want more registers, by the ledger; where the source does not parse, nothing. */
void measuring_add_causes(struct gate *g, const struct measuring *m);

/* sarif.c */
void measuring_sarif(struct sbuf *out, struct arena *a, const struct gate *g);

/* ran.c: --run */
int measure_ran(const struct cli_opts *o);

/* project.c */
int measure_project(const struct cli_opts *o);
