/*
 * A function that exists already and is the one that would be written: its text stands after the
 * template, at namespace scope under the same #if, no other function has its name, and nothing in
 * between may give a name in it another meaning.
 */
#include "frontend/text/lex.h"
#include "strategy/extract/spelling.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/unify/unify.h"

/* Words before a call; any other may be the type in a declaration. */
static const char *const before_call[] = {"return", "else", "do", NULL};

/* May the token end the type in a declaration? In a function's body, a sign calculates. */
static bool is_type(const struct plan *p, struct lex_token k)
{
	struct str t = p->text;
	struct span fn = layout_function(plan_layout(p), k.begin);
	bool in_body = fn.end && lex_find(t, fn.begin, fn.end, '{') < k.begin;
	bool sign = lex_is(t, k, "*") || lex_is(t, k, "&") || lex_is(t, k, ">");
	return k.kind == LEX_WORD ? !str_is_any(lex_text(t, k), before_call) : sign && !in_body;
}

/* Is the name also declared elsewhere than in the text at a place? */
static bool is_overloaded(const struct plan *p, const char *name, size_t at, size_t end)
{
	struct lex_token before = {0};
	lex_each (k, p->text, 0, p->text.n) {
		if (str_is(lex_text(p->text, k), name) && (k.begin < at || k.begin >= end) &&
			is_type(p, before)) {
			return true;
		}
		before = k;
	}
	return plan_named_elsewhere(p, name);
}

/* May the text between, at the depth of the function, declare a name that its text uses? *last: the
 * last token. */
static bool declares_used(
	const struct plan *p, size_t from, size_t at, struct str part, struct lex_token *last)
{
	static const char *const scopes[] = {"namespace", "using", "typedef", "struct", "class",
		"union", "enum", "extern", "operator", "friend", NULL};
	static const char *const known[] = {
		"__attribute__", "__launch_bounds__", "decltype", "noexcept", "alignas", NULL};
	struct str t = p->text;
	lex_each (k, t, from, at) {
		struct str word = lex_text(t, k);
		if (str_is(word, "template")) {
			size_t shut = callee_close_angle(t, lex_next(t, k.end).begin, at);
			k.end = shut < at ? shut + 1 : k.end;
			*last = k;
			continue;
		}
		struct lex_token next = lex_next(t, k.end);
		bool opens = lex_is(t, k, "{") || lex_is(t, k, "(") || lex_is(t, k, "[");
		size_t close = opens ? lex_close(t, k.begin) : 0;
		bool names = k.kind == LEX_WORD && next.kind == LEX_PUNCT &&
			     strchr("(=;{,[", t.p[next.begin]) && !str_is_any(word, known);
		if (k.kind == LEX_DIRECTIVE || lex_is(t, k, "}") || close >= at ||
			str_is_any(word, scopes) ||
			(names && lex_has_word(part, 0, part.n, word))) {
			return true;
		}
		k.end = close ? close + 1 : k.end;
		*last = k;
	}
	return false;
}

size_t unify_find_there(const struct unify_function *f, struct str part, size_t from)
{
	const struct plan *p = f->c.p;
	struct str t = p->text;
	size_t limit = f->c.pattern.lambda ? t.n : p->parse->unit->fn[p->merge->fn].begin;
	size_t at = str_find(t, part.p, from), end = at + part.n;
	struct lex_token last = {0};
	if (at >= limit || end > limit || is_overloaded(p, f->name, at, end) ||
		declares_used(p, from, at, part, &last)) {
		return 0;
	}
	size_t begin = lex_next(part, 0).begin + at;
	bool whole = last.end == 0 || lex_is(t, lex_next(t, last.end - 1), "}") ||
		     lex_is(t, lex_next(t, last.end - 1), ";");
	return whole && lex_next(t, at).begin == begin ? end : 0;
}
