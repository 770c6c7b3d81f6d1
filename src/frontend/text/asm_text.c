#include "frontend/text/asm_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/text/lex.h"

struct reader {
	struct str t;
	struct arena *a;
	struct lex_token k; /* the next token */
};

static void advance(struct reader *r)
{
	r->k = lex_next(r->t, r->k.end);
}

static bool is(const struct reader *r, const char *word)
{
	return lex_is(r->t, r->k, word);
}

static bool take(struct reader *r, const char *word)
{
	bool there = is(r, word);
	if (there) {
		advance(r);
	}
	return there;
}

/* ---- literals ---- */

static void add_raw(struct sbuf *out, struct str s)
{
	size_t open = str_find(s, "(", 0);
	struct str body = str_sub(s, open + 1, s.n - open);
	for (size_t i = 0; i < body.n; i++) {
		char c = body.p[i];
		if (c == '\n') {
			sbuf_adds(out, "\\n");
		} else {
			if (c == '"' || c == '\\') {
				sbuf_addc(out, '\\');
			}
			sbuf_addc(out, c);
		}
	}
}

static void add_plain(struct sbuf *out, struct str s)
{
	for (size_t i = 1; i + 1 < s.n; i++) {
		bool splice = s.p[i] == '\\' && (s.p[i + 1] == '\n' || s.p[i + 1] == '\r');
		if (!splice) {
			sbuf_addc(out, s.p[i]);
		}
		if (s.p[i] == '\\') {
			i++;
			bool returns = s.p[i] == '\r' && s.p[i + 1] == '\n';
			i += returns;
			if (!splice) {
				sbuf_addc(out, s.p[i]);
			}
		}
	}
}

static bool add_literal(struct sbuf *out, struct str s)
{
	if (str_starts(s, "R\"") && str_ends(s, "\"") && str_find(s, "(", 0) != SIZE_MAX) {
		add_raw(out, s);
		return true;
	}
	if (str_starts(s, "\"") && str_ends(s, "\"") && s.n >= 2) {
		add_plain(out, s);
		return true;
	}
	return false;
}

/* Adjacent literals as one, without its quotes; NULL: none, or of another kind. */
static const char *read_literals(struct reader *r, size_t *end)
{
	struct sbuf s = {0};
	bool ok = r->k.kind == LEX_STRING;
	while (ok && r->k.kind == LEX_STRING) {
		ok = add_literal(&s, str_sub(r->t, r->k.begin, r->k.end));
		*end = r->k.end;
		advance(r);
	}
	const char *text = ok ? arena_strndup(r->a, sbuf_cstr(&s), s.n) : NULL;
	sbuf_release(&s);
	return text;
}

/* ---- the parts ---- */

/* asm volatile ( */
static bool read_head(struct asm_text *out, struct reader *r)
{
	if (!take(r, "asm") && !take(r, "__asm__") && !take(r, "__asm")) {
		return false;
	}
	for (;;) {
		if (take(r, "volatile") || take(r, "__volatile__") || take(r, "__volatile")) {
			out->is_volatile = true;
		} else if (!take(r, "inline") && !take(r, "__inline") && !take(r, "__inline__")) {
			return take(r, "(");
		}
	}
}

static bool read_template(struct asm_text *out, struct reader *r)
{
	size_t begin = r->k.begin, end = begin;
	const char *text = read_literals(r, &end);
	bool plain = text && (is(r, ":") || is(r, ")"));
	while (!is(r, ":") && !is(r, ")")) {
		bool opens = is(r, "(") || is(r, "[") || is(r, "{");
		size_t close = opens ? lex_close(r->t, r->k.begin) : r->k.begin;
		if (r->k.kind == LEX_END || r->k.kind == LEX_DIRECTIVE || close == SIZE_MAX) {
			return false;
		}
		end = opens ? close + 1 : r->k.end;
		r->k = lex_next(r->t, end);
	}
	struct str spelled = str_sub(r->t, begin, end);
	out->template = plain ? arena_printf(r->a, "\"%s\"", text)
			      : arena_printf(r->a, "?%.*s", STR_ARG(spelled));
	out->template_begin = begin;
	out->template_end = end;
	return end > begin;
}

