#include "report/figures/explore.h"

#include <stdlib.h>
#include <string.h>

#include "report/form/escape.h"
#include "report/form/page.h"
#include "report/form/json.h"
#include "report/form/table.h"

/* Bytes per floating-point operation; -1 if unknown. */
static double ratio_of(const struct explored *e)
{
	return e->flops ? (double)e->bytes / (double)e->flops : -1;
}

static bool is_usable(const struct explored *e)
{
	return e->got && e->got->trusted && e->got->v[METRIC_VGPR] != METRIC_ABSENT &&
	       e->got->v[METRIC_VGPR_SPILL] != METRIC_ABSENT &&
	       e->got->v[METRIC_RESIDENT_WAVES] != METRIC_ABSENT;
}

/* Is x nowhere worse than y, and somewhere better? */
static bool beats(const struct explored *x, const struct explored *y)
{
	const int64_t *a = x->got->v, *b = y->got->v;
	double ra = ratio_of(x), rb = ratio_of(y);
	bool worse = a[METRIC_VGPR_SPILL] > b[METRIC_VGPR_SPILL] ||
		     a[METRIC_VGPR] > b[METRIC_VGPR] ||
		     a[METRIC_RESIDENT_WAVES] < b[METRIC_RESIDENT_WAVES] || ra > rb;
	bool better = a[METRIC_VGPR_SPILL] < b[METRIC_VGPR_SPILL] ||
		      a[METRIC_VGPR] < b[METRIC_VGPR] ||
		      a[METRIC_RESIDENT_WAVES] > b[METRIC_RESIDENT_WAVES] || ra < rb;
	return !worse && better;
}

void explore_mark(struct exploration *x)
{
	array_each (x, struct explored, e) {
		e->best = is_usable(e);
		for (size_t k = 0; k < x->n && e->best; k++) {
			const struct explored *o = &x->v[k];
			e->best = !(is_usable(o) && strcmp(o->kernel, e->kernel) == 0 &&
				    strcmp(o->target, e->target) == 0 && beats(o, e));
		}
	}
}

static int row_cmp(const void *a, const void *b)
{
	const struct explored *x = *(const struct explored *const *)a;
	const struct explored *y = *(const struct explored *const *)b;
	int order = x->kernel && y->kernel ? strverscmp(x->kernel, y->kernel)
					   : (x->kernel == NULL) - (y->kernel == NULL);

	order = order ? order : strcmp(x->target, y->target);
	return order ? order : (x > y) - (x < y);
}

static const struct explored **sorted(const struct exploration *x)
{
	const struct explored **v = malloc((x->n + 1) * sizeof(*v));

	for (size_t i = 0; v && i < x->n; i++) {
		v[i] = &x->v[i];
	}
	span_sort(v, x->n, row_cmp);
	return v;
}

static void cell_metric(struct table *t, const struct explored *e, enum metric m)
{
	if (!e->got || e->got->v[m] == METRIC_ABSENT) {
		table_cell(t, "%s", "");
	} else {
		table_cell(t, "%lld", (long long)e->got->v[m]);
	}
}

/* "WIDTH=0, STEPS=2 (gfx90a): error: ..." */
static void add_error(struct sbuf *out, const struct exploration *x, const struct explored *e)
{
	if (e->got || !e->said) {
		return;
	}
	for (size_t k = 0; k < x->settings; k++) {
		sbuf_addf_visible(out, "%s%s=%s", k ? ", " : "", x->setting[k], e->value[k]);
	}
	sbuf_addf_visible(out, " (%s): error: %s\n", e->target, e->said);
}

