#pragma once
/*
 * Overwrites: code that surely writes all of an object before it reads any of it. It may write the
 * variable as a whole, or all of its members and elements one by one, also in loops, methods and
 * lambdas. Surely means: on every path past the code. Unknown code counts as a read.
 */
#include "analysis/facts/overwrite_place.h"

/* Does the statement or expression n overwrite all of the variable, or of the object that the
 * reference names? sym may be a method's self. */
bool overwrite_is_whole(struct facts *f, const struct kt_node *n, kt_id sym);
/* The same for the children [first, last) of compound statement n. */
bool overwrite_is_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, kt_id sym);
/* May the code read the part's value from before it? first and last as above, or both 0 for all of
 * n. */
bool overwrite_reads(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, const struct part *p);
