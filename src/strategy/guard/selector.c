/*
 * The text of the selector, the variable that selects the arm. For two arms it is a bool, or the
 * source's own variable if the condition is one; otherwise the arm's number, as a chain of ?: or,
 * for nested ifs, as ifs.
 *
 *   const bool taken = i + 4 <= n;          int arm;
 *                                           if (a) {
 *   const int arm = a ? 0 : b ? 1 : 2;              arm = c ? 0 : d ? 1 : 2;
 *                                           } else {
 *                                                   arm = c ? 3 : d ? 4 : 5;
 *                                           }
 */
#include <string.h>
#include "strategy/guard/leaves.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

enum {
	WIDTH = 100,
	ON_ONE_LINE = 4 /* most arms of nested ifs on one line */
};

/* ---- names ---- */

/* Is there no other variable of that name in the function? */
static bool is_only_one(const struct plan *p, const struct merge *m, kt_id sym)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_sym *s = &u->sym[sym];
	const struct kt_fn *fn = &u->fn[m->fn];
	for (kt_id i = 1; i < u->syms; i++) {
		const struct kt_sym *o = &u->sym[i];
		bool here = o->fn == m->fn ||
			    (o->file == fn->file && o->at >= fn->begin && o->at < fn->body->end);
		bool same = o->file == s->file && o->at == s->at;
		if (here && !same && o->name && strcmp(o->name, s->name) == 0) {
			return false;
		}
	}
	return true;
}

bool guard_keeps_value(const struct plan *p, kt_id fn, kt_id sym, const struct fx *fx)
{
	struct facts *f = p->parse->facts;
	const struct kt_sym *s = &p->parse->unit->sym[sym];
	const struct kt_type *t = &p->parse->unit->type[s->type];
	struct locset own = {0};
	locset_add(&own, p->a, LOC_VAR(sym));
	bool number = t->kind == KT_T_BOOL || t->kind == KT_T_INT;
	bool kept = !(fx->flags & (FX_UNKNOWN | FX_ASM)) && !facts_sets_alias(f, &fx->writes, &own);
	return s->fn == fn && number && !t->is_volatile && !s->is_static &&
	       facts_is_private(f, LOC_VAR(sym)) && (t->is_const || kept);
}

const char *guard_plain_condition(
	const struct plan *p, const struct merge *m, const struct kt_node *cond, bool *negated)
{
	*negated = cond->kind == KT_UNARY && cond->op == KT_OP_LNOT;
	const struct kt_node *n = *negated ? cond->child[0] : cond;
	if (n->kind != KT_REF || !n->sym || cond->flags & KT_F_MACRO) {
		return NULL;
	}
	const char *name = p->parse->unit->sym[n->sym].name;
	struct fx fx = facts_effects(p->parse->facts, m->node);
	bool is = guard_keeps_value(p, m->fn, n->sym, &fx) &&
		  str_eq(plan_text(p, n->begin, n->end), str_of(name)) && is_only_one(p, m, n->sym);
	return is ? name : NULL;
}

struct selector guard_selector(const struct job *j, const char *value, bool own_value)
{
	struct plan *p = j->p;
	struct selector n = {.value = value, .own_value = own_value};
	n.flag = j->top->kind != MERGE_SWITCH && j->leaves.n == 2 && j->n_conds == 1;
	if (!n.flag) {
		n.name = plan_name(p, "arm");
		return n;
	}
	const char *own = guard_plain_condition(p, j->top, j->cond[0], &n.negated);
	n.own = own && j->opts->guard == GUARD_FENCE;
	bool plain = own && !n.negated; /* a variable for !last must not be called last */
	n.negated &= n.own;
	const char *const base[] = {
		plain ? arena_printf(p->a, "%s2", own) : "taken", "taken", NULL};
	n.name = n.own ? own : j->opts->taken ? j->opts->taken : plan_name_of(p, base);
	return n;
}

/* ---- the arm's number ---- */

struct selector_text {
	struct job *j;
	const char *name;
	const char *step;
	size_t leaf; /* the next one */
};