void explore_text(struct sbuf *out, const struct exploration *x)
{
	static const enum metric shown[] = {METRIC_VGPR, METRIC_ACC_VGPR, METRIC_VGPR_SPILL,
		METRIC_SCRATCH, METRIC_RESIDENT_WAVES};
	static const char *const names[] = {
		">VGPRs", ">acc", ">spills", ">scratch", ">waves", ">bytes/flop", "best"};
	const char *heading[64] = {"kernel", "target"};
	const struct explored **v = sorted(x);
	size_t columns = 2;
	struct table t;

	for (size_t i = 0; i < x->settings && columns < 50; i++) {
		heading[columns++] = x->setting[i];
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		heading[columns++] = names[i];
	}
	table_init(&t, columns, heading);
	for (size_t i = 0; v && i < x->n; i++) {
		const struct explored *e = v[i];
		table_cell(&t, "%s", e->kernel ? e->kernel : e->why);
		table_cell(&t, "%s", e->target);
		for (size_t k = 0; k < columns - 2 - sizeof(names) / sizeof(names[0]); k++) {
			table_cell(&t, "%s", e->value[k]);
		}
		for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
			cell_metric(&t, e, shown[k]);
		}
		if (e->flops) {
			table_cell(&t, "%.4f", ratio_of(e));
		} else {
			table_cell(&t, "%s", "");
		}
		table_cell(&t, "%s", e->best ? "*" : "");
	}
	table_print(out, &t);
	table_release(&t);
	for (size_t i = 0; v && i < x->n; i++) {
		add_error(out, x, v[i]);
	}
	free(v);
}

void explore_json(struct sbuf *out, const struct exploration *x)
{
	static const enum metric shown[] = {METRIC_VGPR, METRIC_ACC_VGPR, METRIC_VGPR_SPILL,
		METRIC_SCRATCH, METRIC_REGISTER_WAVES, METRIC_RESIDENT_WAVES};
	struct json j = jsonw_begin(out);
	jsonw_key_str(&j, "file", str_of(x->file));
	jsonw_key_array(&j, "results");
	array_each (x, const struct explored, e) {
		jsonw_object(&j);
		jsonw_key_text(&j, "kernel", e->kernel);
		jsonw_key_str(&j, "target", str_of(e->target));
		jsonw_key_object(&j, "settings");
		for (size_t k = 0; k < x->settings; k++) {
			jsonw_key_str(&j, x->setting[k], str_of(e->value[k]));
		}
		jsonw_end(&j);
		jsonw_key_text(&j, "why", e->why);
		jsonw_key_text(&j, "error", e->said);
		for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
			int64_t v = e->got ? e->got->v[shown[k]] : METRIC_ABSENT;
			jsonw_key_known(&j, metric_info[shown[k]].key, v, v != METRIC_ABSENT);
		}
		jsonw_key_i64(&j, "bytes", (int64_t)e->bytes);
		jsonw_key_i64(&j, "flops", (int64_t)e->flops);
		jsonw_key_bool(&j, "best", e->best);
		jsonw_end(&j);
	}
	jsonw_finish(&j);
}

/* ---- the plot ---- */

enum {
	PLOT_WIDTH = 860,
	PLOT_HEIGHT = 420,
	PLOT_LEFT = 60,
	PLOT_BOTTOM = 40,
	PLOT_TOP = 30,
};

static int64_t wanted(const struct explored *e)
{
	return e->got->v[METRIC_VGPR] + e->got->v[METRIC_VGPR_SPILL];
}

