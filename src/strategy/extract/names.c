/*  The names that the wide part of a split function needs of the narrow one, of the call and of
 * the template. Its text stays as it is: for each name that it uses there will be a declaration
 * of that name again, a parameter or local, that has the same value. Uses are looked for in the
 * text as well as in the tree, since types, template arguments and discarded branches stand in
 * no tree. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"

bool needs_refuse(struct needs *n, unsigned clause, const char *why, struct str what)
{
	return plan_refuse(n->c->p, clause, "'%.*s' %s", STR_ARG(what), why);
}

struct str needs_text(const struct needs *n, struct span s)
{
	return plan_text(n->c->p, s.begin, s.end);
}

static const struct kt_node *stmt_of(const struct needs *n, size_t leaf, size_t s)
{
	return callee_body(n->c, leaf)->child[s];
}

/* What names or declares a type stands behind these. */
static const char *const type_words[] = {
	"struct", "class", "union", "enum", "using", "typedef", NULL};

/* ---- who uses a name ---- */

static bool from_macro(const struct kt_node *root)
{
	const struct kt_node *k = root;
	while (k && !(k->flags & KT_F_MACRO)) {
		k = kt_next(k, root);
	}
	return k;
}

bool callee_any_macro(const struct callee *c)
{
	bool any = false;
	for (size_t i = 0; i < c->leaves && !any; i++) {
		any = from_macro(callee_body(c, i));
	}
	return any;
}

/* Is it used in statements [first, last) by a node that is not spelled there? */
static bool hidden_use(struct needs *n, size_t first, size_t last, struct str name)
{
	const struct callee *c = n->c;
	for (size_t i = 0; n->macros && i < c->leaves; i++) {
		for (size_t s = first; s < last; s++) {
			bool own = s == first && last == first + 1;
			const struct kt_node *root =
				own || callee_is_wide(c, s) ? stmt_of(n, i, s) : NULL;
			for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
				if (k->flags & KT_F_MACRO && callee_names_symbol(c, k, name)) {
					return true;
				}
			}
		}
	}
	return false;
}

static bool has_macro(const struct needs *n, size_t s)
{
	bool any = false;
	for (size_t i = 0; i < n->c->leaves && !any; i++) {
		any = from_macro(stmt_of(n, i, s));
	}
	return any;
}

bool needs_wide_has_macro(const struct needs *n)
{
	for (size_t s = n->c->cut; n->macros && s < n->c->body->n; s++) {
		if (callee_is_wide(n->c, s) && has_macro(n, s)) {
			return true;
		}
	}
	for (size_t i = 0; n->macros && i < n->copies.n; i++) {
		if (has_macro(n, n->copies.v[i].stmt)) {
			return true;
		}
	}
	return false;
}

/* Is it a variable that the wide part itself declares, named or declared at this place? */
static bool is_own_at(const struct needs *n, const struct kt_node *k, size_t at)
{
	const struct callee *c = n->c;
	bool names = (k->kind == KT_REF || k->kind == KT_VAR) && k->sym;
	const struct kt_sym *s = &c->u->sym[names ? k->sym : 0];
	bool here = names && !(k->flags & KT_F_MACRO) && s->file == c->body->file &&
		    (k->kind == KT_VAR ? s->at : k->begin) == at;
	for (size_t i = 0; here && i < n->piece.n; i++) {
		if (s->at >= n->piece.v[i].begin && s->at < n->piece.v[i].end) {
			return true;
		}
	}
	return false;
}

struct foreign {
	const struct needs *n;
	struct str name;
};

/* A word of the wide part: does it, in some arm's instance, name what the wide part does not
 * declare itself, as a loop does its variable? */
static bool is_foreign(void *user, struct str word, size_t at)
{
	const struct foreign *f = user;
	const struct callee *c = f->n->c;
	bool own = true;
	for (size_t i = 0; str_eq(word, f->name) && own && i < c->leaves; i++) {
		const struct kt_node *body = callee_body(c, i), *k = body;
		while (k && !is_own_at(f->n, k, at)) {
			k = kt_next(k, body);
		}
		own = k;
	}
	return !own;
}

