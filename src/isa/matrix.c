/*
 * Matrix operations: layouts and arithmetic as verify/runtime/matrix.cpp and unphi/matrix.h state
 * them, for the same table of operations. Rules: "CDNA4" 7.1.4 (layouts), 7.1.5 (formats of 8 bits
 * and less), 7.1.6 (cbsz, abid, blgp), 7.2 (scales), 7.5 (sparse), "RDNA3" 7.9, "RDNA4" 7.12
 * (wmma).
 */
#include <math.h>
#include <string.h>

#include "isa/matrix.h"
#include "isa/number.h"

static const struct {
	const char *name;
	unsigned bits;
} kinds[KINDS] = {{"f32", 32}, {"xf32", 32}, {"f16", 16}, {"bf16", 16}, {"fp8", 8}, {"bf8", 8},
	{"f64", 64}, {"i8", 8}, {"iu8", 8}, {"iu4", 4}, {"i32", 32}, {"mx", 8}};

static enum kind kind_of(const char *name)
{
	unsigned i = 0;
	while (i + 1 < KINDS && strcmp(kinds[i].name, name) != 0) {
		i++;
	}
	return (enum kind)i;
}

static uint32_t bits_at(const struct isa_wave *w, unsigned reg, int lane, int k, unsigned bits)
{
	unsigned at = (unsigned)k * bits;
	uint32_t x = w->v[reg + at / 32][lane] >> at % 32;
	return bits == 32 ? x : x & ((1u << bits) - 1);
}

static void note_element(const struct product *p, unsigned reg, int lane, int k, unsigned bits)
{
	unsigned at = (unsigned)k * bits;
	if (p->of) {
		p->of->last = (struct element_from){(uint16_t)(reg + at / 32), (uint8_t)lane,
			(uint8_t)(at % 32), (uint8_t)bits};
	}
}

/* Element k of a lane's A or B. */
static double element(const struct isa_wave *w, const struct product *p, enum kind t, unsigned reg,
	int lane, int k)
{
	note_element(p, reg, lane, k, kinds[t].bits);
	if (t == KIND_F64) {
		reg += 2 * (unsigned)k;
		return isa_f64(w->v[reg][lane] | (uint64_t)w->v[reg + 1][lane] << 32);
	}
	uint32_t x = bits_at(w, reg, lane, k, kinds[t].bits);
	switch (t) {
	case KIND_XF32: /* 10 bits of mantissa */
		x += (x & 0x7f800000) == 0x7f800000 ? 0 : 0xfff + (x >> 13 & 1);
		return (double)isa_f32(x & ~0x1fffu);
	case KIND_F16:
		return (double)isa_f16(x);
	case KIND_BF16:
		return (double)isa_bf16(x);
	case KIND_FP8:
	case KIND_BF8:
		return (double)isa_f8(x, t == KIND_FP8 ? 3 : 2, p->fnuz);
	case KIND_I8:
		return (int8_t)x;
	default:
		return (double)isa_f32(x);
	}
}

static double small_integer(
	const struct isa_wave *w, unsigned reg, int lane, int k, unsigned bits, bool is_signed)
{
	uint32_t x = bits_at(w, reg, lane, k, bits);
	uint32_t top = 1u << (bits - 1);
	return is_signed ? (double)(int32_t)((x ^ top) - top) : (double)x;
}

/* ---- a row of D ---- */

static int k_of(const struct product *p, int i, int number)
{
	return p->sparse ? p->k_of[i][number] : number;
}

/* Rounds after each product and each sum, without contraction. */
static void sum_row_f32(float *sum, const struct product *p, int i)
{
	for (int t = 0; t < p->terms; t++) {
		const float *b = p->fb[k_of(p, i, t)];
		float a = p->fa[i][t];
		for (int j = 0; j < p->n; j++) {
			float product = a * b[j];
			sum[j] += product;
		}
	}
}

/* A product with both scales is exact before rounding. */
static void sum_row_mx(float *sum, const struct product *p, int i)
{
	for (int k = 0; k < p->k; k++) {
		for (int j = 0; j < p->n; j++) {
			float product = (float)(p->a[i][k] * p->b[k][j]);
			sum[j] += product;
		}
	}
}

