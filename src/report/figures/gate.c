#include "report/figures/gate.h"

#include <string.h>

#include "base/msglog_list.h"
#include "report/form/escape.h"

enum {
	ROWS_MAX = 100 /* of a table in a comment: hosts of pull requests cut long comments */
};

unsigned gate_alike(const struct measured *a, const struct measured *b)
{
	if (!a->compiler || !b->compiler) {
		return a->compiler == b->compiler ? 3 : 0;
	}
	bool version = text_cmp(a->compiler->version, b->compiler->version) == 0;
	return 2 * (strcmp(a->compiler->path, b->compiler->path) == 0) + version;
}

/* Does a current measurement have a compiler like that of this earlier one? */
static bool was_measured_again(const struct gate_sides *g, const struct measured *saved)
{
	for (size_t i = 0; i < g->found_n; i++) {
		if (gate_alike(&g->found[i], saved) > 0) {
			return true;
		}
	}
	return false;
}

const struct measured *gate_before(
	const struct gate_sides *g, const struct measured *now, const char *symbol)
{
	enum {
		/* the file counts more than the compiler: a header's kernel is in many files */
		FILE_ALIKE = 4,
		CANDIDATE = 1,
		BEST = CANDIDATE + FILE_ALIKE + 3
	};
	const struct measured *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; i < g->saved_n && most < BEST; i++) {
		const struct measured *s = &g->saved[i];
		unsigned alike = gate_alike(s, now);
		unsigned score =
			CANDIDATE + alike + (strcmp(s->file, now->file) == 0 ? FILE_ALIKE : 0);
		if (strcmp(s->target, now->target) == 0 && score > most &&
			(!symbol || measurement_kernel(&s->result.m, symbol)) &&
			(alike > 0 || !was_measured_again(g, s))) {
			best = s;
			most = score;
		}
	}
	return best;
}

bool gate_is_bad(const struct gate_line *l)
{
	return l->kind == GATE_BUDGET || l->kind == GATE_WORSE;
}

/* Adds the figure or the change, without kernel and place. */
static void add_why(struct sbuf *out, const struct gate_line *l)
{
	const char *key = metric_info[l->metric].key;

	switch (l->kind) {
	case GATE_BUDGET:
		sbuf_addf_visible(out, "%s is %lld, over the budget %.*s", key, (long long)l->after,
			STR_ARG(l->limit));
		return;
	case GATE_WORSE:
	case GATE_CHANGED:
		sbuf_addf_visible(
			out, "%s %lld -> %lld", key, (long long)l->before, (long long)l->after);
		return;
	case GATE_CAUSE:
		sbuf_addf_visible(out, "%s", l->was);
		return;
	case GATE_NEW:
		sbuf_adds(out, "is new");
		return;
	case GATE_GONE:
		sbuf_adds(out, "is gone");
		return;
	case GATE_RENAMED:
		sbuf_addf_visible(out, "was %s", l->was);
		return;
	}
}

static bool has_figures(const struct gate_line *l)
{
	return l->kind == GATE_BUDGET || l->kind == GATE_WORSE || l->kind == GATE_CHANGED;
}

/* ", hipcc (clang 15) -> clang++-19 (clang 19)", or ", hipcc (clang 15)" */
static void add_compilers(struct sbuf *out, const struct gate_line *l)
{
	struct sbuf before = {0}, now = {0};

	if (l->by) {
		compiler_name(&before, l->before_by ? l->before_by : l->by);
		compiler_name(&now, l->by);
		bool same = str_eq(sbuf_str(&before), sbuf_str(&now));
		sbuf_addf_visible(out, ", %s%s%s", same ? "" : sbuf_cstr(&before),
			same ? "" : " -> ", sbuf_cstr(&now));
	}
	sbuf_release(&before);
	sbuf_release(&now);
}

void gate_sentence(struct sbuf *out, const struct gate_line *l)
{
	sbuf_addf_visible(out, "%s for %s", l->kernel, l->target);
	add_compilers(out, l);
	sbuf_adds(out, has_figures(l) || l->kind == GATE_CAUSE ? ": " : " ");
	add_why(out, l);
}

