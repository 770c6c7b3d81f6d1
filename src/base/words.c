#include "base/words.h"

#include <string.h>

void words_add(struct words *w, const char *word)
{
	array_push(&w->v, word);
}

void words_add_once(struct words *w, const char *word)
{
	array_each (&w->v, const char *const, known) {
		if (strcmp(*known, word) == 0) {
			return;
		}
	}
	words_add(w, word);
}

void words_add_new(struct words *w, const char *const *list)
{
	for (; list && *list; list++) {
		words_add_once(w, *list);
	}
}

void words_add_all(struct words *w, const char *const *list)
{
	for (; list && *list; list++) {
		words_add(w, *list);
	}
}

void words_add_lines(struct words *w, struct arena *a, struct str lines)
{
	struct str word;

	while (str_line(&lines, &word)) {
		words_add(w, arena_strndup(a, word.p, word.n));
	}
}

const char *const *words_joined(
	struct arena *a, const char *const *first, const char *const *second)
{
	struct words all = {{0}};

	words_add_all(&all, first);
	words_add_all(&all, second);
	return words_finish(&all, a);
}

bool words_are_same(const char *const *x, const char *const *y)
{
	for (; x && y && *x && *y && strcmp(*x, *y) == 0; x++, y++) {
	}
	return (!x || !*x) && (!y || !*y);
}

const char *const *words_finish(struct words *w, struct arena *a)
{
	words_add(w, NULL);
	const char *const *out = array_to_arena(a, &w->v);
	array_release(&w->v);
	return out;
}
