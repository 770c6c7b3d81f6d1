/*
 * Clause 5 of split's search if the code before the if runs in it (found.c): the variables declared
 * there that the arm and later code need. The code before the arm must not take the address of a
 * variable that is not a reference.
 *
 * The search saves a number, a pointer or a vector with an initializer or a certain assignment.
 * Declared again before the arm: a number or an array of numbers, if it is computed from private
 * variables that have the same values there; a reference, if its object outlives the iteration and
 * is found by the same values; and a variable that the search does not use. If a variable cannot be
 * saved (an object, an unnamed type), it may also be computed from memory, if no code between the
 * two places writes that memory or waits for other lanes. Objects may have constructors, but no
 * destructors.
 */
#include "analysis/facts/overwrite.h"
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/plan/value.h"
#include "strategy/split/split.h"

const struct kt_node *split_sought_arm(const struct split *s)
{
	return s->m->node->child[s->seeks_else ? KT_IF_ELSE : KT_IF_THEN];
}

const struct kt_node *split_header_of(const struct split *s)
{
	return s->m->node->child[KT_IF_INIT];
}

/* Is n, or a part of it, only read or written by value here? */
static bool is_plain_use(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;

	while (up && ((up->kind == KT_MEMBER && !(up->flags & KT_F_ARROW)) ||
			     (up->kind == KT_INDEX && n->slot == 0 && !kt_is_pointer(u, n)))) {
		n = up;
		up = n->parent;
	}
	if (!up || kt_type_of(u, n)->kind == KT_T_ARRAY) {
		return false;
	}
	switch (up->kind) {
	case KT_COMPOUND:
	case KT_IF:
	case KT_WHILE:
	case KT_FOR:
		return true;
	case KT_ASSIGN:
		return n->slot == 0 ? up->parent->kind == KT_COMPOUND : value_is_taken(u, n, 0);
	case KT_UNARY:
		return up->op != KT_OP_ADDR;
	default:
		return value_is_taken(u, n, 0);
	}
}

/* Is it a const method that returns a number? */
static bool is_asked(struct split *s, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool method = up && up->kind == KT_CALL && up->flags & KT_F_METHOD && n->slot == 0 &&
		      up->fn && s->u->fn[up->fn].body && up->type;
	enum kt_type_kind k = method ? s->u->type[up->type].kind : KT_T_RECORD;

	return (k == KT_T_BOOL || k == KT_T_INT || k == KT_T_FLOAT) && !facts_acts(s->f, up);
}

/* Is the variable's address not taken before the arm, and are all its uses known? */
static bool keeps_to_itself(struct split *s, kt_id sym)
{
	const struct kt_node *iff = s->m->node;

	for (const struct kt_node *n = s->body; n; n = kt_next(n, s->body)) {
		bool before = n->begin < iff->child[KT_IF_COND]->end && n != s->body;
		bool names = kt_names(n, sym);
		bool plain = !names || is_plain_use(s->u, n) || is_asked(s, n);
		if (before && (!plain || n->kind == KT_LAMBDA || n->kind == KT_EXPR_UNKNOWN ||
				      n->kind == KT_STMT_UNKNOWN)) {
			return false;
		}
	}
	return true;
}

/* Does the arm or later code use the variable, also in a macro's text? */
static bool is_needed(struct split *s, const struct kt_node *v)
{
	const char *name = s->u->sym[v->sym].name;
	const struct kt_node *arm = split_sought_arm(s), *iff = s->m->node;
	bool needed = plan_may_name(s->p, arm->begin, arm->end, name) ||
		      plan_may_name(s->p, iff->end, s->body->end, name);

	for (const struct kt_node *n = s->body; n && !needed; n = kt_next(n, s->body)) {
		bool in_arm = n->begin >= arm->begin && n->begin < arm->end;
		needed = kt_names(n, v->sym) && (in_arm || n->begin >= iff->end);
	}
	return needed;
}

/* Is it set before the if? */
static bool is_set(struct split *s, const struct kt_node *v)
{
	const struct kt_node *iff = s->m->node, *d = v->parent;

	bool number = v->n == 1 && v->child[0]->flags & KT_F_VALUE && s->u->type[v->type].is_const;

	return v->n == 1 ? !number /* it might be needed as a constant expression */
			 : d->parent == s->body && s->body != iff &&
				   overwrite_is_whole_part(
					   s->f, s->body, d->slot + 1, iff->slot, v->sym);
}

static bool can_be_saved(struct split *s, const struct kt_node *v)
{
	const struct kt_type *t = &s->u->type[v->type];
	bool plain = kt_is_scalar(t) || t->kind == KT_T_VECTOR;
	return plain && !t->is_volatile && !(v->flags & KT_F_MACRO) && is_set(s, v) &&
	       plan_written_type(s->p, v->sym, s->loop->begin, s->loop->end);
}

