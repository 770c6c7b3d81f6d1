#include "analysis/merge/element.h"

#include <string.h>

#include "analysis/facts/liveness.h"
#include "analysis/facts/mentions.h"
#include "analysis/facts/overwrite.h"

struct element {
	struct facts *f;
	const struct kt_unit *u;
	kt_id fn;
	const struct kt_node *at; /* the code that is looked at */
	loc_id loc;
	kt_id var; /* the counter of the loop over elements, or its reference to one */
};

/* Does the code access the location only by nodes that name sym, and not through a pointer or
 * another name? Accesses of unknown places do not count: an array that they could access would be
 * in memory. */
static bool named_only(const struct element *e, kt_id sym)
{
	const struct kt_node *root = e->at;
	for (const struct kt_node *n = root; n;) {
		if (kt_is_stmt(n->kind)) {
			n = kt_next(n, root);
			continue;
		}
		size_t count;
		const struct event *ev = facts_events(e->f, n, &count);
		for (size_t i = 0; i < count; i++) {
			bool known = ev[i].loc != LOC_UNKNOWN;
			if (known && facts_may_alias(e->f, ev[i].loc, e->loc) &&
				!kt_mentions(ev[i].node, sym)) {
				return false;
			}
		}
		n = kt_skip(n, root);
	}
	return true;
}

/* Is it a call of an operator[] that only indexes a member by its argument? */
static bool is_subscript_operator(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &u->fn[n->fn] : NULL;
	if (!fn || !(n->flags & KT_F_OPERATOR) || n->n != 2 || !n->text ||
		strcmp(n->text, "operator[]") != 0 || !fn->body || fn->body->n != 1 ||
		fn->params != 1) {
		return false;
	}
	const struct kt_node *ret = fn->body->child[0];
	const struct kt_node *at = ret->kind == KT_RETURN && ret->n == 1 ? ret->child[0] : NULL;
	const struct kt_node *by = at && at->kind == KT_INDEX ? at->child[1] : NULL;
	return kt_names(by, fn->param[0]) && at->child[0]->kind == KT_MEMBER;
}

/* The subscript with the loop's counter around n, the array's name; NULL: none. */
static const struct kt_node *subscript(const struct element *e, const struct kt_node *n)
{
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		bool index = up->kind == KT_INDEX || is_subscript_operator(e->u, up);
		if (!(index || up->kind == KT_MEMBER) || up->child[0] != n) {
			return NULL;
		}
		if (index && kt_mentions(up->child[1], e->var)) {
			return up;
		}
	}
	return NULL;
}

static bool same_text(const struct element *e, const struct kt_node *x, const struct kt_node *y)
{
	return str_eq(kt_source(e->u, x), kt_source(e->u, y));
}

/* The element of the loop's counter, if every use of the array in the code has the same subscript;
 * else NULL. */
static const struct kt_node *counted_element(const struct element *e)
{
	struct mentions refs = mentions_of(e->f, e->fn, LOC_SYM(e->loc));
	const struct kt_node *first = NULL;
	for (size_t i = 0; i < refs.n; i++) {
		if (!kt_is_below(refs.v[i], e->at)) {
			continue;
		}
		const struct kt_node *s = subscript(e, refs.v[i]);
		if (!s || s->flags & KT_F_MACRO ||
			(first && !same_text(e, s->child[1], first->child[1]))) {
			return NULL;
		}
		first = first ? first : s;
	}
	return first && named_only(e, LOC_SYM(e->loc)) ? first : NULL;
}

/* The number of first steps that both have in common. */
static size_t common_steps(const struct part *x, const struct part *y)
{
	size_t i = 0;
	while (i < x->n && i < y->n && x->step[i].kind == y->step[i].kind &&
		x->step[i].sym == y->step[i].sym && x->step[i].at == y->step[i].at) {
		i++;
	}
	return i;
}

/* Narrows out to the part that it has in common with n; false: that is not within the element. */
static bool meet(struct part *out, const struct element *e, const struct kt_node *n)
{
	struct part p;
	if (!part_of(&p, e->f, n) || p.root != LOC_SYM(e->loc)) {
		return false;
	}
	size_t common = out->root ? common_steps(out, &p) : p.n;
	*out = part_cut(e->f, &p, common);
	for (size_t i = 0; i < common; i++) {
		if (p.step[i].kind == PART_COUNT && p.step[i].sym == e->var) {
			return true;
		}
	}
	return false;
}

