#include "verify/init/driving.h"

#include <string.h>

#include "base/file.h"

/* Do all cases run with the present buffers? Records their arms again. */
static int all_run(struct drive *x, bool *ok)
{
	int rc = 0;
	*ok = true;
	for (size_t i = 0; rc == 0 && *ok && i < x->d->cases.n; i++) {
		struct trial_result r;
		rc = drive_run(&r, x, x->d->cases.v[i].value);
		*ok = rc == 0 && r.run.status == RUN_OK;
		trial_forget(&r);
		if (*ok) {
			x->d->cases.v[i].result = r;
		}
	}
	return rc;
}

static bool is_compared(const struct trial_result *r, int64_t v)
{
	for (size_t i = 0; i < r->pairs; i++) {
		if (is_near(r->pair[i].a, v) || is_near(r->pair[i].b, v)) {
			return true;
		}
	}
	return false;
}

int drive_add_boundary(struct drive *x)
{
	static const int64_t less[] = {3, 1};
	const struct driven_case from = x->d->cases.v[0];
	struct trial_result r;
	for (size_t k = 0; k < 2; k++) {
		struct trial_number *value = drive_copy(x, from.value);
		bool any = false;
		for (size_t i = 0; i < x->p->slots.n; i++) {
			if (is_size(&x->p->slots.v[i]) && value[i].whole >= 4 &&
				is_compared(&from.result, value[i].whole)) {
				any = true;
				value[i].whole -= less[k];
				value[i].real = (double)value[i].whole;
			}
		}
		int ok = any ? drive_launch(&r, x, value) : 0;
		if (ok > 0) {
			drive_keep(x, "boundary", value, &r);
		}
		if (ok != 0) {
			return ok < 0 ? ok : 0;
		}
	}
	return 0;
}

/* Does a written byte in [at, at + bytes) depend on the buffer's previous contents? */
static bool depends(const struct sbuf *poisoned, const struct sbuf *filled,
	const struct sbuf *before, size_t at, size_t bytes)
{
	for (size_t i = at; i < at + bytes && i < filled->n && i < poisoned->n; i++) {
		if (filled->p[i] != before->p[i] && filled->p[i] != poisoned->p[i]) {
			return true;
		}
	}
	return false;
}

/* Does the case write values to buffer i that depend on its previous contents? */
static int reads_output(bool *out, struct drive *x, const struct driven_case *c, size_t i)
{
	const struct param_buffer *b = &x->p->buffers.v[i];
	struct trial_number *value = drive_copy(x, c->value);
	struct trial_result poisoned;
	struct trial_result filled;
	struct sbuf text[3] = {{0}};
	size_t at = 0;
	x->stores = true;
	int rc = drive_run(&poisoned, x, value);
	value[b->slot].whole = 1;
	rc = rc ? rc : drive_run(&filled, x, value);
	x->stores = false;
	*out = false;
	if (rc == 0 && poisoned.run.status == RUN_OK && filled.run.status == RUN_OK) {
		rc = file_read(&text[0], poisoned.run.output);
		rc = rc ? rc : file_read(&text[1], filled.run.output);
		for (size_t k = 0; k < x->p->buffers.n; k++) {
			at += k < i ? spec_buffer_bytes(&x->c.buffer[k]) : 0;
			spec_buffer_fill(&text[2], &x->c.buffer[k]);
		}
		*out = rc == 0 && depends(&text[0], &text[1], &text[2], at,
					  spec_buffer_bytes(&x->c.buffer[i]));
		trial_forget(&poisoned);
		trial_forget(&filled);
	}
	for (size_t k = 0; k < 3; k++) {
		sbuf_release(&text[k]);
	}
	return rc;
}

/* Results computed from poison are NaNs, which hide all other inputs. So a buffer that a kernel
 * reads and writes gets numbers in all cases; so does one that was not tested for lack of time. */
