#pragma once
/* Arms that become one body: fuse.c and carried.c (the clauses, also for predicate.c), question.c
 * (the arms of a ?:), edit.c (the edits). Lives in the plan's arena. */
#include "analysis/arms/overlay.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/body.h"

struct fuse {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	struct selection sel;
	size_t *order;	       /* of sel's arms: the first one's text is kept */
	struct arm_body *body; /* sel.arms of them, in that order */
	bool guards;	       /* unmatched statements may get guards (overlay.h) */
	struct overlay o;
	struct wide wide;
	const struct kt_node *region; /* the merge; for a ?: the statement around it */
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
	FUSE_OWN, /* the first clause of each strategy's own */
};

/* fuse's own. */
enum {
	FUSE_LAUNDER = FUSE_OWN,
	FUSE_QUESTION
};

/* Finds the arms; refuses by clauses 1 to 6. */
bool fuse_begin(struct fuse *z, struct plan *p, const struct guard_opts *o);
/* Matches the arms to arm base; refuses by clauses 7 to 10. guards: see overlay.h. */
bool fuse_match(struct fuse *z, size_t base, bool guards);
/* Clauses 7 to 10 for arms that are matched. */
bool fuse_check(struct fuse *z);
/* The whole plan if the merge is a ?:. */
void fuse_question(struct plan *p);
/* Clause 8, for declarations in places where the arms differ; fills o.carried. */
bool fuse_check_declared(struct fuse *z);
/* Are all conditions uniform, and does the wave reach the merge as a whole (plan_is_uniform)? */
bool fuse_is_uniform(struct fuse *z, const char **why);
/* "what, and the condition is not proved uniform: why". */
bool fuse_refuse_uniform(struct fuse *z, unsigned clause, const char *what, const char *why);
/* The nodes of arm i at a difference. */
struct match_arm fuse_part(const struct overlay_diff *d, size_t i);
void fuse_edit(struct fuse *z);
/* Writes arm 0 in place of the merge, with selects on the name of the selection. */
void fuse_edit_question(struct fuse *z);

void fuse_plan(struct plan *p, const char *variant);
void predicate_plan(struct plan *p, const char *variant);
