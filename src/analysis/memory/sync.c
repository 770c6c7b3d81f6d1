#include "analysis/memory/sync_state.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/facts/cfg.h"
#include "analysis/facts/sync_form.h"
#include "base/array.h"
#include "base/map.h"

/* ---- the flow ---- */

static bool traffic_add(struct sync_traffic *to, const struct sync_traffic *by)
{
	unsigned fresh = by->bits & ~to->bits;
	for (size_t i = 0; i < 2 * SYNC_CLASSES; i++) {
		if (fresh >> i & 1) {
			to->who[i] = by->who[i];
		}
	}
	to->bits |= fresh;
	return fresh != 0;
}

static void traffic_access(struct sync_traffic *to, unsigned bits, const struct kt_node *who)
{
	struct sync_traffic t = {.bits = bits};
	for (size_t i = 0; i < 2 * SYNC_CLASSES; i++) {
		t.who[i] = who;
	}
	traffic_add(to, &t);
}

/* Adds by to *to. Returns true if it has grown. */
static bool merge(struct reach *to, const struct reach *by)
{
	bool grew = traffic_add(&to->t, &by->t);
	grew |= by->open && !to->open;
	to->open |= by->open;
	return grew;
}

/* Does a barrier end the traffic before it? */
static bool cuts(const struct sync_state *s, const struct sync_barrier *b)
{
	if (b->dropped || b->within || !b->together || !b->known) {
		return false;
	}
	return b->kind == SYNC_BLOCK || b->kind == SYNC_VALUE ||
	       (b->kind == SYNC_WAVE && s->level == LEVEL_WAVE);
}

static void pass_call(struct sync_state *s, struct reach *r, const struct op *o, bool down)
{
	const struct summary *c = &s->summary[o->fn];
	if (!o->alone || !c->known) {
		traffic_add(&r->t, &c->all);
		return;
	}
	if (!c->through) {
		*r = (struct reach){0};
	}
	traffic_add(&r->t, down ? &c->exit : &c->entry);
}

/* Passes one operation, forwards (down) or backwards. With contexts, the traffic on this side is
 * added to the callee and to the barrier. */
static void pass(struct sync_state *s, struct reach *r, struct op *o, bool down, bool contexts)
{
	switch (o->kind) {
	case OP_ACCESS:
		traffic_access(&r->t, o->bits, o->node);
		return;
	case OP_CALL:
		if (contexts) {
			struct reach side = *r;
			if (!o->alone || !s->body[s->walked].known) {
				/* plus the traffic of the rest of its statement, or of edges
				 * missing from the graph */
				traffic_access(&side.t, SHARED_MEMORY, o->node);
			}
			traffic_add(down ? &o->above : &o->below, &side.t);
			s->stale[o->fn] |= merge(down ? &s->above[o->fn] : &s->below[o->fn], &side);
		}
		pass_call(s, r, o, down);
		return;
	case OP_SYNC: {
		struct sync_barrier *b = &s->found.v[o->sync];
		bool wave = b->kind == SYNC_WAVE;
		if (wave == (s->level == LEVEL_WAVE)) {
			struct reach *own = down ? s->own_above : s->own_below;
			if (contexts) {
				traffic_add(down ? &b->above : &b->below, &r->t);
			} else {
				merge(&own[o->sync], r);
			}
		}
		if (cuts(s, b)) {
			*r = (struct reach){0};
		}
		return;
	}
	}
}

static void start_block(const struct sync_state *s, struct reach *r)
{
	if (s->opts->no_propagation) {
		r->t.bits = SHARED_MEMORY;
		r->open = true;
	}
}

