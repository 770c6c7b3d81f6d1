#include "measure/isa/exec.h"

#include <string.h>
#include "base/arena.h"
#include "measure/isa/flow.h"
#include "measure/isa/values.h"

/*
 * ALGORITHM
 *
 * LLVM runs both arms of a divergent branch one after the other and narrows EXEC around each:
 *
 *	s_and_saveexec_b64 s[2:3], vcc		s[2:3] = EXEC, EXEC &= vcc
 *	s_xor_b64 s[2:3], exec, s[2:3]		the lanes of the other arm
 *	s_cbranch_execz .LBB0_2			skip: no lane takes this arm
 *	...
 * .LBB0_2:
 *	s_andn2_saveexec_b64 s[2:3], s[2:3]	EXEC = the other arm's lanes
 *	s_cbranch_execz .LBB0_4
 *	...
 * .LBB0_4:
 *	s_or_b64 exec, exec, s[2:3]		all lanes
 *
 * LLVM omits the skip if the arm is cheap; then the arm runs even if no lane takes it. That is
 * harmless for instructions that obey EXEC, but gives wrong results with matrix operations, which
 * ignore it.
 *
 * EXEC is tracked as a stack of levels, one for each active narrowing; each level records whether
 * its mask is known not to be zero. A scalar register with a lane mask is tracked as the level that
 * EXEC returns to when restored from it (MASK_EXEC: the whole mask of that level; MASK_PART: some
 * of its lanes, which an OR completes). At joins the deeper stack and the weaker knowledge win.
 * Masks spilled to lanes of a VGPR (v_writelane, v_readlane) are tracked, too. A restore from an
 * untracked register pops one level.
 */

#define LEVELS_MAX 48
#define SGPRS 108      /* s0 to s105, VCC as 106 and 107 */
#define SLOTS_MAX 1024 /* lanes of VGPRs with spilled masks */
#define STATE_BYTES_MAX (64u << 20)
#define PASSES_MAX 64

enum mask_kind {
	MASK_UNKNOWN,
	MASK_EXEC,
	MASK_PART
};

struct mask {
	uint8_t kind;
	uint8_t half; /* of a 64-bit mask: 0 low, 1 high */
	uint8_t depth;
};

struct level {
	uint32_t insn; /* the narrowing instruction, which identifies the level */
	bool nonzero;
	bool all_lanes; /* whole-wave mode: widened, not narrowed */
};

struct state {
	bool reached;
	unsigned depth;
	struct level level[LEVELS_MAX];
	struct mask mask[]; /* SGPRS, then spill slots */
};

struct flow {
	const struct isa_function *f;
	unsigned words; /* SGPRs of a lane mask: 2 or 1 */
	struct isa_blocks block;
	struct map slot; /* "v40,1" -> index after the SGPRs */
	size_t state_bytes;
	struct arena *a;
	bool failed;
};

struct reg {
	bool exec;
	int lo; /* index in state.mask, or -1 */
	unsigned n;
};

bool isa_is_matrix(struct str m)
{
	return (str_starts(m, "v_mfma_") && !str_starts(m, "v_mfma_ld_scale")) ||
	       str_starts(m, "v_smfmac_") || str_starts(m, "v_wmma_") || str_starts(m, "v_swmmac_");
}

bool isa_is_barrier(struct str m)
{
	return str_is(m, "s_barrier") || str_starts(m, "s_barrier_signal");
}

static struct reg parse_reg(struct str s)
{
	enum {
		EXEC = 126
	};
	struct isa_reg x = isa_reg_read(s);
	if (x.n == 0 || x.file != 's' || x.at > EXEC) {
		return (struct reg){false, -1, 0};
	}
	return (struct reg){x.at == EXEC, x.at == EXEC ? -1 : (int)x.at, x.n};
}

static struct mask get_mask(const struct flow *w, const struct state *s, struct reg r)
{
	struct mask unknown = {MASK_UNKNOWN, 0, 0};
	if (r.exec) {
		return (struct mask){MASK_EXEC, 0, (uint8_t)s->depth};
	}
	if (r.lo < 0 || r.n != w->words) {
		return unknown;
	}
	struct mask m = s->mask[r.lo];
	if (w->words == 2) {
		struct mask hi = s->mask[r.lo + 1];
		if (m.half != 0 || hi.half != 1 || hi.kind != m.kind || hi.depth != m.depth) {
			return unknown;
		}
	}
	if (m.kind != MASK_UNKNOWN && m.depth > s->depth) {
		m.depth = (uint8_t)s->depth;
	}
	return m;
}

