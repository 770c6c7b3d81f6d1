#include "analysis/facts/facts.h"

#include <string.h>
#include "analysis/facts/asm.h"
#include "analysis/facts/points.h"

enum state {
	STATE_NEW,
	STATE_BUSY,
	STATE_DONE
};

enum mode {
	MODE_VALUE,
	MODE_PLACE,
	MODE_WRITE,
	MODE_UPDATE
};

struct walk {
	struct facts *f;
	struct arena *a;
	unsigned flags;
	ARRAY(struct event) ev;
	unsigned conditional; /* depth of &&, ||, ?: arms: writes there are no kills */
	const struct access_visitor *visitor; /* or NULL */
};

static void visit(struct walk *w, const struct kt_node *n, enum mode mode);

const struct intrinsic_db *facts_intrinsics(const struct facts *f)
{
	return f->db;
}

/* ---- events ---- */

static void emit(struct walk *w, enum event_kind kind, loc_id loc, const struct kt_node *n)
{
	if (kind == EVENT_KILL && w->conditional) {
		kind = EVENT_WRITE;
	}
	array_push(&w->ev, (struct event){kind, loc, n});
}

static void emit_set(
	struct walk *w, enum event_kind kind, const struct locset *s, const struct kt_node *n)
{
	if (kind == EVENT_KILL && s->n != 1) {
		kind = EVENT_WRITE;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		bool precise = LOC_IS_SYM(s->v[i]);
		emit(w, kind == EVENT_KILL && !precise ? EVENT_WRITE : kind, s->v[i], n);
	}
}

/* Does writing lvalue n overwrite the object whole? */
static bool whole_object(const struct walk *w, const struct kt_node *n)
{
	return n->kind == KT_REF && n->sym && !points_is_array(w->f, n) &&
	       (w->f->u->sym[n->sym].kind == KT_S_PARAM ||
		       !points_is_kind(w->f, w->f->u->sym[n->sym].type, KT_T_REFERENCE));
}

static void access_place(struct walk *w, const struct kt_node *n, enum mode mode)
{
	struct locset s = {0};
	if (n->flags & KT_F_VOLATILE || points_type(w->f, n->type)->is_volatile) {
		w->flags |= FX_VOLATILE;
	}
	if (w->visitor) {
		w->visitor->place(w->visitor->user, n, mode != MODE_WRITE, mode != MODE_VALUE);
		return;
	}
	facts_lvalue(&s, w->f, w->a, n);
	if (mode == MODE_VALUE || mode == MODE_UPDATE) {
		emit_set(w, EVENT_READ, &s, n);
	}
	if (mode == MODE_WRITE) {
		emit_set(w, whole_object(w, n) ? EVENT_KILL : EVENT_WRITE, &s, n);
	} else if (mode == MODE_UPDATE) {
		emit_set(w, EVENT_WRITE, &s, n);
	}
}

static void visit_all(struct walk *w, const struct kt_node *n, enum mode mode)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			visit(w, n->child[i], mode);
		}
	}
}

static void visit_unknown(struct walk *w, const struct kt_node *n)
{
	w->flags |= FX_UNKNOWN;
	visit_all(w, n, MODE_VALUE);
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	struct locset s = {0};
	facts_lvalue(&s, w->f, w->a, n);
	facts_pointees(&s, w->f, w->a, n);
	locset_add(&s, w->a, LOC_UNKNOWN);
	emit_set(w, EVENT_READ, &s, n);
	emit_set(w, EVENT_WRITE, &s, n);
}

static unsigned intrinsic_flags(enum intrinsic_kind k)
{
	static const unsigned of[] = {
		[INTRINSIC_MATRIX] = FX_MATRIX,
		[INTRINSIC_CROSSLANE] = FX_CROSSLANE,
		[INTRINSIC_BARRIER] = FX_BARRIER,
		[INTRINSIC_FENCE] = FX_FENCE,
		[INTRINSIC_ATOMIC] = FX_ATOMIC,
		[INTRINSIC_ASYNC] = FX_ASYNC,
		[INTRINSIC_TRAP] = FX_TRAP,
		[INTRINSIC_UNREACHABLE] = FX_UNREACHABLE,
	};
	return (size_t)k < sizeof(of) / sizeof(of[0]) ? of[k] : 0;
}

