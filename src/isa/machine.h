#pragma once
/* The state of a wave and of its workgroup. Internal to src/isa. */
#include "isa/table.h"

struct isa_group;
struct isa_shadow;
struct isa_spin;
struct isa_watch;

enum {
	ISA_TERM_REGISTERS = 8 /* temporary registers, not visible to programs (shadow_lane.c) */
};

struct isa_wave {
	struct isa_group *group;
	uint32_t s[ISA_SGPRS];
	uint32_t v[ISA_VGPRS + ISA_TERM_REGISTERS][ISA_LANES];
	uint32_t *scratch; /* [byte / 4][lane] */
	bool scc;
	bool ended;
	bool at_barrier;
	bool polls;	       /* it busy-waits for another wave (isa_spins) */
	struct isa_spin *spin; /* earlier state; NULL: none yet */
	size_t next;	       /* instruction */
	unsigned number;
	uint64_t steps;
	const struct isa_op *op;    /* the current instruction */
	struct isa_op_count *count; /* of it */
	struct isa_op moved;	    /* op with its registers changed by s_set_gpr_idx */
	uint64_t lanes;		    /* lanes that op writes: EXEC, or fewer by DPP */
	uint32_t mode;		    /* of rounding and denormals: MODE's bits 0 to 7 */
	uint8_t index;		    /* s_set_gpr_idx: which operands; 0: off */
	size_t pc_at;		    /* instruction after the last s_getpc_b64 */
	const char *said;	    /* the error that stopped it, or NULL */
	bool broken;		    /* it is an error of the program (isa_broken) */
	bool raced;		    /* in a race */
};

struct isa_group {
	struct arena *a;
	const struct isa_program *p;
	const struct isa_launch *l;
	unsigned id[3];
	unsigned char *lds;
	uint32_t lds_bytes;
	uint32_t scratch_dwords;
	struct isa_wave *wave;
	unsigned waves;
	uint64_t changes;		      /* of memory, by stores and atomics */
	struct isa_op_count *count;	      /* of each instruction */
	struct isa_watch *watch;	      /* checks of isa_launch.strict; or NULL */
	struct isa_shadow *shadow;	      /* terms for isa_witness; or NULL */
	const struct isa_shadow_calls *calls; /* of shadow */
};

#define ISA_DEFAULT_MODE 0xf0u /* to nearest, subnormals kept */
/* The base address in a kernel's scratch descriptor; no memory is there. */
#define ISA_SCRATCH_BASE ((uint64_t)0x700000000000)
/* Addresses of external symbols, 4 KiB apart; their contents are unknown. */
#define ISA_ELSEWHERE ((uint64_t)0x7500000000)
/* The flat address apertures of LDS and scratch: src_shared_base, src_private_base. */
#define ISA_SHARED_BASE ((uint64_t)0x1000000000000)
#define ISA_PRIVATE_BASE ((uint64_t)0x2000000000000)

/* The addresses of the dispatch packet and of the arguments. */
#define PACKET_AT ((uint64_t)0x7100000000)
#define ARGUMENTS_AT ((uint64_t)0x7200000000)

enum {
	PACKET_BYTES = 64,
	DYNAMIC_STACK_BYTES = 16384 /* of a lane */
};

struct product;
struct place;
struct shadow_dual;

/* A lane's atomic, before it changes memory. */
struct isa_atomic {
	unsigned char *p; /* words of 4 bytes, step bytes apart; NULL: out of bounds */
	size_t step;
	unsigned bytes;
	unsigned data, compared; /* registers; compared: of a compare-and-swap */
	uint64_t old, now;
};

/* The hooks of the symbolic shadow state of a run. shadow.h declares the functions. */
struct isa_shadow_calls {
	void (*begin)(struct isa_group *g);
	void (*before)(struct isa_wave *w);
	void (*after)(struct isa_wave *w);
	void (*keep)(struct shadow_dual *out, const struct isa_wave *w, unsigned reg);
	void (*swap)(struct isa_wave *w, unsigned reg, struct shadow_dual *with);
	void (*move)(struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte);
	void (*s_load)(struct isa_wave *w, const unsigned char *p, unsigned bytes);
	void (*atomic)(struct isa_wave *w, int lane, const struct isa_atomic *at);
	bool (*same)(const struct isa_wave *w, unsigned reg, unsigned lane, unsigned other);
	void (*product)(struct product *p, unsigned regs);
	void (*row)(struct product *p, const struct place *at, int i);
	void (*product_end)(struct product *p, unsigned regs);
};