static void kill_reg(struct state *s, struct reg r)
{
	for (unsigned i = 0; r.lo >= 0 && i < r.n; i++) {
		s->mask[r.lo + (int)i] = (struct mask){MASK_UNKNOWN, 0, 0};
	}
}

static void set_mask(const struct flow *w, struct state *s, struct reg r, struct mask m)
{
	kill_reg(s, r);
	if (r.lo < 0 || r.n != w->words || m.kind == MASK_UNKNOWN) {
		return;
	}
	for (unsigned i = 0; i < r.n; i++) {
		m.half = (uint8_t)i;
		s->mask[r.lo + (int)i] = m;
	}
}

static struct mask part_of(unsigned depth)
{
	return (struct mask){MASK_PART, 0, (uint8_t)depth};
}

/* Pushes a level; a narrowing in a loop returns to its own level instead of pushing another. */
static void push(struct flow *w, struct state *s, uint32_t insn, bool all_lanes)
{
	for (unsigned i = 0; i < s->depth; i++) {
		if (s->level[i].insn == insn) {
			s->depth = i;
		}
	}
	if (s->depth == LEVELS_MAX) {
		w->failed = true;
		return;
	}
	s->level[s->depth++] =
		(struct level){.insn = insn, .nonzero = all_lanes, .all_lanes = all_lanes};
}

static void pop_to(struct state *s, unsigned depth)
{
	if (depth < s->depth) {
		s->depth = depth;
	}
}

static bool is_literal(struct str s)
{
	int64_t v;
	return str_to_i64(s, &v) || (s.n > 1 && s.p[0] == '-');
}

/* S_ANDN2 and, from gfx11 on, S_AND_NOT1: the first source without the second. */
static bool is_andn2(struct str op)
{
	return str_is(op, "andn2") || str_is(op, "and_not1");
}

static void step_saveexec(
	struct flow *w, struct state *s, struct str op, const struct isa_insn *in, uint32_t at)
{
	struct reg dst = parse_reg(isa_operand(in->operands, 0));
	struct str src = isa_operand(in->operands, 1);
	struct mask m = get_mask(w, s, parse_reg(src));
	unsigned depth = s->depth;
	struct mask saved = {MASK_EXEC, 0, (uint8_t)depth};
	if (str_starts(op, "or") && str_is(src, "-1")) {
		push(w, s, at, true);
	} else if (str_starts(op, "or")) {
		unsigned to = depth ? depth - 1 : 0;
		if (m.kind != MASK_UNKNOWN) {
			to = m.depth;
		}
		if (to < depth) {
			saved = part_of(to);
		}
		pop_to(s, to);
	} else {
		bool other_lanes = is_andn2(op) || str_is(op, "xor");
		if (other_lanes && m.kind != MASK_UNKNOWN && m.depth < depth) {
			saved = part_of(m.depth);
			pop_to(s, m.depth);
		}
		push(w, s, at, false);
	}
	set_mask(w, s, dst, saved);
}

/* EXEC = A op B, or EXEC = A for a move. */
static void step_write_exec(
	struct flow *w, struct state *s, struct str op, const struct isa_insn *in, uint32_t at)
{
	struct str src[2] = {isa_operand(in->operands, 1), isa_operand(in->operands, 2)};
	struct reg reg[2] = {parse_reg(src[0]), parse_reg(src[1])};
	struct mask m[2] = {get_mask(w, s, reg[0]), get_mask(w, s, reg[1])};
	if (str_is(op, "mov")) {
		if (reg[0].exec) {
			return;
		}
		if (str_is(src[0], "-1")) {
			push(w, s, at, true);
			return;
		}
		if (m[0].kind != MASK_UNKNOWN) {
			pop_to(s, m[0].depth);
		}
		if (m[0].kind != MASK_EXEC) {
			push(w, s, at, false);
		}
		return;
	}
	bool has_exec = reg[0].exec || reg[1].exec;
	unsigned other = reg[0].exec ? 1 : 0; /* if neither is EXEC, the first */
	if (str_is(op, "or") && has_exec) {
		if (m[other].kind != MASK_UNKNOWN) {
			pop_to(s, m[other].depth);
		} else if (s->depth && !str_is(src[other], "0")) {
			pop_to(s, s->depth - 1);
		}
		return;
	}
	bool narrows_current = has_exec && !str_is(op, "xor") && !(is_andn2(op) && reg[1].exec);
	if (!narrows_current) {
		for (unsigned i = 0; i < 2; i++) {
			if (!reg[i].exec && m[i].kind != MASK_UNKNOWN) {
				pop_to(s, m[i].depth);
			}
		}
	}
	push(w, s, at, false);
}

