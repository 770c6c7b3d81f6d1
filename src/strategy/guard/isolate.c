/*
 * Writes the one arm of a switch, or of an else-if chain, that has matrix operations as an if with
 * an else: the same arms under the same conditions, in a form that split knows. The other arms
 * become a chain in the else.
 *
 * BEFORE                                  AFTER
 *   switch (kind[k]) {                      if (kind[k] == FULL) {
 *   case SKIPPED:                                   step(acc, k);
 *           break;                          } else if (kind[k] == COUNTED) {
 *   case FULL:                                      ++n;
 *           step(acc, k);                   }
 *           break;
 *   case COUNTED:
 *           ++n;
 *           break;
 *   }
 *
 *   if (a) {                                if (!(a) && (b)) {
 *           ++n;                                    step(acc, k);
 *   } else if (b) {                         } else if (a) {
 *           step(acc, k);                           ++n;
 *   } else {                                } else {
 *           ++m;                                    ++m;
 *   }                                       }
 *
 * Done if clauses 1 to 5 of sequentialize hold, conditions that are tested again have no effect and
 * no cross-lane operation and, unless contraction is off, calculate no floats, and the statement
 * stands in a block. A switch's operand that has one,
 * or is long, gets a variable.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/guard/leaves.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/plan/value.h"
#include "strategy/text/text.h"

enum {
	OPERAND_MAX = 24 /* bytes: a longer operand of a switch is written once */
};

struct isolation {
	struct job j;
	const struct arm *arm; /* the one that gets an if of its own */
	const char *value;     /* a switch's operand in conditions */
	struct sbuf text;
	struct str indent;
	const char *eol;
	const char *step;
};

static bool has_effect(struct plan *p, const struct kt_node *cond)
{
	struct fx fx = facts_effects(p->parse->facts, cond);

	return fx.flags || fx.writes.n;
}

static const struct leaf *leaf_of(const struct isolation *s, const struct arm *arm)
{
	array_each (&s->j.leaves, const struct leaf, l) {
		if (l->arm == arm) {
			return l;
		}
	}
	return NULL;
}

/* ---- conditions ---- */

/* The condition as an operand of &&, or its opposite. */
static void add_operand(struct isolation *s, const struct kt_node *c, bool opposite)
{
	const struct plan *p = s->j.p;
	const char *flip = opposite ? text_opposite(p->parse->unit, c) : NULL;
	size_t from, to;

	if (flip && text_find_operator(p->text, c, &from, &to)) {
		sbuf_addf(&s->text, "%.*s%s%.*s", STR_ARG(plan_text(p, c->begin, from)), flip,
			STR_ARG(plan_text(p, to, c->end)));
		return;
	}
	bool comparison =
		!(c->flags & (KT_F_MACRO | KT_F_OPERATOR)) && text_opposite(p->parse->unit, c);
	bool plain = text_binds_tighter(c, true) || (!opposite && comparison);
	sbuf_addf(&s->text, plain ? "%s%.*s" : "%s(%.*s)", opposite ? "!" : "",
		STR_ARG(plan_text(p, c->begin, c->end)));
}

/* Is an expression compared with a constant? */
static bool is_equal_to(const struct kt_node *c)
{
	return c->kind == KT_BINARY && c->op == KT_OP_EQ && c->child[1]->flags & KT_F_VALUE;
}

/* Does x == 2, which is to hold, say that x == 1 does not? */
static bool excludes(const struct isolation *s, const struct kt_node *held, const struct kt_node *c)
{
	const struct plan *p = s->j.p;

	if (!held || !is_equal_to(held) || !is_equal_to(c) ||
		held->child[1]->type != c->child[1]->type || !text_opposite(p->parse->unit, held) ||
		!text_opposite(p->parse->unit, c)) {
		return false;
	}
	return held->child[1]->value != c->child[1]->value &&
	       str_eq(plan_text(p, held->child[0]->begin, held->child[0]->end),
		       plan_text(p, c->child[0]->begin, c->child[0]->end));
}

/* The condition under which the chain takes the arm. */
static void add_chain_condition(struct isolation *s, const struct arm *arm)
{
	const struct merge *m = s->j.top;
	const char *and = "";

	for (const struct arm *a = m->arm; a < arm; a++) {
		if (!excludes(s, arm->cond, a->cond)) {
			sbuf_adds(&s->text, and);
			add_operand(s, a->cond, true);
			and = " && ";
		}
	}
	if (arm->cond && *and) {
		sbuf_adds(&s->text, and);
		add_operand(s, arm->cond, false);
	} else if (arm->cond) {
		struct str all = plan_text(s->j.p, arm->cond->begin, arm->cond->end);
		sbuf_addstr(&s->text, all);
	}
}

/* The condition under which the switch takes its default: no label of another arm fits. empty: only
 * those of empty arms count. */
