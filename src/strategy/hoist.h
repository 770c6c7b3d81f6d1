#ifndef UNPHI_STRATEGY_HOIST_H
#define UNPHI_STRATEGY_HOIST_H
/* What hoist.c (may it move?) hands to hoist_edit.c (write it). Lives in the plan's arena. */
#include "strategy/body.h"

struct hoist {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	struct arm_body *body; /* m->arms of them; their heads stay, their tails move */
	struct match match;
};

/* Statements of arm i that stay. */
static inline size_t hoist_heads(const struct hoist *h, size_t i)
{
	return h->body[i].list.n - h->match.tail;
}

static inline const struct kt_node *hoist_tail(const struct hoist *h, size_t i, size_t k)
{
	return h->body[i].list.stmt[hoist_heads(h, i) + k];
}

/* The expression that has the type of a hole. */
static inline const struct kt_node *hoist_typed(const struct hoist *h, const struct hole *hole)
{
	return hole->expr[match_typed(h->f, hole->expr, h->m->arms)];
}

enum hoist_form {
	HOIST_PLAIN,
	HOIST_FENCED
};

/* Can a type of this name be written down? */
bool hoist_nameable(struct str type);
/* Is the merge in a template, or in a method, whose class may be one? */
bool hoist_in_template(const struct hoist *h);
/* Does the declaration of sym spell the very type that it has here? With T in place of float it
 * does not, and in another instantiation it would be another. */
bool hoist_declared_type_is(const struct hoist *h, kt_id sym);

/* Edits for a legal match. False: refused, with the clause. */
bool hoist_edit(struct hoist *h, enum hoist_form form, unsigned clause_form);

/* Does evaluating the condition do anything but give a value? */
bool hoist_has_effect(struct hoist *h, const struct kt_node *cond);
#endif
