#include "analysis/merge/carried.h"

#include "analysis/facts/liveness.h"
#include "analysis/facts/overwrite.h"
#include "base/array.h"

enum {
	CALLS_MAX = 8
};

struct gather {
	struct facts *f;
	const struct kt_unit *u;
	struct arena *a;
	ARRAY(struct part) parts;
	unsigned calls;
};

static bool gather(
	struct gather *g, const struct kt_node *root, kt_id sym, const struct part *prefix);

/* Appends the steps of q to prefix up to the first that is no member or constant index; true: all
 * of them. */
static bool compose(struct part *prefix, const struct gather *g, const struct part *q)
{
	for (size_t i = 0; i < q->n; i++) {
		struct part_step step = q->step[i];
		bool field = step.kind == PART_FIELD;
		kt_id type = field ? g->u->sym[step.sym].type : g->u->type[prefix->type].elem;
		if ((!field && step.kind != PART_AT) || !part_add(prefix, g->f, step, type)) {
			return false;
		}
	}
	return true;
}

/* Adds a part that no other one holds; false: it overlaps with one in an unknown way, or is the
 * whole variable. */
static bool add_part(struct gather *g, const struct part *p)
{
	size_t kept = 0;
	for (size_t i = 0; i < g->parts.n; i++) {
		enum part_relation r = part_relation(g->f, &g->parts.v[i], p);
		if (r == PART_SAME || r == PART_WITHIN) {
			return true;
		}
		if (r == PART_UNKNOWN) {
			return false;
		}
		if (r != PART_HOLDS) {
			g->parts.v[kept++] = g->parts.v[i];
		}
	}
	g->parts.n = kept;
	array_push(&g->parts, *p);
	return p->n > 0;
}

static bool names_object(struct gather *g, loc_id loc, kt_id sym)
{
	struct part p = part_of_symbol(g->f, sym);
	return facts_may_alias(g->f, loc, part_loc(g->f, &p));
}

static bool leads_to(struct gather *g, const struct kt_node *arg, kt_id sym)
{
	struct locset s = {0};
	facts_lvalue(&s, g->f, g->a, arg);
	facts_reach(&s, g->f, g->a, arg);
	bool any = false;
	for (uint32_t i = 0; i < s.n && !any; i++) {
		any = names_object(g, s.v[i], sym);
	}
	return any;
}

static bool gather_call(
	struct gather *g, const struct kt_node *call, kt_id sym, const struct part *prefix)
{
	const struct kt_fn *fn = &g->u->fn[call->fn];
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	bool found = false, known = true;
	for (size_t i = 0; i < call->n && known; i++) {
		kt_id param = i < first		       ? fn->self
			      : i - first < fn->params ? fn->param[i - first]
						       : 0;
		struct part q, all = *prefix;
		if (param && part_of_argument(&q, g->f, call, i, param) && q.root == sym) {
			found = true;
			known = compose(&all, g, &q) ? gather(g, fn->body, param, &all)
						     : add_part(g, &all);
		} else {
			known = call->child[i] && !leads_to(g, call->child[i], sym);
		}
	}
	return known && (found || (fn->is_lambda && gather(g, fn->body, sym, prefix)));
}

static bool gather_event(
	struct gather *g, const struct event *e, kt_id sym, const struct part *prefix)
{
	const struct kt_node *n = e->node;
	struct part q, all = *prefix;
	if (e->kind == EVENT_READ || !names_object(g, e->loc, sym)) {
		return true;
	}
	if (part_of(&q, g->f, n) && q.root == sym) {
		compose(&all, g, &q);
		return add_part(g, &all);
	}
	bool call = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn &&
		    g->u->fn[n->fn].body && g->calls < CALLS_MAX && !kt_is_target(n);
	g->calls++;
	bool known = call && gather_call(g, n, sym, prefix);
	g->calls--;
	return known;
}

/* Adds the parts below prefix that the code writes, in which sym is the name of prefix; false: it
 * may write others. */
static bool gather(
	struct gather *g, const struct kt_node *root, kt_id sym, const struct part *prefix)
{
	for (const struct kt_node *n = root; n;) {
		bool leaf = !kt_is_stmt(n->kind) || n->kind == KT_ASM || n->kind == KT_STMT_UNKNOWN;
		size_t count = 0;
		const struct event *ev = leaf ? facts_events(g->f, n, &count) : NULL;
		for (size_t i = 0; i < count; i++) {
			if (!gather_event(g, &ev[i], sym, prefix)) {
				return false;
			}
		}
		n = leaf ? kt_skip(n, root) : kt_next(n, root);
	}
	return true;
}

