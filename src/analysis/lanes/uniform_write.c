/*
 * Demotions by the walk: writes to variables, references and targets of pointers. uniform.c has the
 * rules.
 */
#include "analysis/lanes/uniform_walk.h"

#include <string.h>

/* ---- symbols, types, slots ---- */

size_t uniform_this_slot(const struct uniformity *u, kt_id fn)
{
	return u->unit->syms + fn;
}

void uniform_demote(struct uniformity *u, size_t slot, unsigned bits, const char *why)
{
	struct slot *s = &u->slot[slot];
	if (bits & ~s->bits & BIT_VALUE) {
		if (bits & ~s->bits & BIT_LANE) {
			s->why = why;
		}
		s->bits |= bits & BIT_VALUE;
		u->changed = true;
	}
	if (!u->in_member && bits & ~s->whole & BIT_OWN) {
		s->whole |= bits & BIT_OWN;
		u->changed = true;
	}
}

void uniform_pass(struct uniformity *u, size_t slot, unsigned bits, const char *why)
{
	struct slot *s = &u->slot[slot];
	uniform_demote(u, slot, bits, why);
	if (bits & ~s->start & BIT_VALUE) {
		s->start |= bits & BIT_VALUE;
		u->changed = true;
	}
}

void uniform_expose_slot(struct uniformity *u, size_t slot, const char *why)
{
	uniform_demote(u, slot, BIT_BOTH, why);
	uniform_set_flag(u, &u->slot[slot].written);
	uniform_set_flag(u, &u->slot[slot].exposed);
}

/* ---- writes ---- */

void uniform_expose_all(struct uniformity *u, const struct kt_node *root, kt_id fn, const char *why)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && kt_is_variable(u->unit, n->sym)) {
			uniform_expose_slot(u, n->sym, why);
		} else if (n->kind == KT_THIS || (n->kind == KT_MEMBER && n->n && !n->child[0])) {
			uniform_expose_slot(u, uniform_this_slot(u, fn), why);
		}
	}
}

/* An exposed variable counts as differing; these are the reasons that are known for it. */
static void add_reason(struct walk *w, kt_id variable, unsigned bits)
{
	const unsigned known = BIT_MADE | BIT_WAVE | BIT_CROSSED | BIT_BLUR;
	struct slot *s = &w->u->slot[variable];
	unsigned own = uniform_left(bits) & known;
	uniform_demote(w->u, variable, own, "");
	if (uniform_is_followed(w, variable)) {
		uniform_write_whole(w, variable, own, false);
	} else if (own & ~s->far) {
		s->far |= own;
		w->u->changed = true;
	}
}

/* Where the pointer n or the lvalue n leads to. */
struct target {
	kt_id variable; /* one of some function, in all calls; or 0 */
	kt_id param;	/* of this function: the target of what calls pass; or 0 */
};

static struct target target_of(struct walk *w, const struct kt_node *n, bool pointer)
{
	struct uniformity *u = w->u;
	struct locset at = {0};
	struct target to = {0};
	(pointer ? facts_pointees : facts_lvalue)(&at, u->facts, u->scratch, n);
	if (at.n == 1 && LOC_IS_VAR(at.v[0]) && kt_is_variable(u->unit, LOC_SYM(at.v[0]))) {
		to.variable = LOC_SYM(at.v[0]);
	} else if (at.n == 1 && LOC_IS_DEREF(at.v[0])) {
		kt_id p = LOC_SYM(at.v[0]);
		const struct kt_sym *s = uniform_sym_of(u, p);
		bool ours = s->kind == KT_S_PARAM && s->fn == w->fn;
		to.param = ours && kt_object_type(u->unit, s->type)->kind == KT_T_POINTER ? p : 0;
	}
	const loc_id *object = NULL;
	size_t objects = 0;
	if (at.n == 1 && !to.variable && !to.param) {
		facts_objects(&object, &objects, u->facts, at.v[0]);
	}
	if (objects == 1 && LOC_IS_VAR(object[0]) && kt_is_variable(u->unit, LOC_SYM(object[0]))) {
		to.variable = LOC_SYM(object[0]);
	}
	arena_clear(u->scratch);
	return to;
}

static bool is_array(const struct uniformity *u, kt_id variable)
{
	return kt_object_type(u->unit, uniform_sym_of(u, variable)->type)->kind == KT_T_ARRAY;
}

