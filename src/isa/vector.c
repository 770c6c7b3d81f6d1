/* Vector instructions: computes all lanes, and stores those in EXEC. Rules: "CDNA4" 6.2 (operands),
 * 6.4 (subnormals, rounding), 6.5 (clamp), 6.7 (packed), "RDNA3" 7.4 (halves), 7.6 (dual), 7.7
 * (DPP). */
#include <fenv.h>
#include <string.h>

#include "isa/machine.h"
#include "isa/number.h"

/* ---- sources ---- */

static void spread(uint32_t *buffer, uint64_t value, unsigned regs)
{
	for (unsigned k = 0; k < regs; k++) {
		for (int i = 0; i < ISA_LANES; i++) {
			buffer[k * ISA_LANES + (unsigned)i] = (uint32_t)(value >> 32 * k);
		}
	}
}

/* The lane that DPP reads from, or -1. */
static int dpp_lane(const struct isa_op *op, int lane)
{
	int row = lane & ~15;
	int in = lane & 15;
	int n = (int)op->dpp_how;
	switch (op->dpp) {
	case ISA_DPP_QUAD_PERM:
		return (lane & ~3) | (n >> 3 * (lane & 3) & 3);
	case ISA_DPP_EIGHT:
		return (lane & ~7) | (n >> 3 * (lane & 7) & 7);
	case ISA_DPP_ROW_SHL:
		return in + n < 16 ? lane + n : -1;
	case ISA_DPP_ROW_SHR:
		return in - n >= 0 ? lane - n : -1;
	case ISA_DPP_ROW_ROR:
		return row | ((in - n) & 15);
	case ISA_DPP_WAVE_SHL:
		return lane + 1 < ISA_LANES ? lane + 1 : -1;
	case ISA_DPP_WAVE_ROL:
		return (lane + 1) % ISA_LANES;
	case ISA_DPP_WAVE_SHR:
		return lane - 1;
	case ISA_DPP_WAVE_ROR:
		return (lane + ISA_LANES - 1) % ISA_LANES;
	case ISA_DPP_ROW_MIRROR:
		return row | (15 - in);
	case ISA_DPP_ROW_HALF_MIRROR:
		return (lane & ~7) | (7 - (lane & 7));
	case ISA_DPP_ROW_BCAST: /* the last lane of the previous row or half */
		return n == 15 ? row - 1 : lane >= 32 ? 31 : -1;
	case ISA_DPP_ROW_SHARE:
		return row | n;
	case ISA_DPP_ROW_XMASK:
		return row | (in ^ n);
	case ISA_DPP_NONE:
		break;
	}
	return lane;
}

/* Moves the first source between lanes (DPP). Lanes without a source get 0, or are not written. */
static void move_lanes(struct isa_wave *w, uint32_t *buffer, const uint32_t *from, unsigned regs)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	uint32_t moved[ISA_BUFFER_WORDS];
	for (int i = 0; i < ISA_LANES; i++) {
		int lane = dpp_lane(op, i);
		bool off = lane >= 0 && !op->fetch_inactive && !(exec >> lane & 1);
		if (op->dpp == ISA_DPP_EIGHT && off && exec >> i & 1) {
			isa_wrong(w,
				"dpp8 reads an inactive lane: the documents disagree on its value");
		}
		bool has = lane >= 0 && (op->fetch_inactive || exec >> lane & 1);
		bool masked =
			!(op->row_mask >> (i >> 4) & 1) || !(op->bank_mask >> (i >> 2 & 3) & 1);
		for (unsigned k = 0; k < regs; k++) {
			moved[k * ISA_LANES + (unsigned)i] =
				has ? from[k * ISA_LANES + (unsigned)lane] : 0;
		}
		if (masked || (!has && !op->bound_zero)) {
			w->lanes &= ~((uint64_t)1 << i);
		}
	}
	memcpy(buffer, moved, regs * ISA_LANES * sizeof(*buffer));
}

