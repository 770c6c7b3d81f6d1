#pragma once
/*
 * The text of a select, `taken ? A : B`: what arms have in one place, on a snapshot of which arm is
 * taken.
 * Lives in the plan's arena.
 */
#include "strategy/plan/body.h"

/* Arms that have the same text in that place. */
struct select_case {
	struct str text;
	struct str test; /* holds for just these arms */
	struct match_arm part;
	size_t arms;
};

struct select {
	struct plan *p;
	const char *name; /* of the snapshot */
	bool flag;	  /* it holds iff arm 0 is taken; else it is the arm's number */
	bool negated;	  /* it holds iff arm 1 is */
	struct str from;  /* indentation of the text around, and what becomes of it */
	struct str to;
	struct select_case *v;
	size_t n;
};

/* Begins with another place. */
void select_clear(struct select *c, size_t arms);
/* What the arm of this number has there; part as it stands in the source. */
void select_add(struct select *c, size_t arm, struct str text, struct match_arm part);
/* After the last arm. */
void select_sort(struct select *c);

/* Does what stands around an operand bind tighter than ?: */
bool select_needs_parens(struct str t, const struct kt_node *n);
/* Writes the select in place of operand n of arm 0. s ends in the text before it. */
void select_write(struct sbuf *s, const struct select *c, const struct kt_node *n);
