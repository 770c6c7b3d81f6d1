/*
 * Finds races on global memory between the waves of a work-group: two waves access a byte, at least
 * one changes it, and no barrier is between them. This alone is not an error, because machine code
 * does not show all that orders waves: an atomic load at the scope of a work-group looks like any
 * other load. So a wave is left out if it did an atomic or an access with a cache modifier, or
 * polled, since the last barrier. verify reports an access only if the other program has no such
 * access (isa_counts.open).
 */
#include <string.h>

#include "isa/watch.h"

enum {
	BYTES_MOST = 64 << 20, /* of a memory that is watched */
	STORED_MOST = ISA_LANES * 5
};

/* A word of memory; a time is 0 for never. */
struct word {
	uint32_t wrote;
	uint32_t read;
	unsigned line; /* of the last write */
	uint8_t writer;
	uint8_t reader;
	uint8_t written; /* bytes as bits */
	uint8_t taken;	 /* likewise those read */
	bool readers;	 /* several waves read it */
};

/* A word before the current instruction stores to it. */
struct stored {
	struct word *word;
	const unsigned char *p;
	unsigned bytes;
	uint8_t mask;
	unsigned char was[4];
};

struct isa_watch_memory {
	struct word **memory;
	uint32_t *ordered; /* of each wave: when it last did what may order waves */
	uint32_t now;	   /* barriers and groups so far */
	const char *open;  /* the first such access, or NULL */
	struct stored stored[STORED_MOST];
	unsigned n;
};

struct isa_watch_memory *isa_watch_memory_open(struct isa_group *g)
{
	struct isa_watch_memory *m = ARENA_NEW(g->a, struct isa_watch_memory);
	m->memory = ARENA_ARRAY(g->a, struct word *, g->l->memories + 1);
	m->ordered = ARENA_ARRAY(g->a, uint32_t, g->waves + 1);
	return m;
}

void isa_watch_memory_barrier(struct isa_watch_memory *m)
{
	m->now++;
}

void isa_watch_memory_orders(struct isa_watch_memory *m, const struct isa_wave *w)
{
	m->ordered[w->number] = m->now;
}

const char *isa_watch_memory_open_access(const struct isa_watch_memory *m)
{
	return m->open;
}

/* May anything except a barrier order the wave and the other one (any other, if not known)? */
static bool may_be_ordered(
	const struct isa_watch_memory *m, const struct isa_wave *w, bool known, unsigned other)
{
	bool may = m->ordered[w->number] == m->now;
	for (unsigned i = 0; i < w->group->waves; i++) {
		may |= m->ordered[i] == m->now && (!known || i == other);
	}
	return may;
}

static void say(struct isa_watch_memory *m, struct isa_wave *w, const struct word *t, bool store)
{
	bool wrote = t->wrote == m->now && t->writer != w->number;
	bool known = wrote || !t->readers;
	unsigned other = wrote ? t->writer : t->reader;
	if (m->open || may_be_ordered(m, w, known, other)) {
		return;
	}
	struct arena *a = w->group->a;
	const char *who = known ? arena_printf(a, "wave %u", other) : "another wave";
	const char *said = w->said;
	w->said = arena_printf(a, "%s global memory that %s %s%s: no barrier between them",
		store ? "writes" : "reads", who, wrote ? "wrote in " : "read",
		wrote ? isa_where(w->group, t->line) : "");
	m->open = isa_wave_words(w);
	w->said = said;
}

static void load(struct isa_watch_memory *m, struct isa_wave *w, struct word *t, uint8_t mask)
{
	if (t->wrote == m->now && t->writer != w->number && t->written & mask) {
		say(m, w, t, false);
	}
	bool again = t->read == m->now;
	t->readers = again && (t->readers || t->reader != w->number);
	t->taken = (uint8_t)(again ? t->taken | mask : mask);
	t->reader = (uint8_t)w->number;
	t->read = m->now;
}

static void store(struct isa_watch_memory *m, struct isa_wave *w, const struct stored *s)
{
	struct word *t = s->word;
	bool others = t->wrote == m->now && t->writer != w->number;
	uint8_t changed = 0;
	for (unsigned k = 0; k < s->bytes; k++) {
		changed |= s->p[k] != s->was[k] ? (uint8_t)(1u << k) : 0;
	}
	changed &= s->mask;
	if (!changed) { /* another wave wrote the same bytes: this wave may now read them */
		t->written = (uint8_t)(others ? t->written & ~s->mask : t->written);
		return;
	}
	bool read =
		t->read == m->now && (t->reader != w->number || t->readers) && t->taken & changed;
	if ((others && t->written & changed) || read) {
		say(m, w, t, true);
	}
	bool own = t->wrote == m->now && !others;
	t->written = (uint8_t)(own ? t->written | changed : changed);
	t->writer = (uint8_t)w->number;
	t->wrote = m->now;
	t->line = w->op->line;
}

void isa_watch_memory_access(struct isa_watch_memory *m, struct isa_wave *w, size_t memory,
	uint64_t from, uint64_t bytes, bool stores)
{
	const struct isa_memory *of = &w->group->l->memory[memory];
	if (w->op->row->form == ISA_ATOMIC || w->op->coherent) {
		isa_watch_memory_orders(m, w);
		return;
	}
	if (of->bytes > BYTES_MOST || of->constant) {
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
		if (!stores) {
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
