#include "measure/isa/round.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "measure/isa/flow.h"

/*
 * ALGORITHM
 *
 * Instructions are counted once each, a packed one as two. Whether an add's operand is a product is
 * found by forward data flow over the blocks: a register holds a product from the multiply on,
 * through moves, selects, conversions and spills, until it is overwritten. At joins it may hold one
 * if it does on any path.
 *
 * Of two products that are added, one is fused with the add. The choice is visible if they differ:
 * in the signs of the FMA's addend and product; for packed operations, in the half of the pair that
 * the addend comes from; in whether the addend is a product of another block, which LLVM cannot
 * fuse (it had moved what two arms have in common in front of their if); and if only one product
 * has a factor that is a result of float arithmetic.
 * If a kernel fuses one product of such a pair in one place and the other one elsewhere, the number
 * of float operations before in the block tells them apart.
 *
 * v_mad and v_mac round like a multiply and an add (LLVM's ISD::FMAD): they count as both.
 */

enum {
	VGPRS = 1024,
	AGPRS = 512,
	SGPRS = 106, /* without VCC */
	REGS = VGPRS + AGPRS + SGPRS,
	SPILLED = REGS, /* in memory of the lane */
	SOURCES = 3,
	WRITES_MAX = 64,
	PASSES_MAX = 256
};

enum kind {
	KIND_OTHER, /* writes its first operand */
	KIND_NONE,  /* writes no register */
	KIND_COPY,
	KIND_SPILL,
	KIND_RELOAD,
	KIND_MUL,
	KIND_ADD,
	KIND_MAD,
	KIND_FMA
};

struct regs {
	uint16_t lo;
	uint16_t n;
};

enum how {
	HOW_ADDEND_NEGATED = 1,
	HOW_PRODUCT_NEGATED = 2,
	HOW_OTHER_HALF = 4,
	HOW_OTHER_BLOCK = 8
};

struct op {
	uint8_t kind;
	uint8_t width;
	uint8_t lanes;
	uint8_t addend;	 /* index of an FMA's addend; SOURCES: the destination */
	uint8_t how[2];	 /* of each lane */
	uint8_t half[2]; /* per lane: a bit for each source read from its upper half */
	struct regs dst;
	struct regs src[SOURCES];
};

/* What a register may hold, as bits. */
enum {
	HOLDS_PRODUCT = 1,
	HOLDS_SUM = 2,	  /* a result of float arithmetic */
	HOLDS_OF_SUM = 4, /* a product with such a factor */
	HOLDS_OWN = 8	  /* a product of the block itself */
};

struct state {
	uint8_t holds[REGS + 1];
};

struct rounds {
	const struct isa_function *f;
	struct arena *a;
	struct isa_blocks block;
	ARRAY(struct op) op;
	uint32_t *first; /* per instruction: index in op; plus an end */
	struct state *in;
	bool *dirty;
	uint16_t *depth; /* per register: float operations before it in the block */
	ARRAY(uint64_t) chosen;
};

/* ---- mnemonics ---- */

static bool cut(struct str *s, const char *head)
{
	if (!str_starts(*s, head)) {
		return false;
	}
	*s = str_sub(*s, strlen(head), s->n);
	return true;
}

static bool cut_any(struct str *s, const char *const *heads)
{
	for (; *heads; heads++) {
		if (cut(s, *heads)) {
			return true;
		}
	}
	return false;
}

/* The float type in "f32_e32", "legacy_f32"; false for integers. */
static bool float_width(struct str s, uint8_t *width)
{
	static const struct {
		const char *name;
		enum round_width width;
	} names[] = {{"f16", ROUND_F16}, {"bf16", ROUND_BF16}, {"f32", ROUND_F32},
		{"f64", ROUND_F64}, {"legacy_f", ROUND_F32}, {"dx9_zero_f", ROUND_F32}};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_starts(s, names[i].name)) {
			*width = (uint8_t)names[i].width;
			return true;
		}
	}
	return false;
}

/* Mixed-precision operations compute in f32, independent of their operands. */
static bool mixed(struct op *o, struct str name, const char *head, enum kind kind)
{
	if (!str_starts(name, head)) {
		return false;
	}
	o->kind = (uint8_t)kind;
	o->width = ROUND_F32;
	return true;
}

