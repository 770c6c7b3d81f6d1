/* Reads .file and .loc lines. */
#include "measure/isa/place.h"

/* Takes the next word off s. */
static struct str take_word(struct str *s)
{
	*s = str_trim(*s);
	size_t end = 0;
	while (end < s->n && s->p[end] != ' ' && s->p[end] != '\t') {
		end++;
	}
	struct str word = str_sub(*s, 0, end);
	*s = str_sub(*s, end, s->n);
	return word;
}

static unsigned take_number(struct str *s)
{
	int64_t v = 0;
	return str_to_i64(take_word(s), &v) && v > 0 && v <= UINT32_MAX ? (unsigned)v : 0;
}

/* Takes the next quoted text off s. */
static bool take_quoted(struct str *s, struct str *out)
{
	size_t open = str_find(*s, "\"", 0);
	size_t close = open == SIZE_MAX ? SIZE_MAX : str_find(*s, "\"", open + 1);
	if (close == SIZE_MAX) {
		return false;
	}
	*out = str_sub(*s, open + 1, close);
	*s = str_sub(*s, close + 1, s->n);
	return true;
}

/* .file NUMBER "directory" "name" md5 ..., the directory may be missing. The compiler splits a path
 * at any separator. */
static void read_file(struct map *index, struct arena *a, struct str rest)
{
	struct str word = take_word(&rest);
	struct str first, name;
	int64_t number;
	if (!str_to_i64(word, &number) || number < 0 || !take_quoted(&rest, &first)) {
		return;
	}
	struct str *path = ARENA_NEW(a, struct str);
	*path = first;
	if (take_quoted(&rest, &name)) {
		const char *between = str_starts(name, "/") ? "" : "/";
		struct str directory = *between ? first : (struct str){0};
		*path = str_of(
			arena_printf(a, "%.*s%s%.*s", STR_ARG(directory), between, STR_ARG(name)));
	}
	map_set_u64(index, (uint64_t)number, (uintptr_t)path);
}

bool isa_places_read(struct isa_places *p, struct str line)
{
	struct str words = line;
	struct str first = take_word(&words);
	if (str_is(first, ".file")) {
		read_file(&p->files, p->a, words);
		return true;
	}
	if (!str_is(first, ".loc")) {
		return false;
	}
	uint64_t number = take_number(&words);
	const struct str *known = (const struct str *)map_get_u64(&p->files, number, 0);
	p->file = known ? *known : (struct str){0};
	p->line = take_number(&words);
	p->column = take_number(&words);
	return true;
}

void isa_places_release(struct isa_places *p)
{
	map_release(&p->files);
}
