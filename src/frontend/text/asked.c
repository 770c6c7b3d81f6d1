#include "frontend/text/asked.h"

#include <string.h>

#include "frontend/text/lex.h"

/* The operators of the language. */
static const char *const questions[] = {"__has_include", "__has_include_next", "__has_embed", NULL};
/* Parts that ## may join to one of these. */
static const char *const pieces[] = {"__has_", "__has", "_has_include", "has_include",
	"_has_include_next", "has_include_next", "_has_embed", "has_embed", NULL};

struct line {
	struct asked *q;
	struct str text; /* a logical line */
	bool added;	 /* a new macro was found */
};

static size_t word_end(struct str t, size_t at)
{
	while (at < t.n && lex_is_word_char(t.p[at])) {
		at++;
	}
	return at;
}

/* Skips blanks, line splices and comments. */
static size_t skip(struct str t, size_t at)
{
	for (;;) {
		if (at < t.n && strchr(" \t\v\f\r\n\\", t.p[at])) {
			at++;
		} else if (at + 1 < t.n && t.p[at] == '/' && t.p[at + 1] == '*') {
			size_t end = str_find(t, "*/", at + 2);
			at = end == SIZE_MAX ? t.n : end + 2;
		} else {
			return at;
		}
	}
}

static bool is_comment(struct str t, size_t at)
{
	return at + 1 < t.n && t.p[at] == '/' && t.p[at + 1] == '/';
}

/* The offset after the literal at `at`, or after the one character there. */
static size_t skip_token(struct str t, size_t at)
{
	char quote = t.p[at];
	if (quote != '"' && quote != '\'') {
		return at + 1;
	}
	for (size_t i = at + 1; i < t.n; i++) {
		if (t.p[i] == quote) {
			return i + 1;
		}
		i += t.p[i] == '\\';
	}
	return at + 1; /* an apostrophe, as in #error */
}

static bool asks(const struct asked *q, struct str word)
{
	return str_is_any(word, questions) || map_has(&q->macros, word);
}

/* The name in quotes or angle brackets at `at`, and its end; n 0: none. */
static struct str name_at(struct str t, size_t at, size_t *end)
{
	char close = at < t.n && t.p[at] == '<' ? '>' : '"';
	struct str none = {0};
	if (at >= t.n || (t.p[at] != '<' && t.p[at] != '"')) {
		return none;
	}
	for (size_t i = at + 1; i < t.n && t.p[i] != '\n'; i++) {
		if (t.p[i] == close) {
			*end = i + 1;
			return str_sub(t, at + 1, i);
		}
	}
	return none;
}

static void add_macro(struct line *l, struct str name)
{
	l->added |= map_set(&l->q->macros, name, 1);
}

/* The definition of a macro. */
struct definition {
	struct str name;
	struct str parameter; /* the only parameter; n 0: none, or several */
	bool is_definition;
};

/* Notes the operand of the question whose word ends at end. Returns the offset after it. */
static size_t see_question(struct line *l, const struct definition *d, size_t end, bool is_tested)
{
	struct str t = l->text;
	size_t open = skip(t, end);
	if (is_tested) { /* #ifdef __has_include, defined(__has_include) */
		return end;
	}
	if (open >= t.n || t.p[open] != '(') {
		if (d->is_definition) { /* #define HAS __has_include */
			add_macro(l, d->name);
		} else {
			l->q->unknown = true;
		}
		return end;
	}
	size_t at = skip(t, open + 1), after = at;
	struct str name = name_at(t, at, &after);
	size_t word = word_end(t, at);
	bool is_parameter = d->is_definition && d->parameter.n > 0 &&
			    str_eq(str_sub(t, at, word), d->parameter) && skip(t, word) < t.n &&
			    t.p[skip(t, word)] == ')';
	if (name.n > 0) {
		map_set(&l->q->names, name, 1);
	} else if (is_parameter) {
		add_macro(l, d->name);
	} else {
		l->q->unknown = true;
	}
	return after;
}

/* Reads NAME or NAME(PARAMETER) after the word define. Returns the offset of the body. */
static size_t read_definition(struct definition *d, struct str t, size_t at)
{
	size_t end = word_end(t, at);
	*d = (struct definition){.name = str_sub(t, at, end), .is_definition = true};
	if (end >= t.n || t.p[end] != '(') {
		return end;
	}
	size_t first = skip(t, end + 1), last = word_end(t, first), close = skip(t, last);
	if (last > first && close < t.n && t.p[close] == ')') {
		d->parameter = str_sub(t, first, last);
		return close + 1;
	}
	close = str_find(t, ")", end);
	return close == SIZE_MAX ? t.n : close + 1;
}

static bool begins_directive(struct str t, size_t at)
{
	struct str rest = str_sub(t, at, t.n);
	return str_starts(rest, "#") || str_starts(rest, "%:");
}

