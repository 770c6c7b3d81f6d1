/*
 * ALGORITHM
 *
 * The counter of a search loop is followed through the blocks by three marks. STEPPED: computed
 * from the search's own counter. If such a value returns to the search's header through the outer
 * loop, it continues (GOES_ON); other values there restart (ANEW); a register that the outer loop
 * never writes is neither. The search shares its iterations if each stepped value that it compares
 * continues, and is compared with a value that the outer loop does not change. An independent loop
 * has a counter that restarts.
 *
 * A search before the working loop shares with it if its counter is also compared there, with a
 * value that the working loop does not change. Values from memory have no marks.
 */
#include "measure/isa/shared.h"

#include <string.h>

#include "measure/isa/values.h"

enum mark {
	STEPPED = 1,
	GOES_ON = 2,
	ANEW = 4
};

enum {
	TRIPS_GUESS = 10,    /* for an unknown trip count */
	SEARCHES_MAX = 32,   /* of a function */
	BYTES_MAX = 8 << 20, /* limit of the marks of all blocks */
	READS_MAX = 4,
	REGISTERS = VALUE_REGISTERS
};

struct span {
	uint16_t at, n;
};

/* The registers of an instruction. */
struct use {
	struct span to[2];
	struct span from[READS_MAX];
	bool loads, compares, steps;
};

/* The loop or function to follow, and the loop that steps values. */
struct region {
	uint32_t loop; /* ISA_NONE: all blocks */
	uint32_t search;
};

struct shared {
	const struct isa_function *f;
	const struct isa_blocks *b;
	const struct isa_loops *l;
	struct use *use;
	uint8_t (*in)[REGISTERS]; /* per block, at its start */
	bool *dirty;
	uint8_t now[REGISTERS];
};

/* ---- instructions ---- */

static struct span span_of(struct str operand)
{
	unsigned at;
	struct isa_reg x = isa_reg_read(operand);
	bool follows = x.n > 0 && isa_register_find(&at, operand);
	return follows ? (struct span){(uint16_t)at, (uint16_t)x.n} : (struct span){0, 0};
}

static bool reads_own(const struct use *u)
{
	for (int i = 0; i < READS_MAX; i++) {
		if (u->to[0].n && u->from[i].n && u->from[i].at == u->to[0].at) {
			return true;
		}
	}
	return false;
}

static struct use use_of(const struct isa_insn *in)
{
	static const char *const adds[] = {"s_add", "s_sub", "v_add", "v_sub", "v_lshl_add",
		"v_lshl_or", "v_add3", "v_mad_u64", NULL};
	static const char *const loads[] = {"s_load", "s_buffer_load", "global_load", "flat_load",
		"buffer_load", "scratch_load", "ds_", "v_mfma", "v_smfmac", "v_wmma", NULL};
	struct str m = in->mnemonic;
	static const char *const chooses[] = {
		"s_or_", "s_cselect", "s_cmov", "v_or_", "v_cndmask", NULL};
	struct use u = {.loads = str_starts_any(m, loads)};
	bool scalar = str_starts(m, "s_cmp");
	unsigned tos = isa_writes_nothing(m) ? 0 : 1 + isa_writes_two(m);
	u.compares = scalar || str_starts(m, "v_cmp");
	for (unsigned i = 0; i < READS_MAX + tos; i++) {
		struct str operand = isa_operand(in->operands, i);
		struct span x = operand.n ? span_of(operand) : (struct span){0, 0};
		if (i < tos) {
			u.to[i] = x;
		} else {
			u.from[i - tos] = x;
		}
	}
	u.steps = str_starts_any(m, adds) || (reads_own(&u) && !str_starts_any(m, chooses));
	return u;
}

static uint8_t marks_of(const struct shared *s, struct span x)
{
	uint8_t marks = 0;
	for (unsigned i = 0; i < x.n; i++) {
		marks |= s->now[x.at + i];
	}
	return marks;
}

static void step(struct shared *s, const struct use *u, bool in_search)
{
	uint8_t marks = 0;
	for (int i = 0; i < READS_MAX && !u->loads; i++) {
		marks |= marks_of(s, u->from[i]);
	}
	marks |= in_search && !u->loads && u->steps ? STEPPED : 0;
	for (int i = 0; i < 2; i++) {
		memset(&s->now[u->to[i].at], marks, u->to[i].n);
	}
}

