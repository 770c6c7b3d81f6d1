/* Loads and stores: scalar, global, scratch, LDS. */
#include <stdio.h>
#include <string.h>

#include "isa/machine.h"

/* NULL: it is not all within one piece of memory. */
static unsigned char *global(struct isa_wave *w, uint64_t at, uint64_t bytes, bool store)
{
	const struct isa_launch *l = w->group->l;
	for (size_t i = 0; i < l->memories; i++) {
		const struct isa_memory *m = &l->memory[i];
		uint64_t from = at - m->at;
		if (at >= m->at && from <= m->bytes && bytes <= m->bytes - from &&
			!(store && m->constant)) {
			return m->p + from;
		}
	}
	isa_wrong(
		w, arena_printf(w->group->a, "%s %llu bytes at address %#llx, which is no buffer's",
			   store ? "stores" : "loads", (unsigned long long)bytes,
			   (unsigned long long)at));
	return NULL;
}

void isa_memory_s_load(struct isa_wave *w)
{
	const struct isa_operand *o = w->op->o;
	uint64_t bytes = o[0].regs * 4u;
	if (o[1].kind != ISA_OPERAND_SGPR || o[1].regs != 2 || o[0].kind != ISA_OPERAND_SGPR) {
		isa_wrong(w, "unknown operands of a scalar load");
		return;
	}
	/* the two lowest bits of base and offset are not looked at */
	uint64_t at = (isa_mask(w, o[1].reg) & ~(uint64_t)3) + (isa_scalar(w, &o[2], 32) & ~3u);
	const unsigned char *p = global(w, at, bytes, false);
	if (p) {
		memcpy(&w->s[o[0].reg], p, bytes);
	}
}

/* ---- addresses ---- */

static uint64_t global_address(struct isa_wave *w, const struct isa_operand *o, int lane)
{
	const struct isa_operand *base = &o[2];
	const struct isa_operand *v = &o[w->op->row->form == ISA_LOAD ? 1 : 0];
	uint64_t at = w->v[v->reg][lane];
	if (base->kind == ISA_OPERAND_SGPR) {
		at += isa_mask(w, base->reg);
	} else {
		at |= (uint64_t)w->v[v->reg + 1][lane] << 32;
	}
	return at + (uint64_t)(int64_t)w->op->offset;
}

/* Through a descriptor: what comes from SGPRs counts bytes of all lanes together, as the memory of
 * a wave is swizzled; the rest counts a lane's. */
static uint64_t buffer_address(struct isa_wave *w, const struct isa_operand *o, int lane)
{
	const uint32_t *d = &w->s[o[2].reg];
	uint64_t base = d[0] | (uint64_t)(d[1] & 0xffff) << 32;
	uint64_t wave = base - ISA_SCRATCH_BASE + isa_scalar(w, &o[3], 32);
	bool swizzled = o[2].kind == ISA_OPERAND_SGPR && o[2].regs == 4 && d[1] >> 31;
	if (!swizzled || base < ISA_SCRATCH_BASE || base - ISA_SCRATCH_BASE > UINT32_MAX ||
		wave % ISA_LANES) {
		isa_wrong(w, "buffer_ with this descriptor is not covered");
		return 0;
	}
	uint64_t own = w->op->offen ? w->v[o[1].reg][lane] : 0;
	return wave / ISA_LANES + own + (uint64_t)(int64_t)w->op->offset;
}

/* scratch_load d, vaddr, saddr; scratch_store vaddr, d, saddr */
static uint64_t scratch_address(struct isa_wave *w, const struct isa_operand *o, int lane)
{
	const struct isa_operand *v = &o[w->op->row->form == ISA_LOAD ? 1 : 0];
	uint32_t at = (uint32_t)w->op->offset;
	if (w->op->row->operands == 4) {
		return buffer_address(w, o, lane);
	}
	at += v->kind == ISA_OPERAND_VGPR ? w->v[v->reg][lane] : 0;
	at += o[2].kind == ISA_OPERAND_OFF ? 0 : (uint32_t)isa_scalar(w, &o[2], 32);
	return at;
}

/* ---- a lane's element ---- */

static void move(uint32_t *reg, unsigned char *p, bool store)
{
	if (store) {
		memcpy(p, reg, 4);
	} else {
		memcpy(reg, p, 4);
	}
}

static void move_narrow(struct isa_wave *w, uint32_t *reg, unsigned char *p)
{
	const struct isa_row *r = w->op->row;
	unsigned bytes = r->bits[0];
	if (r->form == ISA_STORE) {
		memcpy(p, reg, bytes);
		return;
	}
	uint32_t x = 0;
	memcpy(&x, p, bytes);
	uint32_t top = 1u << (8 * bytes - 1);
	*reg = r->sign ? (x ^ top) - top : x;
}

