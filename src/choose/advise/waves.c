/*
 * Conditions on the wave's number around matrix operations:
 *
 *   const int w = threadIdx.x / 64;         Uniform within a wave, for blocks of one
 *   for (...) {                             dimension, which the compiler cannot know. Some
 *           if (first[t] <= w) {            (clang 19) then keep two more copies of acc than at a
 *                   multiply(acc, x, y);    uniform branch: 404 VGPRs instead of 276.
 *           }
 *   }
 *
 * readfirstlane of the wave's number tells the compiler. Whether that helps depends on the
 * compiler: of hipcc 5.2, clang 19, hipcc 7.0 and clang 22 only clang 19 gained, and clang 22 lost
 * two waves because the arms of an if/else could no longer share registers. So it is measured, with
 * all such numbers of the file in one text, and reported if a kernel gains and none loses. It is an
 * edit if all launches, for all instances of the text, show blocks of one dimension or of whole
 * waves in the first one.
 */
#include "choose/advise/causing.h"

enum {
	DEPTH = 8 /* of the variables and calls in a condition */
};

/* A wave's number in the text. */
struct number {
	size_t begin, end;
	struct str type;    /* the type to keep */
	unsigned line;	    /* the line of the if */
	bool assumed;	    /* that blocks have one dimension is not shown */
	bool refused;	    /* in an instance or target it may differ between lanes */
	struct map kernels; /* symbols of the kernels that reach such an if */
};

struct waving {
	struct causing *q;
	const struct parse *parse;
	struct uniformity *waves;
	const struct kt_node *branch;
	ARRAY(struct number) number;
};

static struct str type_of(const struct kt_unit *u, const struct kt_node *n)
{
	struct str name = str_of(u->type[n->type].canon);
	bool kept = str_is(name, "int") || str_is(name, "unsigned int") || str_is(name, "bool");
	return kept ? name : (struct str){0};
}

/* The entry for this place of the text, added if it can be edited; else NULL. */
static struct number *number_at(struct waving *w, const struct kt_node *n)
{
	const struct kt_unit *u = w->parse->unit;
	const struct kt_fn *fn = &u->fn[facts_function_of(w->parse->facts, n)];
	struct number x = {.begin = n->begin,
		.end = n->end,
		.type = type_of(u, n),
		.line = kt_place(w->parse->unit, w->branch->file, w->branch->begin).line};
	array_each (&w->number, struct number, o) {
		if (o->begin == x.begin && o->end == x.end) {
			return o;
		}
	}
	if (!x.type.n || !u->file[n->file].main || n->flags & KT_F_MACRO || fn->on_host) {
		return NULL;
	}
	array_push(&w->number, x);
	return &w->number.v[w->number.n - 1];
}

static void take(struct waving *w, const struct kt_node *n)
{
	struct number *x = number_at(w, n);
	kt_id *kernel;
	size_t kernels = 0;
	if (x) {
		facts_kernels_of(&kernel, &kernels, w->parse->facts, w->q->s.a,
			facts_function_of(w->parse->facts, w->branch));
	}
	for (size_t i = 0; i < kernels; i++) {
		map_set(&x->kernels, str_of(w->parse->unit->fn[kernel[i]].symbol), 1);
	}
}

static void trace(struct waving *w, const struct kt_node *n, unsigned depth);

static void trace_variable(struct waving *w, const struct kt_node *ref, unsigned depth)
{
	const struct kt_unit *u = w->parse->unit;
	kt_id fn = kt_is_variable(u, ref->sym) ? u->sym[ref->sym].fn : 0;
	const struct kt_node *body = fn ? u->fn[fn].body : NULL;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_VAR && n->sym == ref->sym && n->n == 1) {
			trace(w, n->child[0], depth + 1);
		}
	}
}

static void trace_call(struct waving *w, const struct kt_node *call, unsigned depth)
{
	const struct kt_node *body = w->parse->unit->fn[call->fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_RETURN && n->n == 1) {
			trace(w, n->child[0], depth + 1);
		}
	}
	for (size_t i = 0; i < call->n; i++) {
		if (call->child[i]) {
			trace(w, call->child[i], depth + 1);
		}
	}
}

/* Finds the wave's numbers in an expression that is uniform within a wave, unknown to the
 * compiler. */
static void trace(struct waving *w, const struct kt_node *n, unsigned depth)
{
	if (depth > DEPTH || uniformity_expr(w->parse->uniformity, n, NULL) ||
		!uniformity_expr(w->waves, n, NULL)) {
		return;
	}
	if (n->kind == KT_REF) {
		trace_variable(w, n, depth);
		return;
	}
	if (n->kind == KT_CALL && n->fn) {
		trace_call(w, n, depth);
		return;
	}
	bool made = n->kind == KT_BINARY;
	for (size_t i = 0; i < n->n && made; i++) {
		made = uniformity_expr(w->parse->uniformity, n->child[i], NULL) ||
		       !uniformity_expr(w->waves, n->child[i], NULL);
	}
	if (made) {
		take(w, n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			trace(w, n->child[i], depth + 1);
		}
	}
}

