/*
 * Checks of waits, races, barriers and uninitialized data (watch.h). Rules: "CDNA4" 4.3 (barriers),
 * 4.4 (waits), "RDNA3" 5.5 and 5.6.
 *
 * A register that a load writes is late until a wait covers the load; LLVM's SIInsertWaitcnts
 * defines the counters. Loads of one kind return in order, so the number of outstanding ones tells
 * which have arrived. Scalar loads, and LDS mixed with others on one counter, return in any order:
 * only a wait for 0 covers them.
 */
#include <string.h>

#include "isa/watch.h"

enum {
	REGISTERS = ISA_USE_VGPR + ISA_VGPRS,
	PLACES = ISA_LANES * 4,
	BANKS = 32, /* of LDS, 4 bytes wide each */
	KINDS = 2,  /* on one counter: LDS and vector memory, scalar loads */
};

struct late {
	uint32_t number[ISA_COUNTERS]; /* its sequence number on the counter; 0: not on it */
	unsigned line;
};

struct wave_watch {
	struct late late[REGISTERS];
	uint32_t issued[ISA_COUNTERS];
	uint32_t done[ISA_COUNTERS];
	uint32_t last[ISA_COUNTERS][KINDS];
	uint32_t store[ISA_COUNTERS]; /* the last store */
	uint32_t done_at_barrier;
	uint64_t lanes;	 /* initially active lanes */
	bool flat_lds;	 /* the current flat instruction accessed LDS */
	unsigned places; /* dwords of LDS that the instruction accessed, in lane order */
	uint32_t place[PLACES];
};

/* The kinds of accesses to a byte of LDS; the last of each kind is recorded. */
enum touch_kind {
	TOUCH_WRITE,
	TOUCH_ATOMIC,
	TOUCH_READ,
	TOUCHES
};

struct touch {
	uint32_t epoch; /* from 1; 0: never */
	uint32_t number;
	unsigned line;
	uint8_t wave;
	bool several;
	bool atomic; /* with respect to atomics of other waves */
};

struct known_op {
	struct isa_use use[ISA_USES];
	unsigned uses;
	unsigned counters;
	enum isa_class class;
};

struct isa_watch {
	struct known_op *op;
	struct wave_watch *wave;
	struct touch *touch[TOUCHES]; /* one per byte of LDS */
	uint32_t epoch;
	struct isa_log *log;
	struct isa_watch_memory *memory;
};

static struct wave_watch *of(const struct isa_wave *w)
{
	return &w->group->watch->wave[w->number];
}

static void set_known(struct known_op *k, const struct isa_op *op)
{
	k->uses = isa_op_uses(k->use, op);
	k->counters = isa_op_counters(op);
	k->class = isa_op_class(op);
}

/* The uses of the current instruction. One with indexed registers is not in the table. */
static const struct known_op *known(const struct isa_wave *w, struct known_op *buffer)
{
	const struct isa_program *p = w->group->p;
	size_t number = (size_t)(w->op - p->op);
	if (w->op >= p->op && number < p->ops) {
		return &w->group->watch->op[number];
	}
	set_known(buffer, w->op);
	return buffer;
}

struct isa_watch *isa_watch_open(struct isa_group *g, struct isa_log *log)
{
	struct isa_watch *h = ARENA_NEW(g->a, struct isa_watch);
	h->op = ARENA_ARRAY(g->a, struct known_op, g->p->ops + 1);
	for (size_t i = 0; i < g->p->ops; i++) {
		set_known(&h->op[i], &g->p->op[i]);
	}
	h->wave = ARENA_ARRAY(g->a, struct wave_watch, g->waves);
	for (int i = 0; i < TOUCHES; i++) {
		h->touch[i] = ARENA_ARRAY(g->a, struct touch, g->lds_bytes + 1);
	}
	h->log = log;
	h->memory = isa_watch_memory_open(g);
	return h;
}

void isa_watch_begin(struct isa_group *g)
{
	struct isa_watch *h = g->watch;
	memset(h->wave, 0, g->waves * sizeof(*h->wave));
	for (int i = 0; i < TOUCHES; i++) {
		memset(h->touch[i], 0, g->lds_bytes * sizeof(*h->touch[i]));
	}
	h->epoch = 1;
	isa_watch_memory_begin(h->memory, h->log && h->log->run > 0);
	for (unsigned i = 0; i < g->waves; i++) {
		h->wave[i].lanes = isa_mask(&g->wave[i], ISA_EXEC);
	}
}

