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
 * Ifs that return a value are kept, each with an else before the code after it:
 *
 *   if (a) {                        if (a) {
 *           return step<0>(acc);            return step<0>(acc);
 *   }                               }
 *   return step<1>(acc);            else return step<1>(acc);
 *
 * Done if the if has braces or is `if (c) continue;`, is not an if constexpr and declares nothing
 * (the variable would be in scope in the else, and might hide a name), no part of its header or
 * braces comes from a macro, and the code that moves has no directive except loop pragmas.
 *
 * discarded.c and isolate.c do the same for ?: and for switches and chains.
 */
#include <ctype.h>
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/plan.h"
#include "strategy/strategy.h"
#include "strategy/text/text.h"

#define DIRECTIVE_INSIDE "it leaves, and a preprocessor directive stands in what an else would hold"

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

static void indent_deeper(struct edit_list *l, struct arena *a, struct str t, struct span in)
{
	struct str step = str_of(text_indent_step(t));
	struct text_lines lines = text_lines_in(t, in.begin, in.end);
	for (size_t at; (at = text_next_line(&lines)) != SIZE_MAX;) {
		edit_list_add(l, a, at, at, step);
	}
}

/* Writes a ?:, or an isolated arm, for all instances: types and statements may differ between them,
 * but the text must not. */
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
			      ? plan_discarded_as_if(to, &p, p.parse->unit->file[file].text)
		      : arm < p.merge->arms ? plan_isolate(to, &p, arm)
					    : "it has fewer arms in another instance";
		if (i && !why && !str_eq(one.edits.v[0].text, out->edits.v[0].text)) {
			why = m->kind == MERGE_COND
				      ? "it is another conditional expression in another instance"
				      : "its arms differ in another instance";
		}
		edit_list_release(&one);
	}
	return why;
}

static const char *giving_as_else(struct edit_list *out, struct plan *p)
{
	const struct merge *m = p->merge;
	const struct kt_node *block = m->node->parent;
	bool macro = block->flags & KT_F_MACRO, declares = false;
	size_t first = m->node->slot, last = m->arm[m->arms - 1].first;
	for (size_t i = first; i <= last; i++) {
		const struct kt_node *n = block->child[i];
		bool iff = n->kind == KT_IF;
		macro |= (n->flags & KT_F_MACRO) ||
			 (iff && n->child[KT_IF_THEN]->flags & KT_F_MACRO);
		declares |= iff && (n->flags & KT_F_CONSTEXPR || n->child[KT_IF_INIT] ||
					   n->child[KT_IF_VAR]);
		if (i > first) {
			edit_list_add(out, p->a, n->begin, n->begin, STR("else "));
		}
	}
	struct str fixed = layout_fixed(plan_layout(p), m->node->begin, block->child[last]->end);
	return macro	  ? "it leaves, and part of it comes from a macro"
	       : declares ? "it leaves, and declares what an else would see as well"
	       : fixed.n  ? DIRECTIVE_INSIDE
			  : NULL;
}

const char *site_as_else(struct edit_list *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts)
{
	const struct site_instance *in = &site->instance[0];
	const struct merge *m = in->merge;
	struct plan p = {.parse = in->parse, .merge = m, .opts = opts, .a = a};
	p.text = in->parse->unit->file[m->node->file].text;
	if (m->kind == MERGE_COND || m->isolates) {
		return same_in_all(out, p, site);
	}
	if (merge_leaves(m)->n) {
		return giving_as_else(out, &p);
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
		return "it leaves, and declares what an else would see as well";
	}
	struct lex_token end = lex_next(t, lex_next(t, by->begin).end);
	struct str fixed = layout_fixed(plan_layout(&p), n->begin, block->end);
	if (fixed.n || !lex_is(t, end, ";")) {
		return DIRECTIVE_INSIDE;
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
	indent_deeper(out, a, t, (struct span){closes, last});
	edit_list_add(out, a, last, last, str_of(arena_printf(a, "%s%.*s}", eol, STR_ARG(indent))));
	return NULL;
}
