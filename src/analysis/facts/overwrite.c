#include "analysis/facts/overwrite.h"

#include "analysis/facts/liveness.h"
#include "base/array.h"

enum verdict {
	PASSES, /* reads nothing of it, and may overwrite it */
	FILLS,	/* overwrites all of it, and reads none before */
	READS	/* may read a part of it, or is unknown */
};

enum {
	CALLS_MAX = 16,
	NODES_MAX = 1 << 14, /* visited nodes for one query */
	ELEMENTS_MAX = 64,   /* of an array whose elements are set one by one */
};

struct look {
	struct facts *f;
	const struct kt_unit *u;
	struct arena *a;
	kt_id fn[CALLS_MAX]; /* nested calls that are followed */
	size_t fns;
	size_t looked;
};

/* A statement or expression, or some children of a compound one. */
struct code {
	const struct kt_node *n;
	size_t first, last; /* both 0: all of n */
};

static enum verdict statement(struct look *l, const struct kt_node *n, const struct part *p);
static enum verdict whole(struct look *l, struct code c, const struct part *p);

static bool alias(struct look *l, loc_id loc, const struct part *p)
{
	loc_id own = part_loc(l->f, p);
	return loc == own || facts_may_alias(l->f, loc, own);
}

static bool sets_alias(struct look *l, const struct locset *s, const struct part *p)
{
	bool any = false;
	for (uint32_t i = 0; i < s->n && !any; i++) {
		any = alias(l, s->v[i], p);
	}
	return any;
}

static enum verdict by_effects(struct look *l, const struct kt_node *n, const struct part *p)
{
	struct fx fx = facts_effects(l->f, n);
	return sets_alias(l, &fx.reads, p) ? READS : PASSES;
}

/* ---- calls ---- */

/* May the callee reach p by this argument? */
static bool leads_to(struct look *l, const struct kt_node *arg, const struct part *p)
{
	struct locset s = {0};
	facts_lvalue(&s, l->f, l->a, arg);
	facts_reach(&s, l->f, l->a, arg);
	return sets_alias(l, &s, p);
}

static bool is_wide_integer(const struct look *l, kt_id type)
{
	const struct kt_type *t = &l->u->type[type];
	return t->kind == KT_T_INT && t->size > 1;
}

/* The callee's parameter for an index, if there is one. */
static kt_id count_in_call(struct look *l, const struct kt_node *call, kt_id count)
{
	const struct kt_fn *fn = &l->u->fn[call->fn];
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = 0; i < fn->params && first + i < call->n; i++) {
		const struct kt_node *arg = call->child[first + i];
		if (kt_names(arg, count) && is_wide_integer(l, l->u->sym[fn->param[i]].type) &&
			!facts_writes(l->f, fn->body, LOC_VAR(fn->param[i]))) {
			return fn->param[i];
		}
	}
	return count;
}

/* May the argument for the parameter alias an object? */
static bool may_lead(const struct look *l, kt_id param)
{
	return kt_is_reference(l->u, param) ||
	       kt_may_hold_pointer(&l->u->type[l->u->sym[param].type]);
}

/* p in the callee's terms. False if the callee can reach it by another way, too, or only a part of
 * it. */
static bool in_call(
	struct part *out, struct look *l, const struct kt_node *call, const struct part *p)
{
	const struct kt_fn *fn = &l->u->fn[call->fn];
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	bool found = false;
	*out = *p;
	for (size_t i = 0; i < call->n; i++) {
		kt_id param = i < first		       ? fn->self
			      : i - first < fn->params ? fn->param[i - first]
						       : 0;
		struct part q;
		if (param && !may_lead(l, param)) {
			continue;
		}
		if (!param || !part_of_argument(&q, l->f, call, i, param)) {
			if (!call->child[i] || leads_to(l, call->child[i], p)) {
				return false;
			}
			continue;
		}
		enum part_relation r = part_relation(l->f, p, &q);
		if (r == PART_UNKNOWN && q.root != p->root && !alias(l, part_loc(l->f, &q), p)) {
			continue;
		}
		if (r != PART_APART && ((r != PART_SAME && r != PART_HOLDS) || found)) {
			return false;
		}
		if (r != PART_APART) {
			found = true;
			*out = (struct part){.root = param, .type = p->type};
			for (size_t k = q.n; k < p->n; k++) {
				out->step[out->n++] = p->step[k];
			}
		}
	}
	for (size_t i = 0; i < out->n; i++) {
		if (out->step[i].kind == PART_COUNT) {
			out->step[i].sym = count_in_call(l, call, out->step[i].sym);
		}
	}
	/* variables that a non-mutable lambda changes are captured by reference */
	return found || (fn->is_lambda && fn->is_const);
}

