#include "choose/advise/accesses.h"

#include <string.h>
#include "analysis/memory/access.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/words.h"
#include "choose/judge/judge.h"
#include "measure/isa/access.h"
#include "strategy/join/join.h"

enum {
	RUNS_MAX = 16, /* measured in a unit, each with a compile */
	APART_MIN = 2  /* instructions that could have been one */
};

/* A run of accesses in the source, the same in all instances. */
struct group {
	struct access_run run; /* that of the first instance */
	const struct parse *parse;
	size_t instances;
	const char *why; /* why it cannot be one access, or NULL */
	unsigned apart;	 /* instructions of one element's width, in the kernel with the most */
	const struct kernel_metrics *kernel;
	size_t target;
	struct edit_list edits;
	bool planned;
	const char *gain; /* measured; or NULL */
	size_t next;	  /* 1 + index of another group at the same offset; 0: none */
	/* used while the instructions of a kernel are counted: */
	unsigned now;
	const struct isa_access *last;
};

/* The places of the instructions of a group's member. */
struct span_of {
	struct line_col from;
	struct line_col to;
	size_t group;
};

struct accesses {
	struct state *s;
	ARRAY(struct group) group;
	struct ids first; /* offset of a group's begin -> 1 + its index */
	ARRAY(struct span_of) span;
	size_t *line;	 /* by line of the text, from 1: its first index in on_line */
	size_t *on_line; /* indices of spans */
	size_t lines;
	struct plan plan;
};

/* ---- from runs to groups ---- */

static bool same_run(const struct group *g, const struct parse *parse, const struct access_run *r)
{
	const struct access_run *o = &g->run;
	bool same = o->store == r->store && o->count == r->count && o->bytes == r->bytes &&
		    o->members == r->members && o->first->begin == r->first->begin &&
		    o->last->end == r->last->end &&
		    strcmp(kt_type_of(g->parse->unit, o->member[0].node)->canon,
			    kt_type_of(parse->unit, r->member[0].node)->canon) == 0;
	for (size_t i = 0; same && i < o->members; i++) {
		same = o->member[i].node->begin == r->member[i].node->begin &&
		       o->member[i].element == r->member[i].element;
	}
	return same;
}

static bool in_main(const struct kt_unit *u, kt_id file)
{
	return file && u->file[file].main;
}

static void take_run(struct accesses *w, const struct parse *parse, const struct access_run *r)
{
	uintptr_t key = (uintptr_t)r->first->begin + 1;
	size_t head = ids_get(&w->first, key, 0);
	for (size_t i = head; i; i = w->group.v[i - 1].next) {
		struct group *g = &w->group.v[i - 1];
		if (same_run(g, parse, r)) {
			g->instances++;
			g->why = g->why ? g->why : r->why;
			return;
		}
	}
	array_push(&w->group,
		(struct group){
			.run = *r, .parse = parse, .instances = 1, .why = r->why, .next = head});
	ids_set(&w->first, key, w->group.n);
}

/* Counts the bodies of all parses by the offset of their text. */
static void count_instances(struct ids *out, const struct accesses *w)
{
	for (size_t t = 0; t < w->s->job->targets; t++) {
		const struct kt_unit *u = w->s->parse[t].unit;
		for (kt_id id = 1; id < u->fns; id++) {
			const struct kt_fn *o = &u->fn[id];
			uintptr_t key = (uintptr_t)o->begin + 1;
			if (o->body && in_main(u, o->file)) {
				ids_set(out, key, ids_get(out, key, 0) + 1);
			}
		}
	}
}

static void find_groups(struct accesses *w)
{
	span_each (w->s->parse, w->s->job->targets, const struct parse, p) {
		struct spaces *spaces = spaces_create(p->facts, p->uniformity, w->s->a);
		for (kt_id id = 1; id < p->unit->fns; id++) {
			const struct kt_fn *fn = &p->unit->fn[id];
			struct access_run *run;
			size_t n = 0;
			if (fn->body && fn->kind != KT_FN_HOST && in_main(p->unit, fn->file)) {
				access_runs_find(
					&run, &n, w->s->a, p->facts, spaces, id, w->s->opts.wraps);
			}
			for (size_t i = 0; i < n; i++) {
				if (in_main(p->unit, run[i].member[0].node->file)) {
					take_run(w, p, &run[i]);
				}
			}
		}
	}
	struct ids instances = {0};
	count_instances(&instances, w);
	array_each (&w->group, struct group, g) {
		const struct kt_fn *fn = &g->parse->unit->fn[g->run.fn];
		if (!g->why && g->instances != ids_get(&instances, (uintptr_t)fn->begin + 1, 0)) {
			g->why = "not all instantiations and targets have it so";
		}
	}
	ids_release(&instances);
}

