/*
 * The ledger as a picture. The heights of all bars at a line add up to the VGPRs of the variables
 * that are live there. The colour shows the role.
 */
#include <string.h>

#include "base/map.h"

#include "report/form/escape.h"
#include "report/form/page.h"
#include "report/figures/ledger.h"

enum {
	LEFT = 190,
	WIDTH = 900,
	ROW_LEAST = 12, /* the height of a name */
	GAP = 3,
	HEAD = 46, /* without the title's lines */
	LINE = 16, /* of the title */
	LINE_MAX_CHARACTERS = 130,
	PEAK_NAMES = 8, /* variables that the peak line names */
	FOOT = 30,
	PLOT = 96, /* pressure by line, with the gap below it */
	PLOT_GAP = 12,
};

static const char *const colours[] = {
	[LEDGER_ACCUMULATOR] = "#d9822b",
	[LEDGER_SOFTMAX] = "#8e44ad",
	[LEDGER_OPERAND] = "#2b8a5f",
	[LEDGER_ADDRESS] = "#3b7dd8",
	[LEDGER_TEMPORARY] = "#888888",
};

struct picture {
	struct sbuf *out;
	const struct ledger_entry *e;
	unsigned first; /* lines shown */
	unsigned last;
	double scale; /* pixels a VGPR */
	double head;  /* top of the pressure plot */
	double rows;  /* top of the first row */
	double y;
};

static bool is_shown(const struct picture *p, const struct ledger_var *v)
{
	return v->width > 0 && v->first_line > 0 && v->file == p->e->ledger->most.file;
}

static double x_of(const struct picture *p, double line)
{
	double lines = (double)(p->last - p->first + 1);

	return LEFT + (line - (double)p->first) * (WIDTH - LEFT - 10) / lines;
}

static double height_of(const struct picture *p, const struct ledger_var *v)
{
	double h = v->width * p->scale;

	return h < 2 ? 2 : h;
}

static double row_of(const struct picture *p, const struct ledger_var *v)
{
	double h = height_of(p, v);

	return (h < ROW_LEAST ? ROW_LEAST : h) + GAP;
}

static void add_name(struct sbuf *out, const struct ledger_var *v)
{
	escape_xml(out, str_of(v->name));
	sbuf_adds(out, v->member ? "." : "");
	escape_xml(out, str_of(v->member));
}

static void add_var(struct picture *p, const struct ledger_var *v)
{
	double h = height_of(p, v), row = row_of(p, v), middle = p->y + (row - GAP) / 2;
	double from = x_of(p, v->first_line), to = x_of(p, v->last_line + 1);

	sbuf_addf(p->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, middle + 4);
	add_name(p->out, v);
	sbuf_addf(p->out,
		" %u</text>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		"fill=\"%s\"><title>",
		v->width, from, middle - h / 2, to - from, h, colours[v->role]);
	add_name(p->out, v);
	sbuf_addf(p->out, ": %u VGPRs, lines %u to %u, %s%s</title></rect>\n", v->width,
		v->first_line, v->last_line, ledger_role_name(v->role),
		v->loop_carried	   ? ", carried by a loop"
		: v->loop_constant ? ", live through a loop that only reads it"
				   : "");
	p->y += row;
}

static void add_axis(struct picture *p, double bottom)
{
	unsigned lines = p->last - p->first + 1, step = 1;

	while (lines / step > 12) {
		step = step % 5 == 0 || step == 1 ? step * (step == 1 ? 5 : 2) : step * 5 / 2;
	}
	sbuf_addf(p->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">line</text>\n", LEFT - 6,
		bottom + 14);
	for (unsigned l = (p->first + step - 1) / step * step; l <= p->last; l += step) {
		double x = x_of(p, l);
		sbuf_addf(p->out,
			"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
			"stroke=\"#8884\"/><text x=\"%.1f\" y=\"%.1f\">%u</text>\n",
			x, p->head - 6, x, bottom, x + 2, bottom + 14, l);
	}
}

/* ---- pressure by line ---- */

/* The pressure at that line, at most the estimate. */
static unsigned pressure_at(const struct picture *p, unsigned line)
{
	const struct ledger *l = p->e->ledger;
	unsigned wanted = line <= l->lines ? l->pressure[line] : 0;
	return wanted < p->e->claim.vgprs ? wanted : p->e->claim.vgprs;
}

static double height_at(const struct picture *p, unsigned vgprs)
{
	unsigned most = p->e->claim.vgprs ? p->e->claim.vgprs : 1;
	return p->head + (PLOT - PLOT_GAP) * (1 - (double)vgprs / most);
}

static void add_level(struct picture *p, unsigned vgprs, const char *what, const char *how)
{
	double y = height_at(p, vgprs);
	sbuf_addf(p->out,
		"<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#888\"%s/>"
		"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s%u</text>\n",
		LEFT, y, WIDTH - 10, y, how, LEFT - 6, y + 4, what, vgprs);
}

