#include "base/lines.h"

#include <string.h>

/* Counts bytes directly: one memchr call a line is slower. */
static unsigned newlines(struct str t, size_t begin, size_t end)
{
	unsigned n = 0;

	for (size_t i = begin; i < end; i++) {
		n += t.p[i] == '\n';
	}
	return n;
}

static size_t line_begin(struct str source, size_t offset)
{
	const char *hit = offset > 0 ? memrchr(source.p, '\n', offset) : NULL;

	return hit ? (size_t)(hit - source.p) + 1 : 0;
}

size_t line_offset(struct str text, unsigned line)
{
	size_t at = 0;

	for (unsigned i = 1; i < line && at < text.n; i++) {
		size_t end = str_find(text, "\n", at);
		at = end == SIZE_MAX ? text.n : end + 1;
	}
	return at;
}

struct line_col line_col_of(struct str source, size_t offset)
{
	offset = offset < source.n ? offset : source.n;
	size_t begin = line_begin(source, offset);

	return (struct line_col){1 + newlines(source, 0, begin), (unsigned)(offset - begin) + 1};
}

struct str line_around(struct str source, size_t offset)
{
	offset = offset < source.n ? offset : source.n;
	struct str rest = str_sub(source, line_begin(source, offset), source.n), line = rest;

	str_line(&rest, &line);
	return line;
}

struct line_marks *line_marks_make(struct arena *a, struct str text)
{
	struct line_marks *m = ARENA_NEW(a, struct line_marks);

	m->text = text;
	m->end = ARENA_ARRAY(a, uint32_t, newlines(text, 0, text.n));
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n') {
			m->end[m->n++] = (uint32_t)i;
		}
	}
	return m;
}

struct line_col line_marks_at(const struct line_marks *m, size_t offset)
{
	size_t low = 0, high = m->n; /* bounds on the number of newlines before offset */

	offset = offset < m->text.n ? offset : m->text.n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->end[middle] < offset) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	size_t begin = low ? m->end[low - 1] + 1 : 0;
	return (struct line_col){(unsigned)low + 1, (unsigned)(offset - begin) + 1};
}
