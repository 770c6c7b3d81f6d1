/* The text that a hoist moves, and the rest of an arm. */
#include <ctype.h>
#include "analysis/arms/overlay.h"
#include "frontend/text/lex.h"
#include "strategy/plan/select.h"
#include "strategy/text/text.h"
#include "strategy/hoist/edit.h"

size_t edit_arm_variables(const struct edit_job *j, size_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < j->vars; k++) {
		n += j->var[k].text[i].n > 0;
	}
	return n;
}

struct span edit_last_run(const struct piece *c)
{
	return c->run[c->runs - 1];
}

/* The statement of a list nearest to a place, after or before it. */
static const struct kt_node *nearest(
	const struct match_arm *list, size_t first, size_t n, size_t at, bool before)
{
	const struct kt_node *found = NULL;
	for (size_t k = first; k < n; k++) {
		const struct kt_node *s = list->stmt[k];
		bool side = before ? s->begin < at : s->begin > at;
		if (side &&
			(!found || (before ? s->begin > found->begin : s->begin < found->begin))) {
			found = s;
		}
	}
	return found;
}

/* The next run of the tail after at, between statements that stay. */
static struct span next_run(
	struct edit_job *j, const struct arm_body *b, size_t heads, const struct kt_node *first)
{
	const struct kt_node *before = nearest(&b->list, 0, heads, first->begin, true);
	const struct kt_node *after = nearest(&b->list, 0, heads, first->begin, false);
	size_t limit = after ? after->begin : b->end;
	const struct kt_node *last = nearest(&b->list, heads, b->list.n, limit, true);
	size_t from = before ? before->end : b->begin;
	struct span run = {.begin = b->braced || before ? text_after_comments(j->t, from) : from,
		.end = after ? text_after_comments(j->t, last->end) : b->end};
	while (run.end > run.begin && isspace((unsigned char)j->t.p[run.end - 1])) {
		run.end--;
	}
	return run;
}

void edit_find_piece(struct edit_job *j, size_t i)
{
	const struct arm_body *b = &j->h->body[i];
	struct piece *c = &j->piece[i];
	size_t heads = hoist_heads(j->h, i);
	const struct kt_node *first = nearest(&b->list, heads, b->list.n, 0, false);
	bool own_line = text_first_on_line(j->t, first->begin);
	c->indent = text_code_indent(j->t, own_line ? first->begin : b->begin);
	c->run = ARENA_ARRAY(j->p->a, struct span, j->h->match.tail);
	for (; first; first = nearest(&b->list, heads, b->list.n, edit_last_run(c).end, false)) {
		c->run[c->runs++] = next_run(j, b, heads, first);
	}
	bool after_label = !own_line && j->h->m->kind == MERGE_SWITCH;
	c->one_line = (b->braced || after_label) && !text_has_newline(j->t, b->begin, b->end);
	c->empty = heads == 0 && edit_arm_variables(j, i) == 0;
}

struct str edit_hole_text(const struct edit_job *j, size_t k, size_t arm)
{
	const struct kt_node *e = j->h->match.hole[k].expr[arm];
	return plan_text(j->p, e->begin, e->end);
}

struct str edit_assignments(struct edit_job *j, size_t i, const char *first, const char *separator)
{
	struct sbuf s = {0};
	for (size_t k = 0; k < j->vars; k++) {
		if (j->var[k].text[i].n) {
			sbuf_adds(&s, s.n ? separator : first);
			sbuf_addf(&s, "%s = %.*s;", j->var[k].name, STR_ARG(j->var[k].text[i]));
		}
	}
	return sbuf_finish(&s, j->p->a);
}

/* ---- the moved text ---- */

bool edit_is_flag(const struct merge *m)
{
	return m->kind == MERGE_IF && m->arms == 2;
}

struct renaming {
	const struct edit_job *j;
	size_t arm;
};

static const char *name_in_tail(const void *context, kt_id sym)
{
	const struct renaming *r = context;
	const struct hoist *h = r->j->h;
	for (size_t k = 0; k < h->place.carrieds; k++) {
		if (h->place.carried[k].arm == r->arm && h->place.carried[k].sym == sym) {
			return r->j->carried[k];
		}
	}
	kt_id base = hoist_counterpart(h, r->arm, sym);
	return base ? h->u->sym[base].name : NULL;
}

/* Adds the select between the arms' texts for hole k. */
static void add_select(struct edit_job *j, struct sbuf *s, struct select *c, size_t k)
{
	const struct hole *hole = &j->h->match.hole[k];
	select_clear(c, j->h->m->arms);
	for (size_t i = 0; i < j->h->m->arms; i++) {
		struct renaming r = {j, i};
		select_add(c, i, overlay_renamed(j->h->f, j->p->a, hole->expr[i], name_in_tail, &r),
			(struct match_arm){&hole->expr[i], 1});
	}
	select_sort(c);
	select_write(s, c, hole->expr[0]);
}

