/* Reads the instructions in the text of -S; descriptor.c reads the rest. */
#include "isa/machine.h"
#include "isa/read.h"

#include <string.h>

#include "base/array.h"
#include "base/msg.h"

/* ---- rows ---- */

static struct str without(struct str s, const char *end)
{
	if (str_ends(s, end)) {
		s.n -= strlen(end);
	}
	return s;
}

static const struct isa_row *row_named(const struct isa_reader *r, struct str name)
{
	return (const struct isa_row *)map_get(&r->rows, name, 0);
}

/* v_cmpx_ uses the row of v_cmp_, v_dual_X that of v_X; wmma has rows for each wave size, and
 * others for gfx12. */
static const struct isa_row *find_row(struct isa_reader *r, struct isa_op *op, struct str name)
{
	static const char *const ends[] = {"_dpp8", "_dpp", "_sdwa", "_e32", "_e64"};
	op->sdwa = str_ends(name, "_sdwa");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		name = without(name, ends[i]);
	}
	op->cmpx = str_starts(name, "v_cmpx_");
	if (op->cmpx) {
		name = str_of(arena_printf(r->a, "v_cmp_%.*s", STR_ARG(str_sub(name, 7, name.n))));
	}
	if (str_starts(name, "v_dual_")) {
		name = str_of(arena_printf(r->a, "v_%.*s", STR_ARG(str_sub(name, 7, name.n))));
	}
	if (str_starts(name, "v_wmma_") || str_starts(name, "v_swmmac_")) {
		name = str_of(arena_printf(r->a, "%.*s_w%u%s", STR_ARG(name), r->p->lanes,
			r->p->gfx >= 0x1200 && name.p[2] == 'w' ? "_gfx12" : ""));
	}
	if (r->p->gfx == 0x950 && str_starts(name, "v_dot2") && str_ends(name, "f32_bf16")) {
		name = str_of(arena_printf(r->a, "%.*s_gfx950", STR_ARG(name)));
	}
	return row_named(r, name);
}

/* Saturating integer operations have their own rows. */
static bool resolve_clamp(struct isa_reader *r, struct isa_op *op)
{
	bool number = isa_type_is_float((enum isa_type)op->row->type[0]);
	if (!op->clamp || number || op->row->form == ISA_SPECIAL) {
		return true;
	}
	op->row = row_named(r, str_of(arena_printf(r->a, "%s_clamp", op->row->name)));
	op->clamp = false;
	return op->row != NULL;
}

/* ---- waits ---- */

static const struct {
	const char *name;
	enum isa_counter counter;
} counters[] = {{"vmcnt", ISA_COUNT_VM}, {"lgkmcnt", ISA_COUNT_LGKM}, {"expcnt", ISA_COUNT_EXP},
	{"vscnt", ISA_COUNT_VS}, {"loadcnt", ISA_COUNT_VM}, {"storecnt", ISA_COUNT_VS},
	{"dscnt", ISA_COUNT_LGKM}, {"kmcnt", ISA_COUNT_KM}};

static bool wait_for(struct isa_op *op, struct str name, int64_t n)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (str_is(name, counters[i].name) && n >= 0 && n < ISA_NO_WAIT) {
			op->wait[counters[i].counter] = (uint8_t)n;
			return true;
		}
	}
	return false;
}

/* "vmcnt(0) lgkmcnt(1)", perhaps with '&' between. */
static bool read_counters(struct isa_op *op, struct str rest)
{
	while ((rest = str_trim(rest)).n) {
		struct str name;
		struct str value;
		int64_t n;
		if (rest.p[0] == '&') {
			rest = str_sub(rest, 1, rest.n);
		} else if (!str_split(&rest, '(', &name) || !str_split(&rest, ')', &value) ||
			   !isa_number(&n, value) || !wait_for(op, name, n)) {
			return false;
		}
	}
	return true;
}

