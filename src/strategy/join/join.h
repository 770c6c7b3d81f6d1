#pragma once
#include "analysis/memory/access.h"
#include "strategy/plan/plan.h"

#define JOIN_CANNOT_EDIT "the text cannot be edited there"

/* May declarations and copies stand in front of the run and after it? */
bool join_can_edit(struct str text, const struct access_run *r);
/* Of a run that is free (ACCESS_FREE). */
void join_plan(struct plan *p, const char *variant);
