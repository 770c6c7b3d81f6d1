/*
 * rematerialize: a fragment that a loop only reads is loaded in the loop, not before it.
 *
 * BEFORE                                          AFTER
 *
 *   f16x4 q[STEPS];
 *   for (int i = 0; i < STEPS; ++i) {
 *           q[i] = queries[i * 64 + lane];
 *   }
 *   for (int key = 0; key < keys; key += 32) {      for (int key = 0; key < keys; key += 32) {
 *                                                           int zero = 0;
 *                                                           asm volatile("" : "+s"(zero));
 *                                                           f16x4 q[STEPS];
 *                                                           for (int i = 0; i < STEPS; ++i) {
 *                                                                   q[i] = (queries + zero)
 *                                                                           [i * 64 + lane];
 *                                                           }
 *           s = scores(k, q, key);                          s = scores(k, q, key);
 *           ...                                             ...
 *   }                                               }
 *
 * A fragment that is live through a loop takes its registers in the whole loop. Loaded again in
 * every iteration, it takes them only from the loads to its last use, at the cost of the loads. An
 * offset of 0 goes through an empty asm in every iteration: the compiler does not know that it is
 * 0, and otherwise it would move the loads back out of the loop. The loads are in the outermost
 * loop ("loop"); two more forms have no array: element.c.
 *
 * Legal when
 *  1. it is only read, its address is not taken, and the reads are in loops, in blocks that can
 *     hold its declaration; these loops are in the block that declares it;
 *  2. the statements that set it are in that block before these loops, and set nothing else;
 *  3. these are only loads, conversions and integer arithmetic: they read memory, add or multiply
 *     no floats, not even in library code (the compiler might contract it with code in the loop),
 *     and have no cross-lane, volatile or atomic operation and no jump;
 *  4. the fragment, and the private variables in addresses and conditions, keep their values until
 *     the last read; operands of asm are assumed to change;
 *  5. until then the lane does not write memory that was loaded;
 *  6. for memory that is not read-only in the kernel (const and __restrict__): until then the lane
 *     reaches no barrier, fence, atomic, volatile access, asynchronous copy, asm, or unknown call.
 *     So another lane that writes there without a race writes before the load or after the loop. Or
 *     the memory is the kernel's own LDS, written before a barrier that every lane reaches before
 *     it loads, and never after it (lds.c);
 *  7. the text can move: the declaration declares only the fragment, no macro or directive except a
 *     loop pragma is between, there are no jumps, and every name means the same in the loop; the
 *     fragment's name is used nowhere else, not even in sizeof.
 * Each for every instance of it: instantiation and target. The loads run under the same conditions
 * as before, on the same addresses.
 */
#include "strategy/rematerialize/rematerialize.h"

#include "analysis/arms/contract.h"
#include "analysis/pair/pair.h"
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

enum {
	CLAUSE_READS = 1,
	CLAUSE_SETS,
	CLAUSE_LOADS,
	CLAUSE_INPUTS,
	CLAUSE_WRITES,
	CLAUSE_ORDER,
	CLAUSE_TEXT,
};

const char *const fragment_variants[] = {"loop", "element", "unrolled", NULL};

unsigned fragment_line(const struct fragment_plan *r, const struct kt_node *n)
{
	return kt_line(r->u, n->file, n->begin);
}

/* ---- clause 1 ---- */

