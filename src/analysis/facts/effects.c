#include "analysis/facts/walk.h"

enum state {
	STATE_NEW,
	STATE_BUSY,
	STATE_DONE
};

static unsigned walk_stmt(struct walk *w, const struct kt_node *n);

static unsigned walk_children(struct walk *w, const struct kt_node *n)
{
	unsigned exits = 0;
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			exits |= walk_stmt(w, n->child[i]);
		}
	}
	return exits;
}

/* An arm that this instantiation never takes has no effects. */
static unsigned walk_if(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_IF_COND];
	unsigned exits = 0;
	for (size_t i = 0; i < n->n; i++) {
		bool dead = cond->flags & KT_F_VALUE &&
			    i == (cond->value ? KT_IF_ELSE : KT_IF_THEN) && n->child[i] &&
			    !kt_may_be_jumped_into(n->child[i]);
		if (n->child[i] && !dead) {
			exits |= walk_stmt(w, n->child[i]);
		}
	}
	return exits;
}

/* Events and flags go to w; returns the FX_BREAK, FX_CONTINUE, FX_LABEL that leave n. */
static unsigned walk_stmt(struct walk *w, const struct kt_node *n)
{
	if (!kt_is_stmt(n->kind)) {
		walk_visit(w, n, MODE_VALUE);
		return 0;
	}
	switch (n->kind) {
	case KT_BREAK:
		return FX_BREAK;
	case KT_CONTINUE:
		return FX_CONTINUE;
	case KT_RETURN:
		w->flags |= FX_RETURN;
		walk_visit(w, n, MODE_VALUE);
		return 0;
	case KT_GOTO:
		w->flags |= FX_GOTO;
		return 0;
	case KT_LABEL:
		w->flags |= FX_LABEL;
		return walk_children(w, n);
	case KT_CASE:
	case KT_DEFAULT:
		return walk_children(w, n) | FX_LABEL;
	case KT_SWITCH:
		return walk_children(w, n) & ~(unsigned)(FX_BREAK | FX_LABEL);
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
		return walk_children(w, n) & ~(unsigned)(FX_BREAK | FX_CONTINUE);
	case KT_RANGE_FOR: {
		if (n->child[KT_RANGE_INIT]) {
			walk_stmt(w, n->child[KT_RANGE_INIT]);
		}
		walk_visit(w, n->child[KT_RANGE_RANGE], MODE_PLACE);
		struct locset s = {0};
		facts_elements(&s, w->f, w->a, n->child[KT_RANGE_RANGE]);
		const struct kt_node *var = n->child[KT_RANGE_VAR];
		if (!points_is_kind(w->f, var->type, KT_T_REFERENCE)) {
			walk_emit_set(w, EVENT_READ, &s, n);
		}
		walk_emit(w, EVENT_KILL, LOC_VAR(var->sym), var);
		return walk_stmt(w, n->child[KT_RANGE_BODY]) & ~(unsigned)(FX_BREAK | FX_CONTINUE);
	}
	case KT_IF:
		return walk_if(w, n);
	case KT_ASM:
	case KT_STMT_UNKNOWN:
		walk_visit(w, n, MODE_VALUE);
		return 0;
	default:
		return walk_children(w, n);
	}
}

static void collect_locals(struct locset *out, struct arena *a, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_VAR && n->sym) {
			locset_add(out, a, LOC_VAR(n->sym));
		}
	}
}

/* A copy of the set in an arena, without spare capacity. */
static struct locset keep_set(struct arena *a, const struct locset *s)
{
	return (struct locset){
		.v = s->n ? arena_memdup(a, s->v, s->n * sizeof(*s->v)) : NULL, .n = s->n};
}

static void find_effects(struct fx *out, struct facts *f, const struct kt_node *n)
{
	struct walk w = {.f = f, .a = f->scratch};
	struct fx fx = {0};
	scratch_begin(f);
	unsigned exits = walk_stmt(&w, n);
	struct locset own = {0};
	collect_locals(&own, f->scratch, n);
	array_each (&w.ev, struct event, e) {
		if (LOC_IS_VAR(e->loc) && locset_has(&own, e->loc) &&
			f->u->sym[LOC_SYM(e->loc)].kind == KT_S_LOCAL) {
			continue;
		}
		locset_add(e->kind == EVENT_READ ? &fx.reads : &fx.writes, f->scratch, e->loc);
	}
	*out = (struct fx){
		keep_set(f->arena, &fx.reads), keep_set(f->arena, &fx.writes), w.flags | exits};
	scratch_end(f);
	array_release(&w.ev);
}

