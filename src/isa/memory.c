/* Loads, stores and atomics: scalar ("CDNA4" chapter 8), buffer (9.1), global, flat and scratch
 * (10), LDS (11). */
#include <string.h>

#include "isa/watch.h"

/* NULL, and the wave stops, if the access is not within one memory. */
static unsigned char *global(struct isa_wave *w, uint64_t at, uint64_t bytes, bool store)
{
	const struct isa_launch *l = w->group->l;
	for (size_t i = 0; i < l->memories; i++) {
		const struct isa_memory *m = &l->memory[i];
		uint64_t from = at - m->at;
		if (at >= m->at && from <= m->bytes && bytes <= m->bytes - from &&
			!(store && m->constant)) {
			isa_watch_global(w, i, from, bytes, store);
			return m->p + from;
		}
	}
	if (at >= ISA_ELSEWHERE && at - ISA_ELSEWHERE <= UINT32_MAX) {
		isa_wrong(w, "a variable of another translation unit");
		return NULL;
	}
	isa_broken(w,
		arena_printf(w->group->a, "%s %llu bytes at address %#llx, which is in no buffer",
			store ? "stores" : "loads", (unsigned long long)bytes,
			(unsigned long long)at));
	return NULL;
}

/* d, base, offset */
void isa_memory_s_load(struct isa_wave *w)
{
	const struct isa_operand *o = w->op->o;
	int narrow = -w->op->row->number; /* 1: u8, 2: u16, 3: i8, 4: i16 */
	uint64_t bytes = narrow <= 0 ? o[0].regs * 4u : narrow % 2 ? 1 : 2;
	uint64_t whole = narrow <= 0 ? ~(uint64_t)3 : UINT64_MAX;
	/* the two lowest bits of base and offset are ignored */
	uint64_t offset = isa_scalar(w, &o[2]);
	int64_t sum = (int64_t)(int32_t)offset + w->op->offset;
	if (o[2].kind == ISA_OPERAND_SGPR) { /* a register is added */
		sum = (int64_t)(offset & 0xffffffff) + w->op->offset;
	}
	uint64_t at = (isa_mask(w, o[1].reg) & whole) + ((uint64_t)sum & whole);
	const unsigned char *p = global(w, at, bytes, false);
	if (p && narrow > 0) {
		uint32_t x = 0;
		memcpy(&x, p, bytes);
		x = narrow == 3 ? (uint32_t)(int8_t)x : narrow == 4 ? (uint32_t)(int16_t)x : x;
		w->s[o[0].reg] = x;
	} else if (p) {
		memcpy(&w->s[o[0].reg], p, bytes);
	}
	if (p && w->group->shadow) {
		w->group->calls->s_load(w, p, (unsigned)bytes);
	}
}

/* ---- address of a lane's element ---- */

/* Scratch is swizzled by 4 bytes: for an unaligned access, the place of its first dword. */
static unsigned char *scratch(struct isa_wave *w, uint64_t at, unsigned bytes, int lane)
{
	uint64_t most = (uint64_t)w->group->scratch_dwords * 4;
	if (at + bytes > most || at > most || (w->op->row->form == ISA_ATOMIC && at % bytes)) {
		isa_broken(
			w, arena_printf(w->group->a, "byte %llu of scratch, which has %llu bytes",
				   (unsigned long long)at, (unsigned long long)most));
		return NULL;
	}
	return (unsigned char *)&w->scratch[at / 4 * ISA_LANES + (unsigned)lane];
}

/* Loads and stores may be unaligned, as HSA configures the hardware; atomics may not. */
static unsigned char *lds(struct isa_wave *w, uint64_t at, unsigned bytes, int lane)
{
	unsigned align = w->op->row->form == ISA_ATOMIC ? bytes : 1;
	if (at + bytes > w->group->lds_bytes || at % align) {
		isa_broken(w,
			arena_printf(w->group->a, "lane %d: byte %llu of LDS, which has %u bytes",
				lane, (unsigned long long)at, w->group->lds_bytes));
		return NULL;
	}
	isa_watch_lds(w, at, bytes);
	return w->group->lds + at;
}

/* The place of an element, and the distance of its 4-byte parts. */
struct place {
	unsigned char *p;
	size_t step;
	unsigned skip; /* bytes to skip in the first part */
	/* past a buffer's end: a load returns 0, a store does nothing; p is NULL */
	bool out_of_bounds;
};

static bool stores(const struct isa_row *r)
{
	return r->form != ISA_LOAD;
}

