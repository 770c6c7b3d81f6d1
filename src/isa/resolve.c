/* Checks operands against the row, and computes the bits of constants. */
#include <math.h>
#include <string.h>

#include "isa/machine.h"
#include "isa/number.h"
#include "isa/read.h"

static const char other_operands[] = "unknown operands:";
static const char other_constant[] = "unknown constant:";

/* ---- constants ---- */

static bool is_inline(int64_t value)
{
	return value >= -16 && value <= 64;
}

/* 1/(2*pi) is written rounded, and means the exact constant. */
static double exact_real(double real)
{
	return fabs(real) > 0.159154 && fabs(real) < 0.159156 ? copysign(0.15915494309189535, real)
							      : real;
}

static bool real_bits(uint64_t *out, double real, enum isa_type t, bool packed)
{
	real = exact_real(real);
	switch (t) {
	case ISA_F64:
		*out = isa_f64_bits(real);
		return true;
	case ISA_F16:
		*out = isa_f16_bits((float)real);
		return true;
	case ISA_U16:
	case ISA_I16:
	case ISA_BF16:
		return false;
	case ISA_U64:
	case ISA_I64:
		*out = isa_f64_bits(real);
		return !packed;
	default:
		*out = isa_f32_bits((float)real);
		return true;
	}
}

static bool integer_bits(uint64_t *out, int64_t value, enum isa_type t, bool packed)
{
	bool fits = value >= INT32_MIN && value <= UINT32_MAX;
	switch (t) {
	case ISA_F64: /* a literal is the upper half */
		*out = is_inline(value) ? (uint64_t)value : (uint64_t)value << 32;
		return fits;
	case ISA_U64:
		*out = (uint64_t)value;
		return is_inline(value) || (value >= 0 && fits);
	case ISA_I64:
		*out = is_inline(value) ? (uint64_t)value : (uint64_t)(int64_t)(int32_t)value;
		return fits;
	case ISA_U16:
	case ISA_I16:
	case ISA_F16:
	case ISA_BF16:
		*out = packed ? (uint32_t)value : (uint64_t)value & 0xffff;
		return packed ? fits : value >= INT16_MIN && value <= UINT16_MAX;
	default:
		*out = (uint32_t)value;
		return fits;
	}
}

static bool resolve_constant(
	struct isa_operand *o, const struct isa_written *w, enum isa_type t, bool packed)
{
	if (w->is_real) {
		return real_bits(&o->value, w->real, t, packed);
	}
	if (w->is_integer) {
		return integer_bits(&o->value, w->integer, t, packed);
	}
	return isa_type_regs(t) == 2; /* src_shared_base: the upper half is read */
}

/* ---- kinds of operands ---- */

static bool is_vgpr(const struct isa_operand *o, unsigned regs)
{
	return o->kind == ISA_OPERAND_VGPR && o->regs == regs && !o->neg && !o->abs;
}

static bool is_sgpr(const struct isa_operand *o, unsigned regs)
{
	return o->kind == ISA_OPERAND_SGPR && o->regs == regs && !o->neg && !o->abs;
}

static bool is_mask(const struct isa_operand *o, const struct isa_program *p)
{
	return is_sgpr(o, p->lanes / 32) || o->kind == ISA_OPERAND_NULL;
}

/* A scalar operand; bits: 32 or 64; half: a 16-bit float in 32 bits. */
static const char *resolve_scalar_of(struct isa_operand *o, const struct isa_written *w,
	unsigned bits, bool is_signed, bool half)
{
	enum isa_type t = bits == 64 ? (is_signed ? ISA_I64 : ISA_U64) : half ? ISA_F16 : ISA_U32;
	switch (o->kind) {
	case ISA_OPERAND_SGPR:
		return o->regs == bits / 32 && !o->neg && !o->abs ? NULL : other_operands;
	case ISA_OPERAND_CONSTANT:
		return resolve_constant(o, w, t, false) ? NULL : other_constant;
	case ISA_OPERAND_SCC:
	case ISA_OPERAND_NULL:
	case ISA_OPERAND_SYMBOL:
		return bits == 32 ? NULL : other_operands;
	default:
		return other_operands;
	}
}

static const char *resolve_scalar(
	struct isa_operand *o, const struct isa_written *w, unsigned bits, bool is_signed)
{
	return resolve_scalar_of(o, w, bits, is_signed, false);
}

