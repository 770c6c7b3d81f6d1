/* The new loops of a split: two loops, or loops in runs. The search is in search.c and found.c. */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/split/job.h"
#include "strategy/text/text.h"

static bool is_plain_ref(const struct kt_node *n, kt_id sym)
{
	return n->kind == KT_REF && n->sym && !(n->flags & KT_F_MACRO) && (!sym || n->sym == sym);
}

/* E, if the condition is `i < E` or `i >= E` for the loop's variable; else NULL. */
static const struct kt_node *border(const struct kt_node *c, kt_id var)
{
	if (c->kind != KT_BINARY || c->flags & KT_F_MACRO) {
		return NULL;
	}
	if (c->op == KT_OP_LT || c->op == KT_OP_GE) {
		return is_plain_ref(c->child[0], var) ? c->child[1] : NULL;
	}
	bool turned = c->op == KT_OP_GT || c->op == KT_OP_LE;
	return turned && is_plain_ref(c->child[1], var) ? c->child[0] : NULL;
}

/* Is the header like `for (int i = 0; i < n; ++i)`, which counts by one? */
static bool counts_by_one(const struct split *s, const struct kt_node *v)
{
	const struct kt_node *c = s->loop_cond, *inc = s->loop->child[KT_FOR_INC];
	bool up = inc->kind == KT_UNARY && (inc->op == KT_OP_PREINC || inc->op == KT_OP_POSTINC) &&
		  is_plain_ref(inc->child[0], v->sym);
	bool below = c->kind == KT_BINARY && (c->op == KT_OP_LT || c->op == KT_OP_LE) &&
		     is_plain_ref(c->child[0], v->sym);
	const struct kt_node *first = v->kind == KT_VAR && v->n == 1 ? v->child[0] : NULL;
	bool known = first && first->flags & KT_F_VALUE &&
		     (first->kind == KT_LITERAL || first->kind == KT_REF) &&
		     !((v->flags | first->flags | c->flags | inc->flags) & KT_F_MACRO);
	return up && below && known && s->u->type[v->type].kind == KT_T_INT;
}

/* If the condition is `i < E` with a variable E that the loop does not change, the second loop can
 * declare its own variable, starting at E or at i's first value, whichever is larger. The first
 * loop ends there, or at the common bound. Empty: another condition. */
static struct str second_init(struct split_job *j)
{
	struct split *s = j->s;
	const struct kt_node *init = s->loop->child[KT_FOR_INIT];
	const struct kt_node *v = init->n == 1 ? init->child[0] : NULL;
	const struct kt_node *e = v && counts_by_one(s, v) ? border(s->cond, v->sym) : NULL;
	const struct kt_sym *sym = e && is_plain_ref(e, 0) ? &s->u->sym[e->sym] : NULL;
	bool outer = sym && (sym->kind == KT_S_PARAM ||
				    (sym->kind == KT_S_LOCAL && sym->at < s->loop->begin));
	if (!outer || split_local_of(s, e->sym) ||
		!str_eq(kt_type_bare(&s->u->type[sym->type], true),
			kt_type_bare(&s->u->type[v->type], true)) ||
		strcmp(sym->name, s->u->sym[v->sym].name) == 0) {
		return (struct str){0};
	}
	size_t begin = text_skip_blanks(j->t, j->open + 1);
	size_t end = lex_find(j->t, begin, j->close, ';');
	const struct kt_node *first = v->child[0];
	struct str from = str_sub(j->t, first->begin, first->end);
	bool least = s->u->type[v->type].is_unsigned && first->value == 0;
	const char *more = least ? ""
				 : arena_printf(j->p->a, " > %.*s ? %s : %.*s", STR_ARG(from),
					   sym->name, STR_ARG(from));
	return split_piece(j, str_of(arena_printf(j->p->a, "%.*s%s%s%.*s",
				      STR_ARG(str_sub(j->t, begin, first->begin)), sym->name, more,
				      STR_ARG(str_sub(j->t, first->end, end)))));
}

static void write_once(struct split_job *j, struct sbuf *out, bool falls)
{
	bool scope = j->moves && split_needs_scope(j);
	struct str second = scope ? second_init(j) : (struct str){0};
	bool moves = j->moves && !second.n;
	bool block = plan_needs_block(j->s->loop) || (scope && moves);
	struct sbuf b = {0};
	if (moves) {
		sbuf_addf(&b, "%.*s;%s", STR_ARG(j->init), j->nl);
	}
	struct str first = split_condition(j, !falls);
	split_add_loop(j, &b, moves ? (struct str){0} : j->init, first, !falls, block);
	sbuf_adds(&b, j->nl);
	split_add_loop(j, &b, second, (struct str){0}, falls, block);
	split_add_block(j, out, sbuf_str(&b), block);
	sbuf_release(&b);
}

static void write_runs(struct split_job *j, struct sbuf *out)
{
	struct str cond = split_loop_condition(j, false);
	struct str none = {0};
	struct sbuf b = {0};
	if (j->s->loop->kind == KT_FOR) {
		sbuf_addf(out, "for (%.*s; %.*s;) {", STR_ARG(j->init), STR_ARG(cond));
	} else {
		sbuf_addf(out, "while (%.*s) {", STR_ARG(cond));
	}
	sbuf_addf(out, "%s%.*s", j->eol, STR_ARG(j->deeper));
	split_add_loop(j, &b, none, split_condition(j, false), false, 1);
	sbuf_adds(&b, j->nl);
	split_add_loop(j, &b, none, split_condition(j, true), true, 1);
	text_add_reindented(out, sbuf_str(&b), j->base, j->deeper);
	sbuf_addf(out, "%s}", j->nl);
	sbuf_release(&b);
}

void split_edit(struct split *s, enum split_change change)
{
	struct plan *p = s->p;
	struct split_job j = {.s = s,
		.p = p,
		.t = p->text,
		.iff = s->m->node,
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text)};
	struct sbuf b = {0};
	size_t begin = s->loop->begin;
	split_find_header(&j);
	j.base = text_indent(p->text, j.keyword);
	j.deeper = str_of(arena_printf(p->a, "%.*s%s", STR_ARG(j.base), j.step));
	j.nl = arena_printf(p->a, "%s%.*s", j.eol, STR_ARG(j.base));
	j.moves = s->loop->kind == KT_FOR && s->loop->child[KT_FOR_INIT] &&
		  s->loop->child[KT_FOR_INIT]->kind == KT_DECL;
	if (begin < j.keyword) {
		/* a pragma has its own line, perhaps with another indentation */
		begin = text_line_start(p->text, begin);
		sbuf_addstr(&b, j.base);
	}
	split_add_said(&j, &b);
	if (s->form == SPLIT_RUNS) {
		write_runs(&j, &b);
	} else if (s->form == SPLIT_COUNTED) {
		split_write_counted(&j, &b);
	} else if (s->form == SPLIT_SEARCH && s->found) {
		split_write_found(&j, &b);
	} else if (s->form == SPLIT_SEARCH) {
		split_write_search(&j, &b);
	} else {
		write_once(&j, &b, change == SPLIT_FALLS);
	}
	plan_edit(p, begin, j.end, "%s", sbuf_cstr(&b));
	sbuf_release(&b);
}
