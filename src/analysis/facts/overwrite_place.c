#include "analysis/facts/overwrite_place.h"

enum {
	CALLS_MAX = 4 /* of nested accessors */
};

static bool find(struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls);

struct part part_of_symbol(const struct facts *f, kt_id sym)
{
	const struct kt_unit *u = facts_unit(f);
	kt_id type = u->sym[sym].type;
	return (struct part){
		.root = sym, .type = kt_is_reference(u, sym) ? u->type[type].elem : type};
}

loc_id part_loc(const struct facts *f, const struct part *p)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_sym *s = &u->sym[p->root];
	bool names = kt_is_reference(u, p->root) ||
		     (s->kind == KT_S_PARAM && u->type[s->type].kind == KT_T_POINTER && p->n);
	return names ? LOC_DEREF(p->root) : LOC_VAR(p->root);
}

bool part_add(struct part *p, const struct facts *f, struct part_step step, kt_id type)
{
	const struct kt_unit *u = facts_unit(f);
	if (p->n == PART_STEPS_MAX || u->type[type].kind == KT_T_REFERENCE) {
		return false;
	}
	p->step[p->n++] = step;
	p->type = type;
	return true;
}

/* The declaration of a local that is in scope at n: its KT_VAR. */
static const struct kt_node *declaration(const struct kt_node *n, kt_id sym)
{
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		if (up->kind == KT_RANGE_FOR && up->child[KT_RANGE_VAR]->sym == sym) {
			return up->child[KT_RANGE_VAR];
		}
		for (size_t i = n->slot; up->kind == KT_COMPOUND && i-- > 0;) {
			const struct kt_node *d = up->child[i];
			for (size_t k = 0; d->kind == KT_DECL && k < d->n; k++) {
				if (d->child[k]->sym == sym) {
					return d->child[k];
				}
			}
		}
	}
	return NULL;
}

/* A reference to a base class covers only a part of its object. */
static bool has_size_of(const struct facts *f, const struct part *p, kt_id type)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_type *t = kt_object_type(u, type);
	return t->size > 0 && t->size == u->type[p->type].size;
}

/* The part that a local reference is bound to, for its lifetime. */
static bool bound(struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *var = declaration(n, n->sym);
	const struct kt_node *loop = var ? var->parent : NULL;
	if (loop && loop->kind == KT_RANGE_FOR) {
		const struct kt_node *range = loop->child[KT_RANGE_RANGE];
		const struct kt_type *t = kt_object_type(u, range->type);
		struct part_step step = {.kind = PART_COUNT, .sym = n->sym};
		return t->kind == KT_T_ARRAY && find(out, f, range, calls) &&
		       part_add(out, f, step, t->elem);
	}
	return var && var->n == 1 && find(out, f, var->child[0], calls) &&
	       has_size_of(f, out, var->type);
}

static bool named(struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	if (!n->sym || !kt_is_variable(u, n->sym)) {
		return false;
	}
	if (kt_is_reference(u, n->sym) && u->sym[n->sym].kind == KT_S_LOCAL) {
		return bound(out, f, n, calls);
	}
	*out = part_of_symbol(f, n->sym);
	return true;
}

static bool own_object(struct part *out, const struct facts *f, const struct kt_node *n)
{
	kt_id self = kt_this_of(facts_unit(f), facts_function_of(f, n));
	if (self) {
		*out = part_of_symbol(f, self);
	}
	return self != 0;
}

static bool member(struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *base = n->child[KT_MEMBER_BASE];
	bool own = !base || base->kind == KT_THIS;
	if (!own && n->flags & KT_F_ARROW) {
		return false;
	}
	if (!(own ? own_object(out, f, n) : find(out, f, base, calls))) {
		return false;
	}
	struct part_step step = {.kind = PART_FIELD, .sym = n->sym};
	if (!n->sym) { /* an element of a vector */
		step.kind = PART_OTHER;
		return part_add(out, f, step, n->type);
	}
	return u->sym[n->sym].kind == KT_S_FIELD &&
	       u->type[u->sym[n->sym].type].kind != KT_T_REFERENCE &&
	       part_add(out, f, step, u->sym[n->sym].type);
}

static struct part_step index_step(const struct facts *f, const struct kt_node *n)
{
	const struct kt_unit *u = facts_unit(f);
	n = kt_past_casts(n);
	if (n->flags & KT_F_VALUE) {
		return (struct part_step){.kind = PART_AT, .at = n->value};
	}
	bool value = n->kind == KT_REF && kt_is_variable(u, n->sym) && !kt_is_reference(u, n->sym);
	return value ? (struct part_step){.kind = PART_COUNT, .sym = n->sym}
		     : (struct part_step){.kind = PART_OTHER};
}

static bool element(
	struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *base = n->child[0];
	const struct kt_type *t = kt_object_type(u, base->type);
	if (t->kind == KT_T_POINTER) {
		/* a parameter: the array of the argument */
		if (base->kind != KT_REF || !base->sym || u->sym[base->sym].kind != KT_S_PARAM ||
			kt_is_reference(u, base->sym)) {
			return false;
		}
		*out = part_of_symbol(f, base->sym);
	} else if ((t->kind != KT_T_ARRAY && t->kind != KT_T_VECTOR) ||
		   !find(out, f, base, calls)) {
		return false;
	}
	return part_add(out, f, index_step(f, n->child[1]), t->elem);
}

