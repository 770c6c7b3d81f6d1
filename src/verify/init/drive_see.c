/*
 * Cases that show faults: the text with faults (fault/fault.h) is launched with the values of the
 * cases so far, then with new ones. Values that show a new fault become a case. First come ragged
 * sizes, all different and not multiples of a tile, on several workgroups in each dimension; then
 * random values, and cases with some values changed. The random numbers are the same in every run.
 */
#include "verify/init/driving.h"

#include <string.h>

enum {
	MOST_TRIALS = 600,
	FRESH = 24,    /* launches with new values; after them one in three */
	DRY = 45,      /* launches in a row without a new fault, which end the search */
	BLIND = 8,     /* failed launches with faults, which end the search if none ran */
	LOOK_MS = 400, /* CPU time of launches with faults, per set of values */
	LOOK_AT_CASE_MS = 1000,
	LONGEST_CASE_MS = 4000,
	MOST_FAULTS = 240,
	LONGEST_MS = 100, /* per launch */
	MOST_AGAIN = 100, /* trials for arms that only racing cases ran */
	FEW_SIZES = 4	  /* with at most so many sizes, one of them may be large */
};

struct seeing {
	struct drive *x;
	struct drawing draw;
	unsigned *left; /* faults not shown so far */
	bool *seen;	/* of these */
	bool *tried;	/* per planted fault */
	size_t n;
	unsigned blind;			 /* failed launches of the text with faults */
	const struct trial_number *best; /* of the case that showed the most, or NULL */
	size_t most;
	size_t begin;			  /* index in left of the next fault to try */
	const struct trial_number *large; /* values with larger sizes than the first case */
	bool ran;			  /* false: the last attempt was launched, and failed */
};

/* ---- launches ---- */

/* A range of the remaining faults. */
struct part {
	size_t from;
	size_t n;
};

/* Launches the values with the faults of this part while time is left; part->n becomes the number
 * launched. Removes the faults that show from s->left. *first: one of them, or 0. */
static int look(unsigned *first, size_t **length, struct seeing *s,
	const struct trial_number *value, struct part *part, unsigned limit_ms)
{
	struct drive *x = s->x;
	struct trial_seen out;
	struct part of = *part;
	size_t left = of.from;
	*first = 0;
	part->n = 0;
	memset(s->seen, 0, s->n * sizeof(*s->seen));
	int rc = drive_look(&out, s->seen, x, value, s->left + of.from, of.n, limit_ms);
	if (rc || out.status != RUN_OK) {
		bool none = !x->d->lanes[1] && !x->d->fault_error;
		x->d->fault_error = !rc && none ? out.said : x->d->fault_error;
		s->blind++;
		return rc ? -1 : 0;
	}
	part->n = of.n = out.tried;
	for (size_t i = of.from; i < s->n; i++) {
		bool in = i < of.from + of.n;
		if (in) {
			s->tried[s->left[i] - 1] = true;
		}
		if (in && s->seen[i - of.from]) {
			*first = *first ? *first : s->left[i];
		} else {
			s->left[left++] = s->left[i];
		}
	}
	s->n = left;
	size_t now = out.lanes[0] * x->d->lanes[1], before = x->d->lanes[0] * out.lanes[1];
	bool more = now > before || (now == before && out.lanes[1] > x->d->lanes[1]);
	if (!x->d->lanes[1] || (*first && more)) {
		memcpy(x->d->lanes, out.lanes, sizeof(out.lanes));
		memcpy(x->d->waves, out.waves, sizeof(out.waves));
	}
	*length = drive_lengths(x);
	for (size_t i = 0; i < x->p->buffers.n; i++) {
		size_t size = element_size(x->p->buffers.v[i].type);
		(*length)[i] = (out.bytes[i] + size - 1) / size;
	}
	return 1;
}

