#include "measure/isa/flow.h"

struct flow {
	const struct isa_function *f;
	struct arena *a;
	ARRAY(struct isa_block) block;
	uint32_t *block_of; /* first instruction of a block -> block, else ISA_NONE */
	bool failed;
};

static bool ends_block(const struct isa_insn *in)
{
	struct str m = in->mnemonic;
	return in->ends || str_starts(m, "s_cbranch") || str_is(m, "s_branch") ||
	       str_starts(m, "s_endpgm") || str_starts(m, "s_setpc");
}

/* A branch too far for its immediate is s_getpc, s_add_u32 sN, sN, (.LBB0_9-.Lpost_getpc0)&..., and
 * s_setpc. The label, or an empty view. */
static struct str far_label(const struct flow *w, uint32_t from, uint32_t setpc)
{
	for (uint32_t i = setpc; i > from; i--) {
		struct str ops = w->f->insn.v[i - 1].operands;
		size_t at = str_find(ops, "(.L", 0);
		size_t end = at == SIZE_MAX ? at : str_find(ops, "-", at);
		if (end != SIZE_MAX) {
			return str_sub(ops, at + 1, end);
		}
	}
	return (struct str){NULL, 0};
}

static uint32_t label_block(struct flow *w, struct str label)
{
	uintptr_t at = map_get(&w->f->label, label, UINTPTR_MAX);
	if (at >= w->f->insn.n || w->block_of[at] == ISA_NONE) {
		w->failed = true;
		return ISA_NONE;
	}
	return w->block_of[at];
}

static void find_edges(struct flow *w)
{
	for (uint32_t i = 0; i < w->block.n; i++) {
		struct isa_block *b = &w->block.v[i];
		const struct isa_insn *last = &w->f->insn.v[b->to - 1];
		b->next = i + 1 < w->block.n ? i + 1 : ISA_NONE;
		b->taken = ISA_NONE;
		if (str_starts(last->mnemonic, "s_cbranch")) {
			b->taken = label_block(w, isa_operand(last->operands, 0));
		} else if (str_is(last->mnemonic, "s_branch")) {
			b->taken = label_block(w, isa_operand(last->operands, 0));
			b->next = ISA_NONE;
		} else if (str_starts(last->mnemonic, "s_setpc")) {
			b->taken = label_block(w, far_label(w, b->from, b->to - 1));
			b->next = ISA_NONE;
		} else if (last->ends || str_starts(last->mnemonic, "s_endpgm")) {
			b->next = ISA_NONE;
		}
	}
}

static void find_blocks(struct flow *w)
{
	size_t n = w->f->insn.n;
	bool *leads = ARENA_ARRAY(w->a, bool, n);
	w->block_of = ARENA_ARRAY(w->a, uint32_t, n);
	leads[0] = true;
	for (size_t i = 0; i < w->f->label.n; i++) {
		if (w->f->label.entry[i].value < n) {
			leads[w->f->label.entry[i].value] = true;
		}
	}
	for (size_t i = 0; i + 1 < n; i++) {
		leads[i + 1] = leads[i + 1] || ends_block(&w->f->insn.v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		w->block_of[i] = leads[i] ? (uint32_t)w->block.n : ISA_NONE;
		if (leads[i]) {
			array_push(&w->block, (struct isa_block){.from = (uint32_t)i});
		}
		w->block.v[w->block.n - 1].to = (uint32_t)i + 1;
	}
}

bool isa_blocks_find(struct isa_blocks *out, struct arena *a, const struct isa_function *f)
{
	struct flow w = {.f = f, .a = a};
	*out = (struct isa_blocks){NULL, 0};
	if (f->insn.n == 0 || f->insn.n >= ISA_NONE) {
		return false;
	}
	find_blocks(&w);
	find_edges(&w);
	*out = (struct isa_blocks){array_to_arena(a, &w.block), w.block.n};
	array_release(&w.block);
	return !w.failed;
}
