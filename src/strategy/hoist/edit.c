/*
 * The text of a hoist. Arm 0's tail moves after the merge with its comments, its holes replaced by
 * variables; each arm keeps its head and gets the assignments. Arms that keep nothing are removed,
 * and the if, too, if no arm keeps anything.
 */
#include <ctype.h>
#include <string.h>
#include "base/msg.h"
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/text/text.h"
#include "strategy/hoist/edit.h"

enum {
	LINE_MAX_COLUMNS = 100
};

static void own_edit(struct edit_job *j, size_t begin, size_t end, struct str text)
{
	size_t at = j->h->m->node->begin;
	if (end > begin || text.n) {
		edit_list_add(&j->own, j->p->a, begin - at, end - at, text);
	}
}

/* ---- conditions ---- */

/* The text in the parentheses of an if or switch. */
static struct span header_span(const struct edit_job *j, const struct kt_node *n)
{
	size_t open = lex_find(j->t, n->begin, n->end, '(');
	size_t close = open == SIZE_MAX ? SIZE_MAX : lex_close(j->t, open);
	if (close == SIZE_MAX) {
		BUG("an if or switch without parentheses");
	}
	return (struct span){open + 1, close};
}

static struct str header_text(const struct edit_job *j, const struct kt_node *n)
{
	struct span in = header_span(j, n);
	struct str s = str_trim(str_sub(j->t, in.begin, in.end));
	bool line_comment = str_find(s, "//", 0) != SIZE_MAX;
	return line_comment ? str_of(arena_printf(
				      j->p->a, "%.*s%s%.*s", STR_ARG(s), j->eol, STR_ARG(j->base)))
			    : s;
}

static struct str condition(struct edit_job *j, const struct kt_node *owner, const char *prefix)
{
	const struct kt_node *c = owner->child[KT_IF_COND];
	struct str s = header_text(j, owner);
	if (*prefix && j->negated && owner == j->h->m->node) {
		return str_of(j->given); /* the condition is !given */
	}
	bool bare = text_binds_tighter(c, *prefix != 0) && !text_has_newline(s, 0, s.n);
	return str_of(arena_printf(j->p->a, bare ? "%s%.*s" : "%s(%.*s)", prefix, STR_ARG(s)));
}

/* ---- an if that is removed ---- */

/* An explicit operator bool works in a condition, but not in an initializer. */
static bool converts_object(const struct edit_job *j, const struct kt_node *cond)
{
	bool operator_bool = cond->kind == KT_CALL && !(cond->flags & KT_F_OPERATOR) &&
			     cond->text && str_starts(str_of(cond->text), "operator");
	return operator_bool || kt_type_of(j->h->u, cond)->kind == KT_T_RECORD;
}

/* Are the arms' values true and false, or false and true (*negated)? */
static bool is_condition(const struct variable *v, bool *negated)
{
	*negated = str_is(v->text[0], "false") && str_is(v->text[1], "true");
	return v->type && strcmp(v->type, "bool") == 0 &&
	       (*negated || (str_is(v->text[0], "true") && str_is(v->text[1], "false")));
}

static void add_selection(
	struct edit_job *j, struct sbuf *s, const struct variable *v, struct str cond)
{
	struct sbuf head = {0};
	bool negated;
	edit_add_declaration(&head, v, true);
	const char *line = arena_printf(j->p->a, "%s = %.*s ? %.*s : %.*s;", sbuf_cstr(&head),
		STR_ARG(cond), STR_ARG(v->text[0]), STR_ARG(v->text[1]));
	if (is_condition(v, &negated) && !converts_object(j, j->h->m->arm[0].cond)) {
		struct str c = negated ? condition(j, j->h->m->node, "!") : cond;
		sbuf_addf(s, "%s = %.*s;", sbuf_cstr(&head), STR_ARG(c));
	} else if (text_columns(j->base) + strlen(line) <= LINE_MAX_COLUMNS) {
		sbuf_adds(s, line);
	} else {
		const char *nl =
			arena_printf(j->p->a, "%s%.*s%s", j->eol, STR_ARG(j->base), j->step);
		sbuf_addf(s, "%s = %.*s%s? %.*s%s: %.*s;", sbuf_cstr(&head), STR_ARG(cond), nl,
			STR_ARG(v->text[0]), nl, STR_ARG(v->text[1]));
	}
	sbuf_addf(s, "%s%.*s", j->eol, STR_ARG(j->base));
	sbuf_release(&head);
}

