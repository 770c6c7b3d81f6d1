/*
 * Parameters of a split function and of its template: which ones the wide part gets from the call,
 * which from the narrow part, and which become variables.
 */
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/value.h"
#include "strategy/plan/layout.h"

enum {
	ADDRESS_WIDTH = 2 /* VGPRs per lane */
};

/* ---- parameters ---- */

/* The reads of a designator: indices and pointers, not the object itself. */
static void designator(struct fx *out, struct callee *c, const struct kt_node *k)
{
	switch (k->kind) {
	case KT_REF:
	case KT_THIS:
		return;
	case KT_MEMBER:
		if (k->n && k->child[0] && !(k->flags & KT_F_ARROW)) {
			designator(out, c, k->child[0]);
			return;
		}
		break;
	case KT_INDEX:
		if (kt_type_of(c->u, k->child[0])->kind != KT_T_POINTER) {
			designator(out, c, k->child[0]);
			k = k->child[1];
		}
		break;
	case KT_UNARY:
		k = k->op == KT_OP_DEREF && k->n ? k->child[0] : k;
		break;
	default:
		break;
	}
	if (k->kind == KT_MEMBER && k->n && k->child[0]) {
		k = k->child[0]; /* p->x: p is read */
	}
	facts_add_effects(out, c->f, c->p->a, k);
}

bool needs_same_tokens(struct str t, struct span x, struct span y)
{
	struct lex_token a = lex_next(t, x.begin), b = lex_next(t, y.begin);
	while (a.kind != LEX_END && a.begin < x.end && b.kind != LEX_END && b.begin < y.end) {
		if (!str_eq(str_sub(t, a.begin, a.end), str_sub(t, b.begin, b.end))) {
			return false;
		}
		a = lex_next(t, a.end);
		b = lex_next(t, b.end);
	}
	bool x_ends = a.kind == LEX_END || a.begin >= x.end;
	bool y_ends = b.kind == LEX_END || b.begin >= y.end;
	return x_ends && y_ends;
}

bool needs_names_arm_local(struct callee *c, struct span s)
{
	if (!c->arm_local) {
		ARRAY(kt_id) found = {0};
		for (kt_id id = 1; id < c->u->syms; id++) {
			if (callee_in_merge(c, id)) {
				array_push(&found, id);
			}
		}
		array_move(c->arm_local, c->arm_locals, c->p->a, &found);
	}
	for (size_t i = 0; i < c->arm_locals; i++) {
		if (callee_has_word(c->p->text, s, str_of(c->u->sym[c->arm_local[i]].name))) {
			return true;
		}
	}
	return false;
}

bool needs_same_after(struct callee *c, size_t leaf, const struct kt_node *k, bool place)
{
	struct fx fx = {0};
	const struct callee_leaf *l = &c->leaf[leaf];
	if (place) {
		designator(&fx, c, k);
	} else {
		fx = facts_effects(c->f, k);
	}
	return !fx_acts(&fx) && !((l->narrow.flags | l->after.flags) & FX_UNKNOWN && fx.reads.n) &&
	       !facts_sets_alias(c->f, &fx.reads, &l->narrow.writes) &&
	       !facts_sets_alias(c->f, &fx.reads, &l->after.writes);
}

static bool is_reference(const struct callee *c, size_t i)
{
	return kt_is_reference(c->u, c->u->fn[c->leaf[0].fn].param[i]);
}

/* May the wide call use the argument as written? */
static bool can_pass(struct needs *n, size_t i, const char **why)
{
	struct callee *c = n->c;
	bool place = is_reference(c, i);
	for (size_t k = 0; k < c->leaves; k++) {
		const struct kt_node *x = callee_argument(c, 0, i);
		const struct kt_node *y = callee_argument(c, k, i);
		kt_id param = c->u->fn[c->leaf[k].fn].param[i];
		bool written = locset_has(&n->narrow[k].writes, LOC_VAR(param));
		*why = "is changed by the narrow part";
		if (written && !place) {
			return false;
		}
		*why = "is not the same in all arms";
		if (!x != !y) {
			return false;
		}
		if (!y) {
			continue;
		}
		struct span at = c->leaf[k].text.arg[i];
		if (!pair_equal(c->f, x, y) ||
			!needs_same_tokens(c->p->text, c->leaf[0].text.arg[i], at)) {
			return false;
		}
		*why = "uses a variable of an arm";
		if (needs_names_arm_local(c, at)) {
			return false;
		}
		*why = "has a side effect, or another value after the arms";
		if (!needs_same_after(c, k, y, place)) {
			return false;
		}
	}
	return true;
}

