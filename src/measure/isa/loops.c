/*
 * Loops are the strongly connected parts of the graph of blocks; the edges back to the blocks in
 * which a part is entered are cut, and what is still connected are the loops inside ("Steensgaard",
 * as Ramalingam, "On Loops, Dominators, and Dominance Frontiers", 2002, calls this forest).
 */
#include "measure/isa/loops.h"

#include "measure/isa/flow.h"

enum {
	DEPTH_MAX = 9 /* ten to this power still counts */
};

struct loops {
	struct isa_blocks b;
	uint32_t (*edge)[2]; /* next and taken; ISA_NONE: none, or cut */
	uint32_t *index;     /* in the order of the search; ISA_NONE: not seen */
	uint32_t *low;
	uint32_t *part; /* number of a block's part; ISA_NONE: on the stack */
	uint32_t *stack;
	uint32_t *path; /* of the search; step: which edge comes next */
	uint8_t *step;
	uint32_t seen, parts;
	size_t stacked;
	uint8_t *depth;
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

/* Tarjan's search from one block, without recursion: a kernel may have many thousands of them. */
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
	for (size_t i = 0; i < l->b.n; i++) {
		l->index[i] = ISA_NONE;
	}
	for (uint32_t i = 0; i < l->b.n; i++) {
		if (l->index[i] == ISA_NONE) {
			search(l, i);
		}
	}
}

/* One level: counts blocks that are in a loop, and cuts the edges back to where it is entered. */
static bool count_level(struct loops *l, struct arena *a)
{
	bool *loop = ARENA_ARRAY(a, bool, l->parts);
	bool *entry = ARENA_ARRAY(a, bool, l->b.n);
	bool any = false;
	for (size_t i = 0; i < l->b.n; i++) {
		for (int k = 0; k < 2; k++) {
			uint32_t to = l->edge[i][k];
			bool inside = to != ISA_NONE && l->part[to] == l->part[i];
			loop[l->part[i]] |= inside;
			if (to != ISA_NONE && !inside) {
				entry[to] = true;
			}
		}
	}
	entry[0] = true;
	bool *entered = ARENA_ARRAY(a, bool, l->parts);
	for (size_t i = 0; i < l->b.n; i++) {
		entered[l->part[i]] |= entry[i];
	}
	for (size_t i = 0; i < l->b.n; i++) { /* code that nothing gets to */
		entry[i] |= !entered[l->part[i]];
		entered[l->part[i]] = true;
	}
	for (size_t i = 0; i < l->b.n; i++) {
		any |= loop[l->part[i]];
		l->depth[i] += loop[l->part[i]];
		for (int k = 0; k < 2; k++) {
			uint32_t to = l->edge[i][k];
			if (to != ISA_NONE && l->part[to] == l->part[i] && entry[to]) {
				l->edge[i][k] = ISA_NONE;
			}
		}
	}
	return any;
}

void isa_loops_find(struct isa_function *f)
{
	struct arena *a = arena_create();
	struct loops l = {0};
	if (!isa_blocks_find(&l.b, a, f)) {
		arena_free(a);
		return;
	}
	l.edge = arena_alloc(a, l.b.n * sizeof(*l.edge));
	l.index = ARENA_ARRAY(a, uint32_t, l.b.n);
	l.low = ARENA_ARRAY(a, uint32_t, l.b.n);
	l.part = ARENA_ARRAY(a, uint32_t, l.b.n);
	l.stack = ARENA_ARRAY(a, uint32_t, l.b.n);
	l.path = ARENA_ARRAY(a, uint32_t, l.b.n);
	l.step = ARENA_ARRAY(a, uint8_t, l.b.n);
	l.depth = ARENA_ARRAY(a, uint8_t, l.b.n);
	for (size_t i = 0; i < l.b.n; i++) {
		l.edge[i][0] = l.b.v[i].next;
		l.edge[i][1] = l.b.v[i].taken;
	}
	bool more = true;
	for (int level = 0; more && level < DEPTH_MAX; level++) {
		find_parts(&l);
		more = count_level(&l, a);
	}
	for (size_t i = 0; i < l.b.n; i++) {
		for (uint32_t k = l.b.v[i].from; k < l.b.v[i].to; k++) {
			f->insn.v[k].depth = l.depth[i];
		}
	}
	arena_free(a);
}
