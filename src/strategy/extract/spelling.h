#pragma once
/* Spans of lists and brackets in the text of functions and calls: text.c, spelling.c. */
#include "strategy/extract/extract.h"

typedef ARRAY(struct span) span_array;

/* From the first to the last token, without comments, since a // comment would hide text after
 * it. */
struct span callee_trimmed(struct str t, size_t begin, size_t end);
/* Splits at commas. angles: < and > are brackets. */
void callee_split(span_array *out, struct str t, size_t begin, size_t end, bool angles);
/* The > that closes the < at open, before end; SIZE_MAX: none. */
size_t callee_close_angle(struct str t, size_t open, size_t end);
