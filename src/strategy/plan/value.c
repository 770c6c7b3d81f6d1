#include "strategy/plan/value.h"

#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"

/* ---- types ---- */

bool type_is_nameable(struct str s)
{
	const char *const bad[] = {"auto", "decltype", "type-parameter", "lambda", "anonymous",
		"unnamed", "nullptr_t"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (str_find(s, bad[i], 0) != SIZE_MAX) {
			return false;
		}
	}
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool word =
			(c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!word && !strchr("_:<>, *", c)) {
			return false;
		}
	}
	return s.n > 0;
}

/* Are these namespaces around the place, and others only inside of them? */
static bool is_in_namespaces(const struct plan *p, struct str scope, size_t at)
{
	struct str all = {0};
	for (const struct layout_around *n = layout_namespaces(plan_layout(p), at); n; n = n->up) {
		if (n->name.n) {
			const char *up = arena_printf(p->a, "%.*s%s%.*s", STR_ARG(n->name),
				all.n ? "::" : "", STR_ARG(all));
			all = str_of(up);
		}
	}
	return str_starts(all, scope.p) &&
	       (all.n == scope.n || str_starts(str_sub(all, scope.n, all.n), "::"));
}

static bool finds_scope(const struct plan *p, const struct kt_type *t, kt_id fn, size_t at)
{
	struct kt_unit *u = p->parse->unit;
	if (!t->scope) {
		return true;
	}
	if (*t->scope && is_in_namespaces(p, str_of(t->scope), at)) {
		return true;
	}
	for (; fn; fn = u->fn[fn].around) {
		const struct kt_fn *f = &u->fn[fn];
		const struct kt_type *self = f->self ? &u->type[u->sym[f->self].type] : NULL;
		bool local = !*t->scope && f->file == t->scope_file && f->begin <= t->scope_at &&
			     t->scope_at < f->end;
		if (local ||
			(self && strcmp(kt_object_type(u, self->elem)->canon, t->scope) == 0)) {
			return true;
		}
	}
	return false;
}

const char *plan_type_name(const struct plan *p, const struct kt_type *t, kt_id fn, size_t at)
{
	bool found = finds_scope(p, t, fn, at);
	const char *name = kt_type_bare_name(p->a, t, !found);
	if (name && type_is_nameable(str_of(name))) {
		return name;
	}
	/* a vector's typedef */
	struct str own = kt_type_bare(t, false);
	bool namespaces = !found && *t->scope && lex_next(own, 0).end == own.n;
	for (kt_id i = 1; namespaces && i < p->parse->unit->types; i++) {
		namespaces = strcmp(p->parse->unit->type[i].canon, t->scope) != 0;
	}
	return namespaces ? arena_printf(p->a, "%s::%.*s", t->scope, STR_ARG(own)) : NULL;
}

bool plan_in_template(const struct plan *p)
{
	const struct kt_fn *fn = &p->parse->unit->fn[p->merge->fn];
	return fn->is_method || strchr(fn->name, '<');
}

static bool skipped_in_type(struct str w)
{
	return str_is(w, "const") || str_is(w, "__restrict") || str_is(w, "__restrict__") ||
	       str_is(w, "restrict");
}