bool needs_wide_uses(struct needs *n, struct str name)
{
	struct foreign f = {n, name};
	struct str t = n->c->p->text;
	if (name.n == 0) {
		return false;
	}
	for (size_t i = 0; i < n->piece.n; i++) {
		struct span s = n->piece.v[i];
		if (callee_has_word(t, s, name) &&
			lex_each_word(t, s.begin, s.end, is_foreign, &f)) {
			return true;
		}
	}
	return hidden_use(n, n->c->cut, n->c->body->n, name);
}

/* In what stays of the narrow part, besides statement own. */
static bool narrow_uses(struct needs *n, struct str name, size_t own)
{
	if (name.n == 0) {
		return false;
	}
	for (size_t s = 0; s < n->c->body->n; s++) {
		bool gone = s == own || callee_is_wide(n->c, s);
		for (size_t i = 0; i < n->copies.n; i++) {
			gone |= n->copies.v[i].stmt == s && n->copies.v[i].moved;
		}
		const struct kt_node *k = n->c->body->child[s];
		struct span at = {k->begin, k->end};
		if (!gone && (callee_has_word(n->c->p->text, at, name) ||
				     hidden_use(n, s, s + 1, name))) {
			return true;
		}
	}
	return false;
}

/* ---- types ---- */

/* What `using NAME = TYPE;` in the function says that the name is; else the name itself. */
static struct str alias_target(const struct needs *n, struct str name)
{
	struct str t = n->c->p->text;
	struct span b = n->c->pattern.body;
	if (!layout_type_word(plan_layout(n->c->p), b.begin, b.end).n) {
		return name;
	}
	for (struct lex_token k = lex_next(t, b.begin); k.kind != LEX_END && k.begin < b.end;
		k = lex_next(t, k.end)) {
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

/* Is a word of the type's name declared in the function? */
static bool declared_inside(const struct needs *n, struct str type)
{
	struct str t = n->c->p->text;
	struct span b = n->c->pattern.body;
	struct span all = {0, type.n};
	bool in_typedef = false, follows = false;
	if (!layout_type_word(plan_layout(n->c->p), b.begin, b.end).n) {
		return false;
	}
	for (struct lex_token k = lex_next(t, b.begin); k.kind != LEX_END && k.begin < b.end;
		k = lex_next(t, k.end)) {
		bool keyword =
			k.kind == LEX_WORD && str_is_any(str_sub(t, k.begin, k.end), type_words);
		in_typedef = (in_typedef && !lex_is(t, k, ";")) || lex_is(t, k, "typedef");
		if (k.kind == LEX_WORD && !keyword && (follows || in_typedef) &&
			callee_has_word(type, all, str_sub(t, k.begin, k.end))) {
			return true;
		}
		follows = keyword;
	}
	return false;
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

/* Does the text name what only the function knows: its template parameters, its variables? */
static bool names_own(struct callee *c, struct str s)
{
	return lex_each_word(s, 0, s.n, is_of_function, c);
}

/* Type and extents of what sym names, as they can be written beside the function in a template:
 * there they may depend on its parameters. False: they cannot. */
static bool spell_in_template(struct callee *c, kt_id sym, struct callee_field *f)
{
	const struct callee_pattern *p = &c->pattern;
	const struct kt_sym *s = &c->u->sym[sym];
	f->type = sym ? plan_written_type(c->p, sym, p->body.begin, p->body.end) : NULL;
	if (!f->type || names_own(c, str_of(f->type))) {
		return false;
	}
	if (!*f->dims) {
		return true;
	}
	struct str dims =
		str_sub(c->p->text, s->at + strlen(s->name), callee_declarator(c, sym).end);
	f->dims = arena_strndup(c->p->a, dims.p, dims.n);
	return dims.n && s->file == c->m->node->file && !names_own(c, dims);
}

/* Is a word of the type's name declared in the function's class, behind the function? What it does
 * may name it there, but what stands beside it may not. */
static bool declared_below(const struct needs *n, struct str type)
{
	const struct callee *c = n->c;
	struct str t = c->p->text;
	struct span all = {0, type.n};
	bool in_typedef = false, follows = false;
	size_t end = c->pattern.all.end;
	if (!c->u->fn[c->leaf[0].fn].is_method || c->pattern.lambda) {
		return false;
	}
	for (struct lex_token k = lex_next(t, end); k.kind != LEX_END && !lex_is(t, k, "}");
		k = lex_next(t, end)) {
		bool keyword =
			k.kind == LEX_WORD && str_is_any(str_sub(t, k.begin, k.end), type_words);
		size_t close = lex_is(t, k, "{") ? lex_close(t, k.begin) : SIZE_MAX;
		in_typedef = (in_typedef && !lex_is(t, k, ";")) || lex_is(t, k, "typedef");
		if (k.kind == LEX_WORD && !keyword && (follows || in_typedef) &&
			callee_has_word(type, all, str_sub(t, k.begin, k.end))) {
			return true;
		}
		follows = keyword;
		end = close == SIZE_MAX ? k.end : close + 1;
	}
	return false;
}

/* Fills type, dims and width of a field for an object of this type. */
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
	struct str spelled = alias_target(n, str_of(kt_type_bare_name(c->p->a, t, false)));
	f->type = arena_strndup(c->p->a, spelled.p, spelled.n);
	f->is_float = t->kind == KT_T_FLOAT || t->kind == KT_T_VECTOR;
	if (!needs_plain_type(t)) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be handed over, and its type cannot be copied byte by byte",
			name);
	}
	if (!type_is_nameable(str_of(f->type)) || declared_inside(n, str_of(f->type))) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be handed over, and its type cannot be written down", name);
	}
	if (plan_in_template(c->p) && !spell_in_template(c, sym, f)) {
		return needs_refuse(n, CALLEE_TYPE,
			"would have to be handed over, and its type may depend on a template's "
			"parameter",
			name);
	}
	return !declared_below(n, str_of(f->type)) ||
	       needs_refuse(n, CALLEE_TYPE,
		       "would have to be handed over, and the class declares its type behind the "
		       "function",
		       name);
}

