#include "cli/rewrite/rewriting.h"

#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "choose/advise/causes.h"
#include "cli/rewrite/choice_cache.h"
#include "cli/setup/units.h"
#include "cli/steps/suppressed.h"
#include "edit/edit.h"
#include "report/decision/choice.h"

static int find_targets(struct rewriting *r)
{
	struct choose_job *job = &r->asked.job;
	if (!r->one_of_many && r->opts->header_filter && r->opts->compilers.v.n > 1) {
		return fail_usage(
			"--header-filter takes one --compiler here; with -p it takes several");
	}
	if (!r->one_of_many && !r->force.strategy) { /* project_files.c does it for a project */
		cli_targets_by_compilers(&r->targets, r->arena, r->opts);
	}
	return cli_job_targets(job, r->arena, r->opts, &r->targets);
}

/* Does a kernel without launch bounds spill? */
static bool spills_without_bounds(const struct rewriting *r)
{
	enum {
		BLOCK_ASSUMED = 1024
	};
	const struct measurement *m = r->choice.after ? r->choice.after : r->choice.before;
	bool spills = false;
	for (size_t t = 0; m && t < r->targets.n; t++) {
		span_each (m[t].kernel, m[t].kernels, const struct kernel_metrics, k) {
			spills |= k->v[METRIC_VGPR_SPILL] > 0 &&
				  k->v[METRIC_GROUP_SIZE] == BLOCK_ASSUMED;
		}
	}
	return spills && !r->one_of_many && r->opts->format == FORMAT_TEXT;
}

/* Offers launch bounds for the rewritten kernels. They are not written into the source: other files
 * may launch the kernels with larger blocks. */
static int find_offers(struct rewriting *r, const struct choose_job *job)
{
	struct choose_job now = *job;
	struct cause *cause;
	size_t n = 0;
	now.source = r->choice.text;
	int rc = causes_find(&cause, &n, r->arena, &now, CAUSE_BOUNDS);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (cause[i].insert || cause[i].edits) {
			sbuf_addf(&r->offers,
				"\noffered: %s\n  if no other file launches it with a larger "
				"block; "
				"unphi lint --measure --export-fixes writes the edit\n",
				cause[i].text);
		}
	}
	return rc;
}

static int choose(struct rewriting *r)
{
	struct choose_job *job = &r->asked.job;
	job->path = r->path;
	job->source = sbuf_str(&r->source);
	job->untouchable = r->untouchable;
	job->kernels = r->kernels.wanted;
	job->assume_flat = true;
	job->sparing = r->one_of_many;
	job->proved = cli_bits_proved;
	job->unshown = cli_bits_unshown;
	job->bits = job->runs = r->bits;
	if (r->bits) {
		job->same_bits = cli_bits_same;
		job->see_races = cli_bits_see_races;
		job->runs_are_asked_for = cli_bits_counts(r->bits);
		job->ran = job->runs_are_asked_for ? cli_bits_ran : NULL;
	}
	job->bench = r->opts->bench;
	job->bench_limit_s = r->opts->case_limit_s;
	/* without a terminal, a signal ends the run */
	job->interruptible = !r->one_of_many && !r->opts->header_filter && isatty(STDERR_FILENO);
	job->progress = r->one_of_many ? NULL : cli_show_progress;
	job->user = r->path;
	struct cli_finding unit = {
		.opts = r->opts, .path = r->path, .shown = r->shown, .targets = &r->targets};
	int rc = cli_suppressed_add(job, r->arena, &unit);
	struct cli_bits *runs = cli_runs_add(job, r->arena, r->opts);
	rc = rc ? rc : choose_run(&r->choice, r->arena, job);
	cli_bits_close(runs);
	if (rc == 0 && r->opts->header_filter) {
		rc = headers_rewrite(
			&r->headers, r->arena, r->opts, &r->asked, &r->targets, &r->choice);
	}
	return rc || !spills_without_bounds(r) ? rc : find_offers(r, job);
}

static void make_report(struct rewriting *r)
{
	size_t n = 0;
	bool verbose = r->opts->verbose || r->opts->explain;
	struct choice_file *v = ARENA_ARRAY(r->arena, struct choice_file, r->headers.v.n + 1);
	v[n++] = (struct choice_file){.choice = &r->choice,
		.shown = {.path = r->shown,
			.source = sbuf_str(&r->source),
			.target = r->targets.v,
			.compiler = r->force.strategy ? NULL : r->asked.job.compiler,
			.targets = r->targets.n,
			.kernels = r->kernels.wanted,
			.verbose = verbose,
			.uncounted = r->one_of_many}};
	array_each (&r->headers.v, struct header *, h) {
		v[n++] = (struct choice_file){.choice = &(*h)->choice,
			.shown = {.path = (*h)->path,
				.source = (*h)->source,
				.target = (*h)->target,
				.targets = (*h)->targets,
				.note = (*h)->note,
				.verbose = verbose}};
	}
	if (r->opts->format == FORMAT_JSON) {
		choice_json(&r->report, v, n);
	} else if (r->opts->format == FORMAT_HTML) {
		choice_html(&r->report, v, n);
	} else {
		choice_text(&r->report, v, n);
		sbuf_addstr(&r->report, sbuf_str(&r->offers));
	}
}

