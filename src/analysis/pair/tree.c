#include "analysis/pair/pair.h"

#include <string.h>
#include "analysis/facts/asm.h"
#include "analysis/facts/liveness.h"
#include "frontend/text/lex.h"

/* Bytes: the largest values for one hole. An operand of WMMA has 32. */
enum {
	HOLE_SCALAR_MAX = 16,
	HOLE_VECTOR_MAX = 32
};

void pairing_release(struct pairing *p)
{
	map_release(&p->to);
	map_release(&p->from);
}

/* ---- types ---- */

bool pair_same_bare_type(const struct kt_type *x, const struct kt_type *y)
{
	return x->kind == y->kind && x->canon && y->canon &&
	       str_eq(kt_type_bare(x, true), kt_type_bare(y, true));
}

bool pair_fits_hole(const struct kt_type *t)
{
	if (!t->trivial || t->is_volatile || t->size <= 0) {
		return false;
	}
	switch (t->kind) {
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_POINTER:
	case KT_T_RECORD:
		return t->size <= HOLE_SCALAR_MAX;
	case KT_T_VECTOR:
		return t->size <= HOLE_VECTOR_MAX;
	default:
		return false;
	}
}

/* ---- positions ---- */

static bool has_kind(const struct pairing *p, kt_id type, enum kt_type_kind k)
{
	return p->u->type[type].kind == k;
}

/* Is child i of call x bound to a reference, or may it be? */
static bool argument_is_place(const struct pairing *p, const struct kt_node *x, size_t i)
{
	size_t first = x->flags & KT_F_METHOD ? 1 : 0;
	if (i < first) {
		return true;
	}
	if (!x->fn) {
		return !facts_intrinsic(p->f, x);
	}
	const struct kt_fn *fn = &p->u->fn[x->fn];
	i -= first;
	return i < fn->params && has_kind(p, p->u->sym[fn->param[i]].type, KT_T_REFERENCE);
}

bool pair_child_is_place(const struct pairing *p, const struct kt_node *x, size_t i, bool place)
{
	switch (x->kind) {
	case KT_ASSIGN:
		return i == 0;
	case KT_UNARY:
		switch (x->op) {
		case KT_OP_PREINC:
		case KT_OP_PREDEC:
		case KT_OP_POSTINC:
		case KT_OP_POSTDEC:
		case KT_OP_ADDR:
		case KT_OP_OTHER:
			return true;
		default:
			return false;
		}
	case KT_OPERAND:
		return asm_writes(x);
	case KT_MEMBER:
		return place && !(x->flags & KT_F_ARROW);
	case KT_INDEX: {
		const struct kt_type *t = kt_type_of(p->u, x->child[0]);
		return i == 0 && (t->kind == KT_T_ARRAY || (place && t->kind != KT_T_POINTER));
	}
	case KT_CALL:
	case KT_CONSTRUCT:
		return argument_is_place(p, x, i);
	case KT_VAR:
		return has_kind(p, x->type, KT_T_REFERENCE);
	case KT_CAST:
		return place || has_kind(p, x->type, KT_T_REFERENCE);
	case KT_COND:
		return place && i != KT_COND_COND;
	case KT_BINARY:
		return x->op == KT_OP_COMMA && (i == 0 || place);
	case KT_RANGE_FOR:
	case KT_CASE:
	case KT_RETURN:
	case KT_LAMBDA:
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		return true;
	case KT_INIT_LIST: {
		/* the types must match: a constant may narrow here, a variable may not */
		const struct kt_type *t = kt_type_of(p->u, x);
		bool known = t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR;
		return !known || !kt_same_type(p->u, t->elem, x->child[i]->type);
	}
	/* only the condition of a statement is a value */
	case KT_IF:
		return i != KT_IF_COND;
	case KT_SWITCH:
		return i != KT_SWITCH_COND;
	case KT_WHILE:
		return i != KT_WHILE_COND;
	case KT_DO:
		return i != KT_DO_COND;
	case KT_FOR:
		return i != KT_FOR_COND;
	default:
		return kt_is_stmt(x->kind);
	}
}

/* May the operand have to be a constant? A builtin may require one, and library code may compute
 * differently with one: pow(x, 2) is x * x. The numbers that a matrix operation multiplies and adds
 * may be any values; only its integer operands may be immediates of the instruction. */
static bool may_need_constant(const struct pairing *p, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || !kt_is_library_call(p->u, up) || !kt_is_constant(n)) {
		return false;
	}
	const struct intrinsic *in = facts_intrinsic(p->f, up);
	return !in || in->kind != INTRINSIC_MATRIX || kt_type_of(p->u, n)->kind != KT_T_FLOAT;
}

