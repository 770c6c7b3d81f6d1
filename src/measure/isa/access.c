#include "measure/isa/access.h"

#include "base/array.h"
#include "base/map.h"
#include "measure/isa/text.h"

/* Takes the next word off, behind blanks. */
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

/* Takes what stands between the next two quotation marks off. */
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

/* .file NUMBER "directory" "name" md5 ..., the directory may be missing. The compiler cuts a path
 * where it likes. */
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

/* Bytes of "dwordx2", "b64", "ubyte_d16_hi", ...; 0: not known. */
static unsigned width_of(struct str type)
{
	static const struct {
		const char *start;
		unsigned bytes;
	} known[] = {{"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"dword", 4}, {"b128", 16},
		{"b96", 12}, {"b64", 8}, {"b32", 4}, {"b16", 2}, {"b8", 1}, {"short", 2},
		{"ushort", 2}, {"sshort", 2}, {"u16", 2}, {"i16", 2}, {"byte", 1}, {"ubyte", 1},
		{"sbyte", 1}, {"u8", 1}, {"i8", 1}, {"d16_b16", 2}, {"d16_hi_b16", 2},
		{"d16_u8", 1}, {"d16_i8", 1}, {"d16_hi_u8", 1}, {"d16_hi_i8", 1}, {"d16_hi_b8", 1}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_starts(type, known[i].start)) {
			return known[i].bytes;
		}
	}
	return 0;
}

static bool read_access(struct isa_access *out, struct str mnemonic)
{
	static const struct {
		const char *start;
		bool store;
	} known[] = {{"global_load_lds_", false}, {"global_load_", false}, {"global_store_", true},
		{"flat_load_", false}, {"flat_store_", true}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct str start = str_of(known[i].start);
		if (str_starts(mnemonic, known[i].start)) {
			out->store = known[i].store;
			out->bytes = width_of(str_sub(mnemonic, start.n, mnemonic.n));
			return out->bytes > 0;
		}
	}
	return false;
}

void isa_accesses(struct isa_access_list *out, struct arena *a, struct str isa,
	const char *const *symbol, size_t symbols)
{
	ARRAY(struct isa_access) found = {0};
	struct map files = {0}, wanted = {0};
	struct str rest = isa, line, name;
	struct isa_access at = {.line = 0};
	struct isa_access_list *inside = NULL;
	for (size_t i = 0; i < symbols; i++) {
		out[i] = (struct isa_access_list){0};
		map_set(&wanted, str_of(symbol[i]), (uintptr_t)&out[i]);
	}
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		struct str words = s;
		struct str first = take_word(&words);
		if (str_is(first, ".file")) {
			read_file(&files, a, words);
		} else if (!inside) {
			bool label = isa_line_label(line, &name);
			inside = label ? (struct isa_access_list *)map_get(&wanted, name, 0) : NULL;
			at = (struct isa_access){.line = 0};
		} else if (str_starts(s, ".Lfunc_end")) {
			*inside = (struct isa_access_list){array_to_arena(a, &found), found.n};
			inside = NULL;
			found.n = 0;
		} else if (str_is(first, ".loc")) {
			uint64_t file = take_number(&words);
			const struct str *known = (const struct str *)map_get_u64(&files, file, 0);
			at.file = known ? *known : (struct str){0};
			at.line = take_number(&words);
			at.column = take_number(&words);
		} else if (read_access(&at, first)) {
			array_push(&found, at);
		}
	}
	if (inside) {
		*inside = (struct isa_access_list){array_to_arena(a, &found), found.n};
	}
	array_release(&found);
	map_release(&files);
	map_release(&wanted);
}
