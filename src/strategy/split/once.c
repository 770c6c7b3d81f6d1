/*
 * Does the condition change at most once while the loop runs? A term that does not depend on the
 * loop's variable does not change. A comparison of a value that only grows with one that does not
 * grow changes once. Terms that all fall (true, then false), or all rise, do so together under &&
 * and ||; ! exchanges the two.
 *
 * The loop's variable only grows (or shrinks) when its only write is the increment by a constant,
 * and it cannot wrap around: a signed int of 32 bits or more may not by the rules of C++, an
 * unsigned one by the loop's bound. The same holds for values computed from it: signed overflow was
 * undefined before, since the condition is evaluated in the same iterations; for unsigned
 * arithmetic the range must be known.
 *
 * `k == e` falls if k is e at first or never, and rises if the loop ends after k == e. Both are
 * decided by differences of linear forms of the first value, e, and the loop's bound.
 */
#include <string.h>
#include "analysis/arms/match.h"
#include "strategy/split/once.h"

/* ---- linear forms, for == ---- */

struct linear {
	const struct kt_node *atom[8];
	wide factor[8];
	size_t n;
	wide constant;
	wide var; /* factor of the loop's variable */
	bool ok;
};

static void add_linear(struct once *o, struct linear *to, const struct kt_node *n, wide by);

static void add_atom(struct once *o, struct linear *to, const struct kt_node *n, wide by)
{
	for (size_t i = 0; i < to->n; i++) {
		if (pair_equal(o->s->f, to->atom[i], n)) {
			to->factor[i] += by;
			return;
		}
	}
	if (to->n == 8) {
		to->ok = false;
		return;
	}
	to->atom[to->n] = n;
	to->factor[to->n++] = by;
}

/* The initializer of a const variable whose operands nothing in the function writes, or NULL. */
static const struct kt_node *meaning(struct once *o, const struct kt_node *n)
{
	struct split *s = o->s;
	const struct kt_sym *sym = &s->u->sym[n->sym];
	const struct kt_node *body = s->u->fn[s->m->fn].body;
	const struct kt_node *init = NULL;
	if (sym->kind != KT_S_LOCAL || !s->u->type[sym->type].is_const) {
		return NULL;
	}
	for (const struct kt_node *v = body; v && !init; v = kt_next(v, body)) {
		init = v->kind == KT_VAR && v->sym == n->sym && v->n == 1 ? v->child[0] : NULL;
	}
	if (!init || strcmp(once_int_type(o, init->type).canon,
			     once_int_type(o, sym->type).canon) != 0) {
		return NULL;
	}
	struct fx all = facts_effects(s->f, body);
	for (const struct kt_node *r = init; r; r = kt_next(r, init)) {
		struct locset loc = {0};
		locset_add(&loc, s->p->a, LOC_VAR(r->sym));
		bool plain = r->kind == KT_LITERAL || r->kind == KT_BINARY ||
			     r->kind == KT_MEMBER || r->kind == KT_REF;
		const struct kt_sym *y = r->kind == KT_REF ? &s->u->sym[r->sym] : NULL;
		bool fixed = !y || s->u->type[y->type].is_const || y->kind == KT_S_CONST ||
			     (y->kind == KT_S_PARAM && s->u->type[y->type].kind != KT_T_REFERENCE &&
				     !facts_sets_alias(s->f, &all.writes, &loc));
		if (!plain || !fixed || r->flags & KT_F_ARROW) {
			return NULL;
		}
	}
	return init;
}

static void add_linear(struct once *o, struct linear *to, const struct kt_node *n, wide by)
{
	struct kt_type t = once_int_type(o, n->type);
	bool exact = t.size >= 4 && once_is_signed(&t) && !o->s->p->opts->wraps;
	bool small = n->value >= 0 && n->value <= INT32_MAX; /* equal in every type */
	if (n->flags & KT_F_VALUE && (exact || small)) {
		to->constant += n->value * by;
		return;
	}
	if (!exact) {
		to->ok = false;
		return;
	}
	if (kt_names(n, o->var)) {
		to->var += by;
		return;
	}
	const struct split_local *l = n->kind == KT_REF ? split_local_of(o->s, n->sym) : NULL;
	if (l) {
		add_linear(o, to, l->var->child[0], by);
		return;
	}
	if (n->kind == KT_BINARY && (n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
		add_linear(o, to, n->child[0], by);
		add_linear(o, to, n->child[1], n->op == KT_OP_ADD ? by : -by);
		return;
	}
	if (n->kind == KT_BINARY && n->op == KT_OP_MUL && once_constant(n->child[1])) {
		add_linear(o, to, n->child[0], by * once_constant(n->child[1]));
		return;
	}
	const struct kt_node *init = n->kind == KT_REF && n->sym ? meaning(o, n) : NULL;
	if (init) {
		add_linear(o, to, init, by);
	} else if (once_is_invariant(o, n)) {
		add_atom(o, to, n, by);
	} else {
		to->ok = false;
	}
}

/* Is the form a known number? */
static bool known(const struct linear *l, wide *value)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->factor[i]) {
			return false;
		}
	}
	*value = l->constant;
	return l->ok && !l->var;
}

