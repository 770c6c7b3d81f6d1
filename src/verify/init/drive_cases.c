#include "verify/init/driving.h"

#include <string.h>

#include "base/map.h"

enum {
	MOST_SEEDS = 40
};

size_t drive_count_unrun(struct drive *x, const struct driven_case *without)
{
	ARRAY(struct verify_run) runs = {0};
	array_each (&x->d->cases, struct driven_case, c) {
		if (c != without) {
			array_push(&runs, c->result.run);
		}
	}
	size_t n = verify_unrun(&x->d->unrun, x->a, runs.v, runs.n);
	array_release(&runs);
	x->d->unruns = 0;
	for (size_t i = 0; i < n; i++) {
		if (!arm_is_never(&x->never, x->a, &x->d->unrun[i])) {
			x->d->unrun[x->d->unruns++] = x->d->unrun[i];
		}
	}
	return x->d->unruns;
}

bool drive_runs_arm(const struct verify_run *run, const struct verify_arm *arm)
{
	span_each (run->arm, run->arms, const struct verify_arm, a) {
		if (a->line == arm->line && a->arm == arm->arm && a->number == arm->number &&
			strcmp(a->file, arm->file) == 0) {
			return a->ran;
		}
	}
	return false;
}

/* The first arm in run that none of the cases executes. */
static const struct verify_arm *new_arm(const struct drive *x, const struct verify_run *run)
{
	for (size_t i = 0; i < run->arms; i++) {
		bool known = !run->arm[i].ran;
		array_each (&x->d->cases, struct driven_case, c) {
			known = known || drive_runs_arm(&c->result.run, &run->arm[i]);
		}
		if (!known) {
			return &run->arm[i];
		}
	}
	return NULL;
}

struct trial_number *drive_copy(struct drive *x, const struct trial_number *value)
{
	return arena_memdup(x->a, value, x->p->slots.n * sizeof(*value));
}

void drive_keep(struct drive *x, const char *name, const struct trial_number *value,
	const struct trial_result *r)
{
	struct driven_case c = {
		.name = arena_strdup(x->a, name), .value = drive_copy(x, value), .result = *r};
	for (size_t i = 2;; i++) {
		bool taken = false;
		array_each (&x->d->cases, struct driven_case, o) {
			taken |= strcmp(o->name, c.name) == 0;
		}
		if (!taken) {
			break;
		}
		c.name = arena_printf(x->a, "%s-%zu", name, i);
	}
	array_push(&x->d->cases, c);
}

/* Did a comparison have a new result? */
static bool sees_new(struct drive *x, const struct trial_result *r)
{
	bool any = false;
	span_each (r->pair, r->pairs, const struct trial_pair, p) {
		uint64_t order = p->a < p->b ? 0 : p->a == p->b ? 1 : 2;
		any |= map_set_u64(&x->compared, (uint64_t)p->place * 4 + order, 1);
	}
	return any;
}

/* If no new arm runs, the buffers' lengths are restored: large buffers would make all later
 * launches slow. */
int drive_attempt(struct drive *x, const struct trial_number *value)
{
	struct trial_result r;
	size_t *length = drive_lengths(x);
	int ok = drive_launch(&r, x, value);
	const struct verify_arm *arm = ok > 0 ? new_arm(x, &r.run) : NULL;
	if (arm) {
		drive_keep(x, arena_printf(x->a, "line-%u-arm-%u", arm->line, arm->arm), value, &r);
	}
	if (ok > 0 && sees_new(x, &r) && !arm && x->seeds.n < MOST_SEEDS) {
		array_push(
			&x->seeds, (struct driven_case){
					   .name = "", .value = drive_copy(x, value), .result = r});
	}
	if (!arm) {
		drive_set_lengths(x, length);
	}
	trial_forget(&r);
	return ok < 0 ? ok : 0;
}