static bool argument(struct part *out, const struct facts *f, const struct kt_node *call, size_t i,
	kt_id param, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *n = call->child[i];
	bool object = i == 0 && call->flags & KT_F_METHOD;
	bool found;
	if (object && (!n || n->kind == KT_THIS)) {
		found = own_object(out, f, call);
	} else if (!n || (object && kt_is_pointer(u, n))) {
		return false;
	} else if (u->type[u->sym[param].type].kind == KT_T_POINTER) {
		return kt_is_array(u, n) && find(out, f, n, calls);
	} else {
		found = kt_is_reference(u, param) && find(out, f, n, calls);
	}
	return found && has_size_of(f, out, u->sym[param].type);
}

bool part_of_argument(
	struct part *out, const struct facts *f, const struct kt_node *call, size_t i, kt_id param)
{
	return argument(out, f, call, i, param, 0);
}

size_t part_argument(const struct facts *f, const struct kt_node *call, kt_id param)
{
	const struct kt_fn *fn = &facts_unit(f)->fn[call->fn];
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	if (first && fn->self == param) {
		return 0;
	}
	for (size_t i = 0; i < fn->params && first + i < call->n; i++) {
		if (fn->param[i] == param) {
			return first + i;
		}
	}
	return SIZE_MAX;
}

/* A callee's step in the caller's terms: indices are values of the caller. */
static struct part_step step_at_call(
	const struct facts *f, const struct kt_node *call, struct part_step step)
{
	if (step.kind != PART_COUNT) {
		return step;
	}
	size_t by = part_argument(f, call, step.sym);
	bool value = by != SIZE_MAX && call->child[by] && !kt_is_reference(facts_unit(f), step.sym);
	return value ? index_step(f, call->child[by]) : (struct part_step){.kind = PART_OTHER};
}

/* The part that an accessor returns: operator[], at, row. */
static bool accessed(
	struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_fn *fn = n->fn && calls < CALLS_MAX ? &u->fn[n->fn] : NULL;
	const struct kt_node *ret = fn && fn->body && fn->body->n == 1 ? fn->body->child[0] : NULL;
	struct part in;
	if (!ret || ret->kind != KT_RETURN || ret->n != 1 ||
		u->type[fn->ret].kind != KT_T_REFERENCE ||
		!find(&in, f, ret->child[0], calls + 1) || !kt_is_reference(u, in.root)) {
		return false;
	}
	size_t of = part_argument(f, n, in.root);
	if (of == SIZE_MAX || !argument(out, f, n, of, in.root, calls + 1)) {
		return false;
	}
	for (size_t i = 0; i < in.n; i++) {
		if (!part_add(out, f, step_at_call(f, n, in.step[i]), in.type)) {
			return false;
		}
	}
	return has_size_of(f, out, fn->ret);
}

static bool find(struct part *out, const struct facts *f, const struct kt_node *n, unsigned calls)
{
	switch (n->kind) {
	case KT_REF:
		return named(out, f, n, calls);
	case KT_MEMBER:
		return member(out, f, n, calls);
	case KT_INDEX:
		return element(out, f, n, calls);
	case KT_UNARY:
		return n->op == KT_OP_DEREF && n->child[0]->kind == KT_THIS &&
		       own_object(out, f, n);
	case KT_CALL:
		return accessed(out, f, n, calls);
	default:
		return false;
	}
}

bool part_of(struct part *out, const struct facts *f, const struct kt_node *n)
{
	return find(out, f, n, 0);
}

bool part_of_pointee(struct part *out, const struct facts *f, const struct kt_node *n)
{
	n = kt_past_casts(n);
	if (n->kind == KT_UNARY && n->op == KT_OP_ADDR) {
		return part_of(out, f, n->child[0]);
	}
	return kt_is_array(facts_unit(f), n) && part_of(out, f, n);
}

struct part part_cut(const struct facts *f, const struct part *p, size_t n)
{
	const struct kt_unit *u = facts_unit(f);
	struct part out = part_of_symbol(f, p->root);
	for (size_t i = 0; i < n; i++) {
		const struct part_step *s = &p->step[i];
		kt_id type = s->kind == PART_FIELD ? u->sym[s->sym].type : u->type[out.type].elem;
		part_add(&out, f, *s, type);
	}
	return out;
}

/* Do two members of one record not overlap? */
static bool fields_are_apart(const struct facts *f, kt_id x, kt_id y)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_sym *a = &u->sym[x], *b = &u->sym[y];
	int64_t as = u->type[a->type].size, bs = u->type[b->type].size;
	return a->offset && b->offset && as > 0 && bs > 0 &&
	       (a->offset + as <= b->offset || b->offset + bs <= a->offset);
}

enum part_relation part_relation(const struct facts *f, const struct part *x, const struct part *y)
{
	bool certain = true;
	if (x->root != y->root) {
		return PART_UNKNOWN;
	}
	for (size_t i = 0; i < x->n && i < y->n; i++) {
		const struct part_step *a = &x->step[i], *b = &y->step[i];
		if (a->kind == PART_FIELD && b->kind == PART_FIELD) {
			if (a->sym != b->sym) {
				return fields_are_apart(f, a->sym, b->sym) ? PART_APART
									   : PART_UNKNOWN;
			}
		} else if (a->kind == PART_FIELD || b->kind == PART_FIELD) {
			return PART_UNKNOWN;
		} else if (a->kind == PART_AT && b->kind == PART_AT) {
			if (a->at != b->at) {
				return PART_APART;
			}
		} else {
			certain &=
				a->kind == PART_COUNT && b->kind == PART_COUNT && a->sym == b->sym;
		}
	}
	if (!certain) {
		return PART_UNKNOWN;
	}
	return x->n == y->n ? PART_SAME : y->n < x->n ? PART_HOLDS : PART_WITHIN;
}
