/*
 * Matrix operations: layouts and arithmetic as verify/runtime/matrix.cpp and unphi/matrix.h state
 * them, for the same table of operations.
 */
#include <string.h>

#include "isa/machine.h"

enum {
	DWORDS_MOST = 32
};

static float half(uint16_t bits)
{
	uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
	uint32_t rest = bits & 0x7fffu;
	uint32_t out;
	float f;
	if (rest < 0x400) { /* zero or subnormal: rest * 2^-24, exactly */
		f = (float)rest * 0x1p-24f;
		memcpy(&out, &f, sizeof(out));
	} else if (rest >= 0x7c00) {
		out = 0x7f800000 | (rest & 0x3ff) << 13;
	} else {
		out = (rest + ((127 - 15) << 10)) << 13;
	}
	out |= sign;
	memcpy(&f, &out, sizeof(f));
	return f;
}

/* Element k of a lane's A or B. */
static float element(const struct isa_wave *w, const char *type, unsigned reg, int lane, int k)
{
	uint32_t bits;
	float f;
	if (strcmp(type, "f32") == 0) {
		memcpy(&f, &w->v[reg + (unsigned)k][lane], sizeof(f));
		return f;
	}
	bits = w->v[reg + (unsigned)k / 2][lane] >> (k % 2 * 16) & 0xffff;
	if (strcmp(type, "f16") == 0) {
		return half((uint16_t)bits);
	}
	bits <<= 16;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

struct place {
	int lane;
	int element;
};

static struct place result_place(const struct isa_matrix *m, int block, int i, int j)
{
	int rows = 64 / m->n;
	if (m->m == 4) {
		return (struct place){j + 4 * block, i};
	}
	return (struct place){
		j + m->n * (i / 4 % rows), i % 4 + 4 * (i / (4 * rows)) + m->m * m->n / 64 * block};
}

/* Row i of A, or column i of B with size n, as k successive numbers. */
static void take(float *out, const struct isa_wave *w, const char *type, unsigned reg,
	const struct isa_matrix *m, int size, int block, int i)
{
	int each = size * m->k * m->blocks / 64;
	for (int k = 0; k < m->k; k++) {
		int lane = i + size * (k / each + m->k / each * block);
		out[k] = element(w, type, reg, lane, k % each);
	}
}

static float result(const float *a, const float *b, const struct isa_matrix *m, uint32_t c)
{
	float sum;
	memcpy(&sum, &c, sizeof(sum));
	for (int k = 0; k < m->k; k++) {
		float product = a[k] * b[k];
		sum += product;
	}
	return sum;
}

static void multiply_block(
	uint32_t (*d)[ISA_LANES], const struct isa_wave *w, const struct isa_matrix *m, int block)
{
	const struct isa_operand *o = w->op->o;
	float a[32][32];
	float b[32][32];
	for (int i = 0; i < m->m; i++) {
		take(a[i], w, m->a, o[1].reg, m, m->m, block, i);
	}
	for (int j = 0; j < m->n; j++) {
		take(b[j], w, m->b, o[2].reg, m, m->n, block, j);
	}
	for (int i = 0; i < m->m; i++) {
		for (int j = 0; j < m->n; j++) {
			struct place at = result_place(m, block, i, j);
			float sum = result(a[i], b[j], m, d[at.element][at.lane]);
			memcpy(&d[at.element][at.lane], &sum, sizeof(sum));
		}
	}
}

static bool is_float(const char *type)
{
	return strcmp(type, "f32") == 0 || strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0;
}

static unsigned dwords(const struct isa_matrix *m, int size, const char *type)
{
	return (unsigned)(size * m->k * m->blocks / 64) * (strcmp(type, "f32") == 0 ? 4 : 2) / 4;
}

static bool is_covered(const struct isa_wave *w, unsigned n)
{
	const struct isa_matrix *m = &w->op->row->matrix;
	const struct isa_operand *o = w->op->o;
	bool registers = o[0].kind == ISA_OPERAND_VGPR && o[1].kind == ISA_OPERAND_VGPR &&
			 o[2].kind == ISA_OPERAND_VGPR && o[0].regs == n && n <= DWORDS_MOST;
	return registers && is_float(m->a) && is_float(m->b) && strcmp(m->c, "f32") == 0 &&
	       o[1].regs == dwords(m, m->m, m->a) && o[2].regs == dwords(m, m->n, m->b);
}

/* All lanes take part, whatever EXEC says. */
void isa_matrix_run(struct isa_wave *w)
{
	const struct isa_matrix *m = &w->op->row->matrix;
	const struct isa_operand *o = w->op->o;
	unsigned n = (unsigned)(m->m * m->n * m->blocks / 64);
	uint32_t d[DWORDS_MOST][ISA_LANES];
	bool from_registers = o[3].kind == ISA_OPERAND_VGPR && o[3].regs == n;
	bool zero = o[3].kind == ISA_OPERAND_INT && o[3].value == 0;
	if (!is_covered(w, n) || (!from_registers && !zero)) {
		isa_wrong(w, "a matrix operation with these types or operands is not covered");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		for (int lane = 0; lane < ISA_LANES; lane++) {
			d[i][lane] = zero ? 0 : w->v[o[3].reg + i][lane];
		}
	}
	for (int block = 0; block < m->blocks; block++) {
		multiply_block(d, w, m, block);
	}
	memcpy(w->v[o[0].reg], d, n * sizeof(d[0]));
}