/* Finds the faults that a case shows. Without `all` it stops at the time limit of a case. */
static int look_at_case(struct seeing *s, struct driven_case *c, bool all)
{
	struct part of = {0, 0};
	bool slow = c->result.cpu_ms * 4 > LOOK_AT_CASE_MS;
	do {
		unsigned first;
		size_t before = s->n;
		of.n = s->n - of.from;
		int ok = look(&first, &c->length, s, c->value, &of,
			slow ? LONGEST_CASE_MS : LOOK_AT_CASE_MS);
		if (ok <= 0) {
			c->races = ok == 0;
			return ok;
		}
		c->wanted |= first != 0;
		of.from += of.n - (before - s->n);
		c->cut = of.from < s->n;
	} while (all && c->cut && !drive_is_late(s->x));
	return 0;
}

/* The same for all cases not launched with faults yet; `all`: for those cut short. */
static int look_at_cases(struct seeing *s, bool all)
{
	int rc = 0;
	array_each (&s->x->d->cases, struct driven_case, c) {
		bool now = all ? c->cut : !c->length;
		rc = rc < 0 || !now || s->n == 0 || drive_is_late(s->x) ? rc
									: look_at_case(s, c, all);
	}
	return rc;
}

/* Makes the values a case if they show a new fault. The kernel must run with them. */
static int keep_seeing(bool *kept, struct seeing *s, const struct trial_number *value)
{
	struct drive *x = s->x;
	size_t *least = NULL;
	unsigned first = 0;
	size_t before = s->n;
	struct part of = {s->begin < s->n ? s->begin : 0, 0};
	of.n = s->n - of.from;
	unsigned *left = arena_memdup(x->a, s->left, before * sizeof(*left));
	int ok = look(&first, &least, s, value, &of, LOOK_MS);
	s->ran = ok > 0;
	/* continue where the time ended */
	s->begin = ok > 0 && of.from + of.n < before ? of.from + of.n - (before - s->n) : 0;
	struct trial_result r;
	int rc = first ? drive_run(&r, x, value) : 0;
	*kept = first && rc == 0 && r.run.status == RUN_OK;
	if (first && !*kept) {
		s->left = left;
		s->n = before;
	}
	if (*kept) {
		trial_forget(&r);
		const struct fault *f = &x->faults->v[first - 1];
		drive_keep(x, arena_printf(x->a, "line-%u", f->line), value, &r);
		struct driven_case *c = &x->d->cases.v[x->d->cases.n - 1];
		c->wanted = true;
		c->length = least;
		if (before - s->n > s->most) {
			s->most = before - s->n;
			s->best = value;
		}
	}
	return rc ? -1 : ok;
}

static bool may_try_more(const struct seeing *s)
{
	bool blind = s->blind >= BLIND && !s->x->d->lanes[1];
	return s->n > 0 && !blind && s->x->left > 0 && s->x->d->cases.n < MOST_CASES &&
	       !drive_is_late(s->x);
}

/* Makes the values a case if they show a fault. Most run with the present buffers, without a launch
 * to enlarge them. */
static int attempt(bool *kept, struct seeing *s, const struct trial_number *value)
{
	struct drive *x = s->x;
	size_t *length = drive_lengths(x);
	*kept = false;
	s->ran = true;
	if (!may_try_more(s) || !drive_is_new(x, value)) {
		return 0;
	}
	x->left--;
	int ok = keep_seeing(kept, s, value);
	if (ok == 0) {
		struct trial_result r;
		ok = drive_grow(&r, x, value);
		trial_forget(&r);
		ok = ok > 0 ? keep_seeing(kept, s, value) : ok;
	}
	if (!*kept) {
		drive_set_lengths(x, length);
	}
	return ok < 0 ? ok : 0;
}

/* If a single one of these sizes makes the launch fail, keeps that size small from here on. An
 * example is a number of groups that must divide the number of blocks. */
static int find_bounded(struct seeing *s, const struct trial_number *value)
{
	struct drive *x = s->x;
	const struct trial_number *first = x->d->cases.v[0].value;
	for (size_t i = 0; i < x->p->slots.n && may_try_more(s); i++) {
		if (!is_size(&x->p->slots.v[i]) || s->draw.bounded[i]) {
			continue;
		}
		struct trial_number *with = drive_copy(x, value);
		struct trial_result r;
		with[i] = first[i];
		int ok = drive_launch(&r, x, with);
		trial_forget(&r);
		s->draw.bounded[i] = ok > 0;
		if (ok != 0) {
			return ok < 0 ? ok : 0;
		}
	}
	return 0;
}