/* May the address of n live longer than the expression around it? */
static bool keeps_address(const struct fragment_plan *r, const struct kt_node *n)
{
	n = fragment_access(n);
	const struct kt_node *up = n->parent;
	bool value = !kt_may_hold_pointer(kt_type_of(r->u, n));
	switch (up ? up->kind : KT_EXPR_UNKNOWN) {
	case KT_CALL: {
		/* a callee's use of an address ends when it returns: variables whose addresses it
		 * stores count as exposed */
		kt_id type = up->fn ? r->u->fn[up->fn].ret : up->type;
		return !kt_may_hold_pointer(&r->u->type[type]) &&
		       !(up->flags & KT_F_METHOD && n->slot == 0);
	}
	case KT_UNARY:
		return value && up->op != KT_OP_ADDR;
	case KT_COND:
	case KT_CAST:
		return value && !kt_may_hold_pointer(kt_type_of(r->u, up)) && keeps_address(r, up);
	case KT_ASSIGN:
		return value && (n->slot == 1 || kt_is_stmt(up->parent->kind));
	case KT_BINARY:
		return value && up->op != KT_OP_COMMA;
	case KT_VAR:
		return value && !kt_may_hold_pointer(&r->u->type[r->u->sym[up->sym].type]);
	case KT_INDEX:
	case KT_IF:
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
		return value;
	case KT_INIT_LIST:
		return value && !kt_may_hold_pointer(kt_type_of(r->u, up));
	default:
		return false;
	}
}

static bool is_exposed(const struct fragment_plan *r)
{
	return facts_may_alias(r->f, LOC_UNKNOWN, LOC_VAR(r->sym));
}

static bool has_lambda(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_LAMBDA) {
			return true;
		}
	}
	return false;
}

static bool check_addresses(struct fragment_plan *r)
{
	const struct fragment_instance *in = r->in;
	const struct kt_node *block = in->decl->parent;
	if (is_exposed(r)) {
		return plan_refuse(&r->p, CLAUSE_READS, "its address escapes");
	}
	for (const struct kt_node *n = fragment_next_use(NULL, block, r->sym); n;
		n = fragment_next_use(n, block, r->sym)) {
		if (!keeps_address(r, n) &&
			!plan_refuse(&r->p, CLAUSE_READS,
				"something may point to it from line %u on", fragment_line(r, n))) {
			return false;
		}
	}
	/* a lambda's implicit captures have no reference in the tree */
	return !has_lambda(block) ||
	       plan_refuse(&r->p, CLAUSE_READS, "a lambda in its block may hold it");
}

static bool check_reads(struct fragment_plan *r)
{
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct fragment_part *part = &r->in->part[i];
		struct fragment_place place = {0};
		if (!part->reads) {
			continue;
		}
		fragment_place_find(&place, r, part->node);
		if (!place.block &&
			!plan_refuse(&r->p, CLAUSE_READS, "line %u reads it, in no block of a loop",
				fragment_line(r, fragment_next_use(NULL, part->node, r->sym)))) {
			return false;
		}
	}
	return check_addresses(r);
}

/* ---- clauses 2 and 3 ---- */

static bool check_sets(struct fragment_plan *r)
{
	bool read = false;
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct fragment_part *part = &r->in->part[i];
		read |= part->reads;
		if (part->sets && read &&
			!plan_refuse(&r->p, CLAUSE_SETS, "line %u sets it again",
				fragment_line(r, part->node))) {
			return false;
		}
		for (uint32_t k = 0; part->sets && k < part->fx.writes.n; k++) {
			loc_id loc = part->fx.writes.v[k];
			if (loc != LOC_VAR(r->sym) &&
				!plan_refuse(&r->p, CLAUSE_SETS, "line %u sets '%s' as well",
					fragment_line(r, part->node),
					facts_loc_name(r->f, r->p.a, loc))) {
				return false;
			}
		}
	}
	return true;
}

static bool is_float_arithmetic(const struct kt_unit *u, const struct kt_node *n)
{
	bool counts = n->kind == KT_BINARY || n->kind == KT_ASSIGN || kt_is_step(n);
	bool sums = n->kind == KT_UNARY || (n->op >= KT_OP_ADD && n->op <= KT_OP_REM);
	return counts && sums && contract_holds_float(u, n->type);
}

