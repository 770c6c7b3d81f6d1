/*
 * Functions that get the differing argument but must stay templates: they are defined in another
 * file, or need it at compile time. If such a function is narrow, its call becomes a select between
 * the instances that the arms use:
 *
 *   template <bool P> step(...)               step_any(..., const bool p)
 *           x = scale<P>(x);                          x = p ? scale<true>(x) : scale<false>(x);
 *
 * Done for flags that are passed on unchanged or negated, if all instances return the same type,
 * and neither the result nor an object that they write is wide: it would cross a merge again. It is
 * refused if the result may be a product that is added, or is added to one, since the select would
 * separate the two.
 */
#include <string.h>

#include "analysis/arms/contract.h"
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/unify/unify.h"

enum {
	FLAGS_MAX = 4 /* flags passed to a call */
};

bool unify_is_apart(const struct unify *u, const struct kt_fn *fn)
{
	bool is = false;
	for (size_t i = 0; i < u->aparts; i++) {
		is |= u->apart[i].file == fn->body->file && u->apart[i].begin == fn->body->begin;
	}
	return is;
}

bool unify_set_apart(struct unify *u)
{
	const struct kt_fn *fn = u->refused;
	unsigned clause = u->p->out->clause;
	bool may = clause == UNIFY_TEXT || clause == UNIFY_CONSTANT || clause == UNIFY_DISCARDED ||
		   clause == UNIFY_WIDE || clause == UNIFY_STORAGE;
	if (!fn || !may || u->aparts == UNIFY_FUNCTIONS_MAX || unify_is_apart(u, fn)) {
		return false;
	}
	u->apart[u->aparts++] = (struct unify_apart){fn->body->file, fn->body->begin};
	u->fns = 0;
	u->refused = NULL;
	return true;
}

/* The template parameter that a template argument is, or negates; SIZE_MAX: neither. */
static size_t flag_of(const struct unify_function *f, struct span targ, bool *opposite)
{
	struct str s = str_trim(callee_text(&f->c, targ));
	*opposite = str_starts(s, "!");
	s = *opposite ? str_trim(str_sub(s, 1, s.n)) : s;
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		if (unify_is_runtime(f, i) && str_eq(s, f->c.pattern.tparam[i].name)) {
			return str_is(unify_type(f, i), "bool") ? i : SIZE_MAX;
		}
	}
	return SIZE_MAX;
}

/* 1 or 0 by the name of the instance; -1: unknown. */
static int value_of(const struct unify_function *f, size_t leaf, size_t i)
{
	const struct kt_fn *fn = &f->c.u->fn[f->c.leaf[leaf].fn];
	size_t of_class = f->outside ? f->c.pattern.of.tparams : 0;
	struct str s = i < of_class ? callee_class_name(fn) : str_of(fn->name);
	int depth = 0;
	size_t open = s.n;
	while (open > 0 && str_ends(s, ">")) {
		open--;
		depth += (s.p[open] == '>') - (s.p[open] == '<');
		if (depth == 0) {
			break;
		}
	}
	size_t from = open + 1, at = 0;
	for (size_t k = from; k < s.n; k++) {
		depth += strchr("<({", s.p[k]) != NULL;
		bool ends = depth == 0 && (s.p[k] == ',' || k + 1 == s.n);
		depth -= strchr(">)}", s.p[k]) && k + 1 < s.n;
		if (ends && at++ == (i < of_class ? i : i - of_class)) {
			struct str v = str_trim(str_sub(s, from, k));
			return str_is(v, "true") ? 1 : str_is(v, "false") ? 0 : -1;
		}
		from = ends ? k + 1 : from;
	}
	return -1;
}

/* May the call write a wide object? */
static bool writes_wide(const struct kt_unit *u, const struct kt_node *call)
{
	const struct kt_fn *fn = &u->fn[call->fn];
	bool wide = kt_type_width(&u->type[fn->ret]) >= WIDE_MIN;
	if (call->flags & KT_F_METHOD && call->n) {
		wide |= kt_type_width(kt_object_type(u, call->child[0]->type)) >= WIDE_MIN;
	}
	for (size_t i = 0; i < fn->params; i++) {
		const struct kt_type *t = &u->type[u->sym[fn->param[i]].type];
		bool leads = t->kind == KT_T_REFERENCE || t->kind == KT_T_POINTER;
		const struct kt_type *to = leads ? &u->type[t->elem] : t;
		bool private = t->kind == KT_T_REFERENCE || t->kind == KT_T_ARRAY;
		wide |= private && !to->is_const && kt_type_width(to) >= WIDE_MIN;
		wide |= t->kind == KT_T_RECORD || t->kind == KT_T_OTHER; /* may hold pointers */
	}
	return wide;
}

static bool refuse(const struct unify_function *f, const struct unify_call *call, const char *why)
{
	return plan_refuse(f->c.p, UNIFY_CONSTANT, "'%s' stays a template, and a call of it %s",
		f->c.u->fn[call->node->fn].base, why);
}