/* The element of the counter, or its member, if the code accesses no other part; else root is 0. */
static struct part element_part(const struct element *e)
{
	struct part common = {0};
	for (const struct kt_node *n = e->at; n;) {
		bool leaf = !kt_is_stmt(n->kind);
		size_t count = 0;
		const struct event *ev = leaf ? facts_events(e->f, n, &count) : NULL;
		for (size_t i = 0; i < count; i++) {
			if (facts_may_alias(e->f, ev[i].loc, e->loc) &&
				!meet(&common, e, ev[i].node)) {
				return (struct part){0};
			}
		}
		n = leaf ? kt_skip(n, e->at) : kt_next(n, e->at);
	}
	return common;
}

static unsigned part_width(const struct element *e)
{
	struct part p = element_part(e);

	return p.root ? kt_type_width(&e->u->type[p.type]) : 0;
}

/* Is the argument a constant, or the counter of a loop around it? */
static bool is_counted(const struct element *e, const struct kt_node *arg)
{
	struct counted_loop c;
	bool is = arg->flags & KT_F_VALUE;
	for (const struct kt_node *up = arg->parent; up && !is; up = up->parent) {
		is = arg->kind == KT_REF && up->kind == KT_FOR && loop_is_counted(&c, e->f, up) &&
		     c.var == arg->sym;
	}
	return is;
}

/* Do all callers pass a constant or a loop's counter for the parameter? */
static bool is_counter(const struct element *e, kt_id param)
{
	const struct kt_node *const *call;
	size_t n;
	facts_callers(&call, &n, e->f, e->fn);
	bool all = n > 0 && e->u->type[e->u->sym[param].type].kind == KT_T_INT;
	for (size_t i = 0; i < n && all; i++) {
		size_t at = part_argument(e->f, call[i], param);
		all = at != SIZE_MAX && call[i]->child[at] && is_counted(e, call[i]->child[at]);
	}
	return all;
}

/* The width of the element if the function is called once for each; else 0. */
static unsigned width_by_parameter(struct element *e)
{
	const struct kt_fn *fn = &e->u->fn[e->fn];
	unsigned width = 0;
	for (size_t i = 0; i < fn->params && !width; i++) {
		e->var = fn->param[i];
		width = is_counter(e, e->var) ? part_width(e) : 0;
	}
	return width;
}

/* The width of the object that a call refers to, if the call only returns a reference; else 0: it
 * may be all of the location. */
static unsigned reference_width(const struct element *e, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &e->u->fn[n->fn] : NULL;
	const struct kt_type *ret = fn ? &e->u->type[fn->ret] : NULL;
	bool gives =
		ret && ret->kind == KT_T_REFERENCE && facts_summary(e->f, n->fn)->writes.n == 0;
	return gives ? kt_type_width(&e->u->type[ret->elem]) : 0;
}

/* The same for an event's node, or the sum over its arguments that name the location. */
static unsigned event_width(const struct element *e, const struct kt_node *n)
{
	unsigned width = reference_width(e, n), sum = 0;
	for (size_t i = 0; n->kind == KT_CALL && !width && i < n->n; i++) {
		if (kt_mentions(n->child[i], LOC_SYM(e->loc))) {
			unsigned one = reference_width(e, n->child[i]);
			if (!one) {
				return 0;
			}
			sum += one;
		}
	}
	return width ? width : sum;
}

/* The sum of widths if code without loops accesses the location only by references to its parts,
 * such as those from a buffer's operator(): the rest is the same in all arms. Else 0. */
static unsigned width_by_references(const struct element *e)
{
	unsigned sum = 0;
	for (const struct kt_node *n = e->at; n;) {
		if (kt_is_loop(n->kind)) {
			return 0;
		}
		bool leaf = !kt_is_stmt(n->kind);
		size_t count = 0;
		const struct event *ev = leaf ? facts_events(e->f, n, &count) : NULL;
		for (size_t i = 0; i < count; i++) {
			if (ev[i].loc != LOC_UNKNOWN && facts_may_alias(e->f, ev[i].loc, e->loc)) {
				unsigned width = event_width(e, ev[i].node);
				if (!width) {
					return 0;
				}
				sum += width;
			}
		}
		n = leaf ? kt_skip(n, e->at) : kt_next(n, e->at);
	}
	return sum;
}

