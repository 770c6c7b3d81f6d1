/* Reads the text of -S: descriptor, metadata, instructions. isa.h says what comes out. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "isa/table.h"
#include "measure/isa/text.h"

struct reader {
	struct arena *a;
	struct isa_program *p;
	struct isa_function f;
	struct str text;
	struct str counted; /* the text before it holds lines - 1 newlines */
	unsigned line;
	const char *said;
};

static int refuse(struct reader *r, const char *what, struct str name)
{
	r->said = r->line ? arena_printf(r->a, "line %u: %s %.*s", r->line, what, STR_ARG(name))
			  : arena_printf(r->a, "%s %.*s", what, STR_ARG(name));
	return FAIL_INPUT;
}

/* ---- descriptor ---- */

struct key {
	const char *name;
	size_t at;
	bool flag;
};

#define FLAG(name, member) {".amdhsa_" name, offsetof(struct isa_descriptor, member), true}
#define NUMBER(name, member) {".amdhsa_" name, offsetof(struct isa_descriptor, member), false}
static const struct key keys[] = {
	NUMBER("group_segment_fixed_size", lds_bytes),
	NUMBER("private_segment_fixed_size", scratch_bytes),
	NUMBER("kernarg_size", kernarg_bytes),
	NUMBER("system_vgpr_workitem_id", item_ids),
	FLAG("user_sgpr_private_segment_buffer", private_segment_buffer),
	FLAG("user_sgpr_dispatch_ptr", dispatch_ptr),
	FLAG("user_sgpr_queue_ptr", queue_ptr),
	FLAG("user_sgpr_kernarg_segment_ptr", kernarg_ptr),
	FLAG("user_sgpr_dispatch_id", dispatch_id),
	FLAG("user_sgpr_flat_scratch_init", flat_scratch_init),
	FLAG("user_sgpr_private_segment_size", private_segment_size),
	FLAG("system_sgpr_workgroup_id_x", group_id[0]),
	FLAG("system_sgpr_workgroup_id_y", group_id[1]),
	FLAG("system_sgpr_workgroup_id_z", group_id[2]),
	FLAG("system_sgpr_workgroup_info", group_info),
	FLAG("system_sgpr_private_segment_wavefront_offset", scratch_offset),
	FLAG("enable_private_segment", scratch_offset),
};

/* Keys with which a kernel computes otherwise, and the one value that is covered. */
static const struct {
	const char *name;
	int64_t value;
} fixed[] = {
	{".amdhsa_float_round_mode_32", 0},
	{".amdhsa_float_round_mode_16_64", 0},
	{".amdhsa_float_denorm_mode_32", 3},
	{".amdhsa_float_denorm_mode_16_64", 3},
	{".amdhsa_ieee_mode", 1},
	{".amdhsa_dx10_clamp", 1},
	{".amdhsa_fp16_overflow", 0},
	{".amdhsa_uses_dynamic_stack", 0},
	{".amdhsa_user_sgpr_kernarg_preload_length", 0},
};

static int read_key(struct reader *r, struct str name, struct str text)
{
	int64_t value;
	if (!str_to_i64(text, &value)) {
		return 0; /* an expression: none of those that matter here is one */
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *at = (char *)&r->p->d + keys[i].at;
		if (str_is(name, keys[i].name) && keys[i].flag) {
			*(bool *)at = value != 0;
		} else if (str_is(name, keys[i].name)) {
			*(uint32_t *)at = (uint32_t)value;
		}
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (str_is(name, fixed[i].name) && value != fixed[i].value) {
			return refuse(r, "not covered:", name);
		}
	}
	return 0;
}

static int read_descriptor(struct reader *r)
{
	const char *head = arena_printf(r->a, "\t.amdhsa_kernel %s\n", r->p->symbol);
	size_t at = str_find(r->text, head, 0);
	if (at == SIZE_MAX) {
		return refuse(r, "the assembly has no descriptor of", str_of(r->p->symbol));
	}
	struct str rest = str_sub(r->text, at + strlen(head), r->text.n);
	struct str line;
	while (str_line(&rest, &line)) {
		struct str value = str_trim(line);
		struct str name;
		if (str_is(value, ".end_amdhsa_kernel")) {
			return 0;
		}
		if (str_split(&value, ' ', &name) && read_key(r, name, str_trim(value)) != 0) {
			return FAIL_INPUT;
		}
	}
	return refuse(r, "the descriptor has no end:", str_of(r->p->symbol));
}

/* ---- metadata ---- */

struct parameters {
	ARRAY(struct isa_parameter) v;
};

