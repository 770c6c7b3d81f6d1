/*
 * The text of a fuse: the snapshot, and arm 0's statements with a select in place of each
 * difference, in a block if something is declared.
 */
#include <ctype.h>
#include <stdlib.h>
#include "frontend/text/lex.h"
#include "strategy/fuse/fuse.h"
#include "strategy/guard/leaves.h"
#include "strategy/plan/value.h"
#include "strategy/plan/select.h"
#include "strategy/text/text.h"

struct edit_job {
	struct fuse *z;
	struct plan *p;
	struct str t;
	const char *eol;
	const char *step;
	struct select select; /* of the current difference, with the indentation of arm 0 */
};

/* ---- groups ---- */

/* The text of arm i at a difference, with a comment after its last statement. */
static struct str part_text(struct edit_job *j, const struct overlay_diff *d, size_t arm)
{
	struct match_arm part = fuse_part(d, arm);
	struct str text = overlay_text(&j->z->o, arm, &part);
	if (d->kind == OVERLAY_HOLE || part.n == 0) {
		return text;
	}
	size_t end = part.stmt[part.n - 1]->end;
	struct str comment = str_sub(j->t, end, text_after_comments(j->t, end));
	struct sbuf s = {0};
	sbuf_addf(&s, "%.*s%.*s", STR_ARG(text), STR_ARG(comment));
	for (size_t i = 0; i < j->z->o.carrieds; i++) {
		const struct overlay_carried *k = &j->z->o.carried[i];
		if (k->arm == arm && overlay_declares(&part, k->sym)) {
			sbuf_addf(&s, "%s%s = %s;", j->eol, k->name, j->z->u->sym[k->sym].name);
		}
	}
	return sbuf_finish(&s, j->p->a);
}

static void find_groups(struct edit_job *j, const struct overlay_diff *d)
{
	struct fuse *z = j->z;
	select_clear(&j->select, z->sel.arms);
	for (size_t i = 0; i < z->sel.arms; i++) {
		select_add(&j->select, z->order[i], part_text(j, d, i), fuse_part(d, i));
	}
	select_sort(&j->select);
}

static struct str line_indent(const struct edit_job *j, const struct kt_node *n)
{
	return text_indent(j->p->text, n->begin);
}

/* ---- statements ---- */

static void add_statements(
	struct edit_job *j, struct sbuf *s, const struct select_case *g, struct str indent)
{
	const char *nl = arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(indent));
	struct str from = line_indent(j, g->part.stmt[0]);
	struct str to = str_of(arena_printf(j->p->a, "%.*s%s", STR_ARG(indent), j->step));
	sbuf_addf(s, " {%s%s", nl, j->step);
	struct sbuf own = {0};
	text_add_reindented(&own, g->text, from, to);
	for (size_t i = 0; i < own.n; i++) {
		/* statements that were not adjacent */
		bool joined =
			own.p[i] == '\n' && i + 1 < own.n && !isspace((unsigned char)own.p[i + 1]);
		sbuf_addc(s, own.p[i]);
		if (joined) {
			sbuf_addstr(s, to);
		}
	}
	sbuf_release(&own);
	sbuf_addf(s, "%s}", nl);
}

/* May the text be an operand of && or || without parentheses? */
static bool binds_tighter_than_and(const struct kt_node *c)
{
	bool logic = c->kind == KT_BINARY && (c->op == KT_OP_LAND || c->op == KT_OP_LOR);
	return text_binds_tighter(c, false) && !logic;
}

/* Is the part just an if without else? Then its condition and body; else false. */
static bool is_lone_if(
	const struct edit_job *j, const struct select_case *g, struct str *cond, struct str *body)
{
	const struct kt_node *n = g->part.n == 1 ? g->part.stmt[0] : NULL;
	if (!n || n->kind != KT_IF || n->child[KT_IF_ELSE] || n->child[KT_IF_INIT] ||
		n->child[KT_IF_VAR] || n->flags & KT_F_MACRO ||
		guard_is_object(j->p, n->child[KT_IF_COND])) {
		return false;
	}
	struct lex_token word = lex_next(g->text, 0), open = lex_next(g->text, word.end);
	size_t close = lex_is(g->text, open, "(") ? lex_close(g->text, open.begin) : SIZE_MAX;
	if (!lex_is(g->text, word, "if") || close == SIZE_MAX) {
		return false;
	}
	*cond = str_trim(str_sub(g->text, open.end, close));
	*body = str_sub(g->text, close + 1, g->text.n);
	return !text_has_newline(*cond, 0, cond->n) && str_find(*cond, "//", 0) == SIZE_MAX;
}

/* Writes if (arm == 1 && x > 2) in place of an if inside an if. */
static bool add_joined(
	struct edit_job *j, struct sbuf *s, const struct select_case *g, struct str indent)
{
	struct str cond, body;
	if (!is_lone_if(j, g, &cond, &body)) {
		return false;
	}
	bool any = str_find(g->test, "||", 0) != SIZE_MAX;
	bool parens = !binds_tighter_than_and(g->part.stmt[0]->child[KT_IF_COND]);
	sbuf_addf(s, any ? "if ((%.*s) && " : "if (%.*s && ", STR_ARG(g->test));
	sbuf_addf(s, parens ? "(%.*s))" : "%.*s)", STR_ARG(cond));
	text_add_reindented(s, body, line_indent(j, g->part.stmt[0]), indent);
	return true;
}

