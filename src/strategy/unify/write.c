/*
 * The new functions of unify, after the arms' function. They keep the text of the templates with
 * its comments.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/write.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/unify/unify.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

/* ---- the text of a function ---- */

struct piece {
	size_t begin;
	size_t end;
	struct str text;
};

struct pieces {
	struct unify_function *f;
	struct plan *p;
	ARRAY(struct piece) v;
};

static void put(struct pieces *s, size_t begin, size_t end, struct str text)
{
	array_push(&s->v, ((struct piece){begin, end, text}));
}

static int by_place(const void *x, const void *y)
{
	const struct piece *a = x, *b = y;
	return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin)
				    : (a->end > b->end) - (a->end < b->end);
}

/* ", more" before the ) at a place; on a new line if the call's line would pass the margin. gone:
 * columns removed from that line by other edits. */
static struct str appended(
	const struct plan *p, size_t open, size_t at, size_t gone, bool first, struct str more)
{
	struct str t = p->text;
	size_t line = text_line_start(t, at);
	size_t end = str_find(t, "\n", at);
	end = end == SIZE_MAX ? t.n : end;
	bool broken = text_line_start(t, open) != line;
	size_t used = text_columns(str_sub(t, line, end)) + text_columns(more) + 2;
	used -= broken ? 0 : gone;
	bool last = true;
	for (size_t i = at; i < end; i++) {
		last &= strchr(");\r", t.p[i]) != NULL;
	}
	if (first || used <= LINE_MAX_COLUMNS || !last) {
		return str_of(arena_printf(p->a, "%s%.*s", first ? "" : ", ", STR_ARG(more)));
	}
	return str_of(arena_printf(p->a, ",%s%.*s%s%.*s", text_eol(t), STR_ARG(text_indent(t, at)),
		broken ? "" : text_indent_step(t), STR_ARG(more)));
}

static struct str list_of(struct plan *p, const struct str *v, size_t n)
{
	struct sbuf s = {0};
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(&s, i ? ", " : "");
		sbuf_addstr(&s, v[i]);
	}
	return sbuf_finish(&s, p->a);
}

struct str unify_kept_arguments(
	struct plan *p, const struct unify_function *to, const struct callee_call *call)
{
	struct str *v = ARENA_ARRAY(p->a, struct str, call->targs);
	size_t n = 0;
	for (size_t i = 0; i < call->targs; i++) {
		if (i >= to->c.pattern.tparams || !unify_is_runtime(to, i)) {
			v[n++] = plan_text(p, call->targ[i].begin, call->targ[i].end);
		}
	}
	return n ? str_of(arena_printf(p->a, "<%.*s>", STR_ARG(list_of(p, v, n))))
		 : (struct str){0};
}

static void put_call(struct pieces *s, const struct unify_call *call)
{
	struct plan *p = s->p;
	const struct unify_function *to = call->fn;
	if (!to) {
		put(s, call->at.begin, call->at.end, unify_apart_text(s->f, call));
		return;
	}
	size_t open = call->text.name.end;
	struct lex_token angle = lex_next(p->text, open);
	if (lex_is(p->text, angle, "<")) {
		size_t last = call->text.targ[call->written - 1].end;
		open = lex_next(p->text, last).end;
	}
	struct str kept = unify_kept_arguments(p, to, &call->text);
	struct span prefix = kept.n ? call->text.prefix : unify_object(p, call->text.prefix);
	size_t gone = open - prefix.end - kept.n - strlen(to->name); /* columns, at most */
	gone = gone > open ? 0 : gone;
	put(s, prefix.end, open, str_of(arena_printf(p->a, "%s%.*s", to->name, STR_ARG(kept))));
	struct str *v = ARENA_ARRAY(
		p->a, struct str, call->text.args + to->members + to->c.pattern.tparams);
	size_t n = 0;
	for (size_t i = call->passed; i < call->text.args; i++) {
		v[n++] = plan_text(p, call->text.arg[i].begin, call->text.arg[i].end);
	}
	for (size_t i = 0; i < to->members; i++) {
		v[n++] = to->member[i].name;
	}
	for (size_t i = 0; i < to->c.pattern.tparams; i++) {
		if (unify_is_runtime(to, i)) {
			v[n++] = unify_renamed(s->f, call->text.targ[i]);
		}
	}
	size_t at = lex_close(p->text, lex_skip_space(p->text, open));
	put(s, at, at, appended(p, open, at, gone, call->passed == 0, list_of(p, v, n)));
}