static void read_parameter(struct parameters *out, struct str key, struct str value)
{
	int64_t n = 0;
	struct isa_parameter *last = out->v.n ? &out->v.v[out->v.n - 1] : NULL;
	if (last && str_is(key, ".offset") && str_to_i64(value, &n)) {
		last->at = (uint32_t)n;
	} else if (last && str_is(key, ".size") && str_to_i64(value, &n)) {
		last->bytes = (uint32_t)n;
	} else if (last && str_is(key, ".value_kind")) {
		last->kind = value;
	}
}

/* LLVM writes a kernel's parameters before its symbol, one key a line. */
static int read_metadata(struct reader *r)
{
	struct parameters found = {{0}};
	const char *symbol = arena_printf(r->a, "%s.kd", r->p->symbol);
	size_t at = str_find(r->text, ".amdgpu_metadata", 0);
	struct str rest = str_sub(r->text, at == SIZE_MAX ? r->text.n : at, r->text.n);
	struct str line;
	bool whole = false;
	while (!whole && str_line(&rest, &line)) {
		if (str_starts(line, "  - ")) {
			found.v.n = 0;
		}
		struct str value = str_trim(line);
		if (str_starts(line, "      - ")) {
			array_push(&found.v, (struct isa_parameter){0});
		}
		if (str_starts(value, "- ")) {
			value = str_trim(str_sub(value, 2, value.n));
		}
		struct str key;
		if (str_split(&value, ':', &key)) {
			value = str_trim(value);
			read_parameter(&found, key, value);
			whole = str_is(key, ".symbol") && str_is(value, symbol);
		}
	}
	r->p->parameters = found.v.n;
	r->p->parameter = array_to_arena(r->a, &found.v);
	array_release(&found.v);
	return whole ? 0 : refuse(r, "the assembly has no metadata of", str_of(r->p->symbol));
}

/* ---- operands ---- */

static bool number(int64_t *out, struct str s)
{
	char text[32];
	char *end;
	if (s.n == 0 || s.n >= sizeof(text)) {
		return false;
	}
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*out = (int64_t)strtoll(text, &end, 0);
	return *end == '\0';
}

static bool real_number(double *out, struct str s)
{
	char text[32];
	char *end;
	if (s.n == 0 || s.n >= sizeof(text) || !memchr(s.p, '.', s.n)) {
		return false;
	}
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*out = strtod(text, &end);
	return *end == '\0';
}

/* "v1", "s[2:3]", "a[0:15]" */
static bool registers(struct isa_operand *o, struct str s)
{
	int64_t first;
	int64_t last;
	struct str inner = str_sub(s, 1, s.n);
	struct str from;
	if (s.n < 2 || !strchr("vsa", s.p[0])) {
		return false;
	}
	if (inner.p[0] == '[' && inner.p[inner.n - 1] == ']') {
		inner = str_sub(inner, 1, inner.n - 1);
		if (!str_split(&inner, ':', &from) || !number(&first, from) ||
			!number(&last, inner.n ? inner : from)) {
			return false;
		}
	} else if (!number(&first, inner)) {
		return false;
	} else {
		last = first;
	}
	int64_t most = s.p[0] == 's' ? 102 : 256;
	o->kind = s.p[0] == 's' ? ISA_OPERAND_SGPR : ISA_OPERAND_VGPR;
	o->reg = (uint16_t)(first + (s.p[0] == 'a' ? ISA_AGPR : 0));
	o->regs = (uint16_t)(last - first + 1);
	return first >= 0 && last >= first && last < most;
}

static bool named_register(struct isa_operand *o, struct str s)
{
	static const struct {
		const char *name;
		uint16_t reg, regs;
	} named[] = {{"vcc", ISA_VCC, 2}, {"vcc_lo", ISA_VCC, 1}, {"vcc_hi", ISA_VCC + 1, 1},
		{"exec", ISA_EXEC, 2}, {"exec_lo", ISA_EXEC, 1}, {"exec_hi", ISA_EXEC + 1, 1},
		{"m0", ISA_M0, 1}};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (str_is(s, named[i].name)) {
			o->kind = ISA_OPERAND_SGPR;
			o->reg = named[i].reg;
			o->regs = named[i].regs;
			return true;
		}
	}
	return false;
}

static struct str without_signs(struct isa_operand *o, struct str s)
{
	if (s.n > 1 && s.p[0] == '-' && strchr("|vsa", s.p[1])) {
		o->neg = true;
		s = str_sub(s, 1, s.n);
	}
	if (s.n > 2 && s.p[0] == '|' && s.p[s.n - 1] == '|') {
		o->abs = true;
		s = str_sub(s, 1, s.n - 1);
	}
	return s;
}

