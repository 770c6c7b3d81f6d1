#pragma once
/*
 * Plain text tables: columns padded to their widest cell in code points, numbers right-aligned, two
 * spaces between columns, no trailing blanks. An empty cell prints "-".
 */
#include <stdbool.h>
#include "base/array.h"
#include "base/str.h"

struct table {
	size_t columns;
	ARRAY(char *) cell; /* row by row, first row = header; heap strings */
	ARRAY(bool) right;  /* per column */
};

/* headers: a name for each column; '>' before a name makes the column right-aligned. */
void table_init(struct table *t, size_t columns, const char *const *headers);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_print(struct sbuf *out, const struct table *t);
void table_release(struct table *t);
