/* Vector instructions: all lanes are computed, and those in EXEC kept. */
#include <string.h>

#include "base/msg.h"
#include "isa/machine.h"

static void sign_lanes(uint32_t *room, const uint32_t *from, bool neg, bool abs)
{
	uint32_t keep = abs ? 0x7fffffff : 0xffffffff;
	uint32_t flip = neg ? 0x80000000 : 0;
	for (int i = 0; i < ISA_LANES; i++) {
		room[i] = (from[i] & keep) ^ flip;
	}
}

/* Sources as f32 may be made absolute and then negated. */
static const uint32_t *source(struct isa_wave *w, const struct isa_operand *o, uint32_t *room)
{
	bool is_float = w->op->row->form == ISA_VALUF || w->op->row->form == ISA_FMAC ||
			w->op->row->form == ISA_VCMPF;
	const uint32_t *from = isa_lanes(w, o, 0, room);
	if (!o->neg && !o->abs) {
		return from;
	}
	if (!is_float && w->op->row->special != ISA_CNDMASK) {
		isa_wrong(w, "a sign on an operand that is not f32");
		return from;
	}
	sign_lanes(room, from, o->neg, o->abs);
	return room;
}

/* A byte or word of a source, without a sign. */
static const uint32_t *part_of(
	const struct isa_op *op, unsigned i, const uint32_t *from, uint32_t *room)
{
	if (i > 1 || op->part[i].bits == 0) {
		return from;
	}
	for (int lane = 0; lane < ISA_LANES; lane++) {
		room[lane] = from[lane] >> op->part[i].shift & ((1u << op->part[i].bits) - 1);
	}
	return room;
}

static bool is_vgpr(struct isa_wave *w, const struct isa_operand *o, unsigned regs)
{
	bool ok = o->kind == ISA_OPERAND_VGPR && o->regs == regs;
	if (!ok) {
		isa_wrong(w, "a vector operand has another width");
	}
	return ok;
}

static bool is_mask(struct isa_wave *w, const struct isa_operand *o)
{
	bool ok = o->kind == ISA_OPERAND_SGPR && o->regs == 2;
	if (!ok) {
		isa_wrong(w, "a mask is no pair of SGPRs");
	}
	return ok;
}

static void run_valu(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t room[3][ISA_LANES];
	uint32_t d[ISA_LANES];
	const uint32_t *in[3] = {room[0], room[1], room[2]};
	for (unsigned i = 1; i < op->operands; i++) {
		in[i - 1] = source(w, &op->o[i], room[i - 1]);
		in[i - 1] = part_of(op, i - 1, in[i - 1], room[i - 1]);
	}
	if (op->row->form == ISA_FMAC) {
		in[2] = w->v[op->o[0].reg];
	}
	if (is_vgpr(w, &op->o[0], 1) && !w->said) {
		op->row->valu(d, in[0], in[1], in[2]);
		isa_store_lanes(w, op->o[0].reg, d);
	}
}

static void run_vcmp(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t room[2][ISA_LANES];
	const uint32_t *a = source(w, &op->o[1], room[0]);
	const uint32_t *b = source(w, &op->o[2], room[1]);
	a = part_of(op, 0, a, room[0]);
	b = part_of(op, 1, b, room[1]);
	if (is_mask(w, &op->o[0]) && !w->said) {
		/* lanes that are not in EXEC give 0 */
		isa_set_mask(w, op->o[0].reg, op->row->cmp(a, b) & isa_mask(w, ISA_EXEC));
	}
}

static void run_carry(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t room[2][ISA_LANES];
	uint32_t d[ISA_LANES];
	const uint32_t *a = source(w, &op->o[2], room[0]);
	const uint32_t *b = source(w, &op->o[3], room[1]);
	bool in = op->operands == 5;
	if (!is_vgpr(w, &op->o[0], 1) || !is_mask(w, &op->o[1]) || (in && !is_mask(w, &op->o[4])) ||
		w->said) {
		return;
	}
	uint64_t mask = op->row->carry(d, a, b, in ? isa_mask(w, op->o[4].reg) : 0);
	isa_store_lanes(w, op->o[0].reg, d);
	isa_set_mask(w, op->o[1].reg, mask & isa_mask(w, ISA_EXEC));
}

/* 32 or 64 bits of all lanes. */
static void wide_source(
	uint64_t *out, struct isa_wave *w, const struct isa_operand *o, unsigned bits)
{
	if (o->kind != ISA_OPERAND_VGPR) {
		uint64_t value = isa_scalar(w, o, bits);
		for (int i = 0; i < ISA_LANES; i++) {
			out[i] = value;
		}
		return;
	}
	if (!is_vgpr(w, o, bits / 32) || o->neg || o->abs) {
		isa_wrong(w, "an operand of 64 bits has a sign or another width");
		return;
	}
	for (int i = 0; i < ISA_LANES; i++) {
		uint64_t high = bits == 64 ? w->v[o->reg + 1][i] : 0;
		out[i] = w->v[o->reg][i] | high << 32;
	}
}

