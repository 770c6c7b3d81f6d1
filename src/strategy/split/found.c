/*
 * The search of split (split.c) if the condition cannot be evaluated at the loop's head: the code
 * before the if runs in the search, once in each iteration as before, and the search ends where the
 * if would take its arm.
 *
 * BEFORE                                  AFTER (search)
 *   while (i < n) {                         bool found = false;
 *           const int t = idx[i++];         int next_t = 0;
 *           if (live[t]) {                  while (i < n) {
 *                   step(acc, t);                   const int t = idx[i++];
 *           }                                       if (live[t]) {
 *           rest(i);                                        found = true;
 *   }                                                       next_t = t;
 *                                                           break;
 *                                                   }
 *                                                   rest(i);
 *                                           }
 *                                           while (found) {
 *                                                   const int t = next_t;
 *                                                   step(acc, t);
 *                                                   rest(i);
 *                                                   found = false;
 *                                                   while ... (the search once more)
 *                                           }
 *
 * For a do loop, the first search is `do { ... } while (c);`, and the repeated search in the
 * working loop is `while (c) { ... }`, which tests the condition first.
 *
 * In place of clauses 3 to 6: the if is directly in the loop's block; there is no goto, and no
 * continue in the arm or after it; and a variable declared before the if, or in its header, that
 * the arm or later code uses can be carried over (handed.c). With a barrier in the loop the
 * condition is the same for the whole block (clause 8).
 */
#include <string.h>
#include "analysis/lanes/uniform.h"
#include "frontend/text/lex.h"
#include "strategy/plan/names.h"
#include "strategy/plan/value.h"
#include "strategy/split/job.h"
#include "strategy/text/text.h"

/* ---- legality ---- */

/* Is n a statement of the loop's block after (or before) the if? */
static bool is_part(const struct split *s, const struct kt_node *n, bool after)
{
	return after ? n->slot > s->m->node->slot : n->slot < s->m->node->slot;
}

/* The jumps by which these statements leave an iteration. */
static unsigned part_flags(struct split *s, bool after)
{
	unsigned flags = 0;

	for (size_t i = 0; s->body != s->m->node && i < s->body->n; i++) {
		if (is_part(s, s->body->child[i], after)) {
			flags |= facts_effects(s->f, s->body->child[i]).flags;
		}
	}
	return flags;
}

static bool check_jumps(struct split *s)
{
	unsigned all = facts_effects(s->f, s->body).flags;
	unsigned stay = facts_effects(s->f, split_sought_arm(s)).flags | part_flags(s, true);

	if (all & (FX_GOTO | FX_LABEL)) {
		return plan_refuse(s->p, CLAUSE_LEAVES,
			"the loop is left by goto, or holds a label that can be jumped to");
	}
	return !(stay & FX_CONTINUE) ||
	       plan_refuse(s->p, CLAUSE_LEAVES, "an iteration is left by continue");
}

bool split_check_found(struct split *s)
{
	const struct kt_node *iff = s->m->node;

	if (s->body != iff && iff->parent != s->body) {
		return plan_refuse(s->p, CLAUSE_REACHED, "it does not stand in the loop's block");
	}
	if (s->body == iff && (iff->child[KT_IF_ELSE] || s->loop->kind == KT_DO)) {
		/* a rare form */
		return plan_refuse(s->p, CLAUSE_REACHED, "the loop has no braces");
	}
	return check_jumps(s) && split_check_declarations(s);
}

bool split_is_same_for_block(struct split *s, const char **why)
{
	return uniformity_expr(uniformity_of_block(s->f), s->cond, why);
}

/* ---- the text ---- */

struct saved {
	const struct kt_node *var;
	const char *type;
	const char *name;
};

struct found {
	struct split_job *j;
	const char *flag;
	ARRAY(struct saved) saved;
	ARRAY(const struct kt_node *) repeated;
	bool ends; /* an iteration that does not take the arm ends the loop */
};