static const char *resolve_lanes(
	struct isa_operand *o, const struct isa_written *w, enum isa_type t, bool packed)
{
	unsigned regs = isa_type_regs(t);
	if ((o->neg || o->abs) && !isa_type_is_float(t)) {
		return other_operands;
	}
	if (o->high && !isa_type_is_16(t) && t != ISA_B32) {
		return "op_sel or .h of an operand that is not 16 bits wide:";
	}
	if (o->kind == ISA_OPERAND_CONSTANT) {
		return resolve_constant(o, w, t, packed) ? NULL : other_constant;
	}
	if (o->kind == ISA_OPERAND_VGPR || o->kind == ISA_OPERAND_SGPR) {
		return o->regs == regs ? NULL : other_operands;
	}
	bool same = o->kind == ISA_OPERAND_SCC || o->kind == ISA_OPERAND_NULL;
	return same && regs == 1 ? NULL : other_operands;
}

/* Checks the sources; operand number from is the first, and type[1] its type. */
static const char *resolve_sources(
	struct isa_op *op, const struct isa_written *w, unsigned from, bool packed)
{
	for (unsigned i = from; i < op->operands && i - from < 3; i++) {
		enum isa_type t = op->row->type[i - from + 1];
		const char *why = t ? resolve_lanes(&op->o[i], &w[i], t, packed) : NULL;
		if (why) {
			return why;
		}
	}
	return NULL;
}

/* ---- rows ---- */

static const char *resolve_salu(struct isa_op *op, const struct isa_written *w)
{
	const struct isa_row *r = op->row;
	bool is_signed = str_ends(str_of(r->name), "_i64");
	bool half = str_ends(str_of(r->name), "_f16");
	for (unsigned i = 0; i < op->operands; i++) {
		bool d = i == 0 && r->form != ISA_SCMP;
		const char *why = NULL;
		if (r->bits[i] == 16) {
			bool ok = w[i].is_integer && w[i].integer >= INT16_MIN &&
				  w[i].integer <= UINT16_MAX;
			bool u = str_ends(str_of(r->name), "_u32");
			op->o[i].value = u ? (uint64_t)(w[i].integer & 0xffff)
					   : (uint32_t)(int32_t)(int16_t)w[i].integer;
			why = ok ? NULL : other_constant;
		} else if (d) {
			bool ok = is_sgpr(&op->o[0], r->bits[0] / 32) ||
				  op->o[0].kind == ISA_OPERAND_NULL;
			why = ok ? NULL : other_operands;
		} else {
			why = resolve_scalar_of(&op->o[i], &w[i], r->bits[i], is_signed, half);
		}
		if (why) {
			return why;
		}
	}
	return NULL;
}

/* op_sel: a bit per source, and one for the result. */
static const char *resolve_halves(struct isa_op *op)
{
	unsigned sources = op->operands - 1;
	if (op->row->form == ISA_VCMP && op->sel_count <= sources + 1) {
		op->o[0].high = false;
	} else if (op->sel_count != sources && op->sel_count != sources + 1) {
		return "op_sel with other operands:";
	} else {
		op->o[0].high |= op->sel >> sources & 1;
	}
	for (unsigned i = 1; i <= sources; i++) {
		op->o[i].high |= op->sel >> (i - 1) & 1;
	}
	if (op->o[0].high && !isa_type_is_16(op->row->type[0])) {
		return "op_sel with other operands:";
	}
	return NULL;
}

static const char *resolve_valu(struct isa_op *op, const struct isa_written *w)
{
	const struct isa_row *r = op->row;
	const char *why = op->sel_count ? resolve_halves(op) : NULL;
	for (unsigned i = 1; i < op->operands && i < 3; i++) {
		op->o[i].shift = op->part[i - 1].shift;
		op->o[i].bits = op->part[i - 1].bits;
		if (op->o[i].bits && isa_type_regs(r->type[i]) != 1) {
			return other_operands;
		}
	}
	why = why ? why : resolve_sources(op, w, 1, false);
	if (r->form == ISA_VCMP) {
		return why;
	}
	if (op->omod && !isa_type_is_float(r->type[0])) {
		return "unknown modifier of";
	}
	return why ? why : is_vgpr(&op->o[0], isa_type_regs(r->type[0])) ? NULL : other_operands;
}

