/*
 * Where the function of a callee split stands to the merge: may the parts be declared beside it, or
 * before the function of the merge, and does somebody else use it?
 */
#include <string.h>
#include "frontend/lex.h"
#include "strategy/hoist_callee.h"
#include "strategy/text.h"

/* Headers of the namespaces around at, outermost first. */
typedef ARRAY(struct str) str_array;

static void namespaces(str_array *out, struct str t, size_t at)
{
	struct lex_token word = {0};
	ARRAY(size_t) counts = {0};
	for (struct lex_token k = lex_next(t, 0); k.kind != LEX_END && k.begin < at;
		k = lex_next(t, k.end)) {
		if (lex_is(t, k, "namespace")) {
			word = k;
		} else if (lex_is(t, k, ";")) {
			word = (struct lex_token){0};
		} else if (lex_is(t, k, "{")) {
			array_push(&counts, out->n);
			if (word.end) {
				array_push(out, str_trim(str_sub(t, word.end, k.begin)));
			}
			word = (struct lex_token){0};
		} else if (lex_is(t, k, "}") && counts.n) {
			out->n = counts.v[--counts.n];
		}
	}
	array_release(&counts);
}

/* Are names declared beside the function found at the call as it is spelled there? */
static bool names_found(struct callee *c)
{
	str_array of = {0}, at = {0};
	namespaces(&of, c->p->text, c->pattern.all.begin);
	namespaces(&at, c->p->text, c->m->node->begin);
	size_t k = 0;
	for (size_t i = 0; i < of.n; i++) {
		if (of.v[i].n == 0) {
			continue; /* without a name */
		}
		while (k < at.n && at.v[k].n == 0) {
			k++;
		}
		if (k >= at.n || !str_eq(of.v[i], at.v[k])) {
			k = SIZE_MAX;
			break;
		}
		k++;
	}
	array_release(&of);
	array_release(&at);
	return k != SIZE_MAX;
}

/* ---- defined behind the call ---- */

/* Where the directives stand that the code at this place is under, innermost last. */
typedef ARRAY(size_t) offset_array;

static void conditions(offset_array *out, struct str t, size_t at)
{
	for (struct lex_token k = lex_next(t, 0); k.kind != LEX_END && k.begin < at;
		k = lex_next(t, k.end)) {
		struct str s = str_trim(str_sub(t, k.begin + 1, k.end));
		bool ends = str_starts(s, "endif"), other = str_starts(s, "el");
		if (k.kind != LEX_DIRECTIVE || !(ends || other || str_starts(s, "if"))) {
			continue;
		}
		out->n -= (ends || other) && out->n > 0;
		if (!ends) {
			array_push(out, k.begin);
		}
	}
}

static bool same_conditions(struct str t, size_t x, size_t y)
{
	offset_array a = {0}, b = {0};
	conditions(&a, t, x);
	conditions(&b, t, y);
	bool same = a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, a.n * sizeof(*a.v)) == 0);
	array_release(&a);
	array_release(&b);
	return same;
}

static bool same_namespace(struct str t, size_t x, size_t y)
{
	str_array a = {0}, b = {0};
	namespaces(&a, t, x);
	namespaces(&b, t, y);
	bool same = a.n == b.n;
	for (size_t i = 0; i < a.n && same; i++) {
		same = str_eq(a.v[i], b.v[i]);
	}
	array_release(&a);
	array_release(&b);
	return same;
}

/* The line that a function begins on, with its template header and the comments right before. */
static size_t whole_function(struct str t, size_t begin)
{
	struct span header = callee_template_header(t, begin);
	size_t at = header.end ? header.begin : begin;
	for (;;) {
		while (at > 0 && t.p[at - 1] != '\n') {
			at--;
		}
		size_t line = at;
		while (line > 0 && (line == at || t.p[line - 1] != '\n')) {
			line--;
		}
		struct str above = str_trim(str_sub(t, line, at));
		bool block = str_ends(above, "*/");
		while (block && line > 0 && !str_starts(str_sub(t, line, at), "/*")) {
			line--;
		}
		if (line == at || !(block || str_starts(above, "//")) ||
			!text_first_on_line(t, line)) {
			return at;
		}
		at = line;
	}
}

