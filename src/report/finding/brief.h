#pragma once
/*
 * All findings as lint prints them for people: each with its line, the best reason to care and,
 * once, the command to go on with. Many are to fit on two screens: then the lines stay away, and of
 * findings that say the same of one file the first ones stand for the rest.
 */
#include "base/arena.h"
#include "rule/diag.h"

struct brief {
	bool verbose; /* everything of each */
	bool quiet;   /* each with its line, no notes */
	bool color;
};

/* Sorted, unique findings. Was anything left away that --verbose has instead of it? */
bool brief_print(struct sbuf *out, struct arena *a, const struct diag_list *l, struct brief how);
