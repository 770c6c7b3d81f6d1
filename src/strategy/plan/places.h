#pragma once
/*
 * Code whose value depends on where its text stands: __LINE__ and its like. The one answer that all
 * strategies ask, over their edits: what holds such a word is not moved, copied or joined, and no
 * line is added or taken away above one whose value a kernel may see.
 */
#include "strategy/plan/plan.h"

/* Looks at the plan's edits to file, for code of function fn, which holds the merge (or the
 * fragment). False: refused. */
bool plan_check_places(struct plan *p, kt_id file, kt_id fn);
/* A line goes at this place of the file. False: refused. */
bool plan_check_line(struct plan *p, kt_id file, size_t at);
