#pragma once
/* Breaks out of loops, by what compilers make of them (doc/shapes.md). */
#include "analysis/facts/facts.h"

/* Is the if, which stands in a loop's block and ends in break, another way out of the loop, beside
 * the loop's own or another one? Not if the compiler takes it into the loop's bound. */
bool exit_parts(struct facts *f, const struct kt_node *iff);
