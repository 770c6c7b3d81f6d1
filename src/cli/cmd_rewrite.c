/*
 * unphi rewrite: find the wide merges of one file, let choose decide, write the result and say what
 * was tried.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/headers.h"
#include "cli/kernels.h"
#include "cli/known.h"
#include "cli/project.h"
#include "cli/stays.h"
#include "cli/units.h"
#include "report/choice.h"
#include "report/diff.h"

struct rewriting {
	const struct cli_opts *opts;
	struct arena *arena;
	const char *path;
	const char *shown;	 /* in the report */
	const char *untouchable; /* or NULL */
	struct str stamps;
	bool one_of_many; /* of a project: targets are there, and nobody waits for notes */
	struct sbuf source;
	struct cli_targets targets;
	struct compiler *compiler; /* one a target */
	struct intrinsic_db intrinsics;
	struct settings settings;
	struct cli_forced force;
	struct cli_bits *bits; /* with --verify */
	struct choice choice;
	struct headers headers; /* with --header-filter */
	struct cli_kernels kernels;
	struct sbuf report;
	bool drops; /* barriers went */
};

static int find_variant(struct cli_forced *f, const char *variant)
{
	struct sbuf known = {0};
	for (size_t i = 0; f->strategy->variants[i]; i++) {
		if (strcmp(f->strategy->variants[i], variant) == 0) {
			f->variant = variant;
		}
		sbuf_addf(&known, "%s'%s'", i ? ", " : "", f->strategy->variants[i]);
	}
	if (!f->variant) {
		msg_error("strategy '%s' has no form '%s'; there are %s", f->strategy->name,
			variant, sbuf_cstr(&known));
	}
	sbuf_release(&known);
	return f->variant ? 0 : FAIL_USAGE;
}

int cli_forced_find(struct cli_forced *f, struct arena *a, const struct cli_opts *o)
{
	*f = (struct cli_forced){NULL, NULL};
	if (!o->strategy) {
		return 0;
	}
	const char *colon = strchr(o->strategy, ':');
	size_t length = colon ? (size_t)(colon - o->strategy) : strlen(o->strategy);
	const char *name = arena_strndup(a, o->strategy, length);
	f->strategy = strategy_find(name);
	if (f->strategy && f->strategy->variants) {
		return colon ? find_variant(f, colon + 1) : 0;
	}
	struct sbuf known = {0};
	const char *names[STRATEGY_COUNT];
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		names[i] = strategies[i].name;
		if (strategies[i].variants) {
			sbuf_addf(&known, "%s%s", known.n ? ", " : "", names[i]);
		}
	}
	const char *near =
		f->strategy ? NULL : options_nearest(str_of(name), names, STRATEGY_COUNT);
	if (f->strategy) {
		msg_error("strategy '%s' is not available; there are %s", name, sbuf_cstr(&known));
	} else {
		msg_error("no strategy '%s'%s%s%s; there are %s", name,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
			sbuf_cstr(&known));
	}
	sbuf_release(&known);
	return FAIL_USAGE;
}

static int find_compilers(struct rewriting *r)
{
	r->compiler = ARENA_ARRAY(r->arena, struct compiler, r->targets.n);
	for (size_t i = 0; i < r->targets.n && !r->force.strategy; i++) {
		const char *target = r->targets.v[i]->name;
		const char *const *views = r->targets.view_compiler;
		int rc = compiler_find(&r->compiler[i], r->arena,
			views ? views[i] : r->opts->compiler, target, r->opts->no_cache);
		if (rc) {
			return rc;
		}
	}
	return 0;
}

static void show_progress(void *user, const char *text)
{
	const struct rewriting *r = user;
	msg_note("%s: %s", r->path, text);
}

