/*
 * The walk over a kernel's statements, which makes its trace.
 */
#include "analysis/ledger/walk.h"

#include "analysis/facts/liveness.h"
#include "analysis/facts/mentions.h"
#include "analysis/facts/overwrite.h"
#include "analysis/facts/writes.h"
#include "analysis/lanes/lanes.h"

/* ---- statements ---- */

/* The references to sym in the current function. */
static struct mentions mentions_in_frame(struct walk *w, kt_id sym)
{
	return mentions_of(w->t->f, w->t->frame.v[w->frame].fn, sym);
}

static bool all_refs_uniform(struct walk *w, kt_id sym)
{
	struct mentions refs = mentions_in_frame(w, sym);

	for (size_t i = 0; i < refs.n; i++) {
		if (!walk_is_uniform(w, refs.v[i])) {
			return false;
		}
	}
	return refs.n > 0;
}

/* Is it in scalar registers? Integers and pointers are if they are uniform; floats and records only
 * if they are also loaded or passed as uniform values. */
static bool lives_in_sgprs(struct walk *w, const struct kt_node *decl)
{
	const struct kt_type *t = kt_object_type(w->u, w->u->sym[decl->sym].type);
	const struct kt_node *init = decl->n ? kt_past_casts(decl->child[0]) : NULL;

	if (t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR || t->kind == KT_T_OTHER) {
		return false;
	}
	if ((t->kind == KT_T_FLOAT || t->kind == KT_T_RECORD) &&
		(!init || (init->kind != KT_INDEX && init->kind != KT_MEMBER &&
				  init->kind != KT_UNARY && init->kind != KT_REF &&
				  init->kind != KT_COND))) {
		return false;
	}
	return all_refs_uniform(w, decl->sym);
}

/* Is it an object with no use except methods of the library? These are inlined and the object is
 * split into scalars, but the kernel's source does not show the use of its fields. */
static bool is_for_library(struct walk *w, kt_id sym)
{
	if (kt_object_type(w->u, w->u->sym[sym].type)->kind != KT_T_RECORD) {
		return false;
	}
	struct mentions refs = mentions_in_frame(w, sym);
	for (size_t i = 0; i < refs.n; i++) {
		const struct kt_node *up = refs.v[i]->parent;
		const struct kt_fn *fn = up->kind == KT_CALL && up->fn ? &w->u->fn[up->fn] : NULL;
		if (!fn || !fn->in_system_header || !(up->flags & KT_F_METHOD) ||
			refs.v[i]->slot != 0 || walk_is_library_part(w->u, up)) {
			return false;
		}
	}
	return refs.n > 0;
}

static void declare_reference(struct walk *w, const struct kt_node *n)
{
	struct place p = n->n ? walk_place_of(w, n->child[0]) : (struct place){.memory = true};

	if (p.var) {
		ids_set(w->bound, n->sym, p.var);
	} else {
		walk_bind_memory(w, n->sym, p);
	}
}

/* Is it a pointer that always points into one private object, which v, its first value, names? A
 * read through it is a read of that object. */
static bool points_into(struct walk *w, const struct kt_node *n, struct value v)
{
	kt_id fn = w->t->frame.v[w->frame].fn;

	return w->u->type[w->u->sym[n->sym].type].kind == KT_T_POINTER && walk_points_into(w, &v) &&
	       local_only_value(w->u, w->u->fn[fn].body, n->sym);
}

