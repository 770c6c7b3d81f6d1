#include "report/figures/measured.h"

#include <stdlib.h>
#include <string.h>

#include "report/form/json.h"
#include "report/form/table.h"

/* The metrics that fit in a table, with short headings; JSON has every metric. */
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
	TABLE_COLUMNS =
		TABLE_METRICS + 4, /* kernel, target, compiler, and the limit of the waves */
};

const char *measured_status_word(enum measure_status s)
{
	static const char *const word[] = {
		[MEASURE_OK] = "ok",
		[MEASURE_COMPILE_ERROR] = "compile-error",
		[MEASURE_TIMEOUT] = "timeout",
		[MEASURE_CRASH] = "crash",
		[MEASURE_UNREADABLE] = "unreadable",
	};
	return word[s];
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
	const char *target;
	const struct compiler *compiler;
	size_t order; /* index of the measurement */
};

/* By name, with numbers by value ("<4>" before "<12>"); then in the order of the measurements. */
static int row_cmp(const void *x, const void *y)
{
	const struct row *a = x;
	const struct row *b = y;
	int order = strverscmp(a->kernel->name, b->kernel->name);

	if (order == 0) {
		order = strcmp(a->kernel->symbol, b->kernel->symbol);
	}
	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void add_row(struct table *t, const struct row *row, bool compilers)
{
	const struct kernel_metrics *k = row->kernel;

	table_cell(t, "%s%s", k->name, k->trusted ? "" : " (not trusted)");
	table_cell(t, "%s", row->target);
	if (compilers) {
		struct sbuf name = {0};
		compiler_name(&name, row->compiler);
		table_cell(t, "%s", sbuf_cstr(&name));
		sbuf_release(&name);
	}
	for (size_t i = 0; i < TABLE_METRICS; i++) {
		cell_metric(t, k->v[columns[i].metric]);
	}
	table_cell(t, "%s", has_limiter(k) ? occ_limit_name(k->limiter) : "");
}

/* Do neighbouring rows have the same target by two compilers? */
static bool has_several(const struct row *row, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (row[i].compiler && row[i - 1].compiler &&
			strcmp(row[i].target, row[i - 1].target) == 0 &&
			strcmp(row[i].compiler->path, row[i - 1].compiler->path) != 0) {
			return true;
		}
	}
	return false;
}

static void print_rows(struct sbuf *out, const struct row *row, size_t n)
{
	const char *heading[TABLE_COLUMNS] = {"kernel", "target", "compiler"};
	bool compilers = has_several(row, n);
	size_t first = compilers ? 3 : 2;
	struct table t;

	for (size_t i = 0; i < TABLE_METRICS; i++) {
		heading[first + i] = columns[i].heading;
	}
	heading[first + TABLE_METRICS] = "limited by";
	table_init(&t, first + TABLE_METRICS + 1, heading);
	for (size_t i = 0; i < n; i++) {
		add_row(&t, &row[i], compilers);
	}
	table_print(out, &t);
	table_release(&t);
}

/* The measurements of one file, from index first; returns the index after them. */
static size_t print_file(struct sbuf *out, const struct measured *v, size_t n, size_t first)
{
	ARRAY(struct row) rows = {0};
	size_t i = first;
	bool linked = false;

	for (; i < n && strcmp(v[i].file, v[first].file) == 0; i++) {
		linked |= v[i].result.m.linked;
		for (size_t k = 0; v[i].result.status == MEASURE_OK && k < v[i].result.m.kernels;
			k++) {
			array_push(&rows, (struct row){&v[i].result.m.kernel[k], v[i].target,
						  v[i].compiler, i});
		}
	}
	if (rows.n > 0) {
		qsort(rows.v, rows.n, sizeof(struct row), row_cmp);
		sbuf_addf_visible(out, "%-s%s%s:\n", out->n ? "\n" : "", v[first].file,
			linked ? ", as linked for the device" : "");
		print_rows(out, rows.v, rows.n);
	}
	array_release(&rows);
	return i;
}

void measured_text(struct sbuf *out, const struct measured *v, size_t n)
{
	for (size_t i = 0; i < n;) {
		i = print_file(out, v, n, i);
	}
}

static void json_kernel(struct json *j, const struct kernel_metrics *k)
{
	jsonw_object(j);
	jsonw_key_text(j, "name", k->name);
	jsonw_key_text(j, "symbol", k->symbol);
	jsonw_key_bool(j, "trusted", k->trusted);
	if (k->line > 0) {
		jsonw_key_i64(j, "line", k->line);
	}
	jsonw_key_text(j, "why", k->why);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		jsonw_key_known(j, metric_info[i].key, k->v[i], k->v[i] != METRIC_ABSENT);
	}
	jsonw_key_text(j, "limiter", has_limiter(k) ? occ_limit_name(k->limiter) : NULL);
	jsonw_end(j);
}

static void json_result(struct json *j, const struct measured *m)
{
	bool ok = m->result.status == MEASURE_OK;

	jsonw_object(j);
	jsonw_key_text(j, "file", m->file);
	jsonw_key_text(j, "target", m->target);
	if (jsonw_key_object_if(j, "compiler", m->compiler)) {
		jsonw_key_text(j, "path", m->compiler->path);
		jsonw_key_text(j, "version", m->compiler->version);
		jsonw_end(j);
	}
	jsonw_key_text(j, "status", measured_status_word(m->result.status));
	jsonw_key_text(j, "measured",
		!ok		     ? NULL
		: m->result.m.linked ? "linked code"
		: m->compiler	     ? "compiler's assembly"
				     : "file");
	const char *said = m->result.diagnostics;
	jsonw_key_text(j, "diagnostics", said && *said ? said : NULL);
	jsonw_key_array(j, "kernels");
	for (size_t i = 0; ok && i < m->result.m.kernels; i++) {
		json_kernel(j, &m->result.m.kernel[i]);
	}
	jsonw_end(j);
	jsonw_end(j);
}

void measured_json(struct sbuf *out, const struct measured *v, size_t n)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "measurements");
	for (size_t i = 0; i < n; i++) {
		json_result(&j, &v[i]);
	}
	jsonw_finish(&j);
}
