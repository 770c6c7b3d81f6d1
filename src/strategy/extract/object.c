/*
 * The object of a method call. The wide part is called once, after the merge, on an object that
 * exists there and has the same meaning: a variable that all arms name, or a temporary that each
 * call creates (BlockGemm{}(acc, a, b)). If the arms use different instances of a class template,
 * any of their objects will do, since the wide part must not depend on the instance: it uses no
 * names of the class except constants that are equal in all of them, and the class's template
 * arguments that differ, which are passed as values.
 */
#include <string.h>

#include "base/map.h"
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

/* ---- the text of the class ---- */

static bool opens_namespace(struct str t, size_t at)
{
	struct lex_token first = lex_next(t, at), second = lex_next(t, first.end);
	return lex_is(t, first, "namespace") || lex_is(t, first, "extern") ||
	       (lex_is(t, first, "inline") && lex_is(t, second, "namespace"));
}

/* The opening brace of the innermost block around a place, if that is a class at namespace scope;
 * *from: the start of its declaration. SIZE_MAX: otherwise. */
static size_t class_brace(struct str t, size_t at, size_t *from)
{
	*from = 0;
	lex_each (k, t, 0, at) {
		bool brace = lex_is(t, k, "{");
		size_t close = brace || lex_is(t, k, "(") ? lex_close(t, k.begin) : SIZE_MAX;
		if (close < at) {
			k.end = close + 1;
			*from = brace ? k.end : *from;
		} else if (k.kind == LEX_DIRECTIVE || lex_is(t, k, ";")) {
			*from = k.end;
		} else if (brace && opens_namespace(t, *from)) {
			*from = k.end;
		} else if (brace) {
			return k.begin;
		}
	}
	return SIZE_MAX;
}

/* Is the function in another block inside the class? */
static bool is_nested(struct str t, size_t open, size_t at)
{
	lex_each (k, t, open + 1, at) {
		size_t close = lex_is(t, k, "{") ? lex_close(t, k.begin) : 0;
		if (close > at) {
			return true;
		}
		k.end = close ? close + 1 : k.end;
	}
	return false;
}

/* Only template <...> struct NAME {: a base would add names. */
bool callee_read_class(struct callee *c)
{
	static const char why[] = "its class is another one in another arm, and is not spelled in "
				  "a plain way";
	struct str t = c->p->text;
	struct callee_class *of = &c->pattern.of;
	size_t at = c->pattern.all.begin, from;
	size_t open = class_brace(t, at, &from), close = open < at ? lex_close(t, open) : SIZE_MAX;
	if (close == SIZE_MAX || is_nested(t, open, at)) {
		return callee_refuse_text(c, why);
	}
	struct lex_token last = {0}, before = {0}, first = lex_next(t, from);
	for (struct lex_token k = first; k.begin < open; k = lex_next(t, k.end)) {
		bool more = !lex_is(t, k, "final");
		before = more ? last : before;
		last = more ? k : last;
	}
	bool plain = last.kind == LEX_WORD &&
		     (lex_is(t, before, "struct") || lex_is(t, before, "class"));
	struct span header = plain ? callee_template_header(t, before.begin) : (struct span){0};
	const struct layout *l = plan_layout(c->p);
	if (!header.end || header.begin != first.begin || !text_first_on_line(t, header.begin) ||
		layout_fixed(l, header.begin, close + 1).n ||
		layout_conditions(l, header.begin) != layout_conditions(l, at)) {
		return callee_refuse_text(c, why);
	}
	of->all = (struct span){header.begin, close + 1};
	of->body = (struct span){open, close};
	return callee_read_tparams(c, header, &of->tparam, &of->tparams);
}

/* ---- the wide part in classes that differ ---- */

static const struct kt_node *node_at(const struct callee *c, size_t leaf, size_t at, size_t end)
{
	const struct kt_node *body = callee_body(c, leaf);
	for (const struct kt_node *k = body; k; k = kt_next(k, body)) {
		bool names = k->kind == KT_VAR && c->u->sym[k->sym].at == at;
		if (!(k->flags & KT_F_MACRO) &&
			(names || (k->begin == at && k->end == end && !k->n))) {
			return k;
		}
	}
	return NULL;
}

