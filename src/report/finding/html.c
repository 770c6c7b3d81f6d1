#include "report/finding/html.h"

#include <string.h>

#include "edit/edit.h"
#include "report/form/escape.h"
#include "report/form/page.h"
#include "report/finding/place.h"

static void add_place(struct sbuf *out, struct arena *a, const struct diag_place *p)
{
	escape_xml(out, str_of(place_path(a, p->path)));
	if (p->source.p) {
		struct place_range r = place_range(p);
		sbuf_addf(out, ":%u:%u", r.line, r.column);
	}
}

/* ---- a finding ---- */

/* Whole lines, without their common indentation. */
static void add_code(struct sbuf *out, const struct diag_place *p)
{
	size_t begin = p->begin;
	while (begin > 0 && p->source.p[begin - 1] != '\n') {
		begin--;
	}
	struct str rest = str_sub(p->source, begin, p->end), line;
	size_t common = SIZE_MAX;
	while (str_line(&rest, &line)) {
		size_t i = 0;
		while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t')) {
			i++;
		}
		common = i < line.n && i < common ? i : common;
	}
	rest = str_sub(p->source, begin, p->end);
	sbuf_adds(out, "<pre>");
	while (str_line(&rest, &line)) {
		escape_xml(out, str_sub(line, common < line.n ? common : 0, line.n));
		sbuf_addc(out, '\n');
	}
	sbuf_adds(out, "</pre>");
}

static void add_arms(struct sbuf *out, const struct diag *d)
{
	if (d->arms == 0) {
		return;
	}
	sbuf_adds(out, "<div class=arms>");
	for (size_t i = 0; i < d->arms && d->arm[i].source.p; i++) {
		struct place_range r = place_range(&d->arm[i]);
		sbuf_addf(out, "<div><h3>arm %zu, lines %u to %u</h3>", i + 1, r.line, r.end_line);
		add_code(out, &d->arm[i]);
		sbuf_adds(out, "</div>");
	}
	sbuf_adds(out, "</div>\n");
}

static void add_notes(struct sbuf *out, struct arena *a, const struct diag *d)
{
	sbuf_adds(out, "<ul>\n");
	for (size_t i = 0; i < d->notes; i++) {
		sbuf_adds(out, "<li>");
		if (d->note[i].place.path) {
			sbuf_adds(out, "<code>");
			add_place(out, a, &d->note[i].place);
			sbuf_adds(out, "</code> ");
		}
		escape_xml(out, d->note[i].text);
		sbuf_adds(out, "</li>\n");
	}
	sbuf_adds(out, "</ul>\n");
}

static const char *const level_words[] = {"error", "warning", "note"};

/* The result of the finding's measurement; empty if it was not measured. */
static struct str gain_of(const struct diag *d)
{
	static const char mark[] = "measured: ";
	for (size_t i = d->notes; i-- > 0;) {
		if (d->note[i].says == SAYS_MEASURED && str_starts(d->note[i].text, mark)) {
			return str_sub(d->note[i].text, strlen(mark), d->note[i].text.n);
		}
	}
	return STR("");
}

/* The text for the index: the measured gain, else the finding. */
static struct str index_text(const struct diag *d)
{
	struct str gain = gain_of(d);
	return gain.n ? gain : d->text;
}

static bool is_alike(const struct diag *x, const struct diag *y)
{
	return x->level == y->level && strcmp(x->rule, y->rule) == 0 &&
	       str_eq(index_text(x), index_text(y));
}

static void add_link(struct sbuf *out, struct arena *a, const struct diag *d, size_t number)
{
	sbuf_addf(out, "<a href=\"#f%zu\"><code>", number);
	add_place(out, a, &d->place);
	sbuf_adds(out, "</code></a>");
}

/* The index: a row for each finding, in the order of the sections. */
static void add_index(struct sbuf *out, struct arena *a, const struct diag_list *found)
{
	static const char *const titles[] = {"place", "level", "rule", "finding, or measured gain"};
	page_table(out, titles, sizeof(titles) / sizeof(titles[0]));
	for (size_t i = 0, alike; i < found->v.n; i += alike) {
		const struct diag *d = &found->v.v[i];
		for (alike = 1; i + alike < found->v.n && is_alike(d, &d[alike]);) {
			alike++;
		}
		alike = alike < PAGE_ALIKE ? 1 : alike;
		sbuf_adds(out, "<tr><td>");
		page_rows_open(out, alike);
		for (size_t k = 0; k < alike; k++) {
			page_rows_next(out, k, alike);
			add_link(out, a, &d[k], i + k + 1);
		}
		page_rows_close(out, alike);
		sbuf_addf(out, "<td>%s<td>", level_words[d->level]);
		escape_xml(out, str_of(d->rule));
		sbuf_adds(out, "<td>");
		escape_xml(out, index_text(d));
		sbuf_adds(out, "</tr>\n");
	}
	page_table_end(out);
}

static void add_finding(struct sbuf *out, struct arena *a, const struct diag *d, size_t number)
{
	struct str gain = gain_of(d);
	sbuf_addf(out, "<section id=f%zu>\n<h2><span class=place>", number);
	add_place(out, a, &d->place);
	sbuf_addf(out, "</span> %s <span class=rule>", level_words[d->level]);
	escape_xml(out, str_of(d->rule));
	sbuf_adds(out, "</span></h2>\n<p>");
	escape_xml(out, d->text);
	sbuf_adds(out, "</p>\n");
	if (gain.n) {
		sbuf_adds(out, "<p class=gain>");
		escape_xml(out, gain);
		sbuf_adds(out, "</p>\n");
	}
	add_arms(out, d);
	add_notes(out, a, d);
	sbuf_adds(out, "</section>\n");
}

/* ---- a measured file ---- */

static void add_diff(struct sbuf *out, struct arena *a, const struct html_measured *m)
{
	struct sbuf diff = {0};
	const char *path = place_path(a, m->path);

	diff_unified(&diff, m->source, m->choice->text, arena_printf(a, "a/%s", path),
		arena_printf(a, "b/%s", path));
	page_diff(out, sbuf_str(&diff));
	sbuf_release(&diff);
}

void html_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct html_measured *measured, size_t n)
{
	page_open(out,
		arena_printf(a, "unphi: %zu finding%s", found->v.n, found->v.n == 1 ? "" : "s"));
	if (found->v.n > 1) {
		add_index(out, a, found);
	}
	for (size_t i = 0; i < found->v.n; i++) {
		add_finding(out, a, &found->v.v[i], i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(out, "<section>\n<h2>");
		escape_xml(out, str_of(place_path(a, measured[i].path)));
		sbuf_adds(out, measured[i].choice->changed ? ": gains of the rewrite</h2>\n"
							   : ": no rewrite measured better</h2>\n");
		page_choice(out, measured[i].choice, measured[i].targets, NULL);
		sbuf_addstr(out, measured[i].ledger);
		add_diff(out, a, &measured[i]);
		sbuf_adds(out, "</section>\n");
	}
	page_close(out);
}
