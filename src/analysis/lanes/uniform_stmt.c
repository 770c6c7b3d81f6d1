/* Statements, as the lanes run them. The rules are in uniform.c. */
#include "analysis/facts/asm.h"
#include "analysis/lanes/uniform_walk.h"

/* The region level of the variable that the lvalue n is a part of. A reference to it has that
 * level, too. */
static unsigned storage_level(struct walk *w, const struct kt_node *n)
{
	while (n->n && n->child[0] &&
		(n->kind == KT_CAST || (n->kind == KT_MEMBER && !(n->flags & KT_F_ARROW)) ||
			(n->kind == KT_INDEX && !kt_is_pointer(w->u->unit, n->child[0])))) {
		n = n->child[0];
	}
	bool ours = n->kind == KT_REF && kt_is_variable(w->u->unit, n->sym) &&
		    uniform_sym_of(w->u, n->sym)->fn == w->fn;
	return ours ? w->u->slot[n->sym].level : 0;
}

/* n is bound to a reference: it may be written wherever the reference is visible. */
static void see_bound(struct walk *w, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym) {
			uniform_set_flag(w->u, &w->u->slot[n->sym].bound);
		}
	}
}

static void var_decl(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *init = n->n ? n->child[0] : NULL;
	uniform_record(w, n, BIT_LANE | (uniform_lanes_apart(w) ? BIT_APART : 0));
	if (!kt_is_variable(u->unit, n->sym)) {
		if (init) {
			uniform_value(w, init); /* static: in memory */
		}
		return;
	}
	struct slot *s = &u->slot[n->sym];
	s->level = w->here->level;
	s->init = init;
	unsigned bits = BIT_BOTH;
	enum kt_type_kind k = kt_object_type(u->unit, n->type)->kind;
	if (w->opaque) {
		uniform_expose_slot(u, n->sym, "it is in code that is not understood");
	}
	if (!init) {
		bool scalar = !kt_is_reference(u->unit, n->sym) && k != KT_T_ARRAY &&
			      k != KT_T_RECORD && k != KT_T_OTHER;
		if (!scalar || !uniform_is_followed(w, n->sym)) {
			uniform_demote(u, n->sym, BIT_BOTH, "it is not initialised");
		}
		s->why = s->why ? s->why : "it is not initialised";
	} else if (kt_is_reference(u->unit, n->sym)) {
		struct val v = uniform_eval(w, init);
		bits = uniform_bound(v);
		s->shared = v.addr == BIT_LOCAL && !w->opaque;
		s->level = storage_level(w, init);
		see_bound(w, init);
		uniform_bind(w, n->sym, init, bits);
	} else {
		bits = k == KT_T_ARRAY ? uniform_eval(w, init).bits : uniform_value(w, init);
		u->in_member = uniform_lists_elements(u, init);
		uniform_demote(u, n->sym, bits, "its value may differ between lanes");
		u->in_member = false;
	}
	if (uniform_is_followed(w, n->sym)) {
		uniform_begin(w, n->sym, bits, init);
	}
}

static void child_stmt(struct walk *w, const struct kt_node *n, size_t slot)
{
	if (n->child[slot]) {
		uniform_stmt(w, n->child[slot]);
	}
}

static unsigned child_value(struct walk *w, const struct kt_node *n, size_t slot)
{
	return n->child[slot] ? uniform_value(w, n->child[slot]) : 0;
}

static void if_stmt(struct walk *w, const struct kt_node *n)
{
	child_stmt(w, n, KT_IF_INIT);
	child_stmt(w, n, KT_IF_VAR);
	unsigned cond = child_value(w, n, KT_IF_COND);
	const struct kt_node *c = n->child[KT_IF_COND];
	struct region r;
	struct fork f;
	uniform_fork(w, &f);
	for (size_t i = KT_IF_THEN; i < KT_IF_SLOTS; i++) {
		bool never = c && c->flags & KT_F_VALUE && (i == KT_IF_THEN) != (c->value != 0);
		uniform_region_enter(w, &r, cond, c, NULL);
		w->dead = never;
		child_stmt(w, n, i);
		uniform_region_leave(w);
		uniform_way(w, &f, false);
	}
	/* after an arm that does not return, only the lanes that did not take it continue */
	uniform_join(w, &f, f.ways > 1 ? cond & (BIT_LANE | BIT_OWN) : 0);
}

