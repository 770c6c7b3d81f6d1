/*
 * unphi measure --run: runs the cases of a spec on the machine code of each source, and counts the
 * instructions: by class for a wave, and by source line.
 */
#include <stdlib.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/measure/measuring.h"
#include "cli/measure/ran.h"
#include "report/form/json.h"
#include "report/form/table.h"
#include "measure/object.h"

enum {
	LINES_SHOWN = 12
};

static bool is_yaml(const char *path)
{
	return str_ends(str_of(path), ".yaml") || str_ends(str_of(path), ".yml");
}

/* Takes a spec out of the list of files. */
static int take_files(struct ran *r, const struct cli_opts *o)
{
	r->opts = *o;
	r->opts.on = ON_ISA;
	r->opts.files.v = ARENA_ARRAY(r->a, const char *, o->files.n + 1);
	r->opts.files.n = 0;
	for (size_t i = 0; i < o->files.n; i++) {
		const char *path = o->files.v[i];
		if (!is_yaml(path)) {
			r->opts.files.v[r->opts.files.n++] = path;
		} else if (r->opts.spec) {
			return fail_usage("%s: --run takes one spec, but %s is one already", path,
				r->opts.spec);
		} else {
			r->opts.spec = path;
		}
	}
	if (r->opts.files.n == 0 || object_is(r->opts.files.v[0])) {
		return fail_usage(
			"--run requires a source as the first file: it has the types of the "
			"kernels' arguments");
	}
	return 0;
}

static int read_sources(struct ran *r)
{
	int rc = 0;
	r->sources = r->opts.files.n;
	r->source = ARENA_ARRAY(r->a, struct verify_source, r->sources);
	for (size_t i = 0; rc == 0 && i < r->sources; i++) {
		const char *path = r->opts.files.v[i];
		r->source[i].path = path;
		rc = file_text(&r->source[i].text, r->a, path);
	}
	return rc;
}

static int run_all(struct ran *r)
{
	struct verify *verify;
	struct verify_run *runs;
	const struct gpu *gpu = NULL;
	int rc = cli_spec_load(&r->spec, &gpu, r->a, &r->opts);
	rc = rc ? rc : read_sources(r);
	rc = rc ? rc
		: cli_machine_open(&r->machine, r->a, &r->opts, r->source, r->sources, &r->spec);
	rc = rc ? rc : cli_verify_open(&verify, r->a, &r->spec, gpu, r->machine, &r->opts);
	rc = rc ? rc : verify_run(&runs, verify, r->source, r->sources);
	if (rc) {
		return rc;
	}
	/* cases that did not run because their launcher does not compile */
	for (size_t i = 0; i < r->sources * r->spec.n; i++) {
		if (runs[i].status == RUN_NO_COMPILE) {
			return fail_input("%s: %-s", r->source[i / r->spec.n].path, runs[i].said);
		}
	}
	r->runs = cli_machine_ran(&r->run, r->machine);
	return rc;
}

/* ---- sums ---- */

struct isa_sum ran_sum(const struct ran *r, size_t i)
{
	const struct machine_ran *m = &r->run[i];
	struct isa_sum s = {0};
	for (size_t k = 0; k < m->program.ops; k++) {
		isa_sum_add(&s, &m->program, k, &m->counts.op[k], r->run[i].of->target);
	}
	return s;
}

static int by_place(const void *x, const void *y)
{
	const struct ran_line *a = x;
	const struct ran_line *b = y;
	int c = str_cmp(a->file, b->file);
	return c ? c : (a->number > b->number) - (a->number < b->number);
}

static int by_cycles(const void *x, const void *y)
{
	uint64_t a = isa_sum_cycles(&((const struct ran_line *)x)->sum);
	uint64_t b = isa_sum_cycles(&((const struct ran_line *)y)->sum);
	return a == b ? by_place(x, y) : a < b ? 1 : -1;
}

