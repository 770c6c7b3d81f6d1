#pragma once
/*
 * Interprets the assembly of a kernel, and computes the contents of memory after it. The semantics
 * are those of the "Instruction Set Architecture" documents of MI200, MI300, CDNA4, RDNA3 and
 * RDNA4; descriptor, metadata and initial registers are those of LLVM's "User Guide for AMDGPU
 * Backend". doc/isa.md lists the supported instructions, and our choices where the documents leave
 * bits open.
 *
 * Code of uncertain meaning is not run: isa_program_read and isa_run return FAIL_INPUT, with the
 * line and the reason. Programs live in the caller's arena and point into the text.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

enum {
	ISA_LANES = 64,
	ISA_SGPRS = 128,	/* with VCC, M0 and EXEC at the numbers that encode them */
	ISA_FLAT_SCRATCH = 102, /* gfx90a: XNACK_MASK follows it */
	ISA_VCC = 106,
	ISA_TTMP = 108,
	ISA_M0 = 124,
	ISA_EXEC = 126,
	ISA_VGPRS = 512,
	ISA_AGPR = 256 /* AGPRs follow the 256 VGPRs */
};

/* The kernel descriptor: the state that the hardware sets up before the first instruction. Missing
 * keys leave false and 0. */
struct isa_descriptor {
	uint32_t kernarg_bytes;
	uint32_t lds_bytes;
	uint32_t scratch_bytes; /* per lane */
	uint32_t user_sgprs;	/* 0: as many as the values enabled need */
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
	unsigned round_32; /* 0: to nearest; 1: up; 2: down; 3: toward zero */
	unsigned round_16_64;
	unsigned denormals_32; /* 3: kept; bit 0: sources, bit 1: results */
	unsigned denormals_16_64;
	bool wave32;
	bool dynamic_stack; /* the call depth is unknown to the compiler */
};

enum isa_operand_kind {
	ISA_OPERAND_NONE,
	ISA_OPERAND_SGPR,
	ISA_OPERAND_VGPR,
	ISA_OPERAND_CONSTANT, /* value: the bits that the instruction reads */
	ISA_OPERAND_OFF,
	ISA_OPERAND_NULL,
	ISA_OPERAND_LABEL,  /* value: the instruction's number */
	ISA_OPERAND_SCC,    /* src_scc */
	ISA_OPERAND_SYMBOL, /* value: an address, relative to the last s_getpc_b64 */
};

struct isa_operand {
	enum isa_operand_kind kind;
	uint16_t reg;
	uint16_t regs; /* 32 bits each */
	bool neg;
	bool abs;
	bool sext;
	bool high;     /* the upper half, of 16 bits: op_sel, ".h" */
	bool half;     /* written as a half: ".l", ".h" */
	uint8_t shift; /* SDWA: the part of a register */
	uint8_t bits;  /* 0: all */
	uint64_t value;
};

enum {
	ISA_OPERANDS = 6
};

/* DPP: the lane whose value a lane reads as its first source. */
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

/* The counters of s_waitcnt, and of its newer names s_wait_loadcnt, s_wait_dscnt, ... */
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
	uint8_t offset2[2]; /* offset0, offset1 of ds_read2 and similar */
	uint8_t sel;	    /* a bit per source: op_sel, op_sel_hi, neg_lo, neg_hi */
	uint8_t sel_count;  /* number of op_sel's bits; the last is the result's */
	bool half_of_d;	    /* v_cvt_pk_fp8_f32 and similar: writes the upper half */
	uint8_t sel_hi;
	uint8_t neg_lo;
	uint8_t neg_hi;
	uint8_t omod; /* mul:2, mul:4, div:2: 1, 2, 3 */
	bool clamp;
	bool plain; /* no modifier on sources or result */
	/* SDWA: the part of the register that is written, and the treatment of the rest */
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
	uint32_t dpp_how; /* quad_perm, dpp8: 3 bits for each lane; else the number */
	uint8_t row_mask;
	uint8_t bank_mask;
	bool bound_zero; /* a lane without a source gets 0; else it keeps its value */
	bool fetch_inactive;
	bool cmpx;  /* also writes the mask to EXEC */
	bool dual;  /* dual issue: runs together with the next one */
	bool offen; /* buffer_: VGPR offset; idxen: VGPR index before it */
	bool idxen;
	bool returns; /* an atomic returns the old value: glc, sc0 */
	/* has glc, sc0, sc1 or a scope, as atomic and volatile accesses do */
	bool coherent;
	uint8_t cbsz, abid, blgp;
	uint8_t index_key;	    /* swmmac: part of the index register */
	uint8_t table;		    /* bitop3 */
	uint8_t wait[ISA_COUNTERS]; /* ISA_WAIT: the most outstanding; or ISA_NO_WAIT */
	unsigned line;		    /* in the text, from 1 */
};

/* A kernel argument in the metadata, explicit or hidden. */
struct isa_parameter {
	uint32_t at;
	uint32_t bytes;
	struct str kind; /* "by_value", "hidden_group_size_x" */
};

