#pragma once
/*
 * Byte-range edits on source text. An edit_list belongs to one file; edits are replacements of
 * [begin, end) by text (begin == end inserts). Invariant after edit_list_check: sorted by begin,
 * no two overlap; insertions at one offset keep the order in which they were added and stand before
 * a replacement that starts there.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/array.h"
#include "base/lines.h"
#include "base/str.h"

struct edit {
	size_t begin;
	size_t end;
	struct str text; /* in the arena given to edit_list_add */
	size_t order;	 /* how many were added before it */
};

struct edit_list {
	ARRAY(struct edit) edits;
};

void edit_list_add(struct edit_list *l, struct arena *a, size_t begin, size_t end, struct str text);
void edit_list_release(struct edit_list *l);
/* Sorts; false when two edits overlap (their indexes in the sorted list go to clash[0], clash[1])
 * or one lies outside the source_size bytes (both indexes are that edit's). */
bool edit_list_check(struct edit_list *l, size_t source_size, size_t clash[2]);
/* Do edits of two lists overlap or meet, so that both can not be applied, or their order counts? */
bool edit_lists_meet(const struct edit_list *x, const struct edit_list *y);
/* Appends the edited source to out. Requires edit_list_check to have passed. */
void edit_list_apply(struct sbuf *out, struct str source, const struct edit_list *l);
/* Where byte offset of the source lands in the edited text (an offset inside a replaced range maps
 * to the start of the replacement; one where text is inserted, to after that text). */
size_t edit_list_map_offset(const struct edit_list *l, size_t offset);

/* The two lines in front of a unified diff. */
void diff_names(struct sbuf *out, const char *path_before, const char *path_after);
/* Unified diff of two texts with 3 lines of context and ---/+++ headers, applicable by patch(1) and
 * git apply; nothing when equal. Handles a missing final newline and CRLF. Smallest for files that
 * differ in up to about a thousand lines; beyond that it may be longer, but stays fast. */
void diff_unified(struct sbuf *out, struct str before, struct str after, const char *path_before,
	const char *path_after);

/* Appends to out what patch(1) would make of before with a diff that diff_unified made; the lines
 * of its hunks have to be there, where it says. False, and nothing appended, when they are not. */
bool diff_apply(struct sbuf *out, struct str before, struct str diff);

/* The same difference as edits of whole lines of before, in order; texts are copied to a. */
void diff_edits(struct edit_list *out, struct arena *a, struct str before, struct str after);
