#pragma once
/* A number in two prime fields, evaluated at two random points (reals.h), with its approximate
 * value in the run. Internal to src/isa. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REAL_POINTS = 2 /* at which each term is evaluated */
};

/* PRIME = 2 * ORDER + 1, both prime. 2 has this order, since PRIME % 8 is 7. */
#define PRIME ((uint64_t)2305843009213690799)
#define ORDER ((uint64_t)1152921504606845399)

enum real_kind {
	REAL_NUMBER,
	REAL_INFINITE, /* with the sign of x */
	REAL_NAN,
	REAL_UNDEFINED, /* such as 1 / (x - x); not equal to any number */
	REAL_UNKNOWN	/* a bit that the run did not compute */
};

struct real {
	enum real_kind kind;
	double x; /* approximate value in the run; a bit: 0 or 1 */
	uint64_t in[REAL_POINTS];
	uint64_t exponent[REAL_POINTS]; /* the same in the second field */
	bool has_power;			/* it contains 2 to the power of a term */
	float above, below;		/* degrees of numerator and denominator */
};

struct real real_constant(double x);
struct real real_undefined(void);
struct real real_sum(struct real a, struct real b);
struct real real_product(struct real a, struct real b);
struct real real_negated(struct real a);
struct real real_power(struct real a); /* 2^a */
/* A random number that depends only on what and these n numbers; x: its approximate value. */
struct real real_of(uint64_t what, const struct real *v, size_t n, double x);
/* A row's operation on n numbers; false: unknown operation. choices counts minimums and
 * maximums. */
bool real_calculate(
	struct real *out, uint64_t *choices, const char *name, const struct real *v, unsigned n);
uint64_t real_scramble(uint64_t h, uint64_t x);