/* The template parameters that are kept, as <...>, or nothing. */
static struct str kept_parameters(const struct pieces *s)
{
	const struct callee_pattern *q = &s->f->c.pattern;
	struct str *v = ARENA_ARRAY(s->p->a, struct str, q->tparams);
	size_t n = 0;
	for (size_t i = 0; i < q->tparams; i++) {
		if (!unify_is_runtime(s->f, i) && q->tparam[i].text.end) {
			v[n++] = callee_text(&s->f->c, q->tparam[i].text);
		}
	}
	return n ? str_of(arena_printf(s->p->a, "<%.*s>", STR_ARG(list_of(s->p, v, n))))
		 : (struct str){0};
}

/* Writes template <...> with the kept ones. */
static bool put_template(struct pieces *s)
{
	struct plan *p = s->p;
	const struct callee_pattern *q = &s->f->c.pattern;
	struct str kept = kept_parameters(s);
	size_t n = kept.n, end = q->head.begin;
	while (n && end > q->all.begin && isspace((unsigned char)p->text.p[end - 1])) {
		end--;
	}
	struct str said = plan_comments(p, q->all.begin, q->head.begin);
	struct str of_class = s->f->outside ? plan_comments(p, q->of.all.begin, q->of.body.begin)
					    : (struct str){0};
	struct sbuf out = {0};
	struct str line;
	while ((of_class.n && str_line(&of_class, &line)) || (said.n && str_line(&said, &line))) {
		sbuf_addf(&out, "%.*s%s%.*s", STR_ARG(line), text_eol(p->text),
			STR_ARG(text_indent(p->text, q->all.begin)));
	}
	sbuf_addf(&out, n ? "template %.*s" : "%.*s", STR_ARG(kept));
	if (n && q->all.begin == q->head.begin) { /* only the class has a template header */
		sbuf_addf(&out, "%s%.*s", text_eol(p->text),
			STR_ARG(text_indent(p->text, q->all.begin)));
	}
	put(s, q->all.begin, end, sbuf_finish(&out, p->a));
	return n > 0;
}

/* Removes words that only a member function's header may have. */
static void put_outside(struct pieces *s)
{
	const struct callee_pattern *q = &s->f->c.pattern;
	struct str t = s->p->text;
	lex_each (k, t, q->head.begin, q->head.end) {
		if (lex_is(t, k, "static")) {
			put(s, k.begin, lex_next(t, k.end).begin, (struct str){0});
		}
	}
	struct lex_token constant = unify_const_word(s->f);
	size_t from = constant.begin;
	while (constant.end && isspace((unsigned char)t.p[from - 1])) {
		from--;
	}
	if (constant.end) {
		put(s, from, constant.end, (struct str){0});
	}
	lex_each (k, t, q->head.begin, q->body.begin) {
		struct str word = lex_text(t, k),
			   to = unify_spelled(s->f, (struct span){k.begin, k.end});
		bool own = k.begin < q->open || k.begin >= q->rest.begin;
		if (own && !str_eq(word, to)) {
			put(s, k.begin, k.end, to);
		}
	}
	size_t brace = q->body.begin + 1;
	put(s, brace, brace, unify_declarations(s->f));
	lex_each (k, t, q->body.begin, q->body.end) {
		if (lex_is(t, k, "this")) {
			size_t sign = lex_next(t, lex_next(t, k.end).end).end;
			put(s, k.begin, lex_next(t, sign).begin, (struct str){0});
		}
	}
}

