#pragma once
/* The instructions that are known: a row each, of the files *.def. Internal to the room. */
#include "base/map.h"
#include "isa/isa.h"

enum isa_form {
	ISA_SALU,  /* d, a, b with widths of the row; salu() computes d and SCC */
	ISA_SOPK,  /* d (also a source), 16-bit constant */
	ISA_SCMP,  /* a, b -> SCC */
	ISA_VALU,  /* d, a, b, c of the row's types; lanes() */
	ISA_VCMP,  /* mask, a, b; cmp() */
	ISA_CARRY, /* d, mask, a, b and perhaps a mask; carry() */
	ISA_PK16,  /* halves of registers; lanes() for either half */
	ISA_PK32,  /* pairs of registers; lanes() for either half */
	ISA_MIX,   /* sources of f32, or halves as op_sel_hi says */
	ISA_SPECIAL,
	ISA_LOAD, /* memory; bytes of an element */
	ISA_STORE,
	ISA_ATOMIC,
};

/* What an operand holds: of a vector instruction what a lane has in it. */
enum isa_type {
	ISA_N, /* no operand */
	ISA_B32,
	ISA_U32,
	ISA_I32,
	ISA_F32,
	ISA_U16,
	ISA_I16,
	ISA_F16,
	ISA_BF16,
	ISA_U64,
	ISA_I64,
	ISA_F64,
	ISA_P16, /* two halves, integers */
	ISA_H16, /* two of f16 */
};

enum isa_flag {
	ISA_ARITHMETIC = 1,	/* NaNs that come in go out quiet; subnormals as MODE has it */
	ISA_FLUSHES = 2,	/* the second alone */
	ISA_ACCUMULATES = 4,	/* the destination is the last source, too */
	ISA_KEEPS_HALF = 8,	/* on gfx9: a result of 16 bits leaves the other half alone */
	ISA_LITERAL = 16,	/* one more source, a constant: v_fmamk, v_fmaak */
	ISA_NO_SUBNORMALS = 32, /* of f32: they are 0 in any mode */
};

enum isa_special {
	ISA_NOP,
	ISA_WAIT,
	ISA_END,
	ISA_BARRIER, /* number 1: only says that it is there, 2: waits (gfx12) */
	ISA_TRAP,
	ISA_HALT,
	ISA_REPLY, /* what the hardware around the wave tells it: a clock, a queue */
	ISA_BRANCH,
	ISA_BRANCH_SCC0,
	ISA_BRANCH_SCC1,
	ISA_BRANCH_VCCZ,
	ISA_BRANCH_VCCNZ,
	ISA_BRANCH_EXECZ,
	ISA_BRANCH_EXECNZ,
	ISA_CALL,
	ISA_SETPC,
	ISA_GETPC,
	ISA_SAVEEXEC,
	ISA_S_LOAD,
	ISA_GPR_INDEX,
	ISA_GPR_INDEX_OFF,
	ISA_GETREG,
	ISA_SETREG,
	ISA_MODE, /* s_round_mode, s_denorm_mode */
	ISA_MFMA,
	ISA_SMFMAC,
	ISA_WMMA,
	ISA_SWMMAC,
	ISA_FIRST_VECTOR, /* those after are vector instructions */
	ISA_CNDMASK = ISA_FIRST_VECTOR,
	ISA_READFIRSTLANE,
	ISA_READLANE,
	ISA_WRITELANE,
	ISA_PK_MOV,
	ISA_MAD_WIDE,
	ISA_BPERMUTE,
	ISA_PERMUTE,
	ISA_SWIZZLE,
	ISA_MBCNT_LO,
	ISA_MBCNT_HI,
	ISA_DIV_SCALE,
	ISA_DIV_FMAS,
	ISA_MOVREL, /* number: the operand that M0 moves, as of s_set_gpr_idx */
	ISA_SWAP,
	ISA_PERMLANE16,
	ISA_PERMLANEX16,
	ISA_PERMLANE64,
	ISA_PERMLANE16_SWAP,
	ISA_PERMLANE32_SWAP,
	ISA_CVT_F8, /* two f32 to a half of 8-bit numbers */
	ISA_CVT_FROM_F8,
	ISA_CVT_PK_FROM_F8,
	ISA_BITOP3,
	ISA_DOT_IU, /* number: bits of a field; neg_lo: which source has signs */
};

enum isa_space {
	ISA_GLOBAL,
	ISA_FLAT,
	ISA_SCRATCH,
	ISA_BUFFER, /* scratch through its descriptor, or global memory */
	ISA_LDS,
};

struct isa_salu {
	uint64_t a;
	uint64_t b;
	uint64_t c;
	uint64_t d; /* in: the destination's value */
	bool scc;
};

struct isa_matrix {
	int m, n, k, blocks;
	const char *a, *b, *c; /* types of elements; "mx": by cbsz and blgp */
	bool cut;	       /* gfx12: a row of A lies in several lanes, without copies */
};

typedef void isa_salu_fn(struct isa_salu *s);
/* Arrays of ISA_LANES registers; what has 64 bits is two of them, the low half first. */
typedef void isa_lanes_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, const uint32_t *c);
typedef uint64_t isa_cmp_fn(const uint32_t *a, const uint32_t *b);
typedef uint64_t isa_carry_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, uint64_t in);
/* What an atomic leaves in memory where it found old. */
typedef uint64_t isa_atomic_fn(uint64_t old, uint64_t data, uint64_t compare);

struct isa_row {
	const char *name; /* without _e32 and _e64 */
	enum isa_form form;
	uint8_t operands;
	/* SALU: of each operand; memory: bytes, elements, stride of two; of an atomic that compares
	 * the second is 1, or 2 where LDS gets the data first */
	uint8_t bits[4];
	uint8_t type[4]; /* enum isa_type: d, a, b, c */
	uint8_t flags;	 /* enum isa_flag */
	bool sign;	 /* of a load that is narrower than a register */
	uint8_t half; /* of a load or store of 16 bits: 1 leaves the upper half, 2 is the upper */
	bool returns; /* an atomic that gives what was there */
	enum isa_special special;
	enum isa_space space;
	isa_salu_fn *salu;
	isa_lanes_fn *lanes;
	isa_cmp_fn *cmp;
	isa_carry_fn *carry;
	isa_atomic_fn *atomic;
	const char *what; /* atomic: "add_f32", the same in all memories */
	struct isa_matrix matrix;
	int number; /* of a special: which of its kind */
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

/* The sum of the products of all fields. */
uint32_t isa_dot(uint32_t a, uint32_t b, unsigned bits, bool a_signed, bool b_signed);
/* Is it one of gfx950's on formats of 8, 6 and 4 bits, with scales or without? */
bool isa_is_scaled(const struct isa_row *r);
/* All rows by name, newer names included. A pointer to a row each; map_release frees it. */
void isa_rows(struct map *out);
/* Registers of 32 bits that a type takes. */
unsigned isa_type_regs(enum isa_type t);
/* Sets p->place; text is the whole of -S. */
void isa_program_places(struct isa_program *p, struct arena *a, struct str text);
