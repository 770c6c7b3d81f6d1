/* Reads operands and modifiers in assembler syntax. */
#include <stdlib.h>
#include <string.h>

#include "isa/machine.h"
#include "isa/read.h"

bool isa_number(int64_t *out, struct str s)
{
	char text[32];
	char *end;
	if (s.n == 0 || s.n >= sizeof(text)) {
		return false;
	}
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	bool negative = text[0] == '-';
	uint64_t size = strtoull(text + negative, &end, 0);
	*out = (int64_t)(negative ? -size : size);
	return *end == '\0' && end != text + negative && text[negative] != '-';
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

/* "1", "[2:3]", "[0:15]" after a prefix */
static bool register_range(struct isa_operand *o, struct str s, int64_t most)
{
	int64_t first;
	int64_t last;
	struct str from;
	if (s.n > 2 && s.p[0] == '[' && s.p[s.n - 1] == ']') {
		s = str_sub(s, 1, s.n - 1);
		if (!str_split(&s, ':', &from) || !isa_number(&first, from) ||
			!isa_number(&last, s.n ? s : from)) {
			return false;
		}
	} else if (!isa_number(&first, s)) {
		return false;
	} else {
		last = first;
	}
	o->reg = (uint16_t)first;
	o->regs = (uint16_t)(last - first + 1);
	return first >= 0 && last >= first && last < most;
}

static bool registers(struct isa_operand *o, struct str s)
{
	static const struct {
		const char *prefix;
		enum isa_operand_kind kind;
		uint16_t from;
		int64_t most;
	} file[] = {{"ttmp", ISA_OPERAND_SGPR, ISA_TTMP, 16}, {"v", ISA_OPERAND_VGPR, 0, ISA_AGPR},
		{"a", ISA_OPERAND_VGPR, ISA_AGPR, ISA_AGPR}, {"s", ISA_OPERAND_SGPR, 0, ISA_VCC}};
	bool low = str_ends(s, ".l");
	bool high = str_ends(s, ".h");
	if (low || high) {
		s.n -= 2;
	}
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		if (str_starts(s, file[i].prefix) &&
			register_range(o, str_sub(s, strlen(file[i].prefix), s.n), file[i].most)) {
			o->kind = file[i].kind;
			o->reg = (uint16_t)(o->reg + file[i].from);
			o->half = low || high;
			o->high = high;
			return !o->half || (o->kind == ISA_OPERAND_VGPR && o->regs == 1);
		}
	}
	return false;
}

static bool named_operand(struct isa_operand *o, struct str s)
{
	static const struct {
		const char *name;
		enum isa_operand_kind kind;
		uint16_t reg, regs;
		uint64_t value;
	} named[] = {{"vcc", ISA_OPERAND_SGPR, ISA_VCC, 2, 0},
		{"vcc_lo", ISA_OPERAND_SGPR, ISA_VCC, 1, 0},
		{"vcc_hi", ISA_OPERAND_SGPR, ISA_VCC + 1, 1, 0},
		{"exec", ISA_OPERAND_SGPR, ISA_EXEC, 2, 0},
		{"exec_lo", ISA_OPERAND_SGPR, ISA_EXEC, 1, 0},
		{"exec_hi", ISA_OPERAND_SGPR, ISA_EXEC + 1, 1, 0},
		{"m0", ISA_OPERAND_SGPR, ISA_M0, 1, 0},
		{"flat_scratch", ISA_OPERAND_SGPR, ISA_FLAT_SCRATCH, 2, 0},
		{"flat_scratch_lo", ISA_OPERAND_SGPR, ISA_FLAT_SCRATCH, 1, 0},
		{"flat_scratch_hi", ISA_OPERAND_SGPR, ISA_FLAT_SCRATCH + 1, 1, 0},
		{"xnack_mask", ISA_OPERAND_SGPR, ISA_FLAT_SCRATCH + 2, 2, 0},
		{"off", ISA_OPERAND_OFF, 0, 0, 0}, {"null", ISA_OPERAND_NULL, 0, 0, 0},
		{"scc", ISA_OPERAND_SCC, 0, 0, 0}, {"src_scc", ISA_OPERAND_SCC, 0, 0, 0},
		{"src_shared_base", ISA_OPERAND_CONSTANT, 0, 2, ISA_SHARED_BASE},
		{"src_private_base", ISA_OPERAND_CONSTANT, 0, 2, ISA_PRIVATE_BASE}};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (str_is(s, named[i].name)) {
			o->kind = named[i].kind;
			o->reg = named[i].reg;
			o->regs = named[i].regs;
			o->value = named[i].value;
			return true;
		}
	}
	return false;
}

static bool take_around(struct str *s, const char *before, const char *after)
{
	if (s->n <= strlen(before) + strlen(after) || !str_starts(*s, before) ||
		!str_ends(*s, after)) {
		return false;
	}
	*s = str_sub(*s, strlen(before), s->n - strlen(after));
	return true;
}

