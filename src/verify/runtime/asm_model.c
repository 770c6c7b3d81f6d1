#include "asm_model.h"

#include <string.h>

#include "frontend/text/asm_text.h"

enum {
	D,
	A,
	B,
	C,
	SLOTS
};

struct model {
	const struct asm_text *text;
	const char *builtin;
	size_t operand[SLOTS]; /* index + 1; C: 0 is the constant zero */
	unsigned modifier[3];  /* cbsz, abid, blgp */
};

/* ---- names ---- */

static const char *const dense[] = {
#define UNPHI_MFMA(name, ...) #name,
#include "verify/runtime/unphi/matrix_ops.h"
};

static const char *find_builtin(struct str name)
{
	for (size_t i = 0; i < sizeof(dense) / sizeof(dense[0]); i++) {
		if (str_is(name, dense[i])) {
			return dense[i];
		}
	}
	return NULL;
}

/* On newer GPUs v_mfma_f32_32x32x8_f16 is the instruction of builtin mfma_f32_32x32x8f16; the
 * builtins for bf16 end in _1k. */
static const char *builtin_of(struct arena *a, struct str mnemonic)
{
	struct str name = str_sub(mnemonic, 2, mnemonic.n);
	const char *found = find_builtin(name);
	for (size_t i = name.n; i > 0 && !found; i--) {
		if (name.p[i - 1] == '_') {
			const char *joined = arena_printf(
				a, "%.*s%.*s", (int)(i - 1), name.p, (int)(name.n - i), name.p + i);
			found = find_builtin(str_of(joined));
			found = found ? found
				      : find_builtin(str_of(arena_printf(a, "%s_1k", joined)));
			break;
		}
	}
	return found;
}

/* ---- the instruction ---- */

static bool find_operand(size_t *out, const struct asm_text *t, struct str word)
{
	int64_t number;
	if (!str_starts(word, "%")) {
		return false;
	}
	word = str_sub(word, 1, word.n);
	if (str_to_i64(word, &number)) {
		*out = (size_t)number + 1;
		return number >= 0 && (size_t)number < t->operand.n;
	}
	for (size_t i = 0; i < t->operand.n; i++) {
		const char *name = t->operand.v[i].name;
		if (str_starts(word, "[") && str_ends(word, "]") && *name &&
			str_is(str_sub(word, 1, word.n - 1), name)) {
			*out = i + 1;
			return true;
		}
	}
	return false;
}

static bool read_modifiers(struct model *m, struct str rest)
{
	static const char *const name[] = {"cbsz:", "abid:", "blgp:"};
	struct str word;
	while (str_split(&rest, ' ', &word)) {
		bool known = word.n == 0;
		for (size_t i = 0; i < 3; i++) {
			int64_t value;
			if (str_starts(word, name[i]) &&
				str_to_i64(str_sub(word, strlen(name[i]), word.n), &value)) {
				m->modifier[i] = (unsigned)value;
				known = true;
			}
		}
		if (!known) {
			return false;
		}
	}
	return true;
}

/* v_mfma_... D, A, B, C modifiers */
static bool read_instruction(struct model *m, struct arena *a, struct str line)
{
	struct str rest = line, word, mnemonic;
	if (!str_split(&rest, ' ', &mnemonic) || !str_starts(mnemonic, "v_mfma_")) {
		return false;
	}
	m->builtin = builtin_of(a, mnemonic);
	for (size_t slot = D; slot < SLOTS; slot++) {
		rest = str_trim(rest);
		if (!m->builtin || !str_split(&rest, slot == C ? ' ' : ',', &word)) {
			return false;
		}
		word = str_trim(word);
		bool zero = slot == C && str_is(word, "0");
		if (!zero && !find_operand(&m->operand[slot], m->text, word)) {
			return false;
		}
	}
	return m->text->operand.v[m->operand[D] - 1].output && read_modifiers(m, rest);
}

static bool read_template(struct model *m, struct arena *a)
{
	struct sbuf text = {0};
	struct str literal = str_of(m->text->template), line;
	bool ok = literal.p[0] == '"';
	asm_text_decode(&text, literal);
	struct str lines = sbuf_str(&text);
	while (ok && asm_text_line(&lines, &line)) {
		if (line.n && !str_starts(line, "s_nop ")) {
			ok = !m->builtin && read_instruction(m, a, line);
		}
	}
	sbuf_release(&text);
	return ok && m->builtin;
}

/* ---- the statement ---- */

static void add_value(struct sbuf *out, size_t operand)
{
	if (operand == 0) {
		sbuf_adds(out, "{}");
	} else {
		sbuf_addf(out, "unphi_asm%zu", operand - 1);
	}
}

/* The operand with this operand's initial value: for an output "=v" the input that shares its
 * register, by "0" or its [name]. SIZE_MAX: unknown. */
static size_t held_by(const struct asm_text *t, size_t operand)
{
	const struct asm_operand *o = operand ? &t->operand.v[operand - 1] : NULL;
	if (!o || o->constraint[0] != '=') {
		return operand;
	}
	for (size_t i = 0; i < t->operand.n; i++) {
		struct str tie = str_of(t->operand.v[i].constraint);
		int64_t number;
		bool by_name = str_starts(tie, "[") && *o->name &&
			       str_is(str_sub(tie, 1, tie.n - 1), o->name);
		if (by_name || (str_to_i64(tie, &number) && number == (int64_t)operand - 1)) {
			return i + 1;
		}
	}
	return SIZE_MAX;
}

/* Is there one output, and no read of an undefined register? */
static bool is_plain(const struct model *m)
{
	size_t outputs = 0;
	for (size_t i = 0; i < m->text->operand.n; i++) {
		outputs += m->text->operand.v[i].output;
	}
	bool plain = outputs == 1;
	for (size_t slot = A; slot < SLOTS; slot++) {
		plain &= held_by(m->text, m->operand[slot]) != SIZE_MAX;
	}
	return plain;
}

static void add_statement(struct sbuf *out, const struct model *m, struct str source)
{
	const struct asm_text *t = m->text;
	sbuf_adds(out, "do { ");
	for (size_t i = 0; i < t->operand.n; i++) {
		const struct asm_operand *o = &t->operand.v[i];
		struct str whole = str_sub(source, o->begin, o->end);
		size_t open = str_find(whole, "(", str_find(whole, "\"", 0));
		sbuf_addf(out, "%s unphi_asm%zu = ", o->output ? "auto &&" : "const auto", i);
		sbuf_add_replaced(out, str_sub(whole, open, whole.n), "\n", " ");
		sbuf_adds(out, "; ");
	}
	sbuf_addf(out, "unphi_asm%zu = __builtin_amdgcn_%s(", m->operand[D] - 1, m->builtin);
	for (size_t slot = A; slot < SLOTS; slot++) {
		add_value(out, held_by(t, m->operand[slot]));
		sbuf_adds(out, ", ");
	}
	sbuf_addf(out, "%u, %u, %u); } while (0)", m->modifier[0], m->modifier[1], m->modifier[2]);
}

bool asm_model(struct sbuf *out, struct arena *a, struct str source, size_t at)
{
	struct asm_text text;
	if (!asm_text_read(&text, a, source, at)) {
		return false;
	}
	struct model m = {.text = &text};
	bool ok = read_template(&m, a) && is_plain(&m);
	if (ok) {
		add_statement(out, &m, source);
	}
	asm_text_release(&text);
	return ok;
}
