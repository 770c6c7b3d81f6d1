#pragma once
/* hoist moves the equal tails of arms after the merge. hoist.c and holes.c check the clauses,
 * edit.c writes the edits. A hole is a place in which the tails differ. Lives in the plan's
 * arena. */
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

/* A variable of an arm's head that a select in the tail reads; its value is carried over. */
struct hoist_carried {
	kt_id sym;
	size_t arm;
};

/* Holes that become a select on the arm taken, in the tail itself. */
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
	/* m->arms of them; their heads stay, their tails move. Statements that are swapped are
	 * listed in their new order. */
	struct arm_body *body;
	size_t most; /* statements that may move; SIZE_MAX: all that match */
	struct match match;
	bool guarded; /* holes may become selects */
	bool partial; /* a path has no arm: the tail needs an if */
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

/* The type of a variable that replaces a hole. */
static inline const struct kt_type *hoist_hole_type(const struct hoist *h, const struct hole *hole)
{
	return match_hole_type(h->f, hole, h->m->arms);
}

/* That type as a declaration before the merge can spell it; NULL: it cannot. */
const char *hoist_hole_name(const struct hoist *h, const struct hole *hole);

/* Effects of the statements [first, last) of arm i; of its tail. */
struct fx hoist_effects(struct hoist *h, size_t i, size_t first, size_t last);
struct fx hoist_tail_effects(struct hoist *h, size_t i);

/* Statements at the end of arm i from the first one on that writes a wide accumulator. */
size_t hoist_wide_suffix(struct hoist *h, const struct wide *wide, size_t i);
/* Clause 15: sink moves the code after the last write of a wide accumulator before the wide tail;
 * part does so with code among such writes that has no match in the other arms. False: no such
 * code. */
bool hoist_sink_wide(struct hoist *h, const struct wide *wide);
bool hoist_part_wide(struct hoist *h, const struct wide *wide);
/* Are these swaps legal for the tail that was found? Clauses 11 and 15. */
bool hoist_check_trades(struct hoist *h);

/* Clauses 5, 6 and 14; fills place. */
bool hoist_check_holes(struct hoist *h);
/* The value category that overload resolution and templates must see in place of the hole to select
 * the arms' functions. SEEN_VALUE: only the type matters, or it is a non-const object, as a
 * variable is. */
enum hole_seen {
	SEEN_VALUE,
	SEEN_CONST,
	SEEN_TEMPORARY
};
enum hole_seen hoist_seen(const struct hoist *h, const struct hole *hole);
/* Does hole k become a select? */
bool hoist_is_chosen(const struct hoist *h, size_t k);
/* Is n part of a hole? chosen: holes that become selects count, too. */
bool hoist_in_hole(const struct hoist *h, size_t arm, const struct kt_node *n, bool chosen);
/* The variable of arm 0's tail that matches arm i's sym; 0: none. */
kt_id hoist_counterpart(const struct hoist *h, size_t i, kt_id sym);

enum hoist_form {
	HOIST_PLAIN,
	HOIST_FENCED
};

/* Edits for a legal match. False: refused, with the clause. */
bool hoist_edit(struct hoist *h, enum hoist_form form);

/* Does the condition have side effects? */
bool hoist_has_effect(struct hoist *h, const struct kt_node *cond);

void hoist_plan(struct plan *p, const char *variant);
