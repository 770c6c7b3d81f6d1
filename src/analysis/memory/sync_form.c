#include "analysis/memory/sync_form.h"

#include <string.h>

#include "analysis/facts/launch.h"
#include "base/array.h"
#include "base/map.h"

enum {
	WRAPPERS_MAX = 4,
	CALLS_MAX = 4
};

static bool has_form(const struct facts *f, const struct kt_node *n, enum intrinsic_form form)
{
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(f, n) : NULL;
	return in && in->form == form;
}

static bool known_form(enum sync_kind *kind, const struct facts *f, const struct kt_node *call)
{
	static const enum intrinsic_form forms[] = {[SYNC_BLOCK] = FORM_BLOCK,
		[SYNC_BARE] = FORM_BARE,
		[SYNC_WAVE] = FORM_WAVE,
		[SYNC_VALUE] = FORM_VALUE};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (has_form(f, call, forms[i])) {
			*kind = (enum sync_kind)i;
			return true;
		}
	}
	return false;
}

/* Names and literals only: evaluating them does nothing. */
static bool is_inert(const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		if (at->kind != KT_REF && at->kind != KT_LITERAL && at->kind != KT_THIS &&
			at->kind != KT_CAST) {
			return false;
		}
	}
	return true;
}

static bool form(
	enum sync_kind *kind, const struct facts *f, const struct kt_node *call, unsigned depth)
{
	const struct kt_unit *u = facts_unit(f);
	if (call->kind != KT_CALL || depth > WRAPPERS_MAX) {
		return false;
	}
	if (known_form(kind, f, call)) {
		return true;
	}
	const struct kt_node *body = call->fn ? u->fn[call->fn].body : NULL;
	bool one = body && body->kind == KT_COMPOUND && body->n == 1;
	for (size_t i = 0; one && i < call->n; i++) {
		one = !call->child[i] || is_inert(call->child[i]);
	}
	if (one && form(kind, f, body->child[0], depth + 1)) {
		return *kind == SYNC_BLOCK;
	}
	/* fence, s_barrier, fence */
	enum sync_kind inner;
	one = body && body->kind == KT_COMPOUND && body->n == 3 && call->n == 0 &&
	      known_form(&inner, f, body->child[1]) && inner == SYNC_BARE &&
	      sync_fence_beside(f, body->child[1], true) &&
	      sync_fence_beside(f, body->child[1], false);
	*kind = SYNC_BLOCK;
	return one;
}

bool sync_form(enum sync_kind *kind, const struct facts *f, const struct kt_node *call)
{
	return form(kind, f, call, 0);
}

const struct kt_node *sync_fence_beside(
	const struct facts *f, const struct kt_node *call, bool before)
{
	const struct kt_node *up = call->parent;
	if (!up || up->kind != KT_COMPOUND || (before && call->slot == 0) ||
		(!before && call->slot + 1 >= up->n)) {
		return NULL;
	}
	const struct kt_node *n = up->child[before ? call->slot - 1 : call->slot + 1];
	size_t beyond = before ? n->slot - 1 : n->slot + 1;
	if (beyond < up->n && has_form(f, up->child[beyond], FORM_BARE)) {
		return NULL; /* it would serve two */
	}
	if (!has_form(f, n, FORM_FENCE) || n->n != 2) {
		return NULL;
	}
	const struct kt_node *order = n->child[0], *scope = n->child[1];
	struct str text = kt_source(facts_unit(f), scope);
	bool right = order->flags & KT_F_VALUE &&
		     (order->value == __ATOMIC_ACQ_REL || order->value == __ATOMIC_SEQ_CST ||
			     order->value == (before ? __ATOMIC_RELEASE : __ATOMIC_ACQUIRE));
	return right && str_is(text, "\"workgroup\"") ? n : NULL;
}

