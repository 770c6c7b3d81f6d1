/*
 * The spans of a function's text: its template header, parameters and braces. All edits of a callee
 * split use these spans, so text that is not understood is refused here. spelling.c has the calls.
 */
#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/spelling.h"
#include "strategy/text/text.h"

bool callee_refuse_text(struct callee *c, const char *why)
{
	const char *name =
		c->leaves && c->leaf[0].fn ? c->u->fn[c->leaf[0].fn].base : "the function";
	plan_refuse(c->p, CALLEE_TEXT, "'%s' cannot be %s: %s", name,
		c->p->out->strategy == STRATEGY_UNIFY ? "written once" : "split", why);
	return false;
}

struct str callee_text(const struct callee *c, struct span s)
{
	return plan_text(c->p, s.begin, s.end);
}

bool callee_has_word(struct str text, struct span at, struct str word)
{
	/* A quick test first: usually it is not there. A directive may continue after the end. */
	struct str near = str_sub(text, at.begin, at.end + word.n);
	if (!str_holds(near, word) &&
		(!str_holds(near, STR("#")) || !str_holds(str_sub(text, at.begin, text.n), word))) {
		return false;
	}
	return lex_has_word(text, at.begin, at.end, word);
}

bool callee_node_has(const struct callee *c, const struct kt_node *n, const char *word)
{
	return callee_has_word(c->p->text, (struct span){n->begin, n->end}, str_of(word));
}

struct span callee_declarator(const struct callee *c, kt_id var)
{
	const struct kt_sym *sym = &c->u->sym[var];
	struct str t = c->p->text;
	struct span at = {sym->at, sym->at + strlen(sym->name)};
	for (struct lex_token k = lex_next(t, at.end); lex_is(t, k, "["); k = lex_next(t, at.end)) {
		size_t close = lex_close(t, k.begin);
		at.end = close < t.n ? close + 1 : t.n;
	}
	return at;
}

struct span callee_trimmed(struct str t, size_t begin, size_t end)
{
	begin = lex_skip_space(t, begin);
	struct span s = {begin < end ? begin : end, begin < end ? begin : end};
	lex_each (k, t, begin, end) {
		s.end = k.end < end ? k.end : end;
	}
	return s;
}

void callee_split(span_array *out, struct str t, size_t begin, size_t end, bool angles)
{
	int depth = 0;
	size_t from = begin;
	lex_each (k, t, begin, end) {
		char c = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
		bool arrow = c == '>' && t.p[k.begin - 1] == '-';
		size_t close = c == '(' || c == '[' || c == '{' ? lex_close(t, k.begin) : k.begin;
		k.end = close > k.begin && close < end ? close + 1 : k.end;
		depth += angles && c == '<';
		depth -= angles && c == '>' && !arrow;
		if (c == ',' && depth == 0) {
			array_push(out, callee_trimmed(t, from, k.begin));
			from = k.end;
		}
	}
	struct span last = callee_trimmed(t, from, end);
	if (out->n || last.end > last.begin) {
		array_push(out, last);
	}
}

size_t callee_close_angle(struct str t, size_t open, size_t end)
{
	int depth = 0;
	lex_each (k, t, open, end) {
		char c = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
		if (c == '(' || c == '[' || c == '{') {
			k.end = lex_close(t, k.begin);
			if (k.end == SIZE_MAX) {
				break;
			}
			k.end++;
		}
		depth += c == '<' ? 1 : c == '>' ? -1 : 0;
		if (depth == 0) {
			return k.begin;
		}
	}
	return SIZE_MAX;
}

/* ---- the function ---- */

