#pragma once
/* The plan that hoist.c and holes.c (may it move?) hand to edit.c (write it). Lives in the
 * plan's arena. */
#include "strategy/plan/body.h"
#include "strategy/plan/value.h"

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
	/* m->arms of them; their heads stay, their tails move. What trades places stands as it
	 * will run. */
	struct arm_body *body;
	size_t most; /* statements that may move; SIZE_MAX: all that match */
	struct match match;
	bool guarded; /* holes may be chosen in their place */
	bool partial; /* a path has no arm: the tail stands under an if then */
	struct hoist_place place;
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

/* The type of a variable that takes a hole. */
static inline const struct kt_type *hoist_hole_type(const struct hoist *h, const struct hole *hole)
{
	return match_hole_type(h->f, hole, h->m->arms);
}

/* Its name, as a declaration before the merge can write it; NULL: it cannot. */
const char *hoist_hole_name(const struct hoist *h, const struct hole *hole);

/* Effects of the statements [first, last) of arm i; of its tail. */
struct fx hoist_effects(struct hoist *h, size_t i, size_t first, size_t last);
struct fx hoist_tail_effects(struct hoist *h, size_t i);

/* Statements at the end of arm i from the first one on that writes a wide accumulator. */
size_t hoist_wide_suffix(struct hoist *h, const struct wide *wide, size_t i);
/* Clause 15: puts what stands after the last write of a wide accumulator before what does not; or
 * what stands among such writes and has no counterpart in the other arms. False: there is no such.
 */
bool hoist_sink_wide(struct hoist *h, const struct wide *wide);
bool hoist_part_wide(struct hoist *h, const struct wide *wide);
/* May they, now that the tail is known? Clauses 11 and 15. */
bool hoist_check_trades(struct hoist *h);

/* Clauses 5, 6 and 14; fills place. */
bool hoist_check_holes(struct hoist *h);
/* What overloads and templates have to see in place of the hole, to be those that the arms meant.
 * SEEN_VALUE: its type is enough, or it is an object that is not const, as variables are. */
enum hole_seen {
	SEEN_VALUE,
	SEEN_CONST,
	SEEN_TEMPORARY
};
enum hole_seen hoist_seen(const struct hoist *h, const struct hole *hole);
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

/* Edits for a legal match. False: refused, with the clause. */
bool hoist_edit(struct hoist *h, enum hoist_form form);

/* Does evaluating the condition do anything but give a value? */
bool hoist_has_effect(struct hoist *h, const struct kt_node *cond);

void hoist_plan(struct plan *p, const char *variant);