static bool arithmetic(struct op *o, struct str name)
{
	enum {
		HEADS = 5
	};
	static const struct {
		const char *heads[HEADS];
		enum kind kind;
	} kinds[] = {
		{{"fma_", "fmac_", "fmaak_", "fmamk_"}, KIND_FMA},
		{{"mad_", "mac_", "madak_", "madmk_"}, KIND_MAD},
		{{"mul_"}, KIND_MUL},
		{{"add_", "sub_", "subrev_"}, KIND_ADD},
	};
	if (mixed(o, name, "fma_mix", KIND_FMA) || mixed(o, name, "mad_mix", KIND_MAD)) {
		return true;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct str rest = name;
		if (cut_any(&rest, kinds[i].heads) && float_width(rest, &o->width)) {
			o->kind = (uint8_t)kinds[i].kind;
			return true;
		}
	}
	return false;
}

/* Is it a dot product of floats: "dot2_f32_f16", "dot2c_f32_bf16"? */
static bool dot(struct op *o, struct str name)
{
	uint8_t width;
	size_t at = str_starts(name, "dot") ? str_find(name, "_", 0) : SIZE_MAX;
	if (at == SIZE_MAX || !float_width(str_sub(name, at + 1, name.n), &width)) {
		return false;
	}
	o->kind = KIND_FMA;
	o->width = ROUND_DOT;
	return true;
}

/* Does it copy the bits of one of its sources? */
static bool copies(struct str name)
{
	static const char *const heads[] = {"mov_b", "accvgpr_", "cndmask_", "swap_b",
		"pack_b32_f16", "perm_b32", "readlane_", "readfirstlane_", "cvt_f", "cvt_pk",
		"cvt_bf", "xor_b", "and_b", "or_b", "and_or_b", "bfi_b", "lshl_or_b", "lshlrev_b",
		"lshrrev_b", NULL};
	return cut_any(&name, heads);
}

static void classify(struct op *o, const struct isa_insn *in, struct str mnemonic)
{
	struct str name = mnemonic;
	bool valu = cut(&name, "v_");
	*o = (struct op){.kind = KIND_NONE, .lanes = 1};
	if (valu || cut(&name, "s_")) {
		cut(&name, "dual_");
		o->lanes = cut(&name, "pk_") ? 2 : 1;
		o->kind = copies(name)		    ? KIND_COPY
			  : str_starts(name, "cmp") ? KIND_NONE
						    : KIND_OTHER;
		if (!arithmetic(o, name)) {
			dot(o, name);
		}
	} else if (str_find(in->comment, "Folded Spill", 0) != SIZE_MAX ||
		   str_starts(name, "scratch_store")) {
		o->kind = KIND_SPILL;
	} else if (str_find(in->comment, "Folded Reload", 0) != SIZE_MAX ||
		   str_starts(name, "scratch_load")) {
		o->kind = KIND_RELOAD;
	} else if (str_find(name, "_load", 0) != SIZE_MAX || str_starts(name, "ds_")) {
		o->kind = KIND_OTHER;
	}
}

/* ---- operands ---- */

/* "v3", "-v[4:5]", "|v3|", "neg(v3)"; n 0 for other operands. gfx1250 writes a register above v255
 * by its low bits, with the full number in a comment: "v0" and "v256". */
static struct regs read_regs(struct str s)
{
	static const char *const signs[] = {"-", "|", "neg(", "abs(", NULL};
	size_t whole = str_find(s, "/*", 0);
	s = whole == SIZE_MAX ? s : str_sub(s, whole + 2, s.n);
	while (cut_any(&s, signs)) {
	}
	struct isa_reg x = isa_reg_cut(&s);
	unsigned base = x.file == 'v' ? 0 : x.file == 'a' ? VGPRS : VGPRS + AGPRS;
	unsigned count = x.file == 'v' ? VGPRS : x.file == 'a' ? AGPRS : SGPRS;
	if (x.n > 0 && x.at + x.n <= count) {
		return (struct regs){(uint16_t)(base + x.at), (uint16_t)x.n};
	}
	return (struct regs){0, 0};
}

