/*
 * rematerialize, element by element: the expression that sets q[i] replaces each read of q[e], and
 * there is no q.
 *
 * BEFORE                                          AFTER
 *
 *   f16x4 q[N];
 *   for (int i = 0; i < N; ++i) {
 *           q[i] = queries[i * 64 + lane];
 *   }
 *   for (int key = 0; key < keys; key += 32) {      for (int key = 0; key < keys; key += 32) {
 *                                                           int zero = 0;
 *                                                           asm volatile("" : "+s"(zero));
 *           for (int s = 0; s < N; ++s) {                   for (int s = 0; s < N; ++s) {
 *                   acc = mma(q[s], acc);                           acc = mma((queries +
 *           }                                                               zero)
 *                                                                           [s * 64 + lane], acc);
 *                                                           }
 *           ...                                             ...
 *   }                                               }
 *
 * An array makes the compiler unroll the loop that indexes it, with all its loads first, or as many
 * as the scheduler runs ahead. Without the array the loop may stay rolled ("element"), or gets an
 * unroll pragma ("unrolled"), with each load next to its use.
 *
 * Legal when, besides clauses 1 to 7 of rematerialize.c,
 *  8. the fragment is set by a nest of counted loops around one assignment: each index of the
 *     element is the variable of one of them, and the value can be moved (no macro, no
 *     declaration);
 *  9. it is read element by element, with indices from constants, masks and counted loops that are
 *     within the elements set and do not change meanwhile; each read is a value of the same type,
 *     not bound to a reference, and no overload or template depends on more;
 * 10. contraction is off, or no loop, branch or ?: around a read separates a float multiply from an
 *     add of its result, and the value has no branches: with an array in registers the compiler may
 *     form one basic block, with loads perhaps not.
 */

#include "analysis/arms/contract.h"
#include "analysis/pair/pair.h"
#include "strategy/plan/value.h"
#include "strategy/rematerialize/rematerialize.h"
#include "strategy/text/text.h"

enum {
	CLAUSE_ONE_VALUE = 8,
	CLAUSE_INDEX,
	CLAUSE_BLOCKS,
};

/* ---- clause 8 ---- */

static const struct kt_node *only_setting(const struct fragment_plan *r)
{
	const struct kt_node *only = NULL;
	for (size_t i = 0; i < r->in->parts; i++) {
		if (r->in->part[i].sets && r->in->part[i].node != r->in->decl) {
			if (only) {
				return NULL;
			}
			only = r->in->part[i].node;
		}
	}
	return only;
}

/* The loops around one assignment, and the assignment. NULL: other code. */
static const struct kt_node *nested_assignment(
	struct fragment_plan *r, const struct kt_node *n, struct fragment_loop *loop, size_t *loops)
{
	*loops = 0;
	while (n && n->kind == KT_FOR && *loops < FRAGMENT_LOOPS) {
		if (!loop_is_counted(&loop[*loops].is, r->f, n)) {
			return NULL;
		}
		loop[(*loops)++].node = n;
		n = n->child[KT_FOR_BODY];
		if (n && n->kind == KT_COMPOUND) {
			n = n->n == 1 ? n->child[0] : NULL;
		}
	}
	return *loops && n && n->kind == KT_ASSIGN && n->n == 2 && n->op == KT_OP_NONE ? n : NULL;
}

/* The index at depth (from 0) of base[..][..], which has all indices. */
static const struct kt_node *index_at(const struct kt_node *element, size_t depth, size_t all)
{
	while (++depth < all) {
		element = element->child[0];
	}
	return element->child[1];
}

/* base[..][..] with this many indices around the reference, or NULL. */
static const struct kt_node *element_of(const struct kt_node *ref, size_t indices)
{
	const struct kt_node *n = ref;
	for (; indices > 0; indices--) {
		if (!n->parent || n->parent->kind != KT_INDEX || n->slot != 0) {
			return NULL;
		}
		n = n->parent;
	}
	return n;
}

