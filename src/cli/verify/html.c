/*
 * Results of verify as a page, made from the JSON of a file's run or of a project's parts: a row
 * per case, the differences and the lanes that wrote them, arms that never ran, and the diff.
 */
#include <jansson.h>
#include <string.h>

#include "cli/verify/verifying.h"
#include "report/form/escape.h"
#include "report/form/json.h"
#include "report/form/page.h"

static long long number(const json_t *of, const char *key)
{
	return (long long)json_integer_value(json_object_get(of, key));
}

static const char *outcome(const json_t *result)
{
	return json_text(result, "outcome");
}

static bool is_equal(const json_t *result)
{
	return strcmp(outcome(result), "equal") == 0;
}

static const char *verdict(const json_t *result)
{
	return json_text(json_object_get(result, "all_data"), "verdict");
}

static double median(const json_t *result, const char *key)
{
	return json_real_value(json_object_get(json_object_get(result, key), "median"));
}

static void add_cell(struct sbuf *out, const char *class, const char *text)
{
	sbuf_addf(out, class ? "<td class=%s>" : "<td>", class);
	escape_xml(out, str_of(text));
}

/* ---- a row per case ---- */

static bool is_alike(const json_t *x, const json_t *y)
{
	return is_equal(x) && is_equal(y) && number(x, "values") == number(y, "values") &&
	       strcmp(json_text(x, "target"), json_text(y, "target")) == 0 &&
	       strcmp(json_text(x, "file"), json_text(y, "file")) == 0 &&
	       strcmp(verdict(x), verdict(y)) == 0 && median(x, "milliseconds_after") == 0;
}

static void add_names(struct sbuf *out, const json_t *results, size_t from, size_t n)
{
	sbuf_adds(out, "<tr><td>");
	page_rows_open(out, n);
	for (size_t i = 0; i < n; i++) {
		page_rows_next(out, i, n);
		sbuf_adds(out, "<code>");
		escape_xml(out, str_of(json_text(json_array_get(results, from + i), "case")));
		sbuf_adds(out, "</code>");
	}
	page_rows_close(out, n);
}

static void add_row(struct sbuf *out, const json_t *r)
{
	double before = median(r, "milliseconds_before"), after = median(r, "milliseconds_after");
	add_cell(out, NULL, json_text(r, "target"));
	add_cell(out, NULL, json_text(r, "file"));
	add_cell(out, is_equal(r) ? "add" : "del", outcome(r));
	sbuf_addf(out, "<td class=n>%lld<td class=n>%lld", number(r, "values"),
		number(r, "differing"));
	add_cell(out, NULL, verdict(r));
	sbuf_addf(out, before > 0 ? "<td class=n>%.4g to %.4g" : "<td>", before, after);
	sbuf_adds(out, "</tr>\n");
}

static void add_cases(struct sbuf *out, const json_t *results)
{
	static const char *const titles[] = {"case", "target", "compared with the original",
		"outcome", "values", "that differ", "for all data", "milliseconds"};
	page_table(out, titles, sizeof(titles) / sizeof(titles[0]));
	for (size_t i = 0, alike; i < json_array_size(results); i += alike) {
		const json_t *r = json_array_get(results, i);
		for (alike = 1; i + alike < json_array_size(results) &&
				is_alike(r, json_array_get(results, i + alike));) {
			alike++;
		}
		alike = alike < PAGE_ALIKE ? 1 : alike;
		add_names(out, results, i, alike);
		add_row(out, r);
	}
	page_table_end(out);
}

/* ---- differences ---- */

static void add_three(struct sbuf *out, const json_t *of, const char *key)
{
	const json_t *v = json_object_get(of, key);
	sbuf_addf(out, "%s (", key);
	for (size_t i = 0; i < 3; i++) {
		sbuf_addf(out, "%s%lld", i ? "," : "",
			(long long)json_integer_value(json_array_get(v, i)));
	}
	sbuf_adds(out, ")");
}

/* known: the writer of the other value is known. If neither is known, no writers were recorded. */
static void add_writer(struct sbuf *out, const json_t *w, bool known)
{
	sbuf_adds(out, "<td>");
	if (!json_is_object(w)) {
		sbuf_adds(out, known ? "no lane" : "");
		return;
	}
	add_three(out, w, "block");
	sbuf_adds(out, " ");
	add_three(out, w, "thread");
	sbuf_addf(out, ", wave %lld lane %lld", number(w, "wave"), number(w, "lane"));
}

