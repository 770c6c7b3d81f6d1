/*
 * The functions to rewrite: the arms' function, and, transitively, those that get its differing
 * template arguments. Each is identified by its instances in the arms.
 */
#include "frontend/text/lex.h"
#include "strategy/extract/calls.h"
#include "strategy/extract/needs.h"
#include "strategy/unify/unify.h"

static const char unnamed_default[] =
	"a call takes a default argument that is not a number or name";

static struct unify_function *function_at(struct unify *u, const struct kt_fn *fn)
{
	for (size_t i = 0; i < u->fns; i++) {
		const struct kt_node *body = callee_body(&u->fn[i]->c, 0);
		if (body->file == fn->body->file && body->begin == fn->body->begin) {
			return u->fn[i];
		}
	}
	return NULL;
}

static struct unify_function *add_function(struct unify *u, const struct callee_leaf *leaf)
{
	struct plan *p = u->p;
	if (u->fns == UNIFY_FUNCTIONS_MAX) {
		plan_refuse(p, UNIFY_TEXT, "more than %d functions take an argument that differs",
			UNIFY_FUNCTIONS_MAX);
		return NULL;
	}
	struct unify_function *f = ARENA_NEW(p->a, struct unify_function);
	f->c = (struct callee){.p = p,
		.m = p->merge,
		.u = p->parse->unit,
		.f = p->parse->facts,
		.leaf = ARENA_ARRAY(p->a, struct callee_leaf, UNIFY_LEAVES_MAX)};
	f->c.from = u->fns ? leaf->call : NULL;
	f->c.leaf[0] = *leaf;
	f->c.leaves = 1;
	u->fn[u->fns++] = f;
	return f;
}

bool unify_names_parameter(const struct unify_function *f, struct span text)
{
	bool any = false;
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		any |= unify_is_runtime(f, i) &&
		       callee_has_word(f->c.p->text, text, f->c.pattern.tparam[i].name);
	}
	return any;
}

/* Does a text use a constant of the class that depends on what differs? */
static bool names_declared(const struct unify_function *f, struct span text)
{
	bool names = false;
	for (size_t i = 0; i < f->declareds; i++) {
		names |= callee_has_word(f->c.p->text, text, f->declared[i].name) &&
			 unify_varies(f, i);
	}
	return names;
}

/* Finds the variables that the function declares, with their initializers. */
static void find_locals(struct unify_function *f)
{
	struct callee *c = &f->c;
	ARRAY(struct unify_declared) list = {0};
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			const char *name =
				n->kind == KT_VAR && n->n ? c->u->sym[n->sym].name : NULL;
			if (name && kt_is_constant(n->child[0])) {
				array_push(&list, ((struct unify_declared){.name = str_of(name),
							  .of = {n->begin, n->end}}));
			}
		}
	}
	array_move(f->local, f->locals, c->p->a, &list);
}

/* Does a text use a local constant computed from what differs, declared before a place? */
static bool names_local(const struct unify_function *f, struct span text, size_t before)
{
	struct str t = f->c.p->text;
	bool names = false;
	for (size_t i = 0; i < f->locals && !names; i++) {
		const struct unify_declared *d = &f->local[i];
		names = d->of.begin < before && callee_has_word(t, text, d->name) &&
			(unify_names_parameter(f, d->of) || names_declared(f, d->of) ||
				names_local(f, d->of, d->of.begin));
	}
	return names;
}

bool unify_names_runtime(const struct unify_function *f, struct span text)
{
	return unify_names_parameter(f, text) || names_declared(f, text) ||
	       names_local(f, text, text.begin);
}

/* Can a copy of this type stand for the value: a number, a pointer, or an array of them? */
static bool is_plain_copy(const struct kt_unit *u, const struct kt_type *t)
{
	t = kt_element_type(u, t);
	return !t->is_volatile && t->kind != KT_T_RECORD && t->kind != KT_T_OTHER;
}

