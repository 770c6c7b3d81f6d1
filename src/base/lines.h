#pragma once
/*
 * Lines and columns of a text, for people: 1-based; columns in bytes.
 */
#include "base/arena.h"
#include "base/str.h"

struct line_col {
	unsigned line;
	unsigned col;
};

/* Counts from the start of the text. */
struct line_col line_col_of(struct str source, size_t offset);
/* The offset at which the line (from 1) begins; the text's length for lines past its end. */
size_t line_offset(struct str text, unsigned line);
/* The whole line around offset, without its line end. */
struct str line_around(struct str source, size_t offset);

/* The line ends of a text, for many lookups in it. */
struct line_marks {
	struct str text;
	uint32_t *end; /* offsets of the newlines, rising */
	size_t n;
};

struct line_marks *line_marks_make(struct arena *a, struct str text);
struct line_col line_marks_at(const struct line_marks *m, size_t offset);