/* Builtins get their memory effects from their pointer arguments. */
static void visit_intrinsic(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	w->flags |= intrinsic_flags(in->kind);
	struct locset mem = {0};
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *arg = n->child[i];
		bool array = points_is_array(w->f, arg);
		visit(w, arg, array ? MODE_PLACE : MODE_VALUE);
		if (array || points_is_kind(w->f, arg->type, KT_T_POINTER)) {
			facts_pointees(&mem, w->f, w->a, arg);
		}
	}
	if (w->visitor) {
		w->visitor->call(w->visitor->user, n, in);
		return;
	}
	bool writes = in->kind != INTRINSIC_LOAD;
	bool reads = in->kind != INTRINSIC_STORE;
	if (in->kind == INTRINSIC_BARRIER || in->kind == INTRINSIC_FENCE) {
		reads = writes = false;
	}
	if (reads) {
		emit_set(w, EVENT_READ, &mem, n);
	}
	if (writes) {
		emit_set(w, EVENT_WRITE, &mem, n);
	}
}

static bool by_reference(const struct walk *w, const struct kt_fn *fn, size_t param)
{
	return fn && param < fn->params &&
	       points_is_kind(w->f, w->f->u->sym[fn->param[param]].type, KT_T_REFERENCE);
}

static void visit_arguments(struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = points_callee(w->f, n);
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = 0; i < n->n; i++) {
		bool place = i < first || by_reference(w, fn, i - first) ||
			     points_is_array(w->f, n->child[i]);
		if (i < first && points_is_kind(w->f, n->child[i]->type, KT_T_POINTER)) {
			place = false;
		}
		visit(w, n->child[i], place ? MODE_PLACE : MODE_VALUE);
	}
}

static bool uses(const struct fx *fx, loc_id loc)
{
	return locset_has(&fx->reads, loc) || locset_has(&fx->writes, loc);
}

static void emit_summary(struct walk *w, const struct kt_node *n, const struct fx *fx)
{
	w->flags |= fx->flags & ~(unsigned)FX_RETURN;
	bool uses_this = uses(fx, LOC_THIS) || uses(fx, LOC_BEYOND_THIS);
	if (uses_this && w->f->u->fn[n->fn].is_lambda && points_this(w->f, n) == LOC_THIS) {
		w->flags |= FX_UNKNOWN; /* whose object it is cannot be told here */
	}
	struct locset s = {0};
	for (uint32_t i = 0; i < fx->reads.n; i++) {
		points_at_call(&s, w->f, w->a, n, fx->reads.v[i]);
	}
	emit_set(w, EVENT_READ, &s, n);
	s = (struct locset){0};
	for (uint32_t i = 0; i < fx->writes.n; i++) {
		points_at_call(&s, w->f, w->a, n, fx->writes.v[i]);
	}
	for (uint32_t i = 0; i < s.n; i++) {
		emit(w, EVENT_WRITE, s.v[i], n);
	}
}

bool facts_sets_bytes(const struct facts *f, const struct kt_node *call, bool *copies)
{
	static const char *const name[] = {"memset", "__builtin_memset", "memcpy",
		"__builtin_memcpy", "memmove", "__builtin_memmove"};
	const struct kt_fn *fn = points_callee(f, call);
	const char *is = fn ? fn->base : call->text;
	bool own = fn && ((fn->body && !fn->in_system_header) || strcmp(fn->name, fn->base) != 0);
	if (!is || own || call->flags & KT_F_METHOD || call->n != 3) {
		return false;
	}
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		if (strcmp(is, name[i]) == 0) {
			*copies = i > 1;
			return true;
		}
	}
	return false;
}

