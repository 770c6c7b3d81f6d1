#include "measure/isa/call.h"

#include "measure/isa/demangle.h"
#include "measure/isa/flow.h"

enum progress {
	PROGRESS_NONE,
	PROGRESS_OPEN, /* a recursion: assumed to return */
	PROGRESS_DONE
};

struct isa_callee {
	struct str name;
	struct str text;
	enum progress progress;
	bool returns;
	const char *unseen; /* if it reaches code missing in the output: the end of a sentence */
};

bool isa_is_call(struct str m)
{
	return str_starts(m, "s_swappc") || str_starts(m, "s_swap_pc") || str_starts(m, "s_call_");
}

static void find_functions(struct isa_callees *c)
{
	struct str rest = c->isa;
	struct str line;
	struct str name;
	bool open = false;
	while (str_line(&rest, &line)) {
		if (!isa_line_label(line, &name)) {
			continue;
		}
		if (open && str_starts(name, ".Lfunc_end")) {
			struct isa_callee *fn = &c->fn.v[c->fn.n - 1];
			fn->text.n = (size_t)(line.p - fn->text.p);
			map_set(&c->index, fn->name, c->fn.n - 1);
			open = false;
		} else if (!open && name.p - line.p <= 1 && !str_starts(name, ".L")) {
			array_push(&c->fn, (struct isa_callee){.name = name, .text = {rest.p, 0}});
			open = true;
		} else if (open && name.p - line.p <= 1 && !str_starts(name, ".")) {
			/* data before it, without such an end label */
			c->fn.v[c->fn.n - 1] =
				(struct isa_callee){.name = name, .text = {rest.p, 0}};
		}
	}
	if (open) {
		c->fn.n--;
	}
}

static struct isa_callee *find_callee(struct isa_callees *c, struct str name)
{
	if (c->fn.n == 0) {
		find_functions(c);
	}
	uintptr_t i = map_get(&c->index, name, UINTPTR_MAX);
	return i == UINTPTR_MAX ? NULL : &c->fn.v[i];
}

/* False: no scalar registers. */
static bool scalar_range(unsigned *first, unsigned *last, struct str operand)
{
	struct isa_reg x = isa_reg_read(operand);
	*first = x.at;
	*last = x.at + x.n - 1;
	return x.n > 0 && x.file == 's';
}

/* The NAME of "NAME@rel32@lo+4", or an empty view. */
static struct str relocated(struct str operand)
{
	size_t at = str_find(operand, "@rel32@lo", 0);
	at = at == SIZE_MAX ? str_find(operand, "@gotpcrel32@lo", 0) : at;
	return str_sub(operand, 0, at == SIZE_MAX ? 0 : at);
}

/*
 * The callee of the call at insn, or an empty view:
 *
 *	s_getpc_b64 s[4:5]
 *	s_add_u32 s4, s4, NAME@rel32@lo+4		or NAME@gotpcrel32@lo+4, and
 *	s_addc_u32 s5, s5, NAME@rel32@hi+12		s_load_dwordx2 s[4:5], s[4:5], 0x0
 *	s_swappc_b64 s[30:31], s[4:5]
 *
 * No other jump leads in between them.
 */
static struct str callee_name(const struct isa_function *f, const bool *leads, size_t insn)
{
	const struct str none = {NULL, 0};
	unsigned at, low, high;
	bool loaded = false;
	if (!scalar_range(&at, &high, isa_operand(f->insn.v[insn].operands, 1))) {
		return none;
	}
	for (size_t i = insn; i > 0 && !leads[i]; i--) {
		const struct isa_insn *in = &f->insn.v[i - 1];
		struct str m = in->mnemonic;
		if (!scalar_range(&low, &high, isa_operand(in->operands, 0)) || at < low ||
			at > high) {
			continue;
		}
		if (str_starts(m, "s_add_u32") || str_starts(m, "s_add_co_u32")) {
			struct str offset = isa_operand(in->operands, 2);
			bool table = str_find(offset, "@gotpcrel32", 0) != SIZE_MAX;
			return table == loaded ? relocated(offset) : none;
		}
		bool load = str_starts(m, "s_load_dwordx2") || str_starts(m, "s_load_b64");
		bool plain = load ? !loaded && str_is(isa_operand(in->operands, 2), "0x0")
				  : str_is(m, "s_mov_b64");
		if (!plain || low != at ||
			!scalar_range(&at, &high, isa_operand(in->operands, 1))) {
			return none;
		}
		loaded = loaded || load;
	}
	return none;
}

