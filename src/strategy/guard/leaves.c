/*
 * The alternatives of an if, else-if chain, switch or nest as text, and their selector.
 */
#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/guard/leaves.h"
#include "strategy/text/text.h"

const struct merge *guard_sole_merge(const struct job *j, const struct arm *arm)
{
	const struct plan *p = j->p;
	const struct guard_opts *o = j->opts;
	if (!o->flatten) {
		return NULL;
	}
	const struct kt_node *n = arm->body;
	if (n->kind == KT_COMPOUND) {
		n = n->n == 1 ? n->child[0] : NULL;
	}
	const struct merge *m = n && n->kind == KT_IF ? merge_at(&p->parse->merges, n) : NULL;
	bool header = m && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR];
	bool wide = header && (plan_is_wide(m) || (o->one_armed && m->arms == 1));
	return wide && !plan_in_macro(p, m) ? m : NULL;
}

static void statement_leaf(struct plan *p, struct leaf *l, const struct kt_node *body)
{
	struct str t = p->text;
	l->begin = body->begin;
	if (body->kind == KT_COMPOUND && t.p[body->begin] == '[') {
		size_t brace = lex_find(t, body->begin, body->end, '{');
		l->begin = brace == SIZE_MAX ? body->begin : brace;
		l->attr = str_trim(str_sub(t, body->begin, l->begin));
	}
	l->end = body->end;
	l->braced = body->kind == KT_COMPOUND && t.p[l->begin] == '{';
	l->own_line = l->braced && text_first_on_line(t, l->begin);
	l->indent = text_indent(
		p->text, l->braced && text_first_on_line(t, l->end - 1) ? l->end - 1 : l->begin);
	l->end = text_after_comments(t, l->end);
}

unsigned guard_clause(const struct plan *p, unsigned of_sequentialize)
{
	return p->guard_clause ? p->guard_clause[of_sequentialize - 1] : of_sequentialize;
}

bool guard_refuse_header(struct plan *p, const struct merge *m)
{
	if (m->kind == MERGE_COND) {
		plan_refuse(
			p, guard_clause(p, 1), "it is a conditional expression, not a statement");
		return false;
	}
	if (plan_in_macro(p, m) &&
		!plan_refuse(p, guard_clause(p, 2), "%s", plan_why_fixed(m, FROM_MACRO))) {
		return false;
	}
	const char *word = m->kind == MERGE_SWITCH ? "switch" : "if";
	if (!str_starts(str_sub(p->text, m->node->begin, m->node->end), word) &&
		!plan_refuse(p, guard_clause(p, 2), "an attribute or a pragma stands before it")) {
		return false;
	}
	if (facts_effects(p->parse->facts, m->node).flags & FX_LABEL &&
		!plan_refuse(p, guard_clause(p, 3), "an arm holds a label that can be jumped to")) {
		return false;
	}
	for (size_t i = 1; m->kind == MERGE_IF && i < m->arms; i++) {
		const struct kt_node *owner = m->arm[i].owner;
		if (owner != m->node && (owner->child[KT_IF_INIT] || owner->child[KT_IF_VAR])) {
			return plan_refuse(p, guard_clause(p, 4),
				"a later condition of the chain declares a variable");
		}
	}
	return true;
}

static bool has_inner_break(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n;) {
		if (n->kind == KT_BREAK) {
			return true;
		}
		bool absorbs = kt_is_loop(n->kind) || n->kind == KT_SWITCH;
		n = absorbs ? kt_skip(n, root) : kt_next(n, root);
	}
	return false;
}

/* The text of the break that ends a compound; its whole line if nothing else is on it. */
static void drop_break(struct str t, const struct kt_node *final, struct leaf *l)
{
	size_t b = final->begin, e = final->end;
	bool first = text_first_on_line(t, b);
	while (b > 0 && (t.p[b - 1] == ' ' || t.p[b - 1] == '\t')) {
		b--;
	}
	size_t next = text_skip_blanks(t, e);
	bool last = next >= t.n || t.p[next] == '\n' || t.p[next] == '\r';
	if (first && last && b > 0) {
		b -= b > 1 && t.p[b - 2] == '\r' ? 2 : 1;
	} else if (first) {
		b = final->begin;
		e = next;
	}
	l->drop_begin = b;
	l->drop_end = e;
}

/* A variable of one arm that another arm uses: legal in a switch, not in separate blocks. */
static const char *shared_variable(const struct plan *p, const struct merge *m)
{
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	for (size_t i = 0; i < m->arms; i++) {
		for (size_t k = m->arm[i].first; k < m->arm[i].last; k++) {
			const struct kt_node *d = kt_past_labels(body->child[k]);
			for (size_t v = 0; d && d->kind == KT_DECL && v < d->n; v++) {
				size_t at = m->arm[i].last;
				for (; at < body->n; at++) {
					if (kt_mentions(body->child[at], d->child[v]->sym)) {
						return p->parse->unit->sym[d->child[v]->sym].name;
					}
				}
			}
		}
	}
	return NULL;
}