/* s_wait_loadcnt 0x0, s_wait_loadcnt_dscnt 0x102, s_waitcnt_vscnt null, 0x0 */
static bool read_wait_number(struct isa_op *op, struct str name, struct str text)
{
	int64_t n;
	struct str first = isa_operand(text, 0);
	struct str last = isa_operand(text, 1);
	if (!isa_number(&n, last.n ? last : first)) {
		return false;
	}
	if (str_ends(name, "_loadcnt_dscnt") || str_ends(name, "_storecnt_dscnt")) {
		return wait_for(op, STR("dscnt"), n & 63) &&
		       wait_for(op,
			       str_starts(name, "s_wait_load") ? STR("loadcnt") : STR("storecnt"),
			       n >> 8 & 63);
	}
	if (str_ends(name, "samplecnt") || str_ends(name, "bvhcnt")) {
		return true; /* no supported instruction increments them */
	}
	size_t from = str_starts(name, "s_waitcnt_") ? 10 : 7;
	return wait_for(op, str_sub(name, from, name.n), n);
}

static int read_wait(struct isa_reader *r, struct isa_op *op, const struct isa_insn *in)
{
	memset(op->wait, ISA_NO_WAIT, sizeof(op->wait));
	bool ok = str_is(in->mnemonic, "s_waitcnt")
			  ? read_counters(op, in->operands)
			  : read_wait_number(op, in->mnemonic, in->operands);
	return ok ? 0 : isa_refuse(r, "unknown operands:", in->operands);
}

/* ---- operands in parentheses ---- */

/* The encoding of "hwreg(HW_REG_MODE, 4, 2)". Without offset and size: the whole register. */
static bool hardware_register(uint64_t *out, struct str s)
{
	struct str name;
	struct str each;
	int64_t n[2] = {0, 32};
	if (!str_starts(s, "hwreg(") || !str_ends(s, ")")) {
		return false;
	}
	s = str_sub(s, 6, s.n - 1);
	str_split(&s, ',', &name);
	for (unsigned i = 0; i < 2 && str_split(&s, ',', &each); i++) {
		if (!isa_number(&n[i], str_trim(each))) {
			return false;
		}
	}
	name = str_trim(name);
	unsigned id = str_is(name, "HW_REG_MODE")	    ? 1
		      : str_is(name, "HW_REG_SH_MEM_BASES") ? 15
							    : 63;
	*out = id | (uint64_t)n[0] << 6 | (uint64_t)(n[1] - 1) << 11;
	return n[0] >= 0 && n[0] < 32 && n[1] > 0 && n[1] <= 32;
}

/* s_getreg_b32 s0, hwreg(...), s_setreg_b32 hwreg(...), s0 */
static int read_hwreg(
	struct isa_reader *r, struct isa_op *op, struct isa_written *w, struct str text)
{
	bool get = op->row->special == ISA_GETREG;
	size_t open = str_find(text, "hwreg(", 0);
	size_t close = str_find(text, ")", 0);
	struct str other;
	if (open == SIZE_MAX || close == SIZE_MAX || close < open ||
		!hardware_register(&op->o[get].value, str_sub(text, open, close + 1))) {
		return isa_refuse(r, "unknown operands:", text);
	}
	other = get ? str_sub(text, 0, open) : str_sub(text, close + 1, text.n);
	while (other.n && strchr(", \t", other.p[0])) {
		other = str_sub(other, 1, other.n);
	}
	while (other.n && strchr(", \t", other.p[other.n - 1])) {
		other.n--;
	}
	op->o[get].kind = ISA_OPERAND_CONSTANT;
	op->operands = 2;
	return isa_read_operand(r, &op->o[!get], &w[!get], other);
}

/* "s0, gpr_idx(SRC0,DST)", "s0", "gpr_idx(SRC0)" */
static int read_gpr_index(
	struct isa_reader *r, struct isa_op *op, struct isa_written *w, struct str text)
{
	static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
	size_t open = str_find(text, "gpr_idx(", 0);
	uint64_t which = 0;
	struct str each;
	unsigned at = op->row->number == 2 ? 0 : 1;
	if (open != SIZE_MAX) {
		struct str in = str_sub(text, open + 8, str_find(text, ")", open));
		while (str_split(&in, ',', &each)) {
			unsigned i = 0;
			while (i < 4 && !str_is(str_trim(each), names[i])) {
				i++;
			}
			if (i == 4) {
				return isa_refuse(r, "unknown operands:", text);
			}
			which |= 1u << i;
		}
	} else if (op->row->number != 1) {
		return isa_refuse(r, "unknown operands:", text);
	}
	op->o[at] = (struct isa_operand){.kind = ISA_OPERAND_CONSTANT, .value = which};
	op->operands = op->row->operands;
	return at == 0 ? 0 : isa_read_operand(r, &op->o[0], &w[0], isa_operand(text, 0));
}

