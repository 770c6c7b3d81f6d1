/* The arms of a merge, and where their text ends and leads. */
#include "analysis/merge/arm.h"

#include <string.h>
#include "analysis/merge/exit.h"
#include "analysis/merge/guarded.h"
#include "base/array.h"

typedef ARRAY(struct arm) arm_array;

/* Is the body missing, empty, or never reached? */
static bool is_nothing(struct facts *f, const struct kt_node *body)
{
	while (body && body->kind == KT_COMPOUND && body->n == 1) {
		body = body->child[0];
	}
	if (!body || body->kind == KT_EMPTY || (body->kind == KT_COMPOUND && body->n == 0)) {
		return true;
	}
	const struct intrinsic *in = body->kind == KT_CALL ? facts_intrinsic(f, body) : NULL;
	return in && in->kind == INTRINSIC_UNREACHABLE;
}

static void if_arms(arm_array *arms, struct facts *f, const struct kt_node *n, bool *has_else)
{
	for (;;) {
		array_push(arms, (struct arm){.body = n->child[KT_IF_THEN],
					 .cond = n->child[KT_IF_COND],
					 .owner = n});
		const struct kt_node *other = n->child[KT_IF_ELSE];
		if (!other || is_nothing(f, other)) {
			*has_else = false;
			return;
		}
		bool chain = other->kind == KT_IF && !(other->flags & KT_F_CONSTEXPR) &&
			     !(other->child[KT_IF_COND]->flags & KT_F_VALUE);
		if (!chain) {
			array_push(arms, (struct arm){.body = other, .owner = n});
			*has_else = true;
			return;
		}
		n = other;
	}
}

static bool ends_arm(const struct kt_node *n)
{
	if (!n) {
		return false;
	}
	switch (n->kind) {
	case KT_BREAK:
	case KT_RETURN:
	case KT_CONTINUE:
	case KT_GOTO:
		return true;
	case KT_COMPOUND:
		return n->n && ends_arm(n->child[n->n - 1]);
	case KT_CASE:
	case KT_DEFAULT:
		return ends_arm(kt_past_labels(n));
	default:
		return false;
	}
}

/* The first return, if every path through the statement ends in one; else NULL. */
static const struct kt_node *returning(const struct kt_node *n)
{
	const struct kt_node *by;
	switch (n ? n->kind : KT_NONE) {
	case KT_RETURN:
		return n;
	case KT_COMPOUND:
		return n->n ? returning(n->child[n->n - 1]) : NULL;
	case KT_CASE:
	case KT_DEFAULT:
		return returning(kt_past_labels(n));
	case KT_IF:
		by = returning(n->child[KT_IF_THEN]);
		return by && returning(n->child[KT_IF_ELSE]) ? by : NULL;
	default:
		return NULL;
	}
}

static void switch_arms(arm_array *arms, struct facts *f, struct arena *a, struct merge *m)
{
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	if (body->kind != KT_COMPOUND) {
		return;
	}
	for (size_t i = 0; i < body->n; i++) {
		const struct kt_node *c = body->child[i];
		bool label = c->kind == KT_CASE || c->kind == KT_DEFAULT;
		if (!label) {
			if (arms->n) {
				arms->v[arms->n - 1].last = i + 1;
			}
			continue;
		}
		if (arms->n) {
			struct arm *prev = &arms->v[arms->n - 1];
			bool empty = prev->last == prev->first;
			const struct kt_node *end = empty ? NULL : body->child[prev->last - 1];
			m->fallthrough |= !ends_arm(end) && !returning(end);
		}
		struct arm arm = {.body = body, .owner = m->node, .first = i, .last = i + 1};
		ARRAY(const struct kt_node *) labels = {0};
		for (const struct kt_node *at = c;
			at && (at->kind == KT_CASE || at->kind == KT_DEFAULT);) {
			array_push(&labels, at);
			arm.is_default |= at->kind == KT_DEFAULT;
			at = at->kind == KT_CASE ? at->child[KT_CASE_STMT]
			     : at->n		 ? at->child[0]
						 : NULL;
		}
		array_move(arm.label, arm.labels, a, &labels);
		bool last = i + 1 == body->n ||
			    (i + 2 == body->n && body->child[i + 1]->kind == KT_BREAK);
		if (last && arm.is_default && arm.labels == 1 && is_nothing(f, kt_past_labels(c))) {
			return;
		}
		m->has_else |= arm.is_default;
		array_push(arms, arm);
	}
}