/* Enlarges the sizes of the first case, one by one, as long as it runs. */
static int see_enlarged(struct seeing *s)
{
	static const int64_t to[] = {601, 151, 71, 37, 13, 5, 3, 2};
	size_t first = drive_count_sizes(s->x) <= FEW_SIZES ? 0 : 1;
	static const int64_t long_ms = 15;
	struct drive *x = s->x;
	struct trial_number *value = drive_copy(x, x->d->cases.v[0].value);
	struct trial_result r;
	int64_t more = 0;
	bool kept;
	for (size_t i = 0; i < x->p->slots.n; i++) {
		const struct slot *of = &x->p->slots.v[i];
		int ok = 0;
		for (size_t k = first; is_size(of) && ok == 0 && k < COUNT(to) && may_try_more(s);
			k++) {
			int64_t old = value[i].whole;
			value[i] = trial_whole(to[k] + more);
			ok = drive_launch(&r, x, value);
			trial_forget(&r);
			ok = ok > 0 && r.cpu_ms > long_ms ? 0 : ok;
			if (ok == 0) {
				value[i] = trial_whole(old);
			}
		}
		if (ok < 0) {
			return ok;
		}
		more += is_size(of) ? 2 : 0;
	}
	for (size_t i = 0; i < x->p->slots.n; i++) {
		if (x->p->slots.v[i].kind == SLOT_NUMBER && x->p->slots.v[i].is_float) {
			value[i].real = drive_plain_real(i);
		}
	}
	s->large = value;
	return attempt(&kept, s, value);
}

/* Tries buffers of similar or equal floats. Some faults show only then, as in the handling of
 * ties. */
static int see_alike(struct seeing *s)
{
	struct drive *x = s->x;
	const struct trial_number *from[] = {s->large, x->d->cases.v[0].value, s->best};
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < 2 * COUNT(from); k++) {
		struct trial_number *value =
			from[k / 2] ? drive_copy(x, from[k / 2]) : drive_copy(x, from[1]);
		bool kept;
		array_each (&x->p->buffers, const struct param_buffer, b) {
			size_t fill = b->revealing + k % 2;
			if (element_is_float(b->type) && fill < b->revealing + b->revealings) {
				value[b->slot] = trial_whole((int64_t)fill);
			}
		}
		rc = attempt(&kept, s, value);
	}
	return rc;
}

/* Has the grid four blocks in this dimension, as for heads or column groups? */
static bool has_several(const struct spec_shape *grid, size_t dimension)
{
	return grid->v[dimension] == 4;
}

/* Sets a size to 2 and the grid to 4 blocks in a dimension, for grouped blocks. */
static bool set_grouped(struct drive *x, struct trial_number *value, size_t slot, size_t dimension)
{
	const struct params *p = x->p;
	size_t g = 0;
	while (g < p->fitting_grids && !has_several(&p->grids.v[g], dimension)) {
		g++;
	}
	value[slot] = trial_whole(2);
	value[p->grid_slot] = trial_whole((int64_t)g);
	return g < p->fitting_grids;
}

/* Change k of one value: a null pointer, a negated bool, a float of 0 or less; a size slightly or
 * much larger or smaller, for grouped blocks, or from the code's comparisons; a buffer of equal
 * numbers, or of row offsets. False: there is no such change. */
