/*
 * Checks the uses of a template parameter that becomes a run-time argument: only its value may be
 * used, and not where a constant expression is needed.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

enum {
	CALLS_DEEP = 8
};

static bool refuse(
	const struct unify_function *f, unsigned clause, struct str name, const char *why)
{
	return plan_refuse(f->c.p, clause, "'%.*s' of '%s' %s", STR_ARG(name),
		f->c.u->fn[f->c.leaf[0].fn].base, why);
}

/* ---- the header ---- */

static bool check_parameter(const struct unify_function *f, size_t i)
{
	const struct callee_pattern *p = &f->c.pattern;
	const struct callee_tparam *q = &p->tparam[i];
	struct str t = f->c.p->text;
	struct str type = callee_text(&f->c, q->type);
	bool plain = !q->is_type && type_is_nameable(type) &&
		     !callee_has_word(t, q->type, STR("typename"));
	lex_each (k, t, q->type.begin, q->type.end) { /* a parameter may have the type's name */
		plain &= k.kind != LEX_WORD || !unify_declares_local(&f->c, lex_text(t, k));
	}
	if (!q->name.n || (!q->tag && !plain)) {
		return refuse(f, UNIFY_CONSTANT, q->name.n ? q->name : STR("a parameter"),
			"differs between the arms, and is a type, or has one that cannot be "
			"written down");
	}
	bool used = callee_has_word(t, p->head, q->name) || callee_has_word(t, p->rest, q->name);
	for (size_t k = 0; k < p->tparams && !used; k++) {
		struct span own = {q->type.begin, q->type.end};
		used = callee_has_word(t, k == i ? own : p->tparam[k].text, q->name);
	}
	for (size_t k = 0; k < f->members && !used; k++) {
		used = callee_has_word(t, f->member[k].text, q->name);
	}
	for (size_t k = 0; k < p->params && !used; k++) {
		used = k + 1 != q->tag && callee_has_word(t, p->param[k].text, q->name);
	}
	return !used || refuse(f, UNIFY_CONSTANT, q->name,
				"differs between the arms, and its header uses it");
}

/* Checks all instances. */
static bool check_types(const struct unify_function *f)
{
	const struct kt_unit *u = f->c.u;
	const struct kt_fn *first = &u->fn[f->c.leaf[0].fn];
	for (size_t i = 1; i < f->c.leaves; i++) {
		const struct kt_fn *fn = &u->fn[f->c.leaf[i].fn];
		bool same = fn->params == first->params && kt_same_type(u, fn->ret, first->ret);
		for (size_t k = 0; same && k < fn->params; k++) {
			same = unify_is_tag(f, k) || kt_same_type(u, u->sym[fn->param[k]].type,
							     u->sym[first->param[k]].type);
		}
		if (!same) {
			return plan_refuse(f->c.p, UNIFY_CONSTANT,
				"the instances of '%s' take or give other types", first->base);
		}
	}
	return true;
}

/* ---- its uses ---- */

/* The name of the new variable that the node is a use of; empty: none. */
static struct str varied(const struct unify_function *f, size_t leaf, const struct kt_node *n)
{
	const char *name = n->kind == KT_LITERAL	 ? n->text
			   : n->kind == KT_REF && n->sym ? f->c.u->sym[n->sym].name
							 : NULL;
	for (size_t i = 0; i < f->c.varieds; i++) {
		const struct callee_tparam *tag = callee_tag_named(&f->c, f->c.varied[i]);
		if (tag ? callee_tag_use(&f->c, leaf, tag, n) > 0
			: name && str_is(f->c.varied[i], name)) {
			return f->c.varied[i];
		}
	}
	return (struct str){0};
}

/* Is an element of an array named below n? */
static bool has_element(const struct kt_unit *u, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_INDEX && kt_is_array(u, n->child[0])) {
			return true;
		}
	}
	return false;
}

/* Does a function reach a library function that returns a float? */
static bool reaches_library(const struct kt_unit *u, kt_id fn, unsigned depth)
{
	const struct kt_node *root = u->fn[fn].body;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if ((n->kind != KT_CALL && n->kind != KT_CONSTRUCT) || (!n->fn && !n->text)) {
			continue;
		}
		if (kt_is_library_call(u, n) ? kt_type_of(u, n)->kind == KT_T_FLOAT
					     : depth == 0 || reaches_library(u, n->fn, depth - 1)) {
			return true;
		}
	}
	return false;
}

bool unify_reaches_library(const struct kt_unit *u, kt_id fn)
{
	return reaches_library(u, fn, CALLS_DEEP);
}

/* Is k an argument of a library call that may be part of its calculation? */
static bool is_calculated(
	const struct unify_function *f, const struct kt_node *call, const struct kt_node *k)
{
	enum kt_type_kind kind = kt_object_type(f->c.u, k->type)->kind;
	return kind != KT_T_BOOL && !kt_is_library_call(f->c.u, call) &&
	       unify_reaches_library(f->c.u, call->fn);
}