struct ran_line *ran_lines(size_t *n, const struct ran *r, size_t i)
{
	const struct machine_ran *m = &r->run[i];
	struct ran_line *v = ARENA_ARRAY(r->a, struct ran_line, m->program.ops + 1);
	size_t k = 0;
	for (size_t op = 0; op < m->program.ops; op++) {
		const struct isa_place *at = &m->program.place[op];
		v[op] = (struct ran_line){.file = at->file, .number = at->line};
		isa_sum_add(&v[op].sum, &m->program, op, &m->counts.op[op], r->run[i].of->target);
	}
	qsort(v, m->program.ops, sizeof(*v), by_place);
	*n = 0;
	for (; k < m->program.ops; k++) {
		if (*n && by_place(&v[*n - 1], &v[k]) == 0) {
			isa_sum_join(&v[*n - 1].sum, &v[k].sum);
		} else {
			v[(*n)++] = v[k];
		}
	}
	return v;
}

struct ran_loop *ran_loops(size_t *n, const struct ran *r, size_t i)
{
	const struct machine_ran *m = &r->run[i];
	struct isa_code_loop *loop;
	size_t loops = isa_code_loops(&loop, r->a, &m->program);
	struct ran_loop *v = ARENA_ARRAY(r->a, struct ran_loop, loops + 1);
	*n = 0;
	for (size_t k = 0; k < loops; k++) {
		struct ran_loop *l = &v[*n];
		*l = (struct ran_loop){.of = loop[k]};
		/* an iteration may run several headers */
		for (size_t h = 0; h < loop[k].heads; h++) {
			uint64_t runs = m->counts.op[loop[k].head[h]].runs;
			l->iterations = runs > l->iterations ? runs : l->iterations;
		}
		span_each (loop[k].block, loop[k].blocks, const struct isa_block, in) {
			for (size_t op = in->from; op < in->to; op++) {
				isa_sum_add(&l->sum, &m->program, op, &m->counts.op[op],
					r->run[i].of->target);
			}
		}
		*n += l->iterations > 0;
	}
	return v;
}

const char *ran_loop_name(const struct ran *r, const struct ran_loop *l)
{
	const char *name = arena_printf(
		r->a, "%.*s:%u", STR_ARG(path_base(l->of.place.file)), l->of.place.line);
	return l->of.heads == 1 ? name : arena_printf(r->a, "%s (%zu entries)", name, l->of.heads);
}

/* ---- text ---- */

const char *ran_each(const struct ran *r, size_t i, uint64_t n)
{
	uint64_t waves = r->run[i].counts.waves;
	return arena_printf(
		r->a, "%llu", (unsigned long long)(waves ? (n + waves / 2) / waves : 0));
}

static void print_cases(struct sbuf *out, const struct ran *r)
{
	static const char *const heading[] = {"case", "source", ">waves", ">all", ">VALU",
		">matrix", ">SALU", ">branches", ">waits", ">global", ">flat", ">LDS", ">scratch",
		">LDS conflicts", ">global bytes", ">scratch bytes", ">issue cycles"};
	static const enum isa_class shown[] = {ISA_CLASS_VALU, ISA_CLASS_MATRIX, ISA_CLASS_SALU,
		ISA_CLASS_BRANCH, ISA_CLASS_WAIT, ISA_CLASS_GLOBAL, ISA_CLASS_FLAT, ISA_CLASS_LDS,
		ISA_CLASS_SCRATCH};
	struct table t;
	table_init(&t, sizeof(heading) / sizeof(heading[0]), heading);
	for (size_t i = 0; i < r->runs; i++) {
		const struct machine_ran *m = &r->run[i];
		if (m->status != RUN_OK) {
			continue;
		}
		struct isa_sum s = ran_sum(r, i);
		table_cell(&t, "%s", m->of->name);
		table_cell(&t, "%.*s", STR_ARG(path_base(str_of(m->source->path))));
		table_cell(&t, "%llu", (unsigned long long)m->counts.waves);
		table_cell(&t, "%s", ran_each(r, i, isa_sum_runs(&s)));
		for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
			table_cell(&t, "%s", ran_each(r, i, s.runs[shown[k]]));
		}
		table_cell(&t, "%s", ran_each(r, i, s.conflicts));
		table_cell(&t, "%s", ran_each(r, i, s.global_bytes));
		table_cell(&t, "%s", ran_each(r, i, s.scratch_bytes));
		table_cell(&t, "%s", ran_each(r, i, isa_sum_cycles(&s)));
	}
	table_print(out, &t);
	table_release(&t);
}

