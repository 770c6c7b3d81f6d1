#include "measure/compile/part.h"

#include <string.h>

#include "base/map.h"
#include "base/words.h"

/* ---- IR ---- */

/* The kernel whose definition begins on this line; n 0: none. */
static struct str kernel_of(struct str line)
{
	if (!str_starts(line, "define ") || str_find(line, " amdgpu_kernel ", 0) == SIZE_MAX) {
		return (struct str){0};
	}
	size_t at = str_find(line, "@", 0);
	size_t end = at == SIZE_MAX ? SIZE_MAX : str_find(line, "(", at);
	return end == SIZE_MAX ? (struct str){0} : str_sub(line, at + 1, end);
}

static size_t wanted_of(struct map *wanted, const char *const *symbols)
{
	for (; *symbols; symbols++) {
		map_set(wanted, str_of(*symbols), 1);
	}
	return wanted->n;
}

bool part_prune(struct sbuf *out, struct str ir, const char *const *symbols)
{
	struct map wanted = {0};
	size_t missing = wanted_of(&wanted, symbols);
	struct str rest = ir, line;
	bool inside = false; /* inside a removed body, which ends with a line "}" */
	while (str_line(&rest, &line)) {
		struct str kernel = inside ? (struct str){0} : kernel_of(line);
		bool goes = kernel.n > 0 && !map_has(&wanted, kernel);
		missing -= kernel.n > 0 && !goes;
		if (!inside) {
			sbuf_addstr(out, line);
			sbuf_adds(out, goes ? "\n  ret void\n}\n" : "\n");
		}
		inside = (inside || goes) && !str_is(line, "}");
	}
	map_release(&wanted);
	return missing == 0;
}

/* ---- the driver's command ---- */

/* The last line that runs cc1; n 0: none. */
static struct str proper(struct str said)
{
	struct str line, found = {0};
	while (str_line(&said, &line)) {
		found = str_find(line, "\"-cc1\"", 0) == SIZE_MAX ? found : line;
	}
	return found;
}

/* The next word of a line with quoted words and backslash escapes. */
static const char *next_word(struct arena *a, struct str *line)
{
	struct sbuf w = {0};
	size_t at = str_find(*line, "\"", 0);
	const char *word = NULL;
	for (at = at == SIZE_MAX ? line->n : at + 1; at < line->n && line->p[at] != '"'; at++) {
		at += line->p[at] == '\\' && at + 1 < line->n;
		sbuf_addc(&w, line->p[at]);
	}
	if (at < line->n) {
		word = arena_strndup(a, sbuf_cstr(&w), w.n);
		*line = str_sub(*line, at + 1, line->n);
	}
	sbuf_release(&w);
	return word;
}

const char *const *part_words(struct arena *a, struct str said, const char *file)
{
	/* the IR already has the device libraries */
	static const char link[] = "-mlink-builtin-bitcode";
	struct words out = {{0}};
	struct str line = proper(said);
	const char *w = next_word(a, &line);
	bool ends = false;
	for (; w && !ends; w = next_word(a, &line)) {
		if (strcmp(w, link) == 0) {
			next_word(a, &line);
		} else if (strcmp(w, "-x") == 0) {
			ends = true;
		} else {
			words_add(&out, w);
		}
	}
	if (!ends) {
		words_finish(&out, a);
		return NULL;
	}
	words_add(&out, "-x");
	words_add(&out, "ir");
	words_add(&out, file);
	return words_finish(&out, a);
}
