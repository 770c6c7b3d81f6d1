#pragma once
/* The forms of barriers in the source. */
#include "analysis/facts/facts.h"

enum sync_kind {
	SYNC_BLOCK, /* __syncthreads and equivalents */
	SYNC_BARE,  /* s_barrier without fences: lanes wait, memory is not ordered */
	SYNC_WAVE,  /* __syncwarp */
	SYNC_VALUE, /* __syncthreads_count and similar: lanes get values of each other */
	SYNC_GRID,  /* lanes wait for all work-groups */
	SYNC_ASM,   /* s_barrier in inline assembly, perhaps with other instructions */
};

/* Is it a barrier: a call, or an asm? A function whose body is only a barrier is one, too: a
 * wrapper, or sync() of a cooperative group of the block or the grid. */
bool sync_form(enum sync_kind *kind, struct facts *f, const struct kt_node *n);
/* Is a call of a function whose body is only a barrier of that kind a barrier of that kind? */
bool sync_is_wrapped(enum sync_kind kind);
/* The fence of the work-group right before (release) or after (acquire) a s_barrier, or NULL. */
const struct kt_node *sync_fence_beside(
	const struct facts *f, const struct kt_node *call, bool before);
/* Does the fence belong to an s_barrier beside it that has both fences? */
bool sync_is_adopted_fence(const struct facts *f, const struct kt_node *fence);