/* ---- blocks ---- */

static bool is_inside(const struct shared *s, uint32_t block, uint32_t loop)
{
	uint32_t of = s->l->of[block];
	while (of != ISA_NONE && of != loop) {
		of = s->l->v[of].around;
	}
	return of == loop;
}

static void go_to(struct shared *s, uint32_t block, uint32_t region)
{
	if (block == ISA_NONE || !is_inside(s, block, region)) {
		return;
	}
	uint8_t *to = s->in[block];
	for (unsigned i = 0; i < REGISTERS; i++) {
		s->dirty[block] |= (s->now[i] & ~to[i]) != 0;
		to[i] |= s->now[i];
	}
}

static void pass(struct shared *s, uint32_t block, struct region g)
{
	memcpy(s->now, s->in[block], REGISTERS);
	bool in_search = is_inside(s, block, g.search);
	for (uint32_t k = s->b->v[block].from; k < s->b->v[block].to; k++) {
		step(s, &s->use[k], in_search);
	}
}

/* Iterates to a fixed point; the initial marks in s->in are kept. */
static void follow(struct shared *s, struct region g)
{
	bool more = true;
	for (uint32_t i = 0; i < s->b->n; i++) {
		s->dirty[i] = is_inside(s, i, g.loop);
	}
	while (more) {
		more = false;
		for (uint32_t i = 0; i < s->b->n; i++) {
			if (s->dirty[i]) {
				s->dirty[i] = false;
				more = true;
				pass(s, i, g);
				go_to(s, s->b->v[i].next, g.loop);
				go_to(s, s->b->v[i].taken, g.loop);
			}
		}
	}
}

/* The marks at a loop's header from outside the loop. */
static void marks_at_entry(uint8_t out[REGISTERS], struct shared *s, uint32_t loop, struct region g)
{
	uint32_t head = s->l->v[loop].head[0];
	memset(out, 0, REGISTERS);
	for (uint32_t i = 0; i < s->b->n; i++) {
		bool leads = s->b->v[i].next == head || s->b->v[i].taken == head;
		if (leads && is_inside(s, i, g.loop) && !is_inside(s, i, loop)) {
			pass(s, i, g);
			for (unsigned r = 0; r < REGISTERS; r++) {
				out[r] |= s->now[r];
			}
		}
	}
}

static void find_written(bool out[REGISTERS], const struct shared *s, uint32_t loop)
{
	const struct isa_loop *l = &s->l->v[loop];
	memset(out, 0, REGISTERS * sizeof(*out));
	for (size_t i = 0; i < l->blocks; i++) {
		const struct isa_block *x = &s->b->v[l->block[i]];
		for (uint32_t k = x->from; k < x->to; k++) {
			for (int t = 0; t < 2; t++) {
				struct span to = s->use[k].to[t];
				memset(&out[to.at], true, to.n * sizeof(*out));
			}
		}
	}
}

static void clear(struct shared *s)
{
	memset(s->in, 0, s->b->n * sizeof(*s->in));
}

/* Starts at a loop's header with the incoming marks: stepped values continue, and values written by
 * the outer loop restart. */
static void begin(struct shared *s, uint32_t loop, const uint8_t *entry, const bool *written)
{
	uint8_t *at = s->in[s->l->v[loop].head[0]];
	for (unsigned r = 0; r < REGISTERS; r++) {
		at[r] = entry[r] & STEPPED ? GOES_ON : written[r] ? ANEW : 0;
	}
}

/* ---- loops that share ---- */

/* Is a continuing value stepped and compared with an invariant one? *anew: so is a restarting
 * one. */