/* Encodes the pattern of "v0, v1 offset:swizzle(QUAD_PERM,0,0,2,2)". */
static bool take_swizzle(struct isa_op *op, struct str *operands)
{
	size_t at = str_find(*operands, "offset:swizzle(", 0);
	struct str in = str_sub(*operands, at == SIZE_MAX ? operands->n : at + 15, operands->n);
	struct str name;
	struct str each;
	int64_t n[8] = {0};
	unsigned count = 0;
	if (at == SIZE_MAX || op->row->special != ISA_SWIZZLE) {
		return at == SIZE_MAX;
	}
	in.n -= str_ends(in, ")");
	str_split(&in, ',', &name);
	while (count < 5 && str_split(&in, ',', &each)) {
		if (!isa_number(&n[count++], str_trim(each)) || n[count - 1] < 0 ||
			n[count - 1] > 32) {
			return false;
		}
	}
	operands->n = at;
	if (str_is(name, "QUAD_PERM") && count == 4) {
		op->offset = (int32_t)(0x8000 | n[0] | n[1] << 2 | n[2] << 4 | n[3] << 6);
	} else if (str_is(name, "SWAP") && count == 1) {
		op->offset = (int32_t)(0x1f | n[0] << 10);
	} else if (str_is(name, "REVERSE") && count == 1) {
		op->offset = (int32_t)(0x1f | (n[0] - 1) << 10);
	} else if (str_is(name, "BROADCAST") && count == 2) {
		op->offset = (int32_t)((0x1f & ~(n[0] - 1)) | n[1] << 5);
	} else {
		return false;
	}
	return true;
}

/* ---- instructions ---- */

static int read_operands(
	struct isa_reader *r, struct isa_op *op, struct isa_written *w, struct str all)
{
	struct str s;
	for (unsigned i = 0; (s = isa_operand(all, i)).n > 0; i++) {
		struct str word;
		size_t open = str_find(s, "(", 0);
		size_t blank = str_find(s, " ", 0);
		if (op->operands >= ISA_OPERANDS) {
			return isa_refuse(r, "too many operands:", all);
		}
		if (open < blank && str_ends(s, ")")) { /* "offset:swizzle(SWAP,1)" has no blank */
			blank = SIZE_MAX;
		}
		word = str_sub(s, 0, blank < s.n ? blank : s.n);
		s = str_sub(s, word.n, s.n);
		if (isa_read_operand(r, &op->o[op->operands], &w[op->operands], word) != 0) {
			return FAIL_INPUT;
		}
		op->operands++;
		s = str_trim(s);
		while (str_split(&s, ' ', &word)) {
			if (word.n && isa_read_modifier(r, op, word) != 0) {
				return FAIL_INPUT;
			}
		}
	}
	return 0;
}

static void insert(struct isa_op *op, struct isa_written *w, unsigned at, struct isa_operand o)
{
	for (unsigned i = op->operands; i > at; i--) {
		op->o[i] = op->o[i - 1];
		w[i] = w[i - 1];
	}
	op->o[at] = o;
	w[at] = (struct isa_written){0};
	op->operands++;
}

/* Adds implicit operands: EXEC of v_cmpx on newer targets, VCC of v_dual_cndmask_b32. */
static void add_unwritten(struct isa_op *op, struct isa_written *w, const struct isa_program *p)
{
	unsigned lanes = p->lanes / 32;
	if (op->cmpx && op->operands == 2) {
		insert(op, w, 0,
			(struct isa_operand){.kind = ISA_OPERAND_SGPR,
				.reg = ISA_EXEC,
				.regs = (uint16_t)lanes});
	} else if (op->row->special == ISA_CNDMASK && op->operands == 3) {
		insert(op, w, 3,
			(struct isa_operand){
				.kind = ISA_OPERAND_SGPR, .reg = ISA_VCC, .regs = (uint16_t)lanes});
	}
}

static bool has_operands(const struct isa_op *op)
{
	bool more = op->row->form == ISA_ATOMIC && op->returns && !op->row->returns &&
		    op->row->space != ISA_BUFFER;
	bool unscaled = isa_is_scaled(op->row) && op->operands == 4;
	return op->operands == op->row->operands + (unsigned)more || unscaled;
}