/* Is the word a variable of the function, in some arm's instance? */
static bool is_own_variable(const struct callee *c, size_t at, size_t end)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *k = node_at(c, i, at, end);
		if (k && k->sym && c->u->sym[k->sym].fn == c->leaf[i].fn) {
			return true;
		}
	}
	return false;
}

/* Is it a constant of the class with one value in all arms? */
static bool is_one_constant(const struct callee *c, size_t at, size_t end)
{
	const struct kt_node *first = node_at(c, 0, at, end);
	bool same = first && first->flags & KT_F_VALUE;
	for (size_t i = 1; i < c->leaves && same; i++) {
		const struct kt_node *k = node_at(c, i, at, end);
		same = k && k->flags & KT_F_VALUE && k->value == first->value &&
		       kt_same_type(c->u, k->type, first->type);
	}
	return same;
}

struct class_check {
	struct callee *c;
	struct str found;
};

static bool is_of_class(void *user, struct str word, size_t at)
{
	struct class_check *v = user;
	size_t end = at + word.n;
	bool is = callee_class_declares(v->c, word) && !is_own_variable(v->c, at, end) &&
		  !is_one_constant(v->c, at, end);
	v->found = is ? word : v->found;
	return is;
}

static bool is_in_class(const struct callee *c, kt_id file, size_t at)
{
	struct span s = c->pattern.of.all;
	return file == c->body->file && at >= s.begin && at < s.end;
}

/* Does it name *this, or a member of the class that the tree shows? */
static bool node_is_of_class(const struct callee *c, const struct kt_node *k)
{
	const struct kt_node *of = k->n ? k->child[0] : NULL;
	bool object = k->kind == KT_MEMBER || (k->kind == KT_CALL && k->flags & KT_F_METHOD);
	if (k->kind == KT_THIS || (object && (!of || of->kind == KT_THIS))) {
		return true;
	}
	const struct kt_fn *fn = &c->u->fn[k->fn];
	const struct kt_sym *sym = &c->u->sym[k->kind == KT_REF ? k->sym : 0];
	bool kept = sym->name && (sym->kind == KT_S_GLOBAL || sym->kind == KT_S_CONST) &&
		    !(k->flags & KT_F_VALUE); /* is_one_constant() */
	/* a builtin is implicitly declared at its first call */
	bool known = k->fn && !fn->is_lambda && !str_starts(str_of(fn->base), "__builtin_");
	return (known && is_in_class(c, fn->file, fn->begin)) ||
	       (kept && is_in_class(c, sym->file, sym->at));
}

/* Compares a node's type between instances: nodes at one place must have the same type. */
static bool agrees(struct map *types, const struct callee *c, const struct kt_node *k)
{
	const char *type = kt_type_of(c->u, k)->canon;
	uint64_t key = ((uint64_t)k->begin << 40 ^ (uint64_t)k->end << 8) | k->kind;
	if (k->flags & KT_F_MACRO || !type) {
		return true;
	}
	const char *other = (const char *)(uintptr_t)map_get_u64(types, key, 0);
	map_set_u64(types, key, (uintptr_t)type);
	return !other || strcmp(other, type) == 0;
}

static bool check_tree(struct needs *n)
{
	struct callee *c = n->c;
	struct map types = {0};
	const struct kt_node *bad = NULL;
	for (size_t i = 0; i < c->leaves; i++) {
		for (size_t s = 0; s < c->body->n; s++) {
			const struct kt_node *root =
				callee_is_wide(c, s) ? needs_stmt(n, i, s) : NULL;
			for (const struct kt_node *k = root; k && !bad; k = kt_next(k, root)) {
				bad = node_is_of_class(c, k) || !agrees(&types, c, k) ? k : NULL;
			}
		}
	}
	map_release(&types);
	return !bad || plan_refuse(c->p, CALLEE_CONSTANT,
			       "the arms call '%s' of other instances of its class, and its wide "
			       "part sees which: '%s'",
			       c->u->fn[c->leaf[0].fn].base, plan_quote(c->p, bad));
}

/* May a macro in the function use a name of the class? */
static bool macro_names_class(const struct callee *c)
{
	struct str t = c->p->text;
	struct span body = c->pattern.of.body;
	const struct layout *l = plan_layout(c->p);
	lex_each (k, t, body.begin, body.end) {
		struct str word = str_sub(t, k.begin, k.end);
		if (k.kind == LEX_WORD && layout_in_directive(l, word) &&
			callee_class_declares(c, word)) {
			return true;
		}
	}
	return layout_in_directive(l, STR("this"));
}

