/*
 * unphi measure: compiles every source for every target, reads the output of builds, and prints
 * each kernel's cost by the compiler's output. Figures that cannot be trusted are printed with a
 * flag, and make the exit code EXIT_INPUT, like a failed compile.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/measure/measuring.h"
#include "measure/isa/demangle.h"
#include "measure/object.h"

/* ---- measuring ---- */

static int find_compiler(struct measuring *m, const char *wanted, const struct target *t)
{
	struct compiler *c = ARENA_NEW(m->arena, struct compiler);
	int rc = cli_compiler_find(c, m->arena, m->opts, wanted, t->name);

	if (rc == 0) {
		if (!m->at) { /* the run at the commit has the same compilers */
			msg_note("compiler for %s: %s (%s)", t->name, c->path, c->version);
		}
		array_push(&m->tools, (struct tool){c, t});
	}
	return rc;
}

/* Skips targets that no compiler here supports. */
static int find_compilers(struct measuring *m)
{
	const struct name_list *given = &m->opts->compilers;
	size_t compilers = given->v.n > 1 ? given->v.n : 1;

	for (size_t i = 0; i < m->targets.n; i++) {
		for (size_t k = 0; k < compilers; k++) {
			const char *wanted = compilers > 1 ? given->v.v[k] : m->opts->compiler;
			int rc = find_compiler(m, wanted, m->targets.v[i]);
			if (rc == FAIL_USAGE) {
				return rc;
			}
			m->target_lost |= rc != 0;
		}
	}
	return m->tools.n > 0 ? 0 : FAIL_INPUT;
}

/* Changes the job to the file's text at the commit, if there is one. */
static void set_revision(struct measure_job *job, const struct measuring *m)
{
	const struct revision *at = m->at;
	const char *path = at ? revision_path(at, m->arena, job->path) : job->path;
	if (path != job->path) {
		struct str dir = path_dir(str_of(job->path));
		job->include_dir = arena_strndup(m->arena, dir.p, dir.n);
		job->path = path;
	}
	if (at) {
		job->in_place = at->in_place;
		job->in_places = at->in_places;
		job->overlay = at->overlay;
	}
}

/* Compiles all sources in parallel, and puts the results at their places in found. */
static void compile_sources(struct measuring *m)
{
	size_t n = 0;
	struct measure_job *job = ARENA_ARRAY(m->arena, struct measure_job, m->found.n);
	struct measure_result *result = ARENA_ARRAY(m->arena, struct measure_result, m->found.n);

	array_each (&m->found, const struct measured, f) {
		for (size_t t = 0; f->compiler && t < m->tools.n; t++) {
			if (f->compiler == m->tools.v[t].compiler) {
				job[n] = (struct measure_job){
					.compiler = f->compiler,
					.target = m->tools.v[t].target,
					.path = f->file,
					.shown = f->file,
					.flags = m->targets.flags,
					.time_limit_s = m->opts->time_limit_s,
					.want_ir = true,
					.no_cache = m->opts->no_cache,
				};
				set_revision(&job[n++], m);
			}
		}
	}
	measure_run(result, m->arena, job, n, m->opts->jobs);
	for (size_t i = 0, k = 0; i < m->found.n; i++) {
		if (m->found.v[i].compiler) {
			m->found.v[i].result = result[k++];
		}
	}
}

/* Is the target of this code object one of --target? */
static bool is_asked_for(const struct measuring *m, const char *target)
{
	const struct name_list *asked = &m->opts->targets;
	struct str bare = str_of(target), rest = bare;

	str_split(&rest, ':', &bare);
	for (size_t i = 0; i < asked->v.n; i++) {
		if (str_is(bare, asked->v.v[i]) || strcmp(target, asked->v.v[i]) == 0) {
			return true;
		}
	}
	return asked->v.n == 0;
}