static void store_wide(struct isa_wave *w, unsigned reg, const uint64_t *from)
{
	uint32_t half[2][ISA_LANES];
	for (int i = 0; i < ISA_LANES; i++) {
		half[0][i] = (uint32_t)from[i];
		half[1][i] = (uint32_t)(from[i] >> 32);
	}
	isa_store_lanes(w, reg, half[0]);
	isa_store_lanes(w, reg + 1, half[1]);
}

static void run_wide(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t in[3][ISA_LANES];
	uint64_t d[ISA_LANES];
	for (unsigned i = 1; i < op->operands; i++) {
		wide_source(in[i - 1], w, &op->o[i], op->row->bits[i]);
	}
	if (is_vgpr(w, &op->o[0], 2) && !w->said) {
		op->row->wide(d, in[0], in[1], in[2]);
		store_wide(w, op->o[0].reg, d);
	}
}

/* d, carry, a, b, c: of 32 by 32 bits a sum of 64 (V_MAD_U64_U32, V_MAD_I64_I32). Of the carry only
 * the unsigned one is stated. */
static void run_mad_wide(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool is_signed = strstr(op->row->name, "i64") != NULL;
	uint64_t a[ISA_LANES];
	uint64_t b[ISA_LANES];
	uint64_t c[ISA_LANES];
	uint64_t d[ISA_LANES];
	uint64_t mask = 0;
	wide_source(a, w, &op->o[2], 32);
	wide_source(b, w, &op->o[3], 32);
	wide_source(c, w, &op->o[4], 64);
	if (!is_vgpr(w, &op->o[0], 2) || !is_mask(w, &op->o[1]) || w->said) {
		return;
	}
	for (int i = 0; i < ISA_LANES; i++) {
		int64_t product = (int64_t)(int32_t)a[i] * (int32_t)b[i];
		d[i] = (is_signed ? (uint64_t)product : a[i] * b[i]) + c[i];
		mask |= (uint64_t)(d[i] < c[i]) << i;
	}
	store_wide(w, op->o[0].reg, d);
	isa_set_mask(w, op->o[1].reg, mask & isa_mask(w, ISA_EXEC));
}

/* ---- packed ---- */

/* Half of a packed source: op_sel and op_sel_hi say which register. A constant is
 * one register, and only where both halves ask for that is it known what they get. */
static const uint32_t *half_source(struct isa_wave *w, unsigned number, bool high, uint32_t *room)
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	unsigned bit = number - 1;
	unsigned plus = (high ? op->sel_hi : op->sel) >> bit & 1;
	bool neg = (high ? op->neg_hi : op->neg_lo) >> bit & 1;
	bool constant = o->kind != ISA_OPERAND_SGPR && o->kind != ISA_OPERAND_VGPR;
	if (o->neg || o->abs || (constant ? plus != 0 : o->regs != 2)) {
		isa_wrong(w, "this operand of a packed instruction is not covered");
		return room;
	}
	const uint32_t *from = isa_lanes(w, o, plus, room);
	if (neg) {
		sign_lanes(room, from, true, false);
		return room;
	}
	return from;
}