static void declare(struct walk *w, const struct kt_node *n)
{
	const struct kt_sym *s = &w->u->sym[n->sym];
	const struct kt_type *t = &w->u->type[s->type];
	const struct kt_node *init = n->n ? kt_past_casts(n->child[0]) : NULL;

	if (s->space == KT_SHARED || s->is_static) {
		if (s->space == KT_SHARED && t->size > 0) {
			w->t->lds_bytes += (unsigned)t->size;
		} else if (s->space == KT_SHARED) {
			walk_unknown(w->t, "how much dynamic shared memory a launch asks for");
		}
		return;
	}
	if (t->kind == KT_T_REFERENCE) {
		declare_reference(w, n);
		return;
	}
	bool load = init && (init->kind == KT_INDEX || init->kind == KT_MEMBER ||
				    (init->kind == KT_UNARY && init->op == KT_OP_DEREF));
	struct value v = {.constant = true};
	if (init) {
		v = load ? walk_load_place(w, init, 0) : walk_eval(w, init);
	}
	if (points_into(w, n, v)) {
		ids_set(w->bound, n->sym, v.var);
		return;
	}
	bool uniform = lives_in_sgprs(w, n);
	unsigned width = walk_width_of(t);
	if (t->size < 0) {
		w->t->partial = true;
		walk_unknown(w->t, arena_printf(w->t->a, "the size of '%s'", s->name));
	}
	if (is_for_library(w, n->sym)) {
		walk_unknown(
			w->t, arena_printf(w->t->a, "the library's registers for '%s'", s->name));
		width = 0;
		v.width = 0;
	}
	if (t->kind == KT_T_POINTER && v.lds && width) {
		width = 1;
	}
	w->held += v.width;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= v.width;
	uint32_t var = walk_var_new(w, n->sym, n, uniform ? 0 : width);
	struct trace_var *at = walk_var_at(w, var);
	at->pub.uniform = uniform;
	at->lds = v.lds;
	at->affine = v.affine;
	at->loaded = v.loaded;
	at->pointer = t->kind == KT_T_POINTER;
	/* in an unrolled loop: one for each iteration in flight */
	walk_write_var(w, var, true, v.constant, n);
	if (t->kind == KT_T_ARRAY) {
		walk_account_variable(w, var);
	}
}

/* Variables that were set to constants may hold other values from here on. */
static void forget_constants(struct walk *w)
{
	array_each (&w->t->cleared, const uint32_t, v) {
		w->t->var.v[*v].cleared = false;
	}
	w->t->cleared.n = 0;
}

static void loop_begin(struct walk *w, const struct kt_node *n, bool unrolled, int64_t trips)
{
	if (!unrolled) {
		forget_constants(w);
	}
	walk_push(w, TRACE_LOOP, 0, n)->unrolled = unrolled;
	w->loop[w->loops++] = (struct loop){
		.item = (uint32_t)(w->t->item.n - 1), .unrolled = unrolled, .trips = trips};
}

static void loop_end(struct walk *w, const struct kt_node *n)
{
	struct loop l = w->loop[--w->loops];

	walk_push(w, TRACE_LOOP_END, 0, n)->unrolled = l.unrolled;
	w->t->item.v[l.item].end = (uint32_t)(w->t->item.n - 1);
}

/* Variables of which the loop overwrites every element before it reads any: their old values die
 * here. */
struct overwritten {
	uint32_t var;
	size_t item;
	size_t writes;
};

static size_t kill_overwritten(
	struct walk *w, const struct kt_node *n, struct overwritten *v, size_t max)
{
	size_t found = 0;

	for (const struct kt_node *at = n; at && found < max; at = kt_next(at, n)) {
		uint32_t var = at->kind == KT_REF && at->sym ? walk_var_of(w, at->sym) : 0;
		bool known = !walk_is_private_var(w, var) ||
			     kt_object_type(w->u, w->u->sym[at->sym].type)->kind != KT_T_ARRAY;
		for (size_t i = 0; i < found && !known; i++) {
			known = v[i].var == var;
		}
		if (known || !overwrite_is_whole(w->t->f, n, at->sym)) {
			continue;
		}
		walk_push(w, TRACE_KILL, var - 1, n);
		walk_var_at(w, var)->cleared = false;
		v[found++] = (struct overwritten){var, w->t->item.n - 1, walk_writes_of(w, var)};
	}
	return found;
}

/* Those that were set only to constants cost nothing until another write. */
static void clear_overwritten(struct walk *w, const struct overwritten *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (walk_writes_of(w, v[i].var) != v[i].writes) {
			continue;
		}
		w->t->item.v[v[i].item].kind = TRACE_CLEAR;
		walk_var_at(w, v[i].var)->cleared = true;
		array_push(&w->t->cleared, v[i].var - 1);
		for (size_t k = v[i].item + 1; k < w->t->item.n; k++) {
			struct trace_item *at = &w->t->item.v[k];
			if (at->kind == TRACE_WRITE && at->var == v[i].var - 1) {
				at->kind = TRACE_POINT;
				at->var = 0;
			}
		}
	}
}

/* for (k = a; k < a + 4; ++k), where the loop does not change a: 4 iterations from any start.
 * Returns 0 for another form. */