static int read_object(struct measuring *m, const char *file)
{
	struct object_code *code;
	size_t n, before = m->found.n;
	int rc = object_read(&code, &n, m->arena, file);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct target *t = target_find(&m->db, str_of(code[i].target));
		if (!is_asked_for(m, code[i].target)) {
			continue;
		}
		if (!t) {
			return fail_input(
				"%s: its code for %s cannot be judged: rules/targets.yaml has no "
				"such GPU",
				file, code[i].target);
		}
		struct measured f = {.file = file, .target = code[i].target};
		rc = isa_read(&f.result.m, m->arena, t, code[i].isa, (struct str){0}, file);
		for (size_t k = 0; code[i].disassembled && k < f.result.m.kernels; k++) {
			int64_t *v = f.result.m.kernel[k].v;
			v[METRIC_SCRATCH_ACCESS] = v[METRIC_SCRATCH] == 0 ? 0 : METRIC_ABSENT;
		}
		array_push(&m->found, f);
	}
	if (rc == 0 && m->found.n == before) {
		rc = fail_input("%s: it has no code for the --target", file);
	}
	return rc;
}

/* Demangles the names in files that were read; measure_run does it for compiles. */
static void demangle_all(struct measuring *m)
{
	struct measurement **v = ARENA_ARRAY(m->arena, struct measurement *, m->found.n);
	size_t n = 0;

	array_each (&m->found, struct measured, f) {
		if (!f->compiler && f->result.status == MEASURE_OK) {
			v[n++] = &f->result.m;
		}
	}
	demangle_measurements(v, n, m->arena);
}

static int find_targets(struct measuring *m, bool sources)
{
	int rc = target_db_builtin(&m->db, m->arena);

	if (rc == 0 && sources) {
		rc = cli_targets_of(&m->targets, m->arena, &m->db, &(struct cli_gpus){0}, m->opts,
			m->opts->flags, NULL);
		rc = rc ? rc : find_compilers(m);
	}
	return rc;
}

static void keep_wanted(const struct measuring *m, struct measured *f)
{
	struct measurement *all = &f->result.m;
	size_t n = 0;

	for (size_t i = 0; f->result.status == MEASURE_OK && i < all->kernels; i++) {
		const struct kernel_metrics *k = &all->kernel[i];
		if (cli_kernels_match(&m->kernels, k->name, k->symbol)) {
			all->kernel[n++] = *k;
		}
	}
	all->kernels = n;
}

/* Finds the places of kernels in the sources. */
static void find_lines(struct measuring *m)
{
	struct map lines = {0};
	const char *file = NULL;

	array_each (&m->found, struct measured, f) {
		struct sbuf text = {0};
		bool other = !file || strcmp(f->file, file) != 0;
		if (!f->compiler || f->result.status != MEASURE_OK) {
			continue;
		}
		if (other) {
			map_release(&lines);
			lines = (struct map){0};
		}
		if (other && file_exists(f->file) && file_read(&text, f->file) == 0) {
			budget_kernel_lines(&lines, m->arena, sbuf_str(&text));
		}
		sbuf_release(&text);
		file = f->file;
		span_each (f->result.m.kernel, f->result.m.kernels, struct kernel_metrics, k) {
			k->line = budget_line_of(&lines, k->name);
		}
	}
	map_release(&lines);
}

