/*
 * The spans of a call's text: its name, template arguments and arguments, its class and its object.
 */
#include "frontend/text/lex.h"
#include "strategy/extract/spelling.h"

static bool refuse_call(struct callee *c)
{
	return callee_refuse_text(c, "a call of it is not spelled in a plain way");
}

/* The ( of the argument list; its ) ends the call. */
static size_t argument_list(struct str t, const struct kt_node *call)
{
	size_t open = SIZE_MAX;
	for (struct lex_token k = lex_next(t, call->begin);
		k.kind != LEX_END && k.begin < call->end;) {
		size_t next = k.end;
		char c = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
		if (c == '(' || c == '[' || c == '{') {
			size_t close = lex_close(t, k.begin);
			if (close == SIZE_MAX || close >= call->end) {
				return SIZE_MAX;
			}
			open = c == '(' ? k.begin : SIZE_MAX;
			next = close + 1;
		}
		k = lex_next(t, next);
	}
	return open;
}

/* Is it a default argument, which has no text? Both parts may use a constant one. */
static bool unwritten(const struct kt_node *n)
{
	return n->flags & KT_F_IMPLICIT && kt_is_constant(n);
}

static bool count_fits(const struct kt_node *call, size_t first, size_t n)
{
	for (size_t i = first + n; i < call->n; i++) {
		if (!unwritten(call->child[i])) {
			return false;
		}
	}
	return first + n <= call->n;
}

struct span callee_result_text(const struct callee *c, size_t leaf)
{
	const struct kt_node *r = c->leaf[leaf].result;
	return r ? (struct span){r->begin, r->end} : (struct span){0};
}

/* Is there only = and white space between the assigned variable and the call? */
static bool result_is_plain(const struct callee *c, const struct callee_leaf *l)
{
	const struct kt_node *r = l->result;
	if (!r || (l->chosen && !(r->flags & KT_F_MACRO))) {
		return true;
	}
	struct lex_token sign = lex_next(c->p->text, r->end);
	return !(r->flags & KT_F_MACRO) && r->begin == l->stmt->begin &&
	       lex_is(c->p->text, sign, "=") &&
	       lex_skip_space(c->p->text, sign.end) == l->call->begin &&
	       lex_skip_space(c->p->text, l->call->end) + 1 == l->stmt->end;
}

static bool read_arguments(struct callee_call *out, const struct callee *c,
	const struct kt_node *call, size_t open, size_t close)
{
	struct str t = c->p->text;
	span_array list = {0};
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	callee_split(&list, t, open + 1, close, false);
	if (!count_fits(call, first, list.n)) {
		list.n = 0;
		callee_split(&list, t, open + 1, close, true);
	}
	bool ok = count_fits(call, first, list.n);
	array_move(out->arg, out->args, c->p->a, &list);
	return ok;
}

/* The callee's name before its (template) arguments at open; end 0: not found. */
static struct span name_in(struct str t, size_t begin, size_t open, const char *name)
{
	lex_each (k, t, begin, open) {
		if (lex_is(t, k, name) &&
			(lex_next(t, k.end).begin == open || lex_is(t, lex_next(t, k.end), "<"))) {
			return (struct span){k.begin, k.end};
		}
	}
	return (struct span){0};
}

/* The same for operator(). */
static struct span operator_in(struct str t, size_t begin, size_t open)
{
	struct span word = {0};
	lex_each (k, t, begin, open) {
		struct lex_token own = lex_next(t, k.end), close = lex_next(t, own.end);
		if (lex_is(t, k, "operator") && lex_is(t, own, "(") && lex_is(t, close, ")")) {
			word = (struct span){k.begin, close.end};
		}
	}
	struct lex_token next = lex_next(t, word.end);
	bool plain = word.end && (next.begin == open || lex_is(t, next, "<"));
	return plain ? word : (struct span){0};
}

