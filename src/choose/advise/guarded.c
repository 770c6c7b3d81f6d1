/*
 * Operands of matrix operations that each lane loads under its own condition:
 *
 *   if (row < rows) {                       A branch per lane around each load, with the operand
 *           x = p[row * k + i];             crossing its end: the loads cannot run ahead
 *   } else {                                together, and the kernel may spill. As good for the
 *           x = 0;                          result:
 *   }
 *                                           const auto r = row < rows ? row : 0;
 *   x = row < rows ? p[row * k + i] : 0;    x = p[r * k + i], and 0 where row >= rows
 *
 * Lanes past the end then read row 0, which must be readable: so this is advice, not an edit. All
 * such places of the file are measured in one text, in which the other value is selected after an
 * unguarded load. Reported if a kernel gains waves or loses spills and none gets worse: with clang
 * 19 for gfx1151, a grid of 4 x 4 WMMA results goes from 23 spills to 0 and from 5 waves to 7.
 */
#include <string.h>

#include "choose/advise/causing.h"

enum {
	INDICES_MOST = 4
};

/* A guarded load in the text. */
struct guarded {
	const struct kt_node *node;	/* KT_IF or KT_COND */
	struct str index[INDICES_MOST]; /* the texts in its condition that are clamped */
	size_t indices;
	struct str text;    /* the text that replaces it */
	struct map kernels; /* symbols of the kernels that reach it */
};

struct guarding {
	struct causing *q;
	const struct parse *parse;
	ARRAY(struct guarded) guarded;
};

static struct str source_of(const struct guarding *w, const struct kt_node *n)
{
	return str_trim(kt_source(w->parse->unit, n));
}

/* The statement inside blocks of one statement. */
static const struct kt_node *single(const struct kt_node *n)
{
	while (n && n->kind == KT_COMPOUND && n->n == 1) {
		n = n->child[0];
	}
	return n;
}

/* The only assignment of an arm, possibly inside loops; NULL if there is other code. */
static const struct kt_node *only_assignment(const struct kt_node *arm)
{
	const struct kt_node *n = single(arm);
	while (n && n->kind == KT_FOR) {
		n = single(n->child[KT_FOR_BODY]);
	}
	return n && n->kind == KT_ASSIGN && n->op == KT_OP_NONE ? n : NULL;
}

/* Do the two arms have the same text up to the assigned value, apart from white space? */
static bool assign_the_same(
	const struct guarding *w, const struct kt_node *const arm[2], const struct kt_node *x[2])
{
	struct str text = w->q->s.text;
	size_t at[2] = {single(arm[0])->begin, single(arm[1])->begin};
	const size_t end[2] = {x[0]->child[1]->begin, x[1]->child[1]->begin};
	for (;;) {
		for (size_t i = 0; i < 2; i++) {
			while (at[i] < end[i] && strchr(" \t\r\n", text.p[at[i]])) {
				at[i]++;
			}
		}
		if (at[0] == end[0] || at[1] == end[1] || text.p[at[0]] != text.p[at[1]]) {
			return at[0] == end[0] && at[1] == end[1];
		}
		at[0]++;
		at[1]++;
	}
}

/* Does it write only private variables? */
static bool writes_own(const struct guarding *w, const struct kt_node *n)
{
	struct fx fx = facts_effects(w->parse->facts, n);
	bool own = fx.writes.n > 0;
	for (size_t i = 0; i < fx.writes.n; i++) {
		own &= facts_is_private(w->parse->facts, fx.writes.v[i]);
	}
	return own;
}

/* Does evaluating it only load from shared memory, without other effects? */
static bool only_loads(const struct guarding *w, const struct kt_node *n)
{
	struct fx fx = facts_effects(w->parse->facts, n);
	bool loads = false;
	for (size_t i = 0; i < fx.reads.n; i++) {
		loads |= !facts_is_private(w->parse->facts, fx.reads.v[i]);
	}
	return loads && fx.flags == 0 && fx.writes.n == 0;
}

static bool is_constant(const struct guarding *w, const struct kt_node *n)
{
	struct fx fx = facts_effects(w->parse->facts, n);
	return fx.flags == 0 && fx.writes.n == 0 && fx.reads.n == 0;
}

static bool holds_text(const struct guarding *w, const struct kt_node *root, struct str text)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (str_eq(source_of(w, n), text)) {
			return true;
		}
	}
	return false;
}

