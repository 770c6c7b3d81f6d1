#pragma once
/*
 * Uniformity: the same value in all lanes of a wave that evaluate it together, proved. Made of
 * kernel arguments, blockIdx, blockDim, gridDim, constants, loads through uniform addresses from
 * global or constant memory, readfirstlane, votes, and locals that hold such a value there, on
 * whatever way. A parameter is uniform when every caller passes a uniform value. Anything else is
 * taken to differ per lane.
 *
 * So inside an arm that some lanes took, what these lanes agree on is uniform: readfirstlane of it
 * is right there. To know that no lane of the wave is missing, ask for control as well.
 *
 * Assumes that callers of non-static device functions are in the unit (no -fgpu-rdc), and that wave
 * and source agree on who runs together: reconvergence after each if and loop, as LLVM's own
 * analysis has it.
 */
#include "analysis/facts/facts.h"

struct uniformity;

/* It lives in a, but for what is on the heap: that is released with f. */
struct uniformity *uniformity_create(struct facts *f, struct arena *a);
/* The same for all lanes of a work-group in place of a wave: what lanes of a wave agree on by
 * asking each other (ballot, readfirstlane) does not count. Loads do, as lanes that load while
 * another writes are a race; of LDS those with no write since the last barrier. Kept with the
 * facts. */
struct uniformity *uniformity_of_block(struct facts *f);
/* The same for a wave, where numbers of waves (threadIdx.x / 64, threadIdx.x < 128) count as
 * uniform if blocks have one dimension, which the compiler does not know. Kept with the facts. */
struct uniformity *uniformity_of_waves(struct facts *f);
/* Is it taken for granted there that the blocks that fn runs in have one dimension? */
bool uniformity_assumes_flat(const struct uniformity *u, kt_id fn);
/* Is the value of expression n uniform where it stands? *why (when not NULL) says of the first
 * sub-expression that is not known to be: "'x' may differ between lanes", and where it is known,
 * why. */
bool uniformity_expr(struct uniformity *u, const struct kt_node *n, const char **why);
/* Is the value of n made of the lane's own number, or of a result of a matrix operation, so that
 * lanes of one wave differ in it? Ask the uniformity of waves. */
bool uniformity_is_of_lane(struct uniformity *u, const struct kt_node *n);
/* Do all lanes of the wave that entered the kernel reach n together? */
bool uniformity_control(struct uniformity *u, const struct kt_node *n);
/* Why lanes may be apart. */
struct uniformity_cause {
	const struct kt_node *node; /* the condition, made of the lane's number; NULL: not known */
	bool waves;		    /* of its wave's: whole waves come or do not */
	bool ended;		    /* those that are missing have left the kernel */
	bool passed;		    /* it is made of that only where some call passes it */
};
/* Why not all lanes reach the call of a barrier, of a kernel or of a function that one calls. */
struct uniformity_cause uniformity_parting(struct uniformity *u, const struct kt_node *call);
/* Are blocks in which fn runs one wave each, as far as launch bounds and the unit's launches tell?
 * */
bool uniformity_is_one_wave(struct uniformity *u, kt_id fn);
/* Nothing is known in the function: it jumps, or hides code. */
bool uniformity_is_opaque(const struct uniformity *u, kt_id fn);
/* May some method be overridden? */
bool uniformity_has_virtuals(const struct uniformity *u);
/* Does the word occur in the user's files? */
bool uniformity_has_word(const struct uniformity *u, const char *word);