static bool read_tparam(struct callee *c, struct span s, struct callee_tparam *out)
{
	struct str t = c->p->text;
	size_t words = 0;
	struct lex_token last = {0};
	*out = (struct callee_tparam){.text = s};
	lex_each (k, t, s.begin, s.end) {
		if (lex_is(t, k, ".") || (words == 0 && lex_is(t, k, "template"))) {
			return callee_refuse_text(c,
				"it has a template parameter pack, or a template for a parameter");
		}
		if (lex_is(t, k, "=")) {
			out->fallback = (struct span){k.begin, s.end};
			break;
		}
		words += k.kind == LEX_WORD;
		last = k;
	}
	struct str first = str_sub(t, s.begin, lex_next(t, s.begin).end);
	out->is_type = words <= 2 && (str_is(first, "typename") || str_is(first, "class"));
	if (last.kind == LEX_WORD && words >= 2) {
		out->name = str_sub(t, last.begin, last.end);
		out->type = callee_trimmed(t, s.begin, last.begin);
	}
	return true;
}

struct span callee_template_header(struct str t, size_t at)
{
	for (size_t from = at; from > 0 && t.p[from] != ';';) {
		from--;
		if (!str_starts(str_sub(t, from, at), "template")) {
			continue;
		}
		size_t open = lex_skip_space(t, from + strlen("template"));
		size_t close =
			open < at && t.p[open] == '<' ? callee_close_angle(t, open, at) : SIZE_MAX;
		if (close != SIZE_MAX && lex_skip_space(t, close + 1) == at) {
			return (struct span){from, close + 1};
		}
	}
	return (struct span){0};
}

/* Reads the parameters between < and >. */
static bool read_tparams(
	struct callee *c, struct span angles, struct callee_tparam **out, size_t *n)
{
	span_array list = {0};
	callee_split(&list, c->p->text, angles.begin + 1, angles.end - 1, true);
	*out = ARENA_ARRAY(c->p->a, struct callee_tparam, list.n);
	*n = list.n;
	bool ok = true;
	for (size_t i = 0; i < list.n && ok; i++) {
		ok = read_tparam(c, list.v[i], &(*out)[i]);
	}
	if (list.n == 0) {
		ok = callee_refuse_text(c, "it is an explicit specialization");
	}
	array_release(&list);
	return ok;
}

bool callee_read_tparams(
	struct callee *c, struct span header, struct callee_tparam **out, size_t *n)
{
	size_t open = lex_skip_space(c->p->text, header.begin + strlen("template"));
	return read_tparams(c, (struct span){open, header.end}, out, n);
}

static bool read_template(struct callee *c, size_t at)
{
	struct callee_pattern *p = &c->pattern;
	struct span header = callee_template_header(c->p->text, at);
	if (!header.end) {
		return true;
	}
	p->all.begin = header.begin;
	return callee_read_tparams(c, header, &p->tparam, &p->tparams);
}

/* The offset of the parameter's name in its text. It is searched by name, since a template's
 * instance has the places of the first declaration, not of the definition. */
static size_t place_of_name(const struct callee *c, struct span text, const struct kt_sym *s)
{
	struct str t = c->p->text;
	struct str name = str_of(s->name);
	size_t found = 0;
	if (s->at >= text.begin && s->at + name.n <= text.end &&
		str_eq(str_sub(t, s->at, s->at + name.n), name)) {
		return s->at;
	}
	for (struct lex_token k = lex_next(t, text.begin);
		k.kind != LEX_END && k.end <= text.end && !lex_is(t, k, "=");
		k = lex_next(t, k.end)) {
		found = k.kind == LEX_WORD && str_eq(str_sub(t, k.begin, k.end), name) ? k.begin
										       : found;
	}
	return found;
}