static bool is_followed(const struct look *l, kt_id fn)
{
	for (size_t i = 0; i < l->fns; i++) {
		if (l->fn[i] == fn) {
			return true;
		}
	}
	return false;
}

static bool jumps(struct look *l, const struct kt_node *n)
{
	return facts_effects(l->f, n).flags & (FX_GOTO | FX_LABEL);
}

/* False if only the call's events are known. */
static bool call_does(
	enum verdict *out, struct look *l, const struct kt_node *call, const struct part *p)
{
	const struct kt_node *body = l->u->fn[call->fn].body;
	struct part in;
	if (l->fns == CALLS_MAX || is_followed(l, call->fn) || jumps(l, body) ||
		!in_call(&in, l, call, p)) {
		return false;
	}
	if (facts_writes(l->f, body, LOC_VAR(in.root)) && in.root != p->root) {
		return false; /* a pointer that may point to another object */
	}
	l->fn[l->fns++] = call->fn;
	*out = whole(l, (struct code){.n = body}, &in);
	l->fns--;
	return true;
}

/* ---- expressions ---- */

static bool is_conditional(const struct kt_node *n, const struct kt_node *root)
{
	for (; n != root; n = n->parent) {
		const struct kt_node *up = n->parent;
		bool choice = up->kind == KT_COND && n->slot != KT_COND_COND;
		bool second = up->kind == KT_BINARY &&
			      (up->op == KT_OP_LAND || up->op == KT_OP_LOR) && n->slot == 1;
		if (choice || second || up->kind == KT_EXPR_UNKNOWN) {
			return true;
		}
	}
	return false;
}

/* The object that memset or a similar call sets completely, if known. */
static bool part_of_bytes(struct part *out, struct look *l, const struct kt_node *n)
{
	bool copies;
	return n->kind == KT_CALL && facts_sets_bytes(l->f, n, &copies) &&
	       n->child[2]->flags & KT_F_VALUE && part_of_pointee(out, l->f, n->child[0]) &&
	       l->u->type[out->type].size == n->child[2]->value;
}

