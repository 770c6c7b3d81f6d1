#include "report/form/page.h"

#include "report/form/escape.h"

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
	"td div{white-space:nowrap}.n{text-align:right}"
	".line{white-space:pre-wrap;tab-size:8;overflow-wrap:anywhere}"
	".bar{display:inline-block;height:.7rem;border-radius:.15rem;min-width:1px;"
	"vertical-align:middle;margin-right:.4rem}"
	".before{background:#d9822b}.after{background:#2b8a5f}.alone{background:#8888}"
	".del{color:#c0392b}.add{color:#218a54}.hunk{color:#888}"
	"ul{margin:.4rem 0;padding-left:1.2rem}"
	"@media print{:root{color-scheme:light}body{margin:0;max-width:none;font-size:10pt}"
	"pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #ccc}"
	"h2,h3,tr{break-after:avoid}.arms>div,tr{break-inside:avoid}a{color:inherit}"
	".bar{print-color-adjust:exact}}";

void page_open(struct sbuf *out, const char *title)
{
	sbuf_addf(out,
		"<!doctype html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
		"<meta name=viewport content=\"width=device-width\">\n<title>unphi</title>\n"
		"<style>%s</style></head>\n<body>\n<h1>",
		style);
	escape_xml(out, str_of(title));
	sbuf_adds(out, "</h1>\n");
}

void page_close(struct sbuf *out)
{
	sbuf_adds(out, "<p class=rule>Made by unphi " UNPHI_VERSION ".</p>\n</body>\n</html>\n");
}

void page_heading(struct sbuf *out, const char *text)
{
	sbuf_adds(out, "<h2>");
	escape_xml(out, str_of(text));
	sbuf_adds(out, "</h2>\n");
}

void page_pre(struct sbuf *out, struct str text)
{
	sbuf_adds(out, "<pre>");
	escape_xml(out, text);
	sbuf_adds(out, "</pre>\n");
}

void page_diff(struct sbuf *out, struct str diff)
{
	struct str line;
	bool any_line = diff.n > 0;
	sbuf_adds(out, any_line ? "<pre>" : "");
	for (bool any = false; str_line(&diff, &line); any = true) {
		const char *kind = str_starts(line, "+")   ? "add"
				   : str_starts(line, "-") ? "del"
				   : str_starts(line, "@") ? "hunk"
							   : NULL;
		sbuf_adds(out, any ? "\n" : "");
		sbuf_addf(out, kind ? "<span class=%s>" : "%s", kind ? kind : "");
		escape_xml(out, line);
		sbuf_adds(out, kind ? "</span>" : "");
	}
	sbuf_adds(out, any_line ? "\n</pre>\n" : "");
}

/* ---- kernels ---- */

static void add_bar(struct sbuf *out, const char *which, const char *class, int64_t v, int64_t most)
{
	if (v == METRIC_ABSENT) {
		return;
	}
	sbuf_addf(out, "<div><span class=\"bar %s\" style=\"width:%.1frem\"></span>%lld%s%s</div>",
		class, most > 0 ? 8.0 * (double)v / (double)most : 0.0, (long long)v,
		which ? " " : "", which ? which : "");
}

static void add_bars(struct sbuf *out, const struct page_kernel *k, enum metric metric,
	const char *const which[PAGE_BARS])
{
	static const char *const class[PAGE_BARS] = {"before", "after", "alone"};
	int64_t v[PAGE_BARS], most = 0;
	for (size_t i = 0; i < PAGE_BARS; i++) {
		v[i] = k->figures[i] ? k->figures[i]->v[metric] : METRIC_ABSENT;
		most = v[i] > most ? v[i] : most;
	}
	sbuf_adds(out, "<td>");
	for (size_t i = 0; i < PAGE_BARS; i++) {
		add_bar(out, which ? which[i] : NULL, class[i], v[i], most);
	}
	sbuf_adds(out, "</td>");
}

void page_kernels(
	struct sbuf *out, const struct page_kernel *v, size_t n, const char *const which[PAGE_BARS])
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
	for (size_t k = 0; k < n; k++) {
		sbuf_adds(out, "<tr><td><code>");
		escape_xml(out, str_of(v[k].name));
		sbuf_adds(out, "</code>");
		escape_xml(out, str_of(v[k].mark));
		sbuf_addf(out, "<td>%s", v[k].target);
		for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
			add_bars(out, &v[k], shown[i].metric, which);
		}
		sbuf_adds(out, "</tr>\n");
	}
	sbuf_adds(out, "</table>\n");
}
