#include "analysis/memory/sync.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/facts/cfg.h"
#include "analysis/memory/sync_form.h"
#include "base/array.h"
#include "base/map.h"

#define ALL_BITS ((1u << (2 * SYNC_CLASSES)) - 1)
#define SHARED_MEMORY                                                                              \
	(SYNC_READS(SYNC_SHARED) | SYNC_WRITES(SYNC_SHARED) | SYNC_READS(SYNC_GLOBAL) |            \
		SYNC_WRITES(SYNC_GLOBAL))

enum op_kind {
	OP_ACCESS,
	OP_CALL, /* of a function with a body */
	OP_SYNC
};

/* What a block does, in order. */
struct op {
	enum op_kind kind;
	unsigned bits;		    /* OP_ACCESS */
	const struct kt_node *node; /* the access, the call */
	kt_id fn;		    /* OP_CALL */
	bool alone;		    /* OP_CALL: nothing of its statement comes in between */
	struct sync_traffic above;  /* OP_CALL: around it */
	struct sync_traffic below;
	size_t sync; /* OP_SYNC */
};

struct op_list {
	struct op *v;
	size_t n;
};

struct id_list {
	kt_id *v;
	size_t n;
};

/* Traffic, and whether control may have come without any barrier from where the walk began. */
struct reach {
	struct sync_traffic t;
	bool open;
};

/* A function as its callers see it. */
struct summary {
	struct sync_traffic entry; /* before its first barrier */
	struct sync_traffic exit;  /* behind its last */
	struct sync_traffic all;
	bool through; /* some way through meets none */
	bool known;
};

struct body {
	struct cfg g; /* one block for a function that has no graph */
	struct op_list *ops;
	struct reach *down; /* at the start of each block, coming from its entry */
	struct reach *up;   /* at its end, coming from its exit */
	bool known;	    /* it has a graph, and nothing hides in it */
};

enum level {
	LEVEL_BLOCK,
	LEVEL_WAVE
};

struct sync_state {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct uniformity *uniformity;
	struct spaces *spaces;
	const struct sync_opts *opts;
	struct body *body; /* by function */
	struct summary *summary;
	struct reach *above; /* by function: at its entry, over all callers */
	struct reach *below;
	struct sync *sync;
	ARRAY(struct sync_barrier) found;
	enum level level;
	kt_id walked; /* the function that the flow is in */
	/* by barrier: at it, coming from its function's entry or exit, without what is around that;
	 * open: the entry or exit is in its stretch */
	struct reach *own_above;
	struct reach *own_below;
	struct id_list *caller; /* by function: whose blocks call it, once for each call */
	bool *hidden;		/* by function: some call of it is not looked at */
	bool *stale;		/* by function: something that its flow is made of has grown */
	bool *solved_for; /* by barrier: was it dropped when all this was solved? NULL: never */
	bool changed;
};

/* ---- what a block does ---- */

struct reading {
	struct sync_state *s;
	kt_id fn;
	const struct kt_node *leaf;
	ARRAY(struct op) ops;
};

static void add_access(struct reading *r, const struct kt_node *n, unsigned bits)
{
	if (bits) {
		array_push(&r->ops, (struct op){.kind = OP_ACCESS, .bits = bits, .node = n});
	}
}

static unsigned access_bits(const struct sync_state *s, const struct kt_node *n, unsigned spaces,
	bool reads, bool writes)
{
	unsigned bits = 0;
	bool counts = s->opts->count_private;
	bool memory = n->kind != KT_REF; /* and no register */
	const bool hit[SYNC_CLASSES] = {
		[SYNC_SHARED] = spaces & SPACE_SHARED,
		[SYNC_GLOBAL] =
			spaces & SPACE_GLOBAL || (spaces & SPACE_READ_ONLY && (writes || counts)),
		[SYNC_PRIVATE] = counts && memory && spaces & SPACE_PRIVATE,
	};
	for (int c = 0; c < SYNC_CLASSES; c++) {
		bits |= hit[c] && reads ? SYNC_READS(c) : 0;
		bits |= hit[c] && writes ? SYNC_WRITES(c) : 0;
	}
	return bits;
}

