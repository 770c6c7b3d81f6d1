/* Finds the accesses, calls and barriers of each block of a function, in order. */
#include "analysis/facts/sync_form.h"
#include "analysis/memory/sync_state.h"
#include "frontend/text/lex.h"

/* ---- the operations of a block ---- */

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
	bool memory = n->kind != KT_REF; /* not a register */
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

static bool asm_reads_clock(const struct intrinsic_db *db, const struct kt_node *n)
{
	struct str text = str_of(n->text);
	lex_each (k, text, 0, text.n) {
		struct str in = k.kind == LEX_STRING ? str_sub(text, k.begin + 1, k.end) : STR("");
		size_t i = 0;
		while (i < in.n) {
			size_t end = i;
			while (end < in.n && lex_is_word_char(in.p[end])) {
				end++;
			}
			if (end > i && intrinsic_reads_clock(db, str_sub(in, i, end))) {
				return true;
			}
			i = end > i ? end : end + 1;
		}
	}
	return false;
}

/* Does the call or the asm read a clock? A user's function without a body may. */
static bool reads_clock(const struct sync_state *s, const struct kt_node *n)
{
	const struct intrinsic_db *db = facts_intrinsics(s->f);
	const struct kt_fn *fn = n->fn ? &s->u->fn[n->fn] : NULL;
	if (!db || n->kind == KT_CONSTRUCT) {
		return false;
	}
	if (n->kind == KT_ASM) {
		return asm_reads_clock(db, n);
	}
	if (n->kind != KT_CALL) {
		return false;
	}
	struct str name = str_of(fn ? fn->base : n->text ? n->text : "");
	bool known = facts_intrinsic(s->f, n) || str_starts(name, "__builtin_");
	bool hidden = fn ? !fn->body && !fn->in_system_header && !fn->is_trivial : name.n == 0;
	return (hidden && !known && !s->opts->ignore_calls) || intrinsic_reads_clock(db, name);
}

static void see_clock(struct reading *r, const struct kt_node *n)
{
	if (reads_clock(r->s, n)) {
		add_access(r, n, SYNC_READS(SYNC_CLOCK));
	}
}

static void see_sync(struct reading *r, const struct kt_node *n, enum sync_kind kind);

static void see_opaque(void *user, const struct kt_node *n)
{
	struct reading *r = user;
	enum sync_kind kind;
	see_clock(r, n);
	if (n->kind == KT_ASM && sync_form(&kind, r->s->f, n)) {
		see_sync(r, n, kind);
	}
	bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
	if (!call || !r->s->opts->ignore_calls) {
		add_access(r, n, SHARED_MEMORY);
	}
}

struct owning {
	struct sync_state *s;
	bool own;
};

static void see_own(void *user, const struct kt_node *n, bool reads, bool writes)
{
	struct owning *o = user;
	unsigned lanes = SPACE_PRIVATE | SPACE_READ_ONLY;
	(void)reads;
	o->own &= !writes && !(spaces_of_lvalue(o->s->spaces, n) & ~lanes) &&
		  !(n->flags & KT_F_VOLATILE) && !kt_type_of(o->s->u, n)->is_volatile;
}

static void see_no_call(void *user, const struct kt_node *n, const struct intrinsic *in)
{
	struct owning *o = user;
	(void)n;
	o->own &= in && (in->kind == INTRINSIC_PURE || in->kind == INTRINSIC_UNIFORM ||
				in->kind == INTRINSIC_LANE);
}

static void see_hidden(void *user, const struct kt_node *n)
{
	struct owning *o = user;
	(void)n;
	o->own = false;
}

/* Does the expression only compute from private values and from memory that nobody writes? */
static bool is_own(struct sync_state *s, const struct kt_node *n)
{
	struct fx fx = facts_effects(s->f, n);
	struct owning o = {s, !s->opts->count_private && !fx_acts(&fx)};
	const struct access_visitor v = {&o, see_own, see_no_call, see_hidden};
	if (o.own) {
		facts_accesses(s->f, s->a, n, &v);
	}
	return o.own;
}

/* Is n an operand that is always evaluated, of an operation that only computes, and are the other
 * operands private? */
static bool is_beside_own(struct sync_state *s, const struct kt_node *up, const struct kt_node *n)
{
	if (up->kind == KT_CALL) {
		const struct intrinsic *in = facts_intrinsic(s->f, up);
		bool own = in && in->kind == INTRINSIC_PURE && !(up->flags & KT_F_METHOD);
		for (size_t i = 0; i < up->n && own; i++) {
			own = i == n->slot || (up->child[i] && is_own(s, up->child[i]));
		}
		return own;
	}
	return up->kind == KT_BINARY && up->op != KT_OP_LAND && up->op != KT_OP_LOR &&
	       up->op != KT_OP_OTHER && up->n == 2 && is_own(s, up->child[1 - n->slot]);
}

/* Does nothing in the statement touch memory after the arguments of the call, except the store of
 * the result? */
static bool is_alone(struct sync_state *s, const struct kt_node *leaf, const struct kt_node *n)
{
	while (n != leaf) {
		const struct kt_node *up = n->parent;
		bool last =
			up &&
			(up->kind == KT_VAR || up->kind == KT_RETURN || up->kind == KT_CAST ||
				(up->kind == KT_UNARY && up->op >= KT_OP_NEG &&
					up->op <= KT_OP_LNOT) ||
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
	b.within = !is_alone(r->s, r->leaf, n);
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
		/* a buffer descriptor points to global memory */
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
	bool barrier = sync_form(&kind, r->s->f, n);
	if (barrier) {
		see_sync(r, n, kind);
	}
	if (barrier && kind != SYNC_GRID) {
		return;
	}
	if (in || n->flags & KT_F_METHOD) {
		see_clock(r, n);
	}
	if (in) {
		see_builtin(r, n, in);
	} else if (n->flags & KT_F_METHOD && uniformity_has_virtuals(r->s->uniformity)) {
		r->s->hidden[n->fn] =
			true; /* the traffic around this call is not carried into the callee */
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

/* Makes one block, in no order, of a function with jumps. */
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
	array_move(g->block[CFG_ENTRY].node, g->block[CFG_ENTRY].nodes, a, &v);
	g->block[CFG_ENTRY].to = ARENA_ARRAY(a, size_t, 1);
	g->block[CFG_ENTRY].to[0] = CFG_EXIT;
	g->block[CFG_ENTRY].tos = 1;
	g->block[CFG_EXIT].from = ARENA_ARRAY(a, size_t, 1);
	g->block[CFG_EXIT].froms = 1;
}

/* May control leave from within an expression or an unknown statement, so that the graph lacks the
 * edge? */
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

void sync_read_body(struct sync_state *s, kt_id fn)
{
	struct body *b = &s->body[fn];
	const struct kt_node *root = s->u->fn[fn].body;
	b->known = cfg_build(&b->g, s->a, root) && !uniformity_is_opaque(s->uniformity, fn) &&
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

void sync_find_callers(struct sync_state *s)
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