uint32_t isa_watch_garbage(const struct isa_group *g, uint32_t place)
{
	const struct isa_log *log = g->watch->log;
	uint64_t x =
		(place + 1) * 0x9e3779b97f4a7c15u ^ (log && log->run > 0 ? 0x5bd1e9955bd1e995u : 0);
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9u;
	return (uint32_t)(x >> 32);
}

unsigned char isa_watch_unset_lds(const struct isa_group *g, uint64_t at)
{
	/* 0, 1, and the largest and smallest f16, which are extreme in any type */
	static const unsigned char word[ISA_WATCH_RUNS][4] = {
		{0}, {0xff, 0x7b, 0xff, 0x7b}, {0xff, 0xfb, 0xff, 0xfb}, {1}};
	const struct isa_log *log = g->watch->log;
	return word[log ? log->run : 0][at % 4];
}

/* ---- waits ---- */

static bool is_late(const struct wave_watch *v, const struct late *l)
{
	bool late = false;
	for (unsigned c = 0; c < ISA_COUNTERS; c++) {
		late |= l->number[c] > v->done[c];
	}
	return late;
}

static const char *register_name(struct isa_wave *w, unsigned reg)
{
	struct arena *a = w->group->a;
	if (reg >= ISA_USE_VGPR + ISA_AGPR) {
		return arena_printf(a, "a%u", reg - ISA_USE_VGPR - ISA_AGPR);
	}
	if (reg >= ISA_USE_VGPR) {
		return arena_printf(a, "v%u", reg - ISA_USE_VGPR);
	}
	return reg == ISA_VCC || reg == ISA_VCC + 1 ? "vcc" : arena_printf(a, "s%u", reg);
}

static void report_late(struct isa_wave *w, const struct isa_use *u, unsigned reg)
{
	const char *name = register_name(w, reg);
	const char *load = isa_where(w->group, of(w)->late[reg].line);
	isa_broken(
		w, arena_printf(w->group->a,
			   u->write ? "writes %s, which the load in %s may still write: no wait "
				      "between them covers the load"
				    : "reads %s, which the load in %s may not have written yet: no "
				      "wait between them covers the load",
			   name, load));
}

/* Does the load k arrive after the load l? It does on the same counters. */
static bool arrives_after(const struct late *l, const struct known_op *k)
{
	bool same = k->counters != 0;
	for (unsigned c = 0; c < ISA_COUNTERS; c++) {
		same &= !l->number[c] || k->counters >> c & 1;
	}
	return same;
}

/* Does a load keep the other half of its destination? */
static bool keeps_half(const struct isa_wave *w, const struct isa_use *u)
{
	const struct isa_op *op = w->op;
	return op->row->form == ISA_LOAD && op->row->half && u->reg == ISA_USE_VGPR + op->o[0].reg;
}

static void check_uses(struct isa_wave *w, const struct known_op *k)
{
	const struct wave_watch *v = of(w);
	for (unsigned i = 0; i < k->uses; i++) {
		const struct isa_use *u = &k->use[i];
		for (unsigned r = u->reg; r < u->reg + u->regs && r < REGISTERS; r++) {
			const struct late *l = &v->late[r];
			if (is_late(v, l) &&
				!((u->write || keeps_half(w, u)) && arrives_after(l, k))) {
				report_late(w, u, r);
			}
		}
	}
}

/* Do the outstanding loads return in order? Scalar loads do not. */
static bool in_order(const struct wave_watch *v, unsigned c)
{
	return v->last[c][1] <= v->done[c];
}

static void wait(struct isa_wave *w)
{
	struct wave_watch *v = of(w);
	for (unsigned c = 0; c < ISA_COUNTERS; c++) {
		uint32_t most = w->op->wait[c];
		if (most == ISA_NO_WAIT || v->issued[c] - v->done[c] <= most) {
			continue;
		}
		if (most == 0 || in_order(v, c)) {
			v->done[c] = v->issued[c] - most;
		}
	}
}

/* A flat load is on two counters; which of them covers it depends on the memory accessed. From
 * gfx10 on stores have their own counter, from gfx12 on scalar loads. */
