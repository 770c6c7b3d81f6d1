#include "analysis/facts/liveness.h"

#include <string.h>
#include "analysis/facts/bits.h"
#include "analysis/facts/overwrite.h"
#include "base/array.h"
#include "base/map.h"

struct liveness {
	struct facts *f;
	struct arena *arena;
	struct arena *scratch; /* for solving and queries */
	kt_id fn;
	ARRAY(loc_id) loc;
	size_t words;
	struct ids index;   /* loc -> 1 + index */
	struct ids aliases; /* loc -> bits, for locations that were queried */
	struct ids after;   /* node -> bits */
	bool recording;
	struct ids exposed; /* node -> bits, for nodes that were queried */
};

struct exits {
	const uint64_t *brk;
	const uint64_t *cont;
	const uint64_t *ret;
};

static void live(struct liveness *l, const struct kt_node *n, bits set, const struct exits *x);

static bits bits_new(struct liveness *l)
{
	return ARENA_ARRAY(l->scratch, uint64_t, l->words);
}

static bits bits_copy(struct liveness *l, const uint64_t *from)
{
	return arena_memdup(l->scratch, from, l->words * sizeof(uint64_t));
}

/* Copies the bits, for the life of the liveness. */
static bits bits_keep(struct liveness *l, const uint64_t *from)
{
	return arena_memdup(l->arena, from, l->words * sizeof(uint64_t));
}

static size_t index_of(const struct liveness *l, loc_id loc)
{
	return (size_t)ids_get(&l->index, loc, 0);
}

static void record_after(struct liveness *l, const struct kt_node *n, const uint64_t *set)
{
	if (!l->recording) {
		return;
	}
	bits known = (bits)ids_get(&l->after, (uintptr_t)n, 0);
	if (known) {
		bits_add(known, set, l->words);
	} else {
		ids_set(&l->after, (uintptr_t)n, (uintptr_t)bits_keep(l, set));
	}
}

static bits aliases_of(struct liveness *l, loc_id loc)
{
	bits set = (bits)ids_get(&l->aliases, (uintptr_t)loc + 1, 0);
	if (!set) {
		set = ARENA_ARRAY(l->arena, uint64_t, l->words);
		for (size_t k = 0; k < l->loc.n; k++) {
			bit_set(set, k, facts_may_alias(l->f, loc, l->loc.v[k]));
		}
		ids_set(&l->aliases, (uintptr_t)loc + 1, (uintptr_t)set);
	}
	return set;
}

static void read_aliases(struct liveness *l, bits set, loc_id loc)
{
	size_t i = index_of(l, loc);
	if (i) {
		bit_set(set, i - 1, true);
	}
	if (!(LOC_IS_VAR(loc) && facts_is_private(l->f, loc))) {
		bits_add(set, aliases_of(l, loc), l->words);
	}
}

static void live_expr(struct liveness *l, const struct kt_node *n, bits set)
{
	size_t count;
	struct event *ev = facts_events(l->f, n, &count);
	for (size_t i = count; i-- > 0;) {
		size_t at = index_of(l, ev[i].loc);
		if (ev[i].kind == EVENT_KILL && at) {
			bit_set(set, at - 1, false);
		} else if (ev[i].kind == EVENT_READ) {
			read_aliases(l, set, ev[i].loc);
		}
	}
}

/* ---- counted loops and what they overwrite ---- */

static bool increments(const struct kt_node *n, kt_id var)
{
	if (!n) {
		return false;
	}
	if (n->kind == KT_UNARY && (n->op == KT_OP_PREINC || n->op == KT_OP_POSTINC)) {
		return kt_names(n->child[0], var);
	}
	return n->kind == KT_ASSIGN && n->op == KT_OP_ADD && kt_names(n->child[0], var) &&
	       n->child[1]->flags & KT_F_VALUE && n->child[1]->value == 1;
}

