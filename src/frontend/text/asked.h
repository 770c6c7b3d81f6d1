#pragma once
/*
 * The names of files in __has_include, __has_include_next and __has_embed. The answer to such a
 * question changes the files that are read, and no make rule lists a missing file.
 *
 * Names are collected from all text, also from skipped code and comments: a name too many only
 * costs a look-up. Macros that ask (#define HAS(x) __has_include(x)) are followed. An operand that
 * is not a name, or a question that cannot be followed, sets unknown.
 */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

struct asked {
	struct arena *a;
	struct map names;  /* as written, without quotes */
	struct map macros; /* macros that ask for their argument */
	bool unknown;
};

/* Adds the names that one text asks for. Returns true if it found a new macro: then earlier texts
 * must be checked again. Does not keep the text. */
bool asked_add(struct asked *q, struct str text);
void asked_release(struct asked *q);
