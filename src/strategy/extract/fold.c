/*
 * Products that the compiler may compute itself in an instance, and not in the function that takes
 * the template arguments as variables. There it may join the multiply with an add of its result,
 * which rounds once where the instance rounds twice:
 *
 *   const float s = N;                   N = 3: s * 0.1f is 0.3f, rounded, and then added
 *   y = s * 0.1f + x;                    n:     fma(n, 0.1f, x)
 *
 * A number may be known if some value that it may have is: from a literal, through variables,
 * members, arguments, results and arithmetic, also of a loop that is unrolled. It varies if it
 * depends on a constant that has other values in other instances, or on a branch, or an iteration
 * of a loop, that such a constant may decide. Both are asked of variables as a whole, over the
 * functions that the merge's function calls and that lead to it; the order of statements is
 * ignored. A product of known numbers of which one varies, and that is added, is refused, unless it
 * is exact for all of them: then both forms round alike.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/arms/contract.h"
#include "analysis/pair/pair.h"
#include "base/map.h"
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"

enum {
	VALUES_MAX = 6,
	SMALL_EXPONENT = 8, /* a number times a power of two stays one that is not rounded */
	WIDE_EXPONENT = 30  /* the same of an integer */
};

/* What a number may be when it is known. */
struct known {
	bool is;	/* it may be known */
	bool varies;	/* valid if it is not known, too */
	bool any;	/* and be a value that is not listed */
	bool fractions; /* which may be no integer */
	bool place;	/* a pointer may lead to an object of these functions, not just to memory */
	size_t n;
	double value[VALUES_MAX];
};

struct fold {
	struct callee *c;
	struct kt_unit *u;
	bool *in; /* per function: it is looked at */
	kt_id *fn;
	size_t fns;
	struct known *sym; /* per symbol */
	struct known *ret; /* per function */
	struct map first;  /* per place of constants: a hash of an instance's values */
	struct map varied; /* places that have several */
	bool grew;
};

/* ---- sets of values ---- */

static void add_value(struct known *to, double value)
{
	bool has = false;
	to->is = true;
	for (size_t i = 0; i < to->n; i++) {
		has |= to->value[i] == value;
	}
	if (!has && to->n < VALUES_MAX) {
		to->value[to->n++] = value;
	} else if (!has) {
		to->any = true;
		to->fractions |= value != floor(value);
	}
}

static struct known one_value(double value)
{
	struct known k = {0};
	add_value(&k, value);
	return k;
}

static struct known unlisted(bool fractions)
{
	return (struct known){.is = true, .any = true, .fractions = fractions};
}

static void add_all(struct known *to, const struct known *from)
{
	to->is |= from->is;
	to->varies |= from->varies;
	to->any |= from->any;
	to->fractions |= from->fractions;
	to->place |= from->place;
	for (size_t i = 0; i < from->n; i++) {
		add_value(to, from->value[i]);
	}
}

/* Makes it a value of this type. */
static struct known converted(struct known k, const struct kt_type *t)
{
	struct known out = k;
	out.n = 0;
	for (size_t i = 0; i < k.n; i++) {
		double v = k.value[i];
		bool same = (t->kind == KT_T_FLOAT && t->size == 8) ||
			    (t->kind == KT_T_FLOAT && t->size == 4 && fabs(v) < 1e30) ||
			    (v == floor(v) && fabs(v) < 128);
		v = t->kind == KT_T_FLOAT && t->size == 4 ? (double)(float)v : v;
		if (t->kind == KT_T_BOOL) {
			add_value(&out, v != 0);
		} else if (same || !kt_is_scalar(t)) {
			add_value(&out, v);
		} else {
			out.any = true;
			out.fractions |= v != floor(v);
		}
	}
	out.fractions &= t->kind != KT_T_INT && t->kind != KT_T_BOOL;
	return out;
}

