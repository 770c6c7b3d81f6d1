/* The costs of kernels and the verdicts on them, as an HTML page. */

#include "report/figures/gate.h"
#include "report/form/page.h"

/* The file and, if there are several compilers, the compiler. */
static void add_heading(struct sbuf *out, const struct gate_sides *g, const struct measured *f)
{
	struct sbuf title = {0};
	bool several = false;
	for (size_t i = 0; i < g->found_n; i++) {
		several |= g->found[i].compiler && f->compiler && gate_alike(&g->found[i], f) == 0;
	}
	sbuf_adds(&title, f->file);
	if (several) {
		sbuf_adds(&title, ", ");
		compiler_name(&title, f->compiler);
	}
	page_heading(out, sbuf_cstr(&title));
	sbuf_release(&title);
}

static void add_file(struct sbuf *out, const struct gate_sides *g, const struct measured *f)
{
	static const char *const which[PAGE_BARS] = {"before", "after", ""};
	const struct measurement *m = &f->result.m;
	ARRAY(struct page_kernel) rows = {0};
	for (size_t i = 0; f->result.status == MEASURE_OK && i < m->kernels; i++) {
		const struct kernel_metrics *k = &m->kernel[i];
		struct page_kernel row = {.name = k->name, .target = f->target};
		row.mark = k->trusted ? NULL : " (not trusted)";
		const struct measured *was = gate_before(g, f, k->symbol);
		const struct kernel_metrics *before =
			was ? measurement_kernel(&was->result.m, k->symbol) : NULL;
		row.figures[0] = g->saved_n ? before : k;
		row.figures[1] = g->saved_n ? k : NULL;
		array_push(&rows, row);
	}
	sbuf_adds(out, "<section>\n");
	add_heading(out, g, f);
	if (f->result.status == MEASURE_OK) {
		page_kernels(out, rows.v, rows.n, g->saved_n ? which : NULL);
	} else {
		page_pre(out, str_of(measured_status_word(f->result.status)));
	}
	sbuf_adds(out, "</section>\n");
	array_release(&rows);
}

void gate_html(struct sbuf *out, const struct gate_sides *sides, const struct gate *g)
{
	struct sbuf verdict = {0};
	gate_text(&verdict, g);
	page_open(out,
		sides->saved_n ? "unphi: kernels before and after" : "unphi: costs of kernels");
	if (verdict.n > 0) {
		page_pre(out, sbuf_str(&verdict));
	}
	for (size_t i = 0; i < sides->found_n; i++) {
		add_file(out, sides, &sides->found[i]);
	}
	page_close(out);
	sbuf_release(&verdict);
}
