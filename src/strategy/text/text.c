#include "strategy/text/text.h"

#include <string.h>

size_t text_skip_blanks(struct str t, size_t i)
{
	while (i < t.n && (t.p[i] == ' ' || t.p[i] == '\t')) {
		i++;
	}
	return i;
}

bool text_line_ends_at(struct str t, size_t i)
{
	i = text_skip_blanks(t, i);
	return i >= t.n || t.p[i] == '\n' || t.p[i] == '\r';
}

bool text_first_on_line(struct str t, size_t at)
{
	return lex_first_on_line(t, at);
}

struct str text_code_indent(struct str t, size_t at)
{
	while (at > 0 && t.p[at - 1] != '\n') {
		at--;
	}
	while (at < t.n && (text_line_ends_at(t, at) || t.p[text_skip_blanks(t, at)] == '#')) {
		size_t nl = str_find(t, "\n", at);
		at = nl == SIZE_MAX ? t.n : nl + 1;
	}
	return str_sub(t, at, text_skip_blanks(t, at));
}

size_t text_end_of_comment(struct str t, size_t at)
{
	size_t e = t.p[at + 1] == '/' ? SIZE_MAX : str_find(t, "*/", at + 2);
	return t.p[at + 1] == '/' ? lex_line_end(t, at) : e == SIZE_MAX ? t.n : e + 2;
}

bool text_has_comment(struct str s)
{
	return str_holds(s, STR("//")) || str_holds(s, STR("/*"));
}

bool text_comment_at(struct str t, size_t at)
{
	return at + 1 < t.n && t.p[at] == '/' && (t.p[at + 1] == '/' || t.p[at + 1] == '*');
}

size_t text_after_comments(struct str t, size_t at)
{
	size_t i = at;
	while (text_comment_at(t, text_skip_blanks(t, i))) {
		i = text_end_of_comment(t, text_skip_blanks(t, i));
	}
	return i > at && text_line_ends_at(t, i) ? i : at;
}

bool text_has_newline(struct str t, size_t begin, size_t end)
{
	size_t nl = str_find(str_sub(t, 0, end), "\n", begin);
	return nl != SIZE_MAX;
}

struct text_lines text_lines_in(struct str t, size_t begin, size_t end)
{
	return (struct text_lines){t, begin, end, lex_next(t, begin)};
}

size_t text_next_line(struct text_lines *l)
{
	while (l->at + 1 < l->end) {
		size_t i = l->at++;
		if (l->t.p[i] != '\n') {
			continue;
		}
		while (l->token.kind != LEX_END && l->token.end <= i) {
			l->token = lex_next(l->t, l->token.end);
		}
		bool literal = l->token.begin <= i && l->token.kind == LEX_STRING;
		bool directive =
			str_starts(str_sub(l->t, text_skip_blanks(l->t, i + 1), l->t.n), "#");
		if (!literal && !directive && !text_line_ends_at(l->t, i + 1)) {
			return i + 1;
		}
	}
	return SIZE_MAX;
}

void text_add_reindented(struct sbuf *out, struct str s, struct str from, struct str to)
{
	struct lex_token token = lex_next(s, 0);
	for (size_t i = 0; i < s.n; i++) {
		sbuf_addc(out, s.p[i]);
		while (s.p[i] == '\n' && token.kind != LEX_END && token.end <= i) {
			token = lex_next(s, token.end);
		}
		bool raw = token.kind == LEX_STRING && token.begin <= i && i < token.end;
		if (s.p[i] != '\n' || raw || text_line_ends_at(s, i + 1)) {
			continue;
		}
		if (str_eq(str_sub(s, i + 1, i + 1 + from.n), from)) {
			sbuf_addstr(out, to);
			i += from.n;
		}
	}
}

size_t text_columns(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		n = s.p[i] == '\t' ? (n / 8 + 1) * 8 : n + 1;
	}
	return n;
}

bool text_binds_tighter(const struct kt_node *c, bool unary)
{
	switch (c->kind) {
	case KT_REF:
	case KT_MEMBER:
	case KT_INDEX:
	case KT_CALL:
	case KT_LITERAL:
		return !(c->flags & (KT_F_MACRO | KT_F_OPERATOR)) &&
		       (c->kind != KT_CALL || c->op == KT_OP_NONE);
	case KT_UNARY:
		return !(c->flags & KT_F_MACRO);
	case KT_BINARY:
		return !unary && c->op != KT_OP_COMMA && !(c->flags & KT_F_MACRO);
	default:
		return false;
	}
}