/* ---- the compiler's instructions ---- */

/* The compiler places a load where its expression begins, a store at the operator that stores. */
static void find_spans(struct accesses *w)
{
	const struct line_marks *marks = line_marks_make(w->s->a, w->s->text);
	w->lines = marks->n + 1;
	w->line = ARENA_ARRAY(w->s->a, size_t, w->lines + 2);
	size_t total = 0;
	for (size_t i = 0; i < w->group.n; i++) {
		const struct access_run *r = &w->group.v[i].run;
		for (size_t m = 0; m < r->members; m++) {
			const struct kt_node *n = r->member[m].node;
			const struct kt_node *whole = r->store ? n->parent : n;
			struct span_of s = {line_marks_at(marks, whole->begin),
				line_marks_at(marks, whole->end), i};
			array_push(&w->span, s);
			for (unsigned k = s.from.line; k <= s.to.line; k++) {
				w->line[k + 1]++;
				total++;
			}
		}
	}
	for (size_t k = 1; k <= w->lines + 1; k++) {
		w->line[k] += w->line[k - 1];
	}
	w->on_line = ARENA_ARRAY(w->s->a, size_t, total);
	size_t *next = arena_memdup(w->s->a, w->line, (w->lines + 2) * sizeof(*next));
	for (size_t i = 0; i < w->span.n; i++) {
		for (unsigned k = w->span.v[i].from.line; k <= w->span.v[i].to.line; k++) {
			w->on_line[next[k]++] = i;
		}
	}
}

/* Is this an instruction of a member of the group? */
static bool is_of_span(
	const struct accesses *w, const struct span_of *s, const struct isa_access *x)
{
	const struct access_run *r = &w->group.v[s->group].run;
	bool after =
		x->line > s->from.line || (x->line == s->from.line && x->column >= s->from.col);
	bool before = x->line < s->to.line || (x->line == s->to.line && x->column < s->to.col);
	return x->store == r->store && x->bytes == r->bytes && after && before;
}

/* The compiled text is a copy in unphi's directory, under the file's name. */
static bool is_copy(const struct accesses *w, struct str file)
{
	struct str base = path_base(str_of(w->s->job->path));
	return w->s->dir && str_holds(file, path_base(str_of(w->s->dir))) &&
	       str_eq(path_base(file), base);
}

/* The accesses in r of the kernels in `kernels`, one list each. */
static struct isa_access_list *all_accesses(
	struct accesses *w, const struct measure_result *kernels, const struct measure_result *r)
{
	size_t n = kernels->m.kernels;
	const char **symbol = ARENA_ARRAY(w->s->a, const char *, n);
	struct isa_access_list *out = ARENA_ARRAY(w->s->a, struct isa_access_list, n);
	for (size_t i = 0; i < n; i++) {
		symbol[i] = kernels->m.kernel[i].symbol;
	}
	isa_accesses(out, w->s->a, r->isa, symbol, n);
	return out;
}

typedef ARRAY(struct group *) group_array;

/* Counts the instruction once for each group that it belongs to. */
static void count_access(struct accesses *w, const struct isa_access *x, group_array *counted)
{
	if (x->line > w->lines || !is_copy(w, x->file)) {
		return;
	}
	for (size_t k = w->line[x->line]; k < w->line[x->line + 1]; k++) {
		const struct span_of *s = &w->span.v[w->on_line[k]];
		struct group *g = &w->group.v[s->group];
		if (g->last != x && is_of_span(w, s, x)) {
			if (g->now++ == 0) {
				array_push(counted, g);
			}
			g->last = x;
		}
	}
}

