/*
 * ALGORITHM
 *
 * A loop's iteration is an acyclic graph: its blocks, and each inner loop as one node. Value
 * numbering of conditions (values.h) ensures that structurized if/else code, and two ifs on one
 * condition, have only the paths of the source. At first no condition is decided, and both sides of
 * each branch are considered. Then the condition whose sides differ most is assumed true and false,
 * and so on, up to RUNS_MAX times. Conditions that are still undecided (such as a test per element)
 * may go either way at each branch. A value that is known before a loop, and that the loop does not
 * write, is known in its iterations.
 *
 * Each such run keeps the costliest path to a node, and the cheapest paths for each amount of work:
 * a path that skips the work does not count as an iteration.
 */
#include "measure/isa/path.h"

#include <string.h>
#include "measure/isa/block_cost.h"
#include "measure/isa/exec.h"
#include "measure/isa/flow.h"
#include "measure/isa/loops.h"
#include "measure/isa/shared.h"
#include "measure/isa/trips.h"
#include "measure/isa/values.h"

enum {
	RUNS_MAX = 24, /* per loop */
	DECIDED_MAX = 6,
	WORKS_MAX = 6, /* different amounts of work kept */
	NODES_MAX = 20000
};

/* The cheapest paths to a node, by amount of work. */
struct ways {
	struct path_cost v[WORKS_MAX];
	size_t n;
};

struct node {
	uint32_t block; /* or ISA_NONE */
	uint32_t loop;	/* or ISA_NONE */
	uint32_t *to;	/* successors; for a block the next and the taken one, or ISA_NONE */
	size_t tos;
	bool begins;   /* a path begins here: at each header of a loop */
	unsigned ends; /* a path ends here: 1 << 0 or 1 << 1 by that edge, ENDS_BY_ANY anyway */
};

enum {
	ENDS_BY_ANY = 1 << 2
};

/* The state of a node in one run. */
struct reached {
	bool any;
	struct isa_registers reg;
	struct path_cost most;
	struct ways least;
};

struct decided {
	uint32_t atom;
	bool holds;
};

struct level {
	uint32_t level;	   /* a loop, or ISA_NONE: outside all loops */
	struct node *node; /* in topological order */
	size_t nodes;
	struct reached *at;
	struct decided decided[DECIDED_MAX];
	size_t n;
	unsigned runs;
	struct path_cost most;
	struct ways ways; /* of the ends of the last run */
	bool any;
};

struct paths {
	const struct isa_function *f;
	struct arena *a;
	struct isa_blocks b;
	struct isa_loops loops;
	struct path_cost *of_block;
	struct path_cost *least, *most; /* per loop: of an iteration */
	uint32_t *trips;		/* of each loop */
	struct isa_registers *entry;	/* of each loop: what holds in all of its iterations */
	struct isa_values values;
};

/* ---- costs ---- */

static void add(struct path_cost *to, const struct path_cost *x, int64_t times)
{
	to->cycles += x->cycles * times;
	to->scalar += x->scalar * times;
	to->work += x->work * times;
	to->branches += x->branches * times;
	to->matrix += x->matrix * times;
	to->scratch += x->scratch * times;
	to->waits += x->waits * times;
	to->outside_cycles += x->outside_cycles;
	to->outside_scratch += x->outside_scratch;
}

/* Adds a path. Of two with equal work the cheaper one is kept; if there are too many, the cheaper
 * of the two with the closest work. */
static void add_way(struct ways *w, const struct path_cost *x)
{
	size_t at = 0;
	while (at < w->n && w->v[at].work < x->work) {
		at++;
	}
	if (at < w->n && w->v[at].work == x->work) {
		w->v[at] = x->cycles < w->v[at].cycles ? *x : w->v[at];
		return;
	}
	if (w->n < WORKS_MAX) {
		memmove(&w->v[at + 1], &w->v[at], (w->n - at) * sizeof(*w->v));
		w->v[at] = *x;
		w->n++;
		return;
	}
	at = at == w->n ? at - 1 : at;
	w->v[at] = x->cycles < w->v[at].cycles ? *x : w->v[at];
}