static int read_written(
	struct isa_reader *r, struct isa_op *op, struct isa_written *w, const struct isa_insn *in)
{
	switch (op->row->form == ISA_SPECIAL ? op->row->special : ISA_FIRST_VECTOR) {
	case ISA_NOP:
	case ISA_REPLY:
		return 0;
	case ISA_WAIT:
		return read_wait(r, op, in);
	case ISA_GETREG:
	case ISA_SETREG:
		return read_hwreg(r, op, w, in->operands);
	case ISA_GPR_INDEX:
		return read_gpr_index(r, op, w, in->operands);
	default:
		break;
	}
	struct str operands = in->operands;
	if (!take_swizzle(op, &operands)) {
		return isa_refuse(r, "unknown operands:", operands);
	}
	if (read_operands(r, op, w, operands) != 0) {
		return FAIL_INPUT;
	}
	op->returns |= op->row->returns;
	add_unwritten(op, w, r->p);
	return has_operands(op) ? 0 : isa_refuse(r, "unknown operands:", in->operands);
}

static void count_lines(struct isa_reader *r, const char *to)
{
	if (to < r->counted.p) {
		r->counted = r->text;
		r->line = 1;
	}
	for (; r->counted.p < to; r->counted.p++) {
		r->line += *r->counted.p == '\n';
	}
}

static int read_op(struct isa_reader *r, struct isa_op *op, const struct isa_insn *in)
{
	struct isa_written written[ISA_OPERANDS + 1];
	memset(written, 0, sizeof(written));
	*op = (struct isa_op){.sel_hi = 7, .row_mask = 15, .bank_mask = 15};
	count_lines(r, in->mnemonic.p);
	op->line = r->line;
	op->row = find_row(r, op, in->mnemonic);
	if (!op->row) {
		return isa_refuse(r, "unknown instruction", in->mnemonic);
	}
	op->sel_hi = op->row->form == ISA_MIX ? 0 : 7;
	int rc = read_written(r, op, written, in);
	if (rc == 0 && !resolve_clamp(r, op)) {
		return isa_refuse(r, "unknown modifier clamp of", in->mnemonic);
	}
	for (unsigned i = 0; rc == 0 && i < op->operands; i++) {
		if (op->o[i].kind == ISA_OPERAND_SYMBOL) { /* for resolve_symbol */
			op->offset = (int32_t)written[i].integer;
		}
	}
	const char *why = rc ? NULL : isa_resolve(op, written, r->p);
	return why ? isa_refuse(r, why, in->operands) : rc;
}

/* ---- functions ---- */

struct ops {
	ARRAY(struct isa_op) v;
	ARRAY(uint64_t) address;
};

/* The address in the comment "at 0x1e00" of a disassembled instruction; else 0. */
static uint64_t address_of(const struct isa_insn *in)
{
	int64_t at = 0;
	bool is = str_starts(in->comment, "at 0x") &&
		  isa_number(&at, str_sub(in->comment, strlen("at "), in->comment.n));
	return is ? (uint64_t)at : 0;
}

static int add_op(struct isa_reader *r, struct ops *out, const struct isa_insn *in, bool dual)
{
	struct isa_op op;
	r->address = address_of(in);
	int rc = read_op(r, &op, in);
	op.dual = dual;
	array_push(&out->v, op);
	array_push(&out->address, r->address);
	return rc;
}

/* Dual-issue instructions are on one line, separated by "::". */
static int read_line(struct isa_reader *r, struct ops *out, const struct isa_insn *in)
{
	size_t both = str_find(in->operands, " :: ", 0);
	struct isa_insn first = *in;
	struct isa_insn second;
	if (both == SIZE_MAX) {
		return add_op(r, out, in, false);
	}
	struct str rest = str_trim(str_sub(in->operands, both + 4, in->operands.n));
	first.operands = str_trim(str_sub(in->operands, 0, both));
	second = first;
	second.operands = rest;
	str_split(&second.operands, ' ', &second.mnemonic);
	second.operands = str_trim(second.operands);
	int rc = add_op(r, out, &first, true);
	return rc ? rc : add_op(r, out, &second, false);
}