/* D = A op B on masks: lanes of the wider level of the two. */
static struct mask combine(const struct flow *w, const struct state *s, const struct isa_insn *in)
{
	struct mask out = {MASK_UNKNOWN, 0, 0};
	for (unsigned i = 1; i <= 2; i++) {
		struct mask m = get_mask(w, s, parse_reg(isa_operand(in->operands, i)));
		if (m.kind == MASK_UNKNOWN) {
			continue;
		}
		if (out.kind == MASK_UNKNOWN || m.depth < out.depth) {
			out = m;
		}
		out.kind = MASK_PART;
	}
	return out;
}

/* "s_and_b64" gives "and"; false for names without this wave size. */
static bool mask_op(const struct flow *w, struct str mnemonic, struct str *op)
{
	if (!str_starts(mnemonic, "s_") || !str_ends(mnemonic, w->words == 2 ? "_b64" : "_b32")) {
		return false;
	}
	*op = str_sub(mnemonic, 2, mnemonic.n - 4);
	return true;
}

static bool is_logic(struct str op)
{
	static const char *const ops[] = {"and", "or", "xor", "andn2", "orn2", "and_not1",
		"or_not1", "nand", "nor", "xnor", NULL};
	return str_is_any(op, ops);
}

static bool slot_key(char key[64], struct str vgpr, struct str lane)
{
	if (vgpr.n + lane.n + 2 > 64 || vgpr.n == 0 || vgpr.p[0] != 'v' || !is_literal(lane)) {
		return false;
	}
	memcpy(key, vgpr.p, vgpr.n);
	key[vgpr.n] = ',';
	memcpy(key + vgpr.n + 1, lane.p, lane.n);
	key[vgpr.n + 1 + lane.n] = '\0';
	return true;
}

static struct mask *spill_slot(
	const struct flow *w, struct state *s, struct str vgpr, struct str lane)
{
	char key[64];
	if (!slot_key(key, vgpr, lane)) {
		return NULL;
	}
	uintptr_t i = map_get(&w->slot, str_of(key), 0);
	return i ? &s->mask[i] : NULL;
}

static void step_vector(const struct flow *w, struct state *s, const struct isa_insn *in)
{
	struct str m = in->mnemonic;
	struct str op0 = isa_operand(in->operands, 0);
	struct str op1 = isa_operand(in->operands, 1);
	struct reg dst = parse_reg(op0);
	if (str_starts(m, "v_cmp_")) {
		set_mask(w, s, dst, part_of(s->depth));
	} else if (str_starts(m, "v_writelane")) {
		struct mask *slot = spill_slot(w, s, op0, isa_operand(in->operands, 2));
		struct reg from = parse_reg(op1);
		if (slot) {
			*slot = from.lo >= 0 && from.n == 1 ? s->mask[from.lo]
							    : (struct mask){MASK_UNKNOWN, 0, 0};
		}
	} else if (str_starts(m, "v_readlane")) {
		struct mask *slot = spill_slot(w, s, op1, isa_operand(in->operands, 2));
		kill_reg(s, dst);
		if (slot && dst.lo >= 0 && dst.n == 1) {
			s->mask[dst.lo] = *slot;
		}
	} else {
		kill_reg(s, dst);
		kill_reg(s, parse_reg(op1)); /* carry out: v_add_co_u32 v0, vcc, ... */
	}
}

static bool op_is_before(struct str op, const char *tail, struct str *head)
{
	size_t at = str_find(op, tail, 0);
	if (at == SIZE_MAX) {
		return false;
	}
	*head = str_sub(op, 0, at);
	return true;
}