static bool names_any(const struct kt_node *of, const struct kt_node *load)
{
	for (const struct kt_node *n = of; n; n = kt_next(n, of)) {
		for (const struct kt_node *k = load; n->kind == KT_REF && k; k = kt_next(k, load)) {
			if (k->kind == KT_REF && k->sym == n->sym) {
				return true;
			}
		}
	}
	return false;
}

/* Adds one side of a comparison. False if the load uses its variables but not the whole
 * expression. */
static bool add_index(struct guarded *out, const struct guarding *w, const struct kt_node *side,
	const struct kt_node *load)
{
	struct str text = source_of(w, side);
	bool number = w->parse->unit->type[side->type].kind == KT_T_INT;
	if (side->flags & KT_F_VALUE || !number || !holds_text(w, load, text)) {
		return number && (side->flags & KT_F_VALUE || !names_any(side, load));
	}
	for (size_t i = 0; i < out->indices; i++) {
		if (str_eq(out->index[i], text)) {
			return true;
		}
	}
	if (out->indices < INDICES_MOST) {
		out->index[out->indices++] = text;
		return true;
	}
	return false;
}

/* Finds the compared expressions that occur in the load. False if the condition tests more: then
 * the clamped load could still be one that the source does not make. */
static bool find_indices(struct guarded *out, const struct guarding *w, const struct kt_node *cond,
	const struct kt_node *load)
{
	const struct kt_node *const *side = (const struct kt_node *const *)cond->child;
	bool both = cond->kind == KT_BINARY && cond->n == 2;
	if (both && cond->op == KT_OP_LAND) {
		return find_indices(out, w, side[0], load) && find_indices(out, w, side[1], load);
	}
	bool more = cond->op == KT_OP_GT || cond->op == KT_OP_GE;
	bool compares = both && (more || cond->op == KT_OP_LT || cond->op == KT_OP_LE);
	/* the side that is uniform is the bound */
	return compares && add_index(out, w, side[more], load) &&
	       (uniformity_expr(w->parse->uniformity, side[!more], NULL) ||
		       add_index(out, w, side[!more], load));
}

/* The text of n with clamped indices. */
static void add_clamped(struct sbuf *out, const struct guarding *w, const struct kt_node *n,
	const struct guarded *g)
{
	struct str text = w->q->s.text;
	size_t at = n->begin;
	for (const struct kt_node *k = n; k; k = kt_next(k, n)) {
		for (size_t i = 0; i < g->indices; i++) {
			if (k->begin >= at && str_eq(source_of(w, k), g->index[i])) {
				sbuf_addstr(out, str_sub(text, at, k->begin));
				sbuf_addf(out, "unphi_index%zu", i);
				at = k->end;
			}
		}
	}
	sbuf_addstr(out, str_sub(text, at, n->end));
}

static void add_indices(struct sbuf *out, const struct guarded *g, struct str cond)
{
	for (size_t i = 0; i < g->indices; i++) {
		sbuf_addf(out, "const auto unphi_index%zu = (%.*s) ? (%.*s) : 0; ", i,
			STR_ARG(cond), STR_ARG(g->index[i]));
	}
}

/* The variable that is assigned, or whose part is; empty if it cannot be copied whole. */
static struct str base_of(const struct guarding *w, const struct kt_node *assignment)
{
	const struct kt_node *n = assignment->child[0];
	while ((n->kind == KT_INDEX || n->kind == KT_MEMBER) && n->child[0] &&
		!(n->flags & KT_F_ARROW)) {
		n = n->child[0];
	}
	enum kt_type_kind kind = kt_object_type(w->parse->unit, n->type)->kind;
	bool copied = n->kind == KT_REF && kind != KT_T_ARRAY && kind != KT_T_POINTER;
	return copied ? source_of(w, n) : (struct str){0};
}

static struct str text_of_if(const struct guarding *w, const struct guarded *g)
{
	struct sbuf b = {0};
	const struct kt_node *n = g->node;
	struct str cond = source_of(w, n->child[KT_IF_COND]);
	const struct kt_node *then = n->child[KT_IF_THEN], *other = n->child[KT_IF_ELSE];
	struct str whole = other ? (struct str){0} : base_of(w, only_assignment(then));
	if (!other) {
		sbuf_addf(&b, "{ const auto unphi_before = %.*s; ", STR_ARG(whole));
	}
	sbuf_adds(&b, "{ ");
	add_indices(&b, g, cond);
	add_clamped(&b, w, then, g);
	sbuf_addf(&b, "}\nif (!(%.*s)) ", STR_ARG(cond));
	if (other) {
		sbuf_addstr(&b, source_of(w, other));
	} else {
		sbuf_addf(&b, "%.*s = unphi_before; }", STR_ARG(whole));
	}
	return sbuf_finish(&b, w->q->s.a);
}