/* BIT_OWN of the variable, or of its field. */
static unsigned of_variable(struct walk *w, kt_id variable, kt_id field)
{
	const struct slot *s = &w->u->slot[variable];
	bool ours = uniform_is_followed(w, variable);
	if (is_array(w->u, variable)) {
		return uniform_left(s->whole) & BIT_OWN; /* not of elements at constant places */
	}
	unsigned bits = ours ? uniform_now(w, variable) : uniform_left(s->bits);
	return field && ours ? uniform_part_elsewhere(w, variable, field, bits)
	       : field	     ? uniform_field(w->u, field, bits) & bits & BIT_OWN
			     : bits & BIT_OWN;
}

unsigned uniform_pointed(struct walk *w, const struct kt_node *n, bool pointer)
{
	struct target to = target_of(w, n, pointer);
	kt_id field = !pointer && n->kind == KT_MEMBER ? n->sym : 0;
	unsigned got = w->u->slot[to.param].got;
	return to.variable ? of_variable(w, to.variable, field)
	       : field	   ? got & uniform_field(w->u, field, got)
			   : got;
}

bool uniform_is_member_pointer(const struct uniformity *u, const struct kt_node *n)
{
	bool two = n->kind == KT_EXPR_UNKNOWN && n->n == 2;
	const char *type = two ? kt_type_of(u->unit, n->child[1])->canon : NULL;
	return type && str_holds(str_of(type), STR("::*"));
}

/* The member that it names: the pointer is a constant, or a variable that keeps one. 0: unknown. */
static kt_id member_pointed(const struct walk *w, const struct kt_node *n)
{
	const struct slot *kept = uniform_kept(w, n->child[1]);
	const struct kt_node *at = kt_past_casts(kept ? kept->init : n->child[1]);
	bool address = at && at->kind == KT_UNARY && at->op == KT_OP_ADDR && at->n;
	at = address ? at->child[0] : NULL;
	return at && at->kind == KT_REF && at->sym &&
			       uniform_sym_of(w->u, at->sym)->kind == KT_S_FIELD
		       ? at->sym
		       : 0;
}

static kt_id object_of_member_pointer(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *c = n->child[0];
	bool plain = c->kind == KT_REF && kt_is_variable(w->u->unit, c->sym);
	return kt_is_pointer(w->u->unit, c) ? target_of(w, c, true).variable : plain ? c->sym : 0;
}

unsigned uniform_member_pointer(struct walk *w, const struct kt_node *n)
{
	kt_id object = object_of_member_pointer(w, n);
	kt_id field = member_pointed(w, n);
	unsigned bits = uniform_value(w, n->child[0]) | uniform_value(w, n->child[1]);
	unsigned own = object  ? of_variable(w, object, field)
		       : field ? uniform_field(w->u, field, bits) & bits
			       : bits & BIT_OWN;
	return BIT_BOTH | own;
}

static void write_member_pointer(struct walk *w, const struct kt_node *n, unsigned bits)
{
	kt_id object = object_of_member_pointer(w, n);
	kt_id field = member_pointed(w, n);
	bits |= uniform_apart_bits(w, 1);
	if (field) {
		uniform_field_set(w->u, field, bits);
	}
	uniform_expose_all(w->u, n->child[0], w->fn, "a pointer to a member changes it");
	if (object && bits & BIT_REASON) {
		add_reason(w, object, bits | (field ? 0 : BIT_BLUR));
	}
}

void uniform_pass_pointer(struct walk *w, kt_id param, const struct kt_node *arg)
{
	unsigned own = uniform_passed(uniform_pointed(w, arg, true));
	struct slot *s = &w->u->slot[param];
	own &= own & BIT_REASON ? (unsigned)BIT_OWN : 0;
	if (own & ~s->got) {
		s->got |= own;
		w->u->changed = true;
	}
}

void uniform_take_members(struct uniformity *u, const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		if (at->kind == KT_MEMBER && at->sym) {
			uniform_set_flag(u, &u->slot[at->sym].exposed);
		}
	}
}

/* Writes the members that the called function returns references to; false if these are not known.
 */
static bool set_returned(struct uniformity *u, const struct kt_node *call, unsigned bits)
{
	const struct kt_node *body = call->kind == KT_CALL ? u->unit->fn[call->fn].body : NULL;
	bool known = body;
	for (const struct kt_node *n = body; n && known; n = kt_next(n, body)) {
		const struct kt_node *at = n->kind == KT_RETURN && n->n ? n->child[0] : NULL;
		while (at && (at->kind == KT_CAST || at->kind == KT_INDEX) && at->n) {
			at = at->child[0];
		}
		if (n->kind == KT_RETURN) {
			known = at && at->kind == KT_MEMBER && at->sym;
		}
		if (n->kind == KT_RETURN && known) {
			uniform_field_set(u, at->sym, bits);
		}
	}
	return known;
}

