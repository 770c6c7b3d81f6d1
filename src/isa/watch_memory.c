/*
 * Finds races on global memory: two waves access a byte, at least one changes it, and nothing
 * orders them. Waves of a work-group are ordered by a barrier, work-groups by nothing. This alone
 * is not an error, because machine code does not show all that orders waves: an atomic load at the
 * scope of a work-group looks like any other load. So a wave is left out if it did an atomic or an
 * access with a cache modifier, or polled, since the last barrier. Two work-groups are if the first
 * did so after its access, in the same wave when its stores had been waited for or after a barrier,
 * and the second before.
 * If a work-group overwrites what another one
 * wrote, they are compared when it ends, since each may compute the same. verify reports an access
 * only if the other program has none of its kind (isa_counts.open).
 */
#include <string.h>

#include "isa/watch.h"

enum {
	BYTES_MOST = 16 << 20, /* of a memory that is watched: a word takes 76 bytes */
	WORD = 4,
	STORED_MOST = ISA_LANES * 5
};

/* A word of memory. Waves are bits; bytes are bits, too. */
struct word {
	uint32_t when;		/* of these three: earlier accesses of the group are ordered */
	uint32_t stored[WORD];	/* the waves that stored the byte, */
	uint32_t changed[WORD]; /* those that changed it, */
	uint32_t read[WORD];	/* and those that read it */
	uint32_t group;
	uint32_t before_when;  /* of the last access of an earlier group, */
	uint32_t before_waves; /* and the waves that accessed it then */
	uint32_t before;       /* that group; 0: none */
	unsigned line;	       /* of the last change */
	struct accessed {
		uint8_t stored, changed, read;
	} own, others; /* by this group; by earlier ones */
};

/* A word before the current instruction stores to it, or before its group does. */
struct stored {
	struct word *word;
	const unsigned char *p;
	unsigned bytes;
	uint8_t mask;
	unsigned char was[WORD];
	/* at the end of the group */
	const struct isa_op *op;
	struct isa_wave *wave;
	unsigned line; /* of the earlier group's store */
};

struct isa_watch_memory {
	struct word **memory;
	uint32_t *ordered; /* of each wave: when it last did what may order waves */
	/* of each group so far: when waves last did so, each after its own stores */
	ARRAY(struct released {
		uint32_t when;
		uint32_t waves;
	})
	released;
	bool acquired;			  /* one of the group's waves did so */
	uint32_t now;			  /* barriers and groups so far */
	bool off;			  /* not the first run */
	const char *open[ISA_OPEN_KINDS]; /* the first such access, or NULL */
	struct stored stored[STORED_MOST];
	unsigned n;
	ARRAY(struct stored) over; /* what the group wrote over earlier groups' results */
};

struct isa_watch_memory *isa_watch_memory_open(struct isa_group *g)
{
	struct isa_watch_memory *m = ARENA_NEW(g->a, struct isa_watch_memory);
	m->memory = ARENA_ARRAY(g->a, struct word *, g->l->memories + 1);
	m->ordered = ARENA_ARRAY(g->a, uint32_t, g->waves + 1);
	return m;
}

void isa_watch_memory_close(struct isa_watch_memory *m)
{
	array_release(&m->released);
	array_release(&m->over);
}

void isa_watch_memory_begin(struct isa_watch_memory *m, bool off)
{
	m->off = off;
	m->acquired = false;
	m->now++;
	array_push(&m->released, (struct released){0});
}

void isa_watch_memory_barrier(struct isa_watch_memory *m)
{
	m->now++;
}

void isa_watch_memory_orders(struct isa_watch_memory *m, const struct isa_wave *w)
{
	m->ordered[w->number] = m->now;
}

static uint32_t bit_of(const struct isa_wave *w)
{
	return 1u << w->number % 32;
}

static void order_groups(struct isa_watch_memory *m, const struct isa_wave *w, bool stored)
{
	struct released *r = &m->released.v[m->released.n - 1];
	m->acquired = true;
	if (stored) {
		r->waves = (r->when == m->now ? r->waves : 0) | bit_of(w);
		r->when = m->now;
	}
}

const char *isa_watch_memory_open_access(const struct isa_watch_memory *m, enum isa_open kind)
{
	return m->open[kind];
}

/* ---- reports ---- */

