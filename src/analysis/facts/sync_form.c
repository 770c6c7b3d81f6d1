#include "analysis/facts/sync_form.h"

#include "analysis/facts/asm.h"

#include <string.h>

enum {
	WRAPPERS_MAX = 4
};

/* ---- groups ---- */

static bool is_of(const struct kt_unit *u, const struct kt_node *n, const char *class)
{
	struct str type = kt_type_bare(kt_object_type(u, n->type), true);
	return str_starts(type, "cooperative_groups::") && str_ends(type, class);
}

/* Is the variable set only where it is declared? */
static bool is_kept(const struct kt_unit *u, kt_id sym)
{
	const struct kt_node *body = u->fn[u->sym[sym].fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		const struct kt_node *up = kt_names(n, sym) ? n->parent : NULL;
		bool passed =
			up && up->kind == KT_CALL && !(up->flags & KT_F_METHOD && n->slot == 0);
		kt_id param = passed ? kt_param_of(u, n) : 0;
		bool open = passed && (!param || kt_is_reference(u, param)) &&
			    !(param && u->type[u->type[u->sym[param].type].elem].is_const);
		if (up && (open || up->kind == KT_UNARY || kt_is_target(n))) {
			return false;
		}
	}
	return body;
}

static const struct kt_node *declared(const struct kt_unit *u, kt_id sym)
{
	const struct kt_node *body = u->fn[u->sym[sym].fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_VAR && n->sym == sym) {
			return n->n ? n->child[0] : NULL;
		}
	}
	return NULL;
}

/* Is the group the block, also where its type is that of any group: a thread_group that was made of
 * a thread_block, here or by all callers? */
static bool is_block(struct facts *f, const struct kt_node *n, unsigned depth)
{
	const struct kt_unit *u = facts_unit(f);
	while (n && (n->kind == KT_CONSTRUCT || n->kind == KT_CAST) && n->n == 1 &&
		!is_of(u, n, "::thread_block")) {
		n = n->child[0];
	}
	if (!n || is_of(u, n, "::thread_block")) {
		return n;
	}
	if (depth > WRAPPERS_MAX || n->kind != KT_REF || !kt_is_variable(u, n->sym) ||
		!is_of(u, n, "::thread_group") || !is_kept(u, n->sym)) {
		return false;
	}
	const struct kt_sym *s = &u->sym[n->sym];
	if (s->kind != KT_S_PARAM) {
		return is_block(f, declared(u, n->sym), depth + 1);
	}
	const struct kt_node *const *call;
	size_t calls, nth = 0;
	const struct kt_fn *fn = &u->fn[s->fn];
	facts_callers(&call, &calls, f, s->fn);
	while (nth < fn->params && fn->param[nth] != n->sym) {
		nth++;
	}
	bool all = calls > 0 && !facts_is_open(f, s->fn);
	for (size_t i = 0; i < calls && all; i++) {
		size_t at = nth + (call[i]->flags & KT_F_METHOD ? 1 : 0);
		all = at < call[i]->n && is_block(f, call[i]->child[at], depth + 1);
	}
	return all;
}

/* group.sync() by the class of all groups, which asks the object what it is */
static bool syncs_block(struct facts *f, const struct kt_node *n)
{
	const struct kt_unit *u = facts_unit(f);
	const struct kt_node *group = n->kind == KT_CALL && n->n == 1 && n->fn ? n->child[0] : NULL;
	return group && n->flags & KT_F_METHOD && strcmp(u->fn[n->fn].base, "sync") == 0 &&
	       is_of(u, group, "::thread_group") && is_block(f, group, 0);
}

/* ---- forms ---- */

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
	if (syncs_block(f, call)) {
		*kind = SYNC_BLOCK;
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
