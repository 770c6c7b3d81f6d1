#ifndef UNPHI_ISA_TABLE_H
#define UNPHI_ISA_TABLE_H
/* The instructions that are known: one row each, of ops.def. Internal to the room. */
#include "isa/isa.h"

enum isa_form {
	ISA_SALU,  /* d, a, b with widths of the row; salu() computes d and SCC */
	ISA_SOPK,  /* d (also a source), 16-bit constant */
	ISA_SCMP,  /* a, b -> SCC */
	ISA_VALU,  /* d, a, b, c of 32 bits; valu() */
	ISA_VALUF, /* the same of f32: sources may be negated, and made absolute */
	ISA_FMAC,  /* of f32; d is also c */
	ISA_WIDE,  /* d, a, b, c of 32 or 64 bits; wide() */
	ISA_VCMP,  /* mask, a, b of 32 bits; cmp() */
	ISA_VCMPF, /* of f32 */
	ISA_CARRY, /* d, mask, a, b and perhaps a mask; carry() */
	ISA_PK32,  /* pairs of f32; valu() for either half */
	ISA_SPECIAL,
	ISA_LOAD, /* memory; bytes of an element */
	ISA_STORE,
};

enum isa_special {
	ISA_NOP,
	ISA_WAIT,
	ISA_END,
	ISA_BARRIER,
	ISA_BRANCH,
	ISA_BRANCH_SCC0,
	ISA_BRANCH_SCC1,
	ISA_BRANCH_VCCZ,
	ISA_BRANCH_VCCNZ,
	ISA_BRANCH_EXECZ,
	ISA_BRANCH_EXECNZ,
	ISA_CNDMASK,
	ISA_READFIRSTLANE,
	ISA_READLANE,
	ISA_WRITELANE,
	ISA_PK_MOV,
	ISA_MAD_WIDE,
	ISA_SAVEEXEC_AND,
	ISA_SAVEEXEC_OR,
	ISA_MFMA,
	ISA_S_LOAD,
	ISA_BPERMUTE,
	ISA_MBCNT_LO,
	ISA_MBCNT_HI,
};

enum isa_space {
	ISA_GLOBAL,
	ISA_SCRATCH, /* buffer_ with the descriptor of scratch, and scratch_ */
	ISA_LDS,
};

struct isa_salu {
	uint64_t a;
	uint64_t b;
	uint64_t d;
	bool scc;
};

struct isa_matrix {
	int m, n, k, blocks;
	const char *a, *b, *c; /* types of elements */
};

typedef void isa_salu_fn(struct isa_salu *s);
typedef void isa_valu_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, const uint32_t *c);
typedef void isa_wide_fn(
	uint64_t *restrict d, const uint64_t *a, const uint64_t *b, const uint64_t *c);
typedef uint64_t isa_cmp_fn(const uint32_t *a, const uint32_t *b);
typedef uint64_t isa_carry_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, uint64_t in);

struct isa_row {
	const char *name; /* without _e32 and _e64 */
	enum isa_form form;
	uint8_t operands;
	uint8_t bits[4]; /* of each operand; of ISA_LOAD and ISA_STORE: bytes, elements, stride */
	bool sign;	 /* of a load that is narrower than a register */
	enum isa_special special;
	enum isa_space space;
	isa_salu_fn *salu;
	isa_valu_fn *valu;
	isa_wide_fn *wide;
	isa_cmp_fn *cmp;
	isa_carry_fn *carry;
	struct isa_matrix matrix;
};

/* What issues an instruction. */
enum isa_class {
	ISA_CLASS_SALU,
	ISA_CLASS_VALU,
	ISA_CLASS_MATRIX,
	ISA_CLASS_LDS,
	ISA_CLASS_GLOBAL, /* and flat */
	ISA_CLASS_SCRATCH,
	ISA_CLASS_SCALAR_MEMORY,
	ISA_CLASS_WAIT,
	ISA_CLASS_BRANCH,
	ISA_CLASS_BARRIER,
	ISA_CLASS_OTHER, /* s_nop, s_endpgm */
};

enum {
	ISA_USES = 12
};

/*
 * Registers that an instruction reads or writes: SGPRs by their numbers, VGPRs and AGPRs from
 * ISA_USE_VGPR on. Of EXEC only what a scalar instruction does is listed: all vector ones read it.
 */
struct isa_use {
	uint16_t reg;
	uint16_t regs;
	bool write;
	bool late; /* written when its counter says so, not by the next instruction */
};

#define ISA_USE_SCC ((uint16_t)(ISA_SGPRS))
#define ISA_USE_VGPR ((uint16_t)(ISA_SGPRS + 1))

enum isa_class isa_op_class(const struct isa_op *op);
/* How many were filled in, in the order of the operands, those that none names last. */
unsigned isa_op_uses(struct isa_use out[ISA_USES], const struct isa_op *op);
/* The counters that it raises, a bit for each enum isa_counter. */
unsigned isa_op_counters(const struct isa_op *op);

/* NULL: no such row. Of an instruction with _sdwa it is that of the one without. */
const struct isa_row *isa_row_find(struct str mnemonic);
#endif
