/*
 * The edits of a callee split: the state, the narrow and the wide part after the function, the
 * calls of the narrow part in the arms, the state's variable before the merge and the wide call
 * after it.
 */
#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/write.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

/* ---- names ---- */

/* The spelling of the function's name: step_tile, stepTile, StepTile. */
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

/* Appends a word to the name, in the name's style. */
static const char *with_word(
	struct writer *w, struct str name, enum style style, const char *word, const char *number)
{
	bool snake = style == STYLE_SNAKE;
	bool joint = snake && name.n && name.p[name.n - 1] != '_';
	return arena_printf(w->p->a, "%s%.*s%s%c%s%s", w->p->opts->prefix ? w->p->opts->prefix : "",
		STR_ARG(name), joint ? "_" : "", snake ? *word : toupper((unsigned char)*word),
		word + 1, number);
}

/* The last word of a name of several words, in the case of a variable; n 0: it has one word. */
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

/* Candidates for the name of the state's variable. */
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

/* The function's name in the original source. */
static struct str function_name(struct writer *w)
{
	struct str name = w->c->pattern.called;
	return str_of(plan_name_base(w->p, arena_strndup(w->p->a, name.p, name.n)));
}

static const char *state_name(struct writer *w, struct str name, const char *number)
{
	enum style style = style_of(name);
	char *type = arena_strndup(w->p->a, name.p, name.n);
	if (style == STYLE_CAMEL) { /* types begin with a capital letter there */
		*type = (char)toupper((unsigned char)*type);
	}
	return with_word(w, str_of(type), style, "state", number);
}

const char *callee_state_name(const struct callee *c)
{
	struct writer w = {.c = (struct callee *)(uintptr_t)c, .p = c->p, .t = c->p->text};
	return state_name(&w, function_name(&w), "");
}

/* The text before the class, if its instances share the state. */
static struct str class_state(struct writer *w)
{
	struct sbuf out = {0};
	size_t begin = text_comments_above(w->t, w->c->pattern.of.all.begin);
	size_t above = begin ? text_line_start(w->t, begin - 1) : 0;
	struct str at = text_indent(w->t, w->c->pattern.of.all.begin);
	sbuf_adds(&out, text_line_ends_at(w->t, above) ? "" : w->eol);
	sbuf_addstr(&out, at);
	writer_add_state(w, &out, at);
	struct str text = sbuf_finish(&out, w->p->a);
	return str_sub(text, 0, text.n - at.n);
}

/* The declarations, with the first free names, or with their names in the file if they already
 * exist (*there). */
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
		struct str text = writer_definitions(w, narrow, wide);
		size_t at = w->c->pattern.declare_at, uses = 0;
		size_t class_at = w->c->pattern.of.all.begin;
		layout_uses(plan_layout(w->p), str_of(w->narrow), &uses);
		*there = uses > 0 && str_holds(w->t, text) &&
			 (!at || str_holds(str_sub(w->t, 0, at),
					 writer_declarations(w, narrow, wide))) &&
			 (!class_at || str_holds(str_sub(w->t, 0, class_at), class_state(w)));
		bool shared = *there || (!at && (plan_is_added(w->p, text, w->narrow)));
		bool same = strcmp(w->state, w->var) == 0 || strcmp(w->state, w->param) == 0;
		if (!same && (shared || !(plan_name_is_taken(w->p, w->state) ||
						plan_name_is_taken(w->p, w->narrow) ||
						plan_name_is_taken(w->p, w->wide)))) {
			return text;
		}
	}
}

/* ---- the calls ---- */

/* "w.template " without the keyword, which only template arguments need. */
static struct str without_template(struct str prefix)
{
	struct lex_token last = {0};
	lex_each (k, prefix, 0, prefix.n) {
		last = k;
	}
	return lex_is(prefix, last, "template") ? str_sub(prefix, 0, last.begin) : prefix;
}