/* Does n write none of these locations, and have only these effects? */
static bool leaves_alone(
	struct split *s, const struct kt_node *n, const struct locset *locs, unsigned not)
{
	struct fx fx = facts_effects(s->f, n);

	return !facts_sets_alias(s->f, &fx.writes, locs) && !(fx.flags & not);
}

/* Does no code between the declaration and the arm write these locations? For memory: nor wait for
 * lanes that may write it. */
static bool stay_between(
	struct split *s, const struct kt_node *d, const struct locset *locs, bool memory)
{
	const struct kt_node *iff = s->m->node, *header = split_header_of(s);
	unsigned not = memory ? FX_ORDERED & ~(unsigned)FX_CROSSLANE : FX_UNKNOWN;
	bool stay = leaves_alone(s, s->cond, locs, not);

	if (header && header != d) {
		stay &= leaves_alone(s, header, locs, not);
	}
	for (uint32_t i = d->slot + 1; header != d && i < iff->slot && stay; i++) {
		stay = leaves_alone(s, s->body->child[i], locs, not);
	}
	return stay;
}

/* Is e computed from variables (and, if allowed, memory) with the same values before the arm? */
static bool is_same_as_then(
	struct split *s, const struct kt_node *d, const struct kt_node *e, bool memory)
{
	struct fx fx = facts_effects(s->f, e);
	bool same = !fx.flags && !fx.writes.n;

	for (uint32_t i = 0; i < fx.reads.n && same; i++) {
		same = memory ||
		       (LOC_IS_VAR(fx.reads.v[i]) && facts_is_private(s->f, fx.reads.v[i]));
	}
	return same && stay_between(s, d, &fx.reads, memory);
}

static bool is_same_later(struct split *s, const struct kt_node *d, const struct kt_node *e)
{
	return is_same_as_then(s, d, e, false);
}

/* The declaration of sym, if it is a reference declared in the iteration; or NULL. */
static const struct kt_node *own_reference(const struct split *s, kt_id sym)
{
	for (const struct kt_node *n = s->body; n; n = kt_next(n, s->body)) {
		if (n->kind == KT_VAR && n->sym == sym) {
			return s->u->type[n->type].kind == KT_T_REFERENCE ? n : NULL;
		}
	}
	return NULL;
}

/* Does lvalue e denote an object outside the iteration, and the same one later? */
static bool names_same_later(struct split *s, const struct kt_node *d, const struct kt_node *e)
{
	const struct kt_sym *sym = e->kind == KT_REF && e->sym ? &s->u->sym[e->sym] : NULL;
	const struct kt_node *own = sym ? own_reference(s, e->sym) : NULL;

	if (own && own->begin < d->begin && own->parent->kind == KT_DECL) {
		return split_can_be_repeated(s, own);
	}
	if (e->flags & (KT_F_MACRO | KT_F_OPERATOR)) {
		return false;
	}
	switch (e->kind) {
	case KT_REF:
		return sym &&
		       (sym->kind == KT_S_LOCAL || sym->kind == KT_S_PARAM ||
			       sym->kind == KT_S_GLOBAL) &&
		       (sym->file != s->loop->file || sym->at < s->body->begin ||
			       sym->at >= s->body->end);
	case KT_MEMBER:
		return e->n == 1 && (e->flags & KT_F_ARROW ? is_same_later(s, d, e->child[0])
							   : names_same_later(s, d, e->child[0]));
	case KT_INDEX:
		return is_same_later(s, d, e->child[1]) &&
		       (kt_is_pointer(s->u, e->child[0]) ? is_same_later(s, d, e->child[0])
							 : names_same_later(s, d, e->child[0]));
	case KT_UNARY:
		return e->op == KT_OP_DEREF && is_same_later(s, d, e->child[0]);
	default:
		return false;
	}
}

/* Is the reference bound to an object of its own type, not to a temporary? */
static bool binds_same_later(struct split *s, const struct kt_node *v)
{
	const struct kt_type *to = kt_object_type(s->u, v->type);
	const struct kt_node *e = v->n == 1 ? v->child[0] : NULL;

	return e && !to->is_volatile &&
	       str_eq(kt_type_bare(to, true), kt_type_bare(kt_type_of(s->u, e), true)) &&
	       names_same_later(s, v->parent, e);
}

/* Is it unused between its declaration and the arm? */
static bool is_unused_before(struct split *s, const struct kt_node *v)
{
	const struct kt_node *d = v->parent, *body = s->body;
	const char *name = s->u->sym[v->sym].name;
	bool used = plan_may_name(s->p, d->end, s->cond->end, name);

	for (const struct kt_node *n = body; n && !used; n = kt_next(n, body)) {
		used = n->begin >= d->begin && n->begin < s->cond->end && n != v &&
		       kt_names(n, v->sym);
	}
	return !used;
}