static void see_place(void *user, const struct kt_node *n, bool reads, bool writes)
{
	struct reading *r = user;
	unsigned spaces = spaces_of_lvalue(r->s->spaces, n);
	const struct kt_type *t = kt_type_of(r->s->u, n);
	bool is_volatile = n->flags & KT_F_VOLATILE || t->is_volatile;
	if (is_volatile && spaces != SPACE_PRIVATE) {
		add_access(r, n, SHARED_MEMORY);
		return;
	}
	add_access(r, n, access_bits(r->s, n, spaces, reads, writes));
}

static void see_opaque(void *user, const struct kt_node *n)
{
	struct reading *r = user;
	bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
	if (!call || !r->s->opts->ignore_calls) {
		add_access(r, n, SHARED_MEMORY);
	}
}

/* Does the expression only calculate with what is the lane's own? */
static bool is_own(struct sync_state *s, const struct kt_node *n)
{
	struct fx fx = facts_effects(s->f, n);
	bool own = !s->opts->count_private && !fx_acts(&fx);
	for (uint32_t i = 0; i < fx.reads.n && own; i++) {
		own = facts_is_private(s->f, fx.reads.v[i]);
	}
	return own;
}

/* Is n an operand that is evaluated whatever the other is, which is the lane's own? */
static bool is_beside_own(struct sync_state *s, const struct kt_node *up, const struct kt_node *n)
{
	return up->kind == KT_BINARY && up->op != KT_OP_LAND && up->op != KT_OP_LOR &&
	       up->op != KT_OP_OTHER && up->n == 2 && is_own(s, up->child[1 - n->slot]);
}

/* Is the call all that its statement does to memory after the arguments, but for keeping the
 * result? */
static bool is_alone(struct sync_state *s, const struct kt_node *leaf, const struct kt_node *n)
{
	while (n != leaf) {
		const struct kt_node *up = n->parent;
		bool last =
			up &&
			(up->kind == KT_VAR || up->kind == KT_RETURN || up->kind == KT_CAST ||
				(up->kind == KT_ASSIGN && n->slot == 1) || is_beside_own(s, up, n));
		if (!last) {
			return false;
		}
		n = up;
	}
	return true;
}

static void see_sync(struct reading *r, const struct kt_node *n, enum sync_kind kind)
{
	struct sync_barrier b = {.kind = kind, .fn = r->fn, .call = n, .statement = r->leaf == n};
	if (!is_alone(r->s, r->leaf, n)) {
		return; /* nobody knows where in its expression it comes: it ends nothing */
	}
	if (kind == SYNC_BARE && b.statement) {
		b.fence_before = sync_fence_beside(r->s->f, n, true);
		b.fence_after = sync_fence_beside(r->s->f, n, false);
		bool both = b.fence_before && b.fence_after;
		b.kind = both ? SYNC_BLOCK : SYNC_BARE;
		b.fence_before = both ? b.fence_before : NULL;
		b.fence_after = both ? b.fence_after : NULL;
	}
	array_push(&r->ops, (struct op){.kind = OP_SYNC, .node = n, .sync = r->s->found.n});
	array_push(&r->s->found, b);
}

static void see_builtin(struct reading *r, const struct kt_node *n, const struct intrinsic *in)
{
	bool pointers = false;
	unsigned spaces = 0;
	for (size_t i = 0; i < n->n; i++) {
		enum kt_type_kind k = kt_object_type(r->s->u, n->child[i]->type)->kind;
		if (k == KT_T_POINTER || k == KT_T_ARRAY) {
			pointers = true;
			spaces |= spaces_of_pointer(r->s->spaces, n->child[i]);
		}
	}
	switch (in->kind) {
	case INTRINSIC_TRAP:
	case INTRINSIC_UNREACHABLE:
	case INTRINSIC_UNIFORM:
	case INTRINSIC_LANE:
		return;
	case INTRINSIC_PURE:
	case INTRINSIC_MATRIX:
	case INTRINSIC_CROSSLANE:
		add_access(r, n, access_bits(r->s, n, spaces, pointers, pointers));
		return;
	case INTRINSIC_LOAD:
	case INTRINSIC_STORE:
		/* a buffer's descriptor is of global memory */
		spaces = pointers ? spaces : SPACE_GLOBAL;
		add_access(r, n,
			access_bits(r->s, n, spaces, in->kind == INTRINSIC_LOAD,
				in->kind == INTRINSIC_STORE));
		return;
	case INTRINSIC_FENCE:
		if (sync_is_adopted_fence(r->s->f, n)) {
			return;
		}
		break;
	default:
		break;
	}
	add_access(r, n, SHARED_MEMORY);
}

