#pragma once
/* The products and adds of a unit, which contract.c finds and contract_cut.c asks for. */
#include "analysis/arms/contract.h"
#include "base/array.h"

/* What is known of a variable; slot 0 stands for every *this. */
enum {
	VAR_STORED = 1 << 0, /* a product is assigned to it */
	VAR_HOLDS = 1 << 1,  /* it may hold a product: stored here, or by who passed it */
	VAR_ADDED = 1 << 2,  /* its value is added, here or by who passed it */
	VAR_ADDS = 1 << 3,   /* its value is added here: by a read of this name, or in a callee */
};

/* Places in the unit that make facts. */
struct place {
	const struct kt_node *node;
	struct locset locs; /* of the object that is read, written or passed */
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
	/* per function: those of accesses that add what may be a product, in it or to one of its
	 * variables */
	place_array *added;
};

/* Has n a type that may hold a float? */
bool contract_is_float(const struct contract *c, const struct kt_node *n);
/* The slot of var that stands for loc; *known: nothing else may name it. */
kt_id contract_slot_of(struct contract *c, loc_id loc, bool *known);
/* What n, a place, may be; in the contract's arena. */
struct locset contract_lvalue(struct contract *c, const struct kt_node *n);
/* Does n name an object, or a part of one? So does a call of a function that gives a reference,
 * such as acc[i] of a class, if all that this may be is known. */
bool contract_is_access(struct contract *c, const struct kt_node *n);
