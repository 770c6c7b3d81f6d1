#include "choose/judge/judge.h"

#include <math.h>
#include <string.h>

#include "choose/judge/bench.h"

/* ---- costs ---- */

static int compare_numbers(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

/* Compares two costs of texts with so many instructions. Less than one percent is no difference. A
 * text with twice the instructions must save two percent: compute units share the instruction
 * cache, which is not in the model. */
static int compare_costs(double x, int64_t of_x, double y, int64_t of_y)
{
	double percent = x > 0 && y > 0 ? log(x / y) * 100 : 0;
	double sizes = of_x > 0 && of_y > 0 ? log2((double)of_x / (double)of_y) : 0;
	double more = percent + 2 * sizes;
	return (more > 1) - (more < -1);
}

bool judge_is_cheaper(const struct state *s, const struct judged *x, const struct judged *y)
{
	const struct measured_cost *a = &x->cost, *b = &y->cost;
	int by_value = compare_costs(a->value, a->instructions, b->value, b->instructions);
	int by_cycles = compare_costs(a->cycles, a->instructions, b->cycles, b->instructions);
	int by_waves = compare_numbers(b->waves[1], a->waves[1]);
	enum prefer prefer = s->job->settings->prefer;
	const int order[] = {compare_numbers(a->scratch, b->scratch),
		prefer == PREFER_WAVES	  ? by_waves
		: prefer == PREFER_CYCLES ? by_cycles
					  : by_value,
		by_waves, by_cycles, compare_numbers(a->spills, b->spills),
		compare_numbers(y->keeps_arms, x->keeps_arms)};
	int c = 0;
	for (size_t i = 0; c == 0 && i < sizeof(order) / sizeof(order[0]); i++) {
		c = order[i];
	}
	return c < 0 || (c == 0 && a->cycles < b->cycles);
}

bool judge_is_at_one_arm(const struct kernel_metrics *now, const struct kernel_metrics *one_arm)
{
	static const enum metric waves[] = {METRIC_RESIDENT_WAVES, METRIC_REGISTER_WAVES};
	static const enum metric costs[] = {METRIC_SCRATCH, METRIC_VGPR_SPILL,
		METRIC_SCRATCH_ACCESS, METRIC_FLAT_ACCESS, METRIC_MATRIX_OP,
		METRIC_WEIGHTED_INSTRUCTION, METRIC_BRANCH, METRIC_PATH_MOST, METRIC_VGPR,
		METRIC_COPY, METRIC_INSTRUCTION};
	bool least = now->trusted && one_arm->trusted;
	for (size_t i = 0; i < sizeof(waves) / sizeof(waves[0]); i++) {
		least &= now->v[waves[i]] >= one_arm->v[waves[i]];
	}
	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		least &= now->v[costs[i]] <= one_arm->v[costs[i]];
	}
	return least;
}

/* ---- figures ---- */

static struct compare_opts options_of(const struct choose_job *job)
{
	const struct settings *set = job->settings;
	return (struct compare_opts){.cost = {.prefer = set->prefer,
					     .latency = set->latency,
					     .min_gain = set->min_gain_percent,
					     .branch_every = set->branch_every,
					     .paths = true}};
}

struct compare_opts judge_options(const struct state *s)
{
	struct compare_opts opts = options_of(s->job);
	opts.allow_recontraction = s->job->allow_recontraction && (!s->job->ran || s->unrun);
	return opts;
}

static int badness(enum outcome o)
{
	static const int of[] = {
		[OUTCOME_FAILED] = 5,
		[OUTCOME_UNKNOWN] = 4,
		[OUTCOME_VETO] = 3,
		[OUTCOME_WORSE] = 2,
	};
	return (size_t)o < sizeof(of) / sizeof(of[0]) ? of[o] : 0;
}

bool judge_is_as_bad(enum outcome o, enum outcome as)
{
	return badness(o) >= badness(as);
}

/* Judges one target. The reason is in c. */
static enum outcome judge_target(struct comparison *c, struct judged *out, struct state *s,
	size_t k, const struct measure_result *after, const struct judge_by *by)
{
	const struct measure_result *base = by->before ? &by->before[k] : NULL;
	if (after->status != MEASURE_OK) {
		bool timeout = after->status == MEASURE_TIMEOUT;
		out->late |= timeout && state_is_late(s);
		c->reason = timeout ? "the compiler did not finish in time"
				    : "the compiler failed on it";
		return OUTCOME_FAILED;
	}
	if (base && base->status != MEASURE_OK) {
		out->late |= state_is_late(s);
		c->reason = "the compiler did not finish the text before it in time";
		return OUTCOME_FAILED;
	}
	struct measurement x = base ? base->m : s->now[k], y = after->m;
	if (by->kernels) {
		x = measurement_of(s->a, &x, by->kernels);
		y = measurement_of(s->a, &y, by->kernels);
	}
	measurement_compare(c, s->a, &x, &y, &by->opts);
	measurement_cost(&out->cost, &x, &y, &by->opts);
	if (by->kernels && x.kernels == 0) {
		c->reason = "no kernel in this file reaches it";
		return OUTCOME_UNKNOWN;
	}
	return outcome_of(c->verdict);
}