static void see_call(void *user, const struct kt_node *n, const struct intrinsic *in)
{
	struct reading *r = user;
	enum sync_kind kind;
	if (sync_form(&kind, r->s->f, n)) {
		see_sync(r, n, kind);
	} else if (in) {
		see_builtin(r, n, in);
	} else if (n->flags & KT_F_METHOD && uniformity_has_virtuals(r->s->uniformity)) {
		r->s->hidden[n->fn] = true; /* what is around this call is not followed into it */
		see_opaque(r, n);
	} else {
		array_push(&r->ops, (struct op){.kind = OP_CALL,
					    .node = n,
					    .fn = n->fn,
					    .alone = is_alone(r->s, r->leaf, n)});
	}
}

static void see_leaf(struct reading *r, const struct kt_node *n)
{
	struct sync_state *s = r->s;
	const struct access_visitor v = {r, see_place, see_call, see_opaque};
	r->leaf = n;
	if (n->kind == KT_RANGE_FOR) {
		const struct kt_node *over = n->child[KT_RANGE_RANGE];
		if (kt_object_type(s->u, over->type)->kind == KT_T_ARRAY) {
			see_place(r, over, true, false);
		} else {
			add_access(r, n, SHARED_MEMORY);
		}
		return;
	}
	facts_accesses(s->f, s->a, n, &v);
}

/* A function that jumps: all it does in one block, in no order. */
static void flatten(struct cfg *g, struct arena *a, const struct kt_node *body)
{
	ARRAY(const struct kt_node *) v = {0};
	for (const struct kt_node *n = body; n;) {
		bool leaf = !kt_is_stmt(n->kind) || n->kind == KT_RETURN || n->kind == KT_ASM ||
			    n->kind == KT_STMT_UNKNOWN;
		if (leaf) {
			array_push(&v, n);
		}
		n = leaf ? kt_skip(n, body) : kt_next(n, body);
	}
	g->blocks = 2;
	g->block = ARENA_ARRAY(a, struct cfg_block, 2);
	g->block[CFG_ENTRY].node = array_to_arena(a, &v);
	g->block[CFG_ENTRY].nodes = v.n;
	g->block[CFG_ENTRY].to = ARENA_ARRAY(a, size_t, 1);
	g->block[CFG_ENTRY].to[0] = CFG_EXIT;
	g->block[CFG_ENTRY].tos = 1;
	g->block[CFG_EXIT].from = ARENA_ARRAY(a, size_t, 1);
	g->block[CFG_EXIT].froms = 1;
	array_release(&v);
}

/* May control go from inside of an expression, or of a statement that is not understood, where no
 * graph shows it? */
static bool hides_jumps(const struct sync_state *s, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_STMT_UNKNOWN) {
			return true;
		}
		if (n->kind == KT_EXPR_UNKNOWN &&
			(n->flags & KT_F_MACRO || str_holds(kt_source(s->u, n), STR("{")))) {
			return true;
		}
	}
	return false;
}

