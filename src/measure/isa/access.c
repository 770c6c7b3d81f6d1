#include "measure/isa/access.h"

#include "base/array.h"
#include "base/map.h"
#include "measure/isa/place.h"
#include "measure/isa/text.h"

/* The size in bytes of "dwordx2", "b64", "ubyte_d16_hi", ...; 0: unknown. */
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

static bool read_access(struct isa_access *out, struct str line)
{
	static const struct {
		const char *start;
		bool store;
	} known[] = {{"global_load_lds_", false}, {"global_load_", false}, {"global_store_", true},
		{"flat_load_", false}, {"flat_store_", true}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct str start = str_of(known[i].start);
		if (str_starts(line, known[i].start)) {
			out->store = known[i].store;
			out->bytes = width_of(str_sub(line, start.n, line.n));
			return out->bytes > 0;
		}
	}
	return false;
}

void isa_accesses(struct isa_access_list *out, struct arena *a, struct str isa,
	const char *const *symbol, size_t symbols)
{
	ARRAY(struct isa_access) found = {0};
	struct map wanted = {0};
	struct isa_places places = {.a = a};
	struct str rest = isa, line, name;
	struct isa_access_list *inside = NULL;
	for (size_t i = 0; i < symbols; i++) {
		out[i] = (struct isa_access_list){0};
		map_set(&wanted, str_of(symbol[i]), (uintptr_t)&out[i]);
	}
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		struct isa_access at = {
			.file = places.file, .line = places.line, .column = places.column};
		if (isa_places_read(&places, s)) {
			continue;
		}
		if (!inside) {
			bool label = isa_line_label(line, &name);
			inside = label ? (struct isa_access_list *)map_get(&wanted, name, 0) : NULL;
			places.line = 0;
		} else if (str_starts(s, ".Lfunc_end")) {
			*inside = (struct isa_access_list){array_to_arena(a, &found), found.n};
			inside = NULL;
			found.n = 0;
		} else if (read_access(&at, s)) {
			array_push(&found, at);
		}
	}
	if (inside) {
		*inside = (struct isa_access_list){array_to_arena(a, &found), found.n};
	}
	array_release(&found);
	isa_places_release(&places);
	map_release(&wanted);
}
