#include "cli/steps/choosing.h"

#include "choose/advise/causes.h"
#include "cli/steps/suppressed.h"

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

/* Made of c and the configuration; released by releasing its intrinsics. */
static int prepare(struct cli_job *out, struct arena *a, struct cli_choosing *c)
{
	static const struct cli_forced none = {NULL, NULL};
	struct choose_job *job = &out->job;
	int rc = cli_job_open(out, a, c->opts, c->force ? c->force : &none);

	rc = rc ? rc : cli_job_targets(job, a, c->opts, c->targets);
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

int cli_causes(
	struct cause **out, size_t *n, struct arena *a, struct cli_choosing *c, unsigned wanted)
{
	struct cli_job p;
	int rc = prepare(&p, a, c);

	rc = rc ? rc : causes_find(out, n, a, &p.job, wanted);
	intrinsic_db_release(&p.intrinsics);
	return rc;
}
