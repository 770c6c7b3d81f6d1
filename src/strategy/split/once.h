#pragma once
/* Ranges and monotonicity of values in a loop (once_value.c), for once.c: does the condition change
 * at most once? Internal to split/. */
#include "strategy/split/split.h"

typedef __int128 wide;

struct range {
	wide lo, hi;
};

enum motion {
	STILL,
	GROWS,
	SHRINKS,
	ANYHOW
};

/* A value in one run of the loop. */
struct value {
	enum motion motion;
	struct range range;
};

struct once {
	struct split *s;
	kt_id var;
	int64_t step;
	struct range range;	     /* of var in the body */
	const struct kt_node *first; /* what it starts with, or NULL */
	const char *why;
};

/* The range and motion of an expression in one run of the loop; ANYHOW with o->why if unknown. */
struct value once_value(struct once *o, const struct kt_node *n);
/* ANYHOW, with the first reason in o->why. */
struct value once_anyhow(struct once *o, const char *why);
/* The value converted to a type, without arithmetic that could overflow. */
struct value once_convert(struct once *o, struct value v, const struct kt_type *t);
/* The value of a constant factor or divisor, or 0. */
int64_t once_constant(const struct kt_node *n);
/* The motion of -x, and of x + y. */
enum motion once_opposite(enum motion m);
enum motion once_both(enum motion x, enum motion y);

bool once_is_signed(const struct kt_type *t);
/* The type of an integer expression; size 0 for others. */
struct kt_type once_int_type(struct once *o, kt_id id);
struct range once_type_range(const struct kt_type *t);
bool once_is_within(struct range x, struct range y);

/* Does the expression depend on the loop's variable, directly or through a local? */
bool once_moves(struct once *o, const struct kt_node *e);
/* The same in all iterations? Locals of the body count as what they are initialized with. */
bool once_is_invariant(struct once *o, const struct kt_node *e);
