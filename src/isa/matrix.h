#pragma once
/* What a matrix operation multiplies. Internal to the room: matrix.c fills it in and computes, and
 * shade_matrix.c notes terms. */
#include "isa/shade.h"

enum {
	SIZE_MOST = 32,
	K_MOST = 128,
	DWORDS_MOST = 32,
	MX_ELEMENTS = 32 /* of a lane, and of a scale */
};

enum kind {
	KIND_F32,
	KIND_XF32,
	KIND_F16,
	KIND_BF16,
	KIND_FP8,
	KIND_BF8,
	KIND_F64,
	KIND_I8,
	KIND_IU8,
	KIND_IU4,
	KIND_I32,
	KIND_MX, /* by cbsz or blgp */
	KINDS
};

/* Where an element stood: bits of a register, or of a pair. */
struct element_from {
	uint16_t reg;
	uint8_t lane;
	uint8_t bit;
	uint8_t bits;
};

/* A row of A or a column of B: a list of its words; any: one depends on a symbol. */
struct matrix_list {
	term list;
	bool any;
};

struct product_terms {
	struct element_from a[SIZE_MOST][K_MOST];
	struct element_from b[K_MOST][SIZE_MOST];
	struct element_from last; /* that was read */
	struct matrix_list column[SIZE_MOST];
	term d[DWORDS_MOST][ISA_LANES];
	uint32_t signs; /* of A and B, as the instruction has them */
};

/* What is multiplied; the numbers as double, and as float, exact in both where both are used. */
struct product {
	double a[SIZE_MOST][K_MOST]; /* by terms: each is of a k of its own */
	double b[K_MOST][SIZE_MOST];
	float fa[SIZE_MOST][K_MOST];
	float fb[K_MOST][SIZE_MOST];
	int n, k;
	int terms;
	bool sparse; /* A has terms for some k alone */
	uint8_t k_of[SIZE_MOST][K_MOST];
	uint32_t d[DWORDS_MOST][ISA_LANES];
	enum kind ka, kb, kc;
	bool fnuz;
	bool clamp;
	bool high; /* a result of 16 bits is the upper half */
	double sign_c;
	struct isa_wave *w;
	struct product_terms *of; /* NULL: no operand depends on a symbol */
};

struct place {
	int lane;
	int element;
};

/* Of a scaled operation's operand 4 or 5: the byte that has the lane's scale. */
unsigned isa_scale_byte(const struct isa_op *op, unsigned operand);

/* p->of, where an operand depends on a symbol; p->d has C. */
void isa_shade_product(struct product *p, unsigned regs);
/* Row i of D, whose elements are at these places, before it is computed. */
void isa_shade_row(struct product *p, const struct place *at, int i);
/* To the registers of the result. */
void isa_shade_product_end(struct product *p, unsigned regs);