static void read_body(struct sync_state *s, kt_id fn)
{
	struct body *b = &s->body[fn];
	const struct kt_node *root = s->u->fn[fn].body;
	b->known = cfg_build(&b->g, s->a, root) && !uniformity_is_wild(s->uniformity, fn) &&
		   !hides_jumps(s, root);
	if (!b->known) {
		flatten(&b->g, s->a, root);
	}
	b->ops = ARENA_ARRAY(s->a, struct op_list, b->g.blocks);
	b->down = ARENA_ARRAY(s->a, struct reach, b->g.blocks);
	b->up = ARENA_ARRAY(s->a, struct reach, b->g.blocks);
	for (size_t i = 0; i < b->g.blocks; i++) {
		struct reading r = {.s = s, .fn = fn};
		for (size_t k = 0; k < b->g.block[i].nodes; k++) {
			see_leaf(&r, b->g.block[i].node[k]);
		}
		b->ops[i] = (struct op_list){array_to_arena(s->a, &r.ops), r.ops.n};
		array_release(&r.ops);
	}
}

/* Of each function the ones whose flow is made of its summary. */
static void find_callers(struct sync_state *s)
{
	ARRAY(kt_id) found = {0};
	ARRAY(kt_id) of = {0};
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		for (size_t i = 0; i < s->body[fn].g.blocks; i++) {
			for (size_t k = 0; k < s->body[fn].ops[i].n; k++) {
				const struct op *o = &s->body[fn].ops[i].v[k];
				if (o->kind == OP_CALL) {
					array_push(&found, fn);
					array_push(&of, o->fn);
					s->caller[o->fn].n++;
				}
			}
		}
	}
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		s->caller[fn].v = ARENA_ARRAY(s->a, kt_id, s->caller[fn].n);
		s->caller[fn].n = 0;
	}
	for (size_t i = 0; i < found.n; i++) {
		struct id_list *to = &s->caller[of.v[i]];
		to->v[to->n++] = found.v[i];
	}
	array_release(&found);
	array_release(&of);
}

/* ---- the flow ---- */

static bool traffic_add(struct sync_traffic *to, const struct sync_traffic *by)
{
	unsigned fresh = by->bits & ~to->bits;
	for (size_t i = 0; i < 2 * SYNC_CLASSES; i++) {
		if (fresh >> i & 1) {
			to->who[i] = by->who[i];
		}
	}
	to->bits |= fresh;
	return fresh != 0;
}

static void traffic_access(struct sync_traffic *to, unsigned bits, const struct kt_node *who)
{
	struct sync_traffic t = {.bits = bits};
	for (size_t i = 0; i < 2 * SYNC_CLASSES; i++) {
		t.who[i] = who;
	}
	traffic_add(to, &t);
}

/* True when to has grown. */
static bool merge(struct reach *to, const struct reach *by)
{
	bool grew = traffic_add(&to->t, &by->t);
	grew |= by->open && !to->open;
	to->open |= by->open;
	return grew;
}

/* Does a barrier end the traffic before it? */
static bool cuts(const struct sync_state *s, const struct sync_barrier *b)
{
	if (b->dropped || !b->together || !b->known) {
		return false;
	}
	return b->kind == SYNC_BLOCK || b->kind == SYNC_VALUE ||
	       (b->kind == SYNC_WAVE && s->level == LEVEL_WAVE);
}

static void pass_call(struct sync_state *s, struct reach *r, const struct op *o, bool down)
{
	const struct summary *c = &s->summary[o->fn];
	if (!o->alone || !c->known) {
		traffic_add(&r->t, &c->all);
		return;
	}
	if (!c->through) {
		*r = (struct reach){0};
	}
	traffic_add(&r->t, down ? &c->exit : &c->entry);
}

/* One op, forwards or backwards. With contexts what is on this side goes to callees and barriers.
 */