static bool can_hold(const struct pairing *p, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_INIT_LIST:
	case KT_LAMBDA:
	case KT_THIS:
	case KT_EXPR_UNKNOWN:
	case KT_ASSIGN:
		return false;
	case KT_LITERAL:
		if (!n->text || !n->text[0]) {
			return false;
		}
		break;
	default:
		break;
	}
	bool spelled = kt_is_spelled(n) && !(n->flags & KT_F_MACRO && n->op == KT_OP_COMMA);
	return !kt_is_stmt(n->kind) && n->kind != KT_VAR && spelled &&
	       pair_fits_hole(kt_type_of(p->u, n)) && !may_need_constant(p, n) &&
	       !kt_is_bit_field(p->u, n); /* a bit-field is promoted to int, a variable is not */
}

bool pair_is_number(const struct kt_type *t)
{
	static const char *const name[] = {"bool", "char", "signed char", "unsigned char", "short",
		"unsigned short", "int", "unsigned int", "long", "unsigned long", "long long",
		"unsigned long long", "_Float16", "float", "double", NULL};
	struct str s = t->canon ? kt_type_bare(t, true) : (struct str){0};
	return str_is_any(s, name);
}

/* Is `c ? x : y` of type x, with y converted to it? */
static bool takes_over(const struct kt_type *x, const struct kt_type *y)
{
	if (!pair_is_number(x) || !pair_is_number(y)) {
		return false;
	}
	if (x->kind == KT_T_FLOAT) {
		return y->kind != KT_T_FLOAT || y->size < x->size;
	}
	bool plain = x->kind == KT_T_INT && x->size >= 4 && y->kind != KT_T_FLOAT;
	bool is_unsigned = x->is_unsigned;
	bool other = plain && y->is_unsigned;
	return plain &&
	       (y->size < x->size || (y->size == x->size && is_unsigned && !other &&
					     str_eq(kt_type_bare(x, true), STR("unsigned int"))));
}

/* The type to which n's value is converted by its parent, or NULL. */
static const struct kt_type *converted_to(const struct pairing *p, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	size_t first = up->flags & KT_F_METHOD ? 1 : 0;
	const struct kt_fn *fn = up->kind == KT_CALL && up->fn ? &p->u->fn[up->fn] : NULL;
	switch (up->kind) {
	case KT_VAR:
		return &p->u->type[up->type];
	case KT_ASSIGN:
		return n->slot == 1 && up->op == KT_OP_NONE ? kt_type_of(p->u, up->child[0]) : NULL;
	case KT_CALL:
		return fn && n->slot >= first && n->slot - first < fn->params
			       ? &p->u->type[p->u->sym[fn->param[n->slot - first]].type]
			       : NULL;
	case KT_BINARY: {
		bool common = up->op == KT_OP_ADD || up->op == KT_OP_SUB || up->op == KT_OP_MUL;
		return common ? kt_type_of(p->u, up) : NULL;
	}
	default:
		return NULL;
	}
}

/* Do two number types convert to one type here, just as a ?: of them would? */
static bool same_conversion(
	const struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_type *a = kt_type_of(p->u, x);
	const struct kt_type *b = kt_type_of(p->u, y);
	const struct kt_type *wider = takes_over(a, b) ? a : takes_over(b, a) ? b : NULL;
	const struct kt_type *to = converted_to(p, x);
	return wider && to && pair_same_bare_type(wider, to) && converted_to(p, y) &&
	       pair_same_bare_type(to, converted_to(p, y));
}

/* Does the lvalue name an object of its own, not an element of a vector? */
static bool is_object(const struct pairing *p, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
		return n->sym &&
		       (kt_is_variable(p->u, n->sym) || p->u->sym[n->sym].kind == KT_S_GLOBAL);
	case KT_UNARY:
		return n->op == KT_OP_DEREF;
	case KT_INDEX: {
		enum kt_type_kind k = kt_type_of(p->u, n->child[0])->kind;
		return k == KT_T_POINTER || k == KT_T_ARRAY;
	}
	default:
		return false;
	}
}

static bool is_lds_array(const struct pairing *p, const struct kt_node *n)
{
	return n->kind == KT_REF && n->sym && p->u->sym[n->sym].space == KT_SHARED &&
	       kt_is_array(p->u, n);
}

