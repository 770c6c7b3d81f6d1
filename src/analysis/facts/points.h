#pragma once
/*
 * Pointers and their targets, for a whole unit and without the order of statements: the base of
 * facts.c (effects) and alias.c. No other file includes this.
 *
 * A variable is one cell: it may hold at any time all that is stored in any part of it. Stores
 * through parameters go to the variables that these name in all calls. A load from an unknown place
 * gives LOC_UNKNOWN, and an address stored at an unknown place is exposed. So a set that is not
 * empty is complete.
 *
 * A set that would get more than POINTS_MOST locations becomes LOC_UNKNOWN, and its locations are
 * lost, with all that can be reached from them. Lost variables are exposed, and may hold
 * LOC_UNKNOWN. So the time grows linearly with the size of a unit.
 */
#include "analysis/facts/facts.h"
#include "base/array.h"
#include "base/map.h"

typedef ARRAY(const struct kt_node *) node_array;

struct fn_info {
	int state; /* state of its summary */
	struct fx summary;
	/* targets of the returned pointer, record or reference; for a constructor, of the object */
	struct locset ret;
	node_array callers; /* KT_CALL, KT_CONSTRUCT nodes */
	node_array returns; /* KT_RETURN nodes that may return an address */
	bool address_taken;
	bool constructs; /* a call constructs an object with it */
};

struct event_list {
	struct event *v;
	size_t n;
};

struct kept {
	void *what;
	void (*release)(void *what);
};

enum {
	POINTS_MOST = 128
};

struct facts {
	struct kt_unit *u;
	struct arena *arena;
	const struct intrinsic_db *db;
	struct fn_info *fn;
	/* By symbol: the targets of its value or, for a local reference, those of the reference. */
	struct locset *pts;
	/* By symbol. A parameter: the objects of its LOC_DEREF and LOC_BEYOND, over all callers. A
	 * local reference: beyond has the targets in the temporary that it names. */
	struct locset *roots;
	struct locset *beyond;
	bool *exposed;	    /* by symbol: unknown code may hold its address */
	struct locset lost; /* locations of sets that got too large */
	bool solved;	    /* the fixed point is reached */
	bool bounded;	    /* temporary sets are bounded, too: while solving */
	node_array stores;  /* nodes that may store an address, and calls that may copy one */
	struct ids fn_of_body;
	struct ids effects;	/* node -> struct fx, for nodes that were queried */
	struct ids events;	/* node -> struct event_list, the same */
	struct arena *compared; /* for the comparison of two locations */
	struct arena *scratch;	/* for the computation of effects, events or pointees */
	unsigned busy;		/* depth of these computations */
	struct ids kept[FACTS_KEEPS];
	ARRAY(struct kept) keeps;
};

const struct kt_type *points_type(const struct facts *f, kt_id id);
bool points_is_kind(const struct facts *f, kt_id type, enum kt_type_kind k);
bool points_is_array(const struct facts *f, const struct kt_node *n);
const struct kt_fn *points_callee(const struct facts *f, const struct kt_node *call);
/* The object whose reference an assignment with KT_F_BINDS binds. */
void points_binder(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);
/* A location of the callee, seen from the caller. */
void points_at_call(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, loc_id loc);

/* The objects of a body's location, over all callers. */
void points_resolve(struct locset *out, struct facts *f, struct arena *a, loc_id loc);

/* Computes all sets of the unit. */
void points_solve(struct facts *f);

/* ---- points.c, for points_solve.c ---- */

/* Can a value of this type carry an address? */
bool points_holds_pointers(const struct facts *f, kt_id type);
/* Arrays decay to pointers to themselves. */
bool points_may_be_address(const struct facts *f, const struct kt_node *n);
const struct kt_node *points_object_of(const struct kt_node *call);
struct locset *points_cell_of(struct facts *f, kt_id sym);
bool points_holds_nothing(const struct facts *f, loc_id loc);
void points_contents(
	struct locset *out, struct facts *f, struct arena *a, const struct locset *objects);
void points_close_over(struct locset *s, struct facts *f, struct arena *a);
/* locset_union into a set of the unit, within POINTS_MOST. */
bool points_grow(struct facts *f, struct locset *s, const struct locset *more);
void points_argument_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, size_t i, bool beyond);
void points_self_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, bool beyond);
bool points_returns_reference(const struct facts *f, const struct kt_node *call);
