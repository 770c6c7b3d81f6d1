/*
 * ALGORITHM
 *
 * A loop's iteration is an acyclic graph: its blocks, and each inner loop as one node. Value
 * numbering of conditions (values.h) ensures that structurized if/else code, and two ifs on one
 * condition, have only the paths of the source. At first no condition is decided, and both sides of
 * each branch are considered. Then the condition whose sides differ most is assumed true and false,
 * and so on, up to RUNS_MAX times. Conditions that are still undecided (such as a test per element)
 * may go either way at each branch.
 *
 * Each such run keeps the costliest path to a node, and the cheapest paths for each amount of work:
 * a path that skips the work does not count as an iteration. The work is matrix operations if there
 * are any, else fused multiply-adds, else float arithmetic.
 */
#include "measure/isa/path.h"

#include <string.h>
#include "measure/isa/exec.h"
#include "measure/isa/flow.h"
#include "measure/isa/loops.h"
#include "measure/isa/shared.h"
#include "measure/isa/stall.h"
#include "measure/isa/trips.h"
#include "measure/isa/values.h"
#include "target/issue.h"

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
	bool begins; /* a path begins here: at each header of a loop */
	bool ends;   /* a path ends here */
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
	bool outside;	   /* the level outside all loops */
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
	const struct target *t;
	struct arena *a;
	struct isa_blocks b;
	struct isa_loops loops;
	struct path_cost *of_block;
	uint16_t *cycles;		/* of each instruction */
	struct path_cost *least, *most; /* per loop: of an iteration */
	uint32_t *trips;		/* of each loop */
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

/* The kinds of work: the first kind that a kernel has counts. */
enum work {
	WORK_MATRIX,
	WORK_FMA,
	WORK_FLOAT,
	WORK_NONE
};

static enum work work_of(struct str m)
{
	static const char *const fma[] = {
		"v_fma", "v_pk_fma", "v_dot", "v_dual_fma", "v_mad_f", "v_mac_f", NULL};
	static const char *const other[] = {"v_add_f", "v_sub_f", "v_mul_f", "v_max_f", "v_min_f",
		"v_pk_add_f", "v_pk_mul_f", "v_dual_add_f", "v_dual_mul_f", NULL};
	return isa_is_matrix(m)		  ? WORK_MATRIX
	       : str_starts_any(m, fma)	  ? WORK_FMA
	       : str_starts_any(m, other) ? WORK_FLOAT
					  : WORK_NONE;
}

/* The accesses that an instruction starts or waits for. Up to gfx11 the counters are operands of
 * s_waitcnt; from gfx12 on each has its own instruction. */
struct waiting {
	bool begins[STALL_KINDS];
	bool loads;
	bool waits[STALL_KINDS];
	uint8_t left[STALL_KINDS]; /* most outstanding after it */
};

static bool reads_left(struct str operands, const char *counter, uint8_t *left)
{
	size_t at = str_find(operands, counter, 0);
	int64_t n = 0;
	if (at != SIZE_MAX) {
		struct str rest = str_sub(operands, at + strlen(counter), operands.n);
		size_t end = str_find(rest, ")", 0);
		str_to_i64(str_sub(rest, 1, end == SIZE_MAX ? rest.n : end), &n);
		*left = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	}
	return at != SIZE_MAX;
}

