#pragma once
/*
 * A split loop as text: what edit.c (copies of the body), header.c (conditions and headers),
 * forms.c (two loops, loops in runs), search.c and found.c (of one arm) share. Internal to split/.
 */
#include "strategy/split/split.h"

struct split_job {
	struct split *s;
	struct plan *p;
	struct str t;
	const struct kt_node *iff;
	size_t keyword; /* where for or while begins */
	size_t open;	/* parentheses of the header */
	size_t close;
	size_t end;	 /* of the loop, with the comment after it where it has no braces */
	struct str init; /* of a for; without semicolons */
	struct str inc;
	struct str base; /* indentation */
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
/* The loop's own; as an operand of &&, too. */
struct str split_loop_condition(struct split_job *j, bool operand);
/* `for (INIT; COND && MORE; INC)`. deeper: how many steps the loop will stand deeper than base. */
void split_add_header(struct split_job *j, struct sbuf *out, struct str init, struct str cond,
	struct str more, size_t deeper);
/* The comments of the header, each on a line of its own. */
void split_add_said(struct split_job *j, struct sbuf *out);
/* #pragma unroll and its like, each on a line of its own. */
void split_add_pragmas(struct split_job *j, struct sbuf *out);

/* ---- edit.c ---- */

/* Comments of a range, each on a line of its own at the if's depth. */
void split_add_comments(struct split_job *j, struct sbuf *out, size_t begin, size_t end);
/* What stands in the if's place: its then arm, or its else arm. */
struct str split_arm(struct split_job *j, bool second);
/* The loop's body with the then arm, or the else arm, in the if's place. */
struct str split_body(struct split_job *j, bool second);
/* The loop with this arm, and more in its condition. */
void split_add_loop(struct split_job *j, struct sbuf *out, struct str init, struct str more,
	bool second, size_t deeper);
/* The same without the header. */
void split_add_with_arm(struct split_job *j, struct sbuf *out, bool second);
/* Would a variable of the loop's header, declared before it, clash with another one of its name,
 * outlive it to some effect, or stand in the way of a jump? */
bool split_needs_scope(struct split_job *j);
/* May a jump lead past the loop, which a declaration in front of it would not allow? */
bool split_is_jumped_over(struct split_job *j);
/* The text, in a block of its own if asked for. */
void split_add_block(struct split_job *j, struct sbuf *out, struct str text, bool block);

/* ---- search.c ---- */

void split_write_search(struct split_job *j, struct sbuf *out);
/* May what stands after the declaration's block stand in it? */
bool split_declares_apart(struct split_job *j, const struct kt_node *d);
/* What a for does after each iteration, as statements, each on a line of its own. */
void split_add_steps(struct split_job *j, struct sbuf *out, struct str indent);

/* ---- counted.c ---- */

void split_write_counted(struct split_job *j, struct sbuf *out);

/* ---- found.c ---- */

void split_write_found(struct split_job *j, struct sbuf *out);
/* The comments of an arm that ends the loop. */
void split_add_said_of_end(struct split_job *j, struct sbuf *out, const struct kt_node *end);
/* Does it hold a break, and nothing else? */
bool split_leaves_loop(const struct kt_node *arm);