static bool set_single(struct drive *x, struct trial_number *value, size_t slot, size_t k)
{
	enum {
		GROUPED = 3 /* dimensions */
	};
	static const double floats[] = {0, -0.5, 2.5};
	static const int64_t sizes[] = {2, 1, 7, 67, 131, 0, 600, 1100};
	const struct slot *of = &x->p->slots.v[slot];
	size_t most = COUNT(sizes) - (drive_count_sizes(x) <= FEW_SIZES ? 0 : 2);
	int64_t now = value[slot].whole, to = now;
	if (of->kind == SLOT_NULL || (of->kind == SLOT_NUMBER && of->is_bool)) {
		to = k == 0 ? !now : now;
	} else if (of->kind == SLOT_FILL) {
		const struct param_buffer *b = &x->p->buffers.v[of->number];
		bool all = b->is_const && !element_is_float(b->type);
		to = k < b->revealings			   ? (int64_t)(b->revealing + k)
		     : all && k < b->usual + b->revealings ? (int64_t)(k - b->revealings)
							   : now;
	} else if (of->kind == SLOT_NUMBER && of->is_float) {
		value[slot].real = floats[k % COUNT(floats)];
		return k < COUNT(floats);
	} else if (of->kind == SLOT_NUMBER && k < of->constants) {
		to = of->constant[k];
	} else if (is_size(of) && k - of->constants < GROUPED) {
		return set_grouped(x, value, slot, k - of->constants);
	} else if (is_size(of) && k - of->constants - GROUPED < most) {
		k -= of->constants + GROUPED;
		to = k < 2 ? now + (k ? -1 : 1) : sizes[k];
	}
	value[slot] = trial_whole(to);
	return to != now && to >= 0;
}

/* Tries the best case with one value changed. */
static int see_single(struct seeing *s)
{
	enum {
		MOST = 24
	};
	struct drive *x = s->x;
	const struct trial_number *from = s->best ? s->best : x->d->cases.v[0].value;
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < MOST; k++) {
		for (size_t i = 0; rc == 0 && i < x->p->slots.n; i++) {
			struct trial_number *value = drive_copy(x, from);
			bool kept;
			rc = set_single(x, value, i, k) ? attempt(&kept, s, value) : 0;
		}
	}
	return rc;
}

/* Removes cases with races between waves if there are others: verify cannot compare them. */
static void drop_races(struct drive *x)
{
	size_t left = 0;
	bool first = x->d->cases.v[0].races;
	array_each (&x->d->cases, struct driven_case, c) {
		left += !c->races;
	}
	size_t n = left > 0 ? 0 : x->d->cases.n;
	for (size_t i = 0; left > 0 && i < x->d->cases.n; i++) {
		if (!x->d->cases.v[i].races) {
			x->d->cases.v[n++] = x->d->cases.v[i];
		}
	}
	x->d->cases.n = n;
	if (left > 0 && first) {
		x->d->cases.v[0].name = "full";
	}
}

/* Launches the values with one changed (*out), even if they ran before. 1: the launch ran to its
 * end; 0: it failed. */
static int run_changed(struct trial_number **out, struct trial_result *r, struct drive *x,
	const struct trial_number *from, size_t slot, size_t to)
{
	*out = drive_copy(x, from);
	(*out)[slot] = trial_whole((int64_t)to);
	int ok = drive_grow(r, x, *out);
	trial_forget(r);
	return ok;
}

/* Tries the first case, whose waves race, with one value changed. */
static int see_changed(bool *kept, struct seeing *s, size_t slot, size_t to)
{
	struct trial_number *value;
	struct trial_result r;
	int ok = run_changed(&value, &r, s->x, s->x->d->cases.v[0].value, slot, to);
	ok = ok > 0 ? keep_seeing(kept, s, value) : ok;
	return ok < 0 ? ok : 0;
}

/* If waves of the first case race, tries other blocks, then buffers of row offsets that lie apart,
 * until one shows faults. Then removes the cases with races, and searches again for the arms that
 * only these ran. */