/* For a lambda: its variable, or VARIABLE.template operator(). */
static struct span lambda_in(struct str t, size_t begin, size_t open, const char *name)
{
	struct lex_token k = lex_next(t, begin), dot = lex_next(t, k.end);
	if (!lex_is(t, k, name) || !lex_is(t, dot, ".")) {
		return name_in(t, begin, open, name);
	}
	struct lex_token word = lex_next(t, dot.end);
	word = lex_is(t, word, "template") ? lex_next(t, word.end) : word;
	struct span own = operator_in(t, word.begin, open);
	return own.begin == word.begin ? (struct span){begin, own.end} : (struct span){0};
}

/* The parts of a call's text; false: not understood. */
static bool spelling(struct callee_call *out, const struct callee *c, const struct kt_node *call)
{
	struct str t = c->p->text;
	const struct kt_fn *fn = &c->u->fn[call->fn];
	size_t open = argument_list(t, call);
	size_t close = open == SIZE_MAX ? SIZE_MAX : lex_close(t, open);
	if (close == SIZE_MAX) {
		return false;
	}
	if (callee_is_functor(c->u, call) && call->flags & KT_F_OPERATOR) {
		out->prefix = callee_trimmed(t, call->begin, open);
		out->name = (struct span){0};
		out->targs = 0;
		return read_arguments(out, c, call, open, close);
	}
	bool lambda = fn->is_lambda && call->n && call->child[0]->kind == KT_REF;
	struct span at =
		callee_is_functor(c->u, call) ? operator_in(t, call->begin, open)
		: lambda ? lambda_in(t, call->begin, open, c->u->sym[call->child[0]->sym].name)
			 : name_in(t, call->begin, open, fn->base);
	if (!at.end) {
		return false;
	}
	struct lex_token angle = lex_next(t, at.end);
	out->prefix = (struct span){call->begin, at.begin};
	out->name = at;
	span_array list = {0};
	if (angle.begin != open) {
		size_t shut = callee_close_angle(t, angle.begin, open);
		if (shut == SIZE_MAX || lex_skip_space(t, shut + 1) != open) {
			return false;
		}
		callee_split(&list, t, angle.end, shut, true);
	}
	array_move(out->targ, out->targs, c->p->a, &list);
	return read_arguments(out, c, call, open, close);
}

/* Is the text between the class and the name ::, or does it make an object? */
static bool makes_object(struct span *inside, struct str t, size_t begin, size_t end)
{
	struct lex_token k = lex_next(t, begin), next = lex_next(t, k.end);
	bool opens = lex_is(t, k, "{") || lex_is(t, k, "(");
	size_t close = opens ? lex_close(t, k.begin) : SIZE_MAX;
	*inside = (struct span){k.end, close < end ? close : k.end};
	struct lex_token sign = close < end ? lex_next(t, close + 1) : next;
	if (close < end && sign.begin >= end) {
		return true;
	}
	next = lex_next(t, sign.end);
	next = lex_is(t, next, "template") ? lex_next(t, next.end) : next;
	bool plain = close < end ? lex_is(t, sign, ".") : lex_is(t, k, ":") && lex_is(t, sign, ":");
	return plain && next.begin >= end;
}

/* Where the class of a declared variable begins; *other: of auto v = CLASS<...>{a}. */
static size_t declared_class(bool *other, struct str t, size_t begin, struct str name)
{
	struct lex_token k = lex_next(t, begin);
	*other = false;
	while (lex_is(t, k, "const") || lex_is(t, k, "constexpr") || lex_is(t, k, "auto")) {
		*other |= lex_is(t, k, "auto");
		k = lex_next(t, k.end);
	}
	struct lex_token sign = lex_next(t, k.end);
	bool plain = str_eq(lex_text(t, k), name) && lex_is(t, sign, "=");
	return !*other ? k.begin : plain ? sign.end : SIZE_MAX;
}