static struct str condition_text(const struct selector_text *x, const struct kt_node *c)
{
	return plan_text(x->j->p, c->begin, c->end);
}

/* As one expression. */
static void add_chain(struct selector_text *x, struct sbuf *out, const struct merge *m)
{
	if (m->kind == MERGE_SWITCH) {
		sbuf_addstr(out, sbuf_str(&x->j->selector));
		return;
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		const struct merge *inner = guard_sole_merge(x->j, arm);
		if (arm->cond) {
			sbuf_addf(out, kt_binds_loosely(arm->cond) ? "(%.*s) ? " : "%.*s ? ",
				STR_ARG(condition_text(x, arm->cond)));
		}
		if (inner) {
			sbuf_addc(out, '(');
			add_chain(x, out, inner);
			sbuf_addc(out, ')');
		} else {
			sbuf_addf(out, "%zu", x->leaf++);
		}
		sbuf_adds(out, arm->cond ? " : " : "");
	}
	sbuf_adds(out, m->has_else ? "" : "-1");
}

/* The width in columns of a line with nl's indentation. */
static size_t columns(const char *nl, struct str line)
{
	struct str indent = str_of(nl + strcspn(nl, "\n") + 1);
	return text_columns(indent) + text_columns(line);
}

/* Adds the head and the chain. If that is too long for one line, it breaks before the outermost
 * colons, and then inside parentheses, too. */
static void add_broken(struct selector_text *x, struct sbuf *out, const char *head, struct str s,
	const char *nl, int depth)
{
	struct sbuf line = {0};
	size_t longest = 0, begin = out->n;
	int at = 0;
	sbuf_adds(&line, head);
	for (size_t i = 0; i < s.n; i++) {
		at += s.p[i] == '(' ? 1 : s.p[i] == ')' ? -1 : 0;
		if (str_starts(str_sub(s, i, s.n), " : ") && at <= depth) {
			size_t n = columns(nl, sbuf_str(&line));
			longest = n > longest ? n : longest;
			sbuf_addf(out, "%s%s", sbuf_cstr(&line), nl);
			sbuf_reset(&line);
			for (int k = 0; k <= at; k++) {
				sbuf_adds(&line, x->step);
			}
			continue;
		}
		sbuf_addc(&line, s.p[i]);
	}
	size_t n = columns(nl, sbuf_str(&line));
	longest = n > longest ? n : longest;
	sbuf_addf(out, "%s;", sbuf_cstr(&line));
	sbuf_release(&line);
	if (longest >= WIDTH && depth < 2) {
		out->n = begin;
		add_broken(x, out, head, s, nl, depth + 1);
	}
}

static bool has_inner(const struct job *j, const struct merge *m)
{
	for (size_t i = 0; m->kind == MERGE_IF && i < m->arms; i++) {
		if (guard_sole_merge(j, &m->arm[i])) {
			return true;
		}
	}
	return false;
}

static void add_assignment(
	struct selector_text *x, struct sbuf *out, const struct merge *m, const char *nl)
{
	struct sbuf chain = {0};
	add_chain(x, &chain, m);
	const char *head = arena_printf(x->j->p->a, "%s = ", x->name);
	add_broken(x, out, head, sbuf_str(&chain), nl, -1);
	sbuf_release(&chain);
}

/* Adds ifs that assign the number. */
static void add_ladder(
	struct selector_text *x, struct sbuf *out, const struct merge *m, const char *nl)
{
	const char *deeper = arena_printf(x->j->p->a, "%s%s", nl, x->step);
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		const struct merge *inner = guard_sole_merge(x->j, arm);
		sbuf_adds(out, i ? " else " : "");
		if (arm->cond) {
			sbuf_addf(out, "if (%.*s) ", STR_ARG(condition_text(x, arm->cond)));
		}
		sbuf_addf(out, "{%s", deeper);
		if (!inner) {
			sbuf_addf(out, "%s = %zu;", x->name, x->leaf++);
		} else if (has_inner(x->j, inner)) {
			add_ladder(x, out, inner, deeper);
		} else {
			add_assignment(x, out, inner, deeper);
		}
		sbuf_addf(out, "%s}", nl);
	}
	if (!m->has_else) {
		sbuf_addf(out, " else {%s%s = -1;%s}", deeper, x->name, nl);
	}
}

