#pragma once
/*
 * How many waves fit, why not more, and at which VGPR counts that changes: for people and as JSON.
 */
#include "base/str.h"
#include "target/steps.h"

/* use->vgprs 0: not known; then only the table of steps is printed. */
void occupancy_text(struct sbuf *out, const struct target *t, const struct occupancy_use *use);
/* {"version":1,"occupancy":[...]}, an entry a target. */
void occupancy_json(
	struct sbuf *out, const struct target *const *t, size_t n, const struct occupancy_use *use);
/* "-12 VGPRs: 2 waves", or "" where fewer VGPRs bring nothing. */
void occupancy_next(struct sbuf *out, const struct target *t, const struct occupancy_use *use);