static void sum_row_f64(double *sum, const struct product *p, int i)
{
	for (int k = 0; k < p->k; k++) {
		for (int j = 0; j < p->n; j++) {
			double product = p->a[i][k] * p->b[k][j];
			sum[j] += product;
		}
	}
}

static void sum_row_i32(int64_t *sum, const struct product *p, int i)
{
	for (int t = 0; t < p->terms; t++) {
		const double *b = p->b[k_of(p, i, t)];
		for (int j = 0; j < p->n; j++) {
			sum[j] += (int64_t)p->a[i][t] * (int64_t)b[j];
		}
	}
}

/* ---- layouts ---- */

static struct place result_place(const struct isa_matrix *m, bool is_f64, int block, int i, int j)
{
	int rows = 64 / m->n;
	if (is_f64) {
		return m->m == 4 ? (struct place){j + 4 * (block + 4 * i), 0}
				 : (struct place){j + 16 * (i % 4), i / 4};
	}
	if (m->m == 4) {
		return (struct place){j + 4 * block, i};
	}
	return (struct place){
		j + m->n * (i / 4 % rows), i % 4 + 4 * (i / (4 * rows)) + m->m * m->n / 64 * block};
}

static void row_f64(struct product *p, const struct place *at, int i)
{
	double sum[SIZE_MOST];
	for (int j = 0; j < p->n; j++) {
		const uint32_t *low = &p->d[2 * at[j].element][at[j].lane];
		sum[j] = isa_f64(low[0] | (uint64_t)low[ISA_LANES] << 32) * p->sign_c;
	}
	sum_row_f64(sum, p, i);
	for (int j = 0; j < p->n; j++) {
		uint32_t *low = &p->d[2 * at[j].element][at[j].lane];
		low[0] = (uint32_t)isa_f64_bits(sum[j]);
		low[ISA_LANES] = (uint32_t)(isa_f64_bits(sum[j]) >> 32);
	}
}

/* Exact in 64 bits; wraps, or saturates with clamp, at the end. */
static void row_i32(struct product *p, const struct place *at, int i)
{
	int64_t sum[SIZE_MOST];
	for (int j = 0; j < p->n; j++) {
		sum[j] = (int32_t)p->d[at[j].element][at[j].lane];
	}
	sum_row_i32(sum, p, i);
	for (int j = 0; j < p->n; j++) {
		int64_t x = sum[j];
		int64_t near = x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
		p->d[at[j].element][at[j].lane] = (uint32_t)(p->clamp ? near : x);
	}
}

/* For f16 and bf16 results the sum is in f32, and is rounded once, at the end, to a half of the
 * register. */
static void row_f32(struct product *p, const struct place *at, int i)
{
	float sum[SIZE_MOST];
	unsigned shift = p->high ? 16 : 0;
	for (int j = 0; j < p->n; j++) {
		uint32_t x = p->d[at[j].element][at[j].lane];
		sum[j] = p->kc == KIND_F32   ? isa_f32(x)
			 : p->kc == KIND_F16 ? isa_f16(x >> shift & 0xffff)
					     : isa_bf16(x >> shift & 0xffff);
	}
	(p->ka == KIND_MX ? sum_row_mx : sum_row_f32)(sum, p, i);
	for (int j = 0; j < p->n; j++) {
		uint32_t *d = &p->d[at[j].element][at[j].lane];
		uint32_t half = p->kc == KIND_F16 ? isa_f16_bits(sum[j]) : isa_bf16_bits(sum[j]);
		*d = p->kc == KIND_F32 ? isa_f32_bits(sum[j])
				       : (*d & ~(0xffffu << shift)) | half << shift;
	}
}

static void multiply_row(struct product *p, const struct place *at, int i)
{
	if (p->of) {
		p->w->group->calls->row(p, at, i);
	}
	if (p->kc == KIND_F64) {
		row_f64(p, at, i);
	} else if (p->kc == KIND_I32) {
		row_i32(p, at, i);
	} else {
		row_f32(p, at, i);
	}
}