/* What it writes it does not read. All else is that of a call that is not known, as ever. */
static void visit_bytes(struct walk *w, const struct kt_node *n, bool copies)
{
	struct locset from = {0}, to = {0};
	for (size_t i = 0; i < n->n; i++) {
		visit(w, n->child[i], points_is_array(w->f, n->child[i]) ? MODE_PLACE : MODE_VALUE);
	}
	w->flags |= FX_UNKNOWN;
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	facts_pointees(&from, w->f, w->a, n->child[1]);
	facts_pointees(&to, w->f, w->a, n->child[0]);
	if (copies && from.n == 0) {
		locset_add(&from, w->a, LOC_UNKNOWN);
	}
	locset_add(&to, w->a, LOC_UNKNOWN);
	if (copies) {
		emit_set(w, EVENT_READ, &from, n);
	}
	emit_set(w, EVENT_WRITE, &to, n);
}

static void visit_call(struct walk *w, const struct kt_node *n)
{
	const struct intrinsic *in = facts_intrinsic(w->f, n);
	if (in) {
		visit_intrinsic(w, n, in);
		return;
	}
	const struct kt_fn *fn = points_callee(w->f, n);
	bool copies;
	if (!(fn && fn->body) && facts_sets_bytes(w->f, n, &copies)) {
		visit_bytes(w, n, copies);
		return;
	}
	visit_arguments(w, n);
	if (fn && fn->body) {
		if (w->visitor) {
			w->visitor->call(w->visitor->user, n, NULL);
		} else {
			emit_summary(w, n, facts_summary(w->f, n->fn));
		}
		return;
	}
	if (n->kind == KT_CONSTRUCT && fn && fn->is_trivial) {
		struct locset s = {0};
		for (size_t i = 0; i < n->n; i++) {
			if (w->visitor) {
				w->visitor->place(w->visitor->user, n->child[i], true, false);
				continue;
			}
			facts_lvalue(&s, w->f, w->a, n->child[i]);
		}
		emit_set(w, EVENT_READ, &s, n);
		return;
	}
	if (kt_assigns_bytes(w->f->u, n)) {
		struct locset s = {0};
		if (w->visitor) {
			w->visitor->place(w->visitor->user, n->child[1], true, false);
		} else {
			facts_lvalue(&s, w->f, w->a, n->child[1]);
			emit_set(w, EVENT_READ, &s, n);
		}
		access_place(w, n->child[0], MODE_WRITE);
		return;
	}
	w->flags |= FX_UNKNOWN;
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	struct locset s = {0};
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	locset_add(&s, w->a, LOC_UNKNOWN);
	for (size_t i = 0; i < n->n; i++) {
		/* a declaration says which arguments go by value */
		if (!fn || i < first || by_reference(w, fn, i - first)) {
			facts_lvalue(&s, w->f, w->a, n->child[i]);
		}
		facts_pointees(&s, w->f, w->a, n->child[i]);
	}
	emit_set(w, EVENT_READ, &s, n);
	emit_set(w, EVENT_WRITE, &s, n);
}

/* Evaluates what an lvalue needs (indexes, pointers), not the object itself. */
static void visit_designator(struct walk *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
	case KT_THIS:
		return;
	case KT_MEMBER:
		if (n->n && n->child[0]) {
			visit(w, n->child[0], n->flags & KT_F_ARROW ? MODE_VALUE : MODE_PLACE);
		}
		return;
	case KT_INDEX: {
		bool pointer = points_is_kind(w->f, n->child[0]->type, KT_T_POINTER);
		visit(w, n->child[0], pointer ? MODE_VALUE : MODE_PLACE);
		visit(w, n->child[1], MODE_VALUE);
		return;
	}
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->n) {
			visit(w, n->child[0], MODE_VALUE);
			return;
		}
		break;
	case KT_CAST:
		if (n->n) {
			visit(w, n->child[0], MODE_PLACE);
		}
		return;
	default:
		break;
	}
	visit(w, n, MODE_VALUE);
}

