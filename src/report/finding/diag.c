#include "report/finding/diag.h"

#include <stdlib.h>
#include <string.h>

#include "report/form/json.h"
#include "report/finding/place.h"

enum {
	MAX_QUOTE = 160, /* bytes of a line that are quoted */
	LEAD = 60,	 /* bytes shown before the caret if the line is cut */
};

#define BOLD "\033[1m"
#define BOLD_GREEN "\033[0;1;32m"
#define RESET "\033[0m"

static const struct {
	const char *word;
	const char *color;
} levels[] = {
	[DIAG_ERROR] = {"error", "\033[0;1;31m"},
	[DIAG_WARNING] = {"warning", "\033[0;1;35m"},
	[DIAG_NOTE] = {"note", "\033[0;1;36m"},
};

static int compare_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const struct diag_place *a, const struct diag_place *b)
{
	int c = text_cmp(a->path, b->path);

	if (c == 0 && a->path) {
		c = compare_size(a->begin, b->begin);
	}
	return c;
}

static int compare_notes(const struct diag *a, const struct diag *b)
{
	for (size_t i = 0; i < a->notes && i < b->notes; i++) {
		int c = compare_places(&a->note[i].place, &b->note[i].place);

		c = c != 0 ? c : compare_size(a->note[i].place.end, b->note[i].place.end);
		c = c != 0 ? c : str_cmp(a->note[i].text, b->note[i].text);
		if (c != 0) {
			return c;
		}
	}
	return compare_size(a->notes, b->notes);
}

/* 0 for a finding in a header that two units report, each from its own instantiations. */
static int compare_subjects(const struct diag *a, const struct diag *b)
{
	int c = compare_places(&a->place, &b->place);

	return c != 0 ? c : text_cmp(a->rule, b->rule);
}

static int compare_diags(const struct diag *a, const struct diag *b)
{
	int c = compare_subjects(a, b);

	c = c != 0 ? c : (int)a->level - (int)b->level;
	c = c != 0 ? c : compare_size(b->weight, a->weight);
	c = c != 0 ? c : str_cmp(a->text, b->text);
	c = c != 0 ? c : compare_size(a->place.end, b->place.end);
	return c != 0 ? c : compare_notes(a, b);
}

/* Compares commands last, so that the printed unit does not depend on the order of the checks. */
static int compare_for_order(const void *left, const void *right)
{
	const struct diag *a = left, *b = right;
	int c = compare_diags(a, b);

	return c != 0 ? c : text_cmp(a->next, b->next);
}

void diag_sort_unique(struct diag_list *l)
{
	struct diag *v = l->v.v;
	size_t kept = 1;

	if (l->v.n == 0) {
		return;
	}
	qsort(v, l->v.n, sizeof(*v), compare_for_order);
	for (size_t i = 1; i < l->v.n; i++) {
		bool same = v[i].weight > 0 ? compare_subjects(&v[kept - 1], &v[i]) == 0
					    : compare_diags(&v[kept - 1], &v[i]) == 0;
		if (!same) {
			v[kept++] = v[i];
		}
	}
	l->v.n = kept;
}

static void add_place(struct sbuf *out, const struct diag_place *place)
{
	if (!place->path) {
		return;
	}
	sbuf_add_visible(out, str_of(place->path), "");
	sbuf_addc(out, ':');
	if (place->source.p) {
		struct line_col at = place_begin(place);

		sbuf_addf(out, "%u:%u:", at.line, at.col);
	}
	sbuf_addc(out, ' ');
}

static void add_heading(struct sbuf *out, const struct diag_place *place, enum diag_level level,
	struct str text, const char *rule, bool color)
{
	bool strong = color && level != DIAG_NOTE;

	sbuf_adds(out, color ? BOLD : "");
	add_place(out, place);
	sbuf_adds(out, color ? levels[level].color : "");
	sbuf_addf(out, "%s: ", levels[level].word);
	sbuf_adds(out, color ? RESET : "");
	sbuf_adds(out, strong ? BOLD : "");
	sbuf_add_visible(out, text, "\t");
	if (rule) {
		sbuf_addf_visible(out, " [%s]", rule);
	}
	sbuf_adds(out, strong ? RESET : "");
	sbuf_addc(out, '\n');
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The part of a line that is shown: [from, to), in bytes from the line's start. */
struct window {
	size_t from, to;
};

/* Cuts a long line around the caret, between characters. */
static struct window window_around(struct str line, size_t caret)
{
	struct window w = {0, line.n};

