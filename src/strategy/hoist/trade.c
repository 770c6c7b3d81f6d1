/*
 * hoist's clause 15: narrow statements after or among the wide ones stay in their arms, and run
 * before the statements that move.
 */
#include <stdlib.h>
#include <string.h>
#include "analysis/arms/contract.h"
#include "analysis/arms/overlay.h"
#include "frontend/text/lex.h"
#include "strategy/hoist/hoist.h"

/* ---- another order ---- */

bool hoist_sink_wide(struct hoist *h, const struct wide *wide)
{
	bool any = false;
	for (size_t i = 0; i < h->m->arms; i++) {
		struct match_arm *l = &h->body[i].list;
		size_t first = l->n - hoist_wide_suffix(h, wide, i);
		size_t end = first;
		for (size_t k = first; k < l->n; k++) {
			struct fx fx = hoist_effects(h, i, k, k + 1);
			end = facts_sets_alias(h->f, &fx.writes, &wide->set) ? k + 1 : end;
		}
		const struct kt_node **v = arena_memdup(h->p->a, l->stmt, l->n * sizeof(*v));
		memcpy(v + first, l->stmt + end, (l->n - end) * sizeof(*v));
		memcpy(v + first + l->n - end, l->stmt + first, (end - first) * sizeof(*v));
		l->stmt = v;
		if (end < l->n) {
			h->most = end - first < h->most ? end - first : h->most;
			any = true;
		}
	}
	return any;
}

static bool is_one_of(const struct kt_node *n, const struct kt_node *const *v, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		if (v[k] == n) {
			return true;
		}
	}
	return false;
}

/* Reorders the list of arm i so that the statements in moves come last. False: one of the others
 * writes a wide accumulator. */
static bool put_last(struct hoist *h, const struct wide *wide, size_t i, size_t first,
	const struct kt_node **moves, size_t n)
{
	struct match_arm *l = &h->body[i].list;
	const struct kt_node **v = arena_memdup(h->p->a, l->stmt, l->n * sizeof(*v));
	size_t at = first;
	for (size_t k = first; k < l->n; k++) {
		struct fx fx = hoist_effects(h, i, k, k + 1);
		if (is_one_of(l->stmt[k], moves, n)) {
			continue;
		}
		if (facts_sets_alias(h->f, &fx.writes, &wide->set)) {
			return false;
		}
		v[at++] = l->stmt[k];
	}
	memcpy(v + at, moves, n * sizeof(*v));
	l->stmt = v;
	return true;
}

bool hoist_part_wide(struct hoist *h, const struct wide *wide)
{
	struct match_arm *suffix = ARENA_ARRAY(h->p->a, struct match_arm, h->m->arms);
	for (size_t i = 0; i < h->m->arms; i++) {
		const struct match_arm *l = &h->body[i].list;
		size_t n = hoist_wide_suffix(h, wide, i);
		suffix[i] = (struct match_arm){l->stmt + l->n - n, n};
		if (n == 0) {
			return false;
		}
	}
	struct overlay o;
	overlay_arms(&o, h->f, h->p->a, suffix, h->m->arms, false);
	h->most = o.common;
	for (size_t i = 0; i < h->m->arms; i++) {
		size_t first = h->body[i].list.n - suffix[i].n;
		if (!put_last(h, wide, i, first, o.top[i], o.common)) {
			return false;
		}
	}
	return o.common > 0;
}

/* ---- legality of the new order ---- */

static bool refuse_trade(struct hoist *h, const struct kt_node *later, const char *why)
{
	return plan_refuse(h->p, HOIST_SUNK,
		why ? "'%s' comes after the code that would move and cannot run before it: %s"
		    : "'%s' comes after the code that would move and depends on it",
		plan_quote(h->p, later), why);
}

/* Does the statement use one of the names? A hole in it would be evaluated after the
 * declaration. */
static bool is_named_in(struct hoist *h, const struct match_names *names, const struct kt_node *n)
{
	lex_each (k, h->p->text, n->begin, n->end) {
		struct str word = lex_text(h->p->text, k);
		if (k.kind == LEX_WORD && match_has_name(names, word)) {
			return true;
		}
	}
	return false;
}

