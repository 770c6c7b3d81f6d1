#pragma once
/* Barriers as the source spells them. For sync.c. */
#include "analysis/memory/sync.h"

/* Is the call a barrier? A function whose body is one alone is one, too: a wrapper, sync() of a
 * cooperative group that is the block. */
bool sync_form(enum sync_kind *kind, const struct facts *f, const struct kt_node *call);
/* The fence of the work-group right before (release) or after (acquire) a s_barrier, or NULL. */
const struct kt_node *sync_fence_beside(
	const struct facts *f, const struct kt_node *call, bool before);
/* Does the fence belong to a s_barrier beside it that has both? */
bool sync_is_adopted_fence(const struct facts *f, const struct kt_node *fence);
/* A condition that differs per lane and decides whether the lane comes to n, in n's function or in
 * one that calls it; NULL when none is found. */
const struct kt_node *sync_divergent(struct facts *f, const struct kt_node *n);
/* Is such a condition made of the wave's number alone, as far as names tell? */
bool sync_parts_waves(struct facts *f, const struct kt_node *cond);
