#pragma once
/* The subject of a finding, in a form that identifies it in a later version of the source. */
#include "kernel/kernel.h"
#include "rule/diag.h"

/* Sets d->function and d->code from the function and the node in it. The hash is over the node's
 * tokens. Names count only by the places at which they repeat, so moved lines, white space,
 * comments and renamed variables do not change it. */
void subject_set(struct diag *d, struct arena *a, const struct kt_unit *u, kt_id fn,
	const struct kt_node *n);
/* The same for a kernel as a whole, at its name. */
void subject_kernel(struct diag *d, struct arena *a, const struct kt_unit *u, kt_id id);
/* The place of n, for people: what comes from a macro stands where that is invoked. */
struct diag_place subject_place(const struct kt_unit *u, const struct kt_node *n);
/* "ns::k<16, true>::operator()" gives "ns::k::operator()"; in a. */
const char *subject_function(struct arena *a, const char *name);
