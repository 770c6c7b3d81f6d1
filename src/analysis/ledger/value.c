/*
 * Expressions and the registers that they need. Temporaries are counted during evaluation: a loaded
 * or computed operand is held until its use, a variable is used in place, and a uniform value is in
 * scalar registers.
 */
#include "analysis/facts/launch.h"
#include "analysis/ledger/walk.h"

#include <string.h>

static struct trace_affine affine_binary(
	const struct walk *w, const struct kt_node *n, struct value x, struct value y)
{
	const struct kt_node *l = kt_past_casts(n->child[0]), *r = kt_past_casts(n->child[1]);

	if (n->op == KT_OP_ADD || n->op == KT_OP_SUB) {
		return walk_affine_add(x.affine, y.affine, n->op == KT_OP_SUB ? -1 : 1);
	}
	if (n->op == KT_OP_MUL && r->flags & KT_F_VALUE) {
		return walk_affine_scale(x.affine, r->value);
	}
	if (n->op == KT_OP_MUL && l->flags & KT_F_VALUE) {
		return walk_affine_scale(y.affine, l->value);
	}
	if (n->op == KT_OP_SHL && r->flags & KT_F_VALUE && r->value >= 0 && r->value < 31) {
		return walk_affine_scale(x.affine, INT64_C(1) << r->value);
	}
	if (r->flags & KT_F_VALUE && walk_affine_mask(&x.affine)) {
		return walk_affine_apply(w, n->op, &x.affine, r->value);
	}
	struct trace_affine sum =
		walk_affine_add(walk_affine_lose(x.affine), walk_affine_lose(y.affine), 1);
	if (!walk_affine_mask(&sum) && x.affine.numbered && y.affine.numbered) {
		return walk_affine_of(
			walk_mix(walk_mix(n->op, x.affine.number), y.affine.number), false);
	}
	bool steps = n->op == KT_OP_MUL && kt_type_of(w->u, n)->kind == KT_T_INT;
	sum.strided |= steps ? sum.unknown : 0;
	return sum;
}

/* The multiplications and additions of an operator on floats, over all lanes and elements. */
static uint64_t operator_flops(const struct walk *w, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(w->u, n);
	uint64_t each = t->kind == KT_T_VECTOR && t->count > 0 ? (uint64_t)t->count : 1;

	t = t->kind == KT_T_VECTOR ? &w->u->type[t->elem] : t;
	bool counts = n->op == KT_OP_ADD || n->op == KT_OP_SUB || n->op == KT_OP_MUL ||
		      n->op == KT_OP_DIV;
	return counts && t->kind == KT_T_FLOAT ? each * w->t->wave_size : 0;
}

static enum intrinsic_form index_of(const struct walk *w, const struct kt_node *n)
{
	return n->kind == KT_MEMBER ? launch_value(w->t->f, n).form : FORM_NONE;
}

bool walk_is_thread_index(const struct walk *w, const struct kt_node *n)
{
	return index_of(w, n) == FORM_THREAD_INDEX;
}

bool walk_is_builtin_index(const struct walk *w, const struct kt_node *n)
{
	return intrinsic_is_index(index_of(w, n));
}

static unsigned result_width(struct walk *w, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(w->u, n);

	if (kt_is_scalar(t) && t->kind != KT_T_FLOAT && walk_is_uniform(w, n)) {
		return 0;
	}
	return walk_width_of(t);
}

static struct value binary(struct walk *w, const struct kt_node *n)
{
	struct value x = walk_eval(w, n->child[0]);
	w->held += x.width;
	struct value y = walk_eval(w, n->child[1]);
	w->held += y.width;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= x.width + y.width;
	walk_count_work(w, 0, operator_flops(w, n));
	if (n->op == KT_OP_COMMA) {
		return y;
	}
	if (n->op == KT_OP_MUL) {
		for (int i = 0; i < 2; i++) {
			uint32_t v = i ? y.var : x.var;
			if (v) {
				walk_var_at(w, v)->multiplied = true;
			}
		}
	}
	struct value r = {.constant = x.constant && y.constant,
		.unrolled = (x.constant || x.unrolled) && (y.constant || y.unrolled),
		.lds = x.lds || y.lds};
	const struct kt_type *lt = kt_type_of(w->u, n->child[0]);
	if (lt->kind == KT_T_POINTER && lt->elem && (n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
		int64_t size = w->u->type[lt->elem].size;
		y.affine = walk_affine_scale(y.affine, size > 0 ? size : 1);
	}
	r.affine = affine_binary(w, n, x, y);
	r.width = r.constant || r.unrolled ? 0 : result_width(w, n);
	if (r.lds && kt_type_of(w->u, n)->kind == KT_T_POINTER && r.width) {
		r.width = 1;
	}
	return r;
}

/* Does n read the variable in a sum: x = x * r + y, x = x + y? */
static bool adds_to(const struct walk *w, const struct kt_node *n, uint32_t var)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		if (at->kind == KT_BINARY && at->op == KT_OP_ADD) {
			for (const struct kt_node *r = at; r; r = kt_next(r, at)) {
				if (r->kind == KT_REF && r->sym && walk_var_of(w, r->sym) == var) {
					return true;
				}
			}
		}
	}
	return false;
}