/* SDWA's part of a register, or its 16-bit half. */
static void take_part(uint32_t *buffer, const uint32_t *from, const struct isa_operand *o)
{
	unsigned shift = o->high ? 16 : o->shift;
	unsigned bits = o->high ? 16 : o->bits;
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t x = from[i] >> shift & (bits ? (1u << bits) - 1 : UINT32_MAX);
		uint32_t top = bits ? 1u << (bits - 1) : 0;
		buffer[i] = o->sext ? (x ^ top) - top : x;
	}
}

/* Applies abs, then neg, to the sign bit. */
static void take_sign(
	uint32_t *buffer, const uint32_t *from, const struct isa_operand *o, enum isa_type t)
{
	uint32_t bit = isa_type_is_16(t) ? 0x8000 : 0x80000000;
	uint32_t keep = o->abs ? ~bit : 0xffffffff;
	uint32_t flip = o->neg ? bit : 0;
	unsigned regs = isa_type_regs(t);
	if (regs == 2 && buffer != from) {
		memcpy(buffer, from, ISA_LANES * sizeof(*buffer));
	}
	buffer += (regs - 1) * ISA_LANES;
	from += (regs - 1) * ISA_LANES;
	for (int i = 0; i < ISA_LANES; i++) {
		buffer[i] = (from[i] & keep) ^ flip;
	}
}

static const uint32_t *raw(
	struct isa_wave *w, const struct isa_operand *o, unsigned regs, uint32_t *buffer)
{
	if (o->kind == ISA_OPERAND_VGPR) {
		return w->v[o->reg];
	}
	spread(buffer, isa_scalar(w, o), regs);
	return buffer;
}

const uint32_t *isa_source(struct isa_wave *w, unsigned number, uint32_t buffer[ISA_BUFFER_WORDS])
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	enum isa_type t = op->row->type[number < 4 ? number : 0];
	unsigned regs = isa_type_regs(t);
	const uint32_t *from = raw(w, o, regs, buffer);
	if (op->plain) {
		return from;
	}
	if (op->dpp && number == 1) {
		move_lanes(w, buffer, from, regs);
		from = buffer;
	}
	if (o->bits || o->sext || o->high) {
		take_part(buffer, from, o);
		from = buffer;
	}
	if (o->neg || o->abs) {
		take_sign(buffer, from, o, t);
		from = buffer;
	}
	return from;
}

/* ---- MODE ---- */

static bool flushes(const struct isa_wave *w, enum isa_type t, bool results)
{
	unsigned denormals = t == ISA_F32 ? w->mode >> 4 & 3 : w->mode >> 6 & 3;
	return isa_type_is_float(t) && !(denormals >> results & 1);
}

void isa_flush(uint32_t *buffer, const uint32_t *from, enum isa_type t)
{
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t x = from[i];
		if (t == ISA_F32) {
			buffer[i] = isa_flush_f32(x);
		} else if (t == ISA_F16) {
			buffer[i] = x & 0x7c00 ? x : x & 0x8000;
		} else {
			uint32_t top = from[ISA_LANES + i];
			buffer[i] = top & 0x7ff00000 ? x : 0;
			buffer[ISA_LANES + i] = top & 0x7ff00000 ? top : top & 0x80000000;
		}
	}
}

static bool sees_denormals(const struct isa_row *r)
{
	return r->flags & (ISA_ARITHMETIC | ISA_FLUSHES);
}

const int isa_host_rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* The host's rounding mode. Half precision uses our own code, only to nearest. */
static int host_rounding(struct isa_wave *w, enum isa_type t)
{
	unsigned mode = t == ISA_F32 ? w->mode & 3 : w->mode >> 2 & 3;
	if (t == ISA_F16 && mode) {
		isa_wrong(w, "f16 is covered only with rounding to nearest");
	}
	return isa_host_rounding[mode];
}

static bool is_plain_mode(const struct isa_wave *w)
{
	return w->mode == ISA_DEFAULT_MODE;
}

