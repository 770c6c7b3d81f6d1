#pragma once
/*
 * Arms as statements and text, and the wide accumulators, for hoist and fuse before they match
 * arms. Everything lives in the plan's arena.
 */
#include "analysis/arms/match.h"
#include "strategy/plan/plan.h"

/* The body of one arm. */
struct arm_body {
	const struct arm *arm;
	struct match_arm list; /* statements, without the break that ends a switch arm */
	size_t begin;	       /* their text: between the braces, or the statement */
	size_t end;
	bool braced;
};

/* The offset of a body's brace, past [[likely]] or [[unlikely]], which do not change what runs.
 * Without a brace, or with another attribute: the start of the body. */
size_t body_begin(struct str t, const struct kt_node *body);
/* arm is one of m's. */
void arm_body_find(
	struct arm_body *out, struct plan *p, const struct merge *m, const struct arm *arm);
/* Is all of it plain text of the file: no macro around the arms, no directive except a loop pragma,
 * and only statements and comments in the arms? False: refused. */
bool arm_bodies_check_text(struct plan *p, const struct merge *m, const struct arm_body *body,
	size_t n, unsigned clause_text, unsigned clause_empty);
/* Is everything that runs in the arms written in the text? False: refused. A destructor, for
 * example, runs at the end of a scope without any text, so a move of statements to another scope
 * would change when it runs. */
bool arms_check_written(struct plan *p, unsigned clause);
/* Is the range of the merge's file free of directives (except loop pragmas) and of _Pragma? False:
 * refused. Text that is moved or cut must be the same in every compilation. */
bool plan_check_directives(struct plan *p, size_t begin, size_t end, unsigned clause);
/* Do all views compile the same text of the function, from the first to the last byte of the plan's
 * edits and of [begin, end)? False: refused, CLAUSE_VIEWS. */
bool plan_check_views(struct plan *p, kt_id fn, size_t begin, size_t end);
/* Is the plan's merge free of structured bindings? False: refused. Their names share one
 * declaration, so they cannot be moved or told apart. */
bool arms_check_bindings(struct plan *p, unsigned clause);
/* Are the arms free of structured bindings and of keywords that name or declare a type or
 * namespace? False: refused. */
bool arm_bodies_check_types(struct plan *p, const struct arm_body *body, size_t n, unsigned clause);

/* The first statement below root without a text: a destructor at a scope's end, or a call that a
 * range-for makes. NULL: none. */
const struct kt_node *body_unwritten(const struct kt_node *root);

/* The smallest accumulator that counts as wide, in VGPRs per lane. */
enum {
	WIDE_MIN = 16
};

/* The accumulators that a rewrite of the plan's merge is for. If none is wide, the widest ones. */
struct wide {
	struct locset set;
	unsigned width;	      /* VGPRs per lane */
	bool narrow_instance; /* other instances of the template are wide */
};

/* False: refused, no accumulator crosses. */
bool wide_find(struct wide *out, struct plan *p, unsigned clause);
/* Drops those less than half as wide as the widest, which may still cross. False: nothing
 * dropped. */
bool wide_keep_widest(struct wide *w, struct plan *p);

/* Source text on one line, for messages. */
const char *plan_quote(struct plan *p, const struct kt_node *n);
