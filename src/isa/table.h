#pragma once
/* The table of supported instructions, from the files *.def. Internal to src/isa. */
#include "base/map.h"
#include "isa/isa.h"

enum isa_form {
	ISA_SALU,  /* d, a, b with widths of the row; salu() computes d and SCC */
	ISA_SOPK,  /* d (also a source), 16-bit constant */
	ISA_SCMP,  /* a, b -> SCC */
	ISA_VALU,  /* d, a, b, c of the row's types; lanes() */
	ISA_VCMP,  /* mask, a, b; cmp() */
	ISA_CARRY, /* d, mask of carries, a, b, and for a carry-in its mask; carry() */
	ISA_PK16,  /* halves of registers; lanes() for each half */
	ISA_PK32,  /* pairs of registers; lanes() for each register */
	ISA_MIX,   /* sources of f32, or halves by op_sel_hi */
	ISA_SPECIAL,
	ISA_LOAD, /* memory; bytes of an element */
	ISA_STORE,
	ISA_ATOMIC,
};

/* The type of an operand; for a vector instruction per lane. */
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
	ISA_ARITHMETIC = 1,	/* NaN sources give quiet NaNs; subnormals by MODE */
	ISA_FLUSHES = 2,	/* only subnormals by MODE */
	ISA_ACCUMULATES = 4,	/* the destination is the last source, too */
	ISA_KEEPS_HALF = 8,	/* on gfx9: a 16-bit result keeps the other half */
	ISA_LITERAL = 16,	/* an additional constant source: v_fmamk, v_fmaak */
	ISA_NO_SUBNORMALS = 32, /* f32 subnormals are flushed in any mode */
};

enum isa_special {
	ISA_NOP,
	ISA_WAIT,
	ISA_END,
	ISA_BARRIER, /* number 1: signal only, 2: wait only (gfx12) */
	ISA_TRAP,
	ISA_HALT,
	ISA_REPLY, /* reads hardware state: a clock, a queue */
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
	ISA_FIRST_VECTOR, /* vector instructions from here on */
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
	ISA_MOVREL, /* number: the operand indexed by M0, as in s_set_gpr_idx */
	ISA_SWAP,
	ISA_PERMLANE16,
	ISA_PERMLANEX16,
	ISA_PERMLANE64,
	ISA_PERMLANE16_SWAP,
	ISA_PERMLANE32_SWAP,
	ISA_CVT_F8, /* two f32 to two 8-bit numbers in a half */
	ISA_CVT_FROM_F8,
	ISA_CVT_PK_FROM_F8,
	ISA_BITOP3,
	ISA_DOT_IU, /* number: bits of a field; neg_lo: signed sources */
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
	const char *a, *b, *c; /* element types; "mx": by cbsz and blgp */
	bool gfx12;	       /* gfx12: a row of A is spread over lanes, without copies */
};

typedef void isa_salu_fn(struct isa_salu *s);
/* Arrays of ISA_LANES registers; a 64-bit value is two of them, low half first. */
typedef void isa_lanes_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, const uint32_t *c);
typedef uint64_t isa_cmp_fn(const uint32_t *a, const uint32_t *b);
typedef uint64_t isa_carry_fn(
	uint32_t *restrict d, const uint32_t *a, const uint32_t *b, uint64_t in);
/* The new value of an atomic in memory. */
typedef uint64_t isa_atomic_fn(uint64_t old, uint64_t data, uint64_t compare);

struct isa_row {
	const char *name; /* without _e32 and _e64 */
	enum isa_form form;
	uint8_t operands;
	/* SALU: bits of each operand. Loads and stores: bytes of an element, elements, and the
	 * stride of read2 and write2 in dwords (else 0). Atomics: bytes, and for a compare-and-swap
	 * 1, or 2 if the data come before the comparand. */
	uint8_t bits[4];
	uint8_t type[4]; /* enum isa_type: d, a, b, c */
	uint8_t flags;	 /* enum isa_flag */
	bool sign;	 /* sign extension of a narrow load */
	uint8_t half;	 /* d16: 1 keeps the upper half; d16_hi: 2, accesses it */
	bool returns;	 /* an atomic that always returns the old value */
	enum isa_special special;
	enum isa_space space;
	isa_salu_fn *salu;
	isa_lanes_fn *lanes;
	isa_cmp_fn *cmp;
	isa_carry_fn *carry;
	isa_atomic_fn *atomic;
	const char *what; /* atomic: "add_f32", the same for all address spaces */
	struct isa_matrix matrix;
	int number; /* parameter of a special */
};

enum {
	ISA_USES = 12
};

/*
 * Registers that an instruction reads or writes: SGPRs by their numbers, VGPRs and AGPRs from
 * ISA_USE_VGPR on. EXEC is listed only for scalar instructions: all vector instructions read it.
 */
struct isa_use {
	uint16_t reg;
	uint16_t regs;
	bool write;
	bool late; /* written asynchronously: valid after a wait on its counter */
};

#define ISA_USE_SCC ((uint16_t)(ISA_SGPRS))
#define ISA_USE_VGPR ((uint16_t)(ISA_SGPRS + 1))

enum isa_class isa_op_class(const struct isa_op *op);
/* Fills in out in operand order, implicit uses last. Returns their number. */
unsigned isa_op_uses(struct isa_use out[ISA_USES], const struct isa_op *op);
/* The counters that it increments, a bit for each enum isa_counter. */
unsigned isa_op_counters(const struct isa_op *op);

/* The sum of the products of all fields. */
uint32_t isa_dot(uint32_t a, uint32_t b, unsigned bits, bool a_signed, bool b_signed);
/* A signed sum, saturated. */
int32_t isa_add_clamp(uint32_t a, int32_t b);
/* Is it a gfx950 operation on 8-, 6- and 4-bit formats, with or without scales? */
bool isa_is_scaled(const struct isa_row *r);
/* Maps all names, newer names included, to pointers to their rows; map_release frees it. */
void isa_rows(struct map *out);
/* The size of a type in 32-bit registers. */
unsigned isa_type_regs(enum isa_type t);
/* A float to which MODE and sign modifiers apply; bf16 is not one. */
static inline bool isa_type_is_float(enum isa_type t)
{
	return t == ISA_F16 || t == ISA_F32 || t == ISA_F64;
}
static inline bool isa_type_is_16(enum isa_type t)
{
	return t == ISA_F16 || t == ISA_U16 || t == ISA_I16 || t == ISA_BF16;
}
/* Sets p->place; text is the whole of -S. */
void isa_program_places(struct isa_program *p, struct arena *a, struct str text);
