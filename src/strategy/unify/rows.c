/*
 * Arms with several calls. Each row of them, one statement of each arm, becomes one call; a row
 * that is the same in all arms is written once. Constants get the values that more than one call
 * needs:
 *
 *   if (k + 4 <= n) {                        const bool tail = k + 4 > n;
 *           tile<false> t{p};                tile_load_any(frag, p, tail);
 *           t.load(frag);            =>      __syncthreads();
 *           __syncthreads();                 tile_mma_any(acc, frag, p, tail);
 *           t.mma(acc, frag);
 *   } else {
 *           tile<true> t{p};
 *           ...
 *
 * A row reads what the rows before it have written, as in every arm. The conditions are evaluated
 * before the rows, or later if no row changes what they read. A row may declare a variable, with a
 * call as its value; the rows stand in a block then.
 */
#include "strategy/extract/needs.h"
#include "strategy/plan/names.h"
#include "strategy/unify/unify.h"

static bool is_stable(struct plan *p, const struct kt_node *cond)
{
	struct facts *f = p->parse->facts;
	struct fx reads = facts_effects(f, cond), all = facts_effects(f, p->merge->node);
	bool own = true;
	for (uint32_t i = 0; i < reads.reads.n; i++) {
		loc_id loc = reads.reads.v[i];
		own &= LOC_IS_VAR(loc) && facts_is_private(f, loc);
	}
	return own && !facts_conflict(f, p->a, &reads, &all, NULL);
}

const struct kt_node *unify_declares(const struct kt_node *stmt)
{
	bool one = stmt->kind == KT_DECL && stmt->n == 1 && stmt->child[0]->kind == KT_VAR;
	return one ? stmt->child[0] : stmt->kind == KT_VAR ? stmt : NULL;
}

/* Of several variables, is each declared by its name, and perhaps extents? */
static bool is_plain(const struct plan *p, const struct kt_node *decl)
{
	const struct kt_unit *u = p->parse->unit;
	bool plain = true;
	for (size_t i = 0; i < decl->n; i++) {
		const struct kt_sym *s = &u->sym[decl->child[i]->sym];
		size_t before = s->at;
		while (before > decl->begin && strchr(" \t\r\n", p->text.p[before - 1])) {
			before--;
		}
		bool word = before > decl->begin && (lex_is_word_char(p->text.p[before - 1]) ||
							    p->text.p[before - 1] == '>');
		plain &= decl->child[i]->kind == KT_VAR &&
			 (i ? before > 0 && p->text.p[before - 1] == ',' : word);
	}
	return plain;
}

static struct span head_of(const struct kt_unit *u, const struct kt_node *var)
{
	return (struct span){var->parent->begin, u->sym[var->parent->child[0]->sym].at};
}

/* Do the statements declare a variable that can be one, or none of them any? */
static bool declare_alike(const struct plan *p, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_node *a = unify_declares(x), *b = unify_declares(y);
	if (!a || !b) {
		return !a && !b && x->kind != KT_DECL && y->kind != KT_DECL;
	}
	const struct kt_sym *s = &u->sym[a->sym], *o = &u->sym[b->sym];
	bool named = a->sym && b->sym && s->name && o->name && strcmp(s->name, o->name) == 0 &&
		     !s->is_static && s->space == KT_PRIVATE && !o->is_static &&
		     o->space == KT_PRIVATE;
	return named && !((a->flags | b->flags) & KT_F_MACRO) && a->parent->kind == KT_DECL &&
	       b->parent->kind == KT_DECL && kt_same_type(u, s->type, o->type) &&
	       (a->parent->n == 1 || (is_plain(p, a->parent) && is_plain(p, b->parent))) &&
	       needs_same_tokens(p->text, head_of(u, a), head_of(u, b));
}

bool unify_names_row(const struct unify *u, struct span at)
{
	bool names = false;
	for (size_t r = 0; r < u->of->n && u->of->declares; r++) {
		const struct kt_node *v = unify_declares(u->of->list[0].stmt[r]);
		names |= v && callee_has_word(
				      u->p->text, at, str_of(u->p->parse->unit->sym[v->sym].name));
	}
	return names;
}

/* Are the declarations among the rows alike, and is none of a name in a condition? */
static bool check_declared(struct unify_rows *rows, struct plan *p)
{
	const struct unify u = {.p = p, .of = rows};
	bool alike = true;
	for (size_t r = 0; r < rows->n; r++) {
		rows->declares |= unify_declares(rows->list[0].stmt[r]) != NULL;
		for (size_t i = 0; i < rows->leaves; i++) {
			alike &= declare_alike(p, rows->list[0].stmt[r], rows->list[i].stmt[r]);
		}
	}
	for (size_t i = 0; i < rows->conds; i++) {
		alike &= !unify_names_row(
			&u, (struct span){rows->cond[i]->begin, rows->cond[i]->end});
	}
	return alike;
}

