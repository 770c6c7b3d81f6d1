#pragma once
/* The conversion from cursors to nodes: what its parts have in common. Expressions, statements,
 * functions. Internal to the frontend. */
#include "frontend/tree/builder.h"

enum {
	DEPTH_MAX = 400 /* of nodes in nodes; what is deeper is unknown */
};

/* ---- convert_expr.c ---- */

void convert_add_exprs(struct builder *b, struct kt_node *n, CXCursor c);
struct kt_node *convert_unknown_expr(struct builder *b, CXCursor c);
struct kt_node *convert_with_exprs(struct builder *b, enum kt_kind kind, CXCursor c);
struct kt_node *convert_expr(struct builder *b, CXCursor c);
/* The same of what makes an object that lives on: it is no temporary. */
struct kt_node *convert_owned(struct builder *b, CXCursor c);
/* n, which c stands for, makes an object; a temporary (not owned) whose end runs code is not
 * understood. */
struct kt_node *convert_ending(struct builder *b, struct kt_node *n, CXCursor c, bool owned);
/* Appends to n, a call with some of its arguments, those that fn takes by default. */
void convert_default_arguments(struct builder *b, struct kt_node *n, CXCursor fn);
/* Looks through parentheses and what is implicit. */
CXCursor convert_strip(CXCursor c);

/* ---- convert_operator.c ---- */

/* KT_OP_OTHER where it is not one of ours; *assign: it assigns as well. */
enum kt_op convert_binary_op(CXCursor c, bool *assign);
enum kt_op convert_unary_op(CXCursor c);
/* Of a function by its name, "operator+=". */
enum kt_op convert_operator_of(const char *name, bool unary, bool *assign);

/* ---- convert_stmt.c ---- */

struct kt_node *convert_stmt(struct builder *b, CXCursor c);

/* ---- convert_list.c ---- */

/* A list in braces. owned: the object that it makes is no temporary. */
struct kt_node *convert_list(struct builder *b, CXCursor c, bool owned);

/* ---- convert_asm.c ---- */

/* Gives n, an asm, its children, where all that it says of its operands is understood. */
void convert_asm_operands(struct builder *b, struct kt_node *n, CXCursor c);

/* ---- convert_binding.c ---- */

/* Fills stmt, the declaration of the structured binding object. False: it is none that is
 * understood, and stmt is as it was. */
bool convert_bindings(struct builder *b, struct kt_node *stmt, CXCursor object);

/* ---- convert.c ---- */

/* All children of c, in the scratch arena. */
struct kids convert_kids_of(struct builder *b, CXCursor c);
/* The one child that is none; *ok: there is just one. */
CXCursor convert_only_child(CXCursor c, bool *ok);
/* The text of the file that is converted. */
struct str convert_cur_text(struct builder *b);
/* Sets range, file and KT_F_MACRO from the cursor's extent. */
void convert_set_range(struct builder *b, struct kt_node *n, CXCursor c);
/* Where n, of a macro, is spelled as (a part of) one argument of an invocation in this file: its
 * range there, and KT_F_ARGUMENT. */
void convert_find_argument(struct builder *b, struct kt_node *n, CXCursor c);
struct kt_node *convert_node_new(struct builder *b, enum kt_kind kind, CXCursor c);
void convert_one_child(struct builder *b, struct kt_node *n, struct kt_node *child);
void convert_set_value(struct kt_node *n, int64_t value);
/* The value of a constant expression of integers; false where it has none. */
bool convert_evaluate(CXCursor c, int64_t *out);
void convert_set_condition(struct kt_node *n, CXCursor c);
const char *convert_node_text(struct builder *b, const struct kt_node *n);
void convert_take_semicolon(struct builder *b, struct kt_node *n);
