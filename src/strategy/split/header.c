/* The conditions and headers of the new loops. */
#include "strategy/split/job.h"

#include <string.h>
#include "base/msg.h"
#include "frontend/text/lex.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

/* ---- text helpers ---- */

/* A part of a header without its comments, which stand once above the loops. */
struct str split_piece(struct split_job *j, struct str s)
{
	struct sbuf b = {0};
	size_t from = 0;
	s = str_trim(s);
	if (!text_has_comment(s)) {
		return s;
	}
	lex_each (k, s, 0, s.n) {
		struct str gap = str_sub(s, from, k.begin);
		sbuf_addstr(&b, text_has_comment(gap) ? STR(" ") : gap);
		sbuf_addstr(&b, lex_text(s, k));
		from = k.end;
	}
	struct str all = sbuf_finish(&b, j->p->a);
	return str_trim(all);
}

void split_add_said_of(struct split_job *j, struct sbuf *out, size_t begin, size_t end)
{
	text_add_lines(out, plan_comments(j->p, begin, end), "", j->nl);
}

void split_add_said(struct split_job *j, struct sbuf *out)
{
	bool is_do = j->s->loop->kind == KT_DO;
	size_t begin = is_do ? j->keyword : j->open;

	split_add_said_of(j, out, begin, j->s->body->begin);
	if (is_do) {
		split_add_said_of(j, out, j->s->body->end, j->end);
	} else if (j->end > j->s->loop->end) {
		struct str last = str_trim(str_sub(j->t, j->s->loop->end, j->end));
		sbuf_addf(out, "%.*s%s", STR_ARG(last), j->nl);
	}
}

/* ---- conditions ---- */

static bool needs_parens(const struct kt_node *n)
{
	bool bits = n->op == KT_OP_AND || n->op == KT_OP_OR || n->op == KT_OP_XOR;
	bool loose = n->op == KT_OP_LOR || n->op == KT_OP_COMMA;
	return n->flags & (KT_F_MACRO | KT_F_OPERATOR) || kt_binds_loosely(n) ||
	       (n->kind == KT_BINARY && (bits || loose));
}

static bool is_atom(const struct kt_node *n)
{
	bool plain = n->kind == KT_REF || n->kind == KT_LITERAL || n->kind == KT_MEMBER ||
		     n->kind == KT_INDEX || n->kind == KT_CALL;
	return plain && !(n->flags & (KT_F_MACRO | KT_F_OPERATOR));
}

static void add_locals(struct split_job *j, struct edit_list *l, const struct kt_node *e, size_t at)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		const struct split_local *k =
			n->kind == KT_REF && n->sym ? split_local_of(j->s, n->sym) : NULL;
		if (!k) {
			continue;
		}
		const struct kt_node *init = k->var->child[0];
		struct edit_list inner = {0};
		struct sbuf b = {0};
		size_t clash[2];
		add_locals(j, &inner, init, init->begin);
		edit_list_check(&inner, init->end - init->begin, clash);
		sbuf_adds(&b, is_atom(init) ? "" : "(");
		edit_list_apply(&b, str_sub(j->t, init->begin, init->end), &inner);
		sbuf_adds(&b, is_atom(init) ? "" : ")");
		edit_list_add(l, j->p->a, n->begin - at, n->end - at, sbuf_str(&b));
		sbuf_release(&b);
		edit_list_release(&inner);
	}
}

struct cut split_if_parens(struct split_job *j)
{
	size_t open = lex_find(j->t, j->iff->begin, j->iff->end, '(');
	return (struct cut){open, lex_close(j->t, open)};
}

/* Can it follow a ! without parentheses? */
static bool is_plain_operand(const struct kt_node *c)
{
	const struct kt_node *n = c->child[0];
	return !(c->flags & (KT_F_MACRO | KT_F_OPERATOR)) && is_atom(n) && n->begin == c->begin + 1;
}

