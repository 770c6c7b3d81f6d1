/* Finds kernels: __global__ is an attribute before or in the declaration. */
#include "verify/runtime/tokens.h"

/* Words followed by a bracket that is not a parameter list. */
static bool has_own_bracket(const struct preparation *p, size_t i)
{
	return token_is(p, i, "__attribute__") || token_is(p, i, "__attribute") ||
	       token_is(p, i, "alignas") || token_is(p, i, "decltype") ||
	       token_is(p, i, "explicit");
}

static bool is_global(const struct preparation *p, size_t i)
{
	return token_is(p, i, "global") || token_is(p, i, "__global__");
}

size_t token_past_angle(const struct preparation *p, size_t i)
{
	size_t depth = 0;

	while (token_kind(p, i) != '\0' && token_kind(p, i) != ';') {
		char kind = token_kind(p, i);
		if (token_opens(kind)) {
			i = token_past_bracket(p, i);
			continue;
		}
		depth += kind == '<';
		if (kind == '>' && --depth == 0) {
			return i + 1;
		}
		i++;
	}
	return i;
}

/* The name of the function whose declaration continues at i; p->tokens.n: none. */
static size_t declared_at(const struct preparation *p, size_t i)
{
	size_t name = p->tokens.n;

	for (;;) {
		char kind = token_kind(p, i);
		if (kind == 'a' && has_own_bracket(p, i) && token_kind(p, i + 1) == '(') {
			i = token_past_bracket(p, i + 1);
		} else if (kind == 'a') {
			name = i++;
		} else if (kind == '(') {
			return name;
		} else if (kind == '[') {
			i = token_past_bracket(p, i);
		} else if (kind == '<') {
			i = token_past_angle(p, i);
		} else if (kind == ':' || kind == '*' || kind == '&' || kind == '"') {
			i++;
		} else {
			return p->tokens.n;
		}
	}
}

void kernels_find(struct words *out, const struct preparation *p)
{
	for (size_t i = 0; i < p->tokens.n; i++) {
		bool attribute = token_is(p, i, "__attribute__") || token_is(p, i, "__attribute");
		size_t end =
			attribute && token_kind(p, i + 1) == '(' ? token_past_bracket(p, i + 1) : i;
		bool global = false;
		for (size_t k = i; k < end && !global; k++) {
			global = is_global(p, k);
		}
		size_t name = global ? declared_at(p, end) : p->tokens.n;
		if (name < p->tokens.n) {
			const struct token *t = &p->tokens.v[name];
			words_add_once(out,
				arena_strndup(p->arena, p->source.p + t->begin, t->end - t->begin));
		}
	}
}
