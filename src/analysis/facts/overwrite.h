#pragma once
/*
 * Overwrites: code surely writes all of an object before it reads any of it, a variable as a whole,
 * or all of its members and elements one by one, in loops, methods and lambdas as well. Surely: on
 * every path that leads past the code. Whatever is not understood is a read.
 */
#include "analysis/facts/overwrite_place.h"

/* Does the statement or expression n overwrite all of what the variable holds, or the reference
 * names? sym may be a method's self. */
bool overwrite_is_whole(struct facts *f, const struct kt_node *n, kt_id sym);
/* The same of the children [first, last) of compound statement n. */
bool overwrite_is_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, kt_id sym);
/* May the code read what the part held before it? first and last as above, or both 0: all of n. */
bool overwrite_reads(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, const struct part *p);
