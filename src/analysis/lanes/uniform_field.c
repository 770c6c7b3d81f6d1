/*
 * Members of records: which of them are the reason for which a record differs between lanes. In
 *
 *   struct { int lane, rows; } at = {threadIdx.x, n};
 *
 * at differs, and at.rows does not. What some object's field is set to is kept for the field, by
 * writes to members and by lists in braces. A record whose reason may be that of any member has
 * BIT_BLUR: one that unknown code makes, that is chosen or found by a value that differs, or that
 * only some lanes set.
 *
 * Members of a function's own variables, and elements of its arrays at constant places, are parts:
 * they are followed along the paths, as variables are.
 */
#include "analysis/lanes/uniform_walk.h"

#include <string.h>

enum {
	BYTES_MAX = 64,	    /* the last one stands for all after it */
	ELEMENTS = 1 << 30, /* in a key, where the number of a member is */
	ELEMENTS_MAX = 1 << 16
};

/* The keys of a part of an object, or of a class. */
struct keys {
	uintptr_t first, last;
};

/* Members of anonymous records and bit-fields have no offset: they may share memory with others. */
static bool is_tracked(const struct uniformity *u, kt_id field)
{
	const struct kt_sym *s = field ? uniform_sym_of(u, field) : NULL;
	return s && s->kind == KT_S_FIELD && (s->offset > 0 || s->united);
}

/* ---- the parts of a variable ---- */

static struct keys bytes_of(kt_id object, int64_t at, int64_t size)
{
	uintptr_t key = ((uintptr_t)object << 32) | (1u << 31);
	int64_t end = size > 0 ? at + size - 1 : BYTES_MAX;
	return (struct keys){key + (uintptr_t)(at < BYTES_MAX ? at : BYTES_MAX),
		key + (uintptr_t)(end < BYTES_MAX ? end : BYTES_MAX)};
}

/* Fields that share memory have the keys of their bytes. */
static struct keys field_keys(const struct uniformity *u, kt_id object, kt_id field)
{
	const struct kt_sym *s = uniform_sym_of(u, field);
	uintptr_t key = ((uintptr_t)object << 32) | field;
	return s->united ? bytes_of(object, s->united_at, u->unit->type[s->type].size)
			 : (struct keys){key, key};
}

static uintptr_t element_key(kt_id array, int64_t at)
{
	return ((uintptr_t)array << 32) | ELEMENTS | (uintptr_t)at;
}

static bool has_no_name(const struct kt_node *member)
{
	return member->text && str_holds(str_of(member->text), STR("(anonymous"));
}

/* The variable whose member n is, directly or in an anonymous record; or 0. */
static kt_id member_of(const struct uniformity *u, const struct kt_node *n)
{
	bool named = n->sym && !has_no_name(n);
	do {
		n = n->n && !(n->flags & KT_F_ARROW) ? n->child[KT_MEMBER_BASE] : NULL;
		n = kt_past_casts(n); /* to a base class */
	} while (n && n->kind == KT_MEMBER && has_no_name(n));
	return named && n && n->kind == KT_REF && kt_is_variable(u->unit, n->sym) ? n->sym : 0;
}

/* The array that has the constant element n; or 0. */
static kt_id element_of(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *of = n->n == 2 ? n->child[0] : NULL;
	bool ours = of && of->kind == KT_REF && kt_is_variable(u->unit, of->sym) &&
		    kt_is_array(u->unit, of) && n->child[1]->flags & KT_F_VALUE;
	return ours && n->child[1]->value >= 0 && n->child[1]->value < ELEMENTS_MAX ? of->sym : 0;
}

/* The variable that n is a part of, with the part's keys; or 0. */
static kt_id part_of(struct keys *k, const struct uniformity *u, const struct kt_node *n)
{
	kt_id of = n->kind == KT_MEMBER	 ? member_of(u, n)
		   : n->kind == KT_INDEX ? element_of(u, n)
					 : 0;
	if (of && n->kind == KT_MEMBER) {
		*k = field_keys(u, of, n->sym);
	} else if (of) {
		k->first = k->last = element_key(of, n->child[1]->value);
	}
	return of && !kt_is_reference(u->unit, of) ? of : 0;
}

