#pragma once
/* #line directives that give rewritten text the line numbers of the original file. */
#include "base/arena.h"
#include "base/str.h"

/* Appends after to out, with a #line before each line whose number differs from that in before. A
 * new line gets the number of the same line elsewhere in before; else the number of the replaced
 * line with the longest common prefix; else the number of the line above it. No directive is put
 * into a comment, a literal, or the definition or arguments of a macro, where it would change the
 * code; line numbers there may be wrong. False, with nothing appended, if before has line
 * directives of its own. */
bool cc_line_directives_add(struct sbuf *out, struct arena *a, struct str before, struct str after);