static bool is_exact_pair(double a, double b, const struct kt_type *t)
{
	double p = a * b;
	if (p == 0) {
		return a == 0 || b == 0;
	}
	bool normal = fabs(p) < 1e30 && fabs(p) > 1e-30;
	bool whole = a == floor(a) && b == floor(b) && fabs(p) < 1 << 11;
	return t->size == 8   ? normal && fma(a, b, -p) == 0
	       : t->size == 4 ? normal && (double)(float)a == a && (double)(float)b == b &&
					(double)(float)p == p
			      : whole;
}

/* Is the product with any number, or any integer, exact? A power of two changes the exponent alone.
 */
static bool is_exact_factor(double v, bool fractions)
{
	int exponent;
	bool power = fabs(frexp(v, &exponent)) == 0.5;
	return v == 0 || (power && abs(exponent) < (fractions ? SMALL_EXPONENT : WIDE_EXPONENT));
}

static bool is_exact(const struct kt_unit *u, const struct known *a, const struct known *b,
	const struct kt_type *t)
{
	t = t->kind == KT_T_VECTOR ? &u->type[t->elem] : t;
	bool exact = !(a->any && b->any) && t->kind == KT_T_FLOAT;
	for (size_t i = 0; i < a->n && exact; i++) {
		exact = !b->any || is_exact_factor(a->value[i], b->fractions || t->size < 4);
		for (size_t k = 0; k < b->n && exact; k++) {
			exact = is_exact_pair(a->value[i], b->value[k], t);
		}
	}
	for (size_t k = 0; k < b->n && exact && a->any; k++) {
		exact = is_exact_factor(b->value[k], a->fractions || t->size < 4);
	}
	return exact;
}

/* ---- the value of an expression ---- */

static struct known evaluate(struct fold *f, const struct kt_node *n);

static uint64_t place_key(const struct kt_node *n)
{
	return (uint64_t)n->file << 48 ^ (uint64_t)n->begin << 16 ^ (n->end - n->begin);
}

/* Has the constant at this place another value in another instance? */
static bool is_varied(const struct fold *f, const struct kt_node *n)
{
	return map_get_u64(&f->varied, place_key(n), 0) != 0;
}

static double arithmetic(enum kt_op op, double a, double b)
{
	return op == KT_OP_ADD ? a + b : op == KT_OP_SUB ? a - b : a * b;
}

static struct known binary(struct known a, struct known b, enum kt_op op, const struct kt_type *t)
{
	bool listed = (op == KT_OP_ADD || op == KT_OP_SUB || op == KT_OP_MUL) && !a.any && !b.any;
	bool tests = op >= KT_OP_LAND && op <= KT_OP_NE;
	struct known out = {.is = a.is && b.is, .varies = a.varies || b.varies};
	if (out.is && tests) {
		add_value(&out, 0);
		add_value(&out, 1);
	} else if (out.is && !listed) {
		out.any = true;
		out.fractions = t->kind != KT_T_INT && t->kind != KT_T_BOOL;
	}
	for (size_t i = 0; i < a.n && out.is && listed; i++) {
		for (size_t k = 0; k < b.n; k++) {
			add_value(&out, arithmetic(op, a.value[i], b.value[k]));
		}
	}
	return converted(out, t);
}

/* All values below n, as one. */
static struct known children(struct fold *f, const struct kt_node *n)
{
	struct known k = {0};
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			struct known one = evaluate(f, n->child[i]);
			add_all(&k, &one);
		}
	}
	return k;
}

static struct known literal(const struct fold *f, const struct kt_node *n)
{
	struct known k = unlisted(true);
	char *end = NULL;
	double v = n->text && n->text[0] ? strtod(n->text, &end) : 0;
	if (n->flags & KT_F_VALUE) {
		k = one_value((double)n->value);
	} else if (end && end != n->text) {
		k = one_value(v);
	}
	k.varies = is_varied(f, n);
	return converted(k, kt_type_of(f->u, n));
}

