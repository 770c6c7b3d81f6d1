#pragma once
/* The calls in the arms (clause 21), and their effects on wide accumulators. */
#include "strategy/extract/extract.h"

/* Fills in the leaves: the call of each arm, or of each part of a nest. False after a refusal. */
bool callee_find_calls(struct callee *c);
/* The value that a statement assigns, and its target in *result. Without an assignment: the
 * statement itself, and *result is NULL. */
const struct kt_node *callee_assigned(
	const struct callee *c, const struct kt_node *stmt, const struct kt_node **result);
/* Is it a call of a known function? False after a refusal. */
bool callee_is_known(struct callee *c, const struct kt_node *call);
/* Is the result of the leaf's call used without a conversion? False after a refusal. */
bool callee_check_result(struct callee *c, const struct callee_leaf *l);
/* Do all arms call one function? */
bool callee_check_function(struct callee *c);
/* Translates effects from the callee's terms to the arm's. */
void callee_at_call(
	struct fx *out, struct callee *c, const struct callee_leaf *l, const struct fx *fx);
/* The callee's locations that are, at this call, among the wide ones. */
struct locset callee_wide_in(
	struct callee *c, const struct callee_leaf *l, const struct locset *wide);
/* Does the code below root, a part of the callee, write one of the wide locations? */
bool callee_writes(
	struct callee *c, const struct kt_node *root, const struct locset *wide, unsigned depth);