static struct str guarded(struct edit_job *j, const struct overlay_diff *d, struct str indent)
{
	struct sbuf s = {0};
	bool empty = false;
	size_t written = 0;
	find_groups(j, d);
	for (size_t g = 0; g < j->select.n; g++) {
		empty |= j->select.v[g].part.n == 0;
	}
	for (size_t g = 0; g < j->select.n; g++) {
		const struct select_case *k = &j->select.v[g];
		if (k->part.n == 0 || (empty && j->select.n == 2 && add_joined(j, &s, k, indent))) {
			continue;
		}
		bool last = g + 1 == j->select.n && !empty;
		sbuf_adds(&s, written++ ? " else" : "");
		if (!last) {
			sbuf_addf(&s, "%sif (%.*s)", s.n ? " " : "", STR_ARG(k->test));
		}
		add_statements(j, &s, k, indent);
	}
	return sbuf_finish(&s, j->p->a);
}

/* ---- a guard ---- */

/* Writes arm 0's condition, extended to be true for every other arm. */
static void add_guard(struct edit_job *j, struct sbuf *s, const struct overlay_diff *d)
{
	const struct selection *sel = &j->z->sel;
	const struct kt_node *c = d->guard;
	size_t base = j->z->order[0];
	bool parens = !binds_tighter_than_and(c);
	bool outer = c->parent->kind == KT_COND && select_needs_parens(j->t, c);
	const char *op = d->negated ? "&&" : "||";
	sbuf_adds(s, outer ? "(" : "");
	if (sel->flag) {
		bool holds = ((base == 0) == d->negated) != sel->negated;
		sbuf_addf(s, "%s%s %s ", holds ? "" : "!", sel->name, op);
	} else {
		sbuf_addf(s, "%s %s %zu %s ", sel->name, d->negated ? "==" : "!=", base, op);
	}
	sbuf_addf(s, parens ? "(%.*s)" : "%.*s", STR_ARG(plan_text(j->p, c->begin, c->end)));
	sbuf_adds(s, outer ? ")" : "");
}

/* ---- the whole text ---- */

/* Bytes of arm 0's text that a difference replaces, and how. */
struct replaced {
	const struct overlay_diff *d;
	size_t begin;
	size_t end;
	bool ahead; /* an insertion before the next statement */
};

static struct replaced place_of(const struct edit_job *j, const struct overlay_diff *d)
{
	struct replaced r = {.d = d};
	if (d->kind == OVERLAY_GUARD) {
		r.begin = d->guard->begin;
		r.end = d->guard->end;
	} else if (d->kind == OVERLAY_HOLE) {
		r.begin = d->expr[0]->begin;
		r.end = d->expr[0]->end;
	} else if (d->part[0].n) {
		r.begin = d->part[0].stmt[0]->begin;
		r.end = text_after_comments(j->t, d->part[0].stmt[d->part[0].n - 1]->end);
	} else {
		r.ahead = d->next < d->list.n;
		r.begin = r.ahead ? d->after[0] : text_after_comments(j->t, d->after[0]);
		r.end = r.begin;
	}
	return r;
}

static int by_place(const void *x, const void *y)
{
	const struct replaced *a = x, *b = y;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Declares the variables that carry values out of a difference; arms share those of one name. */
static void add_carried(
	struct edit_job *j, struct sbuf *s, const struct overlay_diff *d, const char *nl)
{
	const struct overlay *o = &j->z->o;
	for (size_t i = 0; i < o->carrieds; i++) {
		const struct overlay_carried *k = &o->carried[i];
		bool first = &o->diff[k->diff] == d;
		for (size_t n = 0; n < i && first; n++) {
			first = o->carried[n].name != k->name;
		}
		if (first) {
			const struct kt_node *m = j->z->m->node;
			const char *type = plan_written_type(j->p, k->sym, m->begin, m->end);
			sbuf_addf(s, str_ends(str_of(type), "*") ? "%s%s;%s" : "%s %s;%s", type,
				k->name, nl);
		}
	}
}

static void add_gap(struct edit_job *j, struct sbuf *s, const struct replaced *r)
{
	const struct overlay_diff *d = r->d;
	const struct kt_node *beside = d->part[0].n	     ? d->part[0].stmt[0]
				       : d->next < d->list.n ? d->list.stmt[d->next]
							     : d->list.stmt[d->list.n - 1];
	struct str indent = line_indent(j, beside);
	struct str text = guarded(j, d, indent);
	const char *nl = arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(indent));
	bool after = r->begin == r->end && !r->ahead;
	sbuf_adds(s, after ? nl : "");
	add_carried(j, s, d, nl);
	sbuf_addf(s, "%.*s%s", STR_ARG(text), r->ahead ? nl : "");
}