/* The offset of the line's first token: after a comment that began on a line above. A line that
 * starts with # or %: did not start inside a comment. */
static size_t after_comment(struct str t)
{
	size_t begin = skip(t, 0), open = str_find(t, "/*", 0), close = str_find(t, "*/", 0);
	return begins_directive(t, begin) || close == SIZE_MAX || open < close ? begin
									       : skip(t, close + 2);
}

/* Checks one logical line. Only directives ask; but if a comment ends on the line, a directive may
 * have begun on the line above. */
static void see_line(struct line *l)
{
	static const char *const testing[] = {
		"ifdef", "ifndef", "undef", "elifdef", "elifndef", "defined", NULL};
	static const char *const saying[] = {"error", "warning", "pragma", "line", NULL};
	struct str t = l->text, directive = {0};
	struct definition d = {.is_definition = false};
	bool live = str_find(t, "*/", 0) != SIZE_MAX, tested = false;
	for (size_t at = after_comment(t); at < t.n && !is_comment(t, at); at = skip(t, at)) {
		size_t end = word_end(t, at);
		struct str word = str_sub(t, at, end);
		if (word.n == 0) {
			live |= begins_directive(t, at);
			tested = tested && t.p[at] == '(';
			at = skip_token(t, at);
			continue;
		}
		bool first = live && directive.n == 0;
		directive = first ? word : directive;
		if (str_is_any(directive, saying)) {
			return;
		}
		at = end;
		if (first && str_is(word, "define")) {
			at = read_definition(&d, t, skip(t, end));
		} else if (live && asks(l->q, word)) {
			at = see_question(l, &d, end, tested);
		} else if (live && str_is_any(word, pieces)) {
			l->q->unknown = true;
		}
		tested = str_is_any(word, testing);
	}
}

/* Does a backslash before the line break at `at` remove it? */
static bool is_spliced(struct str t, size_t at)
{
	while (at > 0 && strchr(" \t\r", t.p[at - 1])) {
		at--;
	}
	return at > 0 && t.p[at - 1] == '\\';
}

/* The logical line around `at`. */
static struct str line_of(struct str t, size_t at)
{
	size_t begin = at, end = at;
	while (begin > 0 && (t.p[begin - 1] != '\n' || is_spliced(t, begin - 1))) {
		begin--;
	}
	while (end < t.n && (t.p[end] != '\n' || is_spliced(t, end))) {
		end++;
	}
	return str_sub(t, begin, end);
}

/* Checks each line that contains the piece. */
static bool see_lines(struct asked *q, struct str text, const char *piece)
{
	bool added = false;
	for (size_t at = 0; (at = str_find(text, piece, at)) != SIZE_MAX;) {
		struct line l = {.q = q, .text = line_of(text, at)};
		see_line(&l);
		added |= l.added;
		at = (size_t)(l.text.p - text.p) + l.text.n;
	}
	return added;
}

/* Adds the text without splices inside words; false, with nothing copied, if there are none. */
static bool add_unspliced(struct sbuf *out, struct str text)
{
	bool some = false;
	for (size_t at = 0; (at = str_find(text, "\\", at)) != SIZE_MAX && !some; at++) {
		size_t end = at + 1;
		while (end < text.n && strchr(" \t\r", text.p[end])) {
			end++;
		}
		some = end + 1 < text.n && text.p[end] == '\n' && at > 0 &&
		       lex_is_word_char(text.p[at - 1]) && lex_is_word_char(text.p[end + 1]);
	}
	for (size_t i = 0; some && i < text.n; i++) {
		size_t end = i + 1;
		while (text.p[i] == '\\' && end < text.n && strchr(" \t\r", text.p[end])) {
			end++;
		}
		if (text.p[i] == '\\' && end < text.n && text.p[end] == '\n') {
			i = end;
		} else {
			sbuf_addc(out, text.p[i]);
		}
	}
	return some;
}

bool asked_add(struct asked *q, struct str text)
{
	struct sbuf whole = {0};
	struct str t = add_unspliced(&whole, text) ? sbuf_str(&whole) : text;
	bool added = false;
	if (str_find(t, "has_", 0) != SIZE_MAX) {
		static const char *const marks[] = {
			"has_include", "has_embed", "__has_ ", "__has_,", NULL};
		for (size_t i = 0; marks[i]; i++) {
			added |= see_lines(q, t, marks[i]);
		}
	}
	for (size_t i = 0; i < q->macros.n; i++) {
		const char *name = arena_str(q->a, q->macros.entry[i].key).p;
		added |= see_lines(q, t, name);
	}
	sbuf_release(&whole);
	return added;
}

void asked_release(struct asked *q)
{
	map_release(&q->names);
	map_release(&q->macros);
}
