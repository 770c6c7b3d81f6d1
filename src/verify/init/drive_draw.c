/*
 * Values that a search for faults tries: ragged sizes in families, and random values. The random
 * numbers are the same in every run.
 */
#include "verify/init/driving.h"

uint64_t drive_draw(struct drawing *d, uint64_t below)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (d->state >> 33) % below;
}

static const int64_t small[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const int64_t middle[] = {9, 13, 17, 19, 21, 27, 33, 37, 41, 47, 53, 64};
static const int64_t large[] = {61, 67, 71, 83, 97, 101, 128, 131, 150, 197, 259, 300};
static const double reals[] = {0.75, 1.25, 0.625, 1.5, 0.875, 2.5, 0.5, 3};

double drive_plain_real(size_t i)
{
	return reals[i % COUNT(reals)];
}

enum {
	FAMILY = 15,
	RAGGED = 2 * 5, /* ragged families; later ones are random */
	SMALL = 3,	/* the last families have only small sizes, as for strides and pads */
	SIZES = 12
};

/* Size i of n different ones, in ascending or descending order. The families are small sizes, sizes
 * that are not multiples of a tile, multiples of 16, these plus one, and large sizes. */
static int64_t ragged(size_t family, size_t i, size_t n)
{
	static const int64_t sizes[RAGGED / 2][SIZES] = {
		{2, 3, 5, 7, 9, 11, 13, 17, 19, 21, 23, 29},
		{37, 43, 53, 61, 67, 71, 83, 97, 101, 113, 131, 149},
		{32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208},
		{33, 49, 65, 81, 97, 113, 129, 145, 161, 177, 193, 209},
		{151, 163, 181, 197, 211, 229, 241, 257, 271, 283, 307, 331}};
	size_t at = family % 2 && i < n ? n - 1 - i : i;
	return sizes[family / 2][at % SIZES];
}

static int64_t any_size(struct drawing *d, const struct slot *of)
{
	if (of->constants && drive_draw(d, 2)) {
		return of->constant[drive_draw(d, of->constants)];
	}
	switch (drive_draw(d, 8)) {
	case 0:
	case 1:
	case 2:
		return small[drive_draw(d, COUNT(small))];
	case 3:
	case 4:
	case 5:
		return middle[drive_draw(d, COUNT(middle))];
	default:
		return large[drive_draw(d, COUNT(large))];
	}
}

static double any_real(struct drawing *d)
{
	const struct params *p = d->x->p;
	uint64_t i = drive_draw(d, COUNT(reals) + 4);
	if (i < COUNT(reals)) {
		return reals[i];
	}
	return i % 2 && p->reals.n ? p->reals.v[drive_draw(d, p->reals.n)]
	       : i == COUNT(reals) ? 0
				   : -0.5;
}

/* A standard fill, except the one with infinities and NaNs, which hide all other values. */
static int64_t any_fill(struct drawing *d, const struct param_buffer *b)
{
	size_t i = drive_draw(d, b->usual);
	return i == b->odd ? 0 : (int64_t)i;
}

static int64_t any_choice(struct drawing *d, const struct slot *of)
{
	const struct params *p = d->x->p;
	switch (of->kind) {
	case SLOT_BLOCK:
		return (int64_t)drive_draw(d, p->fitting_blocks);
	case SLOT_GRID:
		return (int64_t)drive_draw(d, p->fitting_grids);
	case SLOT_FILL:
		return any_fill(d, &p->buffers.v[of->number]);
	case SLOT_NULL:
		return drive_draw(d, 4) > 0;
	case SLOT_NUMBER:
		break;
	}
	return of->is_bool ? (int64_t)drive_draw(d, 2)
	       : of->is_enum && of->type->fields
		       ? of->type->field[drive_draw(d, of->type->fields)].at
		       : any_size(d, of);
}

static void set_any(struct drawing *d, struct trial_number *v, const struct slot *of)
{
	bool real = of->kind == SLOT_NUMBER && of->is_float;
	v->whole = real ? 0 : any_choice(d, of);
	v->real = real ? any_real(d) : (double)v->whole;
}

size_t drive_count_sizes(const struct drive *x)
{
	size_t n = 0;
	array_each (&x->p->slots, const struct slot, of) {
		n += is_size(of);
	}
	return n;
}

/* The size that attempt k gives to size number i. */
static int64_t size_of_family(
	struct drawing *d, const struct slot *of, bool bounded, size_t k, size_t i)
{
	size_t family = k % FAMILY;
	size_t constant = (k / 2 + k / FAMILY) % (of->constants + 1);
	if (bounded) {
		return 1 + (int64_t)(k + i) % 3;
	}
	if (family + SMALL >= FAMILY) {
		return small[drive_draw(d, COUNT(small))];
	}
	if (family >= RAGGED) {
		return any_size(d, of);
	}
	return constant < of->constants ? of->constant[constant]
					: ragged(family, i, drive_count_sizes(d->x));
}

void drive_set_ragged(struct drawing *d, struct trial_number *value, size_t k)
{
	const struct params *p = d->x->p;
	size_t sizes = 0;
	size_t floats = 0;
	bool plain = k % FAMILY < RAGGED;
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct slot *of = &p->slots.v[i];
		if (is_size(of)) {
			value[i].whole = size_of_family(d, of, d->bounded[i], k, sizes++);
		} else if (of->kind == SLOT_NUMBER && of->is_float) {
			value[i].real = plain ? drive_plain_real(floats++) : any_real(d);
			continue;
		} else if (of->kind == SLOT_NULL) {
			value[i].whole = plain ? 1 : (int64_t)drive_draw(d, 2);
		} else if (of->kind == SLOT_FILL) {
			const struct param_buffer *b = &p->buffers.v[of->number];
			bool usual = b->is_const || k % 3 == 0 || b->usual < 2;
			bool larger = b->larger && b->is_const && (k / 2 + i) % 3 == 1;
			value[i].whole = k % FAMILY + 1 == FAMILY ? any_choice(d, of)
					 : larger ? (int64_t)(b->larger + k / FAMILY % 2)
						  : !usual;
		} else if (of->kind == SLOT_BLOCK) {
			value[i].whole = k % 2 ? any_choice(d, of) : value[i].whole;
		} else {
			value[i].whole = any_choice(d, of);
		}
		value[i].real = (double)value[i].whole;
	}
}

/* A size near a value that the case compared, or another of its sizes. */
static void set_near(struct drawing *d, struct trial_number *v, const struct driven_case *from)
{
	const struct trial_result *r = &from->result;
	int64_t to = from->value[drive_draw(d, d->x->p->slots.n)].whole;
	if (r->pairs > 0 && drive_draw(d, 2)) {
		const struct trial_pair *p = &r->pair[drive_draw(d, r->pairs)];
		to = drive_draw(d, 2) ? p->a : p->b;
	}
	to += (int64_t)drive_draw(d, 3) - 1;
	if (to >= 0 && to <= 1024) {
		*v = trial_whole(to);
	}
}

void drive_change_some(
	struct drawing *d, struct trial_number *value, const struct driven_case *from)
{
	const struct params *p = d->x->p;
	for (uint64_t n = 1 + drive_draw(d, 3); n > 0; n--) {
		size_t i = drive_draw(d, p->slots.n);
		if (is_size(&p->slots.v[i]) && drive_draw(d, 2)) {
			set_near(d, &value[i], from);
		} else {
			set_any(d, &value[i], &p->slots.v[i]);
		}
	}
}