static bool is_label(const struct kt_node *n)
{
	return n && (n->kind == KT_CASE || n->kind == KT_DEFAULT);
}

/* The label of a switch at which all lanes meet: the last one, if no value passes the switch by and
 * no code leaves it before. Else NULL. */
static const struct kt_node *meeting_label(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *body = n->child[KT_SWITCH_BODY], *last = NULL;
	bool covered = false, leaves = false, met = body && body->kind == KT_COMPOUND;
	for (size_t i = 0; met && i < body->n; i++) {
		const struct kt_node *at = body->child[i];
		met = !(leaves && kt_may_be_jumped_into(at));
		for (; is_label(at); at = at->child[at->n - 1]) {
			covered |= at->kind == KT_DEFAULT;
			last = at;
		}
		leaves |= facts_effects(w->u->facts, at).flags & (FX_EXIT | FX_LABEL | FX_UNKNOWN);
		met = met && !(at && kt_may_be_jumped_into(at));
	}
	return covered && met ? last : NULL;
}

static void switch_stmt(struct walk *w, const struct kt_node *n)
{
	child_stmt(w, n, KT_SWITCH_INIT);
	child_stmt(w, n, KT_SWITCH_VAR);
	unsigned cond = child_value(w, n, KT_SWITCH_COND);
	struct region r;
	struct fork f;
	uniform_fork(w, &f);
	uniform_region_enter(w, &r, cond, n->child[KT_SWITCH_COND], n);
	r.breaks = &f;
	r.meeting = meeting_label(w, n);
	child_stmt(w, n, KT_SWITCH_BODY);
	uniform_region_leave(w);
	uniform_way(w, &f, false);
	if (!r.meeting) {
		uniform_way_past(w, &f); /* no case label matches */
	}
	uniform_join(w, &f, uniform_region_bits(&r));
}

static void loop_condition(struct walk *w, const struct kt_node *cond)
{
	unsigned bits = cond ? uniform_value(w, cond) : 0;
	if (bits & BIT_LANE) {
		uniform_region_part(w, w->here, uniform_cause_of(bits, cond));
	}
	if (cond && !(cond->flags & KT_F_VALUE && cond->value)) {
		uniform_way(w, w->here->breaks, true);
	}
}

/* All lanes visit the same element of an array. The iterators of a class are unknown. */
static void range_variable(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *var = n->child[KT_RANGE_VAR];
	const struct kt_node *range = n->child[KT_RANGE_RANGE];
	unsigned bits = uniform_bound(uniform_eval(w, range));
	if (!kt_is_array(u->unit, range)) {
		bits = BIT_BOTH;
		uniform_write_to(w, range, BIT_BOTH, true);
		uniform_region_part(w, w->here, (struct uniformity_cause){0});
	}
	uniform_way(w, w->here->breaks, true);
	if (!var || !kt_is_variable(u->unit, var->sym)) {
		return;
	}
	uniform_record(w, var, BIT_LANE | (uniform_lanes_apart(w) ? BIT_APART : 0));
	struct slot *s = &u->slot[var->sym];
	bits |= w->here->apart ? BIT_LANE : 0;
	if (uniform_is_followed(w, var->sym)) {
		uniform_begin(w, var->sym, bits, NULL);
	}
	if (kt_is_reference(u->unit, var->sym)) {
		s->level = storage_level(w, range);
		see_bound(w, range);
		uniform_bind(w, var->sym, range, bits);
	} else {
		s->level = w->here->level;
		uniform_demote(u, var->sym, bits, "its range may differ between lanes");
	}
}

/* Evaluates the body, and joins its end with the continues in it. */
static void loop_body(struct walk *w, const struct kt_node *n, size_t slot)
{
	struct region *r = w->here;
	struct fork next;
	uniform_fork(w, &next);
	r->continues = &next;
	child_stmt(w, n, slot);
	uniform_way(w, &next, false);
	uniform_join(w, &next, next.ways > 1 ? uniform_region_bits(r) : 0);
	r->continues = NULL;
}

