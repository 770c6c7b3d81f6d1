/*
 * Which statements of a split function are in which part, and their text. What stands before the
 * first write of the accumulator is narrow. Where the split would be refused so, statements behind
 * it go to the end of the narrow part as well, if they may trade places with all that they pass.
 */
#include "analysis/arms/contract.h"
#include "analysis/arms/overlay.h"
#include "strategy/extract/extract.h"
#include "strategy/text/text.h"

struct span callee_statement_text(const struct callee *c, size_t s)
{
	struct str t = c->p->text;
	const struct kt_node *const *stmt = (const struct kt_node *const *)c->body->child;
	size_t begin = s ? text_behind_comments(t, stmt[s - 1]->end) : c->pattern.body.begin + 1;
	return (struct span){begin, text_behind_comments(t, stmt[s]->end)};
}

/* Does one statement declare what the other names? Also where no node of a tree says so. */
static bool names_meet(
	const struct callee *c, const struct kt_node *declares, const struct kt_node *other)
{
	struct span text = {other->begin, other->end};
	bool odd = declares->kind == KT_STMT_UNKNOWN || (declares->kind == KT_DECL && !declares->n);
	for (size_t i = 0; declares->kind == KT_DECL && i < declares->n; i++) {
		const struct kt_node *v = declares->child[i];
		odd |= v->kind != KT_VAR ||
		       callee_has_word(c->p->text, text, str_of(c->u->sym[v->sym].name));
	}
	return odd;
}

/* May its adds be joined with multiplies of the narrow part, where other code stood between? */
static bool adds_product(struct callee *c, const struct kt_node *root)
{
	struct contract *contract = contract_of(c->f);
	for (const struct kt_node *n = root; n && !c->p->opts->contract_off; n = kt_next(n, root)) {
		bool call = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn &&
			    c->u->fn[n->fn].body;
		if (call || (!kt_is_stmt(n->kind) && n->kind != KT_VAR &&
				    contract_is_product(contract, n) &&
				    contract_is_added(contract, n))) {
			return true;
		}
	}
	return false;
}

/* May statement s run before those of the wide part that it stands behind? */
static bool may_pass(struct callee *c, size_t s)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *body = callee_body(c, i), *later = body->child[s];
		if (later->flags & KT_F_MACRO ||
			facts_effects(c->f, later).flags & (FX_ORDERED | FX_MATRIX) ||
			adds_product(c, later)) {
			return false;
		}
		for (size_t k = c->cut; k < s; k++) {
			const struct kt_node *before = body->child[k];
			if (callee_is_wide(c, k) &&
				(!overlay_independent(c->f, c->p->a, before, later, NULL) ||
					names_meet(c, before, later) ||
					names_meet(c, later, before))) {
				return false;
			}
		}
	}
	return true;
}

static void add_piece(struct span *v, size_t *n, size_t begin, size_t end)
{
	if (begin < end) {
		v[(*n)++] = (struct span){begin, end};
	}
}

void callee_find_parts(struct callee *c, size_t end)
{
	struct span b = c->pattern.body;
	size_t at = end;
	c->pulled = ARENA_ARRAY(c->p->a, bool, c->body->n);
	c->narrow = ARENA_ARRAY(c->p->a, struct span, c->body->n + 1);
	c->wide_text = ARENA_ARRAY(c->p->a, struct span, c->body->n + 1);
	c->narrow[0] = (struct span){b.begin + 1, end};
	c->narrows = 1;
	for (size_t s = c->cut + 1; s < c->body->n && c->pull; s++) {
		c->pulled[s] = !callee_writes_wide(c, s) && may_pass(c, s);
		if (c->pulled[s]) {
			struct span text = callee_statement_text(c, s);
			c->narrow[c->narrows++] = text;
			add_piece(c->wide_text, &c->wide_texts, at, text.begin);
			at = text.end;
		}
	}
	add_piece(c->wide_text, &c->wide_texts, at, b.end - 1);
}