/* Does parameter i refer to non-private memory in all arms? */
static bool all_shared(struct needs *n, size_t i)
{
	for (size_t k = 0; k < n->c->leaves; k++) {
		struct locset at = {0};
		const struct kt_node *arg = callee_argument(n->c, k, i);
		if (arg && kt_is_place(arg)) {
			facts_lvalue(&at, n->c->f, n->c->p->a, arg);
		}
		if (!needs_all_shared(n, k, &at)) {
			return false;
		}
	}
	return true;
}

static bool can_pass_on(struct needs *n, size_t i, struct callee_field *f, const char **why)
{
	struct callee *c = n->c;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_type *t = &c->u->type[c->u->sym[fn->param[i]].type];
	kt_id object = t->kind == KT_T_REFERENCE ? t->elem : c->u->sym[fn->param[i]].type;
	bool by_value = t->kind != KT_T_REFERENCE;
	*f = (struct callee_field){.name = c->u->sym[fn->param[i]].name,
		.is_const = by_value ? t->is_const : c->u->type[object].is_const,
		.dims = ""};
	bool copies =
		by_value || (c->u->type[object].is_const && needs_plain_type(&c->u->type[object]));
	for (size_t k = 0; k < c->leaves; k++) {
		kt_id param = c->u->fn[c->leaf[k].fn].param[i];
		struct locset at = {0};
		const struct kt_node *arg = callee_argument(c, k, i);
		if (!kt_same_type(c->u, c->u->sym[param].type, c->u->sym[fn->param[i]].type)) {
			*why = "has another type in another arm";
			return false;
		}
		locset_add(&at, c->p->a, LOC_DEREF(param));
		copies &= by_value || !facts_sets_alias(c->f, &at, &n->wide[k].writes);
		*why = "may point to a variable of an arm";
		if (needs_points_to_dead(n, k, param)) {
			return false;
		}
		at = (struct locset){0};
		if (arg && by_value) {
			facts_reach(&at, c->f, c->p->a, arg);
			if (needs_dies(c, &at, c->leaf[k].fn)) {
				return false;
			}
		}
	}
	/* for an object in memory, an address is narrower than a copy */
	bool narrow = by_value || kt_type_width(&c->u->type[object]) <= ADDRESS_WIDTH;
	if (copies && narrow) {
		return true;
	}
	f->pointer = !by_value && all_shared(n, i);
	*why = "refers to other objects in other arms";
	return copies || f->pointer;
}

bool needs_params(struct needs *n)
{
	struct callee *c = n->c;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	for (size_t i = 0; i < c->pattern.params; i++) {
		struct callee_param *q = &c->pattern.param[i];
		const char *why = NULL, *why_not_on = NULL;
		if (!needs_wide_uses(n, q->name)) {
			continue;
		}
		if (can_pass(n, i, &why)) {
			q->wide = true;
			continue;
		}
		struct callee_field f;
		kt_id type = c->u->sym[fn->param[i]].type;
		if (!can_pass_on(n, i, &f, &why_not_on)) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				arena_printf(c->p->a,
					"cannot be passed to the wide part: its argument %s, "
					"and it %s",
					why, why_not_on),
				q->name);
		}
		if (is_reference(c, i)) {
			type = c->u->type[type].elem;
		}
		if (!needs_field_type(n, &f, type, fn->param[i])) {
			return false;
		}
		f.width = f.pointer ? ADDRESS_WIDTH : f.width;
		q->passed = true;
		array_push(&n->fields, f);
	}
	return true;
}

bool needs_check_result(struct needs *n)
{
	struct callee *c = n->c;
	const struct kt_node *first = c->leaf[0].result;
	struct span at = callee_result_text(c, 0);
	for (size_t k = 0; k < c->leaves; k++) {
		const struct kt_node *r = c->leaf[k].result;
		struct span here = callee_result_text(c, k);
		bool same =
			!r == !first && (!r || (pair_equal(c->f, first, r) &&
						       needs_same_tokens(c->p->text, at, here) &&
						       !needs_names_arm_local(c, here) &&
						       needs_same_after(c, k, r, true)));
		if (!same) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"gives its result to another object in another arm",
				needs_text(n, c->pattern.name));
		}
	}
	return true;
}

/* ---- template parameters ---- */

static struct str instance_argument(struct str s, size_t i)
{
	size_t open = s.n && s.p[s.n - 1] == '>' ? str_find(s, "<", 0) : SIZE_MAX;
	int depth = 0;
	size_t from = open + 1, at = 0;
	for (size_t k = open; open != SIZE_MAX && k < s.n; k++) {
		depth += s.p[k] == '<' ? 1 : s.p[k] == '>' ? -1 : 0;
		bool end = depth == 0 || (depth == 1 && s.p[k] == ',');
		if (end && at++ == i) {
			return str_trim(str_sub(s, from, k));
		}
		from = end ? k + 1 : from;
	}
	return (struct str){0};
}

