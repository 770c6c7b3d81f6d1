#pragma once
/*
 * Pointers and their targets, found for a whole unit and in no order: the part of the facts that
 * facts.c (effects) rests on. alias.c asks who is who. No other file includes this.
 *
 * A variable is one cell: what is stored in any part of it, by whatever name, it may hold from
 * then on and before. Stores through parameters go to the variables that these name over all
 * calls; what is loaded from a place of which nothing is known is LOC_UNKNOWN, and what is stored
 * where it is not found again is exposed. So a set that is not empty is whole.
 *
 * No set gets more than POINTS_MOST locations: one that would is LOC_UNKNOWN from then on, and what
 * it had is lost, with all that can be reached from there. Lost variables are exposed, and may hold
 * LOC_UNKNOWN. So the time goes up with the size of a unit, and not with its square.
 */
#include "analysis/facts/facts.h"
#include "base/array.h"
#include "base/map.h"

typedef ARRAY(const struct kt_node *) node_array;

struct fn_info {
	int state; /* of its summary */
	struct fx summary;
	/* what the returned pointer or record may hold, the returned reference names; what an
	 * object may hold that the constructor made */
	struct locset ret;
	node_array callers; /* KT_CALL, KT_CONSTRUCT nodes */
	node_array returns; /* KT_RETURN nodes that may hand out an address */
	bool address_taken;
	bool constructs; /* some call makes an object with it */
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
	/* By symbol: what it may hold, or (a local reference) what it names. */
	struct locset *pts;
	/* By symbol. A parameter: what LOC_DEREF and LOC_BEYOND of it really are, over all callers.
	 * A local reference: beyond is what the temporary may hold that it names. */
	struct locset *roots;
	struct locset *beyond;
	bool *exposed; /* by symbol: unknown code may hold its address */
	struct locset
		lost;	   /* of sets that got too large; the same names as in the functions' own */
	bool solved;	   /* no pointer's set is empty any more for want of a round */
	bool bounded;	   /* sets in the making are bounded as well: while all is solved */
	node_array stores; /* nodes that may store an address, and calls that may copy one */
	struct ids fn_of_body;
	struct ids effects;	/* node -> struct fx, of those that were asked for */
	struct ids events;	/* node -> struct event_list, the same */
	struct arena *compared; /* while two locations are */
	struct arena *scratch;	/* while effects, events or pointees are found */
	unsigned busy;		/* depth of that */
	struct ids kept[FACTS_KEEPS];
	ARRAY(struct kept) keeps;
};

const struct kt_type *points_type(const struct facts *f, kt_id id);
bool points_is_kind(const struct facts *f, kt_id type, enum kt_type_kind k);
bool points_is_array(const struct facts *f, const struct kt_node *n);
const struct kt_fn *points_callee(const struct facts *f, const struct kt_node *call);
/* The object in which a reference is bound: an assignment with KT_F_BINDS. */
void points_binder(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);
/* A location of the callee, seen from the caller. */
void points_at_call(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, loc_id loc);

/* What a location of a body really is, over all callers. */
void points_resolve(struct locset *out, struct facts *f, struct arena *a, loc_id loc);

/* Fills all that is found once for the unit. */
void points_solve(struct facts *f);

/* ---- points.c, for points_solve.c ---- */

/* Can a value of this type carry an address? */
bool points_holds_pointers(const struct facts *f, kt_id type);
/* Arrays become pointers to themselves. */
bool points_may_be_address(const struct facts *f, const struct kt_node *n);
const struct kt_node *points_object_of(const struct kt_node *call);
struct locset *points_cell_of(struct facts *f, kt_id sym);
bool points_holds_nothing(const struct facts *f, loc_id loc);
void points_contents(
	struct locset *out, struct facts *f, struct arena *a, const struct locset *objects);
void points_close_over(struct locset *s, struct facts *f, struct arena *a);
/* locset_union to a set that is kept, within bounds. */
bool points_grow(struct facts *f, struct locset *s, const struct locset *more);
void points_argument_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, size_t i, bool beyond);
void points_self_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, bool beyond);
bool points_returns_reference(const struct facts *f, const struct kt_node *call);
