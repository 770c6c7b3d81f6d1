#include "strategy/plan/select.h"

#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100,
	OPERAND_MAX = 60 /* longest operand, in bytes, that is always kept on one line */
};

/* ---- arms with equal text ---- */

void select_clear(struct select *c, size_t arms)
{
	c->v = ARENA_ARRAY(c->p->a, struct select_case, arms);
	c->n = 0;
}

static void add_test(const struct select *c, struct select_case *g, size_t arm)
{
	if (c->flag) {
		g->test = str_of(arena_printf(
			c->p->a, "%s%s", (arm != 0) != c->negated ? "!" : "", c->name));
		return;
	}
	const char *before = g->test.n ? arena_printf(c->p->a, "%.*s || ", STR_ARG(g->test)) : "";
	g->test = str_of(arena_printf(c->p->a, "%s%s == %zu", before, c->name, arm));
}

void select_add(struct select *c, size_t arm, struct str text, struct match_arm part)
{
	struct select_case *g = NULL;
	for (size_t k = 0; k < c->n && !g; k++) {
		g = str_eq(c->v[k].text, text) ? &c->v[k] : NULL;
	}
	if (!g) {
		g = &c->v[c->n++];
		*g = (struct select_case){.text = text, .part = part};
	}
	add_test(c, g, arm);
	g->arms++;
}

/* The case with the most arms (the last such case) goes last: it needs no test. */
void select_sort(struct select *c)
{
	size_t widest = 0;
	if (c->n < 2 || c->flag) {
		return;
	}
	for (size_t g = 0; g < c->n; g++) {
		widest = c->v[g].arms >= c->v[widest].arms ? g : widest;
	}
	struct select_case w = c->v[widest];
	memmove(c->v + widest, c->v + widest + 1, (c->n - widest - 1) * sizeof(*c->v));
	c->v[c->n - 1] = w;
}

/* ---- an operand ---- */

bool select_needs_parens(struct str t, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (n->flags & KT_F_ARGUMENT) {
		return true; /* the code around it in the macro is unknown */
	}
	size_t before = n->begin;
	while (before > 0 && isspace((unsigned char)t.p[before - 1])) {
		before--;
	}
	size_t after = n->end;
	while (after < t.n && isspace((unsigned char)t.p[after])) {
		after++;
	}
	if (before > 0 && t.p[before - 1] == '(' && after < t.n && t.p[after] == ')') {
		return false;
	}
	switch (up->kind) {
	case KT_VAR:
	case KT_CONSTRUCT:
	case KT_INIT_LIST:
	case KT_RETURN:
		return false;
	case KT_CALL:
		return up->flags & KT_F_OPERATOR || (up->flags & KT_F_METHOD && n->slot == 0);
	case KT_ASSIGN:
	case KT_INDEX:
		return n->slot == 0;
	default:
		return !kt_is_stmt(up->kind);
	}
}

static struct str side_text(const struct select *c, const struct select_case *g, struct str to)
{
	struct sbuf s = {0};
	const struct kt_node *n = g->part.stmt[0];
	bool loose = kt_binds_loosely(n) && n->kind != KT_COND && n->kind != KT_EXPR_UNKNOWN;
	sbuf_adds(&s, loose ? "(" : "");
	text_add_reindented(&s, g->text, text_indent(c->p->text, n->begin), to);
	sbuf_adds(&s, loose ? ")" : "");
	return sbuf_finish(&s, c->p->a);
}

/* A line end and the indentation for the continuation of n's statement. */
static const char *continuation(const struct select *c, const struct kt_node *n)
{
	return arena_printf(c->p->a, "%s%.*s%s", text_eol(c->p->text),
		STR_ARG(text_indent(c->p->text, n->begin)), text_indent_step(c->p->text));
}

static struct str all_sides(const struct select *c, struct str indent, const char *nl)
{
	struct sbuf s = {0};
	for (size_t g = 0; g < c->n; g++) {
		struct str text = side_text(c, &c->v[g], indent);
		bool last = g + 1 == c->n;
		if (!last) {
			sbuf_addstr(&s, c->v[g].test);
			sbuf_addf(&s, "%s? %.*s%s: ", g ? " " : nl, STR_ARG(text), nl);
		} else {
			sbuf_addstr(&s, text);
		}
	}
	return sbuf_finish(&s, c->p->a);
}

