/*
 * Calls. Functions with a body are inlined, as in the device compiler, with parameters as aliases
 * of the arguments if possible. Builtins have registers for arguments and results.
 */
#include "analysis/ledger/walk.h"

#include <stdio.h>
#include <string.h>

void walk_matrix_work(struct walk *w, const char *name)
{
	for (const char *p = name; *p; p++) {
		unsigned m, n, k;
		if (*p == '_' && sscanf(p, "_%ux%ux%u", &m, &n, &k) == 3 && m <= 64 && n <= 64 &&
			k <= 256) {
			walk_count_work(w, 0, 2ull * m * n * k);
			return;
		}
	}
}

/* The variable that n names; for a member of this, the object of the method. */
static uint32_t named_by(struct walk *w, const struct kt_node *n)
{
	bool own = n->kind == KT_THIS || (n->kind == KT_MEMBER && !n->child[KT_MEMBER_BASE]);

	return own ? walk_var_of(w, w->u->fn[w->t->frame.v[w->frame].fn].self)
	       : n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym)
					     : 0;
}

/* 1 + index of the first array, vector or record in an expression: acc in acc[i] * rescale. */
static uint32_t vector_in(struct walk *w, const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		uint32_t v = named_by(w, at);
		kt_id sym = v ? walk_var_at(w, v)->pub.sym : 0;
		const struct kt_type *t = sym ? kt_object_type(w->u, w->u->sym[sym].type) : NULL;
		if (t && (t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR ||
				 t->kind == KT_T_RECORD)) {
			return v;
		}
	}
	return 0;
}

/* The member acc of t.acc[i]. */
static const struct kt_node *member_in(const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		if (at->kind == KT_MEMBER &&
			!(at->flags & KT_F_ARROW && at->child[KT_MEMBER_BASE] &&
				at->child[KT_MEMBER_BASE]->kind != KT_THIS)) {
			return at;
		}
	}
	return NULL;
}

void walk_note_member(struct walk *w, uint32_t v, const struct kt_node *n)
{
	struct trace_var *at = walk_var_at(w, v);
	const struct kt_node *m = member_in(n);
	kt_id sym = at->pub.sym;
	const struct kt_type *t = sym ? kt_object_type(w->u, w->u->sym[sym].type) : NULL;
	unsigned width = m && m->sym ? walk_width_of(kt_type_of(w->u, m)) : 0;
	if (t && t->kind == KT_T_RECORD && width > at->member_width) {
		at->pub.member = w->u->sym[m->sym].name;
		at->member_type = w->u->sym[m->sym].type;
		at->member_width = width;
	}
}

void walk_mark_accumulator(struct walk *w, const struct kt_node *arg)
{
	unsigned width = walk_width_of(kt_type_of(w->u, arg));

	w->t->result = width > w->t->result ? width : w->t->result;
	for (uint32_t v = vector_in(w, arg); v; v = walk_var_at(w, v)->source) {
		walk_var_at(w, v)->matrix_acc = true;
		walk_note_member(w, v, arg);
	}
}

static bool writes_param(struct walk *w, const struct kt_fn *fn, kt_id param)
{

	return facts_writes(w->t->f, fn->body, LOC_VAR(param));
}

static bool in_progress(const struct walk *w, kt_id fn)
{
	for (; w; w = w->up) {
		if (w->t->frame.v[w->frame].fn == fn) {
			return true;
		}
	}
	return false;
}

void walk_bind_memory(struct walk *in, kt_id sym, struct place p)
{
	uint32_t v = walk_var_new(in, sym, NULL, 0);

	walk_var_at(in, v)->memory = true;
	walk_var_at(in, v)->lds = p.lds;
	walk_var_at(in, v)->affine = p.affine;
}

/* Binds a parameter of an inlined function: as an alias of the argument, or as a value of its
 * own. */
