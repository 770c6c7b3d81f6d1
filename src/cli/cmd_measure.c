/*
 * unphi measure: every file is compiled for every target, and the compiler's output says what each
 * kernel costs. Figures of kernels that cannot be trusted are shown, flagged, and make the exit
 * code EXIT_INPUT, as a compile that failed does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "measure/compiler.h"
#include "measure/measure.h"
#include "report/json.h"
#include "report/table.h"

struct measuring {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct compiler *compiler;     /* one a target */
	struct measure_result *result; /* file by file, target by target */
	size_t results;
};

/* What fits in a table that people read, with names as short; JSON has every metric. */
static const struct {
	enum metric metric;
	const char *heading;
} columns[] = {
	{METRIC_VGPR, ">VGPRs"},
	{METRIC_ACC_VGPR, ">acc"},
	{METRIC_VGPR_SPILL, ">spills"},
	{METRIC_SCRATCH, ">scratch"},
	{METRIC_REGISTER_WAVES, ">reg waves"},
	{METRIC_RESIDENT_WAVES, ">waves"},
	{METRIC_MATRIX_OP, ">matrix"},
	{METRIC_FMA, ">FMA"},
	{METRIC_COPY, ">copies"},
	{METRIC_INSTRUCTION, ">instrs"},
	{METRIC_WIDE_PHI, ">phis"},
};

enum {
	TABLE_METRICS = sizeof(columns) / sizeof(columns[0]),
	TABLE_COLUMNS = TABLE_METRICS + 3, /* kernel, target, and what limits the waves */
};

static const struct measure_result *result_at(const struct measuring *m, size_t file, size_t target)
{
	return &m->result[file * m->targets.n + target];
}

static int find_compilers(struct measuring *m)
{
	m->compiler = ARENA_ARRAY(m->arena, struct compiler, m->targets.n);
	for (size_t i = 0; i < m->targets.n; i++) {
		const char *target = m->targets.v[i]->name;
		int rc = compiler_find(&m->compiler[i], m->arena, m->opts->compiler, target);
		if (rc) {
			return rc;
		}
		msg_note("compiler for %s: %s (%s)", target, m->compiler[i].path,
			m->compiler[i].version);
	}
	return 0;
}

static void compile_all(struct measuring *m)
{
	const struct cli_opts *o = m->opts;
	size_t n = o->files.n * m->targets.n;
	struct measure_job *job = ARENA_ARRAY(m->arena, struct measure_job, n);

	for (size_t i = 0; i < n; i++) {
		const char *file = o->files.v[i / m->targets.n];
		job[i] = (struct measure_job){
			.compiler = &m->compiler[i % m->targets.n],
			.target = m->targets.v[i % m->targets.n],
			.path = file,
			.shown = file,
			.flags = m->targets.flags,
			.time_limit_s = o->time_limit_s,
			.want_ir = true,
		};
	}
	m->results = n;
	m->result = ARENA_ARRAY(m->arena, struct measure_result, n);
	measure_run(m->result, m->arena, job, n, o->jobs);
}

static const char *status_word(enum measure_status s)
{
	switch (s) {
	case MEASURE_OK:
		return "ok";
	case MEASURE_COMPILE_ERROR:
		return "compile-error";
	case MEASURE_TIMEOUT:
		return "timeout";
	case MEASURE_CRASH:
		return "crash";
	case MEASURE_UNREADABLE:
		return "unreadable";
	}
	BUG("%d is no measure_status", (int)s);
}

/* Says what is wrong with one result, other than that it did not compile, which measure_run said.
 */
static int judge_result(const struct measure_result *r, const char *file, const char *target)
{
	int rc = 0;

	if (r->status != MEASURE_OK) {
		return FAIL_INPUT;
	}
	if (r->m.kernels == 0) {
		msg_error("%s: no kernel for %s: nothing was measured", file, target);
		return FAIL_INPUT;
	}
	for (size_t i = 0; i < r->m.kernels; i++) {
		const struct kernel_metrics *k = &r->m.kernel[i];
		if (!k->trusted) {
			msg_error("%s: the figures of %s for %s are not trusted: %s", file, k->name,
				target, k->why);
			rc = FAIL_INPUT;
		}
	}
	return rc;
}

static int judge(const struct measuring *m)
{
	int rc = 0;

	for (size_t i = 0; i < m->results; i++) {
		const char *file = m->opts->files.v[i / m->targets.n];
		const char *target = m->targets.v[i % m->targets.n]->name;
		if (judge_result(&m->result[i], file, target)) {
			rc = FAIL_INPUT;
		}
	}
	return rc;
}

static void cell_metric(struct table *t, int64_t v)
{
	if (v == METRIC_ABSENT) {
		table_cell(t, "%s", "");
	} else {
		table_cell(t, "%lld", (long long)v);
	}
}

static bool has_limiter(const struct kernel_metrics *k)
{
	return k->v[METRIC_RESIDENT_WAVES] != METRIC_ABSENT;
}

struct row {
	const struct kernel_metrics *kernel;
	const struct measuring *m;
	size_t target;
};

/* By name, as people count ("<4>" before "<12>"), the targets of a kernel below each other. */
static int row_cmp(const void *x, const void *y)
{
	const struct row *a = x;
	const struct row *b = y;
	int order = strverscmp(a->kernel->name, b->kernel->name);

	if (order == 0) {
		order = strcmp(a->kernel->symbol, b->kernel->symbol);
	}
	return order ? order : (a->target > b->target) - (a->target < b->target);
}

