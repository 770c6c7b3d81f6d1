/* Faults in operators, conditions, declarations and names; calls are in sites_call.c. */
#include <string.h>

#include "verify/fault/planting.h"

static const char *becomes(const struct planting *p, const struct kt_node *n, const char *to)
{
	return arena_printf(p->a, "%s becomes %s", plant_shown(p, n), to);
}

static bool is_number(const struct planting *p, const struct kt_node *n)
{
	return plant_is_int(p, n) || plant_is_float(p, n);
}

static bool is_summable(const struct planting *p, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(p->u, n);
	return is_number(p, n) || (t->kind == KT_T_VECTOR && n->kind != KT_INIT_LIST);
}

/* ---- comparisons and conditions ---- */

static void off_by_one(struct planting *p, enum fault_kind kind, const struct kt_node *n, char sign)
{
	if (plant_is_int(p, n)) {
		plant(p, kind, n, "((", arena_printf(p->a, ") %c __unphi_fault(@))", sign),
			arena_printf(p->a, "%s is one %s", plant_shown(p, n),
				sign == '+' ? "more" : "less"));
	}
}

static void always(struct planting *p, const struct kt_node *n)
{
	plant(p, FAULT_CONDITION, n, "((", ") || __unphi_fault(@))", becomes(p, n, "'true'"));
}

static void never(struct planting *p, const struct kt_node *n)
{
	plant(p, FAULT_CONDITION, n, "((", ") && !__unphi_fault(@))", becomes(p, n, "'false'"));
}

static void sites_of_condition(struct planting *p, const struct kt_node *c)
{
	enum kt_type_kind kind = c ? kt_type_of(p->u, c)->kind : KT_T_OTHER;
	bool scalar =
		kind == KT_T_BOOL || kind == KT_T_INT || kind == KT_T_POINTER || kind == KT_T_FLOAT;
	if (!scalar || c->flags & KT_F_VALUE) { /* a constant: if constexpr, among others */
		return;
	}
	always(p, c);
	never(p, c);
}

static bool in_loop_condition(const struct kt_node *n)
{
	const struct kt_node *below = n;
	for (const struct kt_node *up = n->parent; up; below = up, up = up->parent) {
		if (kt_is_loop(up->kind)) {
			return below != kt_loop_body(up);
		}
		if (kt_is_stmt(up->kind)) {
			return false;
		}
	}
	return false;
}

static void sites_of_logic(struct planting *p, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n && !in_loop_condition(n); i++) {
		if (n->op == KT_OP_LAND) {
			always(p, n->child[i]);
		} else {
			never(p, n->child[i]);
		}
	}
}

/* ---- arithmetic ---- */

static void leave_out(struct planting *p, const struct kt_node *n, bool factor)
{
	if (is_summable(p, n)) {
		plant(p, FAULT_TERM, n, factor ? "__unphi_one(@, (" : "__unphi_drop(@, (", "))",
			becomes(p, n, factor ? "'1'" : "'0'"));
	}
}

/* a - b becomes b - a */
static void swap(struct planting *p, const struct kt_node *n)
{
	const char *a = plant_text(p, n->child[0]);
	const char *b = plant_text(p, n->child[1]);
	const char *op = kt_op_name(n->op);
	if (a && b && is_number(p, n->child[0]) && is_number(p, n->child[1])) {
		plant(p, FAULT_OPERAND, n,
			arena_printf(p->a, "(__unphi_fault(@) ? (%s) %s (%s) : ", b, op, a), ")",
			arena_printf(p->a, "the operands of %s are swapped", plant_shown(p, n)));
	}
}

static void other_sign(struct planting *p, const struct kt_node *n)
{
	if (plant_is_float(p, n)) {
		plant(p, FAULT_OPERAND, n, "__unphi_negative(@, (", "))",
			arena_printf(p->a, "the sign of %s is inverted", plant_shown(p, n)));
	}
}

/* a / b becomes a % b, and vice versa */
static void other_operator(struct planting *p, const struct kt_node *n)
{
	const char *a = plant_text(p, n->child[0]);
	const char *b = plant_text(p, n->child[1]);
	char op = n->op == KT_OP_DIV ? '%' : '/';
	if (a && b && plant_is_int(p, n)) {
		plant(p, FAULT_OPERAND, n,
			arena_printf(p->a, "(__unphi_fault(@) ? (%s) %c (%s) : ", a, op, b), ")",
			arena_printf(p->a, "%s uses '%c'", plant_shown(p, n), op));
	}
}

/* The quotient n, or the quotient that variable n is initialized with; or NULL. */
static const struct kt_node *quotient(const struct planting *p, const struct kt_node *n)
{
	const struct kt_node *body = p->fn->body, *found = n;
	for (const struct kt_node *v = body; n->kind == KT_REF && v; v = kt_next(v, body)) {
		found = v->kind == KT_VAR && v->sym == n->sym && v->n > 0 && v->child[0]
				? v->child[0]
				: found;
	}
	return found->kind == KT_BINARY && found->op == KT_OP_DIV ? found : NULL;
}

