/* The macros that rewritten code uses. */
#include <ctype.h>
#include <string.h>
#include "frontend/text/directives.h"
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/strategy.h"
#include "strategy/text/text.h"

struct macro {
	enum need need;
	const char *name;
	const char *device;
	const char *host;
	const char *why;
};

static const struct macro macros[] = {
	{NEED_FENCE, "UNPHI_FENCE()", "__builtin_amdgcn_wave_barrier()", "((void)0)",
		"keeps LLVM from joining the ifs on both sides; costs no instruction"},
	{NEED_LAUNDER_UNIFORM, "UNPHI_LAUNDER_UNIFORM(x)",
		"\\\n\tdo { (x) = __builtin_amdgcn_readfirstlane(x); asm volatile(\"\" : "
		"\"+s\"(x)); } while (0)",
		"((void)(x))", "LLVM forgets what it knew of x, which is the same in all lanes"},
	{NEED_LAUNDER, "UNPHI_LAUNDER(x)", "asm volatile(\"\" : \"+v\"(x))", "((void)(x))",
		"LLVM forgets what it knew of x"},
};

/* The offset of the macro's definition; SIZE_MAX: none. */
static size_t definition(struct str text, const char *macro)
{
	size_t n = strcspn(macro, "(");
	struct sbuf want = {0};
	sbuf_addf(&want, "#define %.*s(", (int)n, macro);
	size_t at = str_find(text, sbuf_cstr(&want), 0);
	sbuf_release(&want);
	return at;
}

/* The offset of the first edit that uses the macro; SIZE_MAX: none. */
static size_t first_use(const struct edit_list *l, const char *macro)
{
	struct str name = str_sub(str_of(macro), 0, strcspn(macro, "(") + 1);
	size_t first = SIZE_MAX;
	array_each (&l->edits, const struct edit, e) {
		first = e->begin < first && str_holds(e->text, name) ? e->begin : first;
	}
	return first;
}

/* The end of the line of the comment or #pragma once at i; i if there is none, or if code follows
 * on the line. */
static size_t skip_opening(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n);
	size_t e = SIZE_MAX;
	if (str_starts(rest, "//") || str_starts(rest, "#pragma once")) {
		e = str_find(t, "\n", lex_line_end(t, i));
	} else if (str_starts(rest, "/*")) {
		size_t close = str_find(t, "*/", i + 2);
		e = close == SIZE_MAX ? SIZE_MAX : str_find(t, "\n", close);
		if (e != SIZE_MAX && str_trim(str_sub(t, close + 2, e)).n) {
			return i;
		}
	}
	return e == SIZE_MAX ? i : e + 1;
}

/* The name in a line "#WORD NAME"; empty for other lines. */
static struct str directive_name(struct str line, const char *word)
{
	line = str_trim(line);
	if (!str_starts(line, "#")) {
		return (struct str){0};
	}
	line = str_trim(str_sub(line, 1, line.n));
	size_t n = strlen(word);
	bool is = str_starts(line, word) && line.n > n && isspace((unsigned char)line.p[n]);
	return is ? str_trim(str_sub(line, n, line.n)) : (struct str){0};
}

/* Is the #if before i open until the last line of code? */
static bool is_open_to_the_end(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n), line;
	unsigned depth = 1;
	bool ended = false;
	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (!line.n) {
			continue;
		}
		if (ended && !str_starts(line, "//")) {
			return false;
		}
		if (!str_starts(line, "#")) {
			continue;
		}
		line = str_trim(str_sub(line, 1, line.n));
		if (str_starts(line, "if")) {
			depth++;
		} else if (str_starts(line, "endif")) {
			ended = --depth == 0;
		} else if (depth == 1 && str_starts(line, "el")) {
			return false;
		}
	}
	return ended;
}

/* The offset after the two lines of an include guard at i, or i if there is none. Text before a
 * guard would make the compiler read the file again for each include. */
static size_t skip_guard(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n), first = {0}, second = {0};
	str_line(&rest, &first);
	str_line(&rest, &second);
	struct str name = directive_name(first, "ifndef");
	size_t end = t.n - rest.n;
	bool guard = name.n && str_eq(name, directive_name(second, "define"));
	return guard && is_open_to_the_end(t, end) ? end : i;
}

/* The end of the last include's line at the top; 0 if there is none. Text after the includes keeps
 * precompiled headers valid. */
static size_t includes_end(struct str t)
{
	size_t end = directives_end(t);
	size_t line = end > 0 ? str_find(t, "\n", end) : SIZE_MAX;
	if (line == SIZE_MAX) {
		return 0;
	}
	return t.p[line - 1] == '\r' ? line - 1 : line;
}

/* The place after the opening comments and #pragma once, inside an include guard. */
static size_t opening_end(struct str t)
{
	const size_t start = str_starts(t, "\xEF\xBB\xBF") ? 3 : 0;
	for (size_t i = start;;) {
		size_t text = i;
		while (text < t.n && isspace((unsigned char)t.p[text])) {
			text++;
		}
		size_t e = skip_opening(t, text);
		e = e == text ? skip_guard(t, text) : e;
		if (e == text) {
			return i == start ? start : text;
		}
		i = e;
	}
}

