/*
 * unphi rewrite: find the wide merges of one file, let choose decide, write the result and say what
 * was tried.
 */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "choose/choose.h"
#include "cli/cli.h"
#include "cli/known.h"
#include "report/choice.h"

struct rewriting {
	const struct cli_opts *opts;
	struct arena *arena;
	const char *path;
	struct sbuf source;
	struct cli_targets targets;
	struct compiler *compiler; /* one a target */
	struct intrinsic_db intrinsics;
	struct settings settings;
	const struct strategy *force;
	const char *variant;   /* of it, or NULL */
	struct cli_bits *bits; /* with --verify */
	struct choice choice;
	struct sbuf report;
	bool drops; /* barriers went */
};

static int find_variant(struct rewriting *r, const char *variant)
{
	struct sbuf known = {0};
	for (size_t i = 0; r->force->variants[i]; i++) {
		if (strcmp(r->force->variants[i], variant) == 0) {
			r->variant = variant;
		}
		sbuf_addf(&known, "%s'%s'", i ? ", " : "", r->force->variants[i]);
	}
	if (!r->variant) {
		msg_error("strategy '%s' has no form '%s'; there are %s", r->force->name, variant,
			sbuf_cstr(&known));
	}
	sbuf_release(&known);
	return r->variant ? 0 : FAIL_USAGE;
}

static int find_strategy(struct rewriting *r)
{
	if (!r->opts->strategy) {
		return 0;
	}
	const char *colon = strchr(r->opts->strategy, ':');
	size_t length = colon ? (size_t)(colon - r->opts->strategy) : strlen(r->opts->strategy);
	const char *name = arena_strndup(r->arena, r->opts->strategy, length);
	r->force = strategy_find(name);
	if (r->force && r->force->variants) {
		return colon ? find_variant(r, colon + 1) : 0;
	}
	struct sbuf known = {0};
	const char *names[STRATEGY_COUNT];
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		names[i] = strategies[i].name;
		if (strategies[i].variants) {
			sbuf_addf(&known, "%s%s", known.n ? ", " : "", names[i]);
		}
	}
	const char *near = r->force ? NULL : options_nearest(str_of(name), names, STRATEGY_COUNT);
	if (r->force) {
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
	for (size_t i = 0; i < r->targets.n && !r->force; i++) {
		const char *target = r->targets.v[i]->name;
		int rc = compiler_find(
			&r->compiler[i], r->arena, r->opts->compiler, target, r->opts->no_cache);
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
		.intrinsics = &r->intrinsics,
		.settings = &r->settings,
		.force = r->force,
		.force_variant = r->variant,
		.allow_recontraction = r->opts->allow_recontraction,
		.allow_flags = r->opts->allow_flags,
		.explain = r->opts->explain,
		.unchained = !r->force,
		.time_limit_s = r->opts->time_limit_s,
		.parallel = r->opts->jobs,
		.no_cache = r->opts->no_cache,
		.same_bits = r->bits ? cli_bits_same : NULL,
		.bits = r->bits,
		.keep_barriers = r->bits && !cli_bits_sees_races(r->bits),
		.bench = r->opts->bench,
		.bench_limit_s = r->opts->case_limit_s,
		.progress = show_progress,
		.user = r};
	return choose_run(&r->choice, r->arena, &job);
}

/* The new source, where it is wanted. Results on stdout: the diff, or else the report. */
static int write_source(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	struct str source = sbuf_str(&r->source);
	int rc = 0;
	if (o->output) {
		rc = cli_output_write(o->output, r->choice.text);
	}
	if (rc == 0 && o->fix && r->choice.changed) {
		struct sbuf now = {0};
		rc = file_read(&now, r->path);
		if (rc == 0 && !str_eq(sbuf_str(&now), source)) {
			msg_error(
				"%s changed while it was being rewritten; nothing was written: run "
				"unphi again",
				r->path);
			rc = FAIL_USAGE;
		}
		sbuf_release(&now);
		rc = rc ? rc : file_write_atomic(r->path, r->choice.text);
	}
	if (rc == 0 && o->diff) {
		struct sbuf diff = {0};
		const char *name = r->path[0] == '/' ? r->path + 1 : r->path;
		diff_unified(&diff, source, r->choice.text, arena_printf(r->arena, "a/%s", name),
			arena_printf(r->arena, "b/%s", name));
		rc = cli_output_write(NULL, sbuf_str(&diff));
		sbuf_release(&diff);
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
	return cli_output_write(o->report, sbuf_str(&r->report));
}

static void make_report(struct rewriting *r)
{
	struct choice_shown shown = {.path = r->path,
		.target = r->targets.v,
		.compiler = r->force ? NULL : r->compiler,
		.targets = r->targets.n};
	if (r->opts->format == FORMAT_JSON) {
		choice_json(&r->report, &r->choice, &shown);
	} else {
		choice_text(&r->report, &r->choice, &shown);
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
	int rc = cli_targets_find(&r->targets, r->arena, r->opts);
	rc = rc ? rc : cli_intrinsics(&r->intrinsics, r->arena, r->opts);
	rc = rc ? rc : cli_settings(&r->settings, r->arena, r->opts);
	rc = rc ? rc : find_compilers(r);
	if (rc) {
		return rc;
	}
	struct known known;
	struct known_job job = {.opts = r->opts,
		.path = r->path,
		.source = sbuf_str(&r->source),
		.targets = &r->targets,
		.compiler = r->compiler};
	if (known_get(&known, r->arena, &job)) {
		r->choice.text = known.text;
		r->choice.changed = !str_eq(known.text, job.source);
		sbuf_addstr(&r->report, known.report);
		r->drops = known.drops;
		return 0;
	}
	rc = choose(r);
	if (rc == 0) {
		make_report(r);
		r->drops = drops_barriers(&r->choice);
		known = (struct known){r->choice.text, sbuf_str(&r->report), r->drops};
		known_put(r->arena, &job, &known, r->choice.stamps);
	}
	return rc;
}

static int rewrite(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = find_strategy(r);
	rc = rc ? rc : file_read(&r->source, r->path);
	rc = rc ? rc : cli_output_check(o, o->output);
	rc = rc ? rc : cli_output_check(o, o->report);
	if (rc == 0 && o->verify) {
		rc = cli_bits_open(&r->bits, r->arena, o, sbuf_str(&r->source));
	}
	rc = rc ? rc : decide(r);
	rc = rc ? rc : write_source(r);
	rc = rc ? rc : write_report(r);
	if (rc) {
		return cli_exit(rc);
	}
	return o->check && r->choice.changed ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void release(struct rewriting *r)
{
	intrinsic_db_release(&r->intrinsics);
	sbuf_release(&r->source);
	sbuf_release(&r->report);
}

int cli_rewritten(struct str *out, bool *drops, struct arena *a, const struct cli_opts *o)
{
	struct rewriting r = {.opts = o, .arena = a, .path = o->files.v[0]};
	int rc = find_strategy(&r);
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

int cmd_rewrite(const struct cli_opts *o)
{
	struct rewriting r = {.opts = o, .arena = arena_create(), .path = o->files.v[0]};
	int code = rewrite(&r);
	release(&r);
	arena_free(r.arena);
	return code;
}