static int read_operand(struct reader *r, struct isa_operand *o, struct str s)
{
	*o = (struct isa_operand){0};
	struct str bare = without_signs(o, s);
	uintptr_t label = map_get(&r->f.label, bare, UINTPTR_MAX);
	if (label != UINTPTR_MAX) {
		o->kind = ISA_OPERAND_LABEL;
		o->value = (int64_t)label;
	} else if (str_is(bare, "off")) {
		o->kind = ISA_OPERAND_OFF;
	} else if (number(&o->value, bare)) {
		o->kind = ISA_OPERAND_INT;
	} else if (real_number(&o->real, bare)) {
		o->kind = ISA_OPERAND_FLOAT;
	} else if (!registers(o, bare) && !named_register(o, bare)) {
		return refuse(r, "unknown operand", s);
	}
	return 0;
}

/* ---- modifiers ---- */

/* "[0,1,1]" as bits, the first the lowest. */
static bool bit_list(uint8_t *out, struct str s)
{
	*out = 0;
	if (s.n < 3 || s.p[0] != '[' || s.p[s.n - 1] != ']') {
		return false;
	}
	for (size_t i = 1, bit = 0; i < s.n; i += 2, bit++) {
		if ((s.p[i] != '0' && s.p[i] != '1') || bit > 2) {
			return false;
		}
		*out |= (uint8_t)((s.p[i] - '0') << bit);
	}
	return true;
}

static bool list_modifier(struct isa_op *op, struct str name, struct str value)
{
	struct {
		const char *name;
		uint8_t *out;
	} list[] = {{"op_sel", &op->sel}, {"op_sel_hi", &op->sel_hi}, {"neg_lo", &op->neg_lo},
		{"neg_hi", &op->neg_hi}};
	bool packed = op->row->form == ISA_PK32 || op->row->special == ISA_PK_MOV;
	for (size_t i = 0; packed && i < sizeof(list) / sizeof(list[0]); i++) {
		if (str_is(name, list[i].name)) {
			return bit_list(list[i].out, value);
		}
	}
	return false;
}

static bool offset_modifier(struct isa_op *op, struct str name, struct str value)
{
	int64_t n;
	bool memory = op->row->form == ISA_LOAD || op->row->form == ISA_STORE;
	bool two = memory && op->row->bits[2];
	if (!number(&n, value) || n < INT32_MIN || n > INT32_MAX) {
		return false;
	}
	if (str_is(name, "offset") && !two && (memory || op->row->special == ISA_BPERMUTE)) {
		op->offset = (int32_t)n;
	} else if (two && n >= 0 && n < 256 && str_is(name, "offset0")) {
		op->offset2[0] = (uint8_t)n;
	} else if (two && n >= 0 && n < 256 && str_is(name, "offset1")) {
		op->offset2[1] = (uint8_t)n;
	} else {
		return false;
	}
	return true;
}

/* Caching does not change what is read here: glc, slc, sc0, sc1, nt. */
static bool is_cache_word(const struct isa_op *op, struct str word)
{
	return (op->row->form == ISA_LOAD || op->row->form == ISA_STORE) &&
	       (str_is(word, "glc") || str_is(word, "slc") || str_is(word, "sc0") ||
		       str_is(word, "sc1") || str_is(word, "nt"));
}

static bool sdwa_modifier(struct isa_op *op, struct str name, struct str value)
{
	static const struct {
		const char *name;
		uint8_t shift, bits;
	} part[] = {{"DWORD", 0, 0}, {"BYTE_0", 0, 8}, {"BYTE_1", 8, 8}, {"BYTE_2", 16, 8},
		{"BYTE_3", 24, 8}, {"WORD_0", 0, 16}, {"WORD_1", 16, 16}};
	bool second = str_is(name, "src1_sel");
	if (!op->sdwa || str_is(name, "dst_sel") || str_is(name, "dst_unused")) {
		return op->sdwa && (str_is(value, "DWORD") || str_is(name, "dst_unused"));
	}
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if ((second || str_is(name, "src0_sel")) && str_is(value, part[i].name)) {
			op->part[second].shift = part[i].shift;
			op->part[second].bits = part[i].bits;
			return true;
		}
	}
	return false;
}

static int read_modifier(struct reader *r, struct isa_op *op, struct str word)
{
	struct str value = word;
	struct str name;
	if (is_cache_word(op, word)) {
		return 0;
	}
	if (str_is(word, "offen") && op->row->space == ISA_SCRATCH) {
		op->offen = true;
		return 0;
	}
	if (!str_split(&value, ':', &name) ||
		(!list_modifier(op, name, value) && !offset_modifier(op, name, value) &&
			!sdwa_modifier(op, name, value))) {
		return refuse(r, "unknown modifier", word);
	}
	return 0;
}