/* ---- what dies with the narrow part, or in an arm ---- */

bool callee_in_merge(const struct callee *c, kt_id sym)
{
	const struct kt_sym *s = &c->u->sym[sym];
	return s->fn == c->m->fn && s->file == c->m->node->file && s->at >= c->m->node->begin &&
	       s->at < c->m->node->end;
}

bool needs_dies(const struct callee *c, const struct locset *s, kt_id fn)
{
	for (uint32_t i = 0; i < s->n; i++) {
		kt_id sym = LOC_IS_VAR(s->v[i]) ? LOC_SYM(s->v[i]) : 0;
		if (sym && (c->u->sym[sym].fn == fn || callee_in_merge(c, sym))) {
			return true;
		}
	}
	return false;
}

static bool may_hold_address(const struct kt_unit *u, kt_id type)
{
	const struct kt_type *t = &u->type[type];
	bool has_elements = t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR;
	return has_elements ? may_hold_address(u, t->elem)
			    : t->kind == KT_T_POINTER || t->kind == KT_T_REFERENCE ||
				      t->kind == KT_T_RECORD || t->kind == KT_T_OTHER;
}

/* May the value of a variable of the function point to one that dies before the wide part? */
bool needs_points_to_dead(struct needs *n, size_t leaf, kt_id sym)
{
	struct callee *c = n->c;
	if (!may_hold_address(c->u, c->u->sym[sym].type)) {
		return false;
	}
	const struct kt_node *body = callee_body(c, leaf);
	for (const struct kt_node *k = body; k; k = kt_next(k, body)) {
		if (k->kind == KT_REF && k->sym == sym) {
			struct locset s = {0};
			facts_reach(&s, c->f, c->p->a, k);
			return needs_dies(c, &s, c->leaf[leaf].fn);
		}
	}
	return false;
}