static void move_all(struct isa_wave *w, unsigned reg, int lane, unsigned char *p)
{
	const struct isa_row *r = w->op->row;
	if (r->bits[0] < 4) {
		move_narrow(w, &w->v[reg][lane], p);
		return;
	}
	for (unsigned i = 0; i < r->bits[1]; i++) {
		move(&w->v[reg + i][lane], p + 4 * i, r->form == ISA_STORE);
	}
}

static void run_scratch(struct isa_wave *w, unsigned reg, int lane)
{
	const struct isa_row *r = w->op->row;
	uint64_t at = scratch_address(w, w->op->o, lane);
	uint64_t dwords = w->group->scratch_dwords;
	if (!w->said && (at % 4 || at / 4 + r->bits[1] > dwords)) {
		isa_wrong(w, arena_printf(w->group->a, "byte %llu of scratch, which has %llu",
				     (unsigned long long)at, (unsigned long long)dwords * 4));
	}
	for (unsigned i = 0; !w->said && i < r->bits[1]; i++) {
		move(&w->v[reg + i][lane],
			(unsigned char *)&w->scratch[(at / 4 + i) * ISA_LANES + (unsigned)lane],
			r->form == ISA_STORE);
	}
}

static void run_lds(struct isa_wave *w, uint64_t at, unsigned reg, int lane)
{
	const struct isa_row *r = w->op->row;
	uint64_t bytes = (uint64_t)r->bits[0] * r->bits[1];
	if (at + bytes > w->group->lds_bytes || at % r->bits[0]) {
		isa_wrong(w, arena_printf(w->group->a, "lane %d: byte %llu of LDS, which has %u",
				     lane, (unsigned long long)at, w->group->lds_bytes));
		return;
	}
	move_all(w, reg, lane, w->group->lds + at);
}

/* The sum with the offset wraps, as LLVM counts on for GFX9 (isDSOffsetLegal).
 * ds_read d, address; ds_write address, d; ds_write2 address, d, d */
static void run_lds_lane(struct isa_wave *w, int lane)
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	bool store = r->form == ISA_STORE;
	/* before a load may overwrite it */
	uint32_t address = w->v[op->o[store ? 0 : 1].reg][lane];
	unsigned reg = op->o[store ? 1 : 0].reg;
	if (!r->bits[2]) {
		run_lds(w, address + (uint32_t)op->offset, reg, lane);
		return;
	}
	unsigned second = store ? op->o[2].reg : reg + r->bits[1];
	run_lds(w, address + op->offset2[0] * 4u * r->bits[2], reg, lane);
	run_lds(w, address + op->offset2[1] * 4u * r->bits[2], second, lane);
}

static void run_lane(struct isa_wave *w, unsigned reg, int lane)
{
	const struct isa_row *r = w->op->row;
	if (r->space == ISA_LDS) {
		run_lds_lane(w, lane);
	} else if (r->space == ISA_SCRATCH) {
		run_scratch(w, reg, lane);
	} else {
		unsigned char *p = global(w, global_address(w, w->op->o, lane),
			(uint64_t)r->bits[0] * r->bits[1], r->form == ISA_STORE);
		if (p) {
			move_all(w, reg, lane, p);
		}
	}
}

/* The registers that the operands name must be those that the row moves. */
static bool has_operands(const struct isa_op *op, unsigned data)
{
	const struct isa_row *r = op->row;
	bool load = r->form == ISA_LOAD;
	unsigned two = r->bits[2] && load ? 2 : 1;
	const struct isa_operand *v = &op->o[load ? 1 : 0];
	const struct isa_operand *base = &op->o[2];
	if (op->o[data].kind != ISA_OPERAND_VGPR || op->o[data].regs != r->bits[1] * two) {
		return false;
	}
	if (r->space == ISA_SCRATCH) {
		return r->operands != 4 || !op->offen || op->o[1].kind == ISA_OPERAND_VGPR;
	}
	if (r->space == ISA_LDS) {
		return v->kind == ISA_OPERAND_VGPR && v->regs == 1;
	}
	bool from_base = base->kind == ISA_OPERAND_SGPR && base->regs == 2;
	return v->kind == ISA_OPERAND_VGPR && v->regs == (from_base ? 1 : 2) &&
	       (from_base || base->kind == ISA_OPERAND_OFF);
}

void isa_memory_run(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool data_first = op->row->form == ISA_LOAD || op->row->operands == 4;
	unsigned data = data_first ? 0 : 1;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	if (!has_operands(op, data)) {
		isa_wrong(w, "unknown operands of a load or store");
		return;
	}
	for (int lane = 0; !w->said && lane < ISA_LANES; lane++) {
		if (exec >> lane & 1) {
			run_lane(w, op->o[data].reg, lane);
		}
	}
}