static bool add_default_condition(struct isolation *s, bool empty)
{
	const struct merge *m = s->j.top;
	const char *and = "";

	for (size_t i = 0; i < m->arms; i++) {
		if (!m->arm[i].is_default && !(empty && leaf_of(s, &m->arm[i]))) {
			sbuf_adds(&s->text, and);
			guard_add_labels(s->j.p, &s->text, &m->arm[i], s->value, true);
			and = " && ";
		}
	}
	return *and;
}

static void add_condition(struct isolation *s, const struct arm *arm)
{
	if (s->j.top->kind != MERGE_SWITCH) {
		add_chain_condition(s, arm);
	} else if (!arm->is_default) {
		guard_add_labels(s->j.p, &s->text, arm, s->value, false);
	} else if (!add_default_condition(s, false)) {
		sbuf_adds(&s->text, "true");
	}
}

/* ---- text ---- */

/* Adds the comments of the range, each on a line of its own. */
static void add_comments(struct isolation *s, size_t begin, size_t end, struct str indent)
{
	text_add_lines(&s->text, plan_comments(s->j.p, begin, end),
		arena_printf(s->j.p->a, "%s%.*s", s->eol, STR_ARG(indent)), "");
}

/* The end of the code that becomes this arm: past the break of a switch's arm, and the comment
 * after it. */
static size_t end_of(const struct isolation *s, const struct leaf *l)
{
	const struct arm *arm = l->arm;
	struct str t = s->j.p->text;
	size_t end = arm->last ? text_end_of_statement(t, arm->body->child[arm->last - 1]) : 0;

	return end > l->end ? text_after_comments(t, end) : l->end;
}

/* The indentation of the code in the braces at open. */
static struct str indent_inside(struct str t, size_t open, size_t first)
{
	if (text_first_on_line(t, first)) {
		return text_code_indent(t, first);
	}
	size_t line = str_find(t, "\n", open); /* a comment may follow the brace */
	return text_code_indent(t, line == SIZE_MAX ? first : line + 1);
}

/* Adds the arm in braces, with the comments in front of it. */
static void add_body(struct isolation *s, const struct leaf *l)
{
	struct plan *p = s->j.p;
	struct str t = p->text;
	struct str deeper = str_of(arena_printf(p->a, "%.*s%s", STR_ARG(s->indent), s->step));
	size_t before = l == s->j.leaves.v ? s->j.top->node->begin : end_of(s, l - 1);
	size_t begin = l->begin + l->braced, end = l->braced ? lex_close(t, l->begin) : l->end;
	bool drops = l->drop_end > l->drop_begin;
	struct sbuf b = {0};

	sbuf_addf(&s->text, l->attr.n ? "%.*s {" : "%.*s{", STR_ARG(l->attr));
	add_comments(s, before, l->begin, deeper);
	sbuf_addstr(&b, str_sub(t, begin, drops ? l->drop_begin : end));
	sbuf_addstr(&b, drops ? str_sub(t, l->drop_end, end) : (struct str){0});
	struct str inside = str_trim(sbuf_str(&b));
	size_t first = begin;
	while (first < end && strchr(" \t\r\n", t.p[first])) {
		first++;
	}
	sbuf_addf(&s->text, inside.n ? "%s%.*s" : "", s->eol, STR_ARG(deeper));
	text_add_reindented(&s->text, inside,
		l->braced ? indent_inside(t, l->begin, first) : l->indent, deeper);
	add_comments(s, l->braced ? end + 1 : l->end, end_of(s, l), deeper);
	sbuf_addf(&s->text, "%s%.*s}", s->eol, STR_ARG(s->indent));
	sbuf_release(&b);
}

/* The arms after the isolated one, without the empty ones of a switch, and with a default at the
 * end. */
static size_t find_others(const struct arm **other, const struct isolation *s)
{
	const struct merge *m = s->j.top;
	size_t n = 0;

	for (int last = 0; last <= 1; last++) {
		for (size_t i = 0; i < m->arms; i++) {
			const struct arm *arm = &m->arm[i];
			if (arm != s->arm && arm->is_default == last && leaf_of(s, arm)) {
				other[n++] = arm;
			}
		}
	}
	return n;
}

static bool has_empty_arm(const struct isolation *s)
{
	bool has = false;

	for (size_t i = 0; i < s->j.top->arms; i++) {
		has |= !leaf_of(s, &s->j.top->arm[i]);
	}
	return has;
}

/* Does the last of the other arms need no condition? */
static bool ends_in_else(const struct isolation *s, const struct arm *last)
{
	bool empty = has_empty_arm(s);

	if (s->j.top->kind != MERGE_SWITCH) {
		/* if no condition held, it was the isolated arm */
		return !last->cond || !s->arm->cond;
	}
	return !empty && (last->is_default || s->arm->is_default);
}

static void add_other(struct isolation *s, const struct arm *arm, bool last)
{
	if (last) {
		sbuf_adds(&s->text, " else ");
	} else {
		sbuf_adds(&s->text, " else if (");
		if (arm->cond) {
			struct str c = plan_text(s->j.p, arm->cond->begin, arm->cond->end);
			sbuf_addstr(&s->text, c);
		} else if (arm->is_default) {
			add_default_condition(s, true);
		} else {
			guard_add_labels(s->j.p, &s->text, arm, s->value, false);
		}
		sbuf_adds(&s->text, ") ");
	}
	add_body(s, leaf_of(s, arm));
}

