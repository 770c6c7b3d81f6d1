/* unphi measure -p BUILD: all units of a compile database, each in a process of its own. */
#include <limits.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/project/each.h"
#include "cli/measure/measuring.h"
#include "cli/setup/units.h"

struct whole {
	struct measuring m; /* of all units together */
	struct cli_opts opts;
	struct user_configs configs;
	struct cli_units units;
	bool before; /* the units are being measured at the commit of --against */
	ARRAY(struct measured) saved;
	bool color; /* on stderr */
};

/* ---- one unit, in its own process ---- */

static struct cli_opts options_of(struct arena *a, const struct cli_unit *u, const char *cwd)
{
	struct cli_opts o = *u->opts;

	o.files.v = ARENA_ARRAY(a, const char *, 1);
	o.files.v[0] = u->path;
	o.files.n = o.files.cap = 1;
	o.compiler = u->compiler;
	o.flags = u->flags;
	o.against = NULL;
	o.check = o.project = false;
	o.quiet = true;
	cli_paths_absolute(&o, a, cwd);
	return o;
}

static int measure_early(void *user, size_t index)
{
	const struct whole *w = user;

	return cli_unit_early(&w->units.v[index]);
}

static int measure_unit(void *user, size_t index, struct sbuf *out)
{
	struct whole *w = user;
	const struct cli_unit *u = &w->units.v[index];
	char cwd[PATH_MAX];
	struct cli_opts o = options_of(w->m.arena, u, getcwd(cwd, sizeof(cwd)) ? cwd : "/");
	struct measuring m = {
		.opts = &o, .arena = w->m.arena, .at = w->before ? w->m.before : NULL};
	bool go_on = false;

	msg_setup(true, w->color); /* no note on the compiler: the JSON names it */
	int code = cli_exit(cli_directory_enter(u));
	code = code ? code : cli_exit(cli_kernels_open(&m.kernels, &o));
	code = code ? code : measuring_run(&m, &go_on);
	array_each (&m.found, struct measured, f) {
		f->file = u->shown;
	}
	if (go_on) {
		measured_json(out, m.found.v, m.found.n);
	}
	measuring_release(&m);
	return code;
}

/* ---- all units ---- */

static void take(void *user, const struct shard_unit *r)
{
	struct whole *w = user;
	struct measured *v;
	size_t n = 0;

	if (r->out.n > 0 && measured_parse(&v, &n, w->m.arena, r->out, r->name) == 0) {
		for (size_t i = 0; i < n && w->before; i++) {
			array_push(&w->saved, v[i]);
		}
		for (size_t i = 0; i < n && !w->before; i++) {
			array_push(&w->m.found, v[i]);
		}
	}
}

/* Adds the budgets in these texts. */
static int add_budgets(struct whole *w, const struct shard_text *t, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && w->opts.check; i++) {
		int one = measuring_add_budgets(&w->m, t[i].text, t[i].path);
		rc = rc ? rc : one;
	}
	return rc;
}

/* Adds to a part the texts of its units that have budgets, each once. */
static void add_texts(void *user, struct shard_part *part)
{
	struct whole *w = user;
	struct map seen = {0};
	ARRAY(struct shard_text) texts = {0};

	for (size_t i = 0; i < part->n; i++) {
		const struct cli_unit *u = &w->units.v[part->unit[i].index];
		struct sbuf text = {0};
		if (map_set(&seen, str_of(u->shown), 1) && file_read(&text, u->path) == 0 &&
			str_find(sbuf_str(&text), "unphi: budget", 0) != SIZE_MAX) {
			const char *copy = arena_strndup(w->m.arena, text.p, text.n);
			array_push(&texts, (struct shard_text){u->shown,
						   path_real(w->m.arena, u->path), {copy, text.n}});
		}
		sbuf_release(&text);
	}
	array_move(part->text, part->texts, w->m.arena, &texts);
	map_release(&seen);
}

static int open_whole(struct whole *w, const struct cli_opts *o)
{
	w->m = (struct measuring){.opts = &w->opts, .arena = arena_create(), .project = true};
	w->configs.a = w->m.arena;
	w->color = cli_color(o, STDERR_FILENO);
	int rc = cli_configure(&w->opts, &w->configs, o, ".");

	return rc ? rc : measuring_open(&w->m);
}

static void close_whole(struct whole *w)
{
	measuring_release(&w->m);
	user_configs_release(&w->configs);
	arena_free(w->m.arena);
}

/* Measures all units at the commit of --against; returns the exit code. */
static int run_before(struct whole *w, const struct each *all)
{
	struct each e = *all;
	w->before = true;
	each_run(&e);
	w->before = false;
	array_move(w->m.saved, w->m.saved_n, w->m.arena, &w->saved);
	return e.code;
}

static int run(struct whole *w)
{
	struct arena *a = w->m.arena;
	int rc = cli_units_find(&w->units, a, &w->opts, &w->configs);
	if (rc) {
		return cli_exit(rc);
	}
	const char **name = ARENA_ARRAY(a, const char *, w->units.n);
	struct shard_part all = {.unit = ARENA_ARRAY(a, struct shard_unit, w->units.n)};

	for (size_t i = 0; i < w->units.n; i++) {
		name[i] = w->units.v[i].shown;
		all.unit[all.n++].index = i;
	}
	struct each e = {.opts = &w->opts,
		.a = a,
		.command = "measure",
		.name = name,
		.n = w->units.n,
		.user = w,
		.run = measure_unit,
		.early = measure_early,
		.done = take,
		.texts = add_texts,
		.code = cli_exit(w->units.failed)};
	int before = w->m.before && !w->opts.shard ? run_before(w, &e) : EXIT_CLEAN;
	if (each_run(&e)) {
		return e.code;
	}
	e.code = exit_worse(e.code, before);
	w->m.units = &w->units;
	add_texts(w, &all);
	rc = add_budgets(w, all.text, all.texts);
	rc = rc ? rc : measuring_check_budgets(&w->m);
	w->m.project = e.code == EXIT_CLEAN && w->opts.files.n == 0;
	return rc ? exit_worse(e.code, cli_exit(rc)) : exit_worse(e.code, measuring_finish(&w->m));
}

int measure_project(const struct cli_opts *o)
{
	struct whole w = {0};
	int rc = open_whole(&w, o);
	int code = rc ? cli_exit(rc) : run(&w);

	close_whole(&w);
	return code;
}

bool measure_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u)
{
	struct measured *v;
	size_t n;

	(void)p;
	return u->out.n == 0 || measured_parse(&v, &n, a, u->out, NULL) == 0;
}

int measure_merge(const struct cli_opts *o, const struct each_parts *parts)
{
	struct whole w = {0};
	int rc = open_whole(&w, o), code = cli_exit(rc);

	if (rc == 0) {
		code = each_parts_join(parts, w.m.arena, &w.opts, take, &w);
		w.m.project = code == EXIT_CLEAN;
	}
	for (size_t i = 0; i < parts->n && rc == 0; i++) {
		rc = add_budgets(&w, parts->v[i].text, parts->v[i].texts);
	}
	rc = rc ? rc : measuring_check_budgets(&w.m);
	code = rc ? exit_worse(code, cli_exit(rc)) : exit_worse(code, measuring_finish(&w.m));
	close_whole(&w);
	return code;
}
