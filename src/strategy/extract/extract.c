/*
 * hoist (c), the callee split: the arms call the same function on the accumulator. The function is
 * cut before its first statement that writes the accumulator. The narrow part stays in the arms,
 * and passes the values that the wide part needs; the wide part is called once, after the merge. A
 * template argument or parameter that differs between the arms becomes a small value of the wide
 * part; an argument that is equal in all arms is not changed.
 *
 * BEFORE                                  AFTER
 *   template <bool First, int N>            struct step_state {
 *   void step(T (&acc)[N], float x)                 bool First;
 *   {                                               float scale;
 *           const float scale = f(x);       };
 *           for (int i = 0; i < N; ++i) {
 *                   if (!First)             template <bool First>
 *                           acc[i] *= scale;step_state step_narrow(float x)
 *           }                               {
 *   }                                               const float scale = f(x);
 *                                                   return {First, scale};
 *                                           }
 *
 *                                           template <int N>
 *                                           void step_wide(
 *                                                   const step_state &state,
 *                                                   T (&acc)[N])
 *                                           {
 *                                                   for (int i = 0; i < N; ++i) {
 *                                                           if (!state.First)
 *                                                                   acc[i] *= state.scale;
 *                                                   }
 *                                           }
 *
 *   if (t == 0) {                           step_state state;
 *           step<true, 32>(acc, x);         if (t == 0) {
 *   } else {                                        state = step_narrow<true>(x);
 *           step<false, 32>(acc, x);        } else {
 *   }                                               state = step_narrow<false>(x);
 *                                           }
 *                                           step_wide<32>(state, acc);
 *
 * Nested ifs and switches are one merge: the wide call comes after the outermost one.
 *
 * Legal when
 * 21. no switch falls through, and every path through the merge holds at most one call statement,
 *     outside of loops, of the same function (function, function template, method, operator(),
 *     lambda); no other code there writes a wide accumulator or declares a structured binding; the
 *     function returns nothing, or its result is assigned without a conversion. If a path has no
 *     call, a flag in the state says so, and the wide call is under an if;
 * 22. the function is defined in this file and in the call's scope, and is not a specialization. It
 *     and its calls have plain text: no macro, parameter pack, constraint, friend, method only for
 *     temporaries (&&), or code without a text. No directive except a loop pragma is in it or in
 *     the merge, and no #if is around it that is not around the merge. A lambda is declared in the
 *     function of the merge and captures only variables;
 * 23. no jump leaves or enters an arm in its middle, the narrow part does not return, and the wide
 *     part does not jump or trap;
 * 24. the wide part neither declares a static or shared variable nor uses one of the narrow part.
 *     The narrow part declares none either, if the function has other callers. The wide part does
 *     not use a type declared in the narrow one;
 * 25. an argument that the wide part needs is passed to it directly if all arms write the same
 *     argument, without side effects, with names from outside the merge, and it has the same value
 *     after the arms. Otherwise the narrow part passes it on, by value or as the address of memory
 *     that all lanes share. No passed value points to an object that is dead by then. The object of
 *     a method is the same in all arms, too; an object that each call creates (mma{scale}(acc, a))
 *     has a trivial class, and the function only reads values from it;
 * 26. the wide part uses a template argument that differs between the arms, or a constant computed
 *     from it, only as a value: not in a type, a template argument, a case, a builtin's argument, a
 *     macro, a braced list or a reference, and not where it may select an overload (if constexpr
 *     becomes if). The wide part of a template calls no function declared after it. If the argument
 *     is the class's (blockwise<true>{}(acc, a)), the class is not a specialization, has no base
 *     and is not nested, and the wide part uses no other names of the class except constants that
 *     are equal in all these instances (see object.c);
 * 27. the types of the passed values can be spelled next to the function, in a template as the
 *     source spells them, and are trivially copyable; the state's type can be spelled at the merge.
 *     An array is a member of the state; one with values other than zero is copied there;
 * 28. the code of an arm after the call may be swapped with the wide part (no RAW, WAR, WAW);
 * 29. if the wide part has a matrix operation, or a barrier, cross-lane, atomic, volatile or
 *     unknown operation, the conditions are uniform: proved, or required by a matrix operation or
 *     barrier in the arms (see agree.c);
 * 30. unless contraction is off: no float multiply is separated from, or joined with, an add of its
 *     result; no multiply that moves is added again in every iteration of a loop around it; no new
 *     variable decides which of two multiplies an add may be contracted with; and no product that
 *     is added may be a rounded constant in an arm, and a multiply after it (fold.c);
 * 31. the passed values are narrower than the accumulators that no longer cross;
 * 32. there is a place for the state's declaration before the merge; fenced: its arms can be
 *     guarded.
 * The narrow part returns the state, or fills a parameter if the state has an array or the flag.
 *
 * By construction: the narrow part runs in place of the call; the wide part runs once, as in every
 * arm; the function is kept for other callers.
 *
 * Variants: plain (only the calls change) and fenced (arms become guarded ifs with a fence between,
 * those of nested ifs too).
 */