/* i / (n / m), one of m groups of neighbours, becomes i % m */
static void other_group(struct planting *p, const struct kt_node *n)
{
	const struct kt_node *by = quotient(p, n->child[1]);
	const char *i = plant_text(p, n->child[0]);
	const char *m = by ? plant_text(p, by->child[1]) : NULL;
	if (i && m && plant_is_int(p, n)) {
		plant(p, FAULT_OPERAND, n,
			arena_printf(p->a, "(__unphi_fault(@) ? (%s) %% (%s) : ", i, m), ")",
			arena_printf(p->a, "%s uses '%% %s'", plant_shown(p, n), m));
	}
}

/* a < b of floats becomes a <= b, and vice versa; for integers there are FAULT_BOUNDs. */
static void equal_too(struct planting *p, const struct kt_node *n)
{
	static const char *const other[] = {
		[KT_OP_LT] = "<=", [KT_OP_GT] = ">=", [KT_OP_LE] = "<", [KT_OP_GE] = ">"};
	const char *a = plant_text(p, n->child[0]);
	const char *b = plant_text(p, n->child[1]);
	if (a && b && plant_is_float(p, n->child[0]) && plant_is_float(p, n->child[1])) {
		plant(p, FAULT_BOUND, n,
			arena_printf(
				p->a, "(__unphi_fault(@) ? (%s) %s (%s) : ", a, other[n->op], b),
			")", arena_printf(p->a, "%s uses '%s'", plant_shown(p, n), other[n->op]));
	}
}

static void sites_of_binary(struct planting *p, const struct kt_node *n)
{
	const struct kt_node *a = n->child[0], *b = n->child[1];
	switch (n->op) {
	case KT_OP_ADD:
		leave_out(p, a, false);
		leave_out(p, b, false);
		other_sign(p, b);
		break;
	case KT_OP_SUB:
		leave_out(p, b, false);
		swap(p, n);
		break;
	case KT_OP_MUL:
		leave_out(p, a, true);
		leave_out(p, b, true);
		break;
	case KT_OP_DIV:
		leave_out(p, b, true);
		if (plant_is_float(p, n)) {
			swap(p, n);
		}
		other_operator(p, n);
		other_group(p, n);
		break;
	case KT_OP_REM:
		other_operator(p, n);
		off_by_one(p, FAULT_OPERAND, b, '+');
		break;
	case KT_OP_AND:
	case KT_OP_SHL:
	case KT_OP_SHR:
		off_by_one(p, FAULT_OPERAND, b, '+');
		break;
	case KT_OP_LT:
	case KT_OP_GT:
	case KT_OP_LE:
	case KT_OP_GE:
		off_by_one(p, FAULT_BOUND, b, '+');
		off_by_one(p, FAULT_BOUND, b, '-');
		equal_too(p, n);
		break;
	case KT_OP_LAND:
	case KT_OP_LOR:
		sites_of_logic(p, n);
		break;
	default:
		break;
	}
}

static void sites_of_assignment(struct planting *p, const struct kt_node *n)
{
	const struct kt_node *to = n->child[0], *from = n->child[1];
	const char *name = to->kind == KT_REF ? plant_text(p, to) : NULL;
	if (n->op == KT_OP_ADD && in_loop_condition(n) && plant_is_int(p, from)) {
		plant(p, FAULT_OPERAND, from, "((", ") * (1 + (int)__unphi_fault(@)))",
			arena_printf(p->a, "the step %s is doubled", plant_shown(p, from)));
	} else if (n->op == KT_OP_ADD || n->op == KT_OP_SUB) {
		leave_out(p, from, false);
	} else if (n->op == KT_OP_MUL || n->op == KT_OP_DIV) {
		leave_out(p, from, true);
	} else if (n->op == KT_OP_NONE && name && is_summable(p, to) && is_summable(p, from) &&
		   !in_loop_condition(n)) {
		plant(p, FAULT_ASSIGNMENT, from,
			arena_printf(p->a, "(__unphi_fault(@) ? %s : (", name), "))",
			arena_printf(p->a, "'%s' keeps its value", name));
	}
}

static void sites_of_unary(struct planting *p, const struct kt_node *n)
{
	const char *text = n->op == KT_OP_NEG ? plant_text(p, n->child[0]) : NULL;
	if (text && is_number(p, n)) {
		plant(p, FAULT_OPERAND, n, arena_printf(p->a, "(__unphi_fault(@) ? (%s) : ", text),
			")", arena_printf(p->a, "%s loses its sign", plant_shown(p, n)));
	}
}

/* ---- declarations and names ---- */

