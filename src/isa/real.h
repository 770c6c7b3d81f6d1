#pragma once
/* A number in two prime fields, at two points each (reals.h), and about what it was in the run.
 * Internal to the room. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REAL_POINTS = 2 /* where each term is looked at */
};

/* PRIME = 2 * ORDER + 1, both prime; 2 has this order, as PRIME is 7 of each 8. */
#define PRIME ((uint64_t)2305843009213690799)
#define ORDER ((uint64_t)1152921504606845399)

enum real_kind {
	REAL_NUMBER,
	REAL_INFINITE, /* with the sign of x */
	REAL_NAN,
	REAL_UNDEFINED, /* such as 1 / (x - x): the same as nothing */
	REAL_UNKNOWN	/* a bit that the run has not shown */
};

struct real {
	enum real_kind kind;
	double x; /* about, in the run; of a bit 0 or 1 */
	uint64_t in[REAL_POINTS];
	uint64_t exponent[REAL_POINTS]; /* the same in the second field */
	bool has_power;			/* a power of 2 by a term is in it */
	float above, below;		/* degrees of the fraction */
};

struct real real_constant(double x);
struct real real_undefined(void);
struct real real_sum(struct real a, struct real b);
struct real real_product(struct real a, struct real b);
struct real real_negated(struct real a);
struct real real_power(struct real a); /* 2^a */
/* One that depends on these n and on nothing else; x: about what it was. */
struct real real_of(uint64_t what, const struct real *v, size_t n, double x);
/* A row's operation on n numbers; false: none that is known. choices counts minimums and maximums.
 */
bool real_calculate(
	struct real *out, uint64_t *choices, const char *name, const struct real *v, unsigned n);
uint64_t real_scramble(uint64_t h, uint64_t x);
