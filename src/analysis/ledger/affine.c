/*
 * Integers and addresses as sums over the counters of unrolled loops, and the number of different
 * addresses of an access in all iterations: the compiler loads each address once.
 *
 * The rest of a sum is a number: its value if known, else a 64-bit hash. Equal numbers are taken as
 * equal values; a collision is as unlikely as for any hash of 64 bits.
 */
#include "analysis/ledger/walk.h"

uint64_t walk_mix(uint64_t key, uint64_t x)
{
	uint64_t all[2] = {key, x};
	uint64_t h = str_hash((struct str){(const char *)all, sizeof(all)}, 0);

	return h ? h : 1;
}

struct trace_affine walk_affine_of(uint64_t number, bool exact)
{
	return (struct trace_affine){.number = number, .numbered = true, .exact = exact};
}

struct trace_affine walk_numbered(const struct walk *w, uint32_t var, struct trace_affine x)
{
	if (!x.numbered) {
		x.number = walk_mix(walk_mix(KT_REF, var), walk_writes_of(w, var));
		x.numbered = true;
	}
	return x;
}

static void add_steps(struct trace_affine *x, const struct trace_affine *y, int64_t sign)
{
	for (size_t i = 0; i < y->steps; i++) {
		if (x->steps == TRACE_STEPS_MAX) {
			x->unknown |= 1u << y->step[i].loop;
			continue;
		}
		x->step[x->steps] = y->step[i];
		x->step[x->steps++].by *= sign;
	}
}

struct trace_affine walk_affine_add(struct trace_affine x, struct trace_affine y, int64_t sign)
{
	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		x.coef[i] += sign * y.coef[i];
	}
	x.unknown |= y.unknown;
	x.strided |= y.strided;
	add_steps(&x, &y, sign);
	x.number += (uint64_t)sign * y.number;
	x.numbered = x.numbered && y.numbered;
	x.exact = x.exact && y.exact;
	return x;
}

unsigned walk_affine_mask(const struct trace_affine *x)
{
	unsigned mask = x->unknown;

	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		mask |= x->coef[i] ? 1u << i : 0;
	}
	for (size_t i = 0; i < x->steps; i++) {
		mask |= 1u << x->step[i].loop;
	}
	return mask;
}

bool walk_is_counter(const struct walk *w, const struct trace_var *v)
{
	unsigned mask = walk_affine_mask(&v->affine);
	bool is = v->pub.width == 0 && v->pub.uniform && mask;
	for (size_t i = 0; i < TRACE_LOOPS_MAX && i < w->loops; i++) {
		is &= !(mask >> i & 1) || w->loop[i].unrolled || w->loop[i].constant;
	}
	return is;
}

/* Is it a parameter whose argument is a constant? */
static bool is_argument(struct walk *w, const struct kt_node *n, uint32_t v)
{
	const struct trace_affine *x = v ? &walk_var_at(w, v)->affine : NULL;
	return x && w->u->sym[n->sym].kind == KT_S_PARAM && x->exact && !walk_affine_mask(x);
}

/* Is the expression made of constants, counters, and variables that the loop declares? */
static bool is_constant_in(struct walk *w, const struct kt_node *loop, const struct kt_node *root)
{
	const struct kt_node *init = loop->child[KT_FOR_INIT];
	for (const struct kt_node *n = root; n;) {
		bool constant = n->flags & KT_F_VALUE;
		bool leaf = n->kind == KT_REF || n->kind == KT_CALL || n->kind == KT_MEMBER ||
			    n->kind == KT_INDEX;
		uint32_t v = n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym) : 0;
		bool known = constant || (v && walk_is_counter(w, walk_var_at(w, v))) ||
			     is_argument(w, n, v);
		for (size_t i = 0; v && i < init->n; i++) {
			known |= init->child[i]->sym == n->sym;
		}
		if (leaf && !known) {
			return false;
		}
		n = constant ? kt_skip(n, root) : kt_next(n, root);
	}
	return true;
}

bool walk_has_constant_header(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *init = n->child[KT_FOR_INIT];
	return init && init->kind == KT_DECL && is_constant_in(w, n, init) &&
	       is_constant_in(w, n, n->child[KT_FOR_COND]) &&
	       is_constant_in(w, n, n->child[KT_FOR_INC]);
}

