/*
 * split: one loop with an if in it becomes loops with one arm each. No iteration chooses any
 * more, so nothing but the accumulator itself goes from one iteration to the next.
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
 * (with after(k) in both). Where other code has the name k, of `for (int k = 0; k < n; ++k)` and
 * `k < c` the second loop begins `int k = c > 0 ? c : 0`: where the first ended, unless the
 * loops' bound did; of other loops both stand in a block with the variable. In runs each inner
 * loop goes on for as long as its arm is the one; that is the same order of the same statements
 * whatever the condition does. Two loops need a proof that it changes at most once.
 *
 * An if of one arm has the other one empty, and one form more:
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
 * A break that nothing in an iteration decides has a fourth, where the iterations are counted first
 * (counted.c).
 *
 * Legal when
 *  1. it is an if or else-if chain that declares nothing in its header, in a while, or in a for
 *     with a condition; search: with one arm, or one that holds matrix operations, and what the
 *     header declares has a name that nothing after the if has; a do is searched as in found.c;
 *  2. no part of the header or braces of the loop or the if comes from a macro, and no preprocessor
 *     directive but a loop pragma stands in the loop;
 *  3. every iteration comes to the if: only blocks, and counted loops that run, stand around it in
 *     the loop, and nothing before it leaves the iteration;
 *  4. no break or goto leaves the loop, and it holds no label; search: no continue does either, as
 *     the next iteration begins in another place then;
 *  5. the condition has no effect, asks no other lane than the first, and has the same value at
 *     the head of the loop: what it reads is not written between there and the if, and a variable
 *     declared there is replaced by its initializer, of the same type;
 *  6. the loop's own condition has no effect: it is evaluated more often;
 *  7. what would be written twice declares no static or shared variable, and is no longer than
 *     SPLIT_TEXT_MAX; neither it nor what it calls holds inline asm with a label, or that a macro
 *     may give one;
 *  8. the loop holds no matrix operation, barrier, cross-lane or other ordered operation, or the
 *     condition is the same in all lanes of a wave, as is proved, or as a matrix operation or
 *     barrier in an arm asks for (see agree.c): else lanes of one iteration would run it apart;
 *     where one arm computes alone and the loop holds a barrier, the condition is the same in all
 *     lanes of the block: waves that look for other iterations would reach it elsewhere;
 *  9. unless contraction is off: the loops' conditions add and multiply no floats, and no float
 *     multiply comes into one block with an add that takes its result, nor is one of an arm that is
 *     added the same in every turn, nor one that is added across the border of a loop whose turns
 *     may be counted (see analysis/arms/contract.h);
 * 10. two loops: the condition is made of terms that change at most once from the first to the last
 *     iteration, all in one direction, without wrapping around (see once.c).
 * By construction: the statements of all iterations run in their order, each on the state it saw
 * before. What leaves an iteration (continue, return) leaves it as before.
 *
 * Where 3 to 6 do not allow the condition at the loop's head, a search may run the code before the
 * if as well, and hand on what it found (found.c).
 */
#include "strategy/split/split.h"

#include <string.h>
#include "analysis/arms/contract.h"
#include "frontend/text/lex.h"
#include "strategy/plan/body.h"
#include "strategy/text/text.h"

enum {
	SPLIT_TEXT_MAX = 16384 /* bytes */
};

/* ---- clauses 1 and 3: which loop ---- */

/* The loop whose every iteration comes to n through blocks, or NULL. */
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
	/* a local of the body is written in each iteration, though not seen from outside */
	for (const struct kt_node *n = s->cond; n; n = kt_next(n, s->cond)) {
		const struct kt_sym *sym = n->kind == KT_REF ? &s->u->sym[n->sym] : NULL;
		if (sym && sym->kind == KT_S_LOCAL && sym->file == loop->file &&
			sym->at >= loop->begin && sym->at < loop->end) {
			return true;
		}
	}
	return facts_conflict(s->f, s->p->a, &fx, &cond, NULL) || locset_meets(&cond.reads, &var);
}

/* A refusal here ends the plan in any case: there is nothing to go on with. */
static bool find_loop(struct split *s)
{
	struct plan *p = s->p;
	const struct kt_node *n = s->m->node;
	if (s->m->kind != MERGE_IF) {
		plan_refuse(p, CLAUSE_SHAPE, "it is no if");
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
		const struct kt_node *up = n;
		while (up && !kt_is_loop(up->kind)) {
			up = up->parent;
		}
		plan_refuse(p, up ? CLAUSE_REACHED : CLAUSE_SHAPE,
			up ? "not every iteration of the loop around it reaches it"
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
		/* its places in the text are not known */
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
	bool head = true;
	lex_each (k, t, l->begin, l->end) {
		if (k.kind == LEX_DIRECTIVE ? !text_is_loop_pragma(lex_text(t, k))
					    : lex_is(t, k, "_Pragma")) {
			return plan_refuse(p, CLAUSE_TEXT,
				"a preprocessor directive stands in the loop: %.*s",
				STR_ARG(lex_text(t, k)));
		}
		if (head && k.kind != LEX_DIRECTIVE) {
			head = false;
			if (!lex_is(t, k, is_for ? "for" : l->kind == KT_DO ? "do" : "while")) {
				return plan_refuse(
					p, CLAUSE_TEXT, "an attribute stands before the loop");
			}
		}
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

/* A variable outside the arms that lives longer than the loop, lambdas included. */
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

/* May the asm have a label, which no two copies may have? A macro's text is not seen. */
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

/* Inline asm with a label, outside the arms or in what is called there. seen: functions. */
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

/* Does the expression hold an operator or call that gives no integer? */
static bool calculates_floats(const struct split *s, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		enum kt_type_kind k = kt_type_of(s->u, n)->kind;
		bool whole = k == KT_T_INT || k == KT_T_BOOL || k == KT_T_POINTER;
		if (!whole && (n->kind == KT_BINARY || n->kind == KT_CALL)) {
			return true;
		}
	}
	return false;
}

static bool check_contract(struct split *s)
{
	struct plan *p = s->p;
	if (p->opts->contract_off) {
		return true;
	}
	bool floats = calculates_floats(s, s->cond) || calculates_floats(s, s->loop_cond);
	array_each (&s->locals, const struct split_local, l) {
		floats |= calculates_floats(s, l->var->child[0]);
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
	/* part by part: what the header declares is written by the others */
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

/* Is the check passed? Tried aside. */
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

/* Where the condition cannot be asked at the loop's head, the code before it runs in the search. */
static bool finds_in_place(struct split *s)
{
	if (s->form == SPLIT_SEARCH && !passes(s, check_all)) {
		const struct kt_node *loop = loop_around(s->m->node);
		s->found = true;
		/* of a do the reason is that of its only form */
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

/* Which arm the search is for: the one that holds matrix operations, or the only one. */
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
		plan_refuse(p, CLAUSE_SHAPE, "it has two arms that compute");
	} else if (s.form == SPLIT_COUNTED) {
		if (check_counted(&s) && !p->out->clause) {
			plan_form(&s);
		} else {
			p->out->topic = TOPIC_OTHER;
		}
	} else if (finds_in_place(&s) ? check_found(&s) : check_all(&s)) {
		/* the compiler has results of both loops meet, which the search has in one */
		if (s.form == SPLIT_RUNS && s.m->one_armed && sought && !continues(&s)) {
			p->out->topic = TOPIC_OTHER;
			plan_refuse(p, CLAUSE_SHAPE, "one arm computes, which the search is for");
		} else {
			plan_form(&s);
		}
	}
	array_release(&s.locals);
}