/* name<targ, ...>(state, arg, ...); */
static void add_call(struct writer *w, struct sbuf *out, bool wide, const char *state,
	const str_array *targ, const str_array *arg, const char *deeper)
{
	str_array list = {0};
	sbuf_adds(out, wide ? w->wide : w->narrow);
	if (targ->n) {
		sbuf_addc(out, '<');
		writer_add_list(w, out, targ, deeper, ">");
	}
	sbuf_addc(out, '(');
	if (w->c->fields && (wide || !w->returns)) {
		array_push(&list, str_of(state));
	}
	array_each (arg, const struct str, s) {
		array_push(&list, *s);
	}
	writer_add_list(w, out, &list, deeper, ");");
	array_release(&list);
}

static struct str call_text(
	struct writer *w, size_t leaf, const struct part *part, bool wide, const char *indent)
{
	struct callee *c = w->c;
	const struct callee_leaf *l = &c->leaf[leaf];
	struct sbuf out = {0};
	str_array targ = {0}, arg = {0};
	sbuf_adds(&out, indent);
	size_t begin = out.n;
	if (wide && l->result) {
		sbuf_addstr(&out, writer_joined(w, writer_str(w, callee_result_text(c, leaf))));
		sbuf_adds(&out, " = ");
	} else if (!wide && w->returns) {
		sbuf_addf(&out, "%s = ", w->var);
	}
	for (size_t i = 0; i < l->text.targs; i++) {
		if (!wide || (i < c->pattern.tparams && c->pattern.tparam[i].wide)) {
			array_push(&targ, writer_str(w, l->text.targ[i]));
		}
	}
	for (size_t i = 0; i < l->text.args; i++) {
		if (part->kept[i]) {
			array_push(&arg, writer_str(w, l->text.arg[i]));
		}
	}
	struct str prefix = writer_joined(w, writer_str(w, l->text.prefix));
	sbuf_addstr(&out, targ.n ? prefix : without_template(prefix));
	sbuf_adds(&out, l->text.name.end ? "" : ".");
	add_call(
		w, &out, wide, w->var, &targ, &arg, arena_printf(w->p->a, "%s%s", indent, w->step));
	array_release(&targ);
	array_release(&arg);
	struct str text = sbuf_finish(&out, w->p->a);
	return str_sub(text, begin, text.n);
}

/* The explicit template arguments of the wide call must be right after the merge. */
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
					"the template argument '%.*s' uses a variable of an arm",
					STR_ARG(writer_str(w, at)));
			}
		}
	}
	return true;
}

/* ---- around the merge ---- */

/* Indents the merge by one step. */
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

/* The wide call; under an if, if a path has no call. */
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
	size_t end = block ? n->end : text_after_comments(w->t, n->end);
	bool more = !block && !text_line_ends_at(w->t, end);
	struct str call = wide_call(w, wide, at);
	const char *close = more ? arena_printf(w->p->a, "%s%s", w->eol, at) : f.close;
	plan_edit(w->p, end, more ? text_skip_blanks(w->t, end) : end, "%s%s%.*s%s", w->eol, at,
		STR_ARG(call), close);
	return true;
}

/* ---- text next to the function ---- */

/* Would a compiler warn about an unused function? */
static bool must_go(const struct writer *w)
{
	const struct callee_pattern *p = &w->c->pattern;
	struct str name = writer_str(w, p->name);
	const char *word = arena_strndup(w->p->a, name.p, name.n);
	bool local = p->lambda || (callee_has_word(w->t, p->head, STR("static")) &&
					  !plan_named_elsewhere(w->p, word));
	return local && !w->c->used_elsewhere;
}

/* An empty line after the parts, if code follows directly. */
static const char *gap_after(const struct writer *w, size_t at)
{
	size_t nl = text_line_ends_at(w->t, at) ? str_find(w->t, "\n", at) : SIZE_MAX;
	if (nl == SIZE_MAX) {
		return "";
	}
	size_t next = text_skip_blanks(w->t, nl + 1);
	bool code = next < w->t.n && !strchr("\r\n}", w->t.p[next]);
	return code ? w->eol : "";
}