static void bind(struct walk *w, struct walk *in, const struct kt_fn *fn, kt_id param,
	const struct kt_node *arg)
{
	const struct kt_type *t = &w->u->type[w->u->sym[param].type];

	if (!arg) {
		walk_var_new(in, param, NULL, 0); /* a default argument */
		return;
	}
	if (t->kind == KT_T_REFERENCE) {
		struct place p = walk_place_of(w, arg);
		if (p.var) {
			ids_set(in->bound, param, p.var);
		} else if (p.memory) {
			walk_bind_memory(in, param, p);
		} else {
			walk_write_var(in, walk_var_new(in, param, NULL, p.held), true, false, arg);
		}
		return;
	}
	const struct kt_node *a = kt_past_casts(arg);
	const struct kt_type *at = kt_type_of(w->u, a);
	if (t->kind == KT_T_POINTER && a->kind == KT_UNARY && a->op == KT_OP_ADDR) {
		a = kt_past_casts(a->child[0]);
		at = NULL;
	}
	if (t->kind == KT_T_POINTER && (!at || at->kind == KT_T_ARRAY)) {
		struct place p = walk_place_of(w, a);
		if (p.var) { /* the address of a private variable */
			ids_set(in->bound, param, p.var);
			return;
		}
	}
	struct value v = walk_eval(w, arg);
	bool in_place = v.var && !writes_param(w, fn, param);
	if (in_place) {
		ids_set(in->bound, param, v.var);
		return;
	}
	unsigned width = walk_is_uniform(w, arg) && kt_is_scalar(t) && t->kind != KT_T_FLOAT ? 0
			 : v.constant || (!v.width && !v.var)				     ? 0
							      : walk_width_of(t);
	uint32_t p = walk_var_new(
		in, param, NULL, v.lds && t->kind == KT_T_POINTER && width ? 1 : width);
	struct trace_var *pv = walk_var_at(in, p);
	pv->affine = v.affine;
	pv->lds = v.lds;
	pv->loaded = v.loaded;
	pv->pub.uniform = !width;
	pv->source = vector_in(w, arg);
	w->held += v.width;
	walk_push(w, TRACE_POINT, 0, arg);
	w->held -= v.width;
	walk_write_var(in, p, true, v.constant, arg);
}

/* given: set to the target of a returned reference; or NULL. */
static struct value inline_call(struct walk *w, const struct kt_node *n, struct place *given)
{
	const struct kt_fn *fn = &w->u->fn[n->fn];
	struct trace *t = w->t;
	struct ids bound = {0};
	struct walk in = *w;
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;

	array_push(&t->frame, (struct trace_frame){.up = w->frame, .fn = n->fn, .call = n});
	in.frame = (uint32_t)(t->frame.n - 1);
	in.up = w;
	in.bound = &bound;
	in.depth++;
	in.returned = 0;
	in.given = given;
	in.pointed = 0;
	if (first && fn->self && n->n) {
		struct place self = walk_place_of(w, n->child[0]);
		if (self.var) {
			ids_set(&bound, fn->self, self.var);
		} else {
			walk_bind_memory(&in, fn->self, self);
		}
	}
	for (size_t i = 0; i < fn->params; i++) {
		bind(w, &in, fn, fn->param[i], first + i < n->n ? n->child[first + i] : NULL);
	}
	walk_stmt(&in, fn->body);
	ids_release(&bound);
	const struct kt_type *rt = kt_type_of(w->u, n);
	if (rt->kind == KT_T_POINTER && in.pointed) {
		return (struct value){.var = in.pointed};
	}
	bool uniform = kt_is_scalar(rt) && rt->kind != KT_T_FLOAT && walk_is_uniform(w, n);
	return (struct value){.width = uniform ? 0 : walk_width_of(rt)};
}

static bool has_word(const char *name, const char *word)
{
	return name && strstr(name, word);
}

/* Do both types have the same kind and extent, apart from names and const? */
static bool is_alike(const struct kt_unit *u, const struct kt_type *x, const struct kt_type *y)
{
	return x->kind == y->kind && x->size == y->size && x->count == y->count &&
	       (!x->elem || !y->elem || u->type[x->elem].kind == u->type[y->elem].kind);
}

/* The index of a matrix operation's accumulator: that in rules/, else the last operand of the
 * result's type. If there is none, the number of operands. */
static size_t accumulator_of(
	const struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	if (in->acc_arg >= 0) {
		return (size_t)in->acc_arg;
	}
	for (size_t i = n->n; i-- > 0;) {
		if (n->child[i] &&
			is_alike(w->u, kt_type_of(w->u, n), kt_type_of(w->u, n->child[i]))) {
			return i;
		}
	}
	return n->n;
}