/* The loop's condition as var OP bound, with var on the left. */
static const struct kt_node *bound_of(const struct once *o, enum kt_op *op)
{
	const struct kt_node *c = o->s->loop_cond;
	if (c->kind != KT_BINARY) {
		return NULL;
	}
	bool left = kt_names(c->child[0], o->var);
	bool right = kt_names(c->child[1], o->var);
	if (left == right) {
		return NULL;
	}
	enum kt_op turned = c->op == KT_OP_LT	? KT_OP_GT
			    : c->op == KT_OP_GT ? KT_OP_LT
			    : c->op == KT_OP_LE ? KT_OP_GE
			    : c->op == KT_OP_GE ? KT_OP_LE
						: c->op;
	*op = left ? c->op : turned;
	return c->child[left ? 1 : 0];
}

/* var == e, as var - e = 0 in form: does the loop end after it? */
static bool is_last(struct once *o, const struct linear *form)
{
	enum kt_op op;
	const struct kt_node *bound = bound_of(o, &op);
	if (!bound || !once_is_invariant(o, bound)) {
		return false;
	}
	/* e + step - bound = -(form - var) + step - bound */
	struct linear l = *form;
	l.var = 0;
	for (size_t i = 0; i < l.n; i++) {
		l.factor[i] = -l.factor[i];
	}
	l.constant = -l.constant + o->step;
	add_linear(o, &l, bound, -1);
	wide past;
	if (!known(&l, &past)) {
		return false;
	}
	switch (op) {
	case KT_OP_LT:
		return o->step > 0 && past >= 0;
	case KT_OP_LE:
		return o->step > 0 && past > 0;
	case KT_OP_GT:
		return o->step < 0 && past <= 0;
	case KT_OP_GE:
		return o->step < 0 && past < 0;
	case KT_OP_NE:
		return past == 0;
	default:
		return false;
	}
}

/* Is var at or past e from the first iteration on? */
static bool is_first(struct once *o, const struct linear *form)
{
	struct linear l = *form;
	wide start;
	if (!o->first) {
		return false;
	}
	l.var = 0;
	add_linear(o, &l, o->first, 1);
	return known(&l, &start) && (o->step > 0 ? start >= 0 : start <= 0);
}

static enum split_change equality(struct once *o, const struct kt_node *n)
{
	struct linear l = {.ok = true};
	add_linear(o, &l, n->child[0], 1);
	add_linear(o, &l, n->child[1], -1);
	if (l.ok && l.var == -1) {
		l.var = 1;
		l.constant = -l.constant;
		for (size_t i = 0; i < l.n; i++) {
			l.factor[i] = -l.factor[i];
		}
	}
	if (l.ok && l.var == 1) {
		bool first = is_first(o, &l);
		if (first || is_last(o, &l)) {
			return first == (n->op == KT_OP_EQ) ? SPLIT_FALLS : SPLIT_RISES;
		}
	}
	once_anyhow(o, "it may be equal in the middle of the loop");
	return SPLIT_UNKNOWN;
}

/* ---- the condition ---- */

static enum split_change comparison(struct once *o, const struct kt_node *n)
{
	struct kt_type x = once_int_type(o, n->child[0]->type);
	struct kt_type y = once_int_type(o, n->child[1]->type);
	if (!x.size || !y.size) {
		once_anyhow(o, "it compares something else than integers");
		return SPLIT_UNKNOWN;
	}
	/* the usual arithmetic conversions: the wider type; of equal ones the unsigned */
	struct kt_type small = {.canon = "int", .size = 4};
	struct kt_type t = x.size > y.size || (x.size == y.size && x.is_unsigned) ? x : y;
	t = t.size < 4 ? small : t;
	struct value l = once_convert(o, once_value(o, n->child[0]), &t);
	struct value r = once_convert(o, once_value(o, n->child[1]), &t);
	if (l.motion == ANYHOW || r.motion == ANYHOW) {
		return SPLIT_UNKNOWN;
	}
	enum motion m = once_both(l.motion, once_opposite(r.motion)); /* of l - r */
	bool less = n->op == KT_OP_LT || n->op == KT_OP_LE;
	switch (m) {
	case STILL:
		return SPLIT_NEVER;
	case GROWS:
		return less ? SPLIT_FALLS : SPLIT_RISES;
	case SHRINKS:
		return less ? SPLIT_RISES : SPLIT_FALLS;
	default:
		once_anyhow(o, "both of its sides move");
		return SPLIT_UNKNOWN;
	}
}