bool unify_equal(
	const struct unify *u, size_t leaf, const struct kt_node *x, const struct kt_node *y)
{
	const struct unify_rows *of = u->of;
	struct pairing p = {.f = u->p->parse->facts, .u = u->p->parse->unit};
	size_t first = u->tree.arm_of[0], arm = u->tree.arm_of[leaf];
	bool bound = true;
	for (size_t r = 0; r < u->row && of->declares && arm != first; r++) {
		const struct kt_node *a = unify_declares(of->list[first].stmt[r]);
		const struct kt_node *b = unify_declares(of->list[arm].stmt[r]);
		bound &= !a || pair_bind(&p, a, b);
	}
	bool equal = bound && pair_equal_in(&p, x, y);
	pairing_release(&p);
	return equal;
}

void unify_find_rows(struct unify_rows *out, struct plan *p)
{
	struct candidate quiet = {0};
	struct plan aside = *p;
	struct callee c = {.p = &aside, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts};
	struct unify *look = ARENA_NEW(p->a, struct unify);
	*look = (struct unify){.p = &aside, .list = out->list};
	aside.out = &quiet;
	out->n = 1;
	if (p->merge->kind == MERGE_COND || !unify_read_tree(look, &c) ||
		look->rows > UNIFY_LEAVES_MAX) {
		return;
	}
	out->leaves = look->tree.leaves;
	out->conds = look->tree.conds;
	out->stable = true;
	for (size_t i = 0; i < out->conds; i++) {
		out->cond[i] = look->tree.cond[i];
		out->stable &= is_stable(p, out->cond[i]);
	}
	out->gone = ARENA_ARRAY(p->a, kt_id, look->tree.constants + look->tree.objects + 1);
	for (size_t i = 0; i < look->tree.constants; i++) {
		out->gone[out->gones++] = look->tree.constant[i]->sym;
	}
	for (size_t i = 0; i < look->tree.objects; i++) {
		out->gone[out->gones++] = look->tree.object[i]->sym;
	}
	out->n = look->rows;
	if (!check_declared(out, p)) {
		out->n = 1;
		out->declares = false;
	}
}

static const struct kt_node *stmt_of(const struct unify *u, size_t leaf)
{
	return u->of->list[leaf].stmt[u->row];
}

/* Does it go elsewhere, or come from a macro? */
static bool is_fixed(const struct kt_node *root)
{
	bool fixed = false;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool leaves = n->kind == KT_BREAK || n->kind == KT_CONTINUE || n->kind == KT_GOTO ||
			      n->kind == KT_LABEL || n->kind == KT_CASE || n->kind == KT_DEFAULT ||
			      n->kind == KT_STMT_UNKNOWN;
		fixed |= leaves || n->flags & KT_F_MACRO || (n->kind == KT_RETURN && n != root);
	}
	return fixed;
}

static struct span text_of(const struct unify *u, const struct kt_node *n)
{
	const struct kt_unit *unit = u->p->parse->unit;
	return (struct span){n->kind == KT_VAR ? unit->sym[n->sym].at : n->begin, n->end};
}

bool unify_is_equal_row(struct unify *u)
{
	const struct plan *p = u->p;
	const struct kt_node *first = stmt_of(u, 0);
	struct callee c = {.p = u->p, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts};
	c.arm_local = u->of->gone;
	c.arm_locals = u->of->gones;
	bool equal = !is_fixed(first) && !needs_names_arm_local(&c, text_of(u, first));
	for (size_t i = 0; i < u->of->leaves; i++) {
		u->tree.arm_of[i] = i;
	}
	for (size_t i = 1; i < u->of->leaves && equal; i++) {
		const struct kt_node *n = stmt_of(u, i);
		equal = unify_equal(u, i, first, n) &&
			needs_same_tokens(p->text, text_of(u, first), text_of(u, n));
	}
	return equal;
}

struct str unify_row_head(const struct unify *u, const struct kt_node *stmt)
{
	const struct kt_node *v = unify_declares(stmt);
	struct span head = head_of(u->p->parse->unit, v);
	return str_of(
		arena_printf(u->p->a, "%.*s", STR_ARG(plan_text(u->p, head.begin, head.end))));
}

/* Has it conditions of its own? They are evaluated at its place. */
static bool has_inner(const struct unify *u)
{
	return u->tree.conds > u->of->conds;
}

static bool check_order(const struct unify_rows *rows)
{
	bool later = false;
	for (size_t r = 0; r < rows->n; r++) {
		const struct unify *u = rows->v[r];
		later |= !u->equal && has_inner(u);
		for (size_t i = 0; !u->equal && i < u->tree.leaf[0].text.args; i++) {
			later |= u->tree.chosen[i];
		}
	}
	return rows->stable || !later ||
	       plan_refuse(rows->v[0]->p, UNIFY_ARGUMENT,
		       "a call of an arm may change what a condition reads, which one after it "
		       "needs");
}

/* Is each object that an arm makes that of a call? */
static bool check_objects(const struct unify_rows *rows, const struct unify *first)
{
	bool all = true;
	for (size_t i = 0; i < first->tree.objects; i++) {
		bool called = false;
		for (size_t r = 0; r < rows->n; r++) {
			const struct unify_tree *t = &rows->v[r]->tree;
			for (size_t k = 0; !rows->v[r]->equal && k < t->leaves; k++) {
				called |= t->leaf[k].made == first->tree.object[i];
			}
		}
		all &= called;
	}
	return all || plan_refuse(first->p, UNIFY_CALLS,
			      "an arm makes an object that its calls are not of");
}

