#include "cc/line_directives.h"

#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "edit/edit.h"
#include "frontend/text/lex.h"

enum {
	UNKNOWN = 0, /* no line number: they start with 1 */
	AMBIGUOUS = UINT32_MAX,
	LIKE_MIN = 8,	 /* bytes of a common prefix that make two lines similar */
	LIKE_LINES = 256 /* lines compared with each new one */
};

struct line {
	struct str text; /* with its line end */
	unsigned number; /* the number to give to it */
	bool safe;	 /* a directive may be put before it */
	bool skipped; /* it follows an #if, #else or #endif, so an earlier #line may be skipped */
};

struct numbering {
	ARRAY(struct line) v;
	struct map known; /* trimmed lines of before -> number, or AMBIGUOUS */
};

/* ---- the number of a line ---- */

static bool has_letter(struct str trimmed)
{
	for (size_t i = 0; i < trimmed.n; i++) {
		if (((unsigned char)trimmed.p[i] | 32) >= 'a' &&
			((unsigned char)trimmed.p[i] | 32) <= 'z') {
			return true;
		}
	}
	return false;
}

static void learn_lines(struct numbering *n, struct str before)
{
	for (unsigned number = 1; before.n; number++) {
		struct str key = str_trim(str_whole_line(&before));
		if (has_letter(key)) {
			map_set(&n->known, key, map_has(&n->known, key) ? AMBIGUOUS : number);
		}
	}
}

static void add_old(struct numbering *n, struct str text, unsigned *number)
{
	while (text.n) {
		array_push(
			&n->v, (struct line){.text = str_whole_line(&text), .number = (*number)++});
	}
}

/* Of the removed lines, the number of the one with the longest common prefix with line. Their
 * numbers begin with first. dflt if no common prefix is long enough. */
static unsigned find_like(struct str line, struct str removed, unsigned first, unsigned dflt)
{
	struct str wanted = str_trim(line);
	size_t best = LIKE_MIN - 1;

	for (unsigned i = 0; removed.n && i < LIKE_LINES; i++) {
		struct str other = str_trim(str_whole_line(&removed));
		size_t same = 0;
		while (same < wanted.n && same < other.n && wanted.p[same] == other.p[same]) {
			same++;
		}
		if (same > best) {
			best = same;
			dflt = first + i;
		}
	}
	return dflt;
}

static void add_new(struct numbering *n, struct str text, struct str removed, unsigned first)
{
	unsigned number = first;

	while (text.n) {
		struct str line = str_whole_line(&text);
		uintptr_t like = map_get(&n->known, str_trim(line), AMBIGUOUS);
		number = like == AMBIGUOUS ? find_like(line, removed, first, number)
					   : (unsigned)like;
		array_push(&n->v, (struct line){.text = line, .number = number});
	}
}

static void number_lines(struct numbering *n, struct arena *a, struct str before, struct str after)
{
	struct edit_list l = {{0}};
	unsigned number = 1;
	size_t at = 0;

	learn_lines(n, before);
	diff_edits(&l, a, before, after);
	array_each (&l.edits, const struct edit, e) {
		add_old(n, str_sub(before, at, e->begin), &number);
		struct str removed = str_sub(before, e->begin, e->end);
		add_new(n, e->text, removed, number);
		for (; removed.n; number++) {
			str_whole_line(&removed);
		}
		at = e->end;
	}
	add_old(n, str_sub(before, at, before.n), &number);
	edit_list_release(&l);
}

/* ---- the places for a directive ---- */

struct scan {
	struct str text;
	struct numbering *n;
	size_t line;  /* the next line that starts at or after the scanned text */
	size_t start; /* its offset */
	ARRAY(char) open;
	unsigned unsafe; /* brackets in open that may contain a macro's arguments */
};

static void mark_start(struct scan *s, size_t offset, bool safe)
{
	while (s->line < s->n->v.n && s->start < offset) {
		s->start += s->n->v.v[s->line++].text.n;
	}
	if (s->line < s->n->v.n && s->start == offset) {
		s->n->v.v[s->line].safe = safe;
	}
}

static bool is_spliced(struct str text, size_t newline)
{
	size_t i = newline;

	i -= i > 0 && text.p[i - 1] == '\r';
	return i > 0 && text.p[i - 1] == '\\';
}

