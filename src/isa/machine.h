#ifndef UNPHI_ISA_MACHINE_H
#define UNPHI_ISA_MACHINE_H
/* The state of a wave and of its work-group. Internal to the room. */
#include "isa/table.h"

struct isa_group;

struct isa_wave {
	struct isa_group *group;
	uint32_t s[ISA_SGPRS];
	uint32_t v[ISA_VGPRS][ISA_LANES];
	uint32_t *scratch; /* [byte / 4][lane] */
	bool scc;
	bool ended;
	bool at_barrier;
	size_t next; /* instruction */
	unsigned number;
	uint64_t steps;
	const struct isa_op *op; /* that runs */
	const char *said;	 /* not NULL: it must not go on */
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
};

/* Where scratch begins in the descriptor that a kernel gets of it; no memory is there. */
#define ISA_SCRATCH_BASE ((uint64_t)0x700000000000)

void isa_wrong(struct isa_wave *w, const char *what);

uint64_t isa_mask(const struct isa_wave *w, unsigned reg); /* of an SGPR pair */
void isa_set_mask(struct isa_wave *w, unsigned reg, uint64_t mask);
uint64_t isa_scalar(struct isa_wave *w, const struct isa_operand *o, unsigned bits);
/* A lane's 32 bits of an operand: in place, or in room. plus: of how many registers on. */
const uint32_t *isa_lanes(
	struct isa_wave *w, const struct isa_operand *o, unsigned plus, uint32_t *room);
/* What lanes in EXEC compute. */
void isa_store_lanes(struct isa_wave *w, unsigned reg, const uint32_t *from);

void isa_memory_run(struct isa_wave *w); /* ISA_LOAD, ISA_STORE */
void isa_memory_s_load(struct isa_wave *w);
void isa_matrix_run(struct isa_wave *w);
void isa_vector_run(struct isa_wave *w);
#endif
