#pragma once
/*
 * Runs the assembly that a compiler wrote for a kernel and says what it leaves in memory, as the
 * "Instruction Set Architecture" documents of MI200, MI300, CDNA4, RDNA3 and RDNA4 have it; LLVM's
 * "User Guide for AMDGPU Backend" states descriptor, metadata and initial registers. doc/isa.md has
 * what is covered, and what is fixed where they state no bits.
 *
 * What is not known for certain is not run: isa_program_read and isa_run return FAIL_INPUT, with
 * the line and the reason. Programs live in the caller's arena and point into the text.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

enum {
	ISA_LANES = 64,
	ISA_SGPRS = 128,	/* with VCC, M0 and EXEC at the numbers that encode them */
	ISA_FLAT_SCRATCH = 102, /* gfx90a: and XNACK_MASK after it */
	ISA_VCC = 106,
	ISA_TTMP = 108,
	ISA_M0 = 124,
	ISA_EXEC = 126,
	ISA_VGPRS = 512,
	ISA_AGPR = 256 /* AGPRs stand after the 256 VGPRs */
};

/* What the hardware sets up before the first instruction. Unread keys leave false and 0. */
struct isa_descriptor {
	uint32_t kernarg_bytes;
	uint32_t lds_bytes;
	uint32_t scratch_bytes; /* of a lane */
	uint32_t user_sgprs;	/* 0: as many as there are values for */
	bool private_segment_buffer;
	bool dispatch_ptr;
	bool queue_ptr;
	bool kernarg_ptr;
	bool dispatch_id;
	bool flat_scratch_init;
	bool private_segment_size;
	bool group_id[3];
	bool group_info;
	bool scratch_offset;
	unsigned item_ids; /* 0: x; 1: x, y; 2: all */
	unsigned round_32; /* 0: to the nearest, up, down, toward zero */
	unsigned round_16_64;
	unsigned denormals_32; /* 3: kept; bit 0: sources, bit 1: results */
	unsigned denormals_16_64;
	bool wave32;
	bool dynamic_stack; /* of calls whose depth the compiler does not know */
};

enum isa_operand_kind {
	ISA_OPERAND_NONE,
	ISA_OPERAND_SGPR,
	ISA_OPERAND_VGPR,
	ISA_OPERAND_CONSTANT, /* value: the bits that its instruction sees */
	ISA_OPERAND_OFF,
	ISA_OPERAND_NULL,
	ISA_OPERAND_LABEL,  /* value: the instruction's number */
	ISA_OPERAND_SCC,    /* src_scc */
	ISA_OPERAND_SYMBOL, /* value: an address, seen from the last s_getpc_b64 */
};

struct isa_operand {
	enum isa_operand_kind kind;
	uint16_t reg;
	uint16_t regs; /* 32 bits each */
	bool neg;
	bool abs;
	bool sext;
	bool high;     /* the upper half, of 16 bits: op_sel, ".h" */
	bool half;     /* named as a half: ".l", ".h" */
	uint8_t shift; /* SDWA: the part of a register */
	uint8_t bits;  /* 0: all */
	uint64_t value;
};

enum {
	ISA_OPERANDS = 6
};

/* Which lane's value a lane takes for its first source. */
enum isa_dpp {
	ISA_DPP_NONE,
	ISA_DPP_QUAD_PERM,
	ISA_DPP_ROW_SHL,
	ISA_DPP_ROW_SHR,
	ISA_DPP_ROW_ROR,
	ISA_DPP_WAVE_SHL,
	ISA_DPP_WAVE_ROL,
	ISA_DPP_WAVE_SHR,
	ISA_DPP_WAVE_ROR,
	ISA_DPP_ROW_MIRROR,
	ISA_DPP_ROW_HALF_MIRROR,
	ISA_DPP_ROW_BCAST,
	ISA_DPP_ROW_SHARE, /* row_newbcast, too */
	ISA_DPP_ROW_XMASK,
	ISA_DPP_EIGHT,
};

struct isa_row;

/* What an s_waitcnt waits for, and its newer names: s_wait_loadcnt, s_wait_dscnt, ... */
enum isa_counter {
	ISA_COUNT_VM,	/* loads of global and scratch; before gfx10 stores, too */
	ISA_COUNT_LGKM, /* LDS, and before gfx12 scalar loads */
	ISA_COUNT_EXP,
	ISA_COUNT_VS, /* stores, from gfx10 on */
	ISA_COUNT_KM, /* scalar loads, from gfx12 on */
	ISA_COUNTERS
};

enum {
	ISA_NO_WAIT = 0xff
};

struct isa_op {
	const struct isa_row *row;
	struct isa_operand o[ISA_OPERANDS];
	unsigned operands;
	int32_t offset;
	uint8_t offset2[2]; /* offset0, offset1 of ds_read2 and its like */
	uint8_t sel;	    /* a bit a source: op_sel, op_sel_hi, neg_lo, neg_hi */
	uint8_t sel_count;  /* of op_sel's bits, the last of which is the result's */
	bool half_of_d;	    /* v_cvt_pk_fp8_f32 and its like: to the upper half */
	uint8_t sel_hi;
	uint8_t neg_lo;
	uint8_t neg_hi;
	uint8_t omod; /* mul:2, mul:4, div:2: 1, 2, 3 */
	bool clamp;
	bool plain; /* no modifier changes what comes in or goes out */
	/* SDWA: where the result goes, and what becomes of the rest of the register */
	bool sdwa;
	struct {
		uint8_t shift, bits; /* of sources; 0 bits: all */
	} part[2];
	uint8_t dst_shift;
	uint8_t dst_bits; /* 0: all */
	enum {
		ISA_UNUSED_PAD,
		ISA_UNUSED_SEXT,
		ISA_UNUSED_PRESERVE
	} dst_unused;
	enum isa_dpp dpp;
	uint32_t dpp_how; /* 3 or 4 bits a lane, or a number */
	uint8_t row_mask;
	uint8_t bank_mask;
	bool bound_zero; /* a lane without a source gets 0; otherwise it keeps what it has */
	bool fetch_inactive;
	bool cmpx;  /* the mask goes to EXEC, too */
	bool dual;  /* runs at once with the next one */
	bool offen; /* buffer_: its address has an offset; idxen: an index in front of it */
	bool idxen;
	bool returns; /* an atomic gives what was there: glc, sc0 */
	uint8_t cbsz, abid, blgp;
	uint8_t index_key;	    /* of swmmac: the part of its index */
	uint8_t table;		    /* bitop3 */
	uint8_t wait[ISA_COUNTERS]; /* of ISA_WAIT: go on when no more are open; ISA_NO_WAIT */
	unsigned line;		    /* in the text, from 1 */
};

