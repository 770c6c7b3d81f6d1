/*
 * Variables that an arm declares in a difference and uses after it. Their value goes to a new
 * variable declared before the difference, and the arm's later differences use that name.
 */
#include <string.h>
#include "analysis/pair/pair.h"
#include "strategy/fuse/fuse.h"
#include "strategy/plan/value.h"

static bool below(const struct kt_node *n, const struct match_arm *part)
{
	for (; n; n = n->parent) {
		for (size_t i = 0; i < part->n; i++) {
			if (n == part->stmt[i]) {
				return true;
			}
		}
	}
	return false;
}

static bool in_part(const struct match_arm *part, size_t at)
{
	for (size_t i = 0; i < part->n; i++) {
		if (at >= part->stmt[i]->begin && at < part->stmt[i]->end) {
			return true;
		}
	}
	return false;
}

/* Does code of the arm outside the part use the variable, or reach it by a pointer? */
static bool used_beside(struct fuse *z, size_t arm, const struct match_arm *part, kt_id sym)
{
	const struct match_arm *all = &z->body[arm].list;
	for (size_t k = 0; k < all->n; k++) {
		const struct kt_node *root = all->stmt[k];
		for (const struct kt_node *n = root; n;) {
			if (below(n, part)) {
				n = kt_skip(n, root);
				continue;
			}
			if (kt_names(n, sym)) {
				return true;
			}
			if (!kt_is_stmt(n->kind)) {
				struct fx fx = facts_effects(z->f, n);
				if (locset_has(&fx.reads, LOC_VAR(sym)) ||
					locset_has(&fx.writes, LOC_VAR(sym))) {
					return true;
				}
			}
			n = kt_next(n, root);
		}
	}
	return false;
}

/* Is its name used outside the part without a node in the tree, as in sizeof(x)? */
static bool named_beside(
	struct fuse *z, size_t arm, const struct match_arm *part, const struct kt_node *var)
{
	const struct match_arm *all = &z->body[arm].list;
	bool named = false;
	for (size_t k = 0; k < all->n && !named; k++) {
		const struct kt_node *root = all->stmt[k];
		struct str t = z->u->file[root->file].text;
		struct map at = {0};
		struct lex_token before = {0};
		pair_index_words(&at, z->u, root);
		for (struct lex_token w = lex_next(t, root->begin);
			w.kind != LEX_END && w.begin < root->end && !named;
			w = lex_next(t, w.end)) {
			named = lex_is(t, w, z->u->sym[var->sym].name) &&
				!map_get_u64(&at, w.begin, 0) && !in_part(part, w.begin) &&
				!lex_is_member_sign(t, before);
			before = w;
		}
		map_release(&at);
	}
	return named;
}

/* ---- may its value be passed on? ---- */

/* The largest expression around n that denotes n's object or a part of it. */
static const struct kt_node *whole_place(const struct fuse *z, const struct kt_node *n)
{
	while (n->slot == 0 &&
		((n->parent->kind == KT_MEMBER && !(n->parent->flags & KT_F_ARROW)) ||
			(n->parent->kind == KT_INDEX &&
				kt_type_of(z->u, n)->kind != KT_T_POINTER))) {
		n = n->parent;
	}
	return n;
}

/* x = e, x += e or ++x as a statement? */
static bool is_assigned(const struct fuse *z, const struct kt_node *n)
{
	const struct kt_node *up = whole_place(z, n)->parent;
	bool step = kt_is_step(up);
	bool target = up->kind == KT_ASSIGN && whole_place(z, n)->slot == 0;
	do {
		up = up->parent;
	} while (up->kind == KT_BINARY && up->op == KT_OP_COMMA);
	return (step || target) && kt_is_stmt(up->kind);
}

static bool in_lambda(const struct kt_node *n)
{
	while (n && n->kind != KT_LAMBDA) {
		n = n->parent;
	}
	return n != NULL;
}

