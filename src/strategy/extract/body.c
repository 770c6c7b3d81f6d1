/* The state, and the bodies of the two parts. */
#include <ctype.h>
#include <string.h>

#include "edit/edit.h"
#include "frontend/text/lex.h"
#include "strategy/extract/write.h"
#include "strategy/text/text.h"

static const char *type_and(struct writer *w, const char *type, const char *name)
{
	char end = *type ? type[strlen(type) - 1] : ' ';
	return arena_printf(w->p->a, end == '*' || end == '&' ? "%s%s" : "%s %s", type, name);
}

/* ---- the state ---- */

static const char *referent(struct writer *w, const struct callee_field *f)
{
	bool is_const = f->is_const && !str_starts(str_of(f->type), "const ");
	return arena_printf(w->p->a, is_const ? "const %s" : "%s", f->type);
}

bool writer_has_state_beside(const struct writer *w)
{
	const struct callee_pattern *p = &w->c->pattern;
	return w->c->fields && !p->declare_at && !p->of.all.end;
}

void writer_add_state(struct writer *w, struct sbuf *out, struct str base)
{
	struct callee *c = w->c;
	if (w->p->opts->comments) {
		sbuf_addf(out, "// Values that %s() passes to %s().%s%.*s", w->narrow, w->wide,
			w->eol, STR_ARG(base));
	}
	sbuf_addf(out, "struct %s {%s", w->state, w->eol);
	for (size_t i = 0; i < c->fields; i++) {
		const struct callee_field *f = &c->field[i];
		const char *type = f->pointer ? type_and(w, referent(w, f), "*") : f->type;
		sbuf_addf(out, "%.*s%s%s%s%s%s%s;%s", STR_ARG(base), w->step,
			f->align ? f->align : "", f->align ? " " : "", type_and(w, type, f->name),
			f->dims, f->guard ? " = false" : "", w->eol);
	}
	sbuf_addf(out, "%.*s};%s%s%.*s", STR_ARG(base), w->eol, w->eol, STR_ARG(base));
}

/* A declaration that unpacks a field under its old name. */
static const char *unpacked(struct writer *w, const struct callee_field *f)
{
	const char *from = arena_printf(w->p->a, "%s.%s", w->param, f->name);
	bool star = str_ends(str_of(f->type), "*");
	if (*f->dims) {
		const char *name = arena_printf(
			w->p->a, f->is_const && star ? "const (&%s)" : "(&%s)", f->name);
		return arena_printf(w->p->a, "%s%s%s = %s;", f->is_const && !star ? "const " : "",
			type_and(w, f->type, name), f->dims, from);
	}
	if (f->pointer) {
		return arena_printf(w->p->a, "%s = *%s;",
			type_and(w, referent(w, f), arena_printf(w->p->a, "&%s", f->name)), from);
	}
	const char *name =
		f->is_const && star ? arena_printf(w->p->a, "const %s", f->name) : f->name;
	return arena_printf(w->p->a, f->is_const && !star ? "const %s = %s;" : "%s = %s;",
		type_and(w, f->type, name), from);
}

/* ---- bodies ---- */

/* A statement with the comments around it and the line break before it. */
static struct span statement_text(const struct callee *c, size_t s)
{
	struct str t = c->p->text;
	const struct kt_node *const *stmt = (const struct kt_node *const *)c->body->child;
	size_t begin = s ? text_after_comments(t, stmt[s - 1]->end) : c->pattern.body.begin + 1;
	return (struct span){begin, text_after_comments(t, stmt[s]->end)};
}

/* The text of a copied declaration; for a moved one with its comments. */
static struct span copy_span(const struct writer *w, const struct callee_copy *k)
{
	const struct callee *c = w->c;
	const struct kt_node *d = c->body->child[k->stmt];
	return k->moved ? statement_text(c, k->stmt) : (struct span){d->begin, d->end};
}

