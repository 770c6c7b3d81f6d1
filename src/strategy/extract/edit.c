/*
 * The text of a callee split: the state, the narrow and the wide part behind the function, the
 * calls of the narrow part in the arms, the state's variable before the merge and the wide call
 * behind it. The parts keep the function's text with its comments.
 */
#include <ctype.h>
#include <string.h>
#include "edit/edit.h"
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

struct writer {
	struct callee *c;
	struct plan *p;
	struct str t;
	const char *eol;
	const char *step;
	struct str base;   /* indentation of the function */
	const char *inner; /* of its statements */
	const char *state; /* names */
	const char *narrow;
	const char *wide;
	const char *param; /* the state, inside the parts */
	const char *var;   /* the state, at the merge */
	bool returns;	   /* the narrow part gives the state, else it fills a parameter */
};

typedef ARRAY(struct str) str_array;

static struct str span_str(const struct writer *w, struct span s)
{
	return str_sub(w->t, s.begin, s.end);
}

static bool has_comment(struct str s)
{
	return str_find(s, "//", 0) != SIZE_MAX || str_find(s, "/*", 0) != SIZE_MAX;
}

/* On one line, where no comment ends one. */
static struct str joined(struct writer *w, struct str s)
{
	struct sbuf out = {0};
	if (has_comment(s) || str_find(s, "\n", 0) == SIZE_MAX) {
		return s;
	}
	for (size_t i = 0; i < s.n; i++) {
		if (!isspace((unsigned char)s.p[i])) {
			sbuf_addc(&out, s.p[i]);
		} else if (out.n && out.p[out.n - 1] != ' ') {
			sbuf_addc(&out, ' ');
		}
	}
	return sbuf_finish(&out, w->p->a);
}

static size_t last_line_columns(const struct sbuf *s)
{
	size_t at = s->n;
	while (at > 0 && s->p[at - 1] != '\n') {
		at--;
	}
	return text_columns(str_sub(sbuf_str(s), at, s->n));
}

/* item, item) with line breaks before what would pass the margin; close stands behind the last. */
static void add_list(struct writer *w, struct sbuf *out, const str_array *item, const char *indent,
	const char *close)
{
	for (size_t i = 0; i < item->n; i++) {
		bool last = i + 1 == item->n;
		struct str s = joined(w, item->v[i]);
		size_t room = text_columns(s) + (last ? strlen(close) : 1);
		bool first = i == 0;
		if (last_line_columns(out) + room + (first ? 0 : 1) > LINE_MAX_COLUMNS) {
			sbuf_addf(out, "%s%s", w->eol, indent);
		} else if (!first) {
			sbuf_addc(out, ' ');
		}
		sbuf_addstr(out, s);
		sbuf_adds(out, last ? "" : ",");
	}
	sbuf_adds(out, close);
}

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

static void add_state(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	if (w->p->opts->comments) {
		sbuf_addf(out, "// What %s() hands to %s().%s%.*s", w->narrow, w->wide, w->eol,
			STR_ARG(w->base));
	}
	sbuf_addf(out, "struct %s {%s", w->state, w->eol);
	for (size_t i = 0; i < c->fields; i++) {
		const struct callee_field *f = &c->field[i];
		const char *type = f->pointer ? type_and(w, referent(w, f), "*") : f->type;
		sbuf_addf(out, "%s%s%s%s%s%s;%s", w->inner, f->align ? f->align : "",
			f->align ? " " : "", type_and(w, type, f->name), f->dims,
			f->guard ? " = false" : "", w->eol);
	}
	sbuf_addf(out, "%.*s};%s%s%.*s", STR_ARG(w->base), w->eol, w->eol, STR_ARG(w->base));
}

/* A field under its old name. */
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

/* ---- headers ---- */

/* The word void in front of the function's name; end 0: it is not said so. */
static struct span void_word(const struct writer *w)
{
	struct span head = w->c->pattern.head, last = {0};
	for (struct lex_token k = lex_next(w->t, head.begin);
		k.kind != LEX_END && k.begin < head.end; k = lex_next(w->t, k.end)) {
		last = lex_is(w->t, k, "void") ? (struct span){k.begin, k.end} : (struct span){0};
	}
	return last;
}

/* Can the narrow part give the state as its result? Not where an array stands in it, as that is
 * filled in its place, nor where a flag says whether the narrow part ran. */
static bool gives_state(const struct writer *w)
{
	const struct callee *c = w->c;
	const struct callee_pattern *p = &c->pattern;
	bool plain = c->fields > 0;
	for (size_t i = 0; i < c->fields; i++) {
		plain &= !*c->field[i].dims && !c->field[i].guard;
	}
	bool arrow = str_holds(span_str(w, p->rest), STR("->"));
	return plain && !arrow && (p->lambda || p->result.end || void_word(w).end);
}

/* What stands before the name. The wide part gives the function's result, the narrow one the state
 * or none. */