static bool multiplies(const struct waving *w, const struct kt_node *branch)
{
	bool is = false;
	for (unsigned k = KT_IF_THEN; k <= KT_IF_ELSE; k++) {
		const struct kt_node *arm = branch->child[k];
		is |= arm && facts_effects(w->parse->facts, arm).flags & FX_MATRIX;
	}
	return is;
}

static void find(struct waving *w, size_t target)
{
	w->parse = &w->q->s.parse[target];
	w->waves = uniformity_of_waves(w->parse->facts);
	const struct kt_unit *u = w->parse->unit;
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_fn *f = &u->fn[fn];
		bool ours = f->kind != KT_FN_HOST && f->file && !u->file[f->file].system;
		const struct kt_node *body = ours ? f->body : NULL;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (n->kind == KT_IF && kt_loop_of(n) && multiplies(w, n)) {
				w->branch = n;
				trace(w, n->child[KT_IF_COND], 0);
			}
		}
	}
}

/* Checks that it is uniform within a wave in every instance, for every target. */
static void check(struct waving *w, size_t target)
{
	w->parse = &w->q->s.parse[target];
	w->waves = uniformity_of_waves(w->parse->facts);
	const struct kt_unit *u = w->parse->unit;
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_node *body = u->fn[fn].body;
		bool ours = body && u->fn[fn].file && u->file[u->fn[fn].file].main;
		for (const struct kt_node *n = ours ? body : NULL; n; n = kt_next(n, body)) {
			array_each (&w->number, struct number, x) {
				if (n->begin != x->begin || n->end != x->end) {
					continue;
				}
				x->refused |= !uniformity_expr(w->waves, n, NULL) ||
					      u->fn[fn].kind == KT_FN_HOST || u->fn[fn].on_host ||
					      !str_eq(type_of(u, n), x->type);
				x->assumed |= uniformity_assumes_flat(w->waves, fn);
			}
		}
	}
}

static void add_edits(struct edit_list *out, const struct waving *w, const struct number *x)
{
	bool plain = str_is(x->type, "int");
	const char *cast = plain ? "" : arena_printf(w->q->s.a, "(%.*s)", STR_ARG(x->type));
	struct str text = str_sub(w->q->s.text, x->begin, x->end);
	edit_list_add(out, w->q->s.a, x->begin, x->end,
		str_of(arena_printf(
			w->q->s.a, "%s__builtin_amdgcn_readfirstlane(%.*s)", cast, STR_ARG(text))));
}

static bool gains_waves(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return cause_rises(x, y, METRIC_RESIDENT_WAVES) || cause_rises(y, x, METRIC_VGPR_SPILL);
}

/* The gain in VGPRs; more waves and fewer spills count for more. */
static int64_t gain_of(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return x->v[METRIC_VGPR] - y->v[METRIC_VGPR] + (gains_waves(x, y) ? INT32_MAX : 0);
}

static void report(struct waving *w, const struct number *x, const struct cause_gain *g)
{
	struct causing *q = w->q;
	struct cause *c = cause_add(q, &g->s, CAUSE_WAVE);
	struct str text = str_sub(q->s.text, x->begin, x->end);
	c->path = q->s.job->path;
	c->source = q->s.text;
	c->at = x->begin;
	c->end = x->end;
	c->gains = gains_waves(g->s.k, g->with);
	c->weight = x->line;
	c->text = arena_printf(q->s.a,
		"%s'%.*s' is the same for all lanes of a wave, and the compiler does not know: the "
		"if in line %u round matrix operations is one of lanes for it. With "
		"__builtin_amdgcn_readfirstlane: %s: %s (%s)",
		x->assumed ? "if blocks have one dimension, " : "", STR_ARG(text), x->line,
		g->s.k->name, cause_change(q, g->s.k, g->with),
		q->s.job->target[g->s.target]->name);
	struct edit_list edits = {{0}};
	add_edits(&edits, w, x);
	if (!x->assumed) {
		c->edit = arena_memdup(q->s.a, edits.edits.v, sizeof(*edits.edits.v));
		c->edits = 1;
	}
	array_release(&edits.edits);
}

void cause_waves(struct causing *q)
{
	struct waving w = {.q = q};
	struct edit_list edits = {{0}};
	for (size_t t = 0; t < q->s.job->targets; t++) {
		find(&w, t);
	}
	for (size_t t = 0; t < q->s.job->targets && w.number.n; t++) {
		check(&w, t);
	}
	array_each (&w.number, const struct number, x) {
		if (!x->refused) {
			add_edits(&edits, &w, x);
		}
	}
	const struct measure_result *r = cause_compile(q, &edits);
	bool good = r && !cause_any(q, r, cause_is_worse);
	int64_t least = q->s.job->settings->min_gain_vgprs;
	array_each (&w.number, struct number, x) {
		struct cause_gain g = {.with = NULL};
		if (good && !x->refused) {
			g = cause_most(q, r, &x->kernels, least > 0 ? least - 1 : 0, gain_of);
		}
		if (g.with) {
			report(&w, x, &g);
		}
		map_release(&x->kernels);
	}
	array_release(&w.number);
	array_release(&edits.edits);
}
