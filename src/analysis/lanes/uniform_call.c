/*
 * The uniformity of calls: arguments, results, what is written through references. The rules are in
 * uniform.c.
 */
#include "analysis/lanes/uniform_walk.h"

#include "analysis/facts/sync_form.h"

/* Is the result of the cross-lane operation the same in all lanes: a mask of lanes, the value of
 * the first lane, or that of the lane selected by the last operand? */
static bool same_for_all(const struct uniformity *u, enum intrinsic_form form, unsigned lane)
{
	bool one = form == (u->block ? FORM_FIRST_LANE : FORM_ONE_LANE);
	bool all = !u->block && (form == FORM_ALL_LANES || form == FORM_FIRST_LANE);
	return all || (one && !(lane & BIT_LANE));
}

/* The parameter for child i of a call, or 0. */
static kt_id param_of(const struct uniformity *u, const struct kt_node *n, size_t i)
{
	const struct kt_fn *f = &u->unit->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	return n->fn && i >= first && i - first < f->params ? f->param[i - first] : 0;
}

/* Is child i passed by a reference that the callee may write through? dflt: the answer if
 * unknown. */
static bool passed_open(const struct uniformity *u, const struct kt_node *n, size_t i, bool dflt)
{
	if (n->flags & KT_F_METHOD && i == 0) {
		return true;
	}
	kt_id p = param_of(u, n, i);
	if (!p) {
		return dflt;
	}
	const struct kt_type *t = &u->unit->type[uniform_sym_of(u, p)->type];
	return t->kind == KT_T_OTHER ||
	       (t->kind == KT_T_REFERENCE && !u->unit->type[t->elem].is_const);
}

/* Evaluates the arguments of an unknown callee, which may write through them. Returns their bits
 * afterwards. */
static unsigned closed_args(struct walk *w, const struct kt_node *n, bool open_dflt, unsigned *last)
{
	unsigned bits = 0;
	*last = 0;
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i]) {
			uniform_expose_slot(w->u, uniform_this_slot(w->u, w->fn),
				"a method that is not seen has it");
			continue;
		}
		*last = uniform_value(w, n->child[i]);
		bits |= *last;
		if (passed_open(w->u, n, i, open_dflt)) {
			uniform_write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	return bits;
}

/* BIT_OWN for a value that a wave computes from values of its lanes. */
static unsigned of_wave(unsigned bits)
{
	return (bits & (BIT_MADE | BIT_WAVE) ? BIT_WAVE : 0) |
	       (bits & (BIT_MADE_PASSED | BIT_WAVE_PASSED) ? BIT_WAVE_PASSED : 0) |
	       (bits & BIT_PARAM);
}

/* Writes a value with these bits to what the pointers among the arguments lead to. */
static void write_targets(struct walk *w, const struct kt_node *n, unsigned bits)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i] && kt_is_pointer(w->u->unit, n->child[i])) {
			uniform_write_pointed(w, n->child[i], true, bits);
		}
	}
}

static unsigned call_intrinsic(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	unsigned last = 0;
	unsigned bits = closed_args(w, n, false, &last);
	bool returns_pointer = kt_is_pointer(w->u->unit, n);
	switch (in->kind) {
	case INTRINSIC_PURE:
		if (returns_pointer && n->n && n->child[0] &&
			!kt_is_pointer(w->u->unit, n->child[0])) {
			uniform_write_to(w, n->child[0], BIT_BOTH, true); /* __builtin_addressof */
			return BIT_BOTH;
		}
		return bits;
	case INTRINSIC_UNIFORM:
		return uniform_is_number(w->u, in->form) ? BIT_BOTH | BIT_MADE : bits & BIT_LOCAL;
	case INTRINSIC_CROSSLANE:
		if (same_for_all(w->u, in->form, last)) {
			return bits & BIT_LOCAL;
		}
		return in->form == FORM_FIRST_LANE || in->form == FORM_ONE_LANE ||
				       in->form == FORM_ALL_LANES
			       ? BIT_BOTH | of_wave(bits)
			       : BIT_BOTH | BIT_CROSSED | bits;
	case INTRINSIC_BARRIER:
		return in->form == FORM_VALUE && !w->u->grid ? bits & BIT_LOCAL : BIT_BOTH;
	case INTRINSIC_LANE:
		return BIT_BOTH | BIT_MADE;
	case INTRINSIC_LOAD:
		/* A buffer descriptor may add the lane's number to the address, so only pointers
		 * qualify. */
		if (n->n && n->child[0] && kt_is_pointer(w->u->unit, n->child[0]) &&
			in->form != FORM_FRESH && !uniform_load_races(w, n->child[0], true) &&
			!(bits & BIT_BOTH)) {
			return kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) ? BIT_LOCAL
											: 0;
		}
		return BIT_BOTH | bits;
	case INTRINSIC_ATOMIC: /* executed one lane after the other */
		write_targets(w, n, bits);
		return BIT_BOTH | BIT_MADE;
	case INTRINSIC_STORE:
		write_targets(w, n, bits);
		return BIT_BOTH | bits;
	case INTRINSIC_TRAP:
		uniform_lanes_trap(w);
		return BIT_BOTH;
	case INTRINSIC_MATRIX:
		return w->u->block ? BIT_BOTH | bits : BIT_BOTH | BIT_MADE;
	default:
		return BIT_BOTH | bits;
	}
}

