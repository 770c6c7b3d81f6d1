/*
 * Uses of a constant whose meaning depends on its type and kind, when it becomes a variable: an
 * overload's parameter, a reference, a braced list. And names that are found only at instantiation.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/plan/layout.h"

/* ---- conversions ---- */

/* Is k in a braced list? With a variable, its conversion may be narrowing there. */
static bool is_listed(
	const struct callee *c, const struct kt_node *list, const struct kt_node *k, bool value)
{
	const struct kt_type *to = kt_type_of(c->u, list), *from = kt_type_of(c->u, k);
	bool braces = list->kind == KT_INIT_LIST ||
		      lex_find(c->p->text, list->begin, list->end, '{') < list->end;
	if (to->kind == KT_T_ARRAY || to->kind == KT_T_VECTOR) {
		to = &c->u->type[to->elem];
	}
	bool same = to->kind == KT_T_RECORD
			    ? from->kind == KT_T_FLOAT
			    : str_eq(kt_type_bare(to, true), kt_type_bare(from, true));
	return value || (braces && !same);
}

const char *callee_binding(const struct callee *c, const struct kt_node *use)
{
	const struct kt_node *k = use;
	bool constant = true; /* no variable below up */
	bool value = true;    /* up uses the value itself, not a result that depends on it */
	if (value_selects_function(c->u, use)) {
		return "may decide which function is called";
	}
	for (const struct kt_node *up = k->parent; up && (value || constant);
		k = up, up = up->parent) {
		bool list = up->kind == KT_INIT_LIST || up->kind == KT_CONSTRUCT;
		value &= !(up->kind == KT_COND && k->slot == KT_COND_COND);
		value &= !(up->kind == KT_BINARY && up->op >= KT_OP_LAND && up->op <= KT_OP_NE);
		if (list && is_listed(c, up, k, value)) {
			return "is converted in a list of values";
		}
		if (value && up->kind == KT_VAR && c->u->type[up->type].kind == KT_T_REFERENCE) {
			return "is bound to a reference, whose type may depend on it";
		}
		constant &= kt_is_constant(up);
		value &= !kt_is_stmt(up->kind);
	}
	return NULL;
}

/* ---- macros ---- */

/* The offset after the name, if the directive defines this macro; else 0. */
static size_t after_define(struct str t, struct lex_token directive, struct str name)
{
	struct lex_token k = lex_next(t, directive.begin + 1), word = lex_next(t, k.end);
	bool is =
		k.end <= directive.end && lex_is(t, k, "define") && str_eq(lex_text(t, word), name);
	return is ? word.end : 0;
}

/* Does the macro's body only calculate with its parameters? Builtins may take them; the tree shows
 * which of their arguments must be constants. */
static bool only_calculates(struct str t, size_t at, size_t end)
{
	size_t close = t.p[at] == '(' ? lex_close(t, at) : SIZE_MAX;
	bool plain = close < end;
	lex_each (k, t, plain ? close + 1 : end, end) {
		char c = t.p[k.begin], next = k.end < end ? t.p[k.end] : 0, last = t.p[k.begin - 1];
		bool compares = c == '=' && (next == '=' || strchr("=!<>", last));
		bool steps = (c == '+' || c == '-') && next == c;
		bool sign = k.kind == LEX_PUNCT && !steps &&
			    (compares || strchr("()?:+-*/%<>!&|^~,", c));
		bool shifts = c == '=' && (last == '<' || last == '>') &&
			      t.p[k.begin - 2] == last; /* <<= */
		struct str word = lex_text(t, k);
		bool known = k.kind == LEX_WORD &&
			     (lex_has_word(t, at + 1, close, word) || str_is(word, "true") ||
				     str_is(word, "false") ||
				     (str_starts(word, "__builtin_") && next == '('));
		plain &= (sign && !shifts) || known || k.kind == LEX_NUMBER;
	}
	return plain;
}

/* Is a macro of this name defined once, before the function and under the same #if, and does it
 * only calculate with its arguments? A file included after it might redefine it. */
static bool is_plain_macro(const struct callee *c, struct str name)
{
	const struct layout *l = plan_layout(c->p);
	struct str own = c->p->text;
	bool plain = false;
	for (size_t i = 1; i < c->u->files; i++) {
		struct str t = c->u->file[i].text;
		bool here = i == callee_body(c, 0)->file;
		if (c->u->file[i].system || (!here && !str_holds(t, name))) {
			continue;
		}
		lex_each (k, t, 0, t.n) {
			if (k.kind != LEX_DIRECTIVE || !lex_has_word(t, k.begin, k.end, name)) {
				bool more = k.kind == LEX_DIRECTIVE &&
					    str_holds(lex_text(t, k), STR("include"));
				plain &= !(here && more && k.begin < c->body->end);
				continue;
			}
			size_t at = here ? after_define(own, k, name) : 0;
			const struct layout_around *of = layout_conditions(l, c->body->begin);
			while (at && of && of != layout_conditions(l, k.begin)) {
				of = of->up;
			}
			if (!at || plain || k.begin > c->body->begin ||
				of != layout_conditions(l, k.begin) ||
				!only_calculates(own, at, k.end)) {
				return false;
			}
			plain = true;
		}
	}
	return plain;
}

