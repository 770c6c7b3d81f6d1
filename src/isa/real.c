/* Arithmetic in prime fields; real.h has the reason. */
#include "isa/real.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

/* ---- fields ---- */

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
	return (uint64_t)((wide)a * b % m);
}

static uint64_t add_mod(uint64_t a, uint64_t b, uint64_t m)
{
	return (a + b) % m; /* both below 2^61 */
}

static uint64_t power_mod(uint64_t a, uint64_t n, uint64_t m)
{
	uint64_t r = 1;
	for (; n; n >>= 1) {
		r = n & 1 ? mul_mod(r, a, m) : r;
		a = mul_mod(a, a, m);
	}
	return r;
}

uint64_t real_scramble(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	return h ^ h >> 31;
}

/* m * 2^e */
static uint64_t fraction_mod(int64_t m, int e, uint64_t prime)
{
	uint64_t half = (prime + 1) / 2;
	uint64_t u = (uint64_t)(m < 0 ? -m : m) % prime;
	u = mul_mod(u, power_mod(e < 0 ? half : 2, (uint64_t)(e < 0 ? -e : e), prime), prime);
	return m < 0 && u ? prime - u : u;
}

/* ---- numbers ---- */

/* A value that is not a number, or has no image in the field. */
static struct real special(double x)
{
	return (struct real){.kind = isnan(x)	? REAL_NAN
				     : isinf(x) ? REAL_INFINITE
						: REAL_UNDEFINED,
		.x = x};
}

struct real real_undefined(void)
{
	return (struct real){.kind = REAL_UNDEFINED};
}

struct real real_constant(double x)
{
	int e;
	if (!isfinite(x)) {
		return special(x);
	}
	int64_t m = (int64_t)ldexp(frexp(x, &e), 53);
	struct real v = {.x = x};
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		v.in[i] = fraction_mod(m, e - 53, PRIME);
		v.exponent[i] = fraction_mod(m, e - 53, ORDER);
	}
	return v;
}

static bool both_numbers(const struct real *a, const struct real *b)
{
	return a->kind == REAL_NUMBER && b->kind == REAL_NUMBER;
}

static bool either_undefined(const struct real *a, const struct real *b)
{
	return a->kind >= REAL_UNDEFINED || b->kind >= REAL_UNDEFINED;
}

struct real real_sum(struct real a, struct real b)
{
	if (either_undefined(&a, &b)) {
		return real_undefined();
	}
	if (!both_numbers(&a, &b)) {
		double x = a.kind == REAL_NUMBER ? b.x : b.kind == REAL_NUMBER ? a.x : a.x + b.x;
		return special(x);
	}
	float above[] = {a.above + b.below, b.above + a.below};
	a.x += b.x;
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		a.in[i] = add_mod(a.in[i], b.in[i], PRIME);
		a.exponent[i] = add_mod(a.exponent[i], b.exponent[i], ORDER);
	}
	a.has_power |= b.has_power;
	a.above = above[above[1] > above[0]];
	a.below += b.below;
	return a;
}

struct real real_product(struct real a, struct real b)
{
	if (either_undefined(&a, &b)) {
		return real_undefined();
	}
	if (!both_numbers(&a, &b)) {
		/* the sign depends on data */
		bool open = (a.kind == REAL_NUMBER && a.above > 0) ||
			    (b.kind == REAL_NUMBER && b.above > 0);
		return open ? real_undefined() : special(a.x * b.x);
	}
	a.x *= b.x;
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		a.in[i] = mul_mod(a.in[i], b.in[i], PRIME);
		a.exponent[i] = mul_mod(a.exponent[i], b.exponent[i], ORDER);
	}
	a.has_power |= b.has_power;
	a.above += b.above;
	a.below += b.below;
	return a;
}

struct real real_negated(struct real a)
{
	a.x = -a.x;
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		a.in[i] = a.in[i] ? PRIME - a.in[i] : 0;
		a.exponent[i] = a.exponent[i] ? ORDER - a.exponent[i] : 0;
	}
	return a;
}

static struct real inverse(struct real a)
{
	if (a.kind >= REAL_UNDEFINED || (a.kind == REAL_NUMBER && (a.x == 0) != (a.in[0] == 0))) {
		return real_undefined();
	}
	if (a.kind != REAL_NUMBER || a.x == 0) {
		return a.kind == REAL_INFINITE ? real_constant(0) : special(1 / a.x);
	}
	float above = a.above;
	a.x = 1 / a.x;
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		a.in[i] = power_mod(a.in[i], PRIME - 2, PRIME);
		a.exponent[i] = power_mod(a.exponent[i], ORDER - 2, ORDER);
	}
	a.above = a.below;
	a.below = above;
	return a;
}

/* 2^a. In the second field it is a random number. */
struct real real_power(struct real a)
{
	if (a.kind != REAL_NUMBER) {
		return a.kind == REAL_INFINITE && a.x < 0 ? real_constant(0) : a;
	}
	a.has_power |= a.above > 0;
	a.x = exp2(a.x);
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		a.in[i] = power_mod(2, a.exponent[i], PRIME);
		a.exponent[i] = real_scramble(a.in[i], 2) % ORDER;
	}
	a.above = a.above > 1 ? a.above : 1;
	a.below = 0;
	return a;
}