/* ---- locals of the narrow part ---- */

static const char *const align_words[] = {
	"alignas", "__align__", "__attribute__", "__attribute", "__declspec", NULL};

static bool has_word_in(const struct needs *n, const struct kt_node *k, const char *word)
{
	return callee_has_word(n->c->p->text, (struct span){k->begin, k->end}, str_of(word));
}

static bool names_difference(const struct needs *n, const struct kt_node *k)
{
	const struct callee_pattern *p = &n->c->pattern;
	struct span at = {k->begin, k->end};
	for (size_t i = 0; i < p->tparams; i++) {
		if (p->tparam[i].differs && callee_has_word(n->c->p->text, at, p->tparam[i].name)) {
			return true;
		}
	}
	return false;
}

static bool is_literal(const struct kt_node *k)
{
	while (k->kind == KT_CAST || k->kind == KT_UNARY || k->kind == KT_INIT_LIST) {
		if (k->n != 1) {
			return false;
		}
		k = k->child[0];
	}
	return k->kind == KT_LITERAL;
}

static bool calls(const struct kt_node *root)
{
	for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
		if (k->kind == KT_CALL || k->kind == KT_CONSTRUCT || k->kind == KT_LAMBDA ||
			k->kind == KT_EXPR_UNKNOWN) {
			return true;
		}
	}
	return false;
}

/* Is what a declaration computes cheap, and the same wherever in the function it stands? */
static bool same_later(struct needs *n, size_t leaf, const struct kt_node *decl)
{
	struct callee *c = n->c;
	struct fx fx = facts_effects(c->f, decl);
	if (fx_acts(&fx)) {
		return false;
	}
	for (uint32_t i = 0; i < fx.reads.n; i++) {
		struct locset one = {0};
		locset_add(&one, c->p->a, fx.reads.v[i]);
		if (!facts_is_private(c->f, fx.reads.v[i]) ||
			facts_sets_alias(c->f, &one, &n->narrow[leaf].writes)) {
			return false;
		}
	}
	for (size_t i = 0; i < decl->n; i++) {
		const struct kt_node *v = decl->child[i];
		enum kt_type_kind k = c->u->type[v->type].kind;
		bool address =
			k == KT_T_INT || k == KT_T_BOOL || k == KT_T_POINTER || k == KT_T_REFERENCE;
		if (v->kind != KT_VAR || v->n != 1 || calls(v->child[0]) ||
			!(address || is_literal(v->child[0])) ||
			locset_has(&n->narrow[leaf].writes, LOC_VAR(v->sym))) {
			return false;
		}
	}
	return true;
}

/* A lambda that captures what it uses by reference, or nothing, is the same in both parts. */
static bool is_open_lambda(const struct needs *n, const struct kt_node *decl)
{
	const struct kt_node *v = decl->n == 1 ? decl->child[0] : NULL;
	if (!v || v->kind != KT_VAR || v->n != 1 || v->child[0]->kind != KT_LAMBDA) {
		return false;
	}
	struct str s = needs_text(n, (struct span){v->child[0]->begin, v->child[0]->end});
	return str_starts(s, "[&]") || str_starts(s, "[]");
}

static bool is_alias(const struct needs *n, const struct kt_node *decl)
{
	struct str s = needs_text(n, (struct span){decl->begin, decl->end});
	return decl->n == 0 && (str_starts(s, "using ") || str_starts(s, "typedef "));
}

/* Has it neither initializer nor a constructor that does anything? */
static bool no_value(const struct callee *c, const struct kt_node *v)
{
	const struct kt_node *init = v->n ? v->child[0] : NULL;
	return !init || (init->kind == KT_CONSTRUCT && init->n == 0 && c->u->type[v->type].trivial);
}