/* Is every name of this text known before at, as far as this file says it? */
static bool known_before(struct str t, struct span text, size_t at, size_t until)
{
	struct span before = {0, at}, between = {at, until};
	for (struct lex_token k = lex_next(t, text.begin); k.kind != LEX_END && k.begin < text.end;
		k = lex_next(t, k.end)) {
		struct str w = str_sub(t, k.begin, k.end);
		if (k.kind == LEX_WORD && callee_has_word(t, between, w) &&
			!callee_has_word(t, before, w)) {
			return false;
		}
	}
	return true;
}

/* The parts are declared before the function of the merge, and defined behind their function. */
static bool check_forward(struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_fn *caller = &c->u->fn[c->m->fn];
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	size_t at = whole_function(t, caller->begin);
	bool plain = !fn->is_method && !caller->is_method && !caller->is_lambda &&
		     c->leaf[0].text.prefix.end == c->leaf[0].text.prefix.begin &&
		     text_first_on_line(t, caller->begin) && same_namespace(t, at, p->all.begin) &&
		     same_conditions(t, at, p->all.begin);
	for (size_t i = 0; i < c->leaves && plain; i++) {
		/* defaults stand in the declaration */
		plain = c->leaf[i].text.args == p->params;
	}
	if (!plain) {
		return callee_refuse_text(c, "it is defined behind its call");
	}
	for (size_t i = 0; i < p->params; i++) {
		if (!known_before(t, p->param[i].text, at, p->all.begin)) {
			return callee_refuse_text(c, "it is defined behind its call, with a type "
						     "that is not declared before it");
		}
	}
	p->declare_at = at;
	return true;
}

static bool check_place(struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_fn *caller = &c->u->fn[c->m->fn];
	struct str prefix = callee_text(c, c->leaf[0].text.prefix);
	bool own = fn->is_method && !fn->is_lambda && fn->self && caller->self &&
		   (prefix.n == 0 || str_is(prefix, "this->"));
	if (fn->is_lambda) {
		return c->pattern.all.end <= c->m->node->begin ||
		       callee_refuse_text(c, "it is declared behind the calls");
	}
	if (!own && c->pattern.all.end > caller->begin) {
		return check_forward(c);
	}
	return fn->is_method || prefix.n || names_found(c) ||
	       callee_refuse_text(c, "it stands in another namespace than the call");
}

static bool used_elsewhere(struct callee *c)
{
	struct str t = c->p->text;
	struct str name = callee_text(c, c->pattern.name);
	const struct kt_fn *caller = &c->u->fn[c->m->fn];
	size_t from = c->pattern.lambda ? caller->begin : 0;
	size_t to = c->pattern.lambda ? caller->end : t.n;
	for (struct lex_token k = lex_next(t, from); k.kind != LEX_END && k.begin < to;
		k = lex_next(t, k.end)) {
		bool own = k.begin == c->pattern.name.begin;
		for (size_t i = 0; i < c->leaves && !own; i++) {
			own = k.begin == c->leaf[i].text.name.begin;
		}
		bool word = k.kind == LEX_WORD && str_eq(str_sub(t, k.begin, k.end), name);
		struct str line = str_sub(t, k.begin, k.end);
		if (!own && (word || (k.kind == LEX_DIRECTIVE &&
					     str_find(line, arena_strndup(c->p->a, name.p, name.n),
						     0) != SIZE_MAX))) {
			return true;
		}
	}
	return false;
}

bool callee_find_place(struct callee *c)
{
	c->used_elsewhere = used_elsewhere(c);
	return check_place(c);
}
