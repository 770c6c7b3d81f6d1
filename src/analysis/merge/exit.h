#pragma once
/* Breaks out of loops, as compilers handle them (doc/shapes.md). */
#include "analysis/facts/facts.h"

/* Does the if, which is in a loop's block and ends in break, add a way out of the loop to the
 * loop's own or another one? Not if the compiler merges it into the loop's bound. */
bool exit_parts(struct facts *f, const struct kt_node *iff);