static void count_apart(struct accesses *w, size_t target, const struct measure_result *r)
{
	bool there = r->status == MEASURE_OK;
	const struct isa_access_list *of = there ? all_accesses(w, r, r) : NULL;
	group_array counted = {0};
	for (size_t i = 0; there && i < r->m.kernels; i++) {
		for (size_t k = 0; k < of[i].n; k++) {
			count_access(w, &of[i].v[k], &counted);
		}
		array_each (&counted, struct group *, at) {
			struct group *g = *at;
			if (g->now > g->apart) {
				g->apart = g->now;
				g->kernel = &r->m.kernel[i];
				g->target = target;
			}
			g->now = 0;
			g->last = NULL;
		}
		counted.n = 0;
	}
	array_release(&counted);
}

static const char *const lines[] = {"-gline-tables-only", NULL};

static struct measure_result *compile(struct accesses *w, const struct str *text, size_t n)
{
	struct words flags = {{0}};
	words_add_all(&flags, w->s->job->flags);
	words_add_all(&flags, lines);
	struct compile_as as = {
		.flags = words_finish(&flags, w->s->a), .quiet = true, .keep_isa = true};
	return state_compile_as(w->s, text, n, &as);
}

/* ---- the texts ---- */

static void plan_group(struct accesses *w, struct group *g)
{
	struct candidate out = {.strategy = STRATEGY_JOIN};
	w->plan.out = &out;
	w->plan.parse = g->parse;
	w->plan.run = &g->run;
	w->plan.place = g->run.first;
	strategies[STRATEGY_JOIN].plan(&w->plan, NULL);
	g->why = out.why;
	g->edits = out.edits;
	g->planned = !out.clause;
}

/* Applies the edits of one group, or of all with a gain; false if they overlap. */
static bool apply(struct accesses *w, struct str *text, const struct group *only)
{
	struct edit_list all = {{0}};
	size_t clash[2];
	array_each (&w->group, const struct group, g) {
		bool taken = only ? g == only : g->gain != NULL;
		for (size_t i = 0; taken && i < g->edits.edits.n; i++) {
			const struct edit *e = &g->edits.edits.v[i];
			edit_list_add(&all, w->s->a, e->begin, e->end, e->text);
		}
	}
	bool good = edit_list_check(&all, w->s->text.n, clash);
	if (good) {
		*text = state_edited(w->s, &all);
	}
	edit_list_release(&all);
	return good;
}

/* ---- the comparison ---- */

/* The gain in words; or NULL, with the reason in *why. */
static const char *judge(struct accesses *w, const struct measure_result *before,
	const struct measure_result *after, const char **why)
{
	const char *gain = NULL;
	const struct judge_by by = {.before = before};
	struct judged g = judge_figures(w->s, after, &by);
	if (judge_is_as_bad(g.outcome, OUTCOME_VETO)) {
		*why = g.outcome == OUTCOME_FAILED ? "it does not compile" : g.why;
		return NULL;
	}
	for (size_t t = 0; t < w->s->job->targets; t++) {
		const struct isa_access_list *was = all_accesses(w, &before[t], &before[t]);
		const struct isa_access_list *is = all_accesses(w, &before[t], &after[t]);
		for (size_t i = 0; i < before[t].m.kernels; i++) {
			const struct kernel_metrics *k = &before[t].m.kernel[i];
			size_t x = was[i].n, y = is[i].n;
			if (y > x) {
				*why = arena_printf(w->s->a, "%s: memory instructions %zu -> %zu",
					k->name, x, y);
				return NULL;
			}
			if (y < x && !gain) {
				gain = arena_printf(w->s->a,
					"memory instructions of %s %zu -> %zu (%s)", k->name, x, y,
					w->s->job->target[t]->name);
			}
		}
	}
	*why = "the compiler makes as many instructions of it";
	return gain;
}

