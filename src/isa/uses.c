/* The uses of an instruction: its kind, and which registers it reads and writes. */
#include <string.h>

#include "isa/table.h"

static enum isa_class special_class(const struct isa_row *r)
{
	switch (r->special) {
	case ISA_NOP:
	case ISA_END:
		return ISA_CLASS_OTHER;
	case ISA_WAIT:
		return ISA_CLASS_WAIT;
	case ISA_BARRIER:
		return ISA_CLASS_BARRIER;
	case ISA_MFMA:
		return ISA_CLASS_MATRIX;
	case ISA_S_LOAD:
		return ISA_CLASS_SCALAR_MEMORY;
	case ISA_BPERMUTE:
		return ISA_CLASS_LDS;
	case ISA_BRANCH:
	case ISA_BRANCH_SCC0:
	case ISA_BRANCH_SCC1:
	case ISA_BRANCH_VCCZ:
	case ISA_BRANCH_VCCNZ:
	case ISA_BRANCH_EXECZ:
	case ISA_BRANCH_EXECNZ:
		return ISA_CLASS_BRANCH;
	default:
		return r->name[0] == 's' ? ISA_CLASS_SALU : ISA_CLASS_VALU;
	}
}

enum isa_class isa_op_class(const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	switch (r->form) {
	case ISA_SALU:
	case ISA_SOPK:
	case ISA_SCMP:
		return ISA_CLASS_SALU;
	case ISA_LOAD:
	case ISA_STORE:
		return r->space == ISA_LDS	 ? ISA_CLASS_LDS
		       : r->space == ISA_SCRATCH ? ISA_CLASS_SCRATCH
						 : ISA_CLASS_GLOBAL;
	case ISA_SPECIAL:
		return special_class(r);
	default:
		return ISA_CLASS_VALU;
	}
}

unsigned isa_op_counters(const struct isa_op *op)
{
	switch (isa_op_class(op)) {
	case ISA_CLASS_GLOBAL:
	case ISA_CLASS_SCRATCH:
		return 1u << ISA_COUNT_VM;
	case ISA_CLASS_LDS:
	case ISA_CLASS_SCALAR_MEMORY:
		return 1u << ISA_COUNT_LGKM;
	default:
		return 0;
	}
}

struct list {
	struct isa_use *v;
	unsigned n;
};

static void add(struct list *l, unsigned reg, unsigned regs, bool write, bool late)
{
	l->v[l->n++] = (struct isa_use){(uint16_t)reg, (uint16_t)regs, write, late};
}

static void add_operand(struct list *l, const struct isa_operand *o, bool write, bool late)
{
	if (o->kind == ISA_OPERAND_SGPR) {
		add(l, o->reg, o->regs, write, late);
	} else if (o->kind == ISA_OPERAND_VGPR) {
		add(l, ISA_USE_VGPR + o->reg, o->regs, write, late);
	}
}

/* The operands that are written, a bit each; all others are read. */
static unsigned written(const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	bool two = r->form == ISA_CARRY || r->special == ISA_MAD_WIDE;
	switch (r->form) {
	case ISA_SCMP:
	case ISA_STORE:
		return 0;
	case ISA_SPECIAL:
		if (special_class(r) == ISA_CLASS_BRANCH || op->operands < 2) {
			return 0;
		}
		return two ? 3 : 1;
	default:
		return two ? 3 : 1;
	}
}

static bool reads_destination(const struct isa_row *r)
{
	return r->form == ISA_FMAC || r->form == ISA_SOPK || r->special == ISA_WRITELANE;
}

/* VCC, EXEC and SCC where no operand names them. That a scalar instruction leaves SCC alone is not
 * told apart here: it both reads and writes it. */
static void add_unnamed(struct list *l, const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	bool special = r->form == ISA_SPECIAL;
	if (r->form == ISA_SALU || r->form == ISA_SOPK || r->form == ISA_SCMP) {
		add(l, ISA_USE_SCC, 1, true, false);
	} else if (special && (r->special == ISA_BRANCH_VCCZ || r->special == ISA_BRANCH_VCCNZ)) {
		add(l, ISA_VCC, 2, false, false);
	} else if (special && (r->special == ISA_SAVEEXEC_AND || r->special == ISA_SAVEEXEC_OR)) {
		add(l, ISA_EXEC, 2, true, false);
		add(l, ISA_USE_SCC, 1, true, false);
	}
}

unsigned isa_op_uses(struct isa_use out[ISA_USES], const struct isa_op *op)
{
	struct list l = {out, 0};
	unsigned writes = written(op);
	bool late = isa_op_counters(op) != 0;
	for (unsigned i = 0; i < op->operands; i++) {
		add_operand(&l, &op->o[i], writes >> i & 1, late && (writes >> i & 1));
	}
	if (reads_destination(op->row)) {
		add_operand(&l, &op->o[0], false, false);
	}
	add_unnamed(&l, op);
	return l.n;
}