/* The loop whose variable occurs below n; loops: none. */
static size_t loop_below(const struct kt_node *n, const struct fragment_loop *loop, size_t loops)
{
	size_t at = loops;
	for (size_t i = 0; i < loops; i++) {
		at = fragment_next_use(NULL, n, loop[i].is.var) ? i : at;
	}
	return at;
}

/* Each dimension's loop, in the order of the dimensions. */
static bool find_dimensions(struct fragment_plan *r, struct fragment_value *v,
	const struct kt_node *element, const struct fragment_loop *loop, size_t loops)
{
	bool taken[FRAGMENT_LOOPS] = {false};
	const struct kt_type *t = kt_object_type(r->u, r->u->sym[r->sym].type);
	for (size_t d = 0; d < loops; d++, t = &r->u->type[t->elem]) {
		const struct kt_node *index = index_at(element, d, loops);
		size_t at = loop_below(index, loop, loops);
		if (at == loops || taken[at] || t->kind != KT_T_ARRAY) {
			return false;
		}
		if (index->kind != KT_REF &&
			!plan_refuse(&r->p, CLAUSE_ONE_VALUE,
				"line %u sets another element than its loop counts",
				fragment_line(r, index))) {
			return false;
		}
		taken[at] = true;
		v->loop[d] = loop[at];
		if (loop[at].is.first < 0 || loop[at].is.last > t->count) {
			return false;
		}
	}
	v->loops = loops;
	return t->kind != KT_T_ARRAY;
}

/* Is it a built-in number type, which a cast can name anywhere? */
static bool is_number(const struct kt_type *t)
{
	return pair_is_number(t) && t->kind != KT_T_BOOL;
}

static bool same_type(const struct kt_type *x, const struct kt_type *y)
{
	return pair_same_bare_type(x, y) && !x->is_volatile && !y->is_volatile;
}

static bool check_value(struct fragment_plan *r, const struct fragment_value *v)
{
	const struct kt_node *e = v->expr;
	const char *name[FRAGMENT_LOOPS];
	struct match_names names = {name, v->loops};
	struct str word = {0};
	bool movable = !(e->flags & KT_F_MACRO) && e->file == r->in->decl->file;
	for (size_t i = 0; i < v->loops; i++) {
		name[i] = r->u->sym[v->loop[i].is.var].name;
		movable &= is_number(&r->u->type[r->u->sym[v->loop[i].is.var].type]);
	}
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		bool counter = n->kind == KT_REF && loop_below(n, v->loop, v->loops) < v->loops;
		movable &= !counter ||
			   !(fragment_is_bound(r->u, n) || value_selects_function(r->u, n));
		movable &= !kt_is_stmt(n->kind) && n->kind != KT_VAR && n->kind != KT_LAMBDA &&
			   n->kind != KT_EXPR_UNKNOWN && !(counter && n->flags & KT_F_MACRO);
	}
	if (!movable || match_hidden_use(r->f, e, e->begin, e->end, &names, &word)) {
		return plan_refuse(&r->p, CLAUSE_ONE_VALUE,
			       "what line %u sets it to cannot stand elsewhere",
			       fragment_line(r, e)) &&
		       movable;
	}
	return true;
}

static bool find_value(struct fragment_plan *r, struct fragment_value *v)
{
	struct fragment_loop loop[FRAGMENT_LOOPS];
	size_t loops = 0;
	const struct kt_node *set = only_setting(r);
	const struct kt_node *assign = set ? nested_assignment(r, set, loop, &loops) : NULL;
	const struct kt_node *ref =
		assign ? fragment_next_use(NULL, assign->child[0], r->sym) : NULL;
	if (!ref || element_of(ref, loops) != assign->child[0] ||
		!find_dimensions(r, v, assign->child[0], loop, loops)) {
		plan_refuse(&r->p, CLAUSE_ONE_VALUE,
			"it is not set by counted loops around one assignment to an element");
		return false;
	}
	v->expr = assign->child[1];
	v->type = kt_type_of(r->u, assign->child[0]);
	const struct kt_type *t = kt_type_of(r->u, v->expr);
	/* A narrow bit-field is promoted to int, an element of its type is not. */
	v->cast = kt_is_bit_field(r->u, v->expr) || !same_type(t, v->type);
	if (v->cast && !(is_number(t) && is_number(v->type))) {
		plan_refuse(&r->p, CLAUSE_ONE_VALUE, "line %u converts the value that it is set to",
			fragment_line(r, assign));
		return false;
	}
	return check_value(r, v);
}

