/*
 * Compares lambdas: alike if they have the same tokens and the same variables. A function template
 * with a lambda argument has one instantiation for each lambda; instantiations for lambdas that are
 * alike do the same.
 */
#include "analysis/pair/pair.h"

#include <string.h>

static const char closure[] = "(lambda at ";

typedef ARRAY(kt_id) ids;

static bool same_words(const struct kt_unit *u, const struct kt_node *x, const struct kt_node *y)
{
	struct str a = kt_source(u, x), b = kt_source(u, y);
	size_t i = 0, k = 0;
	for (;;) {
		struct lex_token s = lex_next(a, i), t = lex_next(b, k);
		if (s.kind == LEX_END || t.kind == LEX_END) {
			return s.kind == t.kind && a.n && b.n;
		}
		if (!str_eq(str_sub(a, s.begin, s.end), str_sub(b, t.begin, t.end))) {
			return false;
		}
		i = s.end;
		k = t.end;
	}
}

/* The functions of the lambda's calls. A generic lambda has one for each list of types. */
static ids functions_of(struct pairing *p, const struct kt_node *lambda)
{
	ids found = {0};
	kt_id around = facts_function_of(p->f, lambda);
	for (kt_id id = 1; id < p->u->fns; id++) {
		const struct kt_fn *f = &p->u->fn[id];
		if (around && f->around == around && kt_is_function_of(f, lambda)) {
			array_push(&found, id);
		}
	}
	return found;
}

static bool same_parameters(const struct kt_unit *u, const struct kt_fn *x, const struct kt_fn *y)
{
	bool same = x->params == y->params;
	for (size_t i = 0; same && i < x->params; i++) {
		same = x->param[i] && y->param[i] &&
		       u->sym[x->param[i]].type == u->sym[y->param[i]].type;
	}
	return same;
}

static void bind_parameters(struct pairing *p, const struct kt_fn *x, const struct kt_fn *y)
{
	for (size_t i = 0; i < x->params; i++) {
		map_set_u64(&p->to, x->param[i], y->param[i]);
		map_set_u64(&p->from, y->param[i], x->param[i]);
	}
}

/* Does exactly one function of g have the parameter types of f, and is it the same code? */
static bool has_same_function(struct pairing *p, const struct kt_fn *f, ids g)
{
	const struct kt_fn *found = NULL;
	for (size_t i = 0; i < g.n; i++) {
		const struct kt_fn *each = &p->u->fn[g.v[i]];
		if (same_parameters(p->u, f, each)) {
			if (found) {
				return false;
			}
			found = each;
		}
	}
	if (!found) {
		return false;
	}
	bind_parameters(p, f, found);
	return pair_same_tree(p, f->body, found->body);
}

bool pair_same_lambda(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	if ((x->flags | y->flags) & KT_F_MACRO || !same_words(p->u, x, y)) {
		return false;
	}
	ids f = functions_of(p, x), g = functions_of(p, y);
	bool exact = p->exact;
	bool same = f.n > 0 && f.n == g.n;
	p->exact = true;
	for (size_t i = 0; same && i < f.n; i++) {
		same = has_same_function(p, &p->u->fn[f.v[i]], g);
	}
	p->exact = exact;
	array_release(&f);
	array_release(&g);
	return same;
}

static void add_callee(const struct kt_unit *u, ids *to, kt_id fn)
{
	bool add = fn && strstr(u->fn[fn].name, closure);
	for (size_t i = 0; add && i < to->n; i++) {
		add = to->v[i] != fn;
	}
	if (add) {
		array_push(to, fn);
	}
}

/* Each instantiation has its own static and shared variables. Does fn, or a function that it calls
 * with the lambda, have any? */
static bool owns_objects(const struct kt_unit *u, kt_id fn)
{
	ids reached = {0};
	bool owns = false;
	add_callee(u, &reached, fn);
	for (size_t i = 0; i < reached.n; i++) {
		const struct kt_node *body = u->fn[reached.v[i]].body;
		owns = owns || !body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			const struct kt_sym *s = n->kind == KT_VAR ? &u->sym[n->sym] : NULL;
			owns = owns || (s && (s->is_static || s->space != KT_PRIVATE));
			add_callee(u, &reached, n->fn);
		}
	}
	array_release(&reached);
	return owns;
}

/* The name of a closure type at the start of s, or an empty string. */
static struct str closure_name(struct str s)
{
	size_t end = str_starts(s, closure) ? str_find(s, ")", 0) : SIZE_MAX;
	return end == SIZE_MAX ? (struct str){0} : str_sub(s, 0, end + 1);
}

/* Are a and b the closure types of two lambdas that are the same argument of the calls? */
static bool are_arguments(struct pairing *p, const struct kt_node *x, const struct kt_node *y,
	struct str a, struct str b)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct kt_node *s = x->child[i], *t = y->child[i];
		if (s && t && s->kind == KT_LAMBDA && t->kind == KT_LAMBDA &&
			str_holds(str_of(kt_type_of(p->u, s)->canon), a) &&
			str_holds(str_of(kt_type_of(p->u, t)->canon), b)) {
			return true;
		}
	}
	return false;
}

/* Does x call a lambda in place, with f as its function? */
static bool calls_in_place(const struct kt_node *x, const struct kt_fn *f)
{
	return x->kind == KT_CALL && x->n > 0 && x->child[0]->kind == KT_LAMBDA &&
	       kt_is_function_of(f, x->child[0]);
}

bool pair_same_callee(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	if (x->fn == y->fn) {
		return true;
	}
	const struct kt_fn *f = &p->u->fn[x->fn], *g = &p->u->fn[y->fn];
	if (calls_in_place(x, f) && calls_in_place(y, g)) {
		return same_parameters(p->u, f, g);
	}
	if (x->kind != KT_CALL || y->kind != KT_CALL || x->n != y->n || !x->fn || !y->fn ||
		!f->file || f->file != g->file || f->begin != g->begin || f->end != g->end) {
		return false;
	}
	struct str a = str_of(f->name), b = str_of(g->name);
	while (a.n && b.n) {
		struct str s = closure_name(a), t = closure_name(b);
		if (!s.n != !t.n || (s.n && !are_arguments(p, x, y, s, t)) ||
			(!s.n && a.p[0] != b.p[0])) {
			return false;
		}
		a = str_sub(a, s.n ? s.n : 1, a.n);
		b = str_sub(b, t.n ? t.n : 1, b.n);
	}
	return !a.n && !b.n && !owns_objects(p->u, x->fn);
}