void gate_text(struct sbuf *out, const struct gate *g)
{
	array_each (&g->v, const struct gate_line, l) {
		if (l->kind == GATE_BUDGET) {
			sbuf_addf_visible(out, "%s:%u: ", l->place, l->line);
		} else {
			sbuf_addf_visible(out, "%s: ", l->file);
		}
		sbuf_addf_visible(out, "%s: ", gate_is_bad(l) ? "error" : "note");
		gate_sentence(out, l);
		sbuf_addc(out, '\n');
	}
}

/* ---- JUnit ---- */

static void add_attribute(struct sbuf *out, const char *name, const char *value)
{
	sbuf_addf_visible(out, " %s=\"", name);
	escape_xml(out, str_of(value));
	sbuf_addc(out, '"');
}

static bool is_of(
	const struct gate_line *l, const struct measured *m, const struct kernel_metrics *k)
{
	return strcmp(l->file, m->file) == 0 && strcmp(l->target, m->target) == 0 &&
	       strcmp(l->kernel, k->name) == 0 && (!l->by || l->by == m->compiler);
}

struct counts {
	size_t tests, failures, errors;
};

static void begin_case(struct sbuf *out, const struct measured *m, const char *name)
{
	sbuf_adds(out, "    <testcase");
	add_attribute(out, "classname", m->file);
	sbuf_adds(out, " name=\"");
	escape_xml(out, str_of(name));
	sbuf_adds(out, " (");
	escape_xml(out, str_of(m->target));
	sbuf_adds(out, ")\"");
}

static void add_element(struct sbuf *out, const char *name, const char *type, const char *message)
{
	sbuf_addf_visible(out, "      <%s", name);
	add_attribute(out, "type", type);
	add_attribute(out, "message", message);
	sbuf_adds(out, "/>\n");
}

static void kernel_case(struct sbuf *out, struct counts *n, const struct measured *m,
	const struct kernel_metrics *k, const struct gate *g)
{
	struct sbuf bad = {0}, why = {0};

	array_each (&g->v, const struct gate_line, l) {
		if (gate_is_bad(l) && is_of(l, m, k)) {
			sbuf_adds(&why, why.n ? "; " : "");
			add_why(&why, l);
		}
	}
	if (why.n > 0) {
		add_element(&bad, "failure", "regression", sbuf_cstr(&why));
		n->failures++;
	} else if (!k->trusted) {
		add_element(&bad, "error", "not-trusted", k->why ? k->why : "not trusted");
		n->errors++;
	}
	n->tests++;
	begin_case(out, m, k->name);
	sbuf_addf(out, bad.n ? ">\n%s    </testcase>\n" : "/>\n%s", sbuf_cstr(&bad));
	sbuf_release(&why);
	sbuf_release(&bad);
}

static void failed_case(struct sbuf *out, struct counts *n, const struct measured *m)
{
	const char *said = m->result.diagnostics;

	n->tests++;
	n->errors++;
	begin_case(out, m, "compile");
	sbuf_adds(out, ">\n");
	add_element(out, "error", measured_status_word(m->result.status), said ? said : "");
	sbuf_adds(out, "    </testcase>\n");
}

static void add_counts(struct sbuf *out, const struct counts *n)
{
	sbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", n->tests, n->failures,
		n->errors);
}

/* The measurements of one file, from index first; returns the index after them. */
static size_t file_suite(struct sbuf *out, struct counts *all, const struct measured *v, size_t n,
	size_t first, const struct gate *g)
{
	struct counts mine = {0};
	struct sbuf cases = {0};
	size_t i = first;

	for (; i < n && strcmp(v[i].file, v[first].file) == 0; i++) {
		bool ok = v[i].result.status == MEASURE_OK;
		for (size_t k = 0; ok && k < v[i].result.m.kernels; k++) {
			kernel_case(&cases, &mine, &v[i], &v[i].result.m.kernel[k], g);
		}
		if (!ok) {
			failed_case(&cases, &mine, &v[i]);
		}
	}
	sbuf_adds(out, "  <testsuite");
	add_attribute(out, "name", v[first].file);
	add_counts(out, &mine);
	sbuf_addf(out, ">\n%s  </testsuite>\n", sbuf_cstr(&cases));
	all->tests += mine.tests;
	all->failures += mine.failures;
	all->errors += mine.errors;
	sbuf_release(&cases);
	return i;
}