static bool is_place(const struct kt_node *n)
{
	return n->kind == KT_REF || n->kind == KT_MEMBER || n->kind == KT_INDEX ||
	       (n->kind == KT_UNARY && n->op == KT_OP_DEREF);
}

static void visit_unary(struct walk *w, const struct kt_node *n)
{
	if (!n->n) {
		return;
	}
	switch (n->op) {
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC:
		visit(w, n->child[0], MODE_UPDATE);
		break;
	case KT_OP_ADDR:
		visit(w, n->child[0], MODE_PLACE);
		break;
	default:
		visit(w, n->child[0], MODE_VALUE);
		break;
	}
}

static void visit_var(struct walk *w, const struct kt_node *n)
{
	const struct kt_sym *s = &w->f->u->sym[n->sym];
	bool reference = points_is_kind(w->f, s->type, KT_T_REFERENCE);
	if (n->n) {
		visit(w, n->child[0], reference ? MODE_PLACE : MODE_VALUE);
	}
	if (!reference && s->kind == KT_S_LOCAL) {
		/* a new object each time: nothing of the old one is left */
		emit(w, EVENT_KILL, LOC_VAR(n->sym), n);
	}
}

/* Only an empty template, or one that just waits or does nothing, is harmless without a look at
 * its operands, of which it has none. */
static bool is_idle(const struct kt_node *n)
{
	struct str t = str_of(n->text ? n->text : "");
	size_t q = str_find(t, "\"", 0);
	struct str rest = q == SIZE_MAX ? t : str_sub(t, q + 1, t.n);
	size_t e = str_find(rest, "\"", 0);
	struct str body = str_trim(str_sub(rest, 0, e == SIZE_MAX ? rest.n : e));
	bool operands = str_find(t, ":", 0) != SIZE_MAX;
	return !operands && (body.n == 0 || str_starts(body, "s_nop") ||
				    str_starts(body, "s_waitcnt") || str_starts(body, ";"));
}

/* All is read before anything is written; an early clobber only says that no register is shared. */
static void visit_operands(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (asm_reads(n->child[i])) {
			visit(w, n->child[i]->child[0], MODE_VALUE);
		}
	}
	for (size_t i = 0; i < n->n; i++) {
		if (asm_writes(n->child[i])) {
			visit(w, n->child[i]->child[0], MODE_WRITE);
		}
	}
}

static void visit_asm(struct walk *w, const struct kt_node *n)
{
	enum asm_effect effect = asm_effect(w->f->u, w->f->db, n);
	bool known = effect != ASM_ANYTHING && !is_idle(n);
	if (w->visitor && !known) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	visit_operands(w, n);
	if (known) {
		w->flags |= (asm_is_volatile(n) ? FX_PINNED : 0) |
			    (effect == ASM_MATRIX ? FX_MATRIX : 0) |
			    (effect == ASM_LANES ? FX_CROSSLANE : 0);
		return;
	}
	if (is_idle(n)) {
		w->flags |= FX_FENCE;
		return;
	}
	w->flags |= FX_ASM | FX_UNKNOWN;
	emit(w, EVENT_READ, LOC_UNKNOWN, n);
	emit(w, EVENT_WRITE, LOC_UNKNOWN, n);
}

/* The object that holds the reference is written, not what the reference names. */
static void visit_binding(struct walk *w, const struct kt_node *n)
{
	struct locset s = {0};
	visit(w, n->child[1], MODE_PLACE);
	points_binder(&s, w->f, w->a, n);
	if (w->visitor) {
		w->visitor->place(w->visitor->user, n->child[0], false, true);
	}
	emit_set(w, EVENT_WRITE, &s, n);
}

/* Of a reference the place is handed out: whether it is read, the caller says. */
static enum mode returned_mode(const struct walk *w, const struct kt_node *n)
{
	kt_id fn = facts_function_of(w->f, n);
	bool place = !w->visitor && points_is_kind(w->f, w->f->u->fn[fn].ret, KT_T_REFERENCE);
	return place ? MODE_PLACE : MODE_VALUE;
}