struct trace_affine walk_affine_scale(struct trace_affine x, int64_t by)
{
	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		x.coef[i] *= by;
	}
	for (size_t i = 0; i < x.steps; i++) {
		x.step[i].by *= by;
	}
	x.number *= (uint64_t)by;
	return x;
}

struct trace_affine walk_affine_lose(struct trace_affine x)
{
	return (struct trace_affine){.unknown = walk_affine_mask(&x), .strided = x.strided};
}

/* The contribution of the counters in mask if loop i is in iteration at[i]. */
static int64_t counters_at(const struct trace_affine *x, const int64_t *at, unsigned mask)
{
	int64_t sum = 0;

	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		sum += mask & 1u << i ? x->coef[i] * at[i] : 0;
	}
	span_each (x->step, x->steps, const struct trace_step, s) {
		sum += mask & 1u << s->loop ? s->by * s->value[at[s->loop]] : 0;
	}
	return sum;
}

static bool apply(int64_t *out, enum kt_op op, int64_t x, int64_t by)
{
	bool divides = by != 0 && !(by == -1 && x == INT64_MIN);

	switch (op) {
	case KT_OP_DIV:
		*out = divides ? x / by : 0;
		return divides;
	case KT_OP_REM:
		*out = divides ? x % by : 0;
		return divides;
	case KT_OP_AND:
		*out = x & by;
		return true;
	case KT_OP_XOR:
		*out = x ^ by;
		return true;
	case KT_OP_SHR:
		*out = by >= 0 && by < 63 && x >= 0 ? x >> by : 0;
		return by >= 0 && by < 63 && x >= 0;
	default:
		return false;
	}
}

struct trace_affine walk_affine_apply(
	const struct walk *w, enum kt_op op, const struct trace_affine *x, int64_t by)
{
	unsigned mask = walk_affine_mask(x);
	size_t loop = mask ? (size_t)__builtin_ctz(mask) : 0;
	int64_t at[TRACE_LOOPS_MAX] = {0}, value;
	struct trace_affine r = walk_affine_lose(*x);

	if (!x->exact || x->unknown || !mask || mask & (mask - 1) || loop >= w->loops ||
		!apply(&value, op, 0, by)) {
		return r;
	}
	int64_t *values = ARENA_ARRAY(w->t->a, int64_t, (size_t)w->loop[loop].trips);
	for (; at[loop] < w->loop[loop].trips; at[loop]++) {
		if (!apply(&values[at[loop]], op, (int64_t)x->number + counters_at(x, at, mask),
			    by)) {
			return r;
		}
	}
	return (struct trace_affine){.step = {{.value = values, .by = 1, .loop = (uint8_t)loop}},
		.steps = 1,
		.numbered = true,
		.exact = true};
}

int64_t walk_new_addresses(struct walk *w, const struct trace_affine *x, unsigned mask)
{
	enum {
		MOST = 1 << 12 /* above this all are assumed to be different */
	};
	unsigned known = mask & ~x->unknown;
	int64_t all = 1, each = 1, found = 0, at[TRACE_LOOPS_MAX] = {0};

	for (size_t i = 0; i < TRACE_LOOPS_MAX && i < w->loops; i++) {
		all *= known & 1u << i ? w->loop[i].trips : 1;
		each *= mask & ~known & 1u << i ? w->loop[i].trips : 1;
	}
	if (all > MOST) {
		return all * each;
	}
	/* equal numbers of two accesses are equal addresses only if the sum is known completely */
	bool whole = x->numbered && !(walk_affine_mask(x) & ~known);
	uint64_t from = whole ? x->number : walk_mix(w->t->item.n, (uint64_t)all);
	uint32_t arm = w->t->arm.n ? w->t->arm.v[w->t->arm.n - 1] : 0;
	uint64_t key = walk_mix(w->loop[walk_chain_first(w)].item, arm);
	for (int64_t n = 0; n < all; n++) {
		uint64_t address = from + (uint64_t)counters_at(x, at, known);
		found += map_set_u64(w->addresses, walk_mix(key, address), 1);
		for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
			if (known & 1u << i && ++at[i] < w->loop[i].trips) {
				break;
			}
			at[i] = 0;
		}
	}
	return found * each;
}