static void write_chain(struct isolation *s)
{
	const struct arm **other = ARENA_ARRAY(s->j.p->a, const struct arm *, s->j.top->arms);
	size_t n = find_others(other, s);

	sbuf_adds(&s->text, "if (");
	add_condition(s, s->arm);
	sbuf_adds(&s->text, ") ");
	add_body(s, leaf_of(s, s->arm));
	for (size_t i = 0; i < n; i++) {
		add_other(s, other[i], i + 1 == n && ends_in_else(s, other[i]));
	}
}

/* ---- legality ---- */

/* The conditions that are written twice, or again at another place. */
static const char *check_conditions(struct isolation *s)
{
	struct plan *p = s->j.p;
	const struct merge *m = s->j.top;
	bool before = true;

	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *cond = m->arm[i].cond;
		struct str text = cond ? plan_text(p, cond->begin, cond->end) : (struct str){0};
		if (cond && (text_has_comment(text) || cond->flags & KT_F_MACRO)) {
			return "a condition is a macro, or holds a comment";
		}
		if (cond && before && (has_effect(p, cond) || guard_is_object(p, cond))) {
			return "a condition before the arm that computes, or its own, has an "
			       "effect, or is an object";
		}
		if (before && !p->opts->contract_off &&
			value_calculates_floats(p->parse->unit, cond)) {
			return "a condition that is tested twice calculates in floats: the "
			       "compiler could join it to FMAs in other places than now";
		}
		before &= &m->arm[i] != s->arm;
	}
	return NULL;
}

/* Finds the text that stands for a switch's operand; adds a variable if it needs one. */
static const char *find_operand(struct isolation *s)
{
	static const char *const base[] = {"value", "selected", "value", NULL};
	struct plan *p = s->j.p;
	const struct kt_node *c = s->j.top->node->child[KT_SWITCH_COND];
	struct str text = plan_text(p, c->begin, c->end);

	if (text_has_comment(text) || c->flags & KT_F_MACRO) {
		return "its operand is a macro, or holds a comment";
	}
	if (text_binds_tighter(c, true) && text.n <= OPERAND_MAX && !has_effect(p, c)) {
		s->value = arena_strndup(p->a, text.p, text.n);
		return NULL;
	}
	s->value = plan_name_of(p, base);
	sbuf_addf(&s->text, "const auto %s = %.*s;%s%.*s", s->value, STR_ARG(text), s->eol,
		STR_ARG(s->indent));
	return plan_needs_block(s->j.top->node)
		       ? "its operand needs a variable, which has no place there"
		       : NULL;
}

static const char *check_place(const struct isolation *s)
{
	const struct plan *p = s->j.p;
	const struct kt_node *n = s->j.top->node, *up = n->parent;
	bool declares = s->j.top->kind == MERGE_SWITCH
				? n->child[KT_SWITCH_INIT] || n->child[KT_SWITCH_VAR]
				: n->child[KT_IF_INIT] || n->child[KT_IF_VAR];
	struct str fixed = layout_fixed(plan_layout(p), n->begin, n->end);

	return declares				? "its header declares a variable"
	       : fixed.n			? "a preprocessor directive stands in it"
	       : !up || up->kind != KT_COMPOUND ? "it does not stand in a block"
						: NULL;
}

static const char *isolate(struct isolation *s)
{
	struct job *j = &s->j;
	const struct merge *m = j->top;
	const char *why = check_place(s);

	why = why ? why : m->kind == MERGE_SWITCH ? find_operand(s) : check_conditions(s);
	if (why) {
		return why;
	}
	if (!guard_refuse_header(j->p, m) ||
		!(m->kind == MERGE_SWITCH ? guard_collect_switch(j, m, s->value)
					  : guard_collect(j, m))) {
		return j->p->out->why;
	}
	if (!leaf_of(s, s->arm)) {
		return "the arm is empty in another instance";
	}
	const struct leaf *last = &j->leaves.v[j->leaves.n - 1];
	write_chain(s);
	add_comments(s, end_of(s, last), m->node->end, s->indent);
	return NULL;
}

const char *plan_isolate(struct edit_list *out, struct plan *p, size_t arm)
{
	static const struct guard_opts opts = {.guard = GUARD_FENCE};
	const struct kt_node *n = p->merge->node;
	struct candidate quiet = {.strategy = STRATEGY_SPLIT};
	struct plan own = *p;
	struct isolation s = {.j = {.p = &own, .opts = &opts, .top = p->merge},
		.arm = &p->merge->arm[arm],
		.indent = text_indent(p->text, n->begin),
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text)};

	own.out = &quiet;
	const char *why = isolate(&s);
	if (!why) {
		edit_list_add(out, p->a, n->begin, n->end, sbuf_str(&s.text));
	}
	array_release(&s.j.leaves);
	sbuf_release(&s.j.selector);
	sbuf_release(&s.text);
	return why;
}
