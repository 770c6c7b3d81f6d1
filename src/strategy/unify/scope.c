/*
 * Types and constants that a class template declares and its function uses. The new function stands
 * after the class, and declares them itself:
 *
 *   template <bool P, int N> struct step {         template <int N>
 *           using T = float;                       void step_run_any(float x, const bool p)
 *           static constexpr int K = 2 * N;        {
 *           static void run(T x)              =>           using T = float;
 *           {                                              constexpr int K = 2 * N;
 *                   T y[K] = {};                           T y[K] = {};
 *                   ...                                    ...
 *
 * Done for using T = ..., typedef ... T and static constants that are numbers. A constant with a
 * text that uses what differs between the arms, B ? 1 : K, becomes a const variable; a type may
 * not. That text is an expression of integers, or selects between numbers, since floats that are
 * calculated at run time might be contracted. The header of the function gets the type or number in
 * place of the name, so it may use only types without a *, & or bracket and constants that are one
 * word.
 */
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/extract/spelling.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

/* ---- reading ---- */

static bool read_type(
	struct unify_declared *out, struct str t, struct span at, struct lex_token first)
{
	struct lex_token last = {0}, before = {0};
	lex_each (k, t, at.begin, at.end) {
		if (k.kind == LEX_PUNCT && strchr("([{", t.p[k.begin])) {
			return false; /* a function, an array, an attribute */
		}
		before = last;
		last = k;
	}
	struct lex_token name = lex_next(t, first.end), sign = lex_next(t, name.end);
	bool alias = lex_is(t, first, "using") && lex_is(t, sign, "=");
	bool old = lex_is(t, first, "typedef") && before.begin > first.begin;
	name = alias ? name : last;
	*out = (struct unify_declared){.text = at,
		.name = lex_text(t, name),
		.of = alias ? (struct span){lex_skip_space(t, sign.end), at.end}
			    : (struct span){lex_skip_space(t, first.end), before.end},
		.is_type = true};
	return (alias || old) && name.kind == LEX_WORD;
}

/* static constexpr int K = 1, L = 2 */
static bool read_constant(struct unify_declared *out, struct str t, struct span at, size_t i)
{
	span_array part = {0};
	callee_split(&part, t, at.begin, at.end, false);
	size_t parts = part.n;
	struct span first = parts ? part.v[0] : at, own = i < parts ? part.v[i] : (struct span){0};
	array_release(&part);
	size_t sign = lex_find(t, first.begin, first.end, '=');
	size_t value = lex_find(t, own.begin, own.end, '=');
	struct lex_token name = {0};
	bool constant = false, plain = sign < first.end && value < own.end;
	lex_each (k, t, first.begin, plain ? sign : first.begin) {
		constant |= lex_is(t, k, "constexpr") || lex_is(t, k, "const");
		plain &= k.kind == LEX_WORD || lex_is(t, k, ":");
		name = k;
	}
	lex_each (k, t, at.begin, parts > 1 ? at.end : at.begin) { /* f<1, 2>: may be one */
		plain &= !lex_is(t, k, "<") && !lex_is(t, k, ">");
	}
	plain &= constant && name.begin > first.begin;
	struct span head = {first.begin, name.begin};
	name = i ? lex_next(t, own.begin) : name;
	*out = (struct unify_declared){.head = head,
		.text = {name.begin, own.end},
		.name = lex_text(t, name),
		.of = {lex_skip_space(t, value + 1), own.end}};
	return plain && name.kind == LEX_WORD && lex_next(t, name.end).begin == value;
}

bool unify_read_declared(
	struct unify_declared *out, const struct callee *c, struct span at, size_t i)
{
	struct str t = c->p->text;
	struct lex_token first = lex_next(t, at.begin);
	return lex_is(t, first, "static") || lex_is(t, first, "constexpr")
		       ? read_constant(out, t, at, i)
		       : i == 0 && read_type(out, t, at, first);
}

/* ---- those that the function uses ---- */

static bool refuse(struct callee *c, const struct unify_declared *d, const char *why)
{
	return plan_refuse(c->p, CALLEE_CONSTANT,
		"'%.*s' is of the class, which is another one in another arm, and %s",
		STR_ARG(d->name), why);
}

