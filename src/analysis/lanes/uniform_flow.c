/*
 * Values of variables along the paths. A write changes the walk's state, and the trail keeps the
 * old value: so the paths of a branch start from the same state, and join with the writes of each.
 * The state at the end of a loop is kept for its head until it no longer changes. uniform.c has the
 * rules.
 */
#include "analysis/lanes/uniform_walk.h"

/* The state that reaches the head of a loop by its back edge. */
struct head {
	struct ids at; /* slot + 1 -> its index among slots, + 1 */
	change_array slots;
	struct dirt dirt;
	struct head *next;
};

bool uniform_is_followed(const struct walk *w, size_t slot)
{
	const struct kt_unit *u = w->u->unit;
	return slot < u->syms && kt_is_variable(u, (kt_id)slot) && u->sym[slot].fn == w->fn &&
	       !kt_is_reference(u, (kt_id)slot) && !w->u->fn[w->fn].hides;
}

unsigned uniform_now(const struct walk *w, size_t slot)
{
	const struct slot *s = &w->u->slot[slot];
	if (!uniform_is_followed(w, slot)) {
		return s->bits;
	}
	unsigned far = s->bound ? s->bits : s->exposed ? (s->bits & BIT_BOTH) | s->far : 0;
	return far | (s->exposed || s->bound ? s->now & BIT_OWN : s->now);
}

const struct slot *uniform_kept(const struct walk *w, const struct kt_node *n)
{
	const struct kt_unit *u = w->u->unit;
	bool ours = n->kind == KT_REF && kt_is_variable(u, n->sym) && u->sym[n->sym].fn == w->fn &&
		    !kt_is_reference(u, n->sym) && !u->type[u->sym[n->sym].type].is_volatile;
	const struct slot *s = ours ? &w->u->slot[n->sym] : NULL;
	return s && !s->written && !s->exposed ? s : NULL;
}

void uniform_set(struct walk *w, size_t slot, unsigned bits)
{
	struct slot *s = &w->u->slot[slot];
	array_push(&w->trail, ((struct change){slot, s->now}));
	s->now = bits;
}

/* ---- paths ---- */

/* Is this the first change of the slot in this join? */
static bool meet(struct uniformity *u, size_t slot)
{
	bool first = u->slot[slot].seen != u->looks;
	u->slot[slot].seen = u->looks;
	return first;
}

void uniform_fork(struct walk *w, struct fork *f)
{
	*f = (struct fork){.base = w->trail.n, .first = uniform_dirt(&w->dirt)};
}

static void rewind_to(struct walk *w, const struct fork *f)
{
	while (w->trail.n > f->base) {
		const struct change *c = &w->trail.v[--w->trail.n];
		w->u->slot[c->slot].now = c->bits;
	}
	w->dirt = f->first;
}

void uniform_way(struct walk *w, struct fork *f, bool stays)
{
	struct uniformity *u = w->u;
	u->looks++;
	for (size_t i = f->base; i < w->trail.n && !w->dead; i++) {
		size_t slot = w->trail.v[i].slot;
		if (meet(u, slot)) {
			array_push(&f->ends, ((struct change){slot, u->slot[slot].now}));
		}
	}
	if (!w->dead) {
		f->ways++;
		uniform_dirt_add(&f->last, u->flow, &w->dirt);
	}
	if (!stays) {
		rewind_to(w, f);
		w->dead = false;
	}
}

void uniform_way_past(struct walk *w, struct fork *f)
{
	f->ways++;
	uniform_dirt_add(&f->last, w->u->flow, &w->dirt);
}

void uniform_join(struct walk *w, struct fork *f, unsigned differs)
{
	struct uniformity *u = w->u;
	u->looks++;
	for (size_t i = 0; i < f->ends.n; i++) {
		struct slot *s = &u->slot[f->ends.v[i].slot];
		if (meet(u, f->ends.v[i].slot)) {
			s->sum = 0;
			s->ways = 0;
		}
		s->sum |= f->ends.v[i].bits;
		s->ways++;
	}
	u->looks++;
	for (size_t i = 0; i < f->ends.n; i++) {
		struct slot *s = &u->slot[f->ends.v[i].slot];
		if (meet(u, f->ends.v[i].slot)) {
			unsigned before = s->ways < f->ways ? s->now : 0;
			uniform_set(w, f->ends.v[i].slot, s->sum | before | differs);
		}
	}
	w->dead = f->ways == 0;
	w->dirt = f->ways ? f->last : f->first;
	array_release(&f->ends);
}

/* ---- loops and labels ---- */

void uniform_head(struct walk *w, const struct kt_node *loop)
{
	const struct head *h = (const struct head *)ids_get(&w->u->heads, (uintptr_t)loop, 0);
	for (size_t i = 0; h && i < h->slots.n; i++) {
		struct change c = h->slots.v[i];
		uniform_set(w, c.slot, w->u->slot[c.slot].now | c.bits);
	}
	if (h) {
		uniform_dirt_add(&w->dirt, w->u->flow, &h->dirt);
	}
}

void uniform_back(struct walk *w, const struct kt_node *loop, const struct fork *from)
{
	struct uniformity *u = w->u;
	struct head *h = (struct head *)ids_get(&u->heads, (uintptr_t)loop, 0);
	if (w->dead) {
		return;
	}
	if (!h) {
		h = ARENA_NEW(u->arena, struct head);
		*h = (struct head){.next = u->last_head};
		u->last_head = h;
		ids_set(&u->heads, (uintptr_t)loop, (uintptr_t)h);
		u->changed = true;
	}
	u->looks++;
	for (size_t i = from->base; i < w->trail.n; i++) {
		size_t slot = w->trail.v[i].slot;
		if (!meet(u, slot)) {
			continue;
		}
		size_t at = ids_get(&h->at, slot + 1, 0);
		if (!at) {
			array_push(&h->slots, ((struct change){slot, 0}));
			at = h->slots.n;
			ids_set(&h->at, slot + 1, at);
			u->changed = true;
		}
		unsigned *bits = &h->slots.v[at - 1].bits;
		u->changed |= (u->slot[slot].now & ~*bits) != 0;
		*bits |= u->slot[slot].now;
	}
	u->changed |= uniform_dirt_add(&h->dirt, u->arena, &w->dirt);
}

void uniform_heads_release(struct uniformity *u)
{
	for (struct head *h = u->last_head; h; h = h->next) {
		ids_release(&h->at);
		array_release(&h->slots);
	}
	ids_release(&u->heads);
}

void uniform_case(struct walk *w, const struct fork *from, unsigned differs)
{
	struct uniformity *u = w->u;
	size_t end = w->trail.n;
	u->looks++;
	for (size_t i = from->base; i < end; i++) {
		/* the first one has the value before all of them */
		struct change c = w->trail.v[i];
		if (meet(u, c.slot)) {
			uniform_set(
				w, c.slot, c.bits | (w->dead ? 0 : u->slot[c.slot].now) | differs);
		}
	}
	uniform_dirt_add(&w->dirt, u->flow, &from->first);
	w->dead = false;
}
