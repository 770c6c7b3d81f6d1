/* The parts of a launch as text: C++ for a trial, YAML for the spec. */
#include "verify/init/params.h"

#include <string.h>

/* The C++ type of a part. */
static const char *cpp_type(const struct piece *part)
{
	static const char *const ints[][2] = {{"signed char", "unsigned char"},
		{"short", "unsigned short"}, {"int", "unsigned"}, {"long", "unsigned long"}};
	static const char *const floats[] = {"_Float16", "float", "double"};
	size_t size = element_size(part->type);
	size_t log = size == 8 ? 3 : size == 4 ? 2 : size / 2;
	if (part->kind == PIECE_BUFFER) {
		return "char *";
	}
	return element_is_float(part->type) && log ? floats[log - 1] : ints[log][part->type % 2];
}

void params_cpp(struct sbuf *out, const struct piece *of, const struct params *p)
{
	switch (of->kind) {
	case PIECE_NUMBER:
		sbuf_addf(out, "__unphi_number{%zu}", p->slots.v[of->slot].number);
		return;
	case PIECE_BUFFER:
		if (of->may_be_null) {
			size_t null = p->slots.v[of->null].number;
			sbuf_addf(out, "__unphi_buffer_or_null(%zu, %zu)", of->slot, null);
		} else {
			sbuf_addf(out, "__unphi_buffer(%zu)", of->slot);
		}
		return;
	case PIECE_BYTES:
		sbuf_addf(out, "__unphi_bytes<%lld>{}", (long long)of->size);
		span_each (of->piece, of->pieces, const struct piece, part) {
			sbuf_addf(out, ".__unphi_put(%lld, (%s)", (long long)part->at,
				cpp_type(part));
			params_cpp(out, part, p);
			sbuf_addc(out, ')');
		}
		return;
	case PIECE_RECORD:
	case PIECE_LIST:
		break;
	}
	sbuf_addc(out, '{');
	for (size_t i = 0; i < of->pieces; i++) {
		sbuf_adds(out, i ? ", " : "");
		if (of->kind == PIECE_RECORD) {
			sbuf_addf(out, ".%s = ", of->piece[i].name);
		}
		params_cpp(out, &of->piece[i], p);
	}
	sbuf_addc(out, '}');
}

static void yaml_bytes(struct sbuf *out, int64_t size, int64_t value)
{
	sbuf_adds(out, "{bytes: [");
	for (int64_t i = 0; i < size; i++) {
		unsigned byte = i < 8 ? (unsigned)((uint64_t)value >> 8 * i & 0xff) : 0;
		sbuf_addf(out, "%s%u", i ? ", " : "", byte);
	}
	sbuf_adds(out, "]}");
}

/* Writes an enumerator by name; by its bytes if it has no name, or if its scope cannot be named. */
static void yaml_enumerator(struct sbuf *out, const struct slot *s, int64_t value)
{
	bool named = s->type->canon && !strpbrk(s->type->canon, "( <");
	for (size_t i = 0; named && i < s->type->fields; i++) {
		if (s->type->field[i].at == value) {
			sbuf_addf(out, "%s::%s", s->type->canon, s->type->field[i].name);
			return;
		}
	}
	yaml_bytes(out, s->size, value);
}

static void yaml_number(struct sbuf *out, const struct slot *s, const struct trial_number *v)
{
	if (s->is_float) {
		sbuf_addf(out, "%.9g", v->real);
	} else if (s->is_enum) {
		yaml_enumerator(out, s, v->whole);
	} else if (s->is_bool) {
		sbuf_adds(out, v->whole ? "true" : "false");
	} else {
		sbuf_addf(out, "%lld", (long long)v->whole);
	}
}