static unsigned element_bytes(const struct isa_row *r)
{
	return r->form == ISA_ATOMIC ? r->bits[0] : (unsigned)r->bits[0] * r->bits[1];
}

static struct place global_place(struct isa_wave *w, uint64_t at)
{
	return (struct place){
		.p = global(w, at, element_bytes(w->op->row), stores(w->op->row)), .step = 4};
}

static struct place scratch_place(struct isa_wave *w, uint64_t at, int lane)
{
	return (struct place){.p = scratch(w, at, element_bytes(w->op->row), lane),
		.step = 4 * ISA_LANES,
		.skip = at % 4};
}

static struct place lds_place(struct isa_wave *w, uint64_t at, int lane)
{
	return (struct place){.p = lds(w, at, element_bytes(w->op->row), lane), .step = 4};
}

/* The operand with the address: after the result, if there is one. */
static const struct isa_operand *address_operand(const struct isa_op *op)
{
	bool first = op->row->form == ISA_STORE || (op->row->form == ISA_ATOMIC && !op->returns);
	return &op->o[first ? 0 : 1];
}

/* [d,] address, [data,] base: the operand after the data, or after the address. */
static const struct isa_operand *base_operand(const struct isa_op *op)
{
	return &op->o[op->operands - 1];
}

static struct place place_global(struct isa_wave *w, int lane)
{
	const struct isa_operand *v = address_operand(w->op);
	const struct isa_operand *base = base_operand(w->op);
	uint64_t at = w->v[v->reg][lane];
	if (base->kind == ISA_OPERAND_SGPR) {
		at += isa_mask(w, base->reg);
	} else {
		at |= (uint64_t)w->v[v->reg + 1][lane] << 32;
	}
	return global_place(w, at + (uint64_t)(int64_t)w->op->offset);
}

/* The upper half of an address shows whether it is in an aperture. */
static struct place place_flat(struct isa_wave *w, int lane)
{
	const struct isa_operand *v = address_operand(w->op);
	uint64_t at = w->v[v->reg][lane] | (uint64_t)w->v[v->reg + 1][lane] << 32;
	at += (uint64_t)(int64_t)w->op->offset;
	if (at >> 32 == ISA_SHARED_BASE >> 32) {
		w->count->lds++;
		return lds_place(w, at & UINT32_MAX, lane);
	}
	if (at >> 32 == ISA_PRIVATE_BASE >> 32) {
		w->count->scratch++;
		return scratch_place(w, at & UINT32_MAX, lane);
	}
	return global_place(w, at);
}

static struct place place_scratch(struct isa_wave *w, int lane)
{
	const struct isa_operand *v = address_operand(w->op);
	const struct isa_operand *base = base_operand(w->op);
	uint32_t at = (uint32_t)w->op->offset;
	at += v->kind == ISA_OPERAND_VGPR ? w->v[v->reg][lane] : 0;
	at += base->kind == ISA_OPERAND_OFF ? 0 : (uint32_t)isa_scalar(w, base);
	return scratch_place(w, at, lane);
}

/* ---- through a descriptor ---- */

/* The initial scratch descriptor: offsets from SGPRs count bytes of all lanes together, since a
 * wave's scratch is swizzled; other offsets count one lane's bytes. */
static bool scratch_buffer(struct place *out, struct isa_wave *w, int lane)
{
	const struct isa_op *op = w->op;
	const uint32_t *d = &w->s[op->o[2].reg];
	uint64_t base = d[0] | (uint64_t)(d[1] & 0xffff) << 32;
	if (op->idxen || !(d[1] >> 31) || base < ISA_SCRATCH_BASE ||
		base - ISA_SCRATCH_BASE > UINT32_MAX) {
		return false;
	}
	uint64_t wave = base - ISA_SCRATCH_BASE + isa_scalar(w, &op->o[3]);
	uint64_t own = (op->offen ? w->v[op->o[1].reg][lane] : 0) + (uint64_t)(int64_t)op->offset;
	if (wave % ISA_LANES == 0) {
		w->count->scratch++;
		*out = scratch_place(w, (uint32_t)(wave / ISA_LANES + own), lane);
	}
	return wave % ISA_LANES == 0;
}

/* The fields of a descriptor ("CDNA4" 9.1.5, "RDNA3" 9.4). */
struct records {
	uint64_t base;
	uint32_t number; /* of records, or of bytes */
	uint32_t stride;
	unsigned element;      /* element size in bytes; 0: not swizzled */
	unsigned index_stride; /* number of interleaved records */
	bool add_lane;	       /* to the index */
	unsigned check;	       /* RDNA: OOB_SELECT */
};