/* "op_sel_hi:[1,1,0]": bit i is that of source i. */
static unsigned modifier(struct str operands, const char *name, unsigned otherwise)
{
	size_t at = str_find(operands, name, 0);
	unsigned bits = 0;
	if (at == SIZE_MAX) {
		return otherwise;
	}
	at += strlen(name);
	for (unsigned i = 0; i < SOURCES && at + 2 * i < operands.n; i++) {
		bits |= (unsigned)(operands.p[at + 2 * i] == '1') << i;
	}
	return bits;
}

static void find_halves(struct op *o, struct str operands)
{
	enum {
		ALL = (1 << SOURCES) - 1
	};
	for (unsigned lane = 0; lane < o->lanes; lane++) {
		o->half[lane] = (uint8_t)(o->lanes < 2 ? 0
						       : modifier(operands,
								 lane ? "op_sel_hi:[" : "op_sel:[",
								 lane * ALL));
	}
}

static void find_how(struct op *o, struct str operands, bool accumulates)
{
	static const char *const signs[] = {"-", "neg(", NULL};
	unsigned negated = 0;
	for (unsigned i = 0; i < SOURCES; i++) {
		struct str s = isa_operand(operands, i + 1);
		negated |= (unsigned)str_starts_any(s, signs) << i;
	}
	o->addend = accumulates ? SOURCES : SOURCES - 1;
	for (unsigned lane = 0; lane < o->lanes; lane++) {
		unsigned neg = negated ^ modifier(operands, lane ? "neg_hi:[" : "neg_lo:[", 0);
		bool third = !accumulates && neg >> o->addend & 1;
		bool other =
			o->lanes > 1 && !accumulates && (o->half[lane] >> o->addend & 1) != lane;
		o->how[lane] = (uint8_t)((third ? HOW_ADDEND_NEGATED : 0) |
					 ((neg ^ neg >> 1) & 1 ? HOW_PRODUCT_NEGATED : 0) |
					 (other ? HOW_OTHER_HALF : 0));
	}
}

static void add_op(
	struct rounds *r, const struct isa_insn *in, struct str mnemonic, struct str operands)
{
	struct op o;
	classify(&o, in, mnemonic);
	unsigned from = o.kind == KIND_SPILL || o.kind == KIND_NONE ? 0 : 1;
	o.dst = from ? read_regs(isa_operand(operands, 0)) : (struct regs){0, 0};
	for (unsigned i = 0; i < SOURCES; i++) {
		o.src[i] = read_regs(isa_operand(operands, from + i));
	}
	find_halves(&o, operands);
	if (o.kind == KIND_FMA) {
		find_how(&o, operands, str_find(mnemonic, "fmac", 0) != SIZE_MAX);
	}
	array_push(&r->op, o);
}

static void decode(struct rounds *r)
{
	r->first = ARENA_ARRAY(r->a, uint32_t, r->f->insn.n + 1);
	for (size_t i = 0; i < r->f->insn.n; i++) {
		const struct isa_insn *in = &r->f->insn.v[i];
		size_t at = str_find(in->operands, "::", 0);
		r->first[i] = (uint32_t)r->op.n;
		add_op(r, in, in->mnemonic,
			str_trim(str_sub(in->operands, 0, at == SIZE_MAX ? in->operands.n : at)));
		if (at != SIZE_MAX) { /* VOPD: two operations */
			struct str half = str_trim(str_sub(in->operands, at + 2, in->operands.n));
			size_t space = str_find(half, " ", 0);
			space = space == SIZE_MAX ? half.n : space;
			add_op(r, in, str_sub(half, 0, space),
				str_trim(str_sub(half, space, half.n)));
		}
	}
	r->first[r->f->insn.n] = (uint32_t)r->op.n;
}

/* ---- products ---- */

/* The lane that writes register i of the destination. */
static unsigned lane_of(const struct op *o, unsigned i)
{
	return o->lanes > 1 && o->dst.n > 1 && i >= o->dst.n / 2;
}

/* The first register of part i of n of an operand; a single register is used for all parts. */
static unsigned first_of_part(struct regs r, unsigned i, unsigned n)
{
	return n && r.n >= n ? i * (r.n / n) : 0;
}

