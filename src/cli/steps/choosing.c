#include "choose/advise/causes.h"
#include "cli/cli.h"
#include "cli/steps/suppressed.h"

struct prepared {
	struct choose_job job;
	struct intrinsic_db intrinsics;
	struct settings settings;
};

/* Made of c and the configuration; released by releasing its intrinsics. */
static int prepare(struct prepared *out, struct arena *a, struct cli_choosing *c)
{
	const struct cli_opts *o = c->opts;
	*out = (struct prepared){0};
	int rc = cli_settings(&out->settings, a, o);

	rc = rc ? rc : cli_intrinsics(&out->intrinsics, a, o);
	c->compiler = ARENA_ARRAY(a, struct compiler, c->targets->n);
	for (size_t i = 0; rc == 0 && !c->force && i < c->targets->n; i++) {
		rc = cli_compiler_find(&c->compiler[i], a, o, o->compiler, c->targets->v[i]->name);
	}
	out->job = (struct choose_job){.path = c->path,
		.source = c->source,
		.target = c->targets->v,
		.compiler = c->compiler,
		.targets = c->targets->n,
		.flags = c->targets->flags,
		.intrinsics = &out->intrinsics,
		.settings = &out->settings,
		.allow_recontraction = o->allow_recontraction,
		.prefix = o->prefix,
		.no_comments = o->no_comments,
		.allow_flags = o->allow_flags,
		.time_limit_s = o->time_limit_s,
		.unchained = c->all_wide,
		.fragments_told = c->fragments_told,
		.lazy = c->lazy,
		.explain = c->explain,
		.force = c->force ? c->force->strategy : NULL,
		.force_variant = c->force ? c->force->variant : NULL,
		.parallel = o->jobs,
		.no_cache = o->no_cache,
		.progress = c->progress,
		.user = c->user};
	struct cli_finding of = {.opts = o,
		.path = c->path,
		.shown = c->path,
		.targets = c->targets,
		.intrinsics = &out->intrinsics,
		.quiet = true};
	if (rc == 0 && c->only_line) {
		cli_suppress_all_but(&out->job, a, c->only_line);
		return 0;
	}
	return rc ? rc : cli_suppressed_add(&out->job, a, &of);
}

int cli_choose(struct choice *out, struct arena *a, struct cli_choosing *c)
{
	struct prepared p;
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
	struct prepared p;
	int rc = prepare(&p, a, c);

	rc = rc ? rc : causes_find(out, n, a, &p.job, wanted);
	intrinsic_db_release(&p.intrinsics);
	return rc;
}