/* Arm 0's statements with selects for their differences, in the present indentation. */
static struct str body_text(struct edit_job *j)
{
	const struct overlay *o = &j->z->o;
	const struct arm_body *b = &j->z->body[0];
	struct replaced *r = ARENA_ARRAY(j->p->a, struct replaced, o->diffs);
	struct sbuf s = {0};
	size_t at = b->begin;
	size_t end = b->end;
	while (at < end && isspace((unsigned char)j->t.p[at])) {
		at++;
	}
	while (end > at && isspace((unsigned char)j->t.p[end - 1])) {
		end--;
	}
	for (size_t k = 0; k < o->diffs; k++) {
		r[k] = place_of(j, &o->diff[k]);
	}
	qsort(r, o->diffs, sizeof(*r), by_place);
	for (size_t k = 0; k < o->diffs; k++) {
		if (r[k].begin < at && r[k].d->kind == OVERLAY_HOLE) {
			continue; /* an argument that its macro uses twice */
		}
		sbuf_addstr(&s, str_sub(j->t, at, r[k].begin));
		if (r[k].d->kind == OVERLAY_HOLE) {
			find_groups(j, r[k].d);
			select_write(&s, &j->select, r[k].d->expr[0]);
		} else if (r[k].d->kind == OVERLAY_GUARD) {
			add_guard(j, &s, r[k].d);
		} else {
			add_gap(j, &s, &r[k]);
		}
		at = r[k].end;
	}
	sbuf_addstr(&s, str_sub(j->t, at, end));
	return sbuf_finish(&s, j->p->a);
}

/* May the declarations of the arms and the header move to the block around the merge? Only if the
 * merge is the last statement there, and neither the block nor its owner declares one of the names
 * before. */
static bool is_last(const struct fuse *z)
{
	const struct kt_node *n = z->m->node, *up = n->parent;
	const struct match_arm *arm = &z->body[0].list;
	const struct kt_node *header[] = {n->child[KT_IF_INIT], n->child[KT_IF_VAR]};
	if (!up || up->kind != KT_COMPOUND || n->slot + 1 != up->n || up->flags & KT_F_MACRO) {
		return false;
	}
	bool free = true;
	for (size_t i = 0; free && i < arm->n; i++) {
		free = plan_may_declare(z->p, n, arm->stmt[i]);
	}
	for (size_t i = 0; free && z->sel.declares && i < 2; i++) {
		free = !header[i] || plan_may_declare(z->p, n, header[i]);
	}
	return free;
}

void fuse_edit_question(struct fuse *z)
{
	const struct kt_node *n = z->m->node;
	struct edit_job j = {.z = z,
		.p = z->p,
		.t = z->p->text,
		.eol = text_eol(z->p->text),
		.step = text_indent_step(z->p->text)};
	struct str indent = text_indent(z->p->text, n->begin);
	j.select = (struct select){
		.p = z->p, .name = z->sel.name, .flag = true, .from = indent, .to = indent};
	struct str body = body_text(&j);
	const char *semicolon = z->region == n && j.t.p[n->end - 1] == ';' ? ";" : "";
	plan_edit(z->p, n->begin, n->end, "%.*s%s", STR_ARG(body), semicolon);
}

void fuse_edit(struct fuse *z)
{
	struct plan *p = z->p;
	const struct kt_node *n = z->m->node;
	const struct arm_body *b = &z->body[0];
	struct edit_job j = {.z = z,
		.p = p,
		.t = p->text,
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text)};
	bool block = plan_needs_block(n) ||
		     ((z->sel.declares || match_declares(&b->list)) && !is_last(z));
	struct plan_frame f = plan_frame(p, n, block);
	struct str outer = str_of(f.indent);
	const char *nl = f.nl;
	bool partial = z->sel.partial;
	struct str to =
		partial ? str_of(arena_printf(p->a, "%.*s%s", STR_ARG(outer), j.step)) : outer;
	const struct kt_node *first = b->list.stmt[0];
	bool own_line = text_first_on_line(p->text, first->begin);
	j.select = (struct select){.p = p,
		.name = z->sel.name,
		.flag = z->sel.flag,
		.negated = z->sel.negated,
		.from = text_code_indent(p->text, own_line ? first->begin : b->begin),
		.to = to};
	struct str body = body_text(&j);
	struct sbuf s = {0};
	sbuf_adds(&s, f.open);
	text_add_lines(&s, z->sel.snapshot, "", nl);
	if (partial) {
		sbuf_addf(&s, "if (%s >= 0) {%s%s", z->sel.name, nl, j.step);
	}
	struct sbuf kept = {0};
	sbuf_addstr(&kept, sbuf_str(&s));
	sbuf_addstr(&kept, body);
	text_add_lost_comments(&s, p->a, p->text, n->begin, n->end, sbuf_str(&kept), to);
	text_add_reindented(&s, body, j.select.from, to);
	sbuf_adds(&s, partial ? nl : "");
	sbuf_adds(&s, partial ? "}" : "");
	sbuf_adds(&s, f.close);
	plan_edit(p, f.begin, n->end, "%s", sbuf_cstr(&s));
	sbuf_release(&kept);
	sbuf_release(&s);
}