static void set(struct product *p, int i, int k, double x)
{
	p->a[i][k] = x;
	p->fa[i][k] = (float)x;
	if (p->of) {
		p->of->a[i][k] = p->of->last;
	}
}

static void set_b(struct product *p, int k, int j, double x)
{
	p->b[k][j] = x;
	p->fb[k][j] = (float)x;
	if (p->of) {
		p->of->b[k][j] = p->of->last;
	}
}

/* ---- mfma ---- */

/* The lane whose B a lane reads. */
static int blgp_lane(int blgp, int lane)
{
	switch (blgp) {
	case 0:
		return lane;
	case 1:
		return lane % 32;
	case 2:
		return 32 + lane % 32;
	case 3:
		return (lane + 16) % 64;
	default:
		return (blgp - 4) * 16 + lane % 16;
	}
}

static void take_block(
	struct product *p, const struct isa_wave *w, const struct isa_matrix *m, int block)
{
	const struct isa_op *op = w->op;
	bool is_f64 = p->kc == KIND_F64;
	int each = m->m * m->k * m->blocks / 64;
	int groups = m->k / each;
	int a_block = op->cbsz ? (block & ~((1 << op->cbsz) - 1)) + op->abid : block;
	bool four = is_f64 && m->m == 4;
	double sign_a = is_f64 && op->blgp & 1 ? -1 : 1;
	double sign_b = is_f64 && op->blgp & 2 ? -1 : 1;
	for (int k = 0; k < m->k; k++) {
		int group = k / each;
		int ga = four ? a_block + 4 * group : group + groups * a_block;
		int gb = four ? block + 4 * group : group + groups * block;
		for (int i = 0; i < m->m; i++) {
			double x = element(w, p, p->ka, op->o[1].reg, i + m->m * ga, k % each);
			set(p, i, k, sign_a * x);
		}
		for (int j = 0; j < m->n; j++) {
			int lane = j + m->n * gb;
			lane = is_f64 ? lane : blgp_lane(op->blgp, lane);
			double x = element(w, p, p->kb, op->o[2].reg, lane, k % each);
			set_b(p, k, j, sign_b * x);
		}
	}
}

static void run_mfma(struct product *p, struct isa_wave *w, const struct isa_matrix *m)
{
	struct place at[SIZE_MOST];
	for (int block = 0; block < m->blocks; block++) {
		take_block(p, w, m, block);
		for (int i = 0; i < m->m; i++) {
			for (int j = 0; j < m->n; j++) {
				at[j] = result_place(m, p->kc == KIND_F64, block, i, j);
			}
			multiply_row(p, at, i);
		}
	}
}

/* ---- mfma_scale ---- */

/* OCP's formats by their codes: e4m3, e5m2, e2m3, e3m2, e2m1. */
static const struct {
	unsigned bits;
	int mantissa;
} mx[] = {{8, 3}, {8, 2}, {6, 3}, {6, 2}, {4, 1}};

enum {
	MX_FORMATS = sizeof(mx) / sizeof(mx[0])
};

static double mx_number(uint32_t code, unsigned format)
{
	int mantissa = mx[format].mantissa;
	if (mx[format].bits == 8) {
		return (double)isa_f8(code, mantissa, false);
	}
	int exponents = (int)mx[format].bits - 1 - mantissa;
	int bias = (1 << (exponents - 1)) - 1;
	int e = (int)(code >> mantissa) & ((1 << exponents) - 1);
	int m = (int)code & ((1 << mantissa) - 1);
	double x = ldexp(e ? m + (1 << mantissa) : m, (e ? e : 1) - bias - mantissa);
	return code >> (mx[format].bits - 1) ? -x : x;
}