/* ---- clause 9 ---- */

struct range {
	int64_t least;
	int64_t most;
};

/* The counted loop around n with variable sym. */
static bool loop_of(struct fragment_loop *out, struct fragment_plan *r, const struct kt_node *n)
{
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		if (up->kind == KT_FOR && n->slot == KT_FOR_BODY &&
			loop_is_counted(&out->is, r->f, up)) {
			out->node = up;
			return true;
		}
	}
	return false;
}

static bool loop_of_variable(
	struct fragment_loop *out, struct fragment_plan *r, const struct kt_node *ref)
{
	const struct kt_node *n = ref;
	while (loop_of(out, r, n)) {
		if (out->is.var == ref->sym) {
			return true;
		}
		n = out->node;
	}
	return false;
}

static bool range_of(struct range *out, struct fragment_plan *r, const struct kt_node *n);

static bool range_of_binary(struct range *out, struct fragment_plan *r, const struct kt_node *n)
{
	struct range x, y;
	bool known = range_of(&x, r, n->child[0]);
	if (!range_of(&y, r, n->child[1])) {
		return false;
	}
	bool constant = y.least == y.most;
	bool is_unsigned = kt_type_of(r->u, n)->is_unsigned;
	switch (n->op) {
	case KT_OP_AND:
		*out = (struct range){0, y.most};
		return constant;
	case KT_OP_REM:
		*out = (struct range){0, y.most - 1};
		return constant && y.most > 0 && (known || is_unsigned);
	case KT_OP_ADD:
		*out = (struct range){x.least + y.least, x.most + y.most};
		return known;
	case KT_OP_SUB:
		*out = (struct range){x.least - y.most, x.most - y.least};
		return known;
	case KT_OP_MUL:
		*out = (struct range){x.least * y.least, x.most * y.most};
		return known;
	case KT_OP_DIV:
		*out = (struct range){x.least / (y.most ? y.most : 1), x.most};
		return known && constant && y.most > 0;
	case KT_OP_SHR:
		*out = (struct range){0, x.most};
		return known && constant && y.most < 32;
	default:
		return false;
	}
}

/* The range of an integer expression whose parts, except masked ones, are within [0, 2^15). */
static bool range_of(struct range *out, struct fragment_plan *r, const struct kt_node *n)
{
	const int64_t limit = 1 << 15;
	struct fragment_loop loop;
	bool known = false;
	if (kt_type_of(r->u, n)->kind != KT_T_INT) {
		return false;
	}
	if (n->flags & KT_F_VALUE) {
		*out = (struct range){n->value, n->value};
		known = true;
	} else if (n->kind == KT_REF && loop_of_variable(&loop, r, n)) {
		*out = (struct range){loop.is.first, loop.is.last - 1};
		known = true;
	} else if (n->kind == KT_CAST && n->n == 1) {
		known = kt_type_of(r->u, n)->size >= 2 && range_of(out, r, n->child[0]);
	} else if (n->kind == KT_BINARY && n->n == 2) {
		known = range_of_binary(out, r, n);
	}
	return known && out->least >= 0 && out->least <= out->most && out->most < limit;
}

