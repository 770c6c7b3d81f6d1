#pragma once
/* Diagnostics as data: what rules find. How they are shown is report's business. */
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
	const char *path; /* as shown; NULL = no place */
	/* Whole text of the file, for line, column and the quoted line; p NULL: the file as a whole
	 * is meant, or its text is not there. */
	struct str source;
	size_t begin; /* byte offset */
	size_t end;   /* underlined up to here or the line's end; begin == end: only a caret */
	const struct line_marks *lines; /* of the source, or NULL: what asks often sets it */
};

struct diag_note {
	struct diag_place place; /* path NULL: a note without a place, printed as "note: ..." */
	struct str text;
	/* How well it says why to care: of a finding's notes the best is shown, all of them with
	 * --verbose. */
	enum note_says {
		SAYS_MORE,
		SAYS_WHERE,
		SAYS_COST,
		SAYS_MEASURED
	} says;
};

/* place's text is to become text. */
struct diag_edit {
	struct diag_place place;
	struct str text;
};

struct diag {
	enum diag_level level;
	const char *rule; /* "unphi-phi-explosion", or NULL */
	struct diag_place place;
	unsigned line; /* of it, where its text is not there; 0: not known */
	struct str text;
	struct diag_note *note;
	size_t notes;
	/* VGPRs per lane in question: of findings of one rule at one place, made from several
	 * units, the one with the most is shown */
	unsigned weight;
	/* What it is about, for baselines and fingerprints: the function around, without template
	 * arguments, or NULL; a hash of the code in question, over tokens and blind to names */
	const char *function;
	uint64_t code;
	struct diag_edit *edit; /* of a measured rewrite, by file and offset */
	size_t edits;
	struct diag_place *arm; /* of the merge in question: their code */
	size_t arms;
	/* how to go on from here: of a rule the subcommand, after cli the command; or NULL */
	const char *next;
	const char *kernels; /* those that run it: a line each of symbol, tab and name; or NULL */
};

struct diag_list {
	ARRAY(struct diag) v;
};
