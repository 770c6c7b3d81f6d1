#pragma once
/*
 * The parts of causes_find(): subjects (causing.c), launch bounds (bounds.c), spills with only one
 * arm of every merge (floor.c), the probe (probe.c), and others.
 */
#include "choose/advise/causes.h"
#include "choose/judge/compile.h"

struct causing {
	struct state s;
	const struct measure_result *now; /* one a target */
	unsigned wanted;
	ARRAY(struct cause) causes;
};

/* A kernel, by one target's compiler. */
struct subject {
	const struct kernel_metrics *k;
	const struct kt_unit *u;
	kt_id id;
	size_t target;
};

static inline bool cause_spills(const struct kernel_metrics *k)
{
	return k->trusted && k->v[METRIC_VGPR_SPILL] > 0;
}

/* False: not a kernel of the user. */
bool cause_subject(struct subject *out, const struct causing *q, size_t target,
	const struct kernel_metrics *k);
struct cause *cause_add(struct causing *q, const struct subject *s, enum cause_kind kind);
bool cause_has(const struct causing *q, const struct subject *s, enum cause_kind kind);
/* "VGPR spills 80 -> 0, scratch 324 -> 0 bytes, VGPRs 128 -> 164, waves/SIMD 4 -> 2" */
const char *cause_change(
	struct causing *q, const struct kernel_metrics *x, const struct kernel_metrics *y);

/* Reports launch bounds without effect, those that cause spills, and those with which a launch
 * fails. */
void cause_bounds(struct causing *q);
/* Proposes bounds for a kernel without; false if they do not remove the spills. */
bool cause_try_bounds(struct causing *q, const struct subject *s);
/* Proposes the bound of its launches in place of a larger one; false if it does not remove the
 * spills. */
bool cause_try_smaller(struct causing *q, const struct subject *s);
/* The place of the kernel's launch bounds in the file: in its declaration or in a macro of this
 * file. */
struct bound {
	size_t first, first_end;
	size_t second, second_end; /* with the comma before it; equal: there is none */
	const char *of;		   /* " of NAME": in that macro, which others may use */
	const char *attribute;	   /* second is this one, or NULL */
};
bool cause_find_bound(struct bound *out, const struct causing *q, const struct subject *s);
/* The results of the text with these edits, one a target; NULL: there are no edits, they clash, or
 * it does not compile. Sorts them. */
const struct measure_result *cause_compile(struct causing *q, struct edit_list *edits);
/* The kernel of the original in r; NULL: r did not compile, or has no such kernel. */
const struct kernel_metrics *cause_after(
	const struct measure_result *r, const struct kernel_metrics *now);
/* Does y have more of this metric than x? */
bool cause_rises(const struct kernel_metrics *x, const struct kernel_metrics *y, enum metric m);
/* Does y have more spills or scratch, or fewer waves? Also true if there is no y. */
bool cause_is_worse(const struct kernel_metrics *x, const struct kernel_metrics *y);
/* Is some kernel of r worse than the original's in that way? */
typedef bool cause_test(const struct kernel_metrics *x, const struct kernel_metrics *y);
bool cause_any(const struct causing *q, const struct measure_result *r, cause_test *is);
/* The kernel among these symbols that gains most in r, and more than least; with is NULL if there
 * is none. */
struct cause_gain {
	struct subject s;
	const struct kernel_metrics *with;
};
struct cause_gain cause_most(const struct causing *q, const struct measure_result *r,
	const struct map *kernels, int64_t least,
	int64_t (*gain)(const struct kernel_metrics *x, const struct kernel_metrics *y));
/* Finds kernels that copy matrix results between two kinds of registers in their loops. */
void cause_forms(struct causing *q);
/* Finds conditions on the wave's number around matrix operations, which readfirstlane improves. */
void cause_waves(struct causing *q);
/* Finds guarded loads that are better with clamped indices and selects. */
void cause_guarded(struct causing *q);
/* Finds arms that call instances of one function template and are less code with one function. */
void cause_arms(struct causing *q);
/* Reports for each kernel that spills its bounds, or that one arm needs more registers than there
 * are. */
void cause_spilling(struct causing *q);
/* FAIL_USAGE after a message. */
int cause_probe(struct causing *q);