/* Is one element of an array written, and others not? */
static bool is_fixed(const struct kt_node *n, bool pointer, unsigned bits)
{
	bool any = !pointer && n->kind == KT_INDEX && !(n->child[1]->flags & KT_F_VALUE);
	return !any && !(bits & BIT_BLUR);
}

/* If that leads to one variable in all calls, it is a write to that. */
void uniform_write_pointed(struct walk *w, const struct kt_node *n, bool pointer, unsigned bits)
{
	struct uniformity *u = w->u;
	bits |= uniform_apart_bits(w, 1);
	struct target to = bits & BIT_REASON ? target_of(w, n, pointer) : (struct target){0};
	if (!to.variable && !to.param) {
		return;
	}
	kt_id type = pointer ? kt_object_type(u->unit, n->type)->elem : n->type;
	const struct kt_type *of =
		kt_object_type(u->unit, uniform_sym_of(u, to.param + to.variable)->type);
	of = to.param ? kt_object_type(u->unit, of->elem) : kt_element_type(u->unit, of);
	bool scalars = of->kind != KT_T_RECORD, fixed = is_fixed(n, pointer, bits);
	bool whole = strcmp(of->canon, kt_object_type(u->unit, type)->canon) == 0;
	bool named = !pointer && n->kind == KT_MEMBER; /* its field is set */
	bool known = scalars ? fixed
			     : whole || named || set_returned(u, n, bits) ||
				       uniform_set_taken(u, type, bits);
	bits |= known ? 0 : BIT_BLUR;
	struct slot *s = &u->slot[to.param];
	if (to.variable && !(scalars && fixed && pointer && is_array(u, to.variable))) {
		add_reason(w, to.variable, bits);
	}
	bool first = n->kind != KT_INDEX || !(n->child[1]->flags & KT_F_VALUE) ||
		     n->child[1]->value == 0;
	if (to.param && first && bits & BIT_OWN & ~s->sent) {
		s->sent |= bits & BIT_OWN;
		u->changed = true;
	}
}

void uniform_write_slot(struct walk *w, size_t slot, unsigned bits, bool expose)
{
	struct uniformity *u = w->u;
	struct slot *s = &u->slot[slot];
	bool ours = slot >= u->unit->syms || uniform_sym_of(u, (kt_id)slot)->fn == w->fn;
	if (expose || !ours) {
		uniform_expose_slot(u, slot, ours ? "its address is taken" : "it is captured");
		if (!ours) {
			add_reason(w, (kt_id)slot, bits | uniform_missing_bits(w));
		}
		return;
	}
	if (w->opaque || uniform_apart_level(w) > s->level) {
		unsigned apart = uniform_apart_bits(w, s->level);
		apart |= apart && !u->in_member ? BIT_BLUR : 0;
		uniform_demote(u, slot, BIT_LANE | apart, "it is written where lanes may be apart");
	}
	uniform_demote(u, slot, bits, "its value may differ between lanes");
	uniform_set_flag(u, &s->written);
	unsigned wrote = (bits | uniform_apart_bits(w, s->level)) & BIT_OWN;
	if (wrote & ~s->wrote) {
		s->wrote |= wrote;
		u->changed = true;
	}
	if (uniform_is_followed(w, slot)) {
		uniform_write_whole(w, slot, bits | (w->opaque ? BIT_LANE : 0), false);
	}
}

void uniform_overwrite(
	struct walk *w, const struct kt_node *n, unsigned bits, const struct kt_node *value)
{
	uniform_write_to(w, n, bits, false);
	if (w->opaque) {
		return;
	}
	if (n->kind != KT_REF) {
		uniform_write_part(w, n, bits, true);
	} else if (uniform_is_followed(w, n->sym) && !w->u->slot[n->sym].bound) {
		uniform_write_whole(w, n->sym, bits, true);
		if (!uniform_apart_bits(w, w->u->slot[n->sym].level)) {
			uniform_copy_parts(w, n->sym, value);
		}
	}
}

/* A reference returned by a call may refer to any object passed by reference. */
void uniform_write_call(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			uniform_write_to(w, n->child[i], BIT_BOTH, true);
		} else {
			uniform_expose_slot(
				w->u, uniform_this_slot(w->u, w->fn), "its address is taken");
		}
	}
}

/* Is n a vector that shares memory with members, and each of its elements set by itself: by a list,
 * or from the same vector of an object? */