/* Element e of a lane's operand; a 6-bit element may span two registers. */
static double mx_element(const struct isa_wave *w, unsigned reg, int lane, int e, unsigned format)
{
	unsigned bits = mx[format].bits;
	unsigned at = (unsigned)e * bits;
	uint64_t x = w->v[reg + at / 32][lane];
	if (at % 32 + bits > 32) {
		x |= (uint64_t)w->v[reg + at / 32 + 1][lane] << 32;
	}
	return mx_number((uint32_t)(x >> at % 32) & ((1u << bits) - 1), format);
}

static struct element_from mx_from(unsigned reg, int lane, int e, unsigned format)
{
	unsigned at = (unsigned)e * mx[format].bits;
	return (struct element_from){(uint16_t)(reg + at / 32), (uint8_t)lane, (uint8_t)(at % 32),
		(uint8_t)mx[format].bits};
}

static int mx_k(unsigned format, int k, int group, int e)
{
	return mx[format].bits == 8 ? k / 2 * (e / 16) + 16 * group + e % 16
				    : MX_ELEMENTS * group + e;
}

unsigned isa_scale_byte(const struct isa_op *op, unsigned operand)
{
	unsigned of = operand - 4;
	return (op->sel >> of & 1) | (op->sel_hi >> of & 1) << 1;
}

/* E8M0: a power of two, or NaN. operand: 4 is A's, 5 is B's. */
static double mx_scale(const struct isa_wave *w, unsigned operand, int lane)
{
	const struct isa_operand *o = &w->op->o[operand];
	unsigned byte = isa_scale_byte(w->op, operand);
	uint32_t word =
		o->kind == ISA_OPERAND_VGPR ? w->v[o->reg][lane] : (uint32_t)isa_scalar(w, o);
	uint32_t code = word >> 8 * byte & 0xff;
	return code == 0xff ? (double)NAN : ldexp(1, (int)code - 127);
}

static void run_scaled(struct product *p, struct isa_wave *w, const struct isa_matrix *m)
{
	const struct isa_op *op = w->op;
	bool scaled = op->operands == 6;
	struct place at[SIZE_MOST];
	for (int lane = 0; lane < ISA_LANES; lane++) {
		int row = lane % m->m;
		for (int e = 0; e < MX_ELEMENTS; e++) {
			int ka = mx_k(op->cbsz, m->k, lane / m->m, e);
			int kb = mx_k(op->blgp, m->k, lane / m->n, e);
			double a = mx_element(w, op->o[1].reg, lane, e, op->cbsz);
			double b = mx_element(w, op->o[2].reg, lane, e, op->blgp);
			int la = row + m->m * (ka / MX_ELEMENTS);
			int lb = row + m->n * (kb / MX_ELEMENTS);
			p->a[row][ka] = scaled ? a * mx_scale(w, 4, la) : a;
			p->b[kb][row] = scaled ? b * mx_scale(w, 5, lb) : b;
			if (p->of) {
				p->of->a[row][ka] = mx_from(op->o[1].reg, lane, e, op->cbsz);
				p->of->b[kb][row] = mx_from(op->o[2].reg, lane, e, op->blgp);
			}
		}
	}
	for (int i = 0; i < m->m; i++) {
		for (int j = 0; j < m->n; j++) {
			at[j] = result_place(m, false, 0, i, j);
		}
		multiply_row(p, at, i);
	}
}

static const char *mx_refuses(const struct isa_op *op, unsigned n)
{
	const struct isa_operand *o = op->o;
	bool ok = op->cbsz < MX_FORMATS && op->blgp < MX_FORMATS && !op->abid;
	ok = ok && o[0].regs == n && o[1].regs == mx[op->cbsz].bits &&
	     o[2].regs == mx[op->blgp].bits;
	for (unsigned i = 4; i < op->operands; i++) {
		bool single = o[i].kind == ISA_OPERAND_VGPR || o[i].kind == ISA_OPERAND_SGPR;
		ok = ok && (single ? o[i].regs == 1 : o[i].kind == ISA_OPERAND_CONSTANT);
	}
	return ok ? NULL : "a matrix operation with these operands is not covered";
}

/* ---- smfmac and swmmac: A has two of each four k, selected by the index ---- */

static void set_term(struct product *p, int i, int number, int k, double x)
{
	set(p, i, number, x);
	p->k_of[i][number] = (uint8_t)k;
}

