/*
 * Loops are the strongly connected components of the control flow graph. The back edges to a
 * component's entry blocks (headers) are removed, and the remaining components are the inner loops
 * (the Steensgaard forest in Ramalingam, "On Loops, Dominators, and Dominance Frontiers", 2002).
 */
#include "measure/isa/loops.h"

enum {
	LEVELS_MAX = 64,
	DEPTH_MAX = 9 /* weights are powers of ten */
};

struct found {
	struct isa_loop loop;
	uint32_t first_inside, last_inside, next; /* indices in list; ISA_NONE: none */
};

struct loops {
	const struct isa_blocks *b;
	struct arena *a;     /* the caller's */
	uint32_t (*edge)[2]; /* next and taken; ISA_NONE: none, or cut */
	uint32_t *index;     /* search order; ISA_NONE: not visited */
	uint32_t *low;
	uint32_t *part; /* component of a block; ISA_NONE: on the stack */
	uint32_t *stack;
	uint32_t *path; /* of the search; step: the next edge */
	uint8_t *step;
	uint32_t seen, parts;
	size_t stacked;
	uint32_t *of; /* innermost loop of a block so far, in list */
	ARRAY(struct found) list;
};

static void enter(struct loops *l, uint32_t v, size_t *path)
{
	l->index[v] = l->low[v] = l->seen++;
	l->part[v] = ISA_NONE;
	l->stack[l->stacked++] = v;
	l->step[v] = 0;
	l->path[(*path)++] = v;
}

static void take_low(struct loops *l, uint32_t v, uint32_t low)
{
	l->low[v] = low < l->low[v] ? low : l->low[v];
}

static void close_part(struct loops *l, uint32_t v)
{
	uint32_t w;
	do {
		w = l->stack[--l->stacked];
		l->part[w] = l->parts;
	} while (w != v);
	l->parts++;
}

/* Tarjan's algorithm from one block, without recursion, since a kernel may have many thousands of
 * blocks. */
static void search(struct loops *l, uint32_t from)
{
	size_t n = 0;
	enter(l, from, &n);
	while (n > 0) {
		uint32_t v = l->path[n - 1];
		if (l->step[v] < 2) {
			uint32_t to = l->edge[v][l->step[v]++];
			if (to != ISA_NONE && l->index[to] == ISA_NONE) {
				enter(l, to, &n);
			} else if (to != ISA_NONE && l->part[to] == ISA_NONE) {
				take_low(l, v, l->index[to]);
			}
			continue;
		}
		if (l->low[v] == l->index[v]) {
			close_part(l, v);
		}
		n--;
		if (n > 0) {
			take_low(l, l->path[n - 1], l->low[v]);
		}
	}
}

static void find_parts(struct loops *l)
{
	l->seen = l->parts = 0;
	for (size_t i = 0; i < l->b->n; i++) {
		l->index[i] = ISA_NONE;
	}
	for (uint32_t i = 0; i < l->b->n; i++) {
		if (l->index[i] == ISA_NONE) {
			search(l, i);
		}
	}
}

/* Marks the entry blocks of each component, and sets is_loop. */
static void find_entries(struct loops *l, bool *entry, bool *is_loop, struct arena *a)
{
	bool *entered = ARENA_ARRAY(a, bool, l->parts);
	for (size_t i = 0; i < l->b->n; i++) {
		for (int k = 0; k < 2; k++) {
			uint32_t to = l->edge[i][k];
			bool inside = to != ISA_NONE && l->part[to] == l->part[i];
			is_loop[l->part[i]] |= inside;
			if (to != ISA_NONE && !inside) {
				entry[to] = true;
			}
		}
	}
	entry[0] = true;
	for (size_t i = 0; i < l->b->n; i++) {
		entered[l->part[i]] |= entry[i];
	}
	for (size_t i = 0; i < l->b->n; i++) { /* unreachable code */
		entry[i] |= !entered[l->part[i]];
		entered[l->part[i]] = true;
	}
}

static uint32_t add_loop(struct loops *l, uint32_t first)
{
	uint32_t around = l->of[first], id = (uint32_t)l->list.n;
	struct found f = {.loop = {.around = around, .depth = 1},
		.first_inside = ISA_NONE,
		.last_inside = ISA_NONE,
		.next = ISA_NONE};
	if (around != ISA_NONE) {
		struct found *o = &l->list.v[around];
		f.loop.depth = o->loop.depth + 1;
		if (o->last_inside == ISA_NONE) {
			o->first_inside = id;
		} else {
			l->list.v[o->last_inside].next = id;
		}
		o->last_inside = id;
	}
	array_push(&l->list, f);
	return id;
}

