#include "report/form/table.h"

#include <stdlib.h>

#include "base/mem.h"

static void add_cell(struct table *t, const char *fmt, va_list ap)
{
	struct sbuf text = {0};

	sbuf_vaddf_visible(&text, fmt, ap);
	if (text.n == 0) {
		sbuf_addc(&text, '-');
	}
	array_push(&t->cell, text.p);
}

void table_init(struct table *t, size_t columns, const char *const *headers)
{
	*t = (struct table){.columns = columns};
	for (size_t i = 0; i < columns; i++) {
		bool right = headers[i][0] == '>';

		array_push(&t->right, right);
		table_cell(t, "%s", headers[i] + right);
	}
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_cell(t, fmt, ap);
	va_end(ap);
}

static size_t code_points(const char *s)
{
	size_t n = 0;

	for (; *s; s++) {
		n += ((unsigned char)*s & 0xc0) != 0x80;
	}
	return n;
}

static size_t *column_widths(const struct table *t)
{
	size_t *width = mem_zeroed(t->columns, sizeof(*width));

	for (size_t i = 0; i < t->cell.n; i++) {
		size_t n = code_points(t->cell.v[i]), *w = &width[i % t->columns];

		*w = n > *w ? n : *w;
	}
	return width;
}

static void add_blanks(struct sbuf *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sbuf_addc(out, ' ');
	}
}

void table_print(struct sbuf *out, const struct table *t)
{
	size_t *width = column_widths(t);

	for (size_t i = 0; i < t->cell.n; i++) {
		size_t column = i % t->columns, pad = width[column] - code_points(t->cell.v[i]);
		bool last = column + 1 == t->columns || i + 1 == t->cell.n;

		if (column > 0) {
			sbuf_adds(out, "  ");
		}
		if (t->right.v[column]) {
			add_blanks(out, pad);
		}
		sbuf_adds(out, t->cell.v[i]);
		if (last) {
			sbuf_addc(out, '\n');
		} else if (!t->right.v[column]) {
			add_blanks(out, pad);
		}
	}
	free(width);
}

void table_release(struct table *t)
{
	array_each (&t->cell, char *, cell) {
		free(*cell);
	}
	array_release(&t->cell);
	array_release(&t->right);
}
