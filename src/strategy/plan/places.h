#pragma once
/*
 * Code whose value depends on its position in the text, such as __LINE__. All strategies use this
 * check on their edits: code with such a word is not moved, copied or joined, and no line is added
 * or removed above such a word if a kernel may see its value.
 */
#include "strategy/plan/plan.h"

/* Checks the plan's edits to file; fn is the function with the merge or the fragment. False:
 * refused. */
bool plan_check_places(struct plan *p, kt_id file, kt_id fn);
/* Checks the removal of a line at this offset. False: refused. */
bool plan_check_line(struct plan *p, kt_id file, size_t at);