void uniform_start_parts(struct uniformity *u)
{
	size_t first = u->unit->syms + u->unit->fns;
	ARRAY(uintptr_t) found = {0};
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_node *body = u->unit->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			struct keys k;
			kt_id v = part_of(&k, u, n);
			for (uintptr_t key = k.first; v && key <= k.last; key++) {
				if (!ids_get(&u->parts, key, 0)) {
					ids_set(&u->parts, key, first + found.n);
					array_push(&found, key);
				}
			}
		}
	}
	size_t next = first + found.n;
	u->slot = ARENA_ARRAY(u->arena, struct slot, next + found.n);
	for (size_t i = 0; i < found.n; i++) {
		size_t *whole = &u->slot[found.v[i] >> 32].part;
		*whole = *whole ? *whole : next++;
		u->slot[first + i] = (struct slot){
			.part = u->slot[*whole].part, .key = found.v[i], .start = BIT_WHOLE};
		u->slot[*whole].part = first + i;
	}
	array_release(&found);
}

/* BIT_OWN of the variable's part. mask: those that it may have of the variable as a whole. */
static unsigned part_bits(const struct walk *w, kt_id of, struct keys k, unsigned mask)
{
	const struct slot *v = &w->u->slot[of];
	unsigned bits = v->exposed ? v->far & mask : 0;
	unsigned whole = mask & (v->bound ? v->whole : v->part ? w->u->slot[v->part].now : v->now);
	for (uintptr_t key = k.first; key <= k.last; key++) {
		size_t at = ids_get(&w->u->parts, key, 0);
		const struct slot *s = at ? &w->u->slot[at] : NULL;
		unsigned now = !s ? BIT_WHOLE : v->bound ? s->bits | BIT_WHOLE : s->now;
		bits |= now | (now & BIT_WHOLE ? whole : 0);
	}
	return bits & BIT_OWN;
}

unsigned uniform_element(const struct walk *w, const struct kt_node *n)
{
	struct keys k;
	kt_id of = part_of(&k, w->u, n);
	return of && uniform_is_followed(w, of) ? part_bits(w, of, k, BIT_OWN) : BIT_OWN;
}

unsigned uniform_member(const struct walk *w, const struct kt_node *n, unsigned bits)
{
	struct keys k;
	kt_id of = part_of(&k, w->u, n);
	if (has_no_name(n)) {
		return BIT_OWN; /* its members tell */
	}
	unsigned mask = uniform_field(w->u, n->sym, bits);
	return of && uniform_is_followed(w, of) ? part_bits(w, of, k, mask) : mask;
}

bool uniform_is_part(const struct walk *w, const struct kt_node *n)
{
	struct keys k;
	kt_id of = part_of(&k, w->u, n);
	return of && uniform_is_followed(w, of);
}

unsigned uniform_part_elsewhere(const struct walk *w, kt_id variable, kt_id field, unsigned bits)
{
	unsigned mask = uniform_field(w->u, field, bits);
	return part_bits(w, variable, field_keys(w->u, variable, field), mask);
}

static void add_part(struct uniformity *u, uintptr_t key, unsigned own)
{
	struct slot *s = &u->slot[ids_get(&u->parts, key, 0)];
	if (own & ~s->bits) {
		s->bits |= own;
		u->changed = true;
	}
}

kt_id uniform_write_part(struct walk *w, const struct kt_node *n, unsigned bits, bool over)
{
	struct uniformity *u = w->u;
	struct keys k;
	kt_id of = part_of(&k, u, n);
	if (!of || !uniform_is_followed(w, of)) {
		return 0;
	}
	unsigned own = (bits | uniform_apart_bits(w, u->slot[of].level)) & BIT_OWN;
	for (uintptr_t key = k.first; key <= k.last; key++) {
		size_t at = ids_get(&u->parts, key, 0);
		add_part(u, key, own);
		uniform_set(w, at, (bits & BIT_OWN) | (over ? 0 : u->slot[at].now));
	}
	u->in_member = true;
	uniform_write_slot(w, of, bits, false);
	u->in_member = false;
	return of;
}

void uniform_write_whole(struct walk *w, size_t variable, unsigned bits, bool over)
{
	struct slot *all = w->u->slot, *s = &all[variable];
	unsigned blur =
		uniform_apart_bits(w, s->level) && !w->u->in_member ? (unsigned)BIT_BLUR : 0;
	uniform_set(w, variable, (over ? bits & BIT_VALUE : s->now | bits) | blur);
	if (w->u->in_member || !s->part) {
		return;
	}
	uniform_set(w, s->part, ((over ? 0 : all[s->part].now) | bits | blur) & BIT_OWN);
	for (size_t at = all[s->part].part; at; at = all[at].part) {
		uniform_set(w, at, BIT_WHOLE | (over ? 0 : all[at].now));
	}
}

