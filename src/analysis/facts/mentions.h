#pragma once
/*
 * The places at which a function names a variable. The first call walks the function for all its
 * variables, and keeps the result with the facts.
 */
#include "analysis/facts/facts.h"

/* KT_REFs, in the order of the body. */
struct mentions {
	const struct kt_node *const *v;
	size_t n;
};

/* The mentions of sym in the body of fn. */
struct mentions mentions_of(struct facts *f, kt_id fn, kt_id sym);
