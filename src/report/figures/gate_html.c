/* Costs of kernels and the verdicts on them, as a page. */
#include <string.h>

#include "report/figures/gate.h"
#include "report/form/page.h"

/* The kernel's figures of before, or NULL: of the same file where there is one. */
static const struct kernel_metrics *before_of(const struct measured *saved, size_t n,
	const struct measured *f, const struct kernel_metrics *k)
{
	const struct kernel_metrics *found = NULL;
	for (size_t i = 0; i < n; i++) {
		bool same = strcmp(saved[i].file, f->file) == 0;
		const struct kernel_metrics *was =
			strcmp(saved[i].target, f->target) == 0
				? measurement_kernel(&saved[i].result.m, k->symbol)
				: NULL;
		found = was && (same || !found) ? was : found;
	}
	return found;
}

static void add_file(
	struct sbuf *out, const struct measured *f, const struct measured *saved, size_t saved_n)
{
	static const char *const which[PAGE_BARS] = {"before", "after", ""};
	const struct measurement *m = &f->result.m;
	ARRAY(struct page_kernel) rows = {0};
	for (size_t i = 0; f->result.status == MEASURE_OK && i < m->kernels; i++) {
		const struct kernel_metrics *k = &m->kernel[i];
		struct page_kernel row = {.name = k->name, .target = f->target};
		row.mark = k->trusted ? NULL : " (not trusted)";
		row.figures[0] = saved_n ? before_of(saved, saved_n, f, k) : k;
		row.figures[1] = saved_n ? k : NULL;
		array_push(&rows, row);
	}
	sbuf_adds(out, "<section>\n");
	page_heading(out, f->file);
	if (f->result.status == MEASURE_OK) {
		page_kernels(out, rows.v, rows.n, saved_n ? which : NULL);
	} else {
		page_pre(out, str_of(measured_status_word(f->result.status)));
	}
	sbuf_adds(out, "</section>\n");
	array_release(&rows);
}

void gate_html(struct sbuf *out, const struct measured *v, size_t n, const struct measured *saved,
	size_t saved_n, const struct gate *g)
{
	struct sbuf verdict = {0};
	gate_text(&verdict, g);
	page_open(out, saved_n ? "unphi: kernels before and after" : "unphi: what kernels cost");
	if (verdict.n > 0) {
		page_pre(out, sbuf_str(&verdict));
	}
	for (size_t i = 0; i < n; i++) {
		add_file(out, &v[i], saved, saved_n);
	}
	page_close(out);
	sbuf_release(&verdict);
}