/* A step for each line, as high as the VGPRs that it needs. */
static void add_pressure(struct picture *p)
{
	const struct ledger_claim *c = &p->e->claim;
	bool beyond = c->budget < c->vgprs;
	sbuf_addf(p->out,
		"<path class=\"pressure\" fill=\"#3b7dd8\" fill-opacity=\"0.45\" d=\"M%.1f %.1f",
		x_of(p, p->first), height_at(p, 0));
	for (unsigned l = p->first; l <= p->last; l++) {
		sbuf_addf(p->out, "V%.1fH%.1f", height_at(p, pressure_at(p, l)), x_of(p, l + 1));
	}
	sbuf_addf(p->out, "V%.1fZ\"><title>VGPRs that each line needs</title></path>\n",
		height_at(p, 0));
	add_level(p, 0, "", "");
	add_level(p, c->vgprs, "VGPRs needed: ", " stroke-opacity=\"0.4\"");
	/* only if there is space for its label */
	if (beyond && height_at(p, c->budget) - height_at(p, c->vgprs) > ROW_LEAST &&
		height_at(p, 0) - height_at(p, c->budget) > ROW_LEAST) {
		add_level(p, c->budget, "limit of a wave: ", " stroke-dasharray=\"6 3\"");
	}
}

static void add_mark(struct picture *p, double bottom, unsigned line, const char *how)
{
	double x = x_of(p, line + 0.5);

	sbuf_addf(p->out,
		"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#c0392b\" %s/>\n",
		x, p->head - 10, x, bottom, how);
}

/* Marks the peak, and the lines of the calls that lead to it. */
static void add_peak(struct picture *p, double bottom)
{
	const struct ledger *l = p->e->ledger;
	double x = x_of(p, l->most.line + 0.5);
	bool right = x > (double)(LEFT + WIDTH) / 2; /* the text is on the side with more space */

	add_mark(p, bottom, l->most.line, "stroke-width=\"1.5\" stroke-dasharray=\"4 2\"");
	for (size_t i = 0; i < l->most.calls; i++) {
		const struct ledger_call *c = &l->most.call[i];
		if (c->file == l->most.file && c->line >= p->first && c->line <= p->last) {
			add_mark(p, bottom, c->line, "stroke-dasharray=\"1 3\"");
		}
	}
	sbuf_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\"%s>peak %u in line %u</text>\n",
		right ? x - 4 : x + 4, p->head - 12, right ? " text-anchor=\"end\"" : "",
		p->e->claim.vgprs, l->most.line);
}

/* The variables that are live at the peak, the widest first. Those of callers are among them; they
 * may have no bar. */
static void add_peak_names(struct sbuf *out, const struct ledger *l)
{
	struct map named = {0};
	unsigned left = 0;
	sbuf_adds(out, "live at the peak: ");
	for (size_t k = 0; k < PEAK_NAMES; k++) {
		const struct ledger_var *widest = NULL;
		for (size_t i = 0; i < l->vars; i++) {
			const struct ledger_var *v = &l->var[i];
			bool wider = v->at_peak > 0 && (!widest || v->at_peak > widest->at_peak);
			widest = wider && !map_get_u64(&named, i + 1, 0) ? v : widest;
		}
		if (!widest) {
			sbuf_adds(out, k ? "" : "no variable");
			break;
		}
		map_set_u64(&named, (uint64_t)(widest - l->var) + 1, 1);
		sbuf_addf(out, "%s%s%s%s %u of %s", k ? ", " : "", widest->name,
			widest->member ? "." : "", widest->member ? widest->member : "",
			widest->at_peak, widest->owner ? widest->owner : l->name);
	}
	for (size_t i = 0; i < l->vars; i++) {
		left += map_get_u64(&named, i + 1, 0) ? 0 : l->var[i].at_peak;
	}
	if (left) {
		sbuf_addf(out, ", others %u", left);
	}
	map_release(&named);
}

static void add_callers(struct sbuf *out, const struct ledger *l)
{
	sbuf_addf(out, "the peak is in %s", l->most.in);
	for (size_t i = 0; i < l->most.calls; i++) {
		const struct ledger_call *c = &l->most.call[i];
		sbuf_addf(out, "%s%u of %s", i ? ", " : ", called in line ", c->line, c->in);
	}
}

/* Adds text in as many lines as needed, since names of template instances are long. Breaks it at a
 * space if possible. */
static void add_title(struct picture *p, struct str text, const char *how)
{
	while (text.n > 0) {
		size_t n = text.n;
		if (n > LINE_MAX_CHARACTERS) {
			n = LINE_MAX_CHARACTERS;
			while (n > LINE_MAX_CHARACTERS / 2 && text.p[n - 1] != ' ') {
				n--;
			}
			n = text.p[n - 1] == ' ' ? n : LINE_MAX_CHARACTERS;
		}
		while (n < text.n && ((unsigned char)text.p[n] & 0xc0) == 0x80) {
			n++; /* not within a character */
		}
		sbuf_addf(p->out, "<text x=\"4\" y=\"%.1f\"%s>", p->y, how);
		escape_xml(p->out, str_sub(text, 0, n));
		sbuf_adds(p->out, "</text>\n");
		text = str_sub(text, n, text.n);
		p->y += LINE;
	}
}