/* Flows through the body, down from its entry, or up from its exit. */
static void flow(struct sync_state *s, kt_id fn, const struct reach *in, bool down, bool contexts)
{
	struct body *b = &s->body[fn];
	struct reach *at = down ? b->down : b->up;
	s->walked = fn;
	merge(&at[down ? CFG_ENTRY : CFG_EXIT], in);
	for (size_t n = 0; n < b->g.blocks; n++) {
		size_t i = down ? n : b->g.blocks - 1 - n, ops = b->ops[i].n;
		const struct cfg_block *block = &b->g.block[i];
		struct reach r = at[i];
		start_block(s, &r);
		for (size_t k = 0; k < ops; k++) {
			pass(s, &r, &b->ops[i].v[down ? k : ops - 1 - k], down, contexts);
		}
		for (size_t k = 0; k < (down ? block->tos : block->froms); k++) {
			s->stale[fn] |= merge(&at[(down ? block->to : block->from)[k]], &r);
		}
		if (!down && i == CFG_ENTRY && !contexts) {
			/* the traffic at the function's start */
			s->changed |= traffic_add(&s->summary[fn].entry, &r.t);
		}
	}
}

static void clear_flow(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		struct body *b = &s->body[fn];
		for (size_t i = 0; i < b->g.blocks; i++) {
			b->down[i] = b->up[i] = (struct reach){0};
			array_each (&b->ops[i], struct op, o) {
				o->above = o->below = (struct sync_traffic){0};
			}
		}
	}
}

static void sum_all(struct sync_state *s, kt_id fn)
{
	struct summary *c = &s->summary[fn];
	for (size_t i = 0; i < s->body[fn].g.blocks; i++) {
		for (size_t k = 0; k < s->body[fn].ops[i].n; k++) {
			const struct op *o = &s->body[fn].ops[i].v[k];
			if (o->kind == OP_ACCESS) {
				struct sync_traffic t = {0};
				traffic_access(&t, o->bits, o->node);
				s->changed |= traffic_add(&c->all, &t);
			} else if (o->kind == OP_CALL) {
				s->changed |= traffic_add(&c->all, &s->summary[o->fn].all);
			}
		}
	}
}

static void all_stale(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		s->stale[fn] = s->u->fn[fn].body != NULL;
	}
}

/* The next function after fn, cyclically, whose flow has to be walked again; 0 if there is none. */
static kt_id next_stale(struct sync_state *s, kt_id fn)
{
	for (kt_id steps = 1; steps < s->u->fns; steps++) {
		fn = fn + 1 < s->u->fns ? fn + 1 : 1;
		if (s->stale[fn] && s->u->fn[fn].body) {
			s->stale[fn] = false;
			return fn;
		}
	}
	return 0;
}

/* Summarizes each function for its callers, without the traffic around its calls. */
static void summarize(struct sync_state *s)
{
	const struct reach start = {.open = true};
	memset(s->summary, 0, s->u->fns * sizeof(*s->summary));
	clear_flow(s);
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		s->summary[fn].known = s->body[fn].known;
	}
	all_stale(s);
	for (kt_id fn = 0; (fn = next_stale(s, fn)) != 0;) {
		struct summary *c = &s->summary[fn];
		s->changed = false;
		flow(s, fn, &start, true, false);
		flow(s, fn, &start, false, false);
		sum_all(s, fn);
		const struct reach *exit = &s->body[fn].down[CFG_EXIT];
		s->changed |= traffic_add(&c->exit, &exit->t);
		s->changed |= exit->open && !c->through;
		c->through |= exit->open;
		for (size_t i = 0; s->changed && i < s->caller[fn].n; i++) {
			s->stale[s->caller[fn].v[i]] = true;
		}
	}
}

static bool sees_callers(const struct sync_state *s, kt_id fn)
{
	return s->u->fn[fn].kind == KT_FN_KERNEL || (!s->hidden[fn] && !facts_is_open(s->f, fn));
}

/* Finds the traffic around each function and each barrier. */
static void place(struct sync_state *s)
{
	const struct reach anything = {.t = {.bits = SHARED_MEMORY}};
	clear_flow(s);
	memset(s->above, 0, s->u->fns * sizeof(*s->above));
	memset(s->below, 0, s->u->fns * sizeof(*s->below));
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		if (!sees_callers(s, fn)) {
			s->above[fn] = s->below[fn] = anything;
		}
	}
	all_stale(s);
	for (kt_id fn = 0; (fn = next_stale(s, fn)) != 0;) {
		struct reach above = s->above[fn], below = s->below[fn];
		flow(s, fn, &above, true, true);
		flow(s, fn, &below, false, true);
	}
}