static int64_t trips_from_variable(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *init = n->child[KT_FOR_INIT], *cond = n->child[KT_FOR_COND];
	const struct kt_node *inc = n->child[KT_FOR_INC];
	const struct kt_node *var =
		init && init->kind == KT_DECL && init->n == 1 ? init->child[0] : NULL;
	const struct kt_node *start = var && var->n == 1 ? kt_past_casts(var->child[0]) : NULL;
	const struct kt_node *end = cond && cond->kind == KT_BINARY && cond->op == KT_OP_LT
					    ? kt_past_casts(cond->child[1])
					    : NULL;

	bool form = start && start->kind == KT_REF && start->sym && end && end->kind == KT_BINARY &&
		    end->op == KT_OP_ADD && end->child[1]->flags & KT_F_VALUE &&
		    end->child[1]->value > 0 && kt_past_casts(end->child[0])->kind == KT_REF &&
		    kt_past_casts(end->child[0])->sym == start->sym &&
		    kt_names(cond->child[0], var->sym) && inc && inc->kind == KT_UNARY &&
		    (inc->op == KT_OP_PREINC || inc->op == KT_OP_POSTINC) &&
		    kt_names(inc->child[0], var->sym);
	if (!form) {
		return 0;
	}
	struct fx fx = facts_effects(w->t->f, n->child[KT_FOR_BODY]);
	bool leaves = fx.flags & (FX_BREAK | FX_RETURN | FX_GOTO | FX_LABEL);
	bool changes = locset_has(&fx.writes, LOC_VAR(var->sym)) ||
		       locset_has(&fx.writes, LOC_VAR(start->sym));
	return leaves || changes ? 0 : end->child[1]->value;
}

/* Would the unrolled loop be too much code? LLVM's default limit for AMD GPUs is lower. But it
 * unrolls loops that index private arrays up to a much higher limit, to keep the arrays out of
 * memory. */
static bool is_too_long(struct walk *w, const struct kt_node *n, int64_t trips)
{
	enum {
		INSTRUCTIONS_MAX = 1000 /* fitted; LLVM's limits are 300 to 2700 */
	};
	const struct kt_node *body = n->child[KT_FOR_BODY];
	int64_t work = 0;

	for (const struct kt_node *at = body; at; at = kt_next(at, body)) {
		const struct kt_node *base =
			at->kind == KT_INDEX ? kt_past_casts(at->child[0]) : NULL;
		uint32_t v =
			base && base->kind == KT_REF && base->sym ? walk_var_of(w, base->sym) : 0;
		if ((v && walk_is_private_var(w, v) && !walk_var_at(w, v)->pointer) ||
			(at->kind == KT_CALL && at->fn && w->u->fn[at->fn].body)) {
			return false;
		}
		work += at->kind == KT_BINARY || at->kind == KT_CALL || at->kind == KT_COND ||
			(at->kind == KT_ASSIGN && at->op != KT_OP_NONE);
	}
	return trips * work > INSTRUCTIONS_MAX;
}

/* The loop's unroll count by its pragma: iterations per iteration of the remaining loop; 1: no
 * pragma. A count that is a name, not a number, counts as 1. */
static int64_t iterations_by_pragma(const struct walk *w, const struct kt_node *n)
{
	static const char word[] = "#pragma unroll";
	struct str line, text = w->u->file[n->file].text;
	int64_t count = 0;

	text = str_sub(text, n->begin, n->end); /* the pragma is a part of the loop */
	if (!str_line(&text, &line) || !str_starts(line, word)) {
		return 1;
	}
	line = str_trim(str_sub(line, sizeof(word) - 1, line.n));
	for (size_t i = line.n && line.p[0] == '('; i < line.n; i++) {
		if (line.p[i] < '0' || line.p[i] > '9' || count > UNROLL_MAX) {
			break;
		}
		count = count * 10 + (line.p[i] - '0');
	}
	return count > 1 && count <= UNROLL_MAX ? count : 1;
}

