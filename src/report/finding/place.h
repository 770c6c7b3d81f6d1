#pragma once
/* The places of findings, and their form in the formats of other tools. */
#include "base/arena.h"
#include "rule/diag.h"

/* The places of a finding, from 0: its own, then those of its notes, edits and arms. NULL: no
 * more. */
struct diag_place *place_at(struct diag *d, size_t i);
/* The path relative to the root of the file's repository or, without a repository, to the working
 * directory; absolute for a file outside of it. */
const char *place_path(struct arena *a, const char *path);

/* 1-based; columns in characters; the end is after the last character. */
struct place_range {
	unsigned line, column, end_line, end_column;
};
/* The start of a place, or all of it. Both require the source's text. */
struct line_col place_begin(const struct diag_place *p);
struct place_range place_range(const struct diag_place *p);
