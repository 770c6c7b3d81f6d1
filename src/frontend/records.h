#ifndef UNPHI_FRONTEND_RECORDS_H
#define UNPHI_FRONTEND_RECORDS_H
/*
 * What runs when an object is made, copied, moved, assigned or dies: libclang shows no cursor for
 * it. Here it is decided by type and by declaration, over members and bases, whoever wrote their
 * functions. Internal to the frontend.
 *
 * Exact where libclang shows a class's members. Of an implicit instantiation it shows the fields
 * only: which functions it has says the template, and one that is not the compiler's own is a call
 * of which nothing is known. So is a base whose type depends on the template's arguments, unless no
 * class of the unit's own code, and no argument, has such a function.
 */
#include "frontend/convert.h"

enum record_op {
	RECORD_INIT, /* without arguments */
	RECORD_COPY,
	RECORD_MOVE,
	RECORD_COPY_TO, /* assignment */
	RECORD_MOVE_TO,
	RECORD_END,
	RECORD_OPS
};

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

typedef ARRAY(struct kt_node *) node_list;

/* Does the operation on an object of type t run code, more than setting or copying its bytes? */
bool record_runs(struct builder *b, CXType t, enum record_op op);
/* Appends what it does to the object, marked implicit; other: what is copied, or NULL. */
void record_run(struct builder *b, CXType t, enum record_op op, const struct record_path *object,
	const struct record_path *other, node_list *out);
/* The special member that c declares, and whether somebody wrote it. RECORD_OPS: it is none. */
enum record_op record_special(CXCursor c, bool *provided);
/* Appends what the object of a constructor (RECORD_INIT, _COPY, _MOVE), an assignment or a
 * destructor of class t does to its bases and members. Those that `done` names, by
 * record_field_key and record_base_key, are left out. */
void record_parts(struct builder *b, CXType t, enum record_op op, const struct ids *done,
	const struct record_path *other, node_list *out);
uintptr_t record_field_key(kt_id sym);
uintptr_t record_base_key(struct builder *b, CXType base);
/* Is a list in braces for an object of type t one that sets its members, and no constructor's? */
bool record_is_aggregate(struct builder *b, CXType t);
/* The member initializer of field as a node marked implicit; NULL where it has none that counts;
 * *known: it could be found. */
struct kt_node *record_initializer(struct builder *b, CXCursor field, bool *known);
/* May an address in an object of type t be read as something else? */
bool record_is_punned(struct builder *b, CXType t);
/* Fields of t in their order, in the scratch arena. */
struct kids record_fields(struct builder *b, CXType t);

/* ---- nodes that no text stands for ---- */

struct kt_node *implicit_node(struct builder *b, enum kt_kind kind, kt_id type);
struct kt_node *implicit_path(struct builder *b, const struct record_path *p);
/* A call of what is not known: on the object, with what it is handed. */
struct kt_node *implicit_unknown(struct builder *b, struct kt_node *object, struct kt_node *other);
/* Marks all of n, which was converted from some other place, as implicit here. */
struct kt_node *implicit_here(struct builder *b, struct kt_node *n);
#endif
