/* The class of a split function, from names and text. */
#include <ctype.h>
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/plan/layout.h"

bool callee_is_functor(const struct kt_unit *u, const struct kt_node *call)
{
	const struct kt_fn *fn = &u->fn[call->fn];
	return call->flags & KT_F_METHOD && call->fn && fn->is_method && !fn->is_lambda &&
	       strcmp(fn->base, "operator()") == 0;
}

/* The name without its trailing template arguments. */
static struct str without_arguments(struct str s)
{
	int depth = 0;
	size_t n = s.n;
	while (n > 0 && s.p[s.n - 1] == '>') {
		n--;
		depth += (s.p[n] == '>') - (s.p[n] == '<');
		if (depth == 0) {
			return str_sub(s, 0, n);
		}
	}
	return s;
}

struct str callee_class_name(const struct kt_fn *fn)
{
	struct str name = without_arguments(str_of(fn->name)), base = str_of(fn->base);
	size_t tail = base.n + strlen("::");
	bool scoped = name.n > tail && str_ends(name, fn->base) &&
		      str_ends(str_sub(name, 0, name.n - base.n), "::");
	return scoped ? str_sub(name, 0, name.n - tail) : (struct str){0};
}

struct str callee_class_word(struct str class)
{
	struct str s = without_arguments(class);
	size_t at = s.n;
	while (at > 0 && lex_is_word_char(s.p[at - 1])) {
		at--;
	}
	bool word = at < s.n && !isdigit((unsigned char)s.p[at]);
	return word ? str_sub(s, at, s.n) : (struct str){0};
}

bool callee_class_differs(const struct callee *c)
{
	struct str first = callee_class_name(&c->u->fn[c->leaf[0].fn]);
	bool differs = false;
	for (size_t k = 1; k < c->leaves; k++) {
		differs |= !str_eq(first, callee_class_name(&c->u->fn[c->leaf[k].fn]));
	}
	return differs;
}

/* Keywords that may come before an operator or parenthesis, and that no class declares. */
static const char *const plain_words[] = {"const", "volatile", "noexcept", "decltype",
	"static_assert", "alignas", "void", "bool", "char", "short", "int", "long", "unsigned",
	"signed", "float", "double", "auto", "__attribute__", NULL};

/* The offset after the template arguments that open there, if they close in this declaration. */
static size_t after_angles(struct str t, size_t open, size_t end)
{
	int depth = 0;
	for (size_t i = open; i < end && !strchr(";{", t.p[i]); i++) {
		depth += (t.p[i] == '<') - (t.p[i] == '>');
		if (depth == 0) {
			return i + 1;
		}
	}
	return open + 1;
}

bool callee_class_declares(const struct callee *c, struct str word)
{
	struct str t = c->p->text;
	struct span body = c->pattern.of.body;
	struct lex_token last = {0};
	bool in_enum = false, in_value = false, in_result = false;
	lex_each (k, t, body.begin + 1, body.end) {
		char sign = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
		struct str name = str_sub(t, last.begin, last.end);
		if (last.kind == LEX_WORD && sign && strchr(";=([{,:}", sign) && !in_value &&
			!in_result && str_eq(name, word) && !str_is_any(name, plain_words)) {
			return true;
		}
		bool arrow = sign == '>' && t.p[k.begin - 1] == '-';
		in_result = (in_result || arrow) && sign != ';' && sign != '{';
		in_enum = (in_enum || lex_is(t, k, "enum")) && sign != ';';
		in_value = (in_value || sign == '=') && sign != ';' && sign != ',';
		size_t close = sign == '(' || sign == '[' || (sign == '{' && !in_enum)
				       ? lex_close(t, k.begin)
				       : SIZE_MAX;
		k.end = close < body.end ? close + 1
			: sign == '<'	 ? after_angles(t, k.begin, body.end)
					 : k.end;
		last = k;
	}
	return str_is(word, "this") ||
	       str_eq(word, callee_class_word(callee_class_name(&c->u->fn[c->leaf[0].fn])));
}

bool callee_may_leave_class(const struct callee *c, struct str text)
{
	const struct layout *l = plan_layout(c->p);
	struct span all = c->pattern.of.all;
	for (struct lex_token k = lex_next(text, 0); all.end && k.kind != LEX_END;
		k = lex_next(text, k.end)) {
		struct str word = str_sub(text, k.begin, k.end);
		if (k.kind != LEX_WORD || str_is_any(word, plain_words)) {
			continue;
		}
		size_t first = layout_first(l, word);
		if (first >= all.begin && first < all.end) {
			return false;
		}
		for (size_t i = 0; i < c->pattern.of.tparams; i++) {
			if (str_eq(word, c->pattern.of.tparam[i].name)) {
				return false;
			}
		}
		if (callee_class_declares(c, word)) {
			return false;
		}
	}
	return true;
}
