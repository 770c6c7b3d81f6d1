#pragma once
/*
 * Uniformity: a proof that all lanes of a wave that evaluate a value together have the same one. It
 * holds for values computed from kernel arguments, blockIdx, blockDim, gridDim, constants, loads
 * through uniform addresses from global or constant memory, readfirstlane, votes, and locals with
 * such a value at that place, on every path. A parameter is uniform if every caller passes a
 * uniform value. All else is assumed to differ between lanes.
 *
 * So in an arm that only some lanes take, a value on which these lanes agree is uniform:
 * readfirstlane of it is right there. Whether all lanes of the wave are present is a separate
 * question (control).
 *
 * Assumes that callers of non-static device functions are in the unit (no -fgpu-rdc), and that
 * lanes reconverge after each if and loop, as LLVM's own analysis does.
 */
#include "analysis/facts/facts.h"

struct uniformity;

/* It lives in a, except its heap memory, which is released with f. */
struct uniformity *uniformity_create(struct facts *f, struct arena *a);
/* The same for all lanes of a work-group. Values on which only the lanes of a wave agree (ballot,
 * readfirstlane) do not count. Loads from one address do, since a lane that writes meanwhile would
 * be a race; loads of LDS only without a write since the last barrier. Kept with the facts. */
struct uniformity *uniformity_of_block(struct facts *f);
/* The same, of all work-groups: what differs between these has a reason, too. Proves less than it
 * could of values. Kept with the facts. */
struct uniformity *uniformity_of_grid(struct facts *f);
/* The same for a wave, but expressions of the wave's number (threadIdx.x / 64, threadIdx.x < 128)
 * count as uniform if blocks have one dimension, which the compiler does not know. Kept with the
 * facts. */
struct uniformity *uniformity_of_waves(struct facts *f);
/* Does that assume that the blocks that fn runs in have one dimension? */
bool uniformity_assumes_flat(const struct uniformity *u, kt_id fn);
/* Is the value of expression n uniform at its place? *why (if not NULL) names the first
 * sub-expression that may not be: "'x' may differ between lanes", with the reason if it is
 * known. */
bool uniformity_expr(struct uniformity *u, const struct kt_node *n, const char **why);
/* Does the value of n depend on the lane's own number, or on a result of a matrix operation, so
 * that lanes of one wave differ? For the uniformity of waves. */
bool uniformity_is_of_lane(struct uniformity *u, const struct kt_node *n);
/* Do all lanes of the wave that entered the kernel reach n together? */
bool uniformity_control(struct uniformity *u, const struct kt_node *n);
/* The reason why lanes may be apart. */
struct uniformity_cause {
	const struct kt_node *node; /* the condition; NULL: unknown */
	bool waves;		    /* on the wave's number: whole waves reach it or not */
	bool ended;		    /* the missing lanes have left the kernel */
	bool passed;		    /* it depends on that only because some call passes it */
	bool crossed;		    /* lanes exchanged values of it, and may agree since */
};
/* The reason why not all lanes of the work-group reach n, a call or asm, in a kernel or in a
 * function that one calls; for the uniformity of waves, why not all of a wave do. */
struct uniformity_cause uniformity_parting(struct uniformity *u, const struct kt_node *n);
/* The same for a matrix operation, or a call of a function that has one: CDNA GPUs ignore EXEC for
 * it, RDNA GPUs define no result. There is no node for other code; nor where whole waves reach it
 * or do not; nor where lanes have exchanged values in the condition, since they may agree then; nor
 * for the test of a loop. Where lanes begin at places of their own, k = lane / 16 * 4, and sizes
 * are whole multiples of the step, all have as many iterations. */
struct uniformity_cause uniformity_parting_matrix(struct facts *f, const struct kt_node *n);
/* Do the blocks in which fn runs have one wave each, by launch bounds and the unit's launches? */
bool uniformity_is_one_wave(struct uniformity *u, kt_id fn);
/* Is nothing known about the function, because it jumps or hides code? */
bool uniformity_is_opaque(const struct uniformity *u, kt_id fn);
/* May some method be overridden? */
bool uniformity_has_virtuals(const struct uniformity *u);
/* Does the word occur in the user's files? */
bool uniformity_has_word(const struct uniformity *u, const char *word);
