/*
 * unphi lint: parses every unit for every target, applies the rules, and prints their findings.
 * Compiles nothing. Each unit has its own process: libclang may crash and leaks memory, and all
 * processors are used.
 */
#include <limits.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "cli/project/each.h"
#include "cli/steps/findings.h"
#include "cli/lint/fix.h"
#include "cli/lint/measured.h"
#include "cli/lint/next.h"
#include "cli/lint/stamp.h"
#include "cli/setup/sources.h"
#include "cli/setup/units.h"
#include "report/finding/baseline.h"
#include "report/finding/brief.h"
#include "report/finding/diag.h"
#include "report/finding/html.h"
#include "report/finding/place.h"
#include "report/finding/replacements.h"
#include "report/finding/sarif.h"
#include "report/finding/wire.h"
#include "rule/rule.h"

struct linting {
	const struct cli_opts *opts;
	struct arena *arena;
	char cwd[PATH_MAX];
	struct cli_units units;
	struct user_configs configs;
	struct intrinsic_db intrinsics; /* the built-in ones */
	struct diag_list found;
	struct sources sources;
	struct sbuf given;		      /* with --stdin-filename */
	struct baseline baseline;	      /* with --baseline or an old --write-baseline */
	size_t known;			      /* number of findings that the baseline lists */
	ARRAY(struct html_measured) measured; /* with --measure */
	ARRAY(const struct cli_opts *) measured_with; /* parallel to it */
	struct words read;			      /* with --stamp */
	bool whole;				      /* every unit was checked to its end */
	size_t suppressed;
	const char *checks; /* of the joined parts */
	bool shortened;	    /* --verbose would show more lines of the sources */
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

/* The path for people: relative to the directory that unphi was started in. */
static const char *show_path(struct linting *l, const struct cli_unit *u, const char *path)
{
	if (!path || strcmp(path, u->path) == 0) {
		return path ? u->shown : NULL;
	}
	if (!u->directory) {
		return path + (path[0] == '.' && path[1] == '/' ? 2 : 0);
	}
	return cli_path_shown(l->arena, l->cwd, path_absolute(l->arena, u->directory, path));
}

/* Decides which headers are reported. l->sources knows the units. */
struct filter {
	struct linting *l;
	const struct cli_opts *o;
	regex_t headers;
};

static bool is_wanted(const struct filter *f, const char *path)
{
	const struct source *s = path ? source_known(&f->l->sources, path) : NULL;
	if (!path || (s && s->is_unit)) {
		return true;
	}
	return !cli_path_matches(&f->o->exclude, path) &&
	       (!f->o->header_filter || regexec(&f->headers, path, 0, NULL, 0) == 0);
}

/* Turns the paths of a unit's findings into those for people, and drops the findings in headers
 * that are not reported. */
static void filter_unit(struct linting *l, const struct cli_unit *u, struct wire_unit *w)
{
	struct filter f = {.l = l, .o = u->opts};
	size_t kept = 0;
	if (f.o->header_filter) {
		regcomp(&f.headers, f.o->header_filter, REG_EXTENDED | REG_NOSUB);
	}
	array_each (&w->found.v, struct diag, d) {
		struct diag_place *p;
		for (size_t k = 0; (p = place_at(d, k)); k++) {
			p->path = show_path(l, u, p->path);
		}
		d->next = d->next ? cli_lint_next(l->arena, l->opts, u, d) : NULL;
		if (is_wanted(&f, d->place.path)) {
			w->found.v.v[kept++] = *d;
		}
	}
	w->found.v.n = kept;
	kept = 0;
	for (size_t i = 0; i < w->files.n; i++) {
		const char *path = show_path(l, u, w->files.v[i]);
		if (is_wanted(&f, path)) {
			w->files.v[kept++] = path;
		}
	}
	w->files.n = kept;
	if (f.o->header_filter) {
		regfree(&f.headers);
	}
}

static int lint_early(void *user, size_t index)
{
	const struct linting *l = user;

	return cli_unit_early(&l->units.v[index]);
}

static int lint_unit(void *user, size_t index, struct sbuf *out)
{
	struct linting *l = user;
	const struct cli_unit *u = &l->units.v[index];
	struct wire_unit result = {0};
	if (cli_directory_enter(u)) {
		return EXIT_USAGE;
	}
	cli_intrinsics_add(&l->intrinsics, l->arena, u->opts);
	struct cli_finding of = {.opts = u->opts,
		.path = u->path,
		.shown = u->shown,
		.cwd = l->cwd,
		.text = u->opts->stdin_filename ? sbuf_str(&l->given) : (struct str){0},
		.targets = &u->targets,
		.intrinsics = &l->intrinsics};
	int rc = cli_find(&result, l->arena, &of);
	if (cli_directory_go(l->cwd, u->shown)) {
		return EXIT_USAGE;
	}
	filter_unit(l, u, &result);
	sbuf_addf(out, "%s\n", u->opts->checks ? u->opts->checks : "");
	wire_pack(out, &result);
	wire_release(&result);
	return cli_exit(rc);
}

/* ---- the findings, in the order of the units ---- */

/* Adds the text to a place. If the file has changed since the parse, that is the whole file. */
static void find_place(struct linting *l, struct diag_place *p)
{
	struct source *s = p->path ? source_of(&l->sources, p->path) : NULL;
	if (s) {
		source_read(&l->sources, s);
		p->path = s->path;
	}
	if (s && s->text.p && p->begin <= s->text.n && p->end <= s->text.n) {
		p->source = sbuf_str(&s->text);
		p->lines = s->lines;
	}
}

static void take_found(struct linting *l, struct wire_unit *got)
{
	array_each (&got->found.v, struct diag, d) {
		struct diag_place *p;
		for (size_t i = 0; (p = place_at(d, i)); i++) {
			find_place(l, p);
		}
		array_push(&l->found.v, *d);
	}
}

/* The options of the unit. For a unit of a part: our options with the part's checks. */
static const struct cli_opts *opts_of(struct linting *l, size_t index, struct str checks)
{
	if (index < l->units.n) {
		return l->units.v[index].opts;
	}
	struct cli_opts *o = arena_memdup(l->arena, l->opts, sizeof(*o));
	o->checks = checks.n ? arena_strndup(l->arena, checks.p, checks.n) : NULL;
	l->checks = l->checks ? l->checks : o->checks;
	return o;
}

static void unit_done(void *user, const struct shard_unit *r)
{
	struct linting *l = user;
	struct str checks, rest = r->out;
	bool whole = str_line(&rest, &checks);
	const struct cli_opts *opts = opts_of(l, r->index, whole ? checks : STR(""));
	l->whole = l->whole && r->code == EXIT_CLEAN;
	struct wire_unit got;
	if (!wire_unpack(&got, l->arena, rest)) {
		BUG("not the bytes of findings"); /* lint_is_sound has checked those of parts */
	}
	for (size_t i = 0; i < got.files.n; i++) {
		struct source *s = source_of(&l->sources, got.files.v[i]);
		if (s && !s->checked) {
			s->checked = true;
			s->opts = opts;
		}
	}
	span_each (got.read.v, got.read.n, const char *, file) {
		words_add(&l->read, *file);
	}
	take_found(l, &got);
	wire_release(&got);
}

/* ---- parts ---- */

/* Does the part need the file's text? */
static bool goes_into_part(const struct source *s, bool found)
{
	return found || s->is_unit || str_find(sbuf_str(&s->text), "NOLINT", 0) != SIZE_MAX;
}

/* Adds the files to a part: unphi merge prints lines of them and reads their NOLINT comments. */
static void add_texts(void *user, struct shard_part *part)
{
	struct linting *l = user;
	ARRAY(struct shard_text) texts = {0};
	for (size_t i = 0; i < part->n; i++) {
		struct str checks, rest = part->unit[i].out;
		struct wire_unit got;
		if (!str_line(&rest, &checks)) {
			continue;
		}
		if (!wire_unpack(&got, l->arena, rest)) {
			BUG("not the bytes of findings");
		}
		for (size_t k = 0; k < got.files.n; k++) {
			source_of(&l->sources, got.files.v[k]);
		}
		take_found(l, &got);
		wire_release(&got);
	}
	/* a file is listed under each of its names */
	for (size_t i = 0; i < l->sources.by_path.n; i++) {
		const struct map_entry *name = &l->sources.by_path.entry[i];
		struct source *s = (struct source *)name->value;
		bool found = s && s->text.p;
		if (s) {
			source_read(&l->sources, s);
		}
		if (s && s->text.p && goes_into_part(s, found)) {
			array_push(
				&texts, (struct shard_text){
						arena_strndup(l->arena, name->key.p, name->key.n),
						path_real(l->arena, s->path), sbuf_str(&s->text)});
		}
	}
	array_move(part->text, part->texts, l->arena, &texts);
}

/* Drops the findings that NOLINT comments suppress, and reports the comments that suppress none. */
static void apply_suppressions(struct linting *l)
{
	size_t kept = 0;
	array_each (&l->found.v, const struct diag, d) {
		struct source *s = d->place.path ? source_of(&l->sources, d->place.path) : NULL;
		unsigned line = s ? place_begin(&d->place).line : 0;
		if (s && suppressions_hold(&s->suppressions, line, d->rule)) {
			l->suppressed++;
		} else {
			l->found.v.v[kept++] = *d;
		}
	}
	l->found.v.n = kept;
	array_each (&l->sources.v, struct source *, at) {
		struct source *s = *at;
		if (l->whole && s->checked && rule_enabled(s->opts->checks, suppression_rule)) {
			source_read(&l->sources, s);
			suppressions_judge(&l->found, l->arena, &s->suppressions, s->path,
				sbuf_str(&s->text), s->opts->checks);
		}
	}
}

static bool is_checked(void *user, const char *file)
{
	struct linting *l = user;
	const struct source *s = source_known(&l->sources, file);
	return s && s->checked;
}

static void apply_baseline(struct linting *l)
{
	if (!l->opts->baseline) {
		return;
	}
	struct baseline_scope scope = {is_checked, l};
	l->known = baseline_apply(&l->baseline, &l->found, &scope);
	if (l->whole && rule_enabled(l->opts->checks, baseline_rule)) {
		baseline_judge(&l->found, l->arena, &l->baseline, &scope);
	}
}

/* Writes the findings as a baseline. If a file could not be checked, writes none: it would lose the
 * entries of that file. */
static int write_baseline(struct linting *l)
{
	const char *path = l->opts->write_baseline;
	struct baseline_scope scope = {is_checked, l};
	struct sbuf text = {0};
	if (!l->whole) {
		msg_error("%s: not written, because not all files could be checked", path);
		return 0;
	}
	baseline_print(
		&text, l->arena, path, &l->found, l->baseline.path ? &l->baseline : NULL, &scope);
	int rc = cli_output_write(path, sbuf_str(&text));
	if (rc == 0) {
		msg_note("%s: %zu finding%s", path, l->found.v.n, l->found.v.n == 1 ? "" : "s");
	}
	sbuf_release(&text);
	return rc;
}

/* Reports the number of suppressed findings, and of those in the baseline. */
static void report_left_out(const struct linting *l)
{
	if (l->suppressed > 0) {
		msg_note("%zu finding%s suppressed by NOLINT", l->suppressed,
			l->suppressed == 1 ? "" : "s");
	}
	if (l->known > 0) {
		msg_note("%zu finding%s listed in %s", l->known, l->known == 1 ? "" : "s",
			l->baseline.path);
	}
}

/* Sets the final levels, which every format prints, and returns the resulting exit code. */
static int set_levels(struct linting *l)
{
	int code = EXIT_CLEAN;
	array_each (&l->found.v, struct diag, d) {
		if (l->opts->warnings_as_errors && d->level == DIAG_WARNING) {
			d->level = DIAG_ERROR;
		}
		bool advice = d->level == DIAG_NOTE; /* a note never fails a build */
		code = exit_worse(code, advice ? EXIT_CLEAN : EXIT_FINDINGS);
	}
	return code;
}

/* Drops the estimates about launch bounds in this file: the compiler's output has replaced them. */
static void drop_estimates(struct linting *l, const struct cli_unit *u)
{
	size_t kept = 0;
	array_each (&l->found.v, const struct diag, d) {
		bool estimate = d->level == DIAG_NOTE && d->rule && d->place.path &&
				(strcmp(d->rule, "unphi-launch-bounds") == 0 ||
					strcmp(d->rule, "unphi-register-form") == 0) &&
				strcmp(d->place.path, u->shown) == 0;
		if (!estimate) {
			l->found.v.v[kept++] = *d;
		}
	}
	l->found.v.n = kept;
}

/* With --measure or --probe: the causes of spills other than merges, from the compiler's output,
 * for every unit if all were checked. */
static int measure_causes(struct linting *l)
{
	int rc = 0;
	for (size_t i = 0; i < l->units.n && l->whole; i++) {
		const struct cli_unit *u = &l->units.v[i];
		unsigned wanted = (l->opts->measure ? CAUSE_MEASURED : 0u) |
				  (l->opts->probe ? (unsigned)CAUSE_PROBE : 0u);
		wanted &= rule_causes_wanted(u->opts->checks);
		struct wire_unit got = {0};
		int one = wanted ? cli_lint_causes(&got.found, l->arena, u, l->cwd, wanted) : 0;
		filter_unit(l, u, &got);
		if (one == 0 && wanted & (CAUSE_BOUNDS | CAUSE_FORM)) {
			drop_estimates(l, u);
		}
		take_found(l, &got);
		wire_release(&got);
		rc = rc ? rc : one;
	}
	return rc;
}

/* Measures the remaining findings, file by file. A file of several units is compiled as in the
 * first one. */
static int measure_found(struct linting *l)
{
	int rc = 0;
	for (size_t i = 0; i < l->units.n; i++) {
		bool again = false;
		for (size_t k = 0; k < i && !again; k++) {
			again = strcmp(l->units.v[k].shown, l->units.v[i].shown) == 0;
		}
		const struct cli_unit *u = &l->units.v[i];
		struct lint_measured m = {0};
		int one = again ? 0 : cli_lint_measure(&m, &l->found, l->arena, u, l->cwd);
		rc = rc ? rc : one;
		if (m.choice) {
			array_push(&l->measured,
				(struct html_measured){u->shown, m.source, u->targets.v,
					u->targets.n, m.choice, m.ledger});
			array_push(&l->measured_with, u->opts);
		}
	}
	return rc;
}

static int export_fixes(struct linting *l)
{
	struct sbuf text = {0};
	replacements_print(&text, l->arena, &l->found);
	int rc = cli_output_write(l->opts->export_fixes, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int print_found(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	struct sbuf text = {0};
	if (o->format == FORMAT_JSON) {
		diag_json(&text, &l->found);
	} else if (o->format == FORMAT_SARIF) {
		sarif_lint(&text, l->arena, &l->found, l->checks ? l->checks : o->checks);
	} else if (o->format == FORMAT_HTML) {
		html_print(&text, l->arena, &l->found, l->measured.v, l->measured.n);
	} else if (o->format == FORMAT_GITHUB) {
		github_print(&text, l->arena, &l->found);
	} else {
		struct brief how = {.verbose = o->verbose,
			.quiet = o->quiet,
			.color = !o->report && cli_color(o, STDOUT_FILENO)};
		l->shortened = brief_print(&text, l->arena, &l->found, how);
	}
	int rc = o->format == FORMAT_TEXT ? cli_output_write(o->report, sbuf_str(&text))
					  : cli_report_write(o, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

/* Checks that the outputs can be written, and loads the baseline. */
static int open_outputs(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	const char *known = o->baseline;
	int rc = cli_output_check(o, o->report);
	rc = rc ? rc : cli_output_check(o, o->write_baseline);
	rc = rc ? rc : cli_output_check(o, o->export_fixes);
	rc = rc ? rc : cli_output_check(o, o->stamp);
	if (o->write_baseline && file_exists(o->write_baseline)) {
		known = o->write_baseline;
	}
	return rc || !known ? rc : baseline_load(&l->baseline, l->arena, known);
}

static int prepare(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	int rc = open_outputs(l);
	rc = rc ? rc : cli_units_find(&l->units, l->arena, o, &l->configs);
	rc = rc ? rc : intrinsic_db_builtin(&l->intrinsics, l->arena);
	if (rc) {
		return rc;
	}
	l->code = cli_exit(l->units.failed);
	l->whole = !l->units.failed;
	if (!getcwd(l->cwd, sizeof(l->cwd))) {
		strcpy(l->cwd, "/");
	}
	if (o->stdin_filename) {
		rc = file_read_stdin(&l->given);
		sbuf_adds(&l->given, "");
		source_edited(&l->sources, o->stdin_filename, sbuf_str(&l->given));
	}
	for (size_t i = 0; rc == 0 && i < l->units.n; i++) {
		struct source *s = source_of(&l->sources, l->units.v[i].shown);
		if (s) {
			s->is_unit = true;
		}
	}
	return rc;
}

/* From the findings of all units to the output. */
static int finish(struct linting *l, int rc)
{
	const struct cli_opts *o = l->opts;
	rc = rc || !(o->measure || o->probe) || o->write_baseline ? rc : measure_causes(l);
	l->code = exit_worse(l->code, cli_exit(rc));
	diag_sort_unique(&l->found);
	apply_suppressions(l);
	diag_sort_unique(&l->found);
	if (o->write_baseline) {
		return exit_worse(l->code, cli_exit(write_baseline(l)));
	}
	apply_baseline(l);
	diag_sort_unique(&l->found);
	report_left_out(l);
	if (o->measure) {
		l->code = exit_worse(l->code, cli_exit(measure_found(l)));
	}
	if (o->fix) {
		int fixed = cli_lint_fix(&l->found, l->arena, l->measured.v, l->measured_with.v,
			l->measured.n, &l->units);
		l->code = exit_worse(l->code, cli_exit(fixed));
	}
	l->code = exit_worse(l->code, set_levels(l));
	if (o->export_fixes) {
		l->code = exit_worse(l->code, cli_exit(export_fixes(l)));
	}
	l->code = exit_worse(l->code, cli_exit(print_found(l)));
	if (o->stamp && l->code == EXIT_CLEAN) {
		l->code = cli_exit(cli_stamp_write(&l->read, l->cwd, o, &l->units));
	}
	if (o->format == FORMAT_TEXT) {
		cli_lint_summary(&l->found, l->units.n, l->shortened);
	}
	return l->code;
}

static int lint(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	int rc = prepare(l);
	rc = rc ? rc : cli_units_load(&l->units, o);
	if (rc) {
		return cli_exit(rc);
	}
	const char **name = ARENA_ARRAY(l->arena, const char *, l->units.n);
	for (size_t i = 0; i < l->units.n; i++) {
		name[i] = l->units.v[i].shown;
	}
	struct each e = {.opts = o,
		.a = l->arena,
		.command = "lint",
		.name = name,
		.n = l->units.n,
		.time_limit_s = o->time_limit_s,
		.user = l,
		.run = lint_unit,
		.early = lint_early,
		.done = unit_done,
		.texts = add_texts,
		.code = l->code};
	rc = each_run(&e);
	l->code = e.code;
	return rc > 0 ? l->code : finish(l, rc);
}

static int dump_config(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	struct cli_opts configured;
	struct settings settings;
	struct sbuf text = {0};
	int rc = cli_configure(&configured, &l->configs, o, o->files.n ? o->files.v[0] : ".");
	rc = rc ? rc : cli_settings(&settings, l->arena, &configured);
	if (rc == 0) {
		user_config_print(&text, configured.config, &settings);
		rc = cli_output_write(o->report, sbuf_str(&text));
	}
	sbuf_release(&text);
	return cli_exit(rc);
}

static void release(struct linting *l)
{
	sources_release(&l->sources);
	sbuf_release(&l->given);
	user_configs_release(&l->configs);
	intrinsic_db_release(&l->intrinsics);
	array_release(&l->found.v);
	array_release(&l->read.v);
	array_release(&l->measured);
	array_release(&l->measured_with);
	arena_free(l->arena);
}

/* Does the place end inside the file's text? True if the part does not have the text. */
static bool is_inside(const struct shard_part *p, const struct diag_place *at)
{
	for (size_t i = 0; at->path && i < p->texts; i++) {
		if (strcmp(p->text[i].path, at->path) == 0) {
			return at->end <= p->text[i].text.n;
		}
	}
	return true;
}

bool lint_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u)
{
	struct str checks, rest = u->out;
	struct wire_unit got = {0};
	bool sound = u->out.n == 0 ||
		     (str_line(&rest, &checks) && memchr(checks.p, '\0', checks.n) == NULL &&
			     wire_unpack(&got, a, rest));

	array_each (&got.found.v, struct diag, d) {
		const struct diag_place *at;
		for (size_t i = 0; (at = place_at(d, i)); i++) {
			sound = sound && is_inside(p, at);
		}
	}
	wire_release(&got);
	return sound;
}

int lint_merge(const struct cli_opts *o, const struct each_parts *parts)
{
	struct linting l = {.opts = o, .arena = arena_create(), .whole = !parts->missing};
	l.sources.a = l.configs.a = l.arena;
	int rc = open_outputs(&l);
	for (size_t i = 0; i < parts->n && rc == 0; i++) {
		span_each (parts->v[i].text, parts->v[i].texts, const struct shard_text, t) {
			source_given(&l.sources, t->path, t->real, t->text);
		}
	}
	l.code = rc ? cli_exit(rc) : each_parts_join(parts, l.arena, o, unit_done, &l);
	int code = rc ? l.code : finish(&l, 0);
	release(&l);
	return code;
}

int cmd_lint(const struct cli_opts *o)
{
	if (o->list_checks) {
		return list_checks(o);
	}
	struct linting l = {.opts = o, .arena = arena_create(), .whole = true};
	l.sources.a = l.configs.a = l.arena;
	int code = o->dump_config ? dump_config(&l) : lint(&l);
	release(&l);
	return code;
}
