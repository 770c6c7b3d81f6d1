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
		"do { (x) = __builtin_amdgcn_readfirstlane(x); asm volatile(\"\" : \"+s\"(x)); } "
		"while (0)",
		"((void)(x))", "LLVM forgets what it knew of x, which is the same in all lanes"},
	{NEED_LAUNDER, "UNPHI_LAUNDER(x)", "asm volatile(\"\" : \"+v\"(x))", "((void)(x))",
		"LLVM forgets what it knew of x"},
};

/* Where the text defines the macro; SIZE_MAX: nowhere. */
static size_t definition(struct str text, const char *macro)
{
	size_t n = strcspn(macro, "(");
	struct sbuf want = {0};
	sbuf_addf(&want, "#define %.*s(", (int)n, macro);
	size_t at = str_find(text, sbuf_cstr(&want), 0);
	sbuf_release(&want);
	return at;
}

/* Where the first edit is that uses the macro; SIZE_MAX: none. */
static size_t first_use(const struct edit_list *l, const char *macro)
{
	struct str name = str_sub(str_of(macro), 0, strcspn(macro, "(") + 1);
	size_t first = SIZE_MAX;
	array_each (&l->edits, const struct edit, e) {
		first = e->begin < first && str_holds(e->text, name) ? e->begin : first;
	}
	return first;
}

/* End of the comment or #pragma once that begins at i, its line included, or i when there is none
 * or when code follows it on the line. */
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

/* The name in a line "#WORD NAME"; empty when it is another. */
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

/* Is the #if whose directives stand in front of i open until the last line that is none of white
 * space and comment? */
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

/* Behind the two lines of an include guard that begins at i, or i when there is none: what stands
 * in front of it has the compiler read the file again wherever it is included again. */
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

/* Where the line of the last include at the top ends; 0 when there is none. What stands behind the
 * includes leaves these what they were to whoever keeps them parsed. */
static size_t includes_end(struct str t)
{
	size_t end = directives_end(t);
	size_t line = end > 0 ? str_find(t, "\n", end) : SIZE_MAX;
	if (line == SIZE_MAX) {
		return 0;
	}
	return t.p[line - 1] == '\r' ? line - 1 : line;
}

/* Behind the comments that open the file, behind #pragma once, and inside an include guard. */
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

/* #ifs that are open at a place, that of an include guard apart. */
static size_t open_ifs(struct str t, size_t at)
{
	size_t open = 0, start = opening_end(t);
	for (struct lex_token k = lex_next(t, start); k.kind != LEX_END && k.begin < at;
		k = lex_next(t, k.end)) {
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

/* In front of the function that an edit at a place is in, its comments included; 0: that is no
 * place for a macro that others may use behind it. */
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

void strategy_prelude(
	struct edit_list *l, struct arena *a, struct str text, unsigned needs, bool comments)
{
	const char *eol = text_eol(text);
	struct sbuf s = {0};
	size_t use = SIZE_MAX;
	bool again = false;
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		const struct macro *m = &macros[i];
		size_t at = definition(text, m->name), first = first_use(l, m->name);
		if (!(needs & m->need) || first == SIZE_MAX || at < first) {
			continue;
		}
		again |= at != SIZE_MAX;
		use = first < use ? first : use;
		if (comments) {
			sbuf_addf(&s, "/* %s */%s", m->why, eol);
		}
		/* a host pass of HIP defines what its GPU is, too: both, as CUDA has the other */
		sbuf_addf(&s,
			"#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)%s#define %s "
			"%s%s",
			eol, m->name, m->device, eol);
		sbuf_addf(&s, "#else%s#define %s %s%s#endif%s", eol, m->name, m->host, eol, eol);
	}
	if (s.n) {
		size_t beside = again ? 0 : beside_function(l, text, use);
		size_t behind = beside ? 0 : includes_end(text);
		struct sbuf all = {0};
		if (behind > 0) { /* in the line's end: the next line may begin with another edit */
			sbuf_addf(&all, "%s%s%s", eol, eol, sbuf_cstr(&s));
			all.n -= strlen(eol);
		} else {
			sbuf_addf(&all, "%s%s", sbuf_cstr(&s), eol);
			behind = beside ? beside : opening_end(text);
		}
		edit_list_add(l, a, behind, behind, sbuf_str(&all));
		sbuf_release(&all);
	}
	sbuf_release(&s);
}
