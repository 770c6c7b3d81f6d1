#pragma once
/*
 * Occupancy comes in steps: what each resource by itself allows, at which VGPR counts waves are
 * gained or lost, and how far the next gain is. All of it asks target_occupancy_use(), so that no
 * formula stands here.
 */
#include "target/target.h"

enum {
	OCC_STEPS_MAX = 64
};

/* Up to vgprs VGPRs per lane, as .vgpr_count counts them, these waves. */
struct occ_step {
	unsigned vgprs;
	unsigned register_waves;
	unsigned resident_waves;
	enum occ_limit limiter;
};

/* Rising in VGPRs, with the LDS, SGPRs and group size of use; at most OCC_STEPS_MAX. 0 when no VGPR
 * count fits. Where the accumulation VGPRs have a file of their own, they are taken to be no more
 * than the VGPRs of the step. */
size_t target_occ_steps(
	struct occ_step *step, const struct target *t, const struct occupancy_use *use);
/* The most VGPRs that fit: those of the last step. 0: none do. */
unsigned target_most_vgprs(const struct target *t, const struct occupancy_use *use);
/* The step with the most VGPRs that has more resident waves than use as it stands (or that fits
 * where use does not fit at all). False where fewer VGPRs bring nothing. */
bool target_next_step(
	struct occ_step *out, const struct target *t, const struct occupancy_use *use);

/* Waves per SIMD when only this resource counts; 0 where it does not fit. */
unsigned target_waves_by(
	enum occ_limit resource, const struct target *t, const struct occupancy_use *use);
