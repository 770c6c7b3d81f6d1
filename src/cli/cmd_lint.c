/*
 * unphi lint: parse every unit for every target, apply the rules, print what they found. Compiles
 * nothing. Each unit is a process of its own: libclang can crash and leaks, and there is more than
 * one processor.
 */
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/pool.h"
#include "cli/units.h"
#include "frontend/frontend.h"
#include "report/diag.h"
#include "report/wire.h"
#include "rule/rule.h"

/* A file with findings: named as by the first unit that had one in it. */
struct source {
	const char *path;
	struct sbuf text;
	bool is_unit; /* it was asked for itself, not as a header */
};

struct linting {
	const struct cli_opts *opts;
	struct arena *arena;
	char cwd[PATH_MAX];
	struct cli_units units;
	struct intrinsic_db intrinsics;
	struct settings settings;
	struct strategy_opts strategy_opts;
	regex_t headers; /* valid with --header-filter */
	bool progress;	 /* shown on stderr */
	struct diag_list found;
	struct map source_by_file; /* struct source * by device and inode */
	struct map source_by_path;
	int code;
};

static int list_checks(const struct cli_opts *o)
{
	struct sbuf text = {0};
	for (size_t i = 0; i < rules_n; i++) {
		if (rule_enabled(o->checks, rules[i].name)) {
			sbuf_addf(&text, "%s: %s\n", rules[i].name, rules[i].summary);
		}
	}
	int rc = cli_output_write(o->report, sbuf_str(&text));
	sbuf_release(&text);
	return cli_exit(rc);
}

/* ---- one unit, in its own process ---- */

static int parse_unit(struct linting *l, const struct cli_unit *u, struct parse *parse)
{
	for (size_t i = 0; i < u->targets.n; i++) {
		const struct target *t = u->targets.v[i];
		struct frontend_job job = {.path = u->path,
			.target = t->name,
			.nearest = t->nearest,
			.flags = u->targets.flags,
			.intrinsics = &l->intrinsics};
		const char *as = NULL;
		int rc = frontend_parse(&parse[i].unit, l->arena, &job, &as);
		if (rc < 0) {
			return rc;
		}
		if (as && strcmp(as, t->name) != 0) {
			msg_note("%s: this libclang does not know %s: parsed as %s", u->shown,
				t->name, as);
		}
		parse[i].facts = facts_create(parse[i].unit, l->arena, &l->intrinsics);
		parse[i].uniformity = uniformity_create(parse[i].facts, l->arena);
		merges_find(&parse[i].merges, parse[i].facts, l->arena);
	}
	return 0;
}

/* Places as they are to be shown, and valid in the directory that unphi was started in. */
static void show_path(struct linting *l, const struct cli_unit *u, struct diag_place *p)
{
	if (!p->path) {
		return;
	}
	if (strcmp(p->path, u->path) == 0) {
		p->path = u->shown;
	} else if (u->directory) {
		const char *full = p->path[0] == '/'
					   ? p->path
					   : arena_printf(l->arena, "%s/%s", u->directory, p->path);
		p->path = cli_path_shown(l->arena, l->cwd, full);
	}
}

static void show_paths(struct linting *l, const struct cli_unit *u, struct diag_list *found)
{
	array_each (&found->v, struct diag, d) {
		show_path(l, u, &d->place);
		for (size_t i = 0; i < d->notes; i++) {
			show_path(l, u, &d->note[i].place);
		}
	}
}

static int lint_unit(void *user, size_t index, struct sbuf *out)
{
	struct linting *l = user;
	const struct cli_unit *u = &l->units.v[index];
	struct parse *parse = ARENA_ARRAY(l->arena, struct parse, u->targets.n);
	struct diag_list found = {{0}};
	if (u->directory && chdir(u->directory) != 0) {
		msg_error("%s: its entry in %s names the directory %s, where nobody can go",
			u->shown, l->opts->build, u->directory);
		return EXIT_USAGE;
	}
	int rc = parse_unit(l, u, parse);
	struct rule_input in = {.parse = parse,
		.parses = u->targets.n,
		.settings = &l->settings,
		.opts = &l->strategy_opts,
		.a = l->arena};
	for (size_t i = 0; rc == 0 && i < rules_n; i++) {
		if (rule_enabled(l->opts->checks, rules[i].name)) {
			rules[i].run(&in, &found);
		}
	}
	show_paths(l, u, &found);
	wire_pack(out, &found);
	array_release(&found.v);
	for (size_t i = 0; i < u->targets.n; i++) {
		if (parse[i].facts) {
			facts_release(parse[i].facts);
		}
	}
	return cli_exit(rc);
}

/* ---- what the units found, in the order of the units ---- */

/* The file of that name; NULL when it is gone. However many names it has, it is one source. */
static struct source *source_of(struct linting *l, const char *path)
{
	struct stat st;
	struct str name = str_of(path);
	if (map_has(&l->source_by_path, name)) {
		return (struct source *)map_get(&l->source_by_path, name, 0);
	}
	struct source *s = NULL;
	if (stat(path, &st) == 0) {
		char key[64];
		snprintf(key, sizeof(key), "%llu:%llu", (unsigned long long)st.st_dev,
			(unsigned long long)st.st_ino);
		s = (struct source *)map_get(&l->source_by_file, str_of(key), 0);
		if (!s) {
			s = ARENA_NEW(l->arena, struct source);
			s->path = path;
			map_set(&l->source_by_file, str_of(key), (uintptr_t)s);
		}
	}
	map_set(&l->source_by_path, name, (uintptr_t)s);
	return s;
}

