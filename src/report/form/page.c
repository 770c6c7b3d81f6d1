#include "report/form/page.h"

#include <string.h>

#include "report/form/escape.h"

static const char style[] =
	":root{color-scheme:light dark}body{font:15px/1.5 "
	"system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 "
	"1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem}code,pre{font:13px/1.45 "
	"ui-monospace,monospace}pre{margin:0;padding:.6rem;overflow-x:auto;tab-size:8;background:#"
	"8881;border-radius:.3rem}.arms{display:grid;gap:.8rem;grid-template-columns:repeat(auto-"
	"fit,minmax(20rem,1fr))}.arms>div{min-width:0}.arms "
	"pre{white-space:pre-wrap;overflow-wrap:anywhere}.arms h3{font-size:.9rem;margin:0 0 "
	".2rem}svg{max-width:100%;height:auto}p,li,h2,td "
	"code{overflow-wrap:anywhere}.gain{font-weight:600}.index{width:100%}.index tbody "
	"tr:nth-child(even){background:#8881}.rule{color:light-dark(#666,#aaa)}.place{font-weight:"
	"600}table{border-collapse:collapse;margin:.6rem "
	"0}td,th{padding:.15rem .7rem .15rem 0;text-align:left;vertical-align:top}th "
	"button{all:unset;cursor:pointer}th button:focus-visible{outline:2px "
	"solid}th[aria-sort=ascending] button:after{content:\" \\25b4\"}th[aria-sort=descending] "
	"button:after{content:\" "
	"\\25be\"}.axis{display:flex;justify-content:space-between;width:8rem;font-weight:400;font-"
	"size:.75rem;border-top:1px "
	"solid #888}.find{font:inherit;width:20rem;max-width:100%;padding:.2rem "
	".5rem}td:first-child{min-width:9rem}td "
	"div{white-space:nowrap}.n{text-align:right}.line{white-space:pre-wrap;tab-size:8;overflow-"
	"wrap:anywhere}.bar{display:inline-block;height:.7rem;border-radius:.15rem;min-width:1px;"
	"vertical-align:middle;margin-right:.4rem}.slots{display:inline-flex;gap:1px;vertical-"
	"align:middle;margin-right:.4rem}.slots "
	"i{width:.45rem;height:.7rem;box-shadow:inset 0 0 0 1px "
	"#8888}.before{background:#d9822b}.after{background:#2b8a5f}.alone{background:#8888}.del{"
	"color:light-dark(#b03a2e,#f1948a)}.add{color:light-dark(#1d7a48,#6fcf97)}.hunk{color:"
	"light-dark(#666,#aaa)}ul{margin:.4rem "
	"0;padding-left:1.2rem}[hidden]{display:none}@media "
	"print{:root{color-scheme:light}body{margin:0;max-width:none;font-size:10pt}pre{white-"
	"space:pre-wrap;overflow-wrap:anywhere;border:1px "
	"solid "
	"#ccc;font-size:7pt}h2,h3,thead{break-after:avoid}svg,tr{break-inside:avoid}a{color:"
	"inherit}.find{display:none}.bar,.slots "
	"i{print-color-adjust:exact}}";

/* Sorts a table by a column, numbers by their value, and hides rows and sections without the word
 * in the field. It loads no other files. */
static const char script[] =
	"const "
	"key=c=>c?c.dataset.v||c.textContent.trim():'';document.addEventListener('click',e=>{const "
	"b=e.target.closest('th button');if(!b)return;const "
	"th=b.parentNode,i=th.cellIndex,body=th.closest('table').tBodies[0],up=th.getAttribute('"
	"aria-sort')!=='ascending';for(const "
	"o of "
	"th.parentNode.cells)o.removeAttribute('aria-sort');th.setAttribute('aria-sort',up?'"
	"ascending':'descending');body.append(...[...body.rows].sort((x,y)=>(up?1:-1)*key(x.cells["
	"i]).localeCompare(key(y.cells[i]),undefined,{numeric:true})))});const "
	"find=document.querySelector('.find');find.hidden=false;find.addEventListener('input',()=>{"
	"const "
	"w=find.value.toLowerCase(),has=o=>o&&o.textContent.toLowerCase().includes(w);for(const s "
	"of document.querySelectorAll('section'))s.hidden=!has(s);for(const r of "
	"document.querySelectorAll('tbody tr')){const "
	"s=r.closest('section');r.hidden=!has(r)&&!(s&&has(s.querySelector('h2')))}})";