void uniform_begin(struct walk *w, kt_id variable, unsigned bits, const struct kt_node *init)
{
	struct slot *all = w->u->slot, *s = &all[variable];
	bool listed = init && uniform_lists_elements(w->u, init);
	uniform_set(w, variable, bits);
	if (s->part) {
		uniform_set(w, s->part, listed ? 0 : bits & BIT_OWN);
	}
	for (size_t at = s->part ? all[s->part].part : 0; at; at = all[at].part) {
		uniform_set(w, at, all[at].start);
		all[at].start = BIT_WHOLE;
	}
	if (init) {
		uniform_copy_parts(w, variable, init);
	}
}

bool uniform_are_alike(const struct uniformity *u, kt_id type, kt_id other)
{
	return str_eq(kt_type_bare(kt_object_type(u->unit, type), true),
		kt_type_bare(kt_object_type(u->unit, other), true));
}

void uniform_copy_parts(struct walk *w, kt_id variable, const struct kt_node *value)
{
	struct slot *all = w->u->slot, *to = &all[variable];
	const struct kt_unit *unit = w->u->unit;
	if (value->kind == KT_CONSTRUCT && value->n == 1 && unit->fn[value->fn].is_trivial) {
		value = value->child[0];
	}
	kt_id from = value->kind == KT_REF ? value->sym : 0;
	if (!to->part || !from || !uniform_is_followed(w, from) || all[from].exposed ||
		all[from].bound ||
		!uniform_are_alike(w->u, unit->sym[from].type, unit->sym[variable].type)) {
		return;
	}
	if (all[from].part) {
		uniform_set(w, to->part, all[all[from].part].now);
	}
	for (size_t at = all[to->part].part; at; at = all[at].part) {
		uintptr_t key = ((uintptr_t)from << 32) | (uint32_t)all[at].key;
		size_t part = ids_get(&w->u->parts, key, 0);
		uniform_set(w, at, part ? all[part].now : (unsigned)BIT_WHOLE);
	}
}

/* ---- all objects of a class ---- */

static unsigned of_all(unsigned bits)
{
	return uniform_left(bits) & (BIT_MADE | BIT_WAVE | BIT_CROSSED);
}

static void add_fields(struct uniformity *u, struct keys k, unsigned bits)
{
	for (uintptr_t key = k.first; key <= k.last; key++) {
		unsigned was = (unsigned)ids_get(&u->fields, key, 0);
		if (of_all(bits) & ~was) {
			ids_set(&u->fields, key, was | of_all(bits));
			u->changed = true;
		}
	}
}

void uniform_field_set(struct uniformity *u, kt_id field, unsigned bits)
{
	add_fields(u, field_keys(u, uniform_sym_of(u, field)->united, field), bits);
}

unsigned uniform_field(const struct uniformity *u, kt_id field, unsigned bits)
{
	if (bits & BIT_BLUR || !is_tracked(u, field)) {
		return BIT_OWN;
	}
	struct keys k = field_keys(u, uniform_sym_of(u, field)->united, field);
	unsigned own = 0;
	for (uintptr_t key = k.first; key <= k.last; key++) {
		own |= (unsigned)ids_get(&u->fields, key, 0);
	}
	return own | (own & BIT_MADE ? BIT_MADE_PASSED : 0) |
	       (own & BIT_WAVE ? BIT_WAVE_PASSED : 0) | (own ? BIT_PARAM : 0);
}

/* ---- lists in braces ---- */

static void find_fields(struct uniformity *u)
{
	ARRAY(kt_id) all = {0};
	if (u->field) {
		return;
	}
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (is_tracked(u, s)) {
			array_push(&all, s);
		}
	}
	u->field = array_to_arena(u->arena, &all);
	u->fields_n = all.n;
	array_release(&all);
}

bool uniform_set_taken(struct uniformity *u, kt_id type, unsigned bits)
{
	bool found = false;
	find_fields(u);
	span_each (u->field, u->fields_n, const kt_id, field) {
		kt_id of = uniform_sym_of(u, *field)->type;
		const struct kt_type *t = kt_element_type(u->unit, kt_object_type(u->unit, of));
		if (u->slot[*field].exposed &&
			strcmp(t->canon, kt_object_type(u->unit, type)->canon) == 0) {
			uniform_field_set(u, *field, bits);
			found = true;
		}
	}
	return found;
}

/* A part of the variable that a list sets. */
static void start_part(struct uniformity *u, uintptr_t key, unsigned bits)
{
	size_t at = ids_get(&u->parts, key, 0);
	if (at) {
		add_part(u, key, bits & BIT_OWN);
		u->slot[at].start = bits & BIT_OWN;
	}
}

/* Each field of that name and place: the tree does not tell those of two records apart. variable:
 * of which the list is, or 0. */