static unsigned counters_of(const struct isa_wave *w, const struct known_op *k)
{
	unsigned gfx = w->group->p->gfx;
	unsigned vector = 1u << ISA_COUNT_VM;
	unsigned counters = k->counters;
	if (k->class == ISA_CLASS_FLAT && !of(w)->flat_lds) {
		counters = vector;
	}
	if (gfx >= 0x1000 && counters & vector && w->op->row->form == ISA_STORE) {
		counters ^= vector | 1u << ISA_COUNT_VS;
	}
	return gfx >= 0x1200 && k->class == ISA_CLASS_SCALAR_MEMORY ? 1u << ISA_COUNT_KM : counters;
}

static void count_open(struct isa_wave *w, const struct known_op *k)
{
	struct wave_watch *v = of(w);
	struct late now = {.line = w->op->line};
	unsigned counters = counters_of(w, k);
	int kind = k->class == ISA_CLASS_SCALAR_MEMORY;
	bool store = w->op->row->form == ISA_STORE && k->class != ISA_CLASS_LDS;
	for (unsigned c = 0; c < ISA_COUNTERS; c++) {
		if (counters >> c & 1) {
			now.number[c] = v->last[c][kind] = ++v->issued[c];
			v->store[c] = store ? v->issued[c] : v->store[c];
		}
	}
	for (unsigned i = 0; counters && i < k->uses; i++) {
		const struct isa_use *u = &k->use[i];
		for (unsigned r = u->reg; u->late && r < u->reg + u->regs && r < REGISTERS; r++) {
			v->late[r] = now;
		}
	}
}

/* ---- uninitialized data ---- */

static uint32_t mix(uint32_t hash, uint32_t with)
{
	hash ^= with;
	hash *= 0x01000193;
	return hash ^ hash >> 15;
}

static void log_hash(struct isa_wave *w, uint32_t hash, const char *what)
{
	struct isa_log *log = w->group->watch->log;
	if (!log) {
		return;
	}
	if (log->run == 0) {
		array_push(&log->v, hash);
	} else if (log->at >= log->v.n || log->v.v[log->at++] != hash) {
		isa_broken(w,
			arena_printf(w->group->a,
				"%s depends on an uninitialized register, LDS or scratch", what));
	}
}

static uint32_t hash_operand(
	const struct isa_wave *w, const struct isa_operand *o, uint32_t hash, uint32_t bits)
{
	uint64_t exec = isa_mask(w, ISA_EXEC);
	for (unsigned r = o->reg; r < (unsigned)o->reg + o->regs; r++) {
		if (o->kind == ISA_OPERAND_SGPR && r < ISA_SGPRS) {
			hash = mix(hash, w->s[r]);
		}
		for (int i = 0; o->kind == ISA_OPERAND_VGPR && r < ISA_VGPRS && i < ISA_LANES;
			i++) {
			hash = exec >> i & 1 ? mix(hash, w->v[r][i] & bits) : hash;
		}
	}
	return hash;
}

/* [d,] address, data, base (not for LDS and flat); with a descriptor: data, address, descriptor,
 * offset. */
bool isa_watch_is_address(const struct isa_op *op, unsigned i)
{
	const struct isa_row *r = op->row;
	bool first = r->form == ISA_STORE || (r->form == ISA_ATOMIC && !op->returns);
	if (r->space == ISA_BUFFER) {
		return i > 0;
	}
	bool based = r->space == ISA_GLOBAL || r->space == ISA_SCRATCH;
	return i == (first ? 0 : 1) || (based && i + 1 == op->operands);
}

static bool moves(const struct isa_row *r)
{
	return r->form == ISA_LOAD || r->form == ISA_STORE || r->form == ISA_ATOMIC;
}

/* Logs values stored to global memory. Values in scratch and LDS may be undefined until they are
 * used; flat and buffer_ instructions may store there. */
static void log_stored(struct isa_wave *w)
{
	const struct isa_row *r = w->op->row;
	uint32_t bits = r->half == 2	 ? 0xffff0000
			: r->bits[0] < 4 ? (1u << 8 * r->bits[0]) - 1
					 : UINT32_MAX;
	if (r->form == ISA_STORE && r->space == ISA_GLOBAL) {
		log_hash(w, hash_operand(w, &w->op->o[1], 2, bits), "the stored value");
	}
}

