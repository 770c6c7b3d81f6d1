/* measure --run as a page: the counts of each case, the cost of its loops, and the source with the
 * counts of each line beside it. */
#include <math.h>

#include "base/file.h"
#include "cli/measure/ran.h"
#include "report/form/escape.h"
#include "report/form/page.h"

enum {
	COLUMNS = 9
};

static const char *const titles[COLUMNS] = {"instructions", "issue cycles", "of all", "matrix",
	"branches", "waits", "LDS conflicts", "global bytes", "scratch bytes"};

/* Adds a cell for each count. Zeros are left out, so that the others stand out. */
static void add_cells(struct sbuf *out, const struct ran *r, size_t i, const struct isa_sum *s)
{
	struct isa_sum all = ran_sum(r, i);
	uint64_t cycles = isa_sum_cycles(&all);
	const uint64_t v[COLUMNS] = {isa_sum_runs(s), isa_sum_cycles(s), 0,
		s->runs[ISA_CLASS_MATRIX], s->runs[ISA_CLASS_BRANCH], s->runs[ISA_CLASS_WAIT],
		s->conflicts, s->global_bytes, s->scratch_bytes};
	double share = cycles ? (double)isa_sum_cycles(s) / (double)cycles : 0;
	for (size_t k = 0; k < COLUMNS; k++) {
		if (k == 0) {
			/* a stronger colour for a larger share */
			sbuf_addf(out, "<td class=n style=\"background:rgb(217 130 43/%.0f%%)\">%s",
				100 * sqrt(share), v[k] ? ran_each(r, i, v[k]) : "");
		} else if (k == 2) {
			sbuf_addf(out,
				"<td><div><span class=\"bar before\" style=\"width:%.1frem\">"
				"</span>%.0f %%</div>",
				4 * share, 100 * share);
		} else {
			sbuf_addf(out, "<td class=n>%s", v[k] ? ran_each(r, i, v[k]) : "");
		}
	}
}

static void add_heads(struct sbuf *out, const char *first)
{
	const char *all[COLUMNS + 1] = {first};
	for (size_t k = 0; k < COLUMNS; k++) {
		all[k + 1] = titles[k];
	}
	page_table(out, all, COLUMNS + 1);
}

static void add_classes(struct sbuf *out, const struct ran *r, size_t i)
{
	struct isa_sum s = ran_sum(r, i);
	sbuf_addf(out, "<p>%llu waves; instructions by class, average per wave:</p>\n<table><tr>",
		(unsigned long long)r->run[i].counts.waves);
	for (int c = 0; c < ISA_CLASSES; c++) {
		sbuf_addf(out, s.runs[c] ? "<th scope=col>%s" : "", isa_class_name[c]);
	}
	sbuf_adds(out, "</tr>\n<tr>");
	for (int c = 0; c < ISA_CLASSES; c++) {
		sbuf_addf(out, s.runs[c] ? "<td>%s" : "", ran_each(r, i, s.runs[c]));
	}
	sbuf_adds(out, "</tr>\n</table>\n");
}

static void add_loops(struct sbuf *out, const struct ran *r, size_t i)
{
	size_t n;
	const struct ran_loop *v = ran_loops(&n, r, i);
	if (n == 0) {
		return;
	}
	sbuf_adds(out, "<h3>Costs by loop</h3>\n");
	add_heads(out, "loop, iterations");
	for (size_t k = 0; k < n; k++) {
		sbuf_addf(out, "<tr><td style=\"padding-left:%urem\"><code>", v[k].of.depth - 1);
		escape_xml(out, str_of(ran_loop_name(r, &v[k])));
		sbuf_addf(out, "</code>, %s", ran_each(r, i, v[k].iterations));
		add_cells(out, r, i, &v[k].sum);
		sbuf_adds(out, "</tr>\n");
	}
	page_table_end(out);
}

enum {
	AROUND = 3 /* lines of context around an executed line */
};