/* "-v1", "|v1|", "-|v1|", "neg(1.0)", "abs(v1)", "sext(v1)" */
static struct str without_signs(struct isa_operand *o, struct str s)
{
	if (s.n > 1 && s.p[0] == '-' && strchr("|vsa", s.p[1])) {
		o->neg = true;
		s = str_sub(s, 1, s.n);
	} else if (take_around(&s, "neg(", ")")) {
		o->neg = true;
	}
	if (take_around(&s, "|", "|") || take_around(&s, "abs(", ")")) {
		o->abs = true;
	}
	if (take_around(&s, "sext(", ")")) {
		o->sext = true;
	}
	return s;
}

/* "name@rel32@lo+4", "name@rel32@hi+12": with the addend, the distance of the name (or of a place
 * after it) from the instruction after s_getpc_b64. "name@gotpcrel32@lo+4" is the distance of a GOT
 * entry; the name keeps that suffix. */
static bool symbol(struct isa_reader *r, struct isa_operand *o, int64_t *more, struct str s)
{
	bool got = str_find(s, ISA_GOT "@", 0) != SIZE_MAX;
	const char *half = got ? ISA_GOT : "@rel32";
	size_t end = str_find(s, half, 0);
	struct str rest = str_sub(s, end == SIZE_MAX ? s.n : end + strlen(half), s.n);
	bool low = str_starts(rest, "@lo+");
	if (end == SIZE_MAX || (!low && !str_starts(rest, "@hi+")) ||
		!isa_number(more, str_sub(rest, strlen("@lo+"), rest.n))) {
		return false;
	}
	struct str name = str_sub(s, 0, got ? end + strlen(ISA_GOT) : end);
	isa_read_later(r, name);
	o->kind = ISA_OPERAND_SYMBOL;
	o->high = !low;
	o->value = (uint64_t)(uintptr_t)name.p;
	o->regs = (uint16_t)name.n;
	return true;
}

int isa_read_operand(
	struct isa_reader *r, struct isa_operand *o, struct isa_written *out, struct str s)
{
	*o = (struct isa_operand){0};
	*out = (struct isa_written){.text = s};
	struct str bare = without_signs(o, s);
	if (registers(o, bare) || named_operand(o, bare)) { /* even if a kernel is named s1 */
		return 0;
	}
	uintptr_t label = map_get(r->label, bare, UINTPTR_MAX);
	if (label != UINTPTR_MAX) {
		o->kind = ISA_OPERAND_LABEL;
		o->value = label + r->first;
	} else if (isa_number(&out->integer, bare)) {
		o->kind = ISA_OPERAND_CONSTANT;
		out->is_integer = true;
	} else if (real_number(&out->real, bare)) {
		o->kind = ISA_OPERAND_CONSTANT;
		out->is_real = true;
	} else if (!symbol(r, o, &out->integer, bare)) {
		return isa_refuse(r, "unknown operand", s);
	}
	return 0;
}

/* ---- modifiers ---- */

/* "[0,1,1]": numbers of a few bits each, packed with the first one lowest. */
static bool list(uint32_t *out, unsigned *count, struct str s, unsigned bits)
{
	struct str each;
	*out = 0;
	*count = 0;
	if (s.n < 3 || s.p[0] != '[' || s.p[s.n - 1] != ']') {
		return false;
	}
	s = str_sub(s, 1, s.n - 1);
	while (str_split(&s, ',', &each)) {
		int64_t n;
		if (!isa_number(&n, str_trim(each)) || n < 0 || n >= 1 << bits || *count >= 8) {
			return false;
		}
		*out |= (uint32_t)n << bits * (*count)++;
	}
	return true;
}

static bool takes_halves(const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	return r->form == ISA_PK16 || r->form == ISA_PK32 || r->form == ISA_MIX ||
	       r->special == ISA_PK_MOV || r->special == ISA_DOT_IU || r->special == ISA_WMMA ||
	       r->special == ISA_SWMMAC || isa_is_scaled(r);
}

/* op_sel of an instruction that is not packed: selects halves of sources and result. */
static bool select_halves(struct isa_op *op, uint32_t bits, unsigned count)
{
	const struct isa_row *r = op->row;
	bool f8 = r->special == ISA_CVT_F8 || r->special == ISA_CVT_FROM_F8 ||
		  r->special == ISA_CVT_PK_FROM_F8;
	if (f8) {
		op->sel = (uint8_t)bits;
		op->half_of_d = count > 2 && bits >> (count - 1) & 1;
		return true;
	}
	op->sel = (uint8_t)bits;
	op->sel_count = (uint8_t)count;
	return r->form == ISA_VALU || r->form == ISA_VCMP || r->special == ISA_CNDMASK ||
	       r->special == ISA_PERMLANE16 || r->special == ISA_PERMLANEX16;
}