static unsigned width_in(struct element *e, const struct kt_node *loop)
{
	if (loop->kind == KT_RANGE_FOR) {
		const struct kt_node *range = loop->child[KT_RANGE_RANGE];
		const struct kt_node *var = loop->child[KT_RANGE_VAR];
		struct locset over = {0};
		facts_elements(&over, e->f, facts_arena(e->f), range);
		e->var = var->sym;
		bool itself = kt_mentions(e->at, LOC_SYM(e->loc));
		if (!locset_has(&over, e->loc) || itself || !named_only(e, e->var)) {
			return 0;
		}
		return kt_type_width(kt_object_type(e->u, e->u->sym[e->var].type));
	}
	const struct kt_node *init = loop->kind == KT_FOR ? loop->child[KT_FOR_INIT] : NULL;
	if (!init || init->kind != KT_DECL || init->n == 0) {
		return 0;
	}
	e->var = init->child[0]->sym;
	unsigned width = part_width(e);
	const struct kt_node *n = width ? NULL : counted_element(e);
	return width ? width : n ? kt_type_width(kt_object_type(e->u, n->type)) : 0;
}

unsigned element_of_loop(
	struct facts *f, kt_id fn, const struct kt_node *loop, const struct kt_node *at, loc_id loc)
{
	struct element e = {.f = f, .u = facts_unit(f), .fn = fn, .at = at, .loc = loc};
	return width_in(&e, loop);
}

/* The width of the element, if a loop around the merge, or each call of its function, is about one;
 * else 0. */
static unsigned element_width(struct facts *f, const struct merge *m, loc_id loc)
{
	for (const struct kt_node *up = m->node->parent; up; up = up->parent) {
		unsigned width = kt_is_loop(up->kind)
					 ? element_of_loop(f, m->fn, up, merge_statement(m), loc)
					 : 0;
		if (width) {
			return width;
		}
	}
	struct element e = {
		.f = f, .u = facts_unit(f), .fn = m->fn, .at = merge_statement(m), .loc = loc};
	unsigned width = width_by_parameter(&e);
	return width ? width : width_by_references(&e);
}

/* The width of an element in VGPRs per lane, if each iteration of a loop around the merge writes
 * its element first, and no code outside the loop names the variable: then only one element is
 * live. Else 0. */
static unsigned width_in_turn(struct facts *f, const struct merge *m, loc_id loc)
{
	struct mentions refs = {0};

	if (LOC_IS_VAR(loc)) {
		refs = mentions_of(f, m->fn, LOC_SYM(loc));
	}
	for (const struct kt_node *up = m->node->parent; up && refs.n > 0; up = up->parent) {
		struct element e = {.f = f, .u = facts_unit(f), .fn = m->fn, .loc = loc};
		struct counted_loop c;
		if (up->kind != KT_FOR || !loop_is_counted(&c, f, up)) {
			continue;
		}
		e.at = up->child[KT_FOR_BODY];
		e.var = c.var;
		bool all = true;
		for (size_t i = 0; i < refs.n && all; i++) {
			all = kt_is_below(refs.v[i], e.at);
		}
		struct part p = all ? element_part(&e) : (struct part){0};
		if (p.root && !overwrite_reads(f, e.at, 0, 0, &p)) {
			return kt_type_width(&e.u->type[p.type]);
		}
	}
	return 0;
}

/* ---- arms that are whole loops ---- */

enum {
	CALLS_DEEP = 8
};

/* The whole access around the name n: acc[i].x for acc. */
static const struct kt_node *part_around(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	while (up && n->slot == 0 &&
		((up->kind == KT_MEMBER && !(up->flags & KT_F_ARROW)) ||
			(up->kind == KT_INDEX && !kt_is_pointer(u, n)))) {
		n = up;
		up = n->parent;
	}
	return n;
}

/* Is it a number, or a list of numbers? */
static bool is_constant(const struct kt_node *n)
{
	bool plain = n->kind == KT_INIT_LIST || n->kind == KT_LITERAL || n->flags & KT_F_VALUE;
	return plain && kt_is_constant(n);
}

/* Does the variable hold only constants at every entry into the merge? */
static bool is_constant_before(struct facts *f, const struct merge *m, kt_id sym)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *body = u->fn[m->fn].body, *var = NULL;
	struct mentions refs = mentions_of(f, m->fn, sym);
	bool constant = refs.n > 0;

	for (const struct kt_node *n = body; n && !var; n = kt_next(n, body)) {
		var = n->kind == KT_VAR && n->sym == sym ? n : NULL;
	}
	const struct kt_node *block = var ? var->parent->parent : NULL;
	const struct kt_node *up = m->node->parent;
	while (up && up != block && !kt_is_loop(up->kind)) {
		up = up->parent;
	}
	if (!block || up != block || (var->n > 0 && !is_constant(var->child[0]))) {
		return false;
	}
	for (size_t i = 0; i < refs.n && constant; i++) {
		const struct kt_node *n = refs.v[i];
		if (n->begin < m->node->begin) {
			const struct kt_node *part = part_around(u, n), *set = part->parent;
			constant = set->kind == KT_ASSIGN && set->op == KT_OP_NONE &&
				   part->slot == 0 && is_constant(set->child[1]);
		}
	}
	return constant;
}

