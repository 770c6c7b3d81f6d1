#pragma once
/*
 * Arms as statements and text, and which accumulators are wide: what hoist and fuse ask before they
 * match arms. Everything lives in the plan's arena.
 */
#include "analysis/arms/match.h"
#include "strategy/plan/plan.h"

/* What one arm does. */
struct arm_body {
	const struct arm *arm;
	struct match_arm list; /* statements, without the break that ends a switch arm */
	size_t begin;	       /* text that holds them: between the braces, or the statement */
	size_t end;
	bool braced;
};

/* Where a body's brace stands, after [[likely]] or [[unlikely]], which say nothing of what runs.
 * Of a body without one, or after another attribute: where the body begins. */
size_t body_begin(struct str t, const struct kt_node *body);
/* arm is one of m's. */
void arm_body_find(
	struct arm_body *out, struct plan *p, const struct merge *m, const struct arm *arm);
/* Is it all in the file as it stands: no macro around the arms, no directive but a loop pragma, and
 * nothing but statements and comments in the arms? False: refused. */
bool arm_bodies_check_text(struct plan *p, const struct merge *m, const struct arm_body *body,
	size_t n, unsigned clause_text, unsigned clause_empty);
/* Has all that runs in the arms a text? False: refused. Statements that are joined, parted or put
 * in another scope take what runs at the end of one along only where a text says so. */
bool arms_check_written(struct plan *p, unsigned clause);
/* Does no directive but a loop pragma, and no _Pragma, stand there in the merge's file? False:
 * refused. What is moved or taken apart has to be the same text in every compilation. */
bool plan_check_directives(struct plan *p, size_t begin, size_t end, unsigned clause);
/* Do all views see the same text of the function between the first and the last byte that the
 * plan's edits and what they are about ([begin, end)) have there? False: refused, CLAUSE_VIEWS. */
bool plan_check_views(struct plan *p, kt_id fn, size_t begin, size_t end);
/* Is no structured binding declared inside the plan's merge? False: refused. Its names cannot be
 * told apart or taken along by their declaration. */
bool arms_check_bindings(struct plan *p, unsigned clause);
/* Does no arm declare or name a type or namespace by keyword, nor declare a structured binding?
 * False: refused. */
bool arm_bodies_check_types(struct plan *p, const struct arm_body *body, size_t n, unsigned clause);

/* The first statement below root that no text stands for: what a scope's end runs, or a range-for
 * asks of its range. NULL: there is none. */
const struct kt_node *body_unwritten(const struct kt_node *root);

/* VGPRs per lane: an accumulator from here on counts as wide. */
enum {
	WIDE_MIN = 16
};

/* The accumulators that a rewrite of the plan's merge is about. Where none is wide by itself, those
 * that are as wide as the widest. */
struct wide {
	struct locset set;
	unsigned width;	      /* VGPRs per lane */
	bool narrow_instance; /* of a template that is wide elsewhere */
};

/* False: refused, none crosses. */
bool wide_find(struct wide *out, struct plan *p, unsigned clause);
/* Leaves out those that are not half as wide as the widest, which may go on crossing. False: there
 * are none. */
bool wide_keep_widest(struct wide *w, struct plan *p);

/* Source text on one line, for messages. */
const char *plan_quote(struct plan *p, const struct kt_node *n);