bool plan_declares_type(const struct plan *p, kt_id sym)
{
	struct kt_unit *u = p->parse->unit;
	const struct kt_sym *s = &u->sym[sym];
	const struct kt_type *t = &u->type[s->type];
	while (t->kind == KT_T_ARRAY || t->kind == KT_T_REFERENCE) {
		t = &u->type[t->elem];
	}
	struct str text = u->file[s->file].text;
	struct str name = str_of(t->name);
	if (!t->name || !text.p || s->at > text.n ||
		!type_is_nameable(kt_type_bare_name(p->a, t, false)
					  ? str_of(kt_type_bare_name(p->a, t, false))
					  : name)) {
		return false;
	}
	/* the words of the type, going back from the name */
	size_t from = s->at > name.n + 64 ? s->at - name.n - 64 : 0;
	struct str before[64];
	size_t n = 0;
	for (struct lex_token k = lex_next(text, from); k.kind != LEX_END && k.end <= s->at;
		k = lex_next(text, k.end)) {
		struct str w = lex_text(text, k);
		bool skip = skipped_in_type(w) || (n && str_is(w, "(")) || str_is(w, "&");
		if (!skip) {
			if (n == 64) {
				memmove(before, before + 1, 63 * sizeof(before[0]));
				n--;
			}
			before[n++] = w;
		}
	}
	struct str want[32];
	size_t m = 0;
	for (struct lex_token k = lex_next(name, 0); k.kind != LEX_END && m < 32;
		k = lex_next(name, k.end)) {
		struct str w = lex_text(name, k);
		if (!skipped_in_type(w)) {
			want[m++] = w;
		}
	}
	if (m == 0 || m == 32 || n < m) {
		return false;
	}
	for (size_t i = 0; i < m; i++) {
		if (!str_eq(before[n - m + i], want[i])) {
			return false;
		}
	}
	return n == m || !str_is(before[n - m - 1], ":");
}

/* Words that are not part of a type's name here, or change it. */
static const char *const no_type[] = {"volatile", "struct", "class", "union", "enum", "typedef",
	"using", "static", "alignas", "__attribute__", "decltype", "auto", NULL};

struct str type_without_const(struct str type)
{
	struct str s = str_trim(type);
	s = str_starts(s, "const ") ? str_trim(str_sub(s, 6, s.n)) : s;
	return str_ends(s, " const") ? str_trim(str_sub(s, 0, s.n - 6)) : s;
}

/* The type spelled before a declared name, from the last place where a declaration can begin;
 * empty: not understood, or not the first name of its declaration. The variable's own const and &
 * are left out. */
struct spelled {
	struct sbuf text;
	size_t pointee; /* text.n after the last star */
	size_t last;	/* the end of the token before, in the file */
	int depth;	/* of < > */
	bool reference;
	bool bad;
};

static void spell(struct spelled *s, struct str t, struct lex_token k)
{
	struct str w = lex_text(t, k);
	bool word = k.kind == LEX_WORD || k.kind == LEX_NUMBER;
	if (k.kind == LEX_DIRECTIVE || str_is(w, ";") || str_is(w, "{") || str_is(w, "}") ||
		str_is(w, "(") || str_is(w, ")") || (str_is(w, ",") && s->depth == 0)) {
		s->text.n = s->pointee = 0;
		s->depth = 0;
		s->reference = false;
		s->bad = str_is(w, ")"); /* of a cast, or of an attribute */
		return;
	}
	s->depth += str_is(w, "<") ? 1 : str_is(w, ">") ? -1 : 0;
	s->reference |= str_is(w, "&");
	bool known = word || str_is(w, ":") || str_is(w, "<") || str_is(w, ">") || str_is(w, "*") ||
		     str_is(w, "&") || (str_is(w, ",") && s->depth > 0);
	s->bad |= !known || s->depth < 0 || (word && str_is_any(w, no_type)) ||
		  (str_is(w, "&") && s->depth > 0);
	if (!known || str_is(w, "&") || str_is(w, "constexpr") || str_is(w, "__restrict__") ||
		str_is(w, "__restrict")) {
		return;
	}
	bool apart = s->text.n && (str_is(w, "*") || (word && k.begin > s->last));
	sbuf_adds(&s->text, apart ? " " : "");
	sbuf_addstr(&s->text, w);
	s->pointee = str_is(w, "*") ? s->text.n : s->pointee;
	s->last = k.end;
}

/* Removes the variable's own const: before a type that is not a pointer, or after the star. */
static struct str without_const(const struct spelled *s)
{
	struct str all = {s->text.p, s->text.n};
	struct str head = str_sub(all, 0, s->pointee);
	struct str tail = str_trim(str_sub(all, s->pointee, all.n));
	if (s->pointee) {
		return tail.n == 0 || str_is(tail, "const") ? str_trim(head) : (struct str){0};
	}
	return type_without_const(tail);
}

