#pragma once
/*
 * The names of files that texts ask for by __has_include, __has_include_next and __has_embed. The
 * answer to such a question changes what is read, and no make rule names a file that is missing.
 *
 * Names are collected from all texts, code that is skipped and comments included: a name too many
 * only costs a look. What is asked by a macro (#define HAS(x) __has_include(x)) is followed. An
 * operand that cannot be read as a name, or a spelling of the question that cannot be followed,
 * sets unknown.
 */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

struct asked {
	struct arena *a;
	struct map names;  /* as they are written, without quotes */
	struct map macros; /* that ask for their argument */
	bool unknown;
};

/* Adds what one text asks for. True: it has a macro that was not known, so texts that were looked
 * at before have to be looked at again. The text is not kept. */
bool asked_add(struct asked *q, struct str text);
void asked_release(struct asked *q);
