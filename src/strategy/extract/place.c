/*
 * The place of a callee split's function relative to the merge: may the parts be declared next to
 * it, or before the function of the merge, and is it used elsewhere?
 */
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

/* Skips unnamed namespaces. */
static const struct layout_around *named(const struct layout_around *n)
{
	while (n && n->name.n == 0) {
		n = n->up;
	}
	return n;
}

static size_t depth_named(const struct layout_around *n)
{
	size_t depth = 0;
	for (n = named(n); n; n = named(n->up)) {
		depth++;
	}
	return depth;
}

/* The call. */
static const struct kt_node *call_place(const struct callee *c)
{
	return c->from ? c->from : c->m->node;
}

static const struct kt_fn *caller_of(const struct callee *c)
{
	return &c->u->fn[c->from ? facts_function_of(c->f, c->from) : c->m->fn];
}

bool callee_names_found(const struct callee *c)
{
	const struct layout_around *of = layout_namespaces(plan_layout(c->p), c->pattern.all.begin);
	const struct layout_around *at = layout_namespaces(plan_layout(c->p), call_place(c)->begin);
	size_t deep = depth_named(of), deeper = depth_named(at);
	of = named(of);
	at = named(at);
	for (; deeper > deep; deeper--) {
		at = named(at->up);
	}
	for (; deeper == deep && of; of = named(of->up), at = named(at->up)) {
		if (!str_eq(of->name, at->name)) {
			return false;
		}
	}
	return deeper == deep;
}

/* ---- the other compilations ---- */

/* Are all #if around the function also around the merge? If not, another compilation may have the
 * merge with a different function of that name, or without one. */
static bool is_there_with_merge(const struct callee *c)
{
	const struct layout *l = plan_layout(c->p);
	const struct layout_around *of = layout_conditions(l, c->pattern.all.begin);
	const struct layout_around *at = layout_conditions(l, call_place(c)->begin);
	while (at && at != of) {
		at = at->up;
	}
	return at == of;
}

static bool befriends(struct str t, struct str name, bool functor)
{
	size_t at = 0;
	while ((at = str_find(t, "friend", at)) != SIZE_MAX) {
		struct lex_token k = lex_next(t, at);
		bool is_word = lex_is(t, k, "friend");
		for (at = k.end;
			is_word && k.kind != LEX_END && !lex_is(t, k, ";") && !lex_is(t, k, "{");
			k = lex_next(t, k.end)) {
			bool called = functor && lex_is(t, k, "operator") &&
				      lex_is(t, lex_next(t, k.end), "(");
			if (called ||
				(k.kind == LEX_WORD && str_eq(str_sub(t, k.begin, k.end), name))) {
				return true;
			}
		}
	}
	return false;
}

bool callee_befriended(const struct callee *c, struct str word)
{
	for (size_t i = 1; i < c->u->files; i++) {
		const struct kt_file *f = &c->u->file[i];
		if (!f->system && befriends(f->text, word, c->pattern.functor)) {
			return true;
		}
	}
	return false;
}

/* ---- defined after the call ---- */

static bool same_conditions(const struct layout *l, size_t x, size_t y)
{
	return layout_conditions(l, x) == layout_conditions(l, y);
}

/* The start of a function, with its template header and the comments directly above. */
static size_t whole_function(struct str t, size_t begin)
{
	struct span header = callee_template_header(t, begin);
	return text_comments_above(t, header.end ? header.begin : begin);
}

/* By this file's text: is every name in the text declared before at? */
static bool known_before(const struct callee *c, struct span text, size_t at, size_t until)
{
	struct str t = c->p->text;
	lex_each (k, t, text.begin, text.end) {
		size_t first = k.kind == LEX_WORD
				       ? layout_first(plan_layout(c->p), str_sub(t, k.begin, k.end))
				       : SIZE_MAX;
		if (first >= at && first < until) {
			return false;
		}
	}
	return true;
}

