/* edit: lists of edits against a slow model that puts the result together byte by byte. The input
 * is lines "BEGIN END TEXT", a line "=======", and the source. */
#include "edit/edit.h"

#include "base/mem.h"
#include "target.h"

#include <stdlib.h>

enum {
	EDITS = 200
};

static size_t take_number(struct str *line)
{
	struct str piece;
	int64_t n = 0;
	return str_split(line, ' ', &piece) && str_to_i64(piece, &n) && n >= 0 ? (size_t)n : 0;
}

static void read_edits(struct edit_list *l, struct arena *a, struct str text)
{
	struct str line;
	while (l->edits.n < EDITS && str_line(&text, &line)) {
		size_t begin = take_number(&line);
		size_t end = take_number(&line);
		edit_list_add(l, a, begin, end, line);
	}
}

static bool clash(const struct edit *x, const struct edit *y)
{
	if (x->begin == x->end) {
		return y->begin < x->begin && x->begin < y->end;
	}
	if (y->begin == y->end) {
		return clash(y, x);
	}
	return x->begin < y->end && y->begin < x->end;
}

static bool is_clean(const struct edit *v, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].begin > v[i].end || v[i].end > size) {
			return false;
		}
		for (size_t k = 0; k < i; k++) {
			if (clash(&v[i], &v[k])) {
				return false;
			}
		}
	}
	return true;
}

/* The edit in v[0, n) that replaces something from at on, or NULL. */
static const struct edit *replacement(const struct edit *v, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].begin == at && v[i].end > at) {
			return &v[i];
		}
	}
	return NULL;
}

/* v in the order of adding. lands: where each offset of the source, its end included, comes. */
static void apply(
	struct sbuf *out, size_t *lands, struct str source, const struct edit *v, size_t n)
{
	for (size_t at = 0; at <= source.n;) {
		for (size_t i = 0; i < n; i++) {
			if (v[i].begin == at && v[i].end == at) {
				sbuf_addstr(out, v[i].text);
			}
		}
		const struct edit *e = replacement(v, n, at);
		size_t end = e ? e->end : at + 1;
		size_t to = out->n;
		for (size_t k = at; k < end; k++) {
			lands[k] = to;
		}
		if (e) {
			sbuf_addstr(out, e->text);
		} else if (at < source.n) {
			sbuf_addc(out, source.p[at]);
		}
		at = end;
	}
}

static void compare(struct edit_list *l, const struct edit *added, struct str source)
{
	struct sbuf expected = {0};
	struct sbuf got = {0};
	size_t *lands = mem_zeroed(source.n + 1, sizeof(*lands));
	apply(&expected, lands, source, added, l->edits.n);
	edit_list_apply(&got, source, l);
	REQUIRE(str_eq(sbuf_str(&expected), sbuf_str(&got)));
	for (size_t at = 0; at <= source.n; at++) {
		REQUIRE(edit_list_map_offset(l, at) == lands[at]);
	}
	free(lands);
	sbuf_release(&expected);
	sbuf_release(&got);
}

static void look_at_lines(struct str source)
{
	for (size_t at = 0; at <= source.n && at < 300; at++) {
		struct line_col place = line_col_of(source, at);
		struct str line = line_around(source, at);
		REQUIRE(place.line >= 1 && place.col >= 1 && place.col <= at + 1);
		REQUIRE(str_find(line, "\n", 0) == SIZE_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str source = {(const char *)data, size < 4096 ? size : 4096};
	struct str lines = fuzz_split(&source);
	struct arena *a = arena_create();
	struct edit_list l = {{0}};
	struct edit added[EDITS];
	size_t where[2];
	read_edits(&l, a, lines);
	for (size_t i = 0; i < l.edits.n; i++) {
		added[i] = l.edits.v[i];
	}
	bool clean = edit_list_check(&l, source.n, where);
	REQUIRE(clean == is_clean(added, l.edits.n, source.n));
	if (clean) {
		compare(&l, added, source);
	} else {
		REQUIRE(where[0] < l.edits.n && where[1] < l.edits.n);
	}
	look_at_lines(source);
	edit_list_release(&l);
	arena_free(a);
	return 0;
}
