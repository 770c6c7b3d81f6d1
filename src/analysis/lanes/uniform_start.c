/*
 * The facts before the fixed point, which it does not change: variables whose address escapes in
 * ways that the walk does not follow, functions with unknown code, and the initial state of
 * symbols.
 */
#include "analysis/lanes/uniform_walk.h"

#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"

static bool has_word(struct str text, const char *word)
{
	size_t n = strlen(word);
	for (size_t at = n ? str_find(text, word, 0) : SIZE_MAX; at != SIZE_MAX;
		at = str_find(text, word, at + 1)) {
		bool starts = at == 0 || !lex_is_word_char(text.p[at - 1]);
		bool ends = at + n == text.n || !lex_is_word_char(text.p[at + n]);
		if (starts && ends) {
			return true;
		}
	}
	return false;
}

static bool names_variable(const struct uniformity *u, kt_id fn, struct str word)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (uniform_sym_of(u, s)->fn == fn && kt_is_variable(u->unit, s) &&
			str_is(word, uniform_sym_of(u, s)->name)) {
			return true;
		}
	}
	return false;
}

/* Takes the next word of *text that is no member, no [operand name] and not in a string. */
static bool next_name(struct str *text, struct str *word)
{
	char before = ' ';
	for (size_t i = 0; i < text->n; i++) {
		char c = text->p[i];
		if (c == '"') {
			for (i++; i < text->n && text->p[i] != '"'; i++) {
				i += text->p[i] == '\\' ? 1 : 0;
			}
		} else if (lex_is_word_char(c)) {
			size_t end = i;
			while (end < text->n && lex_is_word_char(text->p[end])) {
				end++;
			}
			if (!isdigit((unsigned char)c) && !strchr(".[", before)) {
				*word = str_sub(*text, i, end);
				*text = str_sub(*text, end, text->n);
				return true;
			}
			i = end - 1;
		}
		if (c == '-' && i + 1 < text->n && text->p[i + 1] == '>') {
			c = '.';
			i++;
		}
		before = isspace((unsigned char)c) ? before : c;
	}
	return false;
}

/* May a macro in the text of an asm hide a variable that it touches? */
static bool asm_is_open(const struct uniformity *u, kt_id fn, struct str text)
{
	static const char *const plain[] = {"asm", "__asm", "__asm__", "volatile", "__volatile",
		"__volatile__", "inline", "goto", "this", NULL};
	struct str word;
	while (next_name(&text, &word)) {
		bool known = names_variable(u, fn, word);
		for (size_t i = 0; plain[i] && !known; i++) {
			known = str_is(word, plain[i]);
		}
		if (!known) {
			return false;
		}
	}
	return true;
}

/* Lambdas and asm have no children for the variables that they touch, but their text names them. */
static void expose_named(struct uniformity *u, kt_id fn, struct str text, bool all, const char *why)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (uniform_sym_of(u, s)->fn == fn && kt_is_variable(u->unit, s) &&
			(all || has_word(text, uniform_sym_of(u, s)->name))) {
			uniform_expose_slot(u, s, why);
		}
	}
	if (u->unit->fn[fn].is_method && (all || str_find(text, ":", 0) < text.n)) {
		uniform_expose_slot(u, uniform_this_slot(u, fn), why);
	}
}

static void see_text(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	bool lambda = n->kind == KT_LAMBDA;
	struct str text = lambda ? kt_source(u->unit, n) : str_of(n->text);
	bool all = n->flags & KT_F_MACRO || !text.n || (!lambda && !asm_is_open(u, fn, text));
	if (lambda && u->unit->fn[fn].is_method) {
		uniform_expose_slot(u, uniform_this_slot(u, fn), "a lambda captures it");
	}
	expose_named(u, fn, text, all, lambda ? "a lambda captures it" : "asm touches it");
}

/* ---- lambdas ---- */

/* Is n a closure that is called here, by a call whose body is in the unit? */
static bool is_called(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up && up->kind == KT_CALL && up->flags & KT_F_METHOD && n->slot == 0 && up->fn &&
	       u->unit->fn[up->fn].is_lambda && u->unit->fn[up->fn].body;
}

/* Is all code of the lambda known, so that the walk of its body shows all effects on its variables?
 * A generic lambda may have more bodies if it is also passed to other code. */
static bool is_seen(const struct uniformity *u, const struct kt_node *lambda)
{
	struct str text = kt_source(u->unit, lambda);
	if (lambda->flags & KT_F_MACRO || !text.n) {
		return false;
	}
	const struct kt_node *body = NULL;
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_fn *f = &u->unit->fn[fn];
		if (!kt_is_function_of(f, lambda)) {
			continue;
		}
		if (u->fn[fn].opaque) {
			return false;
		}
		body = f->body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			bool hides = (n->kind == KT_ASM && n->n == 0) ||
				     n->kind == KT_EXPR_UNKNOWN ||
				     (n->kind == KT_STMT_UNKNOWN && !kt_is_binding(u->unit, n));
			if (hides || (n->kind == KT_LAMBDA && !is_seen(u, n))) {
				return false;
			}
		}
	}
	if (!body) {
		return false;
	}
	struct str head = str_sub(text, 0, body->begin - lambda->begin);
	bool generic = has_word(head, "auto") || str_find(head, "<", 0) < head.n;
	const struct kt_node *up = lambda->parent;
	return !generic || (up && up->kind == KT_VAR && !u->slot[up->sym].handed);
}

static void see_lambda(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	if (!is_seen(u, n)) {
		see_text(u, fn, n);
		return;
	}
	for (kt_id f = 1; f < u->unit->fns; f++) {
		u->fn[f].seen |= kt_is_function_of(&u->unit->fn[f], n);
	}
	if (u->unit->fn[fn].is_method) {
		uniform_expose_slot(u, uniform_this_slot(u, fn), "a lambda captures it");
	}
}

