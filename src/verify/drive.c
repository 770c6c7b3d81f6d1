#include "verify/drive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/map.h"

enum {
	MOST_TRIALS = 400,    /* a kernel */
	BASE_TRIALS = 120,    /* of these, until one runs */
	MOST_BYTES = 1 << 25, /* of a buffer */
	MOST_GROWTH = 60,
	MOST_VALUE = 1 << 16,
	LEAST_VALUE = -4096,
	MOST_CANDIDATES = 48,
	MOST_CASES = 24,
	MOST_SEEDS = 40
};

struct drive {
	struct driven *d;
	struct params *p;
	struct trials *t;
	struct arena *a;
	size_t number;
	struct spec_case c; /* as it is launched next */
	struct trial_number *numbers;
	struct map tried;		 /* choices of values */
	struct map never;		 /* arms that no choice takes */
	struct map compared;		 /* places of comparisons, and how they came out */
	ARRAY(struct driven_case) seeds; /* no cases: a comparison came out as in none before */
	const struct trial_number
		*full;	  /* of the first case, before it was made cheaper; or NULL */
	int64_t left;	  /* trials, of which a long one counts for several */
	double ends_at_s; /* on drive_cpu_s() */
};

static double seconds(const struct rusage *r)
{
	return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) +
	       (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e6;
}

double drive_cpu_s(void)
{
	struct rusage own, others;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &others);
	return seconds(&own) + seconds(&others);
}

/* Then what is there counts. */
static bool is_late(struct drive *x)
{
	if (!x->d->late && drive_cpu_s() >= x->ends_at_s) {
		x->d->late = true;
		x->left = 0;
	}
	return x->d->late;
}

/* ---- one launch ---- */