/* Does instruction i restore s[at] before a return? */
static bool is_restored(const struct isa_function *f, const bool *leads, size_t i)
{
	if (!str_starts(f->insn.v[i].mnemonic, "v_readlane_b32")) {
		return false;
	}
	while (++i < f->insn.n && !leads[i] && !isa_is_call(f->insn.v[i].mnemonic)) {
		if (str_starts(f->insn.v[i].mnemonic, "s_setpc")) {
			return true;
		}
	}
	return false;
}

static bool overlaps(struct str operand, unsigned at)
{
	unsigned low, high;

	return scalar_range(&low, &high, operand) && low <= at + 1 && high >= at;
}

/* Is it part of the address computation in s[at], without the name? */
static bool is_part(struct str m, struct str operands, unsigned at)
{
	bool high = str_starts(m, "s_addc_u32") || str_starts(m, "s_add_co_ci_u32");
	unsigned low, last;

	return scalar_range(&low, &last, isa_operand(operands, 0)) &&
	       ((str_starts(m, "s_getpc_b64") && low == at) ||
		       (high && low == at + 1 &&
			       str_find(isa_operand(operands, 2), "@rel32@hi", 0) != SIZE_MAX));
}

/*
 * The same if the address is computed once and kept: all writes of s[at] and the next register
 * compute it as above, without loads. Callees preserve these registers, as otherwise the compiler
 * would compute it again: no function returns a result in scalar registers. Any other possible
 * write gives an empty view.
 */
static struct str kept_name(const struct isa_function *f, const bool *leads, size_t insn)
{
	const struct str none = {NULL, 0};
	struct str name = none;
	unsigned at, low, high;

	if (!scalar_range(&at, &high, isa_operand(f->insn.v[insn].operands, 1))) {
		return none;
	}
	for (size_t i = 0; i < f->insn.n; i++) {
		struct str m = f->insn.v[i].mnemonic, o = f->insn.v[i].operands;
		struct str symbol = relocated(isa_operand(o, 2));
		bool second = str_starts(m, "v_") && !str_starts(m, "v_writelane") &&
			      overlaps(isa_operand(o, 1), at); /* such as a carry */
		if (second || str_starts(m, "s_movrel")) {
			return none;
		}
		if (!overlaps(isa_operand(o, 0), at) || is_part(m, o, at) ||
			is_restored(f, leads, i)) {
			continue;
		}
		bool add = str_starts(m, "s_add_u32") || str_starts(m, "s_add_co_u32");
		bool same = name.n == 0 || str_eq(name, symbol);
		bool here = scalar_range(&low, &high, isa_operand(o, 0)) && low == at &&
			    scalar_range(&low, &high, isa_operand(o, 1)) && low == at;
		bool plain = str_find(isa_operand(o, 2), "@rel32@lo", 0) != SIZE_MAX;
		if (!add || !same || !here || !plain || symbol.n == 0) {
			return none;
		}
		name = symbol;
	}
	return name;
}

/* Finds the targets of jumps. */
static bool *find_leaders(struct isa_callees *c, const struct isa_function *f)
{
	bool *leads = ARENA_ARRAY(c->a, bool, f->insn.n + 1);
	for (size_t i = 0; i < f->label.n; i++) {
		leads[f->label.entry[i].value] = true;
	}
	return leads;
}

/* Is there a path from instruction `from` to the kernel's end or a return? If no instruction on the
 * paths ends them, it is assumed to be an endless loop that does the work: true. */
