#pragma once
/* Fixes in the YAML that clang-apply-replacements and editors read, as clang-tidy exports them. */
#include "base/arena.h"
#include "rule/diag.h"

/* The errors of the run (base/said.h), which clang-tidy names clang-diagnostic-error; those without
 * a line in a source are named unphi. Then every finding with edits. Findings of one file that
 * share their edits, one after the other, have them once, as the tool would apply an insertion as
 * often as it is named. */
void replacements_print(struct sbuf *out, struct arena *a, const struct diag_list *found);