static struct waiting waiting_of(const struct isa_insn *in, bool stores_count)
{
	static const char *const memory[] = {"global_", "flat_", "buffer_", "scratch_", NULL};
	static const char *const shorts[] = {"ds_", "s_load", "s_buffer_load", NULL};
	static const char *const new[] = {"s_wait_loadcnt", "s_wait_dscnt", "s_wait_kmcnt", NULL};
	struct str m = in->mnemonic;
	bool store = str_find(m, "store", 0) != SIZE_MAX || str_starts(m, "ds_write");
	bool cache = str_starts(m, "buffer_wb") || str_starts(m, "buffer_inv") ||
		     str_starts(m, "buffer_gl") || str_starts(m, "global_wb") ||
		     str_starts(m, "global_inv");
	struct waiting w = {.loads = !store};
	w.begins[STALL_BY_MEMORY] = str_starts_any(m, memory) && !cache && (!store || stores_count);
	w.begins[STALL_BY_SHORT] = str_starts_any(m, shorts);
	if (str_is(m, "s_waitcnt")) {
		w.waits[STALL_BY_MEMORY] =
			reads_left(in->operands, "vmcnt", &w.left[STALL_BY_MEMORY]);
		w.waits[STALL_BY_SHORT] =
			reads_left(in->operands, "lgkmcnt", &w.left[STALL_BY_SHORT]);
	} else if (str_starts_any(m, new)) {
		enum stall_kind kind =
			str_is(m, "s_wait_loadcnt") ? STALL_BY_MEMORY : STALL_BY_SHORT;
		int64_t n = 0;
		str_to_i64(in->operands, &n);
		w.waits[kind] = true;
		w.left[kind] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	}
	return w;
}

/* The wait cycles of a block, if the last loads before it arrive in that many cycles. */
static void wait_for_loads(struct stall *s, struct paths *p, size_t block,
	const struct waiting *waiting, const uint16_t left[STALL_KINDS])
{
	int64_t waits = 0;
	stall_begin(s, left);
	for (uint32_t k = p->b.v[block].from; k < p->b.v[block].to; k++) {
		const struct waiting *w = &waiting[k];
		s->now += p->cycles[k];
		for (unsigned kind = 0; kind < STALL_KINDS; kind++) {
			if (w->begins[kind]) {
				stall_open(s, (enum stall_kind)kind, w->loads);
			}
			if (w->waits[kind]) {
				waits += stall_wait(s, (enum stall_kind)kind, w->left[kind]);
			}
		}
	}
	p->of_block[block].waits = waits;
}

/* Outstanding loads carry over to the successors, also from a loop's end to its start. */
static void find_waits(struct paths *p)
{
	struct waiting *waiting = ARENA_ARRAY(p->a, struct waiting, p->f->insn.n);
	uint16_t(*left)[STALL_KINDS] = arena_alloc(p->a, p->b.n * sizeof(*left));
	bool more = true;
	for (size_t i = 0; i < p->f->insn.n; i++) {
		waiting[i] = waiting_of(&p->f->insn.v[i], str_starts(str_of(p->t->name), "gfx9"));
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < p->b.n; i++) {
			const struct isa_block *b = &p->b.v[i];
			struct stall s;
			wait_for_loads(&s, p, i, waiting, left[i]);
			more |= b->next != ISA_NONE && stall_end(&s, left[b->next]);
			more |= b->taken != ISA_NONE && stall_end(&s, left[b->taken]);
		}
	}
}

