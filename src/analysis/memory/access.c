#include "analysis/memory/access.h"

#include <stdlib.h>
#include <string.h>
#include "analysis/facts/launch.h"
#include "analysis/facts/writes.h"
#include "analysis/facts/liveness.h"
#include "analysis/memory/access_seen.h"

enum {
	CHAIN_MAX = 8, /* chain of pointers, each derived from the next */
	LANES_MIN = 2  /* elements: the shortest run that is worth an instruction */
};

/* A parameter, and the pointers derived from it. */
struct chain {
	kt_id sym[CHAIN_MAX]; /* from the accessed pointer to the parameter */
	size_t n;
	const struct kt_node *root; /* names the parameter; NULL: another origin */
};

/* ---- the origin of a pointer ---- */

static const struct kt_node *strip(const struct access_finder *w, const struct kt_node *n)
{
	for (;;) {
		const char *name = n->fn ? w->u->fn[n->fn].base : n->text;
		if (n->kind == KT_CAST && n->n == 1) {
			n = n->child[0];
		} else if (n->kind == KT_CALL && n->n && name &&
			   strcmp(name, "__builtin_assume_aligned") == 0) {
			n = n->child[0];
		} else if (n->kind == KT_BINARY && (n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
			bool swapped = kt_object_type(w->u, n->child[0]->type)->kind == KT_T_INT;
			n = n->child[swapped];
		} else {
			return n;
		}
	}
}

static void chain_of(struct chain *c, const struct access_finder *w, const struct kt_node *ref)
{
	*c = (struct chain){.n = 0};
	while (c->n < CHAIN_MAX && access_is_pointer_variable(w, ref)) {
		c->sym[c->n++] = ref->sym;
		if (w->u->sym[ref->sym].kind == KT_S_PARAM) {
			/* NULL for a parameter of the function around a lambda: not all its uses
			 * are seen */
			c->root = w->u->sym[ref->sym].fn == w->fn ? ref : NULL;
			return;
		}
		const struct kt_node *value = local_only_value(w->x.u, w->x.body, ref->sym);
		if (!value) {
			return;
		}
		ref = strip(w, value);
	}
}

static bool in_chain(const struct chain *c, kt_id sym)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->sym[i] == sym) {
			return true;
		}
	}
	return false;
}

/* ---- the code between the accesses ---- */

static bool is_member(const struct access_run *r, const struct kt_node *n)
{
	for (size_t i = 0; i < r->members; i++) {
		if (r->member[i].node == n) {
			return true;
		}
	}
	return false;
}

static void refuse(struct access_run *r, enum access_refusal how, const char *why)
{
	if (r->refusal == ACCESS_FREE) {
		r->refusal = how;
		r->why = why;
	}
}

/* The next statement of the run, or NULL. */
static const struct kt_node *next_stmt(const struct access_run *r, const struct kt_node *s)
{
	return s == r->last ? NULL : s->parent->child[s->slot + 1];
}

static void region_effects(struct fx *out, struct access_finder *w, const struct access_run *r)
{
	*out = (struct fx){.flags = 0};
	for (const struct kt_node *s = r->first; s; s = next_stmt(r, s)) {
		struct fx fx = facts_effects(w->f, s);
		locset_union(&out->reads, w->a, &fx.reads);
		locset_union(&out->writes, w->a, &fx.writes);
		unsigned may = FX_RETURN | FX_BREAK | FX_CONTINUE;
		/* the last statement reads its elements before it leaves */
		out->flags |= s == r->last && !r->store && !r->loop ? fx.flags & ~may : fx.flags;
	}
	if (r->loop) {
		out->flags |= facts_effects(w->f, kt_loop_body(r->loop)).flags;
	}
}

/* May the variable change between the first access and the last? */
static bool changes(struct access_finder *w, const struct access_run *r, const struct fx *fx,
	kt_id sym, kt_id file)
{
	const struct kt_sym *s = &w->u->sym[sym];
	if (s->kind == KT_S_CONST || intrinsic_is_index(launch_of_symbol(w->f, sym))) {
		return false;
	}
	if (!kt_is_variable(w->u, sym) || s->space != KT_PRIVATE || s->is_static ||
		kt_is_reference(w->u, sym)) {
		return true;
	}
	if (s->file == file && s->at >= r->first->begin && s->at < r->last->end) {
		return true;
	}
	for (uint32_t i = 0; i < fx->writes.n; i++) {
		if (facts_may_alias(w->f, fx->writes.v[i], LOC_VAR(sym))) {
			return true;
		}
	}
	return false;
}

