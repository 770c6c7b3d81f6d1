/* Reads the variables that a kernel uses, from the directives after their labels. */
#include <string.h>

#include "isa/read.h"

#define DATA_AT ((uint64_t)0x7400000000)

enum {
	APART = 4096, /* bytes between two variables, so that out-of-bounds accesses are found */
	BYTES_MOST = 1 << 26 /* per variable */
};

static const struct {
	const char *name;
	unsigned bytes;
} numbers[] = {{".byte", 1}, {".short", 2}, {".2byte", 2}, {".value", 2}, {".long", 4},
	{".4byte", 4}, {".int", 4}, {".quad", 8}, {".8byte", 8}};

/* "name+16" */
static bool add_address(struct isa_reader *r, size_t at, struct str s)
{
	size_t plus = str_find(s, "+", 0);
	struct isa_pointer p = {.data = r->data.n, .at = at, .name = str_sub(s, 0, plus)};
	if (plus != SIZE_MAX && !isa_number(&p.more, str_sub(s, plus + 1, s.n))) {
		return false;
	}
	isa_read_later(r, p.name);
	array_push(&r->pointer, p);
	return true;
}

static bool add_numbers(struct isa_reader *r, struct sbuf *out, unsigned bytes, struct str list)
{
	struct str each;
	bool ok = true;
	while (ok && str_split(&list, ',', &each)) {
		int64_t n = 0;
		each = str_trim(each);
		ok = isa_number(&n, each) || (bytes == 8 && add_address(r, out->n, each));
		sbuf_add(out, &n, bytes);
	}
	return ok;
}

/* A quoted string with octal and letter escapes. */
static bool add_text(struct sbuf *out, struct str s)
{
	static const char letters[] = "n\nt\tr\rb\bf\f\\\\\"\"";
	if (s.n < 2 || s.p[0] != '"' || s.p[s.n - 1] != '"') {
		return false;
	}
	s = str_sub(s, 1, s.n - 1);
	for (size_t i = 0; i < s.n; i++) {
		const char *known;
		unsigned digits = 0;
		unsigned value = 0;
		if (s.p[i] != '\\') {
			sbuf_addc(out, s.p[i]);
			continue;
		}
		while (digits < 3 && i + 1 < s.n && s.p[i + 1] >= '0' && s.p[i + 1] <= '7') {
			value = 8 * value + (unsigned)(s.p[++i] - '0');
			digits++;
		}
		known = digits || i + 1 == s.n ? NULL : strchr(letters, s.p[++i]);
		if (!digits && (!known || (known - letters) % 2)) {
			return false;
		}
		sbuf_addc(out, digits ? (char)value : known[1]);
	}
	return true;
}

static bool add_zeros(struct sbuf *out, struct str rest)
{
	int64_t n;
	bool ok = isa_number(&n, str_trim(rest)) && n >= 0 && n <= BYTES_MOST;
	for (int64_t i = 0; ok && i < n; i++) {
		sbuf_addc(out, '\0');
	}
	return ok;
}

static struct str without_comment(struct str s)
{
	bool quoted = false;
	for (size_t i = 0; i < s.n; i++) {
		if (quoted && s.p[i] == '\\') {
			i++; /* skip the escaped character */
			continue;
		}
		quoted ^= s.p[i] == '"';
		if (s.p[i] == ';' && !quoted) {
			s.n = i;
		}
	}
	return str_trim(s);
}

static bool add_line(struct isa_reader *r, struct sbuf *out, struct str line)
{
	struct str rest = without_comment(line);
	size_t end = 0;
	while (end < rest.n && rest.p[end] != ' ' && rest.p[end] != '\t') {
		end++;
	}
	struct str word = str_sub(rest, 0, end);
	rest = str_trim(str_sub(rest, end, rest.n));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (str_is(word, numbers[i].name)) {
			return add_numbers(r, out, numbers[i].bytes, rest);
		}
	}
	bool terminated = str_is(word, ".asciz");
	if (terminated || str_is(word, ".ascii")) {
		bool ok = add_text(out, rest);
		sbuf_add(out, "", terminated);
		return ok;
	}
	return word.n == 0 || (str_is(word, ".zero") && add_zeros(out, rest));
}