/* Do MODE and the row leave sources and results unchanged? */
static bool keeps_all(const struct isa_wave *w, const struct isa_row *r)
{
	return !(r->flags & ISA_NO_SUBNORMALS) && (is_plain_mode(w) || !sees_denormals(r));
}

bool isa_flushes(const struct isa_wave *w, const struct isa_row *r, enum isa_type t, bool results)
{
	return sees_denormals(r) &&
	       ((t == ISA_F32 && r->flags & ISA_NO_SUBNORMALS) || flushes(w, t, results));
}

/* ---- results ---- */

/* The first NaN source, made quiet; the default NaN (f32: 0xffc00000) for an invalid operation. */
static void pass_nan(uint32_t *d, int i, const uint32_t *const in[3], const struct isa_row *r)
{
	for (int k = 0; k < 3; k++) {
		enum isa_type t =
			k == 2 && r->flags & ISA_ACCUMULATES ? r->type[0] : r->type[k + 1];
		if (!in[k] || !isa_type_is_float(t)) {
			continue;
		}
		uint32_t x = in[k][i];
		if (t == ISA_F32 && (x & 0x7fffffff) > 0x7f800000 && r->type[0] == ISA_F32) {
			d[i] = x | 0x400000;
			return;
		}
		if (t == ISA_F16 && (x & 0x7fff) > 0x7c00 && r->type[0] == ISA_F16) {
			d[i] = (x & 0xffff) | 0x200;
			return;
		}
		if (t == ISA_F64 && r->type[0] == ISA_F64) {
			uint64_t wide = x | (uint64_t)in[k][i + ISA_LANES] << 32;
			if (wide << 1 > (uint64_t)0x7ff << 53) {
				d[i] = x;
				d[i + ISA_LANES] = in[k][i + ISA_LANES] | 0x80000;
				return;
			}
		}
	}
	bool converted = r->type[1] != r->type[0] && isa_type_is_float(r->type[1]);
	if (converted) { /* the payload after the conversion */
		uint32_t *top = r->type[0] == ISA_F64 ? d + ISA_LANES : d;
		top[i] |= r->type[0] == ISA_F64	  ? 0x80000
			  : r->type[0] == ISA_F16 ? 0x200
						  : 0x400000;
		return;
	}
	d[i] = r->type[0] == ISA_F32 ? 0xffc00000 : r->type[0] == ISA_F16 ? 0xfe00 : 0;
	if (r->type[0] == ISA_F64) {
		d[i + ISA_LANES] = 0xfff80000;
	}
}

static void pass_nans(uint32_t *d, const uint32_t *const in[3], const struct isa_row *r)
{
	uint32_t top = r->type[0] == ISA_F64   ? 0x7ff00000
		       : r->type[0] == ISA_F16 ? 0x7c00
					       : 0x7f800000;
	uint32_t all = r->type[0] == ISA_F16 ? 0x7fff : 0x7fffffff;
	const uint32_t *high = r->type[0] == ISA_F64 ? d + ISA_LANES : d;
	uint32_t any = 0;
	for (int i = 0; i < ISA_LANES; i++) {
		any |= (high[i] & all) >= top;
	}
	for (int i = 0; any && i < ISA_LANES; i++) {
		uint32_t x = high[i] & all;
		if (x > top || (r->type[0] == ISA_F64 && x == top && d[i])) {
			pass_nan(d, i, in, r);
		}
	}
}

static double number_of(const uint32_t *d, int i, enum isa_type t)
{
	return t == ISA_F32   ? (double)isa_f32(d[i])
	       : t == ISA_F16 ? (double)isa_f16(d[i] & 0xffff)
			      : isa_f64(d[i] | (uint64_t)d[i + ISA_LANES] << 32);
}

