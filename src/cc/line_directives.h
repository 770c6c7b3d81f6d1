#pragma once
/* Rewritten text that keeps the line numbers of the file that it stands for, by #line. */
#include "base/arena.h"
#include "base/str.h"

/* Appends after to out, with a #line wherever a line is not where it was in before. A line that is
 * new has the number of the one like it in before, else of the one of those it stands for that
 * begins like it, else of the line in front of it. There is none where a directive might do harm:
 * in a comment, a literal, a macro's definition or arguments; lines there are off by some until it
 * ends. False, and nothing appended, when before has numbers of its own. */
bool cc_line_directives_add(struct sbuf *out, struct arena *a, struct str before, struct str after);