enum {
	CHECK_RECORD = 0, /* index and offset */
	CHECK_INDEX = 1,
	CHECK_NOTHING = 2,
	CHECK_BYTES = 3
};

/* On CDNA bit 62 swizzles cache banks, not addresses. */
static struct records records_of(const struct isa_wave *w)
{
	const uint32_t *d = &w->s[w->op->o[2].reg];
	bool cdna = w->group->p->gfx < 0x1000;
	struct records r = {.base = d[0] | (uint64_t)(d[1] & 0xffff) << 32,
		.number = d[2],
		.stride = d[1] >> 16 & 0x3fff,
		.element = cdna ? d[1] >> 31 << 2 : (unsigned[]){0, 4, 8, 16}[d[1] >> 30],
		.index_stride = 8u << (d[3] >> 21 & 3),
		.add_lane = d[3] >> 23 & 1,
		.check = d[3] >> 28 & 3};
	/* with add_lane the format field extends the stride */
	r.stride |= r.add_lane ? (d[3] >> 15 & 15) << 14 : 0;
	return r;
}

/* The reason to refuse a descriptor: the documents or drivers disagree on its meaning. */
static const char *why_refused(
	const struct isa_op *op, const struct records *r, uint32_t type, bool cdna)
{
	return type ? "a descriptor that is not a buffer's"
	       : r->add_lane && !(cdna && op->idxen)
		       ? "a descriptor with ADD_TID_ENABLE, except with "
			 "idxen on CDNA,"
	       : r->element && !op->idxen ? "a swizzled buffer without an index"
	       : r->element && r->stride % r->element
		       ? "a swizzled buffer whose stride is not a multiple of its elements"
	       : !cdna && r->check == CHECK_BYTES && r->stride && op->idxen && !r->element
		       ? "an index with OOB_SELECT 3, which checks only bytes,"
		       : NULL;
}

/* Are these bytes past the buffer's end? RDNA: as the documents say. CDNA: an index counts records
 * if there is a stride, else bytes (as in LLVM's struct and raw intrinsics). */
static bool is_out_of_bounds(const struct isa_wave *w, const struct records *r, uint64_t index,
	uint64_t offset, uint64_t scalar, unsigned bytes)
{
	bool record = index >= r->number, cdna = w->group->p->gfx < 0x1000;
	bool whole = offset + scalar + bytes > r->number;
	if (cdna) {
		return r->stride && w->op->idxen ? record : whole;
	}
	switch (r->check) {
	case CHECK_INDEX:
		return record;
	case CHECK_NOTHING:
		return r->number == 0;
	case CHECK_BYTES:
		return r->element && r->stride ? record || offset + bytes > r->stride : whole;
	}
	return record || offset + bytes > r->stride;
}

/* The place of a 4-byte part of an element; an atomic's element is not divided. */
static struct place buffer_place(struct isa_wave *w, int lane, unsigned part)
{
	const struct isa_op *op = w->op;
	const struct isa_row *row = op->row;
	const uint32_t *v = NULL;
	struct records r = records_of(w);
	unsigned bytes = row->form == ISA_ATOMIC || row->bits[0] < 4 ? row->bits[0] : 4;
	uint64_t scalar = isa_scalar(w, &op->o[3]), index = 0, offset = 4 * part;
	const char *why =
		why_refused(op, &r, w->s[op->o[2].reg + 3] >> 30, w->group->p->gfx < 0x1000);
	if (op->idxen) {
		v = w->v[op->o[1].reg];
		index = v[lane] + (r.add_lane ? (unsigned)lane : 0);
	}
	if (op->offen) {
		v = w->v[op->o[1].reg + op->idxen];
		offset += v[lane];
	}
	offset += (uint64_t)(int64_t)op->offset;
	if (!why && r.element && offset % r.element + bytes > r.element) {
		why = "an access across elements of a swizzled buffer";
	}
	if (why) {
		isa_wrong(w, arena_printf(w->group->a, "%s is not covered", why));
		return (struct place){NULL};
	}
	if (is_out_of_bounds(w, &r, index, offset, scalar, bytes)) {
		return (struct place){.out_of_bounds = true};
	}
	uint64_t at = index * r.stride + offset;
	if (r.element) {
		uint64_t group = index / r.index_stride * r.stride + offset / r.element * r.element;
		at = group * r.index_stride + index % r.index_stride * r.element +
		     offset % r.element;
	}
	return (struct place){.p = global(w, r.base + scalar + at, bytes, stores(row)), .step = 4};
}