static unsigned part_holds(const struct state *s, struct regs r, unsigned i, unsigned n)
{
	unsigned each = n && r.n > n ? r.n / n : 1, held = 0;
	for (unsigned k = 0; k < each; k++) {
		unsigned at = first_of_part(r, i, n) + k;
		held |= at < r.n ? s->holds[r.lo + at] : 0;
	}
	return held;
}

static unsigned all_hold(const struct state *s, const struct op *o, unsigned i, unsigned n)
{
	unsigned held = 0;
	for (unsigned k = 0; k < SOURCES; k++) {
		held |= part_holds(s, o->src[k], i, n);
	}
	return held;
}

/* The bits for a lane's source. */
static unsigned lane_holds(
	const struct state *s, const struct op *o, unsigned source, unsigned lane)
{
	return part_holds(s, o->src[source], o->half[lane] >> source & 1, o->lanes);
}

/* How many lanes of an add have a product as operand. */
static unsigned taken(const struct state *s, const struct op *o)
{
	unsigned n = 0;
	for (unsigned i = 0; i < o->lanes; i++) {
		n += all_hold(s, o, i, o->lanes) & HOLDS_PRODUCT;
	}
	return n;
}

/* Is a factor of a lane's product a result of float arithmetic? */
static bool of_sum(const struct state *s, const struct op *o, unsigned lane)
{
	return (lane_holds(s, o, 0, lane) | lane_holds(s, o, 1, lane)) & HOLDS_SUM;
}

static unsigned part_depth(const struct rounds *r, struct regs x, unsigned i, unsigned n)
{
	unsigned at = first_of_part(x, i, n);
	return at < x.n ? r->depth[x.lo + at] : 0;
}

static unsigned depth_of(const struct rounds *r, const struct op *o, unsigned lane)
{
	bool accumulates = o->kind == KIND_FMA && o->addend >= SOURCES;
	unsigned most = accumulates ? part_depth(r, o->dst, lane, o->lanes) : 0;
	for (unsigned k = 0; k < SOURCES; k++) {
		unsigned half = o->half[lane] >> k & 1;
		unsigned d = part_depth(r, o->src[k], o->lanes > 1 ? half : 0, o->lanes);
		most = d > most ? d : most;
	}
	return most;
}

static void deepen(struct rounds *r, const struct op *o)
{
	bool sum = o->kind == KIND_MUL || o->kind == KIND_ADD || o->kind == KIND_MAD ||
		   o->kind == KIND_FMA;
	unsigned deep[2] = {0, 0};
	for (unsigned lane = 0; lane < o->lanes && (sum || o->kind == KIND_COPY); lane++) {
		deep[lane] = depth_of(r, o, lane) + sum;
	}
	for (unsigned i = 0; i < o->dst.n; i++) {
		unsigned lane = lane_of(o, i);
		r->depth[o->dst.lo + i] =
			(uint16_t)(deep[lane] < UINT16_MAX ? deep[lane] : UINT16_MAX);
	}
}

/*
 * The choices of FMAs whose addend is a product, as numbers: for each FMA how it reads the addend;
 * and if only one product has a sum as factor, which one is fused, and at which depth.
 */
enum {
	CHOICE_DEPTH_BITS = 16,
	CHOICE_HOW = CHOICE_DEPTH_BITS,
	CHOICE_SIDE = CHOICE_HOW + 4,
	CHOICE_WIDTH = CHOICE_SIDE + 2
};

enum side {
	SIDE_UNKNOWN,
	SIDE_SUM, /* the product with the sum is fused */
	SIDE_OTHER,
	SIDES
};

static void note_choice(struct rounds *r, const struct state *s, const struct op *o, unsigned lane)
{
	unsigned added = o->addend < SOURCES ? lane_holds(s, o, o->addend, lane)
					     : part_holds(s, o->dst, lane, o->lanes);
	bool own = of_sum(s, o, lane), other = added & HOLDS_OF_SUM;
	uint64_t width = (uint64_t)o->width << CHOICE_WIDTH;
	if (!(added & HOLDS_PRODUCT)) {
		return;
	}
	uint64_t how = o->how[lane] | (added & HOLDS_OWN ? 0 : HOW_OTHER_BLOCK);
	array_push(&r->chosen, width | how << CHOICE_HOW);
	if (own != other) {
		uint64_t side = own ? SIDE_SUM : SIDE_OTHER;
		array_push(&r->chosen, width | side << CHOICE_SIDE | depth_of(r, o, lane));
	}
}

