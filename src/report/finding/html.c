#include "report/finding/html.h"

#include <string.h>

#include "edit/edit.h"
#include "report/form/escape.h"
#include "report/finding/place.h"

static const char style[] =
	":root{color-scheme:light dark}"
	"body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}"
	"h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem}"
	"code,pre{font:13px/1.45 ui-monospace,monospace}"
	"pre{margin:0;padding:.6rem;overflow-x:auto;tab-size:8;background:#8881;border-radius:."
	"3rem}"
	".arms{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr))}"
	".arms>div{min-width:0}.arms pre{white-space:pre-wrap;overflow-wrap:anywhere}"
	".arms h3{font-size:.9rem;margin:0 0 .2rem}svg{max-width:100%;height:auto}"
	"p,li,h2,td code{overflow-wrap:anywhere}.gain{font-weight:600}"
	".index{width:100%}.index tr:nth-child(even){background:#8881}"
	".rule{color:#888}.place{font-weight:600}"
	"table{border-collapse:collapse;margin:.6rem 0}"
	"td,th{padding:.15rem .7rem .15rem 0;text-align:left;vertical-align:top}"
	"td div{white-space:nowrap}"
	".bar{display:inline-block;height:.7rem;border-radius:.15rem;min-width:1px;"
	"vertical-align:middle;margin-right:.4rem}"
	".before{background:#d9822b}.after{background:#2b8a5f}.alone{background:#8888}"
	".del{color:#c0392b}.add{color:#218a54}.hunk{color:#888}"
	"ul{margin:.4rem 0;padding-left:1.2rem}"
	"@media print{:root{color-scheme:light}body{margin:0;max-width:none;font-size:10pt}"
	"pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #ccc}"
	"h2,h3,tr{break-after:avoid}.arms>div,tr{break-inside:avoid}a{color:inherit}"
	".bar{print-color-adjust:exact}}";

static void add_place(struct sbuf *out, struct arena *a, const struct diag_place *p)
{
	escape_xml(out, str_of(place_path(a, p->path)));
	if (p->source.p) {
		struct place_range r = place_range(p);
		sbuf_addf(out, ":%u:%u", r.line, r.column);
	}
}

/* ---- a finding ---- */

