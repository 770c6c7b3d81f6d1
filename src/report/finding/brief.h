#pragma once
/*
 * The text of lint for people: each finding with its source line, its best note and, once, the
 * command to run next. Many findings have to fit on two screens: then the source lines are left
 * out, and of findings with the same text about one file only the first ones are printed.
 */
#include "base/arena.h"
#include "rule/diag.h"

struct brief {
	bool verbose; /* everything of each */
	bool quiet;   /* each with its source line, no notes */
	bool color;
};

/* Prints sorted, unique findings. Returns whether --verbose would print more. */
bool brief_print(struct sbuf *out, struct arena *a, const struct diag_list *l, struct brief how);