/* Adds inline: several units may define a former template. */
static void put_inline(struct pieces *s)
{
	static const char *const words[] = {
		"inline", "static", "__forceinline__", "__inline__", "constexpr", "__noinline__"};
	const struct callee *c = &s->f->c;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	bool own = c->u->file[fn->file].main && !c->u->open && !fn->on_host &&
		   fn->kind == KT_FN_DEVICE;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !own; i++) {
		own = callee_has_word(s->p->text, c->pattern.head, str_of(words[i])) &&
		      strcmp(words[i], "__noinline__") != 0 &&
		      !(s->f->outside && strcmp(words[i], "static") == 0);
	}
	if (own) {
		return;
	}
	size_t at = c->pattern.head.begin;
	while (lex_is(s->p->text, lex_next(s->p->text, at), "[")) { /* attributes stand first */
		at = lex_skip_space(s->p->text, lex_close(s->p->text, at) + 1);
	}
	for (struct lex_token k = lex_next(s->p->text, at);
		lex_is(s->p->text, k, "__device__") || lex_is(s->p->text, k, "__host__");
		k = lex_next(s->p->text, k.end)) {
		at = lex_next(s->p->text, k.end).begin;
	}
	put(s, at, at, STR("inline "));
}

/* A parameter without its default argument: every call passes one. */
static struct str parameter_text(const struct unify_function *f, struct span text)
{
	size_t at = lex_find(f->c.p->text, text.begin, text.end, '=');
	return str_trim(unify_spelled(f, (struct span){text.begin, at < text.end ? at : text.end}));
}

static struct str under_comments(
	const struct pieces *s, struct str said, const char *indent, struct str text)
{
	return str_of(arena_printf(s->p->a, "%.*s%s%s%.*s", STR_ARG(said), text_eol(s->p->text),
		indent, STR_ARG(text)));
}

/* Writes the parameters from ( to ), wrapped at the margin, with comments between them. */
static void put_parameters(struct pieces *s)
{
	struct plan *p = s->p;
	const struct callee_pattern *q = &s->f->c.pattern;
	struct writer w = {.c = &s->f->c, .p = p, .t = p->text, .eol = text_eol(p->text)};
	size_t open = q->open + 1, close = q->rest.begin - 1;
	size_t line = text_line_start(p->text, q->name.begin), from = open;
	struct sbuf out = {0};
	str_array list = {0};
	if (q->name.begin >= q->head.begin && line < q->head.begin) {
		line = q->head.begin;
	}
	const char *deeper = arena_printf(p->a, "%.*s%s",
		STR_ARG(text_indent(p->text, q->all.begin)), text_indent_step(p->text));
	/* the text before it on its line, for the column count */
	sbuf_addstr(&out, plan_text(p, line, q->name.begin));
	sbuf_addf(&out, "%s%.*s(", s->f->name,
		STR_ARG(q->lambda ? plan_text(p, q->name.end, q->capture.end + 1)
				  : (struct str){0}));
	size_t begin = out.n;
	for (size_t i = 0; i < q->params; i++) {
		struct span text = q->param[i].text;
		struct str before = plan_comments(p, from, text.begin);
		struct str own = parameter_text(s->f, text);
		if (unify_is_tag(s->f, i)) {
			continue; /* its comment stands before what follows */
		}
		from = text.end;
		array_push(&list, before.n ? under_comments(s, before, deeper, own) : own);
	}
	size_t kept = list.n;
	for (size_t i = 0; i < s->f->members; i++) {
		array_push(&list, unify_member_text(s->f, &s->f->member[i]));
	}
	for (size_t i = 0; i < q->tparams; i++) {
		if (unify_is_runtime(s->f, i) && unify_first(s->f, i) == i) {
			array_push(&list, str_of(arena_printf(p->a, "const %.*s %s",
						  STR_ARG(unify_type(s->f, i)), s->f->to[i])));
		}
	}
	struct str after = plan_comments(p, from, close);
	if (after.n && kept < list.n) {
		list.v[kept] = under_comments(s, after, deeper, list.v[kept]);
	}
	writer_add_list(&w, &out, &list, deeper, "");
	array_release(&list);
	struct str all = sbuf_finish(&out, p->a);
	put(s, open, close, str_sub(all, begin, all.n));
}