static void set_fields(
	struct uniformity *u, const struct kt_field *of, unsigned bits, kt_id variable)
{
	find_fields(u);
	span_each (u->field, u->fields_n, const kt_id, field) {
		const struct kt_sym *s = uniform_sym_of(u, *field);
		if (s->offset == 1 + of->at && strcmp(s->name, of->name) == 0) {
			uniform_field_set(u, *field, bits);
			if (variable && !s->united) {
				start_part(u, field_keys(u, variable, *field).first, bits);
			}
		}
	}
}

/* The member that {.b = 2} names, where the list does not name the member of each place. */
static kt_id named_field(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *name = n->kind == KT_EXPR_UNKNOWN && n->n == 2 ? n->child[0] : NULL;
	struct str s = kt_source(u->unit, n);
	bool field = name && name->kind == KT_REF && name->sym && s.n && *s.p == '.' &&
		     uniform_sym_of(u, name->sym)->kind == KT_S_FIELD &&
		     n->parent->kind == KT_INIT_LIST;
	const kt_id type[] = {
		field ? uniform_sym_of(u, name->sym)->type : 0, field ? n->child[1]->type : 0};
	for (size_t i = 0; i < 2 && field; i++) {
		enum kt_type_kind k = u->unit->type[type[i]].kind;
		field = k == KT_T_INT || k == KT_T_FLOAT || k == KT_T_POINTER || k == KT_T_BOOL;
	}
	return field ? name->sym : 0;
}

/* Does each value belong to the field of its number? */
static bool is_in_order(
	const struct uniformity *u, const struct kt_node *n, const struct kt_type *t)
{
	bool order = t->kind == KT_T_RECORD && t->by_name && n->n <= t->fields;
	for (size_t i = 0; i < n->n && order; i++) {
		const struct kt_node *c = n->child[i];
		const struct kt_type *f = kt_object_type(u->unit, t->field[i].type);
		bool list = c->kind == KT_INIT_LIST;
		bool record = kt_object_type(u->unit, c->type)->kind == KT_T_RECORD;
		bool known = c->kind != KT_EXPR_UNKNOWN; /* else it may name another member */
		order = known && t->field[i].at >= 0 && !(c->flags & KT_F_IMPLICIT) &&
			(f->kind == KT_T_RECORD		? list || record
				: f->kind == KT_T_ARRAY ? list
							: !list && !record);
	}
	return order;
}

/* The type of what the list initializes; a nested list has none of its own. */
static const struct kt_type *list_type(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_type *t = kt_object_type(u->unit, n->type);
	const struct kt_node *up = n->parent;
	if (t->kind == KT_T_RECORD || t->kind == KT_T_ARRAY || !up || up->kind != KT_INIT_LIST) {
		return t;
	}
	const struct kt_type *of = list_type(u, up);
	bool field = of->kind == KT_T_RECORD && of->by_name && n->slot < of->fields;
	return field			? kt_object_type(u->unit, of->field[n->slot].type)
	       : of->kind == KT_T_ARRAY ? kt_object_type(u->unit, of->elem)
					: t;
}

/* The value in [1] = value, or n itself. *at: the number of its element, that of the one before by
 * default. */
static const struct kt_node *element_value(
	const struct uniformity *u, const struct kt_node *n, int64_t *at)
{
	struct str s = kt_source(u->unit, n);
	bool named = n->kind == KT_EXPR_UNKNOWN && n->n == 2 && s.n && *s.p == '[' &&
		     n->child[0]->flags & KT_F_VALUE;
	*at = named ? n->child[0]->value : *at + 1;
	return named ? n->child[1] : n;
}

bool uniform_lists_elements(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *var = n->kind == KT_INIT_LIST ? n->parent : NULL;
	bool ours = var && var->kind == KT_VAR && kt_is_variable(u->unit, var->sym);
	const struct kt_type *t = kt_object_type(u->unit, ours ? var->type : 0);
	enum kt_type_kind elem = kt_object_type(u->unit, t->elem)->kind;
	bool scalars = elem != KT_T_RECORD && elem != KT_T_ARRAY;
	bool all = ours && t->kind == KT_T_ARRAY && (int64_t)n->n <= t->count;
	int64_t at = -1;
	for (size_t i = 0; i < n->n && all; i++) {
		const struct kt_node *c = element_value(u, n->child[i], &at);
		bool list = c->kind == KT_INIT_LIST;
		bool record = kt_object_type(u->unit, c->type)->kind == KT_T_RECORD;
		all = c->kind != KT_EXPR_UNKNOWN && at >= 0 && at < t->count &&
		      (scalars ? !list && !record : list || record);
	}
	return all;
}

