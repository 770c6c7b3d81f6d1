#pragma once
/* Barriers as the source spells them. */
#include "analysis/facts/facts.h"

enum sync_kind {
	SYNC_BLOCK, /* __syncthreads and what amounts to it */
	SYNC_BARE,  /* s_barrier without fences: lanes wait, memory is not ordered */
	SYNC_WAVE,  /* __syncwarp */
	SYNC_VALUE, /* __syncthreads_count and its like: lanes learn of each other */
};

/* Is the call a barrier? A function whose body is only a barrier is one, too: a wrapper, sync() of
 * a cooperative group that is the block. */
bool sync_form(enum sync_kind *kind, const struct facts *f, const struct kt_node *call);
/* The fence of the work-group right before (release) or after (acquire) a s_barrier, or NULL. */
const struct kt_node *sync_fence_beside(
	const struct facts *f, const struct kt_node *call, bool before);
/* Does the fence belong to a s_barrier beside it that has both? */
bool sync_is_adopted_fence(const struct facts *f, const struct kt_node *fence);