/* Are the words from begin on a variable's name, and its arguments, up to the semicolon? */
static bool declares_object(
	struct span *inside, struct str t, size_t begin, size_t end, const struct str *name)
{
	struct lex_token k = lex_next(t, begin);
	if (name && !str_eq(lex_text(t, k), *name)) {
		return false;
	}
	k = name ? lex_next(t, k.end) : k;
	*inside = (struct span){k.begin, k.begin};
	if (name && lex_is(t, k, "=")) {
		k = lex_next(t, k.end);
	} else if (name && lex_is(t, k, ";")) {
		return k.end == end;
	}
	bool opens = lex_is(t, k, "{") || lex_is(t, k, "(");
	size_t close = opens ? lex_close(t, k.begin) : SIZE_MAX;
	*inside = (struct span){k.end, close};
	return close < end && lex_next(t, close + 1).end == end;
}

/* value in .member = value, {value} in .member{value}; else all of it. */
static struct span without_name(struct str t, struct span item)
{
	struct lex_token dot = lex_next(t, item.begin), name = lex_next(t, dot.end);
	struct lex_token sign = lex_next(t, name.end);
	bool named = lex_is(t, dot, ".") && name.kind == LEX_WORD && sign.begin < item.end;
	return !named		      ? item
	       : lex_is(t, sign, "=") ? (struct span){lex_next(t, sign.end).begin, item.end}
				      : (struct span){sign.begin, item.end};
}

bool callee_read_class_call(struct callee *c, struct callee_leaf *l)
{
	struct str t = c->p->text;
	struct callee_call *call = &l->text;
	struct str word = callee_class_word(callee_class_name(&c->u->fn[l->fn]));
	size_t begin = call->prefix.begin;
	size_t end = call->name.end ? call->name.begin : call->prefix.end;
	struct str name = l->made ? str_of(c->u->sym[l->made->sym].name) : (struct str){0};
	bool other = false;
	if (l->made) {
		begin = declared_class(&other, t, l->made->parent->begin, name);
		end = l->made->parent->end;
	}
	if (begin == SIZE_MAX) {
		return refuse_call(c);
	}
	struct lex_token k = lex_next(t, begin);
	begin = k.begin;
	while (k.end < end && !str_eq(lex_text(t, k), word) &&
		((k.kind == LEX_WORD && !lex_is(t, k, "typename")) || t.p[k.begin] == ':')) {
		k = lex_next(t, k.end);
	}
	struct lex_token open = lex_next(t, k.end);
	bool plain = str_eq(lex_text(t, k), word) && open.end < end && lex_is(t, open, "<");
	size_t shut = plain ? callee_close_angle(t, open.begin, end) : SIZE_MAX;
	struct span inside;
	if (shut == SIZE_MAX ||
		!(l->made ? declares_object(&inside, t, shut + 1, end, other ? NULL : &name)
			  : makes_object(&inside, t, shut + 1, end))) {
		return refuse_call(c);
	}
	span_array list = {0};
	callee_split(&list, t, inside.begin, inside.end, false);
	for (size_t i = 0; i < list.n; i++) {
		list.v[i] = without_name(t, list.v[i]);
	}
	array_move(call->object, call->objects, c->p->a, &list);
	list = (span_array){0};
	callee_split(&list, t, open.end, shut, true);
	call->of_class = list.n;
	for (size_t i = 0; i < call->targs; i++) {
		array_push(&list, call->targ[i]);
	}
	array_move(call->targ, call->targs, c->p->a, &list);
	call->name = (struct span){k.begin, l->made	     ? shut + 1
					    : call->name.end ? call->name.end
							     : end};
	call->prefix = (struct span){begin, k.begin};
	return true;
}

bool callee_read_call(struct callee *c, struct callee_leaf *l)
{
	if (l->call->flags & KT_F_MACRO || l->call->file != c->m->node->file) {
		plan_refuse(c->p, CALLEE_TEXT, "a call comes from a macro, which is never edited");
		return false;
	}
	return (result_is_plain(c, l) && spelling(&l->text, c, l->call)) || refuse_call(c);
}
