#include <string.h>
#include "base/file.h"
#include "base/msg.h"
#include "choose/state.h"

const char *state_write_text(struct state *s, struct str text)
{
	struct str base = path_base(str_of(s->job->path));
	if (!s->dir) {
		s->dir = tmpdir_create();
	}
	if (!s->dir) {
		return NULL;
	}
	const char *dir = arena_printf(s->a, "%s/%u", s->dir, s->texts++);
	const char *path = arena_printf(s->a, "%s/%.*s", dir, STR_ARG(base));
	if (path_make_dirs(dir) < 0 || file_write_atomic(path, text) < 0) {
		return NULL;
	}
	return path;
}

struct measure_result *state_compile(
	struct state *s, const struct str *text, size_t n, bool quiet, bool want_ir)
{
	struct compile_as as = {.flags = s->job->flags, .quiet = quiet, .want_ir = want_ir};
	return state_compile_as(s, text, n, &as);
}

struct measure_result *state_compile_as(
	struct state *s, const struct str *text, size_t n, const struct compile_as *as)
{
	const struct choose_job *job = s->job;
	struct measure_job *jobs = ARENA_ARRAY(s->a, struct measure_job, n * job->targets);
	struct measure_result *results = ARENA_ARRAY(s->a, struct measure_result, n * job->targets);
	struct str dir = path_dir(str_of(job->path));
	const char *include = arena_printf(s->a, "%.*s", STR_ARG(dir));
	for (size_t i = 0; i < n; i++) {
		const char *path = state_write_text(s, text[i]);
		if (!path) {
			return NULL;
		}
		for (size_t t = 0; t < job->targets; t++) {
			jobs[i * job->targets + t] =
				(struct measure_job){.compiler = &job->compiler[t],
					.target = job->target[t],
					.path = path,
					.shown = job->path,
					.flags = as->flags,
					.include_dir = include,
					.ends_at_s = s->ends_at_s,
					.want_ir = as->want_ir,
					.keep_ir = as->keep_ir,
					.keep_isa = as->keep_isa,
					.no_cache = job->no_cache,
					.quiet = as->quiet};
		}
	}
	measure_run(results, s->a, jobs, n * job->targets, job->parallel);
	s->compiles += n * job->targets;
	for (size_t i = 0; i < n * job->targets; i++) {
		/* another time the machine may be quicker */
		s->unstamped |=
			results[i].status == MEASURE_TIMEOUT || results[i].status == MEASURE_CRASH;
	}
	return results;
}

struct measurement measurement_of(
	struct arena *a, const struct measurement *m, const struct map *kernels)
{
	struct measurement r = {.target = m->target};
	r.kernel = ARENA_ARRAY(a, struct kernel_metrics, m->kernels);
	for (size_t i = 0; i < m->kernels; i++) {
		if (map_has(kernels, str_of(m->kernel[i].symbol))) {
			r.kernel[r.kernels++] = m->kernel[i];
		}
	}
	return r;
}