#include "strategy/extract/extract.h"

#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/calls.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

enum {
	TPARAMS_MAX = 48, /* bits of a word for template parameters; the others: */
	CLASS_TPARAMS_MAX = 16
};

/* ---- the cut ---- */

static bool is_wide_variable(const struct callee *c, kt_id sym)
{
	return kt_type_width(&c->u->type[c->u->sym[sym].type]) >= WIDE_MIN;
}

/* For a function that returns the accumulator: does this statement return it, or write a copy of
 * it? */
static bool makes_result(struct callee *c, const struct kt_node *stmt)
{
	struct fx fx = facts_effects(c->f, stmt);
	for (uint32_t i = 0; i < fx.writes.n; i++) {
		if (LOC_IS_VAR(fx.writes.v[i]) && is_wide_variable(c, LOC_SYM(fx.writes.v[i]))) {
			return true;
		}
	}
	for (size_t i = 0; stmt->kind == KT_DECL && i < stmt->n; i++) {
		if (stmt->child[i]->kind == KT_VAR && is_wide_variable(c, stmt->child[i]->sym)) {
			return true;
		}
	}
	return fx.flags & FX_RETURN;
}

/* Does statement s write an accumulator in some arm? */
static bool writes_wide(struct callee *c, size_t s)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct callee_leaf *l = &c->leaf[i];
		const struct kt_node *stmt = callee_body(c, i)->child[s];
		struct locset inner = callee_wide_in(c, l, &c->wide.set);
		if (callee_writes(c, stmt, &inner, 0) || (l->result && makes_result(c, stmt))) {
			return true;
		}
	}
	return false;
}

static bool find_cut(struct callee *c)
{
	struct str t = c->p->text;
	c->body = callee_body(c, 0);
	while (c->cut < c->body->n && !writes_wide(c, c->cut)) {
		c->cut++;
	}
	if (c->cut == c->body->n) {
		plan_refuse(
			c->p, CALLEE_CALLS, "no statement of the function writes the accumulator");
		return false;
	}
	struct span b = c->pattern.body;
	size_t at = c->cut ? text_after_comments(t, c->body->child[c->cut - 1]->end) : b.begin + 1;
	if (at > c->body->child[c->cut]->begin) {
		plan_refuse(c->p, CALLEE_TEXT, "its statements are not in source order");
		return false;
	}
	c->narrow = (struct span){b.begin + 1, at};
	c->wide_text = (struct span){at, b.end - 1};
	return true;
}

static void find_effects(struct callee *c)
{
	for (size_t i = 0; i < c->leaves; i++) {
		struct callee_leaf *l = &c->leaf[i];
		struct fx narrow = {0}, wide = {0};
		for (size_t s = 0; s < c->body->n; s++) {
			facts_add_effects(callee_is_wide(c, s) ? &wide : &narrow, c->f, c->p->a,
				callee_body(c, i)->child[s]);
		}
		const struct kt_node *args = l->call;
		callee_at_call(&l->narrow, c, l, &narrow);
		for (size_t k = 0; k < args->n; k++) {
			/* the effects of the arguments */
			struct fx fx = facts_effects(c->f, args->child[k]);
			locset_union(&l->narrow.writes, c->p->a, &fx.writes);
			l->narrow.flags |= fx.flags;
		}
		callee_at_call(&l->wide, c, l, &wide);
		if (l->result) {
			facts_lvalue(&l->wide.writes, c->f, c->p->a, l->result);
		}
	}
}

/* ---- clauses 23, 24 and 28 ---- */

static bool check_leaves(struct callee *c)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct callee_leaf *l = &c->leaf[i];
		if (l->narrow.flags & (FX_RETURN | FX_GOTO | FX_LABEL)) {
			return plan_refuse(c->p, CALLEE_LEAVES,
				"'%s' may return, or jump, before it writes the accumulator",
				c->u->fn[l->fn].base);
		}
		if (l->wide.flags & (FX_GOTO | FX_LABEL | FX_TRAP)) {
			return plan_refuse(c->p, CALLEE_LEAVES,
				"the wide part of '%s' jumps or traps", c->u->fn[l->fn].base);
		}
	}
	return true;
}