/* Is it integer arithmetic on private scalars, which can be evaluated again? */
static bool is_plain_index(const struct fragment_plan *r, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n;
		n = n->flags & KT_F_VALUE ? kt_skip(n, root) : kt_next(n, root)) {
		const struct kt_sym *s = &r->u->sym[n->sym];
		bool plain = n->flags & KT_F_VALUE || n->kind == KT_LITERAL;
		if (n->kind == KT_REF) {
			plain |= kt_is_variable(r->u, n->sym) && s->space == KT_PRIVATE &&
				 !s->is_static && !kt_is_reference(r->u, n->sym);
		} else if (n->kind == KT_BINARY) {
			plain |= n->op >= KT_OP_ADD && n->op <= KT_OP_XOR;
		} else if (n->kind == KT_UNARY) {
			plain |= n->op == KT_OP_NEG || n->op == KT_OP_PLUS || n->op == KT_OP_NOT;
		} else if (n->kind == KT_CAST) {
			plain |= n->n == 1;
		}
		const struct kt_type *t = kt_type_of(r->u, n);
		if (!plain || t->kind != KT_T_INT || t->is_volatile || n->flags & KT_F_VOLATILE) {
			return false;
		}
	}
	return !(root->flags & KT_F_MACRO) && is_number(kt_type_of(r->u, root));
}

/* Does the expression around n write a variable of the index before its end? */
static bool index_changes(
	struct fragment_plan *r, const struct kt_node *index, const struct kt_node *element)
{
	const struct kt_node *whole = kt_full_expression(element);
	for (const struct kt_node *n = index; n; n = kt_next(n, index)) {
		loc_id loc = LOC_VAR(n->sym);
		const struct locset one = {&loc, 1, 1};
		bool last = whole->kind == KT_ASSIGN;
		for (size_t i = 0; n->kind == KT_REF && n->sym && i < (last ? whole->n : 1); i++) {
			struct fx fx = facts_effects(r->f, last ? whole->child[i] : whole);
			if (facts_sets_alias(r->f, &one, &fx.writes)) {
				return true;
			}
		}
	}
	return false;
}

static bool check_index(struct fragment_plan *r, const struct fragment_loop *set,
	const struct kt_node *index, const struct kt_node *element)
{
	struct range range;
	if (!is_plain_index(r, index)) {
		plan_refuse(&r->p, CLAUSE_INDEX, "line %u reads it by an index that is not plain",
			fragment_line(r, element));
		return false;
	}
	if (!range_of(&range, r, index) || range.least < set->is.first ||
		range.most >= set->is.last) {
		return plan_refuse(&r->p, CLAUSE_INDEX,
			"line %u may read an element that was not set", fragment_line(r, element));
	}
	return !index_changes(r, index, element) ||
	       plan_refuse(&r->p, CLAUSE_INDEX, "line %u changes the index that it reads it by",
		       fragment_line(r, element));
}

/* Is only the element's value used? */
static bool is_value(const struct fragment_plan *r, const struct kt_node *element)
{
	const struct kt_node *n = fragment_access(element);
	switch (n->parent->kind) {
	case KT_BINARY:
		return n->parent->op != KT_OP_COMMA;
	case KT_UNARY:
		return n->parent->op >= KT_OP_NEG && n->parent->op <= KT_OP_LNOT;
	case KT_ASSIGN:
		return n->slot == 1;
	case KT_CALL:
		return !fragment_is_bound(r->u, n) && !value_selects_function(r->u, n);
	case KT_VAR:
	case KT_INIT_LIST:
		/* a constructor may take it */
		return !fragment_is_bound(r->u, n) &&
		       (kt_type_of(r->u, n->parent)->kind != KT_T_RECORD ||
			       kt_type_of(r->u, n)->kind == KT_T_RECORD);
	case KT_CAST:
		return kt_type_of(r->u, n->parent)->kind != KT_T_REFERENCE &&
		       kt_type_of(r->u, n->parent)->kind != KT_T_RECORD;
	case KT_COND:
		return !value_selects_function(r->u, n);
	case KT_INDEX:
	case KT_IF:
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
		return true;
	default:
		return false;
	}
}