/* t[i], t.at(i): a part of t. */
static bool is_element_call(const struct walk *w, const struct kt_node *n)
{
	return n->flags & KT_F_METHOD && walk_gives_place(w, n);
}

static uint32_t root_var(const struct walk *w, const struct kt_node *n)
{
	n = kt_past_casts(n);
	while (n && (n->kind == KT_INDEX || n->kind == KT_MEMBER || is_element_call(w, n)) &&
		n->n && n->child[0]) {
		n = kt_past_casts(n->child[0]);
		uint32_t v = n && n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym) : 0;
		if (v && walk_var_at(w, v)->pointer) {
			return 0; /* its target is not a variable */
		}
	}
	if (n && (n->kind == KT_THIS || n->kind == KT_MEMBER)) {
		return walk_var_of(w, kt_this_of(w->u, w->t->frame.v[w->frame].fn));
	}
	return n && n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym) : 0;
}

static struct value assign(struct walk *w, const struct kt_node *n)
{
	uint32_t to = root_var(w, n->child[0]);
	const struct kt_node *from = kt_past_casts(n->child[1]);
	bool load = from->kind == KT_INDEX || from->kind == KT_MEMBER ||
		    (from->kind == KT_UNARY && from->op == KT_OP_DEREF);
	/* a load into an element uses the element's registers; one that is added to the old value,
	 * or overwrites a whole variable, needs its own until then: the next iteration may load
	 * early */
	bool lands = n->op == KT_OP_NONE && kt_past_casts(n->child[0])->kind != KT_REF;
	struct value r = load && lands && walk_is_private_var(w, to) ? walk_load_place(w, from, to)
								     : walk_eval(w, n->child[1]);

	if (walk_is_private_var(w, to)) {
		struct trace_var *v = walk_var_at(w, to);
		bool adds = n->op == KT_OP_ADD || n->op == KT_OP_SUB ||
			    (n->op == KT_OP_NONE && adds_to(w, n->child[1], to));
		v->added |= adds;
		if (adds) {
			walk_note_member(w, to, n->child[0]);
		}
		v->multiplied |= n->op == KT_OP_MUL;
		if (r.var && walk_is_private_var(w, r.var)) {
			walk_var_at(w, r.var)->maximum |= v->maximum && r.var == to;
		}
	}
	w->held += r.width;
	if (n->op != KT_OP_NONE) {
		walk_count_work(w, 0, operator_flops(w, n));
	}
	if (n->op != KT_OP_NONE) {
		struct value old = walk_load_place(w, n->child[0], 0);
		w->held += old.width;
		walk_push(w, TRACE_POINT, 0, n);
		w->held -= old.width;
		r.constant = false;
		r.affine = walk_affine_lose(r.affine);
	}
	/* the computed value moves into the variable; until then it needs its own registers, unless
	 * the old value dies with it */
	unsigned moved = walk_is_private_var(w, to) ? r.width : 0;
	w->held -= moved;
	w->again = n->op != KT_OP_NONE;
	walk_store_place(w, n->child[0], r);
	w->again = false;
	w->held -= r.width - moved;
	return (struct value){.var = to, .affine = walk_affine_lose(r.affine)};
}

/* Is it x = y for a class, such as float4, by an operator= of the library or the compiler? */
static bool copies_object(const struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;

	return fn && n->flags & KT_F_OPERATOR && n->n == 2 && n->child[0] && n->child[1] &&
	       (!fn->body || fn->in_system_header) && strcmp(fn->base, "operator=") == 0;
}