static void add_dot(struct sbuf *out, const struct exploration *x, const struct explored *e,
	double most_x, double most_y)
{
	double cx = PLOT_LEFT + ratio_of(e) / most_x * (PLOT_WIDTH - PLOT_LEFT - 150);
	double cy = PLOT_HEIGHT - PLOT_BOTTOM -
		    (double)wanted(e) / most_y * (PLOT_HEIGHT - PLOT_BOTTOM - PLOT_TOP);
	const char *colour = e->got->v[METRIC_VGPR_SPILL] > 0 ? "#c0392b" : "#2b8a5f";

	sbuf_addf_visible(out,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%lld\" stroke=\"%s\" fill=\"%s\"><title>", cx,
		cy, 3 + (long long)e->got->v[METRIC_RESIDENT_WAVES], colour,
		e->best ? colour : "none");
	escape_xml(out, str_of(e->kernel));
	sbuf_addf_visible(out, " %s", e->target);
	for (size_t k = 0; k < x->settings; k++) {
		sbuf_addf_visible(out, " %s=", x->setting[k]);
		escape_xml(out, str_of(e->value[k]));
	}
	sbuf_addf(out,
		": %lld VGPRs, %lld spilled, %lld waves, %.4f bytes per flop</title></circle>\n",
		(long long)e->got->v[METRIC_VGPR], (long long)e->got->v[METRIC_VGPR_SPILL],
		(long long)e->got->v[METRIC_RESIDENT_WAVES], ratio_of(e));
	if (!e->best) {
		return;
	}
	sbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\">", cx + 12, cy + 4);
	for (size_t k = 0; k < x->settings; k++) {
		sbuf_adds(out, k ? ", " : "");
		escape_xml(out, str_of(e->value[k]));
	}
	sbuf_adds(out, "</text>\n");
}

void explore_svg(struct sbuf *out, const struct exploration *x)
{
	double most_x = 0, most_y = 0;

	for (size_t i = 0; i < x->n; i++) {
		if (is_usable(&x->v[i]) && x->v[i].flops) {
			double ratio = ratio_of(&x->v[i]), y = (double)wanted(&x->v[i]);
			most_x = ratio > most_x ? ratio : most_x;
			most_y = y > most_y ? y : most_y;
		}
	}
	most_x = most_x > 0 ? most_x : 1;
	most_y = most_y > 0 ? most_y : 1;
	sbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\" "
		"fill=\"currentColor\">\n"
		"<text x=\"4\" y=\"14\">VGPRs and spilled VGPRs (up to %.0f)</text>"
		"<text x=\"%d\" y=\"%d\">bytes per flop in the hottest loop (up to %.4f); dot "
		"size: waves; "
		"red: spills; filled: no other is better</text>\n"
		"<path d=\"M%d %dV%dH%d\" stroke=\"currentColor\" fill=\"none\"/>\n",
		PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT, most_y, PLOT_LEFT,
		PLOT_HEIGHT - 12, most_x, PLOT_LEFT, PLOT_TOP - 8, PLOT_HEIGHT - PLOT_BOTTOM,
		PLOT_WIDTH - 10);
	for (size_t i = 0; i < x->n; i++) {
		if (is_usable(&x->v[i]) && x->v[i].flops) {
			add_dot(out, x, &x->v[i], most_x, most_y);
		}
	}
	sbuf_adds(out, "</svg>\n");
}

void explore_html(struct sbuf *out, const struct exploration *x)
{
	ARRAY(struct page_kernel) rows = {0};
	struct arena *a = arena_create();
	array_each (x, const struct explored, e) {
		struct sbuf mark = {0};
		for (size_t k = 0; k < x->settings; k++) {
			sbuf_addf_visible(&mark, " %s=%s", x->setting[k], e->value[k]);
		}
		sbuf_adds(&mark, e->best ? " *" : "");
		sbuf_addf_visible(&mark, e->why ? ": %s" : "%s", e->why ? e->why : "");
		array_push(&rows, (struct page_kernel){.name = e->kernel ? e->kernel : "-",
					  .target = e->target,
					  .mark = arena_strdup(a, sbuf_cstr(&mark)),
					  .figures = {is_usable(e) ? e->got : NULL}});
		sbuf_release(&mark);
	}
	page_open(out, "unphi: settings side by side");
	page_heading(out, x->file);
	explore_svg(out, x);
	page_kernels(out, rows.v, rows.n, NULL);
	sbuf_adds(out, "<p>* no other combination is at least as good in spills, VGPRs, waves and "
		       "bytes per operation, and better in one of them.</p>\n");
	page_close(out);
	array_release(&rows);
	arena_free(a);
}