static void log_memory(struct isa_wave *w, const struct known_op *k)
{
	const struct isa_op *op = w->op;
	bool scalar = k->class == ISA_CLASS_SCALAR_MEMORY;
	uint32_t hash = mix(mix(1, w->s[ISA_EXEC]), w->s[ISA_EXEC + 1]);
	if (!scalar && !moves(op->row)) {
		return;
	}
	for (unsigned i = 0; i < op->operands; i++) {
		bool address = scalar ? i > 0 : isa_watch_is_address(op, i);
		hash = address ? hash_operand(w, &op->o[i], hash, UINT32_MAX) : hash;
	}
	log_hash(w, hash, "the address");
	if (!scalar) {
		log_stored(w);
	}
}

/* ---- before and after an instruction ---- */

void isa_watch_before(struct isa_wave *w)
{
	struct known_op buffer;
	const struct known_op *k = known(w, &buffer);
	of(w)->flat_lds = false;
	of(w)->places = 0;
	if (k->class == ISA_CLASS_WAIT) {
		wait(w);
		return;
	}
	check_uses(w, k);
	if (k->class == ISA_CLASS_MATRIX && isa_mask(w, ISA_EXEC) != of(w)->lanes) {
		isa_broken(w, arena_printf(w->group->a,
				      "a matrix operation under EXEC %#llx: it computes all lanes",
				      (unsigned long long)isa_mask(w, ISA_EXEC)));
	}
	log_memory(w, k);
}

/* Extra cycles due to bank conflicts of n <= BANKS accesses. Lanes that access the same dword do
 * not conflict. */
static unsigned conflicts(const uint32_t *place, unsigned n)
{
	uint32_t in[BANKS][BANKS];
	unsigned ins[BANKS] = {0};
	unsigned most = 1;
	for (unsigned i = 0; i < n; i++) {
		unsigned bank = place[i] % BANKS;
		unsigned k = 0;
		while (k < ins[bank] && in[bank][k] != place[i]) {
			k++;
		}
		in[bank][k] = place[i];
		ins[bank] += k == ins[bank];
		most = ins[bank] > most ? ins[bank] : most;
	}
	return most - 1;
}

static void count_conflicts(struct isa_wave *w, const struct known_op *k)
{
	const struct isa_program *p = w->group->p;
	const struct wave_watch *v = of(w);
	size_t number = (size_t)(k - w->group->watch->op);
	for (unsigned i = 0; k->class == ISA_CLASS_LDS && number < p->ops && i < v->places;
		i += BANKS) {
		unsigned n = v->places - i < BANKS ? v->places - i : BANKS;
		w->group->count[number].conflicts += conflicts(&v->place[i], n);
	}
}

void isa_watch_after(struct isa_wave *w)
{
	struct known_op buffer;
	const struct known_op *k = known(w, &buffer);
	count_conflicts(w, k);
	count_open(w, k);
	isa_watch_memory_after(w->group->watch->memory, w);
	if (k->class == ISA_CLASS_BRANCH) {
		log_hash(w, (uint32_t)w->next, "the branch");
	}
}

/* ---- barriers, and races on LDS ---- */

void isa_watch_barrier(struct isa_group *g)
{
	struct isa_wave *waiting = NULL;
	const struct isa_wave *ended = NULL;
	struct isa_watch *h = g->watch;
	for (unsigned i = 0; i < g->waves; i++) {
		if (g->wave[i].ended) {
			ended = &g->wave[i];
		} else {
			waiting = &g->wave[i];
		}
		h->wave[i].done_at_barrier = h->wave[i].done[ISA_COUNT_LGKM];
	}
	if (waiting && ended && !g->l->early_exit) {
		isa_broken(waiting,
			arena_printf(g->a, "a barrier that wave %u never reaches", ended->number));
	}
	h->epoch++;
	isa_watch_memory_barrier(h->memory);
}

/* Is it an access of another wave without a barrier after it? A barrier orders accesses that had
 * completed when their wave reached it. */
static bool is_open(const struct isa_wave *w, const struct touch *t)
{
	const struct isa_watch *h = w->group->watch;
	bool others = t->several || t->wave != w->number;
	return t->epoch && others &&
	       (t->epoch == h->epoch || t->number > h->wave[t->wave].done_at_barrier);
}