static struct value unary(struct walk *w, const struct kt_node *n)
{
	switch (n->op) {
	case KT_OP_DEREF:
		return walk_load_place(w, n, 0);
	case KT_OP_ADDR: {
		struct place p = walk_place_of(w, n->child[0]);
		unsigned width = p.memory && p.lane ? (p.lds ? 1 : 2) : 0;
		return (struct value){
			.width = width, .var = p.var, .lds = p.lds, .affine = p.affine};
	}
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC: {
		struct value r = walk_load_place(w, n->child[0], 0);
		r.affine = walk_affine_lose(r.affine);
		walk_store_place(w, n->child[0], r);
		return r;
	}
	default: {
		struct value r = walk_eval(w, n->child[0]);
		if (r.var) {
			r.width = result_width(w, n);
			r.var = 0;
		}
		r.affine = n->op == KT_OP_NEG ? walk_affine_scale(r.affine, -1)
					      : walk_affine_lose(r.affine);
		if (kt_type_of(w->u, n)->kind == KT_T_BOOL) {
			r.width = 0;
		}
		return r;
	}
	}
}

/* Combines several values into one: the elements of a list, the arguments of a constructor. */
static struct value gather(struct walk *w, const struct kt_node *n)
{
	unsigned before = w->held;
	struct value r = {.constant = true};

	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			struct value v = walk_eval(w, n->child[i]);
			r.constant = r.constant && v.constant;
			r.loaded |= v.loaded;
			w->held += v.width;
			r.affine = walk_affine_add(r.affine, walk_affine_lose(v.affine), 1);
		}
	}
	walk_push(w, TRACE_POINT, 0, n);
	w->held = before;
	r.width = r.constant ? 0 : result_width(w, n);
	return r;
}

static struct value choice(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_COND_COND];
	const struct kt_node *yes = n->child[KT_COND_THEN], *no = n->child[KT_COND_ELSE];

	if (cond->flags & KT_F_VALUE && yes) {
		return walk_eval(w, cond->value ? yes : no);
	}
	struct value c = walk_eval(w, cond);
	struct value x = yes ? walk_eval(w, yes) : c;
	w->held += x.width;
	struct value y = walk_eval(w, no);
	w->held += y.width;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= x.width + y.width;
	unsigned width = result_width(w, n);
	return (struct value){.width = width,
		.lds = x.lds || y.lds,
		.loaded = x.loaded || y.loaded,
		.affine =
			walk_affine_add(walk_affine_lose(x.affine), walk_affine_lose(y.affine), 1)};
}

struct value walk_eval(struct walk *w, const struct kt_node *n)
{
	if (n->flags & KT_F_VALUE) {
		return (struct value){.constant = true,
			.unrolled = true,
			.affine = walk_affine_of((uint64_t)n->value, true)};
	}
	if (n->kind == KT_LITERAL || n->kind == KT_SIZEOF) {
		return (struct value){.constant = true, .unrolled = true};
	}
	if (walk_is_builtin_index(w, n)) {
		bool thread = walk_is_thread_index(w, n) && w->thread;
		if (thread) {
			walk_push(w, TRACE_READ, w->thread - 1, n);
		}
		uint64_t number = walk_mix(walk_mix(n->kind, n->sym),
			n->n && n->child[KT_MEMBER_BASE] ? n->child[KT_MEMBER_BASE]->sym : 0);
		return (struct value){
			.var = thread ? w->thread : 0, .affine = walk_affine_of(number, false)};
	}
	switch (n->kind) {
	case KT_REF: {
		uint32_t v = n->sym ? walk_var_of(w, n->sym) : 0;
		if (v && !walk_var_at(w, v)->memory) {
			struct trace_var *at = walk_var_at(w, v);
			walk_push(w, TRACE_READ, v - 1, n);
			bool counter = walk_is_counter(w, at);
			return (struct value){.var = v,
				.constant = at->cleared,
				.lds = at->lds,
				.unrolled = counter,
				.affine = walk_numbered(w, v, at->affine)};
		}
		if (n->fn || !n->sym) {
			return (struct value){0};
		}
		return walk_load_place(w, n, 0);
	}
	case KT_MEMBER:
	case KT_INDEX:
		return walk_load_place(w, n, 0);
	case KT_UNARY:
		return unary(w, n);
	case KT_BINARY:
		return binary(w, n);
	case KT_ASSIGN:
		return assign(w, n);
	case KT_COND:
		return choice(w, n);
	case KT_CAST: {
		struct value r = walk_eval(w, n->child[0]);
		if (r.width) {
			r.width = result_width(w, n);
		}
		return r;
	}
	case KT_CALL:
		if (copies_object(w, n)) {
			return assign(w, n);
		}
		return walk_gives_place(w, n) ? walk_load_place(w, n, 0) : walk_call(w, n);
	case KT_INIT_LIST:
	case KT_CONSTRUCT:
		return gather(w, n);
	case KT_ASM:
		walk_asm(w, n);
		return (struct value){0};
	case KT_EXPR_UNKNOWN:
		w->t->partial = true;
		walk_unknown(w->t, "an expression that libclang does not show");
		return (struct value){0};
	default:
		return (struct value){0};
	}
}