/* Does the test case of a kernel or a compile have the error already? True for warnings, too. */
static bool is_reported(const struct msglog_entry *s, const struct measured *v, size_t n)
{
	bool reported = !s->error;

	for (size_t i = 0; i < n && s->file && !reported; i++) {
		bool bad = v[i].result.status != MEASURE_OK;
		for (size_t k = 0; !bad && k < v[i].result.m.kernels; k++) {
			bad = !v[i].result.m.kernel[k].trusted;
		}
		reported = bad && strcmp(v[i].file, s->file) == 0;
	}
	return reported;
}

/* The errors of the run that no measurement reports, such as a missing file. */
static size_t other_errors(
	struct msglog_entry **out, struct arena *a, const struct measured *v, size_t n)
{
	size_t all = msglog_list(out, a), kept = 0;

	for (size_t i = 0; i < all; i++) {
		if (!is_reported(&(*out)[i], v, n)) {
			(*out)[kept++] = (*out)[i];
		}
	}
	return kept;
}

static void errors_suite(struct sbuf *out, struct counts *all, const struct measured *v, size_t n)
{
	struct arena *a = arena_create();
	struct msglog_entry *s;
	size_t errors = other_errors(&s, a, v, n);

	if (errors > 0) {
		sbuf_addf(out,
			"  <testsuite name=\"unphi\" tests=\"%zu\" failures=\"0\" "
			"errors=\"%zu\">\n",
			errors, errors);
	}
	for (size_t i = 0; i < errors; i++) {
		sbuf_adds(out, "    <testcase classname=\"unphi\"");
		add_attribute(out, "name", s[i].file ? s[i].file : "run");
		sbuf_adds(out, ">\n");
		add_element(out, "error", "not-measured", s[i].text);
		sbuf_adds(out, "    </testcase>\n");
	}
	sbuf_adds(out, errors > 0 ? "  </testsuite>\n" : "");
	all->tests += errors;
	all->errors += errors;
	arena_free(a);
}

void gate_junit(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g)
{
	struct counts all = {0};
	struct sbuf suites = {0};

	for (size_t i = 0; i < n;) {
		i = file_suite(&suites, &all, v, n, i, g);
	}
	errors_suite(&suites, &all, v, n);
	sbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"unphi "
		       "measure\"");
	add_counts(out, &all);
	sbuf_addf(out, ">\n%s</testsuites>\n", sbuf_cstr(&suites));
	sbuf_release(&suites);
}

/* ---- Markdown ---- */

/* Adds text as code in a cell of a table. */
static void add_code(struct sbuf *out, const char *s)
{
	sbuf_addc(out, '`');
	for (; *s; s++) {
		if (*s == '|') {
			sbuf_adds(out, "\\|");
		} else if (*s == '`' || (unsigned char)*s < ' ') {
			sbuf_addc(out, '?');
		} else {
			sbuf_addc(out, *s);
		}
	}
	sbuf_addc(out, '`');
}

static void add_row(struct sbuf *out, const struct gate_line *l)
{
	sbuf_adds(out, "| ");
	add_code(out, l->kernel);
	sbuf_addf_visible(out, " | %s", l->target);
	add_compilers(out, l);
	sbuf_addf_visible(out, " | %s | ", metric_info[l->metric].title);
	if (l->kind == GATE_BUDGET) {
		sbuf_addf(out, " | %lld | over the budget ", (long long)l->after);
		sbuf_addf_visible(out, "`%.*s` of ", STR_ARG(l->limit));
		add_code(out, l->place);
		sbuf_addf(out, ", line %u |\n", l->line);
	} else {
		sbuf_addf_visible(out, "%lld | %lld | %s", (long long)l->before,
			(long long)l->after, l->kind == GATE_WORSE ? "worse, in " : "in ");
		add_code(out, l->file);
		sbuf_adds(out, " |\n");
	}
}