static bool same_parameters(const struct callee *c)
{
	const struct kt_fn *first = &c->u->fn[c->leaf[0].fn];
	bool same = true;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_fn *fn = &c->u->fn[c->leaf[i].fn];
		for (size_t k = 0; k < c->pattern.params; k++) {
			same &= !c->pattern.param[k].wide ||
				kt_same_type(c->u, c->u->sym[fn->param[k]].type,
					c->u->sym[first->param[k]].type);
		}
	}
	return same;
}

bool needs_check_class(struct needs *n)
{
	struct callee *c = n->c;
	struct class_check v = {.c = c};
	for (size_t i = 0; i < n->piece.n && c->pattern.of.all.end; i++) {
		struct span s = n->piece.v[i];
		if (lex_each_word(c->p->text, s.begin, s.end, is_of_class, &v)) {
			return needs_refuse(n, CALLEE_CONSTANT,
				"is of the class, which is another one in another arm, and the "
				"wide part uses it",
				v.found);
		}
	}
	if (!c->pattern.of.all.end ||
		(same_parameters(c) && !(needs_wide_has_macro(n) && macro_names_class(n->c)))) {
		return !c->pattern.of.all.end || check_tree(n);
	}
	return needs_refuse(n, CALLEE_CONSTANT,
		"is of another class in another arm, and has other parameters there, or a macro "
		"that may use a name of the class",
		c->pattern.called);
}

static bool is_member(struct str word, const struct str *member, size_t n)
{
	bool is = false;
	for (size_t i = 0; i < n; i++) {
		is |= str_eq(word, member[i]);
	}
	return is;
}

/* this-> before one of these members? */
static bool is_this_of(struct str t, struct lex_token k, const struct str *member, size_t n)
{
	struct lex_token minus = lex_next(t, k.end), sign = lex_next(t, minus.end);
	return lex_is(t, k, "this") && lex_is_member_sign(t, sign) &&
	       is_member(lex_text(t, lex_next(t, sign.end)), member, n);
}

/* The first word of the function that the class declares; empty: none. */
static struct str class_word_in(const struct callee *c, const struct str *member, size_t n)
{
	const struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	struct lex_token before = {0};
	lex_each (k, t, p->all.begin, p->all.end) {
		bool own = k.begin >= p->name.begin && k.begin < p->name.end;
		bool colons = lex_is(t, before, ":") && t.p[before.begin - 1] == ':';
		bool scoped = lex_is_member_sign(t, before) || colons;
		bool passed = is_member(lex_text(t, k), member, n) || is_this_of(t, k, member, n);
		if (k.kind == LEX_WORD && !own && !scoped && !passed &&
			callee_class_declares(c, lex_text(t, k))) {
			return lex_text(t, k);
		}
		before = k;
	}
	return (struct str){0};
}

/* Is it a call of one of these methods for *this, or its *this? */
static bool is_called(
	const struct callee *c, const struct kt_node *k, const struct str *member, size_t n)
{
	const struct kt_node *m = k->kind == KT_THIS ? k->parent : k;
	return m && m->kind == KT_CALL && m->fn && !(m->flags & KT_F_OPERATOR) &&
	       is_member(str_of(c->u->fn[m->fn].base), member, n) &&
	       (k == m || (m->flags & KT_F_METHOD && k->slot == 0));
}

/* Is it one of these members of *this, or its *this? */
static bool is_passed(
	const struct callee *c, const struct kt_node *k, const struct str *member, size_t n)
{
	const struct kt_node *m = k->kind == KT_THIS ? k->parent : k;
	const struct kt_node *of = m && m->n ? m->child[0] : NULL;
	bool of_this = m && m->kind == KT_MEMBER && (!of || of->kind == KT_THIS);
	return of_this && m->sym && is_member(str_of(c->u->sym[m->sym].name), member, n);
}

/* Is it one of these constants, if more than its value is used? */
static const struct kt_node *constant_place(
	const struct callee *c, const struct kt_node *root, const struct str *member, size_t n)
{
	for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
		const struct kt_sym *s = &c->u->sym[k->kind == KT_REF ? k->sym : 0];
		const struct kt_type *t = kt_type_of(c->u, k);
		bool own = s->name && is_in_class(c, s->file, s->at) &&
			   is_member(str_of(s->name), member, n);
		bool label = k->parent && k->parent->kind == KT_CASE;
		bool value = kt_is_scalar(t) && t->is_const &&
			     (label ||
				     (k->parent && k->parent->kind != KT_STMT_UNKNOWN &&
					     k->parent->kind != KT_ASM && callee_tests_value(k)) ||
				     value_is_taken(c->u, k, 0));
		if (own && !value) {
			return k;
		}
	}
	return NULL;
}