/* One variable that has no value yet, and that nothing else of the narrow part names. */
static bool is_unset(struct needs *n, size_t s)
{
	const struct kt_node *d = n->c->body->child[s];
	return d->n == 1 && d->child[0]->kind == KT_VAR && no_value(n->c, d->child[0]) &&
	       !narrow_uses(n, str_of(n->c->u->sym[d->child[0]->sym].name), s);
}

/* A static or shared variable of the function, which the narrow part alone has? */
static bool names_kept(const struct needs *n, const struct kt_node *root)
{
	const struct kt_unit *u = n->c->u;
	for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
		const struct kt_sym *v = k->kind == KT_REF && k->sym ? &u->sym[k->sym] : NULL;
		if (v && v->kind == KT_S_GLOBAL && v->file == n->c->body->file &&
			v->at >= n->c->body->begin && v->at < n->c->body->end) {
			return true;
		}
	}
	return false;
}

static bool can_copy(struct needs *n, size_t s)
{
	const struct kt_node *decl = n->c->body->child[s];
	if (decl->flags & KT_F_MACRO || names_difference(n, decl) || names_kept(n, decl) ||
		(has_word_in(n, decl, "static") && !has_word_in(n, decl, "constexpr"))) {
		return false;
	}
	if (is_alias(n, decl) || is_open_lambda(n, decl) || is_unset(n, s)) {
		return true;
	}
	for (size_t i = 0; i < n->c->leaves; i++) {
		if (decl->n == 0 || !same_later(n, i, stmt_of(n, i, s))) {
			return false;
		}
	}
	return true;
}

bool needs_is_object(const struct kt_node *k)
{
	return k->kind == KT_REF || k->kind == KT_MEMBER || k->kind == KT_INDEX ||
	       (k->kind == KT_UNARY && k->op == KT_OP_DEREF);
}

bool needs_all_shared(struct needs *n, size_t leaf, const struct locset *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (!LOC_IS_SYM(s->v[i]) || facts_is_private(n->c->f, s->v[i])) {
			return false;
		}
	}
	return s->n > 0 && !needs_dies(n->c, s, n->c->leaf[leaf].fn);
}

static bool hand_reference(struct needs *n, struct callee_field *f, size_t s, size_t at)
{
	struct callee *c = n->c;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *v = stmt_of(n, i, s)->child[at];
		struct locset to = {0};
		if (v->n && needs_is_object(v->child[0])) {
			facts_lvalue(&to, c->f, c->p->a, v->child[0]);
		}
		if (!needs_all_shared(n, i, &to)) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"is a reference to what has no address to hand over",
				str_of(f->name));
		}
	}
	f->pointer = true;
	return true;
}

bool callee_same_type(const struct callee *c, kt_id x, kt_id y)
{
	const char *a = c->u->type[x].canon, *b = c->u->type[y].canon;
	return x == y || (a && b && strcmp(a, b) == 0);
}

/* alignas(16) and its like in front of the first name; false: it cannot be written elsewhere. */
static bool find_alignment(struct needs *n, struct callee_field *f, const struct kt_node *decl)
{
	struct str t = n->c->p->text;
	size_t end = n->c->u->sym[decl->child[0]->sym].at;
	for (struct lex_token k = lex_next(t, decl->begin); k.kind != LEX_END && k.begin < end;
		k = lex_next(t, k.end)) {
		if (!str_is_any(str_sub(t, k.begin, k.end), align_words)) {
			continue;
		}
		size_t open = lex_skip_space(t, k.end);
		size_t close = open < end && t.p[open] == '(' ? lex_close(t, open) : SIZE_MAX;
		if (f->align || close >= end || names_own(n->c, str_sub(t, open, close + 1))) {
			return false;
		}
		f->align = arena_strndup(n->c->p->a, t.p + k.begin, close + 1 - k.begin);
	}
	return true;
}

