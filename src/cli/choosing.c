#include "choose/choose.h"
#include "cli/cli.h"

int cli_choose(struct choice *out, struct arena *a, struct cli_choosing *c)
{
	const struct cli_opts *o = c->opts;
	struct intrinsic_db intrinsics = {0};
	struct settings settings;
	int rc = cli_settings(&settings, a, o);

	rc = rc ? rc : cli_intrinsics(&intrinsics, a, o);
	c->compiler = ARENA_ARRAY(a, struct compiler, c->targets->n);
	for (size_t i = 0; rc == 0 && i < c->targets->n; i++) {
		rc = compiler_find(
			&c->compiler[i], a, o->compiler, c->targets->v[i]->name, o->no_cache);
	}
	struct choose_job job = {.path = c->path,
		.source = c->source,
		.target = c->targets->v,
		.compiler = c->compiler,
		.targets = c->targets->n,
		.flags = c->targets->flags,
		.intrinsics = &intrinsics,
		.settings = &settings,
		.allow_recontraction = o->allow_recontraction,
		.time_limit_s = o->time_limit_s,
		.unchained = c->all_wide,
		.lazy = c->lazy,
		.parallel = o->jobs,
		.no_cache = o->no_cache,
		.progress = c->progress,
		.user = c->user};
	rc = rc ? rc : choose_run(out, a, &job);
	intrinsic_db_release(&intrinsics);
	return rc;
}