static void say(
	struct isa_watch_memory *m, enum isa_open kind, struct isa_wave *w, const char *what)
{
	const char *said = w->said;
	w->said = what;
	m->open[kind] = isa_wave_words(w);
	w->said = said;
}

/* Says that the wave accesses what these others wrote or read. */
static void say_waves(struct isa_watch_memory *m, struct isa_wave *w, const struct word *t,
	uint32_t others, bool wrote, bool store)
{
	struct arena *a = w->group->a;
	for (unsigned i = 0; i < w->group->waves; i++) {
		others &= m->ordered[i] == m->now ? ~bit_of(&w->group->wave[i]) : UINT32_MAX;
	}
	if (!others || m->open[ISA_OPEN_WAVES] || m->ordered[w->number] == m->now) {
		return;
	}
	const char *who = others & (others - 1) ? "another wave"
						: arena_printf(a, "wave %d", __builtin_ctz(others));
	say(m, ISA_OPEN_WAVES, w,
		arena_printf(a, "%s global memory that %s %s%s: no barrier between them",
			store ? "writes" : "reads", who, wrote ? "wrote in " : "read",
			wrote ? isa_where(w->group, t->line) : ""));
}

/* May an atomic order the earlier group's last access before those of this one? */
static bool groups_ordered(const struct isa_watch_memory *m, const struct word *t)
{
	const struct released *r = &m->released.v[t->before - 1];
	bool after = r->when == t->before_when ? !(t->before_waves & ~r->waves)
					       : r->when > t->before_when;
	return after && m->acquired;
}

static void say_groups(struct isa_watch_memory *m, struct isa_wave *w, const struct word *t,
	unsigned line, bool store)
{
	const unsigned *grid = w->group->l->grid;
	unsigned n = t->before - 1;
	if (m->open[ISA_OPEN_GROUPS]) {
		return;
	}
	say(m, ISA_OPEN_GROUPS, w,
		arena_printf(w->group->a,
			"%s global memory that group %u,%u,%u %s%s: nothing orders work-groups",
			store ? "writes" : "reads", n % grid[0], n / grid[0] % grid[1],
			n / grid[0] / grid[1], line ? "wrote in " : "read",
			line ? isa_where(w->group, line) : ""));
}

/* ---- accesses ---- */

static uint32_t of_bytes(const uint32_t wave[WORD], uint8_t mask)
{
	uint32_t all = 0;
	for (unsigned k = 0; k < WORD; k++) {
		all |= mask >> k & 1 ? wave[k] : 0;
	}
	return all;
}

static void put_bytes(uint32_t wave[WORD], uint8_t mask, const struct isa_wave *w)
{
	for (unsigned k = 0; k < WORD; k++) {
		wave[k] |= mask >> k & 1 ? bit_of(w) : 0;
	}
}

/* Forgets what the current access is ordered after. */
static void bring_up(const struct isa_watch_memory *m, struct word *t)
{
	uint32_t group = (uint32_t)m->released.n;
	if (t->group && t->group != group) {
		t->others.stored |= t->own.stored;
		t->others.changed |= t->own.changed;
		t->others.read |= t->own.read;
		t->before = t->group;
		t->before_when = t->when;
		t->before_waves = 0;
		for (unsigned k = 0; k < WORD; k++) {
			t->before_waves |= t->stored[k] | t->read[k];
		}
		t->own = (struct accessed){0};
	}
	if (t->when != m->now) {
		memset(t->stored, 0, sizeof(t->stored));
		memset(t->changed, 0, sizeof(t->changed));
		memset(t->read, 0, sizeof(t->read));
	}
	t->group = group;
	t->when = m->now;
}

/* Also of an atomic: it does not order a plain store before it. */
static void load_of_groups(
	struct isa_watch_memory *m, struct isa_wave *w, const struct word *t, uint8_t mask)
{
	if (t->others.changed & mask & ~t->own.stored && !groups_ordered(m, t)) {
		say_groups(m, w, t, t->line, false);
	}
}

