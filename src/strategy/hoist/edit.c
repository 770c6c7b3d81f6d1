/*
 * The text of a hoist. Arm 0's tail moves behind the merge with its comments, its holes replaced by
 * variables; each arm keeps its head and gets the assignments. Arms that keep nothing go, and the
 * if with them where no arm keeps anything.
 */
#include <ctype.h>
#include <string.h>
#include "analysis/arms/overlay.h"
#include "base/msg.h"
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/hoist/hoist.h"
#include "strategy/plan/select.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

/* What becomes of one arm. */
struct piece {
	/* The tail's text, comments included; more than one run where something stays between its
	 * statements. What is assigned stands in place of the last. */
	struct span *run;
	size_t runs;
	struct str indent;
	bool one_line; /* the arm stands on one line */
	bool empty;    /* nothing stays */
};

/* What crosses: what a hole takes, which arm was taken, a variable of a head. */
struct variable {
	const char *name;
	const char *type;
	bool pointer;
	const char *initial; /* what it has where no arm is taken, or NULL */
	struct str *text;    /* per arm; empty: it gets nothing there */
};

struct edit_job {
	struct hoist *h;
	struct plan *p;
	struct str t;
	struct piece *piece; /* per arm */
	const char **name;   /* per hole: of the variable in its place; NULL: chosen in place */
	struct variable *var;
	size_t vars;
	const char *taken;    /* the variable that says which arm was taken; NULL: there is none */
	bool snapshot;	      /* it is the condition, asked before the merge */
	const char *given;    /* the source's variable that is the condition, or NULL */
	bool negated;	      /* it holds where the second arm is taken */
	const char *some;     /* and whether one was; NULL: some is always */
	const char **carried; /* per variable of a head that goes along */
	bool selected;	      /* the variables are constants: nothing is left of the merge */
	const char *eol;
	const char *step;
	struct str base;      /* indentation of the merge */
	struct edit_list own; /* relative to the merge's begin */
	struct sbuf lines;    /* comments that lost their place, each with its line end */
	enum hoist_form form;
};

/* ---- text helpers ---- */

static void own_edit(struct edit_job *j, size_t begin, size_t end, struct str text)
{
	size_t at = j->h->m->node->begin;
	if (end > begin || text.n) {
		edit_list_add(&j->own, j->p->a, begin - at, end - at, text);
	}
}

/* ---- arms ---- */

static size_t arm_variables(const struct edit_job *j, size_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < j->vars; k++) {
		n += j->var[k].text[i].n > 0;
	}
	return n;
}

static struct span last_run(const struct piece *c)
{
	return c->run[c->runs - 1];
}

/* The statements of a list behind or before a place in the text. */
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

/* The run of the tail that begins behind at, which is before or behind what stays. */
static struct span next_run(
	struct edit_job *j, const struct arm_body *b, size_t heads, const struct kt_node *first)
{
	const struct kt_node *before = nearest(&b->list, 0, heads, first->begin, true);
	const struct kt_node *behind = nearest(&b->list, 0, heads, first->begin, false);
	size_t limit = behind ? behind->begin : b->end;
	const struct kt_node *last = nearest(&b->list, heads, b->list.n, limit, true);
	size_t from = before ? before->end : b->begin;
	struct span run = {.begin = b->braced || before ? text_behind_comments(j->t, from) : from,
		.end = behind ? text_behind_comments(j->t, last->end) : b->end};
	while (run.end > run.begin && isspace((unsigned char)j->t.p[run.end - 1])) {
		run.end--;
	}
	return run;
}

static void find_piece(struct edit_job *j, size_t i)
{
	const struct arm_body *b = &j->h->body[i];
	struct piece *c = &j->piece[i];
	size_t heads = hoist_heads(j->h, i);
	const struct kt_node *first = nearest(&b->list, heads, b->list.n, 0, false);
	bool own_line = text_first_on_line(j->t, first->begin);
	c->indent = text_code_indent(j->t, own_line ? first->begin : b->begin);
	c->run = ARENA_ARRAY(j->p->a, struct span, j->h->match.tail);
	for (; first; first = nearest(&b->list, heads, b->list.n, last_run(c).end, false)) {
		c->run[c->runs++] = next_run(j, b, heads, first);
	}
	c->one_line = b->braced && !text_has_newline(j->t, b->begin, b->end);
	c->empty = heads == 0 && arm_variables(j, i) == 0;
}

static struct str hole_text(const struct edit_job *j, size_t k, size_t arm)
{
	const struct kt_node *e = j->h->match.hole[k].expr[arm];
	return plan_text(j->p, e->begin, e->end);
}