/* Below root or in a callee? Library code may have any. */
static bool has_float_arithmetic(
	const struct fragment_plan *r, const struct kt_node *root, bool *seen)
{
	const struct kt_unit *u = r->u;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool calls = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
		bool body = calls && u->fn[n->fn].body;
		if (is_float_arithmetic(u, n) ||
			(n->kind == KT_CALL && !body &&
				contract_is_product(contract_of(r->f), n))) {
			return true;
		}
		if (body && !seen[n->fn]) {
			seen[n->fn] = true;
			if (has_float_arithmetic(r, u->fn[n->fn].body, seen)) {
				return true;
			}
		}
	}
	return false;
}

/* Is it never written, as threadIdx or a constant? */
static bool is_constant(const struct fragment_plan *r, loc_id loc)
{
	return LOC_IS_VAR(loc) && r->u->sym[LOC_SYM(loc)].kind == KT_S_GLOBAL &&
	       r->u->type[r->u->sym[LOC_SYM(loc)].type].is_const;
}

static bool is_memory(const struct fragment_plan *r, loc_id loc)
{
	return !is_constant(r, loc) && !facts_is_private(r->f, loc);
}

static bool check_part(struct fragment_plan *r, const struct fragment_part *part, bool *loads)
{
	const unsigned line = fragment_line(r, part->node);
	bool *seen = ARENA_ARRAY(r->p.a, bool, r->u->fns);
	for (uint32_t i = 0; i < part->fx.reads.n; i++) {
		*loads |= is_memory(r, part->fx.reads.v[i]);
	}
	if (part->fx.flags & (FX_ORDERED | FX_CONVERGENT) &&
		!plan_refuse(&r->p, CLAUSE_LOADS, "line %u does more than load: %s", line,
			part->fx.flags & FX_UNKNOWN	 ? "it has code that is not seen"
			: part->fx.flags & FX_CONVERGENT ? "it acts on other lanes"
							 : "it is volatile, atomic or in order")) {
		return false;
	}
	if (part->fx.flags & (FX_EXIT | FX_LABEL) &&
		!plan_refuse(&r->p, CLAUSE_LOADS, "line %u may leave", line)) {
		return false;
	}
	if (part->fx.flags & FX_UNREACHABLE &&
		!plan_refuse(&r->p, CLAUSE_LOADS, "line %u is undefined on some path", line)) {
		return false;
	}
	return !has_float_arithmetic(r, part->node, seen) ||
	       plan_refuse(&r->p, CLAUSE_LOADS, "line %u adds or multiplies floats", line);
}

static bool check_loads(struct fragment_plan *r)
{
	bool loads = false;
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct fragment_part *part = &r->in->part[i];
		if (part->sets && !check_part(r, part, &loads)) {
			return false;
		}
	}
	return loads || plan_refuse(&r->p, CLAUSE_LOADS, "nothing of it is loaded from memory");
}

/* ---- clauses 4 to 6 ---- */

/* The variable of a launder. */
static struct str laundered(const struct kt_node *n)
{
	struct str t = str_of(n->text ? n->text : "");
	size_t open = t.n;
	while (open > 0 && t.p[open - 1] != '(') {
		open--;
	}
	struct lex_token word = lex_next(t, open);
	bool is = open > 0 && text_is_launder(t) && word.kind == LEX_WORD;
	return is ? lex_text(t, word) : (struct str){0};
}

/* Does a callee have inline asm? Its operands are unknown. */
static bool callee_has_asm(const struct kt_unit *u, kt_id fn, bool *seen)
{
	const struct kt_fn *f = &u->fn[fn];
	for (const struct kt_node *n = seen[fn] ? NULL : f->body; n; n = kt_next(n, f->body)) {
		seen[fn] = true;
		bool calls = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
		if (calls && callee_has_asm(u, n->fn, seen)) {
			return true;
		}
		if (n->kind != KT_ASM) {
			continue;
		}
		struct str word = laundered(n);
		bool named = kt_asm_has_operands(u, n);
		for (size_t i = 0; i < f->params; i++) {
			named |= str_is(word, u->sym[f->param[i]].name);
		}
		if (named) {
			return true;
		}
	}
	return false;
}