/* A case inside a block of an arm: control enters the block there. */
static bool has_inner_case(const struct kt_node *body)
{
	for (const struct kt_node *n = body; n;) {
		bool label = n->kind == KT_CASE || n->kind == KT_DEFAULT;
		if (label && n->parent != body && n->parent->kind != KT_CASE &&
			n->parent->kind != KT_DEFAULT) {
			return true;
		}
		n = n->kind == KT_SWITCH ? kt_skip(n, body) : kt_next(n, body);
	}
	return false;
}

/* The statements of a switch arm without its final break. */
static bool switch_leaf(struct job *j, const struct merge *m, const struct arm *arm)
{
	struct plan *p = j->p;
	struct leaf l = {.arm = arm, .merge = m};
	const struct kt_node *first = kt_past_labels(arm->body->child[arm->first]);
	size_t last = arm->last;
	const struct kt_node *tail = last - 1 == arm->first ? first : arm->body->child[last - 1];
	if (tail && tail->kind == KT_BREAK) {
		last--;
		if (last == arm->first) {
			return true; /* case 3: break; */
		}
		tail = last - 1 == arm->first ? first : arm->body->child[last - 1];
	}
	if (!first || !tail || (tail->kind == KT_EMPTY && tail == first)) {
		return true;
	}
	for (size_t i = arm->first; i < last; i++) {
		const struct kt_node *n = i == arm->first ? first : arm->body->child[i];
		bool block = n->kind == KT_COMPOUND && n->n && !(n->flags & KT_F_MACRO);
		const struct kt_node *final = block ? n->child[n->n - 1] : NULL;
		bool ends = n == tail && first == tail && final && final->kind == KT_BREAK;
		for (size_t k = 0; ends && k + 1 < n->n; k++) {
			if (has_inner_break(n->child[k]) &&
				!plan_refuse(p, guard_clause(p, 5),
					"an arm leaves the switch in its middle")) {
				return false;
			}
		}
		if (ends) {
			drop_break(p->text, final, &l);
		} else if (has_inner_break(n) &&
			   !plan_refuse(p, guard_clause(p, 5),
				   "an arm leaves the switch in its middle")) {
			return false;
		}
	}
	/* comments before the break or brace that ends the arm are the arm's */
	size_t stop = last < arm->last		  ? arm->body->child[last]->begin
		      : arm->last == arm->body->n ? arm->body->end - 1
						  : 0;
	if (first == tail) {
		size_t db = l.drop_begin, de = l.drop_end;
		statement_leaf(p, &l, first);
		l.drop_begin = db;
		l.drop_end = de;
	} else {
		l.begin = first->begin;
		l.end = text_after_comments(p->text, tail->end);
		l.indent = text_indent(p->text, first->begin);
		if (!text_first_on_line(p->text, first->begin)) {
			l.indent = text_indent(p->text, tail->begin);
		}
	}
	while (!l.braced && stop > l.end && isspace((unsigned char)p->text.p[stop - 1])) {
		stop--;
	}
	l.end = !l.braced && stop > l.end ? stop : l.end;
	array_push(&j->leaves, l);
	return true;
}

static bool collect_arm(struct job *j, const struct merge *m, const struct arm *arm)
{
	const struct merge *inner = guard_sole_merge(j, arm);
	if (inner) {
		return guard_refuse_header(j->p, inner) && guard_collect(j, inner);
	}
	struct leaf l = {.arm = arm, .merge = m};
	statement_leaf(j->p, &l, arm->body);
	array_push(&j->leaves, l);
	return true;
}

bool guard_collect(struct job *j, const struct merge *m)
{
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		if (arm->cond) {
			if (j->n_conds == sizeof(j->cond) / sizeof(j->cond[0])) {
				plan_refuse(j->p, guard_clause(j->p, 1),
					"it has more than 64 conditions");
				return false;
			}
			j->cond[j->n_conds++] = arm->cond;
		}
		if (!collect_arm(j, m, arm)) {
			return false;
		}
	}
	j->partial |= !m->has_else;
	return true;
}

static void add_comparison(const struct plan *p, struct sbuf *out, const char *value,
	const char *op, const struct kt_node *with)
{
	struct str s = plan_text(p, with->begin, with->end);
	bool simple = with->kind == KT_LITERAL || with->kind == KT_REF || with->kind == KT_UNARY;
	sbuf_addf(out, simple ? "%s %s %.*s" : "%s %s (%.*s)", value, op, STR_ARG(s));
}

static void add_label_test(const struct plan *p, struct sbuf *out, const struct kt_node *label,
	const char *value, bool others)
{
	const struct kt_node *v = label->child[KT_CASE_VALUE];
	const struct kt_node *high = label->child[KT_CASE_HIGH];
	if (!high) {
		add_comparison(p, out, value, others ? "!=" : "==", v);
		return;
	}
	sbuf_addc(out, '(');
	add_comparison(p, out, value, others ? "<" : ">=", v);
	sbuf_adds(out, others ? " || " : " && ");
	add_comparison(p, out, value, others ? ">" : "<=", high);
	sbuf_addc(out, ')');
}