static bool check_use(
	struct fragment_plan *r, const struct fragment_value *v, const struct kt_node *ref)
{
	const struct kt_node *element = element_of(ref, v->loops);
	if (!element || element->flags & KT_F_MACRO || element->file != r->in->decl->file) {
		plan_refuse(&r->p, CLAUSE_INDEX, "line %u reads more than one element",
			fragment_line(r, ref));
		return false;
	}
	for (size_t d = 0; d < v->loops; d++) {
		if (!check_index(r, &v->loop[d], index_at(element, d, v->loops), element)) {
			return false;
		}
	}
	return is_value(r, element) ||
	       plan_refuse(&r->p, CLAUSE_INDEX, "line %u takes more than the value of an element",
		       fragment_line(r, element));
}

/* ---- clause 10 ---- */

/* Does it, or a callee, have more than one basic block? */
static bool has_branches(const struct kt_unit *u, const struct kt_node *root, bool *seen)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool calls = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
		bool lazy = n->kind == KT_COND || n->kind == KT_IF || n->kind == KT_SWITCH ||
			    (n->kind == KT_BINARY && (n->op == KT_OP_LAND || n->op == KT_OP_LOR));
		if (lazy || kt_is_loop(n->kind)) {
			return true;
		}
		if (calls && !seen[n->fn] && u->fn[n->fn].body) {
			seen[n->fn] = true;
			if (has_branches(u, u->fn[n->fn].body, seen)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_declared_in(
	const struct kt_unit *u, const struct kt_node *ref, const struct kt_node *region)
{
	const struct kt_sym *s = &u->sym[ref->sym];
	const struct kt_node *body = kt_is_loop(region->kind) ? kt_loop_body(region) : region;
	return kt_is_variable(u, ref->sym) && s->file == body->file && s->at >= body->begin &&
	       s->at < body->end;
}

/* Is the variable's value an addend anywhere in its function? */
static bool is_ever_added(struct fragment_plan *r, struct contract *c, kt_id sym)
{
	const struct kt_node *body = r->u->fn[r->in->fn].body;
	for (const struct kt_node *n = fragment_next_use(NULL, body, sym); n;
		n = fragment_next_use(n, body, sym)) {
		if (contract_is_added(c, fragment_access(n))) {
			return true;
		}
	}
	return false;
}

/* May a call change its argument n, or the object that it points to? */
static bool is_passed(struct fragment_plan *r, const struct kt_node *n)
{
	bool call = n->parent->kind == KT_CALL || n->parent->kind == KT_CONSTRUCT;
	return fragment_is_bound(r->u, n) || (call && kt_is_array(r->u, n));
}

/* Does the pointer n give a call access to private objects? */
static bool leads_to_private(struct fragment_plan *r, const struct kt_node *n)
{
	struct locset to = {0};
	bool is_private = false;
	if (n->parent->kind == KT_CALL && kt_may_hold_pointer(kt_type_of(r->u, n)) &&
		!kt_is_array(r->u, n)) {
		facts_reach(&to, r->f, r->p.a, n);
	}
	for (uint32_t i = 0; i < to.n; i++) {
		is_private |= facts_is_private(r->f, to.v[i]);
	}
	return is_private;
}

/* Does a product enter or leave the region as an addend? root: a reference in the region to an
 * outer variable or a member of *this. */
static bool crosses(struct fragment_plan *r, struct contract *c, const struct kt_node *root)
{
	const struct kt_node *n = fragment_access(root);
	while (n->parent->kind == KT_UNARY && n->parent->op == KT_OP_DEREF) {
		n = fragment_access(n->parent);
	}
	const struct kt_node *up = n->parent;
	bool plain = root->kind == KT_REF && kt_is_variable(r->u, root->sym) &&
		     !kt_is_reference(r->u, root->sym) && !kt_is_pointer(r->u, root);
	bool stores = up->kind == KT_ASSIGN && n->slot == 0 &&
		      (up->op == KT_OP_MUL || contract_is_product(c, up->child[1]));
	bool holds = contract_is_product(c, n);
	if ((holds && contract_is_added(c, n)) || leads_to_private(r, n)) {
		return true;
	}
	if (stores || (holds && is_passed(r, n))) {
		return plain ? is_ever_added(r, c, root->sym) : holds;
	}
	return false;
}

static bool is_outer(
	const struct fragment_plan *r, const struct kt_node *n, const struct kt_node *region)
{
	if (n->kind == KT_MEMBER) {
		const struct kt_node *base = n->child[KT_MEMBER_BASE];
		return !base || base->kind == KT_THIS;
	}
	return n->kind == KT_REF && n->sym && !is_declared_in(r->u, n, region);
}

static bool check_region(struct fragment_plan *r, struct contract *c, const struct kt_node *region)
{
	for (const struct kt_node *n = region; n; n = kt_next(n, region)) {
		if (is_outer(r, n, region) && crosses(r, c, n)) {
			return plan_refuse(&r->p, CLAUSE_BLOCKS,
				"'%.*s' (line %u) may come from a multiply and be added on the "
				"other side of the branch in line %u: the compiler could join the "
				"two to an FMA in other places than now",
				STR_ARG(kt_source(r->u, n)), fragment_line(r, n),
				fragment_line(r, region));
		}
	}
	return true;
}

/* Checks loops, arms and ?: from the place of the offset to the reads. */
static bool check_blocks(
	struct fragment_plan *r, const struct kt_node *block, const struct kt_node *ref)
{
	struct contract *c = contract_of(r->f);
	const struct kt_node *n = ref;
	for (const struct kt_node *up = n->parent; up && up != block; n = up, up = up->parent) {
		bool lazy = (up->kind == KT_COND && n->slot != KT_COND_COND) ||
			    (up->kind == KT_BINARY && n->slot == 1 &&
				    (up->op == KT_OP_LAND || up->op == KT_OP_LOR));
		if (lazy && !plan_refuse(&r->p, CLAUSE_BLOCKS, "line %u reads it on a condition",
				    fragment_line(r, ref))) {
			return false;
		}
		bool arm = up->kind == KT_IF && n->slot >= KT_IF_THEN;
		if ((arm || up->kind == KT_SWITCH || kt_is_loop(up->kind)) &&
			!check_region(r, c, arm ? n : up)) {
			return false;
		}
	}
	return true;
}

static bool check_branches(struct fragment_plan *r, const struct fragment_value *v)
{
	bool *seen = ARENA_ARRAY(r->p.a, bool, r->u->fns);
	return !has_branches(r->u, v->expr, seen) ||
	       plan_refuse(&r->p, CLAUSE_BLOCKS, "the code that loads it has branches");
}

/* ---- the whole check ---- */

bool fragment_elements(struct fragment_plan *r, struct fragment_value *v)
{
	bool joins = !r->p.opts->contract_off;
	if (!find_value(r, v)) {
		return false;
	}
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct kt_node *root = r->in->part[i].node;
		struct fragment_place place;
		for (const struct kt_node *n = fragment_next_use(NULL, root, r->sym);
			n && r->in->part[i].reads; n = fragment_next_use(n, root, r->sym)) {
			fragment_place_find(&place, r, root);
			if (!check_use(r, v, n) || (joins && !check_blocks(r, place.block, n))) {
				return false;
			}
		}
	}
	return !joins || check_branches(r, v);
}

/* ---- text ---- */

static bool is_postfix(const struct kt_node *n)
{
	return n->kind != KT_UNARY && n->kind != KT_BINARY && text_binds_tighter(n, true);
}

/* Is the node delimited by commas or brackets? */
static bool stands_alone(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return (up->kind == KT_CALL && !(up->flags & (KT_F_OPERATOR | KT_F_METHOD))) ||
	       (up->kind == KT_INDEX && n->slot == 1) || (up->kind == KT_ASSIGN && n->slot == 1) ||
	       up->kind == KT_VAR;
}

static void add_wrapped(struct sbuf *out, const struct fragment_plan *r, const struct kt_type *cast,
	struct str text, bool alone)
{
	if (cast) {
		sbuf_addf(out, "(%s)", kt_type_bare_name(r->p.a, cast, true));
	}
	sbuf_addf(out, alone ? "%.*s" : "(%.*s)", STR_ARG(text));
}

/* The index expression that replaces a loop's variable. */
static struct str index_text(
	struct fragment_plan *r, const struct kt_node *var, const struct kt_node *index)
{
	struct sbuf out = {0};
	bool same = same_type(kt_type_of(r->u, var), kt_type_of(r->u, index));
	bool alone = is_postfix(index) || (same && stands_alone(var));
	add_wrapped(&out, r, same ? NULL : kt_type_of(r->u, var), kt_source(r->u, index), alone);
	return sbuf_finish(&out, r->p.a);
}

/* The text that replaces an element; returns how many addresses got the offset. */
static size_t element_text(struct str *out, struct fragment_plan *r, const struct fragment_value *v,
	const struct kt_node *element, const char *offset)
{
	const struct kt_node *e = v->expr;
	struct edit_list l = {{0}};
	struct sbuf value = {0}, whole = {0};
	size_t clash[2];
	size_t found = fragment_add_offsets(&l, r, only_setting(r), e->begin, e->end, e, offset);
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		for (size_t d = 0; d < v->loops && n->kind == KT_REF; d++) {
			if (n->sym == v->loop[d].is.var) {
				edit_list_add(&l, r->p.a, n->begin - e->begin, n->end - e->begin,
					index_text(r, n, index_at(element, d, v->loops)));
			}
		}
	}
	if (edit_list_check(&l, e->end - e->begin, clash)) {
		edit_list_apply(&value, kt_source(r->u, e), &l);
	} else {
		found = 0;
	}
	bool alone = is_postfix(e) || (!v->cast && stands_alone(element));
	add_wrapped(&whole, r, v->cast ? v->type : NULL, sbuf_str(&value), alone);
	sbuf_release(&value);
	edit_list_release(&l);
	*out = sbuf_finish(&whole, r->p.a);
	return found;
}