static bool read_params(struct callee *c, size_t open, size_t close)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	span_array list = {0};
	callee_split(&list, t, open + 1, close, true);
	bool ok = list.n == fn->params;
	if (list.n == 1 && fn->params == 0) {
		ok = str_is(callee_text(c, list.v[0]), "void");
		list.n = 0;
	}
	p->param = ARENA_ARRAY(c->p->a, struct callee_param, fn->params);
	p->params = fn->params;
	for (size_t i = 0; i < fn->params && ok; i++) {
		const struct kt_sym *s = &c->u->sym[fn->param[i]];
		struct callee_param *q = &p->param[i];
		q->text = list.v[i];
		q->name = str_of(s->name);
		q->name_at = place_of_name(c, q->text, s);
		struct str text = callee_text(c, q->text);
		ok = str_find(text, "...", 0) == SIZE_MAX && (q->name.n == 0 || q->name_at);
	}
	array_release(&list);
	return ok || callee_refuse_text(c, "its parameters are not spelled in a plain way");
}

static bool has_any_word(const struct callee *c, struct span s, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (callee_has_word(c->p->text, s, str_of(word[i]))) {
			return true;
		}
	}
	return false;
}

static bool check_header(struct callee *c)
{
	static const char *const head[] = {
		"virtual", "friend", "extern", "requires", "template", "operator"};
	static const char *const rest[] = {"requires", "override", "final", "mutable", "try"};
	const struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	if (!p->lambda && c->u->fn[c->leaf[0].fn].is_method &&
		str_holds(callee_text(c, p->rest), STR("&"))) {
		return callee_refuse_text(c, "it is only for temporaries, or for other objects");
	}
	if (has_any_word(c, p->head, head, sizeof(head) / sizeof(head[0])) ||
		has_any_word(c, p->rest, rest, sizeof(rest) / sizeof(rest[0]))) {
		return callee_refuse_text(c, "it is virtual, a friend, mutable, or constrained");
	}
	size_t before = p->all.begin;
	while (before > 0 && isspace((unsigned char)t.p[before - 1])) {
		before--;
	}
	for (struct lex_token k = lex_next(t, p->all.begin);
		k.kind != LEX_END && k.end <= p->all.end; k = lex_next(t, k.end)) {
		if (k.kind == LEX_DIRECTIVE && !text_is_loop_pragma(str_sub(t, k.begin, k.end))) {
			return callee_refuse_text(c, "a preprocessor directive stands inside");
		}
		if (lex_is(t, k, "_Pragma") || lex_is(t, k, "__pragma")) {
			return callee_refuse_text(c, "a pragma stands inside");
		}
	}
	return true;
}

static bool is_specifier(struct str w)
{
	static const char *const word[] = {"__device__", "__host__", "__forceinline__", "inline",
		"__inline__", "__noinline__", "static", "constexpr", NULL};
	return str_is_any(w, word);
}

/* Is the word a type, not a macro? */
static bool is_result_type(const struct callee *c, struct str w)
{
	const struct kt_type *t = &c->u->type[c->u->fn[c->leaf[0].fn].ret];
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		if (c->pattern.tparam[i].is_type && str_eq(w, c->pattern.tparam[i].name)) {
			return true;
		}
	}
	return str_is(w, "auto") || str_is(w, t->name) || str_is(w, t->canon);
}

/* Finds the return type in the text before the name, which the narrow part replaces. */
static bool read_result(struct callee *c)
{
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	size_t words = 0, joins = 0, from = 0, to = 0;
	bool plain = str_find(callee_text(c, p->rest), "->", 0) == SIZE_MAX;
	for (struct lex_token k = lex_next(t, p->head.begin);
		plain && k.kind != LEX_END && k.end <= p->head.end; k = lex_next(t, k.end)) {
		struct str w = str_sub(t, k.begin, k.end);
		if (k.kind == LEX_WORD && is_specifier(w)) {
			plain = from == 0 || to == p->head.end;
			continue;
		}
		if (lex_is(t, k, "<") && from) {
			size_t close = callee_close_angle(t, k.begin, p->head.end);
			plain = close != SIZE_MAX;
			to = k.end = plain ? close + 1 : p->head.end;
			joins++;
			continue;
		}
		bool joint = lex_is(t, k, "::") || lex_is(t, k, ":");
		plain = joint || (k.kind == LEX_WORD && (words == 0 || t.p[to - 1] == ':'));
		words += k.kind == LEX_WORD;
		joins += joint;
		from = from ? from : k.begin;
		to = k.end;
	}
	p->result = (struct span){from, to};
	plain = plain && words && (joins || is_result_type(c, callee_text(c, p->result)));
	return plain ||
	       callee_refuse_text(c, "the type of its result is not spelled in a plain way");
}