static void load(struct isa_watch_memory *m, struct isa_wave *w, struct word *t, uint8_t mask)
{
	uint32_t self = bit_of(w);
	uint32_t others = 0;
	bring_up(m, t);
	for (unsigned k = 0; k < WORD; k++) {
		/* not if it stored the same itself */
		bool any = mask >> k & 1 && !(t->stored[k] & self);
		others |= any ? t->changed[k] & ~self : 0;
	}
	if (others) {
		say_waves(m, w, t, others, true, false);
	}
	load_of_groups(m, w, t, mask);
	put_bytes(t->read, mask, w);
	t->own.read |= mask;
}

static uint8_t changes(const struct stored *s)
{
	uint8_t changed = 0;
	for (unsigned k = 0; k < s->bytes; k++) {
		changed |= s->p[k] != s->was[k] ? (uint8_t)(1u << k) : 0;
	}
	return changed & s->mask;
}

static void store_over_groups(
	struct isa_watch_memory *m, struct isa_wave *w, const struct stored *s, uint8_t changed)
{
	const struct word *t = s->word;
	uint8_t mask = t->others.stored & changed & (uint8_t)~t->own.stored;
	if (t->before && groups_ordered(m, t)) {
		return;
	}
	if (t->others.read & changed) {
		say_groups(m, w, t, 0, true);
	}
	if (mask) {
		struct stored over = *s;
		over.mask = mask;
		over.op = w->op;
		over.wave = w;
		over.line = t->line;
		array_push(&m->over, over);
	}
}

static void store(struct isa_watch_memory *m, struct isa_wave *w, const struct stored *s)
{
	struct word *t = s->word;
	uint32_t self = bit_of(w);
	uint8_t changed = changes(s);
	bring_up(m, t);
	uint32_t wrote = of_bytes(t->stored, changed) & ~self;
	uint32_t read = of_bytes(t->read, changed) & ~self;
	if (wrote || read) {
		say_waves(m, w, t, wrote ? wrote : read, wrote != 0, true);
	}
	store_over_groups(m, w, s, changed);
	put_bytes(t->stored, s->mask, w);
	put_bytes(t->changed, changed, w);
	t->own.stored |= s->mask;
	t->own.changed |= changed;
	t->line = changed || !t->line ? w->op->line : t->line;
}

/* Compares what the group left with what earlier groups had written. */
void isa_watch_memory_end(struct isa_watch_memory *m)
{
	array_each (&m->over, const struct stored, s) {
		if (changes(s)) {
			const struct isa_op *op = s->wave->op;
			s->wave->op = s->op;
			say_groups(m, s->wave, s->word, s->line, true);
			s->wave->op = op;
		}
	}
	m->over.n = 0;
}

void isa_watch_memory_access(struct isa_watch_memory *m, struct isa_wave *w, size_t memory,
	uint64_t from, uint64_t bytes, bool stores, bool stored)
{
	const struct isa_memory *of = &w->group->l->memory[memory];
	bool orders = w->op->row->form == ISA_ATOMIC || w->op->coherent;
	if (orders) {
		isa_watch_memory_orders(m, w);
		order_groups(m, w, stored);
	}
	if (of->bytes > BYTES_MOST || of->constant || m->off) {
		return;
	}
	if (!m->memory[memory]) {
		m->memory[memory] = ARENA_ARRAY(w->group->a, struct word, of->bytes / 4 + 1);
	}
	for (uint64_t at = from; at < from + bytes; at = (at / 4 + 1) * 4) {
		uint64_t word = at / 4 * 4, end = from + bytes;
		unsigned first = (unsigned)(at - word);
		unsigned last = end - word < 4 ? (unsigned)(end - word) : 4;
		uint8_t mask = (uint8_t)((1u << last) - (1u << first));
		struct word *t = &m->memory[memory][at / 4];
		if (orders) {
			bring_up(m, t);
			load_of_groups(m, w, t, mask);
		} else if (!stores) {
			load(m, w, t, mask);
		} else if (m->n < STORED_MOST) {
			struct stored *s = &m->stored[m->n++];
			*s = (struct stored){.word = t, .p = of->p + word, .mask = mask};
			s->bytes = of->bytes - word < 4 ? (unsigned)(of->bytes - word) : 4;
			memcpy(s->was, s->p, s->bytes);
		}
	}
}

void isa_watch_memory_after(struct isa_watch_memory *m, struct isa_wave *w)
{
	for (unsigned i = 0; i < m->n; i++) {
		store(m, w, &m->stored[i]);
	}
	m->n = 0;
}