static void pass(struct sync_state *s, struct reach *r, struct op *o, bool down, bool contexts)
{
	switch (o->kind) {
	case OP_ACCESS:
		traffic_access(&r->t, o->bits, o->node);
		return;
	case OP_CALL:
		if (contexts) {
			struct reach side = *r;
			if (!o->alone || !s->body[s->walked].known) {
				/* and what its own statement does beside it, or what no graph
				 * shows */
				traffic_access(&side.t, SHARED_MEMORY, o->node);
			}
			traffic_add(down ? &o->above : &o->below, &side.t);
			s->stale[o->fn] |= merge(down ? &s->above[o->fn] : &s->below[o->fn], &side);
		}
		pass_call(s, r, o, down);
		return;
	case OP_SYNC: {
		struct sync_barrier *b = &s->found.v[o->sync];
		bool wave = b->kind == SYNC_WAVE;
		if (wave == (s->level == LEVEL_WAVE)) {
			struct reach *own = down ? s->own_above : s->own_below;
			if (contexts) {
				traffic_add(down ? &b->above : &b->below, &r->t);
			} else {
				merge(&own[o->sync], r);
			}
		}
		if (cuts(s, b)) {
			*r = (struct reach){0};
		}
		return;
	}
	}
}

static void start_block(const struct sync_state *s, struct reach *r)
{
	if (s->opts->no_propagation) {
		r->t.bits = SHARED_MEMORY;
		r->open = true;
	}
}

static void flow_down(struct sync_state *s, kt_id fn, const struct reach *in, bool contexts)
{
	struct body *b = &s->body[fn];
	s->walked = fn;
	merge(&b->down[CFG_ENTRY], in);
	for (size_t i = 0; i < b->g.blocks; i++) {
		struct reach r = b->down[i];
		start_block(s, &r);
		for (size_t k = 0; k < b->ops[i].n; k++) {
			pass(s, &r, &b->ops[i].v[k], true, contexts);
		}
		for (size_t k = 0; k < b->g.block[i].tos; k++) {
			s->stale[fn] |= merge(&b->down[b->g.block[i].to[k]], &r);
		}
	}
}

static void flow_up(struct sync_state *s, kt_id fn, const struct reach *in, bool contexts)
{
	struct body *b = &s->body[fn];
	s->walked = fn;
	merge(&b->up[CFG_EXIT], in);
	for (size_t i = b->g.blocks; i-- > 0;) {
		struct reach r = b->up[i];
		start_block(s, &r);
		for (size_t k = b->ops[i].n; k-- > 0;) {
			pass(s, &r, &b->ops[i].v[k], false, contexts);
		}
		for (size_t k = 0; k < b->g.block[i].froms; k++) {
			s->stale[fn] |= merge(&b->up[b->g.block[i].from[k]], &r);
		}
		if (i == CFG_ENTRY) {
			/* what is at the very start */
			struct summary *c = &s->summary[fn];
			if (!contexts) {
				s->changed |= traffic_add(&c->entry, &r.t);
			}
		}
	}
}

static void clear_flow(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		struct body *b = &s->body[fn];
		for (size_t i = 0; i < b->g.blocks; i++) {
			b->down[i] = b->up[i] = (struct reach){0};
		}
	}
}

static void sum_all(struct sync_state *s, kt_id fn)
{
	struct summary *c = &s->summary[fn];
	for (size_t i = 0; i < s->body[fn].g.blocks; i++) {
		for (size_t k = 0; k < s->body[fn].ops[i].n; k++) {
			const struct op *o = &s->body[fn].ops[i].v[k];
			if (o->kind == OP_ACCESS) {
				struct sync_traffic t = {0};
				traffic_access(&t, o->bits, o->node);
				s->changed |= traffic_add(&c->all, &t);
			} else if (o->kind == OP_CALL) {
				s->changed |= traffic_add(&c->all, &s->summary[o->fn].all);
			}
		}
	}
}

static void all_stale(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		s->stale[fn] = s->u->fn[fn].body != NULL;
	}
}

/* The next function after fn, in a circle, whose flow has to be walked; 0 when there is none. */
static kt_id next_stale(struct sync_state *s, kt_id fn)
{
	for (kt_id steps = 1; steps < s->u->fns; steps++) {
		fn = fn + 1 < s->u->fns ? fn + 1 : 1;
		if (s->stale[fn] && s->u->fn[fn].body) {
			s->stale[fn] = false;
			return fn;
		}
	}
	return 0;
}