bool unify_check_apart(const struct unify_function *f, const struct unify_call *call)
{
	const struct callee *c = &f->c;
	const struct kt_node *n = call->node;
	struct contract *contract = contract_of(c->f);
	bool loose = c->p->opts->recontract || c->p->opts->contract_off;
	size_t flags = 0;
	for (size_t i = 0; i < call->text.targs; i++) {
		bool opposite, runtime = unify_names_runtime(f, call->text.targ[i]);
		if (runtime && (flag_of(f, call->text.targ[i], &opposite) == SIZE_MAX ||
				       ++flags > FLAGS_MAX)) {
			return refuse(f, call, "is runtime more than flags");
		}
	}
	for (size_t i = 0; i < f->calls; i++) {
		const struct unify_call *o = &f->call[i];
		bool same = o->at.begin == call->at.begin;
		bool meets = o->at.begin < call->at.end && call->at.begin < o->at.end;
		if (!same && meets) {
			return refuse(f, call, "is inside another call, or contains one");
		}
		if (same && !kt_same_type(c->u, c->u->fn[o->node->fn].ret, c->u->fn[n->fn].ret)) {
			return refuse(f, call, "gives another type in another instance");
		}
	}
	if (writes_wide(c->u, n)) {
		return refuse(f, call, "is given something wide");
	}
	bool parts = contract_is_product(contract, n) && contract_is_added(contract, n);
	for (const struct kt_node *up = n->parent; up && !kt_is_stmt(up->kind); up = up->parent) {
		bool adds = up->n == 2 && (up->op == KT_OP_ADD || up->op == KT_OP_SUB);
		parts |= adds && (contract_is_product(contract, up->child[0]) ||
					 contract_is_product(contract, up->child[1]));
	}
	return loose || !parts ||
	       plan_refuse(c->p, UNIFY_CONTRACT,
		       "a choice in place of '%s' may part a multiply from an add",
		       plan_quote(c->p, n));
}

/* Adds the call of one instance: bit k of values is flag[k]. */
static void add_instance(struct sbuf *out, const struct unify_function *f,
	const struct unify_call *call, const size_t *flag, size_t flags, unsigned values)
{
	size_t at = call->at.begin;
	for (size_t i = 0; i < call->written; i++) {
		bool opposite;
		struct span targ = call->text.targ[i];
		size_t of = unify_names_runtime(f, targ) ? flag_of(f, targ, &opposite) : SIZE_MAX;
		for (size_t k = 0; k < flags; k++) {
			if (flag[k] == of) {
				bool is = (values >> k & 1) != opposite;
				sbuf_addstr(out, unify_renamed(f, (struct span){at, targ.begin}));
				sbuf_adds(out, is ? "true" : "false");
				at = targ.end;
			}
		}
	}
	sbuf_addstr(out, unify_renamed(f, (struct span){at, call->at.end}));
}

/* Adds a select between the instances in the arms whose first flags are those in values. */
static void add_choice(struct sbuf *out, const struct unify_function *f,
	const struct unify_call *call, const size_t *flag, size_t flags, size_t k, unsigned values)
{
	bool seen[2] = {false, false};
	for (size_t i = 0; i < f->c.leaves; i++) {
		bool same = true;
		for (size_t b = 0; b < k; b++) {
			same &= value_of(f, i, flag[b]) == (int)(values >> b & 1);
		}
		int value = same && k < flags ? value_of(f, i, flag[k]) : 0;
		if (same && k < flags) {
			seen[value == 1] = true;
		}
		if (value < 0) {
			refuse(f, call, "has a flag whose value its name does not show");
		}
	}
	if (k == flags) {
		add_instance(out, f, call, flag, flags, values);
		return;
	}
	if (seen[0] && seen[1]) {
		sbuf_addf(out, "%s ? ", f->to[flag[k]]);
	}
	for (unsigned is = 2; is-- > 0;) {
		struct sbuf one = {0};
		if (seen[is]) {
			add_choice(&one, f, call, flag, flags, k + 1, values | is << k);
			bool first = is && seen[0], choice = str_holds(sbuf_str(&one), STR(" ? "));
			sbuf_addf(
				out, first && choice ? "(%.*s)" : "%.*s", STR_ARG(sbuf_str(&one)));
			sbuf_adds(out, first ? " : " : "");
		}
		sbuf_release(&one);
	}
}

/* Can a select replace the call without parentheses? */
static bool is_free(const struct kt_node *call)
{
	const struct kt_node *up = call->parent;
	return kt_is_stmt(up->kind) || up->kind == KT_VAR ||
	       (up->kind == KT_ASSIGN && call->slot == 1);
}

struct str unify_apart_text(const struct unify_function *f, const struct unify_call *call)
{
	size_t flag[FLAGS_MAX], flags = 0;
	for (size_t i = 0; i < call->text.targs; i++) {
		bool opposite, known = false;
		size_t of = unify_names_runtime(f, call->text.targ[i])
				    ? flag_of(f, call->text.targ[i], &opposite)
				    : SIZE_MAX;
		for (size_t k = 0; k < flags; k++) {
			known |= flag[k] == of;
		}
		if (of != SIZE_MAX && !known && flags < FLAGS_MAX) {
			flag[flags++] = of;
		}
	}
	struct sbuf out = {0};
	bool free = is_free(call->node);
	sbuf_adds(&out, free ? "" : "(");
	add_choice(&out, f, call, flag, flags, 0, 0);
	sbuf_adds(&out, free ? "" : ")");
	return sbuf_finish(&out, f->c.p->a);
}