bool uniform_lists_vector(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *up = n->kind == KT_INIT_LIST ? n->parent : NULL;
	const struct kt_node *to =
		up && up->kind == KT_ASSIGN && n->slot == 1 ? up->child[0] : NULL;
	const struct kt_type *t = kt_object_type(u->unit, to ? to->type : 0);
	return to && up->op == KT_OP_NONE && to->kind == KT_MEMBER && to->sym &&
	       uniform_sym_of(u, to->sym)->united && t->kind == KT_T_VECTOR &&
	       t->count == (int64_t)n->n;
}

/* The vector's elements may also be members: HIP's classes have both, in a union. */
static void set_vector(struct uniformity *u, const struct kt_node *n, const unsigned *bits)
{
	const struct kt_node *to = n->parent->child[0];
	const struct kt_sym *s = uniform_sym_of(u, to->sym);
	int64_t size = u->unit->type[kt_object_type(u->unit, to->type)->elem].size;
	for (size_t i = 0; i < n->n; i++) {
		add_fields(u, bytes_of(s->united, s->united_at + (int64_t)i * size, size), bits[i]);
	}
}

static unsigned set_by_list(struct uniformity *u, const struct kt_node *n, const unsigned *bits)
{
	const struct kt_type *t = list_type(u, n);
	bool ours =
		n->parent && n->parent->kind == KT_VAR && kt_is_variable(u->unit, n->parent->sym);
	kt_id variable = ours ? n->parent->sym : 0;
	unsigned all = 0;
	bool order = is_in_order(u, n, t), named = n->n > 0;
	for (size_t i = 0; i < n->n; i++) {
		kt_id field = named_field(u, n->child[i]);
		all |= bits[i];
		named = named && field;
		if (field) {
			uniform_field_set(u, field, bits[i]);
		} else if (order) {
			set_fields(u, &t->field[i], bits[i], variable);
		}
	}
	bool elements = uniform_lists_elements(u, n);
	int64_t at = -1;
	for (size_t i = 0; i < n->n && elements; i++) {
		element_value(u, n->child[i], &at);
		if (at < ELEMENTS_MAX) {
			start_part(u, element_key(variable, at), bits[i]);
		}
	}
	bool vector = uniform_lists_vector(u, n);
	if (vector) {
		set_vector(u, n, bits);
	}
	bool known = order || named || vector || t->kind == KT_T_ARRAY;
	return !known && all & BIT_OWN ? all | BIT_BLUR : all;
}

unsigned uniform_list(struct walk *w, const struct kt_node *n)
{
	unsigned *bits = ARENA_ARRAY(w->u->flow, unsigned, n->n + 1);
	for (size_t i = 0; i < n->n; i++) {
		bool named = named_field(w->u, n->child[i]);
		int64_t at = 0;
		const struct kt_node *c =
			named ? n->child[i]->child[1] : element_value(w->u, n->child[i], &at);
		bits[i] = uniform_value(w, c);
		if (w->u->reference_fields &&
			kt_object_type(w->u->unit, n->type)->kind == KT_T_RECORD) {
			uniform_write_to(w, c, BIT_BOTH, true);
		}
	}
	return set_by_list(w->u, n, bits);
}

/* ---- other expressions ---- */

/* Is the value that of an object, whose fields are known by their writes? */
static bool is_object(const struct uniformity *u, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
		return kt_is_variable(u->unit, n->sym);
	case KT_MEMBER:
		return !(n->flags & KT_F_ARROW);
	case KT_INDEX:
		return n->n == 2 && !kt_is_pointer(u->unit, n->child[0]);
	case KT_UNARY:
		return n->op == KT_OP_DEREF && n->n && n->child[0]->kind == KT_THIS;
	case KT_CALL:
	case KT_CONSTRUCT:
		return n->fn && (u->unit->fn[n->fn].body || u->unit->fn[n->fn].is_trivial);
	case KT_INIT_LIST:
	case KT_ASSIGN:
	case KT_CAST:
	case KT_THIS:
		return true;
	default:
		return false;
	}
}

unsigned uniform_blur(const struct uniformity *u, const struct kt_node *n, unsigned bits)
{
	const struct kt_type *t = kt_object_type(u->unit, n->type);
	while (t->kind == KT_T_ARRAY) {
		t = kt_object_type(u->unit, t->elem);
	}
	if (t->kind == KT_T_VECTOR && n->kind == KT_MEMBER) {
		return bits; /* it may share memory with members */
	}
	if (t->kind != KT_T_RECORD && n->kind != KT_INIT_LIST) {
		return bits & ~(unsigned)BIT_BLUR;
	}
	return bits & BIT_OWN && !is_object(u, n) ? bits | BIT_BLUR : bits;
}
