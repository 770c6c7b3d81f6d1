#pragma once
/*
 * The includes at the top of a file, which cost more than the file. They can be parsed once and
 * cached, by libclang (preamble.h) or by the compiler that measures.
 */
#include "base/arena.h"
#include "base/str.h"

/* The end of the directives at the top of a text, after its last include; 0 if there is none. They
 * are includes, complete conditionals, and macros that are a name or one token. */
size_t directives_end(struct str text);
/* Only the directives, in a, without comments. *quotes: an include is relative to the file. */
struct str directives_text(struct arena *a, struct str text, size_t end, bool *quotes);
/* Appends text with blanks in place of all before end, so that no offset changes. */
void directives_blank(struct sbuf *out, struct str text, size_t end);
/* May text read other files after the directives that end there? */
bool directives_after_include(struct str text, size_t end);