static void collect_of(struct found *w, const struct kt_node *d)
{
	struct split *s = w->j->s;

	for (size_t k = d->n; kt_declares(s->u, d) && k-- > 0;) {
		const struct kt_node *v = d->child[k];
		const char *name = s->u->sym[v->sym].name;
		if (!split_is_handed_on(s, v)) {
			continue;
		}
		if (split_can_be_repeated(s, v)) {
			array_push(&w->repeated, d);
			continue;
		}
		const char *type = plan_written_type(s->p, v->sym, s->loop->begin, s->loop->end);
		const char *to = plan_name(s->p, arena_printf(s->p->a, "next_%s", name));
		array_push(&w->saved, (struct saved){v, type, to});
	}
}

/* Collects the declarations before the arm that it needs, from the last one back. */
static void collect(struct found *w)
{
	struct split *s = w->j->s;

	if (split_header_of(s)) {
		collect_of(w, split_header_of(s));
	}
	for (size_t i = s->body == s->m->node ? 0 : s->m->node->slot; i-- > 0;) {
		collect_of(w, s->body->child[i]);
	}
}

static const char *space_after(const char *type)
{
	return type[strlen(type) - 1] == '*' ? "" : " ";
}

static const char *nothing_of(const struct kt_type *t)
{
	static const char *const plain[] = {"int", "unsigned int", "long", "unsigned long", "short",
		"unsigned short", "long long", "unsigned long long"};
	struct str name = kt_type_bare(t, true);

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (str_is(name, plain[i])) {
			return "0";
		}
	}
	return t->kind == KT_T_POINTER ? "nullptr" : t->kind == KT_T_BOOL ? "false" : "{}";
}

/* Adds `if (...) { found = true; break; }` in place of the if, and the other arm. */
static void add_ending_if(struct found *w, struct sbuf *out)
{
	struct split_job *j = w->j;
	struct str at = text_indent(j->t, j->iff->begin);
	struct str other = {0};
	const char *nl = arena_printf(j->p->a, "%s%.*s%s", j->eol, STR_ARG(at), j->step);
	struct cut parens = split_if_parens(j);
	struct str cond = j->s->seeks_else ? split_condition(j, true)
					   : str_sub(j->t, parens.begin + 1, parens.end);

	split_add_comments(j, out, j->iff->begin, parens.begin);
	sbuf_addf(out, "if (%.*s) {%s%s = true;", STR_ARG(cond), nl, w->flag);
	for (size_t i = w->saved.n; i-- > 0;) {
		const struct saved *v = &w->saved.v[i];
		sbuf_addf(out, "%s%s = %s;", nl, v->name, j->s->u->sym[v->var->sym].name);
	}
	if (!w->ends) {
		sbuf_addf(out, "%sbreak;", nl);
	}
	sbuf_addf(out, "%s%.*s}", j->eol, STR_ARG(at));
	if (j->iff->child[KT_IF_ELSE] && !w->ends) {
		other = split_arm(j, !j->s->seeks_else);
	}
	if (other.n) {
		sbuf_addf(out, "%s%.*s%.*s", j->eol, STR_ARG(at), STR_ARG(other));
	}
}

bool split_leaves_loop(const struct kt_node *arm)
{
	while (arm && arm->kind == KT_COMPOUND) {
		arm = arm->n == 1 ? arm->child[0] : NULL;
	}
	return arm && arm->kind == KT_BREAK;
}

/* Adds the search loop: the body up to the if, which ends it, and the code after the if. asks: it
 * tests the loop's condition first. */