bool split_can_be_repeated(struct split *s, const struct kt_node *v)
{
	const struct kt_node *d = v->parent, *init = v->n == 1 ? v->child[0] : NULL;
	const struct kt_type *t = &s->u->type[v->type];
	const struct kt_type *elem = t->kind == KT_T_ARRAY ? &s->u->type[t->elem] : t;
	struct locset own = {0};

	if (d->n != 1 || (d->flags | v->flags) & KT_F_MACRO || t->is_volatile ||
		elem->is_volatile || facts_acts(s->f, d) || (init && init->flags & KT_F_MACRO)) {
		return false;
	}
	if (t->kind == KT_T_REFERENCE) {
		return binds_same_later(s, v);
	}
	if (!init) {
		return kt_object_type(s->u, v->type)->trivial && is_unused_before(s, v);
	}
	bool memory = !can_be_saved(s, v);
	bool value = kt_is_scalar(elem) ||
		     (memory && (elem->kind == KT_T_VECTOR ||
					(elem->kind == KT_T_RECORD && !elem->destroys)));
	locset_add(&own, s->p->a, LOC_VAR(v->sym));
	return value && (init->flags & KT_F_VALUE || is_same_as_then(s, d, d, memory)) &&
	       stay_between(s, d, &own, false);
}

static bool contains(
	const struct split *s, const struct kt_node *d, const struct kt_node *e, const char *name)
{
	return d != e && plan_may_name(s->p, d->begin, d->end, name);
}

bool split_is_handed_on(struct split *s, const struct kt_node *v)
{
	const struct kt_node *iff = s->m->node, *d = v->parent, *header = split_header_of(s);
	const char *name = s->u->sym[v->sym].name;
	bool needed = is_needed(s, v);

	for (size_t i = d == header ? iff->slot + 1 : d->slot + 1; i <= iff->slot && !needed; i++) {
		const struct kt_node *later = i < iff->slot ? s->body->child[i] : header;
		for (size_t k = 0; later && kt_declares(s->u, later) && k < later->n; k++) {
			const struct kt_node *w = later->child[k];
			needed |= w->kind == KT_VAR && contains(s, later, d, name) &&
				  split_can_be_repeated(s, w) && split_is_handed_on(s, w);
		}
	}
	return needed;
}

static bool ends_in_code(const struct kt_unit *u, const struct kt_type *t)
{
	t = kt_element_type(u, t);
	return t->kind == KT_T_RECORD && t->destroys;
}

/* For a declaration before the if: can the arm get the variables that it needs? */
static bool check_declaration(struct split *s, const struct kt_node *d)
{
	const char *why = "before it a type or a structured binding is declared";

	if (!d->n || kt_is_binding(s->u, d)) {
		return plan_refuse(s->p, CLAUSE_CONDITION, "%s", why);
	}
	for (size_t i = 0; i < d->n; i++) {
		const struct kt_node *v = d->child[i];
		const struct kt_type *t = v->kind == KT_VAR ? &s->u->type[v->type] : NULL;
		if (!t) {
			return plan_refuse(s->p, CLAUSE_CONDITION, "%s", why);
		}
		bool refers = t->kind == KT_T_REFERENCE, repeated = split_can_be_repeated(s, v);
		bool ends = refers ? !repeated : ends_in_code(s->u, t);
		bool saved = repeated || can_be_saved(s, v);
		bool keeps = refers || keeps_to_itself(s, v->sym);
		if (ends || !keeps || (split_is_handed_on(s, v) && !saved)) {
			return plan_refuse(s->p, CLAUSE_CONDITION,
				"'%s', which is made before it, cannot be handed to the arm",
				s->u->sym[v->sym].name);
		}
	}
	return true;
}

/* A variable of the if's header: only the arm uses it, as no later code has its name. */
static bool check_header(struct split *s)
{
	const struct kt_node *d = split_header_of(s), *iff = s->m->node;
	bool apart = kt_declares(s->u, d) && check_declaration(s, d);

	for (size_t i = 0; i < d->n && apart; i++) {
		const char *name = s->u->sym[d->child[i]->sym].name;
		apart = !plan_may_name(s->p, iff->end, s->body->end, name) ||
			plan_refuse(s->p, CLAUSE_SHAPE, "its header declares '%s'", name);
	}
	return apart;
}

bool split_check_declarations(struct split *s)
{
	const struct kt_node *iff = s->m->node;
	struct str word = layout_type_word(plan_layout(s->p), s->body->begin, iff->begin);

	if (word.n) {
		return plan_refuse(
			s->p, CLAUSE_CONDITION, "before it '%.*s' stands", STR_ARG(word));
	}
	for (size_t i = 0; s->body != iff && i < iff->slot; i++) {
		const struct kt_node *d = s->body->child[i];
		if (kt_declares(s->u, d) && !check_declaration(s, d)) {
			return false;
		}
	}
	return !split_header_of(s) || check_header(s);
}