static void for_loop(struct walk *w, const struct kt_node *n)
{
	struct overwritten over[8];
	struct counted_loop c;
	size_t overs = kill_overwritten(w, n, over, 8);
	bool counted = loop_is_counted(&c, w->t->f, n) && c.last >= c.first &&
		       c.last - c.first <= UNROLL_MAX && w->loops < TRACE_LOOPS_MAX;

	int64_t trips = counted ? c.last - c.first : 0;

	if (counted && trips == 0) {
		return;
	}
	if (counted && is_too_long(w, n, trips)) {
		counted = false;
	}
	bool from_constant = counted;
	if (!counted && w->loops < TRACE_LOOPS_MAX) {
		trips = trips_from_variable(w, n);
		c.var = trips ? n->child[KT_FOR_INIT]->child[0]->sym : 0;
		counted = trips > 0 && trips <= UNROLL_MAX;
	}
	int64_t beside =
		counted || w->loops + 1 >= TRACE_LOOPS_MAX ? 1 : iterations_by_pragma(w, n);
	if (n->child[KT_FOR_INIT]) {
		walk_stmt(w, n->child[KT_FOR_INIT]);
	}
	if (counted) {
		struct trace_var *v = walk_var_at(w, walk_var_of(w, c.var));
		v->pub.width = 0;
		v->pub.uniform = true;
		v->affine = from_constant ? walk_affine_of((uint64_t)c.first, true)
					  : (struct trace_affine){0};
		v->affine.coef[w->loops] = 1;
	} else if (w->loops < TRACE_LOOPS_MAX && n->child[KT_FOR_INIT] &&
		   n->child[KT_FOR_INIT]->kind == KT_DECL) {
		const struct kt_node *init = n->child[KT_FOR_INIT];
		for (size_t i = 0; i < init->n; i++) {
			uint32_t v = walk_var_of(w, init->child[i]->sym);
			if (v) {
				walk_var_at(w, v)->affine.unknown |= 1u << w->loops;
				walk_var_at(w, v)->affine.coef[w->loops + 1] = beside > 1;
			}
		}
	}
	bool constant = !counted && walk_has_constant_header(w, n);
	loop_begin(w, n, counted, trips);
	w->loop[w->loops - 1].constant = constant;
	if (beside > 1) {
		loop_begin(w, n, true, beside);
	}
	if (!counted && n->child[KT_FOR_COND]) {
		walk_eval(w, n->child[KT_FOR_COND]);
	}
	walk_stmt(w, n->child[KT_FOR_BODY]);
	if (!counted && n->child[KT_FOR_INC]) {
		walk_eval(w, n->child[KT_FOR_INC]);
	}
	if (beside > 1) {
		loop_end(w, n);
	}
	loop_end(w, n);
	clear_overwritten(w, over, overs);
}

static void other_loop(struct walk *w, const struct kt_node *n)
{
	struct overwritten over[8];
	size_t overs = kill_overwritten(w, n, over, 8);

	if (n->kind == KT_RANGE_FOR) {
		const struct kt_node *var = n->child[KT_RANGE_VAR];
		const struct kt_type *range = kt_type_of(w->u, n->child[KT_RANGE_RANGE]);
		bool counted = range->kind == KT_T_ARRAY && range->count > 0 &&
			       range->count <= UNROLL_MAX && w->loops < TRACE_LOOPS_MAX;
		struct place p = walk_place_of(w, n->child[KT_RANGE_RANGE]);
		bool refers = w->u->type[w->u->sym[var->sym].type].kind == KT_T_REFERENCE;
		loop_begin(w, n, counted, counted ? range->count : 0);
		if (refers && p.var) {
			ids_set(w->bound, var->sym, p.var);
		} else if (refers) {
			walk_bind_memory(w, var->sym, p);
		} else {
			if (p.var) {
				walk_push(w, TRACE_READ, p.var - 1, n);
			}
			walk_write_var(w,
				walk_var_new(w, var->sym, var,
					walk_width_of(&w->u->type[w->u->sym[var->sym].type])),
				true, false, n);
		}
		walk_stmt(w, n->child[KT_RANGE_BODY]);
	} else {
		loop_begin(w, n, false, 0);
		const struct kt_node *cond =
			n->kind == KT_WHILE ? n->child[KT_WHILE_COND] : n->child[KT_DO_COND];
		if (n->kind == KT_WHILE && n->child[KT_WHILE_VAR]) {
			walk_stmt(w, n->child[KT_WHILE_VAR]);
		}
		if (n->kind == KT_WHILE && cond) {
			walk_eval(w, cond);
		}
		walk_stmt(w, kt_loop_body(n));
		if (n->kind == KT_DO && cond) {
			walk_eval(w, cond);
		}
	}
	loop_end(w, n);
	clear_overwritten(w, over, overs);
}

/* Is the condition invariant in unrolled loop i? Then the machine code has two loops, or one branch
 * around all iterations. */
