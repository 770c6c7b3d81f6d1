#include "edit/edit.h"

#include <stdlib.h>

#include "base/msg.h"

void edit_list_add(struct edit_list *l, struct arena *a, size_t begin, size_t end, struct str text)
{
	struct str copy = {arena_strndup(a, text.p, text.n), text.n};

	array_push(&l->edits, (struct edit){begin, end, copy, l->edits.n});
}

void edit_list_release(struct edit_list *l)
{
	array_release(&l->edits);
}

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_edits(const void *left, const void *right)
{
	const struct edit *a = left, *b = right;
	int c = compare_sizes(a->begin, b->begin);

	if (c == 0) {
		c = (a->begin != a->end) - (b->begin != b->end);
	}
	return c != 0 ? c : compare_sizes(a->order, b->order);
}

bool edit_list_check(struct edit_list *l, size_t source_size, size_t clash[2])
{
	struct edit *v = l->edits.v;

	span_sort(v, l->edits.n, compare_edits);
	for (size_t i = 0; i < l->edits.n; i++) {
		if (v[i].begin > v[i].end || v[i].end > source_size) {
			clash[0] = clash[1] = i;
			return false;
		}
		/* The edits before are sorted and do not overlap, so only the last of them can
		 * overlap this one. */
		if (i > 0 && v[i].begin < v[i - 1].end) {
			clash[0] = i - 1;
			clash[1] = i;
			return false;
		}
	}
	return true;
}

bool edit_lists_meet(const struct edit_list *x, const struct edit_list *y)
{
	array_each (&x->edits, const struct edit, a) {
		array_each (&y->edits, const struct edit, b) {
			if (a->begin <= b->end && b->begin <= a->end) {
				return true;
			}
		}
	}
	return false;
}

void edit_list_apply(struct sbuf *out, struct str source, const struct edit_list *l)
{
	size_t at = 0;

	array_each (&l->edits, const struct edit, e) {
		if (e->begin < at || e->end < e->begin || e->end > source.n) {
			BUG("edit [%zu, %zu) was not checked", e->begin, e->end);
		}
		sbuf_addstr(out, str_sub(source, at, e->begin));
		sbuf_addstr(out, e->text);
		at = e->end;
	}
	sbuf_addstr(out, str_sub(source, at, source.n));
}

size_t edit_list_map_offset(const struct edit_list *l, size_t offset)
{
	size_t added = 0, removed = 0;

	array_each (&l->edits, const struct edit, e) {
		if (e->begin > offset) {
			break;
		}
		if (e->end > offset) {
			offset = e->begin;
			break;
		}
		added += e->text.n;
		removed += e->end - e->begin;
	}
	return offset + added - removed;
}
