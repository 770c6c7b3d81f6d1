#pragma once
/* The products and adds of a unit: contract.c finds them, contract_cut.c uses them. */
#include "analysis/arms/contract.h"
#include "base/array.h"

/* Facts about a variable; slot 0 is for every *this. */
enum {
	VAR_STORED = 1 << 0, /* a product is assigned to it */
	VAR_HOLDS = 1 << 1,  /* it may hold a product, stored here or by a caller */
	VAR_ADDED = 1 << 2,  /* its value is added, here or by a caller */
	VAR_ADDS = 1 << 3,   /* its value is added here: by a read of this name, or in a callee */
};

/* Places in the unit that yield facts. */
struct place {
	const struct kt_node *node;
	struct locset locs; /* locations of the object that is read, written or passed */
};

typedef ARRAY(struct place) place_array;

struct contract {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	unsigned *var;	    /* per symbol */
	bool *returns;	    /* per function: a product */
	bool *result_added; /* per function: a caller adds the result */
	place_array accesses;
	place_array stores; /* assignments, and declarations with initializer */
	place_array calls;  /* of functions with a body */
	/* per function: accesses that add a possible product, in it or to one of its variables */
	place_array *added;
};

/* May a value of n's type hold a float? */
bool contract_is_float(const struct contract *c, const struct kt_node *n);
/* The slot of var for loc; *known: no other name is possible. */
kt_id contract_slot_of(struct contract *c, loc_id loc, bool *known);
/* The locations that the lvalue n may denote; in the contract's arena. */
struct locset contract_lvalue(struct contract *c, const struct kt_node *n);
/* Does n name an object or a part of one? A call that returns a reference, such as acc[i] of a
 * class, does if all its possible targets are known. */
bool contract_is_access(struct contract *c, const struct kt_node *n);