/* The launch with the runtime's hidden arguments and the variables added. */
struct isa_launch isa_launch_whole(
	struct arena *a, const struct isa_program *p, const struct isa_launch *l);
/* Allocates LDS, waves and scratch; a, p and l are set. */
void isa_group_open(struct isa_group *g);
/* Runs the workgroup of this number to its end. Returns a failed wave, or NULL. */
const struct isa_wave *isa_group_run(struct isa_group *g, uint64_t number);
/* "line 12 (k.hip:7), group 0,0,0 wave 1: ..." */
const char *isa_wave_words(const struct isa_wave *w);
/* Sets a wave of the group to its initial state. */
void isa_wave_begin(struct isa_wave *w, struct isa_group *g, unsigned number);

/* The place of an instruction: "line 12", or in a code object "address 0x1e00". */
const char *isa_where(const struct isa_group *g, unsigned line);
void isa_wrong(struct isa_wave *w, const char *what);  /* stops: not supported */
void isa_broken(struct isa_wave *w, const char *what); /* stops: an error of the program */

uint64_t isa_mask(const struct isa_wave *w, unsigned reg); /* of an SGPR pair */
void isa_set_mask(struct isa_wave *w, unsigned reg, uint64_t mask);
/* The value of a scalar operand; the reader has checked its width. */
uint64_t isa_scalar(const struct isa_wave *w, const struct isa_operand *o);
void isa_set_scalar(struct isa_wave *w, const struct isa_operand *o, uint64_t d);
/* The address of an instruction, and of the next one. */
uint64_t isa_code_at(const struct isa_program *p, size_t number);
uint64_t isa_code_after(const struct isa_program *p, size_t number);
/* The instruction at an address; p->ops: none. */
size_t isa_code_number(const struct isa_program *p, uint64_t at);
/* Writes a register in the active lanes. */
void isa_store_lanes(struct isa_wave *w, unsigned reg, const uint32_t *from);

/* After a backward jump: will the wave loop forever unless another wave changes memory? */
bool isa_spins(struct isa_wave *w);
void isa_spin_forget(struct isa_wave *w); /* forgets the earlier state */

void isa_memory_run(struct isa_wave *w); /* ISA_LOAD, ISA_STORE */
void isa_memory_s_load(struct isa_wave *w);
void isa_matrix_run(struct isa_wave *w);
/* NULL, or why it is not supported. */
const char *isa_matrix_refuses(const struct isa_op *op, unsigned lanes);
void isa_vector_run(struct isa_wave *w);
void isa_lane_run(struct isa_wave *w); /* ISA_SPECIAL from ISA_FIRST_VECTOR on */

enum {
	ISA_BUFFER_WORDS = 2 * ISA_LANES
};

extern const int isa_host_rounding[4]; /* host rounding modes by MODE's two bits */
/* Are subnormal sources (or results) of this type flushed to 0, by MODE or by the row? */
bool isa_flushes(const struct isa_wave *w, const struct isa_row *r, enum isa_type t, bool results);
/* Copies from with subnormals flushed to zeros of the same sign. */
void isa_flush(uint32_t *buffer, const uint32_t *from, enum isa_type t);
/* A vector instruction's source with its modifiers applied: in place, or in buffer. */
const uint32_t *isa_source(struct isa_wave *w, unsigned number, uint32_t buffer[ISA_BUFFER_WORDS]);
/* The op without the mask operand after d: d, a, b, c. */
struct isa_op isa_op_without_mask(const struct isa_op *op);
/* Writes the result to the lanes written, with clamp, omod, op_sel and SDWA applied. in: the
 * sources, whose NaNs propagate, or NULL. */
void isa_result(struct isa_wave *w, uint32_t d[ISA_BUFFER_WORDS], const uint32_t *const in[3]);