static void note_choices(struct rounds *r, const struct state *s, const struct op *o)
{
	for (unsigned lane = 0; o->kind == KIND_FMA && lane < o->lanes; lane++) {
		note_choice(r, s, o, lane);
	}
}

static unsigned written(const struct state *s, const struct op *o, unsigned i)
{
	switch (o->kind) {
	case KIND_MUL:
		return HOLDS_PRODUCT | HOLDS_OWN | HOLDS_SUM |
		       (of_sum(s, o, lane_of(o, i)) ? HOLDS_OF_SUM : 0);
	case KIND_ADD:
	case KIND_MAD:
	case KIND_FMA:
		return HOLDS_SUM;
	case KIND_COPY:
		return all_hold(s, o, i, o->dst.n);
	case KIND_RELOAD:
		return s->holds[SPILLED];
	default:
		return 0;
	}
}

static void step(struct state *s, const struct op *o)
{
	if (o->kind == KIND_SPILL) {
		for (unsigned i = 0; i < SOURCES; i++) {
			for (unsigned k = 0; k < o->src[i].n; k++) {
				s->holds[SPILLED] |= s->holds[o->src[i].lo + k];
			}
		}
		return;
	}
	uint8_t holds[WRITES_MAX];
	unsigned n = o->dst.n < WRITES_MAX ? o->dst.n : WRITES_MAX;
	for (unsigned i = 0; i < n; i++) {
		holds[i] = (uint8_t)written(s, o, i);
	}
	memcpy(&s->holds[o->dst.lo], holds, n);
}

static void flow_to(struct rounds *r, uint32_t block, const struct state *from, bool *reached)
{
	if (block == ISA_NONE) {
		return;
	}
	struct state *to = &r->in[block];
	bool grew = !reached[block];
	reached[block] = true;
	for (unsigned i = 0; i <= SPILLED; i++) {
		uint8_t held = from->holds[i] & (uint8_t)~HOLDS_OWN;
		grew |= (held & ~to->holds[i]) != 0;
		to->holds[i] |= held;
	}
	r->dirty[block] |= grew;
}

static void count(struct rounding *out, const struct op *o)
{
	int64_t *n = out->n[o->width];
	n[ROUND_FMA] += o->kind == KIND_FMA ? o->lanes : 0;
	n[ROUND_MUL] += o->kind == KIND_MUL || o->kind == KIND_MAD ? o->lanes : 0;
	n[ROUND_ADD] += o->kind == KIND_ADD || o->kind == KIND_MAD ? o->lanes : 0;
	n[ROUND_UNFUSED] += o->kind == KIND_MAD ? o->lanes : 0;
}

static void count_op(
	struct rounds *r, const struct state *s, const struct op *o, struct rounding *out)
{
	count(out, o);
	out->n[o->width][ROUND_UNFUSED] += o->kind == KIND_ADD ? taken(s, o) : 0;
	note_choices(r, s, o);
	deepen(r, o);
}

static void step_block(struct rounds *r, struct state *s, size_t block, struct rounding *out)
{
	const struct isa_block *b = &r->block.v[block];
	*s = r->in[block];
	if (out) {
		memset(r->depth, 0, REGS * sizeof(*r->depth));
	}
	for (uint32_t at = r->first[b->from]; at < r->first[b->to]; at++) {
		const struct op *o = &r->op.v[at];
		if (out) {
			count_op(r, s, o, out);
		}
		step(s, o);
	}
}

static bool solve(struct rounds *r, bool *reached)
{
	bool changed = true;
	r->dirty[0] = reached[0] = true;
	for (unsigned pass = 0; pass < PASSES_MAX && changed; pass++) {
		changed = false;
		for (size_t i = 0; i < r->block.n; i++) {
			struct state s;
			if (!r->dirty[i]) {
				continue;
			}
			changed = true;
			r->dirty[i] = false;
			step_block(r, &s, i, NULL);
			flow_to(r, r->block.v[i].taken, &s, reached);
			flow_to(r, r->block.v[i].next, &s, reached);
		}
	}
	return !changed;
}

