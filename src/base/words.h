#pragma once
/* A growing list of command-line words. A zeroed list is a valid empty one; words are not
 * copied. */
#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"

struct words {
	ARRAY(const char *) v;
};

void words_add(struct words *w, const char *word);
void words_add_once(struct words *w, const char *word); /* unless it is there */
void words_add_new(
	struct words *w, const char *const *list); /* those that are not there yet; or NULL */
void words_add_all(struct words *w, const char *const *list); /* NULL-terminated, or NULL */
void words_add_lines(struct words *w, struct arena *a, struct str lines); /* copied into a */
/* Both lists (NULL-terminated, or NULL) as one, NULL-terminated, in a. */
const char *const *words_joined(
	struct arena *a, const char *const *first, const char *const *second);
/* Are two lists equal? NULL is an empty list. */
bool words_are_same(const char *const *x, const char *const *y);
/* The list, NULL-terminated, in a; w is released. */
const char *const *words_finish(struct words *w, struct arena *a);