static void loop_stmt(struct walk *w, const struct kt_node *n)
{
	if (n->kind == KT_FOR) {
		child_stmt(w, n, KT_FOR_INIT);
	} else if (n->kind == KT_RANGE_FOR) {
		child_stmt(w, n, KT_RANGE_INIT);
	}
	struct region r;
	struct fork out;
	uniform_fork(w, &out);
	uniform_region_enter(w, &r, 0, NULL, n);
	r.breaks = &out;
	uniform_head(w, n);
	switch (n->kind) {
	case KT_FOR:
		loop_condition(w, n->child[KT_FOR_COND]);
		loop_body(w, n, KT_FOR_BODY);
		child_stmt(w, n, KT_FOR_INC);
		break;
	case KT_RANGE_FOR:
		range_variable(w, n);
		loop_body(w, n, KT_RANGE_BODY);
		break;
	case KT_WHILE:
		child_stmt(w, n, KT_WHILE_VAR);
		loop_condition(w, n->child[KT_WHILE_COND]);
		loop_body(w, n, KT_WHILE_BODY);
		break;
	default:
		loop_body(w, n, KT_DO_BODY);
		loop_condition(w, n->child[KT_DO_COND]);
		break;
	}
	uniform_back(w, n, &out);
	uniform_region_leave(w);
	w->dead = true;
	uniform_way(w, &out, false);
	uniform_join(w, &out, uniform_region_bits(&r));
}

static void return_stmt(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	unsigned bits = 0;
	for (size_t i = 0; i < n->n; i++) {
		bool by_reference = u->unit->type[u->unit->fn[w->fn].ret].kind == KT_T_REFERENCE;
		bits |= by_reference ? uniform_eval(w, n->child[i]).bits
				     : uniform_value(w, n->child[i]);
		if (by_reference) {
			uniform_take_members(u, n->child[i]);
		}
		if (by_reference && u->unit->fn[w->fn].is_lambda) {
			/* a capture by reference is not an argument of the call */
			uniform_write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	if (w->opaque || uniform_apart_level(w) > 1) {
		unsigned apart = uniform_apart_bits(w, 1);
		bits |= BIT_LANE | apart | (apart ? BIT_BLUR : 0);
	}
	uniform_add_result(w, bits);
	uniform_lanes_return(w);
}

static void unknown_stmt(struct walk *w, const struct kt_node *n)
{
	bool opaque = w->opaque, dead = w->dead;
	w->opaque = true;
	struct region r;
	uniform_region_enter(w, &r, BIT_LANE, NULL, NULL);
	bool reference = false;
	for (size_t i = 0; i < n->n; i++) {
		uniform_stmt(w, n->child[i]);
		const struct kt_node *c = n->child[i];
		reference |= c->kind == KT_VAR && c->sym && kt_is_reference(w->u->unit, c->sym);
	}
	if (reference) {
		/* A loop over a range has iterators without a node. */
		uniform_expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	}
	uniform_region_leave(w);
	w->opaque = opaque;
	w->dead = dead; /* an exit in it may be conditional */
}

/* The declarations of a structured binding, without the unknown code for its other parts. */
static void variables(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]->kind == KT_VAR) {
			var_decl(w, n->child[i]);
		}
	}
	see_bound(w, n);
}

static void children(struct walk *w, const struct kt_node *n)
{
	bool jumps = n->kind == KT_COMPOUND && w->u->fn[w->fn].opaque;
	for (size_t i = 0; i < n->n; i++) {
		struct uniformity_cause over =
			jumps ? uniform_jumped_over(w, n, i) : (struct uniformity_cause){0};
		struct region r;
		if (over.node) {
			uniform_region_enter(w, &r, BIT_LANE, NULL, NULL);
			uniform_region_part(w, &r, over);
		}
		child_stmt(w, n, i);
		if (over.node) {
			uniform_region_leave(w);
		}
	}
}