static bool same_param_types(const struct callee *c, size_t leaf)
{
	const struct kt_fn *x = &c->u->fn[c->leaf[0].fn];
	const struct kt_fn *y = &c->u->fn[c->leaf[leaf].fn];
	for (size_t i = 0; i < x->params && i < y->params; i++) {
		if (!kt_same_type(c->u, c->u->sym[x->param[i]].type, c->u->sym[y->param[i]].type)) {
			return false;
		}
	}
	return true;
}

bool callee_argument_differs(const struct callee *c, size_t i)
{
	const struct callee_leaf *x = &c->leaf[0];
	for (size_t k = 1; k < c->leaves; k++) {
		const struct callee_leaf *y = &c->leaf[k];
		struct str a = instance_argument(str_of(c->u->fn[x->fn].name), i);
		struct str b = instance_argument(str_of(c->u->fn[y->fn].name), i);
		bool named = !c->u->fn[x->fn].is_method && a.n && b.n && !str_is(a, "...");
		bool same =
			named ? str_eq(a, b)
			: i < x->text.targs && i < y->text.targs
				? needs_same_tokens(c->p->text, x->text.targ[i], y->text.targ[i])
				: i >= x->text.targs && i >= y->text.targs &&
					  same_param_types(c, k);
		if (x->fn != y->fn && !same) {
			return true;
		}
	}
	return false;
}

bool callee_class_argument_differs(const struct callee *c, size_t i)
{
	struct str first = instance_argument(callee_class_name(&c->u->fn[c->leaf[0].fn]), i);
	bool differs = false;
	for (size_t k = 1; k < c->leaves; k++) {
		struct str other =
			instance_argument(callee_class_name(&c->u->fn[c->leaf[k].fn]), i);
		differs |= !first.n || !str_eq(first, other);
	}
	return differs;
}

static bool depends_on(
	const struct callee *c, struct span type, const struct callee_tparam *q, size_t n)
{
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		any |= callee_has_word(c->p->text, type, q[i].name);
	}
	return any;
}

static bool need_flag(struct needs *n, struct callee_tparam *q)
{
	struct callee *c = n->c;
	if (q->is_type || q->type.end <= q->type.begin) {
		return needs_refuse(n, CALLEE_CONSTANT,
			"is a type that differs between the arms, and the wide part uses it",
			q->name);
	}
	if (callee_has_word(c->p->text, q->type, str_of("auto"))) {
		return needs_refuse(
			n, CALLEE_TYPE, "is a template parameter without a type", q->name);
	}
	if (depends_on(c, q->type, c->pattern.tparam, c->pattern.tparams) ||
		depends_on(c, q->type, c->pattern.of.tparam, c->pattern.of.tparams)) {
		return needs_refuse(n, CALLEE_TYPE,
			"has a type that depends on another template parameter", q->name);
	}
	for (size_t i = 0; i < c->pattern.params; i++) {
		const struct callee_param *p = &c->pattern.param[i];
		if (p->wide && callee_has_word(c->p->text, p->text, q->name)) {
			return needs_refuse(n, CALLEE_CONSTANT,
				"differs between the arms, and the type of a parameter uses it",
				q->name);
		}
	}
	struct str type = type_without_const(needs_text(n, q->type));
	array_push(&n->fields, (struct callee_field){
				       .name = arena_strndup(c->p->a, q->name.p, q->name.n),
				       .type = arena_strndup(c->p->a, type.p, type.n),
				       .dims = "",
				       .is_const = true,
				       .width = 1,
			       });
	q->passed = true;
	return true;
}

/* Passes a template parameter that differs as a value, if the wide part needs it. */
static bool need_tparam(struct needs *n, struct callee_tparam *q, bool *used)
{
	*used = needs_wide_uses(n, q->name);
	if (*used && q->differs && !need_flag(n, q)) {
		return false;
	}
	/* a macro may use its name where the tree shows only the value */
	bool hidden = !*used && q->name.n && needs_wide_has_macro(n) &&
		      layout_in_directive(plan_layout(n->c->p), q->name);
	*used |= hidden;
	return !(hidden && q->differs) ||
	       needs_refuse(n, CALLEE_CONSTANT, "differs between the arms, and a macro may name it",
		       q->name);
}

bool needs_tparams(struct needs *n)
{
	struct callee_pattern *p = &n->c->pattern;
	bool used;
	for (size_t i = 0; i < p->tparams; i++) {
		struct callee_tparam *q = &p->tparam[i];
		if (!need_tparam(n, q, &used)) {
			return false;
		}
		for (size_t k = 0; k < p->params && !q->differs; k++) {
			used |= p->param[k].wide && q->name.n &&
				callee_has_word(n->c->p->text, p->param[k].text, q->name);
		}
		q->wide = used && !q->differs;
	}
	for (size_t i = 0; i < p->of.tparams; i++) {
		if (!need_tparam(n, &p->of.tparam[i], &used)) {
			return false;
		}
	}
	return true;
}
