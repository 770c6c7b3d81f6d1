#include "analysis/facts/launch.h"

enum {
	THREADS_LEAST = 32, /* the smallest block size that is considered */
	THREADS_MOST = 1024,
	DEPTH = 4 /* chains of variables */
};

struct shown {
	const struct facts *f;
	const struct kt_unit *u;
	const struct kt_node *body;
	unsigned threads;
	bool unknown;
};

/* The value of a variable that is set once; else n. */
static const struct kt_node *stands_for(const struct shown *s, const struct kt_node *n)
{
	const struct kt_node *init = NULL;
	if (n->kind == KT_CAST && n->n == 1) {
		return n->child[0];
	}
	if (n->kind != KT_REF || !kt_is_variable(s->u, n->sym)) {
		return n;
	}
	for (const struct kt_node *k = s->body; k; k = kt_next(k, s->body)) {
		bool changes = k->kind == KT_ASSIGN || (k->kind == KT_UNARY && k->op >= KT_OP_ADDR);
		if (changes && kt_names(k->child[0], n->sym)) {
			return n;
		}
		init = k->kind == KT_VAR && k->sym == n->sym && k->n == 1 ? k->child[0] : init;
	}
	return init ? init : n;
}

static bool is_lane(const struct shown *s, const struct kt_node *n, unsigned depth)
{
	struct launch_value v = launch_value(s->f, n);
	const struct kt_node *of = depth < DEPTH ? stands_for(s, n) : n;
	return (v.form == FORM_THREAD_INDEX && v.dimension == 'x') ||
	       (of != n && is_lane(s, of, depth + 1));
}

static bool has_block_index(const struct shown *s, const struct kt_node *root, unsigned depth)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		const struct kt_node *of = depth < DEPTH ? stands_for(s, n) : n;
		if (launch_value(s->f, n).form == FORM_BLOCK_INDEX ||
			(of != n && n->kind == KT_REF && has_block_index(s, of, depth + 1))) {
			return true;
		}
	}
	return false;
}

/* The N in blockIdx.x * N, or 0. */
static int64_t factor(const struct shown *s, const struct kt_node *n, unsigned depth)
{
	const struct kt_node *of = depth < DEPTH ? stands_for(s, n) : n;
	if (of != n) {
		return factor(s, of, depth + 1);
	}
	for (size_t i = 0; n->kind == KT_BINARY && n->op == KT_OP_MUL && i < 2; i++) {
		if (n->child[i]->flags & KT_F_VALUE && has_block_index(s, n->child[1 - i], 0)) {
			return n->child[i]->value;
		}
	}
	return 0;
}

static void take(struct shown *s, int64_t threads)
{
	bool fits = threads >= THREADS_LEAST && threads <= THREADS_MOST;
	s->unknown |= threads != 0 && (!fits || (s->threads && s->threads != threads));
	s->threads = fits ? (unsigned)threads : s->threads;
}

/* Checks a whole sum: with more terms a lane may take several elements. */
static void see_sum(struct shown *s, const struct kt_node *n)
{
	const struct kt_node *p = n->parent;
	bool part = p && p->kind == KT_BINARY && (p->op == KT_OP_ADD || p->op == KT_OP_SUB);
	for (size_t i = 0; i < 2; i++) {
		if (is_lane(s, n->child[i], 0)) {
			take(s, part ? 0 : factor(s, n->child[1 - i], 0));
		}
	}
}

static void see_loop(struct shown *s, const struct kt_node *n)
{
	const struct kt_node *init = n->child[KT_FOR_INIT], *inc = n->child[KT_FOR_INC];
	const struct kt_node *v = init && init->kind == KT_DECL && init->n ? init->child[0] : NULL;
	bool counts = v && v->kind == KT_VAR && v->n == 1 && inc && inc->kind == KT_ASSIGN &&
		      inc->op == KT_OP_ADD && kt_names(inc->child[0], v->sym) &&
		      inc->child[1]->flags & KT_F_VALUE;
	if (counts && is_lane(s, v->child[0], 0)) {
		take(s, inc->child[1]->value);
	}
}

unsigned launch_block_shown(const struct facts *f, kt_id kernel)
{
	const struct kt_unit *u = facts_unit(f);
	struct shown s = {.f = f, .u = u, .body = u->fn[kernel].body};
	for (const struct kt_node *n = s.body; n && !s.unknown; n = kt_next(n, s.body)) {
		struct launch_value v = launch_value(f, n);
		bool base = n->kind == KT_REF && n->parent && n->parent->kind == KT_MEMBER;
		s.unknown |= v.form == FORM_BLOCK_SIZE ||
			     (v.form == FORM_THREAD_INDEX && v.dimension != 'x' && !base);
		if (n->kind == KT_BINARY && n->n == 2 && n->op == KT_OP_ADD) {
			see_sum(&s, n);
		} else if (n->kind == KT_FOR) {
			see_loop(&s, n);
		}
	}
	return s.unknown ? 0 : s.threads;
}
