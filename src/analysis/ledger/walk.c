/*
 * Parts of the walk: items of the trace, variables and their writes, and the work of a loop.
 */
#include "analysis/ledger/walk.h"

#include <string.h>

/* ---- small facts ---- */

void walk_unknown(struct trace *t, const char *what)
{
	for (size_t i = 0; i < t->unknown.n; i++) {
		if (strcmp(t->unknown.v[i], what) == 0) {
			return;
		}
	}
	array_push(&t->unknown, what);
}

struct trace_item *walk_push(
	struct walk *w, enum trace_kind kind, uint32_t var, const struct kt_node *n)
{
	struct trace *t = w->t;

	if (t->item.n >= ITEMS_MAX) {
		t->partial = t->cut = true;
		walk_unknown(t, "the kernel is too large to be followed to its end");
		t->item.n--;
	}
	array_push(&t->item,
		(struct trace_item){
			.kind = kind, .var = var, .frame = w->frame, .held = w->held, .node = n});
	return &t->item.v[t->item.n - 1];
}

bool walk_is_uniform(struct walk *w, const struct kt_node *n)
{
	return uniformity_expr(w->t->u, n, NULL);
}

unsigned walk_width_of(const struct kt_type *t)
{
	return t->kind == KT_T_BOOL ? 0 : kt_type_width(t);
}

/* ---- variables ---- */

uint32_t walk_var_new(struct walk *w, kt_id sym, const struct kt_node *decl, unsigned width)
{
	struct trace *t = w->t;
	const struct kt_sym *s = &w->u->sym[sym];
	struct trace_var v = {.frame = w->frame, .loops = w->loops};

	v.pub.name = s->name;
	v.pub.owner = w->frame ? w->u->fn[t->frame.v[w->frame].fn].base : NULL;
	v.pub.type = w->u->type[s->type].name;
	v.pub.sym = sym;
	v.pub.decl = decl;
	v.pub.width = width;
	v.pub.file = s->file;
	v.pointer = kt_object_type(w->u, s->type)->kind == KT_T_POINTER;
	array_push(&t->var, v);
	ids_set(w->bound, sym, t->var.n);
	return (uint32_t)t->var.n;
}

/* 1 + index of the variable for sym in this frame, or 0. A lambda's body may name variables of the
 * enclosing function. */
uint32_t walk_var_of(const struct walk *w, kt_id sym)
{
	for (; w; w = w->up) {
		uint32_t v = (uint32_t)ids_get(w->bound, sym, 0);
		if (v) {
			return v;
		}
	}
	return 0;
}

struct trace_var *walk_var_at(const struct walk *w, uint32_t v)
{
	return &w->t->var.v[v - 1];
}

static void count_write(struct walk *w, uint32_t v)
{
	struct walk *top = w;
	while (top->up) {
		top = top->up;
	}
	if (v > top->writes_cap) {
		size_t cap = v * 2;
		size_t *grown = ARENA_ARRAY(w->t->a, size_t, cap);
		if (top->writes_cap) {
			memcpy(grown, top->writes, top->writes_cap * sizeof(*grown));
		}
		top->writes = grown;
		top->writes_cap = cap;
	}
	top->writes[v - 1]++;
}

size_t walk_writes_of(const struct walk *w, uint32_t v)
{
	while (w->up) {
		w = w->up;
	}
	return v <= w->writes_cap ? w->writes[v - 1] : 0;
}

bool walk_is_private_var(const struct walk *w, uint32_t v)
{
	return v && !walk_var_at(w, v)->memory;
}

bool walk_points_into(const struct walk *w, const struct value *v)
{
	return walk_is_private_var(w, v->var) && !v->elsewhere && !walk_var_at(w, v->var)->pointer;
}

void walk_write_var(struct walk *w, uint32_t v, bool whole, bool constant, const struct kt_node *n)
{
	if (!walk_is_private_var(w, v)) {
		return;
	}
	if (!constant) {
		count_write(w, v);
	}
	walk_var_at(w, v)->cleared = constant && (whole || walk_var_at(w, v)->cleared);
	if (constant && whole) {
		array_push(&w->t->cleared, v - 1);
	}
	walk_push(w, !whole ? TRACE_WRITE : constant ? TRACE_CLEAR : TRACE_KILL, v - 1, n);
}

size_t walk_chain_first(const struct walk *w)
{
	size_t i = w->loops;

	while (i > 0 && w->loop[i - 1].unrolled && w->loop[i - 1].conditional == 0) {
		i--;
	}
	return i;
}

void walk_account_variable(struct walk *w, uint32_t v)
{
	size_t first = walk_chain_first(w);
	unsigned width = walk_var_at(w, v)->pub.width;
	int64_t copies = 1;

	for (size_t i = first; i < w->loops; i++) {
		copies *= w->loop[i].trips;
	}
	if (width >= WIDE && copies > 1) {
		w->t->item.v[w->loop[first].item].in_flight += (uint32_t)((copies - 1) * width);
	}
}

/* ---- work ---- */

void walk_count_work(struct walk *w, uint64_t bytes, uint64_t flops)
{
	for (size_t i = w->loops; i-- > 0;) {
		if (!w->loop[i].unrolled) {
			struct trace_item *at = &w->t->item.v[w->loop[i].item];
			at->bytes += bytes;
			at->flops += flops;
			return;
		}
		bytes *= (uint64_t)w->loop[i].trips;
		flops *= (uint64_t)w->loop[i].trips;
	}
	w->t->bytes += bytes;
	w->t->flops += flops;
}