int rewriting_decide(struct rewriting *r)
{
	int rc = cli_filter_check(r->opts);
	rc = rc || r->one_of_many ? rc : cli_targets_find(&r->targets, r->arena, r->opts);
	rc = rc ? rc : cli_job_open(&r->asked, r->arena, r->opts, &r->force);
	rc = rc ? rc : find_targets(r);
	if (rc) {
		return rc;
	}
	struct cached_choice known;
	struct choice_cache_job job = {.opts = r->opts,
		.path = r->path,
		.shown = r->shown,
		.untouchable = r->untouchable,
		.one_of_many = r->one_of_many,
		.source = sbuf_str(&r->source),
		.targets = &r->targets,
		.compiler = r->asked.job.compiler};
	if (choice_cache_get(&known, r->arena, &job)) {
		r->choice.text = known.text;
		r->choice.changed = !str_eq(known.text, job.source);
		sbuf_addstr(&r->report, known.report);
		r->stamps = known.stamps;
		return 0;
	}
	rc = choose(r);
	if (rc == 0) {
		make_report(r);
		r->stamps = r->choice.stamps;
		known = (struct cached_choice){
			r->choice.text, sbuf_str(&r->report), (struct str){0}};
		choice_cache_put(r->arena, &job, &known, r->choice.stamps);
	}
	return rc;
}

void rewriting_release(struct rewriting *r)
{
	cli_bits_close(r->bits);
	intrinsic_db_release(&r->asked.intrinsics);
	sbuf_release(&r->source);
	sbuf_release(&r->report);
	sbuf_release(&r->offers);
	array_release(&r->headers.v);
	array_release(&r->all);
	cli_kernels_release(&r->kernels);
}

int cli_rewritten(struct str *out, struct arena *a, const struct cli_opts *o)
{
	struct rewriting r = {.opts = o, .arena = a, .path = o->files.v[0], .shown = o->files.v[0]};
	int rc = cli_forced_find(&r.force, r.arena, r.opts);
	rc = rc ? rc : file_read(&r.source, r.path);
	rc = rc ? rc : rewriting_decide(&r);
	if (rc == 0) {
		*out = arena_str(a, r.choice.text);
	}
	rewriting_release(&r);
	return rc;
}

/* With --verify, a file of a project must not be changed if it has no spec. */
static bool is_specless(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	const char *path = cli_spec_path(r->arena, o, r->path);
	if (!o->verify || o->on == ON_ISA || r->untouchable || file_exists(path)) {
		return false;
	}
	const char *from = o->started_in ? o->started_in : ".";
	r->untouchable = arena_printf(r->arena,
		"there is no spec, %s, whose cases could be run ('unphi verify -p BUILD --init' "
		"writes a first one)",
		cli_path_shown(r->arena, path_real(r->arena, from), path));
	return true;
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
	bool specless = is_specless(&r);
	if (r.opts->verify && !r.untouchable) {
		r.bits = cli_bits_later(a, r.opts, sbuf_str(&r.source));
	}
	rc = rc ? rc : rewriting_decide(&r);
	if (rc == 0 && specless && r.choice.decisions > 0) {
		msg_note("%s does not change: %s", r.shown, r.untouchable);
	}
	if (rc == 0) {
		*out = (struct cli_rewrote){arena_str(a, sbuf_str(&r.source)),
			arena_str(a, r.choice.text), arena_str(a, sbuf_str(&r.report)),
			arena_str(a, r.stamps)};
	}
	rewriting_release(&r);
	return rc;
}

/* ---- writing the results ---- */

bool rewritten_any(const struct rewritten *v, size_t n)
{
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		any |= v[i].changed;
	}
	return any;
}

void rewritten_diff(struct sbuf *out, struct arena *a, const struct rewritten *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].changed) {
			diff_unified(out, v[i].before, v[i].after,
				arena_printf(a, "a/%s", v[i].name),
				arena_printf(a, "b/%s", v[i].name));
		}
	}
}

static int check_unchanged(const struct rewritten *r)
{
	struct sbuf now = {0};
	int rc = file_read(&now, r->path);
	if (rc == 0 && !str_eq(sbuf_str(&now), r->before)) {
		rc = fail_usage("%s was changed during the run, so nothing was written: run unphi "
				"again",
			r->path);
	}
	sbuf_release(&now);
	return rc;
}

int rewritten_replace(struct arena *a, const struct rewritten *v, size_t n)
{
	struct file_text *text = ARENA_ARRAY(a, struct file_text, n);
	size_t changed = 0;
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0; i++) {
		if (v[i].changed) {
			rc = check_unchanged(&v[i]);
			text[changed++] = (struct file_text){v[i].path, v[i].after};
		}
	}
	if (rc == 0 && changed == 1) {
		return file_write_atomic(text[0].path, text[0].text);
	}
	return rc || changed == 0 ? rc : file_write_together(text, changed, NULL);
}
