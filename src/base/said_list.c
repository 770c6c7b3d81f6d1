#include "base/said_list.h"

#include "base/array.h"
#include "base/map.h"

bool said_place(struct said *out, struct arena *a, struct str line)
{
	struct str rest;
	struct str file = said_split(line, &out->line, &out->column, &rest);

	out->file = arena_strndup(a, file.p, file.n);
	out->text = arena_strndup(a, rest.p, rest.n);
	return file.n > 0 && out->line > 0;
}

bool said_read(struct said **out, size_t *n, struct arena *a, struct str bytes)
{
	struct str rest = bytes, file, text;
	struct said s;
	struct map seen = {0};
	ARRAY(struct said) v = {0};

	while (said_next(&s, &file, &text, &rest)) {
		const char *key = arena_printf(a, "%d:%u:%u:%.*s:%.*s", s.error, s.line, s.column,
			STR_ARG(file), STR_ARG(text));
		if (map_set(&seen, str_of(key), 1)) {
			s.file = file.n ? arena_strndup(a, file.p, file.n) : NULL;
			s.text = arena_strndup(a, text.p, text.n);
			array_push(&v, s);
		}
	}
	array_move(*out, *n, a, &v);
	map_release(&seen);
	return rest.n == 0;
}

size_t said_list(struct said **out, struct arena *a)
{
	size_t n;

	said_read(out, &n, a, said_since(0));
	return n;
}
