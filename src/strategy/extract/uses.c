/* The names that a split function's wide part needs from the narrow one, the call and the template.
 * Its text does not change: each name that it uses is declared again, as a parameter or local with
 * the same value. Uses are searched in the text as well as in the tree, since types, template
 * arguments and discarded branches are not in the tree. */
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"

bool needs_refuse(struct needs *n, unsigned clause, const char *why, struct str what)
{
	return plan_refuse(n->c->p, clause, "'%.*s' %s", STR_ARG(what), why);
}

struct str needs_text(const struct needs *n, struct span s)
{
	return plan_text(n->c->p, s.begin, s.end);
}

const struct kt_node *needs_stmt(const struct needs *n, size_t leaf, size_t s)
{
	return callee_body(n->c, leaf)->child[s];
}

/* Is a node from a macro, or, if those count, without a text? */
static bool from_macro(const struct kt_node *root, bool implicit)
{
	const struct kt_node *k = root;
	while (k && (!(k->flags & KT_F_MACRO) || (k->flags & KT_F_IMPLICIT && !implicit))) {
		k = kt_next(k, root);
	}
	return k;
}

bool callee_any_macro(const struct callee *c)
{
	bool any = false;
	for (size_t i = 0; i < c->leaves && !any; i++) {
		any = from_macro(callee_body(c, i), false);
	}
	return any;
}

/* Do statements [first, last) use it in a node whose text does not show the name? */
static bool hidden_use(struct needs *n, size_t first, size_t last, struct str name)
{
	const struct callee *c = n->c;
	for (size_t i = 0; n->macros && i < c->leaves; i++) {
		for (size_t s = first; s < last; s++) {
			bool own = s == first && last == first + 1;
			const struct kt_node *root =
				own || callee_is_wide(c, s) ? needs_stmt(n, i, s) : NULL;
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
		any = from_macro(needs_stmt(n, i, s), true);
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

/* Does a word of the wide part, in some arm's instance, name something that the wide part does not
 * declare itself (as a loop declares its variable)? */
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

bool needs_narrow_uses(struct needs *n, struct str name, size_t own)
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

/* ---- variables that die with the narrow part or an arm ---- */

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

bool needs_points_to_dead(struct needs *n, size_t leaf, kt_id sym)
{
	struct callee *c = n->c;
	if (!may_hold_address(c->u, c->u->sym[sym].type)) {
		return false;
	}
	const struct kt_node *body = callee_body(c, leaf);
	for (const struct kt_node *k = body; k; k = kt_next(k, body)) {
		if (kt_names(k, sym)) {
			struct locset s = {0};
			facts_reach(&s, c->f, c->p->a, k);
			return needs_dies(c, &s, c->leaf[leaf].fn);
		}
	}
	return false;
}