/* Does the list capture the name: by reference (refers), or by copy? */
static bool captures(struct str list, bool refers, struct str name)
{
	while (list.n) {
		size_t comma = str_find(list, ",", 0);
		struct str one = str_trim(str_sub(list, 0, comma == SIZE_MAX ? list.n : comma));
		bool is = str_starts(one, "&");
		list = comma == SIZE_MAX ? (struct str){0} : str_sub(list, comma + 1, list.n);
		if (is == refers && str_eq(str_trim(str_sub(one, is ? 1 : 0, one.n)), name)) {
			return true;
		}
	}
	return false;
}

/* The new lambda, declared next to this one, must capture the same: references, and copies of
 * numbers and pointers. */
static bool check_captures(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct str list = callee_text(c, c->pattern.capture);
	bool copies = captures(list, false, STR("="));
	if (lex_find(c->p->text, c->pattern.capture.begin, c->pattern.capture.end, '*') !=
		SIZE_MAX) {
		return callee_refuse_text(c, "the lambda has a copy of *this");
	}
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *v = &c->u->sym[id];
		struct str name = str_of(v->name ? v->name : "");
		bool copy = name.n && v->file == c->body->file && v->at < c->pattern.all.begin &&
			    (captures(list, false, name) ||
				    (copies && !captures(list, true, name) &&
					    callee_has_word(c->p->text, c->pattern.body, name)));
		if (copy && !is_plain_copy(c->u, kt_object_type(c->u, v->type))) {
			return callee_refuse_text(c, "the lambda has a copy of an object");
		}
	}
	return true;
}

/* auto NAME = [...](...) { ... }; */
static bool check_lambda(struct unify_function *f)
{
	struct callee *c = &f->c;
	lex_each (k, c->p->text, c->pattern.head.begin, c->pattern.head.end) {
		if (!lex_is(c->p->text, k, "auto") && !lex_is(c->p->text, k, "const") &&
			!lex_is(c->p->text, k, "constexpr")) {
			return callee_refuse_text(c, "the lambda is not declared as auto");
		}
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *of = c->leaf[i].call->child[0];
		if (of->kind != KT_REF || of->sym != c->pattern.variable) {
			return callee_refuse_text(c, "the lambda is called by another name");
		}
	}
	size_t sign = lex_next(c->p->text, c->pattern.name.end).end;
	bool whole = lex_skip_space(c->p->text, sign) + 1 == c->pattern.capture.begin &&
		     lex_skip_space(c->p->text, c->pattern.body.end) + 1 == c->pattern.all.end;
	return whole ? check_captures(f)
		     : callee_refuse_text(c, "the lambda is not all that is declared");
}

/* Reads its text; refuses text that is not understood. */
static bool read_function(struct unify_function *f)
{
	struct callee *c = &f->c;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	if (fn->is_lambda && c->from) {
		return callee_refuse_text(c, "it is a lambda that another function calls");
	}
	c->body = callee_body(c, 0);
	if (!callee_read_pattern(c) || (fn->is_lambda && !check_lambda(f))) {
		return false;
	}
	c->wide_text = c->pattern.body;
	if (!c->from) {
		callee_read_tags(c);
	}
	f->to = ARENA_ARRAY(c->p->a, const char *, c->pattern.tparams);
	if (!c->leaf[0].text.name.end) {
		return callee_refuse_text(c, "a call of it is not spelled in a plain way");
	}
	return !c->pattern.declare_at || callee_refuse_text(c, "it is defined after its call");
}

/* Adds an instance, once. */
static bool add_instance(struct unify_function *f, const struct callee_leaf *leaf)
{
	struct callee *c = &f->c;
	for (size_t i = 0; i < c->leaves; i++) {
		if (c->leaf[i].fn == leaf->fn) {
			return true;
		}
	}
	if (c->leaves == UNIFY_LEAVES_MAX) {
		return plan_refuse(c->p, UNIFY_TEXT, "'%s' has more than %d instances in the arms",
			c->u->fn[leaf->fn].base, UNIFY_LEAVES_MAX);
	}
	c->leaf[c->leaves++] = *leaf;
	return true;
}

