#include "analysis/facts/sync_form.h"

#include "analysis/facts/asm.h"

enum {
	WRAPPERS_MAX = 4
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
		[SYNC_VALUE] = FORM_VALUE,
		[SYNC_GRID] = FORM_GRID};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (has_form(f, call, forms[i])) {
			*kind = (enum sync_kind)i;
			return true;
		}
	}
	return false;
}

bool sync_is_wrapped(enum sync_kind kind)
{
	return kind == SYNC_BLOCK || kind == SYNC_GRID || kind == SYNC_ASM;
}

static bool form(enum sync_kind *kind, struct facts *f, const struct kt_node *call, unsigned depth)
{
	const struct kt_unit *u = facts_unit(f);
	if (asm_is_barrier(facts_intrinsics(f), call)) {
		*kind = SYNC_ASM;
		return true;
	}
	if (call->kind != KT_CALL || depth > WRAPPERS_MAX) {
		return false;
	}
	if (known_form(kind, f, call)) {
		return true;
	}
	const struct kt_node *body = call->fn ? u->fn[call->fn].body : NULL;
	bool one = body && body->kind == KT_COMPOUND && body->n == 1;
	for (size_t i = 0; one && i < call->n; i++) {
		one = !call->child[i] || !facts_acts(f, call->child[i]);
	}
	if (one && form(kind, f, body->child[0], depth + 1)) {
		return sync_is_wrapped(*kind);
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

bool sync_form(enum sync_kind *kind, struct facts *f, const struct kt_node *call)
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
		return NULL; /* it would belong to two */
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