static struct str head_text(struct writer *w, bool wide)
{
	const struct callee_pattern *p = &w->c->pattern;
	struct str head = span_str(w, p->head);
	struct span type = p->result.end || p->lambda ? p->result : void_word(w);
	if (!wide && type.end) {
		struct str before = str_sub(w->t, p->head.begin, type.begin);
		struct str after = str_sub(w->t, type.end, p->head.end);
		head = str_of(arena_printf(w->p->a, "%.*s%s%.*s", STR_ARG(before),
			w->returns ? w->state : "void", STR_ARG(after)));
	}
	return joined(w, head);
}

static bool part_has_word(const struct writer *w, bool wide, struct str word)
{
	const struct callee *c = w->c;
	const struct span *text = wide ? c->wide_text : c->narrow;
	bool has = false;
	for (size_t i = 0; i < (wide ? c->wide_texts : c->narrows); i++) {
		has |= callee_has_word(w->t, text[i], word);
	}
	return has;
}

static void add_name(struct writer *w, struct sbuf *out, bool wide)
{
	const struct callee_pattern *p = &w->c->pattern;
	const char *name = wide ? w->wide : w->narrow;
	sbuf_addstr(out, head_text(w, wide));
	sbuf_adds(out, name);
	if (!p->lambda) {
		sbuf_addc(out, '(');
		return;
	}
	/* captures by name that this part does not use would be warned about */
	struct str all = span_str(w, p->capture);
	struct str rest = all, piece;
	struct sbuf list = {0};
	while (rest.n && str_split(&rest, ',', &piece)) {
		piece = str_trim(piece);
		struct str word = piece;
		while (word.n && !isalnum((unsigned char)word.p[0]) && word.p[0] != '_') {
			word = str_sub(word, 1, word.n);
		}
		if (word.n == 0 || str_is(word, "this") || part_has_word(w, wide, word)) {
			sbuf_adds(&list, list.n ? ", " : "");
			sbuf_addstr(&list, piece);
		}
	}
	sbuf_addf(out, " = [%s](", sbuf_cstr(&list));
	sbuf_release(&list);
}

static bool mentions(const struct writer *w, size_t tparam, struct span text)
{
	struct str name = w->c->pattern.tparam[tparam].name;
	return name.n && callee_has_word(w->t, text, name);
}

/* Parameters of one part, and the arguments for them. */
struct part {
	str_array param;
	str_array arg; /* of leaf 0 */
	bool *kept;
};

static struct str nameless(struct writer *w, const struct callee_param *q)
{
	struct str before = str_sub(w->t, q->text.begin, q->name_at);
	struct str after = str_sub(w->t, q->name_at + q->name.n, q->text.end);
	return q->name.n ? str_of(arena_printf(
				   w->p->a, "%.*s%.*s", STR_ARG(str_trim(before)), STR_ARG(after)))
			 : span_str(w, q->text);
}

/* Can the template parameter be told from the parameters that are kept? */
static bool is_deduced(const struct writer *w, const struct part *part, size_t tparam)
{
	const struct callee_pattern *p = &w->c->pattern;
	bool found = p->tparam[tparam].fallback.end > 0;
	for (size_t i = 0; i < p->params; i++) {
		found |= part->kept[i] && mentions(w, tparam, p->param[i].text);
	}
	return found;
}

/* Keeps, without its name, a parameter that a template argument is deduced from. */
static bool keep_for(struct writer *w, struct part *part, size_t tparam)
{
	const struct callee_pattern *p = &w->c->pattern;
	for (size_t i = 0; i < p->params; i++) {
		if (!part->kept[i] && mentions(w, tparam, p->param[i].text)) {
			part->kept[i] = true;
			return true;
		}
	}
	return false;
}

static bool choose_params(struct writer *w, struct part *part, bool wide)
{
	struct callee *c = w->c;
	const struct callee_pattern *p = &c->pattern;
	part->kept = ARENA_ARRAY(w->p->a, bool, p->params);
	for (size_t i = 0; i < p->params; i++) {
		part->kept[i] = wide ? p->param[i].wide : p->param[i].narrow;
	}
	for (size_t i = c->leaf[0].text.targs; i < p->tparams; i++) {
		bool needed = !wide || p->tparam[i].wide;
		if (needed && !is_deduced(w, part, i) && !(!wide && keep_for(w, part, i))) {
			plan_refuse(w->p, CALLEE_TEXT,
				"the template argument '%.*s' could no longer be deduced",
				STR_ARG(p->tparam[i].name));
			return false;
		}
	}
	for (size_t i = 0; i < p->params; i++) {
		const struct callee_param *q = &p->param[i];
		bool used = wide ? q->wide : q->narrow;
		if (part->kept[i]) {
			array_push(&part->param, used ? span_str(w, q->text) : nameless(w, q));
		}
	}
	return true;
}

