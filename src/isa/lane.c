/* Special vector instructions: masks, cross-lane, division, 8-bit numbers. */
#include <string.h>

#include "base/msg.h"
#include "isa/machine.h"
#include "isa/number.h"

static void run_cndmask(struct isa_wave *w)
{
	uint32_t buffer[2][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *a = isa_source(w, 1, buffer[0]);
	const uint32_t *b = isa_source(w, 2, buffer[1]);
	uint64_t mask = isa_scalar(w, &w->op->o[3]);
	for (int i = 0; i < ISA_LANES; i++) {
		d[i] = mask >> i & 1 ? b[i] : a[i];
	}
	isa_result(w, d, NULL);
}

/* The first active lane, or lane 0 if none is. */
static void run_readfirstlane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	int lane = exec ? __builtin_ctzll(exec) : 0;
	isa_set_scalar(w, &op->o[0], w->v[op->o[1].reg][lane]);
}

static unsigned lane_of(struct isa_wave *w, const struct isa_operand *o)
{
	return (unsigned)isa_scalar(w, o) & (w->group->p->lanes - 1);
}

static void run_readlane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	isa_set_scalar(w, &op->o[0], w->v[op->o[1].reg][lane_of(w, &op->o[2])]);
}

static void run_writelane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	w->v[op->o[0].reg][lane_of(w, &op->o[2])] = (uint32_t)isa_scalar(w, &op->o[1]);
}

/* The lane for an address; in a wave of 64 on RDNA3 within the same 32 lanes. */
static unsigned named_lane(const struct isa_wave *w, unsigned i, uint32_t address)
{
	unsigned gfx = w->group->p->gfx;
	bool by_32 = gfx >= 0x1000 && gfx < 0x1200;
	unsigned lanes = by_32 ? 32 : w->group->p->lanes;
	return address / 4 % lanes + i / lanes * lanes;
}

/* d, address, data: a lane reads the data of lane (address + offset) / 4, or 0 if that is
 * inactive. */
