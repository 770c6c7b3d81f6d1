/*
 * Writes ifs whose arms each return a value as an if whose arms assign it, with one return after
 * it: a form that strategies know. The value goes through the variable that has it before, and ends
 * in the arms (carriers.c).
 *
 * BEFORE                                  AFTER
 *   if (full) {                             if (full) {
 *           return step(acc, x);                    acc = step(acc, x);
 *   }                                       } else {
 *   acc *= 2;                                       acc *= 2;
 *   return acc;                             }
 *                                           return acc;
 *
 * If the arms are calls of one template, which unify joins as they are, the ifs stay, each with an
 * else before the code after it:
 *
 *   if (a) {                                if (a) {
 *           return step<0>(acc);                    return step<0>(acc);
 *   }                                       }
 *   return step<1>(acc);                    else return step<1>(acc);
 *
 * Done if each arm has one return, as its last statement, of that variable's type; no arm hides the
 * variable; no if is an if constexpr or declares something, and no macro or directive is involved.
 */
#include <ctype.h>
#include <string.h>

#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

#define NO_VARIABLE "its arms return a value that no variable has before"
#define IS_MACRO "it leaves, and part of it comes from a macro"

/* Do its header and braces allow an else? NULL: they do. */
static const char *check_if(const struct kt_node *n)
{
	bool macro = (n->flags | n->child[KT_IF_THEN]->flags) & KT_F_MACRO;
	bool declares = n->flags & KT_F_CONSTEXPR || n->child[KT_IF_INIT] || n->child[KT_IF_VAR];
	return macro ? IS_MACRO : declares ? GUARD_DECLARES : NULL;
}

static const char *check_text(struct plan *p)
{
	const struct merge *m = p->merge;
	const struct kt_node *last = m->arm[m->arms - 1].body;
	size_t end = m->kind == MERGE_EXIT ? last->end : m->node->end;
	const char *why = NULL;
	for (size_t i = 0; i < m->arms && !why; i++) {
		const struct kt_node *n = m->arm[i].owner;
		why = n->kind == KT_IF ? check_if(n) : "it is a switch whose arms return";
	}
	return why						     ? why
	       : layout_fixed(plan_layout(p), m->node->begin, end).n ? GUARD_DIRECTIVE
								     : NULL;
}

/* Writes an else before each if but the first, and before the code after them. */
static const char *add_elses(struct edit_list *out, struct plan *p)
{
	const struct merge *m = p->merge;
	const struct kt_node *block = m->node->parent;
	size_t last = m->arm[m->arms - 1].first;
	for (size_t i = m->node->slot + 1; i <= last; i++) {
		const struct kt_node *n = block->child[i];
		if (n->flags & KT_F_MACRO) {
			return IS_MACRO;
		}
		edit_list_add(out, p->a, n->begin, n->begin, STR("else "));
	}
	return NULL;
}

/* Are all values calls of instances of one template? */
static bool is_one_call(const struct plan *p)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_fn *first = NULL;
	for (size_t i = 0; i < p->merge->arms; i++) {
		const struct kt_node *v = kt_past_casts(arm_value(p->merge, &p->merge->arm[i]));
		const struct kt_fn *fn = v && v->kind == KT_CALL && v->fn ? &u->fn[v->fn] : NULL;
		first = first ? first : fn;
		if (!fn || fn->file != first->file || fn->begin != first->begin) {
			return false;
		}
	}
	return true;
}

/* The arm's statements. */
struct block {
	struct kt_node *const *v;
	size_t n;
	bool bare; /* one, without braces */
};

static struct block statements(const struct arm *arm)
{
	const struct kt_node *b = arm->body;
	if (arm->last) {
		size_t n = arm->last - arm->first;
		return (struct block){b->child + arm->first, n, n == 1};
	}
	bool bare = b->kind != KT_COMPOUND;
	return bare ? (struct block){b->parent->child + b->slot, 1, true}
		    : (struct block){b->child, b->n, false};
}

/* Does the code return, or declare something of this name? A lambda might. */
static bool returns_or_hides(const struct kt_unit *u, const struct kt_node *root, const char *name)
{
	bool found = false;
	for (const struct kt_node *n = root; n && !found; n = kt_next(n, root)) {
		found = n->kind == KT_RETURN || n->kind == KT_LAMBDA ||
			n->kind == KT_STMT_UNKNOWN ||
			(n->kind == KT_VAR && strcmp(u->sym[n->sym].name, name) == 0);
	}
	return found;
}

/* The arm's return, if that is its only one and its last statement; else NULL. */
static const struct kt_node *sole_return(
	const struct plan *p, const struct block *b, const char *name)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_node *by = b->n ? b->v[b->n - 1] : NULL;
	bool is = by && by->kind == KT_RETURN && by->n && !(by->flags & KT_F_MACRO) &&
		  !(by->child[0]->flags & KT_F_MACRO) &&
		  plan_holds_as_is(u, u->fn[p->merge->fn].ret, by->child[0]->type) &&
		  str_starts(str_sub(p->text, by->begin, by->end), "return");
	for (size_t i = 0; i < b->n && is; i++) {
		is = !returns_or_hides(u, b->v[i] == by ? by->child[0] : b->v[i], name);
	}
	return is ? by : NULL;
}

