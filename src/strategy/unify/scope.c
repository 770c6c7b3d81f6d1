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
 * Done for using T = ..., typedef ... T and static constants that are numbers, with texts that do
 * not use what differs between the arms. The header of the function gets the type or number in
 * place of the name, so it may use only types without a *, & or bracket and constants that are one
 * word.
 */
#include <string.h>

#include "frontend/text/lex.h"
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

static bool read_constant(struct unify_declared *out, struct str t, struct span at)
{
	size_t value = lex_find(t, at.begin, at.end, '=');
	struct lex_token last = {0}, first = {0};
	bool constant = false, plain = value < at.end;
	plain &= lex_find(t, at.begin, at.end, ',') >= at.end;
	lex_each (k, t, at.begin, value < at.end ? value : at.end) {
		bool word = lex_is(t, k, "static") || lex_is(t, k, "inline");
		constant |= lex_is(t, k, "constexpr") || lex_is(t, k, "const");
		plain &= k.kind == LEX_WORD || lex_is(t, k, ":");
		first = first.end || word ? first : k;
		plain &= !first.end || !word;
		last = k;
	}
	*out = (struct unify_declared){.text = {first.begin, at.end},
		.name = lex_text(t, last),
		.of = {lex_skip_space(t, value + 1), at.end}};
	return constant && plain && last.kind == LEX_WORD && last.begin > first.begin;
}

bool unify_read_declared(struct unify_declared *out, const struct callee *c, struct span at)
{
	struct str t = c->p->text;
	struct lex_token first = lex_next(t, at.begin);
	return lex_is(t, first, "static") || lex_is(t, first, "constexpr")
		       ? read_constant(out, t, at)
		       : read_type(out, t, at, first);
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
	return ok;
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
		if (d->in_body) {
			sbuf_addf(&s, "%s%.*s;", alone ? before : " ",
				STR_ARG(callee_text(&f->c, d->text)));
		}
	}
	return sbuf_finish(&s, p->a);
}
