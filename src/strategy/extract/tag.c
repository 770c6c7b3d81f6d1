/*
 * Tags: arguments that carry a value in their type, such as std::true_type{}.
 *
 *   step(x, std::true_type{});      auto step = [&](float x, auto tail) { if constexpr (tail) ...
 *   step(std::true_type{}, x);      template <bool Tail> void step(std::bool_constant<Tail>, ...)
 *                                   template <class Tail> void step(Tail, ...) ... Tail::value
 *
 * They are treated as template parameters. A tag is an object without members, of a class whose
 * last template argument is a number or a bool. The class does not matter if each use in each
 * instance is a constant of that value and type.
 */
#include <stdlib.h>

#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"

bool callee_is_short_number(struct str s)
{
	size_t from = s.n && s.p[0] == '-' ? 1 : 0;
	for (size_t i = from; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9') {
			return false;
		}
	}
	return s.n > from && s.n < 10;
}

bool callee_tag_of(struct callee_tag *out, const struct callee *c, size_t leaf, size_t param)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[leaf].fn];
	const struct kt_type *t =
		param < fn->params ? &c->u->type[c->u->sym[fn->param[param]].type] : NULL;
	if (!t || t->kind != KT_T_RECORD || t->size != 1 || !t->trivial || !t->canon) {
		return false;
	}
	struct str s = kt_type_bare(t, true);
	size_t open = str_find(s, "<", 0), comma = str_find(s, ", ", 0);
	if (open == SIZE_MAX || !str_ends(s, ">") || str_find(s, "<", open + 1) != SIZE_MAX) {
		return false;
	}
	size_t from = comma == SIZE_MAX ? open + 1 : comma + 2;
	out->named = str_ends(str_sub(s, 0, open), "integral_constant");
	out->value = str_sub(s, from, s.n - 1);
	bool is_bool = str_is(out->value, "true") || str_is(out->value, "false");
	out->type = comma != SIZE_MAX ? str_sub(s, open + 1, comma)
		    : is_bool	      ? STR("bool")
				      : STR("int");
	return is_bool ? str_is(out->type, "bool") : callee_is_short_number(out->value);
}

static bool is_tag_everywhere(const struct callee *c, size_t param)
{
	struct callee_tag first, one;
	bool is = callee_tag_of(&first, c, 0, param);
	for (size_t k = 1; k < c->leaves && is; k++) {
		is = callee_tag_of(&one, c, k, param) && str_eq(one.type, first.type) &&
		     one.named == first.named;
	}
	return is;
}

bool callee_tag_differs(const struct callee *c, const struct callee_tparam *q)
{
	struct callee_tag first, one;
	bool differs = false;
	callee_tag_of(&first, c, 0, q->tag - 1);
	for (size_t k = 1; k < c->leaves; k++) {
		differs |= callee_tag_of(&one, c, k, q->tag - 1) && !str_eq(one.value, first.value);
	}
	return differs;
}

/* The parameter's type, without const. */
static struct str type_text(const struct callee *c, const struct callee_param *q)
{
	size_t end = q->name_at ? q->name_at : q->text.end;
	return type_without_const(plan_text(c->p, q->text.begin, end));
}

static bool is_written(const struct callee *c, size_t tparam)
{
	bool is = false;
	for (size_t k = 0; k < c->leaves; k++) {
		is |= tparam < c->leaf[k].text.targs;
	}
	return is;
}

/* Is the text bool_constant<name> or integral_constant<..., name>? */
static bool is_constant_of(struct str type, struct str name)
{
	size_t open = str_find(type, "<", 0), comma = str_find(type, ",", 0);
	struct str class = str_sub(type, 0, open == SIZE_MAX ? 0 : open);
	bool known = str_ends(class, "bool_constant") || str_ends(class, "integral_constant");
	size_t from = comma == SIZE_MAX ? open + 1 : comma + 1;
	return known && str_ends(type, ">") &&
	       str_eq(str_trim(str_sub(type, from, type.n - 1)), name);
}

/* The template parameter that is parameter i's type, or the constant in it; or NULL. */
static struct callee_tparam *made_of(struct callee *c, size_t i)
{
	struct callee_pattern *p = &c->pattern;
	struct str type = type_text(c, &p->param[i]);
	struct callee_tag tag;
	bool named = callee_tag_of(&tag, c, 0, i) && tag.named;
	for (size_t k = 0; k < p->tparams; k++) {
		struct callee_tparam *t = &p->tparam[k];
		if (t->name.n && !is_written(c, k) &&
			(t->is_type ? str_eq(type, t->name)
				    : named && is_constant_of(type, t->name))) {
			return t;
		}
	}
	return NULL;
}

