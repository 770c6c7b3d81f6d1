#include "analysis/lanes/lanes.h"

#include <string.h>
#include "analysis/facts/launch.h"

enum {
	ROUNDS_MAX = 32 /* dependences found later are ignored */
};

enum depth {
	ALWAYS, /* for every call */
	SOMETIMES,
	DEPTHS
};

struct lanes {
	struct facts *f;
	const struct kt_unit *u;
	bool *value[DEPTHS];  /* by symbol: a value assigned to it */
	bool *result[DEPTHS]; /* by function */
	bool *content;	      /* by symbol: a value stored in it, or through it, in some call */
	/* by symbol of a parameter: the calls of its function, and those that pass a value computed
	 * from the index, in this round */
	unsigned *calls;
	unsigned *differing;
	bool changed;
};

static void mark(struct lanes *l, bool *at)
{
	l->changed |= !*at;
	*at = true;
}

static bool is_source(const struct lanes *l, const struct kt_node *n, enum depth d)
{
	if (n->kind == KT_REF && n->sym) {
		return l->value[d][n->sym] || l->content[n->sym] ||
		       launch_of_symbol(l->f, n->sym) == FORM_THREAD_INDEX;
	}
	if (n->kind != KT_CALL && n->kind != KT_CONSTRUCT) {
		return false;
	}
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(l->f, n) : NULL;
	return (in && in->kind == INTRINSIC_LANE) || (n->fn && l->result[d][n->fn]);
}

/* readfirstlane and similar operations: results computed from other lanes' values are not
 * followed. */
static bool is_exchange(const struct lanes *l, const struct kt_node *n)
{
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(l->f, n) : NULL;

	return in && in->kind == INTRINSIC_CROSSLANE;
}

/* Does a constant condition exclude n in this instantiation, or is n itself a constant? */
static bool is_dead(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool chooses = up && (up->kind == KT_COND || up->kind == KT_IF);
	unsigned cond =
		chooses && up->kind == KT_IF ? (unsigned)KT_IF_COND : (unsigned)KT_COND_COND;
	unsigned then =
		chooses && up->kind == KT_IF ? (unsigned)KT_IF_THEN : (unsigned)KT_COND_THEN;
	const struct kt_node *c = chooses ? up->child[cond] : NULL;
	bool arm = c && n->slot >= then && c->flags & KT_F_VALUE;

	return (!kt_is_stmt(n->kind) && n->flags & KT_F_VALUE) ||
	       (arm && (n->slot == then) != (c->value != 0));
}

static bool differs(const struct lanes *l, const struct kt_node *root, enum depth d)
{
	for (const struct kt_node *n = root; n;) {
		bool dead = is_dead(n);
		if (!dead && is_source(l, n, d)) {
			return true;
		}
		n = dead || is_exchange(l, n) ? kt_skip(n, root) : kt_next(n, root);
	}
	return false;
}

bool lanes_differ(const struct lanes *l, const struct kt_node *n)
{
	return differs(l, n, ALWAYS);
}

/* The variable at the root of an lvalue or address, or 0. *through: the object is reached through a
 * pointer in it. */
static kt_id root_of(const struct kt_node *n, bool *through)
{
	while (n && n->kind != KT_REF) {
		bool passes = n->kind == KT_MEMBER || n->kind == KT_INDEX || n->kind == KT_UNARY ||
			      n->kind == KT_CAST || (n->kind == KT_BINARY && n->op != KT_OP_COMMA);
		*through |= n->kind == KT_MEMBER || n->kind == KT_INDEX || n->op == KT_OP_DEREF;
		n = passes && n->n ? n->child[0] : NULL;
	}
	return n ? n->sym : 0;
}

static void set(struct lanes *l, const struct kt_node *to, enum depth d)
{
	bool through = false;
	kt_id sym = root_of(to, &through);

	if (sym) {
		through |= kt_is_reference(l->u, sym);
		mark(l, through ? &l->content[sym] : &l->value[d][sym]);
	}
}