/* Returns the exit code so far. If a file cannot be read, the others are still measured. */
static int measure_files(struct measuring *m, bool *go_on)
{
	const struct cli_opts *o = m->opts;
	bool *object = ARENA_ARRAY(m->arena, bool, o->files.n), sources = false;
	size_t without = 0;
	int code = EXIT_CLEAN;

	for (size_t i = 0; i < o->files.n; i++) {
		object[i] = object_is(o->files.v[i]);
		sources = sources || !object[i];
		if (object[i] && m->at) {
			return cli_exit(
				fail_usage("--against %s is a commit, but %s is the output of a "
					   "build: compare it with figures in a file",
					o->against, o->files.v[i]));
		}
	}
	int rc = find_targets(m, sources);
	*go_on = rc == 0;
	for (size_t i = 0; rc == 0 && i < o->files.n; i++) {
		/* if all files are host objects, reading the last one gives the error */
		if (object[i] && without + 1 < o->files.n && object_is_host(o->files.v[i])) {
			msg_note("%s: no GPU code", o->files.v[i]);
			without++;
		} else if (object[i]) {
			code = exit_worse(code, cli_exit(read_object(m, o->files.v[i])));
		}
		bool there = !m->at || revision_path(m->at, m->arena, o->files.v[i]);
		for (size_t t = 0; !object[i] && there && t < m->tools.n; t++) {
			const struct tool *tool = &m->tools.v[t];
			array_push(&m->found, (struct measured){.file = o->files.v[i],
						      .target = tool->target->name,
						      .compiler = tool->compiler});
		}
	}
	if (rc == 0) {
		compile_sources(m);
		demangle_all(m);
		find_lines(m);
		array_each (&m->found, struct measured, f) {
			keep_wanted(m, f);
		}
	}
	code = m->target_lost ? exit_worse(code, EXIT_INPUT) : code;
	return exit_worse(code, cli_exit(rc));
}

/* Prints the errors of one result, except those of a failed compile, which measure_run printed. */
static int judge_result(const struct measured *f)
{
	const struct measure_result *r = &f->result;
	int rc = 0;

	if (r->status != MEASURE_OK) {
		return FAIL_INPUT;
	}
	span_each (r->m.kernel, r->m.kernels, const struct kernel_metrics, k) {
		if (!k->trusted) {
			rc = fail_input("%s: the figures of %s for %s are not trusted: %s", f->file,
				k->name, f->target, k->why);
		}
	}
	return rc;
}

static int judge(const struct measuring *m)
{
	int rc = 0;

	array_each (&m->found, const struct measured, f) {
		if (judge_result(f)) {
			rc = FAIL_INPUT;
		}
	}
	return cli_exit(rc);
}

/* A file without kernels has only host code; that is an error only if no file has kernels. */
static int judge_empty(const struct measuring *m)
{
	const char *asked = m->kernels.wanted ? " that matches --kernel" : "";
	size_t kernels = 0, empty = 0;

	array_each (&m->found, const struct measured, f) {
		bool ok = f->result.status == MEASURE_OK;
		kernels += ok ? f->result.m.kernels : 0;
		empty += ok && f->result.m.kernels == 0;
	}
	array_each (&m->found, const struct measured, f) {
		if (f->result.status != MEASURE_OK || f->result.m.kernels > 0) {
			continue;
		}
		if (kernels == 0) {
			msg_error("%s: no kernel%s for %s: nothing was measured", f->file, asked,
				f->target);
		} else {
			msg_note("%s: no kernel%s for %s", f->file, asked, f->target);
		}
	}
	return kernels == 0 && empty > 0 ? EXIT_INPUT : EXIT_CLEAN;
}

/* ---- results ---- */

static int print_results(const struct measuring *m, const struct gate *g)
{
	const struct cli_opts *o = m->opts;
	struct sbuf out = {0}, verdict = {0};
	int format = o->format;

	gate_text(&verdict, g);
	if (format == FORMAT_JSON) {
		measured_json(&out, m->found.v, m->found.n);
	} else if (format == FORMAT_JUNIT) {
		gate_junit(&out, m->found.v, m->found.n, g);
	} else if (format == FORMAT_SARIF) {
		measuring_sarif(&out, m->arena, g);
	} else if (format == FORMAT_MARKDOWN) {
		gate_markdown(&out, m->found.v, m->found.n, g);
	} else if (format == FORMAT_HTML) {
		const struct gate_sides sides = {m->saved, m->saved_n, m->found.v, m->found.n};
		gate_html(&out, &sides, g);
	} else {
		measured_text(&out, m->found.v, m->found.n);
		if (verdict.n > 0) {
			sbuf_addf_visible(&out, "%-s%-s", out.n ? "\n" : "", sbuf_cstr(&verdict));
		}
	}
	int rc = cli_report_write(o, sbuf_str(&out));
	if (format != FORMAT_TEXT && verdict.n > 0) {
		/* with these formats stdout has only the document */
		fwrite(verdict.p, 1, verdict.n, stderr);
	}
	sbuf_release(&verdict);
	sbuf_release(&out);
	return cli_exit(rc);
}

