#pragma once
/* The subject of a finding, told so that it is known again in a later version of the source. */
#include "kernel/kernel.h"
#include "rule/diag.h"

/* Sets d->function and d->code from the function and the node in it. The hash runs over the node's
 * tokens, in which names count only by where they come again: neither moved lines nor white space,
 * comments or renamed variables change it. */
void subject_set(struct diag *d, struct arena *a, const struct kt_unit *u, kt_id fn,
	const struct kt_node *n);
/* "ns::k<16, true>::operator()" gives "ns::k::operator()"; in a. */
const char *subject_function(struct arena *a, const char *name);
