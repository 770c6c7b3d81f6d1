/*
 * drop-sync: removes barriers that order nothing.
 *
 * BEFORE                                          AFTER
 *
 *   tile[t] = in[i];                                tile[t] = in[i];
 *   __syncthreads();                                __syncthreads();
 *   const float x = tile[t ^ 1];                    const float x = tile[t ^ 1];
 *   __syncthreads();
 *   out[i] = x + scale[t];                          out[i] = x + scale[t];
 *
 * A barrier orders nothing if, in each class of memory (LDS, global memory), no access since the
 * barrier before conflicts with an access until the next one: two accesses conflict if one of them
 * is a write. analysis/memory/sync.h says how that is found. Workgroup fences on both sides of an
 * s_barrier are removed with it. Removing a barrier joins the code before and after it. So each one
 * is judged with the earlier removed ones gone, and with all its own instances gone (a kernel may
 * call a template twice). The remaining set depends on the order, so there are two forms: from the
 * first barrier on ("forward"), and from the last back ("backward").
 *
 * Legal when
 *  1. no location written above it is read below (read after write);
 *  2. no location read above it is written below (write after read);
 *  3. no location written above it is written below (write after write);
 *  4. all callers of its function are known;
 *  5. all lanes of the workgroup provably reach it: the accesses of lanes that do not, or that have
 *     returned, are not on any path through it, and would not be counted;
 *  6. it returns no value (__syncthreads_count and the like do), and is not one of the grid;
 *  7. it is a statement by itself, not inline assembly, and its text is in the file, not in a
 *     macro (lint only reports one in a macro). The same holds in every compilation of the text: no
 *     #if separates it from the statement before it, a call that acts as a barrier does so for all
 *     targets, and the host does not run its function;
 *  8. its function has no jumps, and no code without a text, such as a destructor;
 *  9. the settings do not exclude it, and do not ignore calls;
 * 10. no clock is read above it or below it: it may align the waves for a measurement.
 * Each for every instance of it: instantiation and target.
 */
#include "strategy/drop_sync/drop_sync.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "frontend/text/lex.h"
#include "strategy/plan/places.h"
#include "strategy/text/text.h"

const char *const drop_sync_variants[] = {"forward", "backward", NULL};

/* ---- search ---- */

static int by_place(const void *x, const void *y)
{
	const struct barrier_site *a = x, *b = y;
	int path = strcmp(a->path, b->path);
	if (path || a->begin != b->begin) {
		return path ? path : a->begin < b->begin ? -1 : 1;
	}
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

static struct barrier_site *site_at(
	struct barrier_site *v, size_t n, const char *path, const struct sync_barrier *b)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].begin == b->call->begin && v[i].nth == b->nth &&
			strcmp(v[i].path, path) == 0) {
			return &v[i];
		}
	}
	return NULL;
}

typedef ARRAY(struct barrier_instance) instance_array;

struct found {
	ARRAY(struct barrier_site) sites;
	ARRAY(instance_array) instances;
};

static void find_in(struct found *f, const struct parse *parse, struct sync *sync)
{
	for (size_t k = 0; k < sync->n; k++) {
		const struct kt_node *call = sync->v[k].call;
		const struct kt_file *file = &parse->unit->file[call->file];
		if (file->system) {
			continue;
		}
		struct barrier_site *s = site_at(f->sites.v, f->sites.n, file->path, &sync->v[k]);
		if (!s) {
			array_push(&f->sites, (struct barrier_site){.path = file->path,
						      .main = file->main,
						      .begin = call->begin,
						      .end = call->end,
						      .nth = sync->v[k].nth});
			array_push(&f->instances, (instance_array){0});
			s = &f->sites.v[f->sites.n - 1];
		}
		instance_array *v = &f->instances.v[s - f->sites.v];
		array_push(v, (struct barrier_instance){parse, sync, k});
	}
}

void barrier_kernels(struct map *out, struct arena *a, const struct barrier_site *s)
{
	for (size_t i = 0; i < s->instances; i++) {
		const struct barrier_instance *in = &s->instance[i];
		parse_kernels(out, a, in->parse, in->sync->v[in->index].fn);
	}
}

static void join_groups(struct barriers *b, unsigned from, unsigned to)
{
	for (size_t i = 0; i < b->n; i++) {
		b->v[i].group = b->v[i].group == from ? to : b->v[i].group;
	}
}

