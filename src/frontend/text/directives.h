#pragma once
/*
 * The includes at the top of a file, which cost more than the file: what can be parsed once and
 * kept, by libclang (preamble.h) or by the compiler that measures.
 */
#include "base/arena.h"
#include "base/str.h"

/* End of the directives at the top of a text, up to its last include; 0 when there is none. Only
 * includes, conditions that are closed, and macros that are a name or one token. */
size_t directives_end(struct str text);
/* Only the directives, in a: files whose comments differ have the same. quotes: an include is
 * relative to the file. */
struct str directives_text(struct arena *a, struct str text, size_t end, bool *quotes);
/* text with blanks in place of what is in front of end, so that nothing else moves; appended. */
void directives_blank(struct sbuf *out, struct str text, size_t end);
/* May text read other files after the directives that end there? */
bool directives_after_include(struct str text, size_t end);
