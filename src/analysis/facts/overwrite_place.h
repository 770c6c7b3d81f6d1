#pragma once
/*
 * Parts of variables by name: a variable (or the target of a reference, a pointer to an array or
 * this) and the path of members and elements from there. For overwrite.c.
 */
#include "analysis/facts/facts.h"

enum part_step_kind {
	PART_FIELD, /* sym: the member */
	PART_AT,    /* a constant index */
	PART_COUNT, /* sym: the index, or the reference of a range-for to the element */
	PART_OTHER  /* an unknown part */
};

struct part_step {
	enum part_step_kind kind;
	kt_id sym;
	int64_t at;
};

enum {
	PART_STEPS_MAX = 8
};

struct part {
	kt_id root;
	struct part_step step[PART_STEPS_MAX];
	size_t n;
	kt_id type; /* the type of the part */
};

/* The relation of y to x. */
enum part_relation {
	PART_APART,
	PART_SAME,
	PART_HOLDS,  /* contains all of x */
	PART_WITHIN, /* a part of x */
	PART_UNKNOWN
};

/* The variable, or the target of the reference. */
struct part part_of_symbol(const struct facts *f, kt_id sym);
loc_id part_loc(const struct facts *f, const struct part *p);
/* False if the lvalue n has no such name. */
bool part_of(struct part *out, const struct facts *f, const struct kt_node *n);
/* The object that pointer n points to, if n is an array's name or an address. */
bool part_of_pointee(struct part *out, const struct facts *f, const struct kt_node *n);
/* The index in a call of the argument for a parameter or self; SIZE_MAX: none. */
size_t part_argument(const struct facts *f, const struct kt_node *call, kt_id param);
/* The part that the parameter names in a call: a reference (or self), or a pointer to the elements
 * of an array. */
bool part_of_argument(
	struct part *out, const struct facts *f, const struct kt_node *call, size_t i, kt_id param);
bool part_add(struct part *p, const struct facts *f, struct part_step step, kt_id type);
/* The part after the first n steps. */
struct part part_cut(const struct facts *f, const struct part *p, size_t n);
enum part_relation part_relation(const struct facts *f, const struct part *x, const struct part *y);
