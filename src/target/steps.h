#pragma once
/*
 * The steps of occupancy: the waves that each resource allows by itself, the VGPR counts at which
 * that number changes, and the distance to the next gain. All figures come from
 * target_occupancy_use().
 */
#include "target/target.h"

enum {
	OCC_STEPS_MAX = 64
};

/* The waves for up to so many VGPRs per lane, counted as in .vgpr_count. */
struct occ_step {
	unsigned vgprs;
	unsigned register_waves;
	unsigned resident_waves;
	enum occ_limit limiter;
};

/* All steps, rising in VGPRs, with the LDS, SGPRs and group size of use; at most OCC_STEPS_MAX.
 * Returns 0 if no VGPR count fits. If accumulation VGPRs have a file of their own, a step assumes
 * at most as many of them as VGPRs. */
size_t target_occ_steps(
	struct occ_step *step, const struct target *t, const struct occupancy_use *use);
/* The most VGPRs that fit, those of the last step; 0: none fit. */
unsigned target_most_vgprs(const struct target *t, const struct occupancy_use *use);
/* The step with the most VGPRs that has more resident waves than use, or that fits if use does not.
 * False if fewer VGPRs gain nothing. */
bool target_next_step(
	struct occ_step *out, const struct target *t, const struct occupancy_use *use);

/* The waves per SIMD if only this resource counts; 0 if it does not fit. */
unsigned target_waves_by(
	enum occ_limit resource, const struct target *t, const struct occupancy_use *use);
