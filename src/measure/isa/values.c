#include "measure/isa/values.h"

#include <string.h>

/* Opaque values, known only by their origin: a register, and a block, loop or instruction. Their
 * numbers are computed, since there are many; others are looked up in a table. */
enum where {
	WHERE_LIVE = 1,	      /* the value at entry */
	WHERE_NAMED = 512,    /* the first number from the table */
	WHERE_LOOP = 1 << 28, /* after a loop */
	WHERE_JOIN = 1 << 29, /* the join at a block */
	WHERE_INSN = 1 << 30  /* an instruction's result */
};

enum how {
	HOW_HIGH, /* the upper half of a pair */
	HOW_PAIR,
	HOW_NUMBER,
	HOW_OP
};

/* A range of registers; n 0: not tracked. */
struct range {
	unsigned at;
	unsigned n;
};

void isa_values_release(struct isa_values *vs)
{
	map_release(&vs->name);
	ids_release(&vs->condition);
	array_release(&vs->fact);
}

const struct isa_fact *isa_values_fact(const struct isa_values *vs, uint32_t atom)
{
	uintptr_t at = atom ? ids_get(&vs->condition, atom, 0) : 0;
	return at > 1 ? &vs->fact.v[at - 2] : NULL;
}

static bool is_condition(const struct isa_values *vs, isa_value v)
{
	return VALUE_ATOM(v) == 0 || ids_get(&vs->condition, VALUE_ATOM(v), 0) > 0;
}

static isa_value as_condition(struct isa_values *vs, isa_value v)
{
	if (!is_condition(vs, v)) {
		ids_set(&vs->condition, VALUE_ATOM(v), 1);
	}
	return v;
}

static isa_value with_fact(struct isa_values *vs, isa_value v, struct isa_fact fact)
{
	if (!isa_values_fact(vs, VALUE_ATOM(v))) {
		array_push(&vs->fact, fact);
		ids_set(&vs->condition, VALUE_ATOM(v), vs->fact.n + 1);
	}
	return v;
}

static isa_value named(struct isa_values *vs, const void *key, size_t bytes)
{
	struct str k = {key, bytes};
	uintptr_t known = map_get(&vs->name, k, 0);
	if (known) {
		return (isa_value)known << 1;
	}
	vs->next = vs->next ? vs->next + 1 : WHERE_NAMED;
	map_set(&vs->name, k, vs->next);
	return vs->next << 1;
}

static isa_value from(enum where where, uint32_t number, uint32_t reg)
{
	return ((uint32_t)where + number * VALUE_REGISTERS + reg) << 1;
}

static isa_value made(struct isa_values *vs, enum how how, uint32_t a, uint32_t b)
{
	const uint32_t key[3] = {how, a, b};
	return named(vs, key, sizeof(key));
}

/* ---- registers ---- */

static struct range range_of(struct str s)
{
	struct isa_reg x = isa_reg_read(s);
	bool vector = x.file == 'v';
	if (x.n == 0 || x.file == 'a' || (vector && x.at + x.n > 256)) {
		return (struct range){0, 0};
	}
	return (struct range){x.at + (vector ? VALUE_VGPR : 0), x.n};
}

bool isa_register_find(unsigned *at, struct str operand)
{
	struct range x = range_of(operand);
	*at = x.at;
	return x.n > 0;
}

static isa_value get_range(const struct isa_registers *r, struct isa_values *vs, struct range x)
{
	isa_value low = r->v[x.at];
	if (x.n < 2) {
		return low;
	}
	isa_value high = r->v[x.at + 1];
	return high == made(vs, HOW_HIGH, low, 0) ? low : made(vs, HOW_PAIR, low, high);
}

static void set_range(
	struct isa_registers *r, struct isa_values *vs, struct range x, isa_value value)
{
	for (unsigned i = 0; i < x.n; i++) {
		r->v[x.at + i] = i == 0 ? value : made(vs, HOW_HIGH, value, i - 1);
	}
}

