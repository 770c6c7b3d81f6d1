#pragma once
/*
 * Finds values that depend on the lane's own index: threadIdx, mbcnt, and everything loaded,
 * computed, stored or passed from there. Uniformity proves that lanes agree; this finds a reason
 * why they may not, which the compiler sees as well. A value with neither is unknown (a condition
 * that a lambda captures, for example). The analysis is by variable, over the unit, and ignores the
 * order of statements.
 */
#include "analysis/facts/facts.h"

struct lanes;

/* Kept with the facts. */
const struct lanes *lanes_of(struct facts *f);
/* Does a part of expression n depend on the lane's index? */
bool lanes_differ(const struct lanes *l, const struct kt_node *n);