/* Every function as its callers see it: without what is around the calls. */
static void summarize(struct sync_state *s)
{
	const struct reach start = {.open = true};
	memset(s->summary, 0, s->u->fns * sizeof(*s->summary));
	clear_flow(s);
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		s->summary[fn].known = s->body[fn].known;
	}
	all_stale(s);
	for (kt_id fn = 0; (fn = next_stale(s, fn)) != 0;) {
		struct summary *c = &s->summary[fn];
		s->changed = false;
		flow_down(s, fn, &start, false);
		flow_up(s, fn, &start, false);
		sum_all(s, fn);
		const struct reach *exit = &s->body[fn].down[CFG_EXIT];
		s->changed |= traffic_add(&c->exit, &exit->t);
		s->changed |= exit->open && !c->through;
		c->through |= exit->open;
		for (size_t i = 0; s->changed && i < s->caller[fn].n; i++) {
			s->stale[s->caller[fn].v[i]] = true;
		}
	}
}

static bool sees_callers(const struct sync_state *s, kt_id fn)
{
	return s->u->fn[fn].kind == KT_FN_KERNEL || (!s->hidden[fn] && !facts_is_open(s->f, fn));
}

static void clear_calls(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		for (size_t i = 0; i < s->body[fn].g.blocks; i++) {
			for (size_t k = 0; k < s->body[fn].ops[i].n; k++) {
				struct op *o = &s->body[fn].ops[i].v[k];
				o->above = o->below = (struct sync_traffic){0};
			}
		}
	}
}

/* What is around each function and each barrier. */
static void place(struct sync_state *s)
{
	const struct reach anything = {.t = {.bits = SHARED_MEMORY}};
	clear_flow(s);
	clear_calls(s);
	memset(s->above, 0, s->u->fns * sizeof(*s->above));
	memset(s->below, 0, s->u->fns * sizeof(*s->below));
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		if (!sees_callers(s, fn)) {
			s->above[fn] = s->below[fn] = anything;
		}
	}
	all_stale(s);
	for (kt_id fn = 0; (fn = next_stale(s, fn)) != 0;) {
		struct reach above = s->above[fn], below = s->below[fn];
		flow_down(s, fn, &above, true);
		flow_up(s, fn, &below, true);
	}
}

static struct sync_traffic around(const struct reach *own, const struct sync_traffic *call)
{
	struct sync_traffic t = own->t;
	if (own->open) {
		traffic_add(&t, call);
	}
	return t;
}

static void add_contexts(struct sync_state *s, size_t barrier, kt_id caller)
{
	struct sync_barrier *b = &s->found.v[barrier];
	for (size_t i = 0; i < s->body[caller].g.blocks; i++) {
		for (size_t k = 0; k < s->body[caller].ops[i].n; k++) {
			const struct op *o = &s->body[caller].ops[i].v[k];
			if (o->kind == OP_CALL && o->fn == b->fn) {
				b->at[b->ats++] = (struct sync_context){o->node,
					around(&s->own_above[barrier], &o->above),
					around(&s->own_below[barrier], &o->below)};
			}
		}
	}
}

/* The barriers of this level, call by call. */
static void find_contexts(struct sync_state *s)
{
	for (size_t i = 0; i < s->found.n; i++) {
		struct sync_barrier *b = &s->found.v[i];
		const struct id_list *callers = &s->caller[b->fn];
		if ((b->kind == SYNC_WAVE) != (s->level == LEVEL_WAVE) || !b->callers ||
			s->u->fn[b->fn].kind == KT_FN_KERNEL || callers->n < 2) {
			continue;
		}
		b->at = b->at ? b->at : ARENA_ARRAY(s->a, struct sync_context, callers->n);
		b->ats = 0;
		for (size_t k = 0; k < callers->n; k++) {
			/* one entry a call, those of a function side by side */
			if (k == 0 || callers->v[k] != callers->v[k - 1]) {
				add_contexts(s, i, callers->v[k]);
			}
		}
	}
}