struct real real_of(uint64_t what, const struct real *v, size_t n, double x)
{
	struct real out = {.x = x, .above = 1};
	for (unsigned i = 0; i < REAL_POINTS; i++) {
		uint64_t h = real_scramble(what, i + 1);
		for (size_t k = 0; k < n; k++) {
			out.has_power |= v[k].has_power;
			out.kind = v[k].kind == REAL_UNDEFINED ? REAL_UNDEFINED : out.kind;
			bool has = v[k].kind == REAL_NUMBER || v[k].kind == REAL_UNKNOWN;
			h = real_scramble(
				h, has ? v[k].in[i] : PRIME + v[k].kind + 4 * (v[k].x < 0));
		}
		out.in[i] = h % PRIME;
		out.exponent[i] = real_scramble(h, 3) % ORDER;
	}
	return out;
}

/* ---- operations ---- */

static struct real choose(uint64_t *choices, struct real a, struct real b, bool larger)
{
	++*choices;
	if (either_undefined(&a, &b)) {
		return real_undefined();
	}
	if (a.kind == REAL_NAN || b.kind == REAL_NAN) {
		return a.kind == REAL_NAN ? b : a;
	}
	if (isnan(a.x) || isnan(b.x)) { /* a number that was a NaN in the run */
		return real_undefined();
	}
	return (a.x > b.x) == larger ? a : b;
}

static struct real median(uint64_t *choices, const struct real v[3])
{
	struct real low = choose(choices, v[0], v[1], false);
	struct real high = choose(choices, v[0], v[1], true);
	return choose(choices, low, choose(choices, high, v[2], false), true);
}

/* The stem of an operation on floats: its name without the format. */
static bool is_stem(const char *name, const char *stem)
{
	size_t n = strlen(stem);
	return strncmp(name, stem, n) == 0 &&
	       (strcmp(name + n, "f32") == 0 || strcmp(name + n, "f16") == 0 ||
		       strcmp(name + n, "f64") == 0);
}

bool real_calculate(
	struct real *out, uint64_t *choices, const char *name, const struct real *v, unsigned n)
{
	static const struct {
		const char *stem;
		unsigned sources;
		enum {
			ADD,
			SUBTRACT,
			FROM,
			TIMES,
			TIMES_ADD,
			LARGER,
			SMALLER,
			MEDIAN,
			LARGER_SMALLER,
			SMALLER_LARGER,
			RECIPROCAL,
			POWER,
			QUOTIENT
		} does;
	} all[] = {{"v_add_", 2, ADD}, {"v_sub_", 2, SUBTRACT}, {"v_subrev_", 2, FROM},
		{"v_mul_", 2, TIMES}, {"v_fma_", 3, TIMES_ADD}, {"v_mad_", 3, TIMES_ADD},
		{"v_fma_mixlo_", 3, TIMES_ADD}, {"v_max_", 2, LARGER}, {"v_max_num_", 2, LARGER},
		{"v_maximum_", 2, LARGER}, {"v_max3_", 3, LARGER}, {"v_max3_num_", 3, LARGER},
		{"v_maximum3_", 3, LARGER}, {"v_min_", 2, SMALLER}, {"v_min_num_", 2, SMALLER},
		{"v_minimum_", 2, SMALLER}, {"v_min3_", 3, SMALLER}, {"v_min3_num_", 3, SMALLER},
		{"v_minimum3_", 3, SMALLER}, {"v_med3_", 3, MEDIAN}, {"v_med3_num_", 3, MEDIAN},
		{"v_maxmin_", 3, LARGER_SMALLER}, {"v_maxmin_num_", 3, LARGER_SMALLER},
		{"v_minmax_", 3, SMALLER_LARGER}, {"v_minmax_num_", 3, SMALLER_LARGER},
		{"v_rcp_", 1, RECIPROCAL}, {"v_exp_", 1, POWER}, {"v_div_fixup_", 3, QUOTIENT},
		{"v_pk_max_", 2, LARGER}, {"v_pk_max_num_", 2, LARGER}, {"v_pk_min_", 2, SMALLER},
		{"v_pk_min_num_", 2, SMALLER}};
	size_t i = 0;
	while (i < sizeof(all) / sizeof(all[0]) &&
		!(all[i].sources == n && is_stem(name, all[i].stem))) {
		i++;
	}
	if (i == sizeof(all) / sizeof(all[0])) {
		return false;
	}
	switch (all[i].does) {
	case ADD:
		*out = real_sum(v[0], v[1]);
		break;
	case SUBTRACT:
		*out = real_sum(v[0], real_negated(v[1]));
		break;
	case FROM:
		*out = real_sum(v[1], real_negated(v[0]));
		break;
	case TIMES:
		*out = real_product(v[0], v[1]);
		break;
	case TIMES_ADD:
		*out = real_sum(real_product(v[0], v[1]), v[2]);
		break;
	case LARGER:
	case SMALLER:
		*out = choose(choices, v[0], v[1], all[i].does == LARGER);
		*out = n == 3 ? choose(choices, *out, v[2], all[i].does == LARGER) : *out;
		break;
	case MEDIAN:
		*out = median(choices, v);
		break;
	case LARGER_SMALLER:
	case SMALLER_LARGER:
		*out = choose(choices, v[0], v[1], all[i].does == LARGER_SMALLER);
		*out = choose(choices, *out, v[2], all[i].does == SMALLER_LARGER);
		break;
	case RECIPROCAL:
		*out = inverse(v[0]);
		break;
	case POWER:
		*out = real_power(v[0]);
		break;
	case QUOTIENT: /* the earlier steps of a division only refine bits */
		*out = real_product(v[2], inverse(v[1]));
		break;
	}
	return true;
}