/* The type of the parameter for argument n, if the function has a body; else NULL. */
static const struct kt_type *parameter_type(const struct kt_unit *u, const struct kt_node *n)
{
	kt_id param = kt_param_of(u, n);
	return param ? &u->type[u->sym[param].type] : NULL;
}

/* Objects of one type as a call's argument, where `c ? x : y` would also be valid: bound to a
 * reference to const, or LDS arrays passed as a pointer. */
bool pair_can_be_choice(const struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_type *t = parameter_type(p->u, x);
	if (!t || (x->flags | y->flags) & KT_F_MACRO ||
		!pair_same_bare_type(kt_type_of(p->u, x), kt_type_of(p->u, y))) {
		return false;
	}
	if (t->kind == KT_T_POINTER) {
		return is_lds_array(p, x) && is_lds_array(p, y);
	}
	return t->kind == KT_T_REFERENCE && p->u->type[t->elem].is_const &&
	       pair_fits_hole(kt_type_of(p->u, x)) && is_object(p, x) && is_object(p, y);
}

bool pair_can_be_hole(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place)
{
	return !place && can_hold(p, x) && can_hold(p, y) &&
	       (pair_same_bare_type(kt_type_of(p->u, x), kt_type_of(p->u, y)) ||
		       same_conversion(p, x, y));
}

size_t pair_typed(struct facts *f, const struct kt_node *const *expr, size_t arms)
{
	struct kt_unit *u = facts_unit(f);
	size_t typed = 0;
	for (size_t i = 1; i < arms; i++) {
		if (takes_over(kt_type_of(u, expr[i]), kt_type_of(u, expr[typed]))) {
			typed = i;
		}
	}
	return typed;
}

/* ---- trees ---- */

static bool same_symbol(struct pairing *p, kt_id x, kt_id y)
{
	kt_id to = (kt_id)map_get_u64(&p->to, x, 0);
	kt_id from = (kt_id)map_get_u64(&p->from, y, 0);
	if (to || from) {
		return to == y && from == x;
	}
	return x == y;
}

static bool same_text(const struct kt_node *x, const struct kt_node *y)
{
	if (!x->text || !y->text) {
		return x->text == y->text;
	}
	return strcmp(x->text, y->text) == 0;
}

bool pair_same_node(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const unsigned flags =
		KT_F_CONSTEXPR | KT_F_ARROW | KT_F_METHOD | KT_F_VOLATILE | KT_F_OPERATOR;
	if (x->kind != y->kind || x->op != y->op || x->n != y->n || !pair_same_callee(p, x, y) ||
		(x->flags & flags) != (y->flags & flags)) {
		return false;
	}
	if (x->kind == KT_LAMBDA) {
		return pair_same_lambda(p, x, y); /* each lambda has its own type */
	}
	if (!kt_same_type(p->u, x->type, y->type)) {
		return false;
	}
	switch (x->kind) {
	case KT_STMT_UNKNOWN:
	case KT_EXPR_UNKNOWN:
	case KT_GOTO:
	case KT_LABEL:
		return false;
	case KT_REF:
		return same_symbol(p, x->sym, y->sym);
	case KT_MEMBER:
		/* the element of a swizzle from a macro is unknown: the spelling decides */
		return x->sym == y->sym && same_text(x, y) &&
		       !(p->exact && !x->sym && x->text && !*x->text);
	case KT_LITERAL:
	case KT_SIZEOF:
		if ((x->flags & KT_F_VALUE) != (y->flags & KT_F_VALUE) ||
			(x->flags & KT_F_VALUE && x->value != y->value)) {
			return false;
		}
		return same_text(x, y);
	case KT_ASM:
		/* the children show everything, unless a macro makes the template */
		return kt_asm_template(x) || same_text(x, y);
	case KT_CALL:
	case KT_OPERAND:
		return same_text(x, y);
	default:
		return true;
	}
}

/* Two static or shared variables are different objects, so they are not bound. */
bool pair_bind(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_sym *a = &p->u->sym[x->sym];
	const struct kt_sym *b = &p->u->sym[y->sym];
	if (!x->sym || !y->sym || !kt_same_type(p->u, a->type, b->type) || a->is_static ||
		b->is_static || a->space != KT_PRIVATE || b->space != KT_PRIVATE ||
		a->kind != KT_S_LOCAL || b->kind != KT_S_LOCAL || map_get_u64(&p->to, x->sym, 0) ||
		map_get_u64(&p->from, y->sym, 0)) {
		return false;
	}
	map_set_u64(&p->to, x->sym, y->sym);
	map_set_u64(&p->from, y->sym, x->sym);
	return true;
}

