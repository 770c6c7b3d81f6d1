/*
 * unphi explore: compiles the file with every combination of settings, in parallel, and prints each
 * kernel's figures. A combination that does not compile is shown as such; if none compiles, the
 * exit code is an error.
 */

#include "base/msg.h"
#include "cli/cli.h"
#include "report/figures/explore.h"

enum {
	COMBINATIONS_MAX = 256
};

struct exploring {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	struct setting *setting;
	struct explored_list row;
};

static int read_settings(struct exploring *x)
{
	size_t n = x->opts->settings.v.n, combinations = 1;

	x->setting = ARENA_ARRAY(x->arena, struct setting, n);
	for (size_t i = 0; i < n; i++) {
		struct str rest = str_of(x->opts->settings.v.v[i]), value;
		size_t eq = str_find(rest, "=", 0);
		ARRAY(const char *) values = {0};
		x->setting[i].name = arena_strndup(x->arena, rest.p, eq);
		rest = str_sub(rest, eq + 1, rest.n);
		while (str_split(&rest, ',', &value)) {
			array_push(&values, arena_strndup(x->arena, value.p, value.n));
		}
		combinations *= values.n;
		array_move(x->setting[i].value, x->setting[i].values, x->arena, &values);
		if (combinations > COMBINATIONS_MAX) {
			return fail_usage(
				"more than %d combinations of settings: give fewer values",
				COMBINATIONS_MAX);
		}
	}
	return 0;
}

static int compile(struct exploring *x)
{
	struct compiler *compiler;
	int rc = cli_compilers_find(&compiler, x->arena, x->opts, &x->targets);
	struct explore_job job = {.path = x->opts->files.v[0],
		.target = x->targets.v,
		.compiler = compiler,
		.targets = x->targets.n,
		.flags = x->targets.flags,
		.intrinsics = &x->intrinsics,
		.setting = x->setting,
		.settings = x->opts->settings.v.n,
		.time_limit_s = x->opts->time_limit_s,
		.parallel = x->opts->jobs,
		.no_cache = x->opts->no_cache};

	if (rc) {
		return rc;
	}
	explore_product(&job.combination, &job.combinations, x->arena, job.setting, job.settings);
	msg_note("%zu combination%s for %zu target%s", job.combinations,
		job.combinations == 1 ? "" : "s", x->targets.n, x->targets.n == 1 ? "" : "s");
	return explore_run(&x->row, x->arena, &job);
}

static void warn_of_idle(const struct exploring *x)
{
	for (size_t i = 0; i < x->opts->settings.v.n; i++) {
		if (explore_is_idle(&x->row, x->setting, x->opts->settings.v.n, i)) {
			msg_warning("-D %s: no figure differs between its values; is it named in "
				    "%s, and does a #define of the file come after #ifndef?",
				x->setting[i].name, x->opts->files.v[0]);
		}
	}
}

static int print(struct exploring *x)
{
	static void (*const formats[])(struct sbuf *, const struct exploration *) = {
		[FORMAT_TEXT] = explore_text,
		[FORMAT_JSON] = explore_json,
		[FORMAT_SVG] = explore_svg,
		[FORMAT_HTML] = explore_html};
	size_t n = x->opts->settings.v.n;
	const char **names = ARENA_ARRAY(x->arena, const char *, n + 1);
	struct exploration e = {.file = x->opts->files.v[0],
		.setting = names,
		.settings = n,
		.v = x->row.v.v,
		.n = x->row.v.n};
	struct sbuf out = {0};

	for (size_t i = 0; i < n; i++) {
		names[i] = x->setting[i].name;
	}
	explore_mark(&e);
	formats[x->opts->format](&out, &e);
	int rc = cli_report_write(x->opts, sbuf_str(&out));
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
	if (rc == 0) {
		warn_of_idle(&x);
	}
	array_release(&x.row.v);
	intrinsic_db_release(&x.intrinsics);
	arena_free(x.arena);
	return cli_exit(rc);
}
