/*
 * split: a loop with an if becomes loops with one arm each. No iteration branches any more, so only
 * the accumulator itself is carried from one iteration to the next.
 *
 * BEFORE                                  AFTER (two loops)
 *   for (int k = 0; k < n; k += 16) {       int k = 0;
 *           before(k);                      for (; k < n && k + 16 <= n; k += 16) {
 *           if (k + 16 <= n) {                      before(k);
 *                   step(acc, k);                   step(acc, k);
 *           } else {                        }
 *                   edge(acc, k);           for (; k < n; k += 16) {
 *           }                                       before(k);
 *           after(k);                               edge(acc, k);
 *   }                                       }
 *
 *                                         AFTER (in runs)
 *                                           for (int k = 0; k < n;) {
 *                                                   for (; k < n && k + 16 <= n; k += 16) {
 *                                                           step(acc, k);
 *                                                   }
 *                                                   for (; k < n && k + 16 > n; k += 16) {
 *                                                           edge(acc, k);
 *                                                   }
 *                                           }
 *
 * (with after(k) in both). If other code uses the name k, for `for (int k = 0; k < n; ++k)` and `k
 * < c` the second loop begins with `int k = c > 0 ? c : 0`: where the first one ended, unless the
 * bound ended it. Other loops are put in a block with the variable. In runs, each inner loop
 * continues while its arm is the right one: the same statements in the same order for any
 * condition. Two loops need a proof that the condition changes at most once.
 *
 * For an if with one arm the other one is empty, and there is one more form:
 *
 * BEFORE                                  AFTER (search)
 *   for (int k = 0; k < n; ++k) {           int k = 0;
 *           before(k);                      for (; k < n && live[k] == 0; ++k) {
 *           if (live[k] != 0) {                     before(k);
 *                   step(acc, k);           }
 *           }                               while (k < n) {
 *   }                                               before(k);
 *                                                   step(acc, k);
 *                                                   ++k;
 *                                                   for (; k < n && live[k] == 0; ++k) {
 *                                                           before(k);
 *                                                   }
 *                                           }
 *
 * If the loop ends by a break that does not depend on its iterations, there is a fourth form, which
 * counts the iterations first (counted.c).
 *
 * Legal when
 *  1. it is an if or else-if chain that declares nothing in its header, in a while, or in a for
 *     with a condition; search: it has one arm, or one arm with matrix operations, and no code
 *     after the if uses the name of a variable of its header; a do loop is handled as in found.c;
 *  2. no part of the header or braces of the loop or the if comes from a macro, and no preprocessor
 *     directive except loop pragmas is in the loop;
 *  3. every iteration reaches the if: in the loop only blocks, and counted loops that run at least
 *     once, are around it, and no code before it leaves the iteration;
 *  4. no break or goto leaves the loop, and it holds no label; search: there is no continue either,
 *     since the next iteration begins at another place then;
 *  5. the condition has no effect, no cross-lane operation except readfirstlane, and the same value
 *     at the head of the loop: no variable that it reads is written between there and the if, and a
 *     variable declared there is replaced by its initializer, of the same type;
 *  6. the loop's own condition has no effect: it is evaluated more often;
 *  7. the code that is duplicated declares no static or shared variable, and is not longer than
 *     SPLIT_TEXT_MAX; neither it nor a callee has inline asm with a label, or asm from a macro that
 *     may have one;
 *  8. the loop has no matrix operation, barrier, cross-lane or other ordered operation, or the
 *     condition is uniform: proved, or required by a matrix operation or barrier in an arm (see
 *     agree.c). Otherwise lanes of one iteration would execute it separately. If only one arm
 *     computes and the loop has a barrier, the condition is the same in all lanes of the block:
 *     waves that search other iterations would reach the barrier elsewhere;
 *  9. unless contraction is off: the loops' conditions add and multiply no floats, and no float
 *     multiply is brought into one basic block with an add of its result; nor is a multiply of an
 *     arm added again in every iteration, nor one added across the border of a loop whose trip
 *     count may be known (see analysis/arms/contract.h);
 * 10. two loops: the condition consists of terms that change at most once from the first to the
 *     last iteration, all in the same direction, without wrapping around (see once.c).
 * By construction: the statements of all iterations run in the same order, each on the same state.
 * continue and return leave an iteration as before.
 *
 * If 3 to 6 do not allow the condition at the loop's head, a search may also run the code before
 * the if, and pass its values on (found.c).
 */