static struct known symbol(const struct fold *f, const struct kt_node *n)
{
	const struct kt_sym *s = &f->u->sym[n->sym];
	struct known k = f->sym[s->of ? s->of : n->sym];
	bool fixed = s->kind == KT_S_CONST ||
		     (s->kind == KT_S_GLOBAL && s->space != KT_SHARED &&
			     (s->is_static || kt_object_type(f->u, s->type)->is_const));
	if (n->flags & KT_F_VALUE) {
		k = one_value((double)n->value);
	} else if (fixed) {
		k = unlisted(true);
	}
	k.varies |= is_varied(f, n);
	k.place |= kt_type_of(f->u, n)->kind == KT_T_ARRAY;
	return k;
}

/* Is n what the pointer below it leads to? */
static const struct kt_node *pointer_of(const struct fold *f, const struct kt_node *n)
{
	const struct kt_node *of = n->n ? n->child[0] : NULL;
	bool leads = (n->kind == KT_INDEX && kt_type_of(f->u, of)->kind == KT_T_POINTER) ||
		     (n->kind == KT_UNARY && n->op == KT_OP_DEREF) ||
		     (n->kind == KT_MEMBER && of && n->flags & KT_F_ARROW && of->kind != KT_THIS);
	return leads ? of : NULL;
}

static struct known call(struct fold *f, const struct kt_node *n)
{
	const struct kt_fn *fn = &f->u->fn[n->fn];
	struct known all = {0};
	bool known = n->n > 0; /* a library function may be computed if all that it gets is known */
	for (size_t i = 0; i < n->n; i++) {
		struct known one = n->child[i] ? evaluate(f, n->child[i]) : (struct known){0};
		known &= !n->child[i] || one.is;
		add_all(&all, &one);
	}
	bool copies = n->kind == KT_CONSTRUCT || (n->fn && fn->is_trivial);
	struct known k = {0};
	if (n->fn && f->in[n->fn]) {
		k = f->ret[n->fn];
		if (copies || f->u->type[fn->ret].kind == KT_T_REFERENCE) {
			add_all(&k, &all);
		}
		return k;
	}
	k = copies ? all : known ? unlisted(true) : k;
	k.varies = all.varies;
	return k;
}

static struct known evaluate(struct fold *f, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(f->u, n);
	const struct kt_node *pointer = pointer_of(f, n);
	struct known a, b;
	switch (n->kind) {
	case KT_LITERAL:
	case KT_SIZEOF:
		return literal(f, n);
	case KT_REF:
		return symbol(f, n);
	case KT_MEMBER:
	case KT_INDEX:
		a = n->n && n->child[0] ? evaluate(f, n->child[0]) : (struct known){0};
		if (pointer && !a.place) {
			a = (struct known){.varies = a.varies}; /* of memory */
		} else if (n->kind == KT_MEMBER) {
			b = symbol(f, n);
			add_all(&a, &b);
		}
		a.varies |= n->kind == KT_INDEX && evaluate(f, n->child[1]).varies;
		return a;
	case KT_BINARY:
		a = evaluate(f, n->child[0]);
		b = evaluate(f, n->child[1]);
		return n->op == KT_OP_COMMA ? b : binary(a, b, n->op, t);
	case KT_ASSIGN:
		b = evaluate(f, n->child[n->n - 1]);
		return n->op == KT_OP_NONE ? b : binary(evaluate(f, n->child[0]), b, n->op, t);
	case KT_UNARY:
		a = evaluate(f, n->child[0]);
		if (pointer && !a.place) {
			return (struct known){.varies = a.varies};
		}
		if (n->op == KT_OP_NEG) {
			return binary(one_value(0), a, KT_OP_SUB, t);
		}
		if (n->op != KT_OP_DEREF && n->op != KT_OP_ADDR && n->op != KT_OP_PLUS && a.is) {
			b = unlisted(t->kind == KT_T_FLOAT);
			b.varies = a.varies;
			return b;
		}
		a.place |= n->op == KT_OP_ADDR;
		return a;
	case KT_COND:
		a = evaluate(f, n->child[KT_COND_ELSE]);
		b = evaluate(f, n->child[n->child[KT_COND_THEN] ? KT_COND_THEN : KT_COND_COND]);
		add_all(&a, &b);
		a.varies |= evaluate(f, n->child[KT_COND_COND]).varies;
		return a;
	case KT_CAST:
		return converted(children(f, n), t);
	case KT_INIT_LIST:
		a = children(f, n);
		if (!kt_is_scalar(t) || !n->n) {
			add_value(&a, 0); /* for what has no text */
		}
		return converted(a, t);
	case KT_CALL:
	case KT_CONSTRUCT:
		return call(f, n);
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		a = unlisted(true);
		b = children(f, n);
		add_all(&a, &b);
		return a;
	default:
		return children(f, n);
	}
}