/* ---- loops ---- */

bool pair_is_header(const struct kt_node *n, size_t slot)
{
	return n->kind == KT_FOR && (slot == KT_FOR_COND || slot == KT_FOR_INC);
}

/* The innermost node that contains both. */
static const struct kt_node *common_parent(const struct kt_node *x, const struct kt_node *y)
{
	while (x && !(x->file == y->file && x->begin <= y->begin && y->end <= x->end)) {
		x = x->parent;
	}
	return x;
}

/* Does the header name no variable of its own arm except the loop's? */
static bool names_outer_only(
	struct pairing *p, const struct kt_node *loop, kt_id var, const struct kt_node *both)
{
	const struct kt_node *part[] = {loop->child[KT_FOR_COND], loop->child[KT_FOR_INC]};
	for (size_t i = 0; i < 2; i++) {
		if (part[i]->flags & KT_F_MACRO) {
			return false;
		}
		for (const struct kt_node *n = part[i]; n; n = kt_next(n, part[i])) {
			const struct kt_sym *s = &p->u->sym[n->kind == KT_REF ? n->sym : 0];
			bool outer = n->sym == var || s->kind != KT_S_LOCAL ||
				     s->file != both->file || s->at < both->begin;
			if (n->kind == KT_REF && (!n->sym || !outer)) {
				return false;
			}
		}
	}
	return true;
}

bool pair_same_trips(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	struct counted_loop a, b;
	const struct kt_node *both = common_parent(x, y);
	/* comparisons from 0 on do not depend on the type of the bound */
	return loop_is_counted(&a, p->f, x) && loop_is_counted(&b, p->f, y) && both &&
	       (kt_id)map_get_u64(&p->to, a.var, 0) == b.var && a.first == b.first &&
	       a.last == b.last && a.first >= 0 && a.last <= INT32_MAX &&
	       kt_type_of(p->u, x->child[KT_FOR_COND]->child[0])->kind == KT_T_INT &&
	       kt_type_of(p->u, x->child[KT_FOR_COND]->child[1])->kind == KT_T_INT &&
	       kt_type_of(p->u, y->child[KT_FOR_COND]->child[1])->kind == KT_T_INT &&
	       x->child[KT_FOR_COND]->op != KT_OP_NE && y->child[KT_FOR_COND]->op != KT_OP_NE &&
	       names_outer_only(p, x, a.var, both);
}

bool pair_child_is_fixed(const struct kt_node *x, size_t slot)
{
	switch (x->kind) {
	case KT_IF:
		return slot == KT_IF_COND && x->flags & KT_F_CONSTEXPR;
	case KT_CASE:
		return slot != KT_CASE_STMT;
	case KT_OPERAND:
		return !asm_takes_value(x);
	default:
		return false;
	}
}

static bool has_word(struct pairing *p, const struct kt_node *n, const char *word)
{
	struct str t = p->u->file[n->file].text;
	lex_each (k, t, n->begin, n->end) {
		if (lex_is(t, k, word)) {
			return true;
		}
	}
	return false;
}

/* A constant that may be used as a constant expression (array bound, template argument) must stay
 * one. */
bool pair_breaks_constant(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	if (x->kind == KT_DECL) {
		return has_word(p, x, "constexpr") || has_word(p, y, "constexpr");
	}
	const struct kt_type *t = &p->u->type[x->type];
	bool integral = t->kind == KT_T_INT || t->kind == KT_T_BOOL;
	return x->kind == KT_VAR && t->is_const && integral && x->n && y->n &&
	       (kt_is_constant(x->child[0]) || kt_is_constant(y->child[0]));
}

bool pair_same_tree(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	/* an initializer may name its own variable: bind first */
	bool same = pair_same_node(p, x, y) && (x->kind != KT_VAR || pair_bind(p, x, y));
	for (size_t i = 0; same && i < x->n; i++) {
		const struct kt_node *a = x->child[i], *b = y->child[i];
		same = a && b ? pair_same_tree(p, a, b) : a == b;
	}
	return same;
}

bool pair_equal_in(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	for (const struct kt_node *n = x; n; n = kt_next(n, x)) {
		if (n->kind == KT_LAMBDA) {
			return false;
		}
	}
	p->exact = true;
	return pair_same_tree(p, x, y);
}

bool pair_equal(struct facts *f, const struct kt_node *x, const struct kt_node *y)
{
	struct pairing p = {.f = f, .u = facts_unit(f)};
	bool same = pair_equal_in(&p, x, y);
	pairing_release(&p);
	return same;
}