/* Are all colons doubled? A single one is a label or bit-field. */
static bool scopes_are_whole(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == ':') {
			if (i + 1 == s.n || s.p[++i] != ':') {
				return false;
			}
		}
	}
	return true;
}

/* "const T *" for "T const *", since texts are compared. */
static struct str const_in_front(struct arena *a, struct str type)
{
	static const char word[] = " const";
	const size_t len = sizeof(word) - 1;
	size_t star = 0, depth = 0;
	for (; star < type.n && (type.p[star] != '*' || depth > 0); star++) {
		depth += (type.p[star] == '<') - (size_t)(type.p[star] == '>');
	}
	struct str head = str_trim(str_sub(type, 0, star));
	if (star == type.n || head.n <= len || !str_is(str_sub(head, head.n - len, head.n), word)) {
		return type;
	}
	struct sbuf b = {0};
	sbuf_addf(&b, "const %.*s %.*s", (int)(head.n - len), head.p, (int)(type.n - star),
		type.p + star);
	return sbuf_finish(&b, a);
}

static const char *spelled_type(const struct plan *p, kt_id sym)
{
	struct kt_unit *u = p->parse->unit;
	const struct kt_sym *s = &u->sym[sym];
	struct str t = u->file[s->file].text;
	const struct kt_fn *fn = &u->fn[s->fn];
	struct spelled out = {0};
	struct str name = str_of(s->name);
	if (!t.p || !s->fn || fn->file != s->file || s->at < fn->begin || s->at + name.n > t.n ||
		!str_eq(str_sub(t, s->at, s->at + name.n), name)) {
		return NULL;
	}
	for (struct lex_token k = lex_next(t, fn->begin); k.kind != LEX_END && k.end <= s->at;
		k = lex_next(t, k.end)) {
		spell(&out, t, k);
	}
	/* T may be a reference, an array or const itself */
	const struct kt_type *type = &u->type[s->type];
	struct lex_token next = lex_next(t, s->at + name.n);
	struct str plain = without_const(&out);
	bool same = out.reference == (type->kind == KT_T_REFERENCE) &&
		    lex_is(t, next, "[") == (type->kind == KT_T_ARRAY) &&
		    (!type->is_const || out.text.n > plain.n);
	bool good = !out.bad && same && out.depth == 0 && type_is_nameable(plain) &&
		    lex_next(plain, 0).kind == LEX_WORD && scopes_are_whole(plain);
	struct str ordered = good ? const_in_front(p->a, plain) : (struct str){0};
	const char *text = good ? arena_strndup(p->a, ordered.p, ordered.n) : NULL;
	sbuf_release(&out.text);
	return text;
}

const char *plan_written_type(const struct plan *p, kt_id sym, size_t begin, size_t end)
{
	struct kt_unit *u = p->parse->unit;
	const struct kt_type *t = &u->type[u->sym[sym].type];
	while (t->kind == KT_T_ARRAY || t->kind == KT_T_REFERENCE) {
		t = &u->type[t->elem];
	}
	if (plan_in_template(p) && !plan_declares_type(p, sym)) {
		return layout_type_word(plan_layout(p), begin, end).n ? NULL : spelled_type(p, sym);
	}
	return plan_declares_type(p, sym) ? kt_type_bare_name(p->a, t, false)
					  : plan_type_name(p, t, p->merge->fn, begin);
}

/* ---- uses of a value ---- */

enum {
	BOUND_DEPTH_MAX = 8 /* depth of calls that pass a reference on */
};

bool value_calculates_floats(const struct kt_unit *u, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		enum kt_type_kind k = kt_type_of(u, n)->kind;
		bool whole = k == KT_T_INT || k == KT_T_BOOL || k == KT_T_POINTER;
		if (!whole && (n->kind == KT_BINARY || n->kind == KT_CALL)) {
			return true;
		}
	}
	return false;
}

