#pragma once
/* Articles of rules/explain.yaml about rules and strategies. */
#include "base/arena.h"
#include "base/str.h"

/* All of it under the name of a rule or a strategy. 0 or FAIL_USAGE after a message. */
int article_add(struct sbuf *out, struct arena *a, const char *name, const char *summary);
/* Why a finding of this rule matters, and where that is from. */
int article_add_why(struct sbuf *out, struct arena *a, const char *rule);
/* What to do by hand where the strategy refuses by this clause; empty where nothing is said of it.
 * Lives in a. */
int article_by_hand(struct str *out, struct arena *a, const char *strategy, unsigned clause);