static bool gather_arms(struct gather *g, const struct merge *m, kt_id sym)
{
	struct part all = part_of_symbol(g->f, sym), q;
	const struct kt_node *target = merge_assigned(m);
	if (target && part_of(&q, g->f, target) && q.root == sym) {
		compose(&all, g, &q);
		if (!add_part(g, &all)) {
			return false;
		}
		all = part_of_symbol(g->f, sym);
	}
	span_each (m->arm, m->arms, const struct arm, arm) {
		bool known = arm->last || gather(g, arm->body, sym, &all);
		for (size_t k = arm->first; k < arm->last && known; k++) {
			known = gather(g, arm->body->child[k], sym, &all);
		}
		if (!known) {
			return false;
		}
	}
	return g->parts.n > 0;
}

/* Is the index the counter of an unrolled loop around n, or a parameter of a function that may be
 * inlined into one? */
static bool is_loop_constant(struct gather *g, const struct kt_node *n, kt_id index)
{
	struct counted_loop c;
	const struct kt_sym *s = &g->u->sym[index];
	bool is = s->kind == KT_S_PARAM && g->u->fn[s->fn].kind != KT_FN_KERNEL;
	for (const struct kt_node *up = n->parent; up && !is; up = up->parent) {
		bool range = up->kind == KT_RANGE_FOR && up->child[KT_RANGE_VAR]->sym == index;
		is = range ||
		     (up->kind == KT_FOR && loop_is_counted(&c, g->f, up) && c.var == index);
	}
	return is;
}

/* Does the function index the variable by a value that is known only at run time? */
static bool is_dynamic(struct gather *g, kt_id fn, kt_id sym)
{
	const struct kt_node *body = g->u->fn[fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		struct part q;
		if ((n->kind != KT_INDEX && n->kind != KT_CALL) || !part_of(&q, g->f, n) ||
			q.root != sym) {
			continue;
		}
		for (size_t i = 0; i < q.n; i++) {
			enum part_step_kind kind = q.step[i].kind;
			if (kind == PART_OTHER ||
				(kind == PART_COUNT && !is_loop_constant(g, n, q.step[i].sym))) {
				return true;
			}
		}
	}
	return false;
}

/* The same for the functions that declare the objects that loc may be. */
static bool is_dynamic_somewhere(struct gather *g, const struct merge *m, loc_id loc)
{
	kt_id sym = LOC_SYM(loc);
	const loc_id *object;
	size_t n;
	facts_objects(&object, &n, g->f, loc);
	bool any = is_dynamic(g, m->fn, sym) || is_dynamic(g, g->u->sym[sym].fn, sym);
	for (size_t i = 0; i < n && !any; i++) {
		kt_id at = LOC_IS_VAR(object[i]) ? LOC_SYM(object[i]) : 0;
		any = at && g->u->sym[at].fn && is_dynamic(g, g->u->sym[at].fn, at);
	}
	return any;
}

static bool some_arm_reads(struct facts *f, const struct merge *m, const struct part *p)
{
	bool reads = false;
	for (size_t i = 0; i < m->arms && !reads; i++) {
		const struct arm *arm = &m->arm[i];
		reads = overwrite_reads(f, arm->body, arm->first, arm->last, p);
	}
	return reads;
}

bool carried_parts(struct carried *out, struct facts *f, const struct merge *m, loc_id loc)
{
	struct gather g = {.f = f, .u = facts_unit(f), .a = arena_create()};
	kt_id sym = LOC_SYM(loc);
	enum kt_type_kind kind = kt_object_type(g.u, g.u->sym[sym].type)->kind;
	bool parts = (kind == KT_T_RECORD || kind == KT_T_ARRAY) && !LOC_IS_BEYOND(loc) &&
		     gather_arms(&g, m, sym) && !is_dynamic_somewhere(&g, m, loc);
	*out = (struct carried){0};
	for (size_t i = 0; i < g.parts.n && parts; i++) {
		const struct kt_type *t = &g.u->type[g.parts.v[i].type];
		if (some_arm_reads(f, m, &g.parts.v[i])) {
			out->width += kt_type_width(t);
			out->phis += merge_type_phis(g.u, t);
		}
	}
	array_release(&g.parts);
	arena_free(g.a);
	return parts;
}