void page_open(struct sbuf *out, const char *title)
{
	sbuf_adds(out, "<!doctype html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
		       "<meta name=viewport content=\"width=device-width\">\n<title>");
	escape_xml(out, str_of(title));
	sbuf_addf(out, "</title>\n<style>%s</style></head>\n<body>\n<main>\n<h1>", style);
	escape_xml(out, str_of(title));
	sbuf_adds(out, "</h1>\n<input class=find type=search placeholder=\"filter\" "
		       "aria-label=\"filter\" hidden>\n");
}

void page_close(struct sbuf *out)
{
	sbuf_addf(out,
		"<p class=rule>Made by unphi " UNPHI_VERSION ".</p>\n</main>\n"
		"<script>%s</script>\n</body>\n</html>\n",
		script);
}

static void add_head(struct sbuf *out, const char *title, int64_t most)
{
	sbuf_addf(out, "<th scope=col><button>%s</button>", title);
	if (most > 0) {
		sbuf_addf(out, "<div class=axis><span>0</span><span>%lld</span></div>",
			(long long)most);
	}
}

void page_table(struct sbuf *out, const char *const *title, size_t n)
{
	sbuf_adds(out, "<table class=index><thead><tr>");
	for (size_t i = 0; i < n; i++) {
		add_head(out, title[i], 0);
	}
	sbuf_adds(out, "</tr></thead>\n<tbody>\n");
}

void page_table_end(struct sbuf *out)
{
	sbuf_adds(out, "</tbody></table>\n");
}

void page_heading(struct sbuf *out, const char *text)
{
	sbuf_adds(out, "<h2>");
	escape_xml(out, str_of(text));
	sbuf_adds(out, "</h2>\n");
}

void page_pre(struct sbuf *out, struct str text)
{
	/* the keyboard must reach an element that scrolls */
	sbuf_adds(out, "<pre tabindex=0>");
	escape_xml(out, text);
	sbuf_adds(out, "</pre>\n");
}

