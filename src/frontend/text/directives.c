#include "frontend/text/directives.h"

#include <string.h>
#include "frontend/text/lex.h"

struct directive {
	struct str name;
	struct str rest;
};

static struct directive directive_of(struct str text, struct lex_token t)
{
	struct str line = str_sub(text, t.begin + 1, t.end);
	struct lex_token name = lex_next(line, 0);
	return (struct directive){
		str_sub(line, name.begin, name.end), str_sub(line, name.end, line.n)};
}

/* NAME, or NAME and one token. */
static bool is_plain_macro(struct str rest)
{
	struct lex_token name = lex_next(rest, 0);
	struct lex_token value = lex_next(rest, name.end);
	bool function = name.end < rest.n && rest.p[name.end] == '(';
	return name.kind == LEX_WORD && !function && lex_next(rest, value.end).kind == LEX_END;
}

/* <file> or "file". */
static bool is_plain_include(struct str rest)
{
	size_t at = lex_skip_space(rest, 0);
	return at < rest.n && (rest.p[at] == '<' || rest.p[at] == '"');
}

/* Updates the depth of conditions; false for a directive that must stay at its place. */
static bool is_movable(struct directive d, int *depth)
{
	static const char *const open[] = {"if", "ifdef", "ifndef", NULL};
	static const char *const between[] = {"elif", "else", "elifdef", "elifndef", "undef", NULL};
	if (str_is_any(d.name, open)) {
		++*depth;
		return true;
	}
	if (str_is(d.name, "endif")) {
		return --*depth >= 0;
	}
	return str_is_any(d.name, between) ||
	       (str_is(d.name, "define") && is_plain_macro(d.rest)) ||
	       (str_is(d.name, "include") && is_plain_include(d.rest));
}

size_t directives_end(struct str text)
{
	size_t end = 0;
	int depth = 0;
	bool includes = false;
	for (struct lex_token t = lex_next(text, 0); t.kind == LEX_DIRECTIVE;
		t = lex_next(text, t.end)) {
		struct directive d = directive_of(text, t);
		size_t comment = str_find(d.rest, "/*", 0);
		bool open = comment != SIZE_MAX && str_find(d.rest, "*/", comment + 2) == SIZE_MAX;
		if (open || !is_movable(d, &depth)) {
			break;
		}
		includes |= str_is(d.name, "include");
		if (depth == 0 && includes) {
			end = t.end;
			includes = false;
		}
	}
	return end;
}

/* A macro call may contain __has_include. */
static bool calls_macro(struct str condition)
{
	struct lex_token last = lex_next(condition, 0);
	for (struct lex_token t = last; t.kind != LEX_END; t = lex_next(condition, t.end)) {
		if (lex_is(condition, t, "(") && last.kind == LEX_WORD &&
			!lex_is(condition, last, "defined")) {
			return true;
		}
		last = t;
	}
	return false;
}

bool directives_after_include(struct str text, size_t end)
{
	static const char *const reading[] = {
		"include", "include_next", "import", "embed", "__include_macros", NULL};
	static const char *const asking[] = {"if", "elif", NULL};
	lex_each (t, text, end, text.n) {
		struct directive d = {.name = {0}};
		if (t.kind == LEX_DIRECTIVE) {
			d = directive_of(text, t);
		}
		if (str_is_any(d.name, reading) ||
			(str_is_any(d.name, asking) && calls_macro(d.rest))) {
			return true;
		}
	}
	return str_find(text, "__has_", end) != SIZE_MAX;
}

struct str directives_text(struct arena *a, struct str text, size_t end, bool *quotes)
{
	struct sbuf out = {0};
	*quotes = false;
	lex_each (t, text, 0, end) {
		sbuf_addstr(&out, str_sub(text, t.begin, t.end));
		sbuf_addc(&out, '\n');
		*quotes |= memchr(text.p + t.begin, '"', t.end - t.begin) != NULL;
	}
	return sbuf_finish(&out, a);
}

void directives_blank(struct sbuf *out, struct str text, size_t end)
{
	for (size_t i = 0; i < end; i++) {
		sbuf_addc(out, text.p[i] == '\n' ? '\n' : ' ');
	}
	sbuf_addstr(out, str_sub(text, end, text.n));
}