static void add_row(struct table *t, const struct row *row)
{
	const struct kernel_metrics *k = row->kernel;

	table_cell(t, "%s%s", k->name, k->trusted ? "" : " (not trusted)");
	table_cell(t, "%s", row->m->targets.v[row->target]->name);
	for (size_t i = 0; i < TABLE_METRICS; i++) {
		cell_metric(t, k->v[columns[i].metric]);
	}
	table_cell(t, "%s", has_limiter(k) ? occ_limit_name(k->limiter) : "");
}

static void print_rows(struct sbuf *out, const struct row *row, size_t n)
{
	const char *heading[TABLE_COLUMNS] = {"kernel", "target"};
	struct table t;

	for (size_t i = 0; i < TABLE_METRICS; i++) {
		heading[2 + i] = columns[i].heading;
	}
	heading[TABLE_COLUMNS - 1] = "limited by";
	table_init(&t, TABLE_COLUMNS, heading);
	for (size_t i = 0; i < n; i++) {
		add_row(&t, &row[i]);
	}
	table_print(out, &t);
	table_release(&t);
}

static void print_file(struct sbuf *out, const struct measuring *m, size_t file)
{
	struct {
		ARRAY(struct row) v;
	} rows = {0};

	for (size_t i = 0; i < m->targets.n; i++) {
		const struct measure_result *r = result_at(m, file, i);
		for (size_t k = 0; r->status == MEASURE_OK && k < r->m.kernels; k++) {
			array_push(&rows.v, (struct row){&r->m.kernel[k], m, i});
		}
	}
	if (rows.v.n > 0) {
		qsort(rows.v.v, rows.v.n, sizeof(struct row), row_cmp);
		sbuf_addf(out, "%s%s:\n", out->n ? "\n" : "", m->opts->files.v[file]);
		print_rows(out, rows.v.v, rows.v.n);
	}
	array_release(&rows.v);
}

static void print_text(struct sbuf *out, const struct measuring *m)
{
	for (size_t i = 0; i < m->opts->files.n; i++) {
		print_file(out, m, i);
	}
}

static void json_text(struct json *j, const char *key, const char *text)
{
	if (text) {
		jsonw_key_str(j, key, str_of(text));
	} else {
		jsonw_key(j, key);
		jsonw_null(j);
	}
}

static void json_kernel(struct json *j, const struct kernel_metrics *k)
{
	jsonw_object(j);
	json_text(j, "name", k->name);
	json_text(j, "symbol", k->symbol);
	jsonw_key_bool(j, "trusted", k->trusted);
	json_text(j, "why", k->why);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		jsonw_key(j, metric_info[i].key);
		if (k->v[i] == METRIC_ABSENT) {
			jsonw_null(j);
		} else {
			jsonw_i64(j, k->v[i]);
		}
	}
	json_text(j, "limiter", has_limiter(k) ? occ_limit_name(k->limiter) : NULL);
	jsonw_end(j);
}

static void json_result(struct json *j, const struct measuring *m, size_t file, size_t target)
{
	const struct measure_result *r = result_at(m, file, target);
	const struct compiler *c = &m->compiler[target];
	bool ok = r->status == MEASURE_OK;

	jsonw_object(j);
	json_text(j, "file", m->opts->files.v[file]);
	json_text(j, "target", m->targets.v[target]->name);
	jsonw_key(j, "compiler");
	jsonw_object(j);
	json_text(j, "path", c->path);
	json_text(j, "version", c->version);
	jsonw_end(j);
	json_text(j, "status", status_word(r->status));
	json_text(j, "diagnostics", r->diagnostics && *r->diagnostics ? r->diagnostics : NULL);
	jsonw_key(j, "kernels");
	jsonw_array(j);
	for (size_t i = 0; ok && i < r->m.kernels; i++) {
		json_kernel(j, &r->m.kernel[i]);
	}
	jsonw_end(j);
	jsonw_end(j);
}

static void print_json(struct sbuf *out, const struct measuring *m)
{
	struct json j;

	jsonw_init(&j, out);
	jsonw_object(&j);
	jsonw_key_i64(&j, "version", 1);
	jsonw_key(&j, "measurements");
	jsonw_array(&j);
	for (size_t i = 0; i < m->results; i++) {
		json_result(&j, m, i / m->targets.n, i % m->targets.n);
	}
	jsonw_end(&j);
	jsonw_end(&j);
	jsonw_finish(&j);
}

static int print_results(const struct measuring *m)
{
	struct sbuf out = {0};

	if (m->opts->format == FORMAT_JSON) {
		print_json(&out, m);
	} else {
		print_text(&out, m);
	}
	int rc = cli_output_write(m->opts->report, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

static int measure(struct measuring *m)
{
	int rc = cli_files_check(m->opts);
	if (!rc) {
		rc = cli_output_check(m->opts, m->opts->report);
	}
	if (!rc) {
		rc = cli_targets_find(&m->targets, m->arena, m->opts);
	}
	if (!rc) {
		rc = find_compilers(m);
	}
	if (rc) {
		return cli_exit(rc);
	}
	compile_all(m);
	int code = cli_exit(print_results(m));
	return exit_worse(code, cli_exit(judge(m)));
}

int cmd_measure(const struct cli_opts *opts)
{
	struct measuring m = {.opts = opts, .arena = arena_create()};

	int code = measure(&m);
	arena_free(m.arena);
	return code;
}