/* ---- instructions ---- */

static int read_operands(struct reader *r, struct isa_op *op, struct str all)
{
	struct str s;
	for (unsigned i = 0; (s = isa_operand(all, i)).n > 0; i++) {
		struct str word;
		str_split(&s, ' ', &word);
		if (i >= ISA_OPERANDS) {
			return refuse(r, "too many operands:", all);
		}
		if (read_operand(r, &op->o[op->operands++], word) != 0) {
			return FAIL_INPUT;
		}
		while (str_split(&s, ' ', &word)) {
			if (word.n && read_modifier(r, op, word) != 0) {
				return FAIL_INPUT;
			}
		}
	}
	return op->operands == op->row->operands ? 0 : refuse(r, "unknown operands:", all);
}

/* "vmcnt(0) lgkmcnt(1)", perhaps with '&' between; a number alone is not read. */
static int read_wait(struct reader *r, struct isa_op *op, struct str text)
{
	static const struct {
		const char *name;
		enum isa_counter counter;
	} counters[] = {{"vmcnt", ISA_COUNT_VM}, {"lgkmcnt", ISA_COUNT_LGKM},
		{"expcnt", ISA_COUNT_EXP}, {"vscnt", ISA_COUNT_VS}};
	struct str rest = text;
	memset(op->wait, ISA_NO_WAIT, sizeof(op->wait));
	while ((rest = str_trim(rest)).n) {
		struct str name;
		struct str value;
		int64_t n = -1;
		bool known = false;
		if (rest.p[0] == '&') {
			rest = str_sub(rest, 1, rest.n);
			continue;
		}
		if (!str_split(&rest, '(', &name) || !str_split(&rest, ')', &value) ||
			!number(&n, value)) {
			return refuse(r, "unknown operands:", text);
		}
		for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
			if (str_is(name, counters[i].name)) {
				op->wait[counters[i].counter] = (uint8_t)n;
				known = true;
			}
		}
		if (!known || n < 0 || n >= ISA_NO_WAIT) {
			return refuse(r, "unknown operands:", text);
		}
	}
	return 0;
}

static void count_lines(struct reader *r, const char *to)
{
	for (; r->counted.p < to; r->counted.p++) {
		r->line += *r->counted.p == '\n';
	}
}

static int read_op(struct reader *r, struct isa_op *op, const struct isa_insn *in)
{
	count_lines(r, in->mnemonic.p);
	*op = (struct isa_op){.row = isa_row_find(in->mnemonic), .line = r->line, .sel_hi = 7};
	op->sdwa = str_ends(in->mnemonic, "_sdwa");
	bool has_parts = op->row && (op->row->form == ISA_VALU || op->row->form == ISA_VCMP);
	if (!op->row || (op->sdwa && !has_parts)) {
		return refuse(r, "unknown instruction", in->mnemonic);
	}
	if (op->row->form == ISA_SPECIAL && op->row->special == ISA_NOP) {
		return 0;
	}
	if (op->row->form == ISA_SPECIAL && op->row->special == ISA_WAIT) {
		return read_wait(r, op, in->operands);
	}
	return read_operands(r, op, in->operands);
}

static int read_body(struct reader *r)
{
	const char *head = arena_printf(r->a, "\n%s:", r->p->symbol);
	size_t at = str_find(r->text, head, 0);
	size_t end = at == SIZE_MAX ? at : str_find(r->text, "\n.Lfunc_end", at);
	if (end == SIZE_MAX) {
		return refuse(r, "the assembly has no text of", str_of(r->p->symbol));
	}
	isa_function_read(&r->f, str_sub(r->text, at + 1, end));
	r->p->ops = r->f.insn.n;
	r->p->op = ARENA_ARRAY(r->a, struct isa_op, r->p->ops + 1);
	r->line = 1;
	r->counted = r->text;
	for (size_t i = 0; i < r->p->ops; i++) {
		if (read_op(r, &r->p->op[i], &r->f.insn.v[i]) != 0) {
			return FAIL_INPUT;
		}
	}
	return 0;
}

int isa_program_read(struct isa_program *out, const char **said, struct arena *a, struct str text,
	const char *symbol)
{
	struct reader r = {.a = a, .p = out, .text = text};
	*out = (struct isa_program){.symbol = symbol};
	int rc = read_descriptor(&r);
	rc = rc ? rc : read_metadata(&r);
	rc = rc ? rc : read_body(&r);
	isa_function_release(&r.f);
	*said = r.said;
	return rc;
}
