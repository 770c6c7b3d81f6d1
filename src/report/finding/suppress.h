#pragma once
/*
 * Comments that suppress findings, as in clang-tidy:
 *   if (edge) { // NOLINT(unphi-phi-explosion): one launch a day, nobody waits
 *   // NOLINTNEXTLINE(unphi-*): ...
 *   // NOLINTBEGIN(unphi-phi-explosion): ...      up to      // NOLINTEND(unphi-phi-explosion)
 * Without a list they apply to every linter. The text after the list is the reason. A comment that
 * names unphi and suppresses nothing, or gives no reason, is itself a finding of rule
 * unphi-suppression.
 */
#include "base/arena.h"
#include "rule/diag.h"

extern const char suppression_rule[]; /* "unphi-suppression" */

struct suppression {
	size_t begin; /* the word NOLINT... and its list */
	size_t end;
	unsigned first; /* the lines in which it suppresses findings */
	unsigned last;
	bool listed;
	bool open; /* BEGIN without END, or END without BEGIN */
	struct str rules;
	struct str reason;
	bool used;
};

struct suppressions {
	ARRAY(struct suppression) v; /* in source order */
};

/* Views point into text. */
void suppressions_find(struct suppressions *out, struct str text);
void suppressions_release(struct suppressions *s);
/* Is a finding of the rule on this line suppressed? Marks all comments that suppress it as used. */
bool suppressions_hold(struct suppressions *s, unsigned line, const char *rule);
/* Reports wrong comments; call it after all findings. checks is the value of --checks. */
void suppressions_judge(struct diag_list *out, struct arena *a, const struct suppressions *s,
	const char *path, struct str text, const char *checks);
