/*
 * fuse for a ?: whose arms are equal except for operands: each operand that differs becomes a
 * select on the condition as written.
 *
 * BEFORE                                    AFTER
 *   acc = c ? mma(a, x, acc)                acc = mma(a, c ? x : y, acc);
 *           : mma(a, y, acc);
 *
 * Clause 12 of fuse.c is here; 6 to 10 are as for ifs.
 */
#include "strategy/fuse/fuse.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

static bool refuse(struct plan *p, const char *why)
{
	return plan_refuse(p, FUSE_QUESTION, "%s", why);
}

static bool is_statement(const struct kt_node *n)
{
	switch (n->parent->kind) {
	case KT_COMPOUND:
		return true;
	case KT_IF:
		return n->slot >= KT_IF_THEN;
	case KT_FOR:
		return n->slot == KT_FOR_BODY;
	case KT_RANGE_FOR:
		return n->slot == KT_RANGE_BODY;
	default:
		return false;
	}
}

/* The statement that consists of the ?:, or assigns or declares its value; NULL: it is another
 * expression's operand. */
static const struct kt_node *statement_of(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool copies = up->kind == KT_CALL && up->fn && up->flags & KT_F_OPERATOR && up->n == 2 &&
		      str_is(str_of(up->text), "operator=") && !u->fn[up->fn].body;
	bool assigns = (up->kind == KT_ASSIGN && up->op == KT_OP_NONE && up->n == 2) || copies;
	if (is_statement(n)) {
		return n;
	}
	if (assigns && n->slot == 1 && is_statement(up)) {
		return up;
	}
	return up->kind == KT_VAR && up->parent->kind == KT_DECL && up->parent->n == 1 ? up->parent
										       : NULL;
}

static bool is_plain_arm(const struct kt_node *n)
{
	return !kt_binds_loosely(n);
}

static bool has_lambda(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_LAMBDA || kt_is_stmt(n->kind)) {
			return true;
		}
	}
	return false;
}

static bool check_shape(struct fuse *z)
{
	const struct kt_node *n = z->m->node;
	const struct kt_node *x = n->child[KT_COND_THEN], *y = n->child[KT_COND_ELSE];
	z->region = statement_of(z->u, n);
	if (!z->region) {
		z->region = n;
		if (!refuse(z->p,
			    "it is not a statement, nor the value that one assigns or declares")) {
			return false;
		}
	}
	bool plain = x && y && z->m->arms == 2 && is_plain_arm(x) && is_plain_arm(y);
	if (!plain || has_lambda(n)) {
		return refuse(z->p, "an arm is not a plain expression") && x && y;
	}
	const char *type = kt_type_of(z->u, n)->canon;
	return (str_is(str_of(type), kt_type_of(z->u, x)->canon) &&
		       str_is(str_of(type), kt_type_of(z->u, y)->canon)) ||
	       refuse(z->p, "its arms are of different types");
}

static bool check_text(struct fuse *z)
{
	const struct kt_node *n = z->m->node;
	for (const struct kt_node *k = n; k; k = kt_next(k, n)) {
		if (k->flags & KT_F_MACRO) {
			return plan_refuse(z->p, FUSE_TEXT, FROM_MACRO);
		}
	}
	struct str fixed = layout_fixed(plan_layout(z->p), n->begin, n->end);
	if (fixed.n || plan_comments(z->p, n->begin, n->end).n) {
		return plan_refuse(z->p, FUSE_TEXT, "a directive or a comment stands inside");
	}
	return true;
}

static bool check_condition(struct fuse *z)
{
	const struct kt_node *c = z->m->node->child[KT_COND_COND];
	struct fx fx = facts_effects(z->f, c), all = facts_effects(z->f, z->region);
	if (fx_acts(&fx)) {
		return refuse(z->p, "its condition has an effect");
	}
	return !facts_sets_alias(z->f, &fx.reads, &all.writes) ||
	       refuse(z->p, "its condition reads what the statement writes");
}

/* A select between accumulators would keep the problem: refused. */
static bool check_operands(struct fuse *z)
{
	for (size_t k = 0; k < z->o.diffs; k++) {
		const struct overlay_diff *d = &z->o.diff[k];
		bool hole = d->kind == OVERLAY_HOLE;
		bool narrow = hole && d->expr[0] != z->body[0].list.stmt[0] &&
			      kt_type_width(kt_type_of(z->u, d->expr[0])) < WIDE_MIN;
		if (!narrow) {
			return refuse(z->p, "the arms differ where they compute") && hole;
		}
	}
	return true;
}

void fuse_question(struct plan *p)
{
	struct fuse z = {.p = p, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts};
	const struct kt_node *c = z.m->node->child[KT_COND_COND];
	const struct kt_node *arm[2];
	struct arm_body body[2];
	struct match_arm list[2];
	size_t order[] = {0, 1};
	if (!check_shape(&z) || !check_text(&z) || !check_condition(&z) ||
		!wide_find(&z.wide, p, FUSE_MATCH)) {
		return;
	}
	bool parens = !text_binds_tighter(c, false);
	struct str text = plan_text(p, c->begin, c->end);
	for (size_t i = 0; i < 2; i++) {
		arm[i] = z.m->arm[i].body;
		list[i] = (struct match_arm){&arm[i], 1};
		body[i] = (struct arm_body){.arm = &z.m->arm[i],
			.list = list[i],
			.begin = arm[i]->begin,
			.end = arm[i]->end};
	}
	z.order = order;
	z.body = body;
	z.sel = (struct selection){.arms = 2,
		.cond = ARENA_ARRAY(p->a, const struct kt_node *, 1),
		.conds = 1,
		.flag = true,
		.name = arena_printf(p->a, parens ? "(%.*s)" : "%.*s", STR_ARG(text))};
	z.sel.cond[0] = c;
	overlay_arms(&z.o, z.f, p->a, list, 2, false);
	if (check_operands(&z) && fuse_check(&z)) {
		fuse_edit_question(&z);
	}
}