/* Only registers and constants, without alternatives. m and similar ones are memory, {v5} is a
 * fixed register. */
static bool is_constraint(const char *text, bool output, size_t outputs)
{
	const char *at = text;
	if (output) {
		if (*at != '=' && *at != '+') {
			return false;
		}
		at += 1 + (at[1] == '&');
	} else if (isdigit((unsigned char)*at)) {
		char *end;
		unsigned long tied = strtoul(at, &end, 10);
		return !*end && tied < outputs;
	} else if (*at == '[') {
		return at[strlen(at) - 1] == ']';
	}
	if (!*at) {
		return false;
	}
	for (; *at; at++) {
		bool letter = isalpha((unsigned char)*at) && !strchr("moVpgX", *at);
		if (!letter) {
			return false;
		}
	}
	return true;
}

/* [name] "constraint" (expression) */
static bool read_operand(struct asm_text *out, struct reader *r, bool output, size_t outputs)
{
	struct asm_operand o = {.name = "", .begin = r->k.begin, .output = output};
	if (take(r, "[")) {
		struct str name = str_sub(r->t, r->k.begin, r->k.end);
		o.name = arena_strndup(r->a, name.p, name.n);
		if (r->k.kind != LEX_WORD) {
			return false;
		}
		advance(r);
		if (!take(r, "]")) {
			return false;
		}
	}
	size_t end = 0;
	o.constraint = read_literals(r, &end);
	if (!o.constraint || !is_constraint(o.constraint, output, outputs) || !is(r, "(")) {
		return false;
	}
	size_t close = lex_close(r->t, r->k.begin);
	if (close == SIZE_MAX) {
		return false;
	}
	o.end = close + 1;
	r->k = lex_next(r->t, o.end);
	array_push(&out->operand, o);
	return true;
}

static bool read_operands(struct asm_text *out, struct reader *r, bool output)
{
	size_t outputs = out->operand.n;
	if (is(r, ":") || is(r, ")")) {
		return true;
	}
	do {
		if (!read_operand(out, r, output, outputs)) {
			return false;
		}
	} while (take(r, ","));
	return true;
}

static bool read_clobbers(struct asm_text *out, struct reader *r)
{
	if (is(r, ")")) {
		return true;
	}
	do {
		struct asm_clobber c = {.begin = r->k.begin};
		c.text = read_literals(r, &c.end);
		if (!c.text) {
			return false;
		}
		array_push(&out->clobber, c);
	} while (take(r, ","));
	return true;
}

static bool read_statement(struct asm_text *out, struct reader *r)
{
	return read_head(out, r) && read_template(out, r) &&
	       (!take(r, ":") || read_operands(out, r, true)) &&
	       (!take(r, ":") || read_operands(out, r, false)) &&
	       (!take(r, ":") || read_clobbers(out, r)) && is(r, ")");
}

bool asm_text_read(struct asm_text *out, struct arena *a, struct str text, size_t at)
{
	struct reader r = {.t = text, .a = a, .k = lex_next(text, at)};
	*out = (struct asm_text){0};
	if (r.k.begin == at && read_statement(out, &r)) {
		return true;
	}
	asm_text_release(out);
	return false;
}

void asm_text_release(struct asm_text *t)
{
	array_release(&t->operand);
	array_release(&t->clobber);
	*t = (struct asm_text){0};
}

/* ---- the template ---- */

void asm_text_decode(struct sbuf *out, struct str literal)
{
	struct str s = str_sub(literal, 1, literal.n - 1);
	for (size_t i = 0; i < s.n; i++) {
		char next = i + 1 < s.n ? s.p[i + 1] : '\0';
		bool blank = s.p[i] == '\\' && (next == 'n' || next == 't');
		sbuf_addc(out, !blank ? s.p[i] : next == 'n' ? '\n' : ' ');
		i += blank;
	}
}

bool asm_text_line(struct str *rest, struct str *line)
{
	bool there = str_line(rest, line);
	if (there) {
		*line = str_trim(str_sub(*line, 0, str_find(*line, ";", 0)));
	}
	return there;
}