/* An asm with known operands. It may write through the addresses that it has. */
static void operands(struct walk *w, const struct kt_node *n)
{
	const struct intrinsic_db *db = facts_intrinsics(w->u->facts);
	bool computes = asm_effect(w->u->unit, db, n) == ASM_REGISTERS;
	unsigned own = 0;
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		bool read = asm_reads(c);
		unsigned bits = c->kind == KT_OPERAND ? uniform_value(w, c->child[0]) : 0;
		own |= computes && read ? bits & BIT_OWN : 0;
	}
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		if (c->kind != KT_OPERAND) {
			continue;
		}
		const struct kt_node *value = c->child[0];
		if (asm_writes(c)) {
			uniform_write_to(w, value, BIT_BOTH | own, false);
		} else if (kt_may_hold_pointer(kt_object_type(w->u->unit, value->type))) {
			uniform_expose_all(w->u, value, w->fn, "asm touches it");
		}
	}
}

static bool is_way_out(const struct walk *w, const struct kt_node *n)
{
	return !w->leaving && n->parent && n->parent->kind == KT_IF &&
	       facts_always_returns(w->u->facts, n);
}

static void case_label(struct walk *w, const struct kt_node *n)
{
	struct region *r = w->here;
	while (r && !(r->node && r->node->kind == KT_SWITCH)) {
		r = r->up;
	}
	if (r) {
		uniform_case(w, r->breaks, uniform_region_bits(r));
	}
	if (r && r->meeting == n && r == w->here) {
		r->apart = false;
		r->cause = (struct uniformity_cause){0};
	}
}

static void walk_stmt(struct walk *w, const struct kt_node *n);

void uniform_stmt(struct walk *w, const struct kt_node *n)
{
	struct region r;
	if (!kt_is_stmt(n->kind) || !is_way_out(w, n)) {
		walk_stmt(w, n);
		return;
	}
	uniform_region_enter(w, &r, 0, NULL, NULL);
	w->leaving = &r;
	walk_stmt(w, n);
	w->leaving = NULL;
	uniform_region_leave(w);
}

static void walk_stmt(struct walk *w, const struct kt_node *n)
{
	if (n->kind == KT_VAR) {
		var_decl(w, n);
		return;
	}
	if (!kt_is_stmt(n->kind)) {
		uniform_value(w, n);
		return;
	}
	uniform_record(w, n, BIT_LANE | (uniform_lanes_apart(w) ? BIT_APART : 0));
	switch (n->kind) {
	case KT_IF:
		if_stmt(w, n);
		break;
	case KT_SWITCH:
		switch_stmt(w, n);
		break;
	case KT_FOR:
	case KT_RANGE_FOR:
	case KT_WHILE:
	case KT_DO:
		loop_stmt(w, n);
		break;
	case KT_RETURN:
		return_stmt(w, n);
		break;
	case KT_BREAK:
	case KT_CONTINUE:
		uniform_lanes_jump(w, n->kind);
		break;
	case KT_STMT_UNKNOWN:
		if (kt_is_binding(w->u->unit, n)) {
			variables(w, n);
		} else {
			unknown_stmt(w, n);
		}
		break;
	case KT_GOTO:
		uniform_lanes_goto(w, n);
		break;
	case KT_LABEL:
		w->dead = false;
		children(w, n);
		break;
	case KT_CASE:
	case KT_DEFAULT:
		case_label(w, n);
		children(w, n);
		break;
	case KT_ASM: /* without operands, it was handled before the walk */
		operands(w, n);
		uniform_record_parting(w, n);
		uniform_soil(w, n);
		break;
	default: /* blocks, declarations */
		children(w, n);
		break;
	}
}

void uniform_walk_function(struct uniformity *u, kt_id fn, struct node_table *record)
{
	struct fn_state *s = &u->fn[fn];
	const struct kt_fn *f = &u->unit->fn[fn];
	struct region base = {.level = 1};
	struct walk w = {.u = u, .fn = fn, .here = &base, .opaque = s->opaque, .record = record};
	w.dirt.all = f->kind != KT_FN_KERNEL;
	for (size_t i = 0; i < f->params; i++) {
		uniform_begin(&w, f->param[i], u->slot[f->param[i]].start, NULL);
	}
	uniform_stmt(&w, f->body);
	array_release(&w.trail);
	arena_clear(u->flow);
}
