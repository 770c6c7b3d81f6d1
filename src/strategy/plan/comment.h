#pragma once
/* Comments that a rewrite adds to the text, unless comments are off. */
#include "strategy/plan/plan.h"

/* The comment, indented, with its line end; "" for none. */
const char *plan_comment_text(const struct plan *p, enum strategy_id id, struct str indent);
/* Inserts it above the plan's merge, if the merge begins its line. */
void plan_comment(struct plan *p);