/* Is a term of the index invariant over the run, and without side effects? */
static bool is_stable(struct access_finder *w, const struct access_run *r, const struct fx *fx,
	const struct kt_node *term)
{
	for (const struct kt_node *n = term; n; n = kt_next(n, term)) {
		const struct intrinsic *in;
		switch (n->kind) {
		case KT_REF:
			if (n->sym && changes(w, r, fx, n->sym, n->file)) {
				return false;
			}
			break;
		case KT_MEMBER:
			if (n->flags & (KT_F_ARROW | KT_F_VOLATILE) || !n->child[KT_MEMBER_BASE]) {
				return false;
			}
			break;
		case KT_UNARY:
			if (n->op != KT_OP_NEG && n->op != KT_OP_PLUS && n->op != KT_OP_NOT) {
				return false;
			}
			break;
		case KT_CALL:
			in = facts_intrinsic(w->f, n);
			if (!in || (in->kind != INTRINSIC_PURE && in->kind != INTRINSIC_LANE &&
					   in->kind != INTRINSIC_UNIFORM)) {
				return false;
			}
			break;
		case KT_BINARY:
		case KT_CAST:
		case KT_LITERAL:
		case KT_SIZEOF:
		case KT_COND:
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool sum_is_stable(struct access_finder *w, const struct access_run *r, const struct fx *fx,
	const struct index_sum *sum, const struct kt_node *ref)
{
	for (size_t i = 0; i < sum->terms; i++) {
		if (!is_stable(w, r, fx, sum->term[i].node)) {
			return false;
		}
	}
	return !changes(w, r, fx, ref->sym, ref->file);
}

static void check_control(struct access_run *r, const struct fx *fx)
{
	unsigned ordered = FX_BARRIER | FX_ATOMIC | FX_FENCE | FX_ASYNC;
	if (fx->flags & (FX_EXIT | FX_LABEL)) {
		refuse(r, ACCESS_LEAVES, "control may leave before the last of them");
	}
	if (fx->flags & (FX_VOLATILE | FX_ASM | FX_PINNED | FX_UNKNOWN)) {
		refuse(r, ACCESS_ORDERED,
			fx->flags & FX_VOLATILE ? "a volatile access is between them"
			: fx->flags & (FX_ASM | FX_PINNED)
				? "inline assembly is between them"
				: "a call of unknown code is between them");
	}
	if (r->refusal == ACCESS_FREE && fx->flags & ordered) {
		refuse(r, ACCESS_ORDERED, "a barrier, fence or atomic operation is between them");
	}
}

/* All loads move to the first one: no code between may write the loaded memory. */
static void check_loads(struct access_finder *w, struct access_run *r, struct fx *fx,
	const struct kt_node *ref, const struct chain *c)
{
	struct locset own = {0};
	if (c->root && spaces_of_pointer(w->s, c->root) == SPACE_READ_ONLY) {
		fx->flags &= ~(unsigned)(FX_BARRIER | FX_ATOMIC | FX_FENCE | FX_ASYNC);
		check_control(r, fx);
		return;
	}
	check_control(r, fx);
	if (c->root) {
		locset_add(&own, w->a, LOC_DEREF(c->root->sym));
	} else {
		facts_pointees(&own, w->f, w->a, ref);
		locset_add(&own, w->a, LOC_GLOBAL);
	}
	for (uint32_t i = 0; i < fx->writes.n; i++) {
		for (uint32_t k = 0; k < own.n; k++) {
			if (facts_may_alias(w->f, fx->writes.v[i], own.v[k])) {
				refuse(r, ACCESS_ALIASED,
					arena_printf(w->a,
						"%s is written between them and may be the same "
						"memory; __restrict__ declares that it is not",
						facts_loc_name(w->f, w->a, fx->writes.v[i])));
				return;
			}
		}
	}
}

/* Returns NULL if each name of the chain is only the pointer of an access or the value of the next
 * name, so that the pointer does not escape. Then the parameter's __restrict__ covers all other
 * accesses. Else returns the reason. */
static const char *shared_elsewhere(
	struct access_finder *w, const struct access_run *r, const struct chain *c)
{
	for (const struct kt_node *n = w->x.body; n; n = kt_next(n, w->x.body)) {
		if (n->kind != KT_REF || !in_chain(c, n->sym)) {
			continue;
		}
		const char *name = w->u->sym[n->sym].name;
		const struct kt_node *ref, *index, *at = n;
		while (at->parent &&
			(at->parent->kind == KT_BINARY || at->parent->kind == KT_CAST ||
				at->parent->kind == KT_CALL) &&
			strip(w, at->parent) == n) {
			at = at->parent;
		}
		const struct kt_node *up = at->parent;
		bool handed = up && up->kind == KT_VAR && in_chain(c, up->sym);
		const struct kt_node *access =
			n->parent->kind == KT_BINARY ? n->parent->parent : n->parent;
		bool accesses = access && access_take_apart(w, access, &ref, &index) && ref == n;
		bool inside = n->begin >= r->first->begin && n->end <= r->last->end;
		if (!handed && !accesses) {
			return arena_printf(w->a, "'%s' is used for more than accesses", name);
		}
		if (accesses && inside && !is_member(r, access)) {
			return arena_printf(
				w->a, "other accesses through '%s' are between them", name);
		}
	}
	return NULL;
}

/* All stores move to the last one: no code between may read or write that memory. */
static void check_stores(
	struct access_finder *w, struct access_run *r, const struct fx *fx, const struct chain *c)
{
	check_control(r, fx);
	if (!c->root || !w->u->type[w->u->sym[c->root->sym].type].is_restrict) {
		refuse(r, ACCESS_ALIASED,
			arena_printf(w->a,
				"code between them may access the same memory; __restrict__ on "
				"'%s' "
				"declares that it does not",
				w->u->sym[c->sym[c->n - 1]].name));
		return;
	}
	const char *why = shared_elsewhere(w, r, c);
	if (why) {
		refuse(r, ACCESS_ALIASED, why);
	}
}

/* ---- runs ---- */

static bool is_volatile(const struct access_finder *w, const struct kt_node *n)
{
	return n->flags & KT_F_VOLATILE || kt_type_of(w->u, n)->is_volatile;
}

static bool is_hidden(const struct access_finder *w, const struct access_run *r)
{
	const struct kt_node *up = r->first->parent;
	bool hidden = !up || up->kind != KT_COMPOUND ||
		      (up->parent && up->parent->kind == KT_SWITCH) ||
		      (r->first->flags | r->last->flags) & KT_F_MACRO;
	/* names in element 0 must mean the same before the whole run */
	const struct kt_node *zero = r->member[0].node;
	for (const struct kt_node *n = zero; n && !hidden; n = kt_next(n, zero)) {
		const struct kt_sym *s = n->kind == KT_REF ? &w->u->sym[n->sym] : NULL;
		hidden = s && n->sym != r->counter && s->file == zero->file &&
			 s->at >= r->first->begin && s->at < r->last->end;
	}
	for (size_t i = 0; i < r->members; i++) {
		const struct kt_node *n = r->member[i].node;
		hidden = hidden || n->flags & KT_F_MACRO || !w->u->file[n->file].main;
		for (const struct kt_node *c = n; c && !hidden; c = kt_next(c, n)) {
			hidden = c->flags & KT_F_MACRO;
		}
	}
	return hidden;
}

/* The known alignment of element 0's address, in bytes. */
static unsigned alignment(
	const struct access_finder *w, const struct seen *s, int64_t constant, unsigned bytes)
{
	unsigned base = index_pointer_align(&w->x, s->ref);
	uint64_t at = (uint64_t)constant * bytes;
	uint64_t low = at & (~at + 1);
	uint64_t terms = (uint64_t)index_sum_multiple(&w->x, &s->sum) * bytes;
	uint64_t least = base < terms ? base : terms;
	return (unsigned)(at && low < least ? low : least);
}

/* If 32-bit indices may wrap: does the run fit between two multiples of the divisor of its
 * terms? */
static bool is_contiguous(
	const struct access_finder *w, const struct seen *s, int64_t constant, unsigned count)
{
	int64_t m = index_sum_multiple(&w->x, &s->sum);
	if (!s->sum.wraps || s->sum.terms == 0) {
		return true;
	}
	return ((constant % m) + m) % m + count <= m;
}

/* Checks a run whose members are set, and adds it. s is the access of element 0. */
static void finish(struct access_finder *w, struct access_run *r, const struct seen *s)
{
	struct fx fx;
	struct chain chain;
	chain_of(&chain, w, s->ref);
	const struct kt_node *from = chain.root ? chain.root : s->ref;
	unsigned space = spaces_of_pointer(w->s, from);
	region_effects(&fx, w, r);
	if (space & ~(unsigned)(SPACE_GLOBAL | SPACE_READ_ONLY) || space == 0 ||
		!sum_is_stable(w, r, &fx, &s->sum, s->ref)) {
		return;
	}
	for (size_t i = 0; i < r->members; i++) {
		if (is_volatile(w, r->member[i].node)) {
			refuse(r, ACCESS_ORDERED, "they are volatile");
		}
	}
	if (r->store) {
		check_stores(w, r, &fx, &chain);
	} else {
		check_loads(w, r, &fx, s->ref, &chain);
	}
	if (r->aligned < r->wanted) {
		refuse(r, ACCESS_UNALIGNED,
			arena_printf(w->a,
				"the address is known to be a multiple of %u byte%s, not of %u: "
				"if it is, declare that with __builtin_assume_aligned(%s, %u)",
				r->aligned, r->aligned == 1 ? "" : "s", r->wanted,
				w->u->sym[r->base].name, r->wanted));
	}
	if (is_hidden(w, r)) {
		refuse(r, ACCESS_HIDDEN, "the text cannot be edited there");
	}
	array_push(&w->runs, *r);
}

static struct access_run run_of(const struct access_finder *w, const struct seen *s)
{
	const struct kt_type *t = kt_type_of(w->u, s->node);
	return (struct access_run){.fn = w->fn,
		.store = s->store,
		.base = s->ref->sym,
		.elem = s->node->type,
		.bytes = (unsigned)t->size};
}

static bool belongs(const struct access_finder *w, const struct seen *x, const struct seen *y)
{
	return !y->taken && x->ref->sym == y->ref->sym && x->store == y->store &&
	       x->step == y->step && index_sums_match(&w->x, &x->sum, &y->sum);
}

/* ---- runs in the statements of a block ---- */

static int by_constant(const void *x, const void *y)
{
	const struct seen *const *s = x, *const *t = y;
	int64_t a = (*s)->sum.constant, b = (*t)->sum.constant;
	return a != b ? (a > b) - (a < b)
		      : ((*s)->node->begin > (*t)->node->begin) -
				((*s)->node->begin < (*t)->node->begin);
}

/* Adds the run of elements [0, count), counted from of[0]. Several accesses may have one
 * element. */
static void add_block_run(struct access_finder *w, const struct seen *const *of, size_t n,
	unsigned count, unsigned aligned)
{
	struct access_run r = run_of(w, of[0]);
	r.count = count;
	r.aligned = aligned;
	r.wanted = count * r.bytes;
	r.member = ARENA_ARRAY(w->a, struct access_member, n);
	for (size_t i = 0; i < n; i++) {
		int64_t element = of[i]->sum.constant - of[0]->sum.constant;
		if (element >= count) {
			break;
		}
		r.member[r.members++] = (struct access_member){of[i]->node, (unsigned)element};
		const struct kt_node *stmt = of[i]->stmt;
		r.first = !r.first || stmt->slot < r.first->slot ? stmt : r.first;
		r.last = !r.last || stmt->slot > r.last->slot ? stmt : r.last;
	}
	bool twice = r.store && r.members != count;
	if (r.first != r.last && !twice && is_contiguous(w, of[0], of[0]->sum.constant, count)) {
		finish(w, &r, of[0]);
	}
}

/* of is sorted by the constants of the indices. */
static void add_block_runs(struct access_finder *w, const struct seen *const *of, size_t n)
{
	unsigned bytes = (unsigned)kt_type_of(w->u, of[0]->node)->size;
	for (size_t i = 0; i < n;) {
		unsigned length = 1;
		size_t end = i + 1;
		for (; end < n && of[end]->sum.constant - of[end - 1]->sum.constant <= 1; end++) {
			length += of[end]->sum.constant != of[end - 1]->sum.constant;
		}
		unsigned most = LANES_MIN;
		while (most * 2 <= length && most * 2 * bytes <= ACCESS_WIDEST) {
			most *= 2;
		}
		unsigned aligned = alignment(w, of[i], of[i]->sum.constant, bytes), count = most;
		while (count > LANES_MIN && aligned < count * bytes) {
			count /= 2;
		}
		count = aligned < count * bytes ? most : count;
		if (length >= LANES_MIN && count * bytes <= ACCESS_WIDEST) {
			add_block_run(w, &of[i], end - i, count, aligned);
		}
		int64_t past = of[i]->sum.constant + (length < count ? length : count);
		while (i < n && of[i]->sum.constant < past) {
			i++;
		}
	}
}

static void find_in_block(struct access_finder *w, const struct kt_node *block)
{
	w->seen.n = 0;
	for (size_t i = 0; i < block->n; i++) {
		access_look_at(w, block->child[i]);
	}
	const struct seen **of = ARENA_ARRAY(w->a, const struct seen *, w->seen.n);
	for (size_t i = 0; i < w->seen.n; i++) {
		size_t n = 0;
		for (size_t k = i; k < w->seen.n && !w->seen.v[i].taken; k++) {
			if (k == i || belongs(w, &w->seen.v[i], &w->seen.v[k])) {
				of[n++] = &w->seen.v[k];
				w->seen.v[k].taken = k != i;
			}
		}
		if (n >= LANES_MIN) {
			qsort(of, n, sizeof(*of), by_constant);
			add_block_runs(w, of, n);
		}
	}
}

/* ---- runs in a counted loop ---- */

static void add_loop_run(struct access_finder *w, const struct kt_node *loop, struct seen *s,
	const struct counted_loop *c)
{
	struct access_run r = run_of(w, s);
	r.first = r.last = r.loop = loop;
	r.counter = c->var;
	r.count = (unsigned)c->last;
	r.wanted = r.count * r.bytes < ACCESS_WIDEST ? r.count * r.bytes : ACCESS_WIDEST;
	r.aligned = alignment(w, s, s->sum.constant, r.bytes);
	r.member = ARENA_ARRAY(w->a, struct access_member, w->seen.n);
	for (struct seen *y = s; y < w->seen.v + w->seen.n; y++) {
		if (y == s || (belongs(w, s, y) && s->sum.constant == y->sum.constant)) {
			y->taken = true;
			r.member[r.members++] = (struct access_member){y->node, 0};
		}
	}
	if (!(r.store && r.members > 1) && is_contiguous(w, s, s->sum.constant, r.count)) {
		finish(w, &r, s);
	}
}

static void find_in_loop(struct access_finder *w, const struct kt_node *loop)
{
	struct counted_loop c;
	const struct kt_node *body = kt_loop_body(loop);
	bool power;
	if (!body || !loop_is_counted(&c, w->f, loop) || c.first != 0) {
		return;
	}
	power = c.last >= LANES_MIN && c.last <= ACCESS_MEMBERS_MAX && (c.last & (c.last - 1)) == 0;
	w->seen.n = 0;
	if (body->kind != KT_COMPOUND) {
		access_look_at(w, body);
	}
	for (size_t i = 0; body->kind == KT_COMPOUND && i < body->n; i++) {
		access_look_at(w, body->child[i]);
	}
	array_each (&w->seen, struct seen, s) {
		s->step = index_sum_take(&s->sum, c.var);
	}
	array_each (&w->seen, struct seen, s) {
		int64_t bytes = kt_type_of(w->u, s->node)->size * c.last;
		if (power && s->step == 1 && !s->taken && bytes <= ACCESS_BYTES_MAX) {
			add_loop_run(w, loop, s, &c);
		}
	}
}

void access_runs_find(struct access_run **out, size_t *n, struct arena *a, struct facts *f,
	struct spaces *s, kt_id fn, bool wraps)
{
	struct kt_unit *u = facts_unit(f);
	const struct kt_node *body = u->fn[fn].body;
	struct access_finder w = {.a = a, .f = f, .s = s, .u = u, .fn = fn};
	w.x = (struct index_facts){.f = f, .u = u, .a = a, .body = body, .wraps = wraps};
	for (const struct kt_node *at = body; at; at = kt_next(at, body)) {
		if (at->kind == KT_COMPOUND) {
			find_in_block(&w, at);
		} else if (at->kind == KT_FOR) {
			find_in_loop(&w, at);
		}
	}
	array_move(*out, *n, a, &w.runs);
	array_release(&w.seen);
}