static enum split_change change_of(struct once *o, const struct kt_node *n)
{
	if (n->flags & KT_F_VALUE || once_is_invariant(o, n)) {
		return SPLIT_NEVER;
	}
	const struct split_local *l = n->kind == KT_REF ? split_local_of(o->s, n->sym) : NULL;
	if (l) {
		return change_of(o, l->var->child[0]);
	}
	bool expect = n->kind == KT_CALL && n->text && n->n == 2 &&
		      strcmp(n->text, "__builtin_expect") == 0 && n->child[1]->flags & KT_F_VALUE;
	if (expect) {
		return change_of(o, n->child[0]);
	}
	if (n->kind == KT_UNARY && n->op == KT_OP_LNOT) {
		enum split_change c = change_of(o, n->child[0]);
		return c == SPLIT_FALLS ? SPLIT_RISES : c == SPLIT_RISES ? SPLIT_FALLS : c;
	}
	if (n->kind == KT_BINARY && (n->op == KT_OP_LAND || n->op == KT_OP_LOR)) {
		enum split_change x = change_of(o, n->child[0]);
		enum split_change y = change_of(o, n->child[1]);
		if (x == SPLIT_NEVER || x == y) {
			return y;
		}
		if (y == SPLIT_NEVER) {
			return x;
		}
		once_anyhow(o, "one part of it falls while another rises");
		return SPLIT_UNKNOWN;
	}
	if (n->kind == KT_BINARY) {
		switch (n->op) {
		case KT_OP_LT:
		case KT_OP_LE:
		case KT_OP_GT:
		case KT_OP_GE:
			return comparison(o, n);
		case KT_OP_EQ:
		case KT_OP_NE:
			return equality(o, n);
		default:
			break;
		}
	}
	once_anyhow(o, "it is more than comparisons with the loop's variable");
	return SPLIT_UNKNOWN;
}

/* ---- the loop's variable ---- */

static bool constant_step(struct once *o, const struct kt_node *n, kt_id var, int64_t *step)
{
	bool unary = n->kind == KT_UNARY && kt_names(n->child[0], var);
	if (unary && (n->op == KT_OP_PREINC || n->op == KT_OP_POSTINC)) {
		*step = 1;
		return true;
	}
	if (unary && (n->op == KT_OP_PREDEC || n->op == KT_OP_POSTDEC)) {
		*step = -1;
		return true;
	}
	bool assign = n->kind == KT_ASSIGN && kt_names(n->child[0], var);
	if (!assign) {
		return false;
	}
	const struct kt_node *by = n->child[1];
	enum kt_op op = n->op;
	if (op == KT_OP_NONE && by->kind == KT_BINARY && kt_names(by->child[0], var)) {
		op = by->op;
		by = by->child[1];
	}
	/* computed in the variable's own type: a wider or unsigned one would be converted back */
	struct kt_type t = once_int_type(o, o->s->u->sym[var].type);
	struct kt_type b = once_int_type(o, by->type);
	bool own = b.size && b.size <= t.size && (once_is_signed(&b) || t.is_unsigned);
	int64_t c = own ? once_constant(by) : 0;
	*step = op == KT_OP_ADD ? c : op == KT_OP_SUB ? -c : 0;
	return *step != 0;
}

/* The variable that the increment steps by a constant: its only write in the loop. */
static bool find_step(struct once *o, const struct kt_node *inc)
{
	if (inc->kind == KT_BINARY && inc->op == KT_OP_COMMA) {
		return find_step(o, inc->child[0]) || find_step(o, inc->child[1]);
	}
	const struct kt_node *lhs = inc->n ? inc->child[0] : NULL;
	kt_id var = lhs && lhs->kind == KT_REF ? lhs->sym : 0;
	return var && once_moves(&(struct once){.s = o->s, .var = var}, o->s->cond) &&
	       constant_step(o, inc, var, &o->step) && (o->var = var) != 0;
}