bool sync_is_adopted_fence(const struct facts *f, const struct kt_node *fence)
{
	const struct kt_node *up = fence->parent;
	if (!up || up->kind != KT_COMPOUND) {
		return false;
	}
	for (int side = -1; side <= 1; side += 2) {
		size_t at = fence->slot + (size_t)side;
		enum sync_kind kind;
		if (at < up->n && known_form(&kind, f, up->child[at]) && kind == SYNC_BARE &&
			sync_fence_beside(f, up->child[at], true) &&
			sync_fence_beside(f, up->child[at], false)) {
			return true;
		}
	}
	return false;
}

/* ---- conditions that differ per lane ---- */

/* What a value is made of, as far as names tell; more is worse. */
enum part {
	PART_NONE,
	PART_WAVE,   /* of the wave's number: the same for the lanes of a wave */
	PART_LANE_X, /* it is threadIdx.x */
	PART_LANE
};

static enum part part_of(const struct facts *f, const struct ids *lanes, const struct kt_node *n);

/* threadIdx.x / 64 and its like. Blocks of one dimension are assumed: who writes this does so,
 * too. */
static bool is_wave_number(const struct facts *f, const struct ids *lanes, const struct kt_node *n)
{
	return n->kind == KT_BINARY && part_of(f, lanes, n->child[0]) == PART_LANE_X &&
	       launch_is_wave_number(f, n);
}

static enum part part_of_name(
	const struct facts *f, const struct ids *lanes, const struct kt_node *n)
{
	if (launch_of_symbol(f, n->sym) != FORM_THREAD_INDEX) {
		return (enum part)ids_get(lanes, n->sym, PART_NONE);
	}
	bool x = n->parent && launch_value(f, n->parent).dimension == 'x';
	return x ? PART_LANE_X : PART_LANE;
}

/* What a call gives whose function is one return without calls of ours, or NULL: of such are the
 * names that people give the lane's number. */
static const struct kt_node *returned(const struct facts *f, const struct kt_node *call)
{
	const struct kt_node *body =
		call->kind == KT_CALL && call->fn ? facts_unit(f)->fn[call->fn].body : NULL;
	const struct kt_node *last = body && body->n == 1 ? body->child[0] : NULL;
	if (!last || last->kind != KT_RETURN || last->n != 1) {
		return NULL;
	}
	for (const struct kt_node *n = last->child[0]; n; n = kt_next(n, last->child[0])) {
		if (n->kind == KT_CALL && n->fn && facts_unit(f)->fn[n->fn].body) {
			return NULL;
		}
	}
	return last->child[0];
}

static enum part part_of(const struct facts *f, const struct ids *lanes, const struct kt_node *n)
{
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(f, n) : NULL;
	if (in && in->kind == INTRINSIC_LANE) {
		return launch_value(f, n).dimension == 'x' ? PART_LANE_X : PART_LANE;
	}
	if (n->kind == KT_REF && n->sym) {
		return part_of_name(f, lanes, n);
	}
	const struct kt_node *value = returned(f, n);
	enum part all = value ? part_of(f, lanes, value) : PART_NONE;
	for (size_t i = 0; i < n->n; i++) {
		enum part one = n->child[i] ? part_of(f, lanes, n->child[i]) : PART_NONE;
		all = one > all ? one : all;
	}
	bool same = n->kind == KT_CAST || n->kind == KT_MEMBER || n->kind == KT_VAR || value;
	bool agreed = in && in->form == FORM_FIRST_LANE;
	return all && (agreed || is_wave_number(f, lanes, n)) ? PART_WAVE
	       : all == PART_LANE_X && !same		      ? PART_LANE
							      : all;
}

/* The local that n declares or assigns, or 0. */
static kt_id local_set(const struct kt_unit *u, const struct kt_node *n)
{
	kt_id sym = n->kind == KT_VAR && n->n > 0 ? n->sym
		    : n->kind == KT_ASSIGN && n->n == 2 && n->child[0]->kind == KT_REF
			    ? n->child[0]->sym
			    : 0;
	return sym && u->sym[sym].kind == KT_S_LOCAL ? sym : 0;
}