	if (line.n <= MAX_QUOTE) {
		return w;
	}
	w.from = caret > LEAD ? caret - LEAD : 0;
	if (w.from + MAX_QUOTE > line.n) {
		w.from = line.n - MAX_QUOTE;
	}
	w.to = w.from + MAX_QUOTE;
	while (w.from > 0 && is_continuation(line.p[w.from])) {
		w.from--;
	}
	while (w.to < line.n && is_continuation(line.p[w.to])) {
		w.to++;
	}
	return w;
}

/* Adds a mark under each character of line as it is shown: first, then rest. Tabs are kept, so that
 * the next marks are aligned. */
static void add_marks(struct sbuf *out, struct str line, char first, char rest)
{
	struct sbuf shown = {0};
	char mark = first;

	sbuf_add_visible(&shown, line, "\t");
	for (size_t i = 0; i < shown.n; i++) {
		if (!is_continuation(shown.p[i])) {
			sbuf_addc(out, shown.p[i] == '\t' ? '\t' : mark);
			mark = rest;
		}
	}
	sbuf_release(&shown);
}

static void add_quote(struct sbuf *out, const struct diag_place *place, bool color)
{
	if (!place->path || !place->source.p) {
		return;
	}
	struct line_col at = place_begin(place);
	struct str line = line_around(place->source, place->begin);
	/* the offset may be that of the line end, or of the '\r' before it */
	size_t caret = at.col - 1 < line.n ? at.col - 1 : line.n;
	struct window w = window_around(line, caret);
	size_t length = place->end > place->begin ? place->end - place->begin : 0;
	struct str marked = str_sub(line, caret, caret + length);

	marked = str_sub(marked, 0, w.to - caret);
	while (marked.n > 0 && strchr(" \t", marked.p[marked.n - 1])) {
		marked.n--;
	}
	sbuf_addf(out, "%5u | %s", at.line, w.from > 0 ? "..." : "");
	sbuf_add_visible(out, str_sub(line, w.from, w.to), "\t");
	sbuf_addf(out, "%s\n      | %s", w.to < line.n ? "..." : "", w.from > 0 ? "   " : "");
	add_marks(out, str_sub(line, w.from, caret), ' ', ' ');
	sbuf_adds(out, color ? BOLD_GREEN : "");
	/* after a mark under a tab no other mark could be aligned */
	if (marked.n > 0 && marked.p[0] != '\t') {
		add_marks(out, marked, '^', '~');
	} else {
		sbuf_addc(out, '^');
	}
	sbuf_adds(out, color ? RESET : "");
	sbuf_addc(out, '\n');
}

struct diag diag_shown(const struct diag *d, struct arena *a, bool verbose)
{
	struct diag shown = *d;
	size_t best = 0;

	shown.note = ARENA_ARRAY(a, struct diag_note, d->notes);
	shown.notes = 0;
	for (size_t i = 0; i < d->notes; i++) {
		best = d->note[i].says > d->note[best].says ? i : best;
	}
	for (size_t i = 0; i < d->notes; i++) {
		if (verbose || (i == best && d->note[i].says != SAYS_MORE)) {
			shown.note[shown.notes++] = d->note[i];
		}
	}
	return shown;
}

void diag_note_text(struct sbuf *out, const struct diag_note *n, bool color)
{
	add_heading(out, &n->place, DIAG_NOTE, n->text, NULL, color);
	add_quote(out, &n->place, color);
}

void diag_text(struct sbuf *out, const struct diag *d, enum diag_text how, bool color)
{
	add_heading(out, &d->place, d->level, d->text, d->rule, color);
	if (how == DIAG_TEXT_QUOTED) {
		add_quote(out, &d->place, color);
	}
	for (size_t i = 0; i < d->notes; i++) {
		diag_note_text(out, &d->note[i], color);
	}
}

static void put_place(struct json *j, const struct diag_place *place)
{
	bool known = place->path && place->source.p;
	struct line_col at = {0};

	if (known) {
		at = place_begin(place);
	}
	jsonw_key_text(j, "file", place->path);
	jsonw_key_known(j, "line", (int64_t)at.line, known);
	jsonw_key_known(j, "column", (int64_t)at.col, known);
}

static void put_kernels(struct json *j, const struct diag *d)
{
	struct str rest = str_of(d->kernels), line;
	jsonw_key_array(j, "kernels");
	while (str_line(&rest, &line)) {
		size_t tab = str_find(line, "\t", 0);
		jsonw_object(j);
		jsonw_key_str(j, "name", str_sub(line, tab + 1, line.n));
		jsonw_key_str(j, "symbol", str_sub(line, 0, tab));
		jsonw_end(j);
	}
	jsonw_end(j);
}

static void put_fixes(struct json *j, const struct diag *d)
{
	jsonw_key_array(j, "fixes");
	span_each (d->edit, d->edits, const struct diag_edit, e) {
		jsonw_object(j);
		jsonw_key_str(j, "file", str_of(e->place.path));
		jsonw_key_i64(j, "offset", (int64_t)e->place.begin);
		jsonw_key_i64(j, "length", (int64_t)(e->place.end - e->place.begin));
		jsonw_key_str(j, "text", e->text);
		jsonw_end(j);
	}
	jsonw_end(j);
}

/* The note that is printed without --verbose. */
static void put_why(struct json *j, const struct diag *d)
{
	struct arena *a = arena_create();
	struct diag shown = diag_shown(d, a, false);

	if (shown.notes > 0) {
		jsonw_key_str(j, "why", shown.note[0].text);
	} else {
		jsonw_key_text(j, "why", NULL);
	}
	arena_free(a);
}

static void put_diag(struct json *j, const struct diag *d)
{
	jsonw_object(j);
	jsonw_key_text(j, "rule", d->rule);
	jsonw_key_str(j, "level", str_of(levels[d->level].word));
	put_place(j, &d->place);
	jsonw_key_known(j, "offset", (int64_t)d->place.begin, d->place.path && d->place.source.p);
	jsonw_key_known(j, "length", (int64_t)(d->place.end - d->place.begin),
		d->place.path && d->place.source.p);
	jsonw_key_str(j, "message", d->text);
	put_why(j, d);
	jsonw_key_array(j, "notes");
	for (size_t i = 0; i < d->notes; i++) {
		jsonw_object(j);
		put_place(j, &d->note[i].place);
		jsonw_key_str(j, "message", d->note[i].text);
		jsonw_end(j);
	}
	jsonw_end(j);
	if (d->kernels) {
		put_kernels(j, d);
	}
	if (d->edits > 0) {
		put_fixes(j, d);
	}
	jsonw_end(j);
}

void diag_json(struct sbuf *out, const struct diag_list *l)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "findings");
	array_each (&l->v, const struct diag, d) {
		put_diag(&j, d);
	}
	jsonw_finish(&j);
}
