#include "verify/init/driving.h"

#include <string.h>
#include "base/map.h"

enum {
	MOST_BYTES = 1 << 25, /* of a buffer of the first case */
	MOST_LATER = 1 << 22, /* of a later case, if the first case has no larger buffer */
	MOST_GROWTH = 60
};

bool drive_is_late(struct drive *x)
{
	if (!x->d->late && proc_cpu_s() >= x->ends_at_s) {
		x->d->late = true;
		x->left = 0;
	}
	return x->d->late;
}

static void apply(struct drive *x, const struct trial_number *value)
{
	struct params *p = x->p;
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct slot *s = &p->slots.v[i];
		size_t choice = (size_t)value[i].whole;
		switch (s->kind) {
		case SLOT_NUMBER:
		case SLOT_NULL:
			x->numbers[s->number] = value[i];
			break;
		case SLOT_FILL:
			x->c.buffer[s->number].fill[0] = p->buffers.v[s->number].fills.v[choice];
			x->c.buffer[s->number].fill[0].seed += s->number + 1;
			break;
		case SLOT_BLOCK:
			x->c.block = p->blocks.v[choice];
			break;
		case SLOT_GRID:
			x->c.grid = p->grids.v[choice];
			break;
		}
	}
	x->c.lds = p->lds;
	for (size_t i = 0; i < p->buffers.n; i++) {
		x->c.buffer[i].length = p->buffers.v[i].length;
		x->c.buffer[i].fill[0].length = p->buffers.v[i].length;
	}
}

/* The number before mark. */
static bool number_before(int64_t *out, const char *said, const char *mark)
{
	const char *at = strstr(said, mark);
	const char *begin = at;
	while (begin && begin > said && begin[-1] >= '0' && begin[-1] <= '9') {
		begin--;
	}
	return at && str_to_i64((struct str){begin, (size_t)(at - begin)}, out);
}

/* The limit of a buffer's size, since filling a large one takes longer than most launches. */
static uint64_t most_bytes(const struct drive *x)
{
	uint64_t most = MOST_LATER;
	array_each (&x->p->buffers, const struct param_buffer, b) {
		uint64_t bytes = b->length * element_size(b->type);
		most = bytes > most ? bytes : most;
	}
	return x->d->cases.n > 0 ? most : MOST_BYTES;
}

/* Enlarges a buffer or LDS if the launch failed because it is too small. False: another failure, or
 * it would become too large. */
static bool grow(struct drive *x, const char *said)
{
	static const char past[] = " bytes past the end of buffer '";
	static const char lds[] = "byte ";
	int64_t n;
	if (number_before(&n, said, past)) {
		const char *name = strstr(said, past) + strlen(past);
		array_each (&x->p->buffers, struct param_buffer, b) {
			size_t size = element_size(b->type);
			size_t length = strlen(b->name);
			if (strncmp(name, b->name, length) != 0 || name[length] != '\'') {
				continue;
			}
			uint64_t bytes = b->length * size + (uint64_t)n + 64;
			bytes = bytes + bytes / 2;
			if (bytes > most_bytes(x)) {
				return false;
			}
			b->length = (bytes / size + 255) / 256 * 256;
			return true;
		}
	}
	if (number_before(&n, said, " of dynamic LDS was written") && strstr(said, lds)) {
		unsigned to = ((unsigned)n / 1024 + 1) * 1024;
		to = to < 2 * x->p->lds ? 2 * x->p->lds : to;
		unsigned most = x->c.target->lds_group_max;
		to = to > most && x->p->lds < most ? most : to;
		x->p->lds = to > most ? x->p->lds : to;
		return to <= most;
	}
	return false;
}

static struct str key_of(struct sbuf *b, const struct params *p, const struct trial_number *value)
{
	sbuf_reset(b);
	for (size_t i = 0; i < p->slots.n; i++) {
		sbuf_addf(b, "%lld %g,", (long long)value[i].whole, value[i].real);
	}
	return sbuf_str(b);
}

int drive_run(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	apply(x, value);
	x->d->trials++;
	return trial_run(r, x->t,
		&(struct trial){
			&x->c, x->number, x->numbers, x->p->numbers, x->limit_ms, x->stores});
}

/* A launch with faults also reads what nothing uses, such as the end of a record: it may need more
 * than the launch without. */
int drive_look(struct trial_seen *out, bool *seen, struct drive *x,
	const struct trial_number *value, const unsigned *number, size_t n, unsigned limit_ms)
{
	for (unsigned i = 0;; i++) {
		apply(x, value);
		x->d->trials++;
		int rc = trial_see(out, seen, x->faulty,
			&(struct trial){
				&x->c, x->number, x->numbers, x->p->numbers, limit_ms, false},
			number, n);
		if (rc || out->status == RUN_OK || i == MOST_GROWTH || drive_is_late(x) ||
			!grow(x, out->said)) {
			return rc;
		}
	}
}

size_t *drive_lengths(const struct drive *x)
{
	size_t *length = ARENA_ARRAY(x->a, size_t, x->p->buffers.n + 1);
	for (size_t i = 0; i < x->p->buffers.n; i++) {
		length[i] = x->p->buffers.v[i].length;
	}
	return length;
}

void drive_set_lengths(struct drive *x, const size_t *length)
{
	for (size_t i = 0; i < x->p->buffers.n; i++) {
		x->p->buffers.v[i].length = length[i];
	}
}

/* A launch's cost, in trials. Launches that only enlarge buffers are cheap: they end at the first
 * access out of bounds. */
static int64_t cost_of(const struct drive *x, const struct trial_result *r, unsigned again)
{
	static const int64_t cost_of_killed = 40;
	static const int64_t ms = 50;
	if (r->run.status == RUN_TIMEOUT || r->run.status == RUN_CRASH) {
		return x->limit_ms ? 1 : cost_of_killed;
	}
	return (again % 4 == 0) + (r->cpu_ms > 0 ? r->cpu_ms / ms : 0);
}

int drive_grow(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	*r = (struct trial_result){.run = {.status = RUN_ERROR, .said = ""}};
	for (unsigned i = 0; i < MOST_GROWTH && x->left > 0 && !drive_is_late(x); i++) {
		int rc = drive_run(r, x, value);
		x->left -= cost_of(x, r, i);
		if (rc || r->run.status == RUN_OK || !grow(x, r->run.said)) {
			return rc ? rc : r->run.status == RUN_OK;
		}
		trial_forget(r);
	}
	return 0;
}

bool drive_is_new(struct drive *x, const struct trial_number *value)
{
	struct sbuf key = {0};
	bool is_new = map_set(&x->tried, key_of(&key, x->p, value), 1);
	sbuf_release(&key);
	return is_new;
}

int drive_launch(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	*r = (struct trial_result){.run = {.status = RUN_ERROR, .said = ""}};
	return drive_is_new(x, value) ? drive_grow(r, x, value) : 0;
}
