/* The headers of the two parts: return types, names, template parameters and parameters. */

#include "frontend/text/lex.h"
#include "strategy/extract/write.h"

/* The word void before the function's name; end 0: another spelling. */
static struct span void_word(const struct writer *w)
{
	struct span head = w->c->pattern.head, last = {0};
	lex_each (k, w->t, head.begin, head.end) {
		last = lex_is(w->t, k, "void") ? (struct span){k.begin, k.end} : (struct span){0};
	}
	return last;
}

/* Not if the state has an array, which is filled in place, nor if it has the flag for the narrow
 * part. */
bool writer_gives_state(const struct writer *w)
{
	const struct callee *c = w->c;
	const struct callee_pattern *p = &c->pattern;
	bool plain = c->fields > 0;
	for (size_t i = 0; i < c->fields; i++) {
		plain &= !*c->field[i].dims && !c->field[i].guard;
	}
	bool arrow = str_holds(writer_str(w, p->rest), STR("->"));
	return plain && !arrow && (p->lambda || p->result.end || void_word(w).end);
}

/* The text before the name. The wide part returns the function's result, the narrow one the state
 * or nothing. */
static struct str head_text(struct writer *w, bool wide)
{
	const struct callee_pattern *p = &w->c->pattern;
	struct str head = writer_str(w, p->head);
	struct span type = p->result.end || p->lambda ? p->result : void_word(w);
	if (!wide && type.end) {
		struct str before = str_sub(w->t, p->head.begin, type.begin);
		struct str after = str_sub(w->t, type.end, p->head.end);
		head = str_of(arena_printf(w->p->a, "%.*s%s%.*s", STR_ARG(before),
			w->returns ? w->state : "void", STR_ARG(after)));
	}
	return writer_joined(w, head);
}

bool writer_part_has_word(const struct writer *w, bool wide, struct str word)
{
	return callee_has_word(w->t, wide ? w->c->wide_text : w->c->narrow, word);
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
	/* unused captures by name would cause warnings */
	struct str all = writer_str(w, p->capture);
	struct str rest = all, piece;
	struct sbuf list = {0};
	while (rest.n && str_split(&rest, ',', &piece)) {
		piece = str_trim(piece);
		struct str word = piece;
		while (word.n && !lex_is_word_char(word.p[0])) {
			word = str_sub(word, 1, word.n);
		}
		if (word.n == 0 || str_is(word, "this") || writer_part_has_word(w, wide, word)) {
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

static struct str nameless(struct writer *w, const struct callee_param *q)
{
	struct str before = str_sub(w->t, q->text.begin, q->name_at);
	struct str after = str_sub(w->t, q->name_at + q->name.n, q->text.end);
	return q->name.n ? str_of(arena_printf(
				   w->p->a, "%.*s%.*s", STR_ARG(str_trim(before)), STR_ARG(after)))
			 : writer_str(w, q->text);
}

/* Can the template parameter be deduced from the kept parameters? */
static bool is_deduced(const struct writer *w, const struct part *part, size_t tparam)
{
	const struct callee_pattern *p = &w->c->pattern;
	bool found = p->tparam[tparam].fallback.end > 0;
	for (size_t i = 0; i < p->params; i++) {
		found |= part->kept[i] && mentions(w, tparam, p->param[i].text);
	}
	return found;
}

/* Keeps an unused parameter, without its name, to deduce a template argument. */
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

bool writer_choose_params(struct writer *w, struct part *part, bool wide)
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
			array_push(&part->param, used ? writer_str(w, q->text) : nameless(w, q));
		}
	}
	return true;
}

void writer_part_release(struct part *part)
{
	array_release(&part->param);
	array_release(&part->arg);
}

bool callee_passes_array(const struct callee *c)
{
	bool any = false;
	for (size_t i = 0; i < c->fields; i++) {
		any |= *c->field[i].dims != 0;
	}
	return any;
}

void writer_add_header(struct writer *w, struct sbuf *out, struct part *part, bool wide, bool body)
{
	struct callee *c = w->c;
	const struct callee_pattern *p = &c->pattern;
	const char *deeper = w->inner;
	str_array list = {0};
	bool array = callee_passes_array(c);
	struct str header = str_sub(w->t, p->all.begin, p->head.begin);
	if (!wide && p->tparams) {
		sbuf_addstr(out, header);
	}
	for (size_t i = 0; wide && i < p->tparams; i++) {
		if (p->tparam[i].wide) {
			array_push(&list, writer_str(w, p->tparam[i].text));
		}
	}
	if (list.n) {
		sbuf_adds(out, "template <");
		writer_add_list(w, out, &list, deeper, ">");
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
	writer_add_list(w, out, &list, deeper, ")");
	sbuf_addstr(
		out, body ? writer_str(w, p->rest) : writer_end_trimmed(writer_str(w, p->rest)));
	sbuf_addc(out, body ? '{' : ';');
	array_release(&list);
}