/* The statements that are written once: all lanes run them together, and they are not in one block
 * with the calls any more. */
static bool check_equal(const struct unify *u, const struct unify *first)
{
	struct plan *p = u->p;
	const struct kt_node *n = stmt_of(u, 0);
	struct callee c = {.p = p, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts};
	unsigned flags = facts_effects(c.f, n).flags & (FX_ORDERED | FX_CONVERGENT);
	const char *why;
	bool uniform = !flags || plan_is_uniform(p, p->merge->node, first->tree.cond,
					 first->tree.conds, &why);
	plan_guards(p, flags);
	if (!uniform && !plan_refuse(p, UNIFY_UNIFORM, "'%s' holds %s, and %s", plan_quote(p, n),
				plan_ordered_words(flags), why)) {
		return false;
	}
	bool loose = p->opts->recontract || p->opts->contract_off;
	const char *cut = loose ? NULL : callee_cut_in(&c, n);
	return !cut || plan_refuse(p, UNIFY_CONTRACT, "%s", cut);
}

/* Is the word the name in a call that some row rewrites? */
static bool is_called_at(const struct unify_rows *rows, size_t at)
{
	bool is = false;
	for (size_t r = 0; r < rows->n; r++) {
		const struct unify *u = rows->v[r];
		for (size_t i = 0; !u->equal && !u->plain && i < u->tree.leaves; i++) {
			is |= u->tree.leaf[i].text.name.begin == at;
		}
	}
	return is;
}

/* A lambda that only the rows call is replaced. */
static void find_lambdas(const struct unify_rows *rows)
{
	for (size_t r = 0; r < rows->n; r++) {
		struct unify *u = rows->v[r];
		struct callee *c = u->equal || u->plain ? NULL : &u->fn[0]->c;
		const struct kt_fn *in = &u->p->parse->unit->fn[u->p->merge->fn];
		bool elsewhere = false;
		if (!c || !c->pattern.lambda) {
			continue;
		}
		lex_each (k, u->p->text, in->begin, in->end) {
			bool names =
				str_eq(lex_text(u->p->text, k), callee_text(c, c->pattern.name));
			elsewhere |= names && k.begin != c->pattern.name.begin &&
				     !is_called_at(rows, k.begin);
		}
		c->used_elsewhere &= elsewhere;
	}
}

bool unify_check_rows(const struct unify_rows *rows)
{
	const struct unify *first = NULL;
	bool unifies = false, ok = true;
	for (size_t r = 0; r < rows->n; r++) {
		const struct unify *u = rows->v[r];
		first = first || u->equal ? first : u;
		unifies |= !u->equal && (!u->plain || u->tree.leaves > 2);
	}
	if (!first || !unifies) { /* it is left to fuse */
		return plan_off_topic(rows->v[0]->p, UNIFY_CALLS, "no template argument differs");
	}
	for (size_t r = 0; r < rows->n && ok; r++) {
		ok = !rows->v[r]->equal || check_equal(rows->v[r], first);
	}
	find_lambdas(rows);
	return ok && check_objects(rows, first) && check_order(rows);
}

static bool is_word(struct str s)
{
	s = str_starts(s, "!") ? str_sub(s, 1, s.n) : s;
	bool word = s.n > 0;
	for (size_t i = 0; i < s.n; i++) {
		word &= lex_is_word_char(s.p[i]);
	}
	return word;
}

struct str unify_row_value(struct unify *u, size_t i, struct str type)
{
	struct unify_rows *of = u->of;
	unsigned uses[UNIFY_LEAVES_MAX];
	memcpy(uses, u->tree.uses, sizeof(uses));
	struct str value = unify_value(u, i, type);
	bool fixed = memcmp(uses, u->tree.uses, sizeof(uses)) == 0;
	if (of->n == 1 || fixed || has_inner(u) || (of->stable && is_word(value))) {
		return value;
	}
	bool flag = str_is(type, "bool");
	unsigned own[UNIFY_LEAVES_MAX];
	memcpy(own, u->tree.uses, sizeof(own));
	struct str opposite = flag ? unify_opposite(u, i) : (struct str){0};
	memcpy(u->tree.uses, uses, sizeof(uses));
	array_each (&of->shared, const struct unify_shared, s) {
		if (str_eq(s->value, value) && str_eq(s->type, type)) {
			return str_of(s->name);
		}
		if (flag && str_is(s->type, "bool") && str_eq(s->value, opposite)) {
			return str_of(arena_printf(u->p->a, "!%s", s->name));
		}
	}
	memcpy(u->tree.uses, own, sizeof(own));
	const char *to = u->fn[0]->to[i];
	const char *const base[] = {
		to, arena_printf(u->p->a, flag ? "is_%s" : "%s_kind", to), NULL};
	struct unify_shared s = {value, type, plan_name_of(u->p, base)};
	array_push(&of->shared, s);
	return str_of(s.name);
}