static int measure_groups(struct accesses *w, const struct measure_result *before)
{
	struct str *text = ARENA_ARRAY(w->s->a, struct str, w->group.n);
	struct group **of = ARENA_ARRAY(w->s->a, struct group *, w->group.n);
	size_t n = 0, kept = 0;
	array_each (&w->group, struct group, g) {
		if (g->apart < APART_MIN || g->why) {
			continue;
		}
		if (n == RUNS_MAX) {
			g->why = join_can_edit(w->s->text, &g->run)
					 ? "others were tried before it, and no more are in one run"
					 : JOIN_CANNOT_EDIT;
			continue;
		}
		plan_group(w, g);
		if (g->planned && apply(w, &text[n], g)) {
			of[n++] = g;
		}
	}
	struct measure_result *r = n ? compile(w, text, n) : NULL;
	if (n && !r) {
		return FAIL_USAGE;
	}
	for (size_t i = 0; i < n; i++) {
		of[i]->gain = judge(w, before, &r[i * w->s->job->targets], &of[i]->why);
		of[i]->why = of[i]->gain ? NULL : of[i]->why;
		kept += of[i]->gain != NULL;
	}
	for (size_t i = 1; i < n; i++) {
		for (size_t k = 0; k < i && of[i]->gain; k++) {
			if (of[k]->gain && edit_lists_meet(&of[i]->edits, &of[k]->edits)) {
				of[i]->gain = NULL;
				of[i]->why = "its text meets that of another, which comes first";
				kept--;
			}
		}
	}
	/* fixes that are offered together are measured together */
	const char *why = NULL;
	bool together = kept < 2;
	if (!together && apply(w, &text[0], NULL)) {
		r = compile(w, text, 1);
		together = r && judge(w, before, r, &why);
	}
	bool first = true;
	for (size_t i = 0; i < n && !together; i++) {
		if (of[i]->gain && !first) {
			of[i]->gain = NULL;
			of[i]->why = "not better beside the others";
		}
		first = first && !of[i]->gain;
	}
	return 0;
}

/* ---- the findings ---- */

static struct cause cause_of(struct accesses *w, struct group *g, bool told_apart)
{
	const struct access_run *r = &g->run;
	const struct kt_unit *u = g->parse->unit;
	const struct kt_node *n = r->member[0].node;
	const struct kt_file *file = &u->file[n->file];
	const char *end =
		g->gain && told_apart
			? arena_printf(w->s->a,
				  "; as one: %s, offered once the launch bounds stand", g->gain)
		: g->gain ? arena_printf(w->s->a, "; as one: %s", g->gain)
			  : arena_printf(w->s->a, "; not made one: %s", g->why);
	struct cause c = {.kind = CAUSE_ACCESS,
		.function = u->fn[r->fn].name,
		.path = file->path,
		.source = file->text,
		.at = n->begin,
		.end = n->end,
		.weight = g->apart};
	c.text = arena_printf(w->s->a,
		"%u %s of '%s' lie side by side, %u bytes of a lane; in '%s' %u instructions %s %u "
		"byte%s each (%s)%s",
		r->count, r->store ? "stores" : "loads", u->sym[r->base].name, r->count * r->bytes,
		g->kernel->name, g->apart, r->store ? "store" : "load", r->bytes,
		r->bytes == 1 ? "" : "s", w->s->job->target[g->target]->name, end);
	if (g->gain && !told_apart) {
		c.edit =
			arena_memdup(w->s->a, g->edits.edits.v, g->edits.edits.n * sizeof(*c.edit));
		c.edits = g->edits.edits.n;
	}
	return c;
}

int accesses_find(struct cause **out, size_t *n, struct state *s, bool told_apart)
{
	struct accesses w = {.s = s};
	w.plan = (struct plan){.opts = &s->opts, .a = s->a, .text = s->text};
	int rc = 0;
	*n = 0;
	find_groups(&w);
	struct measure_result *now = w.group.n ? compile(&w, &s->text, 1) : NULL;
	if (w.group.n && !now) {
		rc = FAIL_USAGE;
	}
	find_spans(&w);
	for (size_t t = 0; now && t < s->job->targets; t++) {
		count_apart(&w, t, &now[t]);
	}
	rc = rc || !now ? rc : measure_groups(&w, now);
	*out = ARENA_ARRAY(s->a, struct cause, w.group.n);
	array_each (&w.group, struct group, g) {
		if (rc == 0 && g->apart >= APART_MIN) {
			(*out)[(*n)++] = cause_of(&w, g, told_apart);
		}
		edit_list_release(&g->edits);
	}
	array_release(&w.group);
	array_release(&w.span);
	ids_release(&w.first);
	return rc;
}