/* Is it in a call that is rewritten as a whole? */
static bool in_apart(const struct unify_function *f, size_t at)
{
	bool in = false;
	for (size_t i = 0; i < f->calls; i++) {
		const struct unify_call *c = &f->call[i];
		in |= !c->fn && c->at.begin <= at && at < c->at.end;
	}
	return in;
}

static void put_words(struct pieces *s)
{
	struct str t = s->p->text;
	struct span body = s->f->c.pattern.body;
	struct lex_token before = {0};
	lex_each (k, t, body.begin, body.end) {
		size_t end;
		const char *to = !lex_is_member_sign(t, before) &&
						 !callee_is_taken(&s->f->c, k.begin) &&
						 !in_apart(s->f, k.begin)
					 ? unify_argument_at(s->f, k, &end)
					 : NULL;
		if (to) {
			put(s, k.begin, end, str_of(to));
			k.end = end;
		}
		before = k;
	}
	for (size_t i = 0; i < s->f->c.unconsts; i++) {
		struct span word = s->f->c.unconst[i];
		put(s, word.begin, lex_next(t, word.end).begin, (struct str){0});
	}
	for (size_t i = 0; i < s->f->c.demoteds; i++) {
		struct span word = s->f->c.demoted[i];
		if (str_is(callee_text(&s->f->c, word), "static")) {
			put(s, word.begin, lex_next(t, word.end).begin, (struct str){0});
		} else {
			put(s, word.begin, word.end, STR("const"));
		}
	}
}

/* The function, with the comment above it. */
static struct str function_text(struct unify *u, struct unify_function *f)
{
	struct plan *p = u->p;
	struct pieces s = {.f = f, .p = p};
	struct span all = f->c.pattern.all;
	if (f->c.pattern.lambda) {
		size_t header =
			f->c.pattern.header.end ? f->c.pattern.header.begin : f->c.pattern.open;
		put(&s, header, f->c.pattern.open, kept_parameters(&s));
	} else if (!put_template(&s)) {
		put_inline(&s);
	}
	if (f->outside) {
		put_outside(&s);
	}
	put(&s, f->c.pattern.name.begin, f->c.pattern.name.end, str_of(f->name));
	put_parameters(&s);
	put_words(&s);
	for (size_t i = 0; i < f->calls; i++) {
		put_call(&s, &f->call[i]);
	}
	qsort(s.v.v, s.v.n, sizeof(s.v.v[0]), by_place);
	size_t line = text_line_start(p->text, all.begin);
	size_t at = text_comments_above(p->text, all.begin);
	while (at < line && strchr("\r\n", p->text.p[at])) {
		at++;
	}
	struct sbuf out = {0};
	at = unify_is_instead(f) ? line : at; /* keep them */
	sbuf_addstr(&out, at < line ? str_sub(p->text, at, line) : (struct str){0});
	sbuf_addstr(&out, text_indent(p->text, all.begin));
	at = all.begin;
	array_each (&s.v, const struct piece, x) {
		sbuf_addstr(&out, str_sub(p->text, at, x->begin));
		sbuf_addstr(&out, x->text);
		at = x->end;
	}
	sbuf_addstr(&out, str_sub(p->text, at, all.end));
	array_release(&s.v);
	struct str text = sbuf_finish(&out, p->a);
	return f->outside ? unify_outdented(f, text) : text;
}

/* ---- the edits ---- */

/* Each new function follows its template, so that name lookup finds the same names, and those that
 * it calls. */
static size_t place_of(const struct unify_function *f)
{
	size_t at = f->outside ? f->outside : f->c.pattern.all.end;
	for (size_t i = 0; i < f->calls; i++) {
		size_t end = f->call[i].fn ? f->call[i].fn->there : 0;
		at = end > at ? end : at;
	}
	return at;
}