/* The cheapest path with at least a quarter of the largest work: trip counts of loops in arms are
 * only guesses. */
static struct path_cost cheapest(const struct ways *w)
{
	struct path_cost best = w->v[w->n - 1];
	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].work * 4 >= w->v[w->n - 1].work && w->v[i].cycles < best.cycles) {
			best = w->v[i];
		}
	}
	return best;
}

/* ---- one level ---- */

static uint32_t node_of_block(const struct paths *p, const uint32_t *of_loop,
	const uint32_t *of_block, uint32_t level, uint32_t b)
{
	uint32_t loop = p->loops.of[b];
	if (loop == level) {
		return of_block[b];
	}
	while (loop != ISA_NONE && p->loops.v[loop].around != level) {
		loop = p->loops.v[loop].around;
	}
	return loop == ISA_NONE ? ISA_NONE : of_loop[loop];
}

static bool is_head(const struct paths *p, uint32_t level, uint32_t b)
{
	const struct isa_loop *l = level == ISA_NONE ? NULL : &p->loops.v[level];
	for (size_t i = 0; l && i < l->heads; i++) {
		if (l->head[i] == b) {
			return true;
		}
	}
	return false;
}

/* Resolves a block's edge: to a node, to the path's end, or out of the loop. */
static uint32_t edge(struct paths *p, struct node *from, const struct isa_block *b,
	const uint32_t *of_loop, const uint32_t *of_block, uint32_t level, int which)
{
	uint32_t to = which == 0 ? b->next : b->taken;
	if (to == ISA_NONE) {
		return ISA_NONE;
	}
	if (is_head(p, level, to)) {
		from->ends |= from->loop == ISA_NONE ? 1u << which : ENDS_BY_ANY;
		return ISA_NONE;
	}
	return node_of_block(p, of_loop, of_block, level, to);
}

/* Sorts nodes topologically. */
static void sort_nodes(struct level *v, struct arena *a, uint32_t first)
{
	uint8_t *step = ARENA_ARRAY(a, uint8_t, v->nodes);
	size_t *next = ARENA_ARRAY(a, size_t, v->nodes);
	uint32_t *stack = ARENA_ARRAY(a, uint32_t, v->nodes),
		 *place = ARENA_ARRAY(a, uint32_t, v->nodes);
	uint32_t left = (uint32_t)v->nodes;
	for (uint32_t i = 0; i <= v->nodes; i++) {
		uint32_t root = i == v->nodes ? first : i;
		size_t n = 0;
		if (root == first && i < v->nodes) {
			continue; /* reverse postorder */
		}
		if (!step[root]) {
			step[root] = 1;
			stack[n++] = root;
		}
		while (n > 0) {
			uint32_t x = stack[n - 1];
			if (next[x] < v->node[x].tos) {
				uint32_t to = v->node[x].to[next[x]++];
				if (to != ISA_NONE && !step[to]) {
					step[to] = 1;
					stack[n++] = to;
				}
			} else {
				place[x] = --left;
				n--;
			}
		}
	}
	struct node *sorted = ARENA_ARRAY(a, struct node, v->nodes);
	for (size_t i = 0; i < v->nodes; i++) {
		struct node *x = &v->node[i];
		for (size_t k = 0; k < x->tos; k++) {
			x->to[k] = x->to[k] == ISA_NONE ? ISA_NONE : place[x->to[k]];
		}
		sorted[place[i]] = *x;
	}
	v->node = sorted;
}

