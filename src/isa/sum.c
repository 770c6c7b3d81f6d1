/* Sums the counts of instructions (sum.h). */
#include "isa/sum.h"

#include "isa/table.h"
#include "measure/isa/stall.h"
#include "target/issue.h"

const char *const isa_class_name[ISA_CLASSES] = {
	[ISA_CLASS_VALU] = "VALU",
	[ISA_CLASS_MATRIX] = "matrix",
	[ISA_CLASS_SALU] = "SALU",
	[ISA_CLASS_SCALAR_MEMORY] = "scalar loads",
	[ISA_CLASS_GLOBAL] = "global",
	[ISA_CLASS_FLAT] = "flat",
	[ISA_CLASS_SCRATCH] = "scratch",
	[ISA_CLASS_LDS] = "LDS",
	[ISA_CLASS_WAIT] = "waits",
	[ISA_CLASS_BRANCH] = "branches",
	[ISA_CLASS_BARRIER] = "barriers",
	[ISA_CLASS_OTHER] = "other",
};

/* Bytes moved per lane. */
static unsigned lane_bytes(const struct isa_row *r)
{
	unsigned two = r->bits[2] ? 2 : 1;
	return r->form == ISA_ATOMIC ? r->bits[0] : (unsigned)r->bits[0] * r->bits[1] * two;
}

static enum isa_class class_of(const struct isa_op *op, const struct isa_op_count *c)
{
	enum isa_class class = isa_op_class(op);
	bool global = op->row->space == ISA_BUFFER && c->lanes && !c->scratch;
	return class == ISA_CLASS_SCRATCH && global ? ISA_CLASS_GLOBAL : class;
}

void isa_sum_add(struct isa_sum *s, const struct isa_program *p, size_t op,
	const struct isa_op_count *c, const struct target *t)
{
	const struct isa_row *r = p->op[op].row;
	enum isa_class class = class_of(&p->op[op], c);
	bool moves = r->form == ISA_LOAD || r->form == ISA_STORE || r->form == ISA_ATOMIC;
	bool either = moves && (r->space == ISA_BUFFER || r->space == ISA_FLAT);
	uint64_t bytes = moves ? lane_bytes(r) : 0;
	s->runs[class] += c->runs;
	s->cycles[class] += c->runs * issue_cycles(t, str_of(r->name));
	s->conflicts += c->conflicts;
	s->global_bytes += bytes * (either ? c->lanes - c->scratch - c->lds
					   : class == ISA_CLASS_GLOBAL ? c->lanes
								       : 0);
	s->scratch_bytes += bytes * (either				 ? c->scratch
					    : class == ISA_CLASS_SCRATCH ? c->lanes
									 : 0);
	s->lds_bytes += bytes * (either ? c->lds : class == ISA_CLASS_LDS ? c->lanes : 0);
}

void isa_sum_join(struct isa_sum *s, const struct isa_sum *with)
{
	for (int i = 0; i < ISA_CLASSES; i++) {
		s->runs[i] += with->runs[i];
		s->cycles[i] += with->cycles[i];
	}
	s->conflicts += with->conflicts;
	s->global_bytes += with->global_bytes;
	s->scratch_bytes += with->scratch_bytes;
	s->lds_bytes += with->lds_bytes;
}

uint64_t isa_sum_runs(const struct isa_sum *s)
{
	uint64_t n = 0;
	for (int i = 0; i < ISA_CLASSES; i++) {
		n += s->runs[i];
	}
	return n;
}

uint64_t isa_sum_cycles(const struct isa_sum *s)
{
	uint64_t n = 0;
	for (int i = 0; i < ISA_CLASSES; i++) {
		n += s->cycles[i];
	}
	return n;
}

uint64_t isa_sum_scalar_cycles(const struct isa_sum *s)
{
	return s->cycles[ISA_CLASS_SALU] + s->cycles[ISA_CLASS_SCALAR_MEMORY] +
	       s->cycles[ISA_CLASS_WAIT] + s->cycles[ISA_CLASS_BRANCH] +
	       s->cycles[ISA_CLASS_BARRIER];
}