static int see_unraced(struct seeing *s)
{
	struct drive *x = s->x;
	bool kept = false;
	int rc = 0;
	for (size_t b = 0; rc == 0 && s->n > 0 && !kept && b < x->p->blocks.n && !drive_is_late(x);
		b++) {
		rc = see_changed(&kept, s, x->p->block_slot, b);
	}
	array_each (&x->p->buffers, const struct param_buffer, b) {
		bool may = b->is_const && b->larger && b->revealings > 1 && !kept && s->n > 0;
		if (rc == 0 && may && !drive_is_late(x)) {
			rc = see_changed(&kept, s, b->slot, b->revealing + 1);
		}
	}
	s->blind = 0;
	if (rc || !kept) {
		return rc;
	}
	/* later trials start from it */
	const char *name = x->d->cases.v[0].name;
	x->d->cases.v[0] = x->d->cases.v[--x->d->cases.n];
	x->d->cases.v[0].name = name;
	drop_races(x);
	if (drive_count_unrun(x, NULL) > 0) {
		int64_t left = x->left;
		x->left = MOST_AGAIN;
		rc = drive_vary(x);
		x->left = left;
	}
	return rc ? rc : look_at_cases(s, false);
}

/* Makes values that ran a case, unless its waves race. */
static int keep_wanted(bool *kept, struct seeing *s, const char *name,
	const struct trial_number *value, const struct trial_result *r)
{
	struct drive *x = s->x;
	drive_keep(x, name, value, r);
	struct driven_case *c = &x->d->cases.v[x->d->cases.n - 1];
	c->wanted = true;
	int rc = look_at_case(s, c, false);
	*kept = rc == 0 && !c->races;
	x->d->cases.n -= !*kept;
	return rc;
}

/* Adds a case with another block if the code reads the block's size and all cases have the same
 * block: no other case shows a fault that replaces the size by its value. */
static int add_other_block(struct seeing *s)
{
	struct drive *x = s->x;
	size_t slot = x->p->block_slot;
	const struct trial_number *from = s->best ? s->best : x->d->cases.v[0].value;
	bool other = !x->p->reads_block;
	array_each (&x->d->cases, const struct driven_case, c) {
		other |= c->value[slot].whole != from[slot].whole;
	}
	for (size_t b = 0; !other && b < x->p->fitting_blocks && x->d->cases.n < MOST_CASES &&
			   !drive_is_late(x);
		b++) {
		struct trial_number *value;
		struct trial_result r;
		bool same = from[slot].whole == (int64_t)b;
		int ok = same ? 0 : run_changed(&value, &r, x, from, slot, b);
		if (ok > 0) {
			ok = keep_wanted(&other, s, "block", value, &r);
		}
		if (ok < 0) {
			return ok;
		}
	}
	return 0;
}

/* Adds a case whose integers are any of their type, in the buffers for which the kernel still runs:
 * small ones show no overflow, and no sign or byte that is lost. */
static int add_wide(struct seeing *s)
{
	struct drive *x = s->x;
	struct trial_number *value = drive_copy(x, s->best ? s->best : x->d->cases.v[0].value);
	size_t *length = drive_lengths(x);
	struct trial_result last = {0};
	bool any = false;
	array_each (&x->p->buffers, const struct param_buffer, b) {
		int64_t was = value[b->slot].whole;
		struct trial_result r;
		bool may = b->whole && (b->is_const || b->is_read) && x->d->cases.n < MOST_CASES &&
			   !drive_is_late(x);
		value[b->slot].whole = may ? (int64_t)b->whole : was;
		int ok = may ? drive_grow(&r, x, value) : 0;
		if (ok > 0) {
			trial_forget(&last);
			last = r;
			any = true;
		} else if (may) {
			trial_forget(&r);
			value[b->slot].whole = was;
			drive_set_lengths(x, length);
		}
		if (ok < 0) {
			return ok;
		}
	}
	trial_forget(&last);
	return any ? keep_wanted(&any, s, "wide", value, &last) : 0;
}

/* Adds a case whose sizes all differ and make two rounds of a block, the second one with all its
 * waves but not all lanes, also if each planted fault is seen. */