static void make_nodes(struct level *v, struct paths *p, struct arena *a, uint32_t level)
{
	uint32_t *of_block = ARENA_ARRAY(a, uint32_t, p->b.n);
	uint32_t *of_loop = ARENA_ARRAY(a, uint32_t, p->loops.n);
	v->node = ARENA_ARRAY(a, struct node, p->b.n + p->loops.n);
	for (uint32_t i = 0; i < p->b.n; i++) {
		if (p->loops.of[i] == level) {
			of_block[i] = (uint32_t)v->nodes;
			v->node[v->nodes++] = (struct node){.block = i, .loop = ISA_NONE};
		}
	}
	for (uint32_t i = 0; i < p->loops.n; i++) {
		if (p->loops.v[i].around == level) {
			of_loop[i] = (uint32_t)v->nodes;
			v->node[v->nodes++] = (struct node){.block = ISA_NONE, .loop = i};
		}
	}
	for (uint32_t i = 0; i < v->nodes; i++) {
		struct node *x = &v->node[i];
		const uint32_t *block = x->loop == ISA_NONE ? &x->block : p->loops.v[x->loop].block;
		size_t blocks = x->loop == ISA_NONE ? 1 : p->loops.v[x->loop].blocks;
		x->to = ARENA_ARRAY(a, uint32_t, 2 * blocks);
		for (size_t k = 0; k < blocks; k++) {
			const struct isa_block *b = &p->b.v[block[k]];
			uint32_t two[] = {edge(p, x, b, of_loop, of_block, level, 0),
				edge(p, x, b, of_loop, of_block, level, 1)};
			if (level == ISA_NONE && b->next == ISA_NONE && b->taken == ISA_NONE) {
				x->ends |= ENDS_BY_ANY;
			}
			for (int e = 0; e < 2; e++) {
				bool inside = x->loop != ISA_NONE && two[e] == i;
				x->to[x->tos++] = inside ? ISA_NONE : two[e];
			}
		}
	}
	const uint32_t zero = 0;
	const uint32_t *head = level == ISA_NONE ? &zero : p->loops.v[level].head;
	size_t heads = level == ISA_NONE ? 1 : p->loops.v[level].heads;
	for (size_t i = 0; v->nodes > 0 && i < heads; i++) {
		v->node[node_of_block(p, of_loop, of_block, level, head[i])].begins = true;
	}
	if (v->nodes > 0) {
		sort_nodes(v, a, node_of_block(p, of_loop, of_block, level, head[0]));
	}
}

static void come(struct reached *to, const struct reached *from, uint32_t node)
{
	if (!to->any) {
		*to = *from;
		return;
	}
	isa_registers_join(&to->reg, &from->reg, node);
	to->most = from->most.cycles > to->most.cycles ? from->most : to->most;
	for (size_t i = 0; i < from->least.n; i++) {
		add_way(&to->least, &from->least.v[i]);
	}
}

/* What holds after a node: a block, or a loop, whose registers are unknown afterwards. */
static void step(struct isa_registers *r, struct paths *p, const struct node *x)
{
	bool loop = x->loop != ISA_NONE;
	const uint32_t *block = loop ? p->loops.v[x->loop].block : &x->block;
	size_t blocks = loop ? p->loops.v[x->loop].blocks : 1;
	for (size_t b = 0; b < blocks; b++) {
		for (uint32_t k = p->b.v[block[b]].from; k < p->b.v[block[b]].to; k++) {
			const struct isa_insn *in = &p->f->insn.v[k];
			if (loop) {
				isa_registers_forget(r, &p->values, in, x->loop);
			} else {
				isa_registers_step(r, &p->values, in, k);
			}
		}
	}
}

static void pass(struct reached *r, struct paths *p, const struct node *x, bool outside)
{
	bool loop = x->loop != ISA_NONE;
	int64_t times = loop ? p->trips[x->loop] : 1;
	struct path_cost least = loop ? p->least[x->loop] : p->of_block[x->block];
	struct path_cost most = loop ? p->most[x->loop] : least;
	if (outside && !loop) {
		least.outside_cycles = most.outside_cycles = least.cycles;
		least.outside_scratch = most.outside_scratch = least.scratch;
	}
	add(&r->most, &most, times);
	for (size_t i = 0; i < r->least.n; i++) {
		add(&r->least.v[i], &least, times);
	}
	step(&r->reg, p, x);
}

