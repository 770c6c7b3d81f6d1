#pragma once
/* The state of a wave and of its work-group. Internal to the room. */
#include "isa/table.h"

struct isa_group;
struct isa_shade;
struct isa_spin;
struct isa_watch;

enum {
	ISA_GHOSTS = 8 /* registers that no program has (shade_lane.c) */
};

struct isa_wave {
	struct isa_group *group;
	uint32_t s[ISA_SGPRS];
	uint32_t v[ISA_VGPRS + ISA_GHOSTS][ISA_LANES];
	uint32_t *scratch; /* [byte / 4][lane] */
	bool scc;
	bool ended;
	bool at_barrier;
	bool polls;	       /* it waits for another wave (isa_spins) */
	struct isa_spin *spin; /* where it was; NULL: not looked at so far */
	size_t next;	       /* instruction */
	unsigned number;
	uint64_t steps;
	const struct isa_op *op;    /* that runs */
	struct isa_op_count *count; /* of it */
	struct isa_op moved;	    /* op with other registers, as s_set_gpr_idx has it */
	uint64_t lanes;		    /* that op writes: those in EXEC, or fewer by DPP */
	uint32_t mode;		    /* of rounding and denormals: MODE's bits 0 to 7 */
	uint8_t index;		    /* s_set_gpr_idx: which operands; 0: it is off */
	size_t pc_at;		    /* instruction after the last s_getpc_b64 */
	const char *said;	    /* not NULL: it must not go on */
	bool broken;		    /* by the program's fault (isa_broken) */
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
	uint64_t changes;		     /* of memory, by stores and atomics */
	struct isa_op_count *count;	     /* of each instruction */
	struct isa_watch *watch;	     /* NULL: nothing is looked for (isa_launch.strict) */
	struct isa_shade *shade;	     /* NULL: no terms are made (isa_witness) */
	const struct isa_shade_calls *calls; /* of shade */
};

#define ISA_USUAL_MODE 0xf0u /* to the nearest, subnormals are kept */
/* Where scratch begins in the descriptor that a kernel gets of it; no memory is there. */
#define ISA_SCRATCH_BASE ((uint64_t)0x700000000000)
/* What other units define is here, each 4 KiB apart: nothing is known of it. */
#define ISA_ELSEWHERE ((uint64_t)0x7500000000)
/* Where LDS and scratch are for flat addresses: src_shared_base, src_private_base. */
#define ISA_SHARED_BASE ((uint64_t)0x1000000000000)
#define ISA_PRIVATE_BASE ((uint64_t)0x2000000000000)

/* Where the dispatch packet and the arguments are. */
#define PACKET_AT ((uint64_t)0x7100000000)
#define ARGUMENTS_AT ((uint64_t)0x7200000000)

enum {
	PACKET_BYTES = 64,
	DYNAMIC_STACK_BYTES = 16384 /* of a lane */
};

struct product;
struct place;
struct shade_dual;

/* An atomic of a lane, which is about to change memory. */
struct isa_atomic {
	unsigned char *p; /* parts of 4 bytes that stand step apart; NULL: nowhere */
	size_t step;
	unsigned bytes;
	unsigned data, compared; /* registers; compared: of one that compares */
	uint64_t old, now;
};

/* What a shade does beside a run: shade.h has these functions. */
struct isa_shade_calls {
	void (*begin)(struct isa_group *g);
	void (*before)(struct isa_wave *w);
	void (*after)(struct isa_wave *w);
	void (*keep)(struct shade_dual *out, const struct isa_wave *w, unsigned reg);
	void (*swap)(struct isa_wave *w, unsigned reg, struct shade_dual *with);
	void (*move)(struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte);
	void (*s_load)(struct isa_wave *w, const unsigned char *p, unsigned bytes);
	void (*atomic)(struct isa_wave *w, int lane, const struct isa_atomic *at);
	bool (*same)(const struct isa_wave *w, unsigned reg, unsigned lane, unsigned other);
	void (*product)(struct product *p, unsigned regs);
	void (*row)(struct product *p, const struct place *at, int i);
	void (*product_end)(struct product *p, unsigned regs);
};

