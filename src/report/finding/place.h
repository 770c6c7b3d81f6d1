#pragma once
/* Where a finding is, in the terms of formats that other tools read. */
#include "base/arena.h"
#include "rule/diag.h"

/* Relative to the root of the repository, else as given; '/' between directories. */
const char *place_path(struct arena *a, const char *path);

/* 1-based; columns in characters; the end is after the last character. */
struct place_range {
	unsigned line, column, end_line, end_column;
};
/* Requires the source's text. */
/* Where a place begins; it has a source. */
struct line_col place_begin(const struct diag_place *p);
struct place_range place_range(const struct diag_place *p);