void guard_add_labels(const struct plan *p, struct sbuf *out, const struct arm *arm,
	const char *value, bool others)
{
	for (size_t k = 0; k < arm->labels; k++) {
		sbuf_adds(out, !k ? "" : others ? " && " : " || ");
		add_label_test(p, out, arm->label[k], value, others);
	}
}

bool guard_is_object(const struct plan *p, const struct kt_node *cond)
{
	const struct kt_node *from = cond->kind == KT_CALL && cond->n ? cond->child[0] : NULL;
	return kt_object_type(p->parse->unit, cond->type)->kind == KT_T_RECORD ||
	       (from && cond->flags & KT_F_METHOD && from->begin == cond->begin &&
		       from->end == cond->end);
}

/* Does an operator function compare values of this enumeration? A switch would not call it. */
static bool has_own_comparison(const struct kt_unit *u, const struct kt_type *t)
{
	for (kt_id i = 1; t->kind == KT_T_INT && i < u->fns; i++) {
		const struct kt_fn *f = &u->fn[i];
		bool compares = f->name && str_starts(str_of(f->name), "operator") &&
				strcspn(f->name, "=!<>") == strlen("operator");
		bool own = false;
		for (size_t k = 0; k < f->params && compares; k++) {
			const struct kt_type *of = kt_object_type(u, u->sym[f->param[k]].type);
			compares = of->kind == KT_T_INT;
			own |= str_eq(kt_type_bare(of, true), kt_type_bare(t, true));
		}
		if (compares && own) {
			return true;
		}
	}
	return false;
}

static void add_leaf_number(struct job *j, size_t leaf)
{
	if (leaf == SIZE_MAX) {
		sbuf_adds(&j->selector, "-1");
	} else {
		sbuf_addf(&j->selector, "%zu", leaf);
	}
}

/* Adds the test for an arm's labels. The default needs none, nor does an arm that is as empty as
 * the default. */
static void add_arm_test(
	struct job *j, const struct arm *arm, size_t leaf, const char *value, size_t fallback)
{
	if (arm->is_default || leaf == fallback) {
		return;
	}
	guard_add_labels(j->p, &j->selector, arm, value, false);
	sbuf_adds(&j->selector, " ? ");
	add_leaf_number(j, leaf);
	sbuf_adds(&j->selector, " : ");
	j->partial |= leaf == SIZE_MAX;
}

bool guard_collect_switch(struct job *j, const struct merge *m, const char *value)
{
	struct plan *p = j->p;
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	if (m->fallthrough && !plan_refuse(p, guard_clause(p, 5),
				      "an arm of the switch falls through into the next")) {
		return false;
	}
	bool arms = body->kind == KT_COMPOUND && body->n && m->arms;
	if ((!arms || m->arm[0].first != 0) &&
		!(plan_refuse(p, guard_clause(p, 5), "a statement stands before the first case") &&
			arms)) {
		return false;
	}
	if (has_inner_case(body) &&
		!plan_refuse(p, guard_clause(p, 5), "a case stands inside a block of an arm")) {
		return false;
	}
	if (guard_is_object(p, m->node->child[KT_SWITCH_COND]) &&
		!plan_refuse(p, guard_clause(p, 5),
			"its value is an object that is converted when compared")) {
		return false;
	}
	const struct kt_node *operand = m->node->child[KT_SWITCH_COND];
	while (operand->kind == KT_CAST && operand->flags & KT_F_IMPLICIT) {
		operand = operand->child[0];
	}
	if (has_own_comparison(p->parse->unit, kt_object_type(p->parse->unit, operand->type)) &&
		!plan_refuse(p, guard_clause(p, 5),
			"an operator function compares values of the operand's type")) {
		return false;
	}
	const char *shared = shared_variable(p, m);
	if (shared && !plan_refuse(p, guard_clause(p, 5),
			      "'%s' is declared in one arm and used in a later one", shared)) {
		return false;
	}
	size_t *leaf =
		ARENA_ARRAY(p->a, size_t, m->arms); /* index per arm; SIZE_MAX: an empty arm */
	size_t fallback = SIZE_MAX;
	for (size_t i = 0; i < m->arms; i++) {
		size_t before = j->leaves.n;
		if (!switch_leaf(j, m, &m->arm[i])) {
			return false;
		}
		leaf[i] = j->leaves.n == before ? SIZE_MAX : before;
		fallback = m->arm[i].is_default ? leaf[i] : fallback;
	}
	for (size_t i = 0; i < m->arms; i++) {
		add_arm_test(j, &m->arm[i], leaf[i], value, fallback);
	}
	j->partial |= fallback == SIZE_MAX;
	add_leaf_number(j, fallback);
	return true;
}
