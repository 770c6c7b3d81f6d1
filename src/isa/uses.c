/* The uses of an instruction: its class, and which registers it reads and writes. */

#include "isa/table.h"

static enum isa_class special_class(const struct isa_row *r)
{
	switch (r->special) {
	case ISA_NOP:
	case ISA_END:
	case ISA_TRAP:
	case ISA_HALT:
	case ISA_REPLY:
		return ISA_CLASS_OTHER;
	case ISA_WAIT:
		return ISA_CLASS_WAIT;
	case ISA_BARRIER:
		return ISA_CLASS_BARRIER;
	case ISA_MFMA:
	case ISA_SMFMAC:
	case ISA_WMMA:
	case ISA_SWMMAC:
		return ISA_CLASS_MATRIX;
	case ISA_S_LOAD:
		return ISA_CLASS_SCALAR_MEMORY;
	case ISA_BPERMUTE:
	case ISA_PERMUTE:
	case ISA_SWIZZLE:
		return ISA_CLASS_LDS;
	case ISA_BRANCH:
	case ISA_BRANCH_SCC0:
	case ISA_BRANCH_SCC1:
	case ISA_BRANCH_VCCZ:
	case ISA_BRANCH_VCCNZ:
	case ISA_BRANCH_EXECZ:
	case ISA_BRANCH_EXECNZ:
	case ISA_CALL:
	case ISA_SETPC:
		return ISA_CLASS_BRANCH;
	default:
		return r->special < ISA_FIRST_VECTOR ? ISA_CLASS_SALU : ISA_CLASS_VALU;
	}
}

/* For buffer_ only the descriptor distinguishes scratch from global memory; sum.c counts executed
 * accesses by the memory reached. */
static enum isa_class space_class(enum isa_space space)
{
	switch (space) {
	case ISA_LDS:
		return ISA_CLASS_LDS;
	case ISA_SCRATCH:
	case ISA_BUFFER:
		return ISA_CLASS_SCRATCH;
	case ISA_FLAT:
		return ISA_CLASS_FLAT;
	case ISA_GLOBAL:
		break;
	}
	return ISA_CLASS_GLOBAL;
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
	case ISA_ATOMIC:
		return space_class(r->space);
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
	case ISA_CLASS_FLAT: /* may also be LDS, by its aperture */
		return 1u << ISA_COUNT_VM | 1u << ISA_COUNT_LGKM;
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

/* A bit for each operand written; the others are read. */
static unsigned written(const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	bool two = r->form == ISA_CARRY ||
		   (r->form == ISA_SPECIAL &&
			   (r->special == ISA_MAD_WIDE || r->special == ISA_DIV_SCALE ||
				   r->special == ISA_SWAP || r->special == ISA_PERMLANE16_SWAP ||
				   r->special == ISA_PERMLANE32_SWAP));
	switch (r->form) {
	case ISA_SCMP:
	case ISA_STORE:
		return 0;
	case ISA_ATOMIC:
		return op->returns;
	case ISA_SPECIAL:
		if (r->special == ISA_CALL || r->special == ISA_GETPC) {
			return 1;
		}
		if (special_class(r) == ISA_CLASS_BRANCH || op->operands < 2 ||
			r->special == ISA_SETREG || r->special == ISA_GPR_INDEX) {
			return 0;
		}
		return two ? 3 : 1;
	default:
		return two ? 3 : 1;
	}
}

static bool reads_destination(const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	bool keeps = op->dst_bits || op->o[0].high || (op->dpp && !op->bound_zero) || r->half;
	bool special = r->form == ISA_SPECIAL;
	return keeps || r->flags & ISA_ACCUMULATES || r->form == ISA_SOPK ||
	       (r->form == ISA_MIX && r->number) ||
	       (special && (r->special == ISA_WRITELANE || r->special == ISA_SMFMAC ||
				   r->special == ISA_SWMMAC || r->special == ISA_SWAP ||
				   r->special == ISA_PERMLANE16_SWAP ||
				   r->special == ISA_PERMLANE32_SWAP || r->special == ISA_CVT_F8));
}

/* Adds implicit uses of VCC, EXEC and SCC. Every scalar instruction counts as one that writes
 * SCC. */
static void add_unnamed(struct list *l, const struct isa_op *op)
{
	const struct isa_row *r = op->row;
	bool special = r->form == ISA_SPECIAL;
	if (r->form == ISA_SALU || r->form == ISA_SOPK || r->form == ISA_SCMP) {
		add(l, ISA_USE_SCC, 1, true, false);
	} else if (special && (r->special == ISA_BRANCH_VCCZ || r->special == ISA_BRANCH_VCCNZ)) {
		add(l, ISA_VCC, 2, false, false);
	} else if (special && r->special == ISA_DIV_FMAS) {
		add(l, ISA_VCC, 2, false, false);
	} else if (op->cmpx) {
		add(l, ISA_EXEC, 2, true, false);
	} else if (special && r->special == ISA_SAVEEXEC) {
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
	if (op->operands && reads_destination(op)) {
		add_operand(&l, &op->o[0], false, false);
	}
	add_unnamed(&l, op);
	return l.n;
}