/* Declares the condition as a bool, with a line break. */
static const char *snapshot(struct edit_job *j, const char *name)
{
	struct str cond = condition(j, j->h->m->node, "");
	bool object = converts_object(j, j->h->m->arm[0].cond);
	return arena_printf(j->p->a,
		object ? "const bool %s = static_cast<bool>(%.*s);%s%.*s"
		       : "const bool %s = %.*s;%s%.*s",
		name, STR_ARG(cond), j->eol, STR_ARG(j->base));
}

/* Declarations in place of an if whose two arms keep only their holes. */
static struct str selections(struct edit_job *j)
{
	struct sbuf s = {0};
	struct str cond = condition(j, j->h->m->node, "");
	if (!j->given && (j->vars > 1 || j->taken)) {
		const char *name = j->taken ? j->taken : plan_name(j->p, "taken");
		sbuf_adds(&s, snapshot(j, name));
		cond = str_of(name);
	}
	for (size_t k = 0; k < j->vars; k++) {
		add_selection(j, &s, &j->var[k], cond);
	}
	return sbuf_finish(&s, j->p->a);
}

static bool any_condition_acts(struct edit_job *j)
{
	const struct merge *m = j->h->m;
	if (m->kind == MERGE_SWITCH) {
		return hoist_has_effect(j->h, m->node->child[KT_SWITCH_COND]);
	}
	for (size_t i = 0; i < m->arms; i++) {
		if (m->arm[i].cond && hoist_has_effect(j->h, m->arm[i].cond)) {
			return true;
		}
	}
	return false;
}

static void replace_whole(struct edit_job *j, struct str before)
{
	const struct kt_node *n = j->h->m->node;
	struct str tail = edit_tail_text(j);
	struct sbuf all = {0};
	sbuf_addstr(&all, edit_all_kept(j, tail));
	sbuf_addstr(&all, before);
	edit_save_comments(j, n->begin, n->end, sbuf_str(&all));
	sbuf_reset(&all);
	sbuf_addstr(&all, sbuf_str(&j->lines));
	sbuf_addstr(&all, before);
	sbuf_addstr(&all, tail);
	own_edit(j, n->begin, n->end, sbuf_finish(&all, j->p->a));
}

/* ---- an if that is kept ---- */

static void edit_arm(struct edit_job *j, size_t i, struct str tail)
{
	const struct arm_body *b = &j->h->body[i];
	struct piece *c = &j->piece[i];
	size_t n = edit_arm_variables(j, i);
	struct span last = edit_last_run(c);
	bool starts = last.begin == b->begin && !b->braced; /* no code is before it */
	const char *nl = arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(c->indent));
	for (size_t r = 0; r < c->runs; r++) {
		if (i > 0) {
			edit_save_comments(j, c->run[r].begin, c->run[r].end, tail);
		}
		if (r + 1 < c->runs) {
			own_edit(j, c->run[r].begin, c->run[r].end, (struct str){0});
		}
	}
	if (b->braced || j->h->m->kind == MERGE_SWITCH || hoist_heads(j->h, i)) {
		size_t from = last.begin;
		while (n == 0 && starts && from > 0 && isspace((unsigned char)j->t.p[from - 1])) {
			from--;
		}
		const char *sep = c->one_line ? " " : nl;
		own_edit(j, from, last.end, edit_assignments(j, i, starts ? "" : sep, sep));
		return;
	}
	/* an unbraced statement; in the fenced form braces come from the guard */
	struct str at = j->base;
	const char *deeper = arena_printf(j->p->a, "%s%.*s%s", j->eol, STR_ARG(at), j->step);
	if (n == 1 || (n > 1 && j->form == HOIST_FENCED)) {
		own_edit(j, last.begin, last.end, edit_assignments(j, i, "", deeper));
	} else {
		struct str a = edit_assignments(j, i, deeper, deeper);
		size_t from = last.begin;
		while (from > 0 && isspace((unsigned char)j->t.p[from - 1])) {
			from--;
		}
		bool header = from > 0 && (j->t.p[from - 1] == ')' || j->t.p[from - 1] == 'e');
		own_edit(j, header ? from : last.begin, last.end,
			str_of(arena_printf(j->p->a, "%s{%.*s%s%.*s}", header ? " " : "",
				STR_ARG(a), j->eol, STR_ARG(at))));
	}
}