/* Is it c's function, or another instance of it, in any parse? */
static bool is_function_of(const struct callee *c, const struct kt_unit *u, kt_id id)
{
	const struct kt_fn *own = &c->u->fn[c->leaf[0].fn], *fn = &u->fn[id];
	return fn->body && fn->body->begin == own->body->begin && fn->body->end == own->body->end &&
	       strcmp(u->file[fn->file].path, c->u->file[own->file].path) == 0;
}

/* A static object, which each copy of the text would duplicate? */
static bool is_kept_object(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_sym *v = n->kind == KT_VAR ? &u->sym[n->sym] : NULL;
	return v && v->kind != KT_S_LOCAL && !v->is_extern &&
	       !(u->type[v->type].is_const && v->space != KT_SHARED);
}

static const struct kt_node *kept_object_in(const struct kt_unit *u, const struct kt_node *root)
{
	const struct kt_node *n = root;
	while (n && !is_kept_object(u, n)) {
		n = kt_next(n, root);
	}
	return n;
}

/* Lambdas and local classes count, too. */
const struct kt_node *callee_kept_object(const struct callee *c)
{
	for (kt_id i = 1; i < c->u->fns; i++) {
		const struct kt_node *body = c->u->fn[i].body;
		bool inside = body && body->file == c->body->file &&
			      body->begin >= c->body->begin && body->end <= c->body->end;
		const struct kt_node *n = inside ? kept_object_in(c->u, body) : NULL;
		if (n) {
			return n;
		}
	}
	return NULL;
}

/* Is the function called in a file that includes this one? */
static bool is_called_outside(const struct callee *c)
{
	for (kt_id i = 1; i < c->u->fns; i++) {
		const struct kt_node *const *call;
		size_t n = 0;
		if (is_function_of(c, c->u, i)) {
			facts_callers(&call, &n, c->f, i);
		}
		for (size_t k = 0; k < n; k++) {
			if (call[k]->file != c->body->file) {
				return true;
			}
		}
	}
	return false;
}

static bool check_storage(struct callee *c)
{
	for (size_t s = c->cut; s < c->body->n; s++) {
		const struct kt_node *root = callee_is_wide(c, s) ? c->body->child[s] : NULL;
		const struct kt_node *n = root ? kept_object_in(c->u, root) : NULL;
		if (n) {
			return plan_refuse(c->p, CALLEE_STORAGE,
				"'%s' of the wide part is static or shared",
				c->u->sym[n->sym].name);
		}
	}
	return true;
}

/* A static object in the narrow part would differ from the function's own, which other callers
 * use. */
static bool check_kept(struct callee *c)
{
	const struct kt_node *kept = callee_kept_object(c);
	return !kept || !(c->used_elsewhere || is_called_outside(c)) ||
	       plan_refuse(c->p, CALLEE_STORAGE,
		       "'%s' is static or shared, and other calls of '%s' would have another one",
		       c->u->sym[kept->sym].name, c->u->fn[c->leaf[0].fn].base);
}

static bool check_sinking(struct callee *c)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct callee_leaf *l = &c->leaf[i];
		const char *why = NULL;
		if (facts_conflict(c->f, c->p->a, &l->wide, &l->after, &why) &&
			(l->after.reads.n || l->after.writes.n || l->after.flags)) {
			return plan_refuse(c->p, CALLEE_SINK,
				"the code after the call in an arm must stay after the wide part: "
				"%s",
				why);
		}
	}
	return true;
}

/* The wide part must not access variables that an arm declares: they are dead. */
static bool check_lifetime(struct callee *c)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct callee_leaf *l = &c->leaf[i];
		const struct kt_fn *fn = &c->u->fn[l->fn];
		struct fx raw = {0}, here;
		for (size_t s = c->cut; s < c->body->n; s++) {
			if (callee_is_wide(c, s)) {
				facts_add_effects(&raw, c->f, c->p->a, callee_body(c, i)->child[s]);
			}
		}
		for (size_t k = 0; k < fn->params && k < c->pattern.params; k++) {
			if (c->pattern.param[k].passed) {
				locset_remove(&raw.reads, c->p->a, LOC_DEREF(fn->param[k]));
			}
		}
		callee_at_call(&here, c, l, &raw);
		locset_union(&here.reads, c->p->a, &here.writes);
		for (uint32_t k = 0; k < here.reads.n; k++) {
			kt_id sym = LOC_IS_VAR(here.reads.v[k]) ? LOC_SYM(here.reads.v[k]) : 0;
			const struct kt_sym *v = &c->u->sym[sym];
			if (sym && v->fn == c->m->fn && v->at >= c->m->node->begin &&
				v->at < c->m->node->end) {
				return plan_refuse(c->p, CALLEE_ARGUMENT,
					"the wide part reaches '%s', which is declared in an arm",
					v->name);
			}
		}
	}
	return true;
}

