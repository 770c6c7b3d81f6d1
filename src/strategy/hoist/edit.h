#pragma once
/*
 * The parts of hoist_edit(): the text that moves and what stays of an arm (moved.c), and the
 * variables that take the holes (variables.c).
 */
#include "strategy/hoist/hoist.h"

/* What becomes of one arm. */
struct piece {
	/* The tail's text, comments included; more than one run where something stays between its
	 * statements. What is assigned stands in place of the last. */
	struct span *run;
	size_t runs;
	struct str indent;
	bool one_line; /* the arm stands on one line */
	bool empty;    /* nothing stays */
};

/* What crosses: what a hole takes, which arm was taken, a variable of a head. */
struct variable {
	const char *name;
	const char *type;
	bool pointer;
	const char *initial; /* what it has where no arm is taken, or NULL */
	struct str *text;    /* per arm; empty: it gets nothing there */
};

struct edit_job {
	struct hoist *h;
	struct plan *p;
	struct str t;
	struct piece *piece; /* per arm */
	const char **name;   /* per hole: of the variable in its place; NULL: chosen in place */
	struct variable *var;
	size_t vars;
	const char *taken;    /* the variable that says which arm was taken; NULL: there is none */
	bool snapshot;	      /* it is the condition, asked before the merge */
	const char *given;    /* the source's variable that is the condition, or NULL */
	bool negated;	      /* it holds where the second arm is taken */
	const char *some;     /* and whether one was; NULL: some is always */
	const char **carried; /* per variable of a head that goes along */
	bool selected;	      /* the variables are constants: nothing is left of the merge */
	const char *eol;
	const char *step;
	struct str base;      /* indentation of the merge */
	struct edit_list own; /* relative to the merge's begin */
	struct sbuf lines;    /* comments that lost their place, each with its line end */
	enum hoist_form form;
};

/* ---- moved.c ---- */

/* Variables that get a value in arm i. */
size_t edit_arm_variables(const struct edit_job *j, size_t i);
/* The run in whose place arm i's assignments stand. */
struct span edit_last_run(const struct piece *c);
/* Fills in what becomes of arm i. */
void edit_find_piece(struct edit_job *j, size_t i);
/* What arm has in hole k's place. */
struct str edit_hole_text(const struct edit_job *j, size_t k, size_t arm);
/* The assignments of arm i, each after separator but the first after first. */
struct str edit_assignments(struct edit_job *j, size_t i, const char *first, const char *separator);
/* Two arms: which was taken is a bool. */
bool edit_is_flag(const struct merge *m);
/* The tail, in braces where it declares something, or may not run. */
struct str edit_tail_text(struct edit_job *j);
/* Comments of [begin, end) that stand neither in the new text nor among the lines so far. */
void edit_save_comments(struct edit_job *j, size_t begin, size_t end, struct str text);
/* Everything that the new text says, for finding what comments it has. */
struct str edit_all_kept(struct edit_job *j, struct str tail);

/* ---- variables.c ---- */

/* Fills in the variables and the holes' names. */
void edit_find_variables(struct edit_job *j);
void edit_add_declaration(struct sbuf *s, const struct variable *v, bool is_const);
