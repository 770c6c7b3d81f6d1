#pragma once
/*
 * Two pieces of code side by side, node by node and token by token: equal, or equal but for holes.
 * Matching of arms (analysis/arms) takes arm 0 and one other arm. A zeroed pairing with f and u
 * set is an empty one; pairing_release frees it.
 */
#include "analysis/facts/facts.h"
#include "base/array.h"
#include "base/map.h"
#include "frontend/text/lex.h"

/* Bytes of a file; may be empty. */
struct span {
	size_t begin;
	size_t end;
};

/* Arm 0 against one other arm. */
struct pairing {
	struct facts *f;
	struct kt_unit *u;
	struct map to;	 /* symbol of arm 0 -> the other arm's; 0 if that was undone */
	struct map from; /* the other arm's -> arm 0's */
	bool exact;	 /* only the trees decide, not the spelling */
};

void pairing_release(struct pairing *p);

/* Are two nodes equal, apart from their children? */
bool pair_same_node(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are these lambdas with the same tokens and the same variables? */
bool pair_same_lambda(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* One callee, or instantiations of it that differ in the types of lambdas only, which are arguments
 * of the calls, or lambdas that are called where they stand: alike where these lambdas are. */
bool pair_same_callee(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are the types equal, apart from const and restrict at the top? */
bool pair_same_bare_type(const struct kt_type *x, const struct kt_type *y);
/* Is it a number type? By its name, so that an enumeration is not. */
bool pair_is_number(const struct kt_type *t);
/* Binds a local of one to a local of the other from here on. */
bool pair_bind(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Is child i of x used as an object, not as a value? place: x itself is. */
bool pair_child_is_place(const struct pairing *p, const struct kt_node *x, size_t i, bool place);
bool pair_can_be_hole(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place);
/* May `c ? x : y` stand in their place as the object that either is? */
bool pair_can_be_choice(const struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are they loops whose variables take the same values, and may x's header stand for y's too? Their
 * variables are bound. */
bool pair_same_trips(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Is child slot of n the part of a loop's header that may be spelled otherwise then? */
bool pair_is_header(const struct kt_node *n, size_t slot);
/* Must what stands there be the same in all arms: a constant, or what no vector register takes? */
bool pair_child_is_fixed(const struct kt_node *x, size_t slot);
/* Holes below x and y were found: may a constant that the code needs as one have gone? */
bool pair_breaks_constant(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are the trees equal, apart from locals that are bound to each other? */
bool pair_same_tree(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Do two statements have the same tokens, apart from n holes, in source order, and from locals that
 * are bound to each other? fewer_pragmas: also apart from pragmas that unroll y's loops. */
bool pair_same_spelling(struct pairing *p, const struct kt_node *x, const struct span *hole_x,
	const struct kt_node *y, const struct span *hole_y, size_t n, bool fewer_pragmas);

/* Offsets of the words that nodes below root stand for, references and declared variables, each
 * with its symbol. The caller releases the map. */
void pair_index_words(struct map *at, const struct kt_unit *u, const struct kt_node *root);
/* Are the trees equal over the same symbols, without holes and lambdas? (Each lambda has a type of
 * its own.) */
bool pair_equal(struct facts *f, const struct kt_node *x, const struct kt_node *y);

/* The arm whose expression has the type of the hole: numbers of several types stand where they are
 * converted to one of them. */
size_t pair_typed(struct facts *f, const struct kt_node *const *expr, size_t arms);

/* Is a value of this type small and plain enough for a variable that crosses? */
bool pair_fits_hole(const struct kt_type *t);
