/*
 * The edits of unify in place of the merge: the calls of the new functions.
 */
#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/write.h"
#include "strategy/plan/layout.h"
#include "strategy/unify/unify.h"
#include "strategy/text/text.h"

/* front: the text before it on its line. */
static struct str call_text(struct unify *u, struct str front, const char *indent)
{
	struct plan *p = u->p;
	struct unify_function *f = u->fn[0];
	const struct callee_leaf *l = &u->tree.leaf[0];
	struct writer w = {.c = &f->c,
		.p = p,
		.t = p->text,
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text)};
	struct sbuf out = {0};
	str_array list = {0};
	sbuf_addstr(&out, front);
	size_t begin = out.n;
	const struct kt_node *var = unify_declares(l->stmt);
	if (var) {
		sbuf_addf(&out, "%.*s%s = ", STR_ARG(unify_row_head(u, l->stmt)),
			p->parse->unit->sym[var->sym].name);
	} else if (l->given) {
		sbuf_adds(&out, "return ");
	} else if (l->result) {
		sbuf_addf(&out, "%.*s = ",
			STR_ARG(writer_joined(&w, plan_text(p, l->result->begin, l->result->end))));
	}
	struct str kept = unify_kept_arguments(p, f, &l->text);
	bool whole = kept.n || u->plain;
	sbuf_addstr(&out, writer_str(&w, whole ? l->text.prefix : unify_object(p, l->text.prefix)));
	sbuf_addstr(&out, u->plain ? callee_text(&f->c, l->text.name) : str_of(f->name));
	sbuf_addstr(&out, kept);
	sbuf_addc(&out, '(');
	for (size_t i = 0; i < l->text.args; i++) {
		if (!u->plain && unify_is_tag(f, i)) {
			continue;
		}
		array_push(&list,
			u->tree.chosen[i] ? unify_argument(u, i) : writer_str(&w, l->text.arg[i]));
	}
	for (size_t i = 0; i < f->members; i++) {
		array_push(&list, unify_member_value(f, &f->member[i]));
	}
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		if (unify_is_runtime(f, i) && unify_first(f, i) == i) {
			array_push(&list, unify_row_value(u, i, unify_type(f, i)));
		}
	}
	const char *deeper = arena_printf(p->a, "%s%s", indent, w.step);
	writer_add_list(&w, &out, &list, deeper, ")");
	array_release(&list);
	struct str text = sbuf_finish(&out, p->a);
	return str_sub(text, begin, text.n);
}

/* How often do all rows use the condition? */
static unsigned count_uses(const struct unify_rows *rows, const struct kt_node *cond)
{
	unsigned n = 0;
	for (size_t r = 0; r < rows->n; r++) {
		const struct unify_tree *t = &rows->v[r]->tree;
		for (size_t i = 0; i < t->conds; i++) {
			n += t->cond[i] == cond ? t->uses[i] : 0;
		}
	}
	return n;
}

/* Clause 4: a condition in several arguments must have the same value in all of them. */
static bool check_conditions(const struct unify *u)
{
	struct facts *facts = u->p->parse->facts;
	for (size_t i = 0; i < u->tree.conds; i++) {
		struct fx fx = facts_effects(facts, u->tree.cond[i]);
		unsigned uses = count_uses(u->of, u->tree.cond[i]);
		for (uint32_t k = 0; uses > 1 && k < fx.reads.n; k++) {
			if (!LOC_IS_VAR(fx.reads.v[k]) || !facts_is_private(facts, fx.reads.v[k])) {
				return plan_refuse(u->p, UNIFY_ARGUMENT,
					"'%s' would be evaluated twice, and reads memory that "
					"others "
					"may write",
					plan_quote(u->p, u->tree.cond[i]));
			}
		}
	}
	return true;
}

/* The call with comments of the merge; a comment before an argument, such as first=, stays with
 * it. */
static struct str kept_text(const struct unify *u, struct span at, struct str call)
{
	struct str t = u->p->text;
	struct sbuf out = {0};
	sbuf_addstr(&out, call);
	for (size_t i = at.begin; i < at.end; i++) {
		size_t end = text_comment_at(t, i) ? text_end_of_comment(t, i) : i;
		struct str said = str_trim(str_sub(t, i, end > i + 2 ? end - 2 : i));
		if (str_ends(said, "=")) {
			sbuf_addstr(&out, str_sub(t, i, end));
		}
	}
	return sbuf_finish(&out, u->p->a);
}

