/*
 * Demotions by the walk: writes to variables, references and targets of pointers. uniform.c has the
 * rules.
 */
#include "analysis/lanes/uniform_walk.h"

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

/* A write to n through a pointer. If that leads to one variable in all calls, it is a write to
 * that. */
static void write_pointed(struct walk *w, const struct kt_node *n, unsigned bits)
{
	struct uniformity *u = w->u;
	struct locset at = {0};
	bits |= uniform_apart_bits(w, 1);
	if (!(bits & BIT_REASON)) {
		return;
	}
	facts_lvalue(&at, u->facts, u->scratch, n);
	const loc_id *object = at.v;
	size_t objects = at.n;
	if (at.n == 1 && !LOC_IS_VAR(at.v[0])) {
		facts_objects(&object, &objects, u->facts, at.v[0]);
	}
	if (objects == 1 && LOC_IS_VAR(object[0]) && kt_is_variable(u->unit, LOC_SYM(object[0]))) {
		add_reason(w, LOC_SYM(object[0]), bits);
	}
	arena_clear(u->scratch);
}

void uniform_write_slot(struct walk *w, size_t slot, unsigned bits, bool expose)
{
	struct uniformity *u = w->u;
	struct slot *s = &u->slot[slot];
	bool ours = slot >= u->unit->syms || uniform_sym_of(u, (kt_id)slot)->fn == w->fn;
	if (expose || !ours) {
		uniform_expose_slot(u, slot, ours ? "its address is taken" : "it is captured");
		if (!ours) {
			add_reason(w, (kt_id)slot, bits | uniform_apart_bits(w, 1));
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
	if (n->sym && !expose) {
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
		write_pointed(w, n, bits);
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
		write_pointed(w, n, bits);
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
			write_pointed(w, n, bits);
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
