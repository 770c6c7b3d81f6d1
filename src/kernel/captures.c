/*
 * auto load = [p, k](int i) { return p[i + k]; };
 *
 * p and k in the body are members of the closure. If nothing changes the variable p while the
 * closure lives, and nothing can change the copy, both have the same value. The body is then made
 * to read the variable, so that all facts about it (its objects, its uniformity) hold in the body,
 * too.
 */
#include "kernel/captures.h"

#include <string.h>
#include "base/array.h"

enum answer {
	ANSWER_NONE,
	ANSWER_NO,
	ANSWER_YES
};

struct resolver {
	struct kt_unit *u;
	bool *copied;			   /* by symbol: a capture copies it */
	bool *changed;			   /* by symbol: changed at a place that is not in set */
	ARRAY(const struct kt_node *) set; /* the places where copied variables are set */
	uint8_t *answer;		   /* by member */
};

/* Is n, a variable or a part of it, only read by the code around it? */
static bool is_read(const struct resolver *s, kt_id fn, const struct kt_node *n);

static bool is_parameter_read(const struct resolver *s, const struct kt_node *call, size_t slot)
{
	const struct kt_fn *f = call->fn ? &s->u->fn[call->fn] : NULL;
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	if (!f) {
		return false;
	}
	if (slot < first) {
		return f->is_const;
	}
	if (slot - first >= f->params) {
		return false;
	}
	const struct kt_type *t = &s->u->type[s->u->sym[f->param[slot - first]].type];
	return t->kind != KT_T_REFERENCE || s->u->type[t->elem].is_const;
}

static bool is_seen(const struct kt_unit *u, const struct kt_node *lambda)
{
	for (kt_id id = 1; id < u->fns; id++) {
		if (kt_is_function_of(&u->fn[id], lambda)) {
			return true;
		}
	}
	return false;
}

static bool is_read(const struct resolver *s, kt_id fn, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up) {
		return false;
	}
	switch (up->kind) {
	case KT_MEMBER:
		return up->flags & KT_F_ARROW || is_read(s, fn, up);
	case KT_INDEX:
		return n->slot == 1 || kt_is_pointer(s->u, n) || is_read(s, fn, up);
	case KT_ASSIGN:
		return n->slot == 1 && !(up->flags & KT_F_BINDS);
	case KT_UNARY:
		return !kt_is_step(up) && up->op != KT_OP_ADDR && up->op != KT_OP_OTHER;
	case KT_BINARY:
		return up->op != KT_OP_COMMA;
	case KT_COND:
		return n->slot == KT_COND_COND || is_read(s, fn, up);
	case KT_CAST:
		return kt_type_of(s->u, up)->kind != KT_T_REFERENCE && is_read(s, fn, up);
	case KT_VAR:
		return kt_type_of(s->u, up)->kind != KT_T_REFERENCE;
	case KT_CALL:
	case KT_CONSTRUCT:
		return is_parameter_read(s, up, n->slot);
	case KT_RETURN:
		return s->u->type[s->u->fn[fn].ret].kind != KT_T_REFERENCE;
	case KT_LAMBDA: /* its body, if there is one, is checked by itself */
		return is_seen(s->u, up);
	case KT_INIT_LIST:
		return !(up->flags & KT_F_BINDS);
	case KT_OPERAND:
		return !strpbrk(up->text, "=+");
	default:
		return up->kind != KT_RANGE_FOR && up->kind != KT_STMT_UNKNOWN &&
		       kt_is_stmt(up->kind);
	}
}

/* Does the node around n set the variable, in the variable's own function? */
static bool is_set(const struct resolver *s, kt_id fn, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool here = up && ((up->kind == KT_ASSIGN && n->slot == 0) || kt_is_step(up));
	return here && s->u->sym[n->sym].fn == fn;
}

/* A lambda without a known body may change any variable. */
static void see_unseen(struct resolver *s, const struct kt_node *lambda)
{
	if (!is_seen(s->u, lambda)) {
		memset(s->changed, true, s->u->syms * sizeof(*s->changed));
	}
}

static void look_at(struct resolver *s, kt_id fn)
{
	const struct kt_node *body = s->u->fn[fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_REF && s->copied[n->sym] && !is_read(s, fn, n)) {
			if (is_set(s, fn, n)) {
				array_push(&s->set, n);
			} else {
				s->changed[n->sym] = true;
			}
		} else if (n->kind == KT_LAMBDA) {
			see_unseen(s, n);
		}
	}
}

/* ---- the lifetime of a closure ---- */