static struct place place_of(struct isa_wave *w, int lane)
{
	switch (w->op->row->space) {
	case ISA_GLOBAL:
		return place_global(w, lane);
	case ISA_FLAT:
		return place_flat(w, lane);
	case ISA_SCRATCH:
		return place_scratch(w, lane);
	case ISA_BUFFER: {
		struct place at;
		return scratch_buffer(&at, w, lane) ? at : buffer_place(w, lane, 0);
	}
	case ISA_LDS:
		break;
	}
	/* the sum with the offset wraps; LLVM relies on that for GFX9 (isDSOffsetLegal) */
	return lds_place(
		w, w->v[address_operand(w->op)->reg][lane] + (uint32_t)w->op->offset, lane);
}

/* ---- a lane's element ---- */

/* Stores bytes; did they change? */
static bool put(unsigned char *p, const void *from, unsigned bytes)
{
	bool changes = memcmp(p, from, bytes) != 0;
	memcpy(p, from, bytes);
	return changes;
}

/* Moves an element of 1 or 2 bytes. Returns whether memory changed, as the next two do. */
static bool move_narrow(const struct isa_row *r, uint32_t *reg, unsigned char *p)
{
	unsigned bytes = r->bits[0];
	uint32_t x = r->half == 2 ? *reg >> 16 : *reg;
	uint32_t top = 1u << (8 * bytes - 1);
	if (r->form == ISA_STORE) {
		return put(p, &x, bytes);
	}
	x = 0;
	if (p) {
		memcpy(&x, p, bytes);
	}
	x = r->sign ? (x ^ top) - top : x;
	*reg = r->half == 2   ? (*reg & 0xffff) | x << 16
	       : r->half == 1 ? (*reg & 0xffff0000) | (x & 0xffff)
			      : x;
	return false;
}

/* Moves a register of an element. p NULL: out of bounds, a load returns 0. */
static bool move_part(const struct isa_row *r, uint32_t *reg, unsigned char *p)
{
	if (r->form == ISA_STORE && !p) {
		return false;
	}
	if (r->bits[0] < 4) {
		return move_narrow(r, reg, p);
	}
	if (r->form == ISA_STORE) {
		return put(p, reg, 4);
	}
	*reg = 0;
	if (p) {
		memcpy(reg, p, 4);
	}
	return false;
}

/* The same for bytes that may span two dwords. */
static bool move_across(
	const struct isa_row *r, uint32_t *reg, unsigned char *p, const struct place *at)
{
	unsigned bytes = r->bits[0] < 4 ? r->bits[0] : 4;
	unsigned char buffer[4];
	unsigned char *from[4] = {0};
	if (at->skip + bytes <= 4) {
		return move_part(r, reg, p + at->skip);
	}
	for (unsigned k = 0; k < bytes; k++) {
		unsigned n = at->skip + k;
		from[k] = p + at->step * (n / 4) + n % 4;
		buffer[k] = *from[k];
	}
	bool changes = move_part(r, reg, buffer);
	for (unsigned k = 0; r->form == ISA_STORE && k < bytes; k++) {
		*from[k] = buffer[k];
	}
	return changes;
}

/* Moves the terms of a part, whose first byte is at p + skip; NULL: out of bounds. */
static void shadow_part(
	struct isa_wave *w, unsigned reg, int lane, unsigned char *p, const struct place *at)
{
	unsigned char *byte[4];
	for (unsigned k = 0; p && k < 4; k++) {
		unsigned n = at->skip + k;
		byte[k] = p + at->step * (n / 4) + n % 4;
	}
	if (w->group->shadow) {
		w->group->calls->move(w, reg, lane, p ? byte : NULL);
	}
}

static void move(struct isa_wave *w, unsigned reg, int lane, const struct place *at)
{
	const struct isa_row *r = w->op->row;
	for (unsigned i = 0; at->p && i < r->bits[1]; i++) {
		unsigned char *p = at->p + at->step * i;
		w->group->changes += move_across(r, &w->v[reg + i][lane], p, at);
		shadow_part(w, reg + i, lane, p, at);
	}
}

/* The operand with the data of a load or store. */
static unsigned data_register(const struct isa_op *op)
{
	bool first = op->row->form == ISA_LOAD || op->row->space == ISA_BUFFER;
	return op->o[first ? 0 : 1].reg;
}