/* Where the declarator of an array ends, values included, if it is no more than its name, extents
 * and {} or one zero in braces; 0: it is another. */
static size_t plain_declarator_end(const struct callee *c, const struct kt_node *v, bool *zeroed)
{
	static const char *const zeros[] = {"0", "0.", "0.f", "0.0", "0.0f", NULL};
	struct str t = c->p->text;
	struct span at = callee_declarator(c, v->sym);
	size_t begin = at.begin;
	while (begin > 0 && isspace((unsigned char)t.p[begin - 1])) {
		begin--;
	}
	struct lex_token k = lex_next(t, at.end);
	k = lex_is(t, k, "=") ? lex_next(t, k.end) : k;
	*zeroed = lex_is(t, k, "{");
	if (*zeroed) {
		struct lex_token zero = lex_next(t, k.end);
		bool one = str_is_any(str_sub(t, zero.begin, zero.end), zeros);
		k = one ? lex_next(t, zero.end) : zero;
		at.end = lex_is(t, k, "}") ? k.end : at.begin;
		k = lex_next(t, k.end);
	}
	bool ends = lex_is(t, k, ",") || lex_is(t, k, ";");
	bool plain = begin > 0 && t.p[begin - 1] != '(' && at.end > at.begin && ends;
	return plain ? at.end : 0;
}

static bool is_arithmetic(const struct kt_type *t)
{
	return t->kind == KT_T_INT || t->kind == KT_T_FLOAT || t->kind == KT_T_VECTOR;
}

/* An array without values, or with zeros, stands in the state itself; of others that has a copy. */
static bool hand_array(struct needs *n, struct callee_field *f, const struct kt_node *decl,
	const struct kt_node *v)
{
	const struct callee *c = n->c;
	const struct kt_type *t = &c->u->type[v->type];
	while (t->kind == KT_T_ARRAY) {
		t = &c->u->type[t->elem];
	}
	size_t end = plain_declarator_end(c, v, &f->zeroed);
	f->is_const = t->is_const;
	f->zeroed &= end && !no_value(c, v) && is_arithmetic(t) && !t->is_const &&
		     !callee_has_word(c->p->text, (struct span){end, decl->end}, str_of(f->name));
	f->copied = !f->zeroed && !no_value(c, v);
	if (has_word_in(n, decl, "constexpr")) {
		return needs_refuse(n, CALLEE_TYPE,
			"is a constexpr array, of which the state would have a copy",
			str_of(f->name));
	}
	return (find_alignment(n, f, decl) && (f->copied || end)) ||
	       needs_refuse(n, CALLEE_TYPE, "is an array that is declared in an unusual way",
		       str_of(f->name));
}

static bool hand_local(struct needs *n, size_t s, size_t at)
{
	struct callee *c = n->c;
	const struct kt_node *decl = c->body->child[s];
	const struct kt_node *v = decl->child[at];
	const struct kt_sym *sym = &c->u->sym[v->sym];
	const struct kt_type *t = &c->u->type[v->type];
	struct callee_field f = {
		.name = sym->name, .is_const = t->is_const, .declared = v, .dims = ""};
	struct str name = str_of(sym->name);
	if (v->flags & KT_F_MACRO || decl->flags & KT_F_MACRO || sym->kind != KT_S_LOCAL ||
		sym->space != KT_PRIVATE) {
		return needs_refuse(n, CALLEE_STORAGE,
			"is static, shared or from a macro, and the wide part uses it", name);
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *other = stmt_of(n, i, s)->child[at];
		if (!callee_same_type(c, other->type, v->type)) {
			return needs_refuse(
				n, CALLEE_TYPE, "has another type in another arm", name);
		}
		if (needs_points_to_dead(n, i, other->sym)) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"may point to a variable that is gone when the wide part runs",
				name);
		}
	}
	if (t->kind == KT_T_REFERENCE && !hand_reference(n, &f, s, at)) {
		return false;
	}
	if (t->kind == KT_T_ARRAY && !hand_array(n, &f, decl, v)) {
		return false;
	}
	if (!needs_field_type(n, &f, f.pointer ? t->elem : v->type, v->sym)) {
		return false;
	}
	f.width = f.pointer ? 2 : f.width;
	array_push(&n->fields, f);
	return true;
}