static void run_packed(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t d[2][ISA_LANES];
	for (int high = 0; high < 2; high++) {
		uint32_t room[3][ISA_LANES];
		const uint32_t *in[3] = {room[0], room[1], room[2]};
		for (unsigned i = 1; i < op->operands; i++) {
			in[i - 1] = half_source(w, i, high, room[i - 1]);
		}
		if (!is_vgpr(w, &op->o[0], 2) || w->said) {
			return;
		}
		op->row->valu(d[high], in[0], in[1], in[2]);
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
	isa_store_lanes(w, op->o[0].reg + 1, d[1]);
}

/* Low from the first source, by op_sel's first bit; high from the second, by its second bit. */
static void run_pk_mov(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t room[2][ISA_LANES];
	uint32_t d[2][ISA_LANES];
	for (unsigned i = 0; i < 2; i++) {
		const struct isa_operand *o = &op->o[i + 1];
		if ((o->kind != ISA_OPERAND_VGPR && o->kind != ISA_OPERAND_SGPR) || o->regs != 2 ||
			op->neg_lo || op->neg_hi || !is_vgpr(w, &op->o[0], 2)) {
			isa_wrong(w, "v_pk_mov_b32 with these operands is not covered");
			return;
		}
		memcpy(d[i], isa_lanes(w, o, op->sel >> i & 1, room[i]), sizeof(d[i]));
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
	isa_store_lanes(w, op->o[0].reg + 1, d[1]);
}

/* ---- across lanes, and masks ---- */

static void run_cndmask(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t room[2][ISA_LANES];
	uint32_t d[ISA_LANES];
	const uint32_t *a = source(w, &op->o[1], room[0]);
	const uint32_t *b = source(w, &op->o[2], room[1]);
	if (!is_vgpr(w, &op->o[0], 1) || !is_mask(w, &op->o[3])) {
		return;
	}
	uint64_t mask = isa_mask(w, op->o[3].reg);
	for (int i = 0; i < ISA_LANES; i++) {
		d[i] = mask >> i & 1 ? b[i] : a[i];
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* The first lane in EXEC, or lane 0 where there is none. */
static void run_readfirstlane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	int lane = exec ? __builtin_ctzll(exec) : 0;
	if (is_vgpr(w, &op->o[1], 1) && op->o[0].kind == ISA_OPERAND_SGPR) {
		w->s[op->o[0].reg] = w->v[op->o[1].reg][lane];
	}
}

static void run_readlane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	unsigned lane = (unsigned)isa_scalar(w, &op->o[2], 32) & (ISA_LANES - 1);
	if (is_vgpr(w, &op->o[1], 1) && op->o[0].kind == ISA_OPERAND_SGPR) {
		w->s[op->o[0].reg] = w->v[op->o[1].reg][lane];
	}
}

static void run_writelane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	unsigned lane = (unsigned)isa_scalar(w, &op->o[2], 32) & (ISA_LANES - 1);
	if (is_vgpr(w, &op->o[0], 1)) {
		w->v[op->o[0].reg][lane] = (uint32_t)isa_scalar(w, &op->o[1], 32);
	}
}

/* d, address, data: a lane takes the data of lane (address + offset) / 4, 0 of one that is not in
 * EXEC. */
static void run_bpermute(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	uint32_t d[ISA_LANES];
	if (!is_vgpr(w, &op->o[0], 1) || !is_vgpr(w, &op->o[1], 1) || !is_vgpr(w, &op->o[2], 1)) {
		return;
	}
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t at = w->v[op->o[1].reg][i] + (uint32_t)op->offset;
		unsigned lane = at / 4 % ISA_LANES;
		d[i] = exec >> lane & 1 ? w->v[op->o[2].reg][lane] : 0;
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* Bits of the mask below the lane, in its low or high half, and what is added. */
static void run_mbcnt(struct isa_wave *w, bool high)
{
	const struct isa_op *op = w->op;
	uint32_t room[2][ISA_LANES];
	uint32_t d[ISA_LANES];
	const uint32_t *mask = source(w, &op->o[1], room[0]);
	const uint32_t *plus = source(w, &op->o[2], room[1]);
	for (int i = 0; i < ISA_LANES; i++) {
		uint64_t below = ((uint64_t)1 << i) - 1;
		uint32_t part = (uint32_t)(high ? below >> 32 : below);
		d[i] = (uint32_t)__builtin_popcount(mask[i] & part) + plus[i];
	}
	if (is_vgpr(w, &op->o[0], 1) && !w->said) {
		isa_store_lanes(w, op->o[0].reg, d);
	}
}

static void run_special(struct isa_wave *w)
{
	switch (w->op->row->special) {
	case ISA_CNDMASK:
		run_cndmask(w);
		break;
	case ISA_READFIRSTLANE:
		run_readfirstlane(w);
		break;
	case ISA_READLANE:
		run_readlane(w);
		break;
	case ISA_WRITELANE:
		run_writelane(w);
		break;
	case ISA_PK_MOV:
		run_pk_mov(w);
		break;
	case ISA_MAD_WIDE:
		run_mad_wide(w);
		break;
	case ISA_BPERMUTE:
		run_bpermute(w);
		break;
	case ISA_MBCNT_LO:
	case ISA_MBCNT_HI:
		run_mbcnt(w, w->op->row->special == ISA_MBCNT_HI);
		break;
	default:
		BUG("%s has no semantics", w->op->row->name);
	}
}

void isa_vector_run(struct isa_wave *w)
{
	switch (w->op->row->form) {
	case ISA_VALU:
	case ISA_VALUF:
	case ISA_FMAC:
		run_valu(w);
		break;
	case ISA_VCMP:
	case ISA_VCMPF:
		run_vcmp(w);
		break;
	case ISA_CARRY:
		run_carry(w);
		break;
	case ISA_WIDE:
		run_wide(w);
		break;
	case ISA_PK32:
		run_packed(w);
		break;
	default:
		run_special(w);
	}
}