/* For labels, a line with two instructions counts as one. */
static void number_labels(struct map *out, const struct isa_function *f)
{
	ARRAY(size_t) number = {0};
	size_t n = 0;
	for (size_t i = 0; i < f->insn.n; i++) {
		array_push(&number, n);
		n += str_find(f->insn.v[i].operands, " :: ", 0) == SIZE_MAX ? 1 : 2;
	}
	array_push(&number, n);
	for (size_t i = 0; i < f->label.n; i++) {
		map_set(out, f->label.entry[i].key, number.v[f->label.entry[i].value]);
	}
	array_release(&number);
}

static int read_function(struct isa_reader *r, struct ops *out, struct str name)
{
	const char *head = arena_printf(r->a, "\n%.*s:", STR_ARG(name));
	size_t at = str_find(r->text, head, 0);
	size_t end = at == SIZE_MAX ? at : str_find(r->text, "\n.Lfunc_end", at);
	if (end == SIZE_MAX) {
		r->line = 0;
		return isa_refuse(r, "the assembly has no code of", name);
	}
	struct isa_function f = {.label = {0}};
	struct map label = {0};
	isa_function_read(&f, str_sub(r->text, at + 1, end));
	number_labels(&label, &f);
	r->label = &label;
	r->first = out->v.n;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < f.insn.n; i++) {
		rc = read_line(r, out, &f.insn.v[i]);
	}
	map_release(&label);
	isa_function_release(&f);
	return rc;
}

static bool is_typed(const struct isa_reader *r, struct str name, const char *type)
{
	const char *line = arena_printf(r->a, "\t.type\t%.*s,@%s", STR_ARG(name), type);
	return str_find(r->text, line, 0) != SIZE_MAX;
}

/* Reads the kernel, and every function and variable whose address the code read so far takes. */
static int read_symbols(struct isa_reader *r, struct ops *out)
{
	int rc = 0;
	isa_read_later(r, str_of(r->p->symbol));
	for (size_t i = 0; rc == 0 && i < r->symbol.n; i++) {
		struct str name = r->symbol.entry[i].key;
		if (i == 0 || is_typed(r, name, "function\n")) {
			map_set(&r->symbol, name, isa_code_at(r->p, out->v.n));
			rc = read_function(r, out, name);
		} else if (is_typed(r, name, "object")) {
			uint64_t at = 0;
			rc = isa_read_data(r, name, &at);
			map_set(&r->symbol, name, at);
		} else if (str_ends(name, ISA_GOT)) {
			uint64_t at = 0;
			rc = isa_read_slot(r, name, &at);
			map_set(&r->symbol, name, at);
		} else {
			map_set(&r->symbol, name, ISA_ELSEWHERE + i * 4096);
		}
	}
	return rc;
}

/* Calls in disassembly have addresses instead of names. So reads the kernel, and all other
 * functions that are not kernels; one that cannot be read sets p->unread. */
static int read_disassembled(struct isa_reader *r, struct ops *out)
{
	struct str rest = r->text;
	struct str line;
	int rc = 0;
	while (rc == 0 && str_line(&rest, &line)) {
		size_t before = out->v.n;
		if (!str_starts(line, "\t.type\t") || !str_ends(line, ",@function")) {
			continue;
		}
		struct str name = str_sub(line, 7, line.n - strlen(",@function"));
		const char *kernel = arena_printf(r->a, "\t.amdhsa_kernel %.*s\n", STR_ARG(name));
		bool own = str_is(name, r->p->symbol);
		if (!own && str_find(r->text, kernel, 0) != SIZE_MAX) {
			continue;
		}
		r->p->entry = own ? before : r->p->entry;
		rc = read_function(r, out, name);
		if (rc && !own) {
			r->p->unread = r->said;
			out->v.n = out->address.n = before;
			rc = 0;
		}
	}
	for (size_t i = 1; rc == 0 && i < out->address.n; i++) {
		if (out->address.v[i] <
			out->address.v[i - 1]) { /* jumps need ascending addresses */
			rc = isa_refuse(
				r, "the addresses of the disassembly do not ascend", STR(""));
		}
	}
	r->p->address = array_to_arena(r->a, &out->address);
	return rc;
}

static struct isa_operand *symbol_of(struct isa_op *op)
{
	for (unsigned k = 0; k < op->operands; k++) {
		if (op->o[k].kind == ISA_OPERAND_SYMBOL) {
			return &op->o[k];
		}
	}
	return NULL;
}