static void part_release(struct part *part)
{
	array_release(&part->param);
	array_release(&part->arg);
}

static struct str end_trimmed(struct str s)
{
	while (s.n && isspace((unsigned char)s.p[s.n - 1])) {
		s.n--;
	}
	return s;
}

static bool hands_array(const struct callee *c)
{
	bool any = false;
	for (size_t i = 0; i < c->fields; i++) {
		any |= *c->field[i].dims != 0;
	}
	return any;
}

/* With the brace that opens the body, or the ; of a declaration. */
static void add_header(struct writer *w, struct sbuf *out, struct part *part, bool wide, bool body)
{
	struct callee *c = w->c;
	const struct callee_pattern *p = &c->pattern;
	const char *deeper = w->inner;
	str_array list = {0};
	bool array = hands_array(c);
	struct str header = str_sub(w->t, p->all.begin, p->head.begin);
	if (!wide && p->tparams) {
		sbuf_addstr(out, header);
	}
	for (size_t i = 0; wide && i < p->tparams; i++) {
		if (p->tparam[i].wide) {
			array_push(&list, span_str(w, p->tparam[i].text));
		}
	}
	if (list.n) {
		sbuf_adds(out, "template <");
		add_list(w, out, &list, deeper, ">");
		bool line = str_find(header, "\n", 0) != SIZE_MAX;
		sbuf_addf(out, line ? "%s%.*s" : " ", w->eol, STR_ARG(w->base));
	}
	list.n = 0;
	if (c->fields && (wide || !w->returns)) {
		const char *type = arena_printf(
			w->p->a, wide && !array ? "const %s &%s" : "%s &%s", w->state, w->param);
		array_push(&list, str_of(type));
	}
	for (size_t i = 0; i < part->param.n; i++) {
		array_push(&list, part->param.v[i]);
	}
	add_name(w, out, wide);
	add_list(w, out, &list, deeper, ")");
	sbuf_addstr(out, body ? span_str(w, p->rest) : end_trimmed(span_str(w, p->rest)));
	sbuf_addc(out, body ? '{' : ';');
	array_release(&list);
}

/* ---- bodies ---- */

/* Text of a copied declaration; of a moved one with the comments around it. */
static struct span copy_span(const struct writer *w, const struct callee_copy *k)
{
	const struct callee *c = w->c;
	const struct kt_node *d = c->body->child[k->stmt];
	return k->moved ? callee_statement_text(c, k->stmt) : (struct span){d->begin, d->end};
}

/* The pieces with the edits, whose offsets are those of the file. Releases the list. */
static struct str edited(struct writer *w, const struct span *piece, size_t n, struct edit_list *l)
{
	struct sbuf out = {0};
	for (size_t i = 0; i < n; i++) {
		struct edit_list own = {0};
		size_t clash[2], at = piece[i].begin;
		array_each (&l->edits, struct edit, e) {
			if (e->begin >= at && e->end <= piece[i].end) {
				edit_list_add(&own, w->p->a, e->begin - at, e->end - at, e->text);
			}
		}
		if (edit_list_check(&own, piece[i].end - at, clash)) {
			edit_list_apply(&out, span_str(w, piece[i]), &own);
		}
		edit_list_release(&own);
	}
	edit_list_release(l);
	return sbuf_finish(&out, w->p->a);
}

static void add_line(struct writer *w, struct sbuf *out, const char *text)
{
	sbuf_addf(out, "%s%s%s", w->eol, w->inner, text);
}

/* An array of the narrow part becomes a name for that of the state: (&name)[4] = state.name. */
static void add_declarator(struct writer *w, struct edit_list *l, const struct callee_field *f)
{
	struct span at = callee_declarator(w->c, f->declared->sym);
	struct str dims = str_sub(w->t, at.begin + strlen(f->name), at.end);
	const char *text = arena_printf(w->p->a, dims.n ? "(&%s)%.*s = %s.%s" : "&%s%.*s = %s.%s",
		f->name, STR_ARG(dims), w->param, f->name);
	size_t end = f->zeroed ? lex_close(w->t, str_find(w->t, "{", at.end)) + 1 : at.end;
	edit_list_add(l, w->p->a, at.begin, end, str_of(text));
}

/* What gives the arrays of a declaration their zeros, behind it. */
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
	return end_trimmed(edited(w, c->narrow, c->narrows, &l));
}

static const char *handed(struct writer *w, const struct callee_field *f)
{
	return arena_printf(w->p->a, "%s%s", f->pointer ? "&" : "", f->guard ? "true" : f->name);
}

/* Gives the state as the narrow part's result. */
static void add_returned(struct writer *w, struct sbuf *out)
{
	struct callee *c = w->c;
	str_array value = {0};
	for (size_t i = 0; i < c->fields; i++) {
		array_push(&value, str_of(handed(w, &c->field[i])));
	}
	const char *type = c->pattern.lambda ? w->state : "";
	add_line(w, out, arena_printf(w->p->a, "return %s{", type));
	add_list(w, out, &value, arena_printf(w->p->a, "%s%s", w->inner, w->step), "};");
	array_release(&value);
}