/* ---- what variables get ---- */

static bool has_varied(const struct fold *f, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (is_varied(f, n)) {
			return true;
		}
	}
	return false;
}

/* Does what differs decide whether, or how often, n runs; or, with loops, may it decide whether a
 * loop around n is unrolled? */
static bool is_decided(struct fold *f, const struct kt_node *n, bool loops)
{
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		const struct kt_node *cond =
			up->kind == KT_IF && n->slot >= KT_IF_THEN ? up->child[KT_IF_COND]
			: up->kind == KT_SWITCH && n->slot == KT_SWITCH_BODY
				? up->child[KT_SWITCH_COND]
			: up->kind == KT_COND && n->slot != KT_COND_COND ? up->child[KT_COND_COND]
			: up->kind == KT_BINARY && up->op >= KT_OP_LAND && up->op <= KT_OP_LOR
				? up->child[0]
				: NULL;
		bool loop = kt_is_loop(up->kind);
		if ((cond && cond != n && evaluate(f, cond).varies) ||
			(loop && ((loops && has_varied(f, up)) ||
					 (kt_loop_condition(up) &&
						 evaluate(f, kt_loop_condition(up)).varies)))) {
			return true;
		}
	}
	return false;
}

/* Does the value that n assigns vary? A value that no instance knows is none that varies, unless
 * some instances do not assign it. */
static void settle(struct fold *f, struct known *k, const struct kt_node *n)
{
	k->varies = (k->is && k->varies) || is_decided(f, n, k->is);
}

static void give(struct fold *f, struct known *to, const struct known *value)
{
	const struct known was = *to;
	add_all(to, value);
	f->grew |= was.is != to->is || was.varies != to->varies || was.any != to->any ||
		   was.fractions != to->fractions || was.place != to->place || was.n != to->n;
}

static void give_symbol(struct fold *f, kt_id sym, const struct known *value)
{
	struct known k = converted(*value, kt_object_type(f->u, f->u->sym[sym].type));
	give(f, &f->sym[sym], &k);
}

/* Gives a value to all that the place n may be a part of. */
static void give_place(struct fold *f, const struct kt_node *n, const struct known *value)
{
	bool named = (n->kind == KT_REF || n->kind == KT_MEMBER) && n->sym;
	kt_id of = named && f->u->sym[n->sym].of ? f->u->sym[n->sym].of : n->sym;
	if (named) {
		give_symbol(f, of, value);
	}
	bool index = n->kind == KT_INDEX;
	const struct kt_node *pointer = pointer_of(f, n);
	if (pointer && !evaluate(f, pointer).place) {
		return;
	}
	for (size_t i = 0; i < n->n && (!index || i == 0); i++) {
		bool cond = n->kind == KT_COND && i == KT_COND_COND;
		if (n->child[i] && !cond) {
			give_place(f, n->child[i], value);
		}
	}
}

/* The variable is, or points to, what the value names: either gets what the other gets. */
static void bind(struct fold *f, kt_id to, const struct kt_node *value)
{
	const struct kt_type *t = &f->u->type[f->u->sym[to].type];
	struct known k = evaluate(f, value);
	settle(f, &k, value);
	/* the host's buffers are memory */
	k.place &= f->u->fn[facts_function_of(f->c->f, value)].kind != KT_FN_HOST;
	give_symbol(f, to, &k);
	if (t->kind == KT_T_REFERENCE || kt_may_hold_pointer(t)) {
		const struct known back = f->sym[to];
		give_place(f, value, &back);
	}
}

