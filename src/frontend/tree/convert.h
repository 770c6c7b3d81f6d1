#pragma once
/* The conversion from cursors to nodes: what its parts have in common. Expressions, statements,
 * functions. Internal to the frontend. */
#include "frontend/tree/builder.h"

enum {
	DEPTH_MAX = 400 /* of nodes in nodes; what is deeper is unknown */
};

typedef ARRAY(struct kt_node *) node_list;

/* ---- convert_expr.c ---- */

void convert_add_exprs(struct builder *b, struct kt_node *n, CXCursor c);
struct kt_node *convert_unknown_expr(struct builder *b, CXCursor c);
struct kt_node *convert_with_exprs(struct builder *b, enum kt_kind kind, CXCursor c);
struct kt_node *convert_expr(struct builder *b, CXCursor c);
/* Looks through parentheses and what is implicit. */
CXCursor convert_strip(CXCursor c);
/* Is c a variable, a member or an element? */
bool convert_names_object(CXCursor c);
/* When c is (a conversion of) threadIdx.x and its like, the node for it: HIP makes their members
 * conversion operators of static objects. */
struct kt_node *convert_coordinate(struct builder *b, CXCursor c);

/* ---- convert_call.c ---- */

struct kt_node *convert_call(struct builder *b, CXCursor c);
/* Appends to n, a call with some of its arguments, those that fn takes by default. */
void convert_default_arguments(struct builder *b, struct kt_node *n, CXCursor fn);
/* convert_expr() of an object that outlives the expression: it is no temporary. */
struct kt_node *convert_owned(struct builder *b, CXCursor c);
/* Did convert_owned() ask for the next object? It asks for one only. */
bool convert_take_owned(struct builder *b);
/* n, which c stands for, makes an object; a temporary (not owned) whose end runs code is not
 * understood. */
struct kt_node *convert_ending(struct builder *b, struct kt_node *n, CXCursor c, bool owned);

/* ---- convert_operator.c ---- */

/* KT_OP_OTHER where the tree has no such operator; *assign: it assigns as well. */
enum kt_op convert_binary_op(CXCursor c, bool *assign);
enum kt_op convert_unary_op(CXCursor c);
/* Of a function by its name, "operator+=". */
enum kt_op convert_operator_of(const char *name, bool unary, bool *assign);

/* ---- convert_stmt.c ---- */

struct kt_node *convert_stmt(struct builder *b, CXCursor c);
struct kt_node *convert_unknown_stmt(struct builder *b, CXCursor c);
/* One statement of several: those of a list, which stand where n does. */
struct kt_node *convert_together(struct builder *b, const struct kt_node *n, const node_list *v);
struct kt_node *convert_loop_body(struct builder *b, CXCursor c);
/* The parenthesis that opens after the keyword at n->begin, or after a constexpr there, and its
 * partner. False: it is from a macro, or a macro's: if CONDITION(x). */
bool convert_header_parens(struct builder *b, const struct kt_node *n, size_t *open, size_t *close);
/* The init of a switch or of a range-for, for which no cursor stands: it may touch all that its
 * text names, and call anything. */
struct kt_node *convert_hidden_init(struct builder *b, size_t open, size_t semicolon);

/* ---- convert_range.c ---- */

struct kt_node *convert_range_for(struct builder *b, CXCursor c);

/* ---- convert_list.c ---- */

/* A list in braces. owned: the object that it makes is no temporary. */
struct kt_node *convert_list(struct builder *b, CXCursor c, bool owned);

/* ---- convert_asm.c ---- */

/* Gives n, an asm, its children, where all that it says of its operands is understood: those that
 * are KT_OPERAND take the children of c, in order, as their expressions. */
void convert_asm_operands(struct builder *b, struct kt_node *n, CXCursor c);

/* ---- convert_binding.c ---- */

/* Fills stmt, the declaration of the structured binding object. False: it is none that is
 * understood, and stmt is as it was. */
bool convert_bindings(struct builder *b, struct kt_node *stmt, CXCursor object);

/* ---- convert_node.c ---- */

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