static int choose(struct rewriting *r)
{
	struct choose_job job = {.path = r->path,
		.source = sbuf_str(&r->source),
		.target = r->targets.v,
		.compiler = r->compiler,
		.targets = r->targets.n,
		.flags = r->targets.flags,
		.view_flags = r->targets.view_flags,
		.untouchable = r->untouchable,
		.intrinsics = &r->intrinsics,
		.settings = &r->settings,
		.force = r->force.strategy,
		.force_variant = r->force.variant,
		.kernels = r->kernels.wanted,
		.allow_recontraction = r->opts->allow_recontraction,
		.assume_flat = true,
		.allow_flags = r->opts->allow_flags,
		.explain = r->opts->explain,
		.unchained = !r->force.strategy,
		.time_limit_s = r->opts->time_limit_s,
		.parallel = r->opts->jobs,
		.no_cache = r->opts->no_cache,
		.same_bits = r->bits ? cli_bits_same : NULL,
		.bits = r->bits,
		.keep_barriers = r->bits && !cli_bits_sees_races(r->bits),
		.bench = r->opts->bench,
		.bench_limit_s = r->opts->case_limit_s,
		/* who has no terminal sends signals to end it */
		.interruptible =
			!r->one_of_many && !r->opts->header_filter && isatty(STDERR_FILENO),
		.progress = r->one_of_many ? NULL : show_progress,
		.user = r};
	struct cli_finding of = {.opts = r->opts,
		.path = r->path,
		.shown = r->shown,
		.targets = &r->targets,
		.intrinsics = &r->intrinsics,
		.quiet = true};
	int rc = cli_stays_add(&job, r->arena, &of);
	rc = rc ? rc : choose_run(&r->choice, r->arena, &job);
	if (rc || !r->opts->header_filter) {
		return rc;
	}
	return headers_rewrite(&r->headers, r->arena, r->opts, &job, &r->choice);
}

static int check_unchanged(const char *path, struct str source)
{
	struct sbuf now = {0};
	int rc = file_read(&now, path);
	if (rc == 0 && !str_eq(sbuf_str(&now), source)) {
		msg_error("%s changed while it was being rewritten; nothing was written: run "
			  "unphi again",
			path);
		rc = FAIL_USAGE;
	}
	sbuf_release(&now);
	return rc;
}

static bool any_changed(const struct rewriting *r)
{
	bool any = r->choice.changed;
	array_each (&r->headers.v, struct header *const, h) {
		any = any || (*h)->choice.changed;
	}
	return any;
}

/* All that changed, together. */
static int replace_files(struct rewriting *r)
{
	struct file_text *v = ARENA_ARRAY(r->arena, struct file_text, r->headers.v.n + 1);
	size_t n = 0;
	int rc = 0;
	if (r->choice.changed) {
		rc = check_unchanged(r->path, sbuf_str(&r->source));
		v[n++] = (struct file_text){r->path, r->choice.text};
	}
	array_each (&r->headers.v, struct header *const, h) {
		if (rc == 0 && (*h)->choice.changed) {
			rc = check_unchanged((*h)->path, sbuf_str(&(*h)->source));
			v[n++] = (struct file_text){(*h)->path, (*h)->choice.text};
		}
	}
	if (rc == 0 && n == 1) {
		return file_write_atomic(v[0].path, v[0].text);
	}
	return rc || n == 0 ? rc : file_write_together(v, n, NULL);
}

/* Of "./a.hip" or "b/../a.hip" patch and git apply want a.hip. */
static bool is_plain(const char *path)
{
	return !strchr("/.", path[0]) && !strstr(path, "/.") && !strstr(path, "//");
}

/* For patch -p1 in the directory that unphi was started in. */
static const char *diff_name(struct rewriting *r, const char *path)
{
	if (!is_plain(path) || r->opts->started_in) {
		const char *from = r->opts->started_in ? r->opts->started_in : ".";
		path = cli_path_shown(
			r->arena, path_real(r->arena, from), path_absolute(r->arena, NULL, path));
	}
	return path[0] == '/' ? path + 1 : path;
}

static void add_diff(struct sbuf *out, struct rewriting *r, const char *path, struct str before,
	struct str after)
{
	const char *name = diff_name(r, path);
	diff_unified(out, before, after, arena_printf(r->arena, "a/%s", name),
		arena_printf(r->arena, "b/%s", name));
}