/* The parts are declared before the function of the merge, and defined after their function. */
static bool check_forward(struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_fn *caller = caller_of(c);
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	size_t at = whole_function(t, caller->begin);
	bool plain = !fn->is_method && !caller->is_method && !caller->is_lambda &&
		     c->leaf[0].text.prefix.end == c->leaf[0].text.prefix.begin &&
		     text_first_on_line(t, caller->begin) &&
		     layout_same_namespace(plan_layout(c->p), at, p->all.begin) &&
		     same_conditions(plan_layout(c->p), at, p->all.begin);
	for (size_t i = 0; i < c->leaves && plain; i++) {
		/* default arguments belong to the declaration */
		plain = c->leaf[i].text.args == p->params;
	}
	if (!plain) {
		return callee_refuse_text(c, "it is defined after its call");
	}
	for (size_t i = 0; i < p->params; i++) {
		if (!known_before(c, p->param[i].text, at, p->all.begin)) {
			return callee_refuse_text(c, "it is defined after its call, with a type "
						     "that is not declared before it");
		}
	}
	p->declare_at = at;
	return true;
}

static bool check_place(struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_fn *caller = caller_of(c);
	struct str prefix = callee_text(c, c->leaf[0].text.prefix);
	bool own = fn->is_method && !fn->is_lambda && fn->self && caller->self &&
		   !caller->is_lambda && (prefix.n == 0 || str_is(prefix, "this->"));
	if (fn->is_lambda) {
		return c->pattern.all.end <= call_place(c)->begin ||
		       callee_refuse_text(c, "it is declared after the calls");
	}
	if (c->pattern.functor && c->pattern.all.end > call_place(c)->begin) {
		return callee_refuse_text(c, "it is declared after the calls");
	}
	if (!own && c->pattern.all.end > caller->begin) {
		return check_forward(c);
	}
	return fn->is_method || prefix.n || callee_names_found(c) ||
	       callee_refuse_text(c, "it is in another namespace than the call");
}

/* Is the name in the function itself, or in a call that is split? */
static bool is_own(const struct callee *c, size_t at)
{
	bool own = at == c->pattern.name.begin;
	for (size_t i = 0; i < c->leaves && !own; i++) {
		own = at == c->leaf[i].text.name.begin;
	}
	return own;
}

static bool used_in(const struct callee *c, size_t from, size_t to, struct str name)
{
	struct str t = c->p->text;
	lex_each (k, t, from, to) {
		struct str s = str_sub(t, k.begin, k.end);
		if ((k.kind == LEX_WORD && str_eq(s, name) && !is_own(c, k.begin)) ||
			(k.kind == LEX_DIRECTIVE && str_holds(s, name))) {
			return true;
		}
	}
	return false;
}

static bool used_elsewhere(struct callee *c)
{
	struct str name = callee_text(c, c->pattern.name);
	const struct kt_fn *caller = caller_of(c);
	const size_t *at;
	size_t n;
	if (c->pattern.functor) {
		return true; /* calls of a functor have no name */
	}
	if (c->pattern.lambda) {
		return used_in(c, caller->begin, caller->end, name);
	}
	if (!layout_mentions(&at, &n, plan_layout(c->p), name)) {
		return used_in(c, 0, c->p->text.n, name);
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_own(c, at[i])) {
			return true;
		}
	}
	return layout_in_directive(plan_layout(c->p), name);
}

bool callee_find_place(struct callee *c)
{
	c->used_elsewhere = used_elsewhere(c);
	if (!check_place(c)) {
		return false;
	}
	if (!is_there_with_merge(c) &&
		!callee_refuse_text(c, "it is under an #if that does not hold the merge")) {
		return false;
	}
	return c->pattern.lambda || !callee_befriended(c, callee_text(c, c->pattern.name)) ||
	       callee_refuse_text(c, "it is a friend of a class, and its parts would be none");
}