static void cond_arms(arm_array *arms, const struct kt_node *n, bool *has_else)
{
	array_push(arms, (struct arm){.body = n->child[KT_COND_THEN],
				 .cond = n->child[KT_COND_COND],
				 .owner = n});
	array_push(arms, (struct arm){.body = n->child[KT_COND_ELSE], .owner = n});
	*has_else = true;
}

/* The ?: with the casts around it. */
static const struct kt_node *whole_value(const struct kt_node *cond)
{
	const struct kt_node *n = cond;
	while (n->parent && n->parent->kind == KT_CAST) {
		n = n->parent;
	}
	return n;
}

const struct kt_node *merge_assigned(const struct merge *m)
{
	const struct kt_node *n = m->kind == MERGE_COND ? whole_value(m->node) : NULL;
	const struct kt_node *p = n ? n->parent : NULL;
	bool assigns = p && ((p->kind == KT_ASSIGN && p->op == KT_OP_NONE) ||
				    (p->kind == KT_CALL && p->flags & KT_F_OPERATOR &&
					    strcmp(p->text, "operator=") == 0));
	return assigns && p->n == 2 && p->child[1] == n ? p->child[0] : NULL;
}

kt_id merge_initialized(const struct kt_unit *u, const struct merge *m)
{
	const struct kt_node *up = m->kind == MERGE_COND ? whole_value(m->node)->parent : NULL;
	bool is = up && up->kind == KT_VAR && !kt_is_reference(u, up->sym);
	return is ? up->sym : 0;
}

const struct kt_node *merge_statement(const struct merge *m)
{
	const struct kt_node *n = m->node;
	if (m->kind != MERGE_COND) {
		return n;
	}
	while (n->parent && !kt_is_stmt(n->parent->kind)) {
		n = n->parent;
	}
	return n->parent && n->parent->kind == KT_DECL ? n->parent : n;
}

uint32_t merge_end(const struct merge *m)
{
	return m->kind == MERGE_GUARDED ? m->arm[m->arms - 1].owner->end : m->node->end;
}

/* The continue, break or return that a statement ends in; NULL: none. */
static const struct kt_node *leaving(const struct kt_node *n)
{
	while (n && n->kind == KT_COMPOUND) {
		n = n->n ? n->child[n->n - 1] : NULL;
	}
	bool leaves = n && (n->kind == KT_CONTINUE || n->kind == KT_BREAK || n->kind == KT_RETURN);
	return leaves ? n : NULL;
}

/* Does it return a value? */
static bool gives(const struct kt_node *by)
{
	return by && by->kind == KT_RETURN && by->n;
}

/* Is it an if without else that returns a value, before another statement of its block? */
static bool is_giving(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return n->kind == KT_IF && !n->child[KT_IF_ELSE] && up && up->kind == KT_COMPOUND &&
	       n->slot + 1 < up->n && gives(leaving(n->child[KT_IF_THEN]));
}

const struct kt_node *merge_leaves(const struct merge *m)
{
	return leaving(m->arm[0].body);
}

/* if (a) return x; if (b) return y; ...; return z; is one merge, whose head is the first if. */
static bool giving_arms(arm_array *arms, const struct kt_node *n)
{
	const struct kt_node *block = n->parent;
	const struct kt_node *before = n->slot ? block->child[n->slot - 1] : NULL;
	size_t last = n->slot;
	while (is_giving(block->child[last])) {
		last++;
	}
	if ((before && is_giving(before)) || !gives(block->child[block->n - 1])) {
		return false;
	}
	for (size_t i = n->slot; i < last; i++) {
		const struct kt_node *k = block->child[i];
		array_push(arms, (struct arm){.body = k->child[KT_IF_THEN],
					 .cond = k->child[KT_IF_COND],
					 .owner = k});
	}
	array_push(arms, (struct arm){.body = block, .owner = n, .first = last, .last = block->n});
	return true;
}

/* Do the arm that leaves and the code after the if meet at the first one's destination? For a break
 * that is after the loop. */