static bool add_call(struct unify_function *f, const struct unify_call *call)
{
	for (size_t i = 0; i < f->calls; i++) {
		if (f->call[i].at.begin == call->at.begin) {
			return f->call[i].fn == call->fn ||
			       callee_refuse_text(call->fn ? &call->fn->c : &f->call[i].fn->c,
				       "a call means other functions in other instances");
		}
	}
	struct unify_call *v = ARENA_ARRAY(f->c.p->a, struct unify_call, f->calls + 1);
	for (size_t i = 0; i < f->calls; i++) {
		v[i] = f->call[i];
	}
	v[f->calls++] = *call;
	f->call = v;
	return true;
}

/* Adds the default arguments that the call leaves out; false: one has another text. */
static bool take_defaults(const struct unify_function *f, struct callee_call *call)
{
	const struct callee_pattern *p = &f->c.pattern;
	struct str t = f->c.p->text;
	struct span *v = ARENA_ARRAY(f->c.p->a, struct span, p->params);
	bool all = call->args <= p->params;
	for (size_t i = 0; i < p->params && all; i++) {
		struct span text = p->param[i].text;
		if (i < call->args) {
			v[i] = call->arg[i];
			continue;
		}
		size_t sign = lex_find(t, text.begin, text.end, '=');
		text.begin = sign < text.end ? lex_skip_space(t, sign + 1) : text.end;
		all = text.begin < text.end && unify_is_writable(f, text);
		for (size_t k = call->targs; k < p->tparams; k++) { /* nothing is deduced from it */
			all &= !callee_has_word(t, p->param[i].text, p->tparam[k].name);
		}
		v[i] = text;
	}
	if (all) {
		call->arg = v;
		call->args = p->params;
	}
	return all;
}

/* Adds the defaults of differing template arguments that are not written. */
static void add_defaults(const struct unify_function *f, struct callee_call *call)
{
	const struct callee_pattern *p = &f->c.pattern;
	struct str t = f->c.p->text;
	size_t n = 0;
	for (size_t i = 0; i < p->tparams; i++) {
		n = unify_is_runtime(f, i) ? i + 1 : n;
	}
	struct span *v = ARENA_ARRAY(f->c.p->a, struct span, n > call->targs ? n : call->targs);
	for (size_t i = 0; i < call->targs; i++) {
		v[i] = call->targ[i];
	}
	call->targ = v;
	for (size_t i = call->targs; i < n; i++) {
		struct span text = p->tparam[i].fallback;
		if (text.end == text.begin) {
			return;
		}
		text.begin = lex_skip_space(t, text.begin + 1);
		if (!unify_is_writable(f, text)) {
			return;
		}
		v[call->targs++] = text;
	}
}

