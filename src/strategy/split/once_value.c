/* The values of integer expressions in one run of a loop: their range, and whether they grow. */
#include "strategy/split/once.h"

bool once_is_signed(const struct kt_type *t)
{
	static const char *const word[] = {
		"int", "long", "short", "signed char", "long long", NULL};
	return str_is_any(str_of(t->canon), word);
}

/* The type without const. */
static struct kt_type bare(struct once *o, const struct kt_type *t)
{
	struct kt_type r = *t;
	r.canon = kt_type_bare_name(o->s->p->a, t, true);
	return r;
}

struct kt_type once_int_type(struct once *o, kt_id id)
{
	const struct kt_type *t = kt_object_type(o->s->u, id);
	struct kt_type r = bare(o, t);
	bool known = t->kind == KT_T_INT && (once_is_signed(&r) || r.is_unsigned) && t->size >= 1 &&
		     t->size <= 8;
	if (!known) {
		r.size = 0;
	}
	return r;
}

struct range once_type_range(const struct kt_type *t)
{
	unsigned bits = (unsigned)t->size * 8;
	if (once_is_signed(t)) {
		wide top = (wide)1 << (bits - 1);
		return (struct range){-top, top - 1};
	}
	return (struct range){0, ((wide)1 << bits) - 1};
}

bool once_is_within(struct range x, struct range y)
{
	return x.lo >= y.lo && x.hi <= y.hi;
}

struct value once_anyhow(struct once *o, const char *why)
{
	o->why = o->why ? o->why : why;
	return (struct value){ANYHOW, {0, 0}};
}

/* A mathematical value in a type: signed arithmetic is assumed not to overflow, unsigned must be
 * shown not to wrap. */
static struct value fit(struct once *o, struct value v, const struct kt_type *t)
{
	struct range all = once_type_range(t);
	if (once_is_within(v.range, all)) {
		return v;
	}
	if (v.motion == STILL) {
		v.range = all; /* unknown, but constant in the loop */
		return v;
	}
	if (once_is_signed(t) && t->size >= 4 && !o->s->p->opts->wraps) {
		v.range.lo = v.range.lo > all.lo ? v.range.lo : all.lo;
		v.range.hi = v.range.hi < all.hi ? v.range.hi : all.hi;
		return v;
	}
	return once_anyhow(o, "its arithmetic may wrap around");
}

struct value once_convert(struct once *o, struct value v, const struct kt_type *t)
{
	if (v.motion == ANYHOW || once_is_within(v.range, once_type_range(t))) {
		return v;
	}
	if (v.motion == STILL) {
		v.range = once_type_range(t);
		return v;
	}
	return once_anyhow(o, "a conversion in it may wrap around");
}

static bool written_in_loop(struct once *o, const struct kt_node *n)
{
	struct split *s = o->s;
	struct fx fx = facts_effects(s->f, n);
	for (uint32_t i = 0; i < fx.reads.n; i++) {
		loc_id loc = fx.reads.v[i];
		bool fixed =
			LOC_IS_VAR(loc) && (s->u->sym[LOC_SYM(loc)].kind == KT_S_CONST ||
						   s->u->sym[LOC_SYM(loc)].space == KT_CONSTANT);
		bool constant =
			LOC_IS_VAR(loc) && s->u->type[s->u->sym[LOC_SYM(loc)].type].is_const;
		if (!fixed && !constant && !facts_is_private(s->f, loc)) {
			return true; /* memory: other lanes may write it */
		}
	}
	struct fx all = s->all;
	all.flags = 0;
	return facts_sets_alias(s->f, &all.writes, &fx.reads) || fx.flags;
}

bool once_moves(struct once *o, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		if (n->kind != KT_REF || !n->sym) {
			continue;
		}
		const struct split_local *l = split_local_of(o->s, n->sym);
		if (n->sym == o->var || (l && once_moves(o, l->var->child[0]))) {
			return true;
		}
	}
	return false;
}

bool once_is_invariant(struct once *o, const struct kt_node *e)
{
	if (once_moves(o, e) || written_in_loop(o, e)) {
		return false;
	}
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		const struct split_local *l =
			n->kind == KT_REF && n->sym ? split_local_of(o->s, n->sym) : NULL;
		if (l && !once_is_invariant(o, l->var->child[0])) {
			return false;
		}
	}
	return true;
}

