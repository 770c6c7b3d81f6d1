/*
 * A function that does nothing but call another one, on its own parameters, template arguments and
 * literals: the arm is taken to call that other one. Where anything is not as plain as that, the
 * function stays what is split.
 *
 *   template <bool First> void next(tile &t, const float *p) { step<First, 4>(t, p); }
 *   next<true>(acc, from)  is read as  step<true, 4>(acc, from)
 */
#include <ctype.h>
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/plan/layout.h"

struct passing {
	struct callee *c;
	const struct callee_leaf *l;
	const struct kt_fn *fn; /* the function called in the arm */
	struct str *tparam;	/* its template parameters */
	size_t tparams;
	bool deduces;	/* the other function has template arguments from its arguments' types */
	unsigned *uses; /* per parameter */
};

/* The one call of a body, when there is nothing else. */
static const struct kt_node *only_call(const struct kt_fn *fn, bool gives)
{
	const struct kt_node *n = fn->body->n == 1 ? fn->body->child[0] : NULL;
	if (n && gives) {
		n = n->kind == KT_RETURN && n->n == 1 ? n->child[0] : NULL;
	}
	bool odd = n && n->flags & (KT_F_MACRO | KT_F_METHOD | KT_F_OPERATOR);
	return n && n->kind == KT_CALL && n->fn && !odd ? n : NULL;
}

static bool is_plain_function(const struct callee *c, const struct kt_fn *fn)
{
	return fn->body && !fn->is_method && !fn->is_lambda && !fn->in_system_header &&
	       fn->file == c->m->node->file && !(fn->body->flags & KT_F_MACRO) &&
	       layout_fixed(plan_layout(c->p), fn->begin, fn->end).n == 0;
}

static bool same_object_type(const struct kt_type *x, const struct kt_type *y)
{
	struct str a = str_of(x->canon), b = str_of(y->canon);
	a = str_starts(a, "const ") && x->is_const ? str_sub(a, 6, a.n) : a;
	b = str_starts(b, "const ") && y->is_const ? str_sub(b, 6, b.n) : b;
	return a.n && str_eq(a, b);
}

/* Is parameter to of the other function the very parameter from of this one? */
static bool passes_on(const struct callee *c, kt_id from, kt_id to)
{
	const struct kt_type *x = &c->u->type[c->u->sym[from].type];
	const struct kt_type *y = &c->u->type[c->u->sym[to].type];
	bool copy = x->kind != KT_T_REFERENCE && y->kind == KT_T_REFERENCE;
	return !copy && same_object_type(kt_object_type(c->u, c->u->sym[from].type),
				kt_object_type(c->u, c->u->sym[to].type));
}

static bool is_literal_word(struct str w)
{
	static const char *const word[] = {"true", "false", "bool", "int", "unsigned", "float",
		"double", "char", "short", "long", NULL};
	return str_is_any(w, word) || (w.n && isdigit((unsigned char)w.p[0]));
}

/* The text that stands for a constant of the call: itself, or the arm's template argument. */
static bool constant_text(const struct passing *g, struct span s, struct span *out)
{
	struct str t = g->c->p->text;
	for (size_t i = 0; i < g->tparams; i++) {
		if (str_eq(callee_text(g->c, s), g->tparam[i])) {
			*out = i < g->l->text.targs ? g->l->text.targ[i] : s;
			return i < g->l->text.targs;
		}
	}
	for (struct lex_token k = lex_next(t, s.begin); k.kind != LEX_END && k.begin < s.end;
		k = lex_next(t, k.end)) {
		if (k.kind == LEX_WORD && !is_literal_word(str_sub(t, k.begin, k.end))) {
			return false;
		}
	}
	*out = s;
	return true;
}

static bool pass_argument(const struct passing *g, const struct kt_node *n, kt_id to,
	struct span *text, const struct kt_node **node)
{
	const struct callee *c = g->c;
	if (n->kind == KT_LITERAL && !(n->flags & KT_F_MACRO)) {
		*node = n;
		return constant_text(g, *text, text);
	}
	for (size_t i = 0; n->kind == KT_REF && i < g->fn->params && i < g->l->text.args; i++) {
		kt_id from = g->fn->param[i];
		if (n->sym != from || !passes_on(c, from, to) ||
			!str_is(callee_text(c, *text), c->u->sym[from].name)) {
			continue;
		}
		*node = g->l->call->child[i];
		*text = g->l->text.arg[i];
		g->uses[i]++;
		return !g->deduces || same_object_type(kt_type_of(c->u, *node),
					      kt_object_type(c->u, c->u->sym[from].type));
	}
	return false;
}

/* What is not passed on once, and only once, must not do anything. */
static bool check_uses(const struct passing *g)
{
	for (size_t i = 0; i < g->l->call->n; i++) {
		bool acts = facts_acts(g->c->f, g->l->call->child[i]);
		if (acts && (i >= g->fn->params || g->uses[i] != 1)) {
			return false;
		}
	}
	return true;
}

void callee_look_through(struct callee *c, struct callee_leaf *l)
{
	const struct kt_fn *fn = &c->u->fn[l->fn];
	struct passing g = {.c = c, .l = l, .fn = fn};
	if (!is_plain_function(c, fn) || l->call->flags & KT_F_METHOD ||
		l->text.prefix.end != l->text.prefix.begin) {
		return;
	}
	const struct kt_node *call = only_call(fn, l->result != NULL);
	const struct kt_fn *to = call ? &c->u->fn[call->fn] : NULL;
	struct callee_call text;
	if (!call || call->fn == l->fn || !is_plain_function(c, to) ||
		(l->result && !same_object_type(&c->u->type[fn->ret], &c->u->type[to->ret])) ||
		(!l->result && c->u->type[to->ret].kind != KT_T_VOID) ||
		!callee_spelling(&text, c, call) || text.prefix.end != text.prefix.begin ||
		text.args != call->n || text.args != to->params) {
		return;
	}
	size_t tparams;
	callee_tparam_names(c, to, &tparams);
	g.tparam = callee_tparam_names(c, fn, &g.tparams);
	g.deduces = text.targs < tparams;
	g.uses = ARENA_ARRAY(c->p->a, unsigned, fn->params);
	const struct kt_node **arg = ARENA_ARRAY(c->p->a, const struct kt_node *, text.args);
	for (size_t i = 0; i < text.args; i++) {
		if (!pass_argument(&g, call->child[i], to->param[i], &text.arg[i], &arg[i])) {
			return;
		}
	}
	if (!check_uses(&g)) {
		return;
	}
	for (size_t i = 0; i < text.targs; i++) {
		if (!constant_text(&g, text.targ[i], &text.targ[i])) {
			return;
		}
	}
	/* the other function is called where it was, too */
	text.prefix = text.name = (struct span){0};
	l->outer = l->call;
	l->call = call;
	l->fn = call->fn;
	l->arg = arg;
	l->text = text;
}