/* Looks up each part separately, and all of them before a load may overwrite the address. */
static void run_buffer(struct isa_wave *w, int lane)
{
	const struct isa_row *r = w->op->row;
	unsigned reg = data_register(w->op);
	struct place at[4];
	if (scratch_buffer(&at[0], w, lane)) {
		move(w, reg, lane, &at[0]);
		return;
	}
	for (unsigned i = 0; i < r->bits[1]; i++) {
		at[i] = buffer_place(w, lane, i);
	}
	for (unsigned i = 0; i < r->bits[1] && (at[i].p || at[i].out_of_bounds); i++) {
		move_part(r, &w->v[reg + i][lane], at[i].p);
		shadow_part(w, reg + i, lane, at[i].p, &at[i]);
	}
}

/* ds_read2 d, address; ds_write2 address, d, d */
static void run_two(struct isa_wave *w, int lane)
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	bool store = r->form == ISA_STORE;
	/* read now, since the first load may overwrite it */
	uint32_t address = w->v[address_operand(op)->reg][lane];
	unsigned reg = data_register(op);
	unsigned second = store ? op->o[2].reg : reg + r->bits[1];
	for (unsigned i = 0; i < 2; i++) {
		struct place at = lds_place(w, address + op->offset2[i] * 4u * r->bits[2], lane);
		move(w, i ? second : reg, lane, &at);
	}
}

/* ---- atomics: lane after lane ---- */

static uint64_t lane_data(const struct isa_wave *w, unsigned reg, int lane, unsigned bytes)
{
	return w->v[reg][lane] | (bytes == 8 ? (uint64_t)w->v[reg + 1][lane] << 32 : 0);
}

/* [d,] address, data, [base]; buffer: data, address, descriptor, offset, and d is data. LDS's
 * cmpst: address, compare, data; cmpstore: address, data, compare; others: data and compare in one
 * operand of twice the width. */
static void run_atomic(struct isa_wave *w, int lane)
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	unsigned bytes = r->bits[0];
	bool buffer = r->space == ISA_BUFFER;
	unsigned data = buffer ? op->o[0].reg : op->o[op->returns ? 2 : 1].reg;
	unsigned compared = data + bytes / 4;
	struct place at = place_of(w, lane);
	uint64_t old = 0;
	if (w->group->shadow && at.out_of_bounds) {
		w->group->calls->atomic(w, lane, &(struct isa_atomic){.bytes = bytes});
	}
	if (!at.p) {
		for (unsigned i = 0; at.out_of_bounds && op->returns && i < bytes / 4; i++) {
			w->v[op->o[0].reg + i][lane] = 0;
		}
		return;
	}
	if (r->bits[1] && r->space == ISA_LDS) {
		unsigned second = op->o[op->returns ? 3 : 2].reg;
		compared = r->bits[1] == 2 ? second : data;
		data = r->bits[1] == 2 ? data : second;
	}
	for (unsigned i = 0; i < bytes / 4; i++) {
		memcpy((unsigned char *)&old + 4 * i, at.p + at.step * i, 4);
	}
	uint64_t compare = r->bits[1] ? lane_data(w, compared, lane, bytes) : 0;
	uint64_t now = r->atomic(old, lane_data(w, data, lane, bytes), compare);
	if (w->group->shadow) {
		const struct isa_atomic does = {at.p, at.step, bytes, data, compared, old, now};
		w->group->calls->atomic(w, lane, &does);
	}
	for (unsigned i = 0; i < bytes / 4; i++) {
		w->group->changes += put(at.p + at.step * i, (unsigned char *)&now + 4 * i, 4);
	}
	for (unsigned i = 0; op->returns && i < bytes / 4; i++) {
		w->v[op->o[0].reg + i][lane] = (uint32_t)(old >> 32 * i);
	}
}

void isa_memory_run(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t exec = isa_mask(w, ISA_EXEC);
	for (int lane = 0; !w->said && lane < ISA_LANES; lane++) {
		if (!(exec >> lane & 1)) {
			continue;
		}
		if (op->row->form == ISA_ATOMIC) {
			run_atomic(w, lane);
		} else if (op->row->bits[2]) {
			run_two(w, lane);
		} else if (op->row->space == ISA_BUFFER) {
			run_buffer(w, lane);
		} else {
			struct place at = place_of(w, lane);
			move(w, data_register(op), lane, &at);
		}
	}
}