static void bind_call(struct fold *f, const struct kt_node *n)
{
	const struct kt_fn *fn = &f->u->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = 0; i < n->n; i++) {
		kt_id to = i < first ? fn->self : i - first < fn->params ? fn->param[i - first] : 0;
		if (n->child[i] && to) {
			bind(f, to, n->child[i]);
		}
	}
}

/* What code that is not seen may write to the places that it gets. */
static void give_library(struct fold *f, const struct kt_node *n)
{
	struct known k = call(f, n);
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i] && (kt_may_hold_pointer(kt_type_of(f->u, n->child[i])) ||
					   n->flags & KT_F_OPERATOR)) {
			give_place(f, n->child[i], &k);
		}
	}
}

/* Does an element get a value that is computed from it, as in acc[i] = acc[i] * N + 1? Only what it
 * starts with counts: an accumulator of known numbers alone does not exist. */
static bool is_step_of_element(const struct kt_node *n)
{
	const struct kt_node *to = n->child[0];
	bool element = to->kind == KT_INDEX || to->kind == KT_MEMBER;
	while (to && (to->kind == KT_INDEX || to->kind == KT_MEMBER)) {
		to = to->child[0];
	}
	bool named = element && to && to->kind == KT_REF && to->sym;
	return named && (n->op != KT_OP_NONE || kt_mentions(n->child[1], to->sym));
}

static void see(struct fold *f, kt_id fn, const struct kt_node *n)
{
	struct known k;
	switch (n->kind) {
	case KT_VAR:
		if (n->n) {
			bind(f, n->sym, n->child[0]);
		}
		return;
	case KT_RANGE_FOR:
		bind(f, n->child[KT_RANGE_VAR]->sym, n->child[KT_RANGE_RANGE]);
		return;
	case KT_ASSIGN:
		k = evaluate(f, n);
		settle(f, &k, n);
		if (is_step_of_element(n)) {
			k = (struct known){.varies = k.varies};
		}
		give_place(f, n->child[0], &k);
		return;
	case KT_UNARY:
		if (kt_is_step(n)) {
			k = evaluate(f, n);
			settle(f, &k, n);
			give_place(f, n->child[0], &k);
		}
		return;
	case KT_RETURN:
		if (n->n) {
			k = evaluate(f, n->child[0]);
			settle(f, &k, n);
			give(f, &f->ret[fn], &k);
		}
		return;
	case KT_CALL:
	case KT_CONSTRUCT:
		if (n->fn && f->in[n->fn]) {
			bind_call(f, n);
		} else {
			give_library(f, n);
		}
		return;
	default:
		return;
	}
}

/* ---- the functions ---- */

static void add_function(struct fold *f, kt_id fn)
{
	const struct kt_fn *k = &f->u->fn[fn];
	if (fn && !f->in[fn] && k->body && !k->in_system_header) {
		f->in[fn] = true;
		f->fn[f->fns++] = fn;
	}
}

static bool calls(const struct fold *f, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->fn && f->in[n->fn]) {
			return true;
		}
	}
	return false;
}

/* The functions that lead to the merge's, and all that these call. */
static void find_functions(struct fold *f)
{
	add_function(f, f->c->m->fn);
	for (size_t before = 0; before != f->fns;) {
		before = f->fns;
		for (kt_id id = 1; id < f->u->fns; id++) {
			const struct kt_fn *fn = &f->u->fn[id];
			if (!f->in[id] && fn->body && !fn->in_system_header && calls(f, fn->body)) {
				add_function(f, id);
			}
		}
	}
	for (size_t i = 0; i < f->fns; i++) {
		const struct kt_node *root = f->u->fn[f->fn[i]].body;
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			add_function(f, n->fn);
		}
	}
}