/* A builtin scalar that a cast can name, or NULL. */
static const char *scalar_name(const struct planting *p, kt_id type)
{
	static const char *const known[] = {
		"float", "double", "_Float16", "int", "unsigned int", "short", "long"};
	struct str name = kt_type_bare(&p->u->type[type], true);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(name, known[i])) {
			return known[i];
		}
	}
	return NULL;
}

static void sites_of_start(struct planting *p, const struct kt_node *var)
{
	const struct kt_node *init = var->n > 0 ? var->child[0] : NULL;
	const struct kt_type *t = kt_type_of(p->u, var);
	if (!init || t->is_const || p->u->sym[var->sym].is_static) {
		return;
	}
	const char *name = p->u->sym[var->sym].name;
	const struct kt_node *first =
		init->kind == KT_INIT_LIST && init->n > 0 ? init->child[0] : NULL;
	const char *scalar = first && t->kind == KT_T_VECTOR ? scalar_name(p, t->elem) : NULL;
	if (first && scalar && is_number(p, first)) {
		plant(p, FAULT_START, first, arena_printf(p->a, "(%s)__unphi_other(@, (", scalar),
			"))", arena_printf(p->a, "'%s' begins with another value", name));
	} else if (is_number(p, init)) {
		plant(p, FAULT_START, init, "__unphi_other(@, (", "))",
			arena_printf(p->a, "'%s' begins with another value", name));
	}
}

static bool is_value_of(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up && (up->kind == KT_BINARY || (up->kind == KT_INDEX && up->child[1] == n));
}

static void put_other(struct planting *p, const struct kt_node *n, const char *other)
{
	plant(p, FAULT_STRIDE, n, arena_printf(p->a, "(__unphi_fault(@) ? %s : ", other), ")",
		becomes(p, n, arena_printf(p->a, "'%s'", other)));
}

/* A parameter is replaced by the next one of its type. */
static void sites_of_name(struct planting *p, const struct kt_node *n)
{
	const struct kt_fn *f = p->fn;
	size_t own = f->params;
	for (size_t i = 0; i < f->params; i++) {
		own = f->param[i] == n->sym ? i : own;
	}
	if (own == f->params || !plant_is_int(p, n) || !is_value_of(n)) {
		return;
	}
	struct str type = kt_type_bare(kt_object_type(p->u, p->u->sym[n->sym].type), true);
	for (size_t k = 1; k < f->params; k++) {
		const struct kt_sym *s = &p->u->sym[f->param[(own + k) % f->params]];
		if (s->name[0] && str_eq(kt_type_bare(kt_object_type(p->u, s->type), true), type)) {
			put_other(p, n, s->name);
			return;
		}
	}
}

/* A record's member is replaced by the next one of its type. */
static void sites_of_member(struct planting *p, const struct kt_node *n)
{
	const struct kt_node *base = n->n > 0 ? n->child[KT_MEMBER_BASE] : NULL;
	const char *text = base && base->kind == KT_REF ? plant_text(p, base) : NULL;
	const struct kt_type *t = base ? kt_object_type(p->u, base->type) : NULL;
	bool arrow = n->flags & KT_F_ARROW;
	t = t && arrow && t->kind == KT_T_POINTER ? &p->u->type[t->elem] : t;
	if (!text || !n->text || !plant_is_int(p, n) || !is_value_of(n)) {
		return;
	}
	size_t own = 0;
	while (own < t->fields && strcmp(t->field[own].name, n->text) != 0) {
		own++;
	}
	for (size_t k = 1; own < t->fields && k < t->fields; k++) {
		const struct kt_field *f = &t->field[(own + k) % t->fields];
		if (str_eq(kt_type_bare(&p->u->type[f->type], true),
			    kt_type_bare(&p->u->type[t->field[own].type], true))) {
			put_other(p, n,
				arena_printf(p->a, "%s%s%s", text, arrow ? "->" : ".", f->name));
			return;
		}
	}
}

void sites_of(struct planting *p, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_IF:
		sites_of_condition(p, n->child[KT_IF_VAR] ? NULL : n->child[KT_IF_COND]);
		break;
	case KT_COND:
		sites_of_condition(p, n->child[KT_COND_THEN] ? n->child[KT_COND_COND] : NULL);
		break;
	case KT_BINARY:
		sites_of_binary(p, n);
		break;
	case KT_ASSIGN:
		sites_of_assignment(p, n);
		break;
	case KT_UNARY:
		sites_of_unary(p, n);
		break;
	case KT_INDEX:
		off_by_one(p, FAULT_INDEX, n->child[1], '+');
		break;
	case KT_VAR:
		sites_of_start(p, n);
		break;
	case KT_REF:
		sites_of_name(p, n);
		break;
	case KT_MEMBER:
		sites_of_member(p, n);
		break;
	case KT_CALL:
		sites_of_call(p, n);
		break;
	default:
		break;
	}
}
