#pragma once
/*
 * The text of a select, `taken ? A : B`: the arms' texts in one place, selected by a snapshot of
 * the arm taken. Lives in the plan's arena.
 */
#include "strategy/plan/body.h"

/* The arms with the same text in that place. */
struct select_case {
	struct str text;
	struct str test; /* true exactly for these arms */
	struct match_arm part;
	size_t arms;
};

struct select {
	struct plan *p;
	const char *name; /* of the snapshot */
	bool flag;	  /* it holds iff arm 0 is taken; else it is the arm's number */
	bool negated;	  /* it holds iff arm 1 is */
	struct str from;  /* the indentation around it before, and after (to) */
	struct str to;
	struct select_case *v;
	size_t n;
};

/* Starts a new place. */
void select_clear(struct select *c, size_t arms);
/* Adds the text of the arm with this number; part: its nodes. */
void select_add(struct select *c, size_t arm, struct str text, struct match_arm part);
/* Call it after the last arm. */
void select_sort(struct select *c);

/* Does the code around an operand bind tighter than ?: */
bool select_needs_parens(struct str t, const struct kt_node *n);
/* Writes the select in place of operand n of arm 0. s ends with the text before n. */
void select_write(struct sbuf *s, const struct select *c, const struct kt_node *n);