/* Is n a statement of its own, the value of which nobody takes? */
static bool is_discarded(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	switch (up ? up->kind : KT_NONE) {
	case KT_COMPOUND: /* ({ ...; n; }) has a value */
		return !up->parent || kt_is_stmt(up->parent->kind);
	case KT_IF:
		return n->slot == KT_IF_THEN || n->slot == KT_IF_ELSE;
	case KT_CASE:
		return n->slot == KT_CASE_STMT;
	case KT_DEFAULT:
		return true;
	default:
		return up &&
		       (kt_loop_body(up) == n || (up->kind == KT_FOR && n->slot == KT_FOR_INC));
	}
}

static void visit(struct walk *w, const struct kt_node *n, enum mode mode)
{
	if (is_place(n)) {
		if (n->kind == KT_REF && n->fn) {
			return; /* a function's name */
		}
		visit_designator(w, n);
		bool decays = mode == MODE_VALUE && points_is_array(w->f, n);
		if (mode != MODE_PLACE && !decays) {
			access_place(w, n, mode);
		}
		return;
	}
	switch (n->kind) {
	case KT_ASSIGN:
		if (n->n < 2) {
			visit_all(w, n, MODE_WRITE);
			return;
		}
		if (n->flags & KT_F_BINDS) {
			visit_binding(w, n);
			return;
		}
		visit(w, n->child[1], MODE_VALUE);
		visit(w, n->child[0], n->op == KT_OP_NONE ? MODE_WRITE : MODE_UPDATE);
		break;
	case KT_UNARY:
		visit_unary(w, n);
		break;
	case KT_BINARY:
		visit(w, n->child[0], n->op == KT_OP_COMMA ? MODE_PLACE : MODE_VALUE);
		w->conditional += n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		visit(w, n->child[1], n->op == KT_OP_COMMA ? mode : MODE_VALUE);
		w->conditional -= n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		return;
	case KT_COND:
		visit(w, n->child[KT_COND_COND], MODE_VALUE);
		w->conditional++;
		visit(w, n->child[KT_COND_THEN], mode);
		visit(w, n->child[KT_COND_ELSE], mode);
		w->conditional--;
		return;
	case KT_CALL:
	case KT_CONSTRUCT:
		visit_call(w, n);
		break;
	case KT_CAST:
		if (n->n) {
			visit(w, n->child[0], mode);
		}
		return;
	case KT_VAR:
		visit_var(w, n);
		return;
	case KT_ASM:
		visit_asm(w, n);
		return;
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		visit_unknown(w, n);
		return;
	case KT_SIZEOF:
	case KT_THIS:
		return;
	case KT_RETURN:
		visit_all(w, n, returned_mode(w, n));
		return;
	default:
		visit_all(w, n, MODE_VALUE);
		return;
	}
	/* A call, an assignment or an increment is an lvalue too: the place it yields may be used.
	 */
	if (mode == MODE_PLACE || !n->type || (mode == MODE_VALUE && is_discarded(n))) {
		return;
	}
	bool yields_place = n->kind == KT_CALL && n->fn &&
			    points_is_kind(w->f, w->f->u->fn[n->fn].ret, KT_T_REFERENCE);
	if (yields_place && !points_is_array(w->f, n)) {
		access_place(w, n, mode);
	} else if (n->kind == KT_ASSIGN && mode != MODE_VALUE) {
		access_place(w, n, mode);
	}
}

void facts_accesses(
	struct facts *f, struct arena *a, const struct kt_node *n, const struct access_visitor *v)
{
	struct walk w = {.f = f, .a = a, .visitor = v};
	visit(&w, n, MODE_VALUE);
	array_release(&w.ev);
}

/* Around what calls itself through summaries: their scratch goes when the outermost ends. */
static void scratch_begin(struct facts *f)
{
	f->busy++;
}