/* The assignments of arm i, each behind separator but the first behind first. */
static struct str assignments(
	struct edit_job *j, size_t i, const char *first, const char *separator)
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

/* Two arms: which was taken is a bool. */
static bool is_flag(const struct merge *m)
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

/* The choice between what the arms have in place of hole k. */
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

/* The variable that took hole k, seen by overloads as the hole was. */
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
	bool argument = hole->expr[0]->flags & KT_F_ARGUMENT; /* a comma would end it */
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
			continue; /* a macro's argument, that it names twice */
		}
		sbuf_addstr(s, str_sub(j->t, at, e->begin));
		at = e->end;
		if (!j->name[*hole]) {
			add_select(j, s, c, *hole);
			continue;
		}
		char before = s->n ? s->p[s->n - 1] : ' ';
		sbuf_adds(s, isalnum((unsigned char)before) || before == '_' ? " " : "");
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
		.flag = is_flag(j->h->m),
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

/* The tail, in braces where it declares something, or may not run. */
static struct str tail_text(struct edit_job *j)
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

/* Comments of [begin, end) that stand neither in the new text nor among the lines so far. */
static void save_comments(struct edit_job *j, size_t begin, size_t end, struct str text)
{
	text_add_lost_comments(&j->lines, j->p->a, j->p->text, begin, end, text, j->base);
}

/* Everything that the new text says, for finding what comments it has. */
static struct str all_kept(struct edit_job *j, struct str tail)
{
	struct sbuf s = {0};
	sbuf_addstr(&s, tail);
	for (size_t k = 0; k < j->h->match.holes; k++) {
		for (size_t i = 0; i < j->h->m->arms; i++) {
			sbuf_addstr(&s, hole_text(j, k, i));
		}
	}
	return sbuf_finish(&s, j->p->a);
}

/* ---- names ---- */

static bool is_identifier(const char *s)
{
	if (!s || !*s) {
		return false;
	}
	for (; *s; s++) {
		if (!isalnum((unsigned char)*s) && *s != '_') {
			return false;
		}
	}
	return true;
}

static const char *common_name(const struct hoist *h, const struct hole *hole)
{
	const char *name = NULL;
	for (size_t i = 0; i < h->m->arms; i++) {
		const struct kt_node *e = hole->expr[i];
		bool named = (e->kind == KT_REF && e->sym) || e->kind == KT_MEMBER;
		const char *own = !named	      ? NULL
				  : e->kind == KT_REF ? h->u->sym[e->sym].name
						      : e->text;
		if (!own || (name && strcmp(name, own) != 0)) {
			return NULL;
		}
		name = own;
	}
	return name;
}

/* What the place of the hole is called: the variable it initializes, the parameter it is passed
 * for. */
static const char *place_name(const struct hoist *h, const struct kt_node *e)
{
	const struct kt_node *up = e->parent;
	if (up->kind == KT_VAR) {
		return h->u->sym[up->sym].name;
	}
	if (up->kind == KT_CALL && up->fn) {
		const struct kt_fn *fn = &h->u->fn[up->fn];
		size_t first = up->flags & KT_F_METHOD ? 1 : 0;
		if (fn->body && e->slot >= first && e->slot - first < fn->params) {
			return h->u->sym[fn->param[e->slot - first]].name;
		}
	}
	if (up->kind == KT_INDEX && e->slot == 1) {
		return "index";
	}
	if (up->kind == KT_BINARY && kt_type_of(h->u, up)->kind == KT_T_POINTER) {
		return e->slot == 1 ? "offset" : NULL;
	}
	return NULL;
}

static const char *hole_name(const struct hoist *h, const struct hole *hole)
{
	const struct kt_type *t = hoist_hole_type(h, hole);
	const char *name = common_name(h, hole);
	if (!is_identifier(name)) {
		name = place_name(h, hole->expr[0]);
	}
	if (!is_identifier(name)) {
		name = t->kind == KT_T_POINTER ? "from" : t->kind == KT_T_BOOL ? "flag" : "operand";
	}
	return name;
}

/* t: NULL: the arm that is taken. */
static struct variable *add_variable(
	struct edit_job *j, const char *name, const struct kt_type *t, const char *type)
{
	struct variable *v = &j->var[j->vars++];
	*v = (struct variable){.name = name,
		.type = t		   ? type
			: is_flag(j->h->m) ? "bool"
					   : "int",
		.pointer = t && t->kind == KT_T_POINTER,
		.text = ARENA_ARRAY(j->p->a, struct str, j->h->m->arms)};
	return v;
}