/* The ?: with its grouping parentheses, which a call does not need. */
static struct span question_span(const struct plan *p)
{
	struct str t = p->text;
	struct span at = {p->merge->node->begin, p->merge->node->end};
	for (size_t open = at.begin; open > 0;) {
		open--;
		size_t before = open;
		while (before > 0 && isspace((unsigned char)t.p[before - 1])) {
			before--;
		}
		bool sign = before > 0 && strchr("=+-*/%&|^~!?:,;<([{}", t.p[before - 1]);
		bool groups =
			t.p[open] == '(' && (sign || str_ends(str_sub(t, 0, before), "return"));
		if (!groups || lex_close(t, open) != lex_skip_space(t, at.end)) {
			break;
		}
		at = (struct span){open, lex_close(t, open) + 1};
	}
	return at;
}

static void edit_question(struct unify *u)
{
	struct plan *p = u->p;
	const struct kt_node *all = merge_statement(p->merge);
	struct span at = question_span(p);
	const char *indent = arena_printf(p->a, "%.*s", STR_ARG(text_indent(p->text, at.begin)));
	struct str front = plan_text(p, text_line_start(p->text, at.begin), at.begin);
	struct str call = call_text(u, front, indent);
	struct sbuf lost = {0};
	text_add_lost_comments(&lost, p->a, p->text, at.begin, at.end, kept_text(u, at, call),
		text_indent(p->text, all->begin));
	if (lost.n && !text_first_on_line(p->text, all->begin)) {
		plan_refuse(p, UNIFY_TEXT, "a comment in it would be lost");
	}
	if (lost.n) {
		plan_edit(p, all->begin, all->begin, "%.*s", STR_ARG(sbuf_str(&lost)));
	}
	if (check_conditions(u)) {
		plan_edit(p, at.begin, at.end, "%.*s", STR_ARG(call));
	}
	sbuf_release(&lost);
}

/* The statements of the merge's header, each with a line break and the indentation. */
static struct str header_lines(const struct unify *u, struct str indent)
{
	const struct plan *p = u->p;
	struct sbuf lines = {0};
	for (int slot = KT_IF_INIT; slot <= KT_IF_VAR; slot++) {
		const struct kt_node *n = p->merge->node->child[slot];
		if (n) {
			struct str line = str_trim(plan_text(p, n->begin, n->end));
			sbuf_addf(&lines, "%.*s%s%s%.*s", STR_ARG(line),
				str_ends(line, ";") ? "" : ";", text_eol(p->text), STR_ARG(indent));
		}
	}
	return sbuf_finish(&lines, p->a);
}

/* The calls of all rows, and the constants that they share, each with what separates lines before
 * it but the first. */
static struct str rows_text(const struct unify_rows *rows, const char *indent)
{
	struct plan *p = rows->v[0]->p;
	const char *nl = arena_printf(p->a, "%s%s", text_eol(p->text), indent);
	struct sbuf calls = {0}, out = {0};
	for (size_t r = 0; r < rows->n; r++) {
		struct unify *u = rows->v[r];
		sbuf_adds(&calls, r ? nl : "");
		if (u->equal) {
			const struct kt_node *n = rows->list[0].stmt[r];
			bool part = n->kind == KT_VAR; /* of a declaration of several */
			size_t from = part ? p->parse->unit->sym[n->sym].at : n->begin;
			size_t end = part ? n->end : text_end_of_statement(p->text, n);
			sbuf_addstr(&calls, part ? unify_row_head(u, n) : (struct str){0});
			text_add_reindented(&calls, plan_text(p, from, end),
				text_indent(p->text, n->begin), str_of(indent));
			sbuf_adds(&calls, part ? ";" : "");
		} else {
			sbuf_addf(&calls, "%.*s;", STR_ARG(call_text(u, str_of(indent), indent)));
		}
	}
	array_each (&rows->shared, const struct unify_shared, s) {
		bool own = str_is(s->type, "bool") || unify_is_integer(s->type);
		sbuf_addf(&out, "const %.*s %s = %.*s;%s", STR_ARG(own ? s->type : STR("auto")),
			s->name, STR_ARG(s->value), nl);
	}
	sbuf_addstr(&out, sbuf_str(&calls));
	sbuf_release(&calls);
	return sbuf_finish(&out, p->a);
}

