/*
 * The rewrite of a project as one HTML page: the table of its files, then the figures, decisions
 * and diff of each file with any.
 */
#include <jansson.h>

#include "edit/edit.h"
#include "report/decision/project.h"
#include "report/form/escape.h"
#include "report/form/json.h"
#include "report/form/page.h"

/* The metrics of one side of a kernel, or NULL. */
static const struct kernel_metrics *metrics(struct arena *a, const json_t *side)
{
	if (!json_is_object(side)) {
		return NULL;
	}
	struct kernel_metrics *k = ARENA_NEW(a, struct kernel_metrics);
	for (int m = 0; m < METRIC_COUNT; m++) {
		const json_t *v = json_object_get(side, metric_info[m].key);
		k->v[m] = json_is_integer(v) ? json_integer_value(v) : METRIC_ABSENT;
	}
	return k;
}

static void add_kernels(struct sbuf *out, struct arena *a, const json_t *root)
{
	static const char *const which[PAGE_BARS] = {"before", "after", "alone"};
	ARRAY(struct page_kernel) rows = {0};
	const json_t *target, *kernel;
	size_t t, k;
	json_array_foreach (json_object_get(root, "targets"), t, target) {
		json_array_foreach (json_object_get(target, "kernels"), k, kernel) {
			const char *name = json_string_value(json_object_get(kernel, "name"));
			const struct kernel_metrics *before =
				metrics(a, json_object_get(kernel, "before"));
			struct page_kernel row = {.name = name ? name : "",
				.target = json_string_value(json_object_get(target, "target")),
				.figures = {before, metrics(a, json_object_get(kernel, "after")),
					metrics(a, json_object_get(kernel, "one_arm"))}};
			if (before) {
				array_push(&rows, row);
			}
		}
	}
	if (rows.n > 0) {
		page_kernels(out, rows.v, rows.n, which);
	}
	array_release(&rows);
}

/* The attempt that was kept for a merge, barrier or fragment. */
static const json_t *kept(const json_t *site)
{
	const json_t *one;
	size_t i;
	json_array_foreach (json_object_get(site, "tried"), i, one) {
		const char *outcome = json_string_value(json_object_get(one, "outcome"));
		if (outcome && str_is(str_of(outcome), "kept")) {
			return one;
		}
	}
	return NULL;
}

static void add_sites(struct sbuf *out, struct arena *a, const json_t *root, const char *key)
{
	const json_t *site;
	size_t i;
	json_array_foreach (json_object_get(root, key), i, site) {
		const json_t *k = kept(site);
		const char *place = arena_printf(a, "line %lld, in %s: ",
			(long long)json_integer_value(json_object_get(site, "line")),
			json_text(site, "function"));
		const char *what =
			k ? arena_printf(a, "%s (%s): %s", json_text(k, "strategy"),
				    json_text(k, "variant"), json_text(k, "reason"))
			  : arena_printf(a, "kept as it is: %s", json_text(site, "why_kept"));
		sbuf_adds(out, "<li>");
		escape_xml(out, str_of(place));
		escape_xml(out, str_of(what));
		sbuf_adds(out, "</li>\n");
	}
}

static void add_file(struct sbuf *out, struct arena *a, const struct rewritten *r)
{
	json_t *root = r->report.n > 0 ? json_loadb(r->report.p, r->report.n, 0, NULL) : NULL;
	bool sites = json_array_size(json_object_get(root, "merges")) +
		     json_array_size(json_object_get(root, "barriers")) +
		     json_array_size(json_object_get(root, "fragments"));
	if (root && (sites || r->changed)) {
		sbuf_adds(out, "<section>\n");
		page_heading(out, r->file);
		add_kernels(out, a, root);
		sbuf_adds(out, "<ul>\n");
		add_sites(out, a, root, "merges");
		add_sites(out, a, root, "barriers");
		add_sites(out, a, root, "fragments");
		sbuf_adds(out, "</ul>\n");
		if (r->changed && !r->dropped) {
			struct sbuf diff = {0};
			diff_unified(&diff, r->before, r->after, arena_printf(a, "a/%s", r->name),
				arena_printf(a, "b/%s", r->name));
			page_diff(out, sbuf_str(&diff));
			sbuf_release(&diff);
		}
		sbuf_adds(out, "</section>\n");
	}
	json_decref(root);
}

void project_html(struct sbuf *out, const struct project_report *p)
{
	struct arena *a = arena_create();
	struct sbuf table = {0};
	page_open(out, "unphi: gains of rewrite");
	sbuf_adds(out, "<section>\n");
	page_heading(out, "All files");
	project_text(&table, p);
	page_pre(out, sbuf_str(&table));
	sbuf_adds(out, "</section>\n");
	for (size_t i = 0; i < p->n; i++) {
		add_file(out, a, &p->v[i]);
	}
	page_close(out);
	sbuf_release(&table);
	arena_free(a);
}