/* In both directions: values into parameters, and stores through parameters back to the caller. A
 * parameter counts if all calls pass a value computed from the index: otherwise the compiler, which
 * inlines, may find that lanes agree. For a value stored in an object, which outlives the call, one
 * call is enough. */
static void pass(struct lanes *l, const struct kt_node *call)
{
	const struct kt_fn *fn = &l->u->fn[call->fn];
	bool method = call->flags & KT_F_METHOD;

	for (size_t i = 0; i < call->n; i++) {
		size_t at = method ? i - 1 : i;
		kt_id to = method && i == 0 ? fn->self : at < fn->params ? fn->param[at] : 0;
		bool through = false;
		kt_id from = to && call->child[i] ? root_of(call->child[i], &through) : 0;
		if (to && call->child[i]) {
			l->calls[to]++;
			l->differing[to] += differs(l, call->child[i], ALWAYS);
			if (differs(l, call->child[i], SOMETIMES)) {
				mark(l, &l->value[SOMETIMES][to]);
			}
		}
		if (from && l->content[to]) {
			mark(l, &l->content[from]);
		}
	}
}

static void look_at(struct lanes *l, kt_id fn, const struct kt_node *n, enum depth d)
{
	switch (n->kind) {
	case KT_VAR:
		if (n->sym && n->n && n->child[0] && differs(l, n->child[0], d)) {
			mark(l, &l->value[d][n->sym]);
		}
		break;
	case KT_ASSIGN:
		if (differs(l, n, d)) {
			set(l, n->child[0], d);
		}
		break;
	case KT_RETURN:
		if (n->n && n->child[0] && differs(l, n->child[0], d)) {
			mark(l, &l->result[d][fn]);
		}
		break;
	case KT_CALL:
	case KT_CONSTRUCT:
		if (n->fn && d == ALWAYS) {
			pass(l, n);
		}
		break;
	default:
		break;
	}
}

static struct lanes *create(struct facts *f, struct arena *a)
{
	struct lanes *l = ARENA_NEW(a, struct lanes);

	*l = (struct lanes){.f = f, .u = facts_unit(f), .changed = true};
	for (enum depth d = ALWAYS; d < DEPTHS; d++) {
		l->value[d] = ARENA_ARRAY(a, bool, l->u->syms);
		l->result[d] = ARENA_ARRAY(a, bool, l->u->fns);
	}
	l->content = ARENA_ARRAY(a, bool, l->u->syms);
	l->calls = ARENA_ARRAY(a, unsigned, l->u->syms);
	l->differing = ARENA_ARRAY(a, unsigned, l->u->syms);
	for (unsigned round = 0; l->changed && round < ROUNDS_MAX; round++) {
		l->changed = false;
		memset(l->calls, 0, l->u->syms * sizeof(*l->calls));
		memset(l->differing, 0, l->u->syms * sizeof(*l->differing));
		for (kt_id fn = 1; fn < l->u->fns; fn++) {
			const struct kt_node *body =
				l->u->fn[fn].kind == KT_FN_HOST ? NULL : l->u->fn[fn].body;
			for (const struct kt_node *n = body; n;) {
				bool dead = is_dead(n);
				if (!dead) {
					look_at(l, fn, n, ALWAYS);
					look_at(l, fn, n, SOMETIMES);
				}
				n = dead ? kt_skip(n, body) : kt_next(n, body);
			}
		}
		for (size_t i = 1; i < l->u->syms; i++) {
			if (l->calls[i] > 0 && l->calls[i] == l->differing[i]) {
				mark(l, &l->value[ALWAYS][i]);
			}
		}
	}
	return l;
}

static void release_nothing(void *lanes)
{
	(void)lanes; /* it lives in the facts' arena */
}

const struct lanes *lanes_of(struct facts *f)
{
	struct lanes *l = facts_kept(f, FACTS_KEEP_DIFFERING, 0);

	if (!l) {
		l = create(f, facts_arena(f));
		facts_keep(f, FACTS_KEEP_DIFFERING, 0, l, release_nothing);
	}
	return l;
}
