#pragma once
/*
 * Records: the code that runs when an object is made, copied, moved, assigned or dies: libclang
 * shows no cursor for it. Here it is decided by type and by declaration, over members and bases,
 * no matter who wrote their functions. Internal to the frontend.
 *
 * Exact where libclang shows a class's members. Of an implicit instantiation it shows the fields
 * only: which functions it has says the template, and one that is not the compiler's own is a call
 * of which nothing is known. So is a base whose type depends on the template's arguments, unless no
 * class of the unit's own code, and no argument, has such a function.
 */
#include "frontend/tree/builder.h"

enum record_op {
	RECORD_INIT, /* without arguments */
	RECORD_COPY,
	RECORD_MOVE,
	RECORD_COPY_TO, /* assignment */
	RECORD_MOVE_TO,
	RECORD_END,
	RECORD_OPS
};

/* Does the operation on an object of type t run code, more than setting or copying its bytes? */
bool record_runs(struct builder *b, CXType t, enum record_op op);
/* The special member that c declares, and whether somebody wrote it. RECORD_OPS: it is none. */
enum record_op record_special(CXCursor c, bool *provided);
/* Is a list in braces for an object of type t one that sets its members, and no constructor's? */
bool record_is_aggregate(struct builder *b, CXType t);
/* May an address in an object of type t be read as something else? */
bool record_is_punned(struct builder *b, CXType t);
/* May an object of type t be changed though it is const, as it has a mutable member? */
bool record_has_mutable(struct builder *b, CXType t);
/* Fields of t in their order, in the scratch arena. */
struct kids record_fields(struct builder *b, CXType t);

/* ---- for implicit.c ---- */

/* What libclang tells of a class. */
struct record {
	CXType type;	/* canonical, unqualified */
	CXCursor shown; /* where its members are declared: itself or its template */
	bool complete;
	bool hidden; /* shown is the template */
	bool system;
	bool is_union;
	bool plain;    /* a POD */
	bool no_moves; /* the compiler makes none up */
	bool constructors;
	CXCursor special[RECORD_OPS]; /* of those that somebody wrote */
	unsigned provided;	      /* bits of them */
	struct kids field;	      /* in the builder's arena */
	struct kids base;	      /* specifiers */
	uint8_t answer[RECORD_OPS];
};

CXType record_bare(CXType t); /* canonical, unqualified */
bool record_is_array(CXType t);
/* The record of a class; NULL for another type. */
struct record *record_of(struct builder *b, CXType t);
bool record_has_initializer(const struct record *r, CXCursor field);
/* The expression of the member initializer of field; null where it has none that counts; *known: it
 * could be found. */
CXCursor record_find_initializer(struct builder *b, CXCursor field, bool *known);
/* Is the base's type one that does not depend on a template's arguments? */
bool record_is_exact(CXType base);
/* Does the operation run code of a base whose type does, as far as can be told? */
bool record_hidden_base_runs(
	struct builder *b, const struct record *r, CXCursor base, enum record_op op);
/* The operation that is called for op: the copy, where the class has no moves. */
enum record_op record_real_op(const struct record *r, enum record_op op);
