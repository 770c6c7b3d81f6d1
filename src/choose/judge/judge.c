#include "choose/judge/judge.h"

#include "choose/judge/bench.h"

enum {
	WAVES_END = 6,	   /* costs up to the waves; those behind are of the text alone */
	CYCLES_PERCENT = 2 /* of issue cycles: fewer change nothing */
};

/* ---- costs ---- */

static int highest_bit(int64_t v)
{
	return v > 0 ? 63 - __builtin_clzll((unsigned long long)v) : 0;
}

static int64_t cost_of(int64_t v, enum metric m, const struct target *t)
{
	switch (m) {
	case METRIC_RESIDENT_WAVES:
	case METRIC_REGISTER_WAVES:
		return -v;
	case METRIC_BRANCH: /* in steps of four times as many */
		return (int64_t)1 << (highest_bit(v) & ~1);
	case METRIC_WEIGHTED_INSTRUCTION: /* of about a tenth */
		return highest_bit(v) < 3 ? v : v >> (highest_bit(v) - 3) << (highest_bit(v) - 3);
	case METRIC_VGPR: /* what the hardware hands out: less than a granule frees nothing */
		return target_vgprs_allocated(t, v > 0 ? (unsigned)v : 0);
	case METRIC_COPY:
		return v / 16; /* a handful of moves decides nothing */
	default:
		return v;
	}
}

/* before: what branching is counted against, or NULL */
static void add_cost(int64_t *cost, const struct measurement *m, const struct target *t,
	const struct measurement *before, const struct compare_opts *opts)
{
	/* Matrix operations stand before VGPRs: a copy less of what arms have in common is less
	 * code to fetch, and VGPRs within the same step of waves buy nothing. Of branches and
	 * loops the text says little, so only a lot of them counts, but what it says is of what
	 * runs. METRIC_COUNT: kernels that branch for every operand (measurement_branches). */
	static const enum metric order[COSTS] = {METRIC_SCRATCH, METRIC_VGPR_SPILL,
		METRIC_SCRATCH_ACCESS, METRIC_COUNT, METRIC_RESIDENT_WAVES, METRIC_REGISTER_WAVES,
		METRIC_FLAT_ACCESS, METRIC_BRANCH, METRIC_MATRIX_OP, METRIC_WEIGHTED_INSTRUCTION,
		METRIC_VGPR, METRIC_COPY, METRIC_INSTRUCTION};
	for (size_t i = 0; i < m->kernels; i++) {
		const struct kernel_metrics *k = &m->kernel[i];
		const struct kernel_metrics *was = measurement_kernel(before, k->symbol);
		for (int at = 0; at < COSTS; at++) {
			enum metric n = order[at];
			cost[at] += n == METRIC_COUNT ? was && measurement_branches(was, k, opts)
						      : cost_of(k->v[n], n, t);
		}
	}
}

/* Less than none: x costs less. */
static int compare_costs(const struct judged *x, const struct judged *y, int from, int to)
{
	for (int k = from; k < to; k++) {
		if (x->cost[k] != y->cost[k]) {
			return x->cost[k] < y->cost[k] ? -1 : 1;
		}
	}
	return 0;
}

bool judge_is_cheaper(const struct judged *x, const struct judged *y)
{
	if (x->ran.scratch_bytes != y->ran.scratch_bytes) {
		return x->ran.scratch_bytes < y->ran.scratch_bytes;
	}
	int c = compare_costs(x, y, 0, WAVES_END);
	if (c == 0 && x->ran.cycles != y->ran.cycles) {
		return x->ran.cycles < y->ran.cycles;
	}
	return (c ? c : compare_costs(x, y, WAVES_END, COSTS)) < 0;
}

bool judge_is_at_one_arm(const struct kernel_metrics *now, const struct kernel_metrics *one_arm,
	const struct target *t)
{
	int64_t x[COSTS] = {0}, y[COSTS] = {0};
	const struct measurement a = {.kernel = (struct kernel_metrics[]){*now}, .kernels = 1};
	const struct measurement b = {.kernel = (struct kernel_metrics[]){*one_arm}, .kernels = 1};
	bool least = now->trusted && one_arm->trusted;
	add_cost(x, &a, t, NULL, NULL);
	add_cost(y, &b, t, NULL, NULL);
	for (int i = 0; i < METRIC_COUNT; i++) {
		least &= (now->v[i] == METRIC_ABSENT) == (one_arm->v[i] == METRIC_ABSENT) ||
			 i == METRIC_WIDE_PHI;
	}
	for (int i = 0; i < COSTS; i++) {
		least &= x[i] <= y[i];
	}
	return least;
}

