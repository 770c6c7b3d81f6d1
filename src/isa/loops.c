/* The loops of a program, by its control flow (measure/isa/loops.h). */
#include "isa/loops.h"

#include "isa/machine.h"
#include "isa/table.h"
#include "measure/isa/loops.h"

static bool is_special(const struct isa_op *op, enum isa_special special)
{
	return op->row->form == ISA_SPECIAL && op->row->special == special;
}

static bool is_named(const struct isa_op *op, const char *name)
{
	return str_is(str_of(op->row->name), name);
}

/* A call does not end a block: it returns to the next instruction. */
static bool ends_block(const struct isa_op *op)
{
	bool jumps = isa_op_class(op) == ISA_CLASS_BRANCH && !is_special(op, ISA_CALL);
	return jumps || is_special(op, ISA_END);
}

/* The target of a far branch, which adds a constant to s_getpc_b64's result and jumps there. p->ops
 * for other jumps, such as a return. */
static size_t far_target(const struct isa_program *p, size_t setpc)
{
	uint16_t reg = p->op[setpc].o[0].reg;
	uint64_t by = 0;
	for (size_t i = setpc; i-- > 0 && !ends_block(&p->op[i]);) {
		const struct isa_op *op = &p->op[i];
		const struct isa_operand *o = &op->o[2];
		if (is_special(op, ISA_GETPC) && op->o[0].reg == reg) {
			return by ? isa_code_number(p, isa_code_after(p, i) + by) : p->ops;
		}
		bool constant = o->kind == ISA_OPERAND_CONSTANT;
		if (constant && is_named(op, "s_add_u32") && op->o[0].reg == reg) {
			by += (uint32_t)o->value;
		} else if (constant && is_named(op, "s_addc_u32") && op->o[0].reg == reg + 1) {
			by += o->value << 32;
		}
	}
	return p->ops;
}

/* The target of the jump at a block's end; p->ops: none, or unknown. */
static size_t target_of(const struct isa_program *p, size_t last)
{
	const struct isa_op *op = &p->op[last];
	if (!ends_block(op) || is_special(op, ISA_END)) {
		return p->ops;
	}
	if (is_special(op, ISA_SETPC)) {
		return far_target(p, last);
	}
	return op->o[0].kind == ISA_OPERAND_LABEL ? (size_t)op->o[0].value : p->ops;
}

static bool falls_through(const struct isa_op *op)
{
	return !is_special(op, ISA_BRANCH) && !is_special(op, ISA_SETPC) &&
	       !is_special(op, ISA_END);
}

static void find_blocks(struct isa_blocks *out, struct arena *a, const struct isa_program *p)
{
	bool *leads = ARENA_ARRAY(a, bool, p->ops + 1);
	uint32_t *number = ARENA_ARRAY(a, uint32_t, p->ops + 1);
	leads[0] = true;
	for (size_t i = 0; i < p->ops; i++) {
		leads[i + 1] |= ends_block(&p->op[i]);
		leads[target_of(p, i)] = true;
	}
	*out = (struct isa_blocks){ARENA_ARRAY(a, struct isa_block, p->ops), 0};
	for (size_t i = 0; i < p->ops; i++) {
		if (leads[i]) {
			out->v[out->n++].from = (uint32_t)i;
		}
		number[i] = (uint32_t)out->n - 1;
		out->v[number[i]].to = (uint32_t)i + 1;
	}
	for (uint32_t i = 0; i < out->n; i++) {
		struct isa_block *b = &out->v[i];
		size_t to = target_of(p, b->to - 1);
		b->taken = to < p->ops ? number[to] : ISA_NONE;
		b->next = i + 1 < out->n && falls_through(&p->op[b->to - 1]) ? i + 1 : ISA_NONE;
	}
}

static bool leads_to_head(const struct isa_block *b, const struct isa_loop *l)
{
	for (size_t i = 0; i < l->heads; i++) {
		if (b->next == l->head[i] || b->taken == l->head[i]) {
			return true;
		}
	}
	return false;
}

/* The place of the last back edge to a header, or of the closest instruction of the loop before it
 * with a line. */
static struct isa_place place_of(
	const struct isa_program *p, const struct isa_blocks *b, const struct isa_loop *l)
{
	size_t k = l->blocks;
	while (k > 1 && !leads_to_head(&b->v[l->block[k - 1]], l)) {
		k--;
	}
	for (; k > 0; k--) {
		const struct isa_block *in = &b->v[l->block[k - 1]];
		for (size_t i = in->to; i-- > in->from;) {
			if (p->place[i].line) {
				return p->place[i];
			}
		}
	}
	return p->place[b->v[l->head[0]].from];
}

size_t isa_code_loops(struct isa_code_loop **out, struct arena *a, const struct isa_program *p)
{
	struct isa_blocks b;
	struct isa_loops found;
	find_blocks(&b, a, p);
	isa_loops_find(&found, a, &b);
	*out = ARENA_ARRAY(a, struct isa_code_loop, found.n);
	for (size_t i = 0; i < found.n; i++) {
		const struct isa_loop *l = &found.v[i];
		struct isa_code_loop *o = &(*out)[i];
		*o = (struct isa_code_loop){.blocks = l->blocks,
			.heads = l->heads,
			.depth = l->depth,
			.place = place_of(p, &b, l),
			.block = ARENA_ARRAY(a, struct isa_block, l->blocks),
			.head = ARENA_ARRAY(a, size_t, l->heads)};
		for (size_t k = 0; k < l->blocks; k++) {
			o->block[k] = b.v[l->block[k]];
		}
		for (size_t k = 0; k < l->heads; k++) {
			o->head[k] = b.v[l->head[k]].from;
		}
	}
	return found.n;
}