static void add_loop(struct found *w, struct sbuf *out, bool asks)
{
	struct split_job *j = w->j;
	const struct kt_node *body = j->s->body;
	struct str all = {0}, cond = split_loop_condition(j, false);
	struct sbuf b = {0}, iff = {0};

	add_ending_if(w, &iff);
	if (body == j->iff) {
		sbuf_addf(&b, "{%s%s", j->nl, j->step);
		text_add_reindented(
			&b, sbuf_str(&iff), text_indent(j->t, j->iff->begin), j->deeper);
		sbuf_addf(&b, "%s}", j->nl);
	} else {
		size_t rest = w->ends ? body->end - 1 : j->iff->end;
		sbuf_addstr(&b, str_sub(j->t, body->begin, j->iff->begin));
		sbuf_addstr(&b, sbuf_str(&iff));
		if (w->ends) {
			sbuf_adds(&b, j->nl);
		}
		sbuf_addstr(&b, str_sub(j->t, rest, body->end));
	}
	all = sbuf_finish(&b, j->p->a);
	if (w->ends && asks) {
		sbuf_addf(out, "if (%.*s) ", STR_ARG(cond));
	} else if (!w->ends && asks) {
		split_add_header(j, out, (struct str){0}, cond, (struct str){0}, 2);
		sbuf_addc(out, ' ');
	}
	sbuf_addf(out, "%s%.*s", w->ends || asks ? "" : "do ", STR_ARG(all));
	if (!w->ends && !asks) {
		sbuf_addf(out, " while (%.*s);", STR_ARG(cond));
	}
	sbuf_release(&iff);
}

/* Is `found = k < n && live[k]` enough, without other code in the search? */
static bool is_one_question(const struct found *w)
{
	const struct split *s = w->j->s;
	enum kt_type_kind k = kt_type_of(s->u, s->cond)->kind;
	bool first = s->body == s->m->node || s->m->node->slot == 0;
	bool plain = k == KT_T_BOOL || k == KT_T_INT || k == KT_T_POINTER;

	return w->ends && first && plain && !w->saved.n;
}

static struct str question(struct found *w, bool asks)
{
	struct split_job *j = w->j;
	struct str more = split_condition(j, j->s->seeks_else);
	struct str cond = split_loop_condition(j, true);

	return cond.n && asks
		       ? str_of(arena_printf(j->p->a, "%.*s && %.*s", STR_ARG(cond), STR_ARG(more)))
		       : more;
}

/* Adds the declarations of the code before the arm that the arm uses. */
static void add_seen(struct found *w, struct sbuf *out, struct str indent)
{
	struct split_job *j = w->j;

	for (size_t i = w->saved.n; i-- > 0;) {
		const struct saved *v = &w->saved.v[i];
		const struct kt_type *t = &j->s->u->type[v->var->type];
		bool pointer = t->kind == KT_T_POINTER;
		sbuf_addf(out, "%s%s%s%s%s = %s;%s%.*s", t->is_const && !pointer ? "const " : "",
			v->type, space_after(v->type), t->is_const && pointer ? "const " : "",
			j->s->u->sym[v->var->sym].name, v->name, j->eol, STR_ARG(indent));
	}
	for (size_t i = w->repeated.n; i-- > 0;) {
		const struct kt_node *d = w->repeated.v[i];
		const char *semicolon = d == split_header_of(j->s) ? ";" : "";
		sbuf_addf(out, "%.*s%s%s%.*s", STR_ARG(str_sub(j->t, d->begin, d->end)), semicolon,
			j->eol, STR_ARG(indent));
	}
}

/* For a variable declared in the search and again for the arm: does the search use no other
 * variable of that name before its declaration? */
static bool repeats_apart(struct split_job *j, const struct kt_node *d)
{
	struct split *s = j->s;
	bool apart = true;

	for (size_t i = 0; i < d->n && apart; i++) {
		const char *name = s->u->sym[d->child[i]->sym].name;
		apart = !plan_may_name(j->p, s->loop->begin, d->begin, name) &&
			!plan_may_name(j->p, s->body->end, s->loop->end, name);
		for (const struct kt_node *n = s->loop; n && apart; n = kt_next(n, s->loop)) {
			apart = n->kind != KT_REF || !n->sym || n->sym == d->child[i]->sym ||
				strcmp(s->u->sym[n->sym].name, name) != 0;
		}
	}
	return apart;
}