/* An undecided condition, and by how much its sides differ. */
struct open {
	uint32_t atom;
	int64_t weight;
};

/* The value that decides for a node's second edge; false: both edges are taken. */
static bool condition(
	isa_value *out, const struct paths *p, const struct reached *r, const struct node *x)
{
	const struct isa_insn *last;
	if (x->loop != ISA_NONE) {
		return false;
	}
	last = &p->f->insn.v[p->b.v[x->block].to - 1];
	*out = isa_registers_condition(&r->reg, last->mnemonic);
	return str_starts(last->mnemonic, "s_cbranch");
}

/* Does a condition follow from the decisions, which give a value's range and excluded numbers? */
static bool follows(
	bool *holds, const struct level *v, const struct paths *p, const struct isa_fact *f)
{
	int64_t low = INT64_MIN, high = INT64_MAX;
	bool differs = false;
	for (size_t i = 0; i < v->n; i++) {
		const struct isa_fact *d = isa_values_fact(&p->values, v->decided[i].atom);
		bool yes = v->decided[i].holds;
		if (!d || d->kind >= FACT_AND || d->of != f->of) {
			continue;
		}
		if (d->kind == FACT_EQUAL && yes) {
			low = high = d->number;
		} else if (d->kind == FACT_EQUAL) {
			differs |= f->kind == FACT_EQUAL && d->number == f->number;
		} else if ((d->kind == FACT_LESS) == yes) {
			int64_t most = d->number - yes;
			high = most < high ? most : high;
		} else {
			int64_t least = d->number + yes;
			low = least > low ? least : low;
		}
	}
	bool never = f->kind == FACT_EQUAL  ? differs || f->number < low || f->number > high
		     : f->kind == FACT_LESS ? low >= f->number
					    : high <= f->number;
	bool always = f->kind == FACT_EQUAL  ? low == f->number && high == f->number
		      : f->kind == FACT_LESS ? high < f->number
					     : low > f->number;
	*holds = always;
	return never || always;
}

enum {
	DEPTH_MAX = 8 /* of nested conditions */
};

static isa_value decide(const struct level *v, const struct paths *p, isa_value c, int depth)
{
	const struct isa_fact *f = isa_values_fact(&p->values, VALUE_ATOM(c));
	isa_value sign = c & 1;
	bool holds;
	for (size_t i = 0; i < v->n; i++) {
		if (VALUE_ATOM(c) == v->decided[i].atom) {
			return (isa_value)v->decided[i].holds ^ sign;
		}
	}
	if (!f || depth == 0) {
		return c;
	}
	if (f->kind < FACT_AND) {
		return follows(&holds, v, p, f) ? (isa_value)holds ^ sign : c;
	}
	isa_value a = decide(v, p, f->of, depth - 1), b = decide(v, p, f->other, depth - 1);
	if (f->kind == FACT_XOR) {
		return VALUE_ATOM(a) == 0   ? (b ^ a) ^ sign
		       : VALUE_ATOM(b) == 0 ? (a ^ b) ^ sign
					    : c;
	}
	if (a == VALUE_FALSE || b == VALUE_FALSE) {
		return VALUE_FALSE ^ sign;
	}
	return a == VALUE_TRUE ? b ^ sign : b == VALUE_TRUE ? a ^ sign : c;
}

static void note_atom(struct open *list, size_t *n, uint32_t atom, int64_t weight)
{
	for (size_t i = 0; i < *n; i++) {
		if (list[i].atom == atom) {
			list[i].weight += weight;
			return;
		}
	}
	if (*n < 64) {
		list[(*n)++] = (struct open){atom, weight};
	}
}

/* Notes an undecided condition; for a combined one, its parts. */
static void note_open(struct open *list, size_t *n, const struct level *v, const struct paths *p,
	isa_value c, int64_t weight, int depth)
{
	const struct isa_fact *f = isa_values_fact(&p->values, VALUE_ATOM(c));
	c = decide(v, p, c, DEPTH_MAX);
	if (f && f->kind >= FACT_AND && depth > 0) {
		note_open(list, n, v, p, f->of, weight, depth - 1);
		note_open(list, n, v, p, f->other, weight, depth - 1);
	} else if (VALUE_ATOM(c)) {
		note_atom(list, n, VALUE_ATOM(c), weight);
	}
}