/* Replaces the function by the parts; the narrow part keeps the comment above. */
static void replace_function(struct writer *w, struct str text)
{
	const struct callee_pattern *p = &w->c->pattern;
	size_t line = text_line_start(w->t, p->all.begin);
	size_t above = text_comments_above(w->t, p->all.begin);
	struct sbuf state = {0};
	if (writer_has_state_beside(w)) {
		writer_add_state(w, &state, w->base);
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
		w->p->out->forward = writer_declarations(w, narrow, wide);
		plan_edit(w->p, p->declare_at, p->declare_at, "%.*s", STR_ARG(w->p->out->forward));
		plan_edit(w->p, p->all.end, p->all.end, "%s%s%.*s%.*s", w->eol, w->eol,
			STR_ARG(w->base), STR_ARG(text));
		return;
	}
	if (p->of.all.end && w->c->fields && !there) {
		size_t at = text_comments_above(w->t, p->of.all.begin);
		w->p->out->forward = class_state(w);
		plan_edit(w->p, at, at, "%.*s", STR_ARG(w->p->out->forward));
	}
	if (must_go(w)) {
		replace_function(w, text);
	} else if (!there) {
		const char *all = arena_printf(w->p->a, "%s%s%.*s%.*s%s", w->eol, w->eol,
			STR_ARG(w->base), STR_ARG(text), gap_after(w, p->all.end));
		plan_edit(w->p, p->all.end, p->all.end, "%s", all);
		w->p->out->declares = str_of(all);
	}
}

/* ---- the function as a wrapper for other callers ---- */

/* A call of a part from inside the function, on its own parameters. */
static void add_own_call(struct writer *w, struct sbuf *out, const struct part *part, bool wide)
{
	const struct callee_pattern *p = &w->c->pattern;
	str_array targ = {0}, arg = {0};
	for (size_t i = 0; i < p->tparams; i++) {
		if (!wide || p->tparam[i].wide) {
			array_push(&targ, p->tparam[i].name);
		}
	}
	for (size_t i = 0; i < p->params; i++) {
		if (part->kept[i]) {
			array_push(&arg, p->param[i].name);
		}
	}
	add_call(w, out, wide, w->param, &targ, &arg,
		arena_printf(w->p->a, "%s%s", w->inner, w->step));
	array_release(&targ);
	array_release(&arg);
}

static const struct wrapper *wrapper_of(
	struct writer *w, const struct part *narrow, const struct part *wide)
{
	struct callee *c = w->c;
	struct wrapper *h = ARENA_NEW(w->p->a, struct wrapper);
	struct sbuf b = {0};
	sbuf_addc(&b, '{');
	writer_add_line(w, &b, "");
	if (c->fields) {
		sbuf_addf(&b, "%s%s %s", w->returns ? "const " : "", w->state, w->param);
		sbuf_adds(&b, w->returns ? " = " : ";");
		if (!w->returns) {
			writer_add_line(w, &b, "");
		}
	}
	add_own_call(w, &b, narrow, false);
	writer_add_line(w, &b, c->pattern.result.end ? "return " : "");
	add_own_call(w, &b, wide, true);
	sbuf_addf(&b, "%s%.*s}", w->eol, STR_ARG(w->base));
	*h = (struct wrapper){.narrow = w->narrow,
		.wide = w->wide,
		.was = writer_str(w, c->pattern.body),
		.body = sbuf_finish(&b, w->p->a),
		.method = c->u->fn[c->leaf[0].fn].is_method,
		.functor = c->pattern.functor,
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
	const char *const *bases = state_bases(&w, c->pattern.called);
	w.param = plan_name_in(p, bases, c->pattern.all, !callee_any_macro(c));
	w.var = plan_name_of(p, bases);
	w.returns = writer_gives_state(&w);
	bool ok = writer_choose_params(&w, &narrow, false) &&
		  writer_choose_params(&w, &wide, true) && check_targs(&w) &&
		  writer_can_name_class(&w);
	if (ok) {
		struct str text = declare(&w, &narrow, &wide, &there);
		ok = edit_merge(&w, &narrow, &wide, fenced);
		if (ok) {
			struct str name = writer_str(&w, c->pattern.name);
			p->out->split = c->pattern.functor
						? w.narrow /* several functions have that name */
						: arena_strndup(p->a, name.p, name.n);
			p->out->wrapper =
				callee_may_wrap(c) ? wrapper_of(&w, &narrow, &wide) : NULL;
			edit_function(&w, &narrow, &wide, text, there);
		}
	}
	writer_part_release(&narrow);
	writer_part_release(&wide);
	return ok;
}
