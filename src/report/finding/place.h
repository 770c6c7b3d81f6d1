#pragma once
/* The place of a finding as the formats of other tools have it. */
#include "base/arena.h"
#include "rule/diag.h"

/* Relative to the root of the repository or, without one, to the working directory; absolute for a
 * file outside of it. */
const char *place_path(struct arena *a, const char *path);

/* 1-based; columns in characters; the end is after the last character. */
struct place_range {
	unsigned line, column, end_line, end_column;
};
/* The start of a place, or all of it. Both require the source's text. */
struct line_col place_begin(const struct diag_place *p);
struct place_range place_range(const struct diag_place *p);