struct isa_place {
	struct str file; /* empty: not known */
	unsigned line;	 /* 0: not known */
};

/* Memory that a kernel may access; an access outside of all is an error. */
struct isa_memory {
	uint64_t at; /* the kernel's address */
	uint64_t bytes;
	unsigned char *p;
	bool constant;
	struct str name; /* of a variable; or empty */
};

/* A kernel's code. gfx: gfx90a, gfx942, ... as a number (0x90a). */
struct isa_program {
	const char *symbol;
	unsigned gfx;
	unsigned lanes; /* of a wave: 64 or 32 */
	struct isa_descriptor d;
	struct isa_parameter *parameter;
	size_t parameters;
	struct isa_op *op;
	struct isa_place *place; /* of each instruction, in the source */
	uint64_t *address;	 /* of each instruction, in disassembly; NULL if unused */
	size_t entry;		 /* the kernel's first instruction */
	const char *unread;	 /* why some functions were not read; NULL: all were */
	size_t ops;
	struct isa_memory *data; /* variables, with their initial values */
	size_t datas;
};

/* FAIL_INPUT with *said set (in a) if the text has no such kernel, or something in it is not
 * supported: "line 12: unknown instruction v_foo_b32". The text is that of -S, or of a linked code
 * object (measure/object.h), whose variables the caller adds. */
int isa_program_read(struct isa_program *out, const char **said, struct arena *a, struct str text,
	const char *symbol);

/* Is the code of x and y equal, so that all launches are? False if unknown, as for disassembled
 * programs. */
bool isa_program_same(const struct isa_program *x, const struct isa_program *y);

struct isa_launch {
	unsigned grid[3]; /* work-groups */
	unsigned block[3];
	uint32_t lds_bytes; /* dynamic */
	const unsigned char *arguments;
	size_t argument_bytes;
	struct isa_memory *memory;
	size_t memories;
	/* For isa_witness, per memory: the size of the symbol that begins at each byte, else 0.
	 * NULL: no symbols. */
	const uint8_t *const *symbols;
	const uint8_t *argument_symbols; /* the same for the arguments */
	/* For isa_witness, per memory: no branch, address or EXEC may depend on its symbols.
	 * NULL: all may. */
	const bool *passive;
	const char *const *names;   /* of each memory, for messages; or NULL */
	const unsigned char **left; /* gets the final contents of each program variable; or NULL */
	uint64_t steps_most;	    /* limit of instructions per wave; 0: none */
	/*
	 * Reports errors that hardware ignores: an access to a register that an outstanding load
	 * writes, without a wait; a matrix operation with inactive lanes; a barrier that a wave
	 * never reaches; two waves that access one byte of LDS without a barrier between, one of
	 * them writing; a branch, an address or a stored value that depends on uninitialized data.
	 * For the last the kernel runs twice.
	 */
	bool strict;
	bool early_exit; /* waves may end before a barrier */
};

/* The unit that an instruction is issued to. */
enum isa_class {
	ISA_CLASS_VALU,
	ISA_CLASS_MATRIX,
	ISA_CLASS_SALU,
	ISA_CLASS_SCALAR_MEMORY,
	ISA_CLASS_GLOBAL,
	ISA_CLASS_FLAT, /* global memory, scratch or LDS, by address */
	ISA_CLASS_SCRATCH,
	ISA_CLASS_LDS,
	ISA_CLASS_WAIT,
	ISA_CLASS_BRANCH,
	ISA_CLASS_BARRIER,
	ISA_CLASS_OTHER, /* s_nop, s_endpgm */
	ISA_CLASSES
};

/* Counts of an instruction, over all waves. */
struct isa_op_count {
	uint64_t runs;
	uint64_t lanes;	  /* memory instructions: active lanes */
	uint64_t scratch; /* buffer_ and flat_: of these, lanes that accessed scratch (lds: LDS) */
	uint64_t lds;
	uint64_t conflicts; /* LDS: extra cycles due to bank conflicts (strict only) */
};

/* Accesses to global memory that nothing in the machine code orders (watch_memory.c). */
enum isa_open {
	ISA_OPEN_WAVES, /* waves of a work-group, without a barrier between them */
	ISA_OPEN_GROUPS,
	ISA_OPEN_KINDS
};

struct isa_counts {
	uint64_t instructions; /* of all waves */
	uint64_t waves;
	struct isa_op_count *op; /* of each of the program's */
	bool broken;		 /* the failure is an error of the program; else unsupported */
	bool raced;		 /* the failure is a race */
	const char *open[ISA_OPEN_KINDS]; /* the first access of each kind, or NULL */
};

/* Runs all groups. FAIL_INPUT with *said set (in a): "line 12 (k.hip:7), group 0,0,0 wave 1: ...".
 */
int isa_run(struct isa_counts *out, const char **said, struct arena *a, const struct isa_program *p,
	const struct isa_launch *l);
