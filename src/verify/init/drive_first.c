#include "verify/init/driving.h"

#include <string.h>

enum {
	BASE_TRIALS = 120 /* trials until one runs */
};

static void first_values(struct drive *x, struct trial_number *value, int64_t size, size_t block,
	bool zeros, bool given)
{
	for (size_t i = 0; i < x->p->slots.n; i++) {
		const struct slot *s = &x->p->slots.v[i];
		int64_t first = s->is_enum && s->type->fields ? s->type->field[0].at : 0;
		int64_t v = s->is_enum ? first : s->is_bool ? 1 : size;
		if (s->kind == SLOT_NUMBER && given && s->given != KT_NO_VALUE) {
			v = s->given;
		} else if (s->kind == SLOT_NULL) {
			v = 1;
		} else if (s->kind == SLOT_FILL) {
			const struct param_buffer *b = &x->p->buffers.v[s->number];
			v = !zeros ? 0 : !b->is_const ? 1 : !element_is_float(b->type) ? 1 : 0;
		} else if (s->kind == SLOT_BLOCK) {
			v = (int64_t)block;
		} else if (s->kind == SLOT_GRID) {
			v = 0;
		}
		value[i] = (struct trial_number){v, s->is_float ? 1 : (double)v};
	}
}

/* Starts from the cases of a kernel with the same parameters. */
static int start_from(struct drive *x, const struct driven *like)
{
	struct trial_result r;
	x->full = like->full;
	int ok = drive_launch(&r, x, like->cases.v[0].value);
	if (ok > 0) {
		drive_keep(x, "full", like->cases.v[0].value, &r);
		trial_forget(&r);
	}
	for (size_t i = 1; ok > 0 && i < like->cases.n; i++) {
		const struct driven_case *c = &like->cases.v[i];
		ok = strcmp(c->name, "boundary") == 0 || drive_attempt(x, c->value) == 0 ? ok : -1;
	}
	return ok;
}

static bool runs_all_of(const struct verify_run *run, const struct verify_run *arms)
{
	for (size_t i = 0; i < arms->arms; i++) {
		if (arms->arm[i].ran && !drive_runs_arm(run, &arms->arm[i])) {
			return false;
		}
	}
	return true;
}

/* If the first case is slow, tries smaller sizes, one by one, that run the same arms. That makes
 * all later trials faster. */
static int reduce_cost(struct drive *x)
{
	static const int64_t less[] = {5, 8, 16, 32};
	static const int64_t long_ms = 20;
	struct driven_case *first = &x->d->cases.v[0];
	bool any = false;
	x->full = first->value;
	for (size_t i = 0; i < x->p->slots.n && first->result.cpu_ms >= long_ms; i++) {
		const struct slot *s = &x->p->slots.v[i];
		bool found = false;
		for (size_t k = 0; is_size(s) && !found && k < sizeof(less) / sizeof(less[0]);
			k++) {
			struct trial_number *value = drive_copy(x, first->value);
			struct trial_result r;
			value[i] = trial_whole(less[k]);
			int ok = less[k] < first->value[i].whole ? drive_launch(&r, x, value) : 0;
			if (ok < 0) {
				return ok;
			}
			found = ok > 0 && r.cpu_ms * 2 < first->result.cpu_ms &&
				runs_all_of(&r.run, &first->result.run);
			if (ok > 0) {
				trial_forget(&r);
			}
			if (found) {
				any = true;
				first->value = value;
				first->result = r;
			}
		}
	}
	if (!any) {
		return 0;
	}
	/* find smaller lengths of the buffers, too */
	for (size_t i = 0; i < x->p->buffers.n; i++) {
		x->p->buffers.v[i].length = PARAMS_FIRST_LENGTH;
	}
	int ok = drive_grow(&first->result, x, first->value);
	if (ok > 0) {
		trial_forget(&first->result);
	}
	return ok < 0 ? ok : 0;
}

/* Gives the floats different values, none of them 0 or 1, if these run the same arms. Then a
 * missing product changes the results. */
static int set_distinct_floats(struct drive *x)
{
	static const double reals[] = {0.75, 0.625, 0.875, 1.25, 0.5625, 1.5, 0.6875, 1.125};
	struct driven_case *first = &x->d->cases.v[0];
	struct trial_number *value = drive_copy(x, first->value);
	struct trial_result r;
	size_t n = 0;
	for (size_t i = 0; i < x->p->slots.n; i++) {
		const struct slot *s = &x->p->slots.v[i];
		if (s->kind == SLOT_NUMBER && s->is_float) {
			double real = reals[n++ % (sizeof(reals) / sizeof(reals[0]))];
			value[i] = trial_real(real);
		}
	}
	int ok = n > 0 ? drive_launch(&r, x, value) : 0;
	if (ok <= 0) {
		return ok;
	}
	trial_forget(&r);
	if (runs_all_of(&r.run, &first->result.run)) {
		first->value = value;
		first->result = r;
	}
	return 0;
}

int drive_first(struct drive *x, const struct driven *like)
{
	static const int64_t sizes[] = {64, 128, 256, 16, 32, 512, 8, 4, 1, 2, 0, 1000};
	struct trial_number *value = ARENA_ARRAY(x->a, struct trial_number, x->p->slots.n + 1);
	struct trial_result r = {0};
	int64_t all = x->left;
	int ok = like ? start_from(x, like) : 0;
	if (x->d->cases.n > 0) {
		return ok < 0 ? ok : 0;
	}
	for (size_t round = 0; ok == 0 && round < 4; round++) {
		for (size_t i = 0; ok == 0 && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			size_t blocks = x->p->blocks.n;
			for (size_t b = 0; ok == 0 && b < blocks && all - x->left < BASE_TRIALS;
				b++) {
				first_values(x, value, sizes[i], b, round % 2, round < 2);
				ok = drive_launch(&r, x, value);
				if (!x->d->error && ok == 0) {
					x->d->error = r.run.said;
				}
			}
		}
	}
	if (ok > 0) {
		drive_keep(x, "full", value, &r);
		trial_forget(&r);
		ok = set_distinct_floats(x);
		return ok ? ok : reduce_cost(x);
	}
	return ok < 0 ? ok : 0;
}
