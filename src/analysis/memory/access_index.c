#include "analysis/memory/access_index.h"

#include <string.h>
#include "analysis/facts/writes.h"
#include "analysis/pair/pair.h"

enum {
	DEPTH_MAX = 12 /* definitions that are followed */
};

/* ---- sums ---- */

/* Is it an integer type whose sums are followed? */
static bool is_counted(const struct kt_type *t)
{
	return t->kind == KT_T_INT && (t->size == 4 || t->size == 8);
}

/* May an operand of type part be a term of a sum of type sum, with the same value modulo the type's
 * size? */
static bool fits(const struct kt_type *part, const struct kt_type *sum)
{
	bool exact = !part->is_unsigned && part->size <= sum->size;
	return is_counted(part) && (exact || (sum->is_unsigned && part->size == sum->size));
}

static void add_term(
	struct index_sum *s, const struct index_facts *x, const struct kt_node *n, int64_t coef)
{
	for (size_t i = 0; i < s->terms; i++) {
		if (pair_equal(x->f, s->term[i].node, n)) {
			s->bad |= __builtin_add_overflow(s->term[i].coef, coef, &s->term[i].coef);
			return;
		}
	}
	if (s->terms == SUM_TERMS_MAX) {
		s->bad = true;
		return;
	}
	s->term[s->terms].node = n;
	s->term[s->terms++].coef = coef;
}

static const struct kt_type *type_of(const struct index_facts *x, const struct kt_node *n)
{
	return kt_object_type(x->u, n->type);
}

static void add(
	struct index_sum *s, const struct index_facts *x, const struct kt_node *n, int64_t coef)
{
	const struct kt_type *t = type_of(x, n);
	int64_t scaled;
	if (n->flags & KT_F_VALUE) {
		s->bad |= __builtin_mul_overflow(n->value, coef, &scaled) ||
			  __builtin_add_overflow(s->constant, scaled, &s->constant);
		return;
	}
	bool follows = is_counted(t) && (t->is_unsigned || !x->wraps);
	for (size_t i = 0; i < n->n; i++) {
		bool constant = n->child[i] && n->child[i]->flags & KT_F_VALUE;
		follows = follows && n->child[i] && (constant || fits(type_of(x, n->child[i]), t));
	}
	bool sum = n->kind == KT_BINARY && (n->op == KT_OP_ADD || n->op == KT_OP_SUB);
	bool widens = n->kind == KT_CAST && n->n == 1;
	if (follows && sum) {
		add(s, x, n->child[0], coef);
		add(s, x, n->child[1], n->op == KT_OP_SUB ? -coef : coef);
	} else if (follows && widens) {
		add(s, x, n->child[0], coef);
	} else if (follows && n->kind == KT_BINARY && n->op == KT_OP_MUL &&
		   (n->child[0]->flags | n->child[1]->flags) & KT_F_VALUE) {
		unsigned constant = n->child[1]->flags & KT_F_VALUE ? 1 : 0;
		s->bad |= __builtin_mul_overflow(coef, n->child[constant]->value, &scaled);
		add(s, x, n->child[1 - constant], s->bad ? 0 : scaled);
	} else {
		add_term(s, x, n, coef);
	}
}

void index_sum_of(struct index_sum *out, const struct index_facts *x, const struct kt_node *n)
{
	*out = (struct index_sum){0};
	if (!n) {
		return;
	}
	const struct kt_type *t = type_of(x, n);
	out->wraps = t->size < 8 && t->is_unsigned;
	out->bad = !(n->flags & KT_F_VALUE) && !is_counted(t);
	if (!out->bad) {
		add(out, x, n, 1);
	}
}

int64_t index_sum_take(struct index_sum *s, kt_id sym)
{
	for (size_t i = 0; i < s->terms; i++) {
		if (kt_names(s->term[i].node, sym)) {
			int64_t coef = s->term[i].coef;
			s->term[i] = s->term[--s->terms];
			return coef;
		}
	}
	return 0;
}

bool index_sums_match(
	const struct index_facts *x, const struct index_sum *p, const struct index_sum *q)
{
	if (p->bad || q->bad || p->wraps != q->wraps || p->terms != q->terms) {
		return false;
	}
	for (size_t i = 0; i < p->terms; i++) {
		bool found = false;
		for (size_t k = 0; k < q->terms && !found; k++) {
			found = p->term[i].coef == q->term[k].coef &&
				pair_equal(x->f, p->term[i].node, q->term[k].node);
		}
		if (!found) {
			return false;
		}
	}
	return true;
}

/* ---- known divisors of a value ---- */

static unsigned power_in(int64_t v)
{
	uint64_t u = (uint64_t)v;
	uint64_t low = u & (~u + 1);
	return u == 0 || low > MULTIPLE_MAX ? MULTIPLE_MAX : (unsigned)low;
}

static unsigned least(unsigned x, unsigned y)
{
	return x < y ? x : y;
}

static unsigned product(unsigned x, unsigned y)
{
	return x >= MULTIPLE_MAX / y ? MULTIPLE_MAX : x * y;
}

static unsigned multiple(const struct index_facts *x, const struct kt_node *n, unsigned depth);

