#pragma once
/*
 * A split loop as text, shared by edit.c (copies of the body), header.c (conditions and headers),
 * forms.c (two loops, loops in runs), search.c and found.c (one arm). Internal to split/.
 */
#include "strategy/split/split.h"

struct split_job {
	struct split *s;
	struct plan *p;
	struct str t;
	const struct kt_node *iff;
	size_t keyword; /* offset of for or while */
	size_t open;	/* parentheses of the header */
	size_t close;
	size_t end;	 /* of the loop; without braces, past the comment after it */
	struct str init; /* of a for; without semicolons */
	struct str inc;
	struct str base; /* indentation */
	struct str deeper;
	bool moves;	/* a for declares variables, which go before the loop */
	const char *nl; /* a line end and the indentation */
	const char *eol;
	const char *step;
};

/* A range of the text. */
struct cut {
	size_t begin, end;
};

/* ---- header.c ---- */

/* Fills in the header's places; requires t and s. */
void split_find_header(struct split_job *j);
/* A part of a header without its comments. */
struct str split_piece(struct split_job *j, struct str s);
/* Parentheses of the if. */
struct cut split_if_parens(struct split_job *j);
/* The if's condition as an operand of &&, or its opposite. */
struct str split_condition(struct split_job *j, bool opposite);
/* The loop's own condition; operand: as an operand of &&. */
struct str split_loop_condition(struct split_job *j, bool operand);
/* `for (INIT; COND && MORE; INC)`. deeper: the loop's indentation beyond base, in steps. */
void split_add_header(struct split_job *j, struct sbuf *out, struct str init, struct str cond,
	struct str more, size_t deeper);
/* Adds the comments of a range, each on its own line. */
void split_add_said_of(struct split_job *j, struct sbuf *out, size_t begin, size_t end);
/* Those of the header. */
void split_add_said(struct split_job *j, struct sbuf *out);
/* Adds the loop's pragmas, each on its own line. */
void split_add_pragmas(struct split_job *j, struct sbuf *out);

/* ---- edit.c ---- */

/* Comments of a range, each on a line of its own at the if's depth. */
void split_add_comments(struct split_job *j, struct sbuf *out, size_t begin, size_t end);
/* The text that replaces the if: its then arm, or its else arm. */
struct str split_arm(struct split_job *j, bool second);
/* The loop's body with the then arm, or the else arm, in the if's place. */
struct str split_body(struct split_job *j, bool second);
/* The loop with this arm, and more in its condition. */
void split_add_loop(struct split_job *j, struct sbuf *out, struct str init, struct str more,
	bool second, size_t deeper);
/* The same without the header. */
void split_add_with_arm(struct split_job *j, struct sbuf *out, bool second);
/* If a variable of the loop's header were declared before the loop: would it clash with another
 * name, would its longer life matter, or would a jump cross the declaration? */
bool split_needs_scope(struct split_job *j);
/* May a jump cross the loop? Then a declaration before the loop would be an error. */
bool split_is_jumped_over(struct split_job *j);
/* Adds the text, in its own block if asked for. */
void split_add_block(struct split_job *j, struct sbuf *out, struct str text, bool block);

/* ---- search.c ---- */

void split_write_search(struct split_job *j, struct sbuf *out);
/* May the code after the declaration's block move into the block? */
bool split_declares_apart(struct split_job *j, const struct kt_node *d);
/* Ends a loop with the next search, adds both to out, and releases them. */
void split_end_search(
	struct split_job *j, struct sbuf *out, struct sbuf *loop, struct sbuf *next, bool block);
/* Adds the for's increment as statements, each on its own line. */
void split_add_steps(struct split_job *j, struct sbuf *out, struct str indent);

/* ---- counted.c ---- */

void split_write_counted(struct split_job *j, struct sbuf *out);

/* ---- found.c ---- */

void split_write_found(struct split_job *j, struct sbuf *out);
/* Is the arm just a break? */
bool split_leaves_loop(const struct kt_node *arm);