bool loop_is_counted(struct counted_loop *out, struct facts *f, const struct kt_node *loop)
{
	if (loop->kind != KT_FOR || !loop->child[KT_FOR_INIT] || !loop->child[KT_FOR_COND]) {
		return false;
	}
	const struct kt_node *init = loop->child[KT_FOR_INIT];
	const struct kt_node *cond = loop->child[KT_FOR_COND];
	if (init->kind != KT_DECL || init->n != 1 || init->child[0]->kind != KT_VAR ||
		init->child[0]->n != 1) {
		return false;
	}
	const struct kt_node *start = init->child[0]->child[0];
	kt_id var = init->child[0]->sym;
	bool less = cond->kind == KT_BINARY &&
		    (cond->op == KT_OP_LT || cond->op == KT_OP_NE || cond->op == KT_OP_LE);
	if (!less || !kt_names(cond->child[0], var) || !(cond->child[1]->flags & KT_F_VALUE) ||
		!(start->flags & KT_F_VALUE) || !increments(loop->child[KT_FOR_INC], var)) {
		return false;
	}
	struct fx fx = facts_effects(f, loop->child[KT_FOR_BODY]);
	if (fx.flags & (FX_BREAK | FX_RETURN | FX_GOTO | FX_LABEL) ||
		locset_has(&fx.writes, LOC_VAR(var))) {
		return false;
	}
	*out = (struct counted_loop){
		var, start->value, cond->child[1]->value + (cond->op == KT_OP_LE ? 1 : 0)};
	return true;
}

bool loop_runs(struct facts *f, const struct kt_node *loop)
{
	struct counted_loop c;
	return loop_is_counted(&c, f, loop) && c.last > c.first;
}

/* Could it be set part by part? Writes of the whole object are events. */
static bool has_parts(const struct liveness *l, loc_id loc)
{
	const struct kt_unit *u = facts_unit(l->f);
	const struct kt_type *t = kt_object_type(u, u->sym[LOC_SYM(loc)].type);
	return !LOC_IS_BEYOND(loc) && (t->kind == KT_T_ARRAY || t->kind == KT_T_RECORD);
}

/* Removes the locations that n overwrites, also element by element, from the set. */
static void kill_overwritten(struct liveness *l, const struct kt_node *n, bits set)
{
	for (size_t i = 0; i < l->loc.n; i++) {
		loc_id loc = l->loc.v[i];
		if (bit_get(set, i) && has_parts(l, loc) && facts_writes(l->f, n, loc) &&
			overwrite_is_whole(l->f, n, LOC_SYM(loc))) {
			bit_set(set, i, false);
		}
	}
}

/* ---- statements ---- */

static void live_loop(struct liveness *l, const struct kt_node *n, bits set, const struct exits *x)
{
	bits out = bits_copy(l, set);
	bits head = bits_new(l);
	const struct kt_node *cond = kt_loop_condition(n);
	for (bool grew = true; grew;) {
		/* cont: the live set at the target of continue */
		bits cont = bits_copy(l, head);
		if (n->kind == KT_DO) {
			bits_add(cont, out, l->words);
			live_expr(l, cond, cont);
		} else if (n->kind == KT_FOR && n->child[KT_FOR_INC]) {
			live_expr(l, n->child[KT_FOR_INC], cont);
		}
		struct exits inner = {out, cont, x->ret};
		bits body = bits_copy(l, cont);
		live(l, kt_loop_body(n), body, &inner);
		if (n->kind == KT_RANGE_FOR) {
			live_expr(l, n->child[KT_RANGE_VAR], body);
			struct locset range = {0};
			facts_elements(&range, l->f, l->scratch, n->child[KT_RANGE_RANGE]);
			for (uint32_t i = 0; i < range.n; i++) {
				const struct kt_unit *u = facts_unit(l->f);
				if (kt_type_of(u, n->child[KT_RANGE_VAR])->kind != KT_T_REFERENCE) {
					read_aliases(l, body, range.v[i]);
				}
			}
		}
		if (n->kind != KT_DO) {
			bits_add(body, out, l->words);
		}
		if (cond && n->kind != KT_DO) {
			live_expr(l, cond, body);
		}
		if (n->kind == KT_WHILE && n->child[KT_WHILE_VAR]) {
			live_expr(l, n->child[KT_WHILE_VAR], body);
		}
		grew = bits_add(head, body, l->words);
	}
	memcpy(set, head, l->words * sizeof(uint64_t));
	kill_overwritten(l, n, set);
	if (n->kind == KT_FOR && n->child[KT_FOR_INIT]) {
		live(l, n->child[KT_FOR_INIT], set, x);
	}
	if (n->kind == KT_RANGE_FOR && n->child[KT_RANGE_INIT]) {
		live(l, n->child[KT_RANGE_INIT], set, x);
	}
}

/* The live set at the labels of a switch body, computed from its end. */
static void live_switch_body(struct liveness *l, const struct kt_node *body, bits set,
	const struct exits *x, bits at_labels, bool *has_default)
{
	if (body->kind != KT_COMPOUND) {
		live(l, body, set, x);
		bits_add(at_labels, set, l->words);
		return;
	}
	for (size_t i = body->n; i-- > 0;) {
		const struct kt_node *c = body->child[i];
		live(l, c, set, x);
		for (const struct kt_node *at = c; at;) {
			bool label = at->kind == KT_CASE || at->kind == KT_DEFAULT;
			if (!label) {
				break;
			}
			*has_default |= at->kind == KT_DEFAULT;
			bits_add(at_labels, set, l->words);
			at = at->kind == KT_CASE ? at->child[KT_CASE_STMT]
			     : at->n		 ? at->child[0]
						 : NULL;
		}
	}
}