/* The cost of a line or a loop per wave: the last eight columns. */
static void add_costs(struct table *t, const struct ran *r, size_t i, const struct isa_sum *s)
{
	const uint64_t cost[] = {isa_sum_runs(s), s->runs[ISA_CLASS_MATRIX],
		s->runs[ISA_CLASS_BRANCH], s->runs[ISA_CLASS_WAIT], s->conflicts, s->global_bytes,
		s->scratch_bytes, isa_sum_cycles(s)};
	for (size_t k = 0; k < sizeof(cost) / sizeof(cost[0]); k++) {
		table_cell(t, "%s", ran_each(r, i, cost[k]));
	}
}

/* The lines of a run with the most issue cycles. */
static void print_lines(struct sbuf *out, const struct ran *r, size_t i)
{
	static const char *const heading[] = {"line", ">all", ">matrix", ">branches", ">waits",
		">LDS conflicts", ">global bytes", ">scratch bytes", ">issue cycles"};
	size_t n;
	struct ran_line *v = ran_lines(&n, r, i);
	struct table t;
	qsort(v, n, sizeof(*v), by_cycles);
	table_init(&t, sizeof(heading) / sizeof(heading[0]), heading);
	for (size_t k = 0; k < n && k < LINES_SHOWN; k++) {
		const struct isa_sum *s = &v[k].sum;
		struct str file = path_base(v[k].file);
		if (isa_sum_runs(s) == 0) {
			break;
		}
		if (v[k].number) {
			table_cell(&t, "%.*s:%u", STR_ARG(file), v[k].number);
		} else {
			table_cell(&t, "of no line");
		}
		add_costs(&t, r, i, s);
	}
	sbuf_addf_visible(
		out, "\n%s of %s, by line:\n", r->run[i].of->name, r->run[i].source->path);
	table_print(out, &t);
	table_release(&t);
}

/* The cost of each loop, inlined functions included. */
static void print_loops(struct sbuf *out, const struct ran *r, size_t i)
{
	static const char *const heading[] = {"loop", ">iterations", ">all", ">matrix", ">branches",
		">waits", ">LDS conflicts", ">global bytes", ">scratch bytes", ">issue cycles"};
	size_t n;
	const struct ran_loop *v = ran_loops(&n, r, i);
	struct table t;
	table_init(&t, sizeof(heading) / sizeof(heading[0]), heading);
	for (size_t k = 0; k < n; k++) {
		const struct isa_sum *s = &v[k].sum;
		table_cell(&t, "%*s%s", (int)(2 * v[k].of.depth - 2), "", ran_loop_name(r, &v[k]));
		table_cell(&t, "%s", ran_each(r, i, v[k].iterations));
		add_costs(&t, r, i, s);
	}
	if (n) {
		sbuf_addf_visible(
			out, "\n%s of %s, by loop:\n", r->run[i].of->name, r->run[i].source->path);
		table_print(out, &t);
	}
	table_release(&t);
}

static void print_text(struct sbuf *out, const struct ran *r)
{
	sbuf_adds(out, "average per wave; issue cycles count passes, they are not time\n");
	print_cases(out, r);
	for (size_t i = 0; i < r->runs; i++) {
		if (r->run[i].status == RUN_OK) {
			print_loops(out, r, i);
			print_lines(out, r, i);
		}
	}
}

/* ---- JSON ---- */

static void json_sum(struct json *j, const struct isa_sum *s)
{
	jsonw_key_i64(j, "instructions", (int64_t)isa_sum_runs(s));
	jsonw_key_i64(j, "issue_cycles", (int64_t)isa_sum_cycles(s));
	jsonw_key_i64(j, "lds_conflict_cycles", (int64_t)s->conflicts);
	jsonw_key_i64(j, "lds_bytes", (int64_t)s->lds_bytes);
	jsonw_key_i64(j, "global_bytes", (int64_t)s->global_bytes);
	jsonw_key_i64(j, "scratch_bytes", (int64_t)s->scratch_bytes);
	jsonw_key_object(j, "classes");
	for (int c = 0; c < ISA_CLASSES; c++) {
		if (s->runs[c]) {
			jsonw_key_object(j, isa_class_name[c]);
			jsonw_key_i64(j, "instructions", (int64_t)s->runs[c]);
			jsonw_key_i64(j, "issue_cycles", (int64_t)s->cycles[c]);
			jsonw_end(j);
		}
	}
	jsonw_end(j);
}

