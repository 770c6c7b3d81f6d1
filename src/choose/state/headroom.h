#pragma once
/*
 * Whether a merge can cost a kernel anything: what the register ledger says that the kernels which
 * run it hold, against what a wave of their work-groups can have. An estimate from the source with
 * a margin for its error (doc/threshold.md); where it cannot tell, the merge counts.
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

/* Does an instance count: do settings.min_chained_vgprs and more cross it, other than as selects,
 * where a kernel may run it? */
bool headroom_counts(const struct headroom_input *in, const struct site_instance *i);
struct headroom_verdict {
	bool costs;	 /* or it cannot be told */
	const char *why; /* it costs what, or nothing; NULL: it cannot be told. In in->a */
};
/* Of the instances of each site those count that headroom_counts. */
void headroom_of_sites(struct headroom_verdict *out, const struct headroom_input *in,
	const struct site *site, size_t n);
/* Merges that are one_armed, or end in results, are everywhere, and most cost nothing: drops those
 * of them that are not shown to cost something. Returns how many sites are left, in their order. */
size_t headroom_drop_free(const struct headroom_input *in, struct site *site, size_t n);