/* Applies the edits, whose offsets are the file's, to the piece. Releases the list. */
static struct str edited(struct writer *w, struct span piece, struct edit_list *l)
{
	struct sbuf out = {0};
	struct edit_list own = {0};
	size_t clash[2], at = piece.begin;
	array_each (&l->edits, struct edit, e) {
		if (e->begin >= at && e->end <= piece.end) {
			edit_list_add(&own, w->p->a, e->begin - at, e->end - at, e->text);
		}
	}
	if (edit_list_check(&own, piece.end - at, clash)) {
		edit_list_apply(&out, writer_str(w, piece), &own);
	}
	edit_list_release(&own);
	edit_list_release(l);
	return sbuf_finish(&out, w->p->a);
}

/* An array of the narrow part becomes a reference to the state's: (&name)[4] = state.name. */
static void add_declarator(struct writer *w, struct edit_list *l, const struct callee_field *f)
{
	struct span at = callee_declarator(w->c, f->declared->sym);
	struct str dims = str_sub(w->t, at.begin + strlen(f->name), at.end);
	const char *text = arena_printf(w->p->a, dims.n ? "(&%s)%.*s = %s.%s" : "&%s%.*s = %s.%s",
		f->name, STR_ARG(dims), w->param, f->name);
	size_t end = f->zeroed ? lex_close(w->t, str_find(w->t, "{", at.end)) + 1 : at.end;
	edit_list_add(l, w->p->a, at.begin, end, str_of(text));
}

/* Adds assignments of zeros to the arrays of a declaration, after it. */
static void add_zeros(struct writer *w, struct edit_list *l, const struct kt_node *decl)
{
	struct sbuf out = {0};
	for (size_t i = 0; i < w->c->fields; i++) {
		const struct callee_field *f = &w->c->field[i];
		if (!f->zeroed || f->declared->parent != decl) {
			continue;
		}
		sbuf_addf(&out, "%s%s", w->eol, w->inner);
		const char *of = f->name;
		for (const char *d = strchr(f->dims + 1, '['); d; d = strchr(d + 1, '[')) {
			sbuf_addf(&out, "for (auto &row : %s) ", of);
			of = "row";
		}
		sbuf_addf(&out, "for (auto &element : %s) { element = {}; }", of);
	}
	if (out.n) {
		edit_list_add(l, w->p->a, decl->end, decl->end, sbuf_finish(&out, w->p->a));
	}
}

static struct str narrow_text(struct writer *w)
{
	struct callee *c = w->c;
	struct edit_list l = {0};
	for (size_t i = 0; i < c->copies; i++) {
		struct span s = copy_span(w, &c->copy[i]);
		if (c->copy[i].moved) {
			edit_list_add(&l, w->p->a, s.begin, s.end, (struct str){0});
		}
	}
	for (size_t i = 0; i < c->fields; i++) {
		const struct callee_field *f = &c->field[i];
		if (*f->dims && f->declared && !f->copied) {
			add_declarator(w, &l, f);
		}
	}
	for (size_t s = 0; s < c->body->n; s++) {
		if (c->body->child[s]->kind == KT_DECL && !callee_is_wide(c, s)) {
			add_zeros(w, &l, c->body->child[s]);
		}
	}
	return writer_end_trimmed(edited(w, c->narrow, &l));
}

static const char *passed_value(struct writer *w, const struct callee_field *f)
{
	return arena_printf(w->p->a, "%s%s", f->pointer ? "&" : "", f->guard ? "true" : f->name);
}

/* Returns the state from the narrow part. */
static void add_returned(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	str_array value = {0};
	for (size_t i = 0; i < c->fields; i++) {
		array_push(&value, str_of(passed_value(w, &c->field[i])));
	}
	const char *type = c->pattern.lambda ? w->state : "";
	writer_add_line(w, out, arena_printf(w->p->a, "return %s{", type));
	writer_add_list(w, out, &value, arena_printf(w->p->a, "%s%s", w->inner, w->step), "};");
	array_release(&value);
}