/* Is the word in a statement that moves? */
static bool is_moved_word(const struct fragment_plan *r, struct str word)
{
	struct str t = r->p.text;
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct kt_node *root = r->in->part[i].node;
		bool moves = r->in->part[i].sets || root == r->in->decl;
		for (struct lex_token k = lex_next(t, root->begin);
			moves && k.kind != LEX_END && k.begin < root->end; k = lex_next(t, k.end)) {
			if (str_eq(word, lex_text(t, k))) {
				return true;
			}
		}
	}
	return false;
}

static bool check_asm(struct fragment_plan *r)
{
	bool *seen = ARENA_ARRAY(r->p.a, bool, r->u->fns);
	for (size_t i = 0; i < r->in->parts; i++) {
		const struct kt_node *root = r->in->part[i].node;
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			bool calls = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
			bool hides = calls && callee_has_asm(r->u, n->fn, seen);
			if (n->kind == KT_ASM) {
				hides = kt_asm_has_operands(r->u, n) ||
					is_moved_word(r, laundered(n));
			}
			if (hides &&
				!plan_refuse(&r->p, CLAUSE_INPUTS,
					"asm in line %u may change it, or the code that loads it",
					fragment_line(r, n))) {
				return false;
			}
		}
	}
	return true;
}

/* Is it memory that no lane writes while the kernel runs? */
static bool is_read_only(const struct fragment_plan *r, loc_id loc)
{
	if (!LOC_IS_DEREF(loc) || r->u->type[r->u->sym[LOC_SYM(loc)].type].kind != KT_T_POINTER) {
		return false;
	}
	return spaces_of_variable(r->in->spaces, LOC_SYM(loc)) == SPACE_READ_ONLY;
}

static const char *order_word(unsigned flags)
{
	return flags & FX_BARRIER    ? "a barrier"
	       : flags & FX_FENCE    ? "a fence"
	       : flags & FX_ATOMIC   ? "an atomic"
	       : flags & FX_ASYNC    ? "an asynchronous copy"
	       : flags & FX_ASM	     ? "asm"
	       : flags & FX_VOLATILE ? "a volatile access"
				     : "code that is not seen";
}

/* Does the load at loc read the same value after statement later? */
static bool check_input(struct fragment_plan *r, loc_id loc, const struct fragment_part *later)
{
	const unsigned orders = FX_ORDERED & ~(unsigned)FX_CROSSLANE;
	const struct locset one = {&loc, 1, 1};
	const char *name = facts_loc_name(r->f, r->p.a, loc);
	bool memory = is_memory(r, loc);
	if (is_constant(r, loc) || is_read_only(r, loc)) {
		return true;
	}
	if (facts_sets_alias(r->f, &one, &later->fx.writes) &&
		!plan_refuse(&r->p, memory ? CLAUSE_WRITES : CLAUSE_INPUTS,
			memory ? "'%s' is loaded, and what begins in line %u may write it"
			       : "'%s' is needed to load it, and what begins in line %u may "
				 "change it",
			name, fragment_line(r, later->node))) {
		return false;
	}
	return !memory || !(later->fx.flags & orders) || fragment_lds_is_final(r, loc) ||
	       plan_refuse(&r->p, CLAUSE_ORDER,
		       "'%s' is not memory that the kernel only reads, and %s comes before it is "
		       "read for the last time (line %u)",
		       name, order_word(later->fx.flags), fragment_line(r, later->node));
}

static bool check_region(struct fragment_plan *r)
{
	const struct fragment_instance *in = r->in;
	for (size_t i = 0; i < in->parts; i++) {
		for (size_t k = i + 1; in->part[i].sets && k < in->parts; k++) {
			const struct locset *reads = &in->part[i].fx.reads;
			for (uint32_t m = 0; !in->part[k].sets && m < reads->n; m++) {
				bool own = reads->v[m] == LOC_VAR(r->sym);
				if (!own && !check_input(r, reads->v[m], &in->part[k])) {
					return false;
				}
			}
		}
	}
	return true;
}

