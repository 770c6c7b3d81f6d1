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
 * Done if the function uses nothing of the class but these parameters, and data members of an
 * aggregate that is made for the call (step<true>{scale}(acc)), which become arguments as well.
 * Each call writes all of the class's arguments, and those of the aggregate.
 */
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
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
		return callee_refuse_text(c, "its class is in another namespace than the call");
	}
	return !callee_befriended(c, callee_class_word(class)) ||
	       callee_refuse_text(c, "its class is a friend of another one");
}

bool unify_check_object(struct callee *c, const struct kt_node *call)
{
	bool acts = call->flags & KT_F_METHOD && (!call->n || facts_acts(c->f, call->child[0]));
	return !acts || callee_refuse_text(c, "making its object has a side effect");
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

/* ---- the data members ---- */

typedef ARRAY(struct unify_member) member_array;

/* Reads TYPE NAME; false: it declares something else, or is not understood. */
static bool read_member(member_array *out, const struct callee *c, struct span at)
{
	static const char *const words[] = {"static", "using", "typedef", "friend", "enum",
		"struct", "class", "union", "mutable", "volatile", "template", NULL};
	struct str t = c->p->text;
	struct lex_token last = {0};
	bool plain = true;
	size_t n = 0;
	lex_each (k, t, at.begin, at.end) {
		plain &= k.kind == LEX_WORD ? !str_is_any(lex_text(t, k), words)
					    : strchr("*&<>:", t.p[k.begin]) != NULL;
		n += k.kind == LEX_WORD;
		last = k;
	}
	if (!plain || n < 2 || last.kind != LEX_WORD) {
		return false;
	}
	struct unify_member m = {{at.begin, last.end}, lex_text(t, last), out->n};
	array_push(out, m);
	return true;
}

/* Reads all data members; false: there is something that may be one, or a constructor. */
static bool read_members(member_array *out, const struct callee *c)
{
	struct str t = c->p->text;
	struct span body = c->pattern.of.body;
	struct str class = callee_class_word(callee_class_name(&c->u->fn[c->leaf[0].fn]));
	size_t from = body.begin + 1;
	bool round = false;
	lex_each (k, t, from, body.end) {
		bool paren = lex_is(t, k, "("), brace = lex_is(t, k, "{");
		if (paren || brace) {
			k.end = lex_close(t, k.begin) + 1;
			round |= paren;
		}
		if (str_eq(lex_text(t, k), class) && lex_is(t, lex_next(t, k.end), "(")) {
			return false;
		}
		if (lex_is(t, k, "public") && lex_is(t, lex_next(t, k.end), ":")) {
			k.end = from = lex_next(t, k.end).end;
		} else if (brace && round && !lex_is(t, lex_next(t, k.end), ";")) {
			from = k.end; /* a function */
			round = false;
		} else if (lex_is(t, k, ";")) {
			struct span at = {lex_skip_space(t, from), k.begin};
			struct lex_token first = lex_next(t, from);
			bool other = lex_is(t, first, "static") || lex_is(t, first, "using") ||
				     first.begin == k.begin;
			if (!other && !read_member(out, c, at)) {
				return false;
			}
			from = k.end;
			round = false;
		}
	}
	return true;
}

static bool declares_local(const struct callee *c, struct str name)
{
	bool any = false;
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		any |= s->name && str_is(name, s->name) && s->file == c->body->file &&
		       s->at >= c->pattern.all.begin && s->at < c->pattern.all.end;
	}
	return any;
}

/* A lambda may capture *this, and then sees changes of a member. */
static bool has_lambda(const struct kt_node *root)
{
	bool has = false;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		has |= n->kind == KT_LAMBDA;
	}
	return has;
}

/* Finds the members that the function uses. */
static bool find_members(struct unify_function *f)
{
	struct callee *c = &f->c;
	member_array all = {0}, used = {0};
	size_t n = c->leaf[0].text.objects;
	bool ok = n == 0 || (!c->from && read_members(&all, c) && all.n == n);
	for (size_t i = 0; i < all.n && ok; i++) {
		if (callee_has_word(c->p->text, c->pattern.body, all.v[i].name)) {
			array_push(&used, all.v[i]);
			ok = !declares_local(c, all.v[i].name);
		}
	}
	array_release(&all);
	array_move(f->member, f->members, c->p->a, &used);
	ok = ok && !(f->members && has_lambda(c->body));
	return ok ||
	       callee_refuse_text(c, "its class is not a plain aggregate, or has members that "
				     "are not understood");
}

bool unify_check_members(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	struct callee *c = &f->c;
	for (size_t k = 0; k < c->leaves && f->members; k++) {
		const struct kt_node *x = kt_past_casts(c->leaf[0].call->child[0]),
				     *y = kt_past_casts(c->leaf[k].call->child[0]);
		const struct callee_call *first = &c->leaf[0].text, *own = &c->leaf[k].text;
		bool same = first->objects == own->objects && x->n == y->n && x->n == own->objects;
		for (size_t i = 0; i < f->members && same; i++) {
			size_t at = f->member[i].i;
			same = pair_equal(c->f, x->child[at], y->child[at]) &&
			       needs_same_tokens(c->p->text, first->object[at], own->object[at]) &&
			       !needs_names_arm_local(c, own->object[at]);
		}
		if (!same) {
			return plan_refuse(u->p, UNIFY_SAME,
				"the arms make objects with other values, or in an unusual way");
		}
	}
	return true;
}

struct str unify_member_text(const struct unify_function *f, const struct unify_member *m)
{
	const struct callee *c = &f->c;
	struct str type = str_sub(c->p->text, m->text.begin, m->text.end - m->name.n);
	bool constant = callee_has_word(c->p->text, c->pattern.rest, STR("const"));
	if (!constant || str_holds(type, STR("&"))) {
		return callee_text(c, m->text);
	}
	bool pointer = str_holds(type, STR("*"));
	bool has = !pointer && callee_has_word(type, (struct span){0, type.n}, STR("const"));
	return str_of(arena_printf(c->p->a, "%s%.*s%s%.*s", pointer || has ? "" : "const ",
		STR_ARG(type), pointer ? "const " : "", STR_ARG(m->name)));
}

/* ---- the function ---- */

bool unify_leave_class(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct callee_pattern *p = &c->pattern;
	if (p->lambda || !callee_read_class(c) || !check_place(f) || !find_members(f)) {
		return false;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		if (c->leaf[i].text.of_class != p->of.tparams) {
			return callee_refuse_text(
				c, "a call of it leaves out a template argument of its class");
		}
	}
	struct str *name = ARENA_ARRAY(c->p->a, struct str, f->members);
	for (size_t i = 0; i < f->members; i++) {
		name[i] = f->member[i].name;
	}
	if (!callee_stands_outside(c, name, f->members)) {
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
	if (str_eq(str_sub(text, 0, from.n), from)) { /* its first line, too */
		sbuf_addstr(&out, to);
		text = str_sub(text, from.n, text.n);
	}
	text_add_reindented(&out, text, from, to);
	return sbuf_finish(&out, f->c.p->a);
}