/* The counts by source line, from 1; an element is NULL if its line ran nothing. */
static const struct isa_sum **sums_of(const struct ran *r, size_t i, size_t lines)
{
	const struct isa_sum **sum = ARENA_ARRAY(r->a, const struct isa_sum *, lines + 1);
	const struct verify_source *source = r->run[i].source;
	size_t n;
	const struct ran_line *v = ran_lines(&n, r, i);
	for (size_t k = 0; k < n; k++) {
		bool own = str_eq(path_base(v[k].file), path_base(str_of(source->path)));
		if (own && v[k].number <= lines && isa_sum_runs(&v[k].sum)) {
			sum[v[k].number] = &v[k].sum;
		}
	}
	return sum;
}

static bool is_near(const struct isa_sum **sum, size_t lines, size_t line)
{
	bool near = false;
	size_t from = line > AROUND ? line - AROUND : 1;
	for (size_t k = from; k <= line + AROUND && k <= lines; k++) {
		near |= sum[k] != NULL;
	}
	return near;
}

static void add_line(struct sbuf *out, size_t number, struct str text)
{
	sbuf_addf(out, "<tr><td><code class=line>%4zu  ", number);
	escape_xml(out, text);
	sbuf_adds(out, "</code>");
}

/* Adds the counts in other files, and those without a line. */
static void add_elsewhere(
	struct sbuf *out, const struct ran *r, size_t i, const struct isa_sum **sum, size_t lines)
{
	size_t n;
	const struct ran_line *v = ran_lines(&n, r, i);
	for (size_t k = 0; k < n; k++) {
		bool own = str_eq(path_base(v[k].file), path_base(str_of(r->run[i].source->path)));
		bool shown = own && v[k].number && v[k].number <= lines && sum[v[k].number];
		if (shown || !isa_sum_runs(&v[k].sum)) {
			continue;
		}
		sbuf_adds(out, "<tr><td><code>");
		escape_xml(out, v[k].number ? path_base(v[k].file) : STR("of no line"));
		sbuf_addf(out, v[k].number ? ":%u</code>" : "</code>", v[k].number);
		add_cells(out, r, i, &v[k].sum);
		sbuf_adds(out, "</tr>\n");
	}
}

static void add_source(struct sbuf *out, const struct ran *r, size_t i)
{
	const struct verify_source *source = r->run[i].source;
	struct str text = verify_is_code(source) ? STR("") : source->text;
	struct str rest = text;
	struct str line;
	size_t lines = 0;
	while (str_line(&rest, &line)) {
		lines++;
	}
	const struct isa_sum **sum = sums_of(r, i, lines);
	bool gap = false;
	sbuf_adds(out, "<h3>Costs by line</h3>\n");
	add_heads(out, "source");
	for (size_t number = 1; str_line(&text, &line); number++) {
		bool near = is_near(sum, lines, number);
		if (near && gap) {
			sbuf_adds(out, "<tr><td>...</tr>\n");
		}
		gap = !near;
		if (near) {
			add_line(out, number, line);
			if (sum[number]) {
				add_cells(out, r, i, sum[number]);
			} else {
				sbuf_addf(out, "<td colspan=%d>", COLUMNS);
			}
			sbuf_adds(out, "</tr>\n");
		}
	}
	add_elsewhere(out, r, i, sum, lines);
	page_table_end(out);
}

void ran_html(struct sbuf *out, const struct ran *r)
{
	page_open(out, "unphi: executed instructions");
	sbuf_adds(out, "<p>Issue cycles count passes; they are not time.</p>\n");
	for (size_t i = 0; i < r->runs; i++) {
		const struct machine_ran *m = &r->run[i];
		if (m->status != RUN_OK) {
			continue;
		}
		sbuf_adds(out, "<section>\n");
		page_heading(out, arena_printf(r->a, "%s of %s", m->of->name, m->source->path));
		add_classes(out, r, i);
		add_loops(out, r, i);
		add_source(out, r, i);
		sbuf_adds(out, "</section>\n");
	}
	page_close(out);
}
