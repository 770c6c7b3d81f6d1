/*
 * The unified diff of Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear
 * space (section 4b): from both ends, find a point in the middle of a shortest path; then do the
 * same on both sides of it.
 *
 * Two things keep it fast on large files that differ a lot. Lines that occur on one side only are
 * removed first: they match nothing, so the result stays exact. A search that has gone GIVE_UP
 * steps from both ends takes the furthest point reached.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "edit/edit.h"

enum {
	CONTEXT = 3,
	GIVE_UP = 512
};

struct side {
	ARRAY(struct str) line; /* with their line ends */
	ARRAY(uint32_t) id;	/* equal lines have equal ids on both sides */
	bool *changed;		/* line n is a sentinel, never changed */
	/* The lines that the search compares: their ids and their indices. */
	ARRAY(uint32_t) key;
	ARRAY(size_t) at;
};

struct search {
	struct side *a;
	struct side *b;
	/* The furthest x on each diagonal x - y, from the start and from the end. */
	ptrdiff_t *forward;
	ptrdiff_t *backward;
};

struct box {
	ptrdiff_t a_lo, a_hi, b_lo, b_hi;
};

struct point {
	ptrdiff_t x, y;
};

static void side_read(struct side *s, struct str text, struct map *ids)
{
	while (text.n > 0) {
		size_t end = str_find(text, "\n", 0);
		size_t n = end == SIZE_MAX ? text.n : end + 1;
		struct str line = str_sub(text, 0, n);
		uintptr_t next = ids->n, id = map_get(ids, line, next);

		if (id == next) {
			map_set(ids, line, id);
		}
		array_push(&s->line, line);
		array_push(&s->id, (uint32_t)id);
		text = str_sub(text, n, text.n);
	}
	s->changed = mem_zeroed(s->line.n + 1, sizeof(bool));
}

static void side_release(struct side *s)
{
	array_release(&s->line);
	array_release(&s->id);
	array_release(&s->key);
	array_release(&s->at);
	free(s->changed);
}

/* Lines of s in [from, to) that also occur in the other side's window take part in the search; the
 * others are changed. */
static void side_select(struct side *s, const bool *in_other, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (in_other[s->id.v[i]]) {
			array_push(&s->key, s->id.v[i]);
			array_push(&s->at, i);
		} else {
			s->changed[i] = true;
		}
	}
}

static bool *ids_in(const struct side *s, size_t from, size_t to, size_t ids)
{
	bool *in = mem_zeroed(ids, sizeof(*in));

	for (size_t i = from; i < to; i++) {
		in[s->id.v[i]] = true;
	}
	return in;
}

/* Selects all lines but the common first and last ones, and those that cannot match. */
static void select_lines(struct side *a, struct side *b, size_t ids)
{
	size_t from = 0, a_to = a->id.n, b_to = b->id.n;

	while (from < a_to && from < b_to && a->id.v[from] == b->id.v[from]) {
		from++;
	}
	while (a_to > from && b_to > from && a->id.v[a_to - 1] == b->id.v[b_to - 1]) {
		a_to--;
		b_to--;
	}
	bool *in_a = ids_in(a, from, a_to, ids), *in_b = ids_in(b, from, b_to, ids);
	side_select(a, in_b, from, a_to);
	side_select(b, in_a, from, b_to);
	free(in_a);
	free(in_b);
}

/* The diagonals that a search has reached: min to max, every other one. */
struct front {
	ptrdiff_t *x; /* by diagonal */
	ptrdiff_t min, max;
};

/* One step further: adds the neighbouring diagonals, with the value unreached. */
static void front_widen(struct front *f, ptrdiff_t lowest, ptrdiff_t highest, ptrdiff_t unreached)
{
	if (f->min > lowest) {
		f->x[--f->min - 1] = unreached;
	} else {
		f->min++;
	}
	if (f->max < highest) {
		f->x[++f->max + 1] = unreached;
	} else {
		f->max--;
	}
}

static bool front_holds(const struct front *f, ptrdiff_t d)
{
	return f->min <= d && d <= f->max;
}

static bool step_forward(struct point *met, const struct search *s, const struct box *box,
	struct front *f, const struct front *meet)
{
	for (ptrdiff_t d = f->max; d >= f->min; d -= 2) {
		ptrdiff_t x = f->x[d - 1] < f->x[d + 1] ? f->x[d + 1] : f->x[d - 1] + 1;

		while (x < box->a_hi && x - d < box->b_hi && s->a->key.v[x] == s->b->key.v[x - d]) {
			x++;
		}
		f->x[d] = x;
		if (meet && front_holds(meet, d) && meet->x[d] <= x) {
			*met = (struct point){x, x - d};
			return true;
		}
	}
	return false;
}