static bool has_nested_label(const struct kt_node *body)
{
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_SWITCH && n != body) {
			continue;
		}
		if ((n->kind == KT_CASE || n->kind == KT_DEFAULT) && n->parent != body &&
			n->parent->kind != KT_CASE && n->parent->kind != KT_DEFAULT) {
			return true;
		}
	}
	return false;
}

static void live_all(struct liveness *l, bits set)
{
	for (size_t i = 0; i < l->loc.n; i++) {
		bit_set(set, i, true);
	}
}

static void live(struct liveness *l, const struct kt_node *n, bits set, const struct exits *x)
{
	switch (n->kind) {
	case KT_COMPOUND:
		for (size_t i = n->n; i-- > 0;) {
			live(l, n->child[i], set, x);
		}
		return;
	case KT_DECL:
		record_after(l, n, set);
		for (size_t i = n->n; i-- > 0;) {
			live_expr(l, n->child[i], set);
		}
		return;
	case KT_IF: {
		record_after(l, n, set);
		bits other = bits_copy(l, set);
		live(l, n->child[KT_IF_THEN], set, x);
		if (n->child[KT_IF_ELSE]) {
			live(l, n->child[KT_IF_ELSE], other, x);
		}
		bits_add(set, other, l->words);
		live_expr(l, n->child[KT_IF_COND], set);
		if (n->child[KT_IF_VAR]) {
			live_expr(l, n->child[KT_IF_VAR], set);
		}
		if (n->child[KT_IF_INIT]) {
			live(l, n->child[KT_IF_INIT], set, x);
		}
		return;
	}
	case KT_SWITCH: {
		record_after(l, n, set);
		bits out = bits_copy(l, set);
		bits labels = bits_new(l);
		struct exits inner = {out, x->cont, x->ret};
		bool has_default = false;
		live_switch_body(l, n->child[KT_SWITCH_BODY], set, &inner, labels, &has_default);
		memcpy(set, labels, l->words * sizeof(uint64_t));
		if (has_nested_label(n->child[KT_SWITCH_BODY])) {
			live_all(l, set);
		}
		if (!has_default) {
			bits_add(set, out, l->words);
		}
		live_expr(l, n->child[KT_SWITCH_COND], set);
		if (n->child[KT_SWITCH_VAR]) {
			live_expr(l, n->child[KT_SWITCH_VAR], set);
		}
		if (n->child[KT_SWITCH_INIT]) {
			live(l, n->child[KT_SWITCH_INIT], set, x);
		}
		return;
	}
	case KT_CASE:
		live(l, n->child[KT_CASE_STMT], set, x);
		return;
	case KT_DEFAULT:
	case KT_LABEL:
		for (size_t i = n->n; i-- > 0;) {
			live(l, n->child[i], set, x);
		}
		return;
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
	case KT_RANGE_FOR:
		live_loop(l, n, set, x);
		return;
	case KT_RETURN:
		memcpy(set, x->ret, l->words * sizeof(uint64_t));
		record_after(l, n, set);
		if (n->n) {
			live_expr(l, n, set);
		}
		return;
	case KT_BREAK:
		memcpy(set, x->brk, l->words * sizeof(uint64_t));
		record_after(l, n, set);
		return;
	case KT_CONTINUE:
		memcpy(set, x->cont, l->words * sizeof(uint64_t));
		record_after(l, n, set);
		return;
	case KT_GOTO:
	case KT_STMT_UNKNOWN:
		live_all(l, set);
		return;
	case KT_EMPTY:
		return;
	default:
		record_after(l, n, set);
		live_expr(l, n, set);
		kill_overwritten(l, n, set);
		return;
	}
}

static void track(struct liveness *l, loc_id loc)
{
	if (!index_of(l, loc) && facts_is_private(l->f, loc)) {
		array_push(&l->loc, loc);
		ids_set(&l->index, loc, l->loc.n);
	}
}

/* Tracks a variable, or the target of a parameter, and memory beyond them. */
static void track_symbol(struct liveness *l, kt_id sym)
{
	const struct kt_unit *u = facts_unit(l->f);
	bool param = u->sym[sym].kind == KT_S_PARAM;
	if (!kt_is_reference(u, sym)) {
		track(l, LOC_VAR(sym));
	}
	if (param) {
		track(l, LOC_DEREF(sym));
		track(l, LOC_BEYOND(sym));
	}
}