static int add_rounds(struct seeing *s)
{
	struct drive *x = s->x;
	struct trial_number *value = drive_copy(x, x->d->cases.v[0].value);
	const struct spec_shape *b = &x->p->blocks.v[value[x->p->block_slot].whole];
	int64_t size = 2 * (int64_t)b->v[0] * b->v[1] * b->v[2] - 25;
	size_t *length = drive_lengths(x);
	struct trial_result r;
	bool kept = false;
	for (size_t i = 0; i < x->p->slots.n; i++) {
		if (is_size(&x->p->slots.v[i])) {
			value[i] = trial_whole(size);
			size += 2;
		}
	}
	bool may = drive_count_sizes(x) > 0 && size > 25 && x->d->cases.n < MOST_CASES;
	int ok = may && !drive_is_late(x) && drive_is_new(x, value) ? drive_grow(&r, x, value) : 0;
	if (ok > 0) {
		trial_forget(&r);
		ok = keep_wanted(&kept, s, "rounds", value, &r);
	}
	if (!kept) {
		drive_set_lengths(x, length);
	}
	return ok < 0 ? ok : 0;
}

/* Chooses the faults to search for: not too many, from all over the kernel. */
static void choose_faults(struct seeing *s)
{
	struct drive *x = s->x;
	size_t all = faults_of_kernel(
		&s->left, x->a, x->faults, x->p->u, (kt_id)(x->p->fn - x->p->u->fn));
	s->n = all < MOST_FAULTS ? all : MOST_FAULTS;
	for (size_t i = 0; i < s->n; i++) {
		s->left[i] = s->left[i * all / s->n];
	}
	s->seen = ARENA_ARRAY(x->a, bool, s->n + 1);
	s->tried = ARENA_ARRAY(x->a, bool, x->faults->n + 1);
	s->draw.bounded = ARENA_ARRAY(x->a, bool, x->p->slots.n + 1);
}

/* Records the results of the faults tried. */
static void record_faults(struct seeing *s, const unsigned *all, size_t n)
{
	struct driven *d = s->x->d;
	unsigned *tried = ARENA_ARRAY(s->x->a, unsigned, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (s->tried[all[i] - 1]) {
			tried[d->faults++] = all[i];
		}
	}
	for (size_t i = 0; i < s->n; i++) {
		if (s->tried[s->left[i] - 1]) {
			s->left[d->unseens++] = s->left[i];
		}
	}
	d->fault = tried;
	d->unseen = s->left;
}

int drive_see(struct drive *x)
{
	struct seeing s = {.x = x, .draw = {.x = x, .state = 1}};
	choose_faults(&s);
	size_t n = s.n;
	const unsigned *all = arena_memdup(x->a, s.left, n * sizeof(*s.left));
	x->left = MOST_TRIALS;
	x->limit_ms = LONGEST_MS;
	int rc = look_at_cases(&s, false);
	rc = rc || !x->d->cases.v[0].races ? rc : see_unraced(&s);
	size_t dry = 0;
	for (size_t k = 0; rc == 0 && dry < DRY && may_try_more(&s); k++) {
		bool fresh = k < FRESH || drive_draw(&s.draw, 3) == 0;
		const struct driven_case from =
			x->d->cases.v[fresh ? 0 : drive_draw(&s.draw, x->d->cases.n)];
		struct trial_number *value = drive_copy(x, from.value);
		bool kept = false;
		if (fresh) {
			drive_set_ragged(&s.draw, value, k);
		} else {
			drive_change_some(&s.draw, value, &from);
		}
		rc = k == FRESH / 6   ? see_enlarged(&s)
		     : k == FRESH / 4 ? see_alike(&s)
		     : k == FRESH / 2 ? see_single(&s)
				      : 0;
		rc = rc ? rc : attempt(&kept, &s, value);
		rc = rc || s.ran || !fresh || k >= FRESH ? rc : find_bounded(&s, value);
		dry = kept ? 0 : dry + 1;
	}
	rc = rc || !x->d->lanes[1] ? rc : look_at_cases(&s, true);
	rc = rc || !x->d->lanes[1] ? rc : add_other_block(&s);
	rc = rc || !x->d->lanes[1] ? rc : add_rounds(&s);
	rc = rc || !x->d->lanes[1] ? rc : add_wide(&s);
	x->limit_ms = 0;
	record_faults(&s, all, n);
	drop_races(x);
	return rc;
}
