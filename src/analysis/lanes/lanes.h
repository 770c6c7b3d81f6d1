#pragma once
/*
 * Values made of the lane's own index: threadIdx, mbcnt, and all that is loaded, calculated, stored
 * or passed on from there. Uniformity proves that lanes agree; this says that there is a reason why
 * they may not, which the compiler sees as well. What is neither is not known (a condition that a
 * lambda captures, say). Over the unit in no order, by variable.
 */
#include "analysis/facts/facts.h"

struct lanes;

/* Kept with the facts. */
const struct lanes *lanes_of(struct facts *f);
/* Is something in expression n made of the lane's index? */
bool lanes_differ(const struct lanes *l, const struct kt_node *n);