/* Fills the state. */
static void add_handed(struct writer *w, struct sbuf *out)
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
			array_push(&value, str_of(handed(w, f)));
		} else if (f->copied) {
			add_line(w, out,
				arena_printf(w->p->a, "__builtin_memcpy(%s.%s, %s, sizeof(%s));",
					w->param, f->name, f->name, f->name));
		} else if (!(*f->dims && f->declared)) { /* such an array stands in the state */
			add_line(w, out,
				arena_printf(
					w->p->a, "%s.%s = %s;", w->param, f->name, handed(w, f)));
		}
	}
	if (at_once) {
		add_line(w, out, arena_printf(w->p->a, "%s = {", w->param));
		add_list(w, out, &value, arena_printf(w->p->a, "%s%s", w->inner, w->step), "};");
	}
	array_release(&value);
}

static void add_narrow_body(struct writer *w, struct sbuf *out)
{
	struct str text = narrow_text(w);
	bool line = text.n && text.p[0] != '\n' && text.p[0] != '\r' && !str_starts(text, " //");
	if (line) {
		add_line(w, out, "");
		text = str_trim(text);
	}
	sbuf_addstr(out, text);
	add_handed(w, out);
}

/* Do all the words of the name in the wide part stand for the one variable or template parameter
 * of that name, and can the state's member stand for it wherever they do? */
