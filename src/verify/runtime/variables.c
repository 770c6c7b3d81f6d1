/* Finds __device__ variables, which are compared like buffers. */
#include <string.h>

#include "verify/runtime/tokens.h"

enum {
	MARK = 6 /* tokens of __attribute__((device)) */
};

static bool is_mark(const struct preparation *p, size_t i)
{
	return token_is(p, i, "__attribute__") && token_kind(p, i + 1) == '(' &&
	       token_kind(p, i + 2) == '(' && token_is(p, i + 3, "device") &&
	       token_kind(p, i + 4) == ')' && token_kind(p, i + 5) == ')';
}

/* The first token of the declaration that token i is in. */
static size_t beginning(const struct preparation *p, size_t i)
{
	while (i > 0 && !strchr(";{}", token_kind(p, i - 1))) {
		i--;
	}
	return i;
}

/* Is the declaration at token i at namespace scope? */
static bool is_at_namespace(const struct preparation *p, size_t i)
{
	while (i > 0) {
		char kind = token_kind(p, i - 1);
		if (token_closes(kind)) {
			i = token_opening(p, i - 1);
			continue;
		}
		if (!token_opens(kind)) {
			i--;
			continue;
		}
		bool of_namespace = false;
		size_t head = i - 1;
		for (; head > 0 && strchr("a:\"", token_kind(p, head - 1)); head--) {
			of_namespace |= token_is(p, head - 1, "namespace") ||
					token_is(p, head - 1, "extern");
		}
		if (!of_namespace) {
			return false;
		}
		i = head;
	}
	return true;
}

static bool has_word(const struct preparation *p, size_t from, size_t to, const char *word)
{
	bool found = false;

	for (size_t i = from; i < to; i++) {
		found |= token_is(p, i, word);
	}
	return found;
}

static bool is_type_word(const struct preparation *p, size_t i)
{
	return token_is(p, i, "struct") || token_is(p, i, "class") || token_is(p, i, "union") ||
	       token_is(p, i, "enum");
}

/* The end of the variable's declarator that continues at i: its "," or ";". p->tokens.n: not a
 * variable. *name is its name. */
static size_t declarator(const struct preparation *p, size_t i, size_t *name)
{
	bool value = false, body = false;

	*name = p->tokens.n;
	for (;; i++) {
		char kind = token_kind(p, i);
		if (kind == ';' || (kind == ',' && *name < p->tokens.n)) {
			return i;
		}
		body |= is_type_word(p, i);
		if (kind == 'a' && (token_is(p, i, "__attribute__") || token_is(p, i, "alignas")) &&
			token_kind(p, i + 1) == '(') {
			i = token_past_bracket(p, i + 1) - 1;
		} else if (kind == '<' && !value) {
			i = token_past_angle(p, i) - 1;
		} else if (kind == '{' && body && !value) { /* the body of a type */
			*name = p->tokens.n;
			body = false;
			i = token_past_bracket(p, i) - 1;
		} else if (kind == '[' || kind == '{' || (kind == '(' && value)) {
			value |= kind == '{';
			i = token_past_bracket(p, i) - 1;
		} else if (kind == '(' || kind == '\0' || token_closes(kind) ||
			   token_is(p, i, "operator")) {
			return p->tokens.n;
		} else if (kind == '=') {
			value = true;
		} else if (kind == 'a' && !value) {
			*name = i;
		}
	}
}

/* known: its address can be taken at the declaration. */
static void add_variable(struct sbuf *text, struct preparation *p, size_t name, bool known)
{
	const struct token *t = &p->tokens.v[name];
	int n = (int)(t->end - t->begin);
	const char *word = p->source.p + t->begin;

	sbuf_addf(text, " static const ::unphi::device_variable unphi_variable%u(\"%.*s\"",
		p->variables++, n, word);
	if (known) {
		sbuf_addf(text, ", %.*s", n, word);
	}
	sbuf_adds(text, ");");
}

size_t variables_mark(struct preparation *p, size_t i)
{
	if (!is_mark(p, i)) {
		return i;
	}
	size_t begin = beginning(p, i), after = i + MARK, name;
	token_replace(p, i, after, " ");
	size_t end = declarator(p, after, &name);
	if (end >= p->tokens.n || name >= p->tokens.n || has_word(p, begin, end, "extern") ||
		has_word(p, begin, end, "constexpr") || has_word(p, begin, end, "typedef")) {
		return after;
	}
	struct sbuf text = {0};
	bool known = is_at_namespace(p, begin) && !has_word(p, begin, end, "template") &&
		     token_kind(p, name - 1) != ':';
	while (name < p->tokens.n) {
		add_variable(&text, p, name, known);
		if (end >= p->tokens.n || token_kind(p, end) == ';') {
			break;
		}
		end = declarator(p, end + 1, &name);
	}
	size_t at = known && end < p->tokens.n ? p->tokens.v[end].end : p->source.n;
	token_insert(p, at, sbuf_str(&text));
	sbuf_release(&text);
	return after;
}