static bool may_reach_end(struct arena *a, const struct isa_function *f, size_t from)
{
	struct isa_blocks b;
	if (from >= f->insn.n || !isa_blocks_find(&b, a, f)) {
		return true;
	}
	bool *seen = ARENA_ARRAY(a, bool, b.n);
	uint32_t *todo = ARENA_ARRAY(a, uint32_t, b.n);
	size_t n = 0;
	bool stopped = false;
	for (uint32_t i = 0; i < b.n; i++) {
		if (b.v[i].from <= from && from < b.v[i].to) {
			seen[i] = true;
			todo[n++] = i;
		}
	}
	while (n > 0) {
		const struct isa_block *at = &b.v[todo[--n]];
		const uint32_t ways[] = {at->next, at->taken};
		if (at->next == ISA_NONE && at->taken == ISA_NONE) {
			if (!f->insn.v[at->to - 1].ends) {
				return true;
			}
			stopped = true;
		}
		for (size_t k = 0; k < 2; k++) {
			if (ways[k] != ISA_NONE && !seen[ways[k]]) {
				seen[ways[k]] = true;
				todo[n++] = ways[k];
			}
		}
	}
	return !stopped;
}

static const char *resolve_callee(struct isa_callees *c, struct isa_callee *callee);

/* Marks the calls that do not return, and finds the callees. NULL, or the reason why some callee is
 * unknown. */
static const char *mark_ends(struct isa_callees *c, struct isa_function *f)
{
	bool *leads = find_leaders(c, f);
	for (size_t i = 0; i < f->insn.n; i++) {
		struct isa_insn *in = &f->insn.v[i];
		/* s_trap 2 is llvm.trap, which stops the wave; 3 is for a debugger */
		in->ends = str_is(in->mnemonic, "s_trap") && str_is(in->operands, "2");
		if (!isa_is_call(in->mnemonic)) {
			continue;
		}
		in->callee = callee_name(f, leads, i);
		in->callee = in->callee.n ? in->callee : kept_name(f, leads, i);
		struct isa_callee *callee = in->callee.n ? find_callee(c, in->callee) : NULL;
		if (!callee) {
			return in->callee.n ? arena_printf(c->a,
						      "a call to '%s' is left in it (s_swappc), "
						      "whose code is not in the compiler's output",
						      demangle_plain(c->a, in->callee))
					    : "a call is left in it (s_swappc), and its callee is "
					      "unknown";
		}
		const char *unseen = resolve_callee(c, callee);
		if (unseen) {
			return arena_printf(c->a,
				"a call to '%s' is left in it (s_swappc): in this, %s",
				demangle_plain(c->a, in->callee), unseen);
		}
		in->ends = !callee->returns;
	}
	return NULL;
}

static const char *resolve_callee(struct isa_callees *c, struct isa_callee *callee)
{
	if (callee->progress == PROGRESS_NONE) {
		struct isa_function f = {0};
		callee->progress = PROGRESS_OPEN;
		callee->returns = true;
		isa_function_read(&f, callee->text);
		callee->unseen = mark_ends(c, &f);
		callee->returns = callee->unseen || may_reach_end(c->a, &f, 0);
		callee->progress = PROGRESS_DONE;
		isa_function_release(&f);
	}
	return callee->unseen;
}

const char *isa_calls_resolve(struct isa_callees *c, struct isa_function *f)
{
	const char *why = mark_ends(c, f);
	for (size_t i = 0; i < f->insn.n && !why; i++) {
		const struct isa_insn *in = &f->insn.v[i];
		if (isa_is_call(in->mnemonic) && !in->ends && may_reach_end(c->a, f, i + 1)) {
			why = arena_printf(c->a,
				"a call to '%s' is left in it (s_swappc) and may return, so what "
				"it does is not counted",
				demangle_plain(c->a, in->callee));
		}
	}
	return why;
}

void isa_callees_release(struct isa_callees *c)
{
	map_release(&c->index);
	array_release(&c->fn);
}
