/*
 * Methods of a class template that call others of it, for the same object. Both leave the class:
 *
 *   template <bool B> struct step {                  float step_one_any(float x, const bool b);
 *           static float one(float x);       =>      void step_run_any(T &acc, const bool b)
 *           void run(T &acc)                         {
 *           {                                                acc += step_one_any(x, b);
 *                   acc += one(x);                           ...
 *                   ...
 *
 * Members that the called method uses become its arguments as well. They are copies, so no function
 * may change a member then.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/unify/unify.h"

enum {
	CALLS_DEEP = 8
};

static bool is_own(const struct kt_unit *u, struct str class, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &u->fn[n->fn] : NULL;
	bool method = n->flags & KT_F_METHOD;
	const struct kt_node *of = method && n->n ? n->child[0] : NULL;
	return fn && fn->body && !fn->is_lambda && class.n &&
	       !(n->flags & (KT_F_MACRO | KT_F_OPERATOR)) && (!of || of->kind == KT_THIS) &&
	       str_eq(callee_class_name(fn), class);
}

bool unify_is_own_call(const struct unify_function *f, const struct kt_node *n)
{
	const struct kt_unit *u = f->c.u;
	kt_id in = facts_function_of(f->c.f, n);
	return f->outside && in && is_own(u, callee_class_name(&u->fn[in]), n);
}

bool unify_read_own_call(const struct unify_function *f, struct callee_leaf *l)
{
	struct str t = f->c.p->text;
	const struct callee_class *of = &f->c.pattern.of;
	struct callee_call *call = &l->text;
	struct lex_token first = lex_next(t, call->prefix.begin);
	struct lex_token sign = lex_next(t, lex_next(t, first.end).end);
	bool plain = first.begin == call->name.begin ||
		     (lex_is(t, first, "this") && lex_next(t, sign.end).begin == call->name.begin);
	struct span *v = ARENA_ARRAY(f->c.p->a, struct span, of->tparams + call->targs);
	for (size_t i = 0; i < of->tparams; i++) {
		struct str name = of->tparam[i].name;
		size_t at = (size_t)(name.p - t.p);
		plain &= name.n > 0;
		v[i] = (struct span){at, at + name.n};
	}
	for (size_t i = 0; i < call->targs; i++) {
		v[of->tparams + i] = call->targ[i];
	}
	call->targ = v;
	call->targs += of->tparams;
	call->of_class = of->tparams;
	return plain && call->name.end;
}

size_t unify_own_names(const struct unify_function *f, struct str **name)
{
	const struct callee *c = &f->c;
	ARRAY(struct str) list = {0};
	size_t n;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
			if (unify_is_own_call(f, k)) {
				array_push(&list, str_of(c->u->fn[k->fn].base));
			}
		}
	}
	array_move(*name, n, c->p->a, &list);
	return n;
}

/* Does a method called for the object, from this body on, use the member? */
static bool body_uses(const struct callee *c, kt_id id, struct str member, unsigned depth)
{
	const struct kt_fn *fn = &c->u->fn[id];
	struct str class = callee_class_name(fn);
	for (const struct kt_node *n = fn->body; n; n = kt_next(n, fn->body)) {
		const struct kt_fn *to = is_own(c->u, class, n) ? &c->u->fn[n->fn] : NULL;
		if (to && (depth == 0 || to->file != c->body->file ||
				  callee_has_word(c->p->text,
					  (struct span){to->body->begin, to->body->end}, member) ||
				  body_uses(c, n->fn, member, depth - 1))) {
			return true;
		}
	}
	return false;
}

bool unify_uses_member(const struct unify_function *f, struct str name)
{
	const struct callee *c = &f->c;
	bool uses = callee_has_word(c->p->text, c->pattern.body, name);
	for (size_t i = 0; i < c->leaves && !uses; i++) {
		uses = body_uses(c, c->leaf[i].fn, name, CALLS_DEEP);
	}
	return uses;
}

/* Does the function, in some instance, set a member of its object that is no reference? */
static bool sets_member(const struct callee *c)
{
	bool sets = false;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
			bool own = n->kind == KT_MEMBER && n->sym &&
				   (!base || base->kind == KT_THIS) &&
				   c->u->type[c->u->sym[n->sym].type].kind != KT_T_REFERENCE;
			const struct kt_node *part = n;
			while (own && part->slot == 0 &&
				(part->parent->kind == KT_MEMBER ||
					part->parent->kind == KT_INDEX) &&
				kt_type_of(c->u, part)->kind != KT_T_POINTER) {
				part = part->parent;
			}
			sets |= own && kt_is_target(part);
		}
	}
	return sets;
}

bool unify_check_own(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct str t = c->p->text, *name = NULL;
	size_t n = f->outside ? unify_own_names(f, &name) : 0;
	bool members = f->own && f->members;
	for (size_t i = 0; i < f->calls && n; i++) {
		members |= f->call[i].fn && f->call[i].fn->own && f->call[i].fn->members;
	}
	if (members && sets_member(c)) {
		return callee_refuse_text(c,
			"it changes a member of its class, and a method that it calls, or that "
			"calls it, has a copy");
	}
	lex_each (k, t, c->pattern.body.begin, n ? c->pattern.body.end : c->pattern.body.begin) {
		bool is = false, called = false;
		for (size_t i = 0; i < n; i++) {
			is |= str_eq(lex_text(t, k), name[i]);
		}
		for (size_t i = 0; i < f->calls && is; i++) {
			called |= f->call[i].fn && f->call[i].text.name.begin == k.begin;
		}
		if (is && !called) {
			return callee_refuse_text(c, "it calls a method of its class in a way that "
						     "is not understood");
		}
	}
	return true;
}

static int by_definition(const void *x, const void *y)
{
	const struct unify_function *const *a = x, *const *b = y;
	size_t i = (*a)->c.pattern.all.begin, k = (*b)->c.pattern.all.begin;
	return (i > k) - (i < k);
}

bool unify_sort_functions(struct unify_function **order, size_t n)
{
	qsort(order, n, sizeof(order[0]), by_definition);
	for (size_t i = 0; i < n; i++) {
		size_t at = i;
		bool ready = false;
		for (; at < n && !ready; at += !ready) {
			ready = true;
			for (size_t k = 0; k < order[at]->calls; k++) {
				for (size_t o = i; o < n; o++) {
					ready &= order[at]->call[k].fn != order[o];
				}
			}
		}
		if (!ready) {
			return false;
		}
		struct unify_function *first = order[at];
		memmove(&order[i + 1], &order[i], (at - i) * sizeof(order[0]));
		order[i] = first;
	}
	return true;
}
