/*
 * unphi measure: every source is compiled for every target, what a build left behind is taken
 * apart, and the compiler's output says what each kernel costs. Figures of kernels that cannot be
 * trusted are shown, flagged, and make the exit code EXIT_INPUT, as a compile that failed does.
 */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/kernels.h"
#include "measure/budget.h"
#include "measure/demangle.h"
#include "measure/object.h"
#include "report/measured.h"

struct measuring {
	const struct cli_opts *opts;
	struct arena *arena;
	struct target_db db;
	struct cli_targets targets; /* of the sources; none when there is no source */
	struct compiler *compiler;  /* one a target */
	bool target_lost;	    /* one was asked for that no compiler knows */
	ARRAY(struct measured) found;
	struct budget_list budgets;
	struct measured *saved; /* with --against */
	size_t saved_n;
	struct cli_kernels kernels;
};

/* ---- measuring ---- */

/* A target that no compiler here knows is left out, and keeps no other from being measured. */
static int find_compilers(struct measuring *m)
{
	size_t n = 0;
	int rc = 0;

	m->compiler = ARENA_ARRAY(m->arena, struct compiler, m->targets.n);
	for (size_t i = 0; i < m->targets.n; i++) {
		const char *target = m->targets.v[i]->name;
		struct compiler *c = &m->compiler[n];
		int one = compiler_find(c, m->arena, m->opts->compiler, target, m->opts->no_cache);
		if (one == FAIL_USAGE) {
			return one;
		}
		if (one) {
			rc = one;
			continue;
		}
		msg_note("compiler for %s: %s (%s)", target, c->path, c->version);
		m->targets.v[n++] = m->targets.v[i];
	}
	m->targets.n = n;
	m->target_lost = rc != 0;
	return n > 0 ? 0 : rc;
}