/* Barriers of one kernel are judged together, and so are those of kernels that share one. */
static void make_groups(struct barriers *b)
{
	struct map *kernels = ARENA_ARRAY(b->a, struct map, b->n);
	for (size_t i = 0; i < b->n; i++) {
		b->v[i].group = b->groups++;
		if (barrier_of(&b->v[i])->limit == SYNC_WRAPPER) {
			continue; /* kept anyway, and reached from everywhere: joins no groups */
		}
		barrier_kernels(&kernels[i], b->a, &b->v[i]);
		for (size_t k = 0; k < i; k++) {
			if (map_meets(&kernels[i], &kernels[k])) {
				join_groups(b, b->v[k].group, b->v[i].group);
			}
		}
	}
	for (size_t i = 0; i < b->n; i++) {
		map_release(&kernels[i]);
	}
}

void barriers_find(struct barriers *out, struct arena *a, const struct parse *parse, size_t n,
	const struct settings *settings)
{
	const struct sync_settings *set = &settings->dead_sync;
	const struct sync_opts opts = {.count_private = !set->check_address_spaces,
		.ignore_calls = set->ignore_unseen_calls,
		.no_propagation = !set->propagate,
		.function_limit = (unsigned)set->max_functions,
		.block_limit = (unsigned)set->max_blocks,
		.exclude = set->exclude};
	struct found f = {0};
	*out = (struct barriers){.a = a, .unsound = opts.ignore_calls, .syncs = n};
	out->sync = ARENA_ARRAY(a, struct sync, n);
	for (size_t i = 0; i < n; i++) {
		sync_create(&out->sync[i], parse[i].facts, a, &opts);
		find_in(&f, &parse[i], &out->sync[i]);
	}
	for (size_t i = 0; i < f.sites.n; i++) {
		array_move(f.sites.v[i].instance, f.sites.v[i].instances, a, &f.instances.v[i]);
	}
	array_move(out->v, out->n, a, &f.sites);
	array_release(&f.instances);
	array_sort(out, by_place);
	make_groups(out);
	barriers_restore(out);
}

void barriers_release(struct barriers *b)
{
	for (size_t i = 0; i < b->syncs; i++) {
		sync_release(&b->sync[i]);
	}
}

/* ---- texts of reasons ---- */

struct judging {
	struct plan p;
	struct candidate out;
	const struct barrier_site *site;
	const struct barrier_instance *in;
	const struct sync_barrier *x;
	struct kt_unit *u;
};

static const char *place_of(struct arena *a, struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_file *f = &u->file[n->file];
	struct str base = path_base(str_of(f->path ? f->path : "?"));
	return arena_printf(a, "%.*s:%u", STR_ARG(base), kt_line(u, n->file, n->begin));
}

static const char *const class_names[] = {[SYNC_SHARED] = "LDS",
	[SYNC_GLOBAL] = "global memory",
	[SYNC_PRIVATE] = "the lane's own arrays",
	[SYNC_CLOCK] = "a clock"};

/* The accessed object: the variable's name, or the class of memory. */
static const char *object_of(
	struct arena *a, const struct kt_unit *u, const struct kt_node *n, enum sync_class c)
{
	while (n && n->kind != KT_REF && n->kind != KT_CALL && n->n && n->child[0] &&
		!(n->kind == KT_MEMBER && n->flags & KT_F_ARROW && n->child[0]->kind == KT_THIS)) {
		n = n->child[0];
	}
	bool named = n && n->kind == KT_REF && n->sym;
	return named ? arena_printf(a, "%s", u->sym[n->sym].name) : class_names[c];
}

/* "reduce.hip:41 writes s_sum"; for a second access to the same object "reduce.hip:47 reads it". */
static const char *deed(const struct judging *j, const struct kt_node *n,
	const struct kt_node *before, enum sync_class c, bool writes)
{
	struct arena *a = j->p.a;
	if (!n) {
		return "code that is not seen touches everything";
	}
	const char *at = place_of(a, j->u, n);
	if (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) {
		const char *name = n->fn ? j->u->fn[n->fn].base : n->text;
		return arena_printf(a, "%s calls %s, which may %s %s", at,
			name && *name ? name : "a function", writes ? "write" : "read",
			class_names[c]);
	}
	if (n->kind == KT_ASM) {
		return arena_printf(a, "%s is asm, which may touch anything", at);
	}
	bool is_volatile = n->flags & KT_F_VOLATILE || kt_type_of(j->u, n)->is_volatile;
	const char *object = object_of(a, j->u, n, c);
	bool again = before && before->kind != KT_CALL &&
		     strcmp(object_of(a, j->u, before, c), object) == 0;
	return arena_printf(a, "%s %s %s", at,
		is_volatile ? "has a volatile access to"
		: writes    ? "writes"
			    : "reads",
		again ? "it" : object);
}