/* The only expression that makes closures of fn; NULL: several, or none. */
static const struct kt_node *maker(const struct kt_unit *u, kt_id fn)
{
	const struct kt_node *body = u->fn[u->fn[fn].around].body, *found = NULL;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_LAMBDA && kt_is_function_of(&u->fn[fn], n)) {
			if (found) {
				return NULL;
			}
			found = n;
		}
	}
	return found;
}

static bool may_hold(const struct kt_unit *u, const struct kt_node *n)
{
	enum kt_type_kind k = kt_type_of(u, n)->kind;
	return k == KT_T_RECORD || k == KT_T_ARRAY || k == KT_T_REFERENCE || k == KT_T_POINTER ||
	       k == KT_T_OTHER;
}

/* Is the holder only called, or passed to calls that cannot return a part of it? */
static bool gives_nothing_back(const struct kt_unit *u, const struct kt_node *holder)
{
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_node *body = u->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (!kt_names(n, holder->sym)) {
				continue;
			}
			const struct kt_node *up = n->parent;
			if (up->kind == KT_MEMBER && !(up->flags & KT_F_ARROW)) {
				up = up->parent;
			}
			if (!up || up->kind != KT_CALL || may_hold(u, up)) {
				return false;
			}
		}
	}
	return true;
}

/* The full expression around lambda, or the KT_VAR that it initializes. */
static const struct kt_node *whole(const struct kt_node *lambda)
{
	while (lambda->parent && !kt_is_stmt(lambda->parent->kind)) {
		lambda = lambda->parent;
	}
	return lambda;
}

/* May the closure that lambda makes be alive at n? */
static bool is_alive_at(
	const struct kt_unit *u, const struct kt_node *lambda, const struct kt_node *n)
{
	const struct kt_node *top = whole(lambda);
	const struct kt_node *block = top->kind == KT_VAR ? top->parent : NULL;
	if (kt_is_below(n, top)) {
		return true;
	}
	if (!block) {
		/* a temporary, unless the call that takes it may return it */
		return lambda->parent->kind != KT_CALL || may_hold(u, lambda->parent);
	}
	if (!may_hold(u, top)) {
		return false;
	}
	if (!gives_nothing_back(u, top) || kt_type_of(u, top)->kind != KT_T_RECORD ||
		!block->parent || block->parent->kind != KT_COMPOUND) {
		return true;
	}
	n = kt_child_around(n, block->parent);
	return n && n->slot >= block->slot;
}

/* Is the member of fn's closure always equal to its variable? */
static bool is_equal(struct resolver *s, kt_id fn, kt_id member)
{
	const struct kt_unit *u = s->u;
	kt_id of = u->sym[member].of;
	bool equal = !s->changed[of];
	const struct kt_node *lambda = NULL;
	if (s->answer[member]) {
		return s->answer[member] == ANSWER_YES;
	}
	for (size_t i = 0; i < s->set.n && equal; i++) {
		if (s->set.v[i]->sym == of) {
			lambda = lambda ? lambda : maker(u, fn);
			equal = lambda && u->fn[fn].around == u->sym[of].fn &&
				!is_alive_at(u, lambda, s->set.v[i]);
		}
	}
	s->answer[member] = equal ? ANSWER_YES : ANSWER_NO;
	return equal;
}

static void resolve_body(struct resolver *s, struct kt_node *body)
{
	for (struct kt_node *n = body; n; n = kt_next(n, body)) {
		kt_id of = n->kind == KT_MEMBER && n->sym ? s->u->sym[n->sym].of : 0;
		if (of && is_equal(s, s->u->sym[n->child[KT_MEMBER_BASE]->sym].fn, n->sym)) {
			n->kind = KT_REF;
			n->sym = of;
			n->text = NULL;
			n->child = NULL;
			n->n = 0;
		}
	}
}

void captures_to_variables(struct kt_unit *u)
{
	struct resolver s = {.u = u};
	bool any = false;
	s.copied = ARENA_ARRAY(u->arena, bool, u->syms);
	s.changed = ARENA_ARRAY(u->arena, bool, u->syms);
	s.answer = ARENA_ARRAY(u->arena, uint8_t, u->syms);
	for (kt_id id = 1; id < u->syms; id++) {
		s.copied[u->sym[id].of] = true;
		any |= u->sym[id].of != 0;
	}
	s.copied[0] = false;
	for (kt_id id = 1; any && id < u->fns; id++) {
		look_at(&s, id);
	}
	for (kt_id id = 1; any && id < u->fns; id++) {
		resolve_body(&s, u->fn[id].body);
	}
	array_release(&s.set);
}