/* Does the solution hold for the barriers that are dropped now? Remembers them. */
static bool is_solved(struct sync_state *s, const struct sync *out)
{
	bool same = s->solved_for != NULL;
	if (!same) {
		s->solved_for = ARENA_ARRAY(s->a, bool, out->n);
	}
	for (size_t i = 0; i < out->n; i++) {
		same = same && s->solved_for[i] == out->v[i].dropped;
		s->solved_for[i] = out->v[i].dropped;
	}
	return same;
}

void sync_solve(struct sync *out)
{
	struct sync_state *s = out->state;
	if (out->n == 0 || is_solved(s, out)) {
		return;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct sync_barrier *b = &out->v[i];
		b->above = b->below = (struct sync_traffic){0};
		s->own_above[i] = s->own_below[i] = (struct reach){0};
	}
	bool waves = false;
	for (size_t i = 0; i < out->n; i++) {
		waves |= out->v[i].kind == SYNC_WAVE;
	}
	for (s->level = LEVEL_BLOCK; s->level <= (waves ? LEVEL_WAVE : LEVEL_BLOCK); s->level++) {
		summarize(s);
		place(s);
		find_contexts(s);
	}
}

static unsigned hazards_between(const struct sync_traffic *above, const struct sync_traffic *below)
{
	unsigned h = 0;
	for (int c = 0; c < SYNC_CLASSES; c++) {
		bool ra = above->bits & SYNC_READS(c), wa = above->bits & SYNC_WRITES(c);
		bool rb = below->bits & SYNC_READS(c), wb = below->bits & SYNC_WRITES(c);
		h |= wa && rb ? SYNC_RAW : 0;
		h |= ra && wb ? SYNC_WAR : 0;
		h |= wa && wb ? SYNC_WAW : 0;
	}
	return h;
}

unsigned sync_hazards(const struct sync_barrier *b)
{
	unsigned h = b->ats ? 0 : hazards_between(&b->above, &b->below);
	for (size_t i = 0; i < b->ats; i++) {
		h |= hazards_between(&b->at[i].above, &b->at[i].below);
	}
	return h;
}

bool sync_is_by_calls(const struct sync_barrier *b)
{
	return !sync_hazards(b) && hazards_between(&b->above, &b->below);
}

enum sync_class sync_witness(const struct sync_barrier *b, enum sync_hazard h,
	const struct kt_node **above, const struct kt_node **below)
{
	bool written_above = h != SYNC_WAR, written_below = h != SYNC_RAW;
	const struct sync_traffic *up = &b->above, *down = &b->below;
	for (size_t i = b->ats; i-- > 0;) {
		if (hazards_between(&b->at[i].above, &b->at[i].below) & h) {
			up = &b->at[i].above;
			down = &b->at[i].below;
		}
	}
	for (int c = 0; c < SYNC_CLASSES; c++) {
		int x = 2 * c + written_above, y = 2 * c + written_below;
		if (up->bits >> x & 1 && down->bits >> y & 1) {
			*above = up->who[x];
			*below = down->who[y];
			return (enum sync_class)c;
		}
	}
	*above = *below = NULL;
	return SYNC_CLASSES;
}

/* ---- the barriers ---- */

static bool is_excluded(const struct sync_state *s, kt_id fn)
{
	const struct kt_fn *f = &s->u->fn[fn];
	for (const char *const *x = s->opts->exclude; x && *x; x++) {
		if (fnmatch(*x, f->base, 0) == 0 || fnmatch(*x, f->name, 0) == 0) {
			return true;
		}
	}
	return false;
}

/* Is the barrier all that its function does? Calls of that are barriers themselves. */
static bool in_wrapper(const struct sync_state *s, const struct sync_barrier *b)
{
	const struct kt_fn *f = &s->u->fn[b->fn];
	size_t own = 1 + (b->fence_before ? 2 : 0);
	return f->kind != KT_FN_KERNEL && f->body->kind == KT_COMPOUND && f->body->n == own &&
	       b->call->parent == f->body;
}

static int by_place(const void *x, const void *y)
{
	const struct sync_barrier *a = x, *b = y;
	if (a->fn != b->fn) {
		return a->fn < b->fn ? -1 : 1;
	}
	return a->call->begin < b->call->begin ? -1 : a->call->begin > b->call->begin;
}

