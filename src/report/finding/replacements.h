#pragma once
/* Fixes in the YAML of clang-tidy, for clang-apply-replacements and editors. */
#include "base/arena.h"
#include "rule/diag.h"

/* The errors of the run (base/msglog.h). clang-tidy names them clang-diagnostic-error; those
 * without a line in a source are named unphi. Then every finding with edits. Consecutive findings
 * that share their edits list them once, because the tool applies an insertion as often as it is
 * listed. */
void replacements_print(struct sbuf *out, struct arena *a, const struct diag_list *found);
