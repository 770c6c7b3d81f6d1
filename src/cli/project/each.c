#include "cli/project/each.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "base/process/slots.h"
#include "base/msglog_list.h"
#include "cli/project/times.h"

/* ---- the split ---- */

/* The units of one name. They go to one shard: they share cache entries, and one may read another's
 * text. */
struct group {
	size_t first; /* unit */
	int64_t weight;
	unsigned shard; /* from 0 on */
};

struct split {
	struct group *v;
	size_t n;
	size_t *group_of; /* index of each unit's group */
	uint64_t hash;
};

static int by_weight(const void *left, const void *right)
{
	const struct group *const *x = left, *const *y = right;

	if ((*x)->weight != (*y)->weight) {
		return (*x)->weight > (*y)->weight ? -1 : 1;
	}
	return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

static void find_groups(struct split *s, const struct each *e, const struct times *times)
{
	struct map by_name = {0};

	s->v = ARENA_ARRAY(e->a, struct group, e->n);
	s->group_of = ARENA_ARRAY(e->a, size_t, e->n);
	for (size_t i = 0; i < e->n; i++) {
		struct str name = str_of(e->name[i]);
		size_t g = map_get(&by_name, name, s->n);
		if (g == s->n) {
			map_set(&by_name, name, g);
			s->v[s->n++] = (struct group){.first = i, .weight = times_of(times, name)};
		}
		s->group_of[i] = g;
		s->hash = str_hash(name, s->hash);
		s->hash = str_hash(STR("\n"), s->hash);
	}
	map_release(&by_name);
}

/* Hands out the longest group first, to the shard with the least work. */
static void share_out(struct split *s, const struct each *e, unsigned of)
{
	struct group **order = ARENA_ARRAY(e->a, struct group *, s->n);
	int64_t *load = ARENA_ARRAY(e->a, int64_t, of);

	for (size_t i = 0; i < s->n; i++) {
		order[i] = &s->v[i];
	}
	qsort(order, s->n, sizeof(*order), by_weight);
	for (size_t i = 0; i < s->n; i++) {
		unsigned least = 0;
		for (unsigned k = 1; k < of; k++) {
			least = load[k] < load[least] ? k : least;
		}
		order[i]->shard = least;
		load[least] += order[i]->weight;
	}
	for (size_t i = 0; i < s->n; i++) {
		uint64_t to = s->v[i].shard;
		s->hash = str_hash((struct str){(const char *)&to, sizeof(to)}, s->hash);
	}
}

/* ---- running ---- */

struct running {
	struct each *e;
	const struct times *times;
	size_t *mine; /* units */
	size_t n;
	size_t mark; /* position in the messages of base/msglog.h after the last finished unit */
	struct shard_unit *unit; /* parallel to mine */
};

static void show_progress(const struct running *r, size_t done)
{
	const char *name = done < r->n ? r->e->name[r->mine[done]] : NULL;

	if (!name) {
		msg_no_status();
	} else if (r->n == 1) {
		msg_status("%s %s ...", r->e->command, name);
	} else {
		msg_status("[%zu/%zu] %s", done, r->n, name);
	}
}

static int run_one(void *user, size_t index, struct sbuf *out)
{
	struct running *r = user;

	msglog_about(r->e->name[r->mine[index]]);
	return r->e->run(r->e->user, r->mine[index], out);
}

static int early_one(void *user, size_t index)
{
	struct running *r = user;

	msglog_about(r->e->name[r->mine[index]]);
	int code = r->e->early ? r->e->early(r->e->user, r->mine[index]) : -1;
	msglog_about(NULL);
	return code;
}

/* The exit code of a unit, after a message if it was stopped or crashed. */
static int code_of(const struct running *r, const char *name, const struct pool_result *got)
{
	if (got->timed_out) {
		msg_error("%s: took more than %g s and was stopped; --time-limit allows more", name,
			r->e->opts->time_limit_s);
		return EXIT_INPUT;
	}
	if (got->signal) {
		msg_error("%s: unphi or libclang crashed on it (%s); please report it", name,
			strsignal(got->signal));
		return EXIT_INPUT;
	}
	return got->exit_code;
}

static void one_done(void *user, const struct pool_result *got)
{
	struct running *r = user;
	struct each *e = r->e;
	size_t index = r->mine[got->index];

	msg_no_status();
	fwrite(got->err.p, 1, got->err.n, stderr);
	msglog_about(e->name[index]);
	struct shard_unit unit = {.index = index,
		.name = e->name[index],
		.code = code_of(r, e->name[index], got),
		.seconds = got->wall_s};
	msglog_about(NULL);
	e->code = exit_worse(e->code, unit.code);
	struct str said = msglog_since(r->mark);
	r->mark = msglog_mark();
	if (e->opts->shard) {
		unit.said = arena_str(e->a, said);
		unit.err = arena_str(e->a, got->err);
		unit.out = arena_str(e->a, got->out);
	} else {
		unit.out = got->out;
		e->done(e->user, &unit);
		unit.out = (struct str){0};
	}
	r->unit[got->index] = unit;
	show_progress(r, got->index + 1);
}

static const char *hash_text(struct arena *a, uint64_t hash)
{
	return arena_printf(a, "%016" PRIx64, hash);
}

static int write_part(struct running *r, const struct split *s, int code, size_t mark)
{
	struct each *e = r->e;
	struct sbuf key = {0}, text = {0};
	options_key(&key, e->opts);
	struct shard_part part = {.command = e->command,
		.options = hash_text(e->a, str_hash(sbuf_str(&key), 0)),
		.split = hash_text(e->a, s->hash),
		.shard = e->opts->shard_i,
		.of = e->opts->shard_n,
		.units = e->n,
		.code = code,
		.said = arena_str(e->a, str_sub(msglog_since(0), 0, mark)),
		.unit = r->unit,
		.n = r->n};

	if (e->texts) {
		e->texts(e->user, &part);
	}
	shard_print(&text, &part);
	int rc = cli_output_write(e->opts->report, sbuf_str(&text));
	sbuf_release(&key);
	sbuf_release(&text);
	return rc ? rc : 1;
}

static int write_times(const struct running *r, struct times *t)
{
	for (size_t i = 0; i < r->n; i++) {
		times_add(t, str_of(r->unit[i].name), r->unit[i].seconds);
	}
	return r->e->opts->times ? times_write(t, r->e->opts->times) : 0;
}

int each_run(struct each *e)
{
	struct split s = {0};
	struct times times = {.a = e->a, .command = e->command};
	const struct cli_opts *o = e->opts;
	size_t mark = msglog_mark();
	int rc = times_load(&times, o->times), before = e->code;

	if (rc) {
		e->code = exit_worse(e->code, cli_exit(rc));
		return rc;
	}
	find_groups(&s, e, &times);
	share_out(&s, e, o->shard ? o->shard_n : 1);
	struct running r = {.e = e,
		.times = &times,
		.mark = mark,
		.mine = ARENA_ARRAY(e->a, size_t, e->n),
		.unit = ARENA_ARRAY(e->a, struct shard_unit, e->n)};
	for (size_t i = 0; i < e->n; i++) {
		if (!o->shard || s.v[s.group_of[i]].shard + 1 == o->shard_i) {
			r.mine[r.n++] = i;
		}
	}
	slots_open(o->jobs, o->load);
	struct pool pool = {.parallel = slots_count(),
		.time_limit_s = e->time_limit_s,
		.user = &r,
		.run = run_one,
		.early = early_one,
		.done = one_done};
	show_progress(&r, 0);
	rc = pool_run(&pool, r.n);
	rc = rc ? rc : o->shard ? write_part(&r, &s, before, mark) : write_times(&r, &times);
	times_release(&times);
	e->code = rc < 0 ? exit_worse(e->code, cli_exit(rc)) : e->code;
	return rc;
}

/* ---- joining ---- */

static int check_part(const struct shard_part *p, const struct shard_part *first)
{
	const char *what =
		strcmp(p->command, first->command) != 0	  ? "a part of another subcommand than"
		: strcmp(p->options, first->options) != 0 ? "made with other options than"
		: p->of != first->of || p->units != first->units ||
				strcmp(p->split, first->split) != 0
			? "split in another way (other units, or another --times file) than"
			: NULL;

	if (what) {
		msg_error("%s: it is %s %s, so it is a part of another run", p->path, what,
			first->path);
	}
	return what ? FAIL_USAGE : 0;
}

static const char *missing_shards(struct arena *a, const bool *there, unsigned of)
{
	enum {
		NAMED = 20
	};
	struct sbuf b = {0};
	unsigned n = 0;

	for (unsigned i = 0; i < of; i++) {
		if (!there[i] && ++n <= NAMED) {
			sbuf_addf(&b, "%s%u", n > 1 ? ", " : "", i + 1);
		}
	}
	if (n > NAMED) {
		sbuf_addf(&b, " and %u more", n - NAMED);
	}
	const char *text =
		n == 0 ? NULL
		       : arena_printf(a, "shard%s %s of %u %s missing", n == 1 ? "" : "s",
				 sbuf_cstr(&b), of, n == 1 ? "is" : "are");
	sbuf_release(&b);
	return text;
}

static int check_units(struct arena *a, const struct shard_part *p, const struct each_merge *m)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!m->is_sound(a, p, &p->unit[i])) {
			return shard_damaged(p->path);
		}
	}
	return 0;
}