static void set_number(uint32_t *d, int i, enum isa_type t, double x)
{
	uint64_t wide = isa_f64_bits(x);
	d[i] = t == ISA_F32   ? isa_f32_bits((float)x)
	       : t == ISA_F16 ? isa_f16_bits((float)x)
			      : (uint32_t)wide;
	if (t == ISA_F64) {
		d[i + ISA_LANES] = (uint32_t)(wide >> 32);
	}
}

/* clamp: to 0 .. 1, and a NaN to 0 (DX10_CLAMP). */
static void scale_and_clamp(uint32_t *d, const struct isa_op *op, enum isa_type t)
{
	static const double factor[] = {1, 2, 4, 0.5};
	for (int i = 0; i < ISA_LANES; i++) {
		double x = number_of(d, i, t) * factor[op->omod];
		set_number(d, i, t, op->clamp ? !(x > 0) ? 0 : x > 1 ? 1 : x : x);
	}
}

/* SDWA: writes a part of the register; the rest becomes 0 or the sign, or is kept. */
static void place_part(uint32_t *d, const uint32_t *old, const struct isa_op *op)
{
	uint32_t ones = (1u << op->dst_bits) - 1;
	uint32_t at = ones << op->dst_shift;
	uint32_t above = op->dst_shift + op->dst_bits == 32 ? 0 : ~(at | (at - 1));
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t x = (d[i] & ones) << op->dst_shift;
		bool sign = d[i] >> (op->dst_bits - 1) & 1;
		uint32_t rest = op->dst_unused == ISA_UNUSED_PRESERVE	    ? old[i] & ~at
				: op->dst_unused == ISA_UNUSED_SEXT && sign ? above
									    : 0;
		d[i] = x | rest;
	}
}

/* A 16-bit result: on gfx9 most instructions zero the upper half, newer GPUs keep the other half
 * (LLVM, zeroesHigh16BitsOfDest). */
static void place_half(uint32_t *d, const uint32_t *old, const struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool keep = w->group->p->gfx >= 0x1000 || op->row->flags & ISA_KEEPS_HALF ||
		    op->row->form == ISA_MIX;
	bool high = op->o[0].high;
	for (int i = 0; (keep || high) && i < ISA_LANES; i++) {
		d[i] = high ? (old[i] & 0xffff) | d[i] << 16
			    : (old[i] & 0xffff0000) | (d[i] & 0xffff);
	}
}

void isa_store_lanes(struct isa_wave *w, unsigned reg, const uint32_t *from)
{
	uint32_t *to = w->v[reg];
	if (w->lanes == UINT64_MAX) {
		memcpy(to, from, ISA_LANES * sizeof(*to));
		return;
	}
	for (int i = 0; i < ISA_LANES; i++) {
		to[i] = w->lanes >> i & 1 ? from[i] : to[i];
	}
}

void isa_result(struct isa_wave *w, uint32_t d[ISA_BUFFER_WORDS], const uint32_t *const in[3])
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	enum isa_type t = r->type[0];
	unsigned reg = op->o[0].reg;
	if (in && r->flags & ISA_ARITHMETIC && isa_type_is_float(t)) {
		pass_nans(d, in, r);
	}
	if (isa_flushes(w, r, t, true)) {
		isa_flush(d, d, t);
	}
	if (op->omod || (op->clamp && isa_type_is_float(t))) {
		scale_and_clamp(d, op, t);
	}
	if (op->dst_bits) {
		place_part(d, w->v[reg], op);
	} else if (isa_type_is_16(t)) {
		place_half(d, w->v[reg], w);
	}
	isa_store_lanes(w, reg, d);
	if (isa_type_regs(t) == 2) {
		isa_store_lanes(w, reg + 1, d + ISA_LANES);
	}
}

/* ---- forms ---- */

