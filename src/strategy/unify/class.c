/*
 * Functions of a class template whose arguments differ. The new function stands after the class,
 * and takes the class's template parameters as its own:
 *
 *   template <bool First> struct step {              void step_run_any(T &acc, const bool first)
 *           static void run(T &acc)          =>      {
 *           {                                                ...
 *                   ...                              }
 *
 *   step<true>::run(acc);    step<true>{}(acc);
 *
 * Done if the function uses nothing of the class but these parameters, and if each call writes all
 * of them, and makes no object or one without arguments.
 */
#include "frontend/text/lex.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

static bool check_place(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct str t = c->p->text;
	const struct kt_node *call = c->from ? c->from : c->m->node;
	struct lex_token last = lex_next(t, c->pattern.of.all.end);
	struct str class = callee_class_name(&c->u->fn[c->leaf[0].fn]);
	f->outside = last.end;
	if (!lex_is(t, last, ";") || last.end > call->begin) {
		return callee_refuse_text(c, "its class ends after the call, or in a declaration");
	}
	if (c->leaf[0].text.prefix.end == c->leaf[0].text.prefix.begin && !callee_names_found(c)) {
		return callee_refuse_text(c, "its class stands in another namespace than the call");
	}
	return !callee_befriended(c, callee_class_word(class)) ||
	       callee_refuse_text(c, "its class is a friend of another one");
}

bool unify_check_object(struct callee *c, const struct kt_node *call)
{
	bool acts = call->flags & KT_F_METHOD && (!call->n || facts_acts(c->f, call->child[0]));
	return !acts || callee_refuse_text(c, "what makes its object does more than to read");
}

/* Reads the class's arguments in the calls of the arms. */
bool unify_read_classes(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	for (size_t i = 0; i < u->tree.leaves; i++) {
		struct callee_leaf *l = &u->tree.leaf[i];
		if ((!l->text.of_class && !callee_read_class_call(&f->c, l)) ||
			!unify_check_object(&f->c, l->call)) {
			return false;
		}
		for (size_t k = 0; k < l->text.of_class; k++) {
			l->text.targ[k] = unify_resolved(u, l, l->text.targ[k]);
		}
		f->c.leaf[i] = *l;
	}
	return true;
}

bool unify_leave_class(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct callee_pattern *p = &c->pattern;
	if (p->lambda || !callee_read_class(c) || !check_place(f)) {
		return false;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		if (c->leaf[i].text.of_class != p->of.tparams) {
			return callee_refuse_text(
				c, "a call of it leaves out a template argument of its class");
		}
	}
	if (!callee_stands_outside(c)) {
		return false;
	}
	size_t n = p->of.tparams + p->tparams;
	struct callee_tparam *all = ARENA_ARRAY(c->p->a, struct callee_tparam, n);
	for (size_t i = 0; i < n; i++) {
		all[i] = i < p->of.tparams ? p->of.tparam[i] : p->tparam[i - p->of.tparams];
	}
	p->tparam = all;
	p->tparams = n;
	f->to = ARENA_ARRAY(c->p->a, const char *, n);
	p->called = unify_name_outside(f);
	return true;
}

struct str unify_outdented(const struct unify_function *f, struct str text)
{
	struct str t = f->c.p->text;
	struct str from = text_indent(t, f->c.pattern.all.begin);
	struct str to = text_indent(t, f->c.pattern.of.all.begin);
	struct sbuf out = {0};
	while (text.n) {
		size_t end = str_find(text, "\n", 0);
		end = end == SIZE_MAX ? text.n : end + 1;
		struct str line = str_sub(text, 0, end);
		bool deep = from.n && line.n >= from.n && str_eq(str_sub(line, 0, from.n), from);
		sbuf_addstr(&out, deep ? to : (struct str){0});
		sbuf_addstr(&out, deep ? str_sub(line, from.n, line.n) : line);
		text = str_sub(text, end, text.n);
	}
	return sbuf_finish(&out, f->c.p->a);
}