static void run_bpermute(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	uint32_t d[ISA_LANES];
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t at = w->v[op->o[1].reg][i] + (uint32_t)op->offset;
		unsigned lane = named_lane(w, (unsigned)i, at);
		d[i] = exec >> lane & 1 ? w->v[op->o[2].reg][lane] : 0;
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* The inverse: a lane writes its data to lane (address + offset) / 4. The highest lane wins; lanes
 * without data get 0. */
static void run_permute(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	uint32_t d[ISA_LANES] = {0};
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t at = w->v[op->o[1].reg][i] + (uint32_t)op->offset;
		if (exec >> i & 1) {
			d[named_lane(w, (unsigned)i, at)] = w->v[op->o[2].reg][i];
		}
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* Bit 15 of the offset is set: two bits for each lane of four select the lane it reads. Otherwise
 * lane i of 32 reads lane ((i & and) | or) ^ xor; each mask has five bits. */
static void run_swizzle(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	unsigned how = (unsigned)op->offset;
	uint32_t d[ISA_LANES];
	if (how >= 0xc000) {
		isa_wrong(w, "ds_swizzle_b32 with this pattern is not covered");
		return;
	}
	for (unsigned i = 0; i < ISA_LANES; i++) {
		unsigned in = i & 31;
		unsigned from = how & 0x8000
					? (in & ~3u) | (how >> 2 * (in & 3) & 3)
					: ((in & (how & 31)) | (how >> 5 & 31)) ^ (how >> 10 & 31);
		from |= i & 32;
		d[i] = exec >> from & 1 ? w->v[op->o[1].reg][from] : 0;
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* Counts bits of the mask below the lane, in the low or high half, plus an addend. */
static void run_mbcnt(struct isa_wave *w)
{
	bool high = w->op->row->special == ISA_MBCNT_HI;
	uint32_t buffer[2][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *mask = isa_source(w, 1, buffer[0]);
	const uint32_t *plus = isa_source(w, 2, buffer[1]);
	for (int i = 0; i < ISA_LANES; i++) {
		uint64_t below = ((uint64_t)1 << i) - 1;
		uint32_t part = (uint32_t)(high ? below >> 32 : below);
		d[i] = (uint32_t)__builtin_popcount(mask[i] & part) + plus[i];
	}
	isa_result(w, d, NULL);
}

/* Low from the first source, by op_sel's first bit; high from the second, by its second bit. */
static void run_pk_mov(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t d[2][ISA_LANES];
	for (unsigned i = 0; i < 2; i++) {
		const struct isa_operand *o = &op->o[i + 1];
		unsigned upper = op->sel >> i & 1;
		uint32_t value = o->kind == ISA_OPERAND_VGPR   ? 0
				 : o->kind == ISA_OPERAND_SGPR ? w->s[o->reg + upper]
							       : (uint32_t)o->value;
		for (int lane = 0; lane < ISA_LANES; lane++) {
			d[i][lane] =
				o->kind == ISA_OPERAND_VGPR ? w->v[o->reg + upper][lane] : value;
		}
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
	isa_store_lanes(w, op->o[0].reg + 1, d[1]);
}

/* Reads three numbers, with subnormals by MODE. */
static void read_numbers(
	struct isa_wave *w, const uint32_t *in[3], uint32_t (*buffer)[ISA_BUFFER_WORDS])
{
	enum isa_type t = w->op->row->type[0];
	for (unsigned k = 0; k < 3; k++) {
		in[k] = isa_source(w, k + 1, buffer[k]);
		if (isa_flushes(w, w->op->row, t, false)) {
			isa_flush(buffer[k], in[k], t);
			in[k] = buffer[k];
		}
	}
}

struct isa_op isa_op_without_mask(const struct isa_op *op)
{
	struct isa_op r = *op;
	for (unsigned i = 1; i < 4; i++) {
		r.o[i] = op->o[i + 1];
	}
	return r;
}

/* d, carry, a, b, c: 32 x 32 + 64 bits (V_MAD_U64_U32, V_MAD_I64_I32). The documents define only
 * the unsigned carry. */
static void run_mad_wide(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_op plain = isa_op_without_mask(op);
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	const uint32_t *in[3];
	uint32_t d[ISA_BUFFER_WORDS];
	uint64_t mask = 0;
	w->op = &plain;
	for (unsigned k = 0; k < 3; k++) {
		in[k] = isa_source(w, k + 1, buffer[k]);
	}
	for (int i = 0; i < ISA_LANES; i++) {
		uint64_t c = in[2][i] | (uint64_t)in[2][i + ISA_LANES] << 32;
		int64_t product = (int64_t)(int32_t)in[0][i] * (int32_t)in[1][i];
		uint64_t sum =
			(op->row->number ? (uint64_t)product : (uint64_t)in[0][i] * in[1][i]) + c;
		d[i] = (uint32_t)sum;
		d[i + ISA_LANES] = (uint32_t)(sum >> 32);
		mask |= (uint64_t)(sum < c) << i;
	}
	isa_result(w, d, NULL);
	w->op = op;
	isa_set_scalar(w, &op->o[1], mask & w->lanes);
}

/* ---- division ---- */

struct scaled {
	double d;
	bool vcc;
};

static int exponent(double x, int most)
{
	return isfinite(x) ? ilogb(x) : most;
}

/* V_DIV_SCALE: scales b or c so that the quotient c / b is computed without overflow or underflow.
 * a is b or c. wide: by 2^128, with the limits of f64; otherwise those of f32. */
static struct scaled div_scale(double a, double b, double c, bool wide)
{
	struct scaled r = {a, false};
	int by = wide ? 128 : 64;
	double least = wide ? 0x1p-1022 : 0x1p-126;
	/* biased exponents as in the document: 0 for subnormals */
	int bias = wide ? 1023 : 127;
	int biased_c = fabs(c) < least ? 0 : exponent(c, bias + 1) + bias;
	int biased_b = fabs(b) < least ? 0 : exponent(b, bias + 1) + bias;
	bool b_denormal = b != 0 && fabs(b) < least;
	/* the inverse, in the range of the type */
	bool inverse_denormal = fabs(1.0 / b) > 0 && fabs(1.0 / b) < least;
	double quotient = wide ? c / b : (double)((float)c / (float)b);
	bool quotient_denormal = quotient != 0 && fabs(quotient) < least;
	if (b == 0 || c == 0) {
		r.d = (double)NAN;
	} else if (biased_c - biased_b >= (wide ? 768 : 96)) {
		r.vcc = true;
		r.d = a == b ? ldexp(a, by) : a;
	} else if (b_denormal) {
		r.d = ldexp(a, by);
	} else if (inverse_denormal && quotient_denormal) {
		/* scales down: the documents say up, but that overflows */
		r.vcc = true;
		r.d = a == b ? ldexp(a, -by) : a;
	} else if (inverse_denormal) {
		r.d = ldexp(a, -by);
	} else if (quotient_denormal) {
		r.vcc = true;
		r.d = a == c ? ldexp(a, by) : a;
	} else if (biased_c <= (wide ? 53 : 23)) {
		r.d = ldexp(a, by);
	}
	return r;
}

static double lane_number(const uint32_t *p, int i, bool wide)
{
	return wide ? isa_f64(p[i] | (uint64_t)p[i + ISA_LANES] << 32) : (double)isa_f32(p[i]);
}

static void set_lane_number(uint32_t *d, int i, bool wide, double x)
{
	uint64_t bits = isa_f64_bits(x);
	d[i] = wide ? (uint32_t)bits : isa_f32_bits((float)x);
	if (wide) {
		d[i + ISA_LANES] = (uint32_t)(bits >> 32);
	}
}

static void run_div_scale(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_op plain = isa_op_without_mask(op);
	bool wide = op->row->type[0] == ISA_F64;
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	const uint32_t *in[3];
	uint32_t d[ISA_BUFFER_WORDS];
	uint64_t mask = 0;
	w->op = &plain;
	read_numbers(w, in, buffer);
	for (int i = 0; i < ISA_LANES; i++) {
		struct scaled r = div_scale(lane_number(in[0], i, wide),
			lane_number(in[1], i, wide), lane_number(in[2], i, wide), wide);
		set_lane_number(d, i, wide, r.d);
		mask |= (uint64_t)r.vcc << i;
	}
	isa_result(w, d, NULL);
	w->op = op;
	isa_set_scalar(w, &op->o[1], mask & w->lanes);
}

/* (a * b + c) * 2^by, rounded once to f64 or f32. A product of two f32 is exact in f64; for f64 the
 * sum has the result's precision unless that is subnormal. */
static double scaled_fma(double a, double b, double c, int by, bool wide)
{
	double near = ldexp(fma(a, b, c), by);
	bool again = !wide || fabs(near) < 0x1p-1022;
	return again ? ldexp(isa_fma_odd_f64(a, b, c), by) : near;
}

/* V_DIV_FMAS: a * b + c, scaled back if VCC is set: up if c, the approximate quotient, is large,
 * and down if it is small. */
static void run_div_fmas(struct isa_wave *w)
{
	bool wide = w->op->row->type[0] == ISA_F64;
	uint64_t vcc = isa_mask(w, ISA_VCC);
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	const uint32_t *in[3];
	uint32_t d[ISA_BUFFER_WORDS];
	read_numbers(w, in, buffer);
	for (int i = 0; i < ISA_LANES; i++) {
		double a = lane_number(in[0], i, wide);
		double b = lane_number(in[1], i, wide);
		double c = lane_number(in[2], i, wide);
		int by = !(vcc >> i & 1) ? 0 : (fabs(c) >= 2 ? 1 : -1) * (wide ? 128 : 64);
		set_lane_number(d, i, wide, scaled_fma(a, b, c, by, wide));
	}
	isa_result(w, d, in);
}

/* ---- swaps of registers and rows of lanes ---- */

static void run_movrel(struct isa_wave *w)
{
	isa_store_lanes(w, w->op->o[0].reg, w->v[w->op->o[1].reg]);
}

static void run_swap(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t old[ISA_LANES];
	memcpy(old, w->v[op->o[0].reg], sizeof(old));
	isa_store_lanes(w, op->o[0].reg, w->v[op->o[1].reg]);
	isa_store_lanes(w, op->o[1].reg, old);
}

/* Swaps the odd rows of the first register with the even rows of the second; rows of 16 or 32 lanes
 * (V_PERMLANE16_SWAP_B32, V_PERMLANE32_SWAP_B32). */
static void run_permlane_swap(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	int rows = op->row->special == ISA_PERMLANE16_SWAP ? 16 : 32;
	uint32_t d[2][ISA_LANES];
	memcpy(d[0], w->v[op->o[0].reg], sizeof(d[0]));
	memcpy(d[1], w->v[op->o[1].reg], sizeof(d[1]));
	for (int i = 0; i < ISA_LANES; i++) {
		if (i & rows) {
			d[0][i] = w->v[op->o[1].reg][i - rows];
			d[1][i - rows] = w->v[op->o[0].reg][i];
		}
	}
	isa_store_lanes(w, op->o[0].reg, d[0]);
	isa_store_lanes(w, op->o[1].reg, d[1]);
}

/* d, a, and two words with four bits for each lane of a row of 16: the lane that it reads.
 * permlanex16 reads from the other row of the pair. */
static void run_permlane16(struct isa_wave *w)
{
	bool other = w->op->row->special == ISA_PERMLANEX16;
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	uint64_t which = (uint32_t)isa_scalar(w, &op->o[2]) | isa_scalar(w, &op->o[3]) << 32;
	uint32_t d[ISA_BUFFER_WORDS];
	for (int i = 0; i < ISA_LANES; i++) {
		int from = (i & ~15) | (int)(which >> 4 * (i & 15) & 15);
		from ^= other ? 16 : 0;
		bool has = op->fetch_inactive || exec >> from & 1;
		d[i] = has ? w->v[op->o[1].reg][from] : 0;
		if (!has && !op->bound_zero) {
			w->lanes &= ~((uint64_t)1 << i);
		}
	}
	isa_result(w, d, NULL);
}

/* Does nothing in waves of 32 lanes. */
static void run_permlane64(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t d[ISA_BUFFER_WORDS];
	if (w->group->p->lanes != 64) {
		return;
	}
	for (int i = 0; i < ISA_LANES; i++) {
		d[i] = w->v[op->o[1].reg][i ^ 32];
	}
	isa_result(w, d, NULL);
}

/* ---- 8-bit numbers ---- */

/* gfx942 has FNUZ formats, newer GPUs those of the Open Compute Project. */
static bool has_fnuz(const struct isa_wave *w)
{
	return w->group->p->gfx == 0x942;
}

/* Converts two numbers to a half of the destination: op_sel's third bit. */
static void run_cvt_f8(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[2][ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *a = isa_source(w, 1, buffer[0]);
	const uint32_t *b = isa_source(w, 2, buffer[1]);
	int mantissa = op->row->number;
	unsigned shift = op->o[0].high ? 16 : 0;
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t low = isa_f8_bits(isa_f32(a[i]), mantissa, has_fnuz(w), false);
		uint32_t high = isa_f8_bits(isa_f32(b[i]), mantissa, has_fnuz(w), false);
		d[i] = (w->v[op->o[0].reg][i] & ~(0xffffu << shift)) | (low | high << 8) << shift;
	}
	isa_store_lanes(w, op->o[0].reg, d);
}

/* Converts a byte of the first source. op_sel's bits 0 and 1, byte_sel or SDWA selects it. */
static void run_cvt_from_f8(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *a = isa_source(w, 1, buffer);
	unsigned shift = 8 * ((op->sel & 1) << 1 | (op->sel >> 1 & 1));
	for (int i = 0; i < ISA_LANES; i++) {
		d[i] = isa_f32_bits(isa_f8(a[i] >> shift & 0xff, op->row->number, has_fnuz(w)));
	}
	isa_result(w, d, NULL);
}

static void run_cvt_pk_from_f8(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t buffer[ISA_BUFFER_WORDS];
	uint32_t d[ISA_BUFFER_WORDS];
	const uint32_t *a = isa_source(w, 1, buffer);
	unsigned shift = op->sel & 1 ? 16 : 0;
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t two = a[i] >> shift;
		d[i] = isa_f32_bits(isa_f8(two & 0xff, op->row->number, has_fnuz(w)));
		d[i + ISA_LANES] =
			isa_f32_bits(isa_f8(two >> 8 & 0xff, op->row->number, has_fnuz(w)));
	}
	isa_result(w, d, NULL);
}

/* For each bit: d = the table's bit at index a, b, c. */
static void run_bitop3(struct isa_wave *w)
{
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	const uint32_t *in[3];
	uint32_t d[ISA_BUFFER_WORDS];
	for (unsigned k = 0; k < 3; k++) {
		in[k] = isa_source(w, k + 1, buffer[k]);
	}
	for (int i = 0; i < ISA_LANES; i++) {
		d[i] = 0;
		for (unsigned k = 0; k < 8; k++) {
			uint32_t term = (k & 4 ? in[0][i] : ~in[0][i]) &
					(k & 2 ? in[1][i] : ~in[1][i]) &
					(k & 1 ? in[2][i] : ~in[2][i]);
			d[i] |= w->op->table >> k & 1 ? term : 0;
		}
	}
	isa_result(w, d, NULL);
}

static void run_dot_iu(struct isa_wave *w)
{
	uint32_t buffer[3][ISA_BUFFER_WORDS];
	const uint32_t *in[3];
	uint32_t d[ISA_BUFFER_WORDS];
	unsigned sign = w->op->neg_lo;
	for (unsigned k = 0; k < 3; k++) {
		in[k] = isa_source(w, k + 1, buffer[k]);
	}
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t dot = isa_dot(
			in[0][i], in[1][i], (unsigned)w->op->row->number, sign & 1, sign >> 1 & 1);
		d[i] = w->op->clamp ? (uint32_t)isa_add_clamp(dot, (int32_t)in[2][i])
				    : in[2][i] + dot;
	}
	isa_result(w, d, NULL);
}

static void (*const run[])(struct isa_wave *w) = {
	[ISA_CNDMASK] = run_cndmask,
	[ISA_READFIRSTLANE] = run_readfirstlane,
	[ISA_READLANE] = run_readlane,
	[ISA_WRITELANE] = run_writelane,
	[ISA_PK_MOV] = run_pk_mov,
	[ISA_MAD_WIDE] = run_mad_wide,
	[ISA_BPERMUTE] = run_bpermute,
	[ISA_PERMUTE] = run_permute,
	[ISA_SWIZZLE] = run_swizzle,
	[ISA_MBCNT_LO] = run_mbcnt,
	[ISA_MBCNT_HI] = run_mbcnt,
	[ISA_DIV_SCALE] = run_div_scale,
	[ISA_DIV_FMAS] = run_div_fmas,
	[ISA_MOVREL] = run_movrel,
	[ISA_SWAP] = run_swap,
	[ISA_PERMLANE16] = run_permlane16,
	[ISA_PERMLANEX16] = run_permlane16,
	[ISA_PERMLANE64] = run_permlane64,
	[ISA_PERMLANE16_SWAP] = run_permlane_swap,
	[ISA_PERMLANE32_SWAP] = run_permlane_swap,
	[ISA_CVT_F8] = run_cvt_f8,
	[ISA_CVT_FROM_F8] = run_cvt_from_f8,
	[ISA_CVT_PK_FROM_F8] = run_cvt_pk_from_f8,
	[ISA_BITOP3] = run_bitop3,
	[ISA_DOT_IU] = run_dot_iu,
};

void isa_lane_run(struct isa_wave *w)
{
	enum isa_special what = w->op->row->special;
	if (what >= sizeof(run) / sizeof(run[0]) || !run[what]) {
		BUG("%s has no semantics", w->op->row->name);
	}
	run[what](w);
}