/* Handles a call with template arguments in f's body: does the callee get differing arguments? */
static bool see_call(struct unify *u, struct unify_function *f, const struct kt_node *n)
{
	struct plan *p = u->p;
	const struct kt_fn *fn = &f->c.u->fn[n->fn];
	struct callee_leaf leaf = {.stmt = n, .call = n, .fn = n->fn};
	struct candidate quiet = {0};
	struct plan aside = *p;
	struct callee c = {.p = &aside, .m = p->merge, .u = f->c.u, .f = f->c.f};
	aside.out = &quiet;
	bool any = false;
	if (n->flags & KT_F_MACRO || !fn->body || fn->in_system_header ||
		!callee_read_call(&c, &leaf)) {
		return true; /* unify_check_uses finds its words */
	}
	bool own = unify_is_own_call(f, n) && unify_read_own_call(f, &leaf);
	if (!own && callee_class_name(fn).n && unify_names_runtime(f, leaf.text.prefix) &&
		!callee_read_class_call(&c, &leaf)) {
		return true;
	}
	for (size_t i = 0; i < leaf.text.targs; i++) {
		any |= unify_names_runtime(f, leaf.text.targ[i]);
	}
	if (!any) {
		return true;
	}
	if (own && unify_is_apart(u, fn)) {
		return callee_refuse_text(&f->c, "a method of its class that it calls is refused");
	}
	if (unify_is_apart(u, fn)) {
		struct span at = {n->begin, n->end};
		while (at.end > at.begin && p->text.p[at.end - 1] != ')') {
			at.end--; /* a statement's semicolon */
		}
		struct unify_call kept = {
			.at = at, .text = leaf.text, .written = leaf.text.targs, .node = n};
		for (size_t i = 0; i < f->calls; i++) {
			const struct unify_function *o = f->call[i].fn;
			bool same = o && f->call[i].at.begin == n->begin;
			u->refused = same ? &o->c.u->fn[o->c.leaf[0].fn] : u->refused;
		}
		return unify_check_apart(f, &kept) && add_call(f, &kept);
	}
	struct unify_function *to = function_at(u, fn);
	u->refused = fn; /* if it is refused */
	if (!to) {
		to = add_function(u, &leaf);
		if (to) {
			to->own = own;
		}
		if (!to || !read_function(to) || (leaf.text.of_class && !unify_leave_class(to))) {
			return false;
		}
		to->caller = f;
	}
	if (leaf.text.of_class != (to->outside ? to->c.pattern.of.tparams : 0)) {
		return callee_refuse_text(&to->c, "its class differs in some calls only");
	}
	if (to->own != own) {
		return callee_refuse_text(&to->c, "some calls of it are for other objects");
	}
	if (!own && to->outside && (!unify_check_object(&to->c, &leaf) || to->members)) {
		return !to->members || callee_refuse_text(&to->c, "it uses members of its class");
	}
	for (size_t i = 0; i < f->calls; i++) {
		const struct unify_call *o = &f->call[i];
		if (!o->fn && o->at.begin < n->begin && n->begin < o->at.end) {
			return callee_refuse_text(
				&to->c, "its call is an argument of a call that stays");
		}
	}
	if (!own && to->c.pattern.all.end > f->c.pattern.all.begin) {
		return callee_refuse_text(&to->c, "it is defined after its call");
	}
	size_t passed = leaf.text.args;
	if (!take_defaults(to, &leaf.text)) {
		return callee_refuse_text(&to->c, unnamed_default);
	}
	for (size_t i = 0; i < to->c.pattern.tparams; i++) {
		bool written = i < leaf.text.targs;
		to->c.pattern.tparam[i].differs |=
			written && unify_names_runtime(f, leaf.text.targ[i]);
	}
	struct unify_call call = {.at = {n->begin, n->end},
		.text = leaf.text,
		.written = leaf.text.targs,
		.passed = passed,
		.fn = to,
		.node = n};
	if (!add_instance(to, &leaf) || !add_call(f, &call)) {
		return false;
	}
	u->refused = NULL;
	return true;
}

/* The number of functions and template parameters found so far. */
static size_t count(const struct unify *u)
{
	size_t n = u->fns;
	for (size_t i = 0; i < u->fns; i++) {
		n += u->fn[i]->c.leaves;
		for (size_t k = 0; k < u->fn[i]->c.pattern.tparams; k++) {
			n += unify_is_runtime(u->fn[i], k);
		}
	}
	return n;
}

static bool see_calls(struct unify *u, struct unify_function *f)
{
	find_locals(f);
	for (size_t i = 0; i < f->c.leaves; i++) {
		const struct kt_node *root = callee_body(&f->c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_CALL && n->fn && !see_call(u, f, n)) {
				return false;
			}
		}
	}
	return true;
}

/* Every call of the function must supply a value for the differing parameters. */
static bool check_call(const struct unify_function *f, const struct callee_call *call)
{
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		bool written = i < call->targs || f->c.pattern.tparam[i].tag;
		if (unify_is_runtime(f, i) && !written) {
			return callee_refuse_text((struct callee *)(uintptr_t)&f->c,
				"a template argument that differs is not written");
		}
	}
	return true;
}