static void compute(struct isa_wave *w, uint32_t *d, const uint32_t *in[3],
	uint32_t (*buffer)[ISA_BUFFER_WORDS])
{
	const struct isa_row *r = w->op->row;
	if (keeps_all(w, r)) {
		r->lanes(d, in[0], in[1], in[2]);
		return;
	}
	for (unsigned k = 0; k < 3; k++) {
		bool old = k == 2 && r->flags & ISA_ACCUMULATES;
		enum isa_type t = old ? r->type[0] : r->type[k + 1];
		if (isa_flushes(w, r, t, false)) {
			isa_flush(buffer[k], in[k], t);
			in[k] = buffer[k];
		}
	}
	int before = fegetround();
	fesetround(host_rounding(w, isa_type_is_float(r->type[0]) ? r->type[0] : r->type[1]));
	r->lanes(d, in[0], in[1], in[2]);
	fesetround(before);
}

static void run_valu(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *in[3] = {buffer[0], buffer[1], buffer[2]};
	for (unsigned i = 1; i < op->operands; i++) {
		in[i - 1] = isa_source(w, i, buffer[i - 1]);
	}
	if (op->row->flags & ISA_ACCUMULATES) {
		in[2] = w->v[op->o[0].reg];
		if (op->o[0].high) {
			take_part(buffer[2], in[2], &op->o[0]);
			in[2] = buffer[2];
		}
	}
	compute(w, d, in, buffer);
	isa_result(w, d, in);
}

static void run_vcmp(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[2][ISA_BUFFER_WORDS];
	const uint32_t *in[2];
	for (unsigned i = 0; i < 2; i++) {
		enum isa_type t = op->row->type[i + 1];
		in[i] = isa_source(w, i + 1, buffer[i]);
		if (isa_flushes(w, op->row, t, false)) {
			isa_flush(buffer[i], in[i], t);
			in[i] = buffer[i];
		}
	}
	/* inactive lanes yield 0 */
	uint64_t mask = op->row->cmp(in[0], in[1]) & w->lanes;
	isa_set_scalar(w, &op->o[0], mask);
	if (op->cmpx) {
		isa_set_mask(w, ISA_EXEC, mask);
	}
}

static void run_carry(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[2][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *a;
	const uint32_t *b;
	struct isa_op shifted = *op; /* sources at the indices that isa_source expects */
	shifted.o[1] = op->o[2];
	shifted.o[2] = op->o[3];
	w->op = &shifted;
	a = isa_source(w, 1, buffer[0]);
	b = isa_source(w, 2, buffer[1]);
	w->op = op;
	uint64_t in = op->operands == 5 ? isa_scalar(w, &op->o[4]) : 0;
	uint64_t mask = op->row->carry(d, a, b, in);
	isa_store_lanes(w, op->o[0].reg, d);
	isa_set_scalar(w, &op->o[1], mask & w->lanes);
}

/* ---- packed ---- */

static bool bit(uint8_t bits, unsigned number)
{
	return bits >> (number - 1) & 1;
}

/* The source of the low or high result; op_sel and op_sel_hi select its 16-bit half. */
static void half_source(struct isa_wave *w, unsigned number, bool high, uint32_t *buffer)
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	bool upper = bit(high ? op->sel_hi : op->sel, number);
	uint32_t flip = bit(high ? op->neg_hi : op->neg_lo, number) ? 0x8000 : 0;
	uint32_t scalar[ISA_BUFFER_WORDS];
	const uint32_t *from = raw(w, o, 1, scalar);
	for (int i = 0; i < ISA_LANES; i++) {
		buffer[i] = (from[i] >> (upper ? 16 : 0) & 0xffff) ^ flip;
	}
}