/* All arguments are held at once; objects passed by reference are written. */
static struct value opaque_call(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;
	const char *name = fn ? fn->base : n->text;
	bool matrix = in && in->kind == INTRINSIC_MATRIX;
	size_t accumulator = matrix ? accumulator_of(w, n, in) : n->n;
	bool max = has_word(name, "max");
	bool assigns = n->flags & KT_F_OPERATOR && name && str_ends(str_of(name), "=") &&
		       !has_word(name, "==") && !has_word(name, "!=") && !has_word(name, "<=") &&
		       !has_word(name, ">=");
	bool changes =
		assigns || (!in && !(n->flags & KT_F_OPERATOR) && !(fn && fn->in_system_header));
	unsigned before = w->held;
	struct value r = {.constant = n->n > 0};

	if (!in && !(fn && fn->in_system_header) && !(n->flags & KT_F_OPERATOR)) {
		w->t->partial = true;
		walk_unknown(w->t, arena_printf(w->t->a, "the registers of %s: it has no body here",
					   name ? name : "a call"));
	}
	if (in && in->kind == INTRINSIC_LANE && w->thread) {
		walk_push(w, TRACE_READ, w->thread - 1, n);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i]) {
			continue;
		}
		struct value v = walk_eval(w, n->child[i]);
		w->held += v.width;
		r.constant = r.constant && v.constant;
		r.affine = walk_affine_add(r.affine, walk_affine_lose(v.affine), 1);
		if (matrix && accumulator == i) {
			walk_mark_accumulator(w, n->child[i]);
		}
		if (v.var) {
			struct trace_var *at = walk_var_at(w, v.var);
			at->matrix_operand |= matrix && accumulator != i;
			at->maximum |= max;
			at->added |=
				assigns && i == 0 && (has_word(name, "+=") || has_word(name, "-="));
		}
	}
	walk_push(w, TRACE_POINT, 0, n);
	if (matrix && name) {
		walk_matrix_work(w, name);
	}
	for (size_t i = 0; i < n->n && changes; i++) {
		const struct kt_node *a = n->child[i] ? kt_past_casts(n->child[i]) : NULL;
		bool taken =
			a && ((assigns && i == 0) || (a->kind == KT_UNARY && a->op == KT_OP_ADDR));
		if (taken) {
			struct place p = walk_place_of(
				w, a->kind == KT_UNARY && a->op == KT_OP_ADDR ? a->child[0] : a);
			walk_write_var(w, p.var, false, false, n);
		}
	}
	w->held = before;
	const struct kt_type *rt = kt_type_of(w->u, n);
	bool uniform = (in && in->kind == INTRINSIC_UNIFORM) ||
		       (kt_is_scalar(rt) && rt->kind != KT_T_FLOAT && walk_is_uniform(w, n));
	r.width = uniform || assigns || (in && in->kind == INTRINSIC_LANE) ? 0 : walk_width_of(rt);
	r.constant = r.constant && in && in->kind == INTRINSIC_PURE;
	return r;
}

static bool is_inlined(const struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;

	return fn && fn->body && !fn->in_system_header && !facts_intrinsic(w->t->f, n);
}

static bool is_too_deep(const struct walk *w, const struct kt_node *n)
{
	return w->depth >= CALLS_MAX || in_progress(w, n->fn);
}

bool walk_is_library_part(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &u->fn[n->fn] : NULL;
	const struct kt_type *t = fn ? &u->type[fn->ret] : NULL;

	return fn && fn->in_system_header && n->flags & KT_F_METHOD && n->n && n->child[0] &&
	       t->kind == KT_T_REFERENCE &&
	       (!(n->flags & KT_F_OPERATOR) || strcmp(fn->base, "operator[]") == 0);
}

bool walk_gives_place(const struct walk *w, const struct kt_node *n)
{
	return walk_is_library_part(w->u, n) ||
	       (n->kind == KT_CALL && is_inlined(w, n) && !is_too_deep(w, n) &&
		       w->u->type[w->u->fn[n->fn].ret].kind == KT_T_REFERENCE);
}

/* An element of a library's object: its code is not followed. */
static struct place library_part(struct walk *w, const struct kt_node *n)
{
	struct place r = walk_place_of(w, n->child[0]);

	for (size_t i = 1; i < n->n; i++) {
		struct value v = n->child[i] ? walk_eval(w, n->child[i]) : (struct value){0};
		if (r.var && !v.unrolled && !v.constant) {
			walk_var_at(w, r.var)->pub.dynamic = true;
		}
	}
	return r;
}

struct place walk_called_place(struct walk *w, const struct kt_node *n)
{
	struct place r = {0};

	if (walk_is_library_part(w->u, n)) {
		r = library_part(w, n);
	} else {
		inline_call(w, n, &r);
	}
	r.whole = false;
	return r;
}

struct value walk_call(struct walk *w, const struct kt_node *n)
{
	const struct intrinsic *in = facts_intrinsic(w->t->f, n);
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;

	if (!is_inlined(w, n)) {
		return opaque_call(w, n, in);
	}
	if (is_too_deep(w, n)) {
		w->t->partial = true;
		walk_unknown(w->t,
			arena_printf(w->t->a, "the registers of %s: it calls itself", fn->base));
		return (struct value){.width = walk_width_of(kt_type_of(w->u, n))};
	}
	return inline_call(w, n, NULL);
}
