/*
 * Bindings of a constant that becomes a variable, where its type and kind decide: to an overload's
 * parameter, a reference, a list of values. And names that only a template finds.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"

/* ---- conversions ---- */

/* Does a list of values hold k, which a conversion may be too narrow for from now on? */
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
	bool constant = true; /* nothing below up is a variable */
	bool value = true;    /* what up takes is its value, and not one that it decides */
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
			return "is bound to a reference, whose type may be made of it";
		}
		constant &= kt_is_constant(up);
		value &= !kt_is_stmt(up->kind);
	}
	return NULL;
}

/* ---- macros ---- */

/* Does a directive define a macro that uses the word, and not as its parameter? */
static bool defines_with(struct str line, struct str word)
{
	size_t at = str_find(line, "define", 0);
	struct lex_token name = lex_next(line, at == SIZE_MAX ? line.n : at + strlen("define"));
	size_t body = name.end;
	if (body < line.n && line.p[body] == '(') {
		size_t close = lex_close(line, body);
		body = close == SIZE_MAX || lex_has_word(line, body, close, word) ? line.n : close;
	}
	return body < line.n && lex_has_word(line, body, line.n, word);
}

bool callee_macro_names(const struct callee *c, struct str word)
{
	for (size_t i = 1; i < c->u->files; i++) {
		struct str t = c->u->file[i].text;
		if (!c->u->file[i].system && str_holds(t, word)) {
			lex_each (k, t, 0, t.n) {
				if (k.kind == LEX_DIRECTIVE && defines_with(lex_text(t, k), word)) {
					return true;
				}
			}
		}
	}
	return false;
}

/* ---- names that only a template finds ---- */

/* May an argument have a namespace of its own, which names are looked up in? */
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

/* Is another file included before the function, and nothing after it? As far as texts tell. */
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