enum motion once_opposite(enum motion m)
{
	return m == GROWS ? SHRINKS : m == SHRINKS ? GROWS : m;
}

enum motion once_both(enum motion x, enum motion y)
{
	return x == STILL ? y : y == STILL || x == y ? x : ANYHOW;
}

static struct value negative(struct value v)
{
	return (struct value){once_opposite(v.motion), {-v.range.hi, -v.range.lo}};
}

static struct value sum(struct once *o, struct value x, struct value y)
{
	struct value r = {
		once_both(x.motion, y.motion), {x.range.lo + y.range.lo, x.range.hi + y.range.hi}};
	return r.motion == ANYHOW ? once_anyhow(o, "one part of it grows while another shrinks")
				  : r;
}

int64_t once_constant(const struct kt_node *n)
{
	bool small = n->flags & KT_F_VALUE && n->value > -(1 << 30) && n->value < 1 << 30;
	return small ? n->value : 0;
}

static struct value times(struct value v, int64_t by)
{
	struct value r = {v.motion, {v.range.lo * by, v.range.hi * by}};
	if (by < 0) {
		r = (struct value){once_opposite(v.motion), {v.range.hi * by, v.range.lo * by}};
	}
	return r;
}

static struct value calculate(struct once *o, const struct kt_node *n, const struct kt_type *t)
{
	struct value x = once_convert(o, once_value(o, n->child[0]), t);
	struct value y = once_convert(o, once_value(o, n->child[1]), t);
	if (x.motion == ANYHOW || y.motion == ANYHOW) {
		return once_anyhow(o, "it depends on something that changes");
	}
	int64_t by = once_constant(n->child[1]);
	switch (n->op) {
	case KT_OP_ADD:
		return sum(o, x, y);
	case KT_OP_SUB:
		return sum(o, x, negative(y));
	case KT_OP_MUL:
		if (by) {
			return times(x, by);
		}
		by = once_constant(n->child[0]);
		return by ? times(y, by) : once_anyhow(o, "the sign of a factor is not known");
	case KT_OP_DIV:
		return by > 0 ? (struct value){x.motion, {x.range.lo / by, x.range.hi / by}}
			      : once_anyhow(o, "the sign of a divisor is not known");
	case KT_OP_SHR:
		return by > 0 && by < 64
			       ? (struct value){x.motion, {x.range.lo >> by, x.range.hi >> by}}
			       : once_anyhow(o, "the shift is not known");
	case KT_OP_SHL:
		/* in C++20 an overflowing shift is defined */
		return by > 0 && by < 31 ? once_convert(o, times(x, (int64_t)1 << by), t)
					 : once_anyhow(o, "the shift is not known");
	default:
		return once_anyhow(o, "it is more than sums, products and comparisons");
	}
}

struct value once_value(struct once *o, const struct kt_node *n)
{
	struct kt_type t = once_int_type(o, n->type);
	if (!t.size) {
		return once_anyhow(o, "it compares something else than integers");
	}
	if (n->flags & KT_F_VALUE) {
		return once_convert(o, (struct value){STILL, {n->value, n->value}}, &t);
	}
	if (once_is_invariant(o, n)) {
		return (struct value){STILL, once_type_range(&t)};
	}
	const struct split_local *l = n->kind == KT_REF ? split_local_of(o->s, n->sym) : NULL;
	if (l) {
		return once_value(o, l->var->child[0]);
	}
	if (kt_names(n, o->var)) {
		return (struct value){o->step > 0 ? GROWS : SHRINKS, o->range};
	}
	if (n->kind == KT_BINARY) {
		struct value v = calculate(o, n, &t);
		return v.motion == ANYHOW ? v : fit(o, v, &t);
	}
	if (n->kind == KT_UNARY && n->op == KT_OP_NEG) {
		struct value v = negative(once_convert(o, once_value(o, n->child[0]), &t));
		return v.motion == ANYHOW ? v : fit(o, v, &t);
	}
	if (n->kind == KT_CAST && n->n == 1) {
		return once_convert(o, once_value(o, n->child[0]), &t);
	}
	return once_anyhow(o, "it depends on something that changes");
}