static bool sets_elements(const struct uniformity *u, const struct kt_node *n, unsigned bits)
{
	const struct kt_node *up = n->parent;
	const struct kt_node *from =
		up && up->kind == KT_ASSIGN && up->n == 2 && n->slot == 0 ? up->child[1] : NULL;
	bool copy = from && from->kind == KT_MEMBER && from->sym == n->sym && !(bits & BIT_BLUR) &&
		    uniform_sym_of(u, n->sym)->united &&
		    kt_object_type(u->unit, n->type)->kind == KT_T_VECTOR;
	return from && (copy || uniform_lists_vector(u, from));
}

static void write_member(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
	if (n->sym && expose) {
		uniform_set_flag(w->u, &w->u->slot[n->sym].exposed);
	} else if (n->sym) {
		unsigned all = sets_elements(w->u, n, bits) ? 0 : bits;
		uniform_field_set(w->u, n->sym, all | uniform_apart_bits(w, 1));
	}
	if (!expose && uniform_write_part(w, n, bits, false)) {
		return;
	}
	if (!base || base->kind == KT_THIS) {
		uniform_write_slot(w, uniform_this_slot(w->u, w->fn), bits, expose);
	} else if (!(n->flags & KT_F_ARROW)) {
		uniform_write_to(w, base, bits, expose);
	} else {
		uniform_write_pointed(w, n, false, bits);
	}
}

static void write_unary(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return;
	}
	if (n->op == KT_OP_DEREF && c->kind == KT_THIS) {
		uniform_write_slot(w, uniform_this_slot(w->u, w->fn), bits, expose);
	} else if (n->op != KT_OP_DEREF || kt_is_array(w->u->unit, c)) {
		uniform_write_to(w, c, bits, expose);
	} else {
		uniform_write_pointed(w, n, false, bits);
	}
}

/* Handles a write to lvalue n, or its escape. Memory has no state; variables were exposed when
 * pointers to them were made. */
void uniform_write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	switch (n->kind) {
	case KT_REF:
		if (kt_is_variable(w->u->unit, n->sym)) {
			uniform_write_slot(w, n->sym, bits, expose);
		}
		return;
	case KT_MEMBER:
		write_member(w, n, bits, expose);
		return;
	case KT_INDEX:
		if (!expose && uniform_write_part(w, n, bits, false)) {
			return;
		}
		if (n->n && !kt_is_pointer(w->u->unit, n->child[0])) {
			uniform_write_to(w, n->child[0], bits, expose);
		} else if (n->n) {
			uniform_write_pointed(w, n, false, bits);
		}
		return;
	case KT_UNARY:
		write_unary(w, n, bits, expose);
		return;
	case KT_ASSIGN:
	case KT_CAST:
		if (n->n) {
			uniform_write_to(w, n->child[0], bits, expose);
		}
		return;
	case KT_COND:
		for (size_t i = KT_COND_COND; i < n->n; i++) {
			if (n->child[i]) {
				uniform_write_to(w, n->child[i], BIT_BOTH, expose);
			}
		}
		return;
	case KT_BINARY:
		if (n->op == KT_OP_COMMA && n->n == 2) {
			uniform_write_to(w, n->child[1], bits, expose);
		} else if (n->op == KT_OP_OTHER) {
			uniform_expose_all(
				w->u, n, w->fn, "it is used in a way that is not understood");
		}
		return;
	case KT_CALL:
		uniform_write_call(w, n);
		uniform_write_pointed(w, n, false, bits);
		return;
	case KT_THIS:
		uniform_write_slot(w, uniform_this_slot(w->u, w->fn), bits, expose);
		return;
	case KT_LITERAL:
	case KT_SIZEOF:
		return;
	case KT_INIT_LIST:
	case KT_CONSTRUCT:
		if (expose && w->u->reference_fields) {
			uniform_expose_all(w->u, n, w->fn, "a reference to it is kept");
		}
		return;
	default:
		if (uniform_is_member_pointer(w->u, n)) {
			write_member_pointer(w, n, bits);
			return;
		}
		uniform_expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	}
}

/* The object whose address n takes, or NULL. */
static const struct kt_node *addressed(const struct kt_node *n)
{
	n = kt_past_casts(n);
	return n && n->kind == KT_UNARY && n->op == KT_OP_ADDR && n->n ? n->child[0] : NULL;
}

void uniform_copy_bytes(struct walk *w, const struct kt_node *n)
{
	bool copies;
	if (!facts_sets_bytes(w->u->facts, n, &copies) || !copies) {
		return;
	}
	const struct kt_node *to = addressed(n->child[0]), *from = addressed(n->child[1]);
	if (to && from) {
		bool same = uniform_are_alike(w->u, to->type, from->type);
		unsigned own = uniform_eval(w, from).bits & BIT_OWN;
		uniform_write_to(w, to, BIT_BOTH | own | (own && !same ? BIT_BLUR : 0), false);
	}
}