static void step_scalar(struct flow *w, struct state *s, const struct isa_insn *in, uint32_t at)
{
	struct str op;
	struct str head;
	struct reg dst = parse_reg(isa_operand(in->operands, 0));
	if (mask_op(w, in->mnemonic, &op)) {
		if (op_is_before(op, "_saveexec", &head)) {
			step_saveexec(w, s, head, in, at);
			return;
		}
		if (dst.exec) {
			step_write_exec(w, s, op, in, at);
			return;
		}
		struct str src = isa_operand(in->operands, 1);
		if (str_is(op, "mov")) {
			set_mask(w, s, dst,
				str_is(src, "0") ? part_of(s->depth)
						 : get_mask(w, s, parse_reg(src)));
			return;
		}
		if (is_logic(op)) {
			set_mask(w, s, dst, combine(w, s, in));
			return;
		}
	}
	if (dst.exec) {
		push(w, s, at, false);
	} else if (!isa_writes_nothing(in->mnemonic)) {
		kill_reg(s, dst);
	}
}

static void step(struct flow *w, struct state *s, uint32_t at)
{
	const struct isa_insn *in = &w->f->insn.v[at];
	if (str_starts(in->mnemonic, "v_cmpx")) {
		kill_reg(s, parse_reg(isa_operand(in->operands, 0)));
		push(w, s, at, false);
	} else if (str_starts(in->mnemonic, "v_")) {
		step_vector(w, s, in);
	} else if (str_starts(in->mnemonic, "s_")) {
		step_scalar(w, s, in, at);
	}
}

static void find_slots(struct flow *w)
{
	for (size_t i = 0; i < w->f->insn.n && w->slot.n < SLOTS_MAX; i++) {
		const struct isa_insn *in = &w->f->insn.v[i];
		char key[64];
		if (str_starts(in->mnemonic, "v_writelane") &&
			slot_key(key, isa_operand(in->operands, 0), isa_operand(in->operands, 2)) &&
			!map_has(&w->slot, str_of(key))) {
			map_set(&w->slot, str_of(key), SGPRS + w->slot.n);
		}
	}
}

static struct mask join_mask(struct mask a, struct mask b)
{
	if (a.kind == MASK_UNKNOWN || b.kind == MASK_UNKNOWN || a.half != b.half) {
		return (struct mask){MASK_UNKNOWN, 0, 0};
	}
	if (a.kind != b.kind || a.depth != b.depth) {
		a.kind = MASK_PART;
		a.depth = a.depth > b.depth ? a.depth : b.depth;
	}
	return a;
}

static bool top_nonzero(const struct state *s)
{
	return s->depth == 0 || s->level[s->depth - 1].nonzero;
}

/* If only one of two joined stacks has a level, the other's top mask is used for it. */
static void join_levels(struct state *to, const struct state *from)
{
	bool to_top = top_nonzero(to);
	bool from_top = top_nonzero(from);
	unsigned n = to->depth > from->depth ? to->depth : from->depth;
	for (unsigned i = 0; i < n; i++) {
		struct level a = i < to->depth ? to->level[i] : from->level[i];
		struct level b = i < from->depth ? from->level[i] : a;
		bool a_nonzero = i < to->depth ? a.nonzero : to_top;
		bool b_nonzero = i < from->depth ? b.nonzero : from_top;
		to->level[i] = (struct level){.insn = a.insn < b.insn ? a.insn : b.insn,
			.nonzero = a_nonzero && b_nonzero,
			.all_lanes = a.all_lanes && b.all_lanes};
	}
	to->depth = n;
}

static bool same_state(const struct state *a, const struct state *b, size_t masks)
{
	if (a->depth != b->depth) {
		return false;
	}
	for (unsigned i = 0; i < a->depth; i++) {
		if (a->level[i].insn != b->level[i].insn ||
			a->level[i].nonzero != b->level[i].nonzero ||
			a->level[i].all_lanes != b->level[i].all_lanes) {
			return false;
		}
	}
	return memcmp(a->mask, b->mask, masks * sizeof(struct mask)) == 0;
}

struct solver {
	struct flow *w;
	char *in;	   /* one state per block */
	bool *dirty;	   /* the state has changed since the block was processed */
	struct state *cur; /* the state within a block */
	struct state *old; /* before a join */
};

static struct state *in_state(const struct solver *v, uint32_t block)
{
	return (struct state *)(void *)(v->in + block * v->w->state_bytes);
}