static void add_number(struct job *j, struct sbuf *out, const struct selector *n, const char *nl)
{
	struct plan *p = j->p;
	bool fence = j->opts->guard == GUARD_FENCE;
	bool uniform = j->opts->guard == GUARD_LAUNDER_UNIFORM;
	struct selector_text x = {j, n->name, text_indent_step(p->text), 0};
	struct sbuf chain = {0};
	add_chain(&x, &chain, j->top);
	const char *type = fence ? "const int" : "int";
	const char *head = arena_printf(p->a, "%s %s = ", type, n->name);
	const char *value = plan_first_lane(p, uniform, sbuf_cstr(&chain));
	bool fits = columns(nl, str_of(head)) + strlen(value) + 1 < WIDTH && !strchr(value, '\n');
	bool nested = has_inner(j, j->top);
	if (fits && (!nested || j->leaves.n <= ON_ONE_LINE)) {
		sbuf_addf(out, "%s%s;", head, value);
		sbuf_release(&chain);
		return;
	}
	if (nested) {
		x.leaf = 0;
		sbuf_addf(out, "int %s;%s", n->name, nl);
		add_ladder(&x, out, j->top, nl);
	} else {
		add_broken(&x, out, head, sbuf_str(&chain), nl, -1);
	}
	const char *first = plan_first_lane(p, uniform, n->name);
	if (strcmp(first, n->name) != 0) {
		sbuf_addf(out, "%s%s = %s;", nl, n->name, first);
	}
	sbuf_release(&chain);
}

/* ---- a bool ---- */

/* Can the condition initialize a bool directly? Not a wide integer or a float. */
static bool is_bool(const struct kt_unit *u, const struct kt_node *c)
{
	if (c->kind == KT_REF && c->sym) {
		return u->type[u->sym[c->sym].type].kind == KT_T_BOOL;
	}
	return kt_type_of(u, c)->kind == KT_T_BOOL &&
	       ((c->kind == KT_UNARY && c->op == KT_OP_LNOT) ||
		       (c->kind == KT_BINARY && c->op >= KT_OP_LAND && c->op <= KT_OP_NE));
}

static void add_flag(struct job *j, struct sbuf *out, const struct selector *n)
{
	struct plan *p = j->p;
	const struct kt_node *cond = j->cond[0];
	struct str c = plan_text(p, cond->begin, cond->end);
	const char *text =
		arena_printf(p->a, kt_binds_loosely(cond) ? "(%.*s)" : "%.*s", STR_ARG(c));
	if (guard_is_object(p, cond)) {
		text = arena_printf(p->a, "static_cast<bool>(%.*s)", STR_ARG(c));
	} else if (j->opts->guard != GUARD_FENCE && !is_bool(p->parse->unit, cond)) {
		text = arena_printf(p->a, "%s ? 1 : 0", text);
	}
	if (j->opts->guard == GUARD_FENCE) {
		sbuf_addf(out, "const bool %s = %s;", n->name, text);
	} else {
		sbuf_addf(out, "int %s = %s;", n->name,
			plan_first_lane(p, j->opts->guard == GUARD_LAUNDER_UNIFORM, text));
	}
}

void guard_add_snapshot(struct job *j, struct sbuf *out, const struct selector *n, const char *nl)
{
	if (n->value && !n->own_value) {
		const struct kt_node *c = j->top->node->child[KT_SWITCH_COND];
		sbuf_addf(out, "const auto %s = %.*s;%s", n->value,
			STR_ARG(plan_text(j->p, c->begin, c->end)), nl);
	}
	if (n->own) {
		return;
	}
	if (n->flag) {
		add_flag(j, out, n);
	} else {
		add_number(j, out, n, nl);
	}
	sbuf_adds(out, nl);
}
