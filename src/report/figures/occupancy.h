#pragma once
/*
 * The number of waves that fit, its limit, and the VGPR counts at which it changes: as text and as
 * JSON.
 */
#include "base/str.h"
#include "target/steps.h"

/* use->vgprs 0: unknown, and only the table of steps is printed. */
void occupancy_text(struct sbuf *out, const struct target *t, const struct occupancy_use *use);
/* {"version":1,"occupancy":[...]}, with an entry for each target. */
void occupancy_json(
	struct sbuf *out, const struct target *const *t, size_t n, const struct occupancy_use *use);
/* "-12 VGPRs: 2 waves", or "" if fewer VGPRs allow no more waves. */
void occupancy_next(struct sbuf *out, const struct target *t, const struct occupancy_use *use);