/* Adds the variable for hole k, with the value category that overload resolution needs. */
static void add_taken(struct edit_job *j, struct sbuf *s, size_t k)
{
	const struct hole *hole = &j->h->match.hole[k];
	enum hole_seen seen = hoist_seen(j->h, hole);
	if (seen == SEEN_VALUE || (seen == SEEN_CONST && j->selected)) {
		sbuf_adds(s, j->name[k]);
		return;
	}
	const char *type = hoist_hole_name(j->h, hole);
	bool star = str_ends(str_of(type), "*");
	bool argument =
		hole->expr[0]->flags & KT_F_ARGUMENT; /* a macro argument: a comma would end it */
	sbuf_adds(s, argument ? "(" : "");
	sbuf_addf(s,
		seen == SEEN_TEMPORARY ? "static_cast<%s>(%s)"
		: star		       ? "static_cast<%sconst &>(%s)"
				       : "static_cast<const %s &>(%s)",
		type, j->name[k]);
	sbuf_adds(s, argument ? ")" : "");
}

/* The text of one run of arm 0's tail, with its holes replaced: *hole counts them. */
static void add_run(
	struct edit_job *j, struct sbuf *s, struct span run, struct select *c, size_t *hole)
{
	size_t at = run.begin;
	while (isspace((unsigned char)j->t.p[at])) {
		at++;
	}
	for (; *hole < j->h->match.holes; (*hole)++) {
		const struct kt_node *e = j->h->match.hole[*hole].expr[0];
		if (e->begin >= run.end) {
			break;
		}
		if (e->begin < at) {
			continue; /* an argument that its macro uses twice */
		}
		sbuf_addstr(s, str_sub(j->t, at, e->begin));
		at = e->end;
		if (!j->name[*hole]) {
			add_select(j, s, c, *hole);
			continue;
		}
		sbuf_adds(s, s->n && lex_is_word_char(s->p[s->n - 1]) ? " " : "");
		add_taken(j, s, *hole);
	}
	sbuf_addstr(s, str_sub(j->t, at, run.end));
}

/* Arm 0's tail with its holes replaced, its lines indented by to. The first line has no
 * indentation. */
static struct str moved_text(struct edit_job *j, struct str to)
{
	struct sbuf s = {0};
	struct sbuf out = {0};
	const struct piece *piece = &j->piece[0];
	size_t at = piece->run[0].begin;
	while (isspace((unsigned char)j->t.p[at])) {
		at++;
	}
	struct str from = text_first_on_line(j->t, at) ? text_code_indent(j->t, at) : piece->indent;
	struct select c = {.p = j->p,
		.name = j->taken,
		.flag = edit_is_flag(j->h->m),
		.negated = j->negated,
		.from = from,
		.to = to};
	size_t hole = 0;
	for (size_t r = 0; r < piece->runs; r++) {
		if (r) {
			sbuf_addf(&s, "%s%.*s", j->eol, STR_ARG(from));
		}
		add_run(j, &s, piece->run[r], &c, &hole);
	}
	text_add_reindented(&out, sbuf_str(&s), from, to);
	sbuf_release(&s);
	return sbuf_finish(&out, j->p->a);
}

static bool tail_declares(const struct hoist *h)
{
	for (size_t k = 0; k < h->match.tail; k++) {
		if (hoist_tail(h, 0, k)->kind == KT_DECL) {
			return true;
		}
	}
	return false;
}

struct str edit_tail_text(struct edit_job *j)
{
	if (!tail_declares(j->h) && !j->some) {
		return moved_text(j, j->base);
	}
	struct sbuf s = {0};
	struct str to = str_of(arena_printf(j->p->a, "%.*s%s", STR_ARG(j->base), j->step));
	sbuf_adds(&s, j->some ? arena_printf(j->p->a, "if (%s) ", j->some) : "");
	sbuf_addf(&s, "{%s%.*s", j->eol, STR_ARG(to));
	sbuf_addstr(&s, moved_text(j, to));
	sbuf_addf(&s, "%s%.*s}", j->eol, STR_ARG(j->base));
	return sbuf_finish(&s, j->p->a);
}

void edit_save_comments(struct edit_job *j, size_t begin, size_t end, struct str text)
{
	text_add_lost_comments(&j->lines, j->p->a, j->p->text, begin, end, text, j->base);
}

struct str edit_all_kept(struct edit_job *j, struct str tail)
{
	struct sbuf s = {0};
	sbuf_addstr(&s, tail);
	for (size_t k = 0; k < j->h->match.holes; k++) {
		for (size_t i = 0; i < j->h->m->arms; i++) {
			sbuf_addstr(&s, edit_hole_text(j, k, i));
		}
	}
	return sbuf_finish(&s, j->p->a);
}
