#pragma once
/*
 * Byte-range edits on source text. An edit_list belongs to one file; edits are replacements of
 * [begin, end) by text (begin == end inserts). Invariant after edit_list_check: sorted by begin, no
 * two overlap; insertions at one offset keep the order in which they were added, and come before a
 * replacement that starts there.
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
	size_t order;	 /* the number of edits added before it */
};

struct edit_list {
	ARRAY(struct edit) edits;
};

void edit_list_add(struct edit_list *l, struct arena *a, size_t begin, size_t end, struct str text);
void edit_list_release(struct edit_list *l);
/* Sorts the list. False if two edits overlap, with their indices in clash, or if one is outside the
 * source_size bytes, with its index twice in clash. */
bool edit_list_check(struct edit_list *l, size_t source_size, size_t clash[2]);
/* Do edits of two lists overlap or touch? Then not both can be applied, or their order matters. */
bool edit_lists_meet(const struct edit_list *x, const struct edit_list *y);
/* Appends the edited source to out. Requires that edit_list_check returned true. */
void edit_list_apply(struct sbuf *out, struct str source, const struct edit_list *l);
/* The offset in the edited text of a byte of the source. An offset inside a replaced range gives
 * the start of the replacement; the offset of an insertion gives the end of the inserted text. */
size_t edit_list_map_offset(const struct edit_list *l, size_t offset);

/* The two lines at the top of a unified diff. */
void diff_names(struct sbuf *out, const char *path_before, const char *path_after);
/* The unified diff of two texts, with 3 lines of context and ---/+++ headers, for patch(1) and git
 * apply; nothing if they are equal. Handles a missing final newline and CRLF. Smallest for files
 * that differ in up to about a thousand lines; beyond that it may be longer, but stays fast. */
void diff_unified(struct sbuf *out, struct str before, struct str after, const char *path_before,
	const char *path_after);

/* Applies the output of diff_unified to before, as patch(1) does, and appends the result to out.
 * False, with nothing appended, if the lines of a hunk are not at the place that it gives. */
bool diff_apply(struct sbuf *out, struct str before, struct str diff);

/* The same difference as edits of whole lines of before, in order; the texts are copied to a. */
void diff_edits(struct edit_list *out, struct arena *a, struct str before, struct str after);
