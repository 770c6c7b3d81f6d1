/*
 * Only one arm computes: the loop searches the next iteration that takes it, runs it, and searches
 * again. The code of the other iterations runs in the search.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/plan/names.h"
#include "strategy/split/job.h"
#include "strategy/text/text.h"

/* Is the variable's name a word in the loop's header or the if's condition? In the condition locals
 * are replaced by other text. */
static bool asked_for(struct split_job *j, kt_id sym)
{
	struct split *s = j->s;
	const char *name = s->u->sym[sym].name;
	const struct kt_node *inc = s->loop->kind == KT_FOR ? s->loop->child[KT_FOR_INC] : NULL;
	const struct kt_node *cond = split_local_of(s, sym) ? NULL : s->cond;
	const struct kt_node *part[] = {cond, s->loop_cond, inc};
	struct cut parens = split_if_parens(j);
	bool asked = plan_may_name(j->p, j->open, j->close, name) ||
		     (cond && plan_may_name(j->p, parens.begin, parens.end, name));

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]) && !asked; i++) {
		for (const struct kt_node *n = part[i]; n && !asked; n = kt_next(n, part[i])) {
			asked = n->kind == KT_REF && n->sym &&
				strcmp(s->u->sym[n->sym].name, name) == 0;
		}
	}
	array_each (&s->locals, const struct split_local, l) {
		const struct kt_node *init = l->var->child[0];
		asked |= plan_may_name(j->p, init->begin, init->end, name);
	}
	return asked;
}

/* Does the loop use another entity of this name? Inside the variable's scope, a copy of the loop's
 * body would mean the variable. */
static bool hides(struct split_job *j, kt_id sym)
{
	const struct kt_unit *u = j->s->u;
	const struct kt_node *loop = j->s->loop;
	const char *name = u->sym[sym].name;
	size_t at = u->sym[sym].at;
	bool found = plan_may_name(j->p, loop->begin, at, name);

	for (const struct kt_node *n = loop; n && !found; n = kt_next(n, loop)) {
		found = n->kind == KT_REF && n->sym && n->sym != sym &&
			strcmp(u->sym[n->sym].name, name) == 0;
	}
	return found;
}

bool split_declares_apart(struct split_job *j, const struct kt_node *d)
{
	struct split *s = j->s;
	bool apart = !kt_is_binding(s->u, d) && (d->kind != KT_DECL || d->n > 0);

	for (size_t k = 0; d->kind == KT_DECL && k < d->n && apart; k++) {
		const struct kt_sym *sym = &s->u->sym[d->child[k]->sym];
		const struct kt_type *type = kt_element_type(s->u, kt_object_type(s->u, sym->type));
		/* an object may have a destructor */
		apart = d->child[k]->kind == KT_VAR && type->kind != KT_T_RECORD &&
			!asked_for(j, d->child[k]->sym) && !hides(j, d->child[k]->sym);
	}
	return apart;
}

static bool block_is_apart(struct split_job *j, const struct kt_node *block)
{
	bool apart = true;

	for (size_t i = 0; block->kind == KT_COMPOUND && i < block->n && apart; i++) {
		apart = split_declares_apart(j, block->child[i]);
	}
	return apart;
}

/* Adds the body with its arm, indented one step more; in braces if later code must be outside of
 * them. */
static void add_body(struct split_job *j, struct sbuf *out, struct str deeper)
{
	bool other = j->s->seeks_else;
	struct str text = split_body(j, other);
	const struct kt_node *body = j->s->body;
	const struct kt_node *arm = j->iff->child[other ? KT_IF_ELSE : KT_IF_THEN];
	const struct kt_node *block = body == j->iff ? arm : body;
	bool opens = block->kind == KT_COMPOUND && block->n && text.n && text.p[0] == '{';

	if (opens && block_is_apart(j, block) && block_is_apart(j, arm)) {
		struct str inside = str_trim(str_sub(text, 1, text.n - 1));
		struct str from = text_indent(j->t, block->child[0]->begin);
		text_add_reindented(out, inside, from, deeper);
	} else {
		struct str from = body == j->iff ? text_indent(j->t, j->iff->begin) : j->base;
		text_add_reindented(out, text, from, deeper);
	}
}