static bool is_member_in_place(const struct writer *w, const struct callee_field *f)
{
	const struct callee *c = w->c;
	struct str name = str_of(f->name);
	size_t declared = 0;
	if (!f->is_const || f->pointer || *f->dims || f->guard ||
		part_has_word(w, true, name) == 0 || part_has_word(w, true, STR("decltype")) ||
		part_has_word(w, true, STR("constexpr")) || part_has_word(w, true, STR("struct"))) {
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

struct member_words {
	struct writer *w;
	struct sbuf *out;
	struct str text;
	size_t at; /* up to there it is written */
	const bool *in_place;
};

static bool add_member_word(void *user, struct str word, size_t at)
{
	struct member_words *m = user;
	const struct callee *c = m->w->c;
	for (size_t i = 0; i < c->fields; i++) {
		bool spelled = str_eq(str_sub(m->text, at, at + word.n), word); /* no directive's */
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
	bool array = hands_array(c);
	for (size_t i = 0; i < c->fields; i++) {
		/* beside an array the state is no const one */
		in_place[i] = !array && is_member_in_place(w, &c->field[i]);
		if (!c->field[i].guard && !in_place[i]) {
			add_line(w, out, unpacked(w, &c->field[i]));
		}
	}
	struct sbuf text = {0};
	add_wide_text(w, &text);
	struct str lines = sbuf_str(&text);
	bool first = out->n && out->p[out->n - 1] == '{'; /* an empty line is for what is above */
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
		struct str s = span_str(w, copy_span(w, &c->copy[i]));
		bool line = s.n && (s.p[0] == '\n' || s.p[0] == '\r');
		if (c->copy[i].moved && line) {
			sbuf_addstr(out, s);
		} else {
			add_line(w, out, "");
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
	struct str text = end_trimmed(edited(w, c->wide_text, c->wide_texts, &l));
	if (text.n && text.p[0] != '\n' && text.p[0] != '\r' && !text_comment_at(text, 0)) {
		add_line(w, out, "");
		text = str_trim(text);
	}
	sbuf_addstr(out, text);
}

static void add_end(struct writer *w, struct sbuf *out)
{
	sbuf_addf(out, "%s%.*s}%s", w->eol, STR_ARG(w->base), w->c->pattern.lambda ? ";" : "");
}

/* What stands behind the function: the parts, and the state that one hands to the other. */
static struct str definitions(struct writer *w, struct part *narrow, struct part *wide)
{
	struct sbuf out = {0};
	if (w->c->fields && !w->c->pattern.declare_at) {
		add_state(w, &out);
	}
	add_header(w, &out, narrow, false, true);
	add_narrow_body(w, &out);
	add_end(w, &out);
	sbuf_addf(&out, "%s%s%.*s", w->eol, w->eol, STR_ARG(w->base));
	add_header(w, &out, wide, true, true);
	add_wide_body(w, &out);
	add_end(w, &out);
	return sbuf_finish(&out, w->p->a);
}

/* What stands before the function of the merge when the parts are defined behind it. */
static struct str declarations(struct writer *w, struct part *narrow, struct part *wide)
{
	struct sbuf out = {0};
	sbuf_addstr(&out, w->base);
	if (w->c->fields) {
		add_state(w, &out);
	}
	add_header(w, &out, narrow, false, false);
	sbuf_addf(&out, "%s%.*s", w->eol, STR_ARG(w->base));
	add_header(w, &out, wide, true, false);
	sbuf_addf(&out, "%s%s", w->eol, w->eol);
	return sbuf_finish(&out, w->p->a);
}

/* ---- names ---- */

static bool is_taken(const struct writer *w, const char *name)
{
	return !plan_name_is_free(w->p, name, NAME_BESIDE) ||
	       reserved_has_word(w->p->opts->declared, name);
}

/* Is the text, which has the name, among what goes into the file as well? */
static bool is_added(const struct reserved *r, struct str text, const char *name)
{
	return reserved_has_word(r, name) && str_holds(reserved_text(r), text);
}

/* How the function's name is written: step_tile, stepTile, StepTile. */
enum style {
	STYLE_SNAKE,
	STYLE_CAMEL,
	STYLE_PASCAL
};

static enum style style_of(struct str name)
{
	bool upper = false, lower = false, underscore = false;
	for (size_t i = 0; i < name.n; i++) {
		upper |= isupper((unsigned char)name.p[i]) != 0;
		lower |= islower((unsigned char)name.p[i]) != 0;
		underscore |= name.p[i] == '_';
	}
	if (!upper || !lower || underscore) {
		return STYLE_SNAKE;
	}
	return isupper((unsigned char)name.p[0]) ? STYLE_PASCAL : STYLE_CAMEL;
}

/* name and the word behind it, in the name's style. */
static const char *with_word(
	struct writer *w, struct str name, enum style style, const char *word, const char *number)
{
	bool snake = style == STYLE_SNAKE;
	bool joint = snake && name.n && name.p[name.n - 1] != '_';
	return arena_printf(w->p->a, "%s%.*s%s%c%s%s", w->p->opts->prefix ? w->p->opts->prefix : "",
		STR_ARG(name), joint ? "_" : "", snake ? *word : toupper((unsigned char)*word),
		word + 1, number);
}

/* The last word of a name of several, as a variable begins with it; n 0: it is one word. */
static struct str last_word(struct writer *w, struct str name, enum style style)
{
	size_t at = name.n;
	while (at > 0 && (style == STYLE_SNAKE ? name.p[at - 1] != '_'
					       : !isupper((unsigned char)name.p[at - 1]))) {
		at--;
	}
	size_t from = style == STYLE_SNAKE || at == 0 ? at : at - 1;
	struct str word = str_sub(name, from, name.n);
	if (from == 0 || word.n < 2 || isdigit((unsigned char)word.p[0])) {
		return (struct str){0};
	}
	char *lower = arena_strndup(w->p->a, word.p, word.n);
	*lower = (char)tolower((unsigned char)*lower);
	return str_of(lower);
}

/* Names for a variable that is the state. */
static const char *const *state_bases(struct writer *w, struct str name)
{
	const char **base = ARENA_ARRAY(w->p->a, const char *, 5);
	enum style style = style_of(name);
	struct str word = last_word(w, name, style);
	size_t n = 0;
	if (word.n && !w->p->opts->prefix) {
		base[n++] =
			with_word(w, word, style == STYLE_CAMEL ? style : STYLE_SNAKE, "state", "");
	}
	base[n++] = "state";
	base[n++] = "handed";
	if (!w->p->opts->prefix) {
		base[n++] = with_word(w, name, style, "handed", "");
	}
	return base;
}

/* Of the function, as the source gave it. */
static struct str function_name(struct writer *w)
{
	struct str name = span_str(w, w->c->pattern.name);
	return str_of(plan_name_base(w->p, arena_strndup(w->p->a, name.p, name.n)));
}

static const char *state_name(struct writer *w, struct str name, const char *number)
{
	enum style style = style_of(name);
	char *type = arena_strndup(w->p->a, name.p, name.n);
	if (style == STYLE_CAMEL) { /* a type begins with a capital there */
		*type = (char)toupper((unsigned char)*type);
	}
	return with_word(w, str_of(type), style, "state", number);
}

const char *callee_state_name(const struct callee *c)
{
	struct writer w = {.c = (struct callee *)(uintptr_t)c, .p = c->p, .t = c->p->text};
	return state_name(&w, function_name(&w), "");
}

/* The declarations under the first free names, or under those that they have in the file already
 * (*there). */
static struct str declare(struct writer *w, struct part *narrow, struct part *wide, bool *there)
{
	struct str of = function_name(w);
	enum style style = style_of(of);
	for (unsigned i = 1;; i++) {
		const char *number = i > 1 ? arena_printf(w->p->a, "%u", i) : "";
		struct str name = str_of(
			arena_printf(w->p->a, "%s%.*s", plan_name_beginning(w->p, i), STR_ARG(of)));
		w->state = state_name(w, name, number);
		w->narrow = with_word(w, name, style, "narrow", number);
		w->wide = with_word(w, name, style, "wide", number);
		struct str text = definitions(w, narrow, wide);
		size_t at = w->c->pattern.declare_at, uses = 0;
		layout_uses(plan_layout(w->p), str_of(w->narrow), &uses);
		*there = uses > 0 && str_holds(w->t, text) &&
			 (!at || str_holds(str_sub(w->t, 0, at), declarations(w, narrow, wide)));
		bool shared =
			*there || (!at && (is_added(w->p->opts->reserved, text, w->narrow) ||
						  is_added(w->p->opts->declared, text, w->narrow)));
		bool same = strcmp(w->state, w->var) == 0 || strcmp(w->state, w->param) == 0;
		if (!same && (shared || !(is_taken(w, w->state) || is_taken(w, w->narrow) ||
						is_taken(w, w->wide)))) {
			return text;
		}
	}
}

/* ---- the calls ---- */

/* "w.template " is for arguments that follow. */
static struct str without_template(struct str prefix)
{
	for (struct lex_token k = lex_next(prefix, 0); k.kind != LEX_END;
		k = lex_next(prefix, k.end)) {
		if (lex_is(prefix, k, "template")) {
			return str_sub(prefix, 0, k.begin);
		}
	}
	return prefix;
}

static struct str call_text(
	struct writer *w, size_t leaf, const struct part *part, bool wide, const char *indent)
{
	struct callee *c = w->c;
	const struct callee_leaf *l = &c->leaf[leaf];
	struct sbuf out = {0};
	str_array list = {0};
	sbuf_adds(&out, indent);
	size_t begin = out.n;
	if (wide && l->result) {
		sbuf_addstr(&out, joined(w, span_str(w, callee_result_text(c, leaf))));
		sbuf_adds(&out, " = ");
	} else if (!wide && w->returns) {
		sbuf_addf(&out, "%s = ", w->var);
	}
	for (size_t i = 0; i < l->text.targs; i++) {
		if (!wide || (i < c->pattern.tparams && c->pattern.tparam[i].wide)) {
			array_push(&list, span_str(w, l->text.targ[i]));
		}
	}
	struct str prefix = joined(w, span_str(w, l->text.prefix));
	sbuf_addstr(&out, list.n ? prefix : without_template(prefix));
	sbuf_adds(&out, wide ? w->wide : w->narrow);
	const char *deeper = arena_printf(w->p->a, "%s%s", indent, w->step);
	if (list.n) {
		sbuf_addc(&out, '<');
		add_list(w, &out, &list, deeper, ">");
	}
	list.n = 0;
	sbuf_addc(&out, '(');
	if (c->fields && (wide || !w->returns)) {
		array_push(&list, str_of(w->var));
	}
	for (size_t i = 0; i < l->text.args; i++) {
		if (part->kept[i]) {
			array_push(&list, span_str(w, l->text.arg[i]));
		}
	}
	add_list(w, &out, &list, deeper, ");");
	array_release(&list);
	struct str text = sbuf_finish(&out, w->p->a);
	return str_sub(text, begin, text.n);
}

/* The explicit template arguments of the wide call must be right behind the merge. */
static bool check_targs(struct writer *w)
{
	struct callee *c = w->c;
	for (size_t i = 0; i < c->pattern.tparams && i < c->leaf[0].text.targs; i++) {
		struct span at = c->leaf[0].text.targ[i];
		for (kt_id id = 1; c->pattern.tparam[i].wide && id < c->u->syms; id++) {
			const struct kt_sym *s = &c->u->sym[id];
			bool inside = s->fn == c->m->fn && s->at >= c->m->node->begin &&
				      s->at < c->m->node->end;
			if (inside && callee_has_word(w->t, at, str_of(s->name))) {
				return plan_refuse(w->p, CALLEE_ARGUMENT,
					"the template argument '%.*s' names what is declared in "
					"an arm",
					STR_ARG(span_str(w, at)));
			}
		}
	}
	return true;
}

/* ---- around the merge ---- */

/* The lines of the merge go one step deeper. */
static void deepen(struct writer *w)
{
	const struct kt_node *n = w->c->m->node;
	struct text_lines l = text_lines_in(w->t, n->begin, n->end);
	for (size_t at; (at = text_next_line(&l)) != SIZE_MAX;) {
		if (!plan_in_edit(w->p, at)) {
			plan_edit(w->p, at, at, "%s", w->step);
		}
	}
}

/* The wide call; under an if, where a path has no call. */
static struct str wide_call(struct writer *w, const struct part *wide, const char *at)
{
	const struct callee *c = w->c;
	const struct callee_field *guard = NULL;
	for (size_t i = 0; i < c->fields; i++) {
		guard = c->field[i].guard ? &c->field[i] : guard;
	}
	if (!guard) {
		return call_text(w, 0, wide, true, at);
	}
	const char *deeper = arena_printf(w->p->a, "%s%s", at, w->step);
	struct str call = call_text(w, 0, wide, true, deeper);
	return str_of(arena_printf(w->p->a, "if (%s.%s) {%s%s%.*s%s%s}", w->var, guard->name,
		w->eol, deeper, STR_ARG(call), w->eol, at));
}

static bool edit_merge(
	struct writer *w, const struct part *narrow, const struct part *wide, bool fenced)
{
	struct callee *c = w->c;
	const struct kt_node *n = c->m->node;
	bool block = plan_needs_block(n);
	struct plan_frame f = plan_frame(w->p, n, block);
	const char *at = f.indent;
	bool deeper = block && strlen(at) > text_indent(w->p->text, n->begin).n;
	const char *type = callee_state_type(c, w->state);
	if (!type) {
		return false;
	}
	if (block && fenced) {
		plan_refuse(w->p, CALLEE_FORM, "there is no place for declarations before it");
		return false;
	}
	if (n->flags & KT_F_MACRO || !text_first_on_line(w->t, n->begin)) {
		plan_refuse(w->p, CALLEE_FORM, "it does not begin a line, or comes from a macro");
		return false;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *call = c->leaf[i].stmt;
		struct str own = text_indent(w->p->text, call->begin);
		const char *indent = fenced ? arena_printf(w->p->a, "%s%s", at, w->step)
					    : arena_printf(w->p->a, "%.*s%s", STR_ARG(own),
						      deeper ? w->step : "");
		struct str text = call_text(w, i, narrow, false, indent);
		plan_edit(w->p, call->begin, call->end, "%.*s", STR_ARG(text));
	}
	if (c->fields) {
		plan_edit(
			w->p, f.begin, n->begin, "%s%s %s;%s%s", f.open, type, w->var, w->eol, at);
	} else if (block) {
		plan_edit(w->p, f.begin, n->begin, "%s", f.open);
	}
	if (deeper) {
		deepen(w);
	}
	if (fenced) {
		static const unsigned own[] = {
			CALLEE_FORM, CALLEE_TEXT, CALLEE_LEAVES, CALLEE_FORM, CALLEE_FORM};
		struct guard_opts o = {
			.guard = GUARD_FENCE, .clause = own, .nested = true, .flatten = true};
		if (!plan_guard_arms(w->p, c->m, &o)) {
			return false;
		}
	}
	size_t end = block ? n->end : text_behind_comments(w->t, n->end);
	bool more = !block && !text_line_ends_at(w->t, end);
	struct str call = wide_call(w, wide, at);
	const char *close = more ? arena_printf(w->p->a, "%s%s", w->eol, at) : f.close;
	plan_edit(w->p, end, more ? text_skip_blanks(w->t, end) : end, "%s%s%.*s%s", w->eol, at,
		STR_ARG(call), close);
	return true;
}

/* ---- beside the function ---- */

/* Would a compiler warn that nobody uses the function? */
static bool must_go(const struct writer *w)
{
	const struct callee_pattern *p = &w->c->pattern;
	struct str name = span_str(w, p->name);
	const char *word = arena_strndup(w->p->a, name.p, name.n);
	bool local = p->lambda || (callee_has_word(w->t, p->head, STR("static")) &&
					  !plan_named_elsewhere(w->p, word));
	return local && !w->c->used_elsewhere;
}

/* The empty line behind the parts, where code stands on the next one. */
static const char *gap_behind(const struct writer *w, size_t at)
{
	size_t nl = text_line_ends_at(w->t, at) ? str_find(w->t, "\n", at) : SIZE_MAX;
	if (nl == SIZE_MAX) {
		return "";
	}
	size_t next = text_skip_blanks(w->t, nl + 1);
	bool code = next < w->t.n && !strchr("\r\n}", w->t.p[next]);
	return code ? w->eol : "";
}

/* The parts in the function's place; the comment above it is the narrow part's. */
static void replace_function(struct writer *w, struct str text)
{
	const struct callee_pattern *p = &w->c->pattern;
	size_t line = text_line_start(w->t, p->all.begin);
	size_t above = text_comments_above(w->t, p->all.begin);
	struct sbuf state = {0};
	if (w->c->fields && !p->declare_at) {
		add_state(w, &state);
	}
	if (above == line || !state.n) {
		plan_edit(w->p, p->all.begin, p->all.end, "%.*s", STR_ARG(text));
	} else {
		struct str comment = str_sub(w->t, above, line);
		plan_edit(w->p, above, p->all.end, "%.*s%.*s%.*s%.*s%.*s", STR_ARG(w->base),
			(int)(state.n - w->base.n), state.p, STR_ARG(comment), STR_ARG(w->base),
			STR_ARG(str_sub(text, state.n, text.n)));
	}
	sbuf_release(&state);
}

static void edit_function(
	struct writer *w, struct part *narrow, struct part *wide, struct str text, bool there)
{
	const struct callee_pattern *p = &w->c->pattern;
	if (p->declare_at && !there) {
		w->p->out->forward = declarations(w, narrow, wide);
		plan_edit(w->p, p->declare_at, p->declare_at, "%.*s", STR_ARG(w->p->out->forward));
		plan_edit(w->p, p->all.end, p->all.end, "%s%s%.*s%.*s", w->eol, w->eol,
			STR_ARG(w->base), STR_ARG(text));
		return;
	}
	if (must_go(w)) {
		replace_function(w, text);
	} else if (!there) {
		const char *all = arena_printf(w->p->a, "%s%s%.*s%.*s%s", w->eol, w->eol,
			STR_ARG(w->base), STR_ARG(text), gap_behind(w, p->all.end));
		plan_edit(w->p, p->all.end, p->all.end, "%s", all);
		w->p->out->declares = str_of(all);
	}
}

/* ---- the function, where others call it ---- */

/* A call of a part from inside the function, on its own parameters. */
static void add_own_call(struct writer *w, struct sbuf *out, const struct part *part, bool wide)
{
	const struct callee_pattern *p = &w->c->pattern;
	const char *deeper = arena_printf(w->p->a, "%s%s", w->inner, w->step);
	str_array list = {0};
	sbuf_adds(out, wide ? w->wide : w->narrow);
	for (size_t i = 0; i < p->tparams; i++) {
		if (!wide || p->tparam[i].wide) {
			array_push(&list, p->tparam[i].name);
		}
	}
	if (list.n) {
		sbuf_addc(out, '<');
		add_list(w, out, &list, deeper, ">");
	}
	list.n = 0;
	sbuf_addc(out, '(');
	if (w->c->fields && (wide || !w->returns)) {
		array_push(&list, str_of(w->param));
	}
	for (size_t i = 0; i < p->params; i++) {
		if (part->kept[i]) {
			array_push(&list, p->param[i].name);
		}
	}
	add_list(w, out, &list, deeper, ");");
	array_release(&list);
}

static const struct halves *halves_of(
	struct writer *w, const struct part *narrow, const struct part *wide)
{
	struct callee *c = w->c;
	struct halves *h = ARENA_NEW(w->p->a, struct halves);
	struct sbuf b = {0};
	sbuf_addc(&b, '{');
	add_line(w, &b, "");
	if (c->fields) {
		sbuf_addf(&b, "%s%s %s", w->returns ? "const " : "", w->state, w->param);
		sbuf_adds(&b, w->returns ? " = " : ";");
		if (!w->returns) {
			add_line(w, &b, "");
		}
	}
	add_own_call(w, &b, narrow, false);
	add_line(w, &b, c->pattern.result.end ? "return " : "");
	add_own_call(w, &b, wide, true);
	sbuf_addf(&b, "%s%.*s}", w->eol, STR_ARG(w->base));
	*h = (struct halves){.narrow = w->narrow,
		.wide = w->wide,
		.was = span_str(w, c->pattern.body),
		.body = sbuf_finish(&b, w->p->a),
		.method = c->u->fn[c->leaf[0].fn].is_method,
		.of = ARENA_ARRAY(w->p->a, const char *, c->leaves),
		.n = c->leaves};
	for (size_t i = 0; i < c->leaves; i++) {
		h->of[i] = c->u->fn[c->leaf[i].fn].symbol;
	}
	return h;
}

bool callee_edit(struct callee *c, bool fenced)
{
	struct plan *p = c->p;
	struct writer w = {.c = c,
		.p = p,
		.t = p->text,
		.eol = text_eol(p->text),
		.step = text_indent_step(p->text),
		.base = text_indent(p->text, c->pattern.all.begin)};
	struct part narrow = {0}, wide = {0};
	bool there = false;
	w.inner = arena_printf(p->a, "%.*s%s", STR_ARG(w.base), w.step);
	const char *const *bases = state_bases(&w, span_str(&w, c->pattern.name));
	w.param = plan_name_in(p, bases, c->pattern.all, !callee_any_macro(c));
	w.var = plan_name_of(p, bases);
	w.returns = gives_state(&w);
	bool ok = choose_params(&w, &narrow, false) && choose_params(&w, &wide, true) &&
		  check_targs(&w);
	if (ok) {
		struct str text = declare(&w, &narrow, &wide, &there);
		ok = edit_merge(&w, &narrow, &wide, fenced);
		if (ok) {
			struct str name = span_str(&w, c->pattern.name);
			p->out->split = arena_strndup(p->a, name.p, name.n);
			p->out->halves =
				callee_is_two_halves(c) ? halves_of(&w, &narrow, &wide) : NULL;
			edit_function(&w, &narrow, &wide, text, there);
		}
	}
	part_release(&narrow);
	part_release(&wide);
	return ok;
}
