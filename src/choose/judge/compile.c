#include <string.h>
#include "base/file.h"
#include "base/kept/caches.h"
#include "base/process/interrupt.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "choose/judge/compile.h"

static bool is_launched(const struct choose_job *job)
{
	bool launched = false;
	for (size_t k = 0; job->compiler && k < job->targets; k++) {
		launched |= job->compiler[k].launcher != NULL;
	}
	return launched;
}

/* Writes the text to a file with path's name in a directory of its own. With a launcher the path is
 * the same in each run, so that its cache finds it. */
static const char *write_text(struct state *s, const char *of, struct str text)
{
	struct str base = path_base(str_of(of));
	const char *kept = is_launched(s->job)
				   ? cache_text(s->a, text, arena_strndup(s->a, base.p, base.n))
				   : NULL;
	if (kept) {
		return kept;
	}
	if (!s->dir) {
		s->dir = tmpdir_create();
	}
	if (!s->dir) {
		return NULL;
	}
	const char *dir = arena_printf(s->a, "%s/%u", s->dir, s->texts++);
	const char *path = arena_printf(s->a, "%s/%.*s", dir, STR_ARG(base));
	if (path_make_dirs(dir) < 0 || file_write_atomic(path, text) < 0) {
		return NULL;
	}
	return path;
}

const char *state_write_text(struct state *s, struct str text)
{
	return write_text(s, s->job->path, text);
}

/* Writes the texts that replace included files, and the list of them. */
static int write_in_place(struct state *s, struct measure_job *m, struct str text)
{
	struct stand_in *in = ARENA_ARRAY(s->a, struct stand_in, s->job->in_places + 1);
	m->in_place = state_in_place(s, in, text, &m->in_places);
	for (size_t i = 0; i < m->in_places; i++) {
		in[i].content = write_text(s, in[i].name[0], in[i].text);
		if (!in[i].content) {
			return FAIL_USAGE;
		}
	}
	if (m->in_places > 0) {
		struct sbuf list = {0};
		vfs_list(&list, in, m->in_places);
		m->overlay = write_text(s, "overlay.yaml", sbuf_str(&list));
		sbuf_release(&list);
	}
	return m->in_places > 0 && !m->overlay ? FAIL_USAGE : 0;
}

/* Makes a job for each target, with path, flags and directory of the file. */
static int make_jobs(struct state *s, struct measure_job *jobs, struct str text)
{
	const struct choose_job *job = s->job;
	struct measure_job with = {0};
	if (!job->unit) {
		const char *path = state_write_text(s, text);
		for (size_t t = 0; t < job->targets; t++) {
			jobs[t] = (struct measure_job){.path = path, .shown = job->path};
		}
		return path ? 0 : FAIL_USAGE;
	}
	int rc = write_in_place(s, &with, text);
	for (size_t t = 0; rc == 0 && t < job->targets; t++) {
		const struct choose_unit *unit = job->unit[t];
		jobs[t] = with;
		jobs[t].shown = unit->path;
		jobs[t].path = t > 0 && unit == job->unit[t - 1]
				       ? jobs[t - 1].path
				       : write_text(s, unit->path, unit->text);
		rc = jobs[t].path ? 0 : FAIL_USAGE;
	}
	return rc;
}

struct measure_result *state_compile(
	struct state *s, const struct str *text, size_t n, bool quiet, bool want_ir)
{
	struct compile_as as = {.flags = s->job->flags, .quiet = quiet, .want_ir = want_ir};
	return state_compile_as(s, text, n, &as);
}

/* Was x compiled for all views that y is for? */
static bool has_views(const struct state *s, const struct compile_as *x, const struct compile_as *y)
{
	bool all = true;
	for (size_t k = 0; k < s->job->targets && x->views; k++) {
		all &= x->views[k] || (y->views && !y->views[k]);
	}
	return all;
}

/* Is the result of x the one that y needs? Messages do not matter. */
static bool is_same(const struct state *s, const struct wanted *x, const struct wanted *y)
{
	const struct compile_as *a = &x->as, *b = &y->as;
	return (!a->draft || b->draft) && a->want_ir == b->want_ir && a->keep_ir == b->keep_ir &&
	       (a->keep_isa || !b->keep_isa) && words_are_same(a->flags, b->flags) &&
	       words_are_same(a->only, b->only) && has_views(s, a, b) && str_eq(x->text, y->text);
}

static bool ran_late(const struct state *s, const struct measure_result *r)
{
	bool late = false;
	for (size_t k = 0; r && k < s->job->targets; k++) {
		late |= r[k].status == MEASURE_TIMEOUT;
	}
	return late;
}

