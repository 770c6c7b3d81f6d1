#pragma once
/* Indices as sums, and known divisors of them and of addresses. Private to this room. */
#include "analysis/facts/facts.h"

enum {
	SUM_TERMS_MAX = 8,
	MULTIPLE_MAX = 4096 /* the largest power of two that is distinguished */
};

/* constant + the sum of coef * node; exact, except for unsigned wrapping (wraps). */
struct index_sum {
	int64_t constant;
	struct {
		const struct kt_node *node;
		int64_t coef;
	} term[SUM_TERMS_MAX];
	size_t terms;
	bool wraps; /* modulo 2^32: exact only within blocks whose size divides the terms */
	bool bad;   /* unknown */
};

struct index_facts {
	struct facts *f;
	const struct kt_unit *u;
	struct arena *a;
	const struct kt_node *body; /* of the function */
	bool wraps;		    /* -fwrapv */
};

/* The sum of an index; NULL means 0. */
void index_sum_of(struct index_sum *out, const struct index_facts *x, const struct kt_node *n);
/* Removes the term of this variable and returns its coefficient, 0 if there is none. */
int64_t index_sum_take(struct index_sum *s, kt_id sym);
bool index_sums_match(const struct index_facts *x, const struct index_sum *p,
	const struct index_sum *q); /* equal except for the constants */
/* A power of two that divides all terms. */
unsigned index_sum_multiple(const struct index_facts *x, const struct index_sum *s);
/* The known alignment of the pointer in bytes, by its types and by __builtin_assume_aligned. */
unsigned index_pointer_align(const struct index_facts *x, const struct kt_node *n);