/* Sorts by k: the two terms of a group may be in either order. */
static void sort_terms(struct product *p, int rows)
{
	for (int i = 0; i < rows; i++) {
		for (int t = 0; t < p->terms; t += 2) {
			if (p->k_of[i][t] > p->k_of[i][t + 1]) {
				double first = p->a[i][t];
				int k = p->k_of[i][t];
				struct element_from from[2];
				if (p->of) {
					memcpy(from, &p->of->a[i][t], sizeof(from));
					p->of->last = from[1];
				}
				set_term(p, i, t, p->k_of[i][t + 1], p->a[i][t + 1]);
				if (p->of) {
					p->of->last = from[0];
				}
				set_term(p, i, t + 1, k, first);
			}
		}
	}
}

static void run_smfmac(struct product *p, struct isa_wave *w, const struct isa_matrix *m)
{
	const struct isa_op *op = w->op;
	int n = m->m * m->k / 64; /* elements of B per lane; also bits of the index per lane of A */
	int set_of_bits = op->cbsz == 0 ? op->abid & (32 / n - 1) : 0;
	struct place at[SIZE_MOST];
	p->sparse = true;
	p->terms = m->k / 2;
	for (int lane = 0; lane < ISA_LANES; lane++) {
		int group = lane / m->m;
		for (int e = 0; e < n / 2; e++) {
			int chosen =
				(int)(w->v[op->o[3].reg][lane] >> (set_of_bits * n + 2 * e) & 3);
			set_term(p, lane % m->m, group * n / 2 + e, group * n + e / 2 * 4 + chosen,
				element(w, p, p->ka, op->o[1].reg, lane, e));
		}
		for (int e = 0; e < n; e++) {
			double x = element(w, p, p->kb, op->o[2].reg, lane, e);
			set_b(p, group * n + e, lane % m->n, x);
		}
	}
	sort_terms(p, m->m);
	for (int i = 0; i < m->m; i++) {
		for (int j = 0; j < m->n; j++) {
			at[j] = result_place(m, false, 0, i, j);
		}
		multiply_row(p, at, i);
	}
}

/* ---- wmma ---- */

static double wmma_element(
	const struct isa_wave *w, const struct product *p, unsigned operand, int lane, int k)
{
	enum kind t = operand == 1 ? p->ka : p->kb;
	unsigned reg = w->op->o[operand].reg;
	if (t == KIND_IU8 || t == KIND_IU4) {
		note_element(p, reg, lane, k, kinds[t].bits);
		return small_integer(
			w, reg, lane, k, kinds[t].bits, w->op->neg_lo >> (operand - 1) & 1);
	}
	return element(w, p, t, reg, lane, k);
}

/* The copies of a row must be equal; otherwise the result is not documented. */
static bool has_copies(struct isa_wave *w)
{
	for (unsigned operand = 1; operand <= 2; operand++) {
		const struct isa_operand *o = &w->op->o[operand];
		for (unsigned i = 0; i < o->regs; i++) {
			for (unsigned lane = 16; lane < w->group->p->lanes; lane++) {
				if (w->v[o->reg + i][lane] != w->v[o->reg + i][lane % 16] ||
					(w->group->shadow && !w->group->calls->same(w, o->reg + i,
								     lane, lane % 16))) {
					isa_wrong(w, "the lanes of a wmma hold different copies of "
						     "a row");
					return false;
				}
			}
		}
	}
	return true;
}

/* The lane (of row 0) and position of element k in a row of K elements. */
static struct place gfx12_place(int lanes, int bits, int K, int k)
{
	int groups = lanes / 16;
	int run = bits == 16 ? K / 4 : K / groups < 32 / bits ? 32 / bits : K / groups;
	int at = k / run;
	if (bits == 16) {
		return (struct place){16 * (at % groups), k % run + run * (at / groups)};
	}
	return (struct place){K / run == 4 ? 16 * (at / 2) + 32 * (at % 2) : 16 * at, k % run};
}