static void edit_merge(const struct unify_rows *rows)
{
	struct unify *u = rows->v[0];
	for (size_t r = 1; r < rows->n && u->equal; r++) {
		u = rows->v[r];
	}
	struct plan *p = u->p;
	const struct kt_node *n = p->merge->node;
	bool init = n->child[KT_IF_INIT] || n->child[KT_IF_VAR];
	const char *eol = text_eol(p->text);
	bool several = rows->n > 1 || (u->tree.returns && !u->tree.gives);
	bool block = init || rows->declares || (several && plan_needs_block(n));
	struct str outer = text_indent(p->text, n->begin);
	struct str base = str_of(arena_printf(
		p->a, "%.*s%s", STR_ARG(outer), block ? text_indent_step(p->text) : ""));
	const char *indent = arena_printf(
		p->a, "%.*s%s", STR_ARG(base), u->tree.guarded ? text_indent_step(p->text) : "");
	struct str call = rows_text(rows, indent);
	struct sbuf out = {0};
	const char *after = u->tree.returns && !u->tree.gives
				    ? arena_printf(p->a, "%s%sreturn;", eol, indent)
				    : "";
	call = str_of(arena_printf(p->a, "%.*s%s", STR_ARG(call), after));
	if (u->tree.guarded) {
		call = str_of(arena_printf(p->a, "if (%.*s) {%s%s%.*s%s%.*s}",
			STR_ARG(unify_runs(u)), eol, indent, STR_ARG(call), eol, STR_ARG(base)));
		indent = arena_printf(p->a, "%.*s", STR_ARG(base));
	}
	struct str lines = header_lines(u, base);
	struct str kept = str_of(arena_printf(p->a, "%.*s%.*s", STR_ARG(lines), STR_ARG(call)));
	text_add_lost_comments(&out, p->a, p->text, n->begin, n->end,
		kept_text(u, (struct span){n->begin, n->end}, kept), str_of(indent));
	if (block) {
		call = str_of(arena_printf(p->a, "{%s%.*s%.*s%.*s%.*s%s%.*s}", eol, STR_ARG(base),
			STR_ARG(lines), STR_ARG(sbuf_str(&out)), STR_ARG(call), eol,
			STR_ARG(outer)));
		sbuf_release(&out);
		out = (struct sbuf){0};
	}
	sbuf_addstr(&out, call);
	if (check_conditions(u)) {
		plan_edit(p, n->begin, n->end, "%.*s", STR_ARG(sbuf_str(&out)));
	}
	sbuf_release(&out);
}

/* Adds the functions that may have no callers left, each once. */
static void add_successors(struct successor *list, const struct unify *u)
{
	struct plan *p = u->p;
	for (size_t i = 0; i < u->fns; i++) {
		const struct callee *c = &u->fn[i]->c;
		bool out = u->fn[i]->outside > 0, word = !c->pattern.functor && !c->pattern.lambda;
		const char *base = c->u->fn[c->leaf[0].fn].base;
		struct str class = callee_class_word(callee_class_name(&c->u->fn[c->leaf[0].fn]));
		const char *was = out ? arena_printf(p->a, "%.*s", STR_ARG(class)) : base;
		const char *takes =
			out ? arena_printf(p->a, "%.*s", STR_ARG(c->pattern.called)) : base;
		bool known = !word && !out;
		for (size_t k = 0; k < p->out->successors; k++) {
			known |= strcmp(list[k].is, u->fn[i]->name) == 0;
		}
		if (!known) { /* the template may go */
			list[p->out->successors++] =
				(struct successor){was, u->fn[i]->name, takes, out};
		}
	}
}

void unify_write(struct unify_rows *rows)
{
	struct plan *p = rows->v[0]->p;
	size_t fns = 0;
	for (size_t r = 0; r < rows->n; r++) {
		struct unify *u = rows->v[r];
		for (size_t i = 0; i < u->fns && !u->plain; i++) {
			unify_name_arguments(u->fn[i]);
		}
		if (!u->plain && !u->equal) {
			unify_declare(u);
			fns += u->fns;
		}
	}
	if (p->merge->kind == MERGE_COND) {
		edit_question(rows->v[0]);
	} else {
		edit_merge(rows);
	}
	array_release(&rows->shared);
	if (p->out->clause) {
		return;
	}
	struct successor *list = ARENA_ARRAY(p->a, struct successor, fns);
	p->out->successor = list;
	for (size_t r = 0; r < rows->n; r++) {
		if (!rows->v[r]->plain && !rows->v[r]->equal) {
			unify_drop_objects(rows->v[r]);
			add_successors(list, rows->v[r]);
		}
	}
}