static bool is_apart(struct found *w)
{
	struct split_job *j = w->j;
	const struct kt_node *arm = split_sought_arm(j->s), *body = j->s->body;
	bool apart = true;

	for (size_t i = 0; arm->kind == KT_COMPOUND && i < arm->n && apart; i++) {
		apart = split_declares_apart(j, arm->child[i]);
	}
	apart = apart && (!split_header_of(j->s) || repeats_apart(j, split_header_of(j->s)));
	for (size_t i = 0; body != j->iff && i < body->n && apart; i++) {
		const struct kt_node *d = body->child[i];
		apart = i < j->iff->slot ? !kt_declares(j->s->u, d) || repeats_apart(j, d)
					 : split_declares_apart(j, d);
	}
	return apart;
}

/* Adds the arm with the declarations that it needs, and the code after it. */
static void add_iteration(struct found *w, struct sbuf *out, struct str deeper)
{
	struct split_job *j = w->j;
	const struct kt_node *body = j->s->body;
	struct str at = text_indent(j->t, j->iff->begin), none = {0};
	bool braces = !is_apart(w);
	struct str to =
		braces ? str_of(arena_printf(j->p->a, "%.*s%s", STR_ARG(deeper), j->step)) : deeper;
	struct sbuf b = {0};

	add_seen(w, &b, at);
	sbuf_addstr(&b, split_arm(j, j->s->seeks_else));
	sbuf_addstr(&b, body == j->iff ? none : str_sub(j->t, j->iff->end, body->end - 1));
	if (braces) {
		sbuf_addf(out, "{%s%.*s", j->eol, STR_ARG(to));
	}
	text_add_reindented(out, str_trim(sbuf_str(&b)), at, to);
	if (braces) {
		sbuf_addf(out, "%s%.*s}", j->eol, STR_ARG(deeper));
	}
	split_add_steps(j, out, deeper);
	sbuf_release(&b);
}

static void add_before(struct found *w, struct sbuf *out, bool first)
{
	struct split_job *j = w->j;
	bool asks = !first || j->s->loop->kind != KT_DO;

	for (size_t i = w->saved.n; first && i-- > 0;) {
		const struct saved *v = &w->saved.v[i];
		const char *nothing = nothing_of(&j->s->u->type[v->var->type]);
		sbuf_addf(out, "%s%s%s = %s;%s%.*s", v->type, space_after(v->type), v->name,
			nothing, j->eol, STR_ARG(j->base));
	}
	sbuf_addf(out, "%s%s = ", first ? "bool " : "", w->flag);
	if (is_one_question(w)) {
		sbuf_addf(out, "%.*s;", STR_ARG(question(w, asks)));
	} else {
		sbuf_addf(out, "false;%s%.*s", j->eol, STR_ARG(j->base));
		add_loop(w, out, asks);
	}
}

void split_write_found(struct split_job *j, struct sbuf *out)
{
	bool block = plan_needs_block(j->s->loop) || (j->moves && split_needs_scope(j));
	const struct kt_node *other =
		j->iff->child[j->s->seeks_else ? (size_t)KT_IF_THEN : (size_t)KT_IF_ELSE];
	struct found w = {.j = j};
	struct sbuf b = {0}, next = {0};

	w.ends = split_leaves_loop(other) && !(part_flags(j->s, false) & (FX_BREAK | FX_CONTINUE));
	w.flag = plan_name(j->p, w.ends ? "more" : "found");
	collect(&w);
	if (w.ends) { /* the comments of an arm that only ends the loop have no other place */
		split_add_said_of(j, &b, other->begin, other->end);
	}
	if (j->init.n) {
		sbuf_addf(&b, "%.*s;%s", STR_ARG(j->init), j->nl);
	}
	add_before(&w, &b, true);
	sbuf_addf(&b, "%swhile (%s) {%s%.*s", j->nl, w.flag, j->eol, STR_ARG(j->deeper));
	add_iteration(&w, &b, j->deeper);
	add_before(&w, &next, false);
	split_end_search(j, out, &b, &next, block);
	array_release(&w.saved);
	array_release(&w.repeated);
}