/* A table of the bad figures, or of those that only changed. */
static void add_table(struct sbuf *out, const struct gate *g, bool bad)
{
	size_t rows = 0;

	array_each (&g->v, const struct gate_line, l) {
		if (!has_figures(l) || gate_is_bad(l) != bad) {
			continue;
		}
		if (rows == 0) {
			sbuf_adds(out, "| kernel | target | figure | before | after | why |\n"
				       "|---|---|---|--:|--:|---|\n");
		}
		if (rows++ < ROWS_MAX) {
			add_row(out, l);
		}
	}
	if (rows > ROWS_MAX) {
		sbuf_addf(out, "\n%zu more rows are left out.\n", rows - ROWS_MAX);
	}
}

static size_t count(const struct gate *g, enum gate_kind first, enum gate_kind last)
{
	size_t n = 0;

	array_each (&g->v, const struct gate_line, l) {
		n += l->kind >= first && l->kind <= last;
	}
	return n;
}

/* The causes of the worse figures. */
static void add_causes(struct sbuf *out, const struct gate *g)
{
	size_t n = 0;

	array_each (&g->v, const struct gate_line, l) {
		if (l->kind == GATE_CAUSE && n++ < ROWS_MAX) {
			sbuf_adds(out, n == 1 ? "\n- " : "- ");
			add_code(out, l->kernel);
			sbuf_addf_visible(out, " for %s: ", l->target);
			add_code(out, l->was);
			sbuf_addc(out, '\n');
		}
	}
}

static void add_names(struct sbuf *out, const struct gate *g)
{
	size_t n = 0;

	array_each (&g->v, const struct gate_line, l) {
		if (l->kind >= GATE_NEW && n++ < ROWS_MAX) {
			sbuf_adds(out, n == 1 ? "\n- " : "- ");
			add_code(out, l->kernel);
			sbuf_addf_visible(out, " for %s", l->target);
			add_compilers(out, l);
			sbuf_addc(out, ' ');
			if (l->kind == GATE_RENAMED) {
				sbuf_adds(out, "was ");
				add_code(out, l->was);
			} else {
				sbuf_adds(out, l->kind == GATE_NEW ? "is new" : "is gone");
			}
			sbuf_addc(out, '\n');
		}
	}
}

static void add_failed(struct sbuf *out, const struct measured *v, size_t n,
	const struct msglog_entry *s, size_t errors)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].result.status != MEASURE_OK) {
			sbuf_adds(out, "\n**Not measured:** ");
			add_code(out, v[i].file);
			sbuf_addf_visible(out, " for %s (%s)\n", v[i].target,
				measured_status_word(v[i].result.status));
		}
	}
	for (size_t i = 0; i < errors; i++) {
		sbuf_adds(out, "\n**Error:** ");
		if (s[i].file) {
			add_code(out, s[i].file);
			sbuf_adds(out, ": ");
		}
		add_code(out, s[i].text);
		sbuf_addc(out, '\n');
	}
}

void gate_markdown(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g)
{
	size_t bad = count(g, GATE_BUDGET, GATE_WORSE), kernels = 0;
	size_t changed = count(g, GATE_CHANGED, GATE_CHANGED);
	struct arena *a = arena_create();
	struct msglog_entry *s;
	size_t errors = other_errors(&s, a, v, n);
	bool all = errors == 0;

	for (size_t i = 0; i < n; i++) {
		bool ok = v[i].result.status == MEASURE_OK;
		kernels += ok ? v[i].result.m.kernels : 0;
		all = all && ok;
	}
	sbuf_addf_visible(out, "### unphi: %zu figure%s of %zu kernel%s %s\n", bad,
		bad == 1 ? "" : "s", kernels, kernels == 1 ? "" : "s",
		bad == 0 && all ? "worse or over a budget: nothing to do"
		: all		? "worse or over a budget"
				: "worse or over a budget; some files were not measured");
	sbuf_adds(out, bad ? "\n" : "");
	add_table(out, g, true);
	add_causes(out, g);
	add_failed(out, v, n, s, errors);
	if (changed) {
		sbuf_addf_visible(out,
			"\n<details><summary>%zu other figure%s changed</summary>\n\n", changed,
			changed == 1 ? "" : "s");
		add_table(out, g, false);
		sbuf_adds(out, "\n</details>\n");
	}
	add_names(out, g);
	arena_free(a);
}