/* Writes back to the lvalue arg (NULL: this) what the reference bound to it, or this, wrote. */
static void write_back(
	struct walk *w, const struct slot *s, const struct kt_node *arg, unsigned bits)
{
	if (!s->written && !s->exposed) {
		return;
	}
	if (!arg || arg->kind == KT_THIS) {
		uniform_write_slot(w, uniform_this_slot(w->u, w->fn), bits, s->exposed);
	} else {
		uniform_write_to(w, arg, bits, s->exposed);
	}
}

void uniform_bind(struct walk *w, size_t slot, const struct kt_node *arg, unsigned bits)
{
	uniform_demote(w->u, slot, bits, "it is bound to a value that may differ between lanes");
	write_back(w, &w->u->slot[slot], arg, w->u->slot[slot].bits);
}

/* A callee's reference, or its this, is bound. */
static void bind_callee(struct walk *w, size_t slot, unsigned bits)
{
	uniform_demote(w->u, slot, uniform_passed(bits),
		"it is bound to a value that may differ between lanes");
}

/* BIT_OWN of what the callee wrote, in a call whose arguments have the bits args. */
static unsigned of_call(unsigned wrote, unsigned args)
{
	unsigned known = uniform_left(wrote & ~(unsigned)(BIT_MADE_PASSED | BIT_WAVE_PASSED));
	return (known | (wrote & BIT_PARAM ? args : 0)) & BIT_OWN;
}

/* The callee wrote through the reference, pointer or this in slot. */
static void write_from_callee(struct walk *w, size_t slot, const struct kt_node *arg, unsigned args)
{
	const struct kt_unit *unit = w->u->unit;
	const struct slot *s = &w->u->slot[slot];
	if (slot < unit->syms && !kt_is_reference(unit, (kt_id)slot)) {
		uniform_write_pointed(w, arg, true, of_call(s->sent, args));
	} else if (slot >= unit->syms && arg && kt_is_pointer(unit, arg)) {
		uniform_write_pointed(w, arg, true, s->written ? of_call(s->wrote, args) : 0);
	} else {
		write_back(w, s, arg, (s->bits & BIT_BOTH) | of_call(s->wrote, args));
	}
}

/* Binds this to the object of a call. Returns the BIT_* of the object. */
static unsigned bind_object(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *object = n->n ? n->child[0] : NULL;
	size_t slot = uniform_this_slot(u, n->fn);
	if (!(n->flags & KT_F_METHOD)) {
		uniform_demote(u, slot, BIT_BOTH, "its object is not known");
		return BIT_BOTH;
	}
	unsigned bits;
	if (!object || object->kind == KT_THIS) {
		bits = u->slot[uniform_this_slot(u, w->fn)].bits;
		bind_callee(w, slot, bits);
	} else if (kt_is_pointer(u->unit, object)) {
		bits = uniform_value(w, object);
		unsigned own = uniform_passed(uniform_pointed(w, object, true));
		uniform_demote(u, slot, own | (bits & BIT_BOTH ? BIT_BOTH : BIT_LOCAL),
			"it is called through a pointer that may differ between lanes");
		bits |= uniform_pointed(w, object, true);
	} else {
		bits = uniform_bound(uniform_eval(w, object));
		bind_callee(w, slot, bits);
	}
	return bits;
}

/* The callee may read through one reference what it writes through another. */
static void pass_written(struct walk *w, const struct kt_node *n, size_t first)
{
	for (size_t i = 0; i < n->n; i++) {
		size_t slot = i < first ? uniform_this_slot(w->u, n->fn) : param_of(w->u, n, i);
		const struct kt_node *arg = n->child[i];
		if (!slot || (i >= first && !kt_is_reference(w->u->unit, (kt_id)slot))) {
			continue;
		}
		for (const struct kt_node *at = arg; at; at = kt_next(at, arg)) {
			if (at->kind == KT_REF && uniform_is_followed(w, at->sym)) {
				uniform_demote(w->u, slot, uniform_passed(uniform_now(w, at->sym)),
					"it is bound to a value that may differ between lanes");
			}
		}
	}
}

static bool is_pointer(const struct uniformity *u, kt_id param)
{
	return u->unit->type[uniform_sym_of(u, param)->type].kind == KT_T_POINTER;
}