#include "strategy/split/split.h"

#include <string.h>
#include "analysis/arms/contract.h"
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/body.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/value.h"
#include "strategy/text/text.h"

enum {
	SPLIT_TEXT_MAX = 16384 /* bytes */
};

/* ---- clauses 1 and 3: which loop ---- */

/* The loop of which every iteration reaches n through blocks, or NULL. */
static const struct kt_node *loop_around(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	while (up && up->kind == KT_COMPOUND) {
		up = up->parent;
	}
	return up && kt_is_loop(up->kind) ? up : NULL;
}

/* Does an iteration of the loop write what the condition reads? */
static bool writes_condition(struct split *s, const struct kt_node *loop)
{
	struct fx cond = facts_effects(s->f, s->cond);
	struct fx fx = facts_effects(s->f, loop->child[KT_FOR_BODY]);
	facts_add_effects(&fx, s->f, s->p->a, loop->child[KT_FOR_INC]); /* a counted loop has one */
	struct locset var = {0};
	const struct kt_node *init = loop->child[KT_FOR_INIT];
	for (size_t i = 0; init && init->kind == KT_DECL && i < init->n; i++) {
		locset_add(&var, s->p->a, LOC_VAR(init->child[i]->sym));
	}
	/* a local of the body is also written in each iteration */
	for (const struct kt_node *n = s->cond; n; n = kt_next(n, s->cond)) {
		const struct kt_sym *sym = n->kind == KT_REF ? &s->u->sym[n->sym] : NULL;
		if (sym && sym->kind == KT_S_LOCAL && sym->file == loop->file &&
			sym->at >= loop->begin && sym->at < loop->end) {
			return true;
		}
	}
	return facts_conflict(s->f, s->p->a, &fx, &cond, NULL) || locset_meets(&cond.reads, &var);
}

static const char *why_no_if(struct split *s)
{
	const struct merge *m = s->m;
	struct edit_list l = {0};
	const char *why =
		m->isolates ? plan_isolate(&l, s->p, (size_t)(m->isolates - m->arm)) : NULL;

	edit_list_release(&l);
	return why ? why : "it is no if";
}

/* A refusal here always ends the plan. */
static bool find_loop(struct split *s)
{
	struct plan *p = s->p;
	const struct kt_node *n = s->m->node;
	if (s->m->kind != MERGE_IF) {
		plan_refuse(p, CLAUSE_SHAPE, "%s", why_no_if(s));
		return false;
	}
	const struct kt_node *init = n->child[KT_IF_INIT];
	bool handed = s->found && init && init->kind == KT_DECL && !n->child[KT_IF_ELSE];
	if ((init && !handed) || n->child[KT_IF_VAR]) {
		plan_refuse(p, CLAUSE_SHAPE, "a variable is declared in its header");
		return false;
	}
	s->cond = n->child[KT_IF_COND];
	s->loop = loop_around(n);
	while (s->loop && loop_around(s->loop) && loop_runs(s->f, s->loop) &&
		!writes_condition(s, s->loop)) {
		s->loop = loop_around(s->loop);
	}
	if (!s->loop) {
		bool inside = kt_loop_of(n);
		plan_refuse(p, inside ? CLAUSE_REACHED : CLAUSE_SHAPE,
			inside ? "not every iteration of the loop around it reaches it"
			       : "it stands in no loop");
		return false;
	}
	bool is_for = s->loop->kind == KT_FOR;
	bool at_end = s->loop->kind == KT_DO && s->found && s->form == SPLIT_SEARCH;
	bool fits =
		is_for || at_end || (s->loop->kind == KT_WHILE && !s->loop->child[KT_WHILE_VAR]);
	if (!fits || !(s->found || kt_loop_condition(s->loop))) {
		plan_refuse(p, CLAUSE_SHAPE,
			is_for ? "the loop around it has no condition"
			       : "the loop around it is neither a for nor a plain while");
		return false;
	}
	s->body = kt_loop_body(s->loop);
	s->loop_cond = kt_loop_condition(s->loop);
	return true;
}

/* ---- clause 2: text ---- */

static bool any_macro(const struct kt_node *const *n, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (n[i] && n[i]->flags & KT_F_MACRO) {
			return true;
		}
	}
	return false;
}