static bool exit_arms(arm_array *arms, struct facts *f, const struct kt_node *n)
{
	const struct kt_node *block = n->parent;
	const struct kt_node *by = leaving(n->child[KT_IF_THEN]);
	if (n->child[KT_IF_ELSE] || !by || !block || block->kind != KT_COMPOUND ||
		n->slot + 1 >= block->n) {
		return false;
	}
	if (gives(by)) {
		return giving_arms(arms, n);
	}
	bool whole = by->kind == KT_RETURN ? !block->parent
					   : block->parent && kt_is_loop(block->parent->kind);
	const struct kt_node *last = block->child[block->n - 1];
	const struct kt_node *too = gives(last) ? NULL : leaving(last);
	if (!whole || (ends_arm(last) && !(too && too->kind == by->kind)) ||
		(by->kind == KT_BREAK && !exit_parts(f, n))) {
		return false;
	}
	array_push(arms,
		(struct arm){
			.body = n->child[KT_IF_THEN], .cond = n->child[KT_IF_COND], .owner = n});
	array_push(arms,
		(struct arm){.body = block, .owner = n, .first = n->slot + 1, .last = block->n});
	return true;
}

static const struct kt_node *arm_return(const struct arm *arm)
{
	return returning(arm->last ? arm->body->child[arm->last - 1] : arm->body);
}

const struct kt_node *arm_value(const struct merge *m, const struct arm *arm)
{
	if (m->kind == MERGE_COND) {
		const struct kt_node *up = whole_value(m->node)->parent;
		return up && up->kind == KT_RETURN ? arm->body : NULL;
	}
	bool leaves = m->kind == MERGE_EXIT || merge_returns(m);
	const struct kt_node *by = leaves ? arm_return(arm) : NULL;
	return gives(by) ? by->child[0] : NULL;
}

const struct kt_node *merge_returns(const struct merge *m)
{
	const struct kt_node *up = merge_statement(m)->parent;
	if (m->kind == MERGE_COND) {
		return up && up->kind == KT_RETURN ? up : NULL;
	}
	bool all = m->arms > 1 && m->has_else && !m->fallthrough &&
		   (m->kind == MERGE_IF || m->kind == MERGE_SWITCH);
	for (size_t i = 0; i < m->arms && all; i++) {
		all = arm_return(&m->arm[i]) != NULL;
	}
	return all ? arm_return(&m->arm[0]) : NULL;
}

bool arm_falls_through(const struct merge *m, const struct arm *arm)
{
	if (m->kind == MERGE_COND || m->kind == MERGE_EXIT || merge_returns(m)) {
		return true;
	}
	if (m->kind == MERGE_SWITCH) {
		const struct kt_node *end = arm->body->child[arm->last - 1];
		const struct kt_node *st =
			end->kind == KT_CASE || end->kind == KT_DEFAULT ? kt_past_labels(end) : end;
		return !(st && (st->kind == KT_RETURN || st->kind == KT_CONTINUE)) &&
		       !returning(st);
	}
	return !ends_arm(arm->body);
}

static void guarded_arms(arm_array *arms, const struct kt_unit *u, const struct kt_node *first)
{
	for (const struct kt_node *n = first; n; n = guard_next(u, n)) {
		array_push(arms, (struct arm){.body = n->child[KT_IF_THEN],
					 .cond = n->child[KT_IF_COND],
					 .owner = n});
	}
}

void arms_find(struct merge *m, struct facts *f, struct arena *a)
{
	arm_array arms = {0};
	switch (m->kind) {
	case MERGE_IF:
		if_arms(&arms, f, m->node, &m->has_else);
		break;
	case MERGE_SWITCH:
		switch_arms(&arms, f, a, m);
		break;
	case MERGE_COND:
		cond_arms(&arms, m->node, &m->has_else);
		break;
	case MERGE_EXIT:
		m->has_else = exit_arms(&arms, f, m->node);
		break;
	case MERGE_GUARDED:
		guarded_arms(&arms, facts_unit(f), m->node);
		break;
	}
	array_move(m->arm, m->arms, a, &arms);
}

bool arm_holds_matrix(struct facts *f, const struct arm *arm)
{
	bool holds = arm->last == 0 && facts_effects(f, arm->body).flags & FX_MATRIX;
	for (size_t i = arm->first; i < arm->last && !holds; i++) {
		holds = facts_effects(f, arm->body->child[i]).flags & FX_MATRIX;
	}
	return holds;
}