/* The same in the function's lambdas as well. */
static const struct kt_node *any_constant_place(
	const struct callee *c, const struct str *member, size_t n)
{
	const struct kt_node *bad = NULL;
	struct span all = c->pattern.all;
	for (kt_id i = 1; i < c->u->fns && !bad && n; i++) {
		const struct kt_fn *fn = &c->u->fn[i];
		bool own = fn->body && fn->file == c->body->file && fn->begin >= all.begin &&
			   fn->end <= all.end;
		bad = own ? constant_place(c, fn->body, member, n) : NULL;
	}
	return bad;
}

/* Do the instances differ in a type, or in the value of a constant of the class that is not among
 * these? */
static const struct kt_node *differing(
	const struct callee *c, const struct str *derived, size_t deriveds)
{
	struct map types = {0}, values = {0};
	const struct kt_node *bad = NULL;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *k = root; k && !bad; k = kt_next(k, root)) {
			const struct kt_sym *s = &c->u->sym[k->kind == KT_REF ? k->sym : 0];
			bool local = s->at >= c->pattern.all.begin && s->at < c->pattern.all.end;
			bool own = k->flags & KT_F_VALUE && is_in_class(c, s->file, s->at) &&
				   !local && !is_member(str_of(s->name), derived, deriveds);
			uint64_t value = (uint64_t)k->value;
			bool same = !own || map_get_u64(&values, k->begin, value) == value;
			if (own) {
				map_set_u64(&values, k->begin, value);
			}
			bool as = k->kind == KT_THIS || agrees(&types, c, k);
			bad = same && as ? NULL : k;
		}
	}
	map_release(&types);
	map_release(&values);
	return bad;
}

bool callee_stands_outside(struct callee *c, const struct str *member, size_t n,
	const struct str *derived, size_t deriveds)
{
	struct str word = class_word_in(c, member, n);
	if (word.n) {
		return plan_refuse(c->p, CALLEE_CONSTANT,
			"'%.*s' is of the class, which is another one in another arm",
			STR_ARG(word));
	}
	if (callee_any_macro(c) && macro_names_class(c)) {
		return callee_refuse_text(c, "a macro in it may use a name of its class");
	}
	const struct kt_node *place = any_constant_place(c, member, n);
	const struct kt_node *bad = n && !place ? differing(c, derived, deriveds) : NULL;
	if (place || bad) {
		return plan_refuse(c->p, CALLEE_CONSTANT,
			place ? "the place of '%s' is used, a constant of the class"
			      : "'%s' is another type or value in another arm",
			plan_quote(c->p, place ? place : bad));
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
			const char *name = c->u->sym[k->kind == KT_REF ? k->sym : 0].name;
			bool constant = name && is_member(str_of(name), member, n);
			if (node_is_of_class(c, k) && !constant && !is_passed(c, k, member, n) &&
				!is_called(c, k, member, n)) {
				return plan_refuse(c->p, CALLEE_CONSTANT,
					"'%s' is of the class, which is another one in another arm",
					plan_quote(c->p, k));
			}
		}
	}
	return true;
}

/* ---- the object ---- */

/* Is the object a temporary of the call? */
static bool is_made(const struct callee *c, const struct kt_node *o)
{
	if (!o || kt_is_place(o) || o->kind == KT_THIS) {
		return false;
	}
	kt_id gives = o->kind == KT_CALL && o->fn ? c->u->fn[o->fn].ret : o->type;
	enum kt_type_kind k = c->u->type[gives].kind;
	return k != KT_T_POINTER && k != KT_T_REFERENCE;
}

static bool touches_object(const struct locset *s, kt_id self)
{
	return locset_has(s, LOC_THIS) || locset_has(s, LOC_DEREF(self));
}

/* Does the function only read values of its object, so that any object with equal values will
 * do? */