static bool is_invariant(const struct walk *w, const struct kt_node *cond, size_t i)
{
	for (const struct kt_node *n = cond; n; n = kt_next(n, cond)) {
		uint32_t v = n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym) : 0;
		if (n->kind == KT_CALL || n->kind == KT_INDEX ||
			(n->kind == KT_UNARY && n->op == KT_OP_DEREF)) {
			return false;
		}
		if (v && (walk_var_at(w, v)->loops > i ||
				 (i < TRACE_LOOPS_MAX &&
					 walk_affine_mask(&walk_var_at(w, v)->affine) & 1u << i))) {
			return false;
		}
	}
	return true;
}

static void arms_enter(struct walk *w, const struct kt_node *cond, int by)
{
	for (size_t i = 0; i < w->loops; i++) {
		if (!is_invariant(w, cond, i)) {
			w->loop[i].conditional += (unsigned)by;
		}
	}
}

static uint32_t arm_begin(struct walk *w, uint32_t before, const struct kt_node *n)
{
	walk_push(w, TRACE_ARM, 0, n);
	uint32_t at = (uint32_t)(w->t->item.n - 1);
	if (before) {
		w->t->item.v[before].end = at;
		w->t->arm.n--;
	}
	array_push(&w->t->arm, at);
	return at;
}

static void arms_end(struct walk *w, uint32_t begin, uint32_t arm, const struct kt_node *n)
{
	walk_push(w, TRACE_IF_END, 0, n);
	uint32_t end = (uint32_t)(w->t->item.n - 1);
	w->t->item.v[arm].end = end;
	w->t->item.v[begin].end = end;
	w->t->arm.n--;
}

/* May the branch be divergent, so that the arms share registers? Only with a reason for it: a
 * condition of unknown uniformity may be uniform to the compiler. Matrix operations require that
 * all lanes take one arm. */
static bool is_divergent(struct walk *w, const struct kt_node *n, const struct kt_node *cond)
{
	return lanes_differ(lanes_of(w->t->f), cond) && !walk_is_uniform(w, cond) &&
	       !(facts_effects(w->t->f, n).flags & FX_MATRIX);
}

static void if_stmt(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_IF_COND];

	if (n->child[KT_IF_INIT]) {
		walk_stmt(w, n->child[KT_IF_INIT]);
	}
	if (cond->flags & KT_F_VALUE) {
		const struct kt_node *taken = n->child[cond->value ? KT_IF_THEN : KT_IF_ELSE];
		if (taken) {
			walk_stmt(w, taken);
		}
		return;
	}
	if (n->child[KT_IF_VAR]) {
		declare(w, n->child[KT_IF_VAR]);
	}
	walk_eval(w, cond);
	forget_constants(w);
	struct trace_item *at = walk_push(w, TRACE_IF, 0, n);
	uint32_t begin = (uint32_t)w->t->item.n - 1;
	at->uniform = walk_is_uniform(w, cond);
	at->divergent = is_divergent(w, n, cond);
	at->copies = !at->divergent;
	arms_enter(w, cond, 1);
	uint32_t arm = arm_begin(w, 0, n);
	walk_stmt(w, n->child[KT_IF_THEN]);
	if (n->child[KT_IF_ELSE]) {
		arm = arm_begin(w, arm, n);
		walk_stmt(w, n->child[KT_IF_ELSE]);
	} else {
		arm = arm_begin(w, arm, n); /* the missing else arm */
		w->t->item.v[begin].copies = false;
	}
	arms_enter(w, cond, -1);
	forget_constants(w);
	arms_end(w, begin, arm, n);
}

static bool starts_arm(const struct kt_node *n)
{
	return n->kind == KT_CASE || n->kind == KT_DEFAULT;
}

static void switch_stmt(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *body = n->child[KT_SWITCH_BODY];

	if (n->child[KT_SWITCH_INIT]) {
		walk_stmt(w, n->child[KT_SWITCH_INIT]);
	}
	walk_eval(w, n->child[KT_SWITCH_COND]);
	forget_constants(w);
	struct trace_item *at = walk_push(w, TRACE_IF, 0, n);
	uint32_t begin = (uint32_t)w->t->item.n - 1;
	at->uniform = walk_is_uniform(w, n->child[KT_SWITCH_COND]);
	at->divergent = is_divergent(w, n, n->child[KT_SWITCH_COND]);
	at->copies = !at->divergent;
	arms_enter(w, n->child[KT_SWITCH_COND], 1);
	uint32_t arm = arm_begin(w, 0, n);
	for (size_t i = 0; i < body->n && body->kind == KT_COMPOUND; i++) {
		if (starts_arm(body->child[i]) && i > 0) {
			arm = arm_begin(w, arm, body->child[i]);
		}
		walk_stmt(w, body->child[i]);
	}
	arms_enter(w, n->child[KT_SWITCH_COND], -1);
	forget_constants(w);
	arms_end(w, begin, arm, n);
}