static void apply(struct drive *x, const struct trial_number *value)
{
	struct params *p = x->p;
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct slot *s = &p->slots.v[i];
		size_t choice = (size_t)value[i].whole;
		switch (s->kind) {
		case SLOT_NUMBER:
			x->numbers[s->number] = value[i];
			break;
		case SLOT_FILL:
			x->c.buffer[s->number].fill[0] = p->buffers.v[s->number].fills.v[choice];
			x->c.buffer[s->number].fill[0].seed = s->number + 1;
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

/* The number in front of mark. */
static bool number_before(int64_t *out, const char *said, const char *mark)
{
	const char *at = strstr(said, mark);
	const char *begin = at;
	while (begin && begin > said && begin[-1] >= '0' && begin[-1] <= '9') {
		begin--;
	}
	return at && str_to_i64((struct str){begin, (size_t)(at - begin)}, out);
}

/* Makes a buffer longer, or LDS larger, where the launch ended for that. False: that was it not, or
 * it would become too much. */
static bool grow(struct drive *x, const char *said)
{
	static const char past[] = " bytes past the end of buffer '";
	static const char lds[] = "byte ";
	int64_t n;
	if (number_before(&n, said, past)) {
		const char *name = strstr(said, past) + strlen(past);
		for (size_t i = 0; i < x->p->buffers.n; i++) {
			struct param_buffer *b = &x->p->buffers.v[i];
			size_t size = element_size(b->type);
			size_t length = strlen(b->name);
			if (strncmp(name, b->name, length) != 0 || name[length] != '\'') {
				continue;
			}
			uint64_t bytes = b->length * size + (uint64_t)n + 64;
			bytes = bytes + bytes / 2;
			if (bytes > MOST_BYTES) {
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

/* Once, with what is there now. */
static int run_now(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	apply(x, value);
	x->d->trials++;
	return trial_run(r, x->t, &(struct trial){&x->c, x->number, x->numbers, x->p->numbers});
}

/* In trials. Buffers that grow are cheap: such a launch ends where the first access is too far. */
static int64_t cost_of(const struct trial_result *r, unsigned again)
{
	static const int64_t cost_of_killed = 40;
	static const int64_t ms = 50;
	if (r->run.status == RUN_TIMEOUT || r->run.status == RUN_CRASH) {
		return cost_of_killed;
	}
	return (again % 4 == 0) + (r->cpu_ms > 0 ? r->cpu_ms / ms : 0);
}

/* With buffers that grow. 1: it ran to its end; 0: not. */
static int run_growing(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	*r = (struct trial_result){.run = {.status = RUN_ERROR, .said = ""}};
	for (unsigned i = 0; i < MOST_GROWTH && x->left > 0 && !is_late(x); i++) {
		int rc = run_now(r, x, value);
		x->left -= cost_of(r, i);
		if (rc || r->run.status == RUN_OK || !grow(x, r->run.said)) {
			return rc ? rc : r->run.status == RUN_OK;
		}
		trial_forget(r);
	}
	return 0;
}

/* The same, once: 0 also where it was tried before. */
static int launch(struct trial_result *r, struct drive *x, const struct trial_number *value)
{
	struct sbuf key = {0};
	bool again = !map_set(&x->tried, key_of(&key, x->p, value), 1);
	sbuf_release(&key);
	*r = (struct trial_result){.run = {.status = RUN_ERROR, .said = ""}};
	return again ? 0 : run_growing(r, x, value);
}

/* ---- cases ---- */

static size_t count_unrun(struct drive *x, const struct driven_case *without)
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

static bool runs_arm(const struct verify_run *run, const struct verify_arm *arm)
{
	for (size_t i = 0; i < run->arms; i++) {
		const struct verify_arm *a = &run->arm[i];
		if (a->line == arm->line && a->arm == arm->arm && a->number == arm->number &&
			strcmp(a->file, arm->file) == 0) {
			return a->ran;
		}
	}
	return false;
}

/* The first arm of run that none of the cases runs. */
static const struct verify_arm *new_arm(const struct drive *x, const struct verify_run *run)
{
	for (size_t i = 0; i < run->arms; i++) {
		bool known = !run->arm[i].ran;
		array_each (&x->d->cases, struct driven_case, c) {
			known = known || runs_arm(&c->result.run, &run->arm[i]);
		}
		if (!known) {
			return &run->arm[i];
		}
	}
	return NULL;
}

static struct trial_number *copy_of(struct drive *x, const struct trial_number *value)
{
	return arena_memdup(x->a, value, x->p->slots.n * sizeof(*value));
}

static void keep(struct drive *x, const char *name, const struct trial_number *value,
	const struct trial_result *r)
{
	struct driven_case c = {arena_strdup(x->a, name), copy_of(x, value), *r, false};
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

/* Did a comparison come out as in no launch before? */
static bool sees_new(struct drive *x, const struct trial_result *r)
{
	bool any = false;
	for (size_t i = 0; i < r->pairs; i++) {
		const struct trial_pair *p = &r->pair[i];
		uint64_t order = p->a < p->b ? 0 : p->a == p->b ? 1 : 2;
		any |= map_set_u64(&x->compared, (uint64_t)p->place * 4 + order, 1);
	}
	return any;
}

/* Launches it, and keeps it when that takes a new arm. Else buffers are as long as before: those of
 * a large size would make all that follows dear. */
static int attempt(struct drive *x, const struct trial_number *value)
{
	struct trial_result r;
	size_t n = x->p->buffers.n;
	size_t *length = ARENA_ARRAY(x->a, size_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		length[i] = x->p->buffers.v[i].length;
	}
	int ok = launch(&r, x, value);
	const struct verify_arm *arm = ok > 0 ? new_arm(x, &r.run) : NULL;
	if (arm) {
		keep(x, arena_printf(x->a, "line-%u-arm-%u", arm->line, arm->arm), value, &r);
	}
	if (ok > 0 && sees_new(x, &r) && !arm && x->seeds.n < MOST_SEEDS) {
		array_push(&x->seeds, (struct driven_case){"", copy_of(x, value), r, false});
	}
	for (size_t i = 0; !arm && i < n; i++) {
		x->p->buffers.v[i].length = length[i];
	}
	trial_forget(&r);
	return ok < 0 ? ok : 0;
}

/* ---- the first that runs ---- */

static void first_values(struct drive *x, struct trial_number *value, int64_t size, size_t block,
	bool zeros, bool given)
{
	for (size_t i = 0; i < x->p->slots.n; i++) {
		const struct slot *s = &x->p->slots.v[i];
		int64_t first = s->is_enum && s->type->fields ? s->type->field[0].at : 0;
		int64_t v = s->is_enum ? first : s->is_bool ? 1 : size;
		if (s->kind == SLOT_NUMBER && given && s->given != KT_NO_VALUE) {
			v = s->given;
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

/* From the cases of a kernel with the same parameters. */
static int find_alike(struct drive *x, const struct driven *like)
{
	struct trial_result r;
	x->full = like->full;
	int ok = launch(&r, x, like->cases.v[0].value);
	if (ok > 0) {
		keep(x, "full", like->cases.v[0].value, &r);
		trial_forget(&r);
	}
	for (size_t i = 1; ok > 0 && i < like->cases.n; i++) {
		const struct driven_case *c = &like->cases.v[i];
		ok = strcmp(c->name, "boundary") == 0 || attempt(x, c->value) == 0 ? ok : -1;
	}
	return ok;
}

static bool runs_all_of(const struct verify_run *run, const struct verify_run *arms)
{
	for (size_t i = 0; i < arms->arms; i++) {
		if (arms->arm[i].ran && !runs_arm(run, &arms->arm[i])) {
			return false;
		}
	}
	return true;
}

/* What takes long is tried with smaller sizes, one by one, that run the same arms: all that is
 * tried from there on is cheaper. */
static int cheapen(struct drive *x)
{
	static const int64_t less[] = {5, 8, 16, 32};
	static const int64_t long_ms = 20;
	struct driven_case *first = &x->d->cases.v[0];
	bool any = false;
	x->full = first->value;
	for (size_t i = 0; i < x->p->slots.n && first->result.cpu_ms >= long_ms; i++) {
		const struct slot *s = &x->p->slots.v[i];
		bool size = s->kind == SLOT_NUMBER && !s->is_float && !s->is_bool && !s->is_enum;
		bool found = false;
		for (size_t k = 0; size && !found && k < sizeof(less) / sizeof(less[0]); k++) {
			struct trial_number *value = copy_of(x, first->value);
			struct trial_result r;
			value[i] = (struct trial_number){less[k], (double)less[k]};
			int ok = less[k] < first->value[i].whole ? launch(&r, x, value) : 0;
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
	/* nor do its buffers have to be that large */
	for (size_t i = 0; i < x->p->buffers.n; i++) {
		x->p->buffers.v[i].length = PARAMS_FIRST_LENGTH;
	}
	int ok = run_growing(&first->result, x, first->value);
	if (ok > 0) {
		trial_forget(&first->result);
	}
	return ok < 0 ? ok : 0;
}

static int find_first(struct drive *x, const struct driven *like)
{
	static const int64_t sizes[] = {64, 128, 256, 16, 32, 512, 8, 4, 1, 2, 0, 1000};
	struct trial_number *value = ARENA_ARRAY(x->a, struct trial_number, x->p->slots.n + 1);
	struct trial_result r = {0};
	int64_t all = x->left;
	int ok = like ? find_alike(x, like) : 0;
	if (x->d->cases.n > 0) {
		return ok < 0 ? ok : 0;
	}
	for (size_t round = 0; ok == 0 && round < 4; round++) {
		for (size_t i = 0; ok == 0 && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			size_t blocks = x->p->blocks.n;
			for (size_t b = 0; ok == 0 && b < blocks && all - x->left < BASE_TRIALS;
				b++) {
				first_values(x, value, sizes[i], b, round % 2, round < 2);
				ok = launch(&r, x, value);
				if (!x->d->error && ok == 0) {
					x->d->error = r.run.said;
				}
			}
		}
	}
	if (ok > 0) {
		keep(x, "full", value, &r);
		trial_forget(&r);
		return cheapen(x);
	}
	return ok < 0 ? ok : 0;
}

/* ---- what to try ---- */

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

static bool near(int64_t x, int64_t y)
{
	return x >= y - 1 && x <= y + 1;
}

/* A number that stood on one side of a comparison may be what stood on the other, or near it. */
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
			if (!loosely && near(a, now)) {
				add_candidate(c, s, b + k);
			}
			if (!loosely && near(b, now)) {
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
		if (x->full) { /* more of the same fills */
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

/* Is a number that pair i compares the same wherever that place of the code does? */
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

/* Fills that hold what the kernel compares with, that with constants first. */
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
			value[slot] = (struct trial_number){(int64_t)near_it[k], near_it[k]};
			rc = attempt(x, value);
		}
	}
	for (size_t i = 0; rc == 0 && i < sizeof(reals) / sizeof(reals[0]); i++) {
		value[slot] = (struct trial_number){(int64_t)reals[i], reals[i]};
		rc = attempt(x, value);
	}
	return rc;
}

static int vary_all(struct drive *x, const struct driven_case *from, unsigned level);

/* Changes one slot of a case in all ways of this level: integers, in arguments and buffers, by what
 * they were compared with; fills, shapes and floats; integers by all else. What runs a new arm is
 * varied next: other arms are likely to stand behind it. */
static int vary(struct drive *x, const struct driven_case *from, size_t slot, unsigned level)
{
	const struct slot *s = &x->p->slots.v[slot];
	struct trial_number *value = copy_of(x, from->value);
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
	} else if (s->kind != SLOT_NUMBER && level == 1) {
		for (size_t i = 0; i < choices(x, s) && c.n < MOST_CANDIDATES; i++) {
			c.v[c.n++] = (int64_t)i;
		}
	}
	for (size_t i = 0; rc == 0 && i < c.n && x->d->unruns > 0; i++) {
		value[slot] = (struct trial_number){c.v[i], (double)c.v[i]};
		size_t before = x->d->cases.n;
		rc = attempt(x, value);
		if (x->d->cases.n > before) {
			const struct driven_case found = x->d->cases.v[x->d->cases.n - 1];
			bool more = count_unrun(x, NULL) && level == 0;
			rc = rc || !more ? rc : vary_all(x, &found, level);
		}
	}
	return rc;
}

/* A buffer of what is calculated with, more likely than of what decides. */
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
			if (x->left <= 0 || count_unrun(x, NULL) == 0) {
				return 0;
			}
			rc = is_data(x, k) == pass ? vary(x, from, k, level) : 0;
		}
	}
	return rc;
}

/* All sizes at once: conditions on several of them. */
static int vary_together(struct drive *x)
{
	static const int64_t sizes[] = {128, 256, 16, 512, 1024, 1, 37, 0};
	const struct driven_case from = x->d->cases.v[0];
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct trial_number *value = copy_of(x, from.value);
		for (size_t i = 0; i < x->p->slots.n; i++) {
			const struct slot *s = &x->p->slots.v[i];
			bool size = s->kind == SLOT_NUMBER && !s->is_float && !s->is_bool &&
				    !s->is_enum;
			value[i] =
				size ? (struct trial_number){sizes[k], (double)sizes[k]} : value[i];
		}
		rc = count_unrun(x, NULL) ? attempt(x, value) : 0;
	}
	return rc;
}

static int search(struct drive *x)
{
	int rc = 0;
	for (unsigned level = 0; rc == 0 && level < 3; level++) {
		rc = level == 1 ? vary_together(x) : 0;
		size_t cases = 0;
		size_t seeds = 0;
		/* what is kept on the way is varied, too */
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

/* ---- a boundary, the fills of what is written, and what is too long ---- */

static bool is_compared(const struct trial_result *r, int64_t v)
{
	for (size_t i = 0; i < r->pairs; i++) {
		if (near(r->pair[i].a, v) || near(r->pair[i].b, v)) {
			return true;
		}
	}
	return false;
}

/* The same with all sizes a little less: no multiple of anything. */
static int add_boundary(struct drive *x)
{
	static const int64_t less[] = {3, 1};
	const struct driven_case from = x->d->cases.v[0];
	struct trial_result r;
	for (size_t k = 0; k < 2; k++) {
		struct trial_number *value = copy_of(x, from.value);
		bool any = false;
		for (size_t i = 0; i < x->p->slots.n; i++) {
			const struct slot *s = &x->p->slots.v[i];
			bool is_size = s->kind == SLOT_NUMBER && !s->is_float && !s->is_bool &&
				       !s->is_enum && value[i].whole >= 4 &&
				       is_compared(&from.result, value[i].whole);
			any |= is_size;
			value[i].whole -= is_size ? less[k] : 0;
			value[i].real = is_size ? (double)value[i].whole : value[i].real;
		}
		int ok = any ? launch(&r, x, value) : 0;
		if (ok > 0) {
			keep(x, "boundary", value, &r);
		}
		if (ok != 0) {
			return ok < 0 ? ok : 0;
		}
	}
	return 0;
}

/* Does a byte that was written, one of [at, at + bytes), depend on what stood there before? */
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

/* Does the case read what is poison in buffer i, and go on to write it? */
static int reads_output(bool *out, struct drive *x, const struct driven_case *c, size_t i)
{
	const struct param_buffer *b = &x->p->buffers.v[i];
	struct trial_number *value = copy_of(x, c->value);
	struct trial_result poisoned;
	struct trial_result filled;
	struct sbuf text[3] = {{0}};
	size_t at = 0;
	int rc = run_now(&poisoned, x, value);
	value[b->slot].whole = 1;
	rc = rc ? rc : run_now(&filled, x, value);
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

/* What is made of a buffer's poison is no number, and hides what else it is made of: a buffer that
 * a kernel reads and writes gets numbers in all cases. So does one of which time does not tell. */
static int fill_read_outputs(struct drive *x)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->p->buffers.n; i++) {
		const struct param_buffer *b = &x->p->buffers.v[i];
		bool read = false;
		for (size_t k = 0; rc == 0 && !b->is_const && !read && k < x->d->cases.n; k++) {
			const struct driven_case *c = &x->d->cases.v[k];
			read = is_late(x);
			rc = c->value[b->slot].whole == 0 && !read ? reads_output(&read, x, c, i)
								   : 0;
		}
		array_each (&x->d->cases, struct driven_case, c) {
			c->value[b->slot].whole += read && c->value[b->slot].whole == 0;
		}
	}
	return rc;
}

/* A case for each enumerator of an argument, whatever arms it runs: ?: is no arm. */
static int add_enumerators(struct drive *x)
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
			struct trial_number *value = copy_of(x, x->d->cases.v[0].value);
			struct trial_result r;
			value[k] = (struct trial_number){v, (double)v};
			int ok = has || x->d->cases.n >= MOST_CASES ? 0 : launch(&r, x, value);
			if (ok > 0) {
				keep(x, s->type->field[i].name, value, &r);
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

/* Do all cases run with the buffers as they are now? They take what they ran anew. */
static int all_run(struct drive *x, bool *ok)
{
	int rc = 0;
	*ok = true;
	for (size_t i = 0; rc == 0 && *ok && i < x->d->cases.n; i++) {
		struct trial_result r;
		rc = run_now(&r, x, x->d->cases.v[i].value);
		*ok = rc == 0 && r.run.status == RUN_OK;
		trial_forget(&r);
		if (*ok) {
			x->d->cases.v[i].result = r;
		}
	}
	return rc;
}

/* The least length, in steps of an alignment, with which all cases run. */
static int shrink(struct drive *x, struct param_buffer *b)
{
	size_t step = 256 / element_size(b->type);
	size_t low = 0; /* too short */
	size_t high = (b->length + step - 1) / step;
	int rc = 0;
	while (rc == 0 && high - low > 1 && !is_late(x)) {
		size_t middle = (low + high) / 2;
		bool ok;
		b->length = middle * step;
		rc = all_run(x, &ok);
		*(ok ? &high : &low) = middle;
	}
	b->length = high * step;
	return rc;
}

static int finish(struct drive *x)
{
	bool ok;
	int rc = fill_read_outputs(x);
	rc = rc ? rc : all_run(x, &ok);
	/* cases that run no arm of their own; the first two are what everybody looks for */
	for (size_t i = x->d->cases.n; rc == 0 && i-- > 1;) {
		struct driven_case *c = &x->d->cases.v[i];
		bool boundary = c->wanted || strcmp(c->name, "boundary") == 0;
		size_t all = count_unrun(x, NULL);
		if (!boundary && count_unrun(x, c) == all) {
			memmove(c, c + 1, (x->d->cases.n - i - 1) * sizeof(*c));
			x->d->cases.n--;
		}
	}
	for (size_t i = 0; rc == 0 && ok && i < x->p->buffers.n; i++) {
		rc = shrink(x, &x->p->buffers.v[i]);
	}
	rc = rc ? rc : all_run(x, &ok);
	count_unrun(x, NULL);
	return rc;
}

static void make_case(struct drive *x, const struct target *target)
{
	struct params *p = x->p;
	p->lds = p->lds > target->lds_group_max ? 0 : p->lds;
	x->c = (struct spec_case){.target = target,
		.wave_size = target->wave_size,
		.name = p->fn->name,
		.buffer = ARENA_ARRAY(x->a, struct spec_buffer, p->buffers.n + 1),
		.buffers = p->buffers.n};
	for (size_t i = 0; i < p->buffers.n; i++) {
		x->c.buffer[i] = (struct spec_buffer){.name = p->buffers.v[i].name,
			.type = p->buffers.v[i].type,
			.fill = ARENA_NEW(x->a, struct fill),
			.fills = 1};
	}
	x->numbers = ARENA_ARRAY(x->a, struct trial_number, p->numbers + 1);
}

int drive(struct driven *out, const struct drive_job *job)
{
	struct drive x = {.d = out,
		.p = &out->params,
		.t = job->t,
		.a = out->params.a,
		.number = job->number,
		.left = MOST_TRIALS,
		.ends_at_s = drive_cpu_s() + job->cpu_limit_s};
	make_case(&x, job->target);
	if (job->like) {
		params_learn(x.p, &job->like->params);
	}
	arms_find_never(&x.never, x.a, x.p->u, (kt_id)(x.p->fn - x.p->u->fn));
	int rc = find_first(&x, job->like);
	out->runs = out->cases.n > 0;
	if (rc == 0 && out->runs) {
		rc = add_boundary(&x);
		rc = rc ? rc : search(&x);
		rc = rc ? rc : add_enumerators(&x);
		rc = rc ? rc : finish(&x);
	}
	out->full = x.full;
	map_release(&x.tried);
	map_release(&x.never);
	map_release(&x.compared);
	array_release(&x.seeds);
	return rc;
}

void driven_release(struct driven *d)
{
	params_release(&d->params);
	array_release(&d->cases);
}