/* The index of w's result, or of its running compile; the number of results if there is none. */
static size_t find(const struct state *s, const struct wanted *w)
{
	size_t i = 0;
	while (i < s->compiled.n &&
		(ran_late(s, s->compiled.v[i].result) || !is_same(s, &s->compiled.v[i].of, w))) {
		i++;
	}
	return i;
}

static int make_jobs_as(struct measure_job *jobs, struct state *s, const struct wanted *w)
{
	const struct choose_job *job = s->job;
	int rc = job->equip ? job->equip(job->equipper) : 0;
	rc = rc ? rc : make_jobs(s, jobs, w->text);
	if (rc) {
		return rc;
	}
	for (size_t k = 0; k < job->targets; k++) {
		struct str dir = path_dir(str_of(jobs[k].shown));
		jobs[k].compiler = &job->compiler[k];
		jobs[k].target = job->target[k];
		/* flags other than the job's are the same for all targets */
		jobs[k].flags =
			job->unit || w->as.flags == job->flags ? choose_flags(job, k) : w->as.flags;
		jobs[k].include_dir = arena_strndup(s->a, dir.p, dir.n);
		/* a longer limit for all also allows a longer compile */
		jobs[k].time_limit_s =
			job->time_limit_s > PROC_TIME_LIMIT_S ? job->time_limit_s : 0;
		jobs[k].ends_at_s = s->ends_at_s;
		jobs[k].want_ir = w->as.want_ir;
		jobs[k].keep_ir = w->as.keep_ir;
		jobs[k].keep_isa = w->as.keep_isa;
		jobs[k].no_cache = job->no_cache;
		jobs[k].quiet = w->as.quiet;
		jobs[k].what = w->as.what;
		jobs[k].needed = w->as.needed;
		jobs[k].draft = w->as.draft;
		jobs[k].only = w->as.only;
	}
	return 0;
}

bool state_host_compiles(struct state *s, struct str text)
{
	const struct choose_job *job = s->job;
	const struct wanted now = {text, {.flags = job->flags}};
	const struct wanted before = {job->source, {.flags = job->flags}};
	struct measure_job *jobs = ARENA_ARRAY(s->a, struct measure_job, job->targets);
	struct measure_job *old = ARENA_ARRAY(s->a, struct measure_job, job->targets);
	if (job->lazy) {
		return true;
	}
	if (make_jobs_as(jobs, s, &now) < 0) {
		return false;
	}
	for (size_t k = 0; k < job->targets; k++) {
		if (state_as_before(s, k) || !state_has_host_pass(s, k) ||
			measure_host_compiles(s->a, &jobs[k])) {
			continue;
		}
		if (make_jobs_as(old, s, &before) < 0 || measure_host_compiles(s->a, &old[k])) {
			return false;
		}
	}
	return true;
}

/* The longest text first: it usually takes longest to compile, and at the end only one processor
 * would be busy. */
static bool is_sooner(const struct wanted *x, const struct wanted *y)
{
	return x->as.needed != y->as.needed ? x->as.needed : x->text.n > y->text.n;
}

static void sort(struct compiled **c, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct compiled *x = c[i];
		size_t k = i;
		for (; k > 0 && is_sooner(&x->of, &c[k - 1]->of); k--) {
			c[k] = c[k - 1];
		}
		c[k] = x;
	}
}

/* The last kept rewrite and the number of all; or NULL. */
static const char *best_so_far(const struct state *s)
{
	const char *last = NULL;
	size_t kept = 0;
	array_each (&s->decisions, const struct decision, d) {
		for (size_t k = 0; d->rewritten && k < d->attempts; k++) {
			last = d->attempt[k].outcome == OUTCOME_KEPT ? d->attempt[k].reason : last;
		}
		kept += d->rewritten;
	}
	return last ? arena_printf(s->a, "; %zu kept so far: %s", kept, last) : NULL;
}

/* A running batch of compiles. */
struct compiling {
	struct state *s;
	double began_s;
};

/* Shows the progress, and an estimate of the rest. */
static void on_compiled(void *user, const struct measure_progress *p)
{
	const struct compiling *t = user;
	const struct state *s = t->s;
	size_t ended = p->ended, of = p->of;
	if (p->has_needed && s->job->interruptible) {
		interrupt_catch();
	}
	if (!s->job->progress || !msg_has_status()) {
		return;
	}
	double took = proc_now_s() - t->began_s;
	double left = ended ? took * (double)(of - ended) / (double)ended : 0;
	const char *best = best_so_far(s);
	struct str file = path_base(str_of(s->job->path)); /* a line has only 80 columns */
	msg_status("%.*s: %s%s%s: %zu of %zu compiles, %.0f s%s%s", STR_ARG(file),
		s->doing ? s->doing : "the source", p->what ? ", " : "", p->what ? p->what : "",
		ended, of, took, left >= 1 ? arena_printf(s->a, ", about %.0f s more", left) : "",
		best ? best : "");
}

