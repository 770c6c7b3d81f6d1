#include "analysis/merge/exit.h"

static const struct kt_node *loop_condition(const struct kt_node *loop)
{
	const struct kt_node *c =
		loop->kind == KT_RANGE_FOR ? loop->child[KT_RANGE_RANGE] : kt_loop_condition(loop);
	return c && c->flags & KT_F_VALUE ? NULL : c;
}

/* Does the loop have another exit? */
static bool leaves_elsewhere(struct facts *f, const struct kt_node *iff)
{
	const struct kt_node *block = iff->parent;
	bool breaks = loop_condition(block->parent) != NULL;
	for (size_t i = 0; i < block->n && !breaks; i++) {
		breaks = i != iff->slot &&
			 facts_effects(f, block->child[i]).flags & (FX_BREAK | FX_RETURN);
	}
	return breaks;
}

/* Does the compiler merge the break into the loop's bound? It does so if the break is first in the
 * loop and tests only registers, and if it does not unroll the loop completely. */
static bool joins_bound(struct facts *f, const struct kt_node *iff)
{
	const struct kt_node *c = loop_condition(iff->parent->parent);
	struct fx fx = facts_effects(f, iff->child[KT_IF_COND]);
	bool plain = iff->slot == 0 && fx.flags == 0 && fx.writes.n == 0;
	for (size_t i = 0; i < fx.reads.n && plain; i++) {
		plain = LOC_IS_VAR(fx.reads.v[i]) && facts_is_private(f, fx.reads.v[i]);
	}
	return plain && c && c->kind == KT_BINARY && !(c->child[1]->flags & KT_F_VALUE);
}

bool exit_parts(struct facts *f, const struct kt_node *iff)
{
	return leaves_elsewhere(f, iff) && !joins_bound(f, iff);
}