bool value_is_taken(const struct kt_unit *u, const struct kt_node *n, unsigned depth)
{
	const struct kt_node *up = n->parent;
	enum kt_type_kind k = kt_type_of(u, n)->kind;
	if (k == KT_T_ARRAY && up->kind != KT_INDEX) {
		return false; /* its address is used */
	}
	switch (up->kind) {
	case KT_MEMBER:
	case KT_INDEX:
		return n->slot > 0 || k == KT_T_POINTER || value_is_taken(u, up, depth);
	case KT_COND:
		return n->slot == KT_COND_COND || value_is_taken(u, up, depth);
	case KT_BINARY:
		return up->op != KT_OP_COMMA || n->slot == 0 || value_is_taken(u, up, depth);
	case KT_CAST: {
		enum kt_type_kind to = kt_type_of(u, up)->kind;
		bool same = to != KT_T_REFERENCE && (to != KT_T_RECORD || k == KT_T_RECORD);
		return same && value_is_taken(u, up, depth); /* else what is near it is used */
	}
	case KT_ASSIGN:
		return n->slot == 1 && k != KT_T_RECORD;
	case KT_INIT_LIST: {
		enum kt_type_kind list = kt_type_of(u, up)->kind;
		return (list == KT_T_VECTOR || list == KT_T_ARRAY) && k != KT_T_RECORD;
	}
	case KT_UNARY:
		return up->op == KT_OP_NEG || up->op == KT_OP_PLUS || up->op == KT_OP_NOT;
	case KT_VAR:
		return u->type[up->type].kind != KT_T_REFERENCE && k != KT_T_RECORD;
	case KT_CALL: {
		kt_id param = kt_param_of(u, n);
		return param && (!kt_is_reference(u, param) || value_is_all(u, param, depth + 1));
	}
	default:
		return false;
	}
}

bool value_is_all(const struct kt_unit *u, kt_id param, unsigned depth)
{
	const struct kt_node *body = u->fn[u->sym[param].fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		bool hides = n->kind == KT_LAMBDA || n->kind == KT_ASM ||
			     n->kind == KT_EXPR_UNKNOWN || n->kind == KT_STMT_UNKNOWN;
		bool named = kt_names(n, param);
		if (hides || (named && !value_is_taken(u, n, depth))) {
			return false;
		}
	}
	return depth <= BOUND_DEPTH_MAX;
}

bool value_selects_function(const struct kt_unit *u, const struct kt_node *e)
{
	const struct kt_node *up = e->parent;
	bool passed =
		(up->kind == KT_COND && e->slot != KT_COND_COND) ||
		(up->kind == KT_BINARY && up->op == KT_OP_COMMA && e->slot == 1) ||
		(up->kind == KT_MEMBER && kt_type_of(u, e)->kind != KT_T_POINTER) ||
		(up->kind == KT_INDEX && e->slot == 0 && kt_type_of(u, e)->kind != KT_T_POINTER);
	if (passed) {
		return value_selects_function(u, up);
	}
	if ((up->kind != KT_CALL && up->kind != KT_CONSTRUCT) || !up->fn) {
		return false;
	}
	const struct kt_fn *fn = &u->fn[up->fn];
	size_t first = up->flags & KT_F_METHOD ? 1 : 0;
	if (e->slot < first) {
		return fn->is_const &&
		       !fn->in_system_header; /* there may be a non-const overload */
	}
	/* A constructor may be called for the parameter. */
	size_t at = e->slot - first;
	const struct kt_type *to = at < fn->params ? &u->type[u->sym[fn->param[at]].type] : NULL;
	if (to && to->kind == KT_T_REFERENCE) {
		to = &u->type[to->elem];
	}
	bool open = fn->by_reference & kt_argument_bit(at);
	return open || (to && to->kind == KT_T_RECORD && kt_type_of(u, e)->kind != KT_T_RECORD);
}
