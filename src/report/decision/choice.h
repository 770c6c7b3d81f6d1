#pragma once
/* The choice of rewrite: tried, kept and gained, as text and as JSON. */
#include "choose/choose.h"
#include "report/form/json.h"

struct choice_shown {
	const char *path;
	struct str source; /* for a diff */
	const struct target *const *target;
	const struct compiler *compiler; /* parallel; NULL when nothing was measured */
	size_t targets;
	const regex_t *kernels; /* show these, and what changed; NULL: all */
	const char *only;	/* of these alone: lines of symbol, tab and name; or NULL */
	const char *note;	/* or NULL */
	bool verbose;		/* everything that was tried, not a line for each merge */
	bool uncounted;		/* without the counts of what it took */
};

/* A file and what was chosen for it. */
struct choice_file {
	const struct choice *choice;
	struct choice_shown shown;
};

/* v[0] is the file that was asked for, the others are headers of it. */
void choice_text(struct sbuf *out, const struct choice_file *v, size_t n);
void choice_html(struct sbuf *out, const struct choice_file *v, size_t n);
/* What became of each merge, barrier and fragment. */
void choice_decisions_text(
	struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
/* What the kernels cost before and after. */
/* Of a choice with ran: what a wave runs, before and after. */
void choice_ran_text(struct sbuf *out, const struct choice *c);
void choice_figures_text(
	struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
void choice_json(struct sbuf *out, const struct choice_file *v, size_t n);

/* explain.c: what --explain adds to a merge. */
void explanation_text(struct sbuf *out, const struct explanation *e);
void explanation_json(struct json *j, const struct explanation *e);