/* The place of row i of D. */
static struct place gfx12_result(int lanes, int i)
{
	return lanes == 32 ? (struct place){16 * (i / 8), i % 8}
			   : (struct place){16 * (i / 8) + 32 * (i / 4 % 2), i % 4};
}

/* The position in a group of four for element e of a lane's A; index_key selects the part of the
 * index register. */
static int swmmac_chosen(const struct isa_wave *w, const struct product *p, int lane, int e)
{
	const struct isa_op *op = w->op;
	unsigned bits = 2 * op->o[1].regs * 32 / kinds[p->ka].bits;
	uint32_t index = w->v[op->o[3].reg][lane] >> (bits * op->index_key & 31);
	return (int)(index >> 2 * e & 3);
}

static void take_gfx12_a(struct product *p, struct isa_wave *w)
{
	for (int t = 0; t < p->terms; t++) {
		struct place from =
			gfx12_place((int)w->group->p->lanes, (int)kinds[p->ka].bits, p->terms, t);
		for (int i = 0; i < 16; i++) {
			int lane = i + from.lane;
			int k = p->sparse ? t / 2 * 4 + swmmac_chosen(w, p, lane, from.element) : t;
			set_term(p, i, t, k, wmma_element(w, p, 1, lane, from.element));
		}
	}
}

static void run_gfx12_wmma(struct product *p, struct isa_wave *w)
{
	int lanes = (int)w->group->p->lanes;
	int bits = (int)kinds[p->kb].bits;
	bool is_half = kinds[p->kc].bits == 16;
	struct place at[SIZE_MOST];
	p->clamp = w->op->clamp;
	p->sparse = w->op->row->special == ISA_SWMMAC;
	p->terms = p->sparse ? p->k / 2 : p->k;
	take_gfx12_a(p, w);
	sort_terms(p, p->sparse ? 16 : 0);
	for (int k = 0; k < p->k; k++) {
		struct place from = gfx12_place(lanes, bits, p->k, k);
		for (int i = 0; i < 16; i++) {
			set_b(p, k, i, wmma_element(w, p, 2, i + from.lane, from.element));
		}
	}
	for (int i = 0; i < 16; i++) {
		struct place to = gfx12_result(lanes, i);
		p->high = is_half && to.element % 2;
		for (int j = 0; j < 16; j++) {
			at[j] = (struct place){j + to.lane, is_half ? to.element / 2 : to.element};
		}
		multiply_row(p, at, i);
	}
}

static void run_wmma(struct product *p, struct isa_wave *w)
{
	int rows = (int)w->group->p->lanes / 16;
	struct place at[SIZE_MOST];
	if (w->op->row->matrix.gfx12) {
		run_gfx12_wmma(p, w);
		return;
	}
	if (!has_copies(w)) {
		return;
	}
	p->high = w->op->sel >> 2 & 1;
	p->clamp = w->op->clamp;
	for (int i = 0; i < 16; i++) {
		for (int k = 0; k < 16; k++) {
			set(p, i, k, wmma_element(w, p, 1, i, k));
			set_b(p, k, i, wmma_element(w, p, 2, i, k));
		}
	}
	for (int i = 0; i < 16; i++) {
		for (int j = 0; j < 16; j++) {
			at[j] = (struct place){j + 16 * (i % rows), i / rows};
		}
		multiply_row(p, at, i);
	}
}

/* ---- operands ---- */

static unsigned result_registers(const struct isa_row *r, unsigned lanes)
{
	const struct isa_matrix *m = &r->matrix;
	unsigned n = (unsigned)(m->m * m->n * m->blocks) / lanes;
	return strcmp(m->c, "f64") == 0			     ? 2 * n
	       : m->gfx12 && kinds[kind_of(m->c)].bits == 16 ? n / 2
							     : n;
}