/* The value of an operand: a register, or a number identified by its text. */
static isa_value get(const struct isa_registers *r, struct isa_values *vs, struct str s)
{
	struct range x = range_of(s);
	if (x.n) {
		return get_range(r, vs, x);
	}
	if (str_is(s, "0")) {
		return VALUE_FALSE;
	}
	if (str_is(s, "-1") || str_is(s, "1")) {
		return VALUE_TRUE;
	}
	if (str_is(s, "scc") || str_is(s, "src_scc")) {
		return r->v[VALUE_SCC];
	}
	char key[64] = {HOW_NUMBER};
	size_t n = s.n < sizeof(key) - 1 ? s.n : sizeof(key) - 1;
	memcpy(key + 1, s.p, n);
	return named(vs, key, n + 1);
}

/* ---- results ---- */

static isa_value op_value(struct isa_values *vs, struct str op, isa_value a, isa_value b)
{
	char key[64] = {HOW_OP};
	size_t n = op.n < sizeof(key) - 9 ? op.n : sizeof(key) - 9;
	memcpy(key + 1, &a, 4);
	memcpy(key + 5, &b, 4);
	memcpy(key + 9, op.p, n);
	return named(vs, key, n + 9);
}

static isa_value conjunction(struct isa_values *vs, isa_value a, isa_value b)
{
	if (a == VALUE_FALSE || b == VALUE_FALSE || a == VALUE_OPPOSITE(b)) {
		return VALUE_FALSE;
	}
	if (a == VALUE_TRUE || a == b) {
		return b;
	}
	if (b == VALUE_TRUE) {
		return a;
	}
	isa_value v = op_value(vs, STR("and"), a < b ? a : b, a < b ? b : a);
	return with_fact(vs, v, (struct isa_fact){FACT_AND, a, b, 0});
}

static isa_value exclusive(struct isa_values *vs, isa_value a, isa_value b)
{
	if (VALUE_ATOM(a) == VALUE_ATOM(b)) {
		return a == b ? VALUE_FALSE : VALUE_TRUE;
	}
	if (VALUE_ATOM(a) == 0 || VALUE_ATOM(b) == 0) {
		return a ^ b; /* one of them is 0 or 1 */
	}
	isa_value low = a < b ? a : b, high = a < b ? b : a;
	isa_value v = op_value(vs, STR("xor"), low & ~1u, high & ~1u);
	with_fact(vs, v, (struct isa_fact){FACT_XOR, a & ~1u, b & ~1u, 0});
	return v ^ ((a ^ b) & 1);
}

/* Computes "and", "andn2", ...; false for other operations. */
static bool logic(isa_value *out, struct isa_values *vs, struct str op, isa_value a, isa_value b)
{
	bool not_b = str_is(op, "andn2") || str_is(op, "and_not1") || str_is(op, "orn2") ||
		     str_is(op, "or_not1");
	bool not_d = str_is(op, "nand") || str_is(op, "nor") || str_is(op, "xnor");
	b = not_b ? VALUE_OPPOSITE(b) : b;
	if (str_starts(op, "and") || str_is(op, "nand")) {
		*out = conjunction(vs, a, b);
	} else if (str_starts(op, "or") || str_is(op, "nor")) {
		*out = VALUE_OPPOSITE(conjunction(vs, VALUE_OPPOSITE(a), VALUE_OPPOSITE(b)));
	} else if (str_is(op, "xor") || str_is(op, "xnor")) {
		*out = exclusive(vs, a, b);
	} else {
		return false;
	}
	*out = not_d ? VALUE_OPPOSITE(*out) : *out;
	return true;
}

