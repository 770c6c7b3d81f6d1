/* Runs workgroups, waves and scalar instructions; isa.h is the interface. Rules: "CDNA4" 3.3
 * (EXEC), 3.5 (MODE), 4.2 (branches), 4.3 (barriers), 5.2 to 5.8 (scalar), 6.6 (indexed
 * registers). */
#include <fenv.h>
#include <string.h>

#include "base/msg.h"
#include "isa/machine.h"
#include "isa/number.h"
#include "isa/shadow.h"
#include "isa/watch.h"
#include "measure/object.h"

void isa_wrong(struct isa_wave *w, const char *what)
{
	w->said = w->said ? w->said : what;
}

void isa_broken(struct isa_wave *w, const char *what)
{
	w->broken |= !w->said;
	isa_wrong(w, what);
}

/* ---- operands ---- */

uint64_t isa_mask(const struct isa_wave *w, unsigned reg)
{
	return w->s[reg] | (uint64_t)w->s[reg + 1] << 32;
}

void isa_set_mask(struct isa_wave *w, unsigned reg, uint64_t mask)
{
	w->s[reg] = (uint32_t)mask;
	w->s[reg + 1] = (uint32_t)(mask >> 32);
}

/* The mask of a wave's lanes. */
static uint64_t all_lanes(const struct isa_wave *w)
{
	return w->group->p->lanes == 64 ? UINT64_MAX : UINT32_MAX;
}

uint64_t isa_scalar(const struct isa_wave *w, const struct isa_operand *o)
{
	switch (o->kind) {
	case ISA_OPERAND_SGPR:
		return o->regs == 2 ? isa_mask(w, o->reg) : w->s[o->reg];
	case ISA_OPERAND_SCC:
		return w->scc;
	case ISA_OPERAND_SYMBOL: {
		uint64_t at = o->value - isa_code_at(w->group->p, w->pc_at);
		return o->high ? at >> 32 : (uint32_t)at;
	}
	case ISA_OPERAND_NULL:
		return 0;
	default:
		return o->value;
	}
}

void isa_set_scalar(struct isa_wave *w, const struct isa_operand *o, uint64_t d)
{
	if (o->kind != ISA_OPERAND_SGPR) {
		return; /* null */
	}
	w->s[o->reg] = (uint32_t)d;
	if (o->regs == 2) {
		w->s[o->reg + 1] = (uint32_t)(d >> 32);
	}
}

/* ---- scalar instructions ---- */

static void flush_f32(uint64_t *x, unsigned kept)
{
	*x = kept ? *x : isa_flush_f32((uint32_t)*x);
}

/* Scalar floats in a MODE that is not the default. */
static void run_float(struct isa_wave *w, struct isa_salu *s)
{
	const struct isa_row *r = w->op->row;
	int before = fegetround();
	if (str_starts(str_of(r->name), "s_cvt_") || str_ends(str_of(r->name), "_f16")) {
		isa_wrong(w, "conversions and f16 in SGPRs are covered only in the default MODE");
		return;
	}
	flush_f32(&s->a, w->mode >> 4 & 1);
	flush_f32(&s->b, w->mode >> 4 & 1);
	flush_f32(&s->c, w->mode >> 4 & 1);
	flush_f32(&s->d, w->mode >> 4 & 1);
	fesetround(isa_host_rounding[w->mode & 3]);
	r->salu(s);
	fesetround(before);
	flush_f32(&s->d, w->mode >> 5 & 1);
}

static bool is_float(const struct isa_row *r)
{
	return str_find(str_of(r->name), "_f32", 0) != SIZE_MAX ||
	       str_find(str_of(r->name), "_f16", 0) != SIZE_MAX;
}

static void run_scalar(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_row *r = op->row;
	struct isa_salu s = {.scc = w->scc};
	unsigned first = r->form == ISA_SALU;
	if (r->form != ISA_SCMP) {
		s.d = isa_scalar(w, &op->o[0]);
	}
	s.a = isa_scalar(w, &op->o[first]);
	if (first + 1 < op->operands) {
		s.b = isa_scalar(w, &op->o[first + 1]);
	}
	if (first + 2 < op->operands) {
		s.c = isa_scalar(w, &op->o[first + 2]);
	}
	if (w->mode != ISA_DEFAULT_MODE && is_float(r)) {
		run_float(w, &s);
	} else {
		r->salu(&s);
	}
	w->scc = s.scc;
	if (r->form != ISA_SCMP) {
		isa_set_scalar(w, &op->o[0], s.d);
	}
}