/* Is the place in a read-only section? */
static bool is_constant(struct str before)
{
	struct str line;
	bool constant = false;
	while (str_line(&before, &line)) {
		bool section = str_starts(line, "\t.section\t");
		if (section || str_is(line, "\t.data") || str_is(line, "\t.bss")) {
			constant = str_starts(line, "\t.section\t.rodata") ||
				   str_starts(line, "\t.section\t.data.rel.ro");
		}
	}
	return constant;
}

/* "\t.comm\tname,1200,4": zeros. */
static bool add_common(struct isa_reader *r, struct sbuf *out, struct str name)
{
	const char *head = arena_printf(r->a, "\n\t.comm\t%.*s,", STR_ARG(name));
	size_t at = str_find(r->text, head, 0);
	struct str rest = str_sub(r->text, at, r->text.n);
	struct str bytes;
	if (at == SIZE_MAX) {
		return false;
	}
	rest = str_sub(rest, strlen(head), rest.n);
	return str_split(&rest, ',', &bytes) && add_zeros(out, bytes);
}

static bool add_lines(struct isa_reader *r, struct sbuf *out, struct str name, size_t at)
{
	const char *end = arena_printf(r->a, "\n\t.size\t%.*s,", STR_ARG(name));
	size_t to = str_find(r->text, end, at);
	struct str rest = str_sub(r->text, at, to);
	struct str line;
	bool ok = to != SIZE_MAX && str_line(&rest, &line); /* the label */
	while (ok && str_line(&rest, &line)) {
		ok = add_line(r, out, line);
	}
	return ok;
}

/* Assigns an address to the next variable of this size. */
static void place_data(
	struct isa_reader *r, uint64_t *at, struct str bytes, bool constant, struct str name)
{
	*at = r->data_end ? r->data_end : DATA_AT;
	r->data_end = (*at + bytes.n + 2 * APART - 1) / APART * APART;
	array_push(&r->data, (struct isa_memory){.at = *at,
				     .bytes = bytes.n,
				     .p = arena_memdup(r->a, bytes.p, bytes.n),
				     .constant = constant,
				     .name = str_of(arena_strndup(r->a, name.p, name.n))});
}

int isa_read_slot(struct isa_reader *r, struct str name, uint64_t *at)
{
	static const uint64_t empty = 0;
	bool ok = add_address(r, 0, str_sub(name, 0, name.n - strlen(ISA_GOT)));
	place_data(r, at, (struct str){(const char *)&empty, sizeof(empty)}, true, STR(""));
	return ok ? 0 : isa_refuse(r, "this name is not covered:", name);
}

int isa_read_data(struct isa_reader *r, struct str name, uint64_t *at)
{
	const char *label = arena_printf(r->a, "\n%.*s:", STR_ARG(name));
	size_t from = str_find(r->text, label, 0);
	struct sbuf bytes = {0};
	bool ok = from == SIZE_MAX ? add_common(r, &bytes, name)
				   : add_lines(r, &bytes, name, from + 1);
	if (ok) {
		bool constant = from != SIZE_MAX && is_constant(str_sub(r->text, 0, from));
		place_data(r, at, bytes.p ? sbuf_str(&bytes) : STR(""), constant, name);
	}
	sbuf_release(&bytes);
	r->line = ok ? r->line : 0;
	return ok ? 0 : isa_refuse(r, "this variable is not covered:", name);
}

void isa_resolve_data(struct isa_reader *r)
{
	array_each (&r->pointer, const struct isa_pointer, p) {
		uint64_t to = map_get(&r->symbol, p->name, 0) + (uint64_t)p->more;
		memcpy(r->data.v[p->data].p + p->at, &to, sizeof(to));
	}
	r->p->datas = r->data.n;
	r->p->data = array_to_arena(r->a, &r->data);
}
