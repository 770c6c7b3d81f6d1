#pragma once
/* The conversion from cursors to nodes: the functions that its files share. Internal to the
 * frontend. */
#include "frontend/tree/builder.h"

enum {
	DEPTH_MAX = 400 /* of nested nodes; deeper ones are unknown */
};

typedef ARRAY(struct kt_node *) node_list;

/* ---- convert_expr.c ---- */

/* A node whose children part makes of the cursors below c that are no types. */
struct kt_node *convert_parts(struct builder *b, enum kt_kind kind, CXCursor c,
	struct kt_node *(*part)(struct builder *b, CXCursor c));
struct kt_node *convert_unknown_expr(struct builder *b, CXCursor c);
struct kt_node *convert_with_exprs(struct builder *b, enum kt_kind kind, CXCursor c);
struct kt_node *convert_expr(struct builder *b, CXCursor c);
/* Looks through parentheses and implicit cursors. */
CXCursor convert_strip(CXCursor c);
/* Is c a variable, a member or an element? */
bool convert_names_object(CXCursor c);
/* The node for threadIdx.x and similar variables, or a conversion of one; else NULL. In HIP these
 * members are static objects with a conversion operator. */
struct kt_node *convert_coordinate(struct builder *b, CXCursor c);

/* ---- convert_call.c ---- */

struct kt_node *convert_call(struct builder *b, CXCursor c);
/* Appends the default arguments of fn to n, a call with the first arguments. */
void convert_default_arguments(struct builder *b, struct kt_node *n, CXCursor fn);
/* convert_expr() of an object that outlives the expression, and so is not a temporary. */
struct kt_node *convert_owned(struct builder *b, CXCursor c);
/* Is the next object owned by convert_owned()? Resets the mark, which is for one object. */
bool convert_take_owned(struct builder *b);
/* n, the node of c, makes an object. Wraps n in an unknown node if it is a temporary (not owned)
 * whose end runs code. */
struct kt_node *convert_ending(struct builder *b, struct kt_node *n, CXCursor c, bool owned);

/* ---- convert_operator.c ---- */

/* KT_OP_OTHER if the tree has no such operator; *assign: it is a compound assignment. */
enum kt_op convert_binary_op(CXCursor c, bool *assign);
enum kt_op convert_unary_op(CXCursor c);
/* The operator of a function by its name, "operator+=". */
enum kt_op convert_operator_of(const char *name, bool unary, bool *assign);

/* ---- convert_stmt.c ---- */

struct kt_node *convert_stmt(struct builder *b, CXCursor c);
struct kt_node *convert_unknown_stmt(struct builder *b, CXCursor c);
/* One statement with those of the list, at the place of n. */
struct kt_node *convert_together(struct builder *b, const struct kt_node *n, const node_list *v);
struct kt_node *convert_loop_body(struct builder *b, CXCursor c);
/* The parentheses after the keyword at n->begin, or after its constexpr. False if they are from a
 * macro, or belong to one: if CONDITION(x). */
bool convert_header_parens(struct builder *b, const struct kt_node *n, size_t *open, size_t *close);
/* The init of a switch or range-for, which has no cursor: it may access all variables that its text
 * names, and call any function. */
struct kt_node *convert_hidden_init(struct builder *b, size_t open, size_t semicolon);

/* ---- convert_range.c ---- */

struct kt_node *convert_range_for(struct builder *b, CXCursor c);

/* ---- convert_list.c ---- */

/* A list in braces. owned: its object is not a temporary. */
struct kt_node *convert_list(struct builder *b, CXCursor c, bool owned);

/* ---- convert_asm.c ---- */

/* Gives n, an asm, its children if all operands are understood. The KT_OPERANDs get the children of
 * c, in order, as their expressions. */
void convert_asm_operands(struct builder *b, struct kt_node *n, CXCursor c);

/* ---- convert_binding.c ---- */

/* Fills stmt, the declaration of the structured binding object. False, with stmt unchanged, if it
 * is not understood. */
bool convert_bindings(struct builder *b, struct kt_node *stmt, CXCursor object);

/* ---- convert_node.c ---- */

/* All children of c, in the scratch arena. */
struct kids convert_kids_of(struct builder *b, CXCursor c);
/* The only child that is not a type reference; *ok: there is exactly one. */
CXCursor convert_only_child(CXCursor c, bool *ok);
/* The text of the file that is converted. */
struct str convert_cur_text(struct builder *b);
/* Sets range, file and KT_F_MACRO from the cursor's extent. */
void convert_set_range(struct builder *b, struct kt_node *n, CXCursor c);
/* If n, of a macro, is spelled in one argument of an invocation in this file: sets its range there,
 * and KT_F_ARGUMENT. */
void convert_find_argument(struct builder *b, struct kt_node *n, CXCursor c);
struct kt_node *convert_node_new(struct builder *b, enum kt_kind kind, CXCursor c);
void convert_one_child(struct builder *b, struct kt_node *n, struct kt_node *child);
void convert_set_value(struct kt_node *n, int64_t value);
/* The value of a constant integer expression; false if it is not constant. */
bool convert_evaluate(CXCursor c, int64_t *out);
void convert_set_condition(struct kt_node *n, CXCursor c);
const char *convert_node_text(struct builder *b, const struct kt_node *n);
void convert_take_semicolon(struct builder *b, struct kt_node *n);