static void add_side(struct sbuf *b, const char *title, const struct sync_traffic *t)
{
	bool any = false;
	sbuf_adds(b, title);
	for (int c = 0; c < SYNC_CLASSES; c++) {
		bool r = t->bits & SYNC_READS(c), w = t->bits & SYNC_WRITES(c);
		if (r || w) {
			sbuf_addf(b, "%s%s is %s", any ? ", " : "", class_names[c],
				r && w ? "read and written"
				: r    ? "read"
				       : "written");
			any = true;
		}
	}
	sbuf_adds(b, any ? "" : "nothing");
}

const char *barrier_flags(struct arena *a, const struct sync_barrier *x)
{
	if (sync_is_by_calls(x)) {
		return arena_printf(a,
			"at each of the %zu calls of its function, nothing that is written on one "
			"side is touched on the other",
			x->ats);
	}
	struct sbuf b = {0};
	add_side(&b, "above: ", &x->above);
	add_side(&b, "; below: ", &x->below);
	return sbuf_finish(&b, a).p;
}

/* ---- judging ---- */

static bool check_hazard(struct judging *j, enum sync_hazard h, unsigned clause)
{
	const struct kt_node *above, *below;
	if (!(sync_hazards(j->x) & h)) {
		return true;
	}
	enum sync_class c = sync_witness(j->x, h, &above, &below);
	bool written_above = h != SYNC_WAR, written_below = h != SYNC_RAW;
	return plan_refuse(&j->p, clause, "%s, %s", deed(j, above, NULL, c, written_above),
		deed(j, below, above, c, written_below));
}

static bool check_clock(struct judging *j)
{
	const struct kt_node *above, *below;
	if (!(sync_hazards(j->x) & SYNC_TIMED)) {
		return true;
	}
	sync_witness(j->x, SYNC_TIMED, &above, &below);
	return plan_refuse(&j->p, 10, "%s: the barrier lines the waves up for that",
		deed(j, above ? above : below, NULL, SYNC_CLOCK, false));
}

static bool check_together(struct judging *j)
{
	const struct kt_node *c = j->x->divergent;
	if (j->x->together) {
		return true;
	}
	if (!c) {
		return plan_refuse(
			&j->p, 5, "it is not proved that all lanes of the work-group reach it");
	}
	struct str text = kt_source(j->u, c);
	return plan_refuse(&j->p, 5, "'%.*s' at %s differs per lane: not all lanes reach it",
		STR_ARG(text), place_of(j->p.a, j->u, c));
}

bool barrier_in_macro(const struct sync_barrier *x)
{
	const struct kt_node *n = x->call;
	return n->flags & KT_F_MACRO || (n->parent && n->parent->flags & KT_F_MACRO) ||
	       (x->fence_before && x->fence_before->flags & KT_F_MACRO) ||
	       (x->fence_after && x->fence_after->flags & KT_F_MACRO);
}

/* Is [begin, end) a whole statement for every choice of #if branches? Then any text that may come
 * directly before it in its block must end a statement. */
static bool stands_alone(struct str t, size_t block, size_t begin, size_t end)
{
	bool ended = true, alone = true;
	unsigned depth = 0;
	lex_each (k, t, block, end) {
		if (k.kind != LEX_DIRECTIVE) {
			ended = lex_is(t, k, ";") || lex_is(t, k, "{") || lex_is(t, k, "}");
			alone = alone || (depth == 0 && k.begin < begin);
			continue;
		}
		struct lex_token word = lex_next(t, k.begin + 1);
		struct str w = lex_text(t, word);
		bool opens = str_starts(w, "if"), closes = str_is(w, "endif");
		if (opens || closes || str_starts(w, "el") || str_starts(w, "include")) {
			alone = alone && ended && k.begin < begin && !str_starts(w, "include");
		}
		depth += opens ? 1 : 0;
		depth -= closes && depth > 0 ? 1 : 0;
	}
	return alone;
}

