#ifndef UNPHI_REPORT_DIAG_H
#define UNPHI_REPORT_DIAG_H
/*
 * Diagnostics as data, and their gcc-style text:
 *   FILE:LINE:COL: warning: MESSAGE [unphi-phi-explosion]
 *    12 |         if (t < m) {
 *       |         ^~
 *   FILE:LINE:COL: note: MESSAGE
 * Sorted by file, offset, rule, message for a stable output; equal ones are printed once. Lines are
 * quoted with their tabs; long ones are cut around the caret.
 */
#include <stdbool.h>
#include "base/array.h"
#include "base/str.h"

enum diag_level {
	DIAG_ERROR,
	DIAG_WARNING,
	DIAG_NOTE
};

struct diag_place {
	const char *path; /* as shown; NULL = no place */
	/* Whole text of the file, for line, column and the quoted line; p NULL: the file as a whole
	 * is meant, or its text is not there. */
	struct str source;
	size_t begin; /* byte offset */
	size_t end;   /* underlined up to here or the line's end; begin == end: only a caret */
};

struct diag_note {
	struct diag_place place; /* path NULL: a note without a place, printed as "note: ..." */
	struct str text;
};

struct diag {
	enum diag_level level;
	const char *rule; /* "unphi-phi-explosion", or NULL */
	struct diag_place place;
	struct str text;
	struct diag_note *note;
	size_t notes;
};

struct diag_list {
	ARRAY(struct diag) v;
};

void diag_sort_unique(struct diag_list *l);
void diag_text(struct sbuf *out, const struct diag *d, bool color);
/* {"version":1,"findings":[{"rule","level","file","line","column","offset","message",
 * "notes":[{"file","line","column","message"}]}]}; what is not known is null. */
void diag_json(struct sbuf *out, const struct diag_list *l);
#endif