/* The condition "less"; for a value and a number it also records the fact. */
static isa_value less(struct isa_values *vs, struct str type, struct str x, struct str y,
	isa_value a, isa_value b)
{
	char op[16] = "lt";
	size_t n = type.n < sizeof(op) - 2 ? type.n : sizeof(op) - 2;
	int64_t number;
	memcpy(op + 2, type.p, n);
	isa_value v = as_condition(vs, op_value(vs, (struct str){op, n + 2}, a, b));
	bool whole = !str_starts(type, "_f");
	if (whole && str_to_i64(y, &number)) {
		return with_fact(vs, v, (struct isa_fact){FACT_LESS, a, 0, number});
	}
	if (whole && str_to_i64(x, &number)) {
		return with_fact(vs, v, (struct isa_fact){FACT_MORE, b, 0, number});
	}
	return v;
}

static isa_value equal(struct isa_values *vs, struct str x, struct str y, isa_value a, isa_value b)
{
	int64_t number;
	bool second = str_to_i64(y, &number);
	isa_value of = second ? a : b;
	bool known = second || str_to_i64(x, &number);
	if (known && is_condition(vs, of) && (number == 0 || number == 1)) {
		return number ? of : VALUE_OPPOSITE(of);
	}
	isa_value v = as_condition(vs, op_value(vs, STR("eq"), a < b ? a : b, a < b ? b : a));
	return known ? with_fact(vs, v, (struct isa_fact){FACT_EQUAL, of, 0, number}) : v;
}

/* x COND y for s_cmp_COND_i32, in one canonical form for each relation and its opposite. */
static isa_value compared(
	struct isa_registers *r, struct isa_values *vs, struct str cond, struct str x, struct str y)
{
	isa_value a = get(r, vs, x), b = get(r, vs, y);
	size_t under = str_find(cond, "_", 0);
	struct str type = under == SIZE_MAX ? cond : str_sub(cond, under, cond.n);
	if (str_starts(cond, "eq")) {
		return equal(vs, x, y, a, b);
	}
	if (str_starts(cond, "lg") || str_starts(cond, "ne_")) {
		return VALUE_OPPOSITE(equal(vs, x, y, a, b));
	}
	if (str_starts(cond, "lt")) {
		return less(vs, type, x, y, a, b);
	}
	if (str_starts(cond, "gt")) {
		return less(vs, type, y, x, b, a);
	}
	if (str_starts(cond, "ge")) {
		return VALUE_OPPOSITE(less(vs, type, x, y, a, b));
	}
	if (str_starts(cond, "le")) {
		return VALUE_OPPOSITE(less(vs, type, y, x, b, a));
	}
	return as_condition(vs, op_value(vs, cond, a, b));
}

/* ---- instructions ---- */

static bool leaves_scc(struct str m)
{
	static const char *const starts[] = {"s_mov", "s_cselect", "s_load", "s_buffer_load",
		"s_mul_i32", "s_mul_hi", "s_sext", "s_brev", "s_getpc", "s_waitcnt", "s_wait_",
		"s_nop", "s_barrier", "s_cbranch", "s_branch", "s_setprio", "s_sleep", "s_cmov",
		"s_pack", "s_ff", "s_flbit", "s_bfm", "s_delay_alu", "s_clause", "s_set",
		"s_endpgm", NULL};
	return str_starts_any(m, starts);
}

bool isa_writes_nothing(struct str m)
{
	static const char *const starts[] = {"s_waitcnt", "s_wait_", "s_nop", "s_barrier",
		"s_cbranch", "s_branch", "s_setprio", "s_sleep", "s_setpc", "s_endpgm", "s_setreg",
		"s_delay_alu", "s_clause", "s_bitcmp", "s_cmp", "s_store", "s_dcache", "s_trap",
		"s_set_gpr", "global_store", "flat_store", "scratch_store", "buffer_store",
		"ds_write", "ds_store", "buffer_wbinv", "buffer_gl", "buffer_inv", "buffer_wbl2",
		NULL};
	return str_starts_any(m, starts);
}

bool isa_writes_two(struct str m)
{
	return str_starts(m, "v_") &&
	       (str_find(m, "_co_", 0) != SIZE_MAX || str_starts(m, "v_div_scale"));
}

