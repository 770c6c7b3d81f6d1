/*
 * Offsets that accesses share. The compiler computes the same index once, even for different bases,
 * and keeps the result as an offset in bytes from the first access that needs it to the last.
 *
 * A key describes an index: operators, variables with the number of writes so far, and the presence
 * of counters of unrolled loops (their value is in the immediate offset). An index with loads,
 * calls or writes has no key.
 */
#include "analysis/ledger/walk.h"

enum {
	KEY_DEPTH = 32 /* of an index */
};

/* 0: it has no key. */
static uint64_t index_key(struct walk *w, const struct kt_node *n, unsigned depth)
{
	uint64_t key;

	n = kt_past_casts(n);
	if (n->flags & KT_F_VALUE) {
		return walk_mix(KT_LITERAL, (uint64_t)n->value);
	}
	if (n->kind == KT_REF && n->sym) {
		uint32_t v = walk_var_of(w, n->sym);
		const struct trace_var *at = v ? walk_var_at(w, v) : NULL;
		bool counter = at && at->pub.width == 0 && at->pub.uniform &&
			       walk_affine_mask(&at->affine);
		return counter		   ? walk_mix(KT_REF, 0)
		       : at && !at->memory ? walk_mix(walk_mix(KT_REF, v), walk_writes_of(w, v))
					   : 0;
	}
	if (walk_is_builtin_index(w, n)) {
		return walk_mix(walk_mix(KT_MEMBER, n->sym), n->child[KT_MEMBER_BASE]->sym);
	}
	bool sums = n->kind == KT_BINARY || (n->kind == KT_UNARY && n->op == KT_OP_NEG);
	if (!sums || depth == 0) {
		return 0;
	}
	key = walk_mix(n->kind, n->op);
	for (size_t i = 0; i < n->n && key; i++) {
		uint64_t part = index_key(w, n->child[i], depth - 1);
		key = part ? walk_mix(key, part) : 0;
	}
	return key;
}

uint64_t walk_offset_key(struct walk *w, const struct kt_node *index, int64_t size)
{
	uint64_t key = index_key(w, index, KEY_DEPTH);

	return key ? walk_mix(key, (uint64_t)size) : 0;
}

/* A value that the compiler makes, of so many registers. 1 + index. */
static uint32_t hidden_var(struct walk *w, unsigned width)
{
	struct trace *t = w->t;
	struct trace_var v = {.memory = true, .loops = w->loops};

	v.pub.width = width;
	array_push(&t->var, v);
	return (uint32_t)t->var.n;
}

/* The arm in which it was computed must still be open: other arms do not have it. */
static bool is_there(const struct walk *w, uint32_t v)
{
	const struct trace_var *at = walk_var_at(w, v);
	const struct trace *t = w->t;

	return at->arms == 0 || (at->arms <= t->arm.n && t->arm.v[at->arms - 1] == at->arm);
}

static void push_hidden(struct walk *w, uint32_t v, enum trace_kind kind, const struct kt_node *n)
{
	struct trace_var *at = walk_var_at(w, v);

	if (kind == TRACE_KILL) {
		at->arms = w->t->arm.n;
		at->arm = at->arms ? w->t->arm.v[at->arms - 1] : 0;
	}
	walk_push(w, kind, v - 1, n);
}

bool walk_knows_offset(const struct walk *w, uint64_t key)
{
	uint32_t v = key ? (uint32_t)map_get_u64(&w->t->offsets, key, 0) : 0;

	return v && is_there(w, v);
}

void walk_make_address(struct walk *w, const struct kt_node *n, uint64_t key, bool extends)
{
	enum {
		OFFSET = 2,
		BASE = 1, /* upper half of the base */
	};
	struct trace *t = w->t;
	bool known = walk_knows_offset(w, key);
	uint32_t v = key ? (uint32_t)map_get_u64(&t->offsets, key, 0) : 0;

	if (!v) {
		v = hidden_var(w, OFFSET);
		if (key) {
			map_set_u64(&t->offsets, key, v);
		}
	}
	if (!known && extends) { /* the upper half of an unsigned index, the same for all */
		bool zero = t->zero && is_there(w, t->zero);
		t->zero = t->zero ? t->zero : hidden_var(w, 1);
		push_hidden(w, t->zero, zero ? TRACE_READ : TRACE_KILL, n);
	}
	w->held += BASE;
	push_hidden(w, v, known ? TRACE_READ : TRACE_KILL, n);
	w->held += OFFSET; /* the sum, where the offset is needed again */
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= BASE + OFFSET;
}