/* Names that the wide part uses and a statement declares that is no plain declaration. */
static bool check_odd(struct needs *n, size_t s)
{
	struct callee *c = n->c;
	const struct kt_node *stmt = c->body->child[s];
	for (size_t i = 0; i < c->leaves; i++) {
		for (size_t w = c->cut; w < c->body->n; w++) {
			const struct kt_node *root = callee_is_wide(c, w) ? stmt_of(n, i, w) : NULL;
			for (const struct kt_node *k = root; k; k = kt_next(k, root)) {
				const struct kt_sym *y = &c->u->sym[k->kind == KT_REF ? k->sym : 0];
				if (y->name && y->file == stmt->file && y->at >= stmt->begin &&
					y->at < stmt->end && y->kind != KT_S_FIELD) {
					return needs_refuse(n, CALLEE_STORAGE,
						"is declared in a way that cannot be taken apart",
						str_of(y->name));
				}
			}
		}
	}
	/* a type of its own would be another one in each part */
	bool follows = false;
	struct str t = c->p->text;
	for (struct lex_token k = lex_next(t, stmt->begin);
		k.kind != LEX_END && k.begin < stmt->end; k = lex_next(t, k.end)) {
		struct str w = str_sub(t, k.begin, k.end);
		if (follows && k.kind == LEX_WORD && needs_wide_uses(n, w)) {
			return needs_refuse(n, CALLEE_STORAGE,
				"is a type of the narrow part, and the wide part uses it", w);
		}
		follows = str_is_any(w, type_words);
	}
	return true;
}

static bool alias_is_used(struct needs *n, const struct kt_node *decl)
{
	struct str t = n->c->p->text;
	bool is_typedef = lex_is(t, lex_next(t, decl->begin), "typedef");
	struct str name = {0};
	size_t words = 0;
	for (struct lex_token k = lex_next(t, decl->begin);
		k.kind != LEX_END && k.begin < decl->end; k = lex_next(t, k.end)) {
		words += k.kind == LEX_WORD;
		if (k.kind == LEX_WORD && (is_typedef || words == 2)) {
			name = str_sub(t, k.begin, k.end);
		}
	}
	return needs_wide_uses(n, name);
}

static bool need_of_statement(struct needs *n, size_t s)
{
	struct callee *c = n->c;
	const struct kt_node *d = c->body->child[s];
	if (d->kind != KT_DECL || (d->n == 0 && !is_alias(n, d))) {
		return d->kind != KT_DECL && d->kind != KT_STMT_UNKNOWN ? true : check_odd(n, s);
	}
	bool used = d->n == 0 && alias_is_used(n, d);
	for (size_t i = 0; i < d->n; i++) {
		used |= d->child[i]->kind == KT_VAR &&
			needs_wide_uses(n, str_of(c->u->sym[d->child[i]->sym].name));
	}
	if (!used) {
		return true;
	}
	if (can_copy(n, s)) {
		array_push(&n->copies, (struct callee_copy){.stmt = s});
		array_push(&n->piece, (struct span){d->begin, d->end});
		return true;
	}
	if (d->n == 0) {
		return needs_refuse(n, CALLEE_STORAGE, "cannot stand in both parts",
			needs_text(n, (struct span){d->begin, d->end}));
	}
	for (size_t i = d->n; i-- > 0;) {
		bool var = d->child[i]->kind == KT_VAR;
		if (!var) {
			return check_odd(n, s);
		}
		if (needs_wide_uses(n, str_of(c->u->sym[d->child[i]->sym].name)) &&
			!hand_local(n, s, i)) {
			return false;
		}
	}
	return true;
}