static bool check_calls(struct unify *u)
{
	for (size_t i = 0; i < u->tree.leaves; i++) {
		add_defaults(u->fn[0], &u->tree.leaf[i].text);
		u->fn[0]->c.leaf[i].text = u->tree.leaf[i].text;
	}
	for (size_t i = 0; i < u->fns; i++) {
		for (size_t k = 0; k < u->fn[i]->calls; k++) {
			if (u->fn[i]->call[k].fn) {
				add_defaults(u->fn[i]->call[k].fn, &u->fn[i]->call[k].text);
			}
		}
	}
	for (size_t i = 0; i < u->tree.leaves; i++) {
		if (!check_call(u->fn[0], &u->tree.leaf[i].text)) {
			return false;
		}
	}
	for (size_t i = 0; i < u->fns; i++) {
		const struct unify_function *f = u->fn[i];
		for (size_t k = 0; k < f->calls; k++) {
			const struct unify_function *to = f->call[k].fn;
			if (to && !check_call(to, &f->call[k].text)) {
				u->refused = &to->c.u->fn[to->c.leaf[0].fn];
				return false;
			}
		}
	}
	return true;
}

/* Finds the differing parameters, of this merge or of all merges. */
static bool find_differences(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	uint64_t others = u->shared ? callee_differences(&f->c) : 0;
	bool any = false;
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		struct callee_tparam *q = &f->c.pattern.tparam[i];
		bool own =
			q->tag ? callee_tag_differs(&f->c, q) : callee_argument_differs(&f->c, i);
		q->differs = own || (i < 48 && others >> i & 1 && !q->is_type);
		any |= own;
	}
	return any || plan_refuse(u->p, UNIFY_CALLS, "no template argument differs");
}

/* Do all arms call one instance? An if with two arms is left to fuse. */
static bool is_one_instance(const struct unify *u)
{
	bool one = u->tree.leaves > 2 || u->tree.returns || u->p->merge->kind == MERGE_COND ||
		   u->rows > 1;
	for (size_t i = 1; i < u->tree.leaves; i++) {
		one &= u->tree.leaf[i].fn == u->tree.leaf[0].fn;
	}
	return one;
}

bool unify_find_functions(struct unify *u)
{
	struct unify_function *f = add_function(u, &u->tree.leaf[0]);
	for (size_t i = 1; f && i < u->tree.leaves; i++) {
		f->c.leaf[i] = u->tree.leaf[i];
		f->c.leaves = i + 1;
	}
	if (!f || !callee_check_function(&f->c)) {
		return false;
	}
	bool classes = callee_class_differs(&f->c);
	if (classes && !unify_read_classes(u)) {
		return false;
	}
	if (is_one_instance(u)) {
		u->plain = true;
		f->c.body = callee_body(&f->c, 0);
		f->c.wide_text = (struct span){f->c.body->begin, f->c.body->end};
		return true;
	}
	if (!read_function(f) || (classes && !unify_leave_class(f)) || !find_differences(u)) {
		return false;
	}
	for (size_t i = 0; i < u->tree.leaves; i++) {
		if (!take_defaults(f, &u->tree.leaf[i].text)) {
			return callee_refuse_text(&f->c, unnamed_default);
		}
		f->c.leaf[i].text = u->tree.leaf[i].text;
	}
	for (size_t before = 0, now = count(u); before != now; now = count(u)) {
		before = now;
		for (size_t i = 0; i < u->fns; i++) {
			if (!see_calls(u, u->fn[i])) {
				return false;
			}
		}
	}
	for (size_t i = 0; i < u->fns; i++) {
		u->refused = i ? &u->fn[i]->c.u->fn[u->fn[i]->c.leaf[0].fn] : NULL;
		if (!unify_check_own(u->fn[i])) {
			return false;
		}
	}
	u->refused = NULL;
	return check_calls(u);
}