struct judged judge_figures(
	struct state *s, const struct measure_result *after, const struct judge_by *by)
{
	struct judged out = {.outcome = OUTCOME_EQUAL,
		.why = "nothing that runs changed enough to count",
		.by = METRIC_COUNT,
		.keeps_arms = !by->opts.arms_merge};
	bool barred = false, any = false;
	for (size_t k = 0; k < s->job->targets; k++) {
		struct comparison c = {0};
		if (by->views && !by->views[k]) {
			continue;
		}
		any = true;
		enum outcome o = judge_target(&c, &out, s, k, &after[k], by);
		out.fused = out.fused ? out.fused : c.fused;
		barred |= badness(o) > 0 && !c.allowed;
		out.allowed = barred ? NULL : c.allowed ? c.allowed : out.allowed;
		bool gain = o == OUTCOME_BETTER && out.outcome == OUTCOME_EQUAL;
		if (badness(o) > badness(out.outcome) || gain) {
			out.outcome = o;
			out.why = c.reason;
			out.kernel = c.kernel;
			out.by = o == OUTCOME_FAILED ? METRIC_COUNT : c.decided_by;
			out.target = k;
		}
	}
	if (!any) {
		out.outcome = OUTCOME_UNKNOWN;
		out.why = "no kernel reaches it";
	}
	bool named = any && out.outcome != OUTCOME_EQUAL && s->job->targets > 1;
	out.reason = named ? arena_printf(s->a, "%s: %s", s->job->target[out.target]->name, out.why)
			   : out.why;
	return out;
}

enum outcome choose_compare(const char **why, struct arena *a, const struct choose_job *job,
	const struct choice *x, const struct choice *y)
{
	struct compare_opts opts = options_of(job);
	enum outcome all = OUTCOME_EQUAL;
	opts.allow_recontraction = true; /* each was compared with the source */
	*why = "nothing that runs changed enough to count";
	for (size_t k = 0; k < job->targets; k++) {
		struct comparison c = {0};
		measurement_compare(&c, a, &x->after[k], &y->after[k], &opts);
		enum outcome o = outcome_of(c.verdict);
		if (badness(o) > badness(all) || (o == OUTCOME_BETTER && all == OUTCOME_EQUAL)) {
			all = badness(o) > 0 ? OUTCOME_WORSE : o;
			*why = c.reason;
		}
	}
	return all;
}

/* ---- runs ---- */

/* The resident waves of the kernel of a case; METRIC_ABSENT if unknown. */
static int64_t waves_of(
	const struct state *s, const struct measurement *m, const struct choose_case *c)
{
	for (size_t k = 0; k < s->job->targets; k++) {
		const struct kernel_metrics *of = strcmp(s->job->target[k]->name, c->target) == 0
							  ? measurement_kernel(&m[k], c->symbol)
							  : NULL;
		if (of) {
			return of->v[METRIC_RESIDENT_WAVES];
		}
	}
	return METRIC_ABSENT;
}

static bool is_first_of_kernel(const struct choose_case *of, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(of[k].symbol, of[i].symbol) == 0 &&
			strcmp(of[k].target, of[i].target) == 0) {
			return false;
		}
	}
	return true;
}

static struct run_cost cost_of(const struct choose_case *c, int64_t waves)
{
	return (struct run_cost){.cycles = (double)c->cycles,
		.scalar = (double)c->scalar,
		.scratch = (double)c->scratch_bytes,
		.branches = (double)c->branches,
		.waits = (double)c->waits,
		.share = 1,
		.waves = waves};
}