static bool compares(bool *anew, struct shared *s, uint32_t loop, const bool *written)
{
	const struct isa_loop *l = &s->l->v[loop];
	struct region g = {loop, loop};
	bool found = false;
	for (size_t i = 0; i < l->blocks; i++) {
		const struct isa_block *x = &s->b->v[l->block[i]];
		memcpy(s->now, s->in[l->block[i]], REGISTERS);
		for (uint32_t k = x->from; k < x->to; k++) {
			const struct use *u = &s->use[k];
			uint8_t a = marks_of(s, u->from[0]), b = marks_of(s, u->from[1]);
			bool other = a & STEPPED && b & STEPPED;
			struct span bound = u->from[a & STEPPED ? 1 : 0];
			for (unsigned r = 0; r < bound.n; r++) {
				other |= written[bound.at + r];
			}
			if (u->compares && (a | b) & STEPPED) {
				bool goes_on = (a | b) & GOES_ON && !((a | b) & ANEW) && !other;
				found |= goes_on;
				*anew |= !goes_on;
			}
			step(s, u, is_inside(s, l->block[i], g.search));
		}
	}
	return found;
}

/* For a loop that compares no stepped value, but ends by a value in memory: do all its stepped
 * values continue? */
static bool carries_on(const struct shared *s, uint32_t loop)
{
	const uint8_t *at = s->in[s->l->v[loop].head[0]];
	bool any = false;
	for (unsigned r = 0; r < REGISTERS; r++) {
		if (at[r] & STEPPED && at[r] & ANEW) {
			return false;
		}
		any |= at[r] & STEPPED && at[r] & GOES_ON;
	}
	return any;
}

/* compares() for a loop with incoming values from region g. Values that the loop writer writes
 * restart, and are not invariant bounds. */
static bool compares_after(
	bool *anew, struct shared *s, uint32_t loop, struct region g, uint32_t writer)
{
	uint8_t entry[REGISTERS];
	bool written[REGISTERS];
	clear(s);
	follow(s, g);
	marks_at_entry(entry, s, loop, g);
	find_written(written, s, writer);
	clear(s);
	begin(s, loop, entry, written);
	follow(s, (struct region){loop, loop});
	return compares(anew, s, loop, written);
}

/* Does it share the iterations of the outer loop? */
static bool shares_inside(struct shared *s, uint32_t loop)
{
	uint32_t around = s->l->v[loop].around;
	bool anew = false;
	bool found = compares_after(&anew, s, loop, (struct region){around, loop}, around);
	return !anew && (found || carries_on(s, loop));
}

/* Does it share the iterations of a later loop? */
static bool shares_with(struct shared *s, uint32_t loop, uint32_t other)
{
	bool anew = false;
	struct region g = {s->l->v[loop].around, loop};
	return compares_after(&anew, s, other, g, other);
}

static void read_uses(struct shared *s, struct arena *a)
{
	s->use = ARENA_ARRAY(a, struct use, s->f->insn.n);
	s->in = arena_alloc(a, s->b->n * sizeof(*s->in));
	s->dirty = ARENA_ARRAY(a, bool, s->b->n);
	for (size_t k = 0; k < s->f->insn.n; k++) {
		s->use[k] = use_of(&s->f->insn.v[k]);
	}
}

static bool does_work(const struct isa_loop *l, const bool *works)
{
	bool any = false;
	for (size_t i = 0; i < l->blocks; i++) {
		any |= works[l->block[i]];
	}
	return any;
}

static bool shares(struct shared *s, uint32_t loop, const bool *works)
{
	uint32_t around = s->l->v[loop].around;
	if (around != ISA_NONE && does_work(&s->l->v[around], works) && shares_inside(s, loop)) {
		return true;
	}
	for (uint32_t i = loop + 1; i < s->l->n; i++) {
		const struct isa_loop *o = &s->l->v[i];
		if (o->around == around && o->heads == 1 && does_work(o, works)) {
			return shares_with(s, loop, i); /* only the next one */
		}
	}
	return false;
}

void isa_shared_guess(uint32_t *trips, struct arena *a, const struct isa_function *f,
	const struct isa_blocks *b, const struct isa_loops *l, const bool *works)
{
	struct shared s = {.f = f, .b = b, .l = l};
	bool fits = b->n <= BYTES_MAX / REGISTERS;
	size_t looked = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		bool asked = !trips[i] && fits && l->v[i].heads == 1 && !does_work(&l->v[i], works);
		if (asked && !s.use) {
			read_uses(&s, a);
		}
		bool shared = asked && looked++ < SEARCHES_MAX && shares(&s, i, works);
		trips[i] = trips[i] ? trips[i] : shared ? 1 : TRIPS_GUESS;
	}
}