/* row->number: the operation; bit 4 (wrexec): the register gets the new EXEC, not the old one. */
static void save_exec(struct isa_wave *w)
{
	int what = w->op->row->number;
	uint64_t old = isa_mask(w, ISA_EXEC);
	uint64_t by = isa_scalar(w, &w->op->o[1]);
	uint64_t d[] = {old & by, old | by, old ^ by, by & ~old, by | ~old, ~(old & by),
		~(old | by), ~(old ^ by), ~by & old, ~by | old};
	uint64_t exec = d[what & 15] & all_lanes(w);
	isa_set_scalar(w, &w->op->o[0], what & 16 ? exec : old);
	isa_set_mask(w, ISA_EXEC, exec);
	w->scc = exec != 0;
}

static void branch(struct isa_wave *w, bool taken)
{
	if (taken) {
		w->next = (size_t)w->op->o[0].value;
	}
}

/* ---- code addresses: 16 bytes per instruction, or the real address in a code object ---- */

uint64_t isa_code_at(const struct isa_program *p, size_t number)
{
	return OBJECT_AT + (p->address ? p->address[number] : 16 * (uint64_t)number);
}

/* s_getpc_b64 and s_swappc_b64 have 4 bytes. */
uint64_t isa_code_after(const struct isa_program *p, size_t number)
{
	return p->address ? isa_code_at(p, number) + 4 : isa_code_at(p, number + 1);
}

