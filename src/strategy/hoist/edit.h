#pragma once
/*
 * The parts of hoist_edit(): the text that moves and the rest of an arm (moved.c), and the
 * variables that replace the holes (variables.c). A hole is a place in which the arms' tails
 * differ.
 */
#include "strategy/hoist/hoist.h"

/* The edit of one arm. */
struct piece {
	/* The tail's text with its comments; several runs if statements between them stay in the
	 * arm. The assignments replace the last run. */
	struct span *run;
	size_t runs;
	struct str indent;
	bool one_line; /* the arm stands on one line */
	bool empty;    /* nothing is left in it */
};

/* A variable that crosses the merge: a hole's value, the arm taken, a head's variable. */
struct variable {
	const char *name;
	const char *type;
	bool pointer;
	const char *initial; /* its value if no arm is taken, or NULL */
	struct str *text;    /* the value per arm; empty: none */
};

struct edit_job {
	struct hoist *h;
	struct plan *p;
	struct str t;
	struct piece *piece; /* per arm */
	const char **name;   /* per hole: the variable that replaces it; NULL: a select */
	struct variable *var;
	size_t vars;
	const char *taken;    /* the variable for the arm taken; NULL: none */
	bool snapshot;	      /* it is the condition, evaluated before the merge */
	const char *given;    /* the variable in the source that is the condition, or NULL */
	bool negated;	      /* it holds where the second arm is taken */
	const char *some;     /* the variable for "an arm was taken"; NULL: always */
	const char **carried; /* per head variable that a select reads */
	bool selected;	      /* all variables are selects: the merge goes away */
	const char *eol;
	const char *step;
	struct str base;      /* indentation of the merge */
	struct edit_list own; /* relative to the merge's begin */
	struct sbuf lines;    /* comments that lost their place, each with its line end */
	enum hoist_form form;
};

/* ---- moved.c ---- */

/* The number of variables with a value in arm i. */
size_t edit_arm_variables(const struct edit_job *j, size_t i);
/* The run that arm i's assignments replace. */
struct span edit_last_run(const struct piece *c);
/* Fills in the piece of arm i. */
void edit_find_piece(struct edit_job *j, size_t i);
/* The arm's text in hole k. */
struct str edit_hole_text(const struct edit_job *j, size_t k, size_t arm);
/* The assignments of arm i, with first before the first and separator before the others. */
struct str edit_assignments(struct edit_job *j, size_t i, const char *first, const char *separator);
/* Is a bool enough for the arm taken (two arms)? */
bool edit_is_flag(const struct merge *m);
/* The tail, in braces if it declares something or is conditional. */
struct str edit_tail_text(struct edit_job *j);
/* Saves the comments of [begin, end) that are not yet in the new text or among the lines. */
void edit_save_comments(struct edit_job *j, size_t begin, size_t end, struct str text);
/* All of the new text, to search it for comments. */
struct str edit_all_kept(struct edit_job *j, struct str tail);

/* ---- variables.c ---- */

/* Fills in the variables and the holes' names. */
void edit_find_variables(struct edit_job *j);
void edit_add_declaration(struct sbuf *s, const struct variable *v, bool is_const);