/* Whole lines, without the indentation that all of them have. */
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
	for (size_t i = 0; i < d->arms; i++) {
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

/* What measuring said of it; empty: it was not measured. */
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

/* A line a finding, with what it would gain where that was measured, in the sections' order. */
static void add_index(struct sbuf *out, struct arena *a, const struct diag_list *found)
{
	sbuf_adds(out,
		"<table class=index><tr><th>place<th>level<th>rule<th>found, or measured</tr>\n");
	for (size_t i = 0; i < found->v.n; i++) {
		const struct diag *d = &found->v.v[i];
		sbuf_addf(out, "<tr><td><a href=\"#f%zu\"><code>", i + 1);
		add_place(out, a, &d->place);
		sbuf_addf(out, "</code></a><td>%s<td>%s<td>", level_words[d->level],
			d->rule ? d->rule : "");
		escape_xml(out, gain_of(d).n ? gain_of(d) : d->text);
		sbuf_adds(out, "</tr>\n");
	}
	sbuf_adds(out, "</table>\n");
}

static void add_finding(struct sbuf *out, struct arena *a, const struct diag *d, size_t number)
{
	struct str gain = gain_of(d);
	sbuf_addf(out, "<section id=f%zu>\n<h2><span class=place>", number);
	add_place(out, a, &d->place);
	sbuf_addf(out, "</span> %s <span class=rule>%s</span></h2>\n<p>", level_words[d->level],
		d->rule ? d->rule : "");
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

static int64_t figure(const struct measurement *m, const char *symbol, enum metric metric)
{
	const struct kernel_metrics *k = measurement_kernel(m, symbol);

	return k ? k->v[metric] : METRIC_ABSENT;
}

static void add_bar(struct sbuf *out, const char *which, int64_t v, int64_t most)
{
	if (v == METRIC_ABSENT) {
		return;
	}
	sbuf_addf(out, "<div><span class=\"bar %s\" style=\"width:%.1frem\"></span>%lld %s</div>",
		which, most > 0 ? 8.0 * (double)v / (double)most : 0.0, (long long)v, which);
}

static void add_bars(struct sbuf *out, const int64_t v[3])
{
	static const char *const which[] = {"before", "after", "alone"};
	int64_t most = 0;

	for (size_t i = 0; i < 3; i++) {
		most = v[i] > most ? v[i] : most;
	}
	sbuf_adds(out, "<td>");
	for (size_t i = 0; i < 3; i++) {
		add_bar(out, which[i], v[i], most);
	}
	sbuf_adds(out, "</td>");
}

static void add_kernels(struct sbuf *out, const struct html_measured *m)
{
	static const struct {
		enum metric metric;
		const char *title;
	} shown[] = {{METRIC_VGPR, "VGPRs per lane"}, {METRIC_VGPR_SPILL, "VGPR spills"},
		{METRIC_SCRATCH, "scratch bytes per lane"},
		{METRIC_RESIDENT_WAVES, "waves per SIMD"}};

	sbuf_adds(out, "<table><tr><th>kernel<th>target");
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		sbuf_addf(out, "<th>%s", shown[i].title);
	}
	sbuf_adds(out, "</tr>\n");
	for (size_t t = 0; t < m->targets; t++) {
		const struct measurement *before = &m->choice->before[t];
		for (size_t k = 0; k < before->kernels; k++) {
			const char *symbol = before->kernel[k].symbol;
			sbuf_adds(out, "<tr><td><code>");
			escape_xml(out, str_of(before->kernel[k].name));
			sbuf_addf(out, "</code><td>%s", m->target[t]->name);
			for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
				int64_t v[3] = {before->kernel[k].v[shown[i].metric],
					figure(&m->choice->after[t], symbol, shown[i].metric),
					m->choice->one_arm ? figure(&m->choice->one_arm[t], symbol,
								     shown[i].metric)
							   : METRIC_ABSENT};
				add_bars(out, v);
			}
			sbuf_adds(out, "</tr>\n");
		}
	}
	sbuf_adds(out, "</table>\n");
}

static void add_diff(struct sbuf *out, struct arena *a, const struct html_measured *m)
{
	struct sbuf diff = {0};
	const char *path = place_path(a, m->path);

	diff_unified(&diff, m->source, m->choice->text, arena_printf(a, "a/%s", path),
		arena_printf(a, "b/%s", path));
	struct str rest = sbuf_str(&diff), line;
	sbuf_adds(out, diff.n ? "<pre>" : "");
	while (str_line(&rest, &line)) {
		const char *kind = str_starts(line, "+")   ? "add"
				   : str_starts(line, "-") ? "del"
				   : str_starts(line, "@") ? "hunk"
							   : NULL;
		sbuf_addf(out, kind ? "<span class=%s>" : "%s", kind ? kind : "");
		escape_xml(out, line);
		sbuf_adds(out, kind ? "</span>\n" : "\n");
	}
	sbuf_adds(out, diff.n ? "</pre>\n" : "");
	sbuf_release(&diff);
}

void html_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct html_measured *measured, size_t n)
{
	sbuf_addf(out,
		"<!doctype html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
		"<meta name=viewport content=\"width=device-width\">\n<title>unphi</title>\n"
		"<style>%s</style></head>\n<body>\n<h1>unphi: %zu finding%s</h1>\n",
		style, found->v.n, found->v.n == 1 ? "" : "s");
	if (found->v.n > 1) {
		add_index(out, a, found);
	}
	for (size_t i = 0; i < found->v.n; i++) {
		add_finding(out, a, &found->v.v[i], i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(out, "<section>\n<h2>");
		escape_xml(out, str_of(place_path(a, measured[i].path)));
		sbuf_adds(out, measured[i].choice->changed ? ": what the rewrite gains</h2>\n"
							   : ": nothing measured better</h2>\n");
		add_kernels(out, &measured[i]);
		sbuf_addstr(out, measured[i].ledger);
		add_diff(out, a, &measured[i]);
		sbuf_adds(out, "</section>\n");
	}
	sbuf_adds(out, "<p class=rule>Made by unphi " UNPHI_VERSION ".</p>\n</body>\n</html>\n");
}
