#include "measure/ir/ir.h"

#include <string.h>

#define WIDE_BITS 128

/* "@name(" or "@\"name\"(" after define. */
static struct str define_name(struct str line)
{
	size_t at = str_find(line, "@", 0);
	if (at == SIZE_MAX) {
		return (struct str){line.p, 0};
	}
	bool quoted = at + 1 < line.n && line.p[at + 1] == '"';
	size_t from = at + 1 + quoted;
	size_t end = str_find(line, quoted ? "\"" : "(", from);
	return end == SIZE_MAX ? (struct str){line.p, 0} : str_sub(line, from, end);
}

static int64_t element_bits(struct str type)
{
	static const struct {
		const char *name;
		int64_t bits;
	} known[] = {{"half", 16}, {"bfloat", 16}, {"float", 32}, {"double", 64}, {"ptr", 64},
		{"ptr addrspace(3)", 32}, {"ptr addrspace(5)", 32}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(type, known[i].name)) {
			return known[i].bits;
		}
	}
	int64_t bits = 0;
	if (type.n > 1 && type.p[0] == 'i' && str_to_i64(str_sub(type, 1, type.n), &bits) &&
		bits > 0 && bits <= 4096) {
		return bits;
	}
	return type.n && (str_starts(type, "ptr") || str_ends(type, "*")) ? 64 : 0;
}

/* "%x = phi fast <4 x float> [ ... ]": bits of the vector, 0 for any other line. */
static int64_t phi_bits(struct str line)
{
	size_t eq = str_find(line, " = phi ", 0);
	if (eq == SIZE_MAX || line.p[0] != '%') {
		return 0;
	}
	size_t open = str_find(line, "<", eq);
	size_t values = str_find(line, "[", eq);
	size_t close = open == SIZE_MAX ? open : str_find(line, ">", open);
	if (close == SIZE_MAX || values < open) {
		return 0;
	}
	struct str type = str_sub(line, open + 1, close);
	size_t by = str_find(type, " x ", 0);
	int64_t n;
	if (by == SIZE_MAX || !str_to_i64(str_trim(str_sub(type, 0, by)), &n) || n < 1 ||
		n > 1 << 20) {
		return 0;
	}
	return n * element_bits(str_trim(str_sub(type, by + 3, type.n)));
}

int64_t ir_phi_bits(struct str line)
{
	size_t eq = str_find(line, " = phi ", 0);
	size_t values = eq == SIZE_MAX ? eq : str_find(line, "[", eq);
	int64_t vector = phi_bits(line);
	if (vector > 0 || values == SIZE_MAX || line.p[0] != '%') {
		return vector;
	}
	/* "fast float": the last word is the type */
	struct str type = str_trim(str_sub(line, eq + strlen(" = phi "), values));
	for (size_t i = type.n; i-- > 0;) {
		if (type.p[i] == ' ' && !str_starts(type, "ptr")) {
			type = str_sub(type, i + 1, type.n);
			break;
		}
	}
	int64_t bits = element_bits(type);
	return bits == 1 ? 0 : bits; /* a condition is a mask, in scalar registers */
}

void ir_wide_phis(struct map *out, struct str ir)
{
	struct str rest = ir;
	struct str line;
	struct str function = {NULL, 0};
	uintptr_t n = 0;
	while (str_line(&rest, &line)) {
		if (str_starts(line, "define ")) {
			function = define_name(line);
			n = 0;
		} else if (str_is(line, "}") && function.n) {
			map_set(out, function, n);
			function.n = 0;
		} else if (function.n) {
			n += phi_bits(str_trim(line)) >= WIDE_BITS;
		}
	}
}