/* The function's name or operator() at this place; else end 0. */
static struct span name_at(const struct callee *c, size_t at)
{
	struct str t = c->p->text;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	if (!c->pattern.functor) {
		struct span name = {at, at + strlen(fn->base)};
		return str_is(callee_text(c, name), fn->base) ? name : (struct span){0};
	}
	struct lex_token word = lex_next(t, at), open = lex_next(t, word.end);
	struct lex_token close = lex_next(t, open.end);
	bool plain = lex_is(t, word, "operator") && lex_is(t, open, "(") && lex_is(t, close, ")");
	return plain ? (struct span){at, close.end} : (struct span){0};
}

/* Where the attributes before a place begin, [[nodiscard]] [[clang::always_inline]]; the range of a
 * function leaves them out. */
static size_t before_attributes(struct str t, size_t at)
{
	for (size_t i = at; i > 0;) {
		while (i > 0 && isspace((unsigned char)t.p[i - 1])) {
			i--;
		}
		size_t end = i;
		bool closes = i > 3 && t.p[i - 1] == ']' && t.p[i - 2] == ']';
		for (size_t k = i; closes && k-- > 1 && !strchr(";{}", t.p[k]);) {
			if (t.p[k] == '[' && t.p[k - 1] == '[' && lex_close(t, k - 1) == i - 1) {
				at = i = k - 1;
				break;
			}
		}
		if (i == end) {
			break;
		}
	}
	return at;
}

static bool read_function(struct callee *c, const struct kt_fn *fn)
{
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	bool whole = c->p->out->strategy == STRATEGY_UNIFY; /* the header is kept as it is */
	size_t begin = whole ? before_attributes(t, fn->begin) : fn->begin;
	p->all = (struct span){begin, fn->body->end};
	if (!read_template(c, begin)) {
		return false;
	}
	p->functor = callee_is_functor(c->u, c->leaf[0].call);
	p->name = name_at(c, fn->name_at);
	p->head = (struct span){begin, fn->name_at};
	p->called = callee_text(c, p->name);
	struct str head = str_trim(callee_text(c, p->head));
	if (!p->name.end || str_ends(head, "::") || head.n == 0) {
		return callee_refuse_text(
			c, "it is an operator, or is defined outside of its class");
	}
	if (p->functor) {
		p->called = callee_class_word(callee_class_name(fn));
		p->called = p->called.n ? p->called : STR("call");
	}
	struct lex_token open = lex_next(t, p->name.end);
	size_t close = lex_is(t, open, "(") ? lex_close(t, open.begin) : SIZE_MAX;
	if (close == SIZE_MAX || close > fn->body->begin) {
		return callee_refuse_text(c, "its header comes from a macro");
	}
	bool instance = strchr(fn->name, '<') && strstr(fn->name, "operator") == NULL;
	if (instance && fn->name[strlen(fn->name) - 1] == '>' && p->tparams == 0) {
		return callee_refuse_text(c, "its template header is not spelled in a plain way");
	}
	p->open = open.begin;
	p->rest = (struct span){close + 1, fn->body->begin};
	p->body = (struct span){fn->body->begin, fn->body->end};
	return read_params(c, open.begin, close) && check_header(c) &&
	       (whole || !c->leaf[0].result || read_result(c));
}

