#include "analysis/facts/walk.h"

#include <string.h>

#include "analysis/facts/asm.h"

void walk_emit(struct walk *w, enum event_kind kind, loc_id loc, const struct kt_node *n)
{
	if (kind == EVENT_KILL && w->conditional) {
		kind = EVENT_WRITE;
	}
	array_push(&w->ev, (struct event){kind, loc, n});
}

void walk_emit_set(
	struct walk *w, enum event_kind kind, const struct locset *s, const struct kt_node *n)
{
	if (kind == EVENT_KILL && s->n != 1) {
		kind = EVENT_WRITE;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		bool precise = LOC_IS_SYM(s->v[i]);
		walk_emit(w, kind == EVENT_KILL && !precise ? EVENT_WRITE : kind, s->v[i], n);
	}
}

/* Does a write to lvalue n overwrite the whole object? */
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
		walk_emit_set(w, EVENT_READ, &s, n);
	}
	if (mode == MODE_WRITE) {
		walk_emit_set(w, whole_object(w, n) ? EVENT_KILL : EVENT_WRITE, &s, n);
	} else if (mode == MODE_UPDATE) {
		walk_emit_set(w, EVENT_WRITE, &s, n);
	}
}

static void visit_all(struct walk *w, const struct kt_node *n, enum mode mode)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			walk_visit(w, n->child[i], mode);
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
	walk_emit_set(w, EVENT_READ, &s, n);
	walk_emit_set(w, EVENT_WRITE, &s, n);
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
		walk_visit(w, arg, array ? MODE_PLACE : MODE_VALUE);
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
		walk_emit_set(w, EVENT_READ, &mem, n);
	}
	if (writes) {
		walk_emit_set(w, EVENT_WRITE, &mem, n);
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
		walk_visit(w, n->child[i], place ? MODE_PLACE : MODE_VALUE);
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
	if (uses_this && w->f->u->fn[n->fn].is_lambda) {
		w->flags |= FX_UNKNOWN; /* the object is unknown here */
	}
	struct locset s = {0};
	if (w->f->u->fn[n->fn].is_lambda) {
		/* its variables depend on the closure */
		points_self_locs(&s, w->f, w->a, n, false);
	}
	for (uint32_t i = 0; i < fx->reads.n; i++) {
		points_at_call(&s, w->f, w->a, n, fx->reads.v[i]);
	}
	walk_emit_set(w, EVENT_READ, &s, n);
	s = (struct locset){0};
	for (uint32_t i = 0; i < fx->writes.n; i++) {
		points_at_call(&s, w->f, w->a, n, fx->writes.v[i]);
	}
	for (uint32_t i = 0; i < s.n; i++) {
		walk_emit(w, EVENT_WRITE, s.v[i], n);
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

/* The written bytes are not read. All other effects are those of an unknown call. */
static void visit_bytes(struct walk *w, const struct kt_node *n, bool copies)
{
	struct locset from = {0}, to = {0};
	for (size_t i = 0; i < n->n; i++) {
		walk_visit(w, n->child[i],
			points_is_array(w->f, n->child[i]) ? MODE_PLACE : MODE_VALUE);
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
		walk_emit_set(w, EVENT_READ, &from, n);
	}
	walk_emit_set(w, EVENT_WRITE, &to, n);
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
		walk_emit_set(w, EVENT_READ, &s, n);
		return;
	}
	if (kt_assigns_bytes(w->f->u, n)) {
		struct locset s = {0};
		if (w->visitor) {
			w->visitor->place(w->visitor->user, n->child[1], true, false);
		} else {
			facts_lvalue(&s, w->f, w->a, n->child[1]);
			walk_emit_set(w, EVENT_READ, &s, n);
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
		/* the declaration shows which arguments are passed by value */
		if (!fn || i < first || by_reference(w, fn, i - first)) {
			facts_lvalue(&s, w->f, w->a, n->child[i]);
		}
		facts_pointees(&s, w->f, w->a, n->child[i]);
	}
	walk_emit_set(w, EVENT_READ, &s, n);
	walk_emit_set(w, EVENT_WRITE, &s, n);
}

/* Evaluates the indices and pointers of an lvalue, not the object itself. */
static void visit_designator(struct walk *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
	case KT_THIS:
		return;
	case KT_MEMBER:
		if (n->n && n->child[0]) {
			walk_visit(w, n->child[0], n->flags & KT_F_ARROW ? MODE_VALUE : MODE_PLACE);
		}
		return;
	case KT_INDEX: {
		bool pointer = points_is_kind(w->f, n->child[0]->type, KT_T_POINTER);
		walk_visit(w, n->child[0], pointer ? MODE_VALUE : MODE_PLACE);
		walk_visit(w, n->child[1], MODE_VALUE);
		return;
	}
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->n) {
			walk_visit(w, n->child[0], MODE_VALUE);
			return;
		}
		break;
	case KT_CAST:
		if (n->n) {
			walk_visit(w, n->child[0], MODE_PLACE);
		}
		return;
	default:
		break;
	}
	walk_visit(w, n, MODE_VALUE);
}