/* ---- clause 7 ---- */

static bool jumps(const struct kt_node *body)
{
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_GOTO || n->kind == KT_LABEL) {
			return true;
		}
	}
	return false;
}

/* The next variable after v (NULL: the first) that is declared between the declaration and the last
 * reader. */
static const struct kt_node *next_declared(const struct fragment_plan *r, const struct kt_node *v)
{
	const struct fragment_instance *in = r->in;
	bool passed = !v;
	for (size_t i = 0; i < in->parts; i++) {
		const struct kt_node *root = in->part[i].node;
		for (const struct kt_node *n = in->part[i].sets ? NULL : root; n;
			n = kt_next(n, root)) {
			if (passed && n->kind == KT_VAR && n->sym && n->sym != r->sym) {
				return n;
			}
			passed |= n == v;
		}
	}
	return NULL;
}

static bool is_hidden(const struct fragment_plan *r, struct str name)
{
	const struct kt_node *v = NULL;
	while ((v = next_declared(r, v)) && !str_is(name, r->u->sym[v->sym].name)) {
	}
	return v != NULL;
}

/* Does a macro in the statement use a name that is declared in the loops? */
static bool check_macros(struct fragment_plan *r, const struct kt_node *root)
{
	bool ok = true;
	for (const struct kt_node *v = NULL; ok && (v = next_declared(r, v));) {
		const char *name = r->u->sym[v->sym].name;
		ok = !plan_macro_in(&r->p, root->begin, root->end, name) ||
		     plan_refuse(&r->p, CLAUSE_TEXT,
			     "'%s' may mean something else in the loop, and a macro uses it", name);
	}
	return ok;
}

static bool is_inside(const struct kt_unit *u, kt_id sym, const struct kt_node *n)
{
	const struct kt_sym *s = &u->sym[sym];
	return s->file == n->file && s->at >= n->begin && s->at < n->end;
}

/* Checks the words of a statement that moves, except those that it declares itself. */
static bool check_words(struct fragment_plan *r, const struct kt_node *root)
{
	struct str t = r->p.text;
	struct map at = {0};
	bool member = false, ok = true;
	pair_index_words(&at, r->u, root);
	for (struct lex_token k = lex_next(t, root->begin); ok && k.begin < root->end;
		k = lex_next(t, k.end)) {
		struct str word = lex_text(t, k);
		kt_id sym = (kt_id)map_get_u64(&at, k.begin, 0);
		bool own = sym && sym != r->sym && is_inside(r->u, sym, root);
		if (k.kind == LEX_WORD && !member && !own && is_hidden(r, word)) {
			ok = plan_refuse(&r->p, CLAUSE_TEXT,
				"'%.*s' may mean something else in the loop", STR_ARG(word));
			break;
		}
		member = lex_is_member_sign(t, k);
	}
	map_release(&at);
	return ok;
}

static bool check_range(struct fragment_plan *r, size_t begin, size_t end)
{
	const struct layout *l = layout_of(r->f, r->in->decl->file);
	struct str fixed = layout_fixed(l, begin, end);
	if (fixed.n) {
		return plan_refuse(&r->p, CLAUSE_TEXT,
			"a preprocessor directive stands between: %.*s", STR_ARG(fixed));
	}
	struct str word = layout_type_word(l, begin, end);
	return !word.n ||
	       plan_refuse(&r->p, CLAUSE_TEXT,
		       "a type or namespace is named or declared between (%.*s)", STR_ARG(word));
}

/* Edited text must not come from a macro. */
static bool in_macro(const struct fragment_plan *r, const struct fragment_part *part)
{
	struct fragment_place place = {0};
	if (part->node == r->in->decl || part->sets) {
		return part->node->flags & KT_F_MACRO;
	}
	if (part->reads) {
		fragment_place_find(&place, r, part->node);
	}
	return place.block && (place.block->flags & KT_F_MACRO || place.before->flags & KT_F_MACRO);
}