/* ---- clause 29 ---- */

static bool check_uniform(struct callee *c)
{
	unsigned flags = 0;
	unsigned narrow = 0;
	for (size_t i = 0; i < c->leaves; i++) {
		flags |= c->leaf[i].wide.flags;
		narrow |= c->leaf[i].narrow.flags;
	}
	if (!(flags & (FX_ORDERED | FX_MATRIX))) {
		return true;
	}
	const char *why;
	bool ok = plan_is_uniform(c->p, c->m->node, c->cond, c->conds, &why);
	plan_guards(c->p, (c->guarded ? flags : 0) | narrow);
	return ok || plan_refuse(c->p, CALLEE_UNIFORM, "the wide part holds %s, and %s",
			     plan_ordered_words(flags), why);
}

/* ---- clause 31 ---- */

static bool check_gain(struct callee *c)
{
	unsigned width = 0;
	struct locset crossing = {0};
	for (size_t i = 0; i < c->fields; i++) {
		width += c->field[i].width;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct callee_leaf *l = &c->leaf[i];
		for (uint32_t k = 0; k < l->narrow.writes.n; k++) {
			loc_id loc = l->narrow.writes.v[k];
			if (locset_has(&l->wide.reads, loc) && facts_is_private(c->f, loc) &&
				!merge_carries(c->m, loc) && locset_add(&crossing, c->p->a, loc)) {
				width += kt_type_width(&c->u->type[facts_loc_type(c->f, loc)]);
			}
		}
	}
	if (width >= c->wide.width && !c->wide.narrow_instance) {
		return plan_refuse(c->p, CALLEE_GAIN,
			"%u VGPRs would be passed to the wide part, in place of %u of "
			"accumulators that cross now",
			width, c->wide.width);
	}
	return c->fields || c->cut ||
	       plan_refuse(c->p, CALLEE_GAIN, "the arms do the same, and nothing is left in them");
}

/* The calls of the arms; false: refused. */
static bool find_leaves(struct callee *c)
{
	struct plan *p = c->p;
	if (!wide_find(&c->wide, p, CALLEE_CALLS)) {
		p->out->topic = TOPIC_OTHER;
		return false;
	}
	p->out->topic = TOPIC_OWN;
	if (!callee_find_calls(c) || !arms_check_bindings(p, CALLEE_CALLS) ||
		!arms_check_written(p, CALLEE_TEXT) ||
		!plan_check_directives(p, c->m->node->begin, c->m->node->end, CALLEE_TEXT)) {
		return false;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		if (!callee_read_call(c, &c->leaf[i])) {
			return false;
		}
	}
	return callee_check_function(c);
}

/* ---- one pair of parts for all merges that call the function ---- */

/*
 * A template argument that differs in only one of these merges is passed as a value in all of them.
 * In the other merges it is a constant again once the parts are inlined.
 */

/* Template parameters that differ between the arms of m, if these call the function of c. */
static uint64_t differences(
	const struct callee *c, const struct parse *parse, const struct merge *m)
{
	struct candidate none = {0};
	struct plan p = *c->p;
	p.parse = parse;
	p.merge = m;
	p.out = &none;
	struct callee other = {.p = &p, .m = m, .u = parse->unit, .f = parse->facts};
	bool same = m->node->file && parse->unit->file[m->node->file].text.p &&
		    str_eq(parse->unit->file[m->node->file].text, c->p->text) &&
		    find_leaves(&other);
	uint64_t found = 0;
	for (size_t i = 0; i < other.leaves && same; i++) {
		same = is_function_of(c, other.u, other.leaf[i].fn);
	}
	for (size_t i = 0; same && i < c->pattern.tparams && i < TPARAMS_MAX; i++) {
		found |= callee_argument_differs(&other, i) ? (uint64_t)1 << i : 0;
	}
	for (size_t i = 0; same && callee_class_differs(&other) && i < CLASS_TPARAMS_MAX; i++) {
		bool differs = callee_class_argument_differs(&other, i);
		found |= differs ? (uint64_t)1 << (TPARAMS_MAX + i) : 0;
	}
	return found;
}

static void release_differences(void *user)
{
	(void)user; /* memory belongs to the arena */
}

