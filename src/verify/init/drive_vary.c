#include "verify/init/driving.h"

#include <stdlib.h>

enum {
	MOST_VALUE = 1 << 16,
	LEAST_VALUE = -4096,
	MOST_CANDIDATES = 48
};

struct candidates {
	int64_t v[MOST_CANDIDATES];
	size_t n;
};

static void add_candidate(struct candidates *c, const struct slot *s, int64_t v)
{
	bool fits = s->is_bool ? v == 0 || v == 1
			       : v <= MOST_VALUE && v >= (s->is_signed ? LEAST_VALUE : 0);
	for (size_t i = 0; i < c->n; i++) {
		fits &= c->v[i] != v;
	}
	if (fits && c->n < MOST_CANDIDATES) {
		c->v[c->n++] = v;
	}
}

/* Candidates for a number that was compared: the other operand, or a value near it. */
static void add_compared(struct candidates *c, const struct slot *s, int64_t now,
	const struct trial_result *r, bool loosely)
{
	for (size_t i = 0; i < r->pairs; i++) {
		int64_t a = r->pair[i].a;
		int64_t b = r->pair[i].b;
		if (llabs(a) > MOST_VALUE || llabs(b) > MOST_VALUE) {
			continue;
		}
		for (int64_t k = -1; k <= 1; k++) {
			if (!loosely && is_near(a, now)) {
				add_candidate(c, s, b + k);
			}
			if (!loosely && is_near(b, now)) {
				add_candidate(c, s, a + k);
			}
			if (loosely) {
				add_candidate(c, s, now + (b - a) + k);
				add_candidate(c, s, now + (a - b) + k);
			}
		}
		if (loosely && a != 0 && b != 0) {
			add_candidate(c, s, now * b / a);
			add_candidate(c, s, now * a / b);
		}
	}
}

static void numbers_for(struct candidates *c, const struct drive *x, const struct slot *s,
	const struct driven_case *from, size_t slot, unsigned level)
{
	static const int64_t always[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 100, 256, 1000, -1};
	int64_t now = from->value[slot].whole;
	if (s->is_enum && s->type->fields) {
		for (size_t i = 0; level == 0 && i < s->type->fields; i++) {
			add_candidate(c, s, s->type->field[i].at);
		}
		return;
	}
	if (level == 0) {
		if (x->full) { /* larger buffers with the same fills */
			add_candidate(c, s, x->full[slot].whole);
		}
		add_compared(c, s, now, &from->result, false);
		array_each (&x->p->wholes, const int64_t, w) {
			add_candidate(c, s, *w);
		}
		return;
	}
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		add_candidate(c, s, always[i]);
	}
	add_compared(c, s, now, &from->result, true);
	for (size_t i = 0; i < x->p->slots.n; i++) {
		int64_t other = from->value[i].whole;
		if (x->p->slots.v[i].kind == SLOT_NUMBER && i != slot) {
			add_candidate(c, s, other - 1);
			add_candidate(c, s, other + 1);
			add_candidate(c, s, 2 * other);
		}
	}
}

static void add_around(struct param_buffer *b, int64_t v)
{
	static const size_t most = 24;
	int64_t low;
	int64_t high;
	element_range(&low, &high, b->type);
	low = b->type % 2 == 1 ? 0 : low;
	struct fill f = {.kind = FILL_RANDOM, .whole_low = v - 1, .whole_high = v + 1};
	bool fits = v - 1 >= low && v + 1 <= high && llabs(v) <= MOST_VALUE && b->fills.n < most;
	array_each (&b->fills, struct fill, o) {
		fits &= o->kind != f.kind || o->whole_low != f.whole_low ||
			o->whole_high != f.whole_high;
	}
	if (fits) {
		array_push(&b->fills, f);
	}
}

/* Has an operand of pair i the same value at every run of that place? */
static bool is_constant(const struct trial_result *r, size_t i, bool second)
{
	int64_t v = second ? r->pair[i].b : r->pair[i].a;
	size_t n = 0;
	for (size_t k = 0; k < r->pairs; k++) {
		bool same = (second ? r->pair[k].b : r->pair[k].a) == v;
		if (r->pair[k].place == r->pair[i].place && !same) {
			return false;
		}
		n += r->pair[k].place == r->pair[i].place;
	}
	return n > 1;
}

/* Adds fills with values from the kernel's comparisons, constants first. */
static void extend_fills(struct drive *x, struct param_buffer *b, const struct trial_result *r)
{
	if (element_is_float(b->type)) {
		return;
	}
	for (size_t i = 0; i < r->pairs; i++) {
		if (is_constant(r, i, true) != is_constant(r, i, false)) {
			add_around(b, is_constant(r, i, true) ? r->pair[i].b : r->pair[i].a);
		}
	}
	array_each (&x->p->wholes, const int64_t, w) {
		add_around(b, *w);
	}
	for (size_t i = 0; i < r->pairs; i++) {
		add_around(b, r->pair[i].a);
		add_around(b, r->pair[i].b);
	}
}

static size_t choices(const struct drive *x, const struct slot *s)
{
	return s->kind == SLOT_BLOCK  ? x->p->blocks.n
	       : s->kind == SLOT_GRID ? x->p->grids.n
				      : x->p->buffers.v[s->number].fills.n;
}