static unsigned source_registers(const struct isa_row *r, bool b)
{
	const struct isa_matrix *m = &r->matrix;
	unsigned bits = kinds[kind_of(b ? m->b : m->a)].bits;
	unsigned n = (unsigned)(m->m * m->k * m->blocks);
	if (m->gfx12) { /* at least one register */
		n /= r->special == ISA_SWMMAC && !b ? 2 : 1;
		unsigned all = n / (unsigned)r->number * bits;
		return all < 32 ? 1 : all / 32;
	}
	if (r->special == ISA_WMMA) {
		return 16 * bits / 32;
	}
	return (r->special == ISA_SMFMAC && !b ? n / 2 : n) / 64 * bits / 32;
}

const char *isa_matrix_refuses(const struct isa_op *op, unsigned lanes)
{
	const struct isa_row *r = op->row;
	const struct isa_operand *o = op->o;
	unsigned n = result_registers(r, lanes);
	bool vgprs = o[0].kind == ISA_OPERAND_VGPR && o[1].kind == ISA_OPERAND_VGPR &&
		     o[2].kind == ISA_OPERAND_VGPR;
	if (vgprs && isa_is_scaled(r)) {
		return mx_refuses(op, n);
	}
	if (!vgprs || o[0].regs != n || n > DWORDS_MOST ||
		o[1].regs != source_registers(r, false) || o[2].regs != source_registers(r, true)) {
		return "a matrix operation with these operands is not covered";
	}
	if (r->special == ISA_SMFMAC || r->special == ISA_SWMMAC) {
		return o[3].kind == ISA_OPERAND_VGPR && o[3].regs == 1 ? NULL : "unknown index";
	}
	if (o[3].kind == ISA_OPERAND_VGPR ? o[3].regs != n : o[3].kind != ISA_OPERAND_CONSTANT) {
		return "a matrix operation with these operands is not covered";
	}
	bool is_f64 = strcmp(r->matrix.c, "f64") == 0;
	if (1 << op->cbsz > r->matrix.blocks || op->abid >= 1 << op->cbsz || (is_f64 && op->cbsz)) {
		return r->special == ISA_MFMA ? "unknown cbsz or abid" : NULL;
	}
	return NULL;
}

/* C: registers, or a constant in all elements. */
static void take_c(struct product *p, const struct isa_wave *w, unsigned n)
{
	const struct isa_op *op = w->op;
	bool accumulates = op->row->special == ISA_SMFMAC || op->row->special == ISA_SWMMAC;
	const struct isa_operand *c = &op->o[accumulates ? 0 : 3];
	bool wide = p->kc == KIND_F64;
	for (unsigned i = 0; i < n; i++) {
		for (int lane = 0; lane < ISA_LANES; lane++) {
			p->d[i][lane] = c->kind == ISA_OPERAND_VGPR
						? w->v[c->reg + i][lane]
						: (uint32_t)(c->value >> (wide && i % 2 ? 32 : 0));
		}
	}
}

/* All lanes take part, independent of EXEC. */
void isa_matrix_run(struct isa_wave *w)
{
	const struct isa_row *r = w->op->row;
	const struct isa_matrix *m = &r->matrix;
	unsigned n = result_registers(r, w->group->p->lanes);
	unsigned gfx = w->group->p->gfx;
	struct product p;
	p.ka = kind_of(m->a);
	p.kb = kind_of(m->b);
	p.kc = kind_of(m->c);
	p.n = m->n;
	p.k = p.terms = m->k;
	p.sparse = false;
	p.fnuz = gfx == 0x942;
	p.sign_c = p.kc == KIND_F64 && w->op->blgp & 4 ? -1 : 1;
	p.high = p.clamp = false;
	p.w = w;
	p.of = NULL;
	take_c(&p, w, n);
	if (w->group->shadow) {
		w->group->calls->product(&p, n);
	}
	if (isa_is_scaled(r)) {
		run_scaled(&p, w, m);
	} else if (r->special == ISA_MFMA) {
		run_mfma(&p, w, m);
	} else if (r->special == ISA_SMFMAC) {
		run_smfmac(&p, w, m);
	} else {
		run_wmma(&p, w);
	}
	memcpy(w->v[w->op->o[0].reg], p.d, n * sizeof(p.d[0]));
	if (w->group->shadow) {
		w->group->calls->product_end(&p, n);
	}
}