static bool is_constant(const struct fold *f, const struct kt_node *n)
{
	const struct kt_sym *s = &f->u->sym[n->kind == KT_REF ? n->sym : 0];
	return n->flags & KT_F_VALUE || n->kind == KT_SIZEOF || s->kind == KT_S_CONST ||
	       s->kind == KT_S_GLOBAL;
}

/* Compares the constants of a function with those of other instances. Those of a macro share a
 * place. */
static void see_constants(struct fold *f, const struct kt_node *root)
{
	struct map hash = {0};
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (is_constant(f, n)) {
			uint64_t value = n->flags & KT_F_VALUE ? (uint64_t)n->value : n->sym;
			uint64_t before = map_get_u64(&hash, place_key(n), 0);
			map_set_u64(&hash, place_key(n), (before + value + 1) * 0x9e3779b97f4a7c15);
		}
	}
	for (size_t i = 0; i < hash.n; i++) {
		const struct map_entry *e = &hash.entry[i];
		if (map_get(&f->first, e->key, e->value) != e->value) {
			map_set(&f->varied, e->key, 1);
		}
		map_set(&f->first, e->key, e->value);
	}
	map_release(&hash);
}

/* Finds the places of constants that have other values in other instances. */
static void find_varied(struct fold *f)
{
	for (size_t i = 0; i < f->fns; i++) {
		see_constants(f, f->u->fn[f->fn[i]].body);
	}
}

/* Arguments that differ between the arms. */
static void find_arguments(struct fold *f)
{
	struct callee *c = f->c;
	const struct known varies = {.varies = true};
	for (size_t k = 1; k < c->leaves; k++) {
		const struct kt_fn *first = &f->u->fn[c->leaf[0].fn],
				   *fn = &f->u->fn[c->leaf[k].fn];
		for (size_t i = 0; i < first->params && i < fn->params; i++) {
			const struct kt_node *x = callee_argument(c, 0, i),
					     *y = callee_argument(c, k, i);
			if (x && y && !pair_equal(c->f, x, y)) {
				give(f, &f->sym[first->param[i]], &varies);
				give(f, &f->sym[fn->param[i]], &varies);
			}
		}
	}
}

const struct kt_node *callee_folded(struct callee *c)
{
	struct contract *contract = contract_of(c->f);
	struct kt_unit *u = c->u;
	struct fold f = {.c = c,
		.u = u,
		.in = ARENA_ARRAY(c->p->a, bool, u->fns),
		.fn = ARENA_ARRAY(c->p->a, kt_id, u->fns),
		.sym = ARENA_ARRAY(c->p->a, struct known, u->syms),
		.ret = ARENA_ARRAY(c->p->a, struct known, u->fns)};
	const struct kt_node *found = NULL;
	find_functions(&f);
	find_varied(&f);
	find_arguments(&f);
	do {
		f.grew = false;
		for (size_t i = 0; i < f.fns; i++) {
			const struct kt_node *root = u->fn[f.fn[i]].body;
			for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
				see(&f, f.fn[i], n);
			}
		}
	} while (f.grew);
	for (size_t i = 0; i < f.fns && !found; i++) {
		const struct kt_node *root = u->fn[f.fn[i]].body;
		for (const struct kt_node *n = root; n && !found; n = kt_next(n, root)) {
			bool product = (n->kind == KT_BINARY || n->kind == KT_ASSIGN) &&
				       n->op == KT_OP_MUL && contract_holds_float(u, n->type);
			struct known a = {0}, b = {0};
			if (product && contract_is_added(contract, n)) {
				a = evaluate(&f, n->child[0]);
				b = evaluate(&f, n->child[1]);
			}
			bool folds = a.is && b.is && (a.varies || b.varies);
			found = folds && !is_exact(u, &a, &b, kt_type_of(u, n)) ? n : NULL;
		}
	}
	map_release(&f.first);
	map_release(&f.varied);
	return found;
}
