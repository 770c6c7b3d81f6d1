#include <string.h>
#include "base/msg.h"
#include "base/process/proc.h"
#include "choose/judge/judge.h"

/* The structurizer reorders uniform branches like divergent ones, and so makes two copies of the
 * values that their arms write. With these flags it skips uniform branches. */
const char *const flags_skipping[] = {"-mllvm", "-structurizecfg-skip-uniform-regions=1", NULL};

/* LLVM's pull request 206739 makes it the default; it lists the known failures. */
static const char miscompiles[] = "this flag has met miscompiles (rocPRIM, rocBLAS; LLVM pull "
				  "requests 206739, and 216296, 217977 and 220853, which fix them)";

/* Why the job's compilers must not get the flags, or NULL. */
static const char *why_refused(const struct state *s)
{
	const struct choose_job *job = s->job;
	span_each (job->compiler, job->targets, const struct compiler, c) {
		if (c->major < job->settings->flag_mended_in) {
			return arena_printf(s->a,
				"%s is clang %u, and clang %lld is the first that can have the "
				"fixes",
				c->path, c->major, (long long)job->settings->flag_mended_in);
		}
	}
	return NULL;
}

static const char option[] = "-structurizecfg-skip-uniform-regions";

/* The last word that sets the option, from the option on, or NULL. */
static const char *given(const char *const *flags)
{
	const char *last = NULL;
	for (size_t i = 0; flags && flags[i]; i++) {
		const char *at = strstr(flags[i], option);
		last = at ? at : last;
	}
	return last;
}

bool flags_skip_uniform(const char *const *flags, unsigned clang, const struct settings *settings)
{
	const char *word = given(flags);
	if (!word) {
		return (int64_t)clang >= settings->skips_uniform_from;
	}
	return strcmp(word + strlen(option), "=0") != 0 &&
	       strcmp(word + strlen(option), "=false") != 0;
}

bool judge_skips_uniform(const struct state *s)
{
	bool all = true;
	for (size_t k = 0; k < s->job->targets; k++) {
		all &= flags_skip_uniform(
			choose_flags(s->job, k), s->job->compiler[k].major, s->job->settings);
	}
	return all;
}

/* The sample is enough to report the flag; to take it, all kernels are compiled. */
static const char *const *by_sample(const struct state *s)
{
	return s->job->allow_flags ? NULL : s->sample;
}

/* The text that gets the flags, if text does not change any more. False if they are not
 * tried: for example for compilers that must not get them, or with a command that times candidates,
 * which would compile without the flags. */
static bool flags_wanted(struct wanted *out, struct state *s, struct str text)
{
	const struct choose_job *job = s->job;
	bool late = state_is_late(s);
	if (!s->now || job->unit || job->view_flags || job->bench || late || why_refused(s) ||
		given(job->flags)) { /* the option may be given only once */
		return false;
	}
	struct compile_as as = {.flags = state_flags_with(s, flags_skipping), .quiet = true};
	as.only = by_sample(s);
	as.draft = as.only != NULL;
	*out = (struct wanted){text, as};
	return true;
}

size_t state_add_spare(struct wanted *w, size_t n, struct state *s, struct str text)
{
	unsigned all = s->job->parallel ? s->job->parallel : proc_cpus();
	size_t fresh = 0;
	for (size_t i = 0; i < n; i++) {
		fresh += !state_has_compiled(s, &w[i]);
	}
	bool idle = (all - fresh * s->job->targets % all) % all >= s->job->targets;
	return n + (idle && s->job->time_limit_s <= 0 && flags_wanted(&w[n], s, text));
}

/* before: the text without the flags, if only a sample is compiled; or NULL */
static void judge(struct flags_tried *f, struct state *s, const struct measure_result *r,
	const struct measure_result *before, const struct map *kernels)
{
	const struct choose_job *job = s->job;
	const struct judge_by by = {
		.before = before, .kernels = before ? kernels : NULL, .opts = judge_options(s)};
	struct measurement *with = ARENA_ARRAY(s->a, struct measurement, job->targets);
	struct judged g = judge_figures(s, r, &by);
	bool all = true;
	f->outcome = g.outcome;
	f->reason =
		before ? arena_printf(s->a, "%s (by %zu kernels)", g.reason, kernels->n) : g.reason;
	for (size_t k = 0; k < job->targets; k++) {
		all &= r[k].status == MEASURE_OK;
		with[k] = before ? measurement_of(s->a, &r[k].m, kernels) : r[k].m;
	}
	f->with = all ? with : NULL;
	if (f->outcome == OUTCOME_BETTER && job->allow_flags) {
		f->outcome = OUTCOME_KEPT;
	}
}

int flags_run(struct state *s, struct flags_tried *out)
{
	struct wanted w;
	*out = (struct flags_tried){0};
	const char *refused = why_refused(s);
	if (s->job->allow_flags && refused) {
		state_note(s, "--allow-flags takes nothing: %s; %s", miscompiles, refused);
	}
	if (!(s->job->allow_flags || s->decisions.n) || !flags_wanted(&w, s, s->text)) {
		return 0;
	}
	s->doing = "a flag";
	state_note(s, "once more with %s", flags_skipping[1]);
	struct wanted both[] = {w, {s->text, w.as}};
	both[1].as.flags = s->job->flags;
	const struct measure_result *r = state_compile_all(s, both, w.as.only ? 2 : 1);
	if (!r) {
		return FAIL_USAGE;
	}
	out->flag = flags_skipping;
	out->warning = miscompiles;
	struct map sample = {0};
	for (size_t i = 0; w.as.only && w.as.only[i]; i++) {
		map_set(&sample, str_of(w.as.only[i]), 1);
	}
	judge(out, s, r, w.as.only ? &r[s->job->targets] : NULL, &sample);
	map_release(&sample);
	return 0;
}