/* Is it NAME = or NAME { after >::, as in the definition of a special one? */
static bool is_special(struct str t, struct str name)
{
	struct lex_token before[3] = {0};
	bool is = false;
	lex_each (k, t, 0, t.n) {
		bool of_class = lex_is(t, before[0], ">") && lex_is(t, before[1], ":") &&
				lex_is(t, before[2], ":");
		if (of_class && str_eq(lex_text(t, k), name)) {
			struct lex_token sign = lex_next(t, k.end);
			bool equal = lex_is(t, lex_next(t, sign.end), "=");
			is |= lex_is(t, sign, "{") || (lex_is(t, sign, "=") && !equal);
		}
		before[0] = before[1];
		before[1] = before[2];
		before[2] = k;
	}
	return is;
}

/* Can the header have its text in place of its name? */
static bool is_simple(const struct callee *c, const struct unify_declared *d)
{
	struct str t = c->p->text;
	size_t n = 0;
	bool plain = true;
	lex_each (k, t, d->of.begin, d->of.end) {
		bool word = k.kind == LEX_WORD || k.kind == LEX_NUMBER;
		plain &= word ? !callee_class_declares(c, lex_text(t, k))
			      : k.kind == LEX_PUNCT && strchr("<>:,", t.p[k.begin]) != NULL;
		n++;
	}
	return plain && (d->is_type || n == 1);
}

static bool in_header(const struct unify_function *f, struct str name)
{
	struct str t = f->c.p->text;
	const struct callee_pattern *p = &f->c.pattern;
	struct span before = {p->head.begin, p->body.begin};
	bool in = callee_has_word(t, before, name);
	for (size_t i = 0; i < f->members; i++) {
		in |= callee_has_word(t, f->member[i].text, name);
	}
	return in;
}

/* Is it also a name of another scope in the header, X::NAME or x.NAME? */
static bool is_scoped(const struct unify_function *f, struct str name)
{
	struct str t = f->c.p->text;
	const struct callee_pattern *p = &f->c.pattern;
	struct lex_token before = {0};
	bool is = false;
	lex_each (k, t, p->of.body.begin, p->of.body.end) {
		bool header = k.begin >= p->head.begin && k.begin < p->body.begin;
		for (size_t i = 0; i < f->members; i++) {
			struct span own = f->member[i].text;
			header |= k.begin >= own.begin && k.begin < own.end;
		}
		is |= header && str_eq(lex_text(t, k), name) &&
		      (lex_is(t, before, ":") || lex_is_member_sign(t, before));
		before = k;
	}
	return is;
}

static bool check_declared(struct unify_function *f, const struct unify_declared *d)
{
	struct callee *c = &f->c;
	struct str t = c->p->text;
	const struct callee_pattern *p = &c->pattern;
	if (callee_has_word(t, (struct span){p->all.begin, p->head.begin}, d->name)) {
		return refuse(c, d, "a template header uses it");
	}
	if (in_header(f, d->name) && (!is_simple(c, d) || is_scoped(f, d->name))) {
		return refuse(c, d, "the header of its function uses it");
	}
	if (is_special(t, d->name)) {
		return refuse(c, d, "may be defined elsewhere");
	}
	return !unify_declares_local(c, d->name) || refuse(c, d, "its function has another one");
}

bool unify_use_declared(struct unify_function *f, const struct unify_declared *all, size_t n)
{
	const struct callee *c = &f->c;
	struct str t = c->p->text;
	const struct callee_class *of = &c->pattern.of;
	struct unify_declared *v = ARENA_ARRAY(c->p->a, struct unify_declared, n);
	bool ok = true;
	f->declared = v;
	f->declareds = 0;
	for (size_t i = n; i-- > 0 && ok;) { /* the last first, since it may use those before */
		struct unify_declared d = all[i];
		bool header = in_header(f, d.name);
		d.in_body = callee_has_word(t, c->pattern.body, d.name);
		for (size_t k = 0; k < f->declareds; k++) {
			d.in_body |= v[k].in_body && callee_has_word(t, v[k].of, d.name);
		}
		if (d.in_body || header) {
			ok = check_declared(f, &d);
			v[f->declareds++] = d;
		}
	}
	for (size_t i = f->declareds; i-- > 0;) {
		for (size_t k = 0; k < of->tparams && !v[i].is_type; k++) {
			v[i].depends |= !of->tparam[k].is_type &&
					callee_has_word(t, v[i].of, of->tparam[k].name);
		}
		for (size_t k = i + 1; k < f->declareds && !v[i].is_type; k++) {
			v[i].depends |= v[k].depends && callee_has_word(t, v[i].of, v[k].name);
		}
	}
	return ok;
}

/* ---- those that depend on what differs ---- */