static const char *resolve_packed(struct isa_op *op, const struct isa_written *w)
{
	bool pairs = op->row->form == ISA_PK32;
	if (!pairs && op->row->type[1] != ISA_F16 && (op->neg_lo || op->neg_hi)) {
		return "unknown neg_lo or neg_hi of integers:"; /* documented only for floats */
	}
	for (unsigned i = 1; i < op->operands; i++) {
		struct isa_operand *o = &op->o[i];
		bool constant = o->kind == ISA_OPERAND_CONSTANT;
		unsigned upper = (op->sel | op->sel_hi) >> (i - 1) & 1;
		if (o->neg || o->abs) {
			return other_operands;
		}
		if (!constant && (o->kind == ISA_OPERAND_VGPR || o->kind == ISA_OPERAND_SGPR)) {
			if (o->regs != (pairs ? 2 : 1)) {
				return other_operands;
			}
		} else if (!constant || !resolve_constant(o, &w[i], op->row->type[i], true) ||
			   (pairs && upper && o->value != 0)) {
			return other_constant;
		}
	}
	return is_vgpr(&op->o[0], pairs ? 2 : 1) ? NULL : other_operands;
}

static const char *resolve_mix(struct isa_op *op, const struct isa_written *w)
{
	for (unsigned i = 1; i < op->operands; i++) {
		struct isa_operand *o = &op->o[i];
		bool half = op->sel_hi >> (i - 1) & 1;
		if (o->kind == ISA_OPERAND_CONSTANT) {
			if (!resolve_constant(o, &w[i], half ? ISA_F16 : ISA_F32, half)) {
				return other_constant;
			}
		} else if ((o->kind != ISA_OPERAND_VGPR && o->kind != ISA_OPERAND_SGPR) ||
			   o->regs != 1) {
			return other_operands;
		}
	}
	op->o[0].high = op->row->number == 2;
	return is_vgpr(&op->o[0], 1) ? NULL : other_operands;
}

/* d, mask, a, b, c */
static const char *resolve_masked(
	struct isa_op *op, const struct isa_written *w, const struct isa_program *p)
{
	const struct isa_row *r = op->row;
	if (!is_vgpr(&op->o[0], isa_type_regs(r->type[0])) || !is_mask(&op->o[1], p)) {
		return other_operands;
	}
	if (r->form == ISA_CARRY && op->operands == 5 && !is_mask(&op->o[4], p)) {
		return other_operands;
	}
	for (unsigned i = 1; i < 3 && r->form == ISA_CARRY; i++) {
		op->o[i + 1].shift = op->part[i - 1].shift;
		op->o[i + 1].bits = op->part[i - 1].bits;
	}
	return resolve_sources(op, w, 2, false);
}

/* ---- memory ---- */

static bool is_base(const struct isa_operand *o)
{
	return o->kind == ISA_OPERAND_OFF || o->kind == ISA_OPERAND_NULL;
}

/* [d,] address, [data,] base */
static const char *resolve_address(
	struct isa_op *op, const struct isa_written *w, const struct isa_operand *v)
{
	struct isa_operand *base = &op->o[op->operands - 1];
	switch (op->row->space) {
	case ISA_GLOBAL: {
		bool from = is_sgpr(base, 2);
		return (from || is_base(base)) && is_vgpr(v, from ? 1 : 2) ? NULL : other_operands;
	}
	case ISA_FLAT:
		return is_vgpr(v, 2) ? NULL : other_operands;
	case ISA_SCRATCH:
		return (is_vgpr(v, 1) || v->kind == ISA_OPERAND_OFF) &&
				       (is_base(base) || is_sgpr(base, 1))
			       ? NULL
			       : other_operands;
	case ISA_BUFFER: {
		const char *why = resolve_scalar(base, &w[op->operands - 1], 32, false);
		bool ok = is_sgpr(&op->o[2], 4) &&
			  (op->offen || op->idxen ? is_vgpr(v, op->offen + op->idxen)
						  : v->kind == ISA_OPERAND_OFF);
		return ok ? why : other_operands;
	}
	case ISA_LDS:
		break;
	}
	return is_vgpr(v, 1) ? NULL : other_operands;
}

static const char *resolve_memory(struct isa_op *op, const struct isa_written *w)
{
	const struct isa_row *r = op->row;
	bool buffer = r->space == ISA_BUFFER;
	bool load = r->form == ISA_LOAD;
	unsigned two = r->bits[2] && load ? 2 : 1;
	unsigned address = load || buffer ? 1 : 0;
	unsigned data = load || buffer ? 0 : 1;
	if (!is_vgpr(&op->o[data], r->bits[1] * two) ||
		(r->bits[2] && !load && !is_vgpr(&op->o[2], r->bits[1]))) {
		return other_operands;
	}
	return resolve_address(op, w, &op->o[address]);
}

