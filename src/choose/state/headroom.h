#pragma once
/*
 * Can a merge cost a kernel anything? Compares the registers that the kernel needs at the merge, by
 * the register ledger, with those that a wave of its work-groups can have. An estimate from the
 * source, with a margin for its error (doc/threshold.md). If it is unknown, the merge counts.
 */
#include "config/settings.h"
#include "strategy/strategy.h"
#include "target/target.h"

struct headroom_input {
	const struct parse *parse; /* one a target */
	const struct target *const *target;
	size_t parses;
	const struct settings *settings;
	struct arena *a;
	bool skips_uniform; /* flags_skip_uniform */
	unsigned clang;	    /* the oldest one that compiles it */
};

/* Does an instance count? It does if at least settings.min_chained_vgprs VGPRs cross it, other than
 * as selects, and a kernel may run it. */
bool headroom_counts(const struct headroom_input *in, const struct site_instance *i);
struct headroom_verdict {
	bool costs;	 /* or it is unknown */
	const char *why; /* the cost in words, or that there is none; NULL: unknown. In in->a */
};
/* Takes the instances of each site for which headroom_counts is true. */
void headroom_of_sites(struct headroom_verdict *out, const struct headroom_input *in,
	const struct site *site, size_t n);
/* Merges that are one_armed, or end in results, are frequent, and most cost nothing. Drops those
 * without a known cost. Returns the number of sites that are left, in their order. */
size_t headroom_drop_free(const struct headroom_input *in, struct site *site, size_t n);