static bool check_use(const struct unify_function *f, struct str name, const struct kt_node *use)
{
	const struct kt_unit *u = f->c.u;
	bool constant = true; /* no variable below up */
	if (use->flags & KT_F_MACRO && !callee_in_plain_macro(&f->c, use)) {
		return refuse(f, UNIFY_CONSTANT, name, "is used by a macro");
	}
	const struct kt_node *k = use;
	for (const struct kt_node *up = k->parent; up; k = up, up = up->parent) {
		bool header = kt_is_loop(up->kind) && kt_loop_body(up) != k;
		bool index = up->kind == KT_INDEX && k->slot == 1 && kt_is_array(u, up->child[0]);
		if (index || (header && has_element(u, kt_loop_body(up)))) {
			return refuse(f, UNIFY_WIDE, name,
				"bounds a loop over an array, or is an index of one, which would "
				"go to memory");
		}
		if (up->kind == KT_ASM || up->kind == KT_OPERAND) {
			return refuse(f, UNIFY_CONSTANT, name, "is an operand of assembly");
		}
		if (constant && up->kind == KT_CALL && up->fn && is_calculated(f, up, k)) {
			return refuse(f, UNIFY_CONSTANT, name,
				"decides a number that a library function may be given, which may "
				"compute another way with a constant");
		}
		constant &= kt_is_constant(up);
	}
	return true;
}

static bool check_uses(const struct unify_function *f)
{
	for (size_t i = 0; i < f->c.leaves; i++) {
		const struct kt_node *root = callee_body(&f->c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			struct str name = varied(f, i, n);
			if (name.n && !check_use(f, name, n)) {
				return false;
			}
		}
	}
	return true;
}

/* ---- branches discarded in an instance ---- */

/* The if with this word constexpr, in an instance; NULL: none there. */
static const struct kt_node *if_of(const struct unify_function *f, size_t leaf, size_t word)
{
	const struct kt_node *root = callee_body(&f->c, leaf);
	struct str t = f->c.p->text;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_IF && !(n->flags & KT_F_MACRO) && n->begin < word &&
			lex_next(t, lex_next(t, n->begin).end).begin == word) {
			return n;
		}
	}
	return NULL;
}

/* Is the branch in the instance's tree? A discarded one is an empty block there. */
static bool is_there(const struct unify_function *f, const struct kt_node *n)
{
	struct str t = f->c.p->text;
	struct lex_token open = lex_next(t, n ? n->begin : 0);
	return n && (n->kind != KT_COMPOUND || n->n > 0 ||
			    (lex_is(t, open, "{") && lex_is(t, lex_next(t, open.end), "}")));
}

static bool is_compiled(const struct unify_function *f, size_t word)
{
	struct str t = f->c.p->text;
	const struct kt_node *then = NULL, *other = NULL;
	for (size_t i = 0; i < f->c.leaves; i++) {
		const struct kt_node *n = if_of(f, i, word);
		const struct kt_node *x = n ? n->child[KT_IF_THEN] : NULL;
		const struct kt_node *y = n ? n->child[KT_IF_ELSE] : NULL;
		then = is_there(f, x) ? x : then;
		other = is_there(f, y) ? y : other;
	}
	return then && (other || !lex_is(t, lex_next(t, then->end), "else"));
}

static bool check_discarded(const struct unify_function *f)
{
	for (size_t i = 0; i < f->c.unconsts; i++) {
		if (!is_compiled(f, f->c.unconst[i].begin) &&
			!plan_refuse(f->c.p, UNIFY_DISCARDED,
				"an 'if constexpr' of '%s' has a branch that no instance in the "
				"arms compiles",
				f->c.u->fn[f->c.leaf[0].fn].base)) {
			return false;
		}
	}
	return true;
}

/* ---- the whole check ---- */

/* Finds template arguments of calls that become run-time arguments. */
static void find_taken(struct unify_function *f)
{
	ARRAY(struct span) taken = {0};
	for (size_t i = 0; i < f->calls; i++) {
		for (size_t k = 0; k < f->call[i].text.targs; k++) {
			array_push(&taken, f->call[i].text.targ[k]);
		}
	}
	f->c.taken = array_to_arena(f->c.p->a, &taken);
	f->c.takens = taken.n;
	array_release(&taken);
}

bool unify_check_uses(struct unify_function *f)
{
	struct callee *c = &f->c;
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		if (unify_is_runtime(f, i) && !check_parameter(f, i)) {
			return false;
		}
		c->pattern.tparam[i].passed = unify_is_runtime(f, i);
	}
	if (!unify_check_declared(f)) {
		return false;
	}
	find_taken(f);
	c->demotes = true;
	const struct kt_node *kept = callee_kept_object(c);
	if (kept && !plan_refuse(c->p, UNIFY_STORAGE,
			    "'%s' is static or shared: each instance has its own",
			    c->u->sym[kept->sym].name)) {
		return false;
	}
	return check_types(f) && callee_check_constants(c) && check_uses(f) && check_discarded(f);
}