/* What is known at a level's beginning. A path that comes here has lanes. */
static void begin(struct isa_registers *r, struct paths *p, uint32_t level)
{
	isa_registers_begin(r, &p->values);
	if (level != ISA_NONE) {
		const isa_value exec[2] = {r->v[VALUE_EXEC], r->v[VALUE_EXEC + 1]};
		*r = p->entry[level];
		r->v[VALUE_EXEC] = exec[0];
		r->v[VALUE_EXEC + 1] = exec[1];
	}
}

/* Finds what holds in the loops of a level. */
static void find_entries(struct level *v, struct paths *p)
{
	struct reached *at = v->at;
	for (uint32_t i = 0; i < v->nodes; i++) {
		const struct node *x = &v->node[i];
		if (x->begins) {
			at[i].any = true;
			begin(&at[i].reg, p, v->level);
		}
		if (!at[i].any) {
			continue;
		}
		step(&at[i].reg, p, x);
		if (x->loop != ISA_NONE) {
			p->entry[x->loop] = at[i].reg;
		}
		for (size_t k = 0; k < x->tos; k++) {
			if (x->to[k] != ISA_NONE) {
				come(&at[x->to[k]], &at[i], x->to[k]);
			}
		}
	}
}

/* Visits all nodes once, under the present decisions. ahead: the largest cost from a node on. */
static void run_once(struct level *v, struct paths *p, struct open *best, const int64_t *ahead)
{
	struct open list[64];
	size_t open = 0;
	struct ways ends = {.n = 0};
	v->runs++;
	for (size_t i = 0; i < v->nodes; i++) {
		v->at[i].any = v->node[i].begins;
		if (v->node[i].begins) {
			begin(&v->at[i].reg, p, v->level);
			v->at[i].most = (struct path_cost){0};
			v->at[i].least = (struct ways){.n = 1};
		}
	}
	for (uint32_t i = 0; i < v->nodes; i++) {
		struct reached *r = &v->at[i];
		const struct node *x = &v->node[i];
		isa_value c = VALUE_TRUE;
		bool reached_end = x->ends & ENDS_BY_ANY;
		if (!r->any) {
			continue;
		}
		pass(r, p, x, v->level == ISA_NONE);
		bool branch = condition(&c, p, r, x);
		c = branch ? decide(v, p, c, DEPTH_MAX) : c;
		if (branch && VALUE_ATOM(c)) {
			int64_t a = x->to[0] == ISA_NONE ? 0 : ahead[x->to[0]];
			int64_t b = x->to[1] == ISA_NONE ? 0 : ahead[x->to[1]];
			note_open(list, &open, v, p, c, a > b ? a - b : b - a, DEPTH_MAX);
		}
		for (size_t k = 0; k < x->tos; k++) {
			bool closed = branch && c == (k == 1 ? VALUE_FALSE : VALUE_TRUE);
			if (x->to[k] != ISA_NONE && !closed) {
				come(&v->at[x->to[k]], r, x->to[k]);
			}
			reached_end |= !closed && (x->ends & 1u << k);
		}
		if (reached_end) {
			for (size_t k = 0; k < r->least.n; k++) {
				add_way(&ends, &r->least.v[k]);
			}
			if (!v->any || r->most.cycles > v->most.cycles) {
				v->most = r->most;
			}
			v->any = true;
		}
	}
	*best = (struct open){0, 0};
	for (size_t i = 0; i < open; i++) {
		*best = list[i].weight > best->weight ? list[i] : *best;
	}
	v->ways = ends;
}

