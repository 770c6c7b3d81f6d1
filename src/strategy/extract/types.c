/* Types for the declarations of passed values. */
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"

const char *const needs_type_words[] = {
	"struct", "class", "union", "enum", "using", "typedef", NULL};

/* TYPE, if the function has `using NAME = TYPE;`; else the name itself. */
static struct str alias_target(const struct needs *n, struct str name)
{
	struct str t = n->c->p->text;
	struct span b = n->c->pattern.body;
	if (!layout_type_word(plan_layout(n->c->p), b.begin, b.end).n) {
		return name;
	}
	lex_each (k, t, b.begin, b.end) {
		if (!lex_is(t, k, "using")) {
			continue;
		}
		struct lex_token word = lex_next(t, k.end);
		struct lex_token sign = lex_next(t, word.end);
		size_t end = lex_find(t, sign.end, b.end, ';');
		if (str_eq(str_sub(t, word.begin, word.end), name) && lex_is(t, sign, "=") &&
			end != SIZE_MAX) {
			return str_trim(str_sub(t, sign.end, end));
		}
	}
	return name;
}

/* Is a word of the type's name declared between the two places? in_class: skip nested braces, and
 * stop at the end of the class. */
static bool declares(const struct needs *n, struct str type, size_t at, size_t end, bool in_class)
{
	struct str t = n->c->p->text;
	struct span all = {0, type.n};
	bool in_typedef = false, follows = false;
	lex_each (k, t, at, end) {
		bool keyword = k.kind == LEX_WORD && str_is_any(lex_text(t, k), needs_type_words);
		size_t close = in_class && lex_is(t, k, "{") ? lex_close(t, k.begin) : SIZE_MAX;
		in_typedef = (in_typedef && !lex_is(t, k, ";")) || lex_is(t, k, "typedef");
		if (in_class && lex_is(t, k, "}")) {
			return false;
		}
		if (k.kind == LEX_WORD && !keyword && (follows || in_typedef) &&
			callee_has_word(type, all, lex_text(t, k))) {
			return true;
		}
		follows = keyword;
		k.end = close == SIZE_MAX ? k.end : close + 1;
	}
	return false;
}

static bool declared_inside(const struct needs *n, struct str type)
{
	struct span b = n->c->pattern.body;
	return layout_type_word(plan_layout(n->c->p), b.begin, b.end).n &&
	       declares(n, type, b.begin, b.end, false);
}

/* Is the type declared in the function's class, after the function? Then the body may use it, but a
 * declaration next to the function may not. */
static bool declared_below(const struct needs *n, struct str type)
{
	const struct callee *c = n->c;
	return c->u->fn[c->leaf[0].fn].is_method && !c->pattern.lambda &&
	       declares(n, type, c->pattern.all.end, c->p->text.n, true);
}

bool needs_plain_type(const struct kt_type *t)
{
	switch (t->kind) {
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_POINTER:
	case KT_T_VECTOR:
	case KT_T_RECORD:
		return t->trivial && !t->is_volatile && t->size > 0;
	default:
		return false;
	}
}

static bool is_of_function(void *user, struct str word, size_t at)
{
	const struct callee *c = user;
	(void)at;
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		if (str_eq(c->pattern.tparam[i].name, word)) {
			return true;
		}
	}
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		if (s->fn == c->leaf[0].fn && s->name && str_is(word, s->name)) {
			return true;
		}
	}
	return false;
}

bool needs_names_own(struct callee *c, struct str s)
{
	return lex_each_word(s, 0, s.n, is_of_function, c);
}

/* The type and extents of sym for a declaration next to a function template; they may depend on its
 * parameters. False: they cannot be spelled. */
static bool spell_in_template(struct callee *c, kt_id sym, struct callee_field *f)
{
	const struct callee_pattern *p = &c->pattern;
	const struct kt_sym *s = &c->u->sym[sym];
	f->type = sym ? plan_written_type(c->p, sym, p->body.begin, p->body.end) : NULL;
	if (!f->type || needs_names_own(c, str_of(f->type))) {
		return false;
	}
	if (!*f->dims) {
		return true;
	}
	struct str dims =
		str_sub(c->p->text, s->at + strlen(s->name), callee_declarator(c, sym).end);
	f->dims = arena_strndup(c->p->a, dims.p, dims.n);
	return dims.n && s->file == c->m->node->file && !needs_names_own(c, dims);
}

bool needs_field_type(struct needs *n, struct callee_field *f, kt_id type, kt_id sym)
{
	struct callee *c = n->c;
	const struct kt_type *t = &c->u->type[type];
	struct str name = str_of(f->name);
	struct sbuf dims = {0};
	f->width = kt_type_width(t);
	for (; t->kind == KT_T_ARRAY && t->count > 0; t = &c->u->type[t->elem]) {
		sbuf_addf(&dims, "[%lld]", (long long)t->count);
	}
	f->dims = sbuf_finish(&dims, c->p->a).p;
	struct str written = kt_type_bare(t, false);
	struct str spelled = alias_target(n, written);
	if (str_eq(spelled, written) && !(sym && plan_declares_type(c->p, sym))) {
		const char *found = plan_type_name(c->p, t, c->leaf[0].fn, c->pattern.all.begin);
		spelled = str_of(found ? found : "");
	}
	f->type = arena_strndup(c->p->a, spelled.p, spelled.n);
	f->is_float = t->kind == KT_T_FLOAT || t->kind == KT_T_VECTOR;
	if (!needs_plain_type(t)) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be passed to the wide part, and its type cannot be copied "
			"byte by byte",
			name);
	}
	if (!type_is_nameable(str_of(f->type)) || declared_inside(n, str_of(f->type))) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be passed to the wide part, and its type cannot be written "
			"down",
			name);
	}
	if (plan_in_template(c->p) && !spell_in_template(c, sym, f)) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be passed to the wide part, and its type may depend on a "
			"template's "
			"parameter",
			name);
	}
	if (!callee_may_leave_class(c, str_of(f->type)) ||
		!callee_may_leave_class(c, str_of(f->dims)) ||
		(f->align && !callee_may_leave_class(c, str_of(f->align)))) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be passed to the wide part, and its type is not known in "
			"front of the "
			"class",
			name);
	}
	return !declared_below(n, str_of(f->type)) ||
	       needs_refuse(n, CALLEE_TYPE,
		       "would have to be passed to the wide part, and the class declares its type "
		       "after the "
		       "function",
		       name);
}