bool unify_varies(const struct unify_function *f, size_t i)
{
	const struct unify_declared *d = &f->declared[i];
	bool is = unify_names_parameter(f, d->of);
	for (size_t k = i + 1; k < f->declareds && !is; k++) {
		is = callee_has_word(f->c.p->text, d->of, f->declared[k].name) &&
		     unify_varies(f, k);
	}
	return is;
}

/* Is the type one of integers, by its words? */
static bool is_integer_text(struct str t, struct span type)
{
	static const char *const words[] = {"static", "inline", "constexpr", "const", "bool",
		"char", "short", "int", "long", "unsigned", "signed", "std", "size_t", "int8_t",
		"int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
		NULL};
	bool is = type.end > type.begin;
	lex_each (k, t, type.begin, type.end) {
		is &= k.kind == LEX_WORD ? str_is_any(lex_text(t, k), words) : lex_is(t, k, ":");
	}
	return is;
}

/* Is the word true, false, a template parameter of the class, or one of the constants before number
 * i? *integer: it is one. */
static bool is_known_word(const struct unify_function *f, size_t i, struct str word, bool *integer)
{
	struct str t = f->c.p->text;
	const struct callee_class *of = &f->c.pattern.of;
	bool is = str_is(word, "true") || str_is(word, "false");
	*integer = is;
	for (size_t k = 0; k < of->tparams; k++) {
		if (!of->tparam[k].is_type && str_eq(of->tparam[k].name, word)) {
			*integer = is_integer_text(t, of->tparam[k].type);
			return true;
		}
	}
	for (size_t k = i + 1; k < f->declareds; k++) {
		const struct unify_declared *d = &f->declared[k];
		if (!d->is_type && str_eq(d->name, word)) {
			*integer = is_integer_text(t, d->head);
			return true;
		}
	}
	return is;
}

/* Is it the name of a constant of integers in the unit, and of nothing else there? */
static bool is_integer_name(const struct kt_unit *u, struct str word)
{
	bool any = false, all = true;
	for (kt_id id = 1; id < u->syms; id++) {
		const struct kt_sym *s = &u->sym[id];
		bool own = s->name && (s->kind == KT_S_GLOBAL || s->kind == KT_S_CONST) &&
			   str_is(word, s->name);
		enum kt_type_kind kind = own ? u->type[s->type].kind : KT_T_INT;
		any |= own;
		all &= kind == KT_T_INT || kind == KT_T_BOOL;
	}
	return any && all;
}

static bool is_integer_number(struct str s)
{
	bool hex = str_starts(s, "0x") || str_starts(s, "0X"), is = true;
	for (size_t i = 0; i < s.n; i++) {
		is &= s.p[i] != '.' && (hex || !strchr("eEfFpP", s.p[i]));
	}
	return is;
}

/* Is the text an expression of integers, or one that only compares and selects? */
static bool is_understood(const struct unify_function *f, size_t i)
{
	struct str t = f->c.p->text;
	const struct unify_declared *d = &f->declared[i];
	struct lex_token before = {0};
	bool plain = true, calculates = false, other = false;
	lex_each (k, t, d->of.begin, d->of.end) {
		struct lex_token next = lex_next(t, k.end);
		char c = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
		bool colons = lex_is(t, before, ":") && t.p[before.begin - 1] == ':';
		bool scope = lex_is(t, next, ":") && t.p[next.end] == ':';
		bool negates = c == '-' && next.kind == LEX_NUMBER &&
			       (!before.end || strchr("?:(=", t.p[before.begin]));
		if (k.kind == LEX_WORD) {
			bool integer = false, scoped = colons || scope;
			bool known = !scoped && is_known_word(f, i, lex_text(t, k), &integer);
			integer |= !known && !scoped && is_integer_name(f->c.u, lex_text(t, k));
			plain &= !lex_is(t, next, "(") && !lex_is(t, next, "{") &&
				 (known || (!lex_is(t, next, "<") &&
						   !layout_in_directive(
							   plan_layout(f->c.p), lex_text(t, k))));
			other |= !integer;
		} else if (k.kind == LEX_NUMBER) {
			other |= !is_integer_number(lex_text(t, k));
		} else {
			plain &= c && strchr("+-*/%()<>=!&|^~?:", c);
			bool twice = k.begin > 0 && (t.p[k.begin - 1] == c || t.p[k.end] == c);
			bool logic = strchr("&|<>", c) && (c == '<' || c == '>' ? !twice : twice);
			calculates |= strchr("+-*/%&|^~<>", c) && !logic && !negates;
		}
		before = k;
	}
	return plain && !(calculates && other);
}

