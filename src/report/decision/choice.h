#pragma once
/* The report of rewrite: attempts, decisions and gains, as text, JSON and HTML. */
#include "choose/choose.h"
#include "report/form/json.h"

struct choice_shown {
	const char *path;
	struct str source; /* for a diff */
	const struct target *const *target;
	const struct compiler *compiler; /* one for each target; NULL if nothing was measured */
	size_t targets;
	const regex_t *kernels; /* show the matching kernels and the changed ones; NULL: all */
	const char *only; /* show only these kernels: lines of symbol, tab and name; or NULL */
	const char *note; /* or NULL */
	bool verbose;	  /* all attempts, instead of one line for each merge */
	bool uncounted;	  /* without the numbers of compiles, parses and rounds */
};

/* A file and its choice. */
struct choice_file {
	const struct choice *choice;
	struct choice_shown shown;
};

/* v[0] is the file that the user named, the others are headers of it. */
void choice_text(struct sbuf *out, const struct choice_file *v, size_t n);
void choice_html(struct sbuf *out, const struct choice_file *v, size_t n);
/* The decision on each merge, barrier and fragment. */
void choice_decisions_text(
	struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
/* The instructions that a wave runs before and after, by class; requires c->ran. */
void choice_ran_text(struct sbuf *out, const struct choice *c);
/* The costs of the kernels before and after. */
void choice_figures_text(
	struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
void choice_json(struct sbuf *out, const struct choice_file *v, size_t n);

/* explain.c: the part that --explain adds to a merge. */
void explanation_text(struct sbuf *out, const struct explanation *e);
void explanation_json(struct json *j, const struct explanation *e);