/* sizeof and the like have no node for the name, so the words of the text are checked. */
static bool check_name(struct fragment_plan *r)
{
	const struct fragment_instance *in = r->in;
	const struct kt_node *block = in->decl->parent;
	const char *name = r->u->sym[r->sym].name;
	const struct match_names names = {&name, 1};
	size_t at = in->decl->end;
	struct str word;
	for (size_t i = 0; i <= in->parts && at < block->end; i++) {
		const struct fragment_part *part = i < in->parts ? &in->part[i] : NULL;
		struct fragment_place place = {0};
		size_t stop = block->end, next = block->end;
		if (part && (r->form >= FRAGMENT_ELEMENT || !(part->sets || part->reads))) {
			continue;
		}
		if (part && part->sets) {
			stop = part->node->begin;
			next = part->node->end;
		} else if (part) {
			fragment_place_find(&place, r, part->node);
			stop = place.block ? place.before->begin : stop;
			next = place.block ? place.block->end : next;
		}
		bool named = stop > at && (match_hidden_use(r->f, block, at, stop, &names, &word) ||
						  plan_macro_in(&r->p, at, stop, name));
		if (named && !plan_refuse(&r->p, CLAUSE_TEXT,
				     "its name stands where it will not be declared")) {
			return false;
		}
		at = next;
	}
	return true;
}

static bool check_text(struct fragment_plan *r)
{
	const struct fragment_instance *in = r->in;
	const struct kt_node *block = in->decl->parent;
	const struct kt_node *last = in->part[in->parts - 1].node;
	bool jumpy =
		jumps(r->u->fn[in->fn].body) || (block->parent && block->parent->kind == KT_SWITCH);
	if (in->decl->n != 1 &&
		!plan_refuse(&r->p, CLAUSE_TEXT, "it is declared together with others")) {
		return false;
	}
	for (size_t i = 0; i < in->parts; i++) {
		if (in_macro(r, &in->part[i]) &&
			!plan_refuse(&r->p, CLAUSE_TEXT, "line %u comes from a macro",
				fragment_line(r, in->part[i].node))) {
			return false;
		}
	}
	if ((jumpy && !plan_refuse(&r->p, CLAUSE_TEXT, "its function has jumps")) ||
		!check_range(r, in->decl->begin, last->end) || !check_name(r)) {
		return false;
	}
	for (size_t i = 0; i < in->parts; i++) {
		bool moves = in->part[i].sets || in->part[i].node == in->decl;
		const struct kt_node *part = in->part[i].node;
		if (moves && !(check_words(r, part) && check_macros(r, part))) {
			return false;
		}
	}
	return true;
}

/* ---- planning ---- */

static bool is_legal(struct fragment_plan *r)
{
	/* The reasons that the user can change least come first, so that they are reported. */
	return check_sets(r) && check_reads(r) && check_loads(r) && check_asm(r) &&
	       check_region(r) && check_text(r);
}

void rematerialize_plan(struct plan *p, const char *variant)
{
	const struct fragment_instance *in = p->fragment;
	struct fragment_plan r = {.p = *p,
		.in = in,
		.u = in->parse->unit,
		.f = in->parse->facts,
		.sym = in->var->sym,
		.form = FRAGMENT_LOOP};
	for (size_t i = 0; fragment_variants[i]; i++) {
		r.form = variant == fragment_variants[i] ? (enum fragment_form)i : r.form;
	}
	struct fragment_value value = {0};
	size_t clash[2];
	if (!is_legal(&r)) {
		return;
	}
	if (r.form >= FRAGMENT_ELEMENT && !fragment_elements(&r, &value)) {
		if (!p->out->clause) {
			plan_refuse(p, CLAUSE_NOTHING, "there is nothing to put in its place");
		}
		return;
	}
	fragment_edit(&r, &value);
	if (!p->out->clause && !edit_list_check(&p->out->edits, p->text.n, clash)) {
		plan_refuse(p, CLAUSE_TEXT, "statements share a line");
	}
}