static void find_place(struct linting *l, struct diag_place *p)
{
	struct source *s = p->path ? source_of(l, p->path) : NULL;
	if (!s) {
		return;
	}
	if (s->text.n == 0 && file_exists(s->path)) {
		file_read(&s->text, s->path);
	}
	p->path = s->path;
	p->source = sbuf_str(&s->text);
}

static bool is_wanted(struct linting *l, const struct diag *d)
{
	const struct source *s = d->place.path ? source_of(l, d->place.path) : NULL;
	if (!s || s->is_unit) {
		return true;
	}
	if (cli_path_matches(&l->opts->exclude, s->path)) {
		return false;
	}
	return !l->opts->header_filter || regexec(&l->headers, s->path, 0, NULL, 0) == 0;
}

static void show_progress(const struct linting *l, size_t done)
{
	if (!l->progress) {
		return;
	}
	if (done < l->units.n) {
		fprintf(stderr, "\r[%zu/%zu] %.*s\033[K", done, l->units.n, 60,
			l->units.v[done].shown);
	} else {
		fprintf(stderr, "\r\033[K");
	}
	fflush(stderr);
}

static void unit_done(void *user, const struct pool_result *r)
{
	struct linting *l = user;
	const struct cli_unit *u = &l->units.v[r->index];
	if (r->err.n > 0 || r->signal || r->timed_out) {
		show_progress(l, l->units.n);
	}
	fwrite(r->err.p, 1, r->err.n, stderr);
	int code = r->exit_code;
	if (r->timed_out) {
		msg_error("%s: took more than %g s and was stopped; allow more with --time-limit",
			u->shown, l->opts->time_limit_s);
		code = EXIT_INPUT;
	} else if (r->signal) {
		msg_error("%s: unphi or libclang crashed on it (%s); please report it", u->shown,
			strsignal(r->signal));
		code = EXIT_INPUT;
	}
	l->code = exit_worse(l->code, code);
	struct diag_list found = {{0}};
	wire_unpack(&found, l->arena, r->out);
	array_each (&found.v, struct diag, d) {
		if (is_wanted(l, d)) {
			find_place(l, &d->place);
			for (size_t i = 0; i < d->notes; i++) {
				find_place(l, &d->note[i].place);
			}
			array_push(&l->found.v, *d);
		}
	}
	array_release(&found.v);
	show_progress(l, r->index + 1);
}

static int print_found(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	struct sbuf text = {0};
	diag_sort_unique(&l->found);
	for (size_t i = 0; i < l->found.v.n && o->warnings_as_errors; i++) {
		l->found.v.v[i].level = DIAG_ERROR;
	}
	if (o->format == FORMAT_JSON) {
		diag_json(&text, &l->found);
	} else {
		bool color = !o->report && cli_color(o, STDOUT_FILENO);
		for (size_t i = 0; i < l->found.v.n; i++) {
			diag_text(&text, &l->found.v.v[i], color);
		}
	}
	int rc = cli_output_write(o->report, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int compile_filter(struct linting *l)
{
	const char *filter = l->opts->header_filter;
	int e = filter ? regcomp(&l->headers, filter, REG_EXTENDED | REG_NOSUB) : 0;
	if (e) {
		char why[200];
		regerror(e, &l->headers, why, sizeof(why));
		msg_error("option --header-filter: '%s': %s", filter, why);
		return FAIL_USAGE;
	}
	return 0;
}

static int prepare(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	int rc = compile_filter(l);
	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_units_find(&l->units, l->arena, o);
	rc = rc ? rc : intrinsic_db_builtin(&l->intrinsics, l->arena);
	rc = rc ? rc : settings_builtin(&l->settings);
	if (rc) {
		return rc;
	}
	if (o->threshold) {
		l->settings.min_chained_vgprs = o->threshold;
	}
	l->strategy_opts.threshold = l->settings.min_chained_vgprs;
	l->progress = l->units.n > 1 && !o->quiet && isatty(STDERR_FILENO);
	if (!getcwd(l->cwd, sizeof(l->cwd))) {
		strcpy(l->cwd, "/");
	}
	for (size_t i = 0; i < l->units.n; i++) {
		struct source *s = source_of(l, l->units.v[i].shown);
		if (s) {
			s->is_unit = true;
		}
	}
	return 0;
}

static int lint(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	int rc = prepare(l);
	struct pool pool = {.parallel = o->jobs,
		.time_limit_s = o->time_limit_s,
		.user = l,
		.run = lint_unit,
		.done = unit_done};
	if (rc) {
		return cli_exit(rc);
	}
	show_progress(l, 0);
	rc = pool_run(&pool, l->units.n);
	l->code = exit_worse(l->code, cli_exit(rc));
	l->code = exit_worse(l->code, l->found.v.n ? EXIT_FINDINGS : EXIT_CLEAN);
	return exit_worse(l->code, cli_exit(print_found(l)));
}

int cmd_lint(const struct cli_opts *o)
{
	if (o->list_checks) {
		return list_checks(o);
	}
	struct linting l = {.opts = o, .arena = arena_create()};
	int code = lint(&l);
	for (size_t i = 0; i < l.source_by_file.n; i++) {
		sbuf_release(&((struct source *)l.source_by_file.entry[i].value)->text);
	}
	map_release(&l.source_by_file);
	map_release(&l.source_by_path);
	intrinsic_db_release(&l.intrinsics);
	array_release(&l.found.v);
	if (o->header_filter) {
		regfree(&l.headers);
	}
	arena_free(l.arena);
	return code;
}
