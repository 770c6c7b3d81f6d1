#include <string.h>
#include "base/file.h"
#include "base/msg.h"
#include "choose/state.h"

/* As a file of path's name in a directory of its own. */
static const char *write_text(struct state *s, const char *of, struct str text)
{
	struct str base = path_base(str_of(of));
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

const char *state_write_text(struct state *s, struct str text)
{
	return write_text(s, s->job->path, text);
}

/* Writes what stands in for files, and the list of it. */
static int write_in_place(struct state *s, struct measure_job *m, struct str text)
{
	struct stand_in *in = ARENA_ARRAY(s->a, struct stand_in, s->job->in_places + 1);
	m->in_place = state_in_place(s, in, text, &m->in_places);
	for (size_t i = 0; i < m->in_places; i++) {
		in[i].content = write_text(s, in[i].name[0], in[i].text);
		if (!in[i].content) {
			return FAIL_USAGE;
		}
	}
	if (m->in_places > 0) {
		struct sbuf list = {0};
		vfs_list(&list, in, m->in_places);
		m->overlay = write_text(s, "overlay.yaml", sbuf_str(&list));
		sbuf_release(&list);
	}
	return m->in_places > 0 && !m->overlay ? FAIL_USAGE : 0;
}

/* A job for each target, of which path, flags and directory are still those of the file. */
static int make_jobs(struct state *s, struct measure_job *jobs, struct str text)
{
	const struct choose_job *job = s->job;
	struct measure_job with = {0};
	if (!job->unit) {
		const char *path = state_write_text(s, text);
		for (size_t t = 0; t < job->targets; t++) {
			jobs[t] = (struct measure_job){.path = path, .shown = job->path};
		}
		return path ? 0 : FAIL_USAGE;
	}
	int rc = write_in_place(s, &with, text);
	for (size_t t = 0; rc == 0 && t < job->targets; t++) {
		const struct choose_unit *unit = job->unit[t];
		jobs[t] = with;
		jobs[t].shown = unit->path;
		jobs[t].path = t > 0 && unit == job->unit[t - 1]
				       ? jobs[t - 1].path
				       : write_text(s, unit->path, unit->text);
		rc = jobs[t].path ? 0 : FAIL_USAGE;
	}
	return rc;
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
	for (size_t i = 0; i < n; i++) {
		struct measure_job *of = &jobs[i * job->targets];
		if (make_jobs(s, of, text[i]) < 0) {
			return NULL;
		}
		for (size_t t = 0; t < job->targets; t++) {
			struct str dir = path_dir(str_of(of[t].shown));
			of[t].compiler = &job->compiler[t];
			of[t].target = job->target[t];
			of[t].flags = job->unit ? job->unit[t]->flags : as->flags;
			of[t].include_dir = arena_printf(s->a, "%.*s", STR_ARG(dir));
			of[t].ends_at_s = s->ends_at_s;
			of[t].want_ir = as->want_ir;
			of[t].keep_ir = as->keep_ir;
			of[t].keep_isa = as->keep_isa;
			of[t].no_cache = job->no_cache;
			of[t].quiet = as->quiet;
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