/* A power of two that divides all values of the variable. */
static unsigned variable_multiple(const struct index_facts *x, kt_id sym, unsigned depth)
{
	unsigned m = MULTIPLE_MAX;
	if (!local_is_plain(x->u, sym)) {
		return 1;
	}
	const struct kt_node *w = local_next_write(x->u, x->body, sym, NULL);
	if (!w || !local_is_declared_by(w)) {
		return 1; /* a variable of the function around a lambda */
	}
	for (; w && m > 1; w = local_next_write(x->u, x->body, sym, w)) {
		const struct kt_node *up = w->parent;
		if (local_is_declared_by(w)) {
			m = w->n == 1 ? least(m, multiple(x, w->child[0], depth)) : m;
			continue;
		}
		bool adds = w->kind == KT_REF && up && up->kind == KT_ASSIGN && w->slot == 0 &&
			    (up->op == KT_OP_NONE || up->op == KT_OP_ADD || up->op == KT_OP_SUB);
		m = adds ? least(m, multiple(x, up->child[1], depth)) : 1;
	}
	return m;
}

static unsigned multiple(const struct index_facts *x, const struct kt_node *n, unsigned depth)
{
	const struct kt_type *t = n ? type_of(x, n) : NULL;
	if (!n || depth == 0) {
		return 1;
	}
	if (n->flags & KT_F_VALUE) {
		return power_in(n->value);
	}
	if (t->kind != KT_T_INT || t->size < 4) {
		return 1; /* a narrow integer holds only the low bits */
	}
	const struct kt_node *l = n->n > 0 ? n->child[0] : NULL;
	const struct kt_node *r = n->n > 1 ? n->child[1] : NULL;
	unsigned deep = depth - 1;
	if (n->kind == KT_REF) {
		return variable_multiple(x, n->sym, deep);
	}
	if (n->kind == KT_CAST || (n->kind == KT_UNARY && n->op == KT_OP_NEG)) {
		return multiple(x, l, deep);
	}
	if (n->kind == KT_UNARY && n->op == KT_OP_NOT && l->flags & KT_F_VALUE) {
		return power_in(~l->value);
	}
	if (n->kind == KT_COND) {
		return n->child[KT_COND_THEN] ? least(multiple(x, n->child[KT_COND_THEN], deep),
							multiple(x, n->child[KT_COND_ELSE], deep))
					      : 1;
	}
	if (n->kind != KT_BINARY) {
		return 1;
	}
	switch (n->op) {
	case KT_OP_ADD:
	case KT_OP_SUB:
	case KT_OP_OR:
	case KT_OP_XOR:
	case KT_OP_REM:
		return least(multiple(x, l, deep), multiple(x, r, deep));
	case KT_OP_MUL:
		return product(multiple(x, l, deep), multiple(x, r, deep));
	case KT_OP_AND: {
		unsigned y = multiple(x, l, deep), z = multiple(x, r, deep);
		return y > z ? y : z;
	}
	case KT_OP_SHL:
		return r->flags & KT_F_VALUE && r->value >= 0 && r->value < 12
			       ? product(multiple(x, l, deep), 1u << r->value)
			       : multiple(x, l, deep);
	default:
		return 1;
	}
}

unsigned index_sum_multiple(const struct index_facts *x, const struct index_sum *s)
{
	unsigned m = MULTIPLE_MAX;
	for (size_t i = 0; i < s->terms; i++) {
		m = least(m, product(multiple(x, s->term[i].node, DEPTH_MAX),
				     power_in(s->term[i].coef)));
	}
	return s->bad ? 1 : m;
}

/* ---- alignment ---- */

/* Alignment in bytes; 1 if unknown. */
static unsigned type_align(const struct index_facts *x, kt_id type)
{
	const struct kt_type *t = &x->u->type[type];
	switch (t->kind) {
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_POINTER:
	case KT_T_VECTOR:
		return t->size > 0 ? power_in(t->size) : 1;
	case KT_T_RECORD:
		return t->align > 0 ? power_in(t->align) : 1;
	case KT_T_ARRAY:
		return type_align(x, t->elem);
	default:
		return 1;
	}
}

static bool is_assumption(const struct index_facts *x, const struct kt_node *n)
{
	const char *name = n->fn ? x->u->fn[n->fn].base : n->text;
	return n->kind == KT_CALL && name && strcmp(name, "__builtin_assume_aligned") == 0;
}

static unsigned pointer_align(const struct index_facts *x, const struct kt_node *n, unsigned depth)
{
	const struct kt_type *t = type_of(x, n);
	bool pointer = t->kind == KT_T_POINTER || t->kind == KT_T_ARRAY;
	unsigned by_type = pointer ? type_align(x, t->elem) : 1, more = 1;
	if (!pointer || depth == 0) {
		return by_type;
	}
	if (n->kind == KT_REF) {
		const struct kt_node *value = local_only_value(x->u, x->body, n->sym);
		more = value ? pointer_align(x, value, depth - 1) : 1;
	} else if (n->kind == KT_CAST && n->n == 1) {
		more = pointer_align(x, n->child[0], depth - 1);
	} else if (is_assumption(x, n) && n->n == 2 && n->child[1]->flags & KT_F_VALUE) {
		unsigned assumed = power_in(n->child[1]->value);
		unsigned known = pointer_align(x, n->child[0], depth - 1);
		more = assumed > known ? assumed : known;
	} else if (n->kind == KT_BINARY && (n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
		bool swapped = type_of(x, n->child[0])->kind == KT_T_INT;
		int64_t size = t->elem ? x->u->type[t->elem].size : 0;
		unsigned step = size > 0 ? power_in(size) : 1;
		more = least(pointer_align(x, n->child[swapped], depth - 1),
			product(multiple(x, n->child[!swapped], depth - 1), step));
	}
	return more > by_type ? more : by_type;
}

unsigned index_pointer_align(const struct index_facts *x, const struct kt_node *n)
{
	return pointer_align(x, n, DEPTH_MAX);
}
