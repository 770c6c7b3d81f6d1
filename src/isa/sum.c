/* Sums of what instructions did. sum.h says of what. */
#include "isa/sum.h"

#include "isa/table.h"
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

/* Bytes that a lane moves. */
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

uint64_t isa_sum_waits(const struct isa_program *p, const struct isa_counts *counts)
{
	uint64_t n = 0;
	bool open = false;
	for (size_t i = 0; i < p->ops; i++) {
		const struct isa_op *op = &p->op[i];
		enum isa_class class = isa_op_class(op);
		bool waits = class == ISA_CLASS_WAIT && op->wait[ISA_COUNT_VM] != ISA_NO_WAIT;
		open |= op->row->form == ISA_LOAD &&
			(class == ISA_CLASS_GLOBAL || class == ISA_CLASS_FLAT ||
				class == ISA_CLASS_SCRATCH);
		n += open && waits ? counts->op[i].runs : 0;
		open &= !waits;
	}
	return n;
}