static void spoil(struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in,
	enum where where, uint32_t at)
{
	if (str_starts(in->mnemonic, "s_") && !leaves_scc(in->mnemonic)) {
		r->v[VALUE_SCC] = from(where, at, VALUE_SCC);
	}
	if (isa_writes_nothing(in->mnemonic)) {
		return;
	}
	for (unsigned i = 0; i < 2; i++) { /* the second: a carry, or saveexec's old EXEC */
		struct range x = range_of(isa_operand(in->operands, i));
		if (i == 1 && !isa_writes_two(in->mnemonic)) {
			break;
		}
		for (unsigned k = 0; k < x.n; k++) {
			r->v[x.at + k] = from(where, at, x.at + k);
		}
	}
	if (str_starts(in->mnemonic, "v_cmpx") ||
		str_find(in->mnemonic, "saveexec", 0) != SIZE_MAX) {
		set_range(r, vs, (struct range){VALUE_EXEC, 2}, from(where, at, VALUE_EXEC));
	}
}

/* Lanes are assumed to go the same way: if they diverge, both texts run both arms. */
static bool saves_exec(struct isa_registers *r, struct isa_values *vs, struct str op,
	const struct isa_insn *in, uint32_t at)
{
	size_t tail = str_find(op, "_saveexec", 0);
	if (tail == SIZE_MAX) {
		return false;
	}
	struct str head = str_sub(op, 0, tail);
	isa_value exec = get(r, vs, STR("exec")), mask = get(r, vs, isa_operand(in->operands, 1));
	isa_value now = VALUE_FALSE;
	struct range both = {VALUE_EXEC, 2};
	bool turned = str_is(head, "andn2") || str_is(head, "and_not1");
	if (!(turned ? logic(&now, vs, head, mask, exec) : logic(&now, vs, head, exec, mask))) {
		now = from(WHERE_INSN, at, VALUE_EXEC);
	}
	set_range(r, vs, range_of(isa_operand(in->operands, 0)), exec);
	set_range(r, vs, both, now);
	r->v[VALUE_SCC] = now;
	return true;
}

static struct str without(struct str m, const char *tail)
{
	return str_ends(m, tail) ? str_sub(m, 0, m.n - strlen(tail)) : m;
}

/* Handles a scalar instruction; false: its result is unknown. */
static bool step_scalar(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t at)
{
	struct str m = in->mnemonic, o0 = isa_operand(in->operands, 0);
	struct str o1 = isa_operand(in->operands, 1), o2 = isa_operand(in->operands, 2);
	struct range d = range_of(o0);
	struct str op = without(without(str_sub(m, 2, m.n), "_b64"), "_b32");
	isa_value out;
	if (str_starts(m, "s_cmp")) {
		struct str cond = str_sub(m, str_starts(m, "s_cmpk_") ? 7 : 6, m.n);
		r->v[VALUE_SCC] = compared(r, vs, cond, o0, o1);
		return true;
	}
	if (saves_exec(r, vs, op, in, at)) {
		return true;
	}
	if (!d.n) {
		return false;
	}
	if (str_starts(op, "mov")) {
		set_range(r, vs, d, get(r, vs, o1));
		return true;
	}
	bool onto = str_starts(op, "addk") ||
		    str_starts(op, "mulk"); /* it also reads its destination */
	isa_value a = get(r, vs, o1), b = onto ? get_range(r, vs, d) : get(r, vs, o2);
	if (str_is(op, "cselect")) {
		isa_value scc = r->v[VALUE_SCC];
		bool flag = VALUE_ATOM(a) == 0 && VALUE_ATOM(b) == 0 && a != b;
		out = flag		  ? scc ^ (a == VALUE_FALSE)
		      : scc == VALUE_TRUE ? a
		      : scc == VALUE_FALSE
			      ? b
			      : op_value(vs, STR("select"), op_value(vs, op, a, b), scc);
		set_range(r, vs, d, out);
		return true;
	}
	if (str_is(op, "not")) {
		out = VALUE_OPPOSITE(a);
	} else if (!logic(&out, vs, op, a, b)) {
		if (str_starts(op, "load") || str_starts(op, "buffer_load") ||
			str_starts(op, "get") || str_starts(op, "mem") || str_starts(op, "addc") ||
			str_starts(op, "subb") || d.n > 2) {
			return false;
		}
		out = op_value(vs, op, a, b); /* equal operation and operands, equal value */
		set_range(r, vs, d, out);
		if (!leaves_scc(m)) {
			r->v[VALUE_SCC] = from(WHERE_INSN, at, VALUE_SCC);
		}
		return true;
	}
	set_range(r, vs, d, out);
	r->v[VALUE_SCC] = out;
	return true;
}