static bool need_locals(struct needs *n)
{
	for (size_t s = n->c->body->n; s-- > 0;) {
		if (!callee_is_wide(n->c, s) && !need_of_statement(n, s)) {
			return false;
		}
	}
	/* last first, so that what is moved frees what it used */
	for (size_t i = 0; i < n->copies.n; i++) {
		const struct kt_node *d = n->c->body->child[n->copies.v[i].stmt];
		bool stays = d->n == 0;
		for (size_t k = 0; k < d->n; k++) {
			stays |= narrow_uses(n, str_of(n->c->u->sym[d->child[k]->sym].name),
				n->copies.v[i].stmt);
		}
		n->copies.v[i].moved = !stays;
	}
	return true;
}

/* ---- all of it ---- */

/* Does evaluating an argument do something? Then no arm goes without it. */
static bool argument_acts(struct callee *c, size_t i)
{
	for (size_t k = 0; k < c->leaves; k++) {
		if (facts_acts(c->f, callee_argument(c, k, i))) {
			return true;
		}
	}
	return false;
}

static void find_narrow_uses(struct needs *n)
{
	struct callee_pattern *p = &n->c->pattern;
	for (size_t i = 0; i < p->params; i++) {
		p->param[i].narrow = p->param[i].handed ||
				     narrow_uses(n, p->param[i].name, SIZE_MAX) ||
				     argument_acts(n->c, i);
	}
}

static void sum_effects(struct needs *n)
{
	struct callee *c = n->c;
	n->narrow = ARENA_ARRAY(c->p->a, struct fx, c->leaves);
	n->wide = ARENA_ARRAY(c->p->a, struct fx, c->leaves);
	for (size_t i = 0; i < c->leaves; i++) {
		for (size_t s = 0; s < c->body->n; s++) {
			struct fx *sum = callee_is_wide(c, s) ? &n->wide[i] : &n->narrow[i];
			facts_add_effects(sum, c->f, c->p->a, stmt_of(n, i, s));
		}
	}
}

static int by_statement(const void *x, const void *y)
{
	const struct callee_copy *a = x, *b = y;
	return a->stmt < b->stmt ? -1 : a->stmt > b->stmt;
}

static void reverse_locals(field_array *f, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct callee_field x = f->v[i];
		f->v[i] = f->v[n - 1 - i];
		f->v[n - 1 - i] = x;
	}
}

/* A flag that says whether the narrow part ran. */
static void need_guard(struct needs *n)
{
	struct callee_field f = {
		.type = "bool", .dims = "", .is_float = true, .guard = true, .width = 1};
	f.name = "runs";
	for (size_t i = 0, k = 2; i < n->fields.n; i++) {
		if (strcmp(n->fields.v[i].name, f.name) == 0) {
			f.name = arena_printf(n->c->p->a, "runs%zu", k++);
			i = SIZE_MAX; /* from the first again */
		}
	}
	array_push(&n->fields, f);
}

bool callee_find_needs(struct callee *c)
{
	struct needs n = {.c = c, .macros = callee_any_macro(c)};
	sum_effects(&n);
	for (size_t i = 0; i < c->wide_texts; i++) {
		array_push(&n.piece, c->wide_text[i]);
	}
	bool ok = needs_check_object(&n) && need_locals(&n);
	reverse_locals(&n.fields, n.fields.n);
	ok = ok && needs_params(&n) && needs_tparams(&n);
	if (c->guarded) {
		need_guard(&n);
	}
	find_narrow_uses(&n);
	if (n.copies.n) {
		qsort(n.copies.v, n.copies.n, sizeof(*n.copies.v), by_statement);
	}
	c->field = array_to_arena(c->p->a, &n.fields);
	c->fields = n.fields.n;
	c->copy = array_to_arena(c->p->a, &n.copies);
	c->copies = n.copies.n;
	array_release(&n.fields);
	array_release(&n.copies);
	array_release(&n.piece);
	return ok && callee_check_constants(c);
}