/* ---- waits ---- */

static bool begins(const struct isa_program *p, const struct isa_op *op, enum stall_kind kind)
{
	enum isa_class class = isa_op_class(op);
	bool memory =
		class == ISA_CLASS_GLOBAL || class == ISA_CLASS_FLAT || class == ISA_CLASS_SCRATCH;
	bool counts = op->row->form != ISA_STORE || p->gfx >> 8 == 9;
	return kind == STALL_BY_MEMORY ? memory && counts
				       : class == ISA_CLASS_LDS || class == ISA_CLASS_SCALAR_MEMORY;
}

/* The most accesses outstanding after it; ISA_NO_WAIT: any number. */
static unsigned outstanding_after(const struct isa_op *op, enum stall_kind kind)
{
	bool wait = isa_op_class(op) == ISA_CLASS_WAIT;
	unsigned lgkm = op->wait[ISA_COUNT_LGKM], km = op->wait[ISA_COUNT_KM];
	return !wait			 ? ISA_NO_WAIT
	       : kind == STALL_BY_MEMORY ? op->wait[ISA_COUNT_VM]
	       : lgkm < km		 ? lgkm
					 : km;
}

static size_t jump_of(const struct isa_program *p, size_t i)
{
	const struct isa_op *op = &p->op[i];
	bool jumps = isa_op_class(op) == ISA_CLASS_BRANCH && op->o[0].kind == ISA_OPERAND_LABEL;
	return jumps && op->o[0].value < p->ops ? (size_t)op->o[0].value : p->ops;
}

/* Computes the stall of each instruction per execution. left: arrival of earlier loads at the start
 * of each block. */
static bool find_stalls(int64_t *stall, uint16_t (*left)[STALL_KINDS], const bool *begins_block,
	const struct isa_program *p, const struct target *t)
{
	static const uint16_t none[STALL_KINDS] = {0};
	struct stall s;
	bool more = false;
	stall_begin(&s, none);
	for (size_t i = 0; i < p->ops; i++) {
		const struct isa_op *op = &p->op[i];
		size_t to = jump_of(p, i);
		if (begins_block[i]) {
			stall_end(&s, left[i]);
			stall_begin(&s, left[i]);
		}
		s.now += issue_cycles(t, str_of(op->row->name));
		stall[i] = 0;
		for (unsigned k = 0; k < STALL_KINDS; k++) {
			unsigned may = outstanding_after(op, (enum stall_kind)k);
			if (begins(p, op, (enum stall_kind)k)) {
				stall_open(&s, (enum stall_kind)k, op->row->form != ISA_STORE);
			}
			stall[i] +=
				may == ISA_NO_WAIT ? 0 : stall_wait(&s, (enum stall_kind)k, may);
		}
		if (to < p->ops) {
			more |= stall_end(&s, left[to]) && to <= i;
			if (str_is(str_of(op->row->name), "s_branch")) {
				stall_begin(&s, none);
			}
		}
	}
	return more;
}

uint64_t isa_sum_waits(
	const struct isa_program *p, const struct isa_counts *counts, const struct target *t)
{
	struct arena *a = arena_create();
	int64_t *stall = ARENA_ARRAY(a, int64_t, p->ops);
	uint16_t(*left)[STALL_KINDS] = arena_alloc(a, (p->ops + 1) * sizeof(*left));
	bool *begins_block = ARENA_ARRAY(a, bool, p->ops + 1);
	uint64_t waits = 0;
	for (size_t i = 0; i < p->ops; i++) {
		size_t to = jump_of(p, i);
		begins_block[to] = true;
		begins_block[i + 1] |= to < p->ops;
	}
	while (find_stalls(stall, left, begins_block, p, t)) {
	}
	for (size_t i = 0; i < p->ops; i++) {
		waits += (uint64_t)stall[i] * counts->op[i].runs;
	}
	arena_free(a);
	return waits;
}