static const struct each_merge *merge_of(const char *command, const struct each_merge *of, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(of[i].command, command) == 0) {
			return &of[i];
		}
	}
	return NULL;
}

/* Checks that no shard is given twice, and finds the missing ones. */
static int check_shards(struct each_parts *out, struct arena *a)
{
	bool *there = ARENA_ARRAY(a, bool, out->v[0].of);

	for (size_t i = 0; i < out->n; i++) {
		bool *seen = &there[out->v[i].shard - 1];
		if (*seen) {
			return fail_usage(
				"%s: shard %u is given twice", out->v[i].path, out->v[i].shard);
		}
		*seen = true;
	}
	out->missing = missing_shards(a, there, out->v[0].of);
	return 0;
}

static int by_index(const void *left, const void *right)
{
	const struct shard_unit *const *x = left, *const *y = right;

	return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* Sorts all units. FAIL_INPUT after a message if one is in two parts. */
static int sort_units(struct each_parts *out, struct arena *a)
{
	ARRAY(const struct shard_unit *) all = {0};

	for (size_t i = 0; i < out->n; i++) {
		for (size_t k = 0; k < out->v[i].n; k++) {
			array_push(&all, &out->v[i].unit[k]);
		}
	}
	array_sort(&all, by_index);
	array_move(out->unit, out->units, a, &all);
	for (size_t i = 1; i < out->units; i++) {
		if (out->unit[i]->index == out->unit[i - 1]->index) {
			return fail_input(
				"%s: two parts have it, so one is damaged; run their shards "
				"again",
				out->unit[i]->name);
		}
	}
	return 0;
}

int each_parts_load(struct each_parts *out, struct arena *a, const struct cli_opts *o,
	const struct each_merge **command, size_t n)
{
	int rc = 0;

	*out = (struct each_parts){.v = ARENA_ARRAY(a, struct shard_part, o->files.n)};
	for (size_t i = 0; i < o->files.n && rc == 0; i++) {
		struct shard_part *p = &out->v[out->n++];
		const struct each_merge *m = NULL;
		rc = shard_load(p, a, o->files.v[i]);
		if (rc == 0 && !(m = merge_of(p->command, *command, n))) {
			rc = shard_damaged(p->path);
		}
		rc = rc ? rc : check_units(a, p, m);
		rc = rc ? rc : check_part(p, &out->v[0]);
	}
	rc = rc ? rc : check_shards(out, a);
	rc = rc ? rc : sort_units(out, a);
	*command = rc ? NULL : merge_of(out->v[0].command, *command, n);
	return rc;
}

/* Prints the messages from before the split, once: those of all shards are equal. */
static bool say_again(const struct shard_part *first, struct arena *a)
{
	struct msglog_entry *v;
	size_t n;
	bool whole = msglog_read(&v, &n, a, first->said);

	for (size_t i = 0; i < n; i++) {
		msg_again(&v[i]);
	}
	return whole;
}

int each_parts_join(const struct each_parts *parts, struct arena *a, const struct cli_opts *o,
	void (*done)(void *user, const struct shard_unit *r), void *user)
{
	struct times times = {.a = a, .command = parts->v[0].command};
	int code = cli_exit(times_load(&times, o->times));
	bool whole = say_again(&parts->v[0], a);

	for (size_t i = 0; i < parts->n; i++) {
		code = exit_worse(code, parts->v[i].code);
	}
	for (size_t i = 0; i < parts->units; i++) {
		const struct shard_unit *u = parts->unit[i];
		struct sbuf said = {0};
		sbuf_add_visible(&said, u->err, "\n\t");
		fwrite(sbuf_cstr(&said), 1, said.n, stderr);
		sbuf_release(&said);
		whole = msglog_take(u->said) && whole;
		code = exit_worse(code, u->code);
		times_add(&times, str_of(u->name), u->seconds);
		done(user, u);
	}
	if (!whole) {
		msg_error("the parts are damaged: some of their errors cannot be read; run their "
			  "shards again");
		code = EXIT_INPUT;
	}
	if (parts->missing) {
		msg_error("%s", parts->missing);
		code = exit_worse(code, EXIT_INPUT);
	}
	if (o->times) {
		code = exit_worse(code, cli_exit(times_write(&times, o->times)));
	}
	times_release(&times);
	return code;
}
