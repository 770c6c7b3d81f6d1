#pragma once
/* Articles of rules/explain.yaml about rules and strategies. */
#include "base/arena.h"
#include "base/str.h"

/* Adds the whole article of a rule or a strategy. 0, or FAIL_USAGE after a message. */
int article_add(struct sbuf *out, struct arena *a, const char *name, const char *summary);
/* Adds the reason for the rule, and its references. */
int article_add_why(struct sbuf *out, struct arena *a, const char *rule);
/* The remedy by hand for a refusal by this clause of the strategy; empty if there is none. Lives
 * in a. */
int article_by_hand(struct str *out, struct arena *a, const char *strategy, unsigned clause);
