/*
 * The text of a split loop: two copies of the body, each with the if replaced by one arm, after
 * headers with the condition added. A copy leaves out variables that it does not need.
 */
#include <string.h>
#include "base/msg.h"
#include "frontend/text/lex.h"
#include "strategy/plan/body.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/split/job.h"
#include "strategy/text/text.h"

/* ---- the body with one arm ---- */

static bool declares(const struct split *s, const struct kt_node *d, const char *name)
{
	for (size_t i = 0; d && kt_declares(s->u, d) && i < d->n; i++) {
		if (d->child[i]->sym && strcmp(s->u->sym[d->child[i]->sym].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* Would a name that the arm declares clash with one of the block or loop around the if? */
static bool clashes(struct split_job *j, const struct kt_node *d)
{
	const struct kt_node *up = j->iff->parent;
	const struct kt_node *loop = up->parent;
	for (size_t i = 0; i < d->n; i++) {
		const char *name = j->s->u->sym[d->child[i]->sym].name;
		if (loop->kind == KT_FOR && declares(j->s, loop->child[KT_FOR_INIT], name)) {
			return true;
		}
		for (size_t k = 0; k < up->n; k++) {
			if (declares(j->s, up->child[k], name)) {
				return true;
			}
		}
	}
	return false;
}

/* May the braces of an arm be removed, so that its variables belong to the body? */
static bool unwraps(struct split_job *j, const struct kt_node *arm)
{
	const struct kt_node *up = j->iff->parent;
	if (arm->kind != KT_COMPOUND || j->t.p[body_begin(j->t, arm)] != '{' ||
		up->kind != KT_COMPOUND) {
		return false;
	}
	bool last = j->iff->slot + 1 == up->n;
	for (size_t i = 0; i < arm->n; i++) {
		const struct kt_node *d = arm->child[i];
		/* its variables must not outlive the arm; a declaration without variables declares
		 * a type */
		if (kt_is_binding(j->s->u, d) ||
			(d->kind == KT_DECL && (!last || !d->n || clashes(j, d)))) {
			return false;
		}
	}
	return !layout_type_word(plan_layout(j->p), arm->begin, arm->end).n;
}

void split_add_comments(struct split_job *j, struct sbuf *out, size_t begin, size_t end)
{
	struct str indent = text_indent(j->p->text, j->iff->begin);
	text_add_lines(out, plan_comments(j->p, begin, end), "",
		arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(indent)));
}

struct str split_arm(struct split_job *j, bool second)
{
	const struct kt_node *then = j->iff->child[KT_IF_THEN];
	const struct kt_node *other = j->iff->child[KT_IF_ELSE];
	const struct kt_node *arm = second ? other : then;
	struct sbuf b = {0};
	if (!second) {
		split_add_comments(j, &b, j->iff->begin, then->begin);
	} else if (other) {
		split_add_comments(j, &b, then->end, other->begin);
	}
	if (!arm) {
		sbuf_adds(&b, j->iff->parent->kind == KT_COMPOUND ? "" : "{}");
		return sbuf_finish(&b, j->p->a);
	}
	size_t begin = body_begin(j->t, arm);
	if (!unwraps(j, arm)) {
		sbuf_addstr(&b, str_sub(j->t, begin, arm->end));
		return sbuf_finish(&b, j->p->a);
	}
	struct str inside = str_trim(str_sub(j->t, begin + 1, arm->end - 1));
	struct str to = text_indent(j->p->text, j->iff->begin);
	size_t first = inside.n ? (size_t)(inside.p - j->t.p) : begin;
	if (inside.n && text_first_on_line(j->t, first)) {
		text_add_reindented(&b, inside, text_code_indent(j->p->text, first), to);
	} else { /* a comment may follow the brace */
		size_t line = str_find(inside, "\n", 0);
		struct str from =
			line == SIZE_MAX ? to : text_code_indent(j->p->text, first + line + 1);
		text_add_reindented(&b, inside, from, to);
	}
	return sbuf_finish(&b, j->p->a);
}

typedef ARRAY(struct cut) cut_array;

/* Does the copy with this arm, without the cuts, use one of the words? */
static bool copy_names(struct split_job *j, const struct kt_node *arm, const cut_array *cuts,
	const struct kt_node *except, const struct map *words)
{
	const struct kt_node *body = j->s->body;
	lex_each (k, j->t, body->begin, body->end) {
		bool gone = k.begin >= j->iff->begin && k.begin < j->iff->end;
		gone = gone && !(arm && k.begin >= arm->begin && k.begin < arm->end);
		gone |= k.begin >= except->begin && k.begin < except->end;
		array_each (cuts, const struct cut, c) {
			gone |= k.begin >= c->begin && k.begin < c->end;
		}
		if (!gone && map_has(words, lex_text(j->t, k))) {
			return true;
		}
	}
	return false;
}

/* The name of a plain variable that can be removed if unused. */
static const char *droppable(struct split_job *j, const struct kt_node *d)
{
	struct split *s = j->s;
	const struct kt_node *v = d->kind == KT_DECL && d->n == 1 ? d->child[0] : NULL;
	if (!v || v->kind != KT_VAR || d->flags & KT_F_MACRO || v->flags & KT_F_MACRO) {
		return NULL;
	}
	return kt_is_scalar(&s->u->type[v->type]) && !facts_acts(s->f, d) ? s->u->sym[v->sym].name
									  : NULL;
}

/* Cuts declarations before the if that only the condition or the other arm used. */
static void drop_unused(struct split_job *j, const struct kt_node *arm, cut_array *cuts)
{
	static const cut_array none = {0};
	for (const struct kt_node *n = j->iff; n != j->s->loop; n = n->parent) {
		const struct kt_node *up = n->parent;
		for (size_t i = n->slot; up->kind == KT_COMPOUND && i-- > 0;) {
			const struct kt_node *d = up->child[i];
			const char *name = droppable(j, d);
			struct map words = {0};
			if (name) {
				plan_words_of(&words, j->p, str_of(name));
			}
			if (copy_names(j, j->iff, &none, d, &words) &&
				!copy_names(j, arm, cuts, d, &words)) {
				struct cut c = {d->begin, d->end};
				array_push(cuts, c);
			}
			map_release(&words);
		}
	}
}

/* Extends the range to its whole line if nothing else is on it. */
static struct cut whole_lines(struct str t, size_t begin, size_t end)
{
	struct cut c = {begin, end};
	size_t nl = str_find(t, "\n", end);
	if (text_first_on_line(t, begin) && text_line_ends_at(t, end) && nl != SIZE_MAX) {
		c.begin = text_line_start(t, begin);
		c.end = nl + 1;
	}
	return c;
}

struct str split_body(struct split_job *j, bool second)
{
	const struct kt_node *body = j->s->body;
	const struct kt_node *arm = j->iff->child[second ? KT_IF_ELSE : KT_IF_THEN];
	struct edit_list l = {0};
	struct sbuf b = {0};
	cut_array cuts = {0};
	size_t clash[2];
	struct str text = split_arm(j, second);
	struct cut at = {j->iff->begin, j->iff->end};
	if (!text.n) { /* keep the comment after it */
		at = whole_lines(j->t, at.begin, text_skip_blanks(j->t, at.end));
	}
	edit_list_add(&l, j->p->a, at.begin - body->begin, at.end - body->begin, text);
	drop_unused(j, arm, &cuts);
	array_each (&cuts, struct cut, c) {
		struct cut lines = whole_lines(j->t, c->begin, c->end);
		edit_list_add(&l, j->p->a, lines.begin - body->begin, lines.end - body->begin,
			(struct str){0});
	}
	if (!edit_list_check(&l, body->end - body->begin, clash)) {
		BUG("split: the parts of a loop's body overlap");
	}
	edit_list_apply(&b, str_sub(j->t, body->begin, body->end), &l);
	array_release(&cuts);
	edit_list_release(&l);
	return sbuf_finish(&b, j->p->a);
}

/* For a loop whose whole unbraced body is the if: adds one arm in its place, in its own braces if
 * it has some, else at the if's depth. False: the text is not understood. */
static bool add_arm_as_body(struct split_job *j, struct sbuf *out, bool second)
{
	const struct kt_node *arm = j->iff->child[second ? KT_IF_ELSE : KT_IF_THEN];
	struct str text = split_arm(j, second);
	size_t begin = arm ? body_begin(j->t, arm) : 0;
	bool whole = arm && text.n == arm->end - begin; /* no comment before it */
	if (j->s->body != j->iff || !whole || !text_first_on_line(j->t, j->iff->begin)) {
		return false;
	}
	bool braced = j->t.p[begin] == '{';
	bool own_line = text_first_on_line(j->t, begin);
	struct str from = text_indent(j->p->text, begin);
	struct str to = braced ? j->base : text_indent(j->p->text, j->iff->begin);
	if (braced && !own_line) {
		sbuf_addc(out, ' ');
	} else {
		sbuf_addf(out, "%s%.*s", j->eol, STR_ARG(to));
	}
	text_add_reindented(out, text, from, to);
	return true;
}

void split_add_loop(struct split_job *j, struct sbuf *out, struct str init, struct str more,
	bool second, size_t deeper)
{
	if (j->s->form != SPLIT_SEARCH) {
		split_add_pragmas(j, out); /* a search is a new loop with its own trip count */
	}
	split_add_header(j, out, init, split_loop_condition(j, more.n > 0), more, deeper);
	split_add_with_arm(j, out, second);
}

void split_add_with_arm(struct split_job *j, struct sbuf *out, bool second)
{
	if (add_arm_as_body(j, out, second)) {
		return;
	}
	struct str body = split_body(j, second);
	if (j->s->body == j->iff && str_eq(body, str_of("{}"))) {
		sbuf_addf(out, " {%s%.*s}", j->eol, STR_ARG(j->base));
		return;
	}
	struct str gap = str_sub(j->t, j->close + 1, j->s->body->begin);
	bool said = str_trim(gap).n > 0;
	bool line = said && str_find(gap, "\n", 0) != SIZE_MAX;
	sbuf_addstr(out, !said ? gap : line ? str_of(j->eol) : STR(" "));
	sbuf_addstr(out, line ? text_indent(j->t, j->s->body->begin) : (struct str){0});
	sbuf_addstr(out, body);
}

/* ---- around the loops ---- */

/* Does the block around the loop declare the name, or the function as a parameter? */
static bool declared_beside(struct split_job *j, const struct kt_node *block, const char *name)
{
	struct split *s = j->s;
	const struct kt_fn *fn = &s->u->fn[s->m->fn];
	bool found = false;
	for (size_t i = 0; i < block->n; i++) {
		found |= declares(s, block->child[i], name);
	}
	for (size_t i = 0; !block->parent && i < fn->params; i++) {
		found |= strcmp(s->u->sym[fn->param[i]].name, name) == 0;
	}
	/* the tree does not show a lambda's captures */
	return found || (fn->is_lambda && !block->parent &&
				plan_may_name(j->p, fn->begin, block->begin, name));
}

bool split_is_jumped_over(struct split_job *j)
{
	struct split *s = j->s;

	return facts_effects(s->f, s->u->fn[s->m->fn].body).flags & (FX_GOTO | FX_LABEL) ||
	       facts_effects(s->f, s->loop->parent).flags & FX_LABEL;
}

bool split_needs_scope(struct split_job *j)
{
	struct split *s = j->s;
	const struct kt_node *init = s->loop->child[KT_FOR_INIT];
	const struct kt_node *block = s->loop->parent;
	if (split_is_jumped_over(j)) {
		return true;
	}
	for (size_t i = 0; i < init->n; i++) {
		const struct kt_node *v = init->child[i];
		bool plain = kt_is_scalar(&s->u->type[v->type]);
		const char *name = s->u->sym[v->sym].name;
		if (!plain || declared_beside(j, block, name) ||
			plan_may_name(j->p, s->loop->end, block->end, name)) {
			return true;
		}
	}
	return init->n == 0;
}

void split_add_block(struct split_job *j, struct sbuf *out, struct str text, bool block)
{
	if (!block) {
		sbuf_addstr(out, text);
		return;
	}
	sbuf_addf(out, "{%s%.*s", j->eol, STR_ARG(j->deeper));
	text_add_reindented(out, text, j->base, j->deeper);
	sbuf_addf(out, "%s}", j->nl);
}
