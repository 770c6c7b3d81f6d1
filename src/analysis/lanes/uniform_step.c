/*
 * Loops with the same number of iterations in all lanes: for (int t = a + lane; t < b + lane; t +=
 * c) with uniform a, b and c. Its condition is uniform although t is not.
 *
 * Common terms of the start value and the bound cancel: variables that are written only in their
 * declaration. Only sums of signed types are split, because these must not overflow.
 */
#include <string.h>
#include "analysis/facts/launch.h"
#include "analysis/lanes/uniform_walk.h"

enum {
	TERMS = 16, /* of a sum; a longer one is unknown */
	DEPTH = 8   /* of chains of variables with sums */
};

struct term {
	const struct kt_node *node;
	kt_id sym; /* a variable that keeps its value, or 0 */
	bool minus;
	bool gone;
};

struct sum {
	struct term term[TERMS];
	size_t n;
	bool full;
};

static bool is_signed(const struct walk *w, const struct kt_node *n, const struct kt_type *as)
{
	const struct kt_type *t = kt_object_type(w->u->unit, n->type);
	return t->kind == KT_T_INT && !t->is_unsigned && !t->is_volatile && t->size == as->size;
}

static void add_terms(const struct walk *w, struct sum *out, const struct kt_node *n,
	const struct kt_type *as, bool minus, unsigned depth)
{
	if (n->flags & KT_F_VALUE) {
		return;
	}
	const struct slot *s = uniform_kept(w, n);
	bool same = is_signed(w, n, as);
	if (same && n->kind == KT_BINARY && n->n == 2 &&
		(n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
		add_terms(w, out, n->child[0], as, minus, depth);
		add_terms(w, out, n->child[1], as, minus != (n->op == KT_OP_SUB), depth);
		return;
	}
	if (same && s && s->init && depth < DEPTH && is_signed(w, s->init, as) &&
		(s->init->kind == KT_BINARY || s->init->kind == KT_REF)) {
		add_terms(w, out, s->init, as, minus, depth + 1);
		return;
	}
	if (out->n == TERMS) {
		out->full = true;
		return;
	}
	out->term[out->n++] = (struct term){.node = n, .sym = s ? n->sym : 0, .minus = minus};
}

bool uniform_is_product(const struct walk *w, const struct kt_node *n)
{
	const struct kt_unit *u = w->u->unit;
	bool call = n->kind == KT_CALL && n->fn && u->fn[n->fn].in_system_header &&
		    strcmp(u->fn[n->fn].base, "operator*") == 0;
	return n->n == 2 && (call || (n->kind == KT_BINARY && n->op == KT_OP_MUL));
}

bool uniform_is_plain(const struct walk *w, const struct kt_node *n)
{
	if (n->flags & KT_F_VALUE) {
		return true;
	}
	struct launch_value place = launch_value(w->u->facts, n);
	if (intrinsic_is_index(place.form) && place.dimension) {
		return !uniform_is_number(w->u, place.form);
	}
	const struct kt_unit *u = w->u->unit;
	const struct kt_type *t = kt_object_type(u, n->type);
	if (t->kind != KT_T_INT || t->is_volatile) {
		return false;
	}
	if (uniform_is_product(w, n)) {
		return uniform_is_plain(w, n->child[0]) && uniform_is_plain(w, n->child[1]);
	}
	switch (n->kind) {
	case KT_REF:
		return kt_is_variable(u, n->sym) && u->sym[n->sym].fn == w->fn &&
		       !kt_is_reference(u, n->sym) && !w->u->slot[n->sym].exposed &&
		       !(w->u->slot[n->sym].bits & BIT_LANE);
	case KT_BINARY:
		return n->n == 2 && n->op != KT_OP_OTHER && n->op != KT_OP_COMMA &&
		       uniform_is_plain(w, n->child[0]) && uniform_is_plain(w, n->child[1]);
	case KT_UNARY:
		return n->op >= KT_OP_NEG && n->op <= KT_OP_LNOT &&
		       uniform_is_plain(w, n->child[0]);
	case KT_CAST:
		return n->n == 1 && uniform_is_plain(w, n->child[0]);
	default:
		return false;
	}
}

static bool is_even(const struct walk *w, struct sum *a, struct sum *b)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n && a->term[i].sym && !a->term[i].gone; k++) {
			struct term *x = &a->term[i], *y = &b->term[k];
			x->gone = y->sym == x->sym && y->minus == x->minus && !y->gone;
			y->gone |= x->gone;
		}
	}
	bool even = !a->full && !b->full;
	struct sum *const both[] = {a, b};
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < both[s]->n && even; i++) {
			even = both[s]->term[i].gone || uniform_is_plain(w, both[s]->term[i].node);
		}
	}
	return even;
}

bool uniform_steps(const struct walk *w, const struct kt_node *loop, kt_id var)
{
	const struct kt_node *inc = loop->child[KT_FOR_INC];
	bool one = inc && inc->kind == KT_UNARY &&
		   (inc->op == KT_OP_PREINC || inc->op == KT_OP_POSTINC ||
			   inc->op == KT_OP_PREDEC || inc->op == KT_OP_POSTDEC);
	bool more = inc && inc->kind == KT_ASSIGN && inc->n == 2 &&
		    (inc->op == KT_OP_ADD || inc->op == KT_OP_SUB) &&
		    uniform_is_plain(w, inc->child[1]);
	struct facts *f = w->u->facts;
	struct fx body = facts_effects(f, loop->child[KT_FOR_BODY]);
	struct fx cond = facts_effects(f, loop->child[KT_FOR_COND]);
	return (one || more) && kt_names(inc->child[0], var) && !w->u->slot[var].exposed &&
	       !locset_has(&body.writes, LOC_VAR(var)) && !locset_has(&cond.writes, LOC_VAR(var));
}

bool uniform_is_in_step(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *loop = n->parent;
	bool cond = loop && loop->kind == KT_FOR && loop->child[KT_FOR_COND] == n && n->n == 2 &&
		    (n->op == KT_OP_LT || n->op == KT_OP_LE || n->op == KT_OP_GT ||
			    n->op == KT_OP_GE || n->op == KT_OP_NE);
	const struct kt_node *init = cond ? loop->child[KT_FOR_INIT] : NULL;
	const struct kt_node *v =
		init && init->kind == KT_DECL && init->n == 1 ? init->child[0] : NULL;
	if (w->opaque || w->u->unit->wraps || !v || v->kind != KT_VAR || v->n != 1 ||
		!kt_names(n->child[0], v->sym)) {
		return false;
	}
	const struct kt_type *as = &w->u->unit->type[w->u->unit->sym[v->sym].type];
	if (as->kind != KT_T_INT || as->is_unsigned || as->is_volatile || as->size < 4 ||
		!uniform_steps(w, loop, v->sym)) {
		return false;
	}
	struct sum first = {.n = 0}, last = {.n = 0};
	add_terms(w, &first, v->child[0], as, false, 0);
	add_terms(w, &last, n->child[1], as, false, 0);
	return is_even(w, &first, &last);
}