static bool check_trade(struct hoist *h, const struct kt_node *before, const struct kt_node *later)
{
	const char *why;
	struct match_names names, own;
	struct str word;
	match_declared(&names, h->f, h->p->a, &before, 1);
	match_declared(&own, h->f, h->p->a, &later, 1);
	if (overlay_independent(h->f, h->p->a, before, later, &why) &&
		!match_hidden_use(h->f, later, later->begin, later->end, &names, &word) &&
		!is_named_in(h, &own, before)) {
		return true;
	}
	return refuse_trade(h, later, why);
}

/* A loop that moves no longer separates basic blocks: a product before it must not meet an add
 * after it. */
static bool check_joined(struct hoist *h, const struct kt_node *root, const char *where)
{
	struct contract *contract = h->p->opts->contract_off ? NULL : contract_of(h->f);
	for (const struct kt_node *n = root; n && contract; n = kt_next(n, root)) {
		bool access = n->kind == KT_REF || n->kind == KT_INDEX || n->kind == KT_MEMBER;
		if (access && contract_is_product(contract, n) && contract_is_added(contract, n)) {
			return plan_refuse(h->p, HOIST_CONTRACT,
				"'%s' may come from a multiply and is added %s the compiler could "
				"join the two to an FMA",
				plan_quote(h->p, n), where);
		}
	}
	return true;
}

/* May a basic block end in it? */
static bool parts_blocks(const struct hoist *h, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool branch = kt_is_loop(n->kind) || n->kind == KT_IF || n->kind == KT_SWITCH ||
			      n->kind == KT_COND || n->kind == KT_ASM ||
			      (n->kind == KT_BINARY && (n->op == KT_OP_LAND || n->op == KT_OP_LOR));
		bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
		if (branch || (call && (!n->fn || h->u->fn[n->fn].body))) {
			return true;
		}
	}
	return false;
}

/* Checks arm i's tail without the statements in between, or in another order. */
static bool check_closed_gaps(struct hoist *h, size_t i)
{
	const struct match_arm *l = &h->body[i].list;
	size_t heads = hoist_heads(h, i);
	bool closes = false;
	for (size_t k = heads; k < l->n; k++) {
		for (size_t s = 0; s < k; s++) {
			bool gap = s < heads && l->stmt[s]->begin > l->stmt[heads]->begin &&
				   l->stmt[s]->begin < l->stmt[k]->begin &&
				   parts_blocks(h, l->stmt[s]);
			closes |= gap || (s >= heads && l->stmt[s]->begin > l->stmt[k]->begin);
		}
	}
	for (size_t k = heads; closes && k < l->n; k++) {
		if (!check_joined(h, l->stmt[k], "in the code that moves: with nothing between")) {
			return false;
		}
	}
	return true;
}

static int by_begin(const void *x, const void *y)
{
	const struct kt_node *const *a = x, *const *b = y;
	return ((*a)->begin > (*b)->begin) - ((*a)->begin < (*b)->begin);
}

static bool check_trades_of(struct hoist *h, size_t i)
{
	struct match_arm *l = &h->body[i].list;
	size_t heads = hoist_heads(h, i);
	const struct kt_node **v = arena_memdup(h->p->a, l->stmt, l->n * sizeof(*v));
	/* the statements that stay keep their order */
	span_sort(v, heads, by_begin);
	l->stmt = v;
	for (size_t k = 0; k < l->n; k++) {
		bool passes = false;
		for (size_t t = k < heads ? heads : k + 1; t < l->n; t++) {
			if (v[t]->begin < v[k]->begin) {
				passes = true;
				if (!check_trade(h, v[t], v[k])) {
					return false;
				}
			}
		}
		if (passes && k < heads &&
			!check_joined(h, v[k], "after the code that would move:")) {
			return false;
		}
	}
	return check_closed_gaps(h, i);
}

bool hoist_check_trades(struct hoist *h)
{
	for (size_t i = 0; i < h->m->arms; i++) {
		if (!check_trades_of(h, i)) {
			return false;
		}
	}
	return true;
}