/* Where the arm's text ends, after an edit of assign(). */
static size_t end_of_arm(const struct plan *p, const struct block *b, bool removed)
{
	const struct kt_node *by = b->v[b->n - 1];
	if (!removed) {
		return text_after_comments(p->text, text_end_of_statement(p->text, by));
	}
	if (b->n > 1) {
		size_t end = text_end_of_statement(p->text, b->v[b->n - 2]);
		return text_after_comments(p->text, end);
	}
	return by->parent->begin + 1;
}

/* Does it return just the variable? */
static bool returns_variable(const struct plan *p, const struct kt_node *by, const char *name)
{
	size_t end = text_end_of_statement(p->text, by);
	struct str value = str_sub(p->text, by->begin + strlen("return"), end - 1);
	return str_eq(str_trim(value), str_of(name));
}

/* The braces of an arm without them: an insertion after the return, and the text before it. */
static const char *add_braces(struct edit_list *out, struct plan *p, const struct arm *arm,
	const struct kt_node *by, size_t *begin)
{
	struct str t = p->text;
	bool header = !arm->last;
	size_t from = by->begin, end = text_after_comments(t, text_end_of_statement(t, by)),
	       code = 0;
	while (header && isspace((unsigned char)t.p[from - 1])) {
		from--;
	}
	lex_each (k, t, arm->owner->begin, by->begin) {
		code = k.end;
	}
	bool glue = header && code == from; /* else a comment stands there */
	struct str indent = text_indent(t, header ? arm->owner->begin : by->begin);
	const char *eol = text_eol(t);
	*begin = glue ? from : by->begin;
	edit_list_add(
		out, p->a, end, end, str_of(arena_printf(p->a, "%s%.*s}", eol, STR_ARG(indent))));
	return arena_printf(
		p->a, "%s{%s%.*s%s", glue ? " " : "", eol, STR_ARG(indent), text_indent_step(t));
}

/* Makes an assignment to the variable of the return, or removes it if it returns just that. False:
 * it cannot. */
static bool assign(struct edit_list *out, struct plan *p, const struct arm *arm,
	const struct block *b, const struct kt_node *by, const char *name, bool *removed)
{
	struct str t = p->text;
	size_t end = text_end_of_statement(t, by), begin = by->begin;
	size_t value = lex_skip_space(t, begin + strlen("return"));
	*removed = !b->bare && returns_variable(p, by, name);
	if (t.p[end - 1] != ';') {
		return false;
	}
	if (*removed) {
		size_t from = end_of_arm(p, b, true);
		edit_list_add(out, p->a, from, end, STR(""));
		return t.p[from - 1] != '/' && lex_skip_space(t, from) == by->begin;
	}
	const char *open = b->bare ? add_braces(out, p, arm, by, &begin) : "";
	edit_list_add(out, p->a, begin, value, str_of(arena_printf(p->a, "%s%s = ", open, name)));
	return true;
}

/* Writes an else around the code after the ifs, which is the last arm. */
static void add_last(struct edit_list *out, struct plan *p, const struct block *b, size_t end)
{
	struct str t = p->text;
	size_t first = b->v[0]->begin;
	struct str indent = text_indent(t, first);
	const char *eol = text_eol(t);
	edit_list_add(out, p->a, first, first,
		str_of(arena_printf(
			p->a, "else {%s%.*s%s", eol, STR_ARG(indent), text_indent_step(t))));
	guard_indent_deeper(out, p->a, t, first, end);
	edit_list_add(
		out, p->a, end, end, str_of(arena_printf(p->a, "%s%.*s}", eol, STR_ARG(indent))));
}

static const char *add_values(struct edit_list *out, struct plan *p, const char *name)
{
	const struct merge *m = p->merge;
	size_t end = m->node->end;
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		const struct kt_node *owner = arm->owner;
		struct block b = statements(arm);
		const struct kt_node *by = sole_return(p, &b, name);
		bool removed = false;
		if (by && arm->last && b.bare && returns_variable(p, by, name)) {
			return NULL; /* this is the return after the if */
		}
		if (i > 0 && (arm->last ? b.bare : m->kind == MERGE_EXIT)) {
			size_t at = arm->last ? b.v[0]->begin : owner->begin;
			edit_list_add(out, p->a, at, at, STR("else "));
		}
		if (!by || !assign(out, p, arm, &b, by, name, &removed)) {
			return "it leaves, and an arm does not end in its only return";
		}
		if (arm->last) {
			end = end_of_arm(p, &b, removed);
			if (!b.bare) {
				add_last(out, p, &b, end);
			}
		}
	}
	struct str indent = text_indent(p->text, m->node->begin);
	edit_list_add(out, p->a, end, end,
		str_of(arena_printf(
			p->a, "%s%.*sreturn %s;", text_eol(p->text), STR_ARG(indent), name)));
	return NULL;
}

const char *plan_values_as_else(struct edit_list *out, struct plan *p)
{
	const struct merge *m = p->merge;
	const struct kt_node *block = m->node->parent;
	kt_id through = plan_continued(p);
	const char *name = through ? p->parse->unit->sym[through].name : NULL, *why;
	if (!block || block->kind != KT_COMPOUND || block->flags & KT_F_MACRO) {
		return IS_MACRO;
	}
	why = check_text(p);
	if (why) {
		return why;
	}
	bool keeps = m->kind == MERGE_EXIT && (!name || is_one_call(p));
	why = keeps ? add_elses(out, p) : name ? add_values(out, p, name) : NO_VARIABLE;
	if (why && !keeps && m->kind == MERGE_EXIT) {
		edit_list_release(out);
		why = add_elses(out, p);
	}
	return why;
}