/* ---- figures ---- */

struct compare_opts judge_options(const struct state *s)
{
	const struct settings *set = s->job->settings;
	return (struct compare_opts){.allow_recontraction = s->job->allow_recontraction,
		.min_gain_vgpr = set->min_gain_vgprs,
		.min_gain_copies = set->min_gain_copies,
		.min_gain_instructions = set->min_gain_instructions,
		.min_gain_weighted_percent = set->min_gain_weighted_percent,
		.branch_every = set->branch_every};
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

/* One target. The reason stands in c. */
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
	add_cost(out->cost, &y, s->job->target[k], &x, &by->opts);
	if (by->kernels && x.kernels == 0) {
		c->reason = "no kernel of this unit reaches it";
		return OUTCOME_UNKNOWN;
	}
	return outcome_of(c->verdict);
}

struct judged judge_figures(
	struct state *s, const struct measure_result *after, const struct judge_by *by)
{
	struct judged out = {.outcome = OUTCOME_EQUAL,
		.why = "no figure changed enough to count",
		.by = METRIC_COUNT};
	bool barred = false, any = false;
	for (size_t k = 0; k < s->job->targets; k++) {
		struct comparison c = {0};
		if (by->views && !by->views[k]) {
			continue;
		}
		any = true;
		enum outcome o = judge_target(&c, &out, s, k, &after[k], by);
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

static void ran_decides(struct judged *g, const struct state *s, enum outcome o, const char *what,
	int64_t before, int64_t after)
{
	g->outcome = o;
	g->reason = g->why = arena_printf(s->a, "%s that a wave runs, over all cases: %lld -> %lld",
		what, (long long)before, (long long)after);
	g->by = METRIC_COUNT;
	g->kernel = NULL;
}

bool judge_is_of_the_text(enum metric m)
{
	return m == METRIC_COUNT || m == METRIC_BRANCH || m == METRIC_FLAT_ACCESS ||
	       m == METRIC_WEIGHTED_INSTRUCTION || m == METRIC_VGPR || m == METRIC_COPY ||
	       m == METRIC_INSTRUCTION;
}

void judge_ran(struct judged *g, const struct state *s, const struct choose_ran *before,
	const struct choose_ran *after)
{
	int64_t x = before->cycles, y = after->cycles;
	int64_t least = x / 100 * CYCLES_PERCENT + 1;
	g->ran = *after;
	if (judge_is_as_bad(g->outcome, OUTCOME_VETO)) {
		return;
	}
	if (before->scratch_bytes != after->scratch_bytes) {
		bool less = after->scratch_bytes < before->scratch_bytes;
		ran_decides(g, s, less ? OUTCOME_BETTER : OUTCOME_WORSE, "scratch bytes",
			before->scratch_bytes, after->scratch_bytes);
	} else if (judge_is_of_the_text(g->by) && (y - x >= least || x - y >= least)) {
		ran_decides(g, s, y < x ? OUTCOME_BETTER : OUTCOME_WORSE, "issue cycles", x, y);
	}
}

void judge_attempt(struct attempt *at, const struct state *s, const struct judged *g)
{
	at->outcome = g->late ? OUTCOME_UNTRIED : g->outcome;
	at->reason = g->late ? state_why_late(s) : g->reason;
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

int judge_time(struct attempt *at, struct state *s, struct str text)
{
	size_t fastest = 1;
	const struct str both[] = {s->text, text};
	struct attempt *const of[] = {NULL, at};
	int rc = s->job->bench ? judge_times(&fastest, of, s, both, 2) : 0;
	return rc ? rc : fastest == 1;
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

bool judge_keep(
	struct state *s, struct str text, struct edit_list *l, const struct measure_result *result)
{
	if (state_parse(s, text, true) < 0) {
		return false;
	}
	judge_accept(s, text, l, result);
	return true;
}
