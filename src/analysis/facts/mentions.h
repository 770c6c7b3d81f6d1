#pragma once
/*
 * Where a function names a variable. One walk finds that of all its variables, at the first
 * question; it is kept beside the facts.
 */
#include "analysis/facts/facts.h"

/* KT_REFs, in the order of the body. */
struct mentions {
	const struct kt_node *const *v;
	size_t n;
};

/* Those of sym in the body of fn. */
struct mentions mentions_of(struct facts *f, kt_id fn, kt_id sym);