static void flow_to(struct solver *v, uint32_t block, const struct state *from)
{
	if (block == ISA_NONE) {
		return;
	}
	size_t masks = SGPRS + v->w->slot.n;
	struct state *to = in_state(v, block);
	if (!to->reached) {
		memcpy(to, from, v->w->state_bytes);
		to->reached = true;
		v->dirty[block] = true;
		return;
	}
	memcpy(v->old, to, v->w->state_bytes);
	join_levels(to, from);
	for (size_t i = 0; i < masks; i++) {
		to->mask[i] = join_mask(to->mask[i], from->mask[i]);
	}
	v->dirty[block] = v->dirty[block] || !same_state(to, v->old, masks);
}

/* After a test of EXEC its top level is known: zero on one side, not zero on the other. */
static void flow_branch(struct solver *v, const struct isa_block *b)
{
	struct str m = v->w->f->insn.v[b->to - 1].mnemonic;
	bool execz = str_is(m, "s_cbranch_execz");
	bool execnz = str_is(m, "s_cbranch_execnz");
	struct level *top = v->cur->depth ? &v->cur->level[v->cur->depth - 1] : NULL;
	bool known = (execz || execnz) && top;
	if (known) {
		top->nonzero = execnz;
	}
	flow_to(v, b->taken, v->cur);
	if (known) {
		top->nonzero = execz;
	}
	flow_to(v, b->next, v->cur);
}

static bool solve(struct solver *v)
{
	struct flow *w = v->w;
	bool changed = true;
	in_state(v, 0)->reached = true;
	v->dirty[0] = true;
	for (unsigned pass = 0; pass < PASSES_MAX && changed && !w->failed; pass++) {
		changed = false;
		for (uint32_t i = 0; i < w->block.n && !w->failed; i++) {
			const struct isa_block *b = &w->block.v[i];
			if (!v->dirty[i]) {
				continue;
			}
			changed = true;
			v->dirty[i] = false;
			memcpy(v->cur, in_state(v, i), w->state_bytes);
			for (uint32_t at = b->from; at < b->to; at++) {
				step(w, v->cur, at);
			}
			flow_branch(v, b);
		}
	}
	return !changed && !w->failed;
}

static bool is_narrowed(const struct state *s)
{
	return s->depth && !s->level[s->depth - 1].all_lanes;
}

static void count(struct isa_exec *out, struct solver *v)
{
	struct flow *w = v->w;
	*out = (struct isa_exec){0, 0};
	for (uint32_t i = 0; i < w->block.n; i++) {
		const struct isa_block *b = &w->block.v[i];
		if (!in_state(v, i)->reached) {
			continue;
		}
		memcpy(v->cur, in_state(v, i), w->state_bytes);
		for (uint32_t at = b->from; at < b->to; at++) {
			struct str m = w->f->insn.v[at].mnemonic;
			if (isa_is_matrix(m) || isa_is_barrier(m)) {
				out->narrowed += is_narrowed(v->cur);
				out->unskipped += is_narrowed(v->cur) && !top_nonzero(v->cur);
			}
			step(w, v->cur, at);
		}
	}
}

static size_t state_size(const struct flow *w)
{
	size_t size = sizeof(struct state) + (SGPRS + w->slot.n) * sizeof(struct mask);
	size_t align = _Alignof(struct state);
	return (size + align - 1) / align * align;
}

bool isa_exec_count(struct isa_exec *out, const struct isa_function *f, unsigned wave_size)
{
	struct flow w = {.f = f, .words = wave_size == 32 ? 1 : 2, .a = arena_create()};
	bool ok = isa_blocks_find(&w.block, w.a, f);
	find_slots(&w);
	w.state_bytes = state_size(&w);
	ok = ok && w.block.n < STATE_BYTES_MAX / w.state_bytes;
	if (ok) {
		struct solver v = {.w = &w,
			.in = arena_calloc(w.a, w.block.n, w.state_bytes),
			.dirty = ARENA_ARRAY(w.a, bool, w.block.n),
			.cur = arena_alloc(w.a, w.state_bytes),
			.old = arena_alloc(w.a, w.state_bytes)};
		ok = solve(&v);
		if (ok) {
			count(out, &v);
		}
	}
	map_release(&w.slot);
	arena_free(w.a);
	return ok;
}
