#pragma once
/*
 * The text of lint for people: each finding with its source line, its most useful note and, once,
 * the command to run next. Many findings are printed shorter, to fit on two screens: without source
 * lines, and with only the first of those that have the same text about one file.
 */
#include "base/arena.h"
#include "rule/diag.h"

struct brief {
	bool verbose; /* all notes of each finding */
	bool quiet;   /* each finding with its source line, no notes */
	bool color;
};

/* Prints sorted, unique findings. Returns whether --verbose would print more. */
bool brief_print(struct sbuf *out, struct arena *a, const struct diag_list *l, struct brief how);