/* Compiles the entered texts without a result. */
static int compile_new(struct state *s, size_t known)
{
	size_t targets = s->job->targets, n = s->compiled.n - known;
	struct measure_job *jobs = ARENA_ARRAY(s->a, struct measure_job, n * targets);
	struct measure_job *all = ARENA_ARRAY(s->a, struct measure_job, targets);
	struct measure_result *given = ARENA_ARRAY(s->a, struct measure_result, n * targets);
	struct measure_result *results = ARENA_ARRAY(s->a, struct measure_result, n * targets);
	size_t *at = ARENA_ARRAY(s->a, size_t, n *targets), count = 0;
	struct compiled **fresh = ARENA_ARRAY(s->a, struct compiled *, n);
	for (size_t i = 0; i < n; i++) {
		fresh[i] = &s->compiled.v[known + i];
	}
	if (s->job->time_limit_s <= 0) { /* with a limit, the first texts matter most */
		sort(fresh, n);
	}
	for (size_t i = 0; i < n; i++) {
		if (make_jobs_as(all, s, &fresh[i]->of) < 0) {
			s->compiled.n = known;
			return FAIL_USAGE;
		}
		const bool *views = fresh[i]->of.as.views;
		for (size_t k = 0; k < targets; k++) {
			if (!views || views[k]) {
				at[count] = i * targets + k;
				jobs[count++] = all[k];
			}
		}
	}
	struct compiling compiling = {.s = s, .began_s = proc_now_s()};
	const struct measure_observer observer = {on_compiled, &compiling};
	(s->job->measure ? s->job->measure : measure_run_observed)(
		given, s->a, jobs, count, s->job->parallel, &observer);
	msg_no_status();
	for (size_t i = 0; i < count; i++) {
		results[at[i]] = given[i];
		s->compiles += jobs[i].want_ir ? 2 : 1;
		/* the machine may be faster next time */
		s->unstamped |=
			given[i].status == MEASURE_TIMEOUT || given[i].status == MEASURE_CRASH;
	}
	for (size_t i = 0; i < n; i++) {
		fresh[i]->result = &results[i * targets];
	}
	return 0;
}

struct measure_result *state_compile_all(struct state *s, const struct wanted *w, size_t n)
{
	size_t targets = s->job->targets, known = s->compiled.n;
	struct measure_result *results = ARENA_ARRAY(s->a, struct measure_result, n * targets);
	size_t *at = ARENA_ARRAY(s->a, size_t, n);
	for (size_t i = 0; i < n; i++) {
		at[i] = find(s, &w[i]);
		if (at[i] == s->compiled.n) {
			array_push(&s->compiled, ((struct compiled){.of = w[i]}));
		}
	}
	if (s->compiled.n > known && compile_new(s, known) < 0) {
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		memcpy(&results[i * targets], s->compiled.v[at[i]].result,
			targets * sizeof(*results));
	}
	return results;
}

int state_take_source(struct state *s, const struct measure_result *r)
{
	s->now = ARENA_ARRAY(s->a, struct measurement, s->job->targets);
	s->before = ARENA_ARRAY(s->a, struct measurement, s->job->targets);
	for (size_t k = 0; k < s->job->targets; k++) {
		if (r[k].status != MEASURE_OK) {
			return FAIL_INPUT;
		}
		s->now[k] = s->before[k] = r[k].m;
		state_stamp(s, r[k].stamps);
	}
	return 0;
}

int state_measure_source(struct state *s)
{
	const struct wanted w = {s->text, {.flags = s->job->flags, .needed = true}};
	if (s->now) {
		return 0;
	}
	const struct measure_result *r = state_compile_all(s, &w, 1);
	return r ? state_take_source(s, r) : FAIL_USAGE;
}

struct measure_result *state_compile_as(
	struct state *s, const struct str *text, size_t n, const struct compile_as *as)
{
	struct wanted *w = ARENA_ARRAY(s->a, struct wanted, n);
	for (size_t i = 0; i < n; i++) {
		w[i] = (struct wanted){text[i], *as};
	}
	return state_compile_all(s, w, n);
}

bool state_has_compiled(const struct state *s, const struct wanted *w)
{
	return find(s, w) < s->compiled.n;
}

struct measurement measurement_of(
	struct arena *a, const struct measurement *m, const struct map *kernels)
{
	struct measurement r = {.target = m->target};
	r.kernel = ARENA_ARRAY(a, struct kernel_metrics, m->kernels);
	for (size_t i = 0; i < m->kernels; i++) {
		if (map_has(kernels, str_of(m->kernel[i].symbol))) {
			r.kernel[r.kernels++] = m->kernel[i];
		}
	}
	return r;
}