static bool is_followed_call(const struct look *l, const struct kt_node *n)
{
	return (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn && l->u->fn[n->fn].body;
}

static bool returns_place(const struct look *l, const struct kt_node *call)
{
	return l->u->type[l->u->fn[call->fn].ret].kind == KT_T_REFERENCE;
}

static enum verdict event_does(struct look *l, const struct event *e, const struct part *p)
{
	struct part q;
	bool known = part_of(&q, l->f, e->node) || part_of_bytes(&q, l, e->node);
	enum part_relation r = known ? part_relation(l->f, p, &q) : PART_UNKNOWN;
	if (e->kind == EVENT_READ) {
		return r == PART_APART ? PASSES : READS;
	}
	bool declares = e->kind == EVENT_KILL && e->loc == part_loc(l->f, p);
	return r == PART_SAME || r == PART_HOLDS || declares ? FILLS : PASSES;
}

static enum verdict expression(struct look *l, const struct kt_node *n, const struct part *p)
{
	size_t count;
	const struct event *ev = facts_events(l->f, n, &count);
	const struct kt_node *seen = NULL; /* a call that is known not to read it */
	for (size_t i = 0; i < count; i++) {
		const struct kt_node *at = ev[i].node;
		if (!alias(l, ev[i].loc, p)) {
			continue;
		}
		enum verdict v = PASSES;
		bool followed = is_followed_call(l, at);
		if (followed && at != seen && call_does(&v, l, at, p)) {
			seen = at;
		}
		/* the place that a call returns may be used after it */
		bool uses = at != seen || returns_place(l, at);
		if (v == PASSES && uses) {
			v = event_does(l, &ev[i], p);
		}
		if (v == READS || (v == FILLS && !is_conditional(at, n))) {
			return v;
		}
	}
	return PASSES;
}

static enum verdict maybe(struct look *l, const struct kt_node *n, const struct part *p)
{
	return n ? statement(l, n, p) : PASSES;
}

/* ---- statements ---- */

static enum verdict sequence(struct look *l, struct code c, const struct part *p)
{
	bool left = false;
	for (size_t i = c.first; i < c.last; i++) {
		enum verdict v = statement(l, c.n->child[i], p);
		if (v != PASSES) {
			return v == FILLS && left ? PASSES : v;
		}
		left |= facts_effects(l->f, c.n->child[i]).flags & FX_EXIT;
	}
	return PASSES;
}

static enum verdict choice(struct look *l, const struct kt_node *n, const struct part *p)
{
	const struct kt_node *cond = n->child[KT_IF_COND];
	const struct kt_node *head[] = {n->child[KT_IF_INIT], n->child[KT_IF_VAR], cond};
	for (size_t i = 0; i < 3; i++) {
		enum verdict v = maybe(l, head[i], p);
		if (v != PASSES) {
			return v;
		}
	}
	if (cond && cond->flags & KT_F_VALUE) {
		return maybe(l, n->child[cond->value ? KT_IF_THEN : KT_IF_ELSE], p);
	}
	enum verdict x = whole(l, (struct code){.n = n->child[KT_IF_THEN]}, p);
	const struct kt_node *other = n->child[KT_IF_ELSE];
	enum verdict y = other ? whole(l, (struct code){.n = other}, p) : PASSES;
	return x == READS || y == READS ? READS : x == FILLS && y == FILLS ? FILLS : PASSES;
}

static bool reads_only(struct look *l, const struct kt_node *root, const struct part *own);

static bool is_within(struct look *l, const struct kt_node *place, const struct part *own)
{
	struct part q;
	enum part_relation r =
		part_of(&q, l->f, place) ? part_relation(l->f, own, &q) : PART_UNKNOWN;
	return r == PART_SAME || r == PART_WITHIN || r == PART_APART;
}

static bool event_is_within(struct look *l, const struct event *e, const struct part *own)
{
	struct part in;
	if (e->kind != EVENT_READ || !alias(l, e->loc, own) || is_within(l, e->node, own)) {
		return true;
	}
	if (!is_followed_call(l, e->node) || l->fns == CALLS_MAX || is_followed(l, e->node->fn) ||
		returns_place(l, e->node) || !in_call(&in, l, e->node, own)) {
		return false;
	}
	l->fn[l->fns++] = e->node->fn;
	bool only = reads_only(l, l->u->fn[e->node->fn].body, &in);
	l->fns--;
	return only;
}

/* Does the code read only this part of its object? */
static bool reads_only(struct look *l, const struct kt_node *root, const struct part *own)
{
	for (const struct kt_node *n = root; n;) {
		bool leaf = !kt_is_stmt(n->kind) || n->kind == KT_ASM || n->kind == KT_STMT_UNKNOWN;
		size_t count = 0;
		const struct event *ev = leaf ? facts_events(l->f, n, &count) : NULL;
		for (size_t i = 0; i < count; i++) {
			if (!event_is_within(l, &ev[i], own)) {
				return false;
			}
		}
		if (n->kind == KT_RANGE_FOR &&
			!kt_is_reference(l->u, n->child[KT_RANGE_VAR]->sym) &&
			!is_within(l, n->child[KT_RANGE_RANGE], own)) {
			return false;
		}
		n = leaf ? kt_skip(n, root) : kt_next(n, root);
	}
	return true;
}

/* Does each iteration of a loop over p's elements, with this index, overwrite its own? */
static bool by_elements(
	struct look *l, const struct kt_node *body, kt_id index, const struct part *p)
{
	struct part own = *p;
	struct part_step step = {.kind = PART_COUNT, .sym = index};
	return part_add(&own, l->f, step, l->u->type[p->type].elem) && reads_only(l, body, &own) &&
	       whole(l, (struct code){.n = body}, &own) == FILLS;
}

static bool is_array(const struct look *l, const struct part *p)
{
	const struct kt_type *t = &l->u->type[p->type];
	return (t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR) && t->count > 0;
}

static enum verdict for_loop(struct look *l, const struct kt_node *n, const struct part *p)
{
	struct counted_loop c;
	enum verdict v = maybe(l, n->child[KT_FOR_INIT], p);
	v = v == PASSES ? maybe(l, n->child[KT_FOR_COND], p) : v;
	if (v != PASSES) {
		return v;
	}
	bool runs = loop_is_counted(&c, l->f, n) && c.last > c.first;
	if (runs && is_array(l, p) && c.first == 0 && c.last == l->u->type[p->type].count &&
		by_elements(l, n->child[KT_FOR_BODY], c.var, p)) {
		return FILLS;
	}
	v = whole(l, (struct code){.n = n->child[KT_FOR_BODY]}, p);
	enum verdict step = maybe(l, n->child[KT_FOR_INC], p);
	return v == READS || (v == PASSES && step == READS) ? READS
	       : v == FILLS && runs			    ? FILLS
							    : PASSES;
}

static enum verdict range_loop(struct look *l, const struct kt_node *n, const struct part *p)
{
	const struct kt_node *var = n->child[KT_RANGE_VAR], *body = n->child[KT_RANGE_BODY];
	struct part range;
	bool known = kt_is_reference(l->u, var->sym) && !n->child[KT_RANGE_INIT] &&
		     part_of(&range, l->f, n->child[KT_RANGE_RANGE]) &&
		     l->u->type[range.type].kind == KT_T_ARRAY;
	if (!known) {
		return by_effects(l, n, p);
	}
	bool all = is_array(l, p) &&
		   !(facts_effects(l->f, body).flags & (FX_BREAK | FX_RETURN | FX_GOTO));
	if (all && part_relation(l->f, p, &range) == PART_SAME &&
		by_elements(l, body, var->sym, p)) {
		return FILLS;
	}
	return statement(l, body, p) == READS ? READS : PASSES;
}

static enum verdict other_loop(struct look *l, const struct kt_node *n, const struct part *p)
{
	if (n->kind == KT_DO) {
		enum verdict v = whole(l, (struct code){.n = n->child[KT_DO_BODY]}, p);
		/* a break may have left it before the condition */
		bool reads = v == PASSES && maybe(l, n->child[KT_DO_COND], p) == READS;
		return reads ? READS : v;
	}
	enum verdict v = maybe(l, n->child[KT_WHILE_VAR], p);
	v = v == PASSES ? maybe(l, n->child[KT_WHILE_COND], p) : v;
	return v != PASSES ? v : statement(l, n->child[KT_WHILE_BODY], p) == READS ? READS : PASSES;
}

static enum verdict statement(struct look *l, const struct kt_node *n, const struct part *p)
{
	if (++l->looked > NODES_MAX) {
		return READS;
	}
	switch (n->kind) {
	case KT_COMPOUND:
		return sequence(l, (struct code){.n = n, .last = n->n}, p);
	case KT_IF:
		return choice(l, n, p);
	case KT_FOR:
		return for_loop(l, n, p);
	case KT_RANGE_FOR:
		return range_loop(l, n, p);
	case KT_WHILE:
	case KT_DO:
		return other_loop(l, n, p);
	case KT_EMPTY:
	case KT_BREAK:
	case KT_CONTINUE:
		return PASSES;
	case KT_SWITCH:
		return by_effects(l, n, p);
	case KT_DECL:
	case KT_RETURN:
	case KT_ASM:
	case KT_STMT_UNKNOWN:
		return expression(l, n, p);
	default:
		return kt_is_stmt(n->kind) ? READS : expression(l, n, p);
	}
}

/* ---- members and elements one by one ---- */

typedef ARRAY(struct part) part_array;

static bool has_part(const struct look *l, const part_array *parts, const struct part *p)
{
	for (size_t i = 0; i < parts->n; i++) {
		if (part_relation(l->f, &parts->v[i], p) == PART_SAME) {
			return true;
		}
	}
	return false;
}

/* The members and elements of p that the code names, cut to their first step below p. */
static void find_parts(
	part_array *out, struct look *l, const struct kt_node *root, const struct part *p)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool may = n->kind == KT_MEMBER || n->kind == KT_INDEX || n->kind == KT_CALL;
		struct part q;
		if (++l->looked > NODES_MAX) {
			return;
		}
		if (!may || !part_of(&q, l->f, n) || part_relation(l->f, p, &q) != PART_WITHIN) {
			continue;
		}
		enum part_step_kind kind = q.step[p->n].kind;
		q = part_cut(l->f, &q, p->n + 1);
		if ((kind == PART_FIELD || kind == PART_AT) && !has_part(l, out, &q)) {
			array_push(out, q);
		}
	}
}

