#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/plan/plan.h"
#include "strategy/text/text.h"

/* Code that replaces a pragma at column 0 gets the indentation of the pragma's statement. */
static void indent_first(struct sbuf *s, struct str t, size_t begin)
{
	bool flush = begin < t.n && t.p[begin] == '#' && text_line_start(t, begin) == begin;
	if (flush && s->n > 0 && !strchr("# \t\r\n", s->p[0])) {
		struct sbuf own = {0};
		sbuf_addstr(&own, text_code_indent(t, begin));
		sbuf_addstr(&own, sbuf_str(s));
		sbuf_reset(s);
		sbuf_addstr(s, sbuf_str(&own));
		sbuf_release(&own);
	}
}

void plan_edit(struct plan *p, size_t begin, size_t end, const char *fmt, ...)
{
	struct sbuf s = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf(&s, fmt, ap);
	va_end(ap);
	if (begin > 0 && s.n > 0 && s.p[0] == '#' && text_first_on_line(p->text, begin) &&
		text_pragma_is_flush(p->text, sbuf_str(&s))) {
		begin = text_line_start(p->text, begin);
	}
	text_flush_pragmas(&s, p->text);
	indent_first(&s, p->text, begin);
	struct str old = str_sub(p->text, begin, end);
	if (!str_eq(old, sbuf_str(&s))) {
		edit_list_add(&p->out->edits, p->a, begin, end, sbuf_str(&s));
	}
	sbuf_release(&s);
}

struct str plan_text(const struct plan *p, size_t begin, size_t end)
{
	return str_sub(p->text, begin, end);
}

/* Adds a comment's lines without the indentation of its first line. */
static void add_comment(struct sbuf *out, const struct plan *p, struct str c, size_t at)
{
	struct str indent = text_indent(p->text, at);
	struct str line;
	for (bool first = true; c.n && str_line(&c, &line); first = false) {
		if (!first && str_eq(str_sub(line, 0, indent.n), indent)) {
			line = str_sub(line, indent.n, line.n);
		}
		if (out->n) {
			sbuf_adds(out, text_eol(p->text));
		}
		sbuf_addstr(out, line);
	}
}

struct str plan_comments(const struct plan *p, size_t begin, size_t end)
{
	struct str t = str_sub(p->text, 0, end);
	struct sbuf out = {0};
	for (size_t i = begin; i < t.n;) {
		/* only white space and comments are between two tokens */
		size_t token = lex_skip_space(t, i);
		while (i < token) {
			if (!text_comment_at(t, i)) {
				i++;
				continue;
			}
			size_t e = text_end_of_comment(t, i);
			add_comment(&out, p, str_trim(str_sub(t, i, e)), i);
			i = e;
		}
		i = lex_next(t, i).end;
	}
	return sbuf_finish(&out, p->a);
}

bool plan_needs_block(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || up->kind != KT_COMPOUND) {
		return true;
	}
	return up->parent && up->parent->kind == KT_SWITCH;
}

static bool is_named_before(const struct plan *p, const struct kt_node *n, kt_id sym)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_node *owner = n->parent->parent;
	const struct kt_fn *fn = &u->fn[p->merge->fn];
	size_t begin = owner ? owner->begin : fn->begin;
	const char *name = u->sym[sym].name;
	for (kt_id i = 1; i < u->syms; i++) {
		/* a macro may have the word */
		const struct kt_sym *s = &u->sym[i];
		if (s->fn == p->merge->fn && s->at >= begin && s->at < n->begin && s->name &&
			strcmp(s->name, name) == 0) {
			return true;
		}
	}
	return !*name || lex_has_word(p->text, begin, n->begin, str_of(name));
}

bool plan_may_declare(const struct plan *p, const struct kt_node *n, const struct kt_node *d)
{
	if (kt_is_binding(p->parse->unit, d) || (d->kind == KT_DECL && d->n == 0)) {
		return false;
	}
	bool named = d->kind == KT_VAR && is_named_before(p, n, d->sym);
	for (size_t i = 0; d->kind == KT_DECL && i < d->n && !named; i++) {
		named = is_named_before(p, n, d->child[i]->sym);
	}
	return !named;
}

bool plan_in_edit(const struct plan *p, size_t at)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin <= at && at < e->end) {
			return true;
		}
	}
	return false;
}

bool plan_touches_edit(const struct plan *p, size_t begin, size_t end)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin < end && begin < e->end) {
			return true;
		}
	}
	return false;
}

/* ---- a block in place of a statement ---- */

static bool word_before(struct str t, size_t at, const char *word)
{
	size_t n = strlen(word);
	if (at < n || !str_is(str_sub(t, at - n, at), word)) {
		return false;
	}
	return at == n || !lex_is_word_char(t.p[at - n - 1]);
}

/* The place for the brace of a block around the unbraced body of a loop or if: after the header, if
 * only white space follows it; else SIZE_MAX. */
static size_t hanging_brace(const struct plan *p, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || !(kt_is_loop(up->kind) || up->kind == KT_IF) || up->flags & KT_F_MACRO ||
		!text_first_on_line(p->text, n->begin)) {
		return SIZE_MAX;
	}
	size_t at = n->begin;
	while (at > 0 && isspace((unsigned char)p->text.p[at - 1])) {
		at--;
	}
	bool header =
		at > up->begin && (p->text.p[at - 1] == ')' || word_before(p->text, at, "else") ||
					  word_before(p->text, at, "do"));
	return header && !plan_touches_edit(p, at, n->begin) ? at : SIZE_MAX;
}

struct plan_frame plan_frame_around(const struct plan *p, const struct kt_node *n, bool block,
	struct str base, struct str up, bool own_line)
{
	const char *eol = text_eol(p->text);
	struct plan_frame f = {.begin = n->begin, .open = "", .close = ""};
	f.hang = block ? hanging_brace(p, n) : SIZE_MAX;
	bool hangs = f.hang != SIZE_MAX;
	struct str outer = hangs ? up : base;
	/* a body at its loop's indentation gets the usual step */
	bool deeper = hangs ? base.n <= up.n : block;
	f.begin = hangs ? f.hang : n->begin;
	f.indent = arena_printf(
		p->a, "%.*s%s", STR_ARG(base), deeper ? text_indent_step(p->text) : "");
	f.nl = arena_printf(p->a, "%s%s", eol, f.indent);
	if (block) {
		const char *lead = !hangs     ? ""
				   : own_line ? arena_printf(p->a, "%s%.*s", eol, STR_ARG(outer))
					      : " ";
		f.open = arena_printf(p->a, "%s{%s", lead, f.nl);
		f.close = arena_printf(p->a, "%s%.*s}", eol, STR_ARG(outer));
	}
	return f;
}

struct plan_frame plan_frame(const struct plan *p, const struct kt_node *n, bool block)
{
	struct str base = text_indent(p->text, n->begin);
	struct str up = n->parent ? text_indent(p->text, n->parent->begin) : base;
	return plan_frame_around(p, n, block, base, up, false);
}
