/*
 * unphi-dead-sync: a barrier that orders nothing.
 *
 *   tile[t] = in[i];
 *   __syncthreads();
 *   const float x = tile[t ^ 1];
 *   __syncthreads();               between here and the end only out is written, which nothing
 *   out[i] = x;                    above has touched: lanes wait for each other, and for nothing
 *
 * Reports the barriers that may be removed together, by the analysis of the strategy drop-sync
 * (src/strategy/drop_sync/drop_sync.c). With report-kept the others are notes with the accesses
 * that need them.
 *
 * unphi-divergent-sync: a barrier that not all lanes of the work-group reach: it depends on a
 * condition that differs between them, or some have left by a return, break, continue or goto.
 * Lanes that wait at another barrier match this one with it, or the others wait forever. Waves that
 * have ended are not waited for; work-groups that have ended are, by a barrier of the grid. A bare
 * s_barrier, which kernels use to let waves count each other, is reported only where the condition
 * separates lanes of one wave.
 */
#include <string.h>
#include "rule/rule.h"
#include "rule/subject.h"
#include "strategy/drop_sync/drop_sync.h"

struct finding {
	const struct rule_input *in;
	const struct barriers *all;
	const struct barrier_site *site;
	const struct barrier_instance *instance;
	const struct sync_barrier *x;
	ARRAY(struct diag_note) notes;
};

static void add_note(struct finding *f, const char *text)
{
	array_push(&f->notes, (struct diag_note){.text = str_of(text)});
}

static void start(struct finding *f, const struct rule_input *in, const struct barriers *all,
	const struct barrier_site *site)
{
	*f = (struct finding){.in = in, .all = all, .site = site};
	f->x = barrier_of(site);
	f->instance = &site->instance[0];
	for (size_t i = 0; i < site->instances; i++) {
		if (&site->instance[i].sync->v[site->instance[i].index] == f->x) {
			f->instance = &site->instance[i];
		}
	}
}

static void finish(struct finding *f, struct diag_list *out, const char *rule,
	enum diag_level level, const char *text)
{
	const struct kt_unit *u = f->instance->parse->unit;
	const struct kt_node *call = f->x->call;
	bool drops = level == DIAG_WARNING && strcmp(rule, "unphi-dead-sync") == 0;
	const char *next = drops ? "rewrite" : "explain";
	struct diag d = {.level = level, .rule = rule, .text = str_of(text), .next = next};
	d.place = subject_place(u, call);
	/* all barriers have the same text, so the code around one identifies it */
	subject_set(&d, f->in->a, u, f->x->fn, call->parent ? call->parent : call);
	array_move(d.note, d.notes, f->in->a, &f->notes);
	array_push(&out->v, d);
}

static unsigned line_of(const struct barrier_site *s)
{
	const struct barrier_instance *in = &s->instance[0];
	const struct kt_node *call = in->sync->v[in->index].call;
	return kt_line(in->parse->unit, call->file, call->begin);
}

/* "12, 20 and 31": the lines of the group's barriers that are in set and not in other. */
static const char *lines(struct finding *f, const bool *set, const bool *other, size_t *count)
{
	struct sbuf b = {0};
	size_t left = 0;
	*count = 0;
	for (size_t i = 0; i < f->all->n; i++) {
		bool in = set[i] && !(other && other[i]) && f->all->v[i].group == f->site->group;
		*count += in;
	}
	left = *count;
	for (size_t i = 0; i < f->all->n; i++) {
		bool in = set[i] && !(other && other[i]) && f->all->v[i].group == f->site->group;
		if (in) {
			left--;
			sbuf_addf(&b, "%u%s", line_of(&f->all->v[i]),
				left > 1    ? ", "
				: left == 1 ? " and "
					    : "");
		}
	}
	return sbuf_finish(&b, f->in->a).p;
}

static void note_sets(struct finding *f, const bool *forward, const bool *backward)
{
	size_t n, more;
	const char *all = lines(f, forward, NULL, &n);
	const char *others = lines(f, backward, NULL, &more);
	if (n > 1) {
		add_note(f,
			arena_printf(f->in->a, "those of lines %s may be removed together", all));
	}
	if (strcmp(all, others) != 0) {
		add_note(f, arena_printf(f->in->a, "instead %s of line%s %s could be removed",
				    more > 1 ? "those" : "that", more > 1 ? "s" : "", others));
	}
}