/* Fills the state. */
static void add_passed_values(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	if (w->returns) {
		add_returned(w, out);
		return;
	}
	str_array value = {0};
	bool at_once = c->fields > 1;
	for (size_t i = 0; i < c->fields; i++) {
		at_once &= !*c->field[i].dims && !c->field[i].guard;
	}
	for (size_t i = 0; i < c->fields; i++) {
		const struct callee_field *f = &c->field[i];
		if (at_once) {
			array_push(&value, str_of(passed_value(w, f)));
		} else if (f->copied) {
			writer_add_line(w, out,
				arena_printf(w->p->a, "__builtin_memcpy(%s.%s, %s, sizeof(%s));",
					w->param, f->name, f->name, f->name));
		} else if (!(*f->dims && f->declared)) { /* such an array is in the state itself */
			writer_add_line(w, out,
				arena_printf(w->p->a, "%s.%s = %s;", w->param, f->name,
					passed_value(w, f)));
		}
	}
	if (at_once) {
		writer_add_line(w, out, arena_printf(w->p->a, "%s = {", w->param));
		writer_add_list(
			w, out, &value, arena_printf(w->p->a, "%s%s", w->inner, w->step), "};");
	}
	array_release(&value);
}

static void add_narrow_body(struct writer *w, struct sbuf *out)
{
	struct str text = narrow_text(w);
	bool line = text.n && text.p[0] != '\n' && text.p[0] != '\r' && !str_starts(text, " //");
	if (line) {
		writer_add_line(w, out, "");
		text = str_trim(text);
	}
	sbuf_addstr(out, text);
	add_passed_values(w, out);
}

static bool is_constexpr_left(void *user, struct str word, size_t at)
{
	const struct callee *c = user;
	bool goes = false;
	for (size_t i = 0; i < c->unconsts; i++) {
		goes |= c->unconst[i].begin == at;
	}
	return str_is(word, "constexpr") && !goes;
}

/* Does the wide part use constexpr, other than where it is removed? */
static bool has_constexpr(const struct writer *w)
{
	struct span s = w->c->wide_text;
	return lex_each_word(w->t, s.begin, s.end, is_constexpr_left, w->c);
}

/* In the wide part, do all words of the name mean the same variable or template parameter, and can
 * the state's member replace each of them? */
static bool is_member_in_place(const struct writer *w, const struct callee_field *f)
{
	const struct callee *c = w->c;
	struct str name = str_of(f->name);
	size_t declared = 0;
	if (!f->is_const || f->pointer || *f->dims || f->guard ||
		writer_part_has_word(w, true, name) == 0 ||
		writer_part_has_word(w, true, STR("decltype")) || has_constexpr(w) ||
		writer_part_has_word(w, true, STR("struct"))) {
		return false;
	}
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		declared += s->fn == c->leaf[0].fn && s->name && str_is(name, s->name);
	}
	for (const struct kt_node *k = c->body; declared <= 1 && k; k = kt_next(k, c->body)) {
		if (k->kind == KT_LAMBDA ||
			(k->flags & KT_F_MACRO && callee_names_symbol(c, k, name))) {
			return false;
		}
	}
	return declared <= 1;
}

bool writer_can_name_class(const struct writer *w)
{
	const struct callee *c = w->c;
	for (size_t i = 0; i < c->pattern.of.tparams; i++) {
		const struct callee_tparam *q = &c->pattern.of.tparam[i];
		for (size_t k = 0; q->passed && k < c->fields; k++) {
			const struct callee_field *f = &c->field[k];
			if (str_is(q->name, f->name) &&
				(callee_passes_array(c) || !is_member_in_place(w, f))) {
				return plan_refuse(w->p, CALLEE_CONSTANT,
					"'%s' differs between the arms, and the class has that "
					"name for it",
					f->name);
			}
		}
	}
	return true;
}

struct member_words {
	struct writer *w;
	struct sbuf *out;
	struct str text;
	size_t at; /* the text up to here is written */
	const bool *in_place;
};

static bool add_member_word(void *user, struct str word, size_t at)
{
	struct member_words *m = user;
	const struct callee *c = m->w->c;
	for (size_t i = 0; i < c->fields; i++) {
		bool spelled =
			str_eq(str_sub(m->text, at, at + word.n), word); /* not in a directive */
		bool scoped = at > 1 && m->text.p[at - 1] == ':' && m->text.p[at - 2] == ':';
		if (m->in_place[i] && spelled && !scoped && str_is(word, c->field[i].name)) {
			sbuf_addstr(m->out, str_sub(m->text, m->at, at));
			sbuf_addf(m->out, "%s.%s", m->w->param, c->field[i].name);
			m->at = at + word.n;
		}
	}
	return false;
}