/* All sources side by side; the results stand where they belong in found. */
static void compile_sources(struct measuring *m)
{
	size_t n = 0;
	struct measure_job *job = ARENA_ARRAY(m->arena, struct measure_job, m->found.n);
	struct measure_result *result = ARENA_ARRAY(m->arena, struct measure_result, m->found.n);

	for (size_t i = 0; i < m->found.n; i++) {
		const struct measured *f = &m->found.v[i];
		for (size_t t = 0; f->compiler && t < m->targets.n; t++) {
			if (f->compiler == &m->compiler[t]) {
				job[n++] = (struct measure_job){
					.compiler = f->compiler,
					.target = m->targets.v[t],
					.path = f->file,
					.shown = f->file,
					.flags = m->targets.flags,
					.time_limit_s = m->opts->time_limit_s,
					.want_ir = true,
					.no_cache = m->opts->no_cache,
				};
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

/* Is a code's target among those of --target? */
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
			msg_error("%s: its code for %s cannot be judged: rules/targets.yaml does "
				  "not know that GPU",
				file, code[i].target);
			return FAIL_INPUT;
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
		msg_error("%s: there is no code for the --target in it", file);
		rc = FAIL_INPUT;
	}
	return rc;
}

/* measure_run has done it for what it compiled. */
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

/* The exit code so far: one file that cannot be read keeps no other from being measured. */
static int measure_files(struct measuring *m, bool *go_on)
{
	const struct cli_opts *o = m->opts;
	bool *object = ARENA_ARRAY(m->arena, bool, o->files.n), sources = false;
	int code = EXIT_CLEAN;

	for (size_t i = 0; i < o->files.n; i++) {
		object[i] = object_is(o->files.v[i]);
		sources = sources || !object[i];
	}
	int rc = find_targets(m, sources);
	*go_on = rc == 0;
	for (size_t i = 0; rc == 0 && i < o->files.n; i++) {
		if (object[i]) {
			code = exit_worse(code, cli_exit(read_object(m, o->files.v[i])));
		}
		for (size_t t = 0; !object[i] && t < m->targets.n; t++) {
			array_push(&m->found, (struct measured){.file = o->files.v[i],
						      .target = m->targets.v[t]->name,
						      .compiler = &m->compiler[t]});
		}
	}
	if (rc == 0) {
		compile_sources(m);
		demangle_all(m);
		array_each (&m->found, struct measured, f) {
			keep_wanted(m, f);
		}
		for (size_t i = 0; i < m->saved_n; i++) {
			keep_wanted(m, &m->saved[i]);
		}
	}
	code = m->target_lost ? exit_worse(code, EXIT_INPUT) : code;
	return exit_worse(code, cli_exit(rc));
}

/* Says what is wrong with one result, other than that it did not compile, which measure_run said.
 */
static int judge_result(const struct measuring *m, const struct measured *f)
{
	const struct measure_result *r = &f->result;
	int rc = 0;

	if (r->status != MEASURE_OK) {
		return FAIL_INPUT;
	}
	if (r->m.kernels == 0) {
		msg_error("%s: no kernel%s for %s: nothing was measured", f->file,
			m->kernels.wanted ? " that --kernel asks for" : "", f->target);
		return FAIL_INPUT;
	}
	for (size_t i = 0; i < r->m.kernels; i++) {
		const struct kernel_metrics *k = &r->m.kernel[i];
		if (!k->trusted) {
			msg_error("%s: the figures of %s for %s are not trusted: %s", f->file,
				k->name, f->target, k->why);
			rc = FAIL_INPUT;
		}
	}
	return rc;
}

static int judge(const struct measuring *m)
{
	int rc = 0;

	array_each (&m->found, const struct measured, f) {
		if (judge_result(m, f)) {
			rc = FAIL_INPUT;
		}
	}
	return cli_exit(rc);
}

/* ---- --check ---- */

static int add_config_budgets(struct measuring *m)
{
	const struct user_config *c = m->opts->config;

	for (size_t i = 0; c && i < c->budgets; i++) {
		struct budget b = {
			.file = c->path, .line = c->budget[i].line, .kernel = c->budget[i].kernel};
		const char *wrong = budget_read(&b, m->arena, str_of(c->budget[i].limits));
		if (wrong) {
			msg_error("%s:%u:%u: %s", b.file, c->budget[i].limits_line,
				c->budget[i].limits_column, wrong);
			return FAIL_USAGE;
		}
		array_push(&m->budgets.v, b);
	}
	return 0;
}

static int find_budgets(struct measuring *m)
{
	int rc = m->opts->check ? add_config_budgets(m) : 0;

	for (size_t i = 0; m->opts->check && i < m->opts->files.n; i++) {
		const char *file = m->opts->files.v[i];
		struct sbuf text = {0};
		int one = object_is(file) ? 0 : file_read(&text, file);
		if (one == 0 && text.n > 0) {
			struct str copy = {arena_strndup(m->arena, text.p, text.n), text.n};
			one = budgets_find(&m->budgets, m->arena, copy, file);
		}
		sbuf_release(&text);
		rc = rc ? rc : one;
	}
	if (rc == 0 && m->opts->check && m->budgets.v.n == 0) {
		msg_error("--check: there is no budget, neither '// unphi: budget ...' in front of "
			  "a kernel nor in .unphi.yaml: nothing to check");
		rc = FAIL_INPUT;
	}
	return rc;
}

static int check_limit(struct sbuf *out, const struct budget *b, const struct budget_limit *l,
	const struct measured *f, const struct kernel_metrics *k)
{
	int64_t v = k->v[l->metric];

	if (v == METRIC_ABSENT || !k->trusted) {
		msg_error("%s:%u: %s for %s: %s could not be told, so the budget %.*s could not be "
			  "checked",
			b->file, b->line, k->name, f->target, metric_info[l->metric].key,
			STR_ARG(l->text));
		return EXIT_INPUT;
	}
	if (budget_holds(l, k)) {
		return EXIT_CLEAN;
	}
	sbuf_addf(out, "%s:%u: error: %s for %s: %s is %lld, over the budget %.*s\n", b->file,
		b->line, k->name, f->target, metric_info[l->metric].key, (long long)v,
		STR_ARG(l->text));
	return EXIT_FINDINGS;
}

/* Every budget against every kernel that it is for; one that is for none was not checked. */
static int check_budgets(struct sbuf *out, const struct measuring *m)
{
	int code = EXIT_CLEAN;
	size_t checked = 0;

	array_each (&m->budgets.v, const struct budget, b) {
		size_t kernels = 0;
		bool other_target = false;
		array_each (&m->found, const struct measured, f) {
			for (size_t i = 0;
				f->result.status == MEASURE_OK && i < f->result.m.kernels; i++) {
				const struct kernel_metrics *k = &f->result.m.kernel[i];
				struct budget any = *b;
				any.targets = (struct str){0};
				if (!budget_is_for(b, f->target, k)) {
					other_target |= budget_is_for(&any, f->target, k);
					continue;
				}
				kernels++;
				for (size_t n = 0; n < b->limits; n++) {
					code = exit_worse(
						code, check_limit(out, b, &b->limit[n], f, k));
					checked++;
				}
			}
		}
		if (kernels == 0 && !other_target) {
			msg_error("%s:%u: no kernel named '%s' was measured: the budget was not "
				  "checked",
				b->file, b->line, b->kernel);
			code = exit_worse(code, EXIT_INPUT);
		}
	}
	if (checked == 0 && code == EXIT_CLEAN) {
		msg_error("--check: no budget is for the targets that were measured: nothing was "
			  "checked");
		code = EXIT_INPUT;
	}
	if (code == EXIT_CLEAN) {
		msg_note("%zu limit%s checked, all hold", checked, checked == 1 ? "" : "s");
	}
	return code;
}

/* ---- --against ---- */

/* More spills or scratch, fewer waves: regressions. Of other figures only times can tell. */
static bool is_worse(enum metric m, int64_t before, int64_t after)
{
	switch (m) {
	case METRIC_VGPR_SPILL:
	case METRIC_SGPR_SPILL:
	case METRIC_SCRATCH:
		return after > before;
	case METRIC_REGISTER_WAVES:
	case METRIC_RESIDENT_WAVES:
		return after < before;
	default:
		return false;
	}
}

static const struct kernel_metrics *find_kernel(
	const struct measured *v, size_t n, const char *target, const char *symbol)
{
	for (size_t i = 0; i < n; i++) {
		const struct measurement *m = &v[i].result.m;
		for (size_t k = 0; strcmp(v[i].target, target) == 0 && k < m->kernels; k++) {
			if (strcmp(m->kernel[k].symbol, symbol) == 0) {
				return &m->kernel[k];
			}
		}
	}
	return NULL;
}

static int compare_kernel(struct sbuf *out, const struct measured *f,
	const struct kernel_metrics *before, const struct kernel_metrics *now)
{
	int code = EXIT_CLEAN;

	if (!before->trusted || !now->trusted) {
		msg_error(
			"%s: %s for %s: its figures are not trusted, so they could not be compared",
			f->file, now->name, f->target);
		return EXIT_INPUT;
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		int64_t a = before->v[i], b = now->v[i];
		if (a == METRIC_ABSENT || b == METRIC_ABSENT || a == b) {
			continue;
		}
		bool worse = is_worse((enum metric)i, a, b);
		sbuf_addf(out, "%s: %s: %s for %s: %s %lld -> %lld\n", f->file,
			worse ? "error" : "note", now->name, f->target, metric_info[i].key,
			(long long)a, (long long)b);
		code = exit_worse(code, worse ? EXIT_FINDINGS : EXIT_CLEAN);
	}
	return code;
}

static bool measured_target(const struct measuring *m, const char *target)
{
	array_each (&m->found, const struct measured, f) {
		if (strcmp(f->target, target) == 0 && f->result.status == MEASURE_OK) {
			return true;
		}
	}
	return false;
}

static int compare_saved(struct sbuf *out, const struct measuring *m)
{
	const char *path = m->opts->against;
	int code = EXIT_CLEAN;
	size_t compared = 0;

	array_each (&m->found, const struct measured, f) {
		for (size_t i = 0; f->result.status == MEASURE_OK && i < f->result.m.kernels; i++) {
			const struct kernel_metrics *now = &f->result.m.kernel[i];
			const struct kernel_metrics *before =
				find_kernel(m->saved, m->saved_n, f->target, now->symbol);
			if (before) {
				code = exit_worse(code, compare_kernel(out, f, before, now));
				compared++;
			} else {
				sbuf_addf(out, "%s: note: %s for %s is new\n", f->file, now->name,
					f->target);
			}
		}
	}
	for (size_t i = 0; i < m->saved_n; i++) {
		const struct measured *s = &m->saved[i];
		for (size_t k = 0; measured_target(m, s->target) && k < s->result.m.kernels; k++) {
			const struct kernel_metrics *gone = &s->result.m.kernel[k];
			if (!find_kernel(m->found.v, m->found.n, s->target, gone->symbol)) {
				msg_error("%s: %s for %s was not measured now, so it could not be "
					  "compared",
					path, gone->name, s->target);
				code = exit_worse(code, EXIT_INPUT);
			}
		}
	}
	if (compared == 0) {
		msg_error("%s: none of its kernels was measured: nothing was compared", path);
		code = EXIT_INPUT;
	}
	return code;
}

/* ---- results ---- */

static int print_results(const struct measuring *m, struct str verdicts)
{
	struct sbuf out = {0};

	if (m->opts->format == FORMAT_JSON) {
		measured_json(&out, m->found.v, m->found.n);
	} else {
		measured_text(&out, m->found.v, m->found.n);
	}
	if (m->opts->format != FORMAT_JSON && verdicts.n > 0) {
		sbuf_addf(&out, "%s%.*s", out.n ? "\n" : "", STR_ARG(verdicts));
	}
	int rc = cli_report_write(m->opts, sbuf_str(&out));
	if (m->opts->format == FORMAT_JSON && verdicts.n > 0) {
		cli_output_write("/dev/stderr", verdicts); /* JSON keeps stdout to itself */
	}
	sbuf_release(&out);
	return cli_exit(rc);
}

static int measure(struct measuring *m)
{
	const struct cli_opts *o = m->opts;
	struct sbuf verdicts = {0};
	bool go_on = false;
	int rc = cli_files_check(o);

	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_kernels_open(&m->kernels, o);
	rc = rc || !o->against ? rc : measured_load(&m->saved, &m->saved_n, m->arena, o->against);
	rc = rc ? rc : find_budgets(m);
	if (rc) {
		return cli_exit(rc);
	}
	int code = measure_files(m, &go_on);
	if (!go_on) {
		return code;
	}
	code = exit_worse(code, judge(m));
	if (o->check) {
		code = exit_worse(code, check_budgets(&verdicts, m));
	}
	if (o->against) {
		code = exit_worse(code, compare_saved(&verdicts, m));
	}
	code = exit_worse(code, print_results(m, sbuf_str(&verdicts)));
	sbuf_release(&verdicts);
	return code;
}

int cmd_measure(const struct cli_opts *opts)
{
	struct measuring m = {.opts = opts, .arena = arena_create()};

	int code = measure(&m);
	array_release(&m.found);
	array_release(&m.budgets.v);
	cli_kernels_release(&m.kernels);
	arena_free(m.arena);
	return code;
}