/* The number of #ifs open at a place, without an include guard's. */
static size_t open_ifs(struct str t, size_t at)
{
	size_t open = 0, start = opening_end(t);
	lex_each (k, t, start, at) {
		struct str word = k.kind == LEX_DIRECTIVE ? str_trim(str_sub(t, k.begin + 1, k.end))
							  : (struct str){0};
		open += str_starts(word, "if");
		open -= str_starts(word, "endif") && open > 0;
	}
	return open;
}

static bool is_edited(const struct edit_list *l, size_t at)
{
	array_each (&l->edits, const struct edit, e) {
		if (e->begin <= at && at <= e->end) {
			return true;
		}
	}
	return false;
}

/* The start of the function around an edit, with its comments; 0: not a place for a macro that
 * later code may use. */
static size_t beside_function(const struct edit_list *l, struct str t, size_t at)
{
	struct span fn = layout_function_in(t, at);
	size_t line = fn.end ? text_line_start(t, fn.begin) : 0;
	if (!fn.end || !text_first_on_line(t, fn.begin) || line < opening_end(t) ||
		open_ifs(t, line) || !layout_in_namespaces(t, line)) {
		return 0;
	}
	while (line > 0) {
		size_t above = text_line_start(t, line - 1);
		struct str text = str_trim(str_sub(t, above, line));
		if (!str_starts(text, "//") && !(str_starts(text, "/*") && str_ends(text, "*/"))) {
			break;
		}
		line = above;
	}
	struct str above = str_trim(str_sub(t, line ? text_line_start(t, line - 1) : 0, line));
	return str_ends(above, "*/") || is_edited(l, line) ? 0 : line;
}

/* Adds a macro's definition. */
static void add_macro(struct sbuf *out, const struct macro *m, const char *eol, bool comments)
{
	if (comments) {
		sbuf_addf(out, "/* %s */%s", m->why, eol);
	}
	/* HIP's host pass also defines __AMDGCN__, and CUDA the other: test both */
	sbuf_addf(out, "#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)%s#define %s ",
		eol, m->name);
	struct str rest = str_of(m->device), line;
	for (bool first = true; str_line(&rest, &line); first = false) {
		sbuf_addf(out, "%s%.*s", first ? "" : eol, STR_ARG(line));
	}
	sbuf_addf(out, "%s#else%s#define %s %s%s#endif%s", eol, eol, m->name, m->host, eol, eol);
}

/* Removes an earlier rewrite's definition and the empty line after it; false: the definition is not
 * unphi's. */
static bool take_away(
	struct edit_list *l, struct arena *a, struct str text, size_t at, struct str macro)
{
	size_t begin = SIZE_MAX;
	for (size_t i = str_find(text, arena_strndup(a, macro.p, macro.n), 0); i < at;
		i = str_find(text, arena_strndup(a, macro.p, macro.n), i + 1)) {
		begin = i;
	}
	size_t end = begin == SIZE_MAX ? 0 : begin + macro.n;
	if (end <= at || is_edited(l, begin) || is_edited(l, end)) {
		return false;
	}
	end = text_line_ends_at(text, end) ? str_find(text, "\n", end) + 1 : end;
	edit_list_add(l, a, begin, end, (struct str){0});
	return true;
}

/* The place for definitions that are first used at use. *lead: the text before them. */
static size_t place_of(const struct edit_list *l, struct str text, size_t use, bool again,
	const char **lead, bool *at_line_end)
{
	const char *eol = text_eol(text);
	size_t beside = again ? 0 : beside_function(l, text, use);
	size_t after = beside ? 0 : includes_end(text);
	*lead = "";
	*at_line_end = after > 0;
	if (after > 0) { /* before the line's end, since another edit may begin on the next line */
		*lead = strcmp(eol, "\n") == 0 ? "\n\n" : "\r\n\r\n";
		return after;
	}
	if (beside > 1 && !text_line_ends_at(text, text_line_start(text, beside - 1))) {
		*lead = eol;
	}
	return beside ? beside : opening_end(text);
}

void strategy_prelude(
	struct edit_list *l, struct arena *a, struct str text, unsigned needs, bool comments)
{
	const char *eol = text_eol(text), *lead;
	struct sbuf s = {0}, all = {0};
	size_t use = SIZE_MAX;
	bool again = false, at_line_end;
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		const struct macro *m = &macros[i];
		size_t at = definition(text, m->name), first = first_use(l, m->name);
		if (!(needs & m->need) || first == SIZE_MAX || at < first) {
			continue;
		}
		size_t begin = s.n;
		add_macro(&s, m, eol, comments);
		struct str own = str_sub(sbuf_str(&s), begin, s.n);
		again |= at != SIZE_MAX && !take_away(l, a, text, at, own);
		use = first < use ? first : use;
	}
	if (s.n) {
		size_t place = place_of(l, text, use, again, &lead, &at_line_end);
		sbuf_addf(&all, "%s%s%s", lead, sbuf_cstr(&s), at_line_end ? "" : eol);
		all.n -= at_line_end ? strlen(eol) : 0;
		edit_list_add(l, a, place, place, sbuf_str(&all));
	}
	sbuf_release(&all);
	sbuf_release(&s);
}