/* Adds one statement for each operand of comma operators, if only commas are between them. */
static void add_step(struct split_job *j, struct sbuf *out, const struct kt_node *n, struct cut at,
	struct str indent)
{
	bool comma = n->kind == KT_BINARY && n->op == KT_OP_COMMA &&
		     !((n->flags | n->child[0]->flags | n->child[1]->flags) &
			     (KT_F_MACRO | KT_F_OPERATOR));
	struct str between = comma ? str_trim(str_sub(j->t, n->child[0]->end, n->child[1]->begin))
				   : (struct str){0};

	if (str_is(between, ",")) {
		add_step(j, out, n->child[0], (struct cut){at.begin, n->child[0]->end}, indent);
		add_step(j, out, n->child[1], (struct cut){n->child[1]->begin, at.end}, indent);
		return;
	}
	struct str text = split_piece(j, str_sub(j->t, at.begin, at.end));
	sbuf_addf(out, "%s%.*s%.*s;", j->eol, STR_ARG(indent), STR_ARG(text));
}

void split_add_steps(struct split_job *j, struct sbuf *out, struct str indent)
{
	if (j->inc.n) {
		size_t one = lex_find(j->t, j->open + 1, j->close, ';');
		size_t two = lex_find(j->t, one + 1, j->close, ';');
		add_step(j, out, j->s->loop->child[KT_FOR_INC], (struct cut){two + 1, j->close},
			indent);
	}
}

/* For a for with an empty body: adds while (...) { its step }. */
static bool add_empty_search(struct split_job *j, struct sbuf *out, struct str cond, bool other)
{
	struct str body = split_body(j, other);
	bool braces = body.n > 1 && body.p[0] == '{' && body.p[body.n - 1] == '}';

	if (!j->inc.n || !braces || str_trim(str_sub(body, 1, body.n - 1)).n) {
		return false;
	}
	sbuf_addf(out, "while (%.*s && %.*s) {", STR_ARG(split_loop_condition(j, true)),
		STR_ARG(cond));
	split_add_steps(j, out, j->deeper);
	sbuf_addf(out, "%s}", j->nl);
	return true;
}

static void add_search(struct split_job *j, struct sbuf *out, struct str init, size_t deeper)
{
	bool other = !j->s->seeks_else;
	struct str cond = split_condition(j, other);

	if (init.n || !add_empty_search(j, out, cond, other)) {
		split_add_loop(j, out, init, cond, other, deeper);
	}
}

void split_end_search(
	struct split_job *j, struct sbuf *out, struct sbuf *loop, struct sbuf *next, bool block)
{
	sbuf_addf(loop, "%s%.*s", j->eol, STR_ARG(j->deeper));
	text_add_reindented(loop, sbuf_str(next), j->base, j->deeper);
	sbuf_addf(loop, "%s}", j->nl);
	split_add_block(j, out, sbuf_str(loop), block);
	sbuf_release(loop);
	sbuf_release(next);
}

void split_write_search(struct split_job *j, struct sbuf *out)
{
	bool block = plan_needs_block(j->s->loop) || (j->moves && split_needs_scope(j));
	struct str cond = split_loop_condition(j, false), none = {0};
	struct sbuf b = {0}, next = {0};

	if (j->moves) {
		sbuf_addf(&b, "%.*s;%s", STR_ARG(j->init), j->nl);
	}
	add_search(j, &b, j->moves ? none : j->init, block);
	sbuf_addf(&b, "%swhile (%.*s) {%s%.*s", j->nl, STR_ARG(cond), j->eol, STR_ARG(j->deeper));
	add_body(j, &b, j->deeper);
	split_add_steps(j, &b, j->deeper);
	add_search(j, &next, none, 1 + (size_t)block);
	split_end_search(j, out, &b, &next, block);
}