static void ran_decides(struct judged *g, const struct state *s, const struct cost_verdict *v,
	const struct choose_ran *x, const struct choose_ran *y, const int64_t waves[2])
{
	const char *cycles =
		arena_printf(s->a, "issue cycles that a wave runs, over all cases: %lld -> %lld",
			(long long)x->cycles, (long long)y->cycles);
	g->outcome = v->better > 0 ? OUTCOME_BETTER : v->better < 0 ? OUTCOME_WORSE : OUTCOME_EQUAL;
	g->by = METRIC_COUNT;
	g->kernel = NULL;
	g->why = cycles;
	if (v->by == COST_BY_SCRATCH) {
		g->why = arena_printf(s->a,
			"scratch bytes that a wave runs, over all cases: %lld -> %lld",
			(long long)x->scratch_bytes, (long long)y->scratch_bytes);
	} else if (v->by == COST_BY_WAVES) {
		g->by = METRIC_RESIDENT_WAVES;
		g->why = arena_printf(s->a, "resident waves %lld -> %lld, %s", (long long)waves[0],
			(long long)waves[1], cycles);
	} else if (v->by == COST_BY_BRANCHES) {
		g->why = arena_printf(s->a, "more branches run, and no fewer %s", cycles);
	} else if (v->by == COST_BY_WAITS) {
		int64_t wait[2] = {0};
		for (size_t i = 0; i < x->cases && i < y->cases; i++) {
			wait[0] += x->of[i].waits;
			wait[1] += y->of[i].waits;
		}
		g->why = arena_printf(s->a,
			"cycles that a wave waits for loads, over all cases: %lld -> %lld",
			(long long)wait[0], (long long)wait[1]);
	} else if (v->better < 0 && y->cycles <= x->cycles) {
		g->why = arena_printf(s->a, "issue cycles of one case: %lld -> %lld",
			(long long)x->of[v->at].cycles, (long long)y->of[v->at].cycles);
	}
	g->reason = g->why;
}

void judge_ran(struct judged *g, const struct state *s, const struct measurement *now,
	const struct measurement *then, const struct choose_ran *before,
	const struct choose_ran *after)
{
	size_t n = before->cases < after->cases ? before->cases : after->cases;
	struct run_cost *x = ARENA_ARRAY(s->a, struct run_cost, n);
	struct run_cost *y = ARENA_ARRAY(s->a, struct run_cost, n);
	struct cost_opts opts = judge_options(s).cost;
	int64_t waves[2] = {0};
	opts.paths = false;
	for (size_t i = 0; i < n; i++) {
		int64_t w[2] = {waves_of(s, now, &before->of[i]), waves_of(s, then, &after->of[i])};
		bool known = w[0] != METRIC_ABSENT && w[1] != METRIC_ABSENT;
		x[i] = cost_of(&before->of[i], known ? w[0] : 0);
		y[i] = cost_of(&after->of[i], known ? w[1] : 0);
		if (is_first_of_kernel(before->of, i)) {
			waves[0] += x[i].waves;
			waves[1] += y[i].waves;
		}
	}
	struct cost_verdict v = cost_compare(x, y, n, &opts);
	double was = cost_sum(x, n, &opts).value, is = cost_sum(y, n, &opts).value;
	g->ran = true;
	g->to_prove = after->differs != NULL;
	g->cost.scratch = after->scratch_bytes;
	g->cost.waves[0] = waves[0];
	g->cost.waves[1] = waves[1];
	g->cost.value = was > 0 ? is / was : 1;
	g->cost.cycles = before->cycles > 0 ? (double)after->cycles / (double)before->cycles : 1;
	ran_decides(g, s, &v, before, after, waves);
}

void judge_attempt(struct attempt *at, const struct state *s, const struct judged *g)
{
	at->outcome = g->late ? OUTCOME_UNTRIED : g->outcome;
	at->reason = g->late ? state_why_late(s) : g->reason;
	if (!g->late && g->outcome >= OUTCOME_VETO && g->outcome <= OUTCOME_BETTER) {
		at->waves[0] = g->cost.waves[0];
		at->waves[1] = g->cost.waves[1];
		at->cycles_percent = g->cost.cycles * 100;
		at->time_percent = g->cost.value * 100;
	}
}

/* ---- bits and time ---- */

int judge_bits(const struct state *s, struct str text, const char **why)
{
	if (!s->job->same_bits) {
		return 1;
	}
	state_note(s, "running the kernels on the CPU");
	return state_same_bits(s, text, why);
}

int judge_times(size_t *fastest, struct attempt *const *at, struct state *s, const struct str *text,
	size_t n)
{
	struct bench_time *time = ARENA_ARRAY(s->a, struct bench_time, n);
	int rc = bench_run(time, s, text, n);
	*fastest = 0;
	for (size_t i = 1; rc == 0 && i < n; i++) {
		bench_judge(at[i], s, &time[0], &time[i]);
		if (at[i]->outcome == OUTCOME_BETTER && time[i].median < time[*fastest].median) {
			*fastest = i;
		}
	}
	return rc;
}

/* ---- keeping ---- */

void judge_accept(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result)
{
	for (size_t k = 0; result && k < s->job->targets; k++) {
		s->now[k] = result[k].m;
	}
	state_accept(s, text, l);
}
