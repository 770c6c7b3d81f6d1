#include "measure/isa/block_cost.h"

#include <string.h>
#include "measure/isa/exec.h"
#include "measure/isa/stall.h"
#include "target/issue.h"

struct block_costs {
	const struct isa_function *f;
	const struct isa_blocks *b;
	const struct target *t;
	struct arena *a;
	struct path_cost *of_block;
	uint16_t *cycles; /* of each instruction */
};

/* The kinds of work: the first kind that a kernel has counts. */
enum work {
	WORK_MATRIX,
	WORK_FMA,
	WORK_FLOAT,
	WORK_NONE
};

static enum work work_of(struct str m)
{
	static const char *const fma[] = {
		"v_fma", "v_pk_fma", "v_dot", "v_dual_fma", "v_mad_f", "v_mac_f", NULL};
	static const char *const other[] = {"v_add_f", "v_sub_f", "v_mul_f", "v_max_f", "v_min_f",
		"v_pk_add_f", "v_pk_mul_f", "v_dual_add_f", "v_dual_mul_f", NULL};
	return isa_is_matrix(m)		  ? WORK_MATRIX
	       : str_starts_any(m, fma)	  ? WORK_FMA
	       : str_starts_any(m, other) ? WORK_FLOAT
					  : WORK_NONE;
}

/* The accesses that an instruction starts or waits for. Up to gfx11 the counters are operands of
 * s_waitcnt; from gfx12 on each has its own instruction. */
struct waiting {
	bool begins[STALL_KINDS];
	bool loads;
	bool waits[STALL_KINDS];
	uint8_t left[STALL_KINDS]; /* most outstanding after it */
};

static bool reads_left(struct str operands, const char *counter, uint8_t *left)
{
	size_t at = str_find(operands, counter, 0);
	int64_t n = 0;
	if (at != SIZE_MAX) {
		struct str rest = str_sub(operands, at + strlen(counter), operands.n);
		size_t end = str_find(rest, ")", 0);
		str_to_i64(str_sub(rest, 1, end == SIZE_MAX ? rest.n : end), &n);
		*left = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	}
	return at != SIZE_MAX;
}

static struct waiting waiting_of(const struct isa_insn *in, bool stores_count)
{
	static const char *const memory[] = {"global_", "flat_", "buffer_", "scratch_", NULL};
	static const char *const shorts[] = {"ds_", "s_load", "s_buffer_load", NULL};
	static const char *const new[] = {"s_wait_loadcnt", "s_wait_dscnt", "s_wait_kmcnt", NULL};
	struct str m = in->mnemonic;
	bool store = str_find(m, "store", 0) != SIZE_MAX || str_starts(m, "ds_write");
	bool cache = str_starts(m, "buffer_wb") || str_starts(m, "buffer_inv") ||
		     str_starts(m, "buffer_gl") || str_starts(m, "global_wb") ||
		     str_starts(m, "global_inv");
	struct waiting w = {.loads = !store};
	w.begins[STALL_BY_MEMORY] = str_starts_any(m, memory) && !cache && (!store || stores_count);
	w.begins[STALL_BY_SHORT] = str_starts_any(m, shorts);
	if (str_is(m, "s_waitcnt")) {
		w.waits[STALL_BY_MEMORY] =
			reads_left(in->operands, "vmcnt", &w.left[STALL_BY_MEMORY]);
		w.waits[STALL_BY_SHORT] =
			reads_left(in->operands, "lgkmcnt", &w.left[STALL_BY_SHORT]);
	} else if (str_starts_any(m, new)) {
		enum stall_kind kind =
			str_is(m, "s_wait_loadcnt") ? STALL_BY_MEMORY : STALL_BY_SHORT;
		int64_t n = 0;
		str_to_i64(in->operands, &n);
		w.waits[kind] = true;
		w.left[kind] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	}
	return w;
}

/* The wait cycles of a block, if the last loads before it arrive in that many cycles. */
static void wait_for_loads(struct stall *s, const struct block_costs *c, size_t block,
	const struct waiting *waiting, const uint16_t left[STALL_KINDS])
{
	int64_t waits = 0;
	stall_begin(s, left);
	for (uint32_t k = c->b->v[block].from; k < c->b->v[block].to; k++) {
		const struct waiting *w = &waiting[k];
		s->now += c->cycles[k];
		for (unsigned kind = 0; kind < STALL_KINDS; kind++) {
			if (w->begins[kind]) {
				stall_open(s, (enum stall_kind)kind, w->loads);
			}
			if (w->waits[kind]) {
				waits += stall_wait(s, (enum stall_kind)kind, w->left[kind]);
			}
		}
	}
	c->of_block[block].waits = waits;
}

/* Outstanding loads carry over to the successors, also from a loop's end to its start. */
static void find_waits(const struct block_costs *c)
{
	struct waiting *waiting = ARENA_ARRAY(c->a, struct waiting, c->f->insn.n);
	uint16_t(*left)[STALL_KINDS] = arena_alloc(c->a, c->b->n * sizeof(*left));
	bool more = true;
	for (size_t i = 0; i < c->f->insn.n; i++) {
		waiting[i] = waiting_of(&c->f->insn.v[i], str_starts(str_of(c->t->name), "gfx9"));
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < c->b->n; i++) {
			const struct isa_block *b = &c->b->v[i];
			struct stall s;
			wait_for_loads(&s, c, i, waiting, left[i]);
			more |= b->next != ISA_NONE && stall_end(&s, left[b->next]);
			more |= b->taken != ISA_NONE && stall_end(&s, left[b->taken]);
		}
	}
}

struct path_cost *isa_block_costs_find(struct arena *a, const struct isa_function *f,
	const struct isa_blocks *b, const struct target *t, bool has_scratch)
{
	enum work kind = WORK_NONE;
	const struct block_costs costs = {.f = f,
		.b = b,
		.t = t,
		.a = a,
		.of_block = ARENA_ARRAY(a, struct path_cost, b->n),
		.cycles = ARENA_ARRAY(a, uint16_t, f->insn.n)};
	for (size_t i = 0; i < f->insn.n; i++) {
		enum work w = work_of(f->insn.v[i].mnemonic);
		kind = w < kind ? w : kind;
	}
	for (size_t i = 0; i < b->n; i++) {
		struct path_cost *c = &costs.of_block[i];
		for (uint32_t k = b->v[i].from; k < b->v[i].to; k++) {
			const struct isa_insn *in = &f->insn.v[k];
			struct str m = in->mnemonic;
			uint16_t cycles = (uint16_t)issue_cycles(t, m);
			enum work w = work_of(m);
			costs.cycles[k] = cycles;
			c->cycles += cycles;
			c->scalar += str_starts(m, "s_") ? cycles : 0;
			c->work += w == kind && w != WORK_NONE ? cycles : 0;
			c->matrix += w == WORK_MATRIX;
			c->branches += str_starts(m, "s_cbranch") || str_is(m, "s_branch");
			c->scratch += has_scratch && isa_is_scratch(in);
		}
	}
	find_waits(&costs);
	return costs.of_block;
}