int drive_fill_outputs(struct drive *x)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->p->buffers.n; i++) {
		const struct param_buffer *b = &x->p->buffers.v[i];
		bool read = false;
		for (size_t k = 0; rc == 0 && !b->is_const && !read && k < x->d->cases.n; k++) {
			const struct driven_case *c = &x->d->cases.v[k];
			read = drive_is_late(x);
			rc = c->value[b->slot].whole == 0 && !read ? reads_output(&read, x, c, i)
								   : 0;
		}
		array_each (&x->d->cases, struct driven_case, c) {
			c->value[b->slot].whole += read && c->value[b->slot].whole == 0;
		}
	}
	return rc;
}

int drive_add_enumerators(struct drive *x)
{
	enum {
		MOST = 8
	};
	for (size_t k = 0; k < x->p->slots.n; k++) {
		const struct slot *s = &x->p->slots.v[k];
		bool named = s->kind == SLOT_NUMBER && s->is_enum;
		for (size_t i = 0; named && i < s->type->fields && i < MOST; i++) {
			int64_t v = s->type->field[i].at;
			struct driven_case *has = NULL;
			array_each (&x->d->cases, struct driven_case, c) {
				has = !has && c->value[k].whole == v ? c : has;
			}
			struct trial_number *value = drive_copy(x, x->d->cases.v[0].value);
			struct trial_result r;
			value[k] = trial_whole(v);
			int ok =
				has || x->d->cases.n >= MOST_CASES ? 0 : drive_launch(&r, x, value);
			if (ok > 0) {
				drive_keep(x, s->type->field[i].name, value, &r);
				trial_forget(&r);
				has = &x->d->cases.v[x->d->cases.n - 1];
			}
			if (has) {
				has->wanted = true;
			}
			if (ok < 0) {
				return ok;
			}
		}
	}
	return 0;
}

/* Finds the shortest length, in steps of an alignment, with which all cases run. */
static int shrink(struct drive *x, struct param_buffer *b)
{
	size_t step = 256 / element_size(b->type);
	size_t low = 0; /* too short */
	size_t high = (b->length + step - 1) / step;
	int rc = 0;
	while (rc == 0 && high - low > 1 && !drive_is_late(x)) {
		size_t middle = (low + high) / 2;
		bool ok;
		b->length = middle * step;
		rc = all_run(x, &ok);
		*(ok ? &high : &low) = middle;
	}
	b->length = high * step;
	return rc;
}

/* Shortens the buffers to the part that the cases access; longer if a case does not run then. */
static int fit_lengths(struct drive *x)
{
	size_t *longest = drive_lengths(x);
	array_each (&x->d->cases, struct driven_case, c) {
		struct trial_result r;
		drive_set_lengths(x, c->length ? c->length : longest);
		x->left = 1000; /* also if no trials are left */
		int ok = drive_is_late(x) ? 0 : drive_grow(&r, x, c->value);
		if (ok < 0) {
			return ok;
		}
		c->length = ok > 0 ? drive_lengths(x) : c->length ? c->length : longest;
		if (ok > 0) {
			c->result = r;
			trial_forget(&r);
		}
	}
	drive_set_lengths(x, longest);
	return 0;
}

int drive_finish(struct drive *x)
{
	bool ok;
	int rc = all_run(x, &ok);
	/* removes cases that run no new arm, except the first, boundary and wanted ones */
	for (size_t i = x->d->cases.n; rc == 0 && i-- > 1;) {
		struct driven_case *c = &x->d->cases.v[i];
		bool boundary = c->wanted || strcmp(c->name, "boundary") == 0;
		size_t all = drive_count_unrun(x, NULL);
		if (!boundary && drive_count_unrun(x, c) == all) {
			memmove(c, c + 1, (x->d->cases.n - i - 1) * sizeof(*c));
			x->d->cases.n--;
		}
	}
	bool fitted = x->faulty && x->d->lanes[1] > 0;
	for (size_t i = 0; rc == 0 && ok && !fitted && i < x->p->buffers.n; i++) {
		rc = shrink(x, &x->p->buffers.v[i]);
	}
	rc = rc ? rc : fitted ? fit_lengths(x) : all_run(x, &ok);
	drive_count_unrun(x, NULL);
	return rc;
}