static bool condition_acts(struct edit_job *j, size_t i)
{
	const struct kt_node *c = j->h->m->arm[i].cond;
	return c && hoist_has_effect(j->h, c);
}

/* Removes arms at the end of a chain that keep nothing, and saves their comments. */
static void drop_arms(struct edit_job *j, size_t first, struct str tail)
{
	const struct merge *m = j->h->m;
	size_t begin = m->arm[first - 1].body->end;
	edit_save_comments(j, begin, m->node->end, tail);
	own_edit(j, begin, m->node->end, (struct str){0});
}

/* if (c) { } else { B } becomes if (!c) { B }. */
static void negate(struct edit_job *j, struct str tail)
{
	const struct merge *m = j->h->m;
	size_t to = m->arm[1].body->begin;
	bool snap = j->snapshot && !j->given;
	struct str c =
		snap ? str_of(arena_printf(j->p->a, "!%s", j->taken)) : condition(j, m->node, "!");
	edit_save_comments(j, m->node->begin, to,
		str_of(arena_printf(j->p->a, "%.*s%.*s", STR_ARG(tail), STR_ARG(c))));
	own_edit(j, m->node->begin, to, str_of(arena_printf(j->p->a, "if (%.*s) ", STR_ARG(c))));
	edit_arm(j, 1, tail);
}

static void edit_arms(struct edit_job *j, struct str tail)
{
	const struct merge *m = j->h->m;
	size_t last = m->arms;
	if (m->kind == MERGE_IF) {
		while (last > 1 && j->piece[last - 1].empty && !condition_acts(j, last - 1)) {
			last--;
		}
		if (m->arms == 2 && j->piece[0].empty && !j->piece[1].empty) {
			negate(j, tail);
			return;
		}
	}
	if (j->snapshot && !j->given) {
		struct span in = header_span(j, m->node);
		own_edit(j, in.begin, in.end, str_of(j->taken));
	}
	for (size_t i = 0; i < last; i++) {
		edit_arm(j, i, tail);
	}
	if (last < m->arms) {
		drop_arms(j, last, tail);
	}
}

/* header: also declares the condition here, and removes it from the if. */
static struct str declarations(struct edit_job *j, bool header)
{
	struct sbuf s = {0};
	if (header && j->snapshot && !j->given) {
		sbuf_adds(&s, snapshot(j, j->taken));
	}
	for (size_t k = 0; k < j->vars; k++) {
		edit_add_declaration(&s, &j->var[k], false);
		sbuf_adds(&s, j->var[k].initial ? " = " : "");
		sbuf_adds(&s, j->var[k].initial ? j->var[k].initial : "");
		sbuf_addf(&s, ";%s%.*s", j->eol, STR_ARG(j->base));
	}
	return sbuf_finish(&s, j->p->a);
}

/* The offset after the merge and the comment at its line's end. */
static size_t place_after(const struct edit_job *j, bool block)
{
	size_t end = j->h->m->node->end;
	return block ? end : text_after_comments(j->t, end);
}

static void add_tail(struct edit_job *j, struct str tail, bool block)
{
	size_t at = place_after(j, block);
	struct sbuf s = {0};
	const char *nl = arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(j->base));
	sbuf_adds(&s, nl);
	sbuf_addstr(&s, sbuf_str(&j->lines));
	sbuf_addstr(&s, tail);
	bool more = !block && !text_line_ends_at(j->t, at);
	if (more) {
		sbuf_adds(&s, nl);
	}
	own_edit(j, at, more ? text_skip_blanks(j->t, at) : at, sbuf_finish(&s, j->p->a));
}