static bool list_modifier(struct isa_op *op, struct str name, struct str value)
{
	struct {
		const char *name;
		uint8_t *out;
	} lists[] = {{"op_sel", &op->sel}, {"op_sel_hi", &op->sel_hi}, {"neg_lo", &op->neg_lo},
		{"neg_hi", &op->neg_hi}};
	uint32_t bits;
	unsigned count;
	if (!list(&bits, &count, value, 1)) {
		return false;
	}
	if (str_is(name, "op_sel") && !takes_halves(op)) {
		return select_halves(op, bits, count);
	}
	if (str_is(name, "neg") && op->row->special == ISA_MFMA) {
		op->blgp = (uint8_t)bits;
		return true;
	}
	for (size_t i = 0; takes_halves(op) && i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (str_is(name, lists[i].name)) {
			*lists[i].out = (uint8_t)bits;
			return true;
		}
	}
	return false;
}

static bool is_memory(const struct isa_op *op)
{
	enum isa_form form = op->row->form;
	return form == ISA_LOAD || form == ISA_STORE || form == ISA_ATOMIC;
}

static bool takes_offset(const struct isa_op *op)
{
	enum isa_special s = op->row->special;
	bool special = op->row->form == ISA_SPECIAL && (s == ISA_BPERMUTE || s == ISA_PERMUTE ||
							       s == ISA_SWIZZLE || s == ISA_S_LOAD);
	return special || (is_memory(op) && !op->row->bits[2]);
}

static bool matrix_modifier(struct isa_op *op, struct str name, int64_t n)
{
	bool mfma = op->row->special == ISA_MFMA || op->row->special == ISA_SMFMAC;
	if (!mfma || n < 0 || n > 15) {
		return false;
	}
	if (str_is(name, "cbsz")) {
		op->cbsz = (uint8_t)n;
	} else if (str_is(name, "abid")) {
		op->abid = (uint8_t)n;
	} else if (str_is(name, "blgp") && n < 8) {
		op->blgp = (uint8_t)n;
	} else {
		return false;
	}
	return true;
}

static bool number_modifier(struct isa_op *op, struct str name, struct str value)
{
	int64_t n;
	bool two = is_memory(op) && op->row->bits[2];
	if (!isa_number(&n, value) || n < INT32_MIN || n > INT32_MAX) {
		return false;
	}
	if (str_is(name, "offset") && takes_offset(op)) {
		op->offset = (int32_t)n;
	} else if (two && n >= 0 && n < 256 && str_is(name, "offset0")) {
		op->offset2[0] = (uint8_t)n;
	} else if (two && n >= 0 && n < 256 && str_is(name, "offset1")) {
		op->offset2[1] = (uint8_t)n;
	} else if (str_is(name, "index_key") && op->row->special == ISA_SWMMAC && n >= 0 && n < 4) {
		op->index_key = (uint8_t)n;
	} else if (str_is(name, "byte_sel") && op->row->special == ISA_CVT_FROM_F8 && n >= 0 &&
		   n < 4) {
		op->sel = (uint8_t)(n >> 1 | (n & 1) << 1); /* the order of op_sel's bits */
	} else if (str_is(name, "bitop3") && op->row->special == ISA_BITOP3 && n >= 0 && n < 256) {
		op->table = (uint8_t)n;
	} else {
		return matrix_modifier(op, name, n);
	}
	return true;
}

static bool sdwa_modifier(struct isa_op *op, struct str name, struct str value)
{
	static const struct {
		const char *name;
		uint8_t shift, bits;
	} part[] = {{"DWORD", 0, 0}, {"BYTE_0", 0, 8}, {"BYTE_1", 8, 8}, {"BYTE_2", 16, 8},
		{"BYTE_3", 24, 8}, {"WORD_0", 0, 16}, {"WORD_1", 16, 16}};
	static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
	for (unsigned i = 0; op->sdwa && str_is(name, "dst_unused") && i < 3; i++) {
		if (str_is(value, unused[i])) {
			op->dst_unused = i;
			return true;
		}
	}
	for (size_t i = 0; op->sdwa && i < sizeof(part) / sizeof(part[0]); i++) {
		if (!str_is(value, part[i].name)) {
			continue;
		}
		if (str_is(name, "dst_sel")) {
			op->dst_shift = part[i].shift;
			op->dst_bits = part[i].bits;
			return true;
		}
		for (unsigned k = 0; k < 2; k++) {
			if (str_is(name, k ? "src1_sel" : "src0_sel")) {
				op->part[k].shift = part[i].shift;
				op->part[k].bits = part[i].bits;
				return true;
			}
		}
	}
	return false;
}