/*
 * The addend is the distance of the constant from the instruction after s_getpc_b64, plus an offset
 * after the name. Each instruction between them has 4 bytes, or 8 with such a constant.
 */
static bool resolve_symbol(struct isa_reader *r, struct isa_op *first, struct isa_op *op)
{
	struct isa_operand *o = symbol_of(op);
	struct str name = {(const char *)(uintptr_t)o->value, o->regs};
	int64_t from = 4;
	const struct isa_op *p = op;
	while (p-- > first && p->row->special != ISA_GETPC) {
		bool idle = p->row->form == ISA_SPECIAL && p->row->special == ISA_NOP;
		bool short_one = idle || str_is(str_of(p->row->name), "s_sext_i32_i16");
		bool both = symbol_of((struct isa_op *)(uintptr_t)p) != NULL;
		if (!short_one && !both) {
			return false;
		}
		from += both ? 8 : 4;
	}
	o->value = map_get(&r->symbol, name, 0) + (uint64_t)(op->offset - from);
	return p >= first;
}

static int resolve_symbols(struct isa_reader *r, struct ops *ops)
{
	for (size_t i = 0; i < ops->v.n; i++) {
		struct isa_op *op = &ops->v.v[i];
		if (symbol_of(op) && !resolve_symbol(r, ops->v.v, op)) {
			r->line = op->line;
			return isa_refuse(
				r, "a symbol too far from s_getpc_b64:", str_of(op->row->name));
		}
	}
	isa_resolve_data(r);
	return 0;
}

static int read_body(struct isa_reader *r)
{
	struct ops ops = {.v = {0}};
	r->line = 1;
	r->counted = r->text;
	bool disassembled = str_find(r->text, " ; at 0x", 0) != SIZE_MAX;
	int rc = disassembled ? read_disassembled(r, &ops) : read_symbols(r, &ops);
	rc = rc ? rc : resolve_symbols(r, &ops);
	array_move(r->p->op, r->p->ops, r->a, &ops.v);
	array_release(&ops.address);
	return rc;
}

int isa_program_read(struct isa_program *out, const char **said, struct arena *a, struct str text,
	const char *symbol)
{
	struct isa_reader r = {.a = a, .p = out, .text = text};
	*out = (struct isa_program){.symbol = symbol};
	isa_rows(&r.rows);
	int rc = isa_read_head(&r);
	rc = rc ? rc : read_body(&r);
	map_release(&r.rows);
	map_release(&r.symbol);
	array_release(&r.data);
	array_release(&r.pointer);
	if (rc == 0) {
		isa_program_places(out, a, text);
	}
	*said = r.said;
	return rc;
}

/* ---- support check of a text ---- */

static void check_function(struct isa_reader *r, struct sbuf *out, struct str text)
{
	struct isa_function f = {.label = {0}};
	struct map label = {0};
	isa_function_read(&f, text);
	number_labels(&label, &f);
	r->label = &label;
	for (size_t i = 0; i < f.insn.n; i++) {
		struct ops ops = {.v = {0}};
		r->said = "";
		read_line(r, &ops, &f.insn.v[i]);
		sbuf_addf(out, "%.*s\t%s\n", STR_ARG(f.insn.v[i].mnemonic), r->said);
		array_release(&ops.v);
		array_release(&ops.address);
	}
	map_release(&label);
	isa_function_release(&f);
}

void isa_check(struct sbuf *out, struct arena *a, struct str text)
{
	struct isa_program p = {.symbol = "", .d = {.denormals_32 = 3, .denormals_16_64 = 3}};
	struct isa_reader r = {.a = a, .p = &p, .text = text, .line = 1, .counted = text};
	struct str end = STR("\n.Lfunc_end");
	isa_rows(&r.rows);
	bool known = isa_read_target(&r) == 0;
	p.lanes = str_find(text, ".amdhsa_wavefront_size32 1", 0) == SIZE_MAX ? 64 : 32;
	for (size_t at = 0; known && at < text.n;) {
		size_t from = str_find(text, ",@function\n", at);
		size_t to = str_find(text, end.p, from == SIZE_MAX ? at : from);
		if (from == SIZE_MAX || to == SIZE_MAX) {
			break;
		}
		check_function(&r, out, str_sub(text, from + strlen(",@function\n"), to));
		at = to + end.n;
	}
	map_release(&r.rows);
	map_release(&r.symbol);
}