/* A launch with what the runtime passes beside the kernel's own arguments, and the variables. */
struct isa_launch isa_launch_whole(
	struct arena *a, const struct isa_program *p, const struct isa_launch *l);
/* LDS, waves and scratch, of a, p and l. */
void isa_group_open(struct isa_group *g);
/* The group's number becomes its id, and it runs to its end. A wave that went wrong, or NULL. */
const struct isa_wave *isa_group_run(struct isa_group *g, uint64_t number);
/* "line 12 (k.hip:7), group 0,0,0 wave 1: ..." */
const char *isa_wave_words(const struct isa_wave *w);
/* A wave of the group before its first instruction. */
void isa_wave_begin(struct isa_wave *w, struct isa_group *g, unsigned number);

/* An instruction by its line: "line 12", or of a code object "address 0x1e00". */
const char *isa_where(const struct isa_group *g, unsigned line);
void isa_wrong(struct isa_wave *w, const char *what);  /* what is not covered */
void isa_broken(struct isa_wave *w, const char *what); /* what no program must do */

uint64_t isa_mask(const struct isa_wave *w, unsigned reg); /* of an SGPR pair */
void isa_set_mask(struct isa_wave *w, unsigned reg, uint64_t mask);
/* An operand that is the same for all lanes; the reader has seen to its width. */
uint64_t isa_scalar(const struct isa_wave *w, const struct isa_operand *o);
void isa_set_scalar(struct isa_wave *w, const struct isa_operand *o, uint64_t d);
/* The address of an instruction, and of what stands after it. */
uint64_t isa_code_at(const struct isa_program *p, size_t number);
uint64_t isa_code_after(const struct isa_program *p, size_t number);
/* The instruction at an address; p->ops: there is none. */
size_t isa_code_number(const struct isa_program *p, uint64_t at);
/* What lanes in EXEC compute. */
void isa_store_lanes(struct isa_wave *w, unsigned reg, const uint32_t *from);

/* After a jump back: does the wave go round for good, unless another one changes memory? */
bool isa_spins(struct isa_wave *w);
void isa_spin_forget(struct isa_wave *w); /* where it was */

void isa_memory_run(struct isa_wave *w); /* ISA_LOAD, ISA_STORE */
void isa_memory_s_load(struct isa_wave *w);
void isa_matrix_run(struct isa_wave *w);
/* NULL, or why the reader has to refuse it. */
const char *isa_matrix_refuses(const struct isa_op *op, unsigned lanes);
void isa_vector_run(struct isa_wave *w);
void isa_lane_run(struct isa_wave *w); /* ISA_SPECIAL from ISA_FIRST_VECTOR on */

enum {
	ISA_BUFFER_WORDS = 2 * ISA_LANES
};

extern const int isa_host_rounding[4]; /* the host's, for each of MODE's two bits */
/* Are subnormal sources, or results, of this type 0? By MODE, or as the row has it. */
bool isa_flushes(const struct isa_wave *w, const struct isa_row *r, enum isa_type t, bool results);
/* from with its subnormals 0, each with its sign. */
void isa_flush(uint32_t *buffer, const uint32_t *from, enum isa_type t);
/* A vector instruction's source, its modifiers applied: in place, or in buffer. */
const uint32_t *isa_source(struct isa_wave *w, unsigned number, uint32_t buffer[ISA_BUFFER_WORDS]);
/* The op with d, a, b, c for one with a mask after d. */
struct isa_op isa_op_without_mask(const struct isa_op *op);
/* Its result in lanes that it writes, with what clamp, omod, op_sel and SDWA do. in: the sources,
 * whose NaNs arithmetic passes on, or NULL. */
void isa_result(struct isa_wave *w, uint32_t d[ISA_BUFFER_WORDS], const uint32_t *const in[3]);