static struct sync_traffic around(const struct reach *own, const struct sync_traffic *call)
{
	struct sync_traffic t = own->t;
	if (own->open) {
		traffic_add(&t, call);
	}
	return t;
}

static void add_contexts(struct sync_state *s, size_t barrier, kt_id caller)
{
	struct sync_barrier *b = &s->found.v[barrier];
	for (size_t i = 0; i < s->body[caller].g.blocks; i++) {
		for (size_t k = 0; k < s->body[caller].ops[i].n; k++) {
			const struct op *o = &s->body[caller].ops[i].v[k];
			if (o->kind == OP_CALL && o->fn == b->fn) {
				b->at[b->ats++] = (struct sync_context){o->node,
					around(&s->own_above[barrier], &o->above),
					around(&s->own_below[barrier], &o->below)};
			}
		}
	}
}

/* Lists the calls around each barrier of this level. */
static void find_contexts(struct sync_state *s)
{
	for (size_t i = 0; i < s->found.n; i++) {
		struct sync_barrier *b = &s->found.v[i];
		const struct id_list *callers = &s->caller[b->fn];
		if ((b->kind == SYNC_WAVE) != (s->level == LEVEL_WAVE) || !b->callers ||
			s->u->fn[b->fn].kind == KT_FN_KERNEL || callers->n < 2) {
			continue;
		}
		b->at = b->at ? b->at : ARENA_ARRAY(s->a, struct sync_context, callers->n);
		b->ats = 0;
		for (size_t k = 0; k < callers->n; k++) {
			/* callers has one entry for each call, and those of one function are
			 * adjacent */
			if (k == 0 || callers->v[k] != callers->v[k - 1]) {
				add_contexts(s, i, callers->v[k]);
			}
		}
	}
}

/* Does the solution hold for the barriers that are dropped now? Remembers the dropped ones. */
static bool is_solved(struct sync_state *s, const struct sync *out)
{
	bool same = s->solved_for != NULL;
	if (!same) {
		s->solved_for = ARENA_ARRAY(s->a, bool, out->n);
	}
	for (size_t i = 0; i < out->n; i++) {
		same = same && s->solved_for[i] == out->v[i].dropped;
		s->solved_for[i] = out->v[i].dropped;
	}
	return same;
}

void sync_solve(struct sync *out)
{
	struct sync_state *s = out->state;
	if (out->n == 0 || is_solved(s, out)) {
		return;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct sync_barrier *b = &out->v[i];
		b->above = b->below = (struct sync_traffic){0};
		s->own_above[i] = s->own_below[i] = (struct reach){0};
	}
	bool waves = false;
	for (size_t i = 0; i < out->n; i++) {
		waves |= out->v[i].kind == SYNC_WAVE;
	}
	for (s->level = LEVEL_BLOCK; s->level <= (waves ? LEVEL_WAVE : LEVEL_BLOCK); s->level++) {
		summarize(s);
		place(s);
		find_contexts(s);
	}
}

static unsigned hazards_between(const struct sync_traffic *above, const struct sync_traffic *below)
{
	bool timed = (above->bits | below->bits) & SYNC_READS(SYNC_CLOCK);
	unsigned h = timed ? SYNC_TIMED : 0;
	for (int c = 0; c < SYNC_CLASSES; c++) {
		bool ra = above->bits & SYNC_READS(c), wa = above->bits & SYNC_WRITES(c);
		bool rb = below->bits & SYNC_READS(c), wb = below->bits & SYNC_WRITES(c);
		h |= wa && rb ? SYNC_RAW : 0;
		h |= ra && wb ? SYNC_WAR : 0;
		h |= wa && wb ? SYNC_WAW : 0;
	}
	return h;
}

unsigned sync_hazards(const struct sync_barrier *b)
{
	unsigned h = b->ats ? 0 : hazards_between(&b->above, &b->below);
	for (size_t i = 0; i < b->ats; i++) {
		h |= hazards_between(&b->at[i].above, &b->at[i].below);
	}
	return h;
}