static bool check_text(struct split *s)
{
	struct plan *p = s->p;
	struct str t = p->text;
	const struct kt_node *l = s->loop;
	bool is_for = l->kind == KT_FOR;
	const struct kt_node *parts[] = {l, s->body, s->loop_cond,
		is_for ? l->child[KT_FOR_INIT] : NULL, is_for ? l->child[KT_FOR_INC] : NULL,
		s->m->node};
	if (any_macro(parts, sizeof(parts) / sizeof(parts[0])) || plan_in_macro(p, s->m)) {
		/* its places in the text are unknown */
		plan_refuse(p, CLAUSE_TEXT, "%s",
			plan_why_fixed(s->m, "part of it or of the loop comes from a macro, which "
					     "is never edited"));
		return false;
	}
	for (const struct kt_node *n = s->m->node; n != l; n = n->parent) {
		if (n->flags & KT_F_MACRO) {
			return plan_refuse(
				p, CLAUSE_TEXT, "a macro stands between the loop and it");
		}
	}
	struct str fixed = layout_fixed(plan_layout(p), l->begin, l->end);
	if (fixed.n) {
		return plan_refuse(p, CLAUSE_TEXT,
			"a preprocessor directive stands in the loop: %.*s", STR_ARG(fixed));
	}
	struct lex_token first = lex_next(t, l->begin);
	while (first.kind == LEX_DIRECTIVE) {
		first = lex_next(t, first.end);
	}
	if (!lex_is(t, first, is_for ? "for" : l->kind == KT_DO ? "do" : "while")) {
		return plan_refuse(p, CLAUSE_TEXT, "an attribute stands before the loop");
	}
	if (!str_starts(str_sub(t, s->m->node->begin, s->m->node->end), "if")) {
		return plan_refuse(p, CLAUSE_TEXT, "an attribute or a pragma stands before it");
	}
	return true;
}

/* ---- clauses 4, 7, 8 and 9 ---- */

static bool check_leaves(struct split *s)
{
	struct fx fx = facts_effects(s->f, s->body);
	if (fx.flags & (FX_BREAK | FX_GOTO)) {
		return plan_refuse(s->p, CLAUSE_LEAVES, "the loop is left by %s",
			fx.flags & FX_BREAK ? "break" : "goto");
	}
	if (fx.flags & FX_LABEL) {
		return plan_refuse(
			s->p, CLAUSE_LEAVES, "the loop holds a label that can be jumped to");
	}
	return true;
}

static bool in_arms(const struct split *s, size_t at)
{
	const struct kt_node *n = s->m->node;
	return at >= n->begin && at < n->end;
}

static bool lasting(const struct kt_sym *s)
{
	return s->is_static || s->space != KT_PRIVATE || s->kind == KT_S_GLOBAL;
}

/* The name of a static variable outside the arms, lambdas included; or NULL. */
static const char *lasting_variable(struct split *s)
{
	for (size_t i = 1; i < s->u->syms; i++) {
		const struct kt_sym *y = &s->u->sym[i];
		bool variable = y->kind == KT_S_LOCAL || y->kind == KT_S_GLOBAL;
		if (variable && y->file == s->loop->file && y->at >= s->loop->begin &&
			y->at < s->loop->end && !in_arms(s, y->at) && lasting(y)) {
			return y->name;
		}
	}
	return NULL;
}

/* May the asm define a label, which must not be duplicated? A macro's text is unknown. */
static bool may_have_label(const struct kt_node *n)
{
	struct str t = str_of(n->text ? n->text : "");
	if (kt_asm_template(n)) {
		return str_find(str_of(kt_asm_template(n)), ":", 0) != SIZE_MAX;
	}
	if (n->flags & KT_F_MACRO) {
		return !str_starts(t, "UNPHI_");
	}
	size_t open = lex_find(t, 0, t.n, '(');
	bool template = open != SIZE_MAX;
	lex_each (k, t, template ? open + 1 : t.n, t.n) {
		template &= !lex_is(t, k, ":");
		bool colon = k.kind == LEX_STRING && str_find(lex_text(t, k), ":", 0) != SIZE_MAX;
		if (template && (colon || k.kind == LEX_WORD)) {
			return true;
		}
	}
	return open == SIZE_MAX;
}

