#pragma once
/* Comments that go into the text with a rewrite, unless they are not wanted. */
#include "strategy/plan/plan.h"

/* Indented, with its line end; "" where there is none. */
const char *plan_comment_text(const struct plan *p, enum strategy_id id, struct str indent);
/* Puts it above the plan's merge, where there is room. */
void plan_comment(struct plan *p);