bool sync_is_by_calls(const struct sync_barrier *b)
{
	return !sync_hazards(b) && hazards_between(&b->above, &b->below);
}

enum sync_class sync_witness(const struct sync_barrier *b, enum sync_hazard h,
	const struct kt_node **above, const struct kt_node **below)
{
	bool written_above = h != SYNC_WAR, written_below = h != SYNC_RAW;
	const struct sync_traffic *up = &b->above, *down = &b->below;
	for (size_t i = b->ats; i-- > 0;) {
		if (hazards_between(&b->at[i].above, &b->at[i].below) & h) {
			up = &b->at[i].above;
			down = &b->at[i].below;
		}
	}
	if (h == SYNC_TIMED) {
		*above = up->who[2 * SYNC_CLOCK];
		*below = down->who[2 * SYNC_CLOCK];
		return SYNC_CLOCK;
	}
	for (int c = 0; c < SYNC_CLASSES; c++) {
		int x = 2 * c + written_above, y = 2 * c + written_below;
		if (up->bits >> x & 1 && down->bits >> y & 1) {
			*above = up->who[x];
			*below = down->who[y];
			return (enum sync_class)c;
		}
	}
	*above = *below = NULL;
	return SYNC_CLASSES;
}

/* ---- the barriers ---- */

static bool is_excluded(const struct sync_state *s, kt_id fn)
{
	const struct kt_fn *f = &s->u->fn[fn];
	for (const char *const *x = s->opts->exclude; x && *x; x++) {
		if (fnmatch(*x, f->base, 0) == 0 || fnmatch(*x, f->name, 0) == 0) {
			return true;
		}
	}
	return false;
}

/* Does the function consist only of this barrier? Then each call of it counts as a barrier. */
static bool in_wrapper(const struct sync_state *s, const struct sync_barrier *b)
{
	const struct kt_fn *f = &s->u->fn[b->fn];
	size_t own = 1 + (b->fence_before ? 2 : 0);
	return sync_is_wrapped(b->kind) && f->kind != KT_FN_KERNEL &&
	       f->body->kind == KT_COMPOUND && f->body->n == own && b->call->parent == f->body;
}

static int by_place(const void *x, const void *y)
{
	const struct sync_barrier *a = x, *b = y;
	if (a->fn != b->fn) {
		return a->fn < b->fn ? -1 : 1;
	}
	if (a->call->begin != b->call->begin) {
		return a->call->begin < b->call->begin ? -1 : 1;
	}
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

/* Barriers of one macro expansion have one source position: they are numbered in tree order. */
static void number_barriers(struct sync_state *s)
{
	for (size_t i = 0; i < s->found.n; i++) {
		struct sync_barrier *b = &s->found.v[i];
		const struct kt_node *body = s->u->fn[b->fn].body;
		enum sync_kind kind;
		for (const struct kt_node *n = b->call->flags & KT_F_MACRO ? body : b->call;
			n != b->call; n = kt_next(n, body)) {
			b->nth += n->begin == b->call->begin && n->file == b->call->file &&
				  sync_form(&kind, s->f, n);
		}
	}
}

/* Sorts the barriers in source order; the walk found them block by block. */
static void sort_barriers(struct sync_state *s)
{
	struct map index = {0};
	number_barriers(s);
	array_sort(&s->found, by_place);
	for (size_t i = 0; i < s->found.n; i++) {
		map_set_u64(&index, (uint64_t)(uintptr_t)s->found.v[i].call, i);
	}
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		struct body *b = &s->body[fn];
		for (size_t i = 0; i < b->g.blocks; i++) {
			for (size_t k = 0; k < b->ops[i].n; k++) {
				struct op *o = &b->ops[i].v[k];
				o->sync = map_get_u64(&index, (uint64_t)(uintptr_t)o->node, 0);
			}
		}
	}
	map_release(&index);
}

/* The reason why not all lanes reach the barrier. Waves may meet at different s_barriers to count
 * each other: there only lanes of one wave that part are a reason. */