/* Writes bytes, and the offsets of buffers' addresses in them. */
static void yaml_parts(struct sbuf *out, const struct piece *of, const struct params *p,
	const struct trial_number *value)
{
	unsigned char *byte = ARENA_ARRAY(p->a, unsigned char, (size_t)of->size + 1);
	const char *between = "";
	span_each (of->piece, of->pieces, const struct piece, part) {
		struct sbuf b = {0};
		if (part->kind == PIECE_NUMBER && element_is_float(part->type)) {
			element_put_float(&b, part->type, value[part->slot].real);
		} else if (part->kind == PIECE_NUMBER) {
			element_put_int(&b, part->type, value[part->slot].whole);
		}
		memcpy(byte + part->at, b.p ? b.p : "", b.n);
		sbuf_release(&b);
	}
	sbuf_adds(out, "{bytes: [");
	for (int64_t i = 0; i < of->size; i++) {
		sbuf_addf(out, "%s%u", i ? ", " : "", byte[i]);
	}
	sbuf_adds(out, "]");
	span_each (of->piece, of->pieces, const struct piece, part) {
		if (part->kind == PIECE_BUFFER) {
			sbuf_addf(out, "%s%lld: %s", between[0] ? between : ", at: {",
				(long long)part->at, p->buffers.v[part->slot].name);
			between = ", ";
		}
	}
	sbuf_adds(out, between[0] ? "}}" : "}");
}

void params_yaml(struct sbuf *out, const struct piece *of, const struct params *p,
	const struct trial_number *value)
{
	bool record = of->kind == PIECE_RECORD;
	switch (of->kind) {
	case PIECE_NUMBER:
		yaml_number(out, &p->slots.v[of->slot], &value[of->slot]);
		return;
	case PIECE_BUFFER:
		sbuf_adds(out, of->may_be_null && !value[of->null].whole
				       ? "nullptr"
				       : p->buffers.v[of->slot].name);
		return;
	case PIECE_BYTES:
		yaml_parts(out, of, p, value);
		return;
	case PIECE_RECORD:
	case PIECE_LIST:
		break;
	}
	sbuf_addc(out, record ? '{' : '[');
	for (size_t i = 0; i < of->pieces; i++) {
		sbuf_adds(out, i ? ", " : "");
		if (record) {
			sbuf_addf(out, "%s: ", of->piece[i].name);
		}
		params_yaml(out, &of->piece[i], p, value);
	}
	sbuf_addc(out, record ? '}' : ']');
}

static void yaml_values(struct sbuf *out, const struct fill *f, enum element_type t)
{
	size_t size = element_size(t);
	sbuf_adds(out, "{values: [");
	for (size_t at = 0; at < f->bytes.n; at += size) {
		struct sbuf shown = {0};
		element_show(&shown, t, f->bytes.p + at); /* "0x3f800000 (1)" */
		struct str text = sbuf_str(&shown);
		size_t open = str_find(text, "(", 0);
		text = open == SIZE_MAX ? text : str_sub(text, open + 1, text.n - 1);
		bool is_nan = str_find(text, "nan", 0) != SIZE_MAX;
		bool is_inf = str_find(text, "inf", 0) != SIZE_MAX;
		sbuf_adds(out, at ? ", " : "");
		if (is_nan || is_inf) {
			sbuf_addf(out, "%s.%s", text.p[0] == '-' && is_inf ? "-" : "",
				is_nan ? "nan" : "inf");
		} else {
			sbuf_addstr(out, text);
		}
		sbuf_release(&shown);
	}
	sbuf_adds(out, "]}");
}

void params_yaml_fill(struct sbuf *out, const struct fill *f, enum element_type t)
{
	bool is_float = element_is_float(t);
	if (f->kind == FILL_BYTE) {
		sbuf_adds(out, f->byte ? "poison" : "zeros");
	} else if (f->kind == FILL_VALUES) {
		yaml_values(out, f, t);
	} else if (is_float) {
		sbuf_addf(out, "{%s: [%g, %g]", f->kind == FILL_IOTA ? "iota" : "random", f->low,
			f->high);
	} else {
		sbuf_addf(out, "{%s: [%lld, %lld]", f->kind == FILL_IOTA ? "iota" : "random",
			(long long)f->whole_low, (long long)f->whole_high);
	}
	if (f->kind == FILL_RANDOM && f->seed) {
		sbuf_addf(out, ", seed: %llu", (unsigned long long)f->seed);
	}
	sbuf_adds(out, f->kind == FILL_RANDOM || f->kind == FILL_IOTA ? "}" : "");
}

void params_yaml_shape(struct sbuf *out, const struct spec_shape *s)
{
	if (s->v[1] == 1 && s->v[2] == 1) {
		sbuf_addf(out, "%u", s->v[0]);
	} else if (s->v[2] == 1) {
		sbuf_addf(out, "[%u, %u]", s->v[0], s->v[1]);
	} else {
		sbuf_addf(out, "[%u, %u, %u]", s->v[0], s->v[1], s->v[2]);
	}
}