/* A call acts as a barrier if the callee does nothing else. Is that so in every parse? */
static bool is_seen_by_all(const struct judging *j, const struct barriers *b)
{
	const struct kt_fn *called = &j->u->fn[j->x->call->fn];
	size_t parses = 0;
	for (size_t i = 0; i < b->syncs; i++) {
		bool has = false;
		for (size_t k = 0; k < j->site->instances; k++) {
			has |= j->site->instance[k].sync == &b->sync[i];
		}
		parses += has;
	}
	return !called->body || called->in_system_header || parses == b->syncs;
}

/* The text is removed from every compilation: check them all. */
static bool check_compilations(struct judging *j)
{
	const struct kt_node *first = j->x->fence_before ? j->x->fence_before : j->x->call;
	const struct kt_node *last = j->x->fence_after ? j->x->fence_after : j->x->call;
	struct str t = j->u->file[first->file].text;
	if (j->u->fn[j->x->fn].on_host) {
		return plan_refuse(
			&j->p, 7, "the host may run it, too, which unphi does not check");
	}
	return stands_alone(
		       t, first->parent->begin, first->begin, text_end_of_statement(t, last)) ||
	       plan_refuse(&j->p, 7,
		       "a preprocessor directive stands in it, or before it after text that may "
		       "not be a whole statement");
}

static bool check_text(struct judging *j, const struct barriers *b)
{
	if (!j->x->statement || j->x->kind == SYNC_ASM) {
		return plan_refuse(&j->p, 7,
			j->x->kind == SYNC_ASM ? "it is inline assembly"
					       : "it is a part of an expression");
	}
	if (barrier_in_macro(j->x)) {
		return !b->edits || plan_refuse(&j->p, 7, "it comes from a macro");
	}
	if (!is_seen_by_all(j, b)) {
		return plan_refuse(
			&j->p, 7, "for another target it is not a barrier, or does more");
	}
	return !b->edits || !j->site->main || check_compilations(j);
}

static bool check_settings(struct judging *j, const struct barriers *b)
{
	switch (j->x->limit) {
	case SYNC_EXCLUDED:
		return plan_refuse(&j->p, 9, "its function is excluded");
	case SYNC_TOO_MANY_FUNCTIONS:
		return plan_refuse(&j->p, 9, "more functions have barriers than max-functions");
	case SYNC_TOO_MANY_BLOCKS:
		return plan_refuse(&j->p, 9, "its function has more blocks than max-blocks");
	case SYNC_WRAPPER:
		return plan_refuse(&j->p, 9,
			"it is all that its function is: calls of that are barriers themselves");
	case SYNC_NO_LIMIT:
		break;
	}
	return !b->unsound || plan_refuse(&j->p, 9,
				      "ignore-unseen-calls is on: that is for looking, not for "
				      "rewriting");
}

static bool is_legal(struct judging *j, const struct barriers *b)
{
	/* The reasons that the user can change least come first, so that they are reported. */
	return check_settings(j, b) &&
	       (j->x->kind != SYNC_VALUE || plan_refuse(&j->p, 6, "lanes learn a value from it")) &&
	       (j->x->kind != SYNC_GRID || plan_refuse(&j->p, 6, "it waits for all work-groups")) &&
	       check_text(j, b) &&
	       (j->x->known ||
		       plan_refuse(&j->p, 8, "its function jumps, or runs implicit code")) &&
	       (j->x->callers ||
		       plan_refuse(&j->p, 4, "not all callers of its function are seen")) &&
	       (!b->edits || !j->in->parse->unit->file[j->x->call->file].main ||
		       plan_check_line(&j->p, j->x->call->file, j->x->call->begin)) &&
	       check_together(j) && check_clock(j) && check_hazard(j, SYNC_RAW, 1) &&
	       check_hazard(j, SYNC_WAR, 2) && check_hazard(j, SYNC_WAW, 3);
}

static void judge_instances(const struct barriers *b, struct barrier_site *s)
{
	s->clause = 0;
	s->why = NULL;
	for (size_t i = 0; i < s->instances && !s->clause; i++) {
		struct judging j = {.site = s, .in = &s->instance[i]};
		j.out.strategy = STRATEGY_DROP_SYNC;
		j.p = (struct plan){.a = b->a, .out = &j.out, .parse = j.in->parse};
		j.x = &j.in->sync->v[j.in->index];
		j.u = j.in->parse->unit;
		if (!is_legal(&j, b)) {
			s->clause = j.out.clause;
			s->why = j.out.why;
		}
	}
}