/* No other write of the variable in the loop? */
static bool only_write(struct once *o, const struct kt_node *inc)
{
	struct split *s = o->s;
	const struct kt_node *parts[] = {s->body, s->loop_cond};
	struct locset var = {0};
	locset_add(&var, s->p->a, LOC_VAR(o->var));
	for (size_t i = 0; i < 2; i++) {
		struct fx fx = facts_effects(s->f, parts[i]);
		if (facts_sets_alias(s->f, &fx.writes, &var)) {
			return false;
		}
	}
	size_t writes = 0, count;
	struct event *ev = facts_events(s->f, inc, &count);
	for (size_t i = 0; i < count; i++) {
		writes += ev[i].kind != EVENT_READ &&
			  facts_may_alias(s->f, ev[i].loc, LOC_VAR(o->var));
	}
	return writes == 1;
}

/* The variable's range in the body; false if the increment may wrap around. */
static bool find_range(struct once *o)
{
	const struct kt_sym *sym = &o->s->u->sym[o->var];
	struct kt_type t = once_int_type(o, sym->type);
	bool plain = o->s->u->type[sym->type].kind == KT_T_INT && sym->space == KT_PRIVATE &&
		     (sym->kind == KT_S_LOCAL || sym->kind == KT_S_PARAM);
	if (!plain || t.size < 4) {
		return false;
	}
	struct range all = once_type_range(&t);
	o->range = all;
	bool start = o->first && o->first->flags & KT_F_VALUE;
	if (start && o->step > 0) {
		o->range.lo = o->first->value > all.lo ? o->first->value : all.lo;
	} else if (start) {
		o->range.hi = o->first->value < all.hi ? o->first->value : all.hi;
	}
	if (start && !once_is_within((struct range){o->first->value, o->first->value}, all)) {
		return false;
	}
	if (once_is_signed(&t)) {
		return !o->s->p->opts->wraps;
	}
	enum kt_op op;
	const struct kt_node *bound = bound_of(o, &op);
	struct kt_type b = bound ? once_int_type(o, bound->type) : (struct kt_type){0};
	/* compared in the variable's own type, or in a wider one */
	if (o->step < 0 || !bound || !b.size || (op != KT_OP_LT && op != KT_OP_LE) ||
		!once_is_invariant(o, bound)) {
		return false;
	}
	struct kt_type wider = b.size > t.size ? b : t;
	struct value v = once_convert(o, once_value(o, bound), &wider);
	wide hi = v.range.hi < 0 ? 0 : v.range.hi;
	hi -= op == KT_OP_LT;
	if (hi + o->step > all.hi) {
		return false;
	}
	o->range.hi = hi < all.hi ? hi : all.hi;
	return true;
}

/* The variable's initial value, or NULL. */
static const struct kt_node *first_value(const struct once *o)
{
	const struct kt_node *init = o->s->loop->child[KT_FOR_INIT];
	if (!init) {
		return NULL;
	}
	struct fx fx = facts_effects(o->s->f, init);
	bool assign = init->kind == KT_ASSIGN && init->op == KT_OP_NONE &&
		      kt_names(init->child[0], o->var);
	if (assign) {
		return fx.writes.n == 1 ? init->child[1] : NULL;
	}
	for (size_t i = 0; init->kind == KT_DECL && fx.writes.n == 0 && i < init->n; i++) {
		const struct kt_node *v = init->child[i];
		if (v->sym == o->var && v->n == 1) {
			return v->child[0];
		}
	}
	return NULL;
}

static bool find_variable(struct once *o)
{
	const struct kt_node *inc =
		o->s->loop->kind == KT_FOR ? o->s->loop->child[KT_FOR_INC] : NULL;
	if (!inc || !find_step(o, inc)) {
		/* the condition may still be loop-invariant */
		o->var = 0;
		return true;
	}
	o->first = first_value(o);
	return only_write(o, inc) && find_range(o);
}

enum split_change split_changes(struct split *s, const char **why)
{
	struct once o = {.s = s};
	if (!find_variable(&o)) {
		*why = "the loop's variable may wrap around, or is written elsewhere";
		return SPLIT_UNKNOWN;
	}
	enum split_change c = change_of(&o, s->cond);
	*why = o.why ? o.why : "it depends on something that changes";
	return c == SPLIT_NEVER ? SPLIT_FALLS : c;
}
