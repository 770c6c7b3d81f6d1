#include "base/words.h"

void words_add(struct words *w, const char *word)
{
	array_push(&w->v, word);
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

const char *const *words_finish(struct words *w, struct arena *a)
{
	words_add(w, NULL);
	const char *const *out = array_to_arena(a, &w->v);
	array_release(&w->v);
	return out;
}
