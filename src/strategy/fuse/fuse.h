#pragma once
/* Arms that become one body: fuse.c and carried.c (may they?) for fuse.c and predicate.c,
 * question.c (the arms of a ?:), edit.c (write it).
 * Lives in the plan's arena. */
#include "analysis/arms/overlay.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/body.h"

struct fuse {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	struct selection sel;
	size_t *order;	       /* of sel's arms: the first one's text stays */
	struct arm_body *body; /* sel.arms of them, in that order */
	bool guards;	       /* the arms are laid over each other with guards */
	struct overlay o;
	struct wide wide;
	const struct kt_node *region; /* the merge; of a ?: the whole statement around it */
};

/* Clauses that fuse and predicate share. */
enum {
	FUSE_SHAPE = 1,
	FUSE_LABEL = 3,
	FUSE_TEXT = 6,
	FUSE_MATCH,
	FUSE_NAMES,
	FUSE_UNIFORM,
	FUSE_CONTRACT,
	FUSE_OWN, /* each strategy's own begin here */
};

/* fuse's own. */
enum {
	FUSE_LAUNDER = FUSE_OWN,
	FUSE_QUESTION
};

/* Finds the arms; refuses by clauses 1 to 6. */
bool fuse_begin(struct fuse *z, struct plan *p, const struct guard_opts *o);
/* Lays the arms over the base; refuses by clauses 7 to 10. guards: see overlay.h. */
bool fuse_match(struct fuse *z, size_t base, bool guards);
/* Clauses 7 to 10 of arms that were laid over each other. */
bool fuse_check(struct fuse *z);
/* All of it, where the merge is a ?:. */
void fuse_question(struct plan *p);
/* Clause 8, of what is declared where the arms differ; fills o.carried. */
bool fuse_check_declared(struct fuse *z);
/* Are all conditions uniform, and does the wave reach the merge as a whole (plan_is_uniform)? */
bool fuse_is_uniform(struct fuse *z, const char **why);
/* "what, and the condition is not proved uniform: why". */
bool fuse_refuse_uniform(struct fuse *z, unsigned clause, const char *what, const char *why);
/* What arm i has in place of a difference. */
struct match_arm fuse_part(const struct overlay_diff *d, size_t i);
void fuse_edit(struct fuse *z);
/* In place of the merge arm 0, with choices by the text of the selection's name. */
void fuse_edit_question(struct fuse *z);

void fuse_plan(struct plan *p, const char *variant);
void predicate_plan(struct plan *p, const char *variant);