/* Inline asm with a label, outside the arms or in a callee. seen: functions. */
static const struct kt_node *labelled_asm(struct split *s, const struct kt_node *root, bool *seen)
{
	for (const struct kt_node *n = root; n;) {
		if (n == s->m->node) {
			n = kt_skip(n, root);
			continue;
		}
		if (n->kind == KT_ASM && may_have_label(n)) {
			return n;
		}
		const struct kt_node *body = n->fn ? s->u->fn[n->fn].body : NULL;
		if (body && !seen[n->fn]) {
			seen[n->fn] = true;
			const struct kt_node *found = labelled_asm(s, body, seen);
			if (found) {
				return found;
			}
		}
		n = kt_next(n, root);
	}
	return NULL;
}

static bool check_twice(struct split *s)
{
	static const char *const word[] = {"static", "__shared__", "thread_local", "__COUNTER__"};
	struct plan *p = s->p;
	struct str t = p->text;
	const char *name = lasting_variable(s);
	if (name) {
		return plan_refuse(
			p, CLAUSE_TWICE, "the loop declares '%s', which would become two", name);
	}
	lex_each (k, t, s->loop->begin, s->loop->end) {
		if (in_arms(s, k.begin)) {
			continue;
		}
		for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
			if (lex_is(t, k, word[i])) {
				return plan_refuse(p, CLAUSE_TWICE, "the loop holds '%s'", word[i]);
			}
		}
	}
	bool *seen = ARENA_ARRAY(p->a, bool, s->u->fns);
	const struct kt_node *labelled = labelled_asm(s, s->loop, seen);
	if (labelled) {
		return plan_refuse(p, CLAUSE_TWICE,
			"the loop runs inline asm that has, or may have, a label: '%s'",
			plan_quote(p, labelled));
	}
	size_t arms = s->m->node->end - s->m->node->begin;
	if (s->loop->end - s->loop->begin - arms > SPLIT_TEXT_MAX) {
		return plan_refuse(p, CLAUSE_TWICE, "more than %d bytes would be written twice",
			SPLIT_TEXT_MAX);
	}
	return true;
}

static bool check_uniform(struct split *s)
{
	unsigned flags = s->all.flags & (FX_CONVERGENT | FX_ORDERED);
	const char *why;
	bool one = s->m->one_armed || s->m->arms == 1 || s->form == SPLIT_SEARCH ||
		   s->form == SPLIT_COUNTED;
	if (one && flags & FX_BARRIER && !split_is_same_for_block(s, &why) &&
		!plan_refuse(s->p, CLAUSE_UNIFORM,
			"the loop holds a barrier, and one arm computes: waves that pass other "
			"iterations by would reach it elsewhere (%s)",
			why)) {
		return false;
	}
	if (!flags || plan_is_uniform(s->p, NULL, &s->cond, 1, &why)) {
		plan_guards(s->p, flags);
		return true;
	}
	return plan_refuse(s->p, CLAUSE_UNIFORM, "the loop holds %s, and %s",
		flags & FX_MATRIX ? "a matrix operation" : plan_ordered_words(flags), why);
}

static bool check_contract(struct split *s)
{
	struct plan *p = s->p;
	if (p->opts->contract_off) {
		return true;
	}
	bool floats = value_calculates_floats(s->u, s->cond) ||
		      value_calculates_floats(s->u, s->loop_cond);
	array_each (&s->locals, const struct split_local, l) {
		floats |= value_calculates_floats(s->u, l->var->child[0]);
	}
	if (floats) {
		return plan_refuse(p, CLAUSE_CONTRACT,
			"a condition calculates in floats: the compiler could join it to FMAs in "
			"other places than now");
	}
	const char *why = NULL;
	struct contract_join join = {.loop = s->loop,
		.merge = s->m->node,
		.fn = s->m->fn,
		.live = liveness_of(s->f, s->m->fn)};
	return !contract_joins(contract_of(s->f), &join, &why) ||
	       plan_refuse(p, CLAUSE_CONTRACT, "%s", why);
}

static bool check_loop(struct split *s)
{
	if (!find_loop(s) || !check_text(s)) {
		return false;
	}
	/* part by part: the other parts write the header's variables */
	facts_add_effects(&s->all, s->f, s->p->a, s->body);
	if (s->loop_cond) {
		facts_add_effects(&s->all, s->f, s->p->a, s->loop_cond);
	}
	if (s->loop->kind == KT_FOR && s->loop->child[KT_FOR_INC]) {
		facts_add_effects(&s->all, s->f, s->p->a, s->loop->child[KT_FOR_INC]);
	}
	return true;
}

