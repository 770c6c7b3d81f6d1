#include "choose/judge.h"

#include "choose/bench.h"

static enum outcome compare(const char **reason, struct state *s, size_t target,
	const struct measure_result *r, const struct map *kernels, const struct compare_opts *opts)
{
	struct measurement before = s->now[target], after = r->m;
	struct comparison c;
	if (r->status != MEASURE_OK) {
		return state_unmeasured(s, r, reason);
	}
	if (kernels) {
		before = measurement_of(s->a, &before, kernels);
		after = measurement_of(s->a, &after, kernels);
	}
	measurement_compare(&c, s->a, &before, &after, opts);
	*reason = c.reason;
	return outcome_of(c.verdict);
}

void judge_figures(struct attempt *at, struct state *s, const struct measure_result *result,
	const struct map *kernels, const struct compare_opts *opts)
{
	at->outcome = OUTCOME_EQUAL;
	at->reason = "no kernel of this unit reaches it";
	for (size_t k = 0; k < s->job->targets && !outcome_is_bad(at->outcome); k++) {
		const char *reason;
		enum outcome o = compare(&reason, s, k, &result[k], kernels, opts);
		if (outcome_is_bad(o) || at->outcome != OUTCOME_BETTER) {
			at->outcome = o;
			at->reason = s->job->targets > 1 ? arena_printf(s->a, "%s: %s",
								   s->job->target[k]->name, reason)
							 : reason;
		}
	}
}

int judge_bits(const struct state *s, struct str text, const char **why)
{
	if (!s->job->same_bits) {
		return 1;
	}
	state_note(s, "running the kernels on the CPU");
	return state_same_bits(s, text, why);
}

int judge_time(struct attempt *at, struct state *s, struct str text)
{
	struct bench_time time[2];
	const struct str both[] = {s->text, text};
	if (!s->job->bench) {
		return 1;
	}
	int rc = bench_run(time, s, both, 2);
	if (rc) {
		return rc;
	}
	bench_judge(at, s, &time[0], &time[1]);
	return at->outcome == OUTCOME_BETTER;
}

bool judge_keep(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result)
{
	if (state_parse(s, text, true) < 0) {
		return false;
	}
	for (size_t k = 0; result && k < s->job->targets; k++) {
		s->now[k] = result[k].m;
	}
	state_accept(s, text, l);
	return true;
}