size_t isa_code_number(const struct isa_program *p, uint64_t at)
{
	size_t low = 0;
	for (size_t high = p->ops; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (isa_code_at(p, middle) < at) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < p->ops && isa_code_at(p, low) == at ? low : p->ops;
}

static void jump(struct isa_wave *w, uint64_t at)
{
	const struct isa_program *p = w->group->p;
	size_t to = isa_code_number(p, at);
	if (to == p->ops) {
		isa_wrong(w, p->unread ? arena_printf(w->group->a,
						 "a jump to code that was not read: %s", p->unread)
				       : "a jump to an address where no instruction begins");
		return;
	}
	w->next = to;
}

static void run_jump(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint64_t after = isa_code_after(w->group->p, w->next - 1);
	switch (op->row->special) {
	case ISA_GETPC:
		w->pc_at = w->next;
		isa_set_scalar(w, &op->o[0], after);
		break;
	case ISA_CALL: {
		uint64_t to = isa_scalar(w, &op->o[1]);
		isa_set_scalar(w, &op->o[0], after);
		jump(w, to);
		break;
	}
	default:
		jump(w, isa_scalar(w, &op->o[0]));
	}
}

/* ---- MODE, and indexed registers ---- */

enum {
	HWREG_MODE = 1,
	HWREG_BASES = 15, /* SH_MEM_BASES: the upper 16 bits of the apertures, of scratch first */
	MODE_COVERED = 8  /* bits: rounding and denormals */
};

#define BASES ((uint32_t)(ISA_PRIVATE_BASE >> 48 | (ISA_SHARED_BASE >> 48) << 16))

/* value: the encoding of hwreg(ID, offset, size). */
static void run_hwreg(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool get = op->row->special == ISA_GETREG;
	uint64_t which = op->o[get ? 1 : 0].value;
	unsigned from = which >> 6 & 31;
	unsigned size = (which >> 11 & 31) + 1;
	uint32_t ones = size == 32 ? UINT32_MAX : (1u << size) - 1;
	if (get && (which & 63) == HWREG_BASES) {
		isa_set_scalar(w, &op->o[0], BASES >> from & ones);
	} else if ((which & 63) != HWREG_MODE || from + size > MODE_COVERED) {
		isa_wrong(w, "this hardware register is not covered");
	} else if (get) {
		isa_set_scalar(w, &op->o[0], w->mode >> from & ones);
	} else {
		uint32_t value = (uint32_t)isa_scalar(w, &op->o[1]) & ones;
		w->mode = (w->mode & ~(ones << from)) | value << from;
	}
}

static void run_mode(struct isa_wave *w)
{
	unsigned shift = w->op->row->number ? 4 : 0;
	uint32_t value = (uint32_t)w->op->o[0].value & 15;
	w->mode = (w->mode & ~(15u << shift)) | value << shift;
}

/* M0: the index in bits 0 to 7, the operands in 12 to 15. */
static void run_gpr_index(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t *m0 = &w->s[ISA_M0];
	if (op->row->number < 2) {
		*m0 = (*m0 & ~0xffu) | ((uint32_t)isa_scalar(w, &op->o[0]) & 0xff);
	}
	if (op->row->number != 1) {
		uint32_t how = (uint32_t)op->o[op->row->number ? 0 : 1].value & 15;
		*m0 = (*m0 & ~0xf000u) | how << 12;
		w->index = (uint8_t)how;
	}
}

/* Makes the op with indexed registers; which_operands: a bit per operand. */
static void move_registers(struct isa_wave *w, unsigned which_operands, unsigned by)
{
	struct isa_op *op = &w->moved;
	*op = *w->op;
	for (unsigned i = 0; i < op->operands; i++) {
		struct isa_operand *o = &op->o[i];
		unsigned which = i == 0 ? 8 : 1u << (i - 1);
		if (o->kind != ISA_OPERAND_VGPR || !(which_operands & which)) {
			continue;
		}
		if (by >= ISA_AGPR || (o->reg + by + o->regs > ISA_AGPR && o->reg < ISA_AGPR)) {
			isa_wrong(w, "the index leaves the VGPRs");
			return;
		}
		o->reg = (uint16_t)(o->reg + by);
	}
	w->op = op;
}

static void run_special(struct isa_wave *w)
{
	uint64_t vcc = isa_mask(w, ISA_VCC) & all_lanes(w);
	uint64_t exec = isa_mask(w, ISA_EXEC);
	switch (w->op->row->special) {
	case ISA_NOP:
	case ISA_WAIT:
		break;
	case ISA_END:
		w->ended = true;
		break;
	case ISA_BARRIER:
		w->at_barrier = w->op->row->number != 1;
		break;
	case ISA_TRAP:
		isa_wrong(w, "s_trap: the kernel reports an error, as assert does");
		break;
	case ISA_HALT: /* bit 0: halts or continues; bit 2: selects one of two states */
		if (w->op->o[0].value & 1) {
			isa_wrong(w, "s_sethalt: the wave halts, and nothing resumes it");
		}
		break;
	case ISA_REPLY:
		isa_wrong(w, "a clock or a reply to a message, which differs between runs");
		break;
	case ISA_BRANCH:
		branch(w, true);
		break;
	case ISA_BRANCH_SCC0:
		branch(w, !w->scc);
		break;
	case ISA_BRANCH_SCC1:
		branch(w, w->scc);
		break;
	case ISA_BRANCH_VCCZ:
		branch(w, vcc == 0);
		break;
	case ISA_BRANCH_VCCNZ:
		branch(w, vcc != 0);
		break;
	case ISA_BRANCH_EXECZ:
		branch(w, exec == 0);
		break;
	case ISA_BRANCH_EXECNZ:
		branch(w, exec != 0);
		break;
	case ISA_GETPC:
	case ISA_CALL:
	case ISA_SETPC:
		run_jump(w);
		break;
	case ISA_SAVEEXEC:
		save_exec(w);
		break;
	case ISA_S_LOAD:
		isa_memory_s_load(w);
		break;
	case ISA_GPR_INDEX:
		run_gpr_index(w);
		break;
	case ISA_GPR_INDEX_OFF:
		w->index = 0;
		break;
	case ISA_GETREG:
	case ISA_SETREG:
		run_hwreg(w);
		break;
	case ISA_MODE:
		run_mode(w);
		break;
	case ISA_MFMA:
	case ISA_SMFMAC:
	case ISA_WMMA:
	case ISA_SWMMAC:
		isa_matrix_run(w);
		break;
	default:
		isa_vector_run(w);
	}
}

static void run_one(struct isa_wave *w)
{
	switch (w->op->row->form) {
	case ISA_SALU:
	case ISA_SOPK:
	case ISA_SCMP:
		run_scalar(w);
		break;
	case ISA_LOAD:
	case ISA_STORE:
	case ISA_ATOMIC:
		isa_memory_run(w);
		break;
	case ISA_SPECIAL:
		run_special(w);
		break;
	default:
		isa_vector_run(w);
	}
}

static void count_op(struct isa_wave *w)
{
	const struct isa_op *first = w->group->p->op;
	bool own = w->op >= first && w->op < first + w->group->p->ops;
	struct isa_op_count *c = &w->group->count[own ? (size_t)(w->op - first) : w->next - 1];
	w->count = c;
	c->runs++;
	c->lanes += (uint64_t)__builtin_popcountll(isa_mask(w, ISA_EXEC) & all_lanes(w));
}

static void run_watched(struct isa_wave *w)
{
	const struct isa_watch *h = w->group->watch;
	count_op(w);
	if (h) {
		isa_watch_before(w);
	}
	if (w->group->shadow && !w->said) {
		w->group->calls->before(w);
	}
	if (!w->said) {
		run_one(w);
	}
	if (w->group->shadow && !w->said) {
		w->group->calls->after(w);
	}
	if (h && !w->said) {
		isa_watch_after(w);
	}
}

/* Dual issue: the second instruction reads the values from before the first one's write. */
static void run_dual(struct isa_wave *w)
{
	unsigned reg = w->op->o[0].reg;
	uint32_t(*d)[ISA_LANES] = &w->v[reg];
	struct shadow_dual terms = {0};
	uint32_t before[ISA_LANES];
	uint32_t after[ISA_LANES];
	memcpy(before, *d, sizeof(before));
	if (w->group->shadow) {
		w->group->calls->keep(&terms, w, reg);
	}
	run_watched(w);
	memcpy(after, *d, sizeof(after));
	memcpy(*d, before, sizeof(before));
	if (w->group->shadow) {
		w->group->calls->swap(w, reg, &terms);
	}
	w->op = &w->group->p->op[w->next++];
	run_watched(w);
	memcpy(*d, after, sizeof(after));
	if (w->group->shadow) {
		w->group->calls->swap(w, reg, &terms);
	}
}

static void run_op(struct isa_wave *w)
{
	if (w->op->dual) {
		run_dual(w);
		return;
	}
	const struct isa_row *r = w->op->row;
	if (w->index && isa_op_class(w->op) == ISA_CLASS_VALU) {
		move_registers(w, w->index, w->s[ISA_M0] & 0xff);
	} else if (r->form == ISA_SPECIAL && r->special == ISA_MOVREL) {
		move_registers(w, (unsigned)r->number, w->s[ISA_M0]);
	}
	if (!w->said) {
		run_watched(w);
	}
}

/* Runs a wave until it ends, waits at a barrier or for another wave, or fails. */
static void run_wave(struct isa_wave *w)
{
	const struct isa_program *p = w->group->p;
	uint64_t most = w->group->l->steps_most;
	w->polls = false;
	while (!w->ended && !w->at_barrier && !w->polls && !w->said) {
		size_t before = w->next;
		if (w->next >= p->ops) {
			isa_wrong(w, "the wave runs past the kernel's end");
			return;
		}
		w->op = &p->op[w->next++];
		w->steps++;
		run_op(w);
		if (most && w->steps >= most && !w->ended) {
			isa_wrong(w, arena_printf(w->group->a,
					     "the wave has run %llu instructions, the limit",
					     (unsigned long long)most));
		}
		w->polls = w->next <= before && isa_spins(w);
		if (w->polls) {
			isa_watch_polls(w);
		}
	}
}

/* ---- workgroups ---- */

static bool all_ended(const struct isa_group *g)
{
	bool ended = true;
	for (unsigned i = 0; i < g->waves; i++) {
		ended &= g->wave[i].ended;
	}
	return ended;
}

static void begin_group(struct isa_group *g)
{
	for (uint32_t i = 0; i < g->lds_bytes; i++) {
		g->lds[i] = g->watch ? isa_watch_unset_lds(g, i) : 0;
	}
	for (unsigned i = 0; i < g->waves; i++) {
		isa_wave_begin(&g->wave[i], g, i);
	}
	if (g->watch) {
		isa_watch_begin(g);
	}
	if (g->shadow) {
		g->calls->begin(g);
	}
}

/* Runs each wave that can continue. *polls: a wave that polls, or NULL. Returns a failed wave, or
 * NULL. */
static struct isa_wave *run_waves(struct isa_wave **polls, struct isa_group *g)
{
	*polls = NULL;
	for (unsigned i = 0; i < g->waves; i++) {
		struct isa_wave *w = &g->wave[i];
		run_wave(w);
		if (w->said) {
			return w;
		}
		*polls = w->polls ? w : *polls;
	}
	return NULL;
}

static struct isa_wave *meet_at_barrier(struct isa_group *g)
{
	if (g->watch) {
		isa_watch_barrier(g);
	}
	for (unsigned i = 0; i < g->waves; i++) {
		g->wave[i].at_barrier = false;
		if (g->wave[i].said) {
			return &g->wave[i];
		}
	}
	return NULL;
}

/* Barriers do not wait for waves that have ended. */
const struct isa_wave *isa_group_run(struct isa_group *g, uint64_t number)
{
	const unsigned *grid = g->l->grid;
	g->id[0] = (unsigned)(number % grid[0]);
	g->id[1] = (unsigned)(number / grid[0] % grid[1]);
	g->id[2] = (unsigned)(number / grid[0] / grid[1]);
	begin_group(g);
	while (!all_ended(g)) {
		struct isa_wave *polls;
		uint64_t changes = g->changes;
		struct isa_wave *wrong = run_waves(&polls, g);
		if (polls && !wrong && g->changes == changes) {
			isa_wrong(polls, "an endless loop: no other wave of its group changes the "
					 "memory that it "
					 "reads (groups run one after the other)");
			wrong = polls;
		}
		wrong = wrong || polls ? wrong : meet_at_barrier(g);
		if (wrong) {
			return wrong;
		}
	}
	if (g->watch) {
		isa_watch_end(g);
	}
	return NULL;
}

void isa_group_open(struct isa_group *g)
{
	const unsigned *block = g->l->block;
	g->lds_bytes = g->p->d.lds_bytes + g->l->lds_bytes;
	g->lds = arena_calloc(g->a, g->lds_bytes + 1, 1);
	g->scratch_dwords = (g->p->d.scratch_bytes + 3) / 4;
	if (g->p->d.dynamic_stack) {
		g->scratch_dwords += DYNAMIC_STACK_BYTES / 4;
	}
	g->waves = (block[0] * block[1] * block[2] + g->p->lanes - 1) / g->p->lanes;
	g->wave = ARENA_ARRAY(g->a, struct isa_wave, g->waves);
	for (unsigned i = 0; i < g->waves; i++) {
		g->wave[i].scratch =
			ARENA_ARRAY(g->a, uint32_t, (size_t)g->scratch_dwords *ISA_LANES + 1);
	}
}

static int run_groups(struct isa_counts *out, const char **said, struct isa_group *g)
{
	const unsigned *grid = g->l->grid;
	uint64_t groups = (uint64_t)grid[0] * grid[1] * grid[2];
	*out = (struct isa_counts){.op = ARENA_ARRAY(g->a, struct isa_op_count, g->p->ops + 1)};
	g->count = out->op;
	for (uint64_t i = 0; i < groups; i++) {
		const struct isa_wave *wrong = isa_group_run(g, i);
		if (wrong) {
			*said = isa_wave_words(wrong);
			out->broken = wrong->broken;
			out->raced = wrong->raced;
			return FAIL_INPUT;
		}
		for (unsigned k = 0; k < g->waves; k++) {
			out->instructions += g->wave[k].steps;
			out->waves++;
		}
	}
	return 0;
}

/* A copy of the memory, for another run. */
static struct isa_launch copied(struct arena *a, const struct isa_launch *l)
{
	struct isa_launch r = *l;
	r.memory = ARENA_ARRAY(a, struct isa_memory, l->memories + 1);
	for (size_t i = 0; i < l->memories; i++) {
		r.memory[i] = l->memory[i];
		r.memory[i].p = arena_memdup(a, l->memory[i].p, l->memory[i].bytes);
	}
	return r;
}

/*
 * Runs again with other bits for uninitialized data; several times if uninitialized LDS was read.
 * An error of a later run replaces that of the first run, which it may have caused. Not after a
 * race: data that is read too early also looks uninitialized.
 */
static int run_again(struct isa_counts *out, const char **said, struct isa_group *g)
{
	const struct isa_launch before = copied(g->a, g->l);
	struct isa_log log = {0};
	struct isa_counts counts;
	const char *other = NULL;
	g->watch = isa_watch_open(g, &log);
	int rc = run_groups(out, said, g);
	for (enum isa_open k = 0; k < ISA_OPEN_KINDS; k++) {
		out->open[k] = isa_watch_open_access(g->watch, k);
	}
	unsigned runs = log.unset_lds ? ISA_WATCH_RUNS : 2;
	for (log.run = 1; log.run < runs; log.run++) {
		struct isa_launch again = log.run + 1 < runs ? copied(g->a, &before) : before;
		log.at = 0;
		g->l = &again;
		if (run_groups(&counts, &other, g) != 0 && !out->raced) {
			*said = other;
			out->broken = counts.broken;
			rc = FAIL_INPUT;
			break;
		}
	}
	array_release(&log.v);
	isa_watch_close(g->watch);
	return rc;
}

int isa_run(struct isa_counts *out, const char **said, struct arena *a, const struct isa_program *p,
	const struct isa_launch *l)
{
	struct isa_launch whole = isa_launch_whole(a, p, l);
	struct isa_group g = {.a = a, .p = p, .l = &whole};
	isa_group_open(&g);
	int rc = l->strict ? run_again(out, said, &g) : run_groups(out, said, &g);
	for (size_t i = 0; l->left && i < p->datas; i++) {
		span_each (whole.memory, whole.memories, const struct isa_memory, m) {
			l->left[i] = m->at == p->data[i].at ? m->p : l->left[i];
		}
	}
	return rc;
}
