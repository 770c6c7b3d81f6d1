/*
 * unphi explore: the file with every combination of settings, compiled side by side, and what each
 * kernel costs then. A combination that does not compile is shown as such; when none does, the exit
 * code says so.
 */
#include <string.h>

#include "analysis/ledger.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "frontend/frontend.h"
#include "report/explore.h"

enum {
	COMBINATIONS_MAX = 256
};

struct setting {
	const char *name;
	ARRAY(const char *) value;
};

struct exploring {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	ARRAY(struct setting) setting;
	size_t combinations;
	ARRAY(struct explored) row;
};

static int read_settings(struct exploring *x)
{
	x->combinations = 1;
	for (size_t i = 0; i < x->opts->settings.v.n; i++) {
		struct str rest = str_of(x->opts->settings.v.v[i]), value;
		size_t eq = str_find(rest, "=", 0);
		struct setting s = {.name = arena_strndup(x->arena, rest.p, eq)};
		rest = str_sub(rest, eq + 1, rest.n);
		while (str_split(&rest, ',', &value)) {
			array_push(&s.value, arena_strndup(x->arena, value.p, value.n));
		}
		x->combinations *= s.value.n;
		array_push(&x->setting, s);
		if (x->combinations > COMBINATIONS_MAX) {
			msg_error("more than %d combinations of settings: take fewer values",
				COMBINATIONS_MAX);
			return FAIL_USAGE;
		}
	}
	return 0;
}

/* The first setting turns slowest. */
static const char *const *values_of(struct exploring *x, size_t combination)
{
	const char **v = ARENA_ARRAY(x->arena, const char *, x->setting.n + 1);

	for (size_t i = x->setting.n; i-- > 0;) {
		const struct setting *s = &x->setting.v[i];
		v[i] = s->value.v[combination % s->value.n];
		combination /= s->value.n;
	}
	return v;
}

static const char *const *flags_of(struct exploring *x, const char *const *value)
{
	size_t n = 0;

	while (x->targets.flags[n]) {
		n++;
	}
	const char **flags = ARENA_ARRAY(x->arena, const char *, n + x->setting.n + 1);
	memcpy(flags, x->targets.flags, n * sizeof(*flags));
	for (size_t i = 0; i < x->setting.n; i++) {
		flags[n + i] = arena_printf(x->arena, "-D%s=%s", x->setting.v[i].name, value[i]);
	}
	return flags;
}

/* Bytes and operations of the kernels, from the source; nothing where it does not parse. */
static void count_work(
	struct exploring *x, const struct measure_job *job, struct explored *row, size_t rows)
{
	struct arena *a = arena_create();
	struct frontend_job parse = {.path = job->path,
		.target = job->target->name,
		.nearest = job->target->nearest,
		.flags = job->flags,
		.quiet = true,
		.intrinsics = &x->intrinsics};
	struct kt_unit *unit;

	if (frontend_parse(&unit, a, &parse, NULL) == 0) {
		struct facts *f = facts_create(unit, a, &x->intrinsics);
		struct uniformity *u = uniformity_create(f, a);
		for (kt_id i = 1; i < unit->fns; i++) {
			for (size_t k = 0; k < rows && unit->fn[i].symbol && unit->fn[i].body;
				k++) {
				struct ledger l;
				if (strcmp(unit->fn[i].symbol, row[k].got->symbol) == 0) {
					ledger_make(&l, a, f, u, i, job->target->wave_size);
					row[k].bytes = l.bytes;
					row[k].flops = l.flops;
				}
			}
		}
		facts_release(f);
	}
	arena_free(a);
}

static const char *failure(enum measure_status s)
{
	return s == MEASURE_TIMEOUT ? "(took too long)" : "(does not compile)";
}

static void add_rows(struct exploring *x, const struct measure_job *job,
	const struct measure_result *r, const char *const *value)
{
	size_t first = x->row.n;
	struct explored e = {.value = value, .target = job->target->name};

	if (r->status != MEASURE_OK) {
		e.why = failure(r->status);
		array_push(&x->row, e);
		return;
	}
	for (size_t i = 0; i < r->m.kernels; i++) {
		e.got = &r->m.kernel[i];
		e.kernel = e.got->name;
		e.why = e.got->trusted ? NULL : e.got->why;
		array_push(&x->row, e);
	}
	count_work(x, job, x->row.v + first, x->row.n - first);
}

static int compile(struct exploring *x)
{
	size_t n = x->combinations * x->targets.n;
	struct measure_job *job = ARENA_ARRAY(x->arena, struct measure_job, n);
	struct measure_result *result = ARENA_ARRAY(x->arena, struct measure_result, n);
	struct compiler *compiler = ARENA_ARRAY(x->arena, struct compiler, x->targets.n);
	int rc = FAIL_INPUT;

	for (size_t t = 0; t < x->targets.n; t++) {
		int found = compiler_find(&compiler[t], x->arena, x->opts->compiler,
			x->targets.v[t]->name, x->opts->no_cache);
		if (found) {
			return found;
		}
	}
	for (size_t i = 0; i < n; i++) {
		size_t t = i % x->targets.n;
		job[i] = (struct measure_job){.compiler = &compiler[t],
			.target = x->targets.v[t],
			.path = x->opts->files.v[0],
			.shown = x->opts->files.v[0],
			.flags = flags_of(x, values_of(x, i / x->targets.n)),
			.time_limit_s = x->opts->time_limit_s,
			.quiet = true};
	}
	msg_note("%zu combination%s for %zu target%s", x->combinations,
		x->combinations == 1 ? "" : "s", x->targets.n, x->targets.n == 1 ? "" : "s");
	measure_run(result, x->arena, job, n, x->opts->jobs);
	for (size_t i = 0; i < n; i++) {
		add_rows(x, &job[i], &result[i], values_of(x, i / x->targets.n));
		rc = result[i].status == MEASURE_OK ? 0 : rc;
	}
	if (rc) {
		msg_error("%s: no combination compiles: %s", x->opts->files.v[0],
			result[0].diagnostics ? result[0].diagnostics : "");
	}
	return rc;
}

static int print(struct exploring *x)
{
	static void (*const formats[])(struct sbuf *, const struct exploration *) = {
		explore_text, explore_json, explore_svg};
	const char **names = ARENA_ARRAY(x->arena, const char *, x->setting.n + 1);
	struct exploration e = {.file = x->opts->files.v[0],
		.setting = names,
		.settings = x->setting.n,
		.v = x->row.v,
		.n = x->row.n};
	struct sbuf out = {0};

	for (size_t i = 0; i < x->setting.n; i++) {
		names[i] = x->setting.v[i].name;
	}
	explore_mark(&e);
	formats[x->opts->format](&out, &e);
	int rc = cli_output_write(x->opts->report, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

int cmd_explore(const struct cli_opts *o)
{
	struct exploring x = {.opts = o, .arena = arena_create()};
	int rc = cli_files_check(o);

	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : read_settings(&x);
	rc = rc ? rc : cli_targets_find(&x.targets, x.arena, o);
	rc = rc ? rc : cli_intrinsics(&x.intrinsics, x.arena, o);
	rc = rc ? rc : compile(&x);
	rc = rc ? rc : print(&x);
	for (size_t i = 0; i < x.setting.n; i++) {
		array_release(&x.setting.v[i].value);
	}
	array_release(&x.setting);
	array_release(&x.row);
	intrinsic_db_release(&x.intrinsics);
	arena_free(x.arena);
	return cli_exit(rc);
}