static void set_dropped(struct barriers *b, struct barrier_site *s, bool dropped)
{
	s->dropped = dropped;
	for (size_t i = 0; i < s->instances; i++) {
		s->instance[i].sync->v[s->instance[i].index].dropped = dropped;
	}
	for (size_t i = 0; i < b->syncs; i++) {
		sync_solve(&b->sync[i]);
	}
}

/* An instance may seem dead only because another instance of the same text is next to it. They are
 * removed together, so they are judged with all of them gone. */
static void judge(struct barriers *b, struct barrier_site *s)
{
	judge_instances(b, s);
	if (!s->clause && !s->dropped) {
		set_dropped(b, s, true);
		judge_instances(b, s);
		set_dropped(b, s, false);
	}
}

void barriers_restore(struct barriers *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct barrier_site *s = &b->v[i];
		s->dropped = false;
		for (size_t k = 0; k < s->instances; k++) {
			s->instance[k].sync->v[s->instance[k].index].dropped = false;
		}
	}
	for (size_t i = 0; i < b->syncs; i++) {
		sync_solve(&b->sync[i]);
	}
	for (size_t i = 0; i < b->n; i++) {
		judge(b, &b->v[i]);
	}
}

/* macros: those in macros, which are only reported; they come last, so that no editable barrier is
 * kept because of them. */
static void drop_all(struct barriers *b, bool from_last, bool main_only, bool macros)
{
	for (size_t i = 0; i < b->n; i++) {
		struct barrier_site *s = &b->v[from_last ? b->n - 1 - i : i];
		judge(b, s);
		if (!s->clause && (s->main || !main_only) &&
			barrier_in_macro(barrier_of(s)) == macros) {
			set_dropped(b, s, true);
		}
	}
}

void barriers_drop(struct barriers *b, bool from_last, bool main_only)
{
	b->edits = main_only;
	barriers_restore(b);
	/* Removing a barrier never makes another one removable, so one pass is enough. */
	drop_all(b, from_last, main_only, false);
	drop_all(b, from_last, main_only, true);
	for (size_t i = 0; i < b->n; i++) {
		if (!b->v[i].dropped) {
			judge(b, &b->v[i]);
		}
	}
}

const struct sync_barrier *barrier_of(const struct barrier_site *s)
{
	const struct sync_barrier *x = NULL;
	for (size_t i = 0; i < s->instances; i++) {
		const struct sync_barrier *at = &s->instance[i].sync->v[s->instance[i].index];
		x = !x || (sync_hazards(at) && !sync_hazards(x)) ? at : x;
	}
	return x;
}

/* ---- text ---- */

/* The node to remove: an if that contains only the barrier and whose condition has no effect; else
 * the barrier. */
static const struct kt_node *all_that_goes(
	struct plan *p, const struct parse *parse, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || up->kind != KT_IF || n->slot != KT_IF_THEN || up->child[KT_IF_ELSE] ||
		up->child[KT_IF_INIT] || up->child[KT_IF_VAR] || up->flags & KT_F_MACRO ||
		!up->parent || up->parent->kind != KT_COMPOUND) {
		return n;
	}
	const struct kt_node *cond = up->child[KT_IF_COND];
	size_t end = text_end_of_statement(p->text, n);
	bool acts = kt_type_of(parse->unit, cond)->kind == KT_T_RECORD ||
		    facts_acts(parse->facts, cond);
	bool whole = str_find(str_sub(p->text, up->begin, end), "#", 0) == SIZE_MAX &&
		     stands_alone(p->text, up->parent->begin, up->begin, end);
	return acts || !whole ? n : up;
}

void drop_sync_plan(struct plan *p, const char *variant)
{
	(void)variant; /* barriers_drop has already marked them */
	for (size_t i = 0; i < p->barriers->n; i++) {
		const struct barrier_site *s = &p->barriers->v[i];
		if (!s->dropped || !s->main || s->group != p->group) {
			continue;
		}
		const struct sync_barrier *x = &s->instance[0].sync->v[s->instance[0].index];
		const struct kt_node *all[] = {x->fence_before, x->call, x->fence_after};
		for (size_t k = 0; k < 3; k++) {
			if (all[k]) {
				text_remove_statement(&p->out->edits, p->a, p->text,
					all_that_goes(p, s->instance[0].parse, all[k]));
			}
		}
	}
}
