#include "base/msglog_list.h"

#include "base/array.h"
#include "base/map.h"

bool msglog_place(struct msglog_entry *out, struct arena *a, struct str line)
{
	struct str rest;
	struct str file = msglog_split(line, &out->line, &out->column, &rest);

	out->file = arena_strndup(a, file.p, file.n);
	out->text = arena_strndup(a, rest.p, rest.n);
	return file.n > 0 && out->line > 0;
}

bool msglog_read(struct msglog_entry **out, size_t *n, struct arena *a, struct str bytes)
{
	struct str rest = bytes, file, text;
	struct msglog_entry s;
	struct map seen = {0};
	ARRAY(struct msglog_entry) v = {0};

	while (msglog_next(&s, &file, &text, &rest)) {
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

size_t msglog_list(struct msglog_entry **out, struct arena *a)
{
	size_t n;

	msglog_read(out, &n, a, msglog_since(0));
	return n;
}
