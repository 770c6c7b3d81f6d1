#ifndef UNPHI_STRATEGY_PLAN_CHOICE_H
#define UNPHI_STRATEGY_PLAN_CHOICE_H
/*
 * The text of a choice between what arms have in one place, on a snapshot of which arm is taken.
 * Lives in the plan's arena.
 */
#include "strategy/plan/body.h"

/* Arms that have the same text in that place. */
struct choice {
	struct str text;
	struct str test; /* holds for just these arms */
	struct match_arm part;
	size_t arms;
};

struct choices {
	struct plan *p;
	const char *name; /* of the snapshot */
	bool flag;	  /* it holds iff arm 0 is taken; else it is the arm's number */
	struct str from;  /* indentation of the text around, and what becomes of it */
	struct str to;
	struct choice *v;
	size_t n;
};

/* Begins with another place. */
void choices_clear(struct choices *c, size_t arms);
/* What the arm of this number has there; part as it stands in the source. */
void choices_add(struct choices *c, size_t arm, struct str text, struct match_arm part);
/* Behind the last arm. */
void choices_sort(struct choices *c);

/* Does what stands around an operand bind tighter than ?: */
bool choice_needs_parens(struct str t, const struct kt_node *n);
/* Writes the choice in place of operand n of arm 0. s ends in the text before it. */
void choices_write(struct sbuf *s, const struct choices *c, const struct kt_node *n);
#endif
