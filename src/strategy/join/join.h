#pragma once
#include "analysis/memory/access.h"
#include "strategy/plan/plan.h"

#define JOIN_CANNOT_EDIT "the text cannot be edited there"

/* Can declarations and copies be inserted before and after the run? */
bool join_can_edit(struct str text, const struct access_run *r);
/* For a run whose accesses may move (ACCESS_FREE). */
void join_plan(struct plan *p, const char *variant);
