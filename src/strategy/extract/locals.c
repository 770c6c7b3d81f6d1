/* Locals of the narrow part that the wide one needs: passed on, or declared again. */
#include <ctype.h>

#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"

static const char *const align_words[] = {
	"alignas", "__align__", "__attribute__", "__attribute", "__declspec", NULL};

static bool names_difference(const struct needs *n, const struct kt_node *k)
{
	const struct callee_pattern *p = &n->c->pattern;
	struct span at = {k->begin, k->end};
	bool any = false;
	for (size_t i = 0; i < p->tparams; i++) {
		any |= p->tparam[i].differs &&
		       callee_has_word(n->c->p->text, at, p->tparam[i].name);
	}
	for (size_t i = 0; i < p->of.tparams; i++) {
		any |= p->of.tparam[i].differs &&
		       callee_has_word(n->c->p->text, at, p->of.tparam[i].name);
	}
	return any;
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

/* Is a declaration's initializer cheap, and equal at every place in the function? */
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

/* A lambda that captures by reference, or nothing, can be declared again in the wide part. */
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

/* Has it neither an initializer nor a constructor with effects? */
static bool no_value(const struct callee *c, const struct kt_node *v)
{
	const struct kt_node *init = v->n ? v->child[0] : NULL;
	return !init || (init->kind == KT_CONSTRUCT && init->n == 0 && c->u->type[v->type].trivial);
}

/* Is it one uninitialized variable that the rest of the narrow part does not use? */
static bool is_unset(struct needs *n, size_t s)
{
	const struct kt_node *d = n->c->body->child[s];
	return d->n == 1 && d->child[0]->kind == KT_VAR && no_value(n->c, d->child[0]) &&
	       !needs_narrow_uses(n, str_of(n->c->u->sym[d->child[0]->sym].name), s);
}

/* Does it use a static or shared variable of the function, which only the narrow part declares? */
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
		(callee_node_has(n->c, decl, "static") &&
			!callee_node_has(n->c, decl, "constexpr"))) {
		return false;
	}
	if (is_alias(n, decl) || is_open_lambda(n, decl) || is_unset(n, s)) {
		return true;
	}
	for (size_t i = 0; i < n->c->leaves; i++) {
		if (decl->n == 0 || !same_later(n, i, needs_stmt(n, i, s))) {
			return false;
		}
	}
	return true;
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

static bool pass_reference(struct needs *n, struct callee_field *f, size_t s, size_t at)
{
	struct callee *c = n->c;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *v = needs_stmt(n, i, s)->child[at];
		struct locset to = {0};
		if (v->n && kt_is_place(v->child[0])) {
			facts_lvalue(&to, c->f, c->p->a, v->child[0]);
		}
		if (!needs_all_shared(n, i, &to)) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"is a reference to an object whose address cannot be passed on",
				str_of(f->name));
		}
	}
	f->pointer = true;
	return true;
}

/* alignas(16) or similar before the first name; false: it cannot be copied elsewhere. */
static bool find_alignment(struct needs *n, struct callee_field *f, const struct kt_node *decl)
{
	struct str t = n->c->p->text;
	size_t end = n->c->u->sym[decl->child[0]->sym].at;
	lex_each (k, t, decl->begin, end) {
		if (!str_is_any(str_sub(t, k.begin, k.end), align_words)) {
			continue;
		}
		size_t open = lex_skip_space(t, k.end);
		size_t close = open < end && t.p[open] == '(' ? lex_close(t, open) : SIZE_MAX;
		if (f->align || close >= end ||
			needs_names_own(n->c, str_sub(t, open, close + 1))) {
			return false;
		}
		f->align = arena_strndup(n->c->p->a, t.p + k.begin, close + 1 - k.begin);
	}
	return true;
}

/* The end of an array's declarator, if it is just its name, extents and optionally {} or {0}; else
 * 0. */
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

/* An array without values, or of zeros, becomes a member of the state; other arrays are copied to
 * it. */
