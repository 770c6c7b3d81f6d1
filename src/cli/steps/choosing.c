#include "cli/steps/choosing.h"

#include <string.h>

#include "base/msg.h"
#include "choose/advise/causes.h"
#include "cli/steps/suppressed.h"

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
		msg_error("strategy '%s' has no form '%s'; the forms are %s", f->strategy->name,
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
		msg_error("strategy '%s' is not available; the strategies are %s", name,
			sbuf_cstr(&known));
	} else {
		msg_error("no strategy '%s'%s%s%s; the strategies are %s", name,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
			sbuf_cstr(&known));
	}
	sbuf_release(&known);
	return FAIL_USAGE;
}

void cli_show_progress(const void *user, const char *text)
{
	const char *path = user;

	msg_note("%s: %s", path, text);
}

int cli_job_open(struct cli_job *out, struct arena *a, const struct cli_opts *o,
	const struct cli_forced *force)
{
	int rc = cli_settings(&out->settings, a, o);

	out->intrinsics = (struct intrinsic_db){0};
	rc = rc ? rc : cli_intrinsics(&out->intrinsics, a, o);
	out->job = (struct choose_job){.intrinsics = &out->intrinsics,
		.settings = &out->settings,
		.force = force->strategy,
		.force_variant = force->variant,
		.allow_recontraction = o->allow_recontraction,
		.allow_unproved = o->allow_unproved,
		.allow_flags = o->allow_flags,
		.explain = o->explain,
		.unchained = !force->strategy,
		.prefix = o->prefix,
		.no_comments = o->no_comments,
		.time_limit_s = o->time_limit_s,
		.parallel = o->jobs,
		.no_cache = o->no_cache};
	return rc;
}

int cli_job_targets(struct choose_job *job, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets)
{
	struct compiler *compiler = ARENA_ARRAY(a, struct compiler, targets->n);
	int rc = job->force ? 0 : cli_compilers_find(&compiler, a, o, targets);

	job->target = targets->v;
	job->targets = targets->n;
	job->flags = targets->flags;
	job->view_flags = targets->view_flags;
	job->compiler = compiler;
	return rc;
}

/* Compilers that are looked up before the first compile. */
struct lazy_compilers {
	struct arena *a;
	const struct cli_opts *opts;
	const struct cli_targets *targets;
	struct compiler *compiler;
	bool asked;
	int rc;
};

static int find_compilers(void *user)
{
	struct lazy_compilers *l = user;
	struct compiler *found;
	if (!l->asked) {
		l->asked = true;
		l->rc = cli_compilers_find(&found, l->a, l->opts, l->targets);
		memcpy(l->compiler, found, l->targets->n * sizeof(*found));
	}
	return l->rc;
}

static void add_lazy_compilers(struct choose_job *job, struct arena *a, struct cli_choosing *c)
{
	struct compiler *compiler = ARENA_ARRAY(a, struct compiler, c->targets->n);
	struct lazy_compilers *l = ARENA_NEW(a, struct lazy_compilers);
	for (size_t i = 0; i < c->targets->n; i++) {
		compiler[i] = (struct compiler){.path = compiler_usual(a, c->opts->compiler),
			.target = c->targets->v[i]->name,
			.major = c->clang};
	}
	*l = (struct lazy_compilers){
		.a = a, .opts = c->opts, .targets = c->targets, .compiler = compiler};
	job->target = c->targets->v;
	job->targets = c->targets->n;
	job->flags = c->targets->flags;
	job->view_flags = c->targets->view_flags;
	job->compiler = compiler;
	job->equip = find_compilers;
	job->equipper = l;
}

/* Makes the job from c and the configuration. The caller releases its intrinsics. */
static int prepare(struct cli_job *out, struct arena *a, struct cli_choosing *c)
{
	static const struct cli_forced none = {NULL, NULL};
	struct choose_job *job = &out->job;
	int rc = cli_job_open(out, a, c->opts, c->force ? c->force : &none);

	if (rc == 0 && c->lazy && c->clang && !c->force) {
		add_lazy_compilers(job, a, c);
	} else {
		rc = rc ? rc : cli_job_targets(job, a, c->opts, c->targets);
	}
	job->path = c->path;
	job->source = c->source;
	job->unchained = c->all_wide;
	job->fragments_told = c->fragments_told;
	job->lazy = c->lazy;
	job->explain |= c->explain;
	job->progress = c->progress;
	job->user = c->user;
	c->compiler = job->compiler;
	if (rc == 0 && c->only_line) {
		cli_suppress_all_but(job, a, c->only_line);
		return 0;
	}
	struct cli_finding unit = {
		.opts = c->opts, .path = c->path, .shown = c->path, .targets = c->targets};
	return rc ? rc : cli_suppressed_add(job, a, &unit);
}

int cli_choose(struct choice *out, struct arena *a, struct cli_choosing *c)
{
	struct cli_job p;
	int rc = prepare(&p, a, c);

	struct cli_bits *runs = rc ? NULL : cli_runs_add(&p.job, a, c->opts);
	rc = rc ? rc : choose_run(out, a, &p.job);
	cli_bits_close(runs);
	intrinsic_db_release(&p.intrinsics);
	return rc;
}

int cli_choose_compare(int *better, const char **why, struct arena *a, struct cli_choosing *c,
	const struct choice *x, const struct choice *y)
{
	struct cli_job p;
	int rc = prepare(&p, a, c);

	if (rc == 0) {
		enum outcome o = choose_compare(why, a, &p.job, x, y);
		*better = o == OUTCOME_BETTER ? 1 : o == OUTCOME_EQUAL ? 0 : -1;
	}
	intrinsic_db_release(&p.intrinsics);
	return rc;
}

int cli_causes(
	struct cause **out, size_t *n, struct arena *a, struct cli_choosing *c, unsigned wanted)
{
	struct cli_job p;
	int rc = prepare(&p, a, c);

	rc = rc ? rc : causes_find(out, n, a, &p.job, wanted);
	intrinsic_db_release(&p.intrinsics);
	return rc;
}