static void find_block_costs(struct paths *p, bool has_scratch)
{
	enum work kind = WORK_NONE;
	for (size_t i = 0; i < p->f->insn.n; i++) {
		enum work w = work_of(p->f->insn.v[i].mnemonic);
		kind = w < kind ? w : kind;
	}
	p->of_block = ARENA_ARRAY(p->a, struct path_cost, p->b.n);
	p->cycles = ARENA_ARRAY(p->a, uint16_t, p->f->insn.n);
	for (size_t i = 0; i < p->b.n; i++) {
		struct path_cost *c = &p->of_block[i];
		for (uint32_t k = p->b.v[i].from; k < p->b.v[i].to; k++) {
			const struct isa_insn *in = &p->f->insn.v[k];
			struct str m = in->mnemonic;
			uint16_t cycles = (uint16_t)issue_cycles(p->t, m);
			enum work w = work_of(m);
			p->cycles[k] = cycles;
			c->cycles += cycles;
			c->scalar += str_starts(m, "s_") ? cycles : 0;
			c->work += w == kind && w != WORK_NONE ? cycles : 0;
			c->matrix += w == WORK_MATRIX;
			c->branches += str_starts(m, "s_cbranch") || str_is(m, "s_branch");
			c->scratch += has_scratch && isa_is_scratch(in);
		}
	}
	find_waits(p);
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

/* Resolves an edge: to a node, to the path's end, or out of the loop. */
static uint32_t edge(struct paths *p, struct node *from, const uint32_t *of_loop,
	const uint32_t *of_block, uint32_t level, uint32_t to)
{
	if (to == ISA_NONE) {
		return ISA_NONE;
	}
	if (is_head(p, level, to)) {
		from->ends = true;
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
			uint32_t two[] = {edge(p, x, of_loop, of_block, level, b->next),
				edge(p, x, of_loop, of_block, level, b->taken)};
			bool none = b->next == ISA_NONE && b->taken == ISA_NONE;
			x->ends |= level == ISA_NONE && none;
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
	const uint32_t *block = loop ? p->loops.v[x->loop].block : &x->block;
	size_t blocks = loop ? p->loops.v[x->loop].blocks : 1;
	for (size_t b = 0; b < blocks; b++) {
		for (uint32_t k = p->b.v[block[b]].from; k < p->b.v[block[b]].to; k++) {
			const struct isa_insn *in = &p->f->insn.v[k];
			if (loop) {
				isa_registers_forget(&r->reg, &p->values, in, x->loop);
			} else {
				isa_registers_step(&r->reg, &p->values, in, k);
			}
		}
	}
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
			isa_registers_begin(&v->at[i].reg, &p->values);
			v->at[i].most = (struct path_cost){0};
			v->at[i].least = (struct ways){.n = 1};
		}
	}
	for (uint32_t i = 0; i < v->nodes; i++) {
		struct reached *r = &v->at[i];
		const struct node *x = &v->node[i];
		isa_value c = VALUE_TRUE;
		if (!r->any) {
			continue;
		}
		pass(r, p, x, v->outside);
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
		}
		if (x->ends) {
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

/* False: no path reaches an end. */
static bool find_level(
	struct paths *p, uint32_t level, struct path_cost *least, struct path_cost *most)
{
	struct arena *a = arena_create();
	struct level v = {.outside = level == ISA_NONE};
	struct ways all = {.n = 0};
	make_nodes(&v, p, a, level);
	bool fits = v.nodes > 0 && v.nodes < NODES_MAX;
	if (fits) {
		v.at = ARENA_ARRAY(a, struct reached, v.nodes);
		look(&v, p, find_ahead(&v, p, a), &all);
	}
	if (v.any && all.n > 0) {
		*least = cheapest(&all);
		*most = v.most;
	}
	arena_free(a);
	return fits && all.n > 0;
}

void isa_paths_find(struct kernel_metrics *k, const struct isa_function *f, const struct target *t)
{
	struct paths p = {.f = f, .t = t, .a = arena_create()};
	bool ok = isa_blocks_find(&p.b, p.a, f);
	if (ok) {
		isa_loops_find(&p.loops, p.a, &p.b);
		find_block_costs(&p, k->v[METRIC_SCRATCH] != 0);
		p.least = ARENA_ARRAY(p.a, struct path_cost, p.loops.n);
		p.most = ARENA_ARRAY(p.a, struct path_cost, p.loops.n);
		p.trips = isa_trips_find(p.a, f, &p.b, &p.loops, &p.values);
		bool *works = ARENA_ARRAY(p.a, bool, p.b.n);
		for (size_t i = 0; i < p.b.n; i++) {
			works[i] = p.of_block[i].work > 0;
		}
		isa_shared_guess(p.trips, p.a, f, &p.b, &p.loops, works);
	}
	for (size_t i = ok ? p.loops.n : 0; i-- > 0;) { /* inner ones first */
		find_level(&p, (uint32_t)i, &p.least[i], &p.most[i]);
	}
	if (ok && find_level(&p, ISA_NONE, &k->least, &k->most)) {
		k->v[METRIC_PATH_LEAST] = k->least.cycles;
		k->v[METRIC_PATH_MOST] = k->most.cycles;
	}
	isa_values_release(&p.values);
	arena_free(p.a);
}