bool unify_check_declared(struct unify_function *f)
{
	struct callee *c = &f->c;
	c->derived = ARENA_ARRAY(c->p->a, struct str, f->declareds);
	c->deriveds = 0;
	for (size_t i = f->declareds; i-- > 0;) {
		const struct unify_declared *d = &f->declared[i];
		if (!unify_varies(f, i)) {
			continue;
		}
		const char *why =
			d->is_type		? "depends on which"
			: in_header(f, d->name) ? "the header of its function uses it"
			: !is_understood(f, i)
				? "its value is calculated in a way that is not understood"
				: NULL;
		if (why && !refuse(c, d, why)) {
			return false;
		}
		c->derived[c->deriveds++] = d->name;
	}
	return true;
}

/* ---- writing ---- */

struct str unify_spelled(const struct unify_function *f, struct span at)
{
	struct str t = f->c.p->text;
	struct sbuf s = {0};
	size_t from = at.begin;
	lex_each (k, t, at.begin, at.end) {
		for (size_t i = 0; i < f->declareds && k.kind == LEX_WORD; i++) {
			if (str_eq(lex_text(t, k), f->declared[i].name)) {
				sbuf_addstr(&s, str_sub(t, from, k.begin));
				sbuf_addstr(&s, callee_text(&f->c, f->declared[i].of));
				from = k.end;
				break;
			}
		}
	}
	sbuf_addstr(&s, str_sub(t, from, at.end));
	return sbuf_finish(&s, f->c.p->a);
}

/* static constexpr int K = B ? 1 : 2 as constexpr int ..., or as const int K = b ? 1 : 2 */
static struct str declared_text(const struct unify_function *f, const struct unify_declared *d)
{
	struct str t = f->c.p->text;
	bool variable = !d->is_type && unify_varies(f, d - f->declared);
	bool constant = callee_has_word(t, d->head, STR("const"));
	struct sbuf s = {0};
	size_t from = d->head.begin;
	lex_each (k, t, d->head.begin, d->head.end) {
		bool known = lex_is(t, k, "constexpr") && variable;
		if (known || lex_is(t, k, "static") || lex_is(t, k, "inline")) {
			sbuf_addstr(&s, str_sub(t, from, k.begin));
			sbuf_adds(&s, known && !constant ? "const " : "");
			from = lex_next(t, k.end).begin;
		}
	}
	sbuf_addstr(&s, str_sub(t, from, d->head.end));
	sbuf_addstr(&s, variable ? unify_renamed(f, d->text) : callee_text(&f->c, d->text));
	sbuf_addc(&s, ';');
	return sbuf_finish(&s, f->c.p->a);
}

/* Adds the comments above what is declared, or the one after it on its line. */
static void add_comments(struct sbuf *s, const struct plan *p, const struct unify_declared *d,
	bool above, const char *before)
{
	struct str t = p->text;
	bool first = d->head.end && lex_next(t, d->head.end).begin == d->text.begin;
	size_t begin = first ? d->head.begin : d->text.begin;
	size_t after = text_skip_blanks(t, lex_next(t, d->text.end).end);
	struct span at = {after, text_comment_at(t, after) ? lex_line_end(t, after) : after};
	if (above) {
		size_t from = text_line_start(t, begin);
		bool own = text_first_on_line(t, begin);
		at = (struct span){own ? text_comments_above(t, begin) : from, from};
	}
	text_add_lines(s, plan_comments(p, at.begin, at.end), above ? before : " ", "");
}

struct str unify_declarations(const struct unify_function *f)
{
	struct plan *p = f->c.p;
	size_t begin = f->c.pattern.body.begin + 1, line = lex_line_end(p->text, begin);
	const char *before = arena_printf(p->a, "%s%.*s%s", text_eol(p->text),
		STR_ARG(text_indent(p->text, f->c.pattern.all.begin)), text_indent_step(p->text));
	bool alone = str_trim(str_sub(p->text, begin, line)).n == 0;
	struct sbuf s = {0};
	for (size_t i = f->declareds; i-- > 0;) {
		const struct unify_declared *d = &f->declared[i];
		if (d->in_body && alone) {
			add_comments(&s, p, d, true, before);
		}
		if (d->in_body) {
			sbuf_addf(&s, "%s%.*s", alone ? before : " ", STR_ARG(declared_text(f, d)));
		}
		if (d->in_body && alone) {
			add_comments(&s, p, d, false, before);
		}
	}
	return sbuf_finish(&s, p->a);
}
