/* Finds specs by launching kernels: for verify --init, and for rewrite if there is no spec. */
#include "base/file.h"
#include "base/msg.h"
#include "cli/steps/first_spec.h"
#include "frontend/frontend.h"

enum {
	QUICK_S = 30 /* of CPU time, for rewrite; verify --init takes longer */
};

static int parse_first(struct spec_init *job, struct intrinsic_db *intrinsics, struct arena *a,
	const struct cli_opts *o, const struct cli_targets *given)
{
	struct cli_targets targets;
	struct kt_unit *unit;
	struct sbuf names = {0};
	int rc = given ? 0 : cli_targets_find(&targets, a, o);
	targets = given ? *given : targets;
	rc = rc ? rc : cli_intrinsics(intrinsics, a, o);
	if (rc == 0) {
		struct frontend_job parse = {.path = o->files.v[0],
			.target = targets.v[0]->name,
			.relatives = targets.v[0]->relatives,
			.wave_size = targets.v[0]->wave_size,
			.flags = targets.flags,
			.no_cache = o->no_cache,
			.intrinsics = intrinsics};
		rc = frontend_parse(&unit, a, &parse, NULL);
		job->u = unit;
		job->intrinsics = intrinsics;
		job->target = targets.v[0];
		job->opts.flags = targets.flags;
		for (size_t i = 0; i < targets.n; i++) {
			sbuf_addf(&names, "%s%s", i ? ", " : "", targets.v[i]->name);
		}
		job->targets = sbuf_finish(&names, a).p;
	}
	return rc;
}

static void show_progress(const char *kernel, size_t trials)
{
	msg_status("launching %s (%zu launches so far)", kernel, trials);
}

int cli_spec_first(struct sbuf *out, struct spec_init *job, struct arena *a,
	const struct cli_opts *o, const struct cli_targets *targets)
{
	const char *path = o->files.v[0];
	struct str base = path_base(str_of(path));
	struct intrinsic_db intrinsics = {0};
	*job = (struct spec_init){.shown = arena_strndup(a, base.p, base.n),
		.cpu_limit_s = job->cpu_limit_s,
		.may_be_none = job->may_be_none,
		.sees = job->sees,
		.opts = {.compiler = o->host_compiler,
			.compile_limit_s = o->time_limit_s,
			.run_limit_s = o->case_limit_s,
			.parallel = o->jobs,
			.no_cache = o->no_cache},
		.progress = show_progress};
	int rc = parse_first(job, &intrinsics, a, o, targets);
	job->source.path = path;
	rc = rc ? rc : file_text(&job->source.text, a, path);
	rc = rc ? rc : spec_init(out, a, job);
	intrinsic_db_release(&intrinsics);
	return rc;
}

int cli_spec_quick(struct sbuf *out, struct arena *a, const struct cli_opts *o, const char *path)
{
	double limit = o->time_limit_s > 0 && o->time_limit_s / 2 < QUICK_S ? o->time_limit_s / 2
									    : QUICK_S;
	struct spec_init job = {.cpu_limit_s = limit};
	int rc = cli_spec_first(out, &job, a, o, NULL);
	if (rc == 0 && job.undriven) {
		return fail_usage(
			"%s is missing, and no launch of %s succeeded in %.0f s of CPU time: "
			"correct the spec that 'unphi verify --init %s' writes",
			path, job.undriven, limit, o->files.v[0]);
	}
	if (rc == 0) {
		msg_note("%s is missing: using %zu case%s found by launching kernels "
			 "('unphi verify --init %s' writes %s into a spec)",
			path, job.cases, job.cases == 1 ? "" : "s", o->files.v[0],
			job.cases == 1 ? "it" : "them");
	}
	return rc;
}