/* Does the loop's condition use a variable from outside the loop? A loop over elements has a
 * constant bound. */
static bool has_bound(const struct kt_unit *u, const struct kt_node *loop)
{
	const struct kt_node *cond = kt_loop_condition(loop);
	bool bound = false;

	for (const struct kt_node *n = cond; n && !bound; n = kt_next(n, cond)) {
		const struct kt_sym *sym = n->kind == KT_REF && n->sym ? &u->sym[n->sym] : NULL;
		bound = sym && !(n->flags & KT_F_VALUE) &&
			(sym->file != loop->file || sym->at < loop->begin || sym->at >= loop->end);
	}
	return bound;
}

/* Is the first use of the variable in n inside a loop with an unknown trip count? Then the value
 * from before is needed only at the loop's entry. */
static bool begins_in_loop(struct facts *f, const struct kt_node *n, kt_id sym, unsigned depth)
{
	const struct kt_unit *u = facts_unit(f);

	while (n->kind == KT_COMPOUND) {
		size_t i = 0;
		while (i < n->n && !kt_mentions(n->child[i], sym)) {
			i++;
		}
		if (i == n->n) {
			return false;
		}
		n = n->child[i];
	}
	if (kt_is_loop(n->kind)) {
		return has_bound(u, n);
	}
	const struct kt_fn *callee = n->kind == KT_CALL && n->fn ? &u->fn[n->fn] : NULL;
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	size_t at = SIZE_MAX, found = 0;
	for (size_t i = 0; callee && i < n->n; i++) {
		found += kt_mentions(n->child[i], sym);
		at = kt_names(n->child[i], sym) ? i : at;
	}
	if (!callee || !callee->body || found != 1 || at == SIZE_MAX || depth == 0 ||
		(at >= first && at - first >= callee->params)) {
		return false;
	}
	kt_id param = at < first ? callee->self : callee->param[at - first];
	return param && begins_in_loop(f, callee->body, param, depth - 1);
}

/* Does each arm use the variable first in such a loop, and does it hold constants before? LLVM then
 * makes the constants at each loop's entry, and no value crosses the if. */
static bool begins_anew(struct facts *f, const struct merge *m, const struct carrier *c)
{
	bool anew = m->kind == MERGE_IF && LOC_IS_VAR(c->loc) && c->writers == m->arms;

	for (size_t i = 0; i < m->arms && anew; i++) {
		anew = m->arm[i].body && m->arm[i].last == m->arm[i].first &&
		       begins_in_loop(f, m->arm[i].body, LOC_SYM(c->loc), CALLS_DEEP);
	}
	return anew && is_constant_before(f, m, LOC_SYM(c->loc));
}

static bool is_uniform(struct uniformity *u, const struct merge *m)
{
	const struct kt_node *n = m->node;
	if (n->kind != KT_IF) {
		size_t slot = n->kind == KT_SWITCH ? KT_SWITCH_COND : KT_COND_COND;
		return uniformity_expr(u, n->child[slot], NULL);
	}
	for (size_t i = 0; i < m->arms; i++) {
		if (m->arm[i].cond && !uniformity_expr(u, m->arm[i].cond, NULL)) {
			return false;
		}
	}
	return true;
}

unsigned element_chained(struct facts *f, struct uniformity *u, const struct merge *m)
{
	if (m->kind == MERGE_EXIT) {
		return m->chained;
	}
	unsigned chained = 0;
	bool uniform = is_uniform(u, m);
	for (size_t i = 0; i < m->carriers; i++) {
		const struct carrier *c = &m->carrier[i];
		unsigned width = c->chained ? width_in_turn(f, m, c->loc) : 0;
		if (c->chained && !width && !uniform) {
			width = element_width(f, m, c->loc);
		}
		width = width && width < c->carried ? width : c->carried;
		chained += c->chained && begins_anew(f, m, c) ? 0 : width;
	}
	return chained;
}