/* The declaration of the lambda whose body this is, in the function around the merge. */
static const struct kt_node *lambda_declaration(
	const struct callee *c, const struct kt_node *body, const struct kt_node **lambda)
{
	const struct kt_node *root = c->u->fn[c->m->fn].body;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind != KT_LAMBDA || n->end != body->end || n->file != body->file) {
			continue;
		}
		const struct kt_node *v = n->parent;
		while (v && (v->kind == KT_CONSTRUCT || v->kind == KT_CAST)) {
			v = v->parent;
		}
		const struct kt_node *d = v && v->kind == KT_VAR ? v->parent : NULL;
		*lambda = n;
		return d && d->kind == KT_DECL && d->n == 1 && d->parent->kind == KT_COMPOUND &&
				       !(d->flags & KT_F_MACRO)
			       ? d
			       : NULL;
	}
	return NULL;
}

static bool read_lambda(struct callee *c, const struct kt_fn *fn)
{
	struct callee_pattern *p = &c->pattern;
	struct str t = c->p->text;
	const struct kt_node *lambda = NULL;
	const struct kt_node *d = lambda_declaration(c, fn->body, &lambda);
	if (!d) {
		return callee_refuse_text(
			c, "the lambda has no declaration of its own in this function");
	}
	const struct kt_sym *s = &c->u->sym[d->child[0]->sym];
	p->lambda = true;
	p->variable = d->child[0]->sym;
	p->all = (struct span){d->begin, d->end};
	p->head = (struct span){d->begin, s->at};
	p->name = (struct span){s->at, s->at + strlen(s->name)};
	p->called = str_of(s->name);
	p->body = (struct span){fn->body->begin, fn->body->end};
	size_t close =
		lex_is(t, lex_next(t, lambda->begin), "[") ? lex_close(t, lambda->begin) : SIZE_MAX;
	if (close == SIZE_MAX || !str_is(callee_text(c, p->name), s->name)) {
		return callee_refuse_text(c, "the lambda is not spelled in a plain way");
	}
	p->capture = (struct span){lambda->begin + 1, close};
	struct lex_token open = lex_next(t, close + 1);
	if (lex_is(t, open, "<") && c->p->out->strategy == STRATEGY_UNIFY) {
		size_t shut = callee_close_angle(t, open.begin, p->body.begin);
		p->header = (struct span){open.begin, shut == SIZE_MAX ? open.end : shut + 1};
		if (!read_tparams(c, p->header, &p->tparam, &p->tparams)) {
			return false;
		}
		open = lex_next(t, p->header.end);
	}
	p->open = open.begin;
	size_t end = lex_is(t, open, "(") ? lex_close(t, open.begin) : SIZE_MAX;
	if (end == SIZE_MAX || end > p->body.begin) {
		return callee_refuse_text(c, "the lambda has no list of parameters");
	}
	p->rest = (struct span){end + 1, p->body.begin};
	if (str_find(callee_text(c, p->capture), "...", 0) != SIZE_MAX ||
		(lex_find(t, p->capture.begin, p->capture.end, '=') != SIZE_MAX &&
			t.p[lex_skip_space(t, p->capture.begin)] != '=')) {
		return callee_refuse_text(c, "the lambda captures the value of an expression");
	}
	bool whole = c->p->out->strategy == STRATEGY_UNIFY;
	bool arrow = str_find(callee_text(c, p->rest), "->", 0) != SIZE_MAX;
	if (c->leaf[0].result && arrow && !whole) {
		return callee_refuse_text(
			c, "the type of its result is not spelled in a plain way");
	}
	return read_params(c, open.begin, end) && check_header(c);
}

bool callee_read_pattern(struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	if (fn->body->flags & KT_F_MACRO) {
		return callee_refuse_text(c, "it comes from a macro");
	}
	if (body_unwritten(fn->body)) {
		return callee_refuse_text(c, "it runs implicit code");
	}
	if (fn->file != c->m->node->file) {
		return callee_refuse_text(c, "it is defined in another file");
	}
	if (!(fn->is_lambda ? read_lambda(c, fn) : read_function(c, fn))) {
		return false;
	}
	return callee_find_place(c);
}
