/*
 * The wave's number: in a block of one dimension the lanes of a wave are neighbours in x, so
 * threadIdx.x / 64 is the same for all of them, and so is threadIdx.x < 128, for waves of 32 and of
 * 64 lanes. (threadIdx.x / 32 is not if waves have 64 lanes.)
 *
 * Blocks are flat if all launches in the unit's host code are. For a kernel without a launch this
 * is unknown: it is assumed if neither the kernel nor its callees use another dimension of the
 * block.
 */
#include "analysis/facts/launch.h"
#include "analysis/lanes/uniform_walk.h"

enum {
	INDEX_BYTES = 2,
	SHIFT_MAX = 30,
	/* lanes of the widest wave; a multiple of 32, so its waves contain whole waves of 32 */
	LANES = 64
};

/* ---- blocks ---- */

/* Does n use y or z, or pass on all three? */
static bool asks_for_more(const struct uniformity *u, const struct kt_node *n)
{
	struct launch_value v = launch_value(u->facts, n);
	bool block = v.form == FORM_THREAD_INDEX || v.form == FORM_BLOCK_SIZE;
	bool member = n->kind == KT_REF && n->parent && n->parent->kind == KT_MEMBER;
	return block && v.dimension != 'x' && !member; /* else the member around it decides */
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

/* Passes the shape of a kernel's blocks to all functions that it reaches. */
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

/* Is n threadIdx.x, also through casts and variables that only have this value? */
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
	struct launch_value v = n ? launch_value(w->u->facts, n) : (struct launch_value){0};
	return v.form == FORM_THREAD_INDEX && v.dimension == 'x';
}

static bool numbers_waves(const struct walk *w, const struct kt_node *n, unsigned lanes)
{
	return n->n == 2 && launch_is_wave_number(w->u->facts, n, lanes) &&
	       is_thread_x(w, n->child[0]);
}

static unsigned lanes_of(const struct walk *w)
{
	unsigned lanes = w->u->unit->wave_size;
	return lanes ? lanes : LANES;
}

bool uniform_numbers_waves(const struct walk *w, const struct kt_node *n)
{
	return numbers_waves(w, n, lanes_of(w));
}

bool uniform_may_number_waves(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *by = n->child[1];
	int64_t lanes = lanes_of(w);
	bool known = by->flags & KT_F_VALUE;
	switch (n->op) {
	case KT_OP_DIV:
		return !known || by->value >= lanes;
	case KT_OP_SHR:
		return !known || by->value < 0 || by->value > SHIFT_MAX ||
		       INT64_C(1) << by->value >= lanes;
	case KT_OP_AND:
		return !known || !(by->value & (lanes - 1));
	case KT_OP_OR:
		return !known || (by->value & (lanes - 1)) == lanes - 1;
	case KT_OP_LT: /* threadIdx.x % 256 < 128 */
	case KT_OP_GE:
		return known && by->value && by->value % lanes == 0;
	case KT_OP_GT:
	case KT_OP_LE:
		return known && (by->value + 1) % lanes == 0;
	default:
		return false;
	}
}

bool uniform_is_row_of_block(const struct walk *w, const struct kt_node *n)
{
	struct launch_value v = n->kind == KT_MEMBER || n->kind == KT_CALL
					? launch_value(w->u->facts, n)
					: (struct launch_value){0};
	return v.form == FORM_THREAD_INDEX && (v.dimension == 'y' || v.dimension == 'z');
}

bool uniform_is_wave_number(const struct walk *w, const struct kt_node *n)
{
	return w->u->flat && !w->opaque && w->u->flat[w->fn] != FLAT_NO &&
	       numbers_waves(w, n, LANES);
}