int measuring_finish(struct measuring *m)
{
	struct gate g = {{0}};
	int code = exit_worse(judge_empty(m), measuring_judge(&g, m));

	measuring_add_causes(&g, m);
	code = exit_worse(code, print_results(m, &g));
	array_release(&g.v);
	return code;
}

/* Loads the figures of the file named by --against. If there is no such file, it is a commit, whose
 * sources are measured. */
static int open_before(struct measuring *m)
{
	const char *against = m->opts->against;
	if ((file_is_named(against) && !file_is_dir(against)) ||
		m->opts->command != COMMAND_MEASURE) {
		return measured_load(&m->saved, &m->saved_n, m->arena, against);
	}
	struct revision *at = ARENA_NEW(m->arena, struct revision);
	struct str where = m->opts->files.n ? path_dir(str_of(m->opts->files.v[0])) : STR(".");
	int rc = revision_open(at, m->arena, against, arena_strndup(m->arena, where.p, where.n));
	m->before = rc ? NULL : at;
	return rc;
}

int measuring_open(struct measuring *m)
{
	const struct cli_opts *o = m->opts;
	int rc = cli_output_check(o, o->report);

	rc = rc ? rc : cli_kernels_open(&m->kernels, o);
	rc = rc || !o->against ? rc : open_before(m);
	for (size_t i = 0; rc == 0 && i < m->saved_n; i++) {
		keep_wanted(m, &m->saved[i]);
	}
	return rc || !o->check ? rc : measuring_add_config(m);
}

static int find_budgets(struct measuring *m)
{
	int rc = 0;

	for (size_t i = 0; m->opts->check && i < m->opts->files.n; i++) {
		const char *file = m->opts->files.v[i];
		struct str text = {0};
		int one = object_is(file) ? 0 : file_text(&text, m->arena, file);
		if (one == 0 && text.n > 0) {
			one = measuring_add_budgets(m, text, file);
		}
		rc = rc ? rc : one;
	}
	return rc ? rc : measuring_check_budgets(m);
}

int measuring_run(struct measuring *m, bool *go_on)
{
	int code = measure_files(m, go_on);

	return *go_on ? exit_worse(code, judge(m)) : code;
}

/* Measures the sources at the commit of --against; returns the exit code. */
static int measure_before(struct measuring *m)
{
	struct measuring old = {
		.opts = m->opts, .arena = m->arena, .at = m->before, .kernels = m->kernels};
	bool go_on;
	int code = measuring_run(&old, &go_on);
	array_move(m->saved, m->saved_n, m->arena, &old.found);
	array_release(&old.tools);
	return code;
}

static int measure(struct measuring *m)
{
	bool go_on = false;
	int rc = cli_files_check(m->opts);

	rc = rc ? rc : measuring_open(m);
	rc = rc ? rc : find_budgets(m);
	if (rc) {
		return cli_exit(rc);
	}
	int code = m->before ? measure_before(m) : EXIT_CLEAN;
	code = exit_worse(code, measuring_run(m, &go_on));
	return go_on ? exit_worse(code, measuring_finish(m)) : code;
}

void measuring_release(struct measuring *m)
{
	array_release(&m->found);
	array_release(&m->tools);
	array_release(&m->budgets.v);
	cli_kernels_release(&m->kernels);
}

int cmd_measure(const struct cli_opts *opts)
{
	if (opts->project) {
		return measure_project(opts);
	}
	if (opts->run) {
		return measure_ran(opts);
	}
	struct measuring m = {.opts = opts, .arena = arena_create()};

	int code = measure(&m);
	measuring_release(&m);
	arena_free(m.arena);
	return code;
}