void walk_stmt(struct walk *w, const struct kt_node *n)
{
	if (w->t->cut || (w->t->partial && w->t->whole)) {
		return;
	}
	if (kt_is_loop(n->kind) && w->loops == NEST_MAX) {
		w->t->partial = true;
		walk_unknown(w->t, "loops nested deeper than it follows");
		return;
	}
	switch (n->kind) {
	case KT_COMPOUND:
		for (size_t i = 0; i < n->n; i++) {
			walk_stmt(w, n->child[i]);
		}
		return;
	case KT_DECL:
		for (size_t i = 0; i < n->n; i++) {
			declare(w, n->child[i]);
		}
		return;
	case KT_VAR:
		declare(w, n);
		return;
	case KT_IF:
		if_stmt(w, n);
		return;
	case KT_SWITCH:
		switch_stmt(w, n);
		return;
	case KT_FOR:
		for_loop(w, n);
		return;
	case KT_RANGE_FOR:
	case KT_WHILE:
	case KT_DO:
		other_loop(w, n);
		return;
	case KT_CASE:
		walk_stmt(w, n->child[KT_CASE_STMT]);
		return;
	case KT_DEFAULT:
	case KT_LABEL:
		for (size_t i = 0; i < n->n; i++) {
			walk_stmt(w, n->child[i]);
		}
		return;
	case KT_RETURN:
		if (w->given && n->n && n->child[0]) {
			struct place p = walk_place_of(w, n->child[0]);
			*w->given = w->given->memory ? *w->given : p;
			return;
		}
		for (size_t i = 0; i < n->n; i++) {
			struct value v = walk_eval(w, n->child[i]);
			w->pointed = walk_points_into(w, &v) ? v.var : 0;
		}
		return;
	case KT_GOTO:
		w->t->partial = true;
		walk_unknown(w->t, "where a goto leads");
		return;
	case KT_BREAK:
	case KT_CONTINUE:
	case KT_EMPTY:
		return;
	case KT_STMT_UNKNOWN:
		if (!kt_is_binding(w->u, n)) {
			w->t->partial = true;
			walk_unknown(w->t, "a statement that libclang does not show");
			return;
		}
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i]->kind == KT_VAR) {
				declare(w, n->child[i]);
			}
		}
		return;
	default:
		walk_eval(w, n);
		return;
	}
}

void trace_make(struct trace *t, kt_id kernel)
{
	struct ids bound = {0};
	struct map addresses = {0};
	const struct kt_fn *fn = &t->unit->fn[kernel];
	struct walk w = {.t = t, .u = t->unit, .bound = &bound, .addresses = &addresses};
	struct loop loops[NEST_MAX];

	w.loop = loops;
	array_push(&t->frame, (struct trace_frame){.fn = kernel});
	/* the work-item's index: from gfx90a on, one register for all dimensions */
	array_push(&t->var, (struct trace_var){.pub = {.name = "threadIdx", .type = "", .width = 1},
				    .in_address = true});
	w.thread = 1;
	walk_push(&w, TRACE_KILL, 0, fn->body);
	for (size_t i = 0; i < fn->params; i++) {
		/* kernel arguments are in scalar registers */
		const struct kt_type *p = &t->unit->type[t->unit->sym[fn->param[i]].type];
		uint32_t v = walk_var_new(&w, fn->param[i], NULL, 0);
		walk_var_at(&w, v)->pub.uniform = true;
		if (p->kind == KT_T_REFERENCE) {
			walk_var_at(&w, v)->memory = true;
		}
	}
	walk_stmt(&w, fn->body);
	ids_release(&bound);
	map_release(&addresses);
}

void trace_release(struct trace *t)
{
	array_release(&t->item);
	array_release(&t->frame);
	array_release(&t->var);
	array_release(&t->unknown);
	array_release(&t->cleared);
	array_release(&t->arm);
	map_release(&t->offsets);
	map_release(&t->small);
}