static void json_loops(struct json *j, const struct ran *r, size_t i)
{
	size_t n;
	const struct ran_loop *v = ran_loops(&n, r, i);
	jsonw_key_array(j, "loops");
	for (size_t k = 0; k < n; k++) {
		jsonw_object(j);
		jsonw_key_str(j, "file", v[k].of.place.file);
		jsonw_key_i64(j, "line", v[k].of.place.line);
		jsonw_key_i64(j, "depth", v[k].of.depth);
		jsonw_key_i64(j, "entries", (int64_t)v[k].of.heads);
		jsonw_key_i64(j, "turns", (int64_t)v[k].iterations);
		json_sum(j, &v[k].sum);
		jsonw_end(j);
	}
	jsonw_end(j);
}

static void json_run(struct json *j, const struct ran *r, size_t i)
{
	const struct machine_ran *m = &r->run[i];
	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(m->source->path));
	jsonw_key_str(j, "case", str_of(m->of->name));
	jsonw_key_str(j, "target", str_of(m->of->target->name));
	jsonw_key_str(j, "said", str_of(m->status == RUN_OK ? "" : m->said));
	if (m->status == RUN_OK) {
		struct isa_sum s = ran_sum(r, i);
		size_t n;
		struct ran_line *v = ran_lines(&n, r, i);
		jsonw_key_i64(j, "waves", (int64_t)m->counts.waves);
		json_sum(j, &s);
		jsonw_key_i64(j, "load_wait_cycles",
			(int64_t)isa_sum_waits(&m->program, &m->counts, m->of->target));
		jsonw_key_array(j, "lines");
		for (size_t k = 0; k < n; k++) {
			jsonw_object(j);
			jsonw_key_str(j, "file", v[k].file);
			jsonw_key_i64(j, "line", v[k].number);
			json_sum(j, &v[k].sum);
			jsonw_end(j);
		}
		jsonw_end(j);
		json_loops(j, r, i);
	}
	jsonw_end(j);
}

static void print_json(struct sbuf *out, const struct ran *r)
{
	struct json j = jsonw_begin(out);
	jsonw_key_str(&j, "spec", str_of(r->spec.path));
	jsonw_key_array(&j, "runs");
	for (size_t i = 0; i < r->runs; i++) {
		json_run(&j, r, i);
	}
	jsonw_finish(&j);
}

/* ---- the command ---- */

/* Reports runs that failed; they have no figures. */
static int judge(const struct ran *r)
{
	int code = r->runs ? EXIT_CLEAN : EXIT_INPUT;
	span_each (r->run, r->runs, const struct machine_ran, m) {
		if (m->status != RUN_OK) {
			msg_error("%s: %s: %-s", m->source->path, m->of->name, m->said);
			code = EXIT_INPUT;
		}
	}
	return code;
}

static int print_results(const struct ran *r)
{
	struct sbuf out = {0};
	if (r->opts.format == FORMAT_JSON) {
		print_json(&out, r);
	} else if (r->opts.format == FORMAT_HTML) {
		ran_html(&out, r);
	} else {
		print_text(&out, r);
	}
	int rc = cli_report_write(&r->opts, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

static int check_options(const struct cli_opts *o)
{
	bool shown = o->format <= FORMAT_JSON || o->format == FORMAT_HTML;
	if (o->check || o->against || !shown) {
		return fail_usage("--run takes --format text, json or html, and cannot be used "
				  "with --check or --against");
	}
	return 0;
}

int measure_ran(const struct cli_opts *o)
{
	struct ran r = {.a = arena_create()};
	int rc = check_options(o);
	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : take_files(&r, o);
	rc = rc ? rc : cli_files_check(&r.opts);
	rc = rc ? rc : run_all(&r);
	int code = rc ? cli_exit(rc) : judge(&r);
	code = rc ? code : exit_worse(code, cli_exit(print_results(&r)));
	cli_machine_close(r.machine);
	arena_free(r.a);
	return code;
}