static void run_packed_halves(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	uint32_t d[2][ISA_BUFFER_WORDS];
	for (int high = 0; high < 2; high++) {
		uint32_t buffer[3][ISA_BUFFER_WORDS];
		const uint32_t *in[3] = {buffer[0], buffer[1], buffer[2]};
		for (unsigned i = 1; i < op->operands; i++) {
			half_source(w, i, high, buffer[i - 1]);
		}
		compute(w, d[high], in, buffer);
		if (r->flags & ISA_ARITHMETIC) {
			pass_nans(d[high], in, r);
			if (isa_flushes(w, r, ISA_F16, true)) {
				isa_flush(d[high], d[high], ISA_F16);
			}
			if (op->clamp) {
				scale_and_clamp(d[high], op, ISA_F16);
			}
		}
	}
	for (int i = 0; i < ISA_LANES; i++) {
		d[0][i] = (d[0][i] & 0xffff) | d[1][i] << 16;
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
}

/* A source of the low or high result: a register of a pair. A constant has no upper register; the
 * reader refuses its use, unless it is 0. */
static const uint32_t *pair_source(struct isa_wave *w, unsigned number, bool high, uint32_t *buffer)
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	bool upper = bit(high ? op->sel_hi : op->sel, number);
	struct isa_operand sign = {.neg = bit(high ? op->neg_hi : op->neg_lo, number)};
	const uint32_t *from;
	if (o->kind == ISA_OPERAND_VGPR) {
		from = w->v[o->reg + upper];
	} else {
		spread(buffer, isa_scalar(w, o) >> (upper ? 32 : 0), 1);
		from = buffer;
	}
	if (sign.neg) {
		take_sign(buffer, from, &sign, ISA_F32);
		return buffer;
	}
	return from;
}

static void run_packed_pairs(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t d[2][ISA_BUFFER_WORDS];
	for (int high = 0; high < 2; high++) {
		uint32_t buffer[3][ISA_BUFFER_WORDS];
		const uint32_t *in[3] = {buffer[0], buffer[1], buffer[2]};
		for (unsigned i = 1; i < op->operands; i++) {
			in[i - 1] = pair_source(w, i, high, buffer[i - 1]);
		}
		compute(w, d[high], in, buffer);
		pass_nans(d[high], in, op->row);
		if (isa_flushes(w, op->row, ISA_F32, true)) {
			isa_flush(d[high], d[high], ISA_F32);
		}
		if (op->clamp) {
			scale_and_clamp(d[high], op, ISA_F32);
		}
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
	isa_store_lanes(w, op->o[0].reg + 1, d[1]);
}

/* op_sel_hi: the source is a half, selected by op_sel; neg_lo negates, neg_hi is abs. */
static void mix_source(struct isa_wave *w, unsigned number, uint32_t *buffer)
{
	const struct isa_op *op = w->op;
	struct isa_operand o = op->o[number];
	uint32_t scalar[ISA_BUFFER_WORDS];
	const uint32_t *from = raw(w, &o, 1, scalar);
	unsigned shift = bit(op->sel, number) ? 16 : 0;
	bool half = bit(op->sel_hi, number);
	o.neg |= bit(op->neg_lo, number);
	o.abs |= bit(op->neg_hi, number);
	for (int i = 0; i < ISA_LANES; i++) {
		buffer[i] = half ? isa_f32_bits(isa_f16(from[i] >> shift & 0xffff)) : from[i];
	}
	take_sign(buffer, buffer, &o, ISA_F32);
}

static void run_mix(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *in[3] = {buffer[0], buffer[1], buffer[2]};
	for (unsigned i = 1; i <= 3; i++) {
		mix_source(w, i, buffer[i - 1]);
	}
	compute(w, d, in, buffer);
	for (int i = 0; op->row->number && i < ISA_LANES; i++) {
		d[i] = isa_f16_bits(isa_f32(d[i]));
	}
	isa_result(w, d, op->row->number ? NULL : in);
}

void isa_vector_run(struct isa_wave *w)
{
	w->lanes = isa_mask(w, ISA_EXEC);
	switch (w->op->row->form) {
	case ISA_VALU:
		run_valu(w);
		break;
	case ISA_VCMP:
		run_vcmp(w);
		break;
	case ISA_CARRY:
		run_carry(w);
		break;
	case ISA_PK16:
		run_packed_halves(w);
		break;
	case ISA_PK32:
		run_packed_pairs(w);
		break;
	case ISA_MIX:
		run_mix(w);
		break;
	default:
		isa_lane_run(w);
	}
}
