/*
 * Members of records: which of them are the reason for which a record differs between lanes. In
 *
 *   struct { int lane, rows; } at = {threadIdx.x, n};
 *
 * at differs, and at.rows does not. What some object's field is set to is kept for the field, by
 * writes to members and by lists in braces. A record whose reason may be that of any member has
 * BIT_BLUR: one that unknown code makes, that is chosen or found by a value that differs, or that
 * only some lanes set.
 */
#include "analysis/lanes/uniform_walk.h"

#include <string.h>

enum {
	BYTES_MAX = 64 /* the last one stands for all after it */
};

/* Members of anonymous records and bit-fields have no offset: they may share memory with others. */
static bool is_tracked(const struct uniformity *u, kt_id field)
{
	const struct kt_sym *s = field ? uniform_sym_of(u, field) : NULL;
	return s && s->kind == KT_S_FIELD && (s->offset > 0 || s->united);
}

/* ---- the parts of an object ---- */

static struct part_keys bytes_of(kt_id object, int64_t at, int64_t size)
{
	uintptr_t key = ((uintptr_t)object << 32) | (1u << 31);
	int64_t end = size > 0 ? at + size - 1 : BYTES_MAX;
	return (struct part_keys){key + (uintptr_t)(at < BYTES_MAX ? at : BYTES_MAX),
		key + (uintptr_t)(end < BYTES_MAX ? end : BYTES_MAX)};
}

struct part_keys uniform_field_keys(const struct uniformity *u, kt_id object, kt_id field)
{
	const struct kt_sym *s = uniform_sym_of(u, field);
	uintptr_t key = ((uintptr_t)object << 32) | field;
	return s->united ? bytes_of(object, s->united_at, u->unit->type[s->type].size)
			 : (struct part_keys){key, key};
}

void uniform_part_add(struct uniformity *u, struct ids *to, struct part_keys k, unsigned bits)
{
	for (uintptr_t key = k.first; key <= k.last; key++) {
		unsigned was = (unsigned)ids_get(to, key, 0);
		if (bits & ~was) {
			ids_set(to, key, was | bits);
			u->changed = true;
		}
	}
}

unsigned uniform_part(const struct ids *of, struct part_keys k)
{
	unsigned bits = 0;
	for (uintptr_t key = k.first; key <= k.last; key++) {
		bits |= (unsigned)ids_get(of, key, 0);
	}
	return bits;
}

/* ---- all objects of a class ---- */

static unsigned of_all(unsigned bits)
{
	return uniform_left(bits) & (BIT_MADE | BIT_WAVE | BIT_CROSSED);
}

void uniform_field_set(struct uniformity *u, kt_id field, unsigned bits)
{
	uniform_part_add(u, &u->fields,
		uniform_field_keys(u, uniform_sym_of(u, field)->united, field), of_all(bits));
}

unsigned uniform_field(const struct uniformity *u, kt_id field, unsigned bits)
{
	if (bits & BIT_BLUR || !is_tracked(u, field)) {
		return BIT_OWN;
	}
	kt_id class = uniform_sym_of(u, field)->united;
	unsigned own = uniform_part(&u->fields, uniform_field_keys(u, class, field));
	return own | (own & BIT_MADE ? BIT_MADE_PASSED : 0) |
	       (own & BIT_WAVE ? BIT_WAVE_PASSED : 0) | (own ? BIT_PARAM : 0);
}

/* ---- lists in braces ---- */

static void find_fields(struct uniformity *u)
{
	ARRAY(kt_id) all = {0};
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (is_tracked(u, s)) {
			array_push(&all, s);
		}
	}
	u->field = array_to_arena(u->arena, &all);
	u->fields_n = all.n;
	array_release(&all);
}

/* Each field of that name and place: the tree does not tell those of two records apart. */
static void set_fields(struct uniformity *u, const char *name, int64_t offset, unsigned bits)
{
	if (!u->field) {
		find_fields(u);
	}
	span_each (u->field, u->fields_n, const kt_id, field) {
		const struct kt_sym *s = uniform_sym_of(u, *field);
		if (s->offset == offset && strcmp(s->name, name) == 0) {
			uniform_field_set(u, *field, bits);
		}
	}
}

/* The member that {.b = 2} names, where the list does not name the member of each place. */
kt_id uniform_named_field(const struct uniformity *u, const struct kt_node *n)
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
			(f->kind == KT_T_RECORD ? list || record : !list && !record) &&
			f->kind != KT_T_ARRAY;
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

bool uniform_lists_elements(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *var = n->kind == KT_INIT_LIST ? n->parent : NULL;
	bool ours = var && var->kind == KT_VAR && kt_is_variable(u->unit, var->sym);
	const struct kt_type *t = kt_object_type(u->unit, ours ? var->type : 0);
	enum kt_type_kind elem = kt_object_type(u->unit, t->elem)->kind;
	bool scalars = elem != KT_T_RECORD && elem != KT_T_ARRAY;
	bool all = ours && t->kind == KT_T_ARRAY && (int64_t)n->n <= t->count;
	for (size_t i = 0; i < n->n && all; i++) {
		const struct kt_node *c = n->child[i];
		bool list = c->kind == KT_INIT_LIST;
		bool record = kt_object_type(u->unit, c->type)->kind == KT_T_RECORD;
		all = c->kind != KT_EXPR_UNKNOWN && (scalars ? !list && !record : list || record);
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
		uniform_part_add(u, &u->fields,
			bytes_of(s->united, s->united_at + (int64_t)i * size, size),
			of_all(bits[i]));
	}
}

unsigned uniform_list(struct uniformity *u, const struct kt_node *n, const unsigned *bits)
{
	const struct kt_type *t = list_type(u, n);
	unsigned all = 0;
	bool order = is_in_order(u, n, t), named = n->n > 0;
	for (size_t i = 0; i < n->n; i++) {
		kt_id field = uniform_named_field(u, n->child[i]);
		all |= bits[i];
		named = named && field;
		if (field) {
			uniform_field_set(u, field, bits[i]);
		} else if (order && bits[i] & BIT_OWN) {
			set_fields(u, t->field[i].name, 1 + t->field[i].at, bits[i]);
		}
	}
	if (uniform_lists_elements(u, n)) {
		uniform_set_elements(u, n->parent->sym, n, bits);
	}
	bool vector = uniform_lists_vector(u, n);
	if (vector) {
		set_vector(u, n, bits);
	}
	bool known = order || named || vector || t->kind == KT_T_ARRAY;
	return !known && all & BIT_OWN ? all | BIT_BLUR : all;
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
