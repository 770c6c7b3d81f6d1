#pragma once
/*
 * Compares two pieces of code, node by node and token by token: are they equal, or equal apart from
 * holes? A hole is a pair of subexpressions that differ. Matching of arms (analysis/arms) compares
 * arm 0 with one other arm. A zeroed pairing with f and u set is an empty one; pairing_release
 * frees it.
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
	struct map to;	 /* symbol of arm 0 -> symbol of the other arm; 0 if unbound again */
	struct map from; /* symbol of the other arm -> symbol of arm 0 */
	bool exact;	 /* compare only the trees, not the spelling */
};

void pairing_release(struct pairing *p);

/* Are two nodes equal, apart from their children? */
bool pair_same_node(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are these lambdas with the same tokens and the same variables? */
bool pair_same_lambda(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Do x and y call one function, or instantiations of it that differ only in the types of lambdas?
 * The lambdas must be alike, and be arguments of the calls or be called in place. */
bool pair_same_callee(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are the types equal, apart from const and restrict at the top? */
bool pair_same_bare_type(const struct kt_type *x, const struct kt_type *y);
/* Is it a number type? By its name, so that an enumeration is not. */
bool pair_is_number(const struct kt_type *t);
/* Binds a local of x's side to a local of y's side. */
bool pair_bind(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Is child i of x used as an object, not as a value? place: x itself is. */
bool pair_child_is_place(const struct pairing *p, const struct kt_node *x, size_t i, bool place);
bool pair_can_be_hole(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place);
/* May `c ? x : y` replace both as the object that either names? */
bool pair_can_be_choice(const struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are they loops whose variables take the same values, and may x's header replace y's? Their
 * variables are bound. */
bool pair_same_trips(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Is child slot of n a part of a loop's header, whose spelling pair_same_trips may let differ? */
bool pair_is_header(const struct kt_node *n, size_t slot);
/* Must this child be the same in all arms: a constant, or a value that no vector register holds? */
bool pair_child_is_fixed(const struct kt_node *x, size_t slot);
/* If holes were found below x and y: might a constant expression that the code needs become a
 * variable? */
bool pair_breaks_constant(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Are the trees equal, apart from locals that are bound to each other? */
bool pair_same_tree(struct pairing *p, const struct kt_node *x, const struct kt_node *y);
/* Do two statements have the same tokens in source order, apart from n holes and from locals that
 * are bound to each other? fewer_pragmas: also apart from pragmas that unroll y's loops. */
bool pair_same_spelling(struct pairing *p, const struct kt_node *x, const struct span *hole_x,
	const struct kt_node *y, const struct span *hole_y, size_t n, bool fewer_pragmas);

/* Maps the source offsets of references and declared variables below root to their symbols. The
 * caller releases the map. */
void pair_index_words(struct map *at, const struct kt_unit *u, const struct kt_node *root);
/* Are the trees equal, with the same symbols, without holes or lambdas? (Each lambda has its own
 * type.) */
bool pair_equal(struct facts *f, const struct kt_node *x, const struct kt_node *y);
/* The same, apart from the locals that are bound to each other. */
bool pair_equal_in(struct pairing *p, const struct kt_node *x, const struct kt_node *y);

/* The arm whose expression has the type of the hole. Expressions of several number types are
 * converted to that one. */
size_t pair_typed(struct facts *f, const struct kt_node *const *expr, size_t arms);

/* Is a value of this type small and trivial enough for a hole's variable? */
bool pair_fits_hole(const struct kt_type *t);