/* Adds the components of a level that are loops, with space for their blocks and headers. */
static void add_loops(struct loops *l, const bool *entry, const bool *is_loop, struct arena *a)
{
	uint32_t *loop_of = ARENA_ARRAY(a, uint32_t, l->parts);
	for (size_t i = 0; i < l->parts; i++) {
		loop_of[i] = ISA_NONE;
	}
	size_t before = l->list.n;
	for (uint32_t i = 0; i < l->b->n; i++) {
		uint32_t *id = &loop_of[l->part[i]];
		if (is_loop[l->part[i]]) {
			*id = *id == ISA_NONE ? add_loop(l, i) : *id;
			l->list.v[*id].loop.blocks++;
			l->list.v[*id].loop.heads += entry[i];
		}
	}
	for (size_t k = before; k < l->list.n; k++) {
		struct isa_loop *o = &l->list.v[k].loop;
		o->block = ARENA_ARRAY(l->a, uint32_t, o->blocks);
		o->head = ARENA_ARRAY(l->a, uint32_t, o->heads);
		o->blocks = o->heads = 0;
	}
	for (uint32_t i = 0; i < l->b->n; i++) {
		uint32_t id = loop_of[l->part[i]];
		if (id != ISA_NONE) {
			struct isa_loop *o = &l->list.v[id].loop;
			o->block[o->blocks++] = i;
			if (entry[i]) {
				o->head[o->heads++] = i;
			}
			l->of[i] = id;
		}
	}
}

/* Finds the loops of a level, and removes their back edges; false if there are none. */
static bool find_level(struct loops *l)
{
	struct arena *a = arena_create();
	size_t before = l->list.n;
	find_parts(l);
	bool *is_loop = ARENA_ARRAY(a, bool, l->parts);
	bool *entry = ARENA_ARRAY(a, bool, l->b->n);
	find_entries(l, entry, is_loop, a);
	add_loops(l, entry, is_loop, a);
	for (size_t i = 0; i < l->b->n; i++) {
		for (int k = 0; k < 2; k++) {
			uint32_t to = l->edge[i][k];
			if (to != ISA_NONE && l->part[to] == l->part[i] && entry[to]) {
				l->edge[i][k] = ISA_NONE;
			}
		}
	}
	arena_free(a);
	return l->list.n > before;
}

/* Copies a loop, then its inner loops. place: the new index of each. */
static void put_out(struct isa_loops *out, struct loops *l, uint32_t id, uint32_t *place)
{
	const struct found *f = &l->list.v[id];
	struct isa_loop *o = &out->v[out->n];
	*o = f->loop;
	o->around = f->loop.around == ISA_NONE ? ISA_NONE : place[f->loop.around];
	place[id] = (uint32_t)out->n++;
	for (uint32_t k = f->first_inside; k != ISA_NONE; k = l->list.v[k].next) {
		put_out(out, l, k, place);
	}
}

void isa_loops_find(struct isa_loops *out, struct arena *a, const struct isa_blocks *b)
{
	struct arena *own = arena_create();
	struct loops l = {.b = b, .a = a};
	l.edge = arena_alloc(own, b->n * sizeof(*l.edge));
	l.index = ARENA_ARRAY(own, uint32_t, b->n);
	l.low = ARENA_ARRAY(own, uint32_t, b->n);
	l.part = ARENA_ARRAY(own, uint32_t, b->n);
	l.stack = ARENA_ARRAY(own, uint32_t, b->n);
	l.path = ARENA_ARRAY(own, uint32_t, b->n);
	l.step = ARENA_ARRAY(own, uint8_t, b->n);
	l.of = ARENA_ARRAY(a, uint32_t, b->n);
	for (size_t i = 0; i < b->n; i++) {
		l.edge[i][0] = b->v[i].next;
		l.edge[i][1] = b->v[i].taken;
		l.of[i] = ISA_NONE;
	}
	bool more = b->n > 0;
	for (int level = 0; more && level < LEVELS_MAX; level++) {
		more = find_level(&l);
	}
	uint32_t *place = ARENA_ARRAY(own, uint32_t, l.list.n);
	*out = (struct isa_loops){.v = ARENA_ARRAY(a, struct isa_loop, l.list.n), .of = l.of};
	for (uint32_t i = 0; i < l.list.n; i++) {
		if (l.list.v[i].loop.around == ISA_NONE) {
			put_out(out, &l, i, place);
		}
	}
	for (size_t i = 0; i < b->n; i++) {
		out->of[i] = out->of[i] == ISA_NONE ? ISA_NONE : place[out->of[i]];
	}
	array_release(&l.list);
	arena_free(own);
}

void isa_depths_find(struct isa_function *f)
{
	struct arena *a = arena_create();
	struct isa_blocks b;
	struct isa_loops loops;
	if (isa_blocks_find(&b, a, f)) {
		isa_loops_find(&loops, a, &b);
		for (size_t i = 0; i < b.n; i++) {
			unsigned depth = loops.of[i] == ISA_NONE ? 0 : loops.v[loops.of[i]].depth;
			depth = depth > DEPTH_MAX ? DEPTH_MAX : depth;
			for (uint32_t k = b.v[i].from; k < b.v[i].to; k++) {
				f->insn.v[k].depth = depth;
			}
		}
	}
	arena_free(a);
}