/* The largest cost from each node on, for any decisions. */
static int64_t *find_ahead(const struct level *v, const struct paths *p, struct arena *a)
{
	int64_t *ahead = ARENA_ARRAY(a, int64_t, v->nodes);
	for (size_t i = v->nodes; i-- > 0;) {
		const struct node *x = &v->node[i];
		int64_t own = x->loop == ISA_NONE ? p->of_block[x->block].cycles
						  : p->most[x->loop].cycles * p->trips[x->loop];
		for (size_t k = 0; k < x->tos; k++) {
			int64_t more = x->to[k] == ISA_NONE ? 0 : ahead[x->to[k]];
			ahead[i] = more > ahead[i] ? more : ahead[i];
		}
		ahead[i] += own;
	}
	return ahead;
}

/* Runs with the decisions so far, then decides the next condition both ways. */
static void look(struct level *v, struct paths *p, const int64_t *ahead, struct ways *all)
{
	struct open best;
	struct path_cost most = v->most;
	bool any = v->any;
	run_once(v, p, &best, ahead);
	bool splits = best.atom && v->n < DECIDED_MAX && v->runs + 2 <= RUNS_MAX;
	if (!splits) {
		for (size_t i = 0; i < v->ways.n; i++) {
			add_way(all, &v->ways.v[i]);
		}
		return;
	}
	v->most = most; /* this run, with fewer decisions, does not count */
	v->any = any;
	v->n++;
	for (int holds = 0; holds < 2; holds++) {
		v->decided[v->n - 1] = (struct decided){best.atom, holds};
		look(v, p, ahead, all);
	}
	v->n--;
}

static void open_level(struct level *v, struct paths *p, uint32_t level)
{
	v->level = level;
	make_nodes(v, p, p->a, level);
	v->nodes = v->nodes < NODES_MAX ? v->nodes : 0;
	v->at = ARENA_ARRAY(p->a, struct reached, v->nodes);
	find_entries(v, p);
}

/* False: no path reaches an end. */
static bool find_level(
	struct paths *p, struct level *v, struct path_cost *least, struct path_cost *most)
{
	struct ways all = {.n = 0};
	look(v, p, find_ahead(v, p, p->a), &all);
	if (v->any && all.n > 0) {
		*least = cheapest(&all);
		*most = v->most;
	}
	return all.n > 0;
}

void isa_paths_find(struct kernel_metrics *k, const struct isa_function *f, const struct target *t)
{
	struct paths p = {.f = f, .a = arena_create()};
	if (isa_blocks_find(&p.b, p.a, f)) {
		isa_loops_find(&p.loops, p.a, &p.b);
		p.of_block = isa_block_costs_find(p.a, f, &p.b, t, k->v[METRIC_SCRATCH] != 0);
		p.least = ARENA_ARRAY(p.a, struct path_cost, p.loops.n);
		p.most = ARENA_ARRAY(p.a, struct path_cost, p.loops.n);
		p.entry = ARENA_ARRAY(p.a, struct isa_registers, p.loops.n);
		p.trips = isa_trips_find(p.a, f, &p.b, &p.loops, &p.values);
		bool *works = ARENA_ARRAY(p.a, bool, p.b.n);
		for (size_t i = 0; i < p.b.n; i++) {
			works[i] = p.of_block[i].work > 0;
		}
		isa_shared_guess(p.trips, p.a, f, &p.b, &p.loops, works);
		struct level outside = {0}, *inside = ARENA_ARRAY(p.a, struct level, p.loops.n);
		open_level(&outside, &p, ISA_NONE);
		for (uint32_t i = 0; i < p.loops.n; i++) { /* inner loops last */
			open_level(&inside[i], &p, i);
		}
		for (size_t i = p.loops.n; i-- > 0;) {
			find_level(&p, &inside[i], &p.least[i], &p.most[i]);
		}
		if (find_level(&p, &outside, &k->least, &k->most)) {
			k->v[METRIC_PATH_LEAST] = k->least.cycles;
			k->v[METRIC_PATH_MOST] = k->most.cycles;
		}
	}
	isa_values_release(&p.values);
	arena_free(p.a);
}
