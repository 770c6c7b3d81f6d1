#pragma once
/* Fixes in the YAML of clang-tidy, for clang-apply-replacements and editors. */
#include "base/arena.h"
#include "rule/diag.h"

/* Prints the errors of the run (base/msglog.h), then every finding with edits. An error in a source
 * line has clang-tidy's name clang-diagnostic-error, the others are named unphi. Consecutive
 * findings that share their edits list them once, because the tool applies an insertion as often as
 * it is listed. */
void replacements_print(struct sbuf *out, struct arena *a, const struct diag_list *found);