static bool dpp_modifier(struct isa_op *op, struct str name, struct str value)
{
	static const struct {
		const char *name;
		enum isa_dpp dpp;
		int64_t most;
	} moves[] = {{"row_shl", ISA_DPP_ROW_SHL, 15}, {"row_shr", ISA_DPP_ROW_SHR, 15},
		{"row_ror", ISA_DPP_ROW_ROR, 15}, {"wave_shl", ISA_DPP_WAVE_SHL, 1},
		{"wave_rol", ISA_DPP_WAVE_ROL, 1}, {"wave_shr", ISA_DPP_WAVE_SHR, 1},
		{"wave_ror", ISA_DPP_WAVE_ROR, 1}, {"row_bcast", ISA_DPP_ROW_BCAST, 31},
		{"row_newbcast", ISA_DPP_ROW_SHARE, 15}, {"row_share", ISA_DPP_ROW_SHARE, 15},
		{"row_xmask", ISA_DPP_ROW_XMASK, 15}};
	int64_t n;
	unsigned count;
	if (str_is(name, "quad_perm") || str_is(name, "dpp8")) {
		bool quad = str_is(name, "quad_perm");
		op->dpp = quad ? ISA_DPP_QUAD_PERM : ISA_DPP_EIGHT;
		return list(&op->dpp_how, &count, value, 3) && count == (quad ? 4 : 8) &&
		       !(quad && op->dpp_how & 04444);
	}
	if (!isa_number(&n, value) || n < 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if (str_is(name, moves[i].name) && n <= moves[i].most) {
			op->dpp = moves[i].dpp;
			op->dpp_how = (uint32_t)n;
			return true;
		}
	}
	if (str_is(name, "row_mask") && n < 16) {
		op->row_mask = (uint8_t)n;
	} else if (str_is(name, "bank_mask") && n < 16) {
		op->bank_mask = (uint8_t)n;
	} else if (str_is(name, "bound_ctrl")) { /* older assemblers write 0 for a set bit */
		op->bound_zero = true;
	} else if (str_is(name, "fi")) {
		op->fetch_inactive = n == 1;
	} else {
		return false;
	}
	return true;
}

/* Cache modifiers do not change results here. */
static bool is_cache_word(const struct isa_op *op, struct str word)
{
	static const char *const words[] = {"glc", "slc", "dlc", "scc", "sc0", "sc1", "nt", NULL};
	bool known = str_starts(word, "th:") || str_starts(word, "scope:");
	known |= str_is_any(word, words);
	return known && (is_memory(op) || op->row->special == ISA_S_LOAD);
}

static bool word_modifier(struct isa_op *op, struct str word)
{
	enum isa_form form = op->row->form;
	bool vector = form == ISA_VALU || form == ISA_PK16 || form == ISA_PK32 || form == ISA_MIX ||
		      op->row->special == ISA_WMMA || op->row->special == ISA_SWMMAC ||
		      op->row->special == ISA_DIV_FMAS;
	if (str_is(word, "offen") && op->row->space == ISA_BUFFER && is_memory(op)) {
		op->offen = true;
	} else if (str_is(word, "idxen") && op->row->space == ISA_BUFFER && is_memory(op)) {
		op->idxen = true;
	} else if (str_is(word, "clamp") && (vector || op->row->special == ISA_DOT_IU)) {
		op->clamp = true;
	} else if (str_is(word, "row_mirror")) {
		op->dpp = ISA_DPP_ROW_MIRROR;
	} else if (str_is(word, "row_half_mirror")) {
		op->dpp = ISA_DPP_ROW_HALF_MIRROR;
	} else if (str_is(word, "mul:2") && form == ISA_VALU) {
		op->omod = 1;
	} else if (str_is(word, "mul:4") && form == ISA_VALU) {
		op->omod = 2;
	} else if (str_is(word, "div:2") && form == ISA_VALU) {
		op->omod = 3;
	} else {
		op->returns |= op->row->form == ISA_ATOMIC &&
			       (str_is(word, "glc") || str_is(word, "sc0") ||
				       str_is(word, "th:TH_ATOMIC_RETURN"));
		op->coherent |= str_is(word, "glc") || str_is(word, "sc0") || str_is(word, "sc1") ||
				str_starts(word, "scope:");
		return is_cache_word(op, word);
	}
	return true;
}

int isa_read_modifier(struct isa_reader *r, struct isa_op *op, struct str word)
{
	struct str value = word;
	struct str name;
	if (word_modifier(op, word)) {
		return 0;
	}
	if (!str_split(&value, ':', &name) ||
		(!list_modifier(op, name, value) && !number_modifier(op, name, value) &&
			!sdwa_modifier(op, name, value) && !dpp_modifier(op, name, value))) {
		return isa_refuse(r, "unknown modifier", word);
	}
	return 0;
}