static bool is_taken(const struct plan *p, const struct unify_function *f)
{
	return f->c.pattern.lambda ? !plan_name_is_free(p, f->name, NAME_LOCAL)
				   : plan_name_is_taken(p, f->name);
}

/* Has another function, declared before, that name? Arguments for members may make overloads of
 * methods of others. */
static bool is_given(const struct unify *u, const struct unify_function *f)
{
	bool is = false;
	for (size_t i = 0; i < u->fns; i++) {
		const struct unify_function *o = u->fn[i];
		is |= o != f && (o->own || f->own) && o->name && strcmp(o->name, f->name) == 0;
	}
	return is;
}

/* The function of this name that a row before has declared, or found; NULL: none. */
static const struct unify_function *declared_before(const struct unify *u, const char *name)
{
	for (size_t r = 0; r < u->row; r++) {
		const struct unify *o = u->of->v[r];
		for (size_t i = 0; i < o->fns && !o->plain; i++) {
			if (strcmp(o->fn[i]->name, name) == 0) {
				return o->fn[i];
			}
		}
	}
	return NULL;
}

/* Gives it the first free name, or the name under which it already exists. False: it exists. */
static bool declare(struct unify *u, struct unify_function *f)
{
	struct plan *p = u->p;
	for (unsigned i = 1;; i++) {
		unify_name_function(f, i);
		if (is_given(u, f)) {
			continue;
		}
		struct str text = function_text(u, f);
		if (unify_is_instead(f)) {
			f->text = str_trim(text);
			return true;
		}
		f->text = str_of(arena_printf(
			p->a, "%s%s%.*s", text_eol(p->text), text_eol(p->text), STR_ARG(text)));
		const struct unify_function *before = declared_before(u, f->name);
		if (before) {
			f->there = before->there;
			if (str_eq(before->text, f->text)) {
				return false;
			}
			continue;
		}
		f->there = unify_find_there(f, f->text, place_of(f));
		if (f->there || plan_is_added(p, f->text, f->name) || !is_taken(p, f)) {
			return !f->there;
		}
	}
}

/* Replaces a lambda, once. */
static void edit_lambda(struct plan *p, struct span at, struct str text)
{
	array_each (&p->out->edits.edits, const struct edit, e) {
		if (e->begin == at.begin) {
			if (!str_eq(e->text, text)) {
				plan_refuse(p, UNIFY_TEXT,
					"two calls of an arm need other forms of a lambda");
			}
			return;
		}
	}
	plan_edit(p, at.begin, at.end, "%.*s", STR_ARG(text));
}

/* Callees first, since their names are in the texts of their callers. */
void unify_declare(struct unify *u)
{
	struct plan *p = u->p;
	struct unify_function **order =
		(struct unify_function **)arena_memdup(p->a, u->fn, u->fns * sizeof(u->fn[0]));
	struct str *part = ARENA_ARRAY(p->a, struct str, p->out->parts + u->fns);
	struct sbuf all = {0};
	sbuf_addstr(&all, p->out->declares);
	for (size_t i = 0; i < p->out->parts; i++) {
		part[i] = p->out->part[i];
	}
	p->out->part = part;
	if (!unify_sort_functions(order, u->fns) &&
		!plan_refuse(p, UNIFY_TEXT, "two of the functions call each other")) {
		return;
	}
	for (size_t i = 0; i < u->fns; i++) {
		struct unify_function *f = order[i];
		if (!declare(u, f)) {
			continue;
		}
		struct str text = f->text;
		if (unify_is_instead(f)) {
			edit_lambda(p, f->c.pattern.all, text);
		} else {
			part[p->out->parts++] = text;
			sbuf_addstr(&all, text);
			size_t at = place_of(f);
			plan_edit(p, at, at, "%.*s", STR_ARG(text));
		}
	}
	p->out->declares = sbuf_finish(&all, p->a);
}