static bool check_all(struct split *s)
{
	return check_loop(s) && check_leaves(s) && split_check_condition(s) && check_twice(s) &&
	       check_uniform(s) && check_contract(s);
}

static bool check_found(struct split *s)
{
	return check_loop(s) && split_check_found(s) && check_twice(s) && check_uniform(s) &&
	       check_contract(s);
}

static bool check_counted(struct split *s)
{
	return check_loop(s) && split_check_found(s) && split_check_counted(s) && check_twice(s) &&
	       check_uniform(s) && check_contract(s);
}

static bool continues(struct split *s)
{
	return facts_effects(s->f, s->body).flags & FX_CONTINUE;
}

/* Does the check pass? Runs on a copy of the plan. */
static bool passes(const struct split *s, bool (*check)(struct split *))
{
	struct split trial = *s;
	struct plan aside = *s->p;
	struct candidate quiet = {.strategy = s->p->out->strategy, .variant = s->p->out->variant};
	trial.p = &aside;
	aside.out = &quiet;
	bool passed = check(&trial) && !quiet.clause && (trial.found || !continues(&trial));
	array_release(&trial.locals);
	return passed;
}

/* Must the code before the if run in the search, because the condition cannot be evaluated at the
 * loop's head? */
static bool finds_in_place(struct split *s)
{
	if (s->form == SPLIT_SEARCH && !passes(s, check_all)) {
		const struct kt_node *loop = loop_around(s->m->node);
		s->found = true;
		/* a do loop has only this form, so its refusal is reported */
		s->found = passes(s, check_found) || (loop && loop->kind == KT_DO);
	}
	return s->found;
}

static void plan_form(struct split *s)
{
	const char *why = NULL;
	enum split_form form = s->form;
	enum split_change change = SPLIT_FALLS;
	if (form == SPLIT_ONCE) {
		change = split_changes(s, &why);
	}
	if (change == SPLIT_UNKNOWN) {
		if (!plan_refuse(s->p, CLAUSE_ONCE,
			    "the condition is not proved to change only once: %s", why)) {
			return;
		}
		change = SPLIT_FALLS;
	}
	if (form == SPLIT_SEARCH && !s->found && continues(s) &&
		!plan_refuse(s->p, CLAUSE_LEAVES, "an iteration is left by continue")) {
		return;
	}
	split_edit(s, change);
}

/* Finds the arm to search for: the one with matrix operations, or the only one. */
static bool finds_sought(struct split *s)
{
	const struct kt_node *n = s->m->node;
	if (s->m->kind != MERGE_IF || s->m->arms == 1) {
		return s->m->kind == MERGE_IF;
	}
	bool then = facts_effects(s->f, n->child[KT_IF_THEN]).flags & FX_MATRIX;
	s->seeks_else = facts_effects(s->f, n->child[KT_IF_ELSE]).flags & FX_MATRIX;
	return then != s->seeks_else;
}

void split_plan(struct plan *p, const char *variant)
{
	struct split s = {.p = p,
		.m = p->merge,
		.u = p->parse->unit,
		.f = p->parse->facts,
		.form = strcmp(variant, "two loops") == 0 ? SPLIT_ONCE
			: strcmp(variant, "search") == 0  ? SPLIT_SEARCH
			: strcmp(variant, "counted") == 0 ? SPLIT_COUNTED
							  : SPLIT_RUNS};
	bool sought = finds_sought(&s);
	s.found = s.form == SPLIT_COUNTED;
	if ((s.form == SPLIT_SEARCH || s.found) && !sought) {
		p->out->topic = TOPIC_OTHER;
		plan_refuse(p, CLAUSE_SHAPE, "%s",
			s.m->kind == MERGE_IF ? "it has two arms that compute" : why_no_if(&s));
	} else if (s.form == SPLIT_COUNTED) {
		if (check_counted(&s) && !p->out->clause) {
			plan_form(&s);
		} else {
			p->out->topic = TOPIC_OTHER;
		}
	} else if (finds_in_place(&s) ? check_found(&s) : check_all(&s)) {
		/* in runs the results of both loops merge; the search has only one */
		if (s.form == SPLIT_RUNS && s.m->one_armed && sought && !continues(&s)) {
			p->out->topic = TOPIC_OTHER;
			plan_refuse(p, CLAUSE_SHAPE, "one arm computes, which the search is for");
		} else {
			plan_form(&s);
		}
	}
	array_release(&s.locals);
}