static bool step_backward(struct point *met, const struct search *s, const struct box *box,
	struct front *f, const struct front *meet)
{
	for (ptrdiff_t d = f->max; d >= f->min; d -= 2) {
		ptrdiff_t x = f->x[d - 1] < f->x[d + 1] ? f->x[d - 1] : f->x[d + 1] - 1;

		while (x > box->a_lo && x - d > box->b_lo &&
			s->a->key.v[x - 1] == s->b->key.v[x - d - 1]) {
			x--;
		}
		f->x[d] = x;
		if (meet && front_holds(meet, d) && x <= meet->x[d]) {
			*met = (struct point){x, x - d};
			return true;
		}
	}
	return false;
}

/* The furthest point of the forward front from the box's start or of the backward front from its
 * end, whichever has gone further. */
static struct point furthest(
	const struct box *box, const struct front *forward, const struct front *backward)
{
	struct point best = {box->a_lo, box->b_lo};
	ptrdiff_t gain = -1;

	for (ptrdiff_t d = forward->max; d >= forward->min; d -= 2) {
		ptrdiff_t x = forward->x[d] < box->a_hi ? forward->x[d] : box->a_hi;

		x = x - d > box->b_hi ? box->b_hi + d : x;
		if (x + (x - d) - (box->a_lo + box->b_lo) > gain) {
			gain = x + (x - d) - (box->a_lo + box->b_lo);
			best = (struct point){x, x - d};
		}
	}
	for (ptrdiff_t d = backward->max; d >= backward->min; d -= 2) {
		ptrdiff_t x = backward->x[d] > box->a_lo ? backward->x[d] : box->a_lo;

		x = x - d < box->b_lo ? box->b_lo + d : x;
		if (box->a_hi + box->b_hi - (x + (x - d)) > gain) {
			gain = box->a_hi + box->b_hi - (x + (x - d));
			best = (struct point){x, x - d};
		}
	}
	return best;
}

/* A point on a shortest path. Requires a box in which no side is empty, and neither the first nor
 * the last lines match. */
static struct point middle(const struct search *s, const struct box *box)
{
	const ptrdiff_t lowest = box->a_lo - box->b_hi, highest = box->a_hi - box->b_lo;
	const ptrdiff_t first = box->a_lo - box->b_lo, last = box->a_hi - box->b_hi;
	const bool odd = (first - last) % 2 != 0;
	struct front forward = {s->forward, first, first}, backward = {s->backward, last, last};
	struct point met;

	forward.x[first] = box->a_lo;
	backward.x[last] = box->a_hi;
	for (int step = 0; step < GIVE_UP; step++) {
		front_widen(&forward, lowest, highest, -1);
		if (step_forward(&met, s, box, &forward, odd ? &backward : NULL)) {
			return met;
		}
		front_widen(&backward, lowest, highest, PTRDIFF_MAX);
		if (step_backward(&met, s, box, &backward, odd ? NULL : &forward)) {
			return met;
		}
	}
	return furthest(box, &forward, &backward);
}

static void mark(struct side *s, ptrdiff_t from, ptrdiff_t to)
{
	for (ptrdiff_t i = from; i < to; i++) {
		s->changed[s->at.v[i]] = true;
	}
}

static void compare(const struct search *s, struct box box)
{
	const uint32_t *a = s->a->key.v, *b = s->b->key.v;

	while (box.a_lo < box.a_hi && box.b_lo < box.b_hi && a[box.a_lo] == b[box.b_lo]) {
		box.a_lo++;
		box.b_lo++;
	}
	while (box.a_lo < box.a_hi && box.b_lo < box.b_hi && a[box.a_hi - 1] == b[box.b_hi - 1]) {
		box.a_hi--;
		box.b_hi--;
	}
	if (box.a_lo == box.a_hi || box.b_lo == box.b_hi) {
		mark(s->a, box.a_lo, box.a_hi);
		mark(s->b, box.b_lo, box.b_hi);
		return;
	}
	struct point p = middle(s, &box);
	compare(s, (struct box){box.a_lo, p.x, box.b_lo, p.y});
	compare(s, (struct box){p.x, box.a_hi, p.y, box.b_hi});
}

static void find_changes(struct side *a, struct side *b)
{
	size_t diagonals = a->key.n + b->key.n + 3;
	ptrdiff_t *x = mem_zeroed(2 * diagonals, sizeof(*x));
	/* Diagonals run from -b - 1 to a + 1. */
	struct search s = {a, b, x + b->key.n + 1, x + diagonals + b->key.n + 1};

	compare(&s, (struct box){0, (ptrdiff_t)a->key.n, 0, (ptrdiff_t)b->key.n});
	free(x);
}