void uniform_see_captured(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	if (n->kind == KT_REF && kt_is_variable(u->unit, n->sym) &&
		uniform_sym_of(u, n->sym)->fn != fn && !u->fn[fn].seen) {
		uniform_expose_slot(u, n->sym, "it is captured");
	}
}

/* A call of an unknown callee may reach any function with the same number of parameters. */
static void note_open_call(struct uniformity *u, const struct kt_node *n)
{
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_fn *f = &u->unit->fn[fn];
		bool fits =
			f->params == n->n || f->params + 1 == n->n; /* child 0 may be the callee */
		if (f->body && f->kind != KT_FN_KERNEL && fits) {
			u->fn[fn].called = false;
		}
	}
}

void uniform_see_node(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	struct fn_state *f = &u->fn[fn];
	switch (n->kind) {
	case KT_VAR:
		u->slot[n->sym].declared = uniform_sym_of(u, n->sym)->fn == fn;
		break;
	case KT_GOTO:
	case KT_LABEL:
		f->opaque = true;
		break;
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		if (n->n == 0 && uniform_hides_code(u, n, "({=")) {
			f->opaque = true;
		}
		break;
	case KT_REF:
		if (kt_is_variable(u->unit, n->sym) && !is_called(u, n)) {
			u->slot[n->sym].handed = true;
		}
		break;
	case KT_ASM:
		if (n->n == 0) {
			see_text(u, fn, n);
		}
		break;
	case KT_CONSTRUCT:
		u->fn[n->fn].constructor = true;
		u->fn[n->fn].called = true;
		break;
	case KT_CALL:
		u->fn[n->fn].called = true;
		break;
	default:
		break;
	}
}

/* After all calls were seen: handles functions that can be reached in other ways, and lambdas. */
void uniform_see_open(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	if (n->kind == KT_LAMBDA) {
		see_lambda(u, fn, n);
	} else if (n->kind == KT_REF && n->fn) {
		u->fn[n->fn].called = false;
	} else if (n->kind == KT_CALL && !n->fn && !facts_intrinsic(u->facts, n) &&
		   !str_starts(str_of(n->text), "__builtin_")) {
		note_open_call(u, n);
	}
}

void uniform_each_node(
	struct uniformity *u, void (*see)(struct uniformity *u, kt_id fn, const struct kt_node *n))
{
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_node *body = u->unit->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			see(u, fn, n);
		}
	}
}

void uniform_start_function(struct uniformity *u, kt_id fn)
{
	const struct kt_fn *f = &u->unit->fn[fn];
	struct fn_state *s = &u->fn[fn];
	bool kernel = f->kind == KT_FN_KERNEL;
	bool open = !kernel && (!s->called || u->unit->open || u->unit->hides);
	s->apart |= open || s->opaque;
	s->ret = s->opaque ? BIT_BOTH : 0;
	s->leaves = s->opaque;
	for (size_t i = 0; i < f->params; i++) {
		struct slot *p = &u->slot[f->param[i]];
		bool reference = kt_is_reference(u->unit, f->param[i]);
		p->declared = uniform_sym_of(u, f->param[i])->fn == fn;
		p->level = reference ? 0 : 1;
		if (open || s->opaque || (kernel && reference)) {
			uniform_pass(u, f->param[i], BIT_BOTH,
				s->opaque ? "the function jumps" : "not all callers are known");
		}
	}
	if (open || s->opaque || s->constructor) {
		/* a constructor's object contains the old values */
		uniform_demote(u, uniform_this_slot(u, fn), BIT_BOTH, "not all callers are known");
	}
	if (s->opaque) {
		uniform_expose_slot(u, uniform_this_slot(u, fn), "the function jumps");
	}
}

static bool has_name(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		bool starts = i == 0 || !lex_is_word_char(text.p[i - 1]);
		if (starts && lex_is_word_char(text.p[i]) && !isdigit((unsigned char)text.p[i])) {
			return true;
		}
	}
	return false;
}

/* int n = threadIdx.x; in a class: the implicit initialization of an object may have no node. Plain
 * numbers do not matter. */
static bool hidden_initializer(const struct uniformity *u, const struct kt_sym *field)
{
	struct str text = u->unit->file[field->file].text;
	struct str rest = str_sub(text, field->at, text.n);
	if (!str_starts(rest, field->name)) {
		return true;
	}
	rest = str_sub(rest, strlen(field->name), str_find(rest, ";", 0));
	size_t assign = str_find(rest, "=", 0);
	size_t brace = str_find(rest, "{", 0);
	return has_name(str_sub(rest, assign < brace ? assign : brace, rest.n));
}

void uniform_start_symbols(struct uniformity *u)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		const struct kt_sym *sym = uniform_sym_of(u, s);
		if (sym->kind == KT_S_FIELD && kt_is_reference(u->unit, s)) {
			u->reference_fields = true;
		}
		if (sym->kind == KT_S_FIELD && hidden_initializer(u, sym)) {
			uniform_demote(u, s, BIT_BOTH, "its class may initialise it");
		}
		if (!kt_is_variable(u->unit, s)) {
			continue;
		}
		bool opaque = u->fn[sym->fn].opaque;
		if (opaque || !u->slot[s].declared || u->unit->type[sym->type].is_volatile) {
			uniform_expose_slot(u, s,
				opaque ? "the function jumps" : "its declaration is not seen");
		}
	}
}

bool uniformity_has_word(const struct uniformity *u, const char *word)
{
	for (kt_id f = 1; f < u->unit->files; f++) {
		if (!u->unit->file[f].system && has_word(u->unit->file[f].text, word)) {
			return true;
		}
	}
	return false;
}
