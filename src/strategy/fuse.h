#ifndef UNPHI_STRATEGY_FUSE_H
#define UNPHI_STRATEGY_FUSE_H
/* What fuse.c (may the arms become one?) hands to fuse_edit.c (write it). Lives in the plan's
 * arena. */
#include "analysis/overlay.h"
#include "strategy/body.h"

struct fuse {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	struct selection sel;
	struct arm_body *body; /* sel.arms of them; the first one's text stays */
	struct overlay o;
	struct wide wide;
};

/* What arm i has in place of a difference. */
struct match_arm fuse_part(const struct overlay_diff *d, size_t i);
void fuse_edit(struct fuse *z);
#endif
