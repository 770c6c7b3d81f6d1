#pragma once
/* The operands of a matrix operation. matrix.c fills them in and computes, shadow_matrix.c adds
 * terms. Internal to src/isa. */
#include "isa/shadow.h"

enum {
	SIZE_MOST = 32,
	K_MOST = 128,
	DWORDS_MOST = 32,
	MX_ELEMENTS = 32 /* per lane, and per scale */
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

/* The source of an element: bits of a register or of a pair. */
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
	struct element_from last; /* the last one read */
	struct matrix_list column[SIZE_MOST];
	term d[DWORDS_MOST][ISA_LANES];
	uint32_t signs; /* sign bits of A and B in the instruction */
};

/* The factors as double and as float, exact in both if both are used. */
struct product {
	double a[SIZE_MOST][K_MOST]; /* by term; k_of: its k */
	double b[K_MOST][SIZE_MOST];
	float fa[SIZE_MOST][K_MOST];
	float fb[K_MOST][SIZE_MOST];
	int n, k;
	int terms;
	bool sparse; /* A has terms only for some k */
	uint8_t k_of[SIZE_MOST][K_MOST];
	uint32_t d[DWORDS_MOST][ISA_LANES];
	enum kind ka, kb, kc;
	bool fnuz;
	bool clamp;
	bool high; /* a 16-bit result goes to the upper half */
	double sign_c;
	struct isa_wave *w;
	struct product_terms *of; /* NULL: no operand depends on a symbol */
};

struct place {
	int lane;
	int element;
};

/* For operand 4 or 5 of a scaled operation: the byte with the lane's scale. */
unsigned isa_scale_byte(const struct isa_op *op, unsigned operand);

/* Sets p->of if an operand depends on a symbol; p->d holds C. */
void isa_shadow_product(struct product *p, unsigned regs);
/* Makes the terms of row i of D, with its elements at these places, before it is computed. */
void isa_shadow_row(struct product *p, const struct place *at, int i);
/* Stores the terms of D to the result's registers. */
void isa_shadow_product_end(struct product *p, unsigned regs);
