/* Statements that one arm runs under a guard, and the others without. */
#include "analysis/arms/overlay_job.h"

/* ---- guarded statements ---- */

static struct match_arm branch_list(struct job *j, const struct kt_node *branch)
{
	if (!branch) {
		return (struct match_arm){0};
	}
	if (overlay_is_list(j, branch)) {
		return (struct match_arm){(nodes)branch->child, branch->n};
	}
	return (struct match_arm){arena_memdup(j->a, &branch, sizeof(branch)), 1};
}

static const struct kt_node *guarded_if(
	const struct job *j, const struct match_arm *list, size_t at)
{
	const struct kt_node *n = at < list->n ? list->stmt[at] : NULL;
	bool is = n && n->kind == KT_IF && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR] &&
		  !(n->flags & (KT_F_CONSTEXPR | KT_F_MACRO)) &&
		  overlay_can_guard(j, n->child[KT_IF_COND]);
	return is ? n : NULL;
}

/* Matches the other arms' next statements with the branch of arm 0's if, and advances k past
 * them. */
static bool match_branch(struct job *j, const struct match_arm *list, size_t *k,
	struct match_arm branch, bool negated)
{
	const struct kt_node *n = list[0].stmt[k[0]];
	struct match_arm *l = arena_memdup(j->a, list, j->arms * sizeof(*l));
	struct match_arm *part = ARENA_ARRAY(j->a, struct match_arm, j->arms);
	size_t *at = arena_memdup(j->a, k, j->arms * sizeof(*at));
	struct mark m = overlay_mark(j);
	if (branch.n == 0 || match_declares(&branch)) {
		return false;
	}
	l[0] = part[0] = branch;
	for (size_t i = j->first; i < j->last; i++) {
		part[i] = (struct match_arm){list[i].stmt + k[i], branch.n};
	}
	for (at[0] = 0; at[0] < branch.n; at[0]++) {
		if (!overlay_match_statements(j, l, at)) {
			overlay_undo(j, m);
			return false;
		}
		for (size_t i = j->first; i < j->last; i++) {
			at[i]++;
		}
	}
	overlay_add_guard(j, n->child[KT_IF_COND], negated, part);
	memcpy(k + 1, at + 1, (j->arms - 1) * sizeof(*k));
	k[0]++;
	return true;
}

bool overlay_match_guarded(struct job *j, const struct match_arm *list, size_t *k)
{
	const struct kt_node *n = j->guards ? guarded_if(j, &list[0], k[0]) : NULL;
	return n && (match_branch(j, list, k, branch_list(j, n->child[KT_IF_THEN]), false) ||
			    match_branch(j, list, k, branch_list(j, n->child[KT_IF_ELSE]), true));
}

/* ---- guarded initialization ---- */

static const struct kt_node *sole_variable(const struct match_arm *list, size_t at)
{
	const struct kt_node *n = at < list->n ? list->stmt[at] : NULL;
	return n && n->kind == KT_DECL && n->n == 1 && n->child[0]->kind == KT_VAR &&
			       n->child[0]->n == 1 && n->child[0]->child[0]
		       ? n->child[0]
		       : NULL;
}

static bool is_constant(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind != KT_LITERAL && n->kind != KT_INIT_LIST &&
			!(n->kind == KT_UNARY && n->op == KT_OP_NEG)) {
			return false;
		}
	}
	return true;
}

static bool is_own_local(const struct job *j, const struct kt_node *var)
{
	const struct kt_sym *s = &j->u->sym[var->sym];
	return var->sym && s->kind == KT_S_LOCAL && s->space == KT_PRIVATE && !s->is_static &&
	       j->u->type[s->type].kind != KT_T_REFERENCE && j->u->type[s->type].trivial;
}

/* Binds the variables, even if those of the other arms are const. */
static bool bind_unqualified(
	struct job *j, const struct kt_node *var, const struct kt_node *own, size_t arm)
{
	struct pairing *p = &j->pair[arm - 1];
	const struct kt_type *t = &j->u->type[j->u->sym[var->sym].type];
	if (!is_own_local(j, own) ||
		!pair_same_bare_type(t, &j->u->type[j->u->sym[own->sym].type]) ||
		map_get_u64(&p->to, var->sym, 0) || map_get_u64(&p->from, own->sym, 0)) {
		return false;
	}
	map_set_u64(&p->to, var->sym, own->sym);
	map_set_u64(&p->from, own->sym, var->sym);
	array_push(&j->bindings, (struct binding){arm, var->sym, own->sym});
	return true;
}

/* Matches further statements of the branch as long as the others have them. */
static void match_rest(
	struct job *j, const struct match_arm *list, size_t *k, struct match_arm branch)
{
	struct match_arm *l = arena_memdup(j->a, list, j->arms * sizeof(*l));
	size_t *at = arena_memdup(j->a, k, j->arms * sizeof(*at));
	l[0] = branch;
	at[0] = 1;
	while (at[0] < branch.n && !match_declares(&branch) && overlay_match_statements(j, l, at)) {
		at[0]++;
		for (size_t i = j->first; i < j->last; i++) {
			at[i]++;
		}
	}
	if (at[0] < branch.n) {
		size_t *next = arena_memdup(j->a, at, j->arms * sizeof(*at));
		next[0] = branch.n;
		overlay_add_gap(j, l, at, next);
	}
	memcpy(k + 1, at + 1, (j->arms - 1) * sizeof(*k));
}

bool overlay_match_initialization(struct job *j, const struct match_arm *list, size_t *k)
{
	const struct kt_node *var = j->guards ? sole_variable(&list[0], k[0]) : NULL;
	const struct kt_node *n = var ? guarded_if(j, &list[0], k[0] + 1) : NULL;
	struct match_arm branch = n ? branch_list(j, n->child[KT_IF_THEN]) : (struct match_arm){0};
	const struct kt_node *set = branch.n ? branch.stmt[0] : NULL;
	if (!set || n->child[KT_IF_ELSE] || set->kind != KT_ASSIGN || set->op != KT_OP_NONE ||
		set->child[0]->kind != KT_REF || set->child[0]->sym != var->sym ||
		!is_own_local(j, var) || !is_constant(var->child[0])) {
		return false;
	}
	const struct kt_node **x = ARENA_ARRAY(j->a, const struct kt_node *, j->arms);
	struct match_arm *part = ARENA_ARRAY(j->a, struct match_arm, j->arms);
	struct mark m = overlay_mark(j);
	bool ok = true;
	x[0] = set->child[1];
	part[0] = (struct match_arm){&x[0], 1};
	for (size_t i = j->first; i < j->last && ok; i++) {
		const struct kt_node *own = sole_variable(&list[i], k[i]);
		ok = own && bind_unqualified(j, var, own, i);
		x[i] = ok ? own->child[0] : NULL;
		part[i] = (struct match_arm){&x[i], 1};
	}
	if (!ok || !overlay_unify(j, x, false) || overlay_is_choice(j, m, x[0]) ||
		!overlay_same_spelling(j, x, m.covered)) {
		overlay_undo(j, m);
		return false;
	}
	j->covered.n = m.covered;
	overlay_add_guard(j, n->child[KT_IF_COND], false, part);
	k[0] += 2;
	for (size_t i = j->first; i < j->last; i++) {
		k[i]++;
	}
	match_rest(j, list, k, branch);
	return true;
}