/* Adds unroll pragmas to the loops of the index, once each. */
static void unroll(struct fragment_plan *r, const struct kt_node *index, struct map *done)
{
	struct fragment_loop loop;
	struct str t = r->p.text;
	for (const struct kt_node *n = index; n; n = kt_next(n, index)) {
		if (n->kind != KT_REF || !n->sym || !loop_of_variable(&loop, r, n)) {
			continue;
		}
		size_t at = loop.node->begin;
		/* it has its own pragma */
		bool asked = t.p[at] == '#' || loop.node->flags & KT_F_MACRO;
		if (!asked && text_first_on_line(t, at) && !map_get_u64(done, at, 0)) {
			map_set_u64(done, at, 1);
			plan_edit(&r->p, at, at, "#pragma unroll%s%.*s", text_eol(r->p.text),
				STR_ARG(text_indent(r->p.text, at)));
		}
	}
}

size_t fragment_edit_elements(struct fragment_plan *r, const struct fragment_value *v,
	const struct kt_node *reader, const char *offset)
{
	struct map done = {0};
	size_t found = 0;
	for (const struct kt_node *n = fragment_next_use(NULL, reader, r->sym); n;
		n = fragment_next_use(n, reader, r->sym)) {
		const struct kt_node *element = element_of(n, v->loops);
		struct str text;
		found += element_text(&text, r, v, element, offset);
		edit_list_add(&r->p.out->edits, r->p.a, element->begin, element->end, text);
		for (size_t d = 0; d < v->loops && r->form == FRAGMENT_UNROLLED; d++) {
			unroll(r, index_at(element, d, v->loops), &done);
		}
	}
	map_release(&done);
	return found;
}
