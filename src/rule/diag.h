#pragma once
/* Diagnostics as data: the findings of rules. The room report prints them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/array.h"
#include "base/lines.h"
#include "base/str.h"

enum diag_level {
	DIAG_ERROR,
	DIAG_WARNING,
	DIAG_NOTE
};

struct diag_place {
	const char *path; /* for people; NULL: no place */
	/* The file's text, for line, column and the quoted line; p NULL: the place is the whole
	 * file, or the text is not there. */
	struct str source;
	size_t begin; /* byte offset */
	size_t end; /* end of the underlining, at most the line's end; begin == end: only a caret */
	const struct line_marks *lines; /* of the source, or NULL: found at need */
};

struct diag_note {
	struct diag_place place; /* path NULL: a note without a place, printed as "note: ..." */
	struct str text;
	/* The rank of a note: without --verbose only the best note of a finding is printed. */
	enum note_says {
		SAYS_MORE,
		SAYS_WHERE,
		SAYS_COST,
		SAYS_MEASURED
	} says;
};

/* Replaces the place's text by text. */
struct diag_edit {
	struct diag_place place;
	struct str text;
};

struct diag {
	enum diag_level level;
	const char *rule; /* "unphi-phi-explosion", or NULL */
	struct diag_place place;
	unsigned line; /* its line, if its text is not there; 0: unknown */
	struct str text;
	struct diag_note *note;
	size_t notes;
	/* VGPRs per lane: if several units have a finding of one rule at one place, the one with
	 * the most is printed */
	unsigned weight;
	/* The subject, for baselines and fingerprints: the function around it, without template
	 * arguments, or NULL; and a hash of the code's tokens that ignores names */
	const char *function;
	uint64_t code;
	struct diag_edit *edit; /* the edits of a measured rewrite, by file and offset */
	size_t edits;
	struct diag_place *arm; /* the code of the merge's arms */
	size_t arms;
	/* the next step: a rule sets the subcommand, cli makes the command of it; or NULL */
	const char *next;
	const char *kernels; /* the kernels that run it, one a line: symbol, tab, name; or NULL */
};

struct diag_list {
	ARRAY(struct diag) v;
};