/* Marks the line starts between two tokens that are outside comments. */
static void scan_gap(struct scan *s, size_t at, size_t end)
{
	struct str t = str_sub(s->text, 0, end);

	for (; at < end; at++) {
		if (t.p[at] == '/' && at + 1 < end && t.p[at + 1] == '*') {
			size_t close = str_find(t, "*/", at + 2);
			at = close == SIZE_MAX ? end : close + 1;
		} else if (t.p[at] == '/' && at + 1 < end && t.p[at + 1] == '/') {
			do {
				at = str_find(t, "\n", at + 1);
			} while (at != SIZE_MAX && is_spliced(t, at));
			at = at == SIZE_MAX ? end : at;
		}
		if (at < end && t.p[at] == '\n') {
			mark_start(s, at + 1, s->unsafe == 0 && !is_spliced(t, at));
		}
	}
}

/* Could this parenthesis open the arguments of a macro? */
static bool may_be_macro(struct str text, struct lex_token before)
{
	static const char *const keywords[] = {"if", "for", "while", "switch", "return", "sizeof",
		"alignof", "decltype", "catch", "noexcept", "constexpr", NULL};

	if (before.kind != LEX_WORD) {
		return false;
	}
	for (size_t i = 0; keywords[i]; i++) {
		if (lex_is(text, before, keywords[i])) {
			return false;
		}
	}
	return true;
}

static void scan_bracket(struct scan *s, struct lex_token k, struct lex_token before)
{
	char c = s->text.p[k.begin];

	if (strchr("([{", c)) {
		bool unsafe = c == '(' && may_be_macro(s->text, before);
		array_push(&s->open, (char)unsafe);
		s->unsafe += unsafe;
	} else if (strchr(")]}", c) && s->open.n) {
		s->unsafe -= (unsigned)s->open.v[--s->open.n];
	}
}

/* The word of a directive, such as "endif". */
static struct str directive_word(struct str text, struct lex_token k)
{
	size_t at = k.begin + 1;

	while (at < k.end && (text.p[at] == ' ' || text.p[at] == '\t')) {
		at++;
	}
	size_t end = at;
	while (end < k.end && (((unsigned char)text.p[end] | 32) >= 'a') &&
		(((unsigned char)text.p[end] | 32) <= 'z')) {
		end++;
	}
	return str_sub(text, at, end);
}

static bool is_conditional(struct str word)
{
	return str_starts(word, "if") || str_starts(word, "el") || str_is(word, "endif");
}

static void scan_text(struct scan *s)
{
	struct lex_token before = {LEX_END, 0, 0};

	for (struct lex_token k = lex_next(s->text, 0); k.kind != LEX_END;
		before = k, k = lex_next(s->text, k.end)) {
		scan_gap(s, before.end, k.begin);
		if (k.kind == LEX_PUNCT) {
			scan_bracket(s, k, before);
		}
		if (k.kind == LEX_DIRECTIVE && is_conditional(directive_word(s->text, k))) {
			mark_start(s, k.end + 1, false);
			if (s->line < s->n->v.n) {
				s->n->v.v[s->line].skipped = true;
			}
		}
	}
	scan_gap(s, before.end, s->text.n);
}

/* "#line 7", or "# 7" as a preprocessor writes it. */
static bool has_numbers(struct str text)
{
	lex_each (k, text, 0, text.n) {
		if (k.kind != LEX_DIRECTIVE) {
			continue;
		}
		struct str word = directive_word(text, k);
		size_t at = (size_t)(word.p - text.p);
		if (str_is(word, "line") ||
			(at < k.end && text.p[at] >= '0' && text.p[at] <= '9')) {
			return true;
		}
	}
	return false;
}

bool cc_line_directives_add(struct sbuf *out, struct arena *a, struct str before, struct str after)
{
	struct numbering n = {0};
	struct scan s = {.text = after, .n = &n};
	unsigned now = 1;
	bool moved = false;

	if (has_numbers(before)) {
		return false;
	}
	number_lines(&n, a, before, after);
	scan_text(&s);
	array_each (&n.v, const struct line, l) {
		now = moved && l->skipped ? UNKNOWN : now;
		if (now != l->number && l->safe) {
			sbuf_addf(out, "#line %u\n", l->number);
			now = l->number;
			moved = true;
		}
		sbuf_addstr(out, l->text);
		now += now != UNKNOWN;
	}
	array_release(&s.open);
	array_release(&n.v);
	map_release(&n.known);
	return true;
}