/* Who does not say where the result goes is shown what it would be. */
static bool only_shows(const struct cli_opts *o)
{
	return !o->output && !o->fix && !o->diff && o->format == FORMAT_TEXT;
}

static int write_diff(struct rewriting *r)
{
	bool color = cli_color(r->opts, STDOUT_FILENO);
	struct sbuf diff = {0}, shown = {0};
	add_diff(&diff, r, r->path, sbuf_str(&r->source), r->choice.text);
	array_each (&r->headers.v, struct header *, h) {
		add_diff(&diff, r, (*h)->path, sbuf_str(&(*h)->source), (*h)->choice.text);
	}
	if (diff.n > 0 && only_shows(r->opts) && !r->opts->quiet && !r->opts->report) {
		sbuf_addc(&shown, '\n'); /* behind the report */
	}
	if (color || isatty(STDOUT_FILENO)) {
		diff_show(&shown, sbuf_str(&diff), color);
	} else {
		sbuf_addstr(&shown, sbuf_str(&diff));
	}
	int rc = cli_output_write(NULL, sbuf_str(&shown));
	sbuf_release(&diff);
	sbuf_release(&shown);
	return rc;
}

static void say_how_to_keep(const struct rewriting *r)
{
	if (any_changed(r) && r->headers.v.n > 0) {
		msg_note("nothing is changed yet: --fix changes %s and its headers", r->path);
	} else if (any_changed(r)) {
		msg_note("nothing is changed yet: --fix changes %s, -o FILE writes a new file",
			r->path);
	}
}

/* The new source, where it is wanted. */
static int write_source(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = 0;
	if (o->output) {
		rc = cli_output_write(o->output, r->choice.text);
	}
	if (rc == 0 && o->fix) {
		rc = replace_files(r);
	}
	return rc;
}

static int write_report(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	bool to_stdout = !o->diff && !(o->output && strcmp(o->output, "/dev/stdout") == 0);
	if (!o->report && (!to_stdout || o->quiet)) {
		return 0;
	}
	return cli_report_write(o, sbuf_str(&r->report));
}

static void make_report(struct rewriting *r)
{
	size_t n = 0;
	bool verbose = r->opts->verbose || r->opts->explain;
	struct choice_file *v = ARENA_ARRAY(r->arena, struct choice_file, r->headers.v.n + 1);
	v[n++] = (struct choice_file){.choice = &r->choice,
		.shown = {.path = r->shown,
			.target = r->targets.v,
			.compiler = r->force.strategy ? NULL : r->compiler,
			.targets = r->targets.n,
			.kernels = r->kernels.wanted,
			.verbose = verbose,
			.uncounted = r->one_of_many}};
	array_each (&r->headers.v, struct header *, h) {
		v[n++] = (struct choice_file){.choice = &(*h)->choice,
			.shown = {.path = (*h)->path,
				.target = (*h)->target,
				.targets = (*h)->targets,
				.note = (*h)->note,
				.verbose = verbose}};
	}
	if (r->opts->format == FORMAT_JSON) {
		choice_json(&r->report, v, n);
	} else {
		choice_text(&r->report, v, n);
	}
}

static bool drops_barriers(const struct choice *c)
{
	bool drops = false;
	for (size_t i = 0; i < c->decisions; i++) {
		drops |= c->decision[i].kind == DECISION_BARRIER && c->decision[i].rewritten;
	}
	return drops;
}

