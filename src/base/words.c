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

const char *const *words_finish(struct words *w, struct arena *a)
{
	words_add(w, NULL);
	const char *const *out = array_to_arena(a, &w->v);
	array_release(&w->v);
	return out;
}