static bool step_vector(struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in)
{
	struct str m = without(without(in->mnemonic, "_e32"), "_e64");
	struct str o0 = isa_operand(in->operands, 0), o1 = isa_operand(in->operands, 1);
	struct str o2 = isa_operand(in->operands, 2), o3 = isa_operand(in->operands, 3);
	struct range d = range_of(o0);
	if (!d.n) {
		return false;
	}
	if (str_starts(m, "v_cmp_")) {
		set_range(r, vs, d, compared(r, vs, str_sub(m, 6, m.n), o1, o2));
		return true;
	}
	if (str_starts(m, "v_cndmask_b32") && o3.n) {
		isa_value a = get(r, vs, o1), b = get(r, vs, o2);
		if (VALUE_ATOM(a) == 0 && VALUE_ATOM(b) == 0 && a != b) {
			set_range(r, vs, d, get(r, vs, o3) ^ (a == VALUE_TRUE));
			return true;
		}
	}
	if (str_is(m, "v_mov_b32") || str_is(m, "v_readfirstlane_b32")) {
		set_range(r, vs, d, get(r, vs, o1));
		return true;
	}
	return false;
}

void isa_registers_step(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t at)
{
	bool known = str_starts(in->mnemonic, "s_")   ? step_scalar(r, vs, in, at)
		     : str_starts(in->mnemonic, "v_") ? step_vector(r, vs, in)
						      : false;
	if (!known) {
		spoil(r, vs, in, WHERE_INSN, at);
	}
}

void isa_registers_forget(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t loop)
{
	const isa_value exec[2] = {r->v[VALUE_EXEC], r->v[VALUE_EXEC + 1]};
	spoil(r, vs, in, WHERE_LOOP, loop);
	r->v[VALUE_SCC] = str_starts(in->mnemonic, "s_") ? from(WHERE_LOOP, loop, VALUE_SCC)
							 : r->v[VALUE_SCC];
	r->v[VALUE_EXEC] = exec[0];
	r->v[VALUE_EXEC + 1] = exec[1];
}

void isa_registers_begin(struct isa_registers *r, struct isa_values *vs)
{
	for (uint32_t i = 0; i < VALUE_REGISTERS; i++) {
		r->v[i] = from(WHERE_LIVE, 0, i);
	}
	set_range(r, vs, (struct range){VALUE_EXEC, 2}, VALUE_TRUE);
}

void isa_registers_join(struct isa_registers *r, const struct isa_registers *other, uint32_t block)
{
	for (uint32_t i = 0; i < VALUE_REGISTERS; i++) {
		if (r->v[i] != other->v[i]) {
			r->v[i] = from(WHERE_JOIN, block, i);
		}
	}
}

isa_value isa_registers_condition(const struct isa_registers *r, struct str m)
{
	bool vcc = str_find(m, "vcc", 0) != SIZE_MAX, exec = str_find(m, "exec", 0) != SIZE_MAX;
	isa_value on = r->v[vcc ? VALUE_VCC : exec ? VALUE_EXEC : VALUE_SCC];
	bool zero = str_ends(m, "scc0") || (str_ends(m, "z") && !str_ends(m, "nz"));
	return zero ? VALUE_OPPOSITE(on) : on;
}
