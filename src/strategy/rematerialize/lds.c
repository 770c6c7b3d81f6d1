/*
 * LDS that no lane writes any more: rematerialize's clause 6 accepts it although barriers follow.
 *
 *	__shared__ f16x4 tile[N];          static, the kernel's own
 *	fill(tile);                        all its writes, by any lane ...
 *	__syncthreads();                   ... are before a barrier that every lane reaches
 *	load(q, tile);
 *	for (...) {
 *		__syncthreads();           of other memory
 *		step(acc, q);
 *	}                                  and no statement up to the kernel's end writes it
 *
 * A lane passes that barrier only after all lanes of the workgroup have reached it, that is, after
 * all writes; other workgroups have their own LDS. So every load after the barrier reads the same
 * value, in any phase of the other waves.
 *
 * The text shows that every lane reaches this barrier: it is a statement of the kernel's outermost
 * block, as are all barriers before it, and no statement there returns.
 */
#include "analysis/arms/overlay.h"
#include "analysis/facts/sync_form.h"
#include "strategy/rematerialize/rematerialize.h"

static bool is_barrier(const struct fragment_plan *r, const struct kt_node *n)
{
	enum sync_kind kind;

	return n->kind == KT_CALL && sync_form(&kind, r->f, n) && kind == SYNC_BLOCK;
}

/* May the code write memory that its effects do not name? */
static bool hides(const struct fx *fx)
{
	return fx->flags & (FX_UNKNOWN | FX_ASM | FX_ASYNC | FX_GOTO | FX_LABEL);
}

static bool fills(struct fragment_plan *r, const struct kt_node *n)
{

	struct fx fx = facts_effects(r->f, n);
	bool straight = !(fx.flags & (FX_RETURN | FX_TRAP)) && !hides(&fx);
	return is_barrier(r, n) || (straight && !(fx.flags & FX_BARRIER));
}

static bool leaves_alone(struct fragment_plan *r, const struct kt_node *n, loc_id loc)
{
	const struct locset one = {&loc, 1, 1};

	struct fx fx = facts_effects(r->f, n);
	return !hides(&fx) && !facts_sets_alias(r->f, &one, &fx.writes);
}

/* Is it declared in that block, so that no other function uses it and no loop declares it again?
 * Arrays without a size (extern) all share memory. */
static bool is_own_lds(const struct fragment_plan *r, loc_id loc, const struct kt_node *body)
{
	const struct kt_sym *s = LOC_IS_VAR(loc) ? &r->u->sym[LOC_SYM(loc)] : NULL;
	const struct match_arm all = {(const struct kt_node *const *)body->child, body->n};

	return s && s->space == KT_SHARED && r->u->type[s->type].size > 0 &&
	       overlay_declares(&all, LOC_SYM(loc));
}

bool fragment_lds_is_final(struct fragment_plan *r, loc_id loc)
{
	const struct kt_fn *fn = &r->u->fn[r->in->fn];
	const struct kt_node *body = fn->body;
	const struct kt_node *load = kt_child_around(r->in->decl, body);
	size_t barrier = load ? load->slot : 0;

	if (fn->kind != KT_FN_KERNEL || !is_own_lds(r, loc, body)) {
		return false;
	}
	while (barrier > 0 && !is_barrier(r, body->child[barrier - 1])) {
		barrier--;
	}
	bool final = barrier > 0;
	for (size_t i = 0; final && i < body->n; i++) {
		const struct kt_node *n = body->child[i];
		final = i < barrier ? fills(r, n) : leaves_alone(r, n, loc);
	}
	return final;
}