/* The walk went by blocks; people read from top to bottom. */
static void sort_barriers(struct sync_state *s)
{
	struct map index = {0};
	if (s->found.n) {
		qsort(s->found.v, s->found.n, sizeof(*s->found.v), by_place);
	}
	for (size_t i = 0; i < s->found.n; i++) {
		map_set_u64(&index, (uint64_t)(uintptr_t)s->found.v[i].call, i);
	}
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		struct body *b = &s->body[fn];
		for (size_t i = 0; i < b->g.blocks; i++) {
			for (size_t k = 0; k < b->ops[i].n; k++) {
				struct op *o = &b->ops[i].v[k];
				o->sync = map_get_u64(&index, (uint64_t)(uintptr_t)o->node, 0);
			}
		}
	}
	map_release(&index);
}

static void judge_barriers(struct sync_state *s)
{
	kt_id last = 0;
	unsigned functions = 0;
	for (size_t i = 0; i < s->found.n; i++) {
		struct sync_barrier *b = &s->found.v[i];
		functions += b->fn != last;
		last = b->fn;
		b->known = s->body[b->fn].known;
		b->together = uniformity_control(s->uniformity, b->call);
		b->divergent = b->together ? NULL : sync_divergent(s->f, b->call);
		b->waves = b->divergent && sync_parts_waves(s->f, b->divergent);
		b->callers = sees_callers(s, b->fn);
		const struct sync_opts *o = s->opts;
		b->limit = in_wrapper(s, b)	   ? SYNC_WRAPPER
			   : is_excluded(s, b->fn) ? SYNC_EXCLUDED
			   : o->function_limit && functions > o->function_limit
				   ? SYNC_TOO_MANY_FUNCTIONS
			   : o->block_limit && s->body[b->fn].g.blocks > o->block_limit
				   ? SYNC_TOO_MANY_BLOCKS
				   : SYNC_NO_LIMIT;
	}
}

/* Most units have none: nothing else is looked at then. */
static bool has_barrier(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		const struct kt_fn *f = &s->u->fn[fn];
		enum sync_kind kind;
		for (const struct kt_node *n = f->in_system_header ? NULL : f->body; n;
			n = kt_next(n, f->body)) {
			if (n->kind == KT_CALL && sync_form(&kind, s->f, n)) {
				return true;
			}
		}
	}
	return false;
}

void sync_create(struct sync *out, struct facts *f, struct arena *a, const struct sync_opts *opts)
{
	struct sync_state *s = ARENA_NEW(a, struct sync_state);
	*out = (struct sync){.state = s};
	s->f = f;
	s->u = facts_unit(f);
	s->a = a;
	s->opts = arena_memdup(a, opts, sizeof(*opts));
	s->sync = out;
	if (!has_barrier(s)) {
		return;
	}
	s->uniformity = uniformity_create_block(f, a);
	s->spaces = spaces_create(f, s->uniformity, a);
	s->body = ARENA_ARRAY(a, struct body, s->u->fns);
	s->summary = ARENA_ARRAY(a, struct summary, s->u->fns);
	s->above = ARENA_ARRAY(a, struct reach, s->u->fns);
	s->below = ARENA_ARRAY(a, struct reach, s->u->fns);
	s->caller = ARENA_ARRAY(a, struct id_list, s->u->fns);
	s->stale = ARENA_ARRAY(a, bool, s->u->fns);
	s->hidden = ARENA_ARRAY(a, bool, s->u->fns);
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		if (s->u->fn[fn].body) {
			read_body(s, fn);
		}
	}
	find_callers(s);
	sort_barriers(s);
	judge_barriers(s);
	s->own_above = ARENA_ARRAY(a, struct reach, s->found.n);
	s->own_below = ARENA_ARRAY(a, struct reach, s->found.n);
	out->v = s->found.v;
	out->n = s->found.n;
	sync_solve(out);
}

void sync_release(struct sync *s)
{
	array_release(&s->state->found);
	s->v = NULL;
	s->n = 0;
}