bool callee_in_plain_macro(const struct callee *c, const struct kt_node *use)
{
	enum {
		DEEP = 32
	};
	static const char *const headers[] = {
		"if", "constexpr", "while", "for", "switch", "return", NULL};
	struct str t = c->p->text, around[DEEP] = {0};
	size_t close[DEEP], deep = 0;
	struct lex_token last = {0};
	if (!(use->flags & KT_F_ARGUMENT) || use->file != callee_body(c, 0)->file) {
		return false;
	}
	lex_each (k, t, c->pattern.body.begin, use->begin) {
		while (deep && close[deep - 1] < k.begin) {
			deep--;
		}
		bool opens = lex_is(t, k, "(") || lex_is(t, k, "[");
		size_t end = opens ? lex_close(t, k.begin) : 0;
		if (opens && (deep == DEEP || end == SIZE_MAX)) {
			return false;
		}
		if (opens && end > use->begin) {
			bool called = lex_is(t, k, "(") &&
				      (last.kind == LEX_WORD ||
					      !strchr("([=+-*/%<?:!&|^~,;{}", t.p[last.begin]));
			bool header = str_is_any(lex_text(t, last), headers);
			around[deep] = called && !header ? lex_text(t, last) : (struct str){0};
			close[deep++] = end;
		}
		last = k;
	}
	bool any = false, plain = true;
	for (size_t i = 0; i < deep && plain; i++) {
		any |= around[i].n > 0;
		plain = !around[i].n || is_plain_macro(c, around[i]);
	}
	return any && plain;
}

/* ---- names that are found only at instantiation ---- */

/* May an argument's type have a namespace, for argument-dependent lookup? */
static bool takes_object(const struct kt_unit *u, const struct kt_node *call)
{
	for (size_t i = 0; i < call->n; i++) {
		const struct kt_type *t = kt_object_type(u, call->child[i]->type);
		while (t->kind == KT_T_POINTER || t->kind == KT_T_ARRAY) {
			t = &u->type[t->elem];
		}
		if (t->kind == KT_T_RECORD || t->kind == KT_T_OTHER) {
			return true;
		}
	}
	return false;
}

/* By the texts: is the file included before the function, and not after it? */
static bool is_included(const struct callee *c, const struct kt_file *own, const char *path)
{
	struct str t = c->p->text;
	const char *name = strrchr(path, '/');
	bool later = false, before = own->main;
	lex_each (k, t, 0, t.n) {
		struct str line = k.kind == LEX_DIRECTIVE ? lex_text(t, k) : (struct str){0};
		bool includes = str_holds(line, STR("include"));
		later |= includes && k.begin > c->pattern.all.begin;
		before |= includes && str_holds(line, str_of(name ? name + 1 : path));
	}
	return before && !later;
}

/* Is the function of a call declared when that of c begins? */
static bool is_declared(const struct callee *c, const struct kt_node *call)
{
	const struct kt_fn *fn = &c->u->fn[call->fn];
	kt_id own = callee_body(c, 0)->file;
	const struct kt_file *other = &c->u->file[fn->file];
	if (!fn->body || fn->is_method || fn->is_lambda || other->system) {
		return true;
	}
	if (fn->file == own) {
		return fn->begin < c->pattern.all.begin;
	}
	return !takes_object(c->u, call) ||
	       (!other->main && is_included(c, &c->u->file[own], other->path));
}

const char *callee_late_name(const struct callee *c)
{
	struct span at = c->wide_text;
	for (kt_id i = 1; c->pattern.tparams && i < c->u->fns; i++) {
		/* its instances, and the lambdas in them */
		const struct kt_node *root = c->u->fn[i].body;
		bool inside = root && root->file == callee_body(c, 0)->file &&
			      root->begin < at.end && root->end > at.begin;
		for (const struct kt_node *n = inside ? root : NULL; n; n = kt_next(n, root)) {
			if (n->kind == KT_CALL && n->fn && n->begin >= at.begin &&
				n->end <= at.end && !is_declared(c, n)) {
				return c->u->fn[n->fn].base;
			}
		}
	}
	return NULL;
}