static void add_titles(struct picture *p)
{
	const struct ledger_entry *e = p->e;
	int64_t got = ledger_measured(e);
	struct sbuf text = {0};

	sbuf_addf(&text, "%s (%s): estimate %u VGPRs", e->ledger->name, e->target->name,
		e->claim.vgprs);
	if (got != METRIC_ABSENT) {
		sbuf_addf(&text, ", measured %lld and %lld spilled",
			(long long)e->got->v[METRIC_VGPR], (long long)e->got->v[METRIC_VGPR_SPILL]);
	}
	p->y = LINE;
	add_title(p, sbuf_str(&text), " font-weight=\"bold\"");
	sbuf_reset(&text);
	add_peak_names(&text, e->ledger);
	add_title(p, sbuf_str(&text), "");
	sbuf_reset(&text);
	add_callers(&text, e->ledger);
	add_title(p, sbuf_str(&text), "");
	p->head = HEAD - LINE + p->y - LINE;
	sbuf_release(&text);
}

/* Returns the height. */
static double add_picture(struct sbuf *out, const struct ledger_entry *e, double top)
{
	const struct ledger *l = e->ledger;
	struct picture p = {.out = out, .e = e, .first = l->most.line, .last = l->most.line};
	unsigned most = 1;

	p.first = p.last = l->most.line ? l->most.line : 1;
	for (size_t i = 0; i < l->vars; i++) {
		const struct ledger_var *v = &l->var[i];
		if (is_shown(&p, v)) {
			p.first = v->first_line < p.first ? v->first_line : p.first;
			p.last = v->last_line > p.last ? v->last_line : p.last;
			most = v->width > most ? v->width : most;
		}
	}
	for (unsigned line = 1; line <= l->lines; line++) {
		p.first = l->pressure[line] && line < p.first ? line : p.first;
		p.last = l->pressure[line] && line > p.last ? line : p.last;
	}
	p.scale = most > 128 ? 128.0 / most : 1;
	sbuf_addf(out, "<g transform=\"translate(0,%.1f)\">\n", top);
	add_titles(&p);
	p.rows = p.head + PLOT;
	double height = p.rows;
	for (size_t i = 0; i < l->vars; i++) {
		height += is_shown(&p, &l->var[i]) ? row_of(&p, &l->var[i]) : 0;
	}
	add_axis(&p, height);
	add_pressure(&p);
	p.y = p.rows;
	for (size_t i = 0; i < l->vars; i++) {
		if (is_shown(&p, &l->var[i])) {
			add_var(&p, &l->var[i]);
		}
	}
	add_peak(&p, height);
	sbuf_adds(out, "</g>\n");
	return height + FOOT;
}

static double add_legend(struct sbuf *out)
{
	double x = 4;

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		const char *name = ledger_role_name((enum ledger_role)i);
		sbuf_addf(out,
			"<rect x=\"%.0f\" y=\"4\" width=\"12\" height=\"12\" fill=\"%s\"/><text "
			"x=\"%.0f\" y=\"14\">%s</text>\n",
			x, colours[i], x + 16, name);
		x += 34 + 7 * (double)strlen(name);
	}
	return 26;
}

void ledger_svg(struct sbuf *out, const struct ledger_entry *e, size_t n)
{
	struct sbuf body = {0};
	double y = add_legend(&body);

	for (size_t i = 0; i < n; i++) {
		y += add_picture(&body, &e[i], y);
	}
	sbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		"viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" font-size=\"11\" "
		"fill=\"currentColor\">\n",
		WIDTH, y, WIDTH, y);
	sbuf_addstr(out, sbuf_str(&body));
	sbuf_adds(out, "</svg>\n");
	sbuf_release(&body);
}

void ledger_html(struct sbuf *out, const struct ledger_entry *e, size_t n)
{
	page_open(out, "unphi: register ledger");
	for (size_t i = 0; i < n; i++) {
		struct sbuf text = {0};
		struct page_kernel row = {.name = e[i].ledger->name,
			.target = e[i].target->name,
			.figures = {e[i].got}};
		sbuf_adds(out, "<section>\n");
		page_heading(out, e[i].ledger->name);
		page_kernels(out, &row, e[i].got != NULL, NULL);
		ledger_svg(out, &e[i], 1);
		ledger_text(&text, &e[i], 1);
		page_pre(out, sbuf_str(&text));
		sbuf_adds(out, "</section>\n");
		sbuf_release(&text);
	}
	page_close(out);
}