static bool plain(struct edit_job *j, bool block)
{
	const struct merge *m = j->h->m;
	bool all_empty = true;
	for (size_t i = 0; i < m->arms; i++) {
		all_empty &= hoist_heads(j->h, i) == 0;
	}
	bool holes = j->h->match.holes > 0;
	bool acts = any_condition_acts(j);
	j->selected = all_empty && holes && m->kind == MERGE_IF && m->arms == 2 && !j->some;
	if (j->selected) {
		replace_whole(j, selections(j));
		return true;
	}
	const struct kt_node *first =
		m->kind == MERGE_SWITCH ? m->node->child[KT_SWITCH_COND] : m->arm[0].cond;
	bool once = (m->kind == MERGE_SWITCH || m->arms == 2) && !converts_object(j, first);
	if (all_empty && !holes && !j->some && (!acts || once)) {
		struct str cond = header_text(j, m->node);
		const char *keep_cond = acts ? arena_printf(j->p->a, "(void)(%.*s);%s%.*s",
						       STR_ARG(cond), j->eol, STR_ARG(j->base))
					     : "";
		replace_whole(j, str_of(keep_cond));
		return true;
	}
	own_edit(j, m->node->begin, m->node->begin, declarations(j, true));
	struct str tail = edit_tail_text(j);
	edit_arms(j, edit_all_kept(j, tail));
	add_tail(j, tail, block);
	return false;
}

static void flush(struct edit_job *j, bool block)
{
	size_t begin = j->h->m->node->begin;
	size_t end = j->h->m->node->end;
	if (!block) {
		array_each (&j->own.edits, struct edit, e) {
			plan_edit(j->p, begin + e->begin, begin + e->end, "%.*s", STR_ARG(e->text));
		}
		return;
	}
	struct sbuf flat = {0};
	struct sbuf out = {0};
	size_t clash[2];
	edit_list_check(&j->own, end - begin, clash);
	edit_list_apply(&flat, str_sub(j->t, begin, end), &j->own);
	struct plan_frame f = plan_frame(j->p, j->h->m->node, true);
	sbuf_adds(&out, f.open);
	text_add_reindented(&out, sbuf_str(&flat), j->base, str_of(f.indent));
	sbuf_adds(&out, f.close);
	plan_edit(j->p, f.begin, end, "%s", sbuf_cstr(&out));
	sbuf_release(&flat);
	sbuf_release(&out);
}

static bool refuse_fenced(struct edit_job *j)
{
	const struct merge *m = j->h->m;
	if (m->kind == MERGE_SWITCH) {
		plan_refuse(j->p, HOIST_FORM, "the arms of a switch are not fenced");
		return false;
	}
	if (plan_needs_block(m->node) || !text_first_on_line(j->t, m->node->begin)) {
		plan_refuse(j->p, HOIST_FORM, "there is no place for declarations before it");
		return false;
	}
	for (size_t i = 0; i < m->arms; i++) {
		if (j->piece[i].empty) {
			return plan_refuse(j->p, HOIST_FORM,
				"nothing stays in an arm that a fence could guard");
		}
	}
	return true;
}

/* The guard code writes everything except the bodies, so the tail's text is added last. */
static bool fenced(struct edit_job *j)
{
	if (!refuse_fenced(j)) {
		return false;
	}
	static const unsigned own[] = {
		HOIST_FORM, HOIST_TEXT, HOIST_LEAVES, HOIST_SHAPE, HOIST_SHAPE};
	struct guard_opts o = {.guard = GUARD_FENCE, .clause = own, .taken = j->taken};
	struct str tail = edit_tail_text(j);
	struct str kept = edit_all_kept(j, tail);
	own_edit(j, j->h->m->node->begin, j->h->m->node->begin, declarations(j, false));
	for (size_t i = 0; i < j->h->m->arms; i++) {
		edit_arm(j, i, kept);
	}
	flush(j, false);
	edit_list_release(&j->own);
	j->own = (struct edit_list){0};
	if (!plan_guard_arms(j->p, j->h->m, &o)) {
		return false;
	}
	add_tail(j, tail, false);
	flush(j, false);
	return true;
}

bool hoist_edit(struct hoist *h, enum hoist_form form)
{
	struct plan *p = h->p;
	struct edit_job j = {.h = h,
		.p = p,
		.t = p->text,
		.piece = ARENA_ARRAY(p->a, struct piece, h->m->arms),
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text),
		.base = text_indent(p->text, h->m->node->begin),
		.form = form};
	edit_find_variables(&j);
	for (size_t i = 0; i < h->m->arms; i++) {
		edit_find_piece(&j, i);
	}
	bool ok = true;
	if (form == HOIST_FENCED) {
		ok = fenced(&j);
	} else {
		const struct kt_node *n = h->m->node;
		bool block = plan_needs_block(n);
		plain(&j, block);
		/* one statement replaced by one needs no braces */
		flush(&j, block);
	}
	edit_list_release(&j.own);
	sbuf_release(&j.lines);
	return ok;
}