/* Finds the tracked locations. */
static void find_locs(struct liveness *l)
{
	struct kt_unit *u = facts_unit(l->f);
	kt_id fn = l->fn;
	const struct kt_node *body = u->fn[fn].body;
	if (u->fn[fn].self) {
		track_symbol(l, u->fn[fn].self);
	}
	for (size_t i = 0; i < u->fn[fn].params; i++) {
		track_symbol(l, u->fn[fn].param[i]);
	}
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		/* references too: a lambda's body names variables of the function around it */
		if ((n->kind == KT_VAR || n->kind == KT_REF) && kt_is_variable(u, n->sym)) {
			track_symbol(l, n->sym);
		}
	}
	l->words = (l->loc.n + 63) / 64 + 1;
}

static void solve(struct liveness *l)
{
	const struct kt_unit *u = facts_unit(l->f);
	bits set = bits_new(l);
	for (size_t i = 0; i < l->loc.n; i++) {
		/* locations that the caller, or the function around a lambda, may read */
		kt_id sym = LOC_SYM(l->loc.v[i]);
		bool foreign = u->sym[sym].fn != l->fn;
		bit_set(set, i, !LOC_IS_VAR(l->loc.v[i]) || foreign);
	}
	bits ret = bits_copy(l, set);
	bits none = bits_new(l);
	struct exits x = {none, none, ret};
	l->recording = true;
	live(l, u->fn[l->fn].body, set, &x);
	l->recording = false;
}

static void release(void *user)
{
	struct liveness *l = user;
	ids_release(&l->index);
	ids_release(&l->aliases);
	ids_release(&l->after);
	ids_release(&l->exposed);
	array_release(&l->loc);
}

struct liveness *liveness_of(struct facts *f, kt_id fn)
{
	struct liveness *l = facts_kept(f, FACTS_KEEP_LIVENESS, fn);
	if (l) {
		return l;
	}
	l = ARENA_NEW(facts_arena(f), struct liveness);
	l->f = f;
	l->arena = facts_arena(f);
	l->fn = fn;
	find_locs(l);
	l->scratch = arena_create();
	solve(l);
	arena_free(l->scratch);
	facts_keep(f, FACTS_KEEP_LIVENESS, fn, l, release);
	return l;
}

size_t liveness_locs(const struct liveness *l, const loc_id **locs)
{
	*locs = l->loc.v;
	return l->loc.n;
}

bool liveness_after(const struct liveness *l, const struct kt_node *n, loc_id loc)
{
	const uint64_t *set = (const uint64_t *)ids_get(&l->after, (uintptr_t)n, 0);
	size_t i = index_of(l, loc);
	return set && i && bit_get(set, i - 1);
}

/* The exposed locations at the start of the children [first, last) of n. */
static bits exposed_part(struct liveness *l, const struct kt_node *n, size_t first, size_t last)
{
	bits set = bits_new(l);
	bits none = bits_new(l);
	struct exits x = {none, none, none};
	for (size_t i = last; i-- > first;) {
		live(l, n->child[i], set, &x);
	}
	return set;
}

bool liveness_exposed_part(
	struct liveness *l, const struct kt_node *n, size_t first, size_t last, loc_id loc)
{
	size_t at = index_of(l, loc);
	if (!at) {
		return false;
	}
	l->scratch = arena_create();
	bool is =
		bit_get(exposed_part(l, n, first, last), at - 1) &&
		!(has_parts(l, loc) && overwrite_is_whole_part(l->f, n, first, last, LOC_SYM(loc)));
	arena_free(l->scratch);
	return is;
}

static bits exposed(struct liveness *l, const struct kt_node *n)
{
	bits set = bits_new(l);
	bits none = bits_new(l);
	struct exits x = {none, none, none};
	if (kt_is_stmt(n->kind)) {
		live(l, n, set, &x);
	} else {
		live_expr(l, n, set);
	}
	kill_overwritten(l, n, set);
	return set;
}

bool liveness_exposed(struct liveness *l, const struct kt_node *n, loc_id loc)
{
	size_t at = index_of(l, loc);
	if (!at) {
		return false;
	}
	bits set = (bits)ids_get(&l->exposed, (uintptr_t)n, 0);
	if (!set) {
		l->scratch = arena_create();
		set = bits_keep(l, exposed(l, n));
		ids_set(&l->exposed, (uintptr_t)n, (uintptr_t)set);
		arena_free(l->scratch);
	}
	return bit_get(set, at - 1);
}
