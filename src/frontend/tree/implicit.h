#pragma once
/* The nodes of implicit code (records.h). Internal to the frontend. */
#include "frontend/tree/convert.h"
#include "frontend/tree/records.h"

/* An object as implicit code names it. */
struct record_path {
	enum {
		PATH_SYMBOL,
		PATH_THIS,
		PATH_FIELD,
		PATH_ELEMENT
	} kind;
	const struct record_path *up; /* of a field or element */
	kt_id sym;
	CXCursor field;
	kt_id type;
};

/* Appends the code of the operation on the object, marked implicit. other: the source of a copy, or
 * NULL. */
void record_run(struct builder *b, CXType t, enum record_op op, const struct record_path *object,
	const struct record_path *other, node_list *out);
/* Appends the operations on the bases and members of the object of a constructor (RECORD_INIT,
 * _COPY, _MOVE), assignment or destructor of class t. Leaves out those in `done`, by
 * record_field_key and record_base_key. */
void record_parts(struct builder *b, CXType t, enum record_op op, const struct ids *done,
	const struct record_path *other, node_list *out);
uintptr_t record_field_key(kt_id sym);
uintptr_t record_base_key(struct builder *b, CXType base);
/* The member initializer of field as a node marked implicit; NULL if it has none that runs code.
 * *known: it was found. */
struct kt_node *record_initializer(struct builder *b, CXCursor field, bool *known);

/* ---- nodes without text ---- */

struct kt_node *implicit_node(struct builder *b, enum kt_kind kind, kt_id type);
/* *this */
struct kt_node *implicit_object(struct builder *b);
struct kt_node *implicit_path(struct builder *b, const struct record_path *p);
/* A call of unknown code with the object and the other one. */
struct kt_node *implicit_unknown(struct builder *b, struct kt_node *object, struct kt_node *other);
/* Marks all of n, converted from another place, as implicit here. */
struct kt_node *implicit_here(struct builder *b, struct kt_node *n);
/* Records the code that the end of var's scope runs. A reference may keep a temporary alive. */
void implicit_see_end(struct builder *b, CXCursor var, kt_id sym, CXCursor init);
/* Appends the code at the ends of the scopes opened since `from`. */
void implicit_add_ends(struct builder *b, size_t from, node_list *out);