static void add_hole_variable(struct edit_job *j, size_t k)
{
	const struct hole *hole = &j->h->match.hole[k];
	j->name[k] = plan_name_like(j->p, hole_name(j->h, hole));
	struct variable *v = add_variable(
		j, j->name[k], hoist_hole_type(j->h, hole), hoist_hole_name(j->h, hole));
	for (size_t i = 0; i < j->h->m->arms; i++) {
		const struct kt_node *e = hole->expr[i];
		bool wrap = kt_binds_loosely(e) && e->kind != KT_COND && e->kind != KT_EXPR_UNKNOWN;
		struct str s = hole_text(j, k, i);
		v->text[i] = wrap ? str_of(arena_printf(j->p->a, "(%.*s)", STR_ARG(s))) : s;
	}
}

/* Which arm is taken: what the condition says, asked before the merge, where one condition decides
 * between two arms; else a variable that they set. */
static void find_taken(struct edit_job *j)
{
	const struct merge *m = j->h->m;
	const struct kt_node *n = m->node;
	bool one = is_flag(m) && !m->arm[1].cond && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR];
	j->given = one ? guard_plain_condition(j->p, m, m->arm[0].cond, &j->negated) : NULL;
	j->negated &= j->given != NULL;
	if (!j->h->place.any) {
		return;
	}
	j->snapshot = one;
	j->taken = j->given ? j->given : plan_name(j->p, is_flag(m) ? "taken" : "arm");
	if (one) {
		return;
	}
	struct variable *v = add_variable(j, j->taken, NULL, NULL);
	for (size_t i = 0; i < m->arms; i++) {
		v->text[i] = str_of(
			is_flag(m) ? (i ? "false" : "true") : arena_printf(j->p->a, "%zu", i));
	}
}

static void find_variables(struct edit_job *j)
{
	const struct hoist *h = j->h;
	const struct hoist_place *place = &h->place;
	j->var = ARENA_ARRAY(j->p->a, struct variable, h->match.holes + place->carrieds + 2);
	j->name = ARENA_ARRAY(j->p->a, const char *, h->match.holes);
	j->carried = ARENA_ARRAY(j->p->a, const char *, place->carrieds);
	if (h->partial) {
		j->some = plan_name(j->p, "any");
		struct variable *v = add_variable(j, j->some, NULL, NULL);
		v->type = "bool";
		v->initial = "false";
		for (size_t i = 0; i < h->m->arms; i++) {
			v->text[i] = str_of("true");
		}
	}
	find_taken(j);
	for (size_t k = 0; k < h->match.holes; k++) {
		if (h->match.hole[k].same < k) {
			j->name[k] = j->name[h->match.hole[k].same];
		} else if (!hoist_is_chosen(h, k)) {
			add_hole_variable(j, k);
		}
	}
	for (size_t k = 0; k < place->carrieds; k++) {
		const struct kt_sym *s = &h->u->sym[place->carried[k].sym];
		j->carried[k] = plan_name_like(j->p, s->name);
		struct variable *v = add_variable(j, j->carried[k], &h->u->type[s->type],
			plan_written_type(
				j->p, place->carried[k].sym, h->m->node->begin, h->m->node->end));
		v->text[place->carried[k].arm] = str_of(s->name);
	}
}

static void add_declaration(struct sbuf *s, const struct variable *v, bool is_const)
{
	bool star = str_ends(str_of(v->type), "*");
	if (is_const && v->pointer) {
		sbuf_addf(s, star ? "%sconst %s" : "%s const %s", v->type, v->name);
	} else {
		sbuf_addf(
			s, star ? "%s%s%s" : "%s%s %s", is_const ? "const " : "", v->type, v->name);
	}
}

/* ---- conditions ---- */

/* What stands in the parentheses of an if or switch, ready for a ) behind it. */
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
		return str_of(j->given); /* of !given */
	}
	bool bare = text_binds_tighter(c, *prefix != 0) && !text_has_newline(s, 0, s.n);
	return str_of(arena_printf(j->p->a, bare ? "%s%.*s" : "%s(%.*s)", prefix, STR_ARG(s)));
}

/* ---- an if that goes ---- */

/* An explicit operator bool serves a condition, but no initializer. */
static bool converts_object(const struct edit_job *j, const struct kt_node *cond)
{
	bool operator_bool = cond->kind == KT_CALL && !(cond->flags & KT_F_OPERATOR) &&
			     cond->text && str_starts(str_of(cond->text), "operator");
	return operator_bool || kt_type_of(j->h->u, cond)->kind == KT_T_RECORD;
}

/* Do the arms say true and false, or false and true (*negated)? */
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
	add_declaration(&head, v, true);
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