static void scratch_end(struct facts *f)
{
	if (--f->busy == 0) {
		arena_clear(f->scratch);
	}
}

struct event *facts_events(struct facts *f, const struct kt_node *n, size_t *count)
{
	const struct event_list *known = (struct event_list *)ids_get(&f->events, (uintptr_t)n, 0);
	if (!known) {
		struct walk w = {.f = f, .a = f->scratch};
		scratch_begin(f);
		visit(&w, n, MODE_VALUE);
		struct event_list *l = ARENA_NEW(f->arena, struct event_list);
		*l = (struct event_list){array_to_arena(f->arena, &w.ev), w.ev.n};
		scratch_end(f);
		array_release(&w.ev);
		ids_set(&f->events, (uintptr_t)n, (uintptr_t)l);
		known = l;
	}
	*count = known->n;
	return known->v;
}

/* ---- effects of statements ---- */

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

/* Events and flags go to w; returns the FX_BREAK, FX_CONTINUE, FX_LABEL that leave n. */
static unsigned walk_stmt(struct walk *w, const struct kt_node *n)
{
	if (!kt_is_stmt(n->kind)) {
		visit(w, n, MODE_VALUE);
		return 0;
	}
	switch (n->kind) {
	case KT_BREAK:
		return FX_BREAK;
	case KT_CONTINUE:
		return FX_CONTINUE;
	case KT_RETURN:
		w->flags |= FX_RETURN;
		visit(w, n, MODE_VALUE);
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
		visit(w, n->child[KT_RANGE_RANGE], MODE_PLACE);
		struct locset s = {0};
		facts_elements(&s, w->f, w->a, n->child[KT_RANGE_RANGE]);
		const struct kt_node *var = n->child[KT_RANGE_VAR];
		if (!points_is_kind(w->f, var->type, KT_T_REFERENCE)) {
			emit_set(w, EVENT_READ, &s, n);
		}
		emit(w, EVENT_KILL, LOC_VAR(var->sym), var);
		return walk_stmt(w, n->child[KT_RANGE_BODY]) & ~(unsigned)(FX_BREAK | FX_CONTINUE);
	}
	case KT_ASM:
	case KT_STMT_UNKNOWN:
		visit(w, n, MODE_VALUE);
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

/* The set as an arena keeps it: no room to grow. */
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

/* Only what a caller can see: not the function's own variables. */
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

struct facts *facts_create(struct kt_unit *u, struct arena *a, const struct intrinsic_db *db)
{
	struct facts *f = ARENA_NEW(a, struct facts);
	f->u = u;
	f->arena = a;
	f->db = db;
	f->fn = ARENA_ARRAY(a, struct fn_info, u->fns);
	f->scratch = arena_create();
	f->compared = arena_create();
	points_solve(f);
	return f;
}

void facts_release(struct facts *f)
{
	for (kt_id id = 0; id < f->u->fns; id++) {
		array_release(&f->fn[id].callers);
		array_release(&f->fn[id].returns);
	}
	array_each (&f->keeps, struct kept, k) {
		k->release(k->what);
	}
	array_release(&f->keeps);
	for (size_t i = 0; i < FACTS_KEEPS; i++) {
		ids_release(&f->kept[i]);
	}
	array_release(&f->stores);
	ids_release(&f->fn_of_body);
	ids_release(&f->effects);
	ids_release(&f->events);
	arena_free(f->scratch);
	arena_free(f->compared);
}

void *facts_kept(const struct facts *f, enum facts_keep what, kt_id fn)
{
	return (void *)ids_get(&f->kept[what], (uintptr_t)fn + 1, 0);
}

void facts_keep(
	struct facts *f, enum facts_keep what, kt_id fn, void *p, void (*release)(void *what))
{
	ids_set(&f->kept[what], (uintptr_t)fn + 1, (uintptr_t)p);
	array_push(&f->keeps, (struct kept){p, release});
}

struct arena *facts_arena(const struct facts *f)
{
	return f->arena;
}
