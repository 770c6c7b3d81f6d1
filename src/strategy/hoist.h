#ifndef UNPHI_STRATEGY_HOIST_H
#define UNPHI_STRATEGY_HOIST_H
/* What hoist.c and hoist_holes.c (may it move?) hand to hoist_edit.c (write it). Lives in the
 * plan's arena. */
#include "strategy/body.h"

enum {
	HOIST_SHAPE = 1,
	HOIST_TEXT,
	HOIST_LEAVES,
	HOIST_TAIL,
	HOIST_HOLE,
	HOIST_SPECULATION,
	HOIST_UNIFORM,
	HOIST_TYPES,
	HOIST_LIFETIME,
	HOIST_NAME,
	HOIST_CONTRACT,
	HOIST_GAIN,
	HOIST_FORM,
	HOIST_IN_PLACE,
	HOIST_SUNK,
};

/* A variable of an arm's head that a choice in the tail reads: its value goes along. */
struct hoist_carried {
	kt_id sym;
	size_t arm;
};

/* Holes that stay in the tail, as a choice on which arm was taken. */
struct hoist_place {
	bool *chosen; /* per hole */
	bool any;
	struct hoist_carried *carried;
	size_t carrieds;
};

struct hoist {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	struct arm_body *body; /* m->arms of them; their heads stay, their tails move */
	/* Per arm, or NULL: the last of its heads stand behind what moves in the source. */
	size_t *sunk;
	struct match match;
	bool guarded; /* holes may be chosen in their place */
	struct hoist_place place;
};

/* Statements of arm i that stay. */
static inline size_t hoist_heads(const struct hoist *h, size_t i)
{
	return h->body[i].list.n - h->match.tail;
}

/* Of these, those behind the tail in the source. */
static inline size_t hoist_sunk(const struct hoist *h, size_t i)
{
	return h->sunk ? h->sunk[i] : 0;
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

/* Effects of the statements [first, last) of arm i; of its tail. */
struct fx hoist_effects(struct hoist *h, size_t i, size_t first, size_t last);
struct fx hoist_tail_effects(struct hoist *h, size_t i);

/* Clauses 5, 6 and 14; fills place. */
bool hoist_check_holes(struct hoist *h);
/* Is hole k chosen in its place? */
bool hoist_is_chosen(const struct hoist *h, size_t k);
/* Is n part of a hole; chosen: of one that is chosen in its place, too? */
bool hoist_in_hole(const struct hoist *h, size_t arm, const struct kt_node *n, bool chosen);
/* The variable of arm 0's tail that stands where arm i's does; 0: arm i's tail has no such. */
kt_id hoist_counterpart(const struct hoist *h, size_t i, kt_id sym);

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
bool hoist_edit(struct hoist *h, enum hoist_form form);

/* Does evaluating the condition do anything but give a value? */
bool hoist_has_effect(struct hoist *h, const struct kt_node *cond);
#endif