/* From the source to the decision. */
static int decide(struct rewriting *r)
{
	int rc = cli_filter_check(r->opts);
	rc = rc || r->one_of_many ? rc : cli_targets_find(&r->targets, r->arena, r->opts);
	rc = rc ? rc : cli_intrinsics(&r->intrinsics, r->arena, r->opts);
	rc = rc ? rc : cli_settings(&r->settings, r->arena, r->opts);
	rc = rc ? rc : find_compilers(r);
	if (rc) {
		return rc;
	}
	struct known known;
	struct known_job job = {.opts = r->opts,
		.path = r->path,
		.shown = r->shown,
		.untouchable = r->untouchable,
		.one_of_many = r->one_of_many,
		.source = sbuf_str(&r->source),
		.targets = &r->targets,
		.compiler = r->compiler};
	if (known_get(&known, r->arena, &job)) {
		r->choice.text = known.text;
		r->choice.changed = !str_eq(known.text, job.source);
		sbuf_addstr(&r->report, known.report);
		r->drops = known.drops;
		r->stamps = known.stamps;
		return 0;
	}
	rc = choose(r);
	if (rc == 0) {
		make_report(r);
		r->drops = drops_barriers(&r->choice);
		r->stamps = r->choice.stamps;
		known = (struct known){
			r->choice.text, sbuf_str(&r->report), r->drops, (struct str){0}};
		known_put(r->arena, &job, &known, r->choice.stamps);
	}
	return rc;
}

static int rewrite(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = cli_forced_find(&r->force, r->arena, r->opts);
	rc = rc ? rc : cli_kernels_open(&r->kernels, o);
	rc = rc ? rc : file_read(&r->source, r->path);
	rc = rc ? rc : cli_output_check(o, o->output);
	rc = rc ? rc : cli_output_check(o, o->report);
	if (rc == 0 && o->verify) {
		rc = cli_bits_open(&r->bits, r->arena, o, sbuf_str(&r->source));
	}
	rc = rc ? rc : decide(r);
	rc = rc ? rc : write_source(r);
	rc = rc ? rc : write_report(r);
	if (rc == 0 && (o->diff || only_shows(o))) {
		rc = write_diff(r);
	}
	if (rc) {
		return cli_exit(rc);
	}
	if (only_shows(o)) {
		say_how_to_keep(r);
	}
	return o->check && any_changed(r) ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void release(struct rewriting *r)
{
	intrinsic_db_release(&r->intrinsics);
	sbuf_release(&r->source);
	sbuf_release(&r->report);
	headers_release(&r->headers);
	cli_kernels_release(&r->kernels);
}

int cli_rewritten(struct str *out, bool *drops, struct arena *a, const struct cli_opts *o)
{
	struct rewriting r = {.opts = o, .arena = a, .path = o->files.v[0], .shown = o->files.v[0]};
	int rc = cli_forced_find(&r.force, r.arena, r.opts);
	rc = rc ? rc : file_read(&r.source, r.path);
	rc = rc ? rc : decide(&r);
	if (rc == 0) {
		struct str text = r.choice.text;
		*out = (struct str){arena_memdup(a, text.p, text.n), text.n};
	}
	*drops = r.drops;
	release(&r);
	return rc;
}

static struct str copy(struct arena *a, struct str text)
{
	return (struct str){arena_memdup(a, text.p, text.n), text.n};
}

int cli_rewrite_file(struct cli_rewrote *out, struct arena *a, const struct cli_rewriting *what)
{
	struct rewriting r = {.opts = what->opts,
		.arena = a,
		.path = what->path,
		.shown = what->shown,
		.untouchable = what->untouchable,
		.targets = *what->targets,
		.one_of_many = true};
	int rc = cli_forced_find(&r.force, r.arena, r.opts);
	rc = rc ? rc : cli_kernels_open(&r.kernels, r.opts);
	rc = rc ? rc : file_read(&r.source, r.path);
	if (rc == 0 && r.opts->verify) {
		rc = cli_bits_open(&r.bits, a, r.opts, sbuf_str(&r.source));
	}
	rc = rc ? rc : decide(&r);
	if (rc == 0) {
		*out = (struct cli_rewrote){copy(a, sbuf_str(&r.source)), copy(a, r.choice.text),
			copy(a, sbuf_str(&r.report)), copy(a, r.stamps)};
	}
	release(&r);
	return rc;
}

int cmd_rewrite(const struct cli_opts *o)
{
	if (cli_is_project(o)) {
		return cli_rewrite_project(o);
	}
	struct rewriting r = {
		.opts = o, .arena = arena_create(), .path = o->files.v[0], .shown = o->files.v[0]};
	int code = rewrite(&r);
	release(&r);
	arena_free(r.arena);
	return code;
}
