/*
 * Macros around a merge. A macro's expansion is never edited, but its invocation is text of the
 * source: an unbraced arm that is exactly one invocation may be kept or moved as a whole.
 *
 *   if (c)
 *           STEP(x);   of #define STEP(v) do { ... } while (0), or { ... }, or f(v)
 *   else
 *           STEP(y);
 */
#include "frontend/text/lex.h"
#include "strategy/plan/plan.h"

/* Not a declaration or label, nor an if without else, which would take the next else. */
static bool stands_alone(const struct kt_node *n)
{
	while (n) {
		switch (n->kind) {
		case KT_IF:
			if (!n->child[KT_IF_ELSE]) {
				return false;
			}
			n = n->child[KT_IF_ELSE];
			break;
		case KT_FOR:
		case KT_RANGE_FOR:
		case KT_WHILE:
			n = kt_loop_body(n);
			break;
		case KT_DECL:
		case KT_STMT_UNKNOWN:
		case KT_CASE:
		case KT_DEFAULT:
		case KT_LABEL:
			return false;
		default:
			return true;
		}
	}
	return true;
}

/* Are the brackets in [begin, end) balanced? */
static bool is_balanced(struct str t, size_t begin, size_t end)
{
	struct lex_token k = lex_next(t, begin);
	while (k.kind != LEX_END && k.begin < end) {
		bool opens = lex_is(t, k, "(") || lex_is(t, k, "[") || lex_is(t, k, "{");
		bool closes = lex_is(t, k, ")") || lex_is(t, k, "]") || lex_is(t, k, "}");
		size_t close = opens ? lex_close(t, k.begin) : k.begin;
		if (closes || k.kind == LEX_DIRECTIVE || close >= end) {
			return false;
		}
		k = lex_next(t, opens ? close + 1 : k.end);
	}
	return true;
}

/* The offset at which the arm must begin: after the if's header or its else; SIZE_MAX: the else
 * comes from a macro. */
static size_t arm_start(struct str t, const struct kt_node *owner, const struct kt_node *body)
{
	if (body != owner->child[KT_IF_THEN]) {
		struct lex_token word = lex_next(t, owner->child[KT_IF_THEN]->end);
		return lex_is(t, word, "else") ? lex_next(t, word.end).begin : SIZE_MAX;
	}
	struct lex_token k = lex_next(t, owner->begin);
	while (k.kind != LEX_END && k.begin < body->begin && !lex_is(t, k, "(")) {
		k = lex_next(t, k.end);
	}
	size_t close = lex_is(t, k, "(") ? lex_close(t, k.begin) : SIZE_MAX;
	return close == SIZE_MAX ? SIZE_MAX : lex_next(t, close + 1).begin;
}

/* Is the arm's text exactly one statement, with no part of it outside its range and no other code
 * inside? If its macros expanded to more, a further statement would be a neighbour with the same
 * place (mark_shared), and an else would be missing in the text. */
static bool is_kept_whole(struct str t, const struct kt_node *owner, const struct kt_node *body)
{
	if (!stands_alone(body) || body->file != owner->file || body->end <= body->begin ||
		arm_start(t, owner, body) != body->begin ||
		!is_balanced(t, body->begin, body->end)) {
		return false;
	}
	bool ended = str_ends(str_sub(t, body->begin, body->end), ";");
	struct lex_token next = lex_next(t, body->end);
	if (!ended && body->kind != KT_COMPOUND && lex_is(t, next, ";")) {
		return false;
	}
	bool first = body == owner->child[KT_IF_THEN] && owner->child[KT_IF_ELSE];
	return !first || lex_is(t, next, "else");
}

/* Does a macro at the arm's end also close an outer block? */
static bool closes_more(const struct kt_node *body)
{
	for (const struct kt_node *n = body->parent; n; n = n->parent) {
		bool closed = n->kind == KT_COMPOUND || n->kind == KT_DO;
		if (closed && n->file == body->file && n->begin <= body->begin &&
			n->end <= body->end) {
			return true;
		}
	}
	return false;
}

bool plan_in_macro(const struct plan *p, const struct merge *m)
{
	bool macro = m->node->flags & KT_F_MACRO;
	for (size_t i = 0; i < m->arms && !macro; i++) {
		const struct arm *arm = &m->arm[i];
		bool whole = m->kind == MERGE_IF && is_kept_whole(p->text, arm->owner, arm->body);
		macro |= arm->owner->flags & KT_F_MACRO;
		macro |= arm->body->flags & KT_F_MACRO && !whole;
		macro |= m->kind == MERGE_IF && closes_more(arm->body);
		macro |= arm->cond && arm->cond->flags & KT_F_MACRO &&
			 arm->cond->begin < arm->owner->begin;
		for (size_t k = 0; k < arm->labels; k++) {
			macro |= arm->label[k]->flags & KT_F_MACRO;
		}
	}
	return macro;
}

const char *plan_why_fixed(const struct merge *m, const char *otherwise)
{
	for (size_t i = 0; i < m->arms; i++) {
		if (kt_is_cut(m->arm[i].body)) {
			return "it has more arms than can be read: 400 ifs in each other";
		}
	}
	return otherwise;
}