/* A captured array does not decay: the closure gets a copy of it. */
static void visit_captures(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		walk_visit(w, c, MODE_VALUE);
		if (kt_is_place(c) && points_is_array(w->f, c)) {
			access_place(w, c, MODE_VALUE);
		}
	}
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
		walk_visit(w, n->child[0], MODE_UPDATE);
		break;
	case KT_OP_ADDR:
		walk_visit(w, n->child[0], MODE_PLACE);
		break;
	default:
		walk_visit(w, n->child[0], MODE_VALUE);
		break;
	}
}

static void visit_var(struct walk *w, const struct kt_node *n)
{
	const struct kt_sym *s = &w->f->u->sym[n->sym];
	bool reference = points_is_kind(w->f, s->type, KT_T_REFERENCE);
	if (n->n) {
		walk_visit(w, n->child[0], reference ? MODE_PLACE : MODE_VALUE);
	}
	if (!reference && s->kind == KT_S_LOCAL) {
		/* a new object each time, which overwrites the old one */
		walk_emit(w, EVENT_KILL, LOC_VAR(n->sym), n);
	}
}

/* Is the template empty, or does it only wait or do nothing? Then it is harmless, without
 * operands. */
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

/* All reads come before all writes; an early clobber only means that no register is shared. */
static void visit_operands(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (asm_reads(n->child[i])) {
			walk_visit(w, n->child[i]->child[0], MODE_VALUE);
		}
	}
	for (size_t i = 0; i < n->n; i++) {
		if (asm_writes(n->child[i])) {
			walk_visit(w, n->child[i]->child[0], MODE_WRITE);
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
	walk_emit(w, EVENT_READ, LOC_UNKNOWN, n);
	walk_emit(w, EVENT_WRITE, LOC_UNKNOWN, n);
}

/* This writes the object with the reference, not the reference's target. */
static void visit_binding(struct walk *w, const struct kt_node *n)
{
	struct locset s = {0};
	walk_visit(w, n->child[1], MODE_PLACE);
	points_binder(&s, w->f, w->a, n);
	if (w->visitor) {
		w->visitor->place(w->visitor->user, n->child[0], false, true);
	}
	walk_emit_set(w, EVENT_WRITE, &s, n);
}

/* For a reference the place is returned: the caller decides whether it is read. */
static enum mode returned_mode(const struct walk *w, const struct kt_node *n)
{
	kt_id fn = facts_function_of(w->f, n);
	bool place = !w->visitor && points_is_kind(w->f, w->f->u->fn[fn].ret, KT_T_REFERENCE);
	return place ? MODE_PLACE : MODE_VALUE;
}

/* Is n a statement whose value is not used? */
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

void walk_visit(struct walk *w, const struct kt_node *n, enum mode mode)
{
	if (kt_is_place(n)) {
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
		walk_visit(w, n->child[1], MODE_VALUE);
		walk_visit(w, n->child[0], n->op == KT_OP_NONE ? MODE_WRITE : MODE_UPDATE);
		break;
	case KT_UNARY:
		visit_unary(w, n);
		break;
	case KT_BINARY:
		walk_visit(w, n->child[0], n->op == KT_OP_COMMA ? MODE_PLACE : MODE_VALUE);
		w->conditional += n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		walk_visit(w, n->child[1], n->op == KT_OP_COMMA ? mode : MODE_VALUE);
		w->conditional -= n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		return;
	case KT_COND:
		walk_visit(w, n->child[KT_COND_COND], MODE_VALUE);
		w->conditional++;
		walk_visit(w, n->child[KT_COND_THEN], mode);
		walk_visit(w, n->child[KT_COND_ELSE], mode);
		w->conditional--;
		return;
	case KT_CALL:
	case KT_CONSTRUCT:
		visit_call(w, n);
		break;
	case KT_CAST:
		if (n->n) {
			walk_visit(w, n->child[0], mode);
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
	case KT_LAMBDA:
		visit_captures(w, n);
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
	/* A call, an assignment or an increment may be an lvalue, too, whose place is used. */
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
	walk_visit(&w, n, MODE_VALUE);
	array_release(&w.ev);
}

struct event *facts_events(struct facts *f, const struct kt_node *n, size_t *count)
{
	const struct event_list *known = (struct event_list *)ids_get(&f->events, (uintptr_t)n, 0);
	if (!known) {
		struct walk w = {.f = f, .a = f->scratch};
		scratch_begin(f);
		walk_visit(&w, n, MODE_VALUE);
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
