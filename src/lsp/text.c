#include "lsp/text.h"

static void find_lines(struct lsp_text *t)
{
	struct str s = sbuf_str(&t->text);
	t->line.n = 0;
	array_push(&t->line, 0);
	for (size_t i = 0; i < s.n; i++) {
		bool pair = s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n';
		if (s.p[i] == '\n' || (s.p[i] == '\r' && !pair)) {
			array_push(&t->line, i + 1);
		}
	}
}

void lsp_text_set(struct lsp_text *t, struct str text)
{
	sbuf_reset(&t->text);
	sbuf_addstr(&t->text, text);
	find_lines(t);
}

void lsp_text_release(struct lsp_text *t)
{
	sbuf_release(&t->text);
	array_release(&t->line);
}

struct str lsp_line(const struct lsp_text *t, size_t line)
{
	struct str s = sbuf_str(&t->text);
	if (line >= t->line.n) {
		return str_sub(s, s.n, s.n);
	}
	size_t end = line + 1 < t->line.n ? t->line.v[line + 1] : s.n;
	s = str_sub(s, t->line.v[line], end);
	if (line + 1 < t->line.n) {
		s.n -= s.n > 1 && s.p[s.n - 1] == '\n' && s.p[s.n - 2] == '\r' ? 2 : 1;
	}
	return s;
}

/* The number of characters that a byte counts as. */
static size_t counts(char c, enum lsp_units units)
{
	unsigned char b = (unsigned char)c;
	if (units == LSP_UTF8) {
		return 1;
	}
	return (b & 0xc0) == 0x80 ? 0 : b >= 0xf0 ? 2 : 1;
}

size_t lsp_offset(const struct lsp_text *t, struct lsp_position p, enum lsp_units units)
{
	struct str line = lsp_line(t, p.line);
	if (p.line >= t->line.n) {
		return t->text.n;
	}
	size_t at = 0, character = 0;
	while (at < line.n && character < p.character) {
		character += counts(line.p[at], units);
		at++;
		while (at < line.n && counts(line.p[at], units) == 0) {
			at++; /* the rest of a character */
		}
	}
	return t->line.v[p.line] + at;
}

struct lsp_position lsp_position(const struct lsp_text *t, size_t offset, enum lsp_units units)
{
	size_t low = 0, high = t->line.n;
	offset = offset < t->text.n ? offset : t->text.n;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (t->line.v[middle] <= offset) {
			low = middle;
		} else {
			high = middle;
		}
	}
	struct lsp_position p = {.line = low};
	for (size_t at = t->line.v[low]; at < offset; at++) {
		p.character += counts(t->text.p[at], units);
	}
	return p;
}

bool lsp_text_change(struct lsp_text *t, struct lsp_position begin, struct lsp_position end,
	struct str text, enum lsp_units units)
{
	size_t from = lsp_offset(t, begin, units), to = lsp_offset(t, end, units);
	if (to < from) {
		return false;
	}
	struct sbuf new = {0};
	struct str old = sbuf_str(&t->text);
	sbuf_addstr(&new, str_sub(old, 0, from));
	sbuf_addstr(&new, text);
	sbuf_addstr(&new, str_sub(old, to, old.n));
	sbuf_release(&t->text);
	t->text = new;
	find_lines(t);
	return true;
}