static struct str text_of_cond(const struct guarding *w, const struct guarded *g)
{
	struct sbuf b = {0};
	const struct kt_node *n = g->node;
	struct str cond = source_of(w, n->child[KT_COND_COND]);
	sbuf_adds(&b, "([&] { ");
	add_indices(&b, g, cond);
	sbuf_adds(&b, "const auto unphi_value = ");
	add_clamped(&b, w, n->child[KT_COND_THEN], g);
	sbuf_addf(&b, "; return (%.*s) ? unphi_value : %.*s; }())", STR_ARG(cond),
		STR_ARG(source_of(w, n->child[KT_COND_ELSE])));
	return sbuf_finish(&b, w->q->s.a);
}

/* False if it is not a guarded load with an index that can be clamped. */
static bool read_guarded(struct guarded *out, const struct guarding *w, const struct kt_node *n)
{
	bool branch = n->kind == KT_IF;
	const struct kt_node *const arm[] = {n->child[branch ? KT_IF_THEN : KT_COND_THEN],
		n->child[branch ? KT_IF_ELSE : KT_COND_ELSE]};
	const struct kt_node *cond = n->child[branch ? KT_IF_COND : KT_COND_COND];
	const struct kt_node *value[] = {arm[0], arm[1]};
	bool lone = branch && arm[0] && !arm[1]; /* without an else */
	if (!cond || !arm[0] || (!arm[1] && !lone) || cond->flags & KT_F_VALUE) {
		return false;
	}
	if (branch) {
		const struct kt_node *x[] = {
			only_assignment(arm[0]), arm[1] ? only_assignment(arm[1]) : NULL};
		if (n->child[KT_IF_INIT] || n->child[KT_IF_VAR] || !x[0] || !writes_own(w, x[0]) ||
			(lone && !base_of(w, x[0]).n) ||
			(!lone && (!x[1] || !assign_the_same(w, arm, x)))) {
			return false;
		}
		value[0] = x[0]->child[1];
		value[1] = lone ? NULL : x[1]->child[1];
	}
	if (!only_loads(w, value[0]) || (value[1] && !is_constant(w, value[1])) ||
		uniformity_expr(w->parse->uniformity, cond, NULL)) {
		return false;
	}
	*out = (struct guarded){.node = n};
	if (!find_indices(out, w, cond, value[0]) || out->indices == 0) {
		return false;
	}
	out->text = branch ? text_of_if(w, out) : text_of_cond(w, out);
	return true;
}

/* Does a constant condition exclude it in this instance? */
static bool is_dead(const struct kt_node *n)
{
	for (const struct kt_node *up = n->parent; up; n = up, up = up->parent) {
		const struct kt_node *cond = up->kind == KT_IF ? up->child[KT_IF_COND] : NULL;
		bool decided = cond && cond != n && cond->flags & KT_F_VALUE;
		if (decided && (n->slot == KT_IF_THEN) != (cond->value != 0)) {
			return true;
		}
	}
	return false;
}

/* The known guarded load that contains n or is inside it, or NULL. */
static struct guarded *known(struct guarding *w, const struct kt_node *n)
{
	array_each (&w->guarded, struct guarded, g) {
		if (n->begin < g->node->end && g->node->begin < n->end) {
			return g;
		}
	}
	return NULL;
}

static void find(struct guarding *w, size_t target)
{
	w->parse = &w->q->s.parse[target];
	const struct kt_unit *u = w->parse->unit;
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_fn *f = &u->fn[fn];
		bool ours = f->kind != KT_FN_HOST && f->file && u->file[f->file].main && f->body;
		kt_id *kernel;
		size_t kernels = 0;
		for (const struct kt_node *n = ours ? f->body : NULL; n; n = kt_next(n, f->body)) {
			struct guarded g, *k;
			bool kind = n->kind == KT_IF || n->kind == KT_COND;
			if (!kind || !u->file[n->file].main || n->flags & KT_F_MACRO ||
				is_dead(n) || !read_guarded(&g, w, n)) {
				continue;
			}
			k = known(w, n);
			if (!k) {
				array_push(&w->guarded, g);
				k = &w->guarded.v[w->guarded.n - 1];
			}
			facts_kernels_of(&kernel, &kernels, w->parse->facts, w->q->s.a, fn);
			for (size_t i = 0; i < kernels; i++) {
				map_set(&k->kernels, str_of(u->fn[kernel[i]].symbol), 1);
			}
		}
	}
}