static int vary_real(struct drive *x, struct trial_number *value, size_t slot)
{
	static const double reals[] = {0, -1, 0.5, 2, 10, 100, -100, 1e-6, 1e6};
	int rc = 0;
	array_each (&x->p->reals, const double, c) {
		const double near_it[] = {*c, *c - 0.5, *c + 0.5};
		for (size_t k = 0; rc == 0 && k < 3; k++) {
			value[slot] = trial_real(near_it[k]);
			rc = drive_attempt(x, value);
		}
	}
	for (size_t i = 0; rc == 0 && i < sizeof(reals) / sizeof(reals[0]); i++) {
		value[slot] = trial_real(reals[i]);
		rc = drive_attempt(x, value);
	}
	return rc;
}

static int vary_all(struct drive *x, const struct driven_case *from, unsigned level);

/* Tries all changes of one slot at this level: integers in arguments and buffers to values compared
 * with them; fills, shapes and floats; integers to other values. A case with a new arm is varied
 * next, since more arms are likely from there. */
static int vary(struct drive *x, const struct driven_case *from, size_t slot, unsigned level)
{
	const struct slot *s = &x->p->slots.v[slot];
	struct trial_number *value = drive_copy(x, from->value);
	struct candidates c = {.n = 0};
	int rc = 0;
	if (s->kind == SLOT_NUMBER && s->is_float) {
		return level == 1 ? vary_real(x, value, slot) : 0;
	}
	if (s->kind == SLOT_NUMBER && level != 1) {
		numbers_for(&c, x, s, from, slot, level);
	} else if (s->kind == SLOT_FILL && level < 2) {
		struct param_buffer *b = &x->p->buffers.v[s->number];
		extend_fills(x, b, &from->result);
		size_t first = level == 0 ? b->usual : 0;
		size_t end = level == 0 ? b->fills.n : b->usual;
		for (size_t i = first; i < end && c.n < MOST_CANDIDATES; i++) {
			c.v[c.n++] = (int64_t)i;
		}
	} else if (s->kind == SLOT_NULL && level == 0) {
		c.v[c.n++] = !from->value[slot].whole;
	} else if (s->kind != SLOT_NUMBER && s->kind != SLOT_NULL && level == 1) {
		for (size_t i = 0; i < choices(x, s) && c.n < MOST_CANDIDATES; i++) {
			c.v[c.n++] = (int64_t)i;
		}
	}
	for (size_t i = 0; rc == 0 && i < c.n && x->d->unruns > 0; i++) {
		value[slot] = trial_whole(c.v[i]);
		size_t before = x->d->cases.n;
		rc = drive_attempt(x, value);
		if (x->d->cases.n > before) {
			const struct driven_case found = x->d->cases.v[x->d->cases.n - 1];
			bool more = drive_count_unrun(x, NULL) && level == 0;
			rc = rc || !more ? rc : vary_all(x, &found, level);
		}
	}
	return rc;
}

/* Does the buffer probably hold data, not values that decide branches? */
static bool is_data(const struct drive *x, size_t slot)
{
	const struct slot *s = &x->p->slots.v[slot];
	const struct param_buffer *b = s->kind == SLOT_FILL ? &x->p->buffers.v[s->number] : NULL;
	return b && (element_is_float(b->type) || element_size(b->type) != 4);
}

static int vary_all(struct drive *x, const struct driven_case *from, unsigned level)
{
	int rc = 0;
	for (unsigned pass = 0; rc == 0 && pass < 2; pass++) {
		for (size_t k = 0; rc == 0 && k < x->p->slots.n; k++) {
			if (x->left <= 0 || drive_count_unrun(x, NULL) == 0) {
				return 0;
			}
			rc = is_data(x, k) == pass ? vary(x, from, k, level) : 0;
		}
	}
	return rc;
}

/* Sets numbers to the literals that the code compares them with. */
static int vary_constants(struct drive *x)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->p->slots.n; i++) {
		const struct slot *s = &x->p->slots.v[i];
		for (size_t k = 0; rc == 0 && k < s->constants && drive_count_unrun(x, NULL); k++) {
			struct trial_number *value = drive_copy(x, x->d->cases.v[0].value);
			value[i] = trial_whole(s->constant[k]);
			rc = drive_attempt(x, value);
		}
	}
	return rc;
}

/* Changes all sizes at once, for conditions on several of them. */
static int vary_together(struct drive *x)
{
	static const int64_t sizes[] = {128, 256, 16, 512, 1024, 1, 37, 0};
	const struct driven_case from = x->d->cases.v[0];
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct trial_number *value = drive_copy(x, from.value);
		for (size_t i = 0; i < x->p->slots.n; i++) {
			if (is_size(&x->p->slots.v[i])) {
				value[i] = trial_whole(sizes[k]);
			}
		}
		rc = drive_count_unrun(x, NULL) ? drive_attempt(x, value) : 0;
	}
	return rc;
}

int drive_vary(struct drive *x)
{
	int rc = vary_constants(x);
	for (unsigned level = 0; rc == 0 && level < 3; level++) {
		rc = level == 1 ? vary_together(x) : 0;
		size_t cases = 0;
		size_t seeds = 0;
		/* cases added here are varied, too */
		while (rc == 0 && x->left > 0 && x->d->cases.n < MOST_CASES &&
			(cases < x->d->cases.n || seeds < x->seeds.n)) {
			const struct driven_case from = cases < x->d->cases.n
								? x->d->cases.v[cases++]
								: x->seeds.v[seeds++];
			rc = vary_all(x, &from, level);
		}
	}
	return rc;
}