static const char *resolve_atomic(struct isa_op *op, const struct isa_written *w)
{
	const struct isa_row *r = op->row;
	unsigned regs = r->bits[0] / 4;
	bool joined = r->bits[1] && r->space != ISA_LDS; /* data and comparand in one operand */
	if (r->space == ISA_BUFFER) {
		return is_vgpr(&op->o[0], joined ? 2 * regs : regs)
			       ? resolve_address(op, w, &op->o[1])
			       : other_operands;
	}
	unsigned first = op->returns;
	if (op->returns && !is_vgpr(&op->o[0], regs)) {
		return other_operands;
	}
	if (!is_vgpr(&op->o[first + 1], joined ? 2 * regs : regs)) {
		return other_operands;
	}
	if (r->bits[1] && !joined && !is_vgpr(&op->o[first + 2], regs)) {
		return other_operands;
	}
	return resolve_address(op, w, &op->o[first]);
}

/* ---- specials ---- */

static const char *resolve_lane(struct isa_op *op, const struct isa_written *w)
{
	struct isa_operand *o = op->o;
	const char *why = NULL;
	bool from_f8 =
		op->row->special == ISA_CVT_FROM_F8 || op->row->special == ISA_CVT_PK_FROM_F8;
	if (op->sdwa && (!from_f8 || op->dst_bits)) {
		return "SDWA of";
	}
	o[1].shift = op->part[0].shift;
	o[1].bits = op->part[0].bits;
	switch (op->row->special) {
	case ISA_READFIRSTLANE:
		return is_sgpr(&o[0], 1) && is_vgpr(&o[1], 1) ? NULL : other_operands;
	case ISA_READLANE:
		why = resolve_scalar(&o[2], &w[2], 32, false);
		return is_sgpr(&o[0], 1) && is_vgpr(&o[1], 1) ? why : other_operands;
	case ISA_WRITELANE:
		why = resolve_scalar(&o[1], &w[1], 32, false);
		why = why ? why : resolve_scalar(&o[2], &w[2], 32, false);
		return is_vgpr(&o[0], 1) ? why : other_operands;
	case ISA_PK_MOV:
		for (unsigned i = 1; i < 3; i++) {
			bool low = !(op->sel >> (i - 1) & 1);
			if (!is_vgpr(&o[i], 2) && !is_sgpr(&o[i], 2) &&
				(!low || resolve_scalar(&o[i], &w[i], 32, false))) {
				return other_operands;
			}
		}
		return is_vgpr(&o[0], 2) && !op->neg_lo && !op->neg_hi ? NULL : other_operands;
	case ISA_BPERMUTE:
	case ISA_PERMUTE:
		return is_vgpr(&o[0], 1) && is_vgpr(&o[1], 1) && is_vgpr(&o[2], 1) ? NULL
										   : other_operands;
	case ISA_SWIZZLE:
	case ISA_SWAP:
	case ISA_PERMLANE64:
	case ISA_PERMLANE16_SWAP:
	case ISA_PERMLANE32_SWAP:
		return is_vgpr(&o[0], 1) && is_vgpr(&o[1], 1) ? NULL : other_operands;
	case ISA_PERMLANE16:
	case ISA_PERMLANEX16:
		why = resolve_scalar(&o[2], &w[2], 32, false);
		why = why ? why : resolve_scalar(&o[3], &w[3], 32, false);
		op->fetch_inactive = op->sel & 1;
		op->bound_zero = op->sel >> 1 & 1;
		return is_vgpr(&o[0], 1) && is_vgpr(&o[1], 1) ? why : other_operands;
	case ISA_DOT_IU:
		if (op->neg_lo > 3 || op->neg_hi || op->sel || op->sel_hi != 7) {
			return "unknown modifiers of";
		}
		why = resolve_sources(op, w, 1, false);
		return is_vgpr(&o[0], 1) ? why : other_operands;
	default:
		o[0].high |= op->half_of_d;
		why = resolve_sources(op, w, 1, false);
		return is_vgpr(&o[0], isa_type_regs(op->row->type[0])) ? why : other_operands;
	}
}

