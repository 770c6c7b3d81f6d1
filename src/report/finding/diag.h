#pragma once
/*
 * The gcc-style text of diagnostics:
 *   FILE:LINE:COL: warning: MESSAGE [unphi-phi-explosion]
 *    12 |         if (t < m) {
 *       |         ^~
 *   FILE:LINE:COL: note: MESSAGE
 * They are sorted by file, offset, rule and message, so that the output is stable. Equal ones are
 * printed once, and so are those of one rule at one place from several units. Lines are quoted with
 * their tabs; long lines are cut around the caret.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "rule/diag.h"

void diag_sort_unique(struct diag_list *l);
/* A copy of d to print: with all notes, or with only the most useful one. Lives in a. */
struct diag diag_shown(const struct diag *d, struct arena *a, bool verbose);
enum diag_text {
	DIAG_TEXT_QUOTED,
	DIAG_TEXT_SHORT /* without its source line */
};
void diag_text(struct sbuf *out, const struct diag *d, enum diag_text how, bool color);
void diag_note_text(struct sbuf *out, const struct diag_note *n, bool color);
/* {"version":1,"findings":[{"rule","level","file","line","column","offset","message",
 * "notes":[{"file","line","column","message"}]}]}; unknown values are null. A measured rewrite adds
 * "fixes":[{"file","offset","length","text"}], in bytes. */
void diag_json(struct sbuf *out, const struct diag_list *l);