/* If the first line of a run of added or removed lines equals the line after the run, the run can
 * also be one line lower. People expect it as low as possible: "}" closes the new block, not the
 * old one. */
static void slide_down(struct side *s, const struct side *other)
{
	size_t k = 0; /* the line of other beside line i */

	for (size_t i = 0; i < s->line.n; i++, k++) {
		if (!s->changed[i]) {
			while (other->changed[k]) {
				k++;
			}
			continue;
		}
		size_t begin = i, end = i;
		while (s->changed[end]) {
			end++;
		}
		/* If other has changes in the same place, k is before them. */
		bool alone = !other->changed[k];
		while (alone && end < s->line.n && s->id.v[begin] == s->id.v[end] &&
			!other->changed[k + 1]) {
			s->changed[begin++] = false;
			s->changed[end++] = true;
			k++;
			while (s->changed[end]) {
				end++;
			}
		}
		i = end - 1;
		k--;
	}
}

/* A run of differing lines: a[a_begin, a_end) became b[b_begin, b_end). */
struct change {
	size_t a_begin, a_end, b_begin, b_end;
};

struct change_list {
	ARRAY(struct change) all;
};

static void collect(struct change_list *out, const struct side *a, const struct side *b)
{
	size_t i = 0, k = 0;

	while (i < a->line.n || k < b->line.n) {
		struct change c = {i, i, k, k};

		while (a->changed[c.a_end]) {
			c.a_end++;
		}
		while (b->changed[c.b_end]) {
			c.b_end++;
		}
		i = c.a_end + 1;
		k = c.b_end + 1;
		if (c.a_end > c.a_begin || c.b_end > c.b_begin) {
			array_push(&out->all, c);
		}
	}
}

static void add_line(struct sbuf *out, char mark, struct str line)
{
	sbuf_addc(out, mark);
	sbuf_addstr(out, line);
	if (!str_ends(line, "\n")) {
		sbuf_adds(out, "\n\\ No newline at end of file\n");
	}
}

static void add_lines(struct sbuf *out, char mark, const struct side *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		add_line(out, mark, s->line.v[i]);
	}
}

/* "-12,3": an empty range is named by the line before it. */
static void add_range(struct sbuf *out, char mark, size_t begin, size_t end)
{
	sbuf_addf(out, "%c%zu", mark, end > begin ? begin + 1 : begin);
	if (end - begin != 1) {
		sbuf_addf(out, ",%zu", end - begin);
	}
}

/* changes [0, n) of c in one hunk */
static void add_hunk(struct sbuf *out, const struct side *a, const struct side *b,
	const struct change *c, size_t n)
{
	size_t before = c[0].a_begin < CONTEXT ? c[0].a_begin : CONTEXT;
	size_t after = a->line.n - c[n - 1].a_end;
	size_t at = c[0].a_begin - before;

	after = after < CONTEXT ? after : CONTEXT;
	sbuf_adds(out, "@@ ");
	add_range(out, '-', at, c[n - 1].a_end + after);
	sbuf_addc(out, ' ');
	add_range(out, '+', c[0].b_begin - before, c[n - 1].b_end + after);
	sbuf_adds(out, " @@\n");
	for (size_t i = 0; i < n; i++) {
		add_lines(out, ' ', a, at, c[i].a_begin);
		add_lines(out, '-', a, c[i].a_begin, c[i].a_end);
		add_lines(out, '+', b, c[i].b_begin, c[i].b_end);
		at = c[i].a_end;
	}
	add_lines(out, ' ', a, at, at + after);
}

