/*
 * Writes an if that ends in continue, return or break as an if with an else: the same control flow,
 * in a form that strategies know. The code after the if, up to the end of its block, goes into the
 * else. A break is not moved.
 *
 * BEFORE                          AFTER
 *   for (...) {                     for (...) {
 *           if (full) {                     if (full) {
 *                   step(acc, x);                   step(acc, x);
 *                   continue;               } else {
 *           }                                       last(acc, x);
 *           last(acc, x);                   }
 *   }                               }
 *
 * Done if the if has braces or is `if (c) continue;`, is not an if constexpr and declares nothing
 * (the variable would be in scope in the else, and might hide a name), no part of its header or
 * braces comes from a macro, and the code that moves has no directive except loop pragmas.
 *
 * conditional.c, isolate.c and give.c do the same for ?:, for switches and chains, and for ifs that
 * return a value.
 */
#include <ctype.h>
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/plan.h"
#include "strategy/strategy.h"
#include "strategy/text/text.h"

static struct span without_line(struct str t, struct span s)
{
	size_t begin = s.begin, end = text_skip_blanks(t, s.end);
	while (begin > 0 && (t.p[begin - 1] == ' ' || t.p[begin - 1] == '\t')) {
		begin--;
	}
	bool alone = begin > 0 && t.p[begin - 1] == '\n' &&
		     (end == t.n || t.p[end] == '\n' || t.p[end] == '\r');
	if (!alone) { /* with the blanks before it, which would stand beside those after it */
		bool first = begin == 0 || t.p[begin - 1] == '\n';
		return first ? s : (struct span){begin, s.end};
	}
	begin -= begin > 1 && t.p[begin - 2] == '\r' ? 2 : 1;
	return (struct span){begin, end};
}

void guard_indent_deeper(
	struct edit_list *l, struct arena *a, struct str t, size_t begin, size_t end)
{
	struct str step = str_of(text_indent_step(t));
	struct text_lines lines = text_lines_in(t, begin, end);
	for (size_t at; (at = text_next_line(&lines)) != SIZE_MAX;) {
		edit_list_add(l, a, at, at, step);
	}
}

/* Do its arms return values? */
static bool gives(const struct merge *m)
{
	return m->kind != MERGE_COND && arm_value(m, &m->arm[0]);
}

static bool same_edits(const struct edit_list *x, const struct edit_list *y)
{
	bool same = x->edits.n == y->edits.n;
	for (size_t i = 0; i < x->edits.n && same; i++) {
		const struct edit *a = &x->edits.v[i], *b = &y->edits.v[i];
		same = a->begin == b->begin && a->end == b->end && str_eq(a->text, b->text);
	}
	return same;
}

/* Writes a ?:, returned values, or an isolated arm, for all instances: types and statements may
 * differ between them, but the text must not. */
static const char *same_in_all(struct edit_list *out, struct plan p, const struct site *site)
{
	const struct merge *m = p.merge;
	size_t arm = m->isolates ? (size_t)(m->isolates - m->arm) : 0;
	const char *why = NULL;
	for (size_t i = 0; i < site->instances && !why; i++) {
		struct edit_list one = {0}, *to = i ? &one : out;
		p.parse = site->instance[i].parse;
		p.merge = site->instance[i].merge;
		kt_id file = p.merge->node->file;
		why = m->kind == MERGE_COND
			      ? plan_question_as_if(to, &p, p.parse->unit->file[file].text)
		      : gives(m)	    ? plan_values_as_else(to, &p)
		      : arm < p.merge->arms ? plan_isolate(to, &p, arm)
					    : "it has fewer arms in another instance";
		if (i && !why && !same_edits(&one, out)) {
			why = m->kind == MERGE_COND
				      ? "it is another conditional expression in another instance"
				      : "its arms differ in another instance";
		}
		edit_list_release(&one);
	}
	return why;
}

const char *site_as_else(struct edit_list *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts)
{
	const struct site_instance *in = &site->instance[0];
	const struct merge *m = in->merge;
	struct plan p = {.parse = in->parse, .merge = m, .opts = opts, .a = a};
	p.text = in->parse->unit->file[m->node->file].text;
	if (m->kind == MERGE_COND || m->isolates || gives(m)) {
		return same_in_all(out, p, site);
	}
	const struct kt_node *n = m->node, *then = n->child[KT_IF_THEN];
	const struct kt_node *block = n->parent, *by = merge_leaves(m);
	struct str t = in->parse->unit->file[n->file].text;
	bool bare = then == by; /* if (c) continue; */
	if ((n->flags | then->flags | block->flags | by->flags) & KT_F_MACRO ||
		!(bare || (then->kind == KT_COMPOUND && then->end <= t.n &&
				  t.p[then->end - 1] == '}')) ||
		t.p[block->end - 1] != '}') {
		return "it leaves, and part of it comes from a macro or has no braces";
	}
	if (n->flags & KT_F_CONSTEXPR || n->child[KT_IF_INIT] || n->child[KT_IF_VAR]) {
		return GUARD_DECLARES;
	}
	if (n->child[KT_IF_ELSE]) {
		return "it leaves, and has an else that leaves as well";
	}
	struct lex_token end = lex_next(t, lex_next(t, by->begin).end);
	struct str fixed = layout_fixed(plan_layout(&p), n->begin, block->end);
	if (fixed.n || !lex_is(t, end, ";")) {
		return GUARD_DIRECTIVE;
	}
	struct span leaves = {by->begin, end.end};
	leaves = bare ? leaves : without_line(t, leaves);
	bool stays = by->kind == KT_BREAK; /* it does not lead to the next iteration */
	const char *eol = text_eol(t);
	struct str indent = text_indent(t, n->begin);
	const char *first = stays ? arena_printf(a, "{%s%.*s%sbreak;", eol, STR_ARG(indent),
					    text_indent_step(t))
				  : "{";
	if (bare || !stays) {
		edit_list_add(out, a, leaves.begin, leaves.end, str_of(bare ? first : ""));
	}
	size_t closes = bare ? text_after_comments(t, leaves.end) : then->end;
	bool own_line = !bare && text_first_on_line(t, then->begin);
	const char *opens = own_line ? arena_printf(a, "%s%.*selse%s%.*s{", eol, STR_ARG(indent),
					       eol, STR_ARG(indent))
			    : bare   ? arena_printf(a, "%s%.*s} else {", eol, STR_ARG(indent))
				     : " else {";
	edit_list_add(out, a, closes, closes, str_of(opens));
	size_t last = block->end - 1;
	while (isspace((unsigned char)t.p[last - 1])) {
		last--;
	}
	guard_indent_deeper(out, a, t, closes, last);
	edit_list_add(out, a, last, last, str_of(arena_printf(a, "%s%.*s}", eol, STR_ARG(indent))));
	return NULL;
}