/* A use of the variable other than of its value, in words; NULL: none. */
static const char *other_use(struct fuse *z, size_t arm, const struct kt_node *var)
{
	const struct match_arm *all = &z->body[arm].list;
	bool is_const = z->u->type[z->u->sym[var->sym].type].is_const;
	for (size_t k = 0; k < all->n; k++) {
		const struct kt_node *root = all->stmt[k];
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind != KT_REF || n->sym != var->sym) {
				continue;
			}
			if (n->flags & KT_F_VALUE) {
				return "may have to be a constant there";
			}
			bool plain = !(n->flags & KT_F_MACRO) && !in_lambda(n) &&
				     (is_assigned(z, n) || value_is_taken(z->u, n, 0));
			if (!plain || (is_const && value_selects_function(z->u, n))) {
				return "is more than its value there";
			}
		}
	}
	return NULL;
}

/* Does every path through the part set the variable? */
static bool is_set(const struct kt_node *var, const struct match_arm *part)
{
	bool set = var->n && var->child[0];
	for (size_t i = 0; i < part->n && !set; i++) {
		const struct kt_node *n = part->stmt[i];
		set = n->kind == KT_ASSIGN && n->op == KT_OP_NONE &&
		      kt_names(n->child[0], var->sym);
	}
	return set;
}

/* Why the variable's value cannot be passed on; NULL: it can. */
static const char *unfit(
	struct fuse *z, size_t arm, const struct match_arm *part, const struct kt_node *var)
{
	const struct kt_sym *s = &z->u->sym[var->sym];
	const struct kt_type *t = &z->u->type[s->type];
	if (s->kind != KT_S_LOCAL || s->space != KT_PRIVATE || s->is_static || !pair_fits_hole(t)) {
		return "is no small value";
	}
	if (!plan_written_type(z->p, var->sym, z->m->node->begin, z->m->node->end)) {
		return "has a type that cannot be written down";
	}
	return is_set(var, part) ? other_use(z, arm, var) : "may have no value yet";
}

static const char *name_for(struct fuse *z, size_t diff, const struct kt_sym *s)
{
	for (size_t i = 0; i < z->o.carrieds; i++) {
		/* of another arm: only one arm runs */
		const struct kt_sym *own = &z->u->sym[z->o.carried[i].sym];
		if (z->o.carried[i].diff == diff && strcmp(own->name, s->name) == 0 &&
			pair_same_bare_type(&z->u->type[own->type], &z->u->type[s->type])) {
			return z->o.carried[i].name;
		}
	}
	return plan_name_like(z->p, s->name);
}

static bool check_variable(struct fuse *z, size_t diff, size_t arm, const struct match_arm *part,
	const struct kt_node *var)
{
	const struct kt_sym *s = &z->u->sym[var->sym];
	bool named = named_beside(z, arm, part, var);
	if (!named && !used_beside(z, arm, part, var->sym)) {
		return true;
	}
	const char *why = named	      ? "is named where no value is"
			  : z->guards ? "a guard keeps its text"
				      : unfit(z, arm, part, var);
	if (why) {
		return plan_refuse(z->p, FUSE_NAMES,
			"'%s', declared where the arms differ, is used where they do not, and %s",
			s->name, why);
	}
	z->o.carried[z->o.carrieds] =
		(struct overlay_carried){diff, arm, var->sym, name_for(z, diff, s)};
	z->o.carrieds++;
	return true;
}

static size_t declared(const struct match_arm *part)
{
	size_t n = 0;
	for (size_t i = 0; i < part->n; i++) {
		n += part->stmt[i]->kind == KT_DECL ? part->stmt[i]->n : 0;
	}
	return n;
}

bool fuse_check_declared(struct fuse *z)
{
	size_t most = 0;
	for (size_t k = 0; k < z->o.diffs; k++) {
		for (size_t i = 0; i < z->sel.arms && z->o.diff[k].kind == OVERLAY_GAP; i++) {
			most += declared(&z->o.diff[k].part[i]);
		}
	}
	z->o.carried = ARENA_ARRAY(z->p->a, struct overlay_carried, most);
	for (size_t k = 0; k < z->o.diffs; k++) {
		const struct overlay_diff *d = &z->o.diff[k];
		for (size_t i = 0; i < z->sel.arms && d->kind == OVERLAY_GAP; i++) {
			const struct match_arm *part = &d->part[i];
			for (size_t n = 0; n < part->n; n++) {
				const struct kt_node *s = part->stmt[n];
				for (size_t v = 0; s->kind == KT_DECL && v < s->n; v++) {
					if (s->child[v]->kind == KT_VAR &&
						!check_variable(z, k, i, part, s->child[v])) {
						return false;
					}
				}
			}
		}
	}
	return true;
}