static struct uniformity_cause parting_of(struct sync_state *s, const struct sync_barrier *b)
{
	struct uniformity_cause cause = uniformity_parting(s->uniformity, b->call);
	bool counts = b->kind == SYNC_BARE || b->kind == SYNC_ASM;
	if (cause.node && counts) {
		struct uniformity *waves = uniformity_of_waves(s->f);
		struct uniformity_cause within = uniformity_parting(waves, b->call);
		bool parts = within.node && !within.waves && !cause.waves;
		return parts ? cause : (struct uniformity_cause){0};
	}
	return cause;
}

static void judge_barriers(struct sync_state *s)
{
	kt_id last = 0;
	unsigned functions = 0;
	for (size_t i = 0; i < s->found.n; i++) {
		struct sync_barrier *b = &s->found.v[i];
		functions += b->fn != last;
		last = b->fn;
		b->known = s->body[b->fn].known;
		b->together = uniformity_control(s->uniformity, b->call);
		struct uniformity_cause cause =
			b->together ? (struct uniformity_cause){0} : parting_of(s, b);
		b->groups = b->kind == SYNC_GRID && !cause.node;
		if (b->groups) {
			cause = uniformity_parting(uniformity_of_grid(s->f), b->call);
		}
		/* a single wave has no other wave to wait for */
		bool alone = !b->groups && uniformity_is_one_wave(s->uniformity, b->fn);
		b->divergent = alone ? NULL : cause.node;
		b->waves = b->divergent && cause.waves && !b->groups;
		b->ended = b->divergent && cause.ended;
		b->callers = sees_callers(s, b->fn);
		const struct sync_opts *o = s->opts;
		b->limit = in_wrapper(s, b)	   ? SYNC_WRAPPER
			   : is_excluded(s, b->fn) ? SYNC_EXCLUDED
			   : o->function_limit && functions > o->function_limit
				   ? SYNC_TOO_MANY_FUNCTIONS
			   : o->block_limit && s->body[b->fn].g.blocks > o->block_limit
				   ? SYNC_TOO_MANY_BLOCKS
				   : SYNC_NO_LIMIT;
	}
}

/* Most units have no barrier; then nothing else is analysed. */
static bool has_barrier(struct sync_state *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		const struct kt_fn *f = &s->u->fn[fn];
		enum sync_kind kind;
		for (const struct kt_node *n = f->in_system_header ? NULL : f->body; n;
			n = kt_next(n, f->body)) {
			if (sync_form(&kind, s->f, n)) {
				return true;
			}
		}
	}
	return false;
}

void sync_create(struct sync *out, struct facts *f, struct arena *a, const struct sync_opts *opts)
{
	struct sync_state *s = ARENA_NEW(a, struct sync_state);
	*out = (struct sync){.state = s};
	s->f = f;
	s->u = facts_unit(f);
	s->a = a;
	s->opts = arena_memdup(a, opts, sizeof(*opts));
	s->sync = out;
	if (!has_barrier(s)) {
		return;
	}
	s->uniformity = uniformity_of_block(f);
	s->spaces = spaces_create(f, s->uniformity, a);
	s->body = ARENA_ARRAY(a, struct body, s->u->fns);
	s->summary = ARENA_ARRAY(a, struct summary, s->u->fns);
	s->above = ARENA_ARRAY(a, struct reach, s->u->fns);
	s->below = ARENA_ARRAY(a, struct reach, s->u->fns);
	s->caller = ARENA_ARRAY(a, struct id_list, s->u->fns);
	s->stale = ARENA_ARRAY(a, bool, s->u->fns);
	s->hidden = ARENA_ARRAY(a, bool, s->u->fns);
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		if (s->u->fn[fn].body) {
			sync_read_body(s, fn);
		}
	}
	sync_find_callers(s);
	sort_barriers(s);
	judge_barriers(s);
	s->own_above = ARENA_ARRAY(a, struct reach, s->found.n);
	s->own_below = ARENA_ARRAY(a, struct reach, s->found.n);
	out->v = s->found.v;
	out->n = s->found.n;
	sync_solve(out);
}

void sync_release(struct sync *s)
{
	array_release(&s->state->found);
	s->v = NULL;
	s->n = 0;
}