struct fx facts_effects(struct facts *f, const struct kt_node *n)
{
	struct fx *fx = n ? (struct fx *)ids_get(&f->effects, (uintptr_t)n, 0) : NULL;
	if (n && !fx) {
		fx = ARENA_NEW(f->arena, struct fx);
		find_effects(fx, f, n);
		ids_set(&f->effects, (uintptr_t)n, (uintptr_t)fx);
	}
	return fx ? *fx : (struct fx){.flags = 0};
}

void facts_add_effects(struct fx *sum, struct facts *f, struct arena *a, const struct kt_node *n)
{
	struct fx fx = facts_effects(f, n);
	locset_union(&sum->reads, a, &fx.reads);
	locset_union(&sum->writes, a, &fx.writes);
	sum->flags |= fx.flags;
}

bool facts_writes(struct facts *f, const struct kt_node *n, loc_id loc)
{
	struct fx fx = facts_effects(f, n);
	return locset_has(&fx.writes, loc);
}

bool facts_acts(struct facts *f, const struct kt_node *n)
{
	struct fx fx = facts_effects(f, n);
	return fx_acts(&fx);
}

static bool ends_in_return(const struct kt_node *n)
{
	switch (n ? n->kind : KT_STMT_UNKNOWN) {
	case KT_RETURN:
		return true;
	case KT_COMPOUND:
		return n->n && ends_in_return(n->child[n->n - 1]);
	case KT_IF:
		return ends_in_return(n->child[KT_IF_THEN]) && ends_in_return(n->child[KT_IF_ELSE]);
	default:
		return false;
	}
}

bool facts_always_returns(struct facts *f, const struct kt_node *n)
{
	if (!ends_in_return(n)) {
		return false;
	}
	struct fx fx = facts_effects(f, n);
	return !(fx.flags & (FX_BREAK | FX_CONTINUE | FX_GOTO | FX_LABEL | FX_UNKNOWN));
}

/* Removes the function's own variables, which callers cannot see. */
static void drop_own(struct facts *f, struct locset *s, kt_id fn)
{
	struct locset kept = {0};
	for (uint32_t i = 0; i < s->n; i++) {
		loc_id loc = s->v[i];
		bool own = LOC_IS_VAR(loc) && f->u->sym[LOC_SYM(loc)].fn == fn;
		if (!own) {
			locset_add(&kept, f->arena, loc);
		}
	}
	*s = kept;
}

void facts_at_call(struct fx *out, struct facts *f, struct arena *a, const struct kt_node *call,
	const struct fx *fx)
{
	struct fx in = *fx;
	*out = (struct fx){.flags = fx->flags};
	drop_own(f, &in.reads, call->fn);
	drop_own(f, &in.writes, call->fn);
	for (uint32_t i = 0; i < in.reads.n; i++) {
		points_at_call(&out->reads, f, a, call, in.reads.v[i]);
	}
	for (uint32_t i = 0; i < in.writes.n; i++) {
		points_at_call(&out->writes, f, a, call, in.writes.v[i]);
	}
}

static const struct fx *unknown_fx(struct facts *f)
{
	struct fx *fx = ARENA_NEW(f->arena, struct fx);
	locset_add(&fx->reads, f->arena, LOC_UNKNOWN);
	locset_add(&fx->writes, f->arena, LOC_UNKNOWN);
	fx->flags = FX_UNKNOWN;
	return fx;
}

const struct fx *facts_summary(struct facts *f, kt_id fn)
{
	struct fn_info *info = &f->fn[fn];
	if (!f->u->fn[fn].body || info->state == STATE_BUSY) {
		return unknown_fx(f); /* no body, or recursion */
	}
	if (info->state == STATE_NEW) {
		info->state = STATE_BUSY;
		find_effects(&info->summary, f, f->u->fn[fn].body);
		drop_own(f, &info->summary.reads, fn);
		drop_own(f, &info->summary.writes, fn);
		info->summary.flags &=
			~(unsigned)(FX_BREAK | FX_CONTINUE | FX_LABEL | FX_GOTO | FX_RETURN);
		info->state = STATE_DONE;
	}
	return &info->summary;
}