/* The same for all merges of a parse; computed once. */
static uint64_t differences_in(const struct callee *c, const struct parse *parse)
{
	kt_id fn = 1;
	while (fn < parse->unit->fns && !is_function_of(c, parse->unit, fn)) {
		fn++;
	}
	if (fn == parse->unit->fns) {
		return 0;
	}
	uint64_t *all = facts_kept(parse->facts, FACTS_KEEP_SPLITS, fn);
	if (all) {
		return *all;
	}
	all = ARENA_NEW(facts_arena(parse->facts), uint64_t);
	*all = 0;
	for (size_t i = 0; i < parse->merges.n; i++) {
		const struct merge *m = &parse->merges.v[i];
		if (m->kind != MERGE_COND && !m->silent) {
			*all |= differences(c, parse, m);
		}
	}
	facts_keep(parse->facts, FACTS_KEEP_SPLITS, fn, all, release_differences);
	return *all;
}

/* Does the state of an earlier rewrite's parts of this function have this member? */
static bool has_member(const struct callee *c, const char *state, struct str name)
{
	struct str t = c->p->text;
	size_t n = 0;
	const size_t *at = layout_uses(plan_layout(c->p), str_of(state), &n);
	for (size_t i = 0; i < n; i++) {
		size_t open = lex_skip_space(t, at[i] + strlen(state));
		size_t close = open < t.n && t.p[open] == '{' ? lex_close(t, open) : SIZE_MAX;
		if (close != SIZE_MAX) {
			return callee_has_word(t, (struct span){open, close}, name);
		}
	}
	return false;
}

uint64_t callee_differences(const struct callee *c)
{
	uint64_t all = differences_in(c, c->p->parse);
	for (size_t i = 0; i < c->p->opts->views; i++) {
		all |= differences_in(c, &c->p->opts->view[i]);
	}
	return all;
}

static void share_differences(struct callee *c, uint64_t *class_too)
{
	const char *state = callee_state_name(c);
	uint64_t all = callee_differences(c);
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		struct callee_tparam *q = &c->pattern.tparam[i];
		bool other = (i < TPARAMS_MAX && all >> i & 1) || has_member(c, state, q->name);
		q->differs |= other && !q->is_type;
	}
	*class_too = all >> TPARAMS_MAX;
}

/* The class's template parameters that differ between the instances called, here or in other
 * merges. */
static bool find_class_differences(struct callee *c, uint64_t others)
{
	bool own = callee_class_differs(c);
	if (!own && !others) {
		return true;
	}
	if (!callee_read_class(c)) {
		if (own) {
			return false;
		}
		c->p->out->clause = 0; /* the refusal is about the other merge */
		c->p->out->why = NULL;
		c->pattern.of = (struct callee_class){0};
		return true;
	}
	for (size_t i = 0; i < c->pattern.of.tparams; i++) {
		struct callee_tparam *q = &c->pattern.of.tparam[i];
		q->differs = i >= CLASS_TPARAMS_MAX || callee_class_argument_differs(c, i) ||
			     (others >> i & 1 && !q->is_type);
	}
	return true;
}

static bool find_differences(struct callee *c)
{
	uint64_t class_too = 0;
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		c->pattern.tparam[i].differs = callee_argument_differs(c, i);
	}
	if (c->shared) {
		share_differences(c, &class_too);
	}
	return find_class_differences(c, class_too);
}

static void plan_split(struct plan *p, bool fenced, bool shared)
{
	struct callee c = {
		.p = p, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts, .shared = shared};
	if (!find_leaves(&c) || !callee_read_pattern(&c) || !find_cut(&c)) {
		return;
	}
	find_effects(&c);
	if (find_differences(&c) && check_leaves(&c) && check_storage(&c) &&
		callee_find_needs(&c) && check_kept(&c) && check_lifetime(&c) &&
		check_sinking(&c) && check_uniform(&c) && check_gain(&c) &&
		callee_check_contract(&c)) {
		p->out->all_forms = false;
		callee_edit(&c, fenced);
	}
}

/* Resets the plan for another try; a refused try may leave incomplete edits. */
static void plan_again(struct plan *p, struct candidate as)
{
	edit_list_release(&p->out->edits);
	*p->out = as;
}

void callee_plan(struct plan *p, bool fenced)
{
	const struct candidate none = *p->out;
	plan_split(p, fenced, true);
	if (p->out->clause >= CALLEE_STORAGE) { /* the needs of other merges are refused */
		struct candidate first = *p->out;
		first.edits = none.edits;
		plan_again(p, none);
		plan_split(p, fenced, false);
		if (p->out->clause) {
			plan_again(p, first);
		}
	}
}