/* The control characters of C1 are two bytes in UTF-8. */
static bool is_control(const char *text, const char *p)
{
	unsigned char c = (unsigned char)*p, next = c ? (unsigned char)p[1] : 0;

	if (c >= 0x80 && c < 0xa0) {
		return p > text && (unsigned char)p[-1] == 0xc2;
	}
	return c < ' ' || c == 127 || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

/* As git writes it: a name with control characters is quoted, and a name with a blank is followed
 * by a tab. Without the tab, patch ends the name at the blank. */
static void add_path(struct sbuf *out, const char *mark, const char *path)
{
	bool quoted = false;

	for (const char *p = path; *p; p++) {
		quoted = quoted || is_control(path, p) || *p == '"' || *p == '\\';
	}
	sbuf_addf(out, "%s ", mark);
	if (!quoted) {
		sbuf_addf(out, "%s%s\n", path, strchr(path, ' ') ? "\t" : "");
		return;
	}
	sbuf_addc(out, '"');
	for (const char *p = path; *p; p++) {
		if (*p == '"' || *p == '\\') {
			sbuf_addf(out, "\\%c", *p);
		} else if (is_control(path, p)) {
			sbuf_addf(out, "\\%03o", (unsigned char)*p);
		} else {
			sbuf_addc(out, *p);
		}
	}
	sbuf_adds(out, "\"\n");
}

static void print_changes(struct sbuf *out, const struct side *a, const struct side *b,
	const struct change_list *changes)
{
	for (size_t i = 0, n; i < changes->all.n; i += n) {
		const struct change *c = changes->all.v + i;

		/* Changes whose contexts touch share a hunk. */
		n = 1;
		while (i + n < changes->all.n && c[n].a_begin - c[n - 1].a_end <= 2 * CONTEXT) {
			n++;
		}
		add_hunk(out, a, b, c, n);
	}
}

void diff_names(struct sbuf *out, const char *path_before, const char *path_after)
{
	add_path(out, "---", path_before);
	add_path(out, "+++", path_after);
}

struct diff {
	struct side a, b;
	struct change_list changes;
};

static void diff_make(struct diff *d, struct str before, struct str after)
{
	struct map ids = {0};

	*d = (struct diff){0};
	side_read(&d->a, before, &ids);
	side_read(&d->b, after, &ids);
	select_lines(&d->a, &d->b, ids.n);
	find_changes(&d->a, &d->b);
	slide_down(&d->a, &d->b);
	slide_down(&d->b, &d->a);
	collect(&d->changes, &d->a, &d->b);
	map_release(&ids);
}

static void diff_release(struct diff *d)
{
	array_release(&d->changes.all);
	side_release(&d->a);
	side_release(&d->b);
}

void diff_unified(struct sbuf *out, struct str before, struct str after, const char *path_before,
	const char *path_after)
{
	struct diff d;

	if (str_eq(before, after)) {
		return;
	}
	diff_make(&d, before, after);
	diff_names(out, path_before, path_after);
	print_changes(out, &d.a, &d.b, &d.changes);
	diff_release(&d);
}

/* The offset of line i, or the end of the text if there is no such line. */
static size_t line_begin(const struct side *s, struct str text, size_t i)
{
	return i < s->line.n ? (size_t)(s->line.v[i].p - text.p) : text.n;
}

void diff_edits(struct edit_list *out, struct arena *a, struct str before, struct str after)
{
	struct diff d;

	if (str_eq(before, after)) {
		return;
	}
	diff_make(&d, before, after);
	array_each (&d.changes.all, const struct change, c) {
		struct str text = str_sub(after, line_begin(&d.b, after, c->b_begin),
			line_begin(&d.b, after, c->b_end));
		edit_list_add(out, a, line_begin(&d.a, before, c->a_begin),
			line_begin(&d.a, before, c->a_end), text);
	}
	diff_release(&d);
}

/* ---- applied again ---- */

/* The 12 of "@@ -12,3 +12,5 @@". A hunk that removes no line has the number of the line before
 * it. */
static bool hunk_begin(int64_t *line, struct str head)
{
	struct str rest = str_sub(head, sizeof("@@ -") - 1, head.n), count, number;
	bool ok = str_starts(head, "@@ -") && str_split(&rest, ' ', &count) &&
		  str_split(&count, ',', &number) && str_to_i64(number, line);

	*line += ok && str_is(count, "0");
	return ok;
}

bool diff_apply(struct sbuf *out, struct str before, struct str diff)
{
	size_t start = out->n;
	int64_t line = 1;
	bool ok = true;

	for (int i = 0; i < 2 && !str_starts(diff, "@@"); i++) {
		str_whole_line(&diff); /* the lines with the names */
	}
	while (ok && diff.n) {
		struct str text = str_whole_line(&diff);
		char kind = text.p[0];
		int64_t first = line;
		if (str_starts(diff, "\\")) { /* "\ No newline at end of file" */
			str_whole_line(&diff);
			text.n--;
		}
		ok = kind == '@' ? hunk_begin(&first, text) && first >= line
				 : kind == ' ' || kind == '+' || kind == '-';
		for (; ok && line < first; line++) {
			ok = before.n > 0;
			sbuf_addstr(out, str_whole_line(&before));
		}
		text = str_sub(text, 1, text.n);
		if (ok && (kind == ' ' || kind == '-')) {
			ok = str_eq(str_whole_line(&before), text);
			line++;
		}
		if (kind == ' ' || kind == '+') {
			sbuf_addstr(out, text);
		}
	}
	sbuf_addstr(out, before);
	if (!ok && out->p) {
		out->n = start;
		out->p[start] = '\0';
	}
	return ok;
}