void callee_read_tags(struct callee *c)
{
	struct callee_pattern *p = &c->pattern;
	struct callee_tparam *all =
		ARENA_ARRAY(c->p->a, struct callee_tparam, p->tparams + p->params);
	for (size_t i = 0; i < p->tparams; i++) {
		all[i] = p->tparam[i];
	}
	p->tparam = all;
	for (size_t i = 0; i < p->params; i++) {
		struct callee_param *q = &p->param[i];
		if (!is_tag_everywhere(c, i) ||
			str_find(callee_text(c, q->text), "=", 0) != SIZE_MAX) {
			continue;
		}
		struct callee_tparam *t = made_of(c, i);
		bool any = str_is(type_text(c, q), "auto") && q->name.n;
		if (any || (t && !t->tag)) {
			struct callee_tparam *named = q->name.n ? &all[p->tparams++] : t;
			*named = q->name.n
					 ? (struct callee_tparam){.name = q->name, .is_type = true}
					 : *named;
			named->tag = i + 1;
			if (t) {
				t->tag = i + 1;
			}
		}
	}
}

/* ---- uses ---- */

struct span callee_tag_form(struct str t, size_t begin, struct str name, size_t *word)
{
	struct lex_token k = lex_next(t, begin);
	bool type = lex_is(t, k, "decltype");
	if (type) {
		k = lex_next(t, lex_next(t, k.end).end);
	}
	struct span all = {begin, k.end};
	*word = k.begin;
	if (k.kind != LEX_WORD || !str_eq(lex_text(t, k), name)) {
		return (struct span){0};
	}
	struct lex_token next = lex_next(t, k.end);
	if (type && lex_is(t, next, ")")) {
		all.end = next.end;
		next = lex_next(t, next.end);
	}
	bool scope = str_starts(str_sub(t, next.begin, t.n), "::");
	struct lex_token last = lex_next(t, scope ? next.begin + 2 : next.end);
	bool member = (scope || (!type && lex_is(t, next, "."))) && lex_is(t, last, "value");
	bool empty = !type && ((lex_is(t, next, "(") && lex_is(t, last, ")")) ||
				      (lex_is(t, next, "{") && lex_is(t, last, "}")));
	all.end = member || empty ? last.end : all.end;
	return type && !member ? (struct span){0} : all;
}

const struct callee_tparam *callee_tag_named(const struct callee *c, struct str name)
{
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		const struct callee_tparam *q = &c->pattern.tparam[i];
		if (q->tag && q->is_type && str_eq(q->name, name)) {
			return q;
		}
	}
	return NULL;
}

/* The constant value of a node or of a call's result. If another conversion follows, only the
 * conversion to the tag's value has one. */
static bool constant_of(int64_t *value, const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *body = n->kind == KT_CALL && n->fn ? u->fn[n->fn].body : NULL;
	const struct kt_node *given = body && body->n == 1 ? body->child[0] : NULL;
	if (!(n->flags & KT_F_VALUE) && given && given->kind == KT_RETURN && given->n == 1) {
		n = given->child[0];
	}
	*value = n->value;
	return n->flags & KT_F_VALUE;
}

/* Is the node the value of the tag, and of its type, in this instance? */
static bool is_value(
	const struct callee *c, size_t leaf, const struct callee_tparam *q, const struct kt_node *n)
{
	struct callee_tag tag;
	int64_t given;
	if (!constant_of(&given, c->u, n) || !callee_tag_of(&tag, c, leaf, q->tag - 1)) {
		return false;
	}
	int64_t value =
		str_is(tag.value, "true") ? 1 : strtoll(arena_str(c->p->a, tag.value).p, NULL, 10);
	return given == value && str_eq(kt_type_bare(kt_type_of(c->u, n), true), tag.type);
}

/* Do the words of the node read the tag's value? *word: the offset of its name. */
static bool asks(const struct callee *c, const struct callee_tparam *q, const struct kt_node *n,
	size_t *word)
{
	return (n->kind == KT_REF || n->kind == KT_CALL) && n->file == c->body->file &&
	       callee_tag_form(c->p->text, n->begin, q->name, word).end == n->end;
}

size_t callee_tag_use(
	const struct callee *c, size_t leaf, const struct callee_tparam *q, const struct kt_node *n)
{
	size_t word = 0;
	return asks(c, q, n, &word) && is_value(c, leaf, q, n) ? word + 1 : 0;
}

bool callee_tag_fits(
	const struct callee *c, size_t leaf, const struct callee_tparam *q, const struct kt_node *n)
{
	size_t word;
	if (n->kind == KT_LITERAL) {
		return !n->text || !str_is(q->name, n->text) || is_value(c, leaf, q, n);
	}
	bool own = n->kind == KT_VAR && str_is(q->name, c->u->sym[n->sym].name);
	bool object = n->kind == KT_REF && n->slot == 0 && callee_tag_use(c, leaf, q, n->parent);
	return !q->is_type ||
	       (!own && (!asks(c, q, n, &word) || object || is_value(c, leaf, q, n)));
}