/* The width of the line at the end of s, with text and the rest of n's line appended. */
static size_t line_columns(
	const struct select *c, const struct sbuf *s, struct str text, const struct kt_node *n)
{
	size_t from = s->n;
	while (from > 0 && s->p[from - 1] != '\n') {
		from--;
	}
	size_t end = str_find(c->p->text, "\n", n->end);
	struct str rest = str_sub(c->p->text, n->end, end == SIZE_MAX ? c->p->text.n : end);
	struct sbuf line = {0};
	struct str begin = str_sub(sbuf_str(s), from, s->n);
	/* s has no indentation before arm 0's first statement */
	bool moved = from && str_eq(str_sub(begin, 0, c->from.n), c->from);
	if (!from || moved) {
		sbuf_addstr(&line, c->to);
		begin = moved ? str_sub(begin, c->from.n, begin.n) : begin;
	}
	sbuf_addstr(&line, begin);
	sbuf_addstr(&line, text);
	sbuf_addstr(&line, rest);
	size_t columns = text_columns(sbuf_str(&line));
	sbuf_release(&line);
	return columns;
}

/* The limit of a line: at least the present length of n's line. */
static size_t columns_max(const struct select *c, const struct kt_node *n)
{
	struct str t = c->p->text;
	size_t begin = text_line_start(t, n->begin), end = str_find(t, "\n", n->begin);
	size_t own = text_columns(str_sub(t, begin, end == SIZE_MAX ? t.n : end));
	return own > LINE_MAX_COLUMNS ? own : LINE_MAX_COLUMNS;
}

/* Starts a new line before an argument if the rest fits on it. */
static bool break_before(struct sbuf *s, const struct select *c, struct str text,
	const struct kt_node *n, size_t more)
{
	const struct kt_node *up = n->parent;
	bool argument =
		(up->kind == KT_CALL || up->kind == KT_CONSTRUCT) && !(up->flags & KT_F_OPERATOR);
	struct str before = sbuf_str(s);
	while (before.n > 0 && isspace((unsigned char)before.p[before.n - 1])) {
		before.n--;
	}
	if (!argument || before.n == 0 || !strchr(",(", before.p[before.n - 1])) {
		return false;
	}
	struct sbuf line = {0};
	sbuf_addstr(&line, before);
	sbuf_adds(&line, continuation(c, n));
	bool fits = line_columns(c, &line, text, n) + more <= columns_max(c, n);
	if (fits) {
		sbuf_reset(s);
		sbuf_addstr(s, sbuf_str(&line));
	}
	sbuf_release(&line);
	return fits;
}

/* Is n an operand of an operator, not a whole assigned, returned or passed value? */
static bool is_operand(const struct kt_node *n)
{
	switch (n->parent->kind) {
	case KT_BINARY:
	case KT_UNARY:
	case KT_CAST:
	case KT_INDEX:
	case KT_MEMBER:
		return true;
	default:
		return false;
	}
}

void select_write(struct sbuf *s, const struct select *c, const struct kt_node *n)
{
	struct str indent = text_indent(c->p->text, n->begin);
	bool parens = select_needs_parens(c->p->text, n);
	struct str text = all_sides(c, indent, " ");
	bool lines = text_has_newline(text, 0, text.n);
	bool small = c->n == 2 && is_operand(n) && text.n <= OPERAND_MAX;
	if (lines || (!small && line_columns(c, s, text, n) + 2 * parens > columns_max(c, n) &&
			     !break_before(s, c, text, n, 2 * parens))) {
		text = all_sides(c, indent, continuation(c, n));
	}
	bool word = s->n && lex_is_word_char(s->p[s->n - 1]);
	sbuf_addf(s, parens ? "%s(%.*s)" : "%s%.*s", word ? " " : "", STR_ARG(text));
}