/* The condition as a bool of its own, with the line break behind it. */
static const char *snapshot(struct edit_job *j, const char *name)
{
	struct str cond = condition(j, j->h->m->node, "");
	bool object = converts_object(j, j->h->m->arm[0].cond);
	return arena_printf(j->p->a,
		object ? "const bool %s = static_cast<bool>(%.*s);%s%.*s"
		       : "const bool %s = %.*s;%s%.*s",
		name, STR_ARG(cond), j->eol, STR_ARG(j->base));
}

/* Declarations in place of an if whose two arms keep nothing but their holes. */
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
	struct str tail = tail_text(j);
	struct sbuf all = {0};
	sbuf_addstr(&all, all_kept(j, tail));
	sbuf_addstr(&all, before);
	save_comments(j, n->begin, n->end, sbuf_str(&all));
	sbuf_reset(&all);
	sbuf_addstr(&all, sbuf_str(&j->lines));
	sbuf_addstr(&all, before);
	sbuf_addstr(&all, tail);
	own_edit(j, n->begin, n->end, sbuf_finish(&all, j->p->a));
}

/* ---- an if that stays ---- */

static void edit_arm(struct edit_job *j, size_t i, struct str tail)
{
	const struct arm_body *b = &j->h->body[i];
	struct piece *c = &j->piece[i];
	size_t n = arm_variables(j, i);
	struct span last = last_run(c);
	bool starts = last.begin == b->begin && !b->braced; /* nothing stands before it */
	const char *nl = arena_printf(j->p->a, "%s%.*s", j->eol, STR_ARG(c->indent));
	for (size_t r = 0; r < c->runs; r++) {
		if (i > 0) {
			save_comments(j, c->run[r].begin, c->run[r].end, tail);
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
		own_edit(j, from, last.end, assignments(j, i, starts ? "" : sep, sep));
		return;
	}
	/* an unbraced statement; in the fenced form braces come from the guard */
	struct str at = j->base;
	const char *deeper = arena_printf(j->p->a, "%s%.*s%s", j->eol, STR_ARG(at), j->step);
	if (n == 1 || (n > 1 && j->form == HOIST_FENCED)) {
		own_edit(j, last.begin, last.end, assignments(j, i, "", deeper));
	} else {
		struct str a = assignments(j, i, deeper, deeper);
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

/* Arms at the end of a chain that keep nothing go, with their comments saved. */
static void drop_arms(struct edit_job *j, size_t first, struct str tail)
{
	const struct merge *m = j->h->m;
	size_t begin = m->arm[first - 1].body->end;
	save_comments(j, begin, m->node->end, tail);
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
	save_comments(j, m->node->begin, to,
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

/* header: what asks for the condition is written here, too, and it stands in the if no more. */
static struct str declarations(struct edit_job *j, bool header)
{
	struct sbuf s = {0};
	if (header && j->snapshot && !j->given) {
		sbuf_adds(&s, snapshot(j, j->taken));
	}
	for (size_t k = 0; k < j->vars; k++) {
		add_declaration(&s, &j->var[k], false);
		sbuf_adds(&s, j->var[k].initial ? " = " : "");
		sbuf_adds(&s, j->var[k].initial ? j->var[k].initial : "");
		sbuf_addf(&s, ";%s%.*s", j->eol, STR_ARG(j->base));
	}
	return sbuf_finish(&s, j->p->a);
}

/* Behind the merge, and behind a comment that ends its line. */
static size_t place_behind(const struct edit_job *j, bool block)
{
	size_t end = j->h->m->node->end;
	return block ? end : text_behind_comments(j->t, end);
}

static void add_tail(struct edit_job *j, struct str tail, bool block)
{
	size_t at = place_behind(j, block);
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
	struct str tail = tail_text(j);
	edit_arms(j, all_kept(j, tail));
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

/* The guard writes everything but the bodies, so the tail's text comes last. */
static bool fenced(struct edit_job *j)
{
	if (!refuse_fenced(j)) {
		return false;
	}
	static const unsigned own[] = {
		HOIST_FORM, HOIST_TEXT, HOIST_LEAVES, HOIST_SHAPE, HOIST_SHAPE};
	struct guard_opts o = {.guard = GUARD_FENCE, .clause = own, .taken = j->taken};
	struct str tail = tail_text(j);
	struct str kept = all_kept(j, tail);
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
	find_variables(&j);
	for (size_t i = 0; i < h->m->arms; i++) {
		find_piece(&j, i);
	}
	bool ok = true;
	if (form == HOIST_FENCED) {
		ok = fenced(&j);
	} else {
		const struct kt_node *n = h->m->node;
		bool block = plan_needs_block(n);
		plain(&j, block);
		/* one statement for one needs no braces */
		flush(&j, block);
	}
	edit_list_release(&j.own);
	sbuf_release(&j.lines);
	return ok;
}