/* ---- forms ---- */

static int by_value(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* A hash (FNV-1a) of the counts; 0: no FMA and no unfused add. */
static uint64_t form_of(const struct rounding *block)
{
	uint64_t hash = 0xcbf29ce484222325;
	bool any = false;
	for (size_t w = 0; w < ROUND_WIDTHS; w++) {
		const uint64_t n[] = {
			(uint64_t)block->n[w][ROUND_FMA], (uint64_t)block->n[w][ROUND_UNFUSED]};
		for (size_t i = 0; i < 2; i++) {
			any |= n[i] != 0;
			hash = (hash ^ n[i]) * 0x100000001b3;
		}
	}
	return any ? hash : 0;
}

static void add_block(struct rounds *r, struct rounding *out, size_t block, uint64_t *form)
{
	struct state s;
	struct rounding mine = {0};
	step_block(r, &s, block, &mine);
	uint64_t hash = form_of(&mine);
	if (hash) {
		form[out->forms++] = hash;
	}
	for (size_t w = 0; w < ROUND_WIDTHS; w++) {
		for (size_t i = 0; i < ROUND_OPS; i++) {
			out->n[w][i] += mine.n[w][i];
		}
	}
}

/* Sorts n numbers and removes duplicates; returns how many are left. */
static size_t make_set(uint64_t *v, size_t n)
{
	size_t kept = 0;
	span_sort(v, n, by_value);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || v[kept - 1] != v[i]) {
			v[kept++] = v[i];
		}
	}
	return kept;
}

/* ---- choices ---- */

/* Depth counts only if the kernel fuses different products in different places. */
static void drop_depths(struct rounds *r)
{
	bool seen[ROUND_WIDTHS][SIDES] = {0};
	array_each (&r->chosen, uint64_t, x) {
		seen[*x >> CHOICE_WIDTH][*x >> CHOICE_SIDE & 3] = true;
	}
	array_each (&r->chosen, uint64_t, x) {
		const bool *side = seen[*x >> CHOICE_WIDTH];
		uint64_t depth = *x & ((1U << CHOICE_DEPTH_BITS) - 1);
		*x -= side[SIDE_SUM] && side[SIDE_OTHER] ? 0 : depth;
	}
}

static bool follow(struct rounds *r, struct rounding *out, struct arena *a)
{
	if (!isa_blocks_find(&r->block, r->a, r->f)) {
		return false;
	}
	bool *reached = ARENA_ARRAY(r->a, bool, r->block.n);
	uint64_t *form = ARENA_ARRAY(r->a, uint64_t, r->block.n);
	r->in = ARENA_ARRAY(r->a, struct state, r->block.n);
	r->dirty = ARENA_ARRAY(r->a, bool, r->block.n);
	r->depth = ARENA_ARRAY(r->a, uint16_t, REGS);
	if (!solve(r, reached)) {
		return false;
	}
	for (size_t i = 0; i < r->block.n; i++) {
		add_block(r, out, i, form);
	}
	out->forms = make_set(form, out->forms);
	out->form = arena_memdup(a, form, out->forms * sizeof(*form));
	drop_depths(r);
	out->choices = make_set(r->chosen.v, r->chosen.n);
	out->chosen = arena_memdup(a, r->chosen.v, out->choices * sizeof(*out->chosen));
	return true;
}

void isa_round_count(struct rounding *out, struct arena *a, const struct isa_function *f)
{
	struct rounds r = {.f = f, .a = arena_create()};
	*out = (struct rounding){0};
	decode(&r);
	if (!follow(&r, out, a)) {
		array_each (&r.op, struct op, o) {
			count(out, o);
		}
		for (size_t w = 0; w < ROUND_WIDTHS; w++) {
			out->n[w][ROUND_UNFUSED] = out->n[w][ROUND_ADD];
		}
	}
	array_release(&r.op);
	array_release(&r.chosen);
	arena_free(r.a);
}