static bool *take_set(struct barriers *all, struct arena *a, bool from_last)
{
	bool *set = ARENA_ARRAY(a, bool, all->n);
	barriers_drop(all, from_last, false);
	for (size_t i = 0; i < all->n; i++) {
		set[i] = all->v[i].dropped;
	}
	return set;
}

/* All barriers of a macro are at the place of its invocation. */
static const char *in_macro(const struct finding *f)
{
	unsigned more = 0;
	array_each (f->all, const struct barrier_site, s) {
		more += s->begin == f->site->begin && strcmp(s->path, f->site->path) == 0;
	}
	return more > 1
		       ? arena_printf(f->in->a,
				 "it is number %u of the macro's %u barriers, and rewrite does not "
				 "change macros",
				 f->site->nth + 1, more)
		       : "it comes from a macro, and rewrite does not change macros";
}

/* With ignore-unseen-calls this may be wrong, so only lint reports such barriers. */
static bool is_dead(const struct barrier_site *s)
{
	return s->clause == 0;
}

static void release(void *what)
{
	barriers_release(what);
}

/* Finds the barriers once for both rules, with none dropped. */
static struct barriers *barriers_of(const struct rule_input *in)
{
	struct facts *f = in->parse[0].facts;
	struct barriers *all = facts_kept(f, FACTS_KEEP_BARRIERS, 0);
	if (!all) {
		all = ARENA_NEW(in->a, struct barriers);
		barriers_find(all, in->a, in->parse, in->parses, in->settings);
		facts_keep(f, FACTS_KEEP_BARRIERS, 0, all, release);
	}
	return all;
}

void rule_dead_sync(const struct rule_input *in, struct diag_list *out)
{
	struct barriers *all = barriers_of(in);
	all->unsound = false;
	bool *forward = take_set(all, in->a, false);
	bool *backward = take_set(all, in->a, true);
	barriers_restore(all);
	for (size_t i = 0; i < all->n; i++) {
		struct finding f;
		start(&f, in, all, &all->v[i]);
		const char *flags = barrier_flags(in->a, f.x);
		if (forward[i]) {
			note_sets(&f, forward, backward);
			if (barrier_in_macro(f.x)) {
				add_note(&f, in_macro(&f));
			}
			if (in->settings->dead_sync.ignore_unseen_calls) {
				add_note(&f, "calls without a visible body were ignored");
			}
			finish(&f, out, "unphi-dead-sync", DIAG_WARNING,
				arena_printf(in->a, "this barrier orders nothing: %s", flags));
		} else if (in->settings->dead_sync.report_kept && f.x->limit != SYNC_WRAPPER) {
			const char *why = all->v[i].why;
			size_t n;
			if (is_dead(&all->v[i])) {
				why = arena_printf(in->a,
					"it is needed if that of line %s is removed",
					lines(&f, forward, NULL, &n));
			}
			add_note(&f, flags);
			finish(&f, out, "unphi-dead-sync", DIAG_NOTE,
				arena_printf(in->a, "kept: %s", why));
		}
	}
}

static const char *missing_lanes(const struct sync_barrier *x)
{
	static const char *const text[3][2] = {
		{"not all lanes of the work-group reach this barrier",
			"not all lanes of the work-group reach this barrier: the others have "
			"ended"},
		{"not all waves of the work-group reach this barrier: a wave reaches it, or passes "
		 "it by, as a whole",
			"not all waves of the work-group reach this barrier: a wave reaches it, or "
			"has ended, as a whole"},
		{"not all work-groups of the grid reach this barrier",
			"not all work-groups of the grid reach this barrier: the others have "
			"ended"}};
	return text[x->groups ? 2 : x->waves][x->ended];
}

void rule_divergent_sync(const struct rule_input *in, struct diag_list *out)
{
	struct barriers *all = barriers_of(in);
	for (size_t i = 0; i < all->n; i++) {
		struct finding f;
		start(&f, in, all, &all->v[i]);
		if (!f.x->divergent || f.x->kind == SYNC_WAVE || f.x->limit != SYNC_NO_LIMIT) {
			continue;
		}
		const struct kt_unit *u = f.instance->parse->unit;
		const char *differs = f.x->groups  ? "this differs between work-groups"
				      : f.x->waves ? "this differs between waves, not within one"
						   : "this differs per lane";
		array_push(&f.notes, (struct diag_note){.place = subject_place(u, f.x->divergent),
					     .text = str_of(differs)});
		finish(&f, out, "unphi-divergent-sync", DIAG_WARNING, missing_lanes(f.x));
	}
}
