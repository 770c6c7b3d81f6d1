/*
 * Numbers of waves: in a block of one dimension the lanes of a wave are neighbours in x, so
 * threadIdx.x / 64 is the same for all of them, and so is threadIdx.x < 128, for waves of 32 lanes
 * and of 64 alike. (Division by 32 is not, where waves have 64.)
 *
 * Blocks are flat where host code of the unit launches the kernel with no others. Of a kernel that
 * it does not launch that is not known: taken for granted where neither it nor anything it calls
 * asks for another dimension of the block.
 */
#include "analysis/lanes/uniform_walk.h"

#include <string.h>

enum {
	LANES = 64, /* of the widest wave; whole parts of it are whole waves of 32 as well */
	INDEX_BYTES = 2
};

/* ---- blocks ---- */

static bool is_coordinate(const struct uniformity *u, const struct kt_node *n)
{
	const char *name = n->kind == KT_REF && n->sym ? u->unit->sym[n->sym].name : "";
	return strcmp(name, "threadIdx") == 0 || strcmp(name, "blockDim") == 0;
}

static bool is_dimension_x(const struct kt_node *n)
{
	const char *field = n->kind == KT_MEMBER && n->text ? n->text : "";
	return strcmp(field, "x") == 0;
}

static const char *callee(const struct uniformity *u, const struct kt_node *n)
{
	const char *name = n->kind != KT_CALL ? "" : n->fn ? u->unit->fn[n->fn].base : n->text;
	return name ? name : "";
}

static bool has_value(const struct kt_node *n, int64_t value)
{
	return n->flags & KT_F_VALUE && n->value == value;
}

/* Does n ask for y or z, or hand on all three? */
static bool asks_for_more(const struct uniformity *u, const struct kt_node *n)
{
	static const char *const more[] = {"__builtin_amdgcn_workitem_id_y",
		"__builtin_amdgcn_workitem_id_z", "__builtin_amdgcn_workgroup_size_y",
		"__builtin_amdgcn_workgroup_size_z", NULL};
	if (is_coordinate(u, n)) {
		return !n->parent || !is_dimension_x(n->parent);
	}
	const char *name = callee(u, n);
	if (str_is_any(str_of(name), more)) {
		return true;
	}
	bool local = strcmp(name, "__ockl_get_local_id") == 0 ||
		     strcmp(name, "__ockl_get_local_size") == 0;
	return local && !(n->n == 1 && has_value(n->child[0], 0));
}

static void mark_callers(struct uniformity *u, kt_id fn)
{
	const struct kt_node *const *call;
	size_t calls;
	if (u->flat[fn] == FLAT_NO) {
		return;
	}
	u->flat[fn] = FLAT_NO;
	facts_callers(&call, &calls, u->facts, fn);
	for (size_t i = 0; i < calls; i++) {
		mark_callers(u, facts_function_of(u->facts, call[i]));
	}
}

/* What calls may pass on: a kernel's blocks, to all that it reaches. */
static void pass_on(struct uniformity *u)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (kt_id fn = 1; fn < u->unit->fns; fn++) {
			const struct kt_node *const *call;
			size_t calls;
			facts_callers(&call, &calls, u->facts, fn);
			bool takes = u->unit->fn[fn].body && u->unit->fn[fn].kind != KT_FN_KERNEL;
			for (size_t i = 0; i < calls && takes; i++) {
				kt_id from = facts_function_of(u->facts, call[i]);
				if (u->flat[from] > u->flat[fn]) {
					u->flat[fn] = u->flat[from];
					changed = true;
				}
			}
		}
	}
}

void uniform_waves_start(struct uniformity *u)
{
	u->flat = ARENA_ARRAY(u->arena, enum flat, u->unit->fns);
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_node *body = u->unit->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (asks_for_more(u, n)) {
				mark_callers(u, fn);
				break;
			}
		}
	}
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_fn *f = &u->unit->fn[fn];
		bool kernel = f->kind == KT_FN_KERNEL;
		bool asks = u->flat[fn] == FLAT_NO;
		if (!kernel) {
			u->flat[fn] = facts_is_open(u->facts, fn) ? FLAT_NO : FLAT_KNOWN;
		} else if (f->threads != 0) {
			u->flat[fn] = f->flat ? FLAT_KNOWN : FLAT_NO;
		} else {
			u->flat[fn] = asks || u->unit->open ? FLAT_NO : FLAT_ASSUMED;
		}
	}
	pass_on(u);
}

/* ---- expressions ---- */

/* Is n threadIdx.x, through casts and variables that are never anything else? */
static bool is_thread_x(const struct walk *w, const struct kt_node *n)
{
	const struct kt_unit *unit = w->u->unit;
	while (n && (n->kind == KT_CAST || n->kind == KT_REF)) {
		const struct kt_type *t = &unit->type[n->type];
		if (t->kind != KT_T_INT || t->size < INDEX_BYTES || t->is_volatile) {
			return false;
		}
		if (n->kind == KT_CAST) {
			n = n->n ? n->child[0] : NULL;
			continue;
		}
		bool ours = kt_is_variable(unit, n->sym) && unit->sym[n->sym].fn == w->fn;
		const struct slot *s = ours ? &w->u->slot[n->sym] : NULL;
		n = s && !s->written && !s->exposed ? s->init : NULL;
	}
	if (n && is_dimension_x(n) && !(n->flags & KT_F_ARROW)) {
		const struct kt_node *base = n->child[KT_MEMBER_BASE];
		return base && base->kind == KT_REF && base->sym &&
		       strcmp(unit->sym[base->sym].name, "threadIdx") == 0 &&
		       unit->sym[base->sym].kind == KT_S_GLOBAL;
	}
	const char *name = n ? callee(w->u, n) : "";
	return strcmp(name, "__builtin_amdgcn_workitem_id_x") == 0 ||
	       (strcmp(name, "__ockl_get_local_id") == 0 && n->n == 1 && has_value(n->child[0], 0));
}

/* The builtin, or HIP's variable. */
static bool is_wave_size(const struct walk *w, const struct kt_node *n)
{
	const struct kt_unit *unit = w->u->unit;
	if (strcmp(callee(w->u, n), "__builtin_amdgcn_wavefrontsize") == 0) {
		return true;
	}
	const struct kt_sym *s = n->kind == KT_REF && n->sym ? &unit->sym[n->sym] : NULL;
	return s && strcmp(s->name, "warpSize") == 0 && unit->file[s->file].system &&
	       !kt_is_variable(unit, n->sym);
}

bool uniform_is_wave_number(const struct walk *w, const struct kt_node *n)
{
	if (!w->u->flat || w->wild || w->u->flat[w->fn] == FLAT_NO || n->n != 2 ||
		!is_thread_x(w, n->child[0])) {
		return false;
	}
	const struct kt_node *by = n->child[1];
	bool whole = by->flags & KT_F_VALUE && kt_type_of(w->u->unit, by)->kind == KT_T_INT;
	switch (n->op) {
	case KT_OP_DIV:
		return is_wave_size(w, by) || (whole && by->value > 0 && by->value % LANES == 0);
	case KT_OP_SHR:
		return whole && by->value >= 6 && by->value < 16;
	case KT_OP_LT:
	case KT_OP_GE:
		return whole && by->value >= 0 && by->value % LANES == 0;
	case KT_OP_LE:
	case KT_OP_GT:
		return whole && by->value >= 0 && (by->value + 1) % LANES == 0;
	default:
		return false;
	}
}