/* Does a kernel with matrix operations spill, or do registers limit its waves? */
static bool is_pressed(const struct causing *q, const struct guarded *g)
{
	for (size_t t = 0; t < q->s.job->targets; t++) {
		span_each (
			q->now[t].m.kernel, q->now[t].m.kernels, const struct kernel_metrics, k) {
			if (map_has(&g->kernels, str_of(k->symbol)) && k->trusted &&
				(cause_spills(k) || (k->v[METRIC_MATRIX_OP] > 0 &&
							    k->limiter == OCC_LIMIT_VGPR))) {
				return true;
			}
		}
	}
	return false;
}

static bool is_worse(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return x->trusted && (cause_is_worse(x, y) || !y->trusted);
}

/* The gain: at least a quarter of the spills, or waves; 0: not worth a report. */
static int64_t gain_of(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	int64_t fewer = x->v[METRIC_VGPR_SPILL] - y->v[METRIC_VGPR_SPILL];
	int64_t waves = y->v[METRIC_RESIDENT_WAVES] - x->v[METRIC_RESIDENT_WAVES];
	return (4 * fewer >= x->v[METRIC_VGPR_SPILL] ? fewer : 0) + waves;
}

static void report(struct guarding *w, const struct guarded *g, const struct subject *s,
	const struct kernel_metrics *with)
{
	struct causing *q = w->q;
	const struct kt_node *n = g->node;
	bool branch = n->kind == KT_IF;
	struct cause *c = cause_add(q, s, CAUSE_GUARDED);
	struct str text = q->s.text;
	struct sbuf names = {0};
	for (size_t i = 0; i < g->indices; i++) {
		sbuf_addf(&names, "%s'%.*s'", i ? " and " : "", STR_ARG(g->index[i]));
	}
	struct str index = sbuf_finish(&names, q->s.a);
	const struct kt_node *cond = n->child[branch ? KT_IF_COND : KT_COND_COND];
	struct str asks = str_sub(text, cond->begin, cond->end);
	c->path = q->s.job->path;
	c->source = text;
	c->at = n->begin;
	c->end = branch ? n->begin + 2 : n->end;
	c->text = arena_printf(q->s.a,
		"each lane loads under '%.*s' here: with %.*s clamped and a select in place of "
		"the branch, %s has %s (%s)",
		STR_ARG(asks), STR_ARG(index), s->k->name, cause_change(q, s->k, with),
		q->s.job->target[s->target]->name);
	c->note = ARENA_ARRAY(q->s.a, struct cause_note, 1);
	struct str first = g->index[0];
	c->note[c->notes++].text = arena_printf(q->s.a,
		"const auto clamped = %.*s ? %.*s : 0%s; load with clamped in place of %.*s, "
		"always; then select the value if %.*s, else the constant. Lanes that load nothing "
		"now read element 0, which may not be readable, so there is no edit",
		STR_ARG(asks), STR_ARG(first), g->indices > 1 ? ", and so with the others" : "",
		STR_ARG(first), STR_ARG(asks));
}

void cause_guarded(struct causing *q)
{
	struct guarding w = {.q = q};
	struct edit_list edits = {{0}};
	for (size_t t = 0; t < q->s.job->targets; t++) {
		find(&w, t);
	}
	array_each (&w.guarded, const struct guarded, g) {
		if (is_pressed(q, g)) {
			edit_list_add(&edits, q->s.a, g->node->begin, g->node->end, g->text);
		}
	}
	const struct measure_result *r = cause_compile(q, &edits);
	bool good = r && !cause_any(q, r, is_worse);
	array_each (&w.guarded, struct guarded, g) {
		struct cause_gain best = {.with = NULL};
		if (good && is_pressed(q, g)) {
			best = cause_most(q, r, &g->kernels, 0, gain_of);
		}
		if (best.with) {
			report(&w, g, &best.s, best.with);
		}
		map_release(&g->kernels);
	}
	array_release(&w.guarded);
	array_release(&edits.edits);
}