static bool is_integer(const struct kt_unit *u, const struct kt_node *n)
{
	enum kt_type_kind k = kt_object_type(u, n->type)->kind;
	return k == KT_T_INT || k == KT_T_BOOL;
}

const char *text_opposite(const struct kt_unit *u, const struct kt_node *c)
{
	if (c->kind != KT_BINARY || c->flags & KT_F_MACRO || !is_integer(u, c->child[0]) ||
		!is_integer(u, c->child[1]) ||
		(c->child[0]->flags | c->child[1]->flags) & KT_F_MACRO) {
		return NULL;
	}
	switch (c->op) {
	case KT_OP_LT:
		return ">=";
	case KT_OP_LE:
		return ">";
	case KT_OP_GT:
		return "<=";
	case KT_OP_GE:
		return "<";
	case KT_OP_EQ:
		return "!=";
	case KT_OP_NE:
		return "==";
	default:
		return NULL;
	}
}

bool text_find_operator(struct str t, const struct kt_node *c, size_t *begin, size_t *end)
{
	lex_each (k, t, c->child[0]->end, c->child[1]->begin) {
		if (k.kind == LEX_PUNCT && strchr("<>=!", t.p[k.begin])) {
			*begin = k.begin;
			*end = k.begin + strlen(kt_op_name(c->op));
			return true;
		}
	}
	return false;
}

void text_add_lines(struct sbuf *out, struct str lines, const char *before, const char *after)
{
	struct str line;
	while (lines.n && str_line(&lines, &line)) {
		sbuf_addf(out, "%s%.*s%s", before, STR_ARG(line), after);
	}
}

void text_add_lost_comments(struct sbuf *lines, struct arena *a, struct str t, size_t begin,
	size_t end, struct str kept, struct str indent)
{
	for (size_t at = begin; at < end;) {
		struct lex_token k = lex_next(t, at);
		size_t stop = k.kind == LEX_END || k.begin > end ? end : k.begin;
		while (at < stop) {
			if (!text_comment_at(t, at)) {
				at++;
				continue;
			}
			size_t e = text_end_of_comment(t, at);
			struct str c = str_sub(t, at, e);
			const char *z = arena_strndup(a, c.p, c.n);
			if (str_find(kept, z, 0) == SIZE_MAX &&
				str_find(sbuf_str(lines), z, 0) == SIZE_MAX) {
				text_add_reindented(lines, c, text_indent(t, at), indent);
				sbuf_addf(lines, "%s%.*s", text_eol(t), STR_ARG(indent));
			}
			at = e;
		}
		if (k.kind == LEX_END) {
			return;
		}
		at = k.end > at ? k.end : at;
	}
}

bool text_is_loop_pragma(struct str s)
{
	struct str rest = s;
	struct str word;
	const char *const ok[] = {"unroll", "nounroll", "loop", NULL};
	if (!str_starts(s, "#") || str_find(s, "pragma", 0) == SIZE_MAX) {
		return false;
	}
	while (str_split(&rest, ' ', &word)) {
		if (str_starts_any(str_trim(word), ok)) {
			return true;
		}
	}
	return false;
}

bool text_pragma_is_flush(struct str t, struct str s)
{
	struct str rest = t, line, wanted = {0};
	if (!str_line(&s, &wanted) || !text_is_loop_pragma(wanted)) {
		return false;
	}
	wanted = str_trim(wanted);
	while (str_line(&rest, &line)) {
		if (str_eq(str_trim(line), wanted)) {
			return line.p[0] == '#';
		}
	}
	return false;
}

void text_flush_pragmas(struct sbuf *s, struct str t)
{
	struct sbuf out = {0};
	struct str all = sbuf_str(s);
	if (str_find(all, "#", 0) == SIZE_MAX || str_find(all, "R\"", 0) != SIZE_MAX) {
		return;
	}
	for (size_t at = 0; at < all.n;) {
		size_t newline = str_find(all, "\n", at);
		size_t end = newline == SIZE_MAX ? all.n : newline + 1;
		size_t code = text_skip_blanks(all, at);
		/* the text before the first line is unknown */
		bool flush = at > 0 && text_pragma_is_flush(t, str_sub(all, code, end));
		sbuf_addstr(&out, str_sub(all, flush ? code : at, end));
		at = end;
	}
	sbuf_reset(s);
	sbuf_addstr(s, sbuf_str(&out));
	sbuf_release(&out);
}