static const char *resolve_special(
	struct isa_op *op, const struct isa_written *w, const struct isa_program *p)
{
	struct isa_operand *o = op->o;
	switch (op->row->special) {
	case ISA_NOP:
	case ISA_WAIT:
	case ISA_END:
	case ISA_GPR_INDEX_OFF:
	case ISA_TRAP:
	case ISA_REPLY:
		return NULL;
	case ISA_BARRIER: /* on gfx12 only the workgroup's barrier */
		return !op->row->number || (w[0].is_integer && w[0].integer == -1) ? NULL
										   : other_operands;
	case ISA_BRANCH:
	case ISA_BRANCH_SCC0:
	case ISA_BRANCH_SCC1:
	case ISA_BRANCH_VCCZ:
	case ISA_BRANCH_VCCNZ:
	case ISA_BRANCH_EXECZ:
	case ISA_BRANCH_EXECNZ:
		return o[0].kind == ISA_OPERAND_LABEL ? NULL : "a branch without a label:";
	case ISA_GETPC:
	case ISA_SETPC:
		return is_sgpr(&o[0], 2) ? NULL : other_operands;
	case ISA_CALL:
		return is_sgpr(&o[0], 2) && is_sgpr(&o[1], 2) ? NULL : other_operands;
	case ISA_SAVEEXEC: {
		const char *why = resolve_scalar(&o[1], &w[1], p->lanes, false);
		return is_sgpr(&o[0], p->lanes / 32) ? why : other_operands;
	}
	case ISA_S_LOAD: {
		const char *why = resolve_scalar(&o[2], &w[2], 32, false);
		int dwords = op->row->number > 0 ? op->row->number : 1;
		bool ok = is_sgpr(&o[0], (unsigned)dwords) && is_sgpr(&o[1], 2);
		return ok ? why : other_operands;
	}
	case ISA_GPR_INDEX:
		return op->row->number < 2 ? resolve_scalar(&o[0], &w[0], 32, false) : NULL;
	case ISA_GETREG:
		return is_sgpr(&o[0], 1) ? NULL : other_operands;
	case ISA_SETREG:
		return resolve_scalar(&o[1], &w[1], 32, false);
	case ISA_MODE:
	case ISA_HALT:
		o[0].value = (uint64_t)w[0].integer;
		return w[0].is_integer ? NULL : other_operands;
	case ISA_MFMA:
	case ISA_SMFMAC:
	case ISA_WMMA:
	case ISA_SWMMAC: {
		enum isa_type t = strcmp(op->row->matrix.c, "f64") == 0	  ? ISA_F64
				  : strcmp(op->row->matrix.c, "i32") == 0 ? ISA_U32
									  : ISA_F32;
		if (o[3].kind == ISA_OPERAND_CONSTANT &&
			!resolve_constant(&o[3], &w[3], t, false)) {
			return other_constant;
		}
		for (unsigned i = 4; i < op->operands; i++) { /* scales */
			if (o[i].kind == ISA_OPERAND_CONSTANT &&
				!resolve_constant(&o[i], &w[i], ISA_U32, false)) {
				return other_constant;
			}
		}
		return isa_matrix_refuses(op, p->lanes);
	}
	case ISA_CNDMASK:
		return is_mask(&o[3], p) ? resolve_valu(op, w) : other_operands;
	case ISA_MAD_WIDE:
	case ISA_DIV_SCALE:
		return resolve_masked(op, w, p);
	default:
		return resolve_lane(op, w);
	}
}

/* omod is ignored if subnormals are kept, and in IEEE mode, which is always on before gfx12. */
static bool has_omod(const struct isa_op *op, const struct isa_program *p)
{
	unsigned kept = op->row->type[0] == ISA_F32 ? p->d.denormals_32 : p->d.denormals_16_64;
	return op->omod && kept == 3;
}

const char *isa_resolve(struct isa_op *op, const struct isa_written *w, const struct isa_program *p)
{
	bool changes = op->dpp || op->sdwa || op->sel_count || op->neg_lo || op->neg_hi;
	const char *why;
	for (unsigned i = 0; i < op->operands; i++) {
		const struct isa_operand *o = &op->o[i];
		changes |= o->neg || o->abs || o->sext || o->high || o->half;
	}
	op->plain = !changes;
	op->omod = p->gfx < 0x1200 ? 0 : op->omod;
	if (has_omod(op, p)) {
		return "omod where subnormals are kept:";
	}
	switch (op->row->form) {
	case ISA_SALU:
	case ISA_SOPK:
	case ISA_SCMP:
		return resolve_salu(op, w);
	case ISA_VALU:
		return resolve_valu(op, w);
	case ISA_VCMP:
		why = resolve_valu(op, w);
		return is_mask(&op->o[0], p) ? why : other_operands;
	case ISA_CARRY:
		return resolve_masked(op, w, p);
	case ISA_PK16:
	case ISA_PK32:
		return resolve_packed(op, w);
	case ISA_MIX:
		return resolve_mix(op, w);
	case ISA_LOAD:
	case ISA_STORE:
		return resolve_memory(op, w);
	case ISA_ATOMIC:
		return resolve_atomic(op, w);
	case ISA_SPECIAL:
		break;
	}
	return resolve_special(op, w, p);
}