/* The wide part's text with members of the state in place of these names. */
static void add_with_members(
	struct writer *w, struct sbuf *out, struct str text, const bool *in_place)
{
	struct member_words m = {w, out, text, 0, in_place};
	lex_each_word(text, 0, text.n, add_member_word, &m);
	sbuf_addstr(out, str_sub(text, m.at, text.n));
}

static void add_wide_text(struct writer *w, struct sbuf *out);

static void add_wide_body(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	bool *in_place = ARENA_ARRAY(w->p->a, bool, c->fields + 1);
	bool array = callee_passes_array(c);
	for (size_t i = 0; i < c->fields; i++) {
		/* with an array in it, the state is not const */
		in_place[i] = !array && is_member_in_place(w, &c->field[i]);
		if (!c->field[i].guard && !in_place[i]) {
			writer_add_line(w, out, unpacked(w, &c->field[i]));
		}
	}
	struct sbuf text = {0};
	add_wide_text(w, &text);
	struct str lines = sbuf_str(&text);
	bool first =
		out->n && out->p[out->n - 1] == '{'; /* no empty line at the start of the body */
	while (first && text_line_ends_at(lines, 0) && text_line_ends_at(lines, strlen(w->eol))) {
		lines = str_sub(lines, strlen(w->eol), lines.n);
	}
	add_with_members(w, out, lines, in_place);
	sbuf_release(&text);
}

static void add_wide_text(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	for (size_t i = 0; i < c->copies; i++) {
		struct str s = writer_str(w, copy_span(w, &c->copy[i]));
		bool line = s.n && (s.p[0] == '\n' || s.p[0] == '\r');
		if (c->copy[i].moved && line) {
			sbuf_addstr(out, s);
		} else {
			writer_add_line(w, out, "");
			sbuf_addstr(out, str_trim(s));
		}
	}
	struct edit_list l = {0};
	for (size_t i = 0; i < c->unconsts; i++) {
		size_t from = c->unconst[i].begin;
		while (isspace((unsigned char)w->t.p[from - 1])) {
			from--;
		}
		edit_list_add(&l, w->p->a, from, c->unconst[i].end, (struct str){0});
	}
	struct str text = writer_end_trimmed(edited(w, c->wide_text, &l));
	if (text.n && text.p[0] != '\n' && text.p[0] != '\r' && !text_comment_at(text, 0)) {
		writer_add_line(w, out, "");
		text = str_trim(text);
	}
	sbuf_addstr(out, text);
}

static void add_end(struct writer *w, struct sbuf *out)
{
	sbuf_addf(out, "%s%.*s}%s", w->eol, STR_ARG(w->base), w->c->pattern.lambda ? ";" : "");
}

struct str writer_definitions(struct writer *w, struct part *narrow, struct part *wide)
{
	struct sbuf out = {0};
	if (writer_has_state_beside(w)) {
		writer_add_state(w, &out, w->base);
	}
	writer_add_header(w, &out, narrow, false, true);
	add_narrow_body(w, &out);
	add_end(w, &out);
	sbuf_addf(&out, "%s%s%.*s", w->eol, w->eol, STR_ARG(w->base));
	writer_add_header(w, &out, wide, true, true);
	add_wide_body(w, &out);
	add_end(w, &out);
	return sbuf_finish(&out, w->p->a);
}

struct str writer_declarations(struct writer *w, struct part *narrow, struct part *wide)
{
	struct sbuf out = {0};
	sbuf_addstr(&out, w->base);
	if (w->c->fields) {
		writer_add_state(w, &out, w->base);
	}
	writer_add_header(w, &out, narrow, false, false);
	sbuf_addf(&out, "%s%.*s", w->eol, STR_ARG(w->base));
	writer_add_header(w, &out, wide, true, false);
	sbuf_addf(&out, "%s%s", w->eol, w->eol);
	return sbuf_finish(&out, w->p->a);
}
