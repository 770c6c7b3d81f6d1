#pragma once
/*
 * The parts of causes_find(): subjects (causing.c), launch bounds (bounds.c), what spills with one
 * arm of every merge alone (floor.c), and the probe (probe.c).
 */
#include "choose/advise/causes.h"
#include "choose/judge/compile.h"

struct causing {
	struct state s;
	const struct measure_result *now; /* one a target */
	unsigned wanted;
	ARRAY(struct cause) causes;
};

/* A kernel in question, by one target's compiler. */
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

/* False: no kernel of the user's. */
bool cause_subject(struct subject *out, const struct causing *q, size_t target,
	const struct kernel_metrics *k);
struct cause *cause_add(struct causing *q, const struct subject *s, enum cause_kind kind);
bool cause_has(const struct causing *q, const struct subject *s, enum cause_kind kind);
/* "VGPR spills 80 -> 0, scratch 324 -> 0 bytes, VGPRs 128 -> 164, waves/SIMD 4 -> 2" */
const char *cause_change(
	struct causing *q, const struct kernel_metrics *x, const struct kernel_metrics *y);

/* Bounds of kernels that do nothing, make them spill, or keep them from being launched. */
void cause_bounds(struct causing *q);
/* Bounds for a kernel that has none; false when the spills stay. */
bool cause_try_bounds(struct causing *q, const struct subject *s);
/* The bound of its launches in place of a larger one; false when the spills stay. */
bool cause_try_smaller(struct causing *q, const struct subject *s);
/* Where the file's text has the kernel's launch bounds, in its head or in a macro of this file. */
struct bound {
	size_t first, first_end;
	size_t second, second_end; /* with the comma in front; equal: there is none */
	const char *of; /* " of NAME": in the definition of that macro, which others may use */
	const char *attribute; /* second is this one, or NULL */
};
bool cause_find_bound(struct bound *out, const struct causing *q, const struct subject *s);
/* What these edits make of the text, one a target; NULL: there are none, they clash, or it cannot
 * be compiled. Sorts them. */
const struct measure_result *cause_compile(struct causing *q, struct edit_list *edits);
/* A kernel of now in r; NULL: r did not compile, or has lost it. */
const struct kernel_metrics *cause_after(
	const struct measure_result *r, const struct kernel_metrics *now);
/* Is there more of it in y than in x? */
bool cause_rises(const struct kernel_metrics *x, const struct kernel_metrics *y, enum metric m);
/* More spills or scratch, or fewer waves; or there is no y. */
bool cause_is_worse(const struct kernel_metrics *x, const struct kernel_metrics *y);
/* Is there such a kernel, of now and of r? */
typedef bool cause_test(const struct kernel_metrics *x, const struct kernel_metrics *y);
bool cause_any(const struct causing *q, const struct measure_result *r, cause_test *is);
/* The kernel of these symbols that gains most in r, and more than least; with is NULL: there is
 * none. */
struct cause_gain {
	struct subject s;
	const struct kernel_metrics *with;
};
struct cause_gain cause_most(const struct causing *q, const struct measure_result *r,
	const struct map *kernels, int64_t least,
	int64_t (*gain)(const struct kernel_metrics *x, const struct kernel_metrics *y));
/* Kernels that copy matrix results between two kinds of registers in their loops. */
void cause_forms(struct causing *q);
/* Numbers of waves in conditions round matrix operations, said to the compiler. */
void cause_waves(struct causing *q);
/* Loads that each lane guards, where clamped indices and selects are better. */
void cause_guarded(struct causing *q);
/* Arms that call instances of one function template, where one function is less code. */
void cause_arms(struct causing *q);
/* Of each kernel that spills: its bounds, or that it needs more registers than there are. */
void cause_spilling(struct causing *q);
/* FAIL_USAGE after a message. */
int cause_probe(struct causing *q);
