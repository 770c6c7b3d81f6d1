#ifndef UNPHI_RULE_ROOM_H
#define UNPHI_RULE_ROOM_H
/*
 * Whether a merge can cost a kernel anything: what the register ledger says that the kernels which
 * run it hold, against what a wave of their work-groups can have. An estimate from the source with
 * a margin for its error (doc/threshold.md); where it cannot tell, the merge counts.
 */
#include "rule/rule.h"

/* why[i]: why site i costs nothing as its kernels are, or NULL: it may cost something. Of an
 * instance counts what counts gives; n texts in in->a. */
void room_of_sites(const char **why, const struct rule_input *in, const struct site *site, size_t n,
	bool (*counts)(const struct rule_input *in, const struct site_instance *i));
#endif