static bool takes_values(const struct callee *c, size_t leaf)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[leaf].fn];
	const struct fx *sum = facts_summary(c->f, c->leaf[leaf].fn);
	const struct kt_type *t = kt_object_type(c->u, c->u->sym[fn->self].type);
	if (t->size == 1 && !(sum->flags & FX_UNKNOWN) && !touches_object(&sum->reads, fn->self) &&
		!touches_object(&sum->writes, fn->self)) {
		return true; /* it has no object */
	}
	for (const struct kt_node *k = fn->body; k; k = kt_next(k, fn->body)) {
		const struct kt_node *of = k->n ? k->child[0] : NULL;
		bool own = !of || of->kind == KT_THIS;
		bool member = k->kind == KT_MEMBER && own;
		bool calls = k->kind == KT_CALL && k->flags & KT_F_METHOD && own;
		if (calls || (k->kind == KT_THIS && k->parent->kind != KT_MEMBER) ||
			k->kind == KT_LAMBDA || k->kind == KT_EXPR_UNKNOWN ||
			k->kind == KT_STMT_UNKNOWN || (member && !value_is_taken(c->u, k, 0))) {
			return false;
		}
	}
	return true;
}

static bool check_made(struct needs *n, size_t leaf)
{
	struct callee *c = n->c;
	const struct kt_node *call = c->leaf[leaf].call;
	bool method = call->flags & KT_F_METHOD && c->u->fn[call->fn].is_method;
	if (!method || !is_made(c, call->child[0])) {
		return true;
	}
	const struct kt_type *t = kt_type_of(c->u, call->child[0]);
	bool plain = t->kind == KT_T_RECORD && t->trivial && !t->destroys;
	return (plain && takes_values(c, leaf)) ||
	       needs_refuse(n, CALLEE_ARGUMENT,
		       "is called for an object that each call makes, and that is more than its "
		       "values",
		       c->pattern.called);
}

/* The same object in all arms, and after them. */
static bool is_one_object(struct needs *n, size_t k)
{
	struct callee *c = n->c;
	const struct callee_leaf *first = &c->leaf[0], *l = &c->leaf[k];
	bool same = needs_same_tokens(c->p->text, first->text.prefix, l->text.prefix);
	if (!same || !(l->call->flags & KT_F_METHOD) || c->pattern.lambda) {
		return same;
	}
	const struct kt_node *o = l->call->child[0];
	bool pointer = kt_type_of(c->u, o)->kind == KT_T_POINTER;
	return pair_equal(c->f, first->call->child[0], o) &&
	       !needs_names_arm_local(c, l->text.prefix) &&
	       (o->kind == KT_THIS || needs_same_after(c, k, o, !pointer && !is_made(c, o)));
}

/* Is it a variable or a member of one, which exists after every arm? */
static bool is_there(const struct kt_node *o)
{
	while (o && o->kind == KT_MEMBER && !(o->flags & KT_F_ARROW)) {
		o = o->child[KT_MEMBER_BASE];
	}
	return !o || o->kind == KT_THIS || o->kind == KT_REF;
}

/* For classes that differ between arms: may any arm's object be used? */
static bool is_any_object(struct needs *n)
{
	struct callee *c = n->c;
	const struct callee_leaf *l = &c->leaf[0];
	const struct kt_node *o = l->call->flags & KT_F_METHOD ? l->call->child[0] : NULL;
	if (needs_names_arm_local(c, l->text.prefix)) {
		return false;
	}
	return !o || (is_made(c, o) ? kt_is_constant(o) && !facts_acts(c->f, o)
				    : kt_type_of(c->u, o)->kind != KT_T_POINTER && is_there(o));
}

bool needs_check_object(struct needs *n)
{
	struct callee *c = n->c;
	bool differs = callee_class_differs(c);
	struct span at = {c->m->node->begin, c->m->node->end};
	struct str type = layout_type_word(plan_layout(c->p), at.begin, at.end);
	if (type.n && c->leaf[0].text.prefix.end > c->leaf[0].text.prefix.begin) {
		return needs_refuse(n, CALLEE_ARGUMENT,
			"declares or names a type in an arm, which may be that of the object",
			type);
	}
	for (size_t k = 0; k < c->leaves; k++) {
		if (!check_made(n, k)) {
			return false;
		}
		if (!(differs ? is_any_object(n) : is_one_object(n, k))) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"is called on other objects in other arms",
				needs_text(n, c->pattern.name));
		}
	}
	return needs_check_result(n);
}