static void find_lanes(struct ids *lanes, const struct facts *f, const struct kt_node *body)
{
	const struct kt_unit *u = facts_unit(f);
	ARRAY(const struct kt_node *) sets = {0};
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (local_set(u, n)) {
			array_push(&sets, n);
		}
	}
	bool more = true;
	while (more) {
		more = false;
		for (size_t i = 0; i < sets.n; i++) {
			const struct kt_node *n = sets.v[i];
			kt_id sym = local_set(u, n);
			enum part was = (enum part)ids_get(lanes, sym, PART_NONE);
			enum part is = part_of(f, lanes, n->child[n->n - 1]);
			bool changes = n->kind == KT_ASSIGN && n->op != KT_OP_NONE;
			is = changes && (is || was) ? PART_LANE : is;
			if (is > was) {
				ids_set(lanes, sym, is);
				more = true;
			}
		}
	}
	array_release(&sets);
}

static void release(void *what)
{
	ids_release(what);
}

/* The locals of a function that are made of the lane's number: enum part of each. */
static const struct ids *lanes_of(struct facts *f, kt_id fn)
{
	struct ids *lanes = facts_kept(f, FACTS_KEEP_LANES, fn);
	if (!lanes) {
		lanes = ARENA_NEW(facts_arena(f), struct ids);
		find_lanes(lanes, f, facts_unit(f)->fn[fn].body);
		facts_keep(f, FACTS_KEEP_LANES, fn, lanes, release);
	}
	return lanes;
}

static const struct kt_node *condition_of(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_IF:
		return n->child[KT_IF_COND];
	case KT_SWITCH:
		return n->child[KT_SWITCH_COND];
	case KT_FOR:
		return n->child[KT_FOR_COND];
	case KT_WHILE:
		return n->child[KT_WHILE_COND];
	case KT_DO:
		return n->child[KT_DO_COND];
	default:
		return NULL;
	}
}

static const struct kt_node *decides(struct facts *f, const struct kt_node *n)
{
	const struct ids *lanes = lanes_of(f, facts_function_of(f, n));
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		const struct kt_node *c = condition_of(up);
		if (c && c != n && part_of(f, lanes, c)) {
			return c;
		}
	}
	return NULL;
}

/* The outermost statement around a return in front of n that lanes do not get behind: it takes all
 * that come to it out of the function, by this way or another. */
static const struct kt_node *whole_way_out(
	struct facts *f, const struct kt_node *way, const struct kt_node *n)
{
	const struct kt_node *out = way;
	for (const struct kt_node *up = way->parent; up && up->end <= n->begin; up = up->parent) {
		out = facts_always_returns(f, up) ? up : out;
	}
	return out;
}

/* In n's own function. */
static const struct kt_node *diverges_here(struct facts *f, const struct kt_node *n)
{
	const struct kt_node *c = decides(f, n);
	const struct kt_node *root = n;
	while (root->parent) {
		root = root->parent;
	}
	/* lanes that left before */
	for (const struct kt_node *at = root; at && !c; at = kt_next(at, root)) {
		if (at->kind == KT_RETURN && at->begin < n->begin) {
			c = decides(f, whole_way_out(f, at, n));
		}
	}
	return c;
}

static const struct kt_node *diverges(struct facts *f, const struct kt_node *n, unsigned depth)
{
	const struct kt_node *c = diverges_here(f, n);
	kt_id fn = facts_function_of(f, n);
	if (c || !fn || depth == CALLS_MAX) {
		return c;
	}
	const struct kt_node *const *call;
	size_t calls;
	facts_callers(&call, &calls, f, fn);
	for (size_t i = 0; i < calls && !c; i++) {
		c = diverges(f, call[i], depth + 1);
	}
	return c;
}

const struct kt_node *sync_divergent(struct facts *f, const struct kt_node *n)
{
	return diverges(f, n, 0);
}

bool sync_parts_waves(struct facts *f, const struct kt_node *cond)
{
	return part_of(f, lanes_of(f, facts_function_of(f, cond)), cond) == PART_WAVE;
}