/* Passes all arguments. Returns their BIT_* combined. */
static unsigned pass_args(struct walk *w, const struct kt_node *n)
{
	size_t trail = w->trail.n;
	unsigned all = 0;
	struct uniformity *u = w->u;
	const struct kt_fn *f = &u->unit->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	if (f->is_method && n->kind == KT_CALL) {
		all = bind_object(w, n);
	} else if (first && n->n && n->child[0]) {
		uniform_eval(w, n->child[0]); /* a static method: the object's value is not used */
	}
	for (size_t i = first; i < n->n; i++) {
		kt_id p = param_of(u, n, i);
		if (!n->child[i]) {
			continue;
		}
		if (p && kt_is_reference(u->unit, p)) {
			unsigned bits = uniform_bound(uniform_eval(w, n->child[i]));
			bind_callee(w, p, bits);
			all |= bits;
		} else if (p) {
			unsigned bits = uniform_value(w, n->child[i]);
			uniform_pass(u, p, uniform_passed(bits),
				"a caller passes a value that may differ between lanes");
			all |= bits;
			if (is_pointer(u, p)) {
				uniform_pass_pointer(w, p, n->child[i]);
				all |= uniform_pointed(w, n->child[i], true);
			}
		} else {
			uniform_value(w, n->child[i]);
			uniform_write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	for (size_t i = 0; i < n->n; i++) {
		bool object = i < first && f->is_method && n->kind == KT_CALL;
		kt_id p = i >= first ? param_of(u, n, i) : 0;
		bool passed = p && n->child[i] && (kt_is_reference(u->unit, p) || is_pointer(u, p));
		if (object || passed) {
			size_t slot = object ? uniform_this_slot(u, n->fn) : p;
			write_from_callee(w, slot, n->child[i], all);
		}
	}
	if (w->trail.n > trail) {
		pass_written(w, n, first);
	}
	for (size_t i = n->n > first ? n->n - first : 0; i < f->params; i++) {
		uniform_pass(u, f->param[i], BIT_BOTH, "a call does not pass it");
	}
	return all;
}

static unsigned call_seen(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	struct fn_state *f = &u->fn[n->fn];
	unsigned args = pass_args(w, n);
	if (uniform_lanes_apart(w)) {
		uniform_call_apart(w, n->fn);
	}
	if (f->leaves) {
		/* like a return at a place where lanes are apart */
		struct region r;
		uniform_region_enter(w, &r, BIT_LANE, NULL, NULL);
		uniform_lanes_trap(w);
		uniform_region_leave(w);
	}
	unsigned ret = f->ret;
	if (n->kind == KT_CONSTRUCT) {
		/* The tree does not show default member initializers of the class. */
		ret = BIT_BOTH | u->slot[uniform_this_slot(u, n->fn)].wrote;
	}
	unsigned own = ret & (BIT_BOTH | BIT_MADE | BIT_WAVE | BIT_CROSSED | BIT_BLUR);
	own |= ret & BIT_PARAM ? args & BIT_OWN : 0;
	const struct kt_node *body = u->unit->fn[w->fn].body;
	if (n->kind == KT_CONSTRUCT && u->fn[w->fn].constructor && n->parent == body) {
		/* a base class */
		uniform_write_slot(w, uniform_this_slot(u, w->fn), own, false);
	}
	return own;
}

static unsigned call_unseen(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	if (kt_assigns_bytes(u->unit, n)) {
		return uniform_assign(w, n);
	}
	unsigned last;
	unsigned bits = closed_args(w, n, true, &last);
	/* Implicit copies and moves. */
	if (n->kind == KT_CONSTRUCT && n->n == 1 && u->unit->fn[n->fn].is_trivial && n->type &&
		uniform_are_alike(u, n->type, n->child[0]->type)) {
		return bits;
	}
	return BIT_BOTH | bits;
}

/* Records the memory effects of a call: a write, or, for a barrier that all lanes reach, that all
 * earlier writes are visible. */
static void see_memory(struct walk *w, const struct kt_node *n)
{
	enum sync_kind kind;
	bool barrier = n->kind == KT_CALL && sync_form(&kind, w->u->facts, n) && kind != SYNC_WAVE;
	if (!barrier) {
		uniform_soil(w, n);
	} else if (!uniform_lanes_apart(w) &&
		   (kind != SYNC_BARE || (sync_fence_beside(w->u->facts, n, true) &&
						 sync_fence_beside(w->u->facts, n, false)))) {
		uniform_clean(w);
	}
}

struct val uniform_call(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct intrinsic *in = facts_intrinsic(u->facts, n);
	unsigned bits;
	if (n->fn && u->unit->fn[n->fn].body) {
		bits = call_seen(w, n);
		if (u->virtuals && n->flags & KT_F_METHOD) {
			bits = BIT_BOTH; /* or an override of it */
			uniform_write_call(w, n);
		}
	} else if (in && n->kind == KT_CALL && in->kind != INTRINSIC_NONE) {
		bits = call_intrinsic(w, n, in);
	} else {
		bits = call_unseen(w, n);
	}
	uniform_copy_bytes(w, n);
	if (u->block) {
		see_memory(w, n);
	}
	uniform_record_parting(w, n);
	return (struct val){bits, BIT_BOTH};
}