static void add_differences(struct sbuf *out, const json_t *result)
{
	static const char *const titles[] = {
		"element", "before", "after", "written before by", "written after by"};
	const json_t *v = json_object_get(result, "differences"), *d;
	size_t i;
	page_table(out, titles, sizeof(titles) / sizeof(titles[0]));
	json_array_foreach (v, i, d) {
		sbuf_adds(out, "<tr><td><code>");
		escape_xml(out, str_of(json_text(d, "buffer")));
		sbuf_addf(out, "[%lld]</code>", number(d, "index"));
		add_cell(out, "del", json_text(d, "before"));
		add_cell(out, "add", json_text(d, "after"));
		const json_t *before = json_object_get(d, "written_before_by");
		const json_t *after = json_object_get(d, "written_after_by");
		add_writer(out, before, json_is_object(after));
		add_writer(out, after, json_is_object(before));
		sbuf_adds(out, "</tr>\n");
	}
	page_table_end(out);
	long long more = number(result, "differing") - (long long)json_array_size(v);
	if (more > 0) {
		sbuf_addf(out, "<p>and %lld more</p>\n", more);
	}
}

/* Details of a case. last: the previous case, or NULL. */
static void add_case(struct sbuf *out, const json_t *r, const json_t *last)
{
	const char *proof = json_text(json_object_get(r, "all_data"), "said");
	const char *said = json_text(r, "said");
	if (is_equal(r) && !proof[0]) {
		return;
	}
	sbuf_adds(out, "<h3>");
	escape_xml(out, str_of(json_text(r, "case")));
	sbuf_adds(out, " in ");
	escape_xml(out, str_of(json_text(r, "file")));
	sbuf_addf(out, ": %s</h3>\n", outcome(r));
	if (number(r, "differing") > 0) {
		add_differences(out, r);
	}
	if (said[0]) {
		/* a compile error is the same in all cases */
		page_pre(out, last && strcmp(json_text(last, "said"), said) == 0 ? STR("the same")
										 : str_of(said));
	}
	if (proof[0]) {
		sbuf_adds(out, "<p>For all data: ");
		escape_xml(out, str_of(verdict(r)));
		sbuf_adds(out, "</p>\n");
		page_pre(out, str_of(proof));
	}
}

static void add_unrun(struct sbuf *out, const json_t *arms)
{
	const json_t *arm;
	size_t i;
	if (json_array_size(arms) == 0) {
		return;
	}
	sbuf_adds(out, "<h3>Arms that no case runs</h3>\n<ul>\n");
	json_array_foreach (arms, i, arm) {
		sbuf_adds(out, "<li><code>");
		escape_xml(out, str_of(json_text(arm, "file")));
		sbuf_addf(out, ":%lld</code>, arm %lld</li>\n", number(arm, "line"),
			number(arm, "arm"));
	}
	sbuf_adds(out, "</ul>\n");
}

/* ---- the page ---- */

static void add_said(struct sbuf *out, const char *first, const char *second)
{
	sbuf_adds(out, "<p>");
	escape_xml(out, str_of(first));
	escape_xml(out, str_of(second));
	sbuf_adds(out, "</p>\n");
}

static void add_file(struct sbuf *out, const struct verify_page *f, json_t *root)
{
	const json_t *results = json_object_get(root, "results"), *r;
	size_t i, equal = 0;
	sbuf_adds(out, "<section>\n");
	page_heading(out, f->name);
	json_array_foreach (results, i, r) {
		equal += is_equal(r);
	}
	sbuf_addf(
		out, "<p class=gain>%zu of %zu cases equal</p>\n", equal, json_array_size(results));
	add_said(out, "spec: ", json_text(root, "spec"));
	if (json_text(root, "gpu")[0]) {
		add_said(out, "run on ", json_text(root, "gpu"));
	}
	add_cases(out, results);
	json_array_foreach (results, i, r) {
		add_case(out, r, i ? json_array_get(results, i - 1) : NULL);
	}
	add_unrun(out, json_object_get(root, "never_ran"));
	if (f->diff.n > 0) {
		sbuf_adds(out, "<h3>Difference from the original</h3>\n");
		page_diff(out, f->diff);
	}
	sbuf_adds(out, "</section>\n");
}

void verifying_html(struct sbuf *out, const struct verify_page *v, size_t n, struct str whole)
{
	page_open(out, "unphi: results before and after");
	if (whole.n > 0) {
		page_pre(out, whole);
	}
	for (size_t i = 0; i < n; i++) {
		json_t *root = json_loadb(v[i].json.p, v[i].json.n, 0, NULL);
		if (root) {
			add_file(out, &v[i], root);
		}
		json_decref(root);
	}
	page_close(out);
}