static bool covers_array(const struct look *l, const part_array *parts, const struct part *p)
{
	int64_t count = l->u->type[p->type].count, found = 0;
	for (size_t i = 0; i < parts->n; i++) {
		int64_t at = parts->v[i].step[p->n].at;
		found += parts->v[i].step[p->n].kind == PART_AT && at >= 0 && at < count;
	}
	return found == count && count <= ELEMENTS_MAX;
}

/* Do the members cover the record without a gap? */
static bool covers_record(const struct look *l, const part_array *parts, const struct part *p)
{
	int64_t reached = 0;
	for (bool grew = true; grew;) {
		grew = false;
		for (size_t i = 0; i < parts->n; i++) {
			const struct kt_sym *s = &l->u->sym[parts->v[i].step[p->n].sym];
			int64_t begin = s->offset - 1, end = begin + l->u->type[s->type].size;
			if (parts->v[i].step[p->n].kind == PART_FIELD && begin >= 0 &&
				begin <= reached && end > reached) {
				reached = end;
				grew = true;
			}
		}
	}
	return reached > 0 && reached == l->u->type[p->type].size;
}

static bool part_by_part(struct look *l, struct code c, const struct part *p)
{
	part_array parts = {0};
	bool record = l->u->type[p->type].kind == KT_T_RECORD;
	bool all = record || is_array(l, p);
	for (size_t i = c.first; i < c.last && all; i++) {
		find_parts(&parts, l, c.n->child[i], p);
	}
	if (all && c.last == 0) {
		find_parts(&parts, l, c.n, p);
	}
	all = all && (record ? covers_record(l, &parts, p) : covers_array(l, &parts, p));
	for (size_t i = 0; i < parts.n && all; i++) {
		all = whole(l, c, &parts.v[i]) == FILLS;
	}
	array_release(&parts);
	return all;
}

static enum verdict whole(struct look *l, struct code c, const struct part *p)
{
	enum verdict v = c.last ? sequence(l, c, p) : statement(l, c.n, p);
	return v != FILLS && part_by_part(l, c, p) ? FILLS : v;
}

static enum verdict verdict_of(struct facts *f, struct code c, const struct part *p)
{
	struct look l = {.f = f, .u = facts_unit(f), .a = arena_create()};
	l.fn[l.fns++] = facts_function_of(f, c.n);
	enum verdict v = jumps(&l, c.n) ? READS : whole(&l, c, p);
	arena_free(l.a);
	return v;
}

static bool fills(struct facts *f, struct code c, kt_id sym)
{
	struct part p = part_of_symbol(f, sym);
	return verdict_of(f, c, &p) == FILLS;
}

bool overwrite_is_whole(struct facts *f, const struct kt_node *n, kt_id sym)
{
	return fills(f, (struct code){.n = n}, sym);
}

bool overwrite_is_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, kt_id sym)
{
	return last > first && fills(f, (struct code){n, first, last}, sym);
}

bool overwrite_reads(
	struct facts *f, const struct kt_node *n, size_t first, size_t last, const struct part *p)
{
	return verdict_of(f, (struct code){n, first, last}, p) == READS;
}