struct str split_condition(struct split_job *j, bool opposite)
{
	const struct kt_node *c = j->s->cond;
	struct cut at = split_if_parens(j);
	const struct split_local *local;
	at.begin = text_skip_blanks(j->t, at.begin + 1);
	while (c->kind == KT_REF && !(c->flags & KT_F_MACRO) &&
		(local = split_local_of(j->s, c->sym)) != NULL) {
		c = local->var->child[0];
		at = (struct cut){c->begin, c->end};
	}
	if (opposite && c->kind == KT_UNARY && c->op == KT_OP_LNOT && is_plain_operand(c)) {
		c = c->child[0];
		at = (struct cut){c->begin, c->end};
		opposite = false;
	}
	struct edit_list l = {0};
	struct sbuf b = {0};
	size_t clash[2], from, to;
	add_locals(j, &l, c, at.begin);
	const char *flip = opposite ? text_opposite(j->s->u, c) : NULL;
	bool flips = flip && text_find_operator(j->t, c, &from, &to);
	if (flips) {
		edit_list_add(&l, j->p->a, from - at.begin, to - at.begin, str_of(flip));
	}
	if (!edit_list_check(&l, at.end - at.begin, clash)) {
		BUG("split: the parts of a condition overlap");
	}
	bool negate = opposite && !flips;
	bool parens = negate ? !is_atom(c) : needs_parens(c);
	sbuf_adds(&b, negate ? "!" : "");
	sbuf_adds(&b, parens ? "(" : "");
	struct sbuf text = {0};
	edit_list_apply(&text, str_sub(j->t, at.begin, at.end), &l);
	sbuf_addstr(&b, split_piece(j, sbuf_str(&text)));
	sbuf_adds(&b, parens ? ")" : "");
	sbuf_release(&text);
	edit_list_release(&l);
	return sbuf_finish(&b, j->p->a);
}

struct str split_loop_condition(struct split_job *j, bool operand)
{
	size_t begin = j->open + 1, end = j->close;
	if (j->s->loop->kind == KT_FOR) {
		begin = lex_find(j->t, begin, end, ';') + 1;
		end = lex_find(j->t, begin, end, ';');
	}
	struct str s = split_piece(j, str_sub(j->t, begin, end));
	bool parens = operand && needs_parens(j->s->loop_cond);
	return parens ? str_of(arena_printf(j->p->a, "(%.*s)", STR_ARG(s))) : s;
}

/* ---- headers ---- */

void split_add_header(struct split_job *j, struct sbuf *out, struct str init, struct str cond,
	struct str more, size_t deeper)
{
	bool is_for = j->s->loop->kind == KT_FOR;
	const char *nl =
		arena_printf(j->p->a, "%s%.*s%s%s", j->eol, STR_ARG(j->base), j->step, j->step);
	const char *breaks[2] = {" ", nl};
	for (size_t i = 0; i < 2; i++) {
		const char *br = breaks[i];
		const char *amp = more.n ? arena_printf(j->p->a, " &&%s", br) : "";
		const char *test = init.n ? br : cond.n ? " " : "", *step = j->inc.n ? br : "";
		const char *line = is_for ? arena_printf(j->p->a, "for (%.*s;%s%.*s%s%.*s;%s%.*s)",
						    STR_ARG(init), test, STR_ARG(cond), amp,
						    STR_ARG(more), step, STR_ARG(j->inc))
					  : arena_printf(j->p->a, "while (%.*s%s%.*s)",
						    STR_ARG(cond), amp, STR_ARG(more));
		size_t width = text_columns(j->base) + strlen(line) +
			       deeper * text_columns(str_of(j->step));
		if (i == 1 || width <= LINE_MAX_COLUMNS) {
			sbuf_adds(out, line);
			return;
		}
	}
}

void split_add_pragmas(struct split_job *j, struct sbuf *out)
{
	struct str rest = str_sub(j->t, j->s->loop->begin, j->keyword);
	struct str line;
	while (rest.n && str_line(&rest, &line)) {
		line = str_trim(line);
		if (line.n) {
			sbuf_addf(out, "%.*s%s", STR_ARG(line), j->nl);
		}
	}
}

void split_find_header(struct split_job *j)
{
	const struct kt_node *loop = j->s->loop;
	struct lex_token k = lex_next(j->t, loop->begin);
	while (k.kind == LEX_DIRECTIVE) {
		k = lex_next(j->t, k.end);
	}
	j->keyword = k.begin;
	bool is_do = loop->kind == KT_DO;
	j->open = lex_find(j->t, is_do ? j->s->body->end : j->keyword, loop->end, '(');
	j->close = j->open == SIZE_MAX ? SIZE_MAX : lex_close(j->t, j->open);
	if (j->close == SIZE_MAX) {
		BUG("a loop without parentheses");
	}
	bool bare = j->s->body->kind != KT_COMPOUND && j->t.p[loop->end - 1] != '}';
	j->end = is_do	? lex_find(j->t, j->close + 1, j->t.n, ';') + 1
		 : bare ? text_after_comments(j->t, loop->end)
			: loop->end;
	if (loop->kind == KT_FOR) {
		size_t one = lex_find(j->t, j->open + 1, j->close, ';');
		size_t two = lex_find(j->t, one + 1, j->close, ';');
		j->init = split_piece(j, str_sub(j->t, j->open + 1, one));
		j->inc = split_piece(j, str_sub(j->t, two + 1, j->close));
	}
}