size_t text_line_start(struct str t, size_t at)
{
	while (at > 0 && t.p[at - 1] != '\n') {
		at--;
	}
	return at;
}

static bool is_blank_line(struct str t, size_t at)
{
	return text_line_ends_at(t, text_skip_blanks(t, at));
}

/* Is the line that ends at `at` empty, or only an opening brace? */
static bool stands_apart(struct str t, size_t at)
{
	size_t b = at ? text_line_start(t, at - 1) : 0;
	struct str line = at ? str_trim(str_sub(t, b, at)) : STR("{");
	return line.n == 0 || str_ends(line, "{");
}

size_t text_end_of_statement(struct str t, const struct kt_node *n)
{
	size_t end = n->end;
	if (end > 0 && t.p[end - 1] == ';') {
		return end;
	}
	size_t semicolon = lex_skip_space(t, end);
	bool is_there = (!kt_is_stmt(n->kind) || n->kind == KT_RETURN) && semicolon < t.n &&
			t.p[semicolon] == ';';
	return is_there ? semicolon + 1 : end;
}

void text_remove_statement(
	struct edit_list *l, struct arena *a, struct str t, const struct kt_node *n)
{
	size_t end = text_end_of_statement(t, n);
	if (!n->parent || n->parent->kind != KT_COMPOUND) {
		edit_list_add(l, a, n->begin, end, STR("{}"));
		return;
	}
	size_t begin = text_line_start(t, n->begin);
	size_t after = text_skip_blanks(t, text_after_comments(t, end));
	bool whole = text_first_on_line(t, n->begin) && text_line_ends_at(t, after);
	if (!whole) {
		size_t next = text_skip_blanks(t, end);
		size_t from = n->begin;
		while (text_line_ends_at(t, next) && from > begin && strchr(" \t", t.p[from - 1])) {
			from--;
		}
		edit_list_add(l, a, from, text_line_ends_at(t, next) ? end : next, STR(""));
		return;
	}
	size_t newline = str_find(t, "\n", after);
	size_t stop = newline == SIZE_MAX ? t.n : newline + 1;
	if (stop < t.n && is_blank_line(t, stop) && stands_apart(t, begin)) {
		newline = str_find(t, "\n", stop);
		stop = newline == SIZE_MAX ? t.n : newline + 1;
	}
	edit_list_add(l, a, begin, stop, STR(""));
}

struct str text_indent(struct str t, size_t at)
{
	size_t b = text_line_start(t, at);
	size_t e = b;
	while (e < t.n && (t.p[e] == ' ' || t.p[e] == '\t')) {
		e++;
	}
	return e < t.n && t.p[e] == '#' ? text_code_indent(t, at) : str_sub(t, b, e);
}

const char *text_indent_step(struct str t)
{
	/* The smallest indentation that occurs in the file. */
	size_t best = 0;
	struct str rest = t;
	struct str line;
	while (str_line(&rest, &line)) {
		size_t n = 0;
		if (line.n && line.p[0] == '\t') {
			return "\t";
		}
		while (n < line.n && line.p[n] == ' ') {
			n++;
		}
		bool comment = n < line.n && line.p[n] == '*';
		if (n >= 2 && n < line.n && !comment && (best == 0 || n < best)) {
			best = n;
		}
	}
	static const char spaces[] = "        ";
	return best ? spaces + sizeof(spaces) - 1 - (best < 8 ? best : 8) : "\t";
}

const char *text_eol(struct str t)
{
	size_t nl = str_find(t, "\n", 0);
	return nl != SIZE_MAX && nl > 0 && t.p[nl - 1] == '\r' ? "\r\n" : "\n";
}

bool text_is_launder(struct str s)
{
	return str_starts(s, TEXT_LAUNDER) || str_starts(s, "UNPHI_LAUNDER");
}

size_t text_comments_above(struct str t, size_t at)
{
	for (;;) {
		while (at > 0 && t.p[at - 1] != '\n') {
			at--;
		}
		size_t line = at;
		while (line > 0 && (line == at || t.p[line - 1] != '\n')) {
			line--;
		}
		struct str above = str_trim(str_sub(t, line, at));
		bool block = str_ends(above, "*/") && !str_starts(above, "//");
		line = block ? at : line; /* its own, which may be indented */
		while (block && line > 0 && !str_starts(str_sub(t, line, at), "/*")) {
			line--;
		}
		if (line == at || !(block || str_starts(above, "//")) ||
			!text_first_on_line(t, line)) {
			return at;
		}
		at = line;
	}
}