/* A parameter, explicit or hidden, as the metadata has it. */
struct isa_parameter {
	uint32_t at;
	uint32_t bytes;
	struct str kind; /* "by_value", "hidden_group_size_x" */
};

struct isa_place {
	struct str file; /* empty: not known */
	unsigned line;	 /* 0: not known */
};

/* Memory that a kernel may touch; what lies outside of all is an error. */
struct isa_memory {
	uint64_t at; /* the kernel's address */
	uint64_t bytes;
	unsigned char *p;
	bool constant;
	struct str name; /* of a variable; empty: not known */
};

/* What an instruction may depend on: gfx90a, gfx942, ... as a number (0x90a). */
struct isa_program {
	const char *symbol;
	unsigned gfx;
	unsigned lanes; /* of a wave: 64 or 32 */
	struct isa_descriptor d;
	struct isa_parameter *parameter;
	size_t parameters;
	struct isa_op *op;
	struct isa_place *place; /* of each, in the source */
	uint64_t *address;	 /* of each; NULL: it is not disassembled, and nothing asks */
	size_t entry;		 /* where the kernel begins */
	const char *unread;	 /* why functions of it are left out; NULL: none is */
	size_t ops;
	struct isa_memory *data; /* variables, as they are when a launch begins */
	size_t datas;
};

/* FAIL_INPUT with *said set (in a) where the text has no such kernel, or the kernel something that
 * is not covered: "line 12: unknown instruction v_foo_b32". The text is that of -S, or of a linked
 * code object (measure/object.h), whose variables are then the caller's to add. */
int isa_program_read(struct isa_program *out, const char **said, struct arena *a, struct str text,
	const char *symbol);

/* Does each launch of x do what it does of y? False where that is not seen, as for programs that
 * were disassembled. */
bool isa_program_same(const struct isa_program *x, const struct isa_program *y);

struct isa_launch {
	unsigned grid[3]; /* work-groups */
	unsigned block[3];
	uint32_t lds_bytes; /* dynamic */
	const unsigned char *arguments;
	size_t argument_bytes;
	struct isa_memory *memory;
	size_t memories;
	/* For isa_witness, of each memory: at a byte where a symbol begins its bytes, else 0. NULL:
	 * none has any. */
	const uint8_t *const *symbols;
	const uint8_t *argument_symbols; /* the same of the arguments */
	const char *const *names;	 /* of each memory, for people; or NULL */
	const unsigned char **left; /* gets what each of the program's variables holds in the end;
				       or NULL */
	uint64_t steps_most;	    /* instructions of a wave; 0: no limit */
	/*
	 * What hardware lets pass is an error: a register read, or set, that a load has yet to
	 * set and no wait covers; a matrix operation with lanes off; a barrier that a wave never
	 * comes to; two waves at one byte of LDS without a barrier between, one of them writing; a
	 * branch, an address or a stored value that depends on what nothing has set. For the last
	 * it runs twice.
	 */
	bool strict;
	bool early_exit; /* a wave that has ended is not missed at barriers */
};

/* What issues an instruction. */
enum isa_class {
	ISA_CLASS_VALU,
	ISA_CLASS_MATRIX,
	ISA_CLASS_SALU,
	ISA_CLASS_SCALAR_MEMORY,
	ISA_CLASS_GLOBAL,
	ISA_CLASS_FLAT, /* global memory, scratch or LDS, as the address says */
	ISA_CLASS_SCRATCH,
	ISA_CLASS_LDS,
	ISA_CLASS_WAIT,
	ISA_CLASS_BRANCH,
	ISA_CLASS_BARRIER,
	ISA_CLASS_OTHER, /* s_nop, s_endpgm */
	ISA_CLASSES
};

/* What an instruction did, over all waves. */
struct isa_op_count {
	uint64_t runs;
	uint64_t lanes;	  /* of memory instructions: that were on */
	uint64_t scratch; /* of these, that came to scratch or LDS, of buffer_ and flat_ */
	uint64_t lds;
	uint64_t conflicts; /* of LDS: cycles more than without conflicts of banks (strict only) */
};

struct isa_counts {
	uint64_t instructions; /* of all waves */
	uint64_t waves;
	struct isa_op_count *op; /* of each of the program's */
	bool broken; /* what went wrong is the program's fault; else it is not covered */
	bool raced;  /* in a race */
};

/* Runs all groups. FAIL_INPUT with *said set (in a): "line 12 (k.hip:7), group 0,0,0 wave 1: ...".
 */
int isa_run(struct isa_counts *out, const char **said, struct arena *a, const struct isa_program *p,
	const struct isa_launch *l);