static bool pass_array(struct needs *n, struct callee_field *f, const struct kt_node *decl,
	const struct kt_node *v)
{
	const struct callee *c = n->c;
	const struct kt_type *t = kt_element_type(c->u, &c->u->type[v->type]);
	size_t end = plain_declarator_end(c, v, &f->zeroed);
	f->is_const = t->is_const;
	f->zeroed &= end && !no_value(c, v) && is_arithmetic(t) && !t->is_const &&
		     !callee_has_word(c->p->text, (struct span){end, decl->end}, str_of(f->name));
	f->copied = !f->zeroed && !no_value(c, v);
	if (callee_node_has(n->c, decl, "constexpr")) {
		return needs_refuse(n, CALLEE_TYPE,
			"is a constexpr array, of which the state would have a copy",
			str_of(f->name));
	}
	return (find_alignment(n, f, decl) && (f->copied || end)) ||
	       needs_refuse(n, CALLEE_TYPE, "is an array that is declared in an unusual way",
		       str_of(f->name));
}

static bool pass_local(struct needs *n, size_t s, size_t at)
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
		const struct kt_node *other = needs_stmt(n, i, s)->child[at];
		if (!kt_same_type(c->u, other->type, v->type)) {
			return needs_refuse(
				n, CALLEE_TYPE, "has another type in another arm", name);
		}
		if (needs_points_to_dead(n, i, other->sym)) {
			return needs_refuse(n, CALLEE_ARGUMENT,
				"may point to a variable that is gone when the wide part runs",
				name);
		}
	}
	if (t->kind == KT_T_REFERENCE && !pass_reference(n, &f, s, at)) {
		return false;
	}
	if (t->kind == KT_T_ARRAY && !pass_array(n, &f, decl, v)) {
		return false;
	}
	if (!needs_field_type(n, &f, f.pointer ? t->elem : v->type, v->sym)) {
		return false;
	}
	f.width = f.pointer ? 2 : f.width;
	array_push(&n->fields, f);
	return true;
}

/* Checks names that the wide part uses and that something other than a plain declaration
 * declares. */
static bool check_odd(struct needs *n, size_t s)
{
	struct callee *c = n->c;
	const struct kt_node *stmt = c->body->child[s];
	for (size_t i = 0; i < c->leaves; i++) {
		for (size_t w = c->cut; w < c->body->n; w++) {
			const struct kt_node *root =
				callee_is_wide(c, w) ? needs_stmt(n, i, w) : NULL;
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
	/* a local type would be a different type in each part */
	bool follows = false;
	struct str t = c->p->text;
	lex_each (k, t, stmt->begin, stmt->end) {
		struct str w = str_sub(t, k.begin, k.end);
		if (follows && k.kind == LEX_WORD && needs_wide_uses(n, w)) {
			return needs_refuse(n, CALLEE_STORAGE,
				"is a type of the narrow part, and the wide part uses it", w);
		}
		follows = str_is_any(w, needs_type_words);
	}
	return true;
}

static bool alias_is_used(struct needs *n, const struct kt_node *decl)
{
	struct str t = n->c->p->text;
	bool is_typedef = lex_is(t, lex_next(t, decl->begin), "typedef");
	struct str name = {0};
	size_t words = 0;
	lex_each (k, t, decl->begin, decl->end) {
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
		return needs_refuse(n, CALLEE_STORAGE, "cannot be in both parts",
			needs_text(n, (struct span){d->begin, d->end}));
	}
	for (size_t i = d->n; i-- > 0;) {
		bool var = d->child[i]->kind == KT_VAR;
		if (!var) {
			return check_odd(n, s);
		}
		if (needs_wide_uses(n, str_of(c->u->sym[d->child[i]->sym].name)) &&
			!pass_local(n, s, i)) {
			return false;
		}
	}
	return true;
}

bool needs_locals(struct needs *n)
{
	for (size_t s = n->c->body->n; s-- > 0;) {
		if (!callee_is_wide(n->c, s) && !need_of_statement(n, s)) {
			return false;
		}
	}
	/* last first, so that a moved declaration frees the ones that it uses */
	for (size_t i = 0; i < n->copies.n; i++) {
		const struct kt_node *d = n->c->body->child[n->copies.v[i].stmt];
		bool used = d->n == 0;
		for (size_t k = 0; k < d->n; k++) {
			used |= needs_narrow_uses(n, str_of(n->c->u->sym[d->child[k]->sym].name),
				n->copies.v[i].stmt);
		}
		n->copies.v[i].moved = !used;
	}
	return true;
}