void page_diff(struct sbuf *out, struct str diff)
{
	struct str line;
	bool any_line = diff.n > 0;
	sbuf_adds(out, any_line ? "<pre tabindex=0>" : "");
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

void page_rows_open(struct sbuf *out, size_t n)
{
	sbuf_adds(out, n > 1 ? "<details><summary>" : "");
}

void page_rows_next(struct sbuf *out, size_t i, size_t n)
{
	if (i == 1) {
		sbuf_addf(out, " and %zu more</summary><ul>", n - 1);
	}
	sbuf_adds(out, i > 0 ? "<li>" : "");
}

void page_rows_close(struct sbuf *out, size_t n)
{
	sbuf_adds(out, n > 1 ? "</ul></details>" : "");
}

/* ---- kernels ---- */

static const struct {
	enum metric metric;
	const char *title;
} shown[] = {{METRIC_VGPR, "VGPRs per lane"}, {METRIC_VGPR_SPILL, "VGPR spills"},
	{METRIC_SCRATCH, "scratch bytes per lane"}, {METRIC_RESIDENT_WAVES, "waves per SIMD"}};

enum {
	SHOWN = sizeof(shown) / sizeof(shown[0])
};

static int64_t figure(const struct page_kernel *k, size_t which, size_t column)
{
	return k->figures[which] ? k->figures[which]->v[shown[column].metric] : METRIC_ABSENT;
}

static void add_slots(struct sbuf *out, const char *class, int64_t taken, unsigned slots)
{
	sbuf_adds(out, "<span class=slots aria-hidden=true>");
	for (unsigned i = 0; i < slots; i++) {
		sbuf_addf(out, i < taken ? "<i class=%s></i>" : "<i></i>", class);
	}
	sbuf_adds(out, "</span>");
}

static void add_bars(struct sbuf *out, const struct page_kernel *k, size_t column, int64_t most,
	const char *const which[PAGE_BARS])
{
	static const char *const class[PAGE_BARS] = {"before", "after", "alone"};
	int64_t first = METRIC_ABSENT;
	for (size_t i = 0; i < PAGE_BARS && first == METRIC_ABSENT; i++) {
		first = figure(k, i, column);
	}
	sbuf_addf(out, first == METRIC_ABSENT ? "<td>" : "<td data-v=%lld>", (long long)first);
	for (size_t i = 0; i < PAGE_BARS; i++) {
		int64_t v = figure(k, i, column);
		unsigned slots = k->figures[i] ? k->figures[i]->waves_max : 0;
		if (v == METRIC_ABSENT) {
			continue;
		}
		sbuf_adds(out, "<div>");
		if (shown[column].metric == METRIC_RESIDENT_WAVES && slots > 0) {
			add_slots(out, class[i], v, slots);
		} else {
			sbuf_addf(out, "<span class=\"bar %s\" style=\"width:%.1frem\"></span>",
				class[i], most > 0 ? 8.0 * (double)v / (double)most : 0.0);
		}
		sbuf_addf(out, "%lld", (long long)v);
		sbuf_addf(out,
			slots && shown[column].metric == METRIC_RESIDENT_WAVES ? " of %u" : "",
			slots);
		sbuf_addf(out, which ? " %s" : "", which ? which[i] : NULL);
		sbuf_adds(out, "</div>");
	}
	sbuf_adds(out, "</td>");
}

static bool is_alike(const struct page_kernel *x, const struct page_kernel *y)
{
	bool same = strcmp(x->target, y->target) == 0;
	for (size_t i = 0; i < PAGE_BARS * SHOWN; i++) {
		same &= figure(x, i / SHOWN, i % SHOWN) == figure(y, i / SHOWN, i % SHOWN);
	}
	return same;
}

static void add_name(struct sbuf *out, const struct page_kernel *k)
{
	sbuf_adds(out, "<code>");
	escape_xml(out, str_of(k->name));
	sbuf_adds(out, "</code>");
	escape_xml(out, str_of(k->mark));
}

/* The names of n rows with the same figures. */
static void add_names(struct sbuf *out, const struct page_kernel *v, size_t n)
{
	page_rows_open(out, n);
	for (size_t i = 0; i < n; i++) {
		page_rows_next(out, i, n);
		add_name(out, &v[i]);
	}
	page_rows_close(out, n);
}

void page_kernels(
	struct sbuf *out, const struct page_kernel *v, size_t n, const char *const which[PAGE_BARS])
{
	int64_t most[SHOWN] = {0};
	if (n == 0) {
		return;
	}
	for (size_t i = 0; i < n * PAGE_BARS * SHOWN; i++) {
		size_t column = i % SHOWN;
		int64_t f = figure(&v[i / SHOWN / PAGE_BARS], i / SHOWN % PAGE_BARS, column);
		most[column] = f != METRIC_ABSENT && f > most[column] ? f : most[column];
	}
	sbuf_adds(out, "<table><thead><tr>");
	add_head(out, "kernel", 0);
	add_head(out, "target", 0);
	for (size_t i = 0; i < SHOWN; i++) {
		bool slots = shown[i].metric == METRIC_RESIDENT_WAVES && v[0].figures[0] &&
			     v[0].figures[0]->waves_max;
		add_head(out, shown[i].title, slots ? 0 : most[i]);
	}
	sbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t k = 0, alike; k < n; k += alike) {
		for (alike = 1; k + alike < n && is_alike(&v[k], &v[k + alike]);) {
			alike++;
		}
		alike = alike < PAGE_ALIKE ? 1 : alike;
		sbuf_adds(out, "<tr><td>");
		add_names(out, &v[k], alike);
		sbuf_addf(out, "<td>%s", v[k].target);
		for (size_t i = 0; i < SHOWN; i++) {
			add_bars(out, &v[k], i, most[i], which);
		}
		sbuf_adds(out, "</tr>\n");
	}
	page_table_end(out);
}

void page_choice(struct sbuf *out, const struct choice *c, size_t targets, const regex_t *wanted)
{
	static const char *const which[PAGE_BARS] = {"before", "after", "alone"};
	ARRAY(struct page_kernel) rows = {0};

	for (size_t t = 0; c->before && t < targets; t++) {
		const struct measurement *m = &c->before[t];
		span_each (m->kernel, m->kernels, const struct kernel_metrics, b) {
			struct page_kernel row = {.name = b->name,
				.target = m->target,
				.mark = b->trusted ? NULL : " (not trusted)",
				.figures = {b, measurement_kernel(&c->after[t], b->symbol)}};
			if (c->one_arm) {
				row.figures[2] = measurement_kernel(&c->one_arm[t], b->symbol);
			}
			if (kernel_is_wanted(wanted, b->name, b->symbol)) {
				array_push(&rows, row);
			}
		}
	}
	if (rows.n > 0) {
		page_kernels(out, rows.v, rows.n, which);
	}
	array_release(&rows);
}