/* Atomic loads and stores look like others. A store after the wave's own atomic counts as the
 * release of a lock. */
static enum touch_kind kind_of(const struct isa_wave *w, uint64_t at)
{
	const struct isa_watch *h = w->group->watch;
	const struct touch *t = &h->touch[TOUCH_ATOMIC][at];
	switch (w->op->row->form) {
	case ISA_LOAD:
		return TOUCH_READ;
	case ISA_STORE:
		return t->epoch == h->epoch && t->wave == w->number ? TOUCH_ATOMIC : TOUCH_WRITE;
	default:
		return TOUCH_ATOMIC;
	}
}

static bool clash(enum touch_kind a, enum touch_kind b, bool atomic)
{
	if (a == TOUCH_WRITE || b == TOUCH_WRITE) {
		return true;
	}
	return a != b && !atomic;
}

static void report_race(struct isa_wave *w, uint64_t at, const struct touch *t, const char *does)
{
	w->raced |= !w->said;
	isa_broken(w, arena_printf(w->group->a,
			      "byte %llu of LDS, which wave %u %s in %s: there is no barrier "
			      "between, or no wait before it",
			      (unsigned long long)at, t->wave, does, isa_where(w->group, t->line)));
}

static void touch(struct isa_wave *w, uint64_t at, enum touch_kind kind, bool atomic)
{
	const struct isa_watch *h = w->group->watch;
	struct touch *t = &h->touch[kind][at];
	if (h->log && kind != TOUCH_WRITE && !h->touch[TOUCH_WRITE][at].epoch &&
		!h->touch[TOUCH_ATOMIC][at].epoch) {
		h->log->unset_lds = true;
	}
	for (int k = 0; k < TOUCHES; k++) {
		const struct touch *other = &h->touch[k][at];
		bool once = k == TOUCH_READ ? other->atomic : atomic;
		if (is_open(w, other) && clash(kind, (enum touch_kind)k, once)) {
			report_race(w, at, other, k == TOUCH_READ ? "reads" : "writes");
		}
	}
	bool several = t->epoch == h->epoch && (t->several || t->wave != w->number);
	*t = (struct touch){.epoch = h->epoch,
		.number = of(w)->issued[ISA_COUNT_LGKM] + 1,
		.line = w->op->line,
		.wave = (uint8_t)w->number,
		.several = several,
		.atomic = atomic && (!several || t->atomic)};
}

void isa_watch_lds(struct isa_wave *w, uint64_t at, unsigned bytes)
{
	const struct isa_watch *h = w->group->watch;
	bool atomic = bytes <= 8 && at % bytes == 0;
	if (!h) {
		return;
	}
	of(w)->flat_lds = true;
	for (unsigned i = 0; i < bytes && of(w)->places < PLACES; i += 4) {
		of(w)->place[of(w)->places++] = (uint32_t)(at + i) / 4;
	}
	for (uint64_t i = at; i < at + bytes && i < w->group->lds_bytes; i++) {
		touch(w, i, kind_of(w, i), atomic);
	}
	if (w->op->row->form == ISA_ATOMIC) {
		isa_watch_memory_orders(h->memory, w);
	}
}

void isa_watch_global(struct isa_wave *w, size_t memory, uint64_t from, uint64_t bytes, bool store)
{
	if (!w->group->watch) {
		return;
	}
	bool stored = true;
	for (unsigned c = 0; c < ISA_COUNTERS; c++) {
		stored &= of(w)->store[c] <= of(w)->done[c];
	}
	isa_watch_memory_access(w->group->watch->memory, w, memory, from, bytes, store, stored);
}

void isa_watch_polls(const struct isa_wave *w)
{
	if (w->group->watch) {
		isa_watch_memory_orders(w->group->watch->memory, w);
	}
}

void isa_watch_end(struct isa_group *g)
{
	isa_watch_memory_end(g->watch->memory);
}

const char *isa_watch_open_access(const struct isa_watch *h, enum isa_open kind)
{
	return isa_watch_memory_open_access(h->memory, kind);
}

void isa_watch_close(struct isa_watch *h)
{
	isa_watch_memory_close(h->memory);
}
