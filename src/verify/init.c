#include "verify/init.h"

#include <string.h>

enum {
	GUESSED_LENGTH = 4096, /* of a buffer, in values */
	GUESSED_BLOCK = 64
};

/* Of scalars that a buffer is made of; NULL: it has no such values. */
static const char *scalar_name(const struct kt_type *t)
{
	static const char *const ints[] = {"i8", "i16", "i32", "i64"};
	static const char *const naturals[] = {"u8", "u16", "u32", "u64"};
	static const char *const floats[] = {"fp8", "f16", "f32", "f64"};
	bool is_float = t->kind == KT_T_FLOAT;
	if (!is_float && t->kind != KT_T_INT && t->kind != KT_T_BOOL) {
		return NULL;
	}
	if (is_float && t->size == 2 && t->canon && strstr(t->canon, "bf")) {
		return "bf16";
	}
	bool natural = t->is_unsigned;
	for (int i = 0; i < 4; i++) {
		if (t->size == 1 << i) {
			return is_float ? floats[i] : natural ? naturals[i] : ints[i];
		}
	}
	return NULL;
}

/* The type that vectors and arrays are made of in the end. */
static const struct kt_type *innermost(const struct kt_unit *u, const struct kt_type *t)
{
	while ((t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY) && t->elem) {
		t = &u->type[t->elem];
	}
	return t;
}

static void add_buffer(struct sbuf *out, const struct kt_unit *u, const struct kt_sym *p)
{
	const struct kt_type *to = &u->type[u->type[p->type].elem];
	const char *type = scalar_name(innermost(u, to));
	const char *fill = "{random: [-1, 1]}";
	if (!to->is_const) {
		fill = "poison";
	} else if (!type || type[0] == 'i' || type[0] == 'u') {
		fill = "zeros";
	}
	sbuf_addf(out, "      %s: {type: %s, length: %d, fill: %s}", p->name, type ? type : "u8",
		GUESSED_LENGTH, fill);
	if (to->name) {
		sbuf_addf(out, " # %s", to->name);
	}
	sbuf_addc(out, '\n');
}

static void add_bytes(struct sbuf *out, const struct kt_type *t)
{
	sbuf_adds(out, "{bytes: [");
	for (int64_t i = 0; i < t->size; i++) {
		sbuf_adds(out, i ? ", 0" : "0");
	}
	sbuf_addf(out, "]} # %s", t->name ? t->name : "a record");
}

/* An enumeration counts as an integer in the kernel tree, but no number converts to it. */
static bool is_builtin(const struct kt_type *t)
{
	static const char *const words[] = {"const", "volatile", "signed", "unsigned", "char",
		"short", "int", "long", "__int128", "wchar_t", "char8_t", "char16_t", "char32_t"};
	struct str rest = str_of(t->canon);
	struct str word;
	while (str_split(&rest, ' ', &word)) {
		bool known = false;
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			known |= str_is(word, words[i]);
		}
		if (!known) {
			return false;
		}
	}
	return true;
}

static void add_argument(struct sbuf *out, const struct kt_unit *u, const struct kt_sym *p)
{
	const struct kt_type *t = kt_object_type(u, p->type);
	sbuf_addf(out, "      %s: ", p->name);
	switch (t->kind) {
	case KT_T_POINTER:
		sbuf_adds(out, p->name);
		break;
	case KT_T_RECORD:
	case KT_T_VECTOR:
	case KT_T_ARRAY:
		add_bytes(out, t);
		break;
	case KT_T_BOOL:
		sbuf_adds(out, "true");
		break;
	case KT_T_INT:
		if (is_builtin(t)) {
			sbuf_adds(out, "1");
		} else {
			add_bytes(out, t);
		}
		break;
	default:
		sbuf_adds(out, "1");
		break;
	}
	sbuf_addc(out, '\n');
}

static bool is_buffer(const struct kt_unit *u, const struct kt_sym *p)
{
	return u->type[p->type].kind == KT_T_POINTER;
}

static void add_kernel(struct sbuf *out, const struct kt_unit *u, const struct kt_fn *fn)
{
	size_t buffers = 0;
	sbuf_addf(out, "  - kernel: \"%s\"\n    grid: 1\n    block: %d\n", fn->name, GUESSED_BLOCK);
	for (size_t i = 0; i < fn->params; i++) {
		const struct kt_sym *p = &u->sym[fn->param[i]];
		if (is_buffer(u, p)) {
			sbuf_adds(out, buffers++ ? "" : "    buffers:\n");
			add_buffer(out, u, p);
		}
	}
	for (size_t i = 0; i < fn->params; i++) {
		sbuf_adds(out, i ? "" : "    arguments:\n");
		add_argument(out, u, &u->sym[fn->param[i]]);
	}
}

bool spec_init(struct sbuf *out, const struct kt_unit *u, const char *shown)
{
	bool any = false;
	sbuf_addf(out,
		"# How to run the kernels of %s on the CPU: unphi verify. Shapes, lengths and "
		"values\n"
		"# are guesses: set them as the host code does, and add cases until every arm "
		"runs.\n"
		"targets: [%s]\nkernels:\n",
		shown, u->target);
	for (size_t i = 1; i < u->fns; i++) {
		const struct kt_fn *fn = &u->fn[i];
		if (fn->kind == KT_FN_KERNEL && fn->body && u->file[fn->file].main) {
			any = true;
			add_kernel(out, u, fn);
		}
	}
	return any;
}
