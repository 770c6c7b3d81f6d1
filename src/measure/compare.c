#include <string.h>
#include "measure/measure.h"

/*
 * Order of preference and vetoes: doc/judge.md. A veto on any kernel ends the comparison; then the
 * costs on each kernel's paths decide (measure/cost.h).
 */

struct compare {
	struct comparison *out;
	struct arena *a;
	const struct measurement *before;
	const struct measurement *after;
	const struct compare_opts *opts;
};

struct pair {
	const struct kernel_metrics *before;
	const struct kernel_metrics *after;
};

const struct kernel_metrics *measurement_kernel(const struct measurement *m, const char *symbol)
{
	for (size_t i = 0; m && i < m->kernels; i++) {
		if (strcmp(m->kernel[i].symbol, symbol) == 0) {
			return &m->kernel[i];
		}
	}
	return NULL;
}

static const struct kernel_metrics *find_kernel(const struct measurement *m, const char *symbol)
{
	size_t from = 0;
	size_t to = m->kernels;
	while (from < to) {
		size_t mid = from + (to - from) / 2;
		int c = strcmp(m->kernel[mid].symbol, symbol);
		if (c == 0) {
			return &m->kernel[mid];
		}
		if (c < 0) {
			from = mid + 1;
		} else {
			to = mid;
		}
	}
	return NULL;
}

static bool is_reached(const struct compare *c, const char *symbol)
{
	return !c->opts->only || str_is_any(str_of(symbol), c->opts->only);
}

static bool decide(struct compare *c, enum verdict verdict, enum metric by,
	const struct kernel_metrics *k, const char *reason)
{
	*c->out = (struct comparison){.verdict = verdict,
		.decided_by = by,
		.kernel = k ? k->name : NULL,
		.reason = k ? arena_printf(c->a, "%s: %s", k->name, reason) : reason};
	return true;
}

static const char *change(const struct compare *c, struct pair p, enum metric m)
{
	return arena_printf(c->a, "%s %lld -> %lld", metric_info[m].title,
		(long long)p.before->v[m], (long long)p.after->v[m]);
}

static bool veto(struct compare *c, struct pair p, enum metric m)
{
	return decide(c, VERDICT_VETO, m, p.after, change(c, p, m));
}

static bool is_absent(struct pair p, enum metric m)
{
	return p.before->v[m] == METRIC_ABSENT || p.after->v[m] == METRIC_ABSENT;
}

/* An unreadable figure does not matter in a kernel that the edit cannot reach and whose figures are
 * equal. */
static bool is_untouched(const struct compare *c, struct pair p)
{
	if (!c->opts->only || is_reached(c, p.before->symbol)) {
		return false;
	}
	for (size_t m = 0; m < METRIC_COUNT; m++) {
		/* wide phis come from IR, which not every text has */
		bool read = m != METRIC_WIDE_PHI || !is_absent(p, (enum metric)m);
		if (read && p.before->v[m] != p.after->v[m]) {
			return false;
		}
	}
	return true;
}

static bool unknown_decides(struct compare *c, struct pair p)
{
	static const enum metric needed[] = {METRIC_SCRATCH, METRIC_VGPR_SPILL, METRIC_SGPR_SPILL,
		METRIC_RESIDENT_WAVES, METRIC_MATRIX_OP, METRIC_FMA, METRIC_MUL_ADD, METRIC_UNFUSED,
		METRIC_MATRIX_UNSKIPPED, METRIC_LANE_BRANCH_MATRIX};
	const struct kernel_metrics *both[] = {p.before, p.after};
	for (size_t i = 0; i < 2; i++) {
		if (!both[i]->trusted) {
			return decide(c, VERDICT_UNKNOWN, METRIC_COUNT, both[i],
				both[i]->why ? both[i]->why : "it is not to be trusted");
		}
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (is_absent(p, needed[i])) {
			return decide(c, VERDICT_UNKNOWN, needed[i], p.after,
				arena_printf(c->a, "its %s could not be read",
					metric_info[needed[i]].title));
		}
	}
	return false;
}

static bool rose(struct pair p, enum metric m)
{
	return p.after->v[m] > p.before->v[m];
}

static bool fell(struct pair p, enum metric m)
{
	return p.after->v[m] < p.before->v[m];
}

/* Fused and separate operations of a kernel, before and after, of one width or of all. */
struct fused {
	int64_t fma[2];
	int64_t mul_add[2];
	int64_t unfused[2]; /* of mul_add: adds that take a product */
};

static struct fused of_width(struct pair p, enum round_width w)
{
	const int64_t *x = p.before->rounding.n[w], *y = p.after->rounding.n[w];
	return (struct fused){{x[ROUND_FMA], y[ROUND_FMA]},
		{x[ROUND_MUL] + x[ROUND_ADD], y[ROUND_MUL] + y[ROUND_ADD]},
		{x[ROUND_UNFUSED], y[ROUND_UNFUSED]}};
}

static struct fused of_all(struct pair p)
{
	const int64_t *x = p.before->v, *y = p.after->v;
	return (struct fused){{x[METRIC_FMA], y[METRIC_FMA]},
		{x[METRIC_MUL_ADD], y[METRIC_MUL_ADD]}, {x[METRIC_UNFUSED], y[METRIC_UNFUSED]}};
}

static bool opposite(const int64_t x[2], const int64_t y[2])
{
	return (x[1] > x[0] && y[1] < y[0]) || (x[1] < x[0] && y[1] > y[0]);
}

/*
 * The bits of a float result change if a multiply is separated from its add or contracted with it.
 * Then one of the counts goes up and the other down. A different number of copies of an arm moves
 * both the same way. If arms became one, more FMAs can only come from contraction.
 */
static bool is_recontracted(const struct fused *f, bool arms_merge)
{
	return opposite(f->fma, f->mul_add) || (arms_merge && f->fma[1] > f->fma[0]);
}

/*
 * If the compiler leaves some adds of products unfused, equal arms may have been contracted in
 * different places, and only one of these forms may remain. So the share of fused adds of products
 * must be equal. With equal numbers of FMAs, at least one copy of the unfused adds must be left,
 * and at most one may be added. If none is unfused, all adds of products are fused.
 */
static bool is_doubtful(const struct fused *f)
{
	const int64_t *fma = f->fma, *unfused = f->unfused;
	if (fma[0] != fma[1]) {
		return fma[0] * unfused[1] != fma[1] * unfused[0];
	}
	return fma[0] > 0 && (2 * unfused[1] < unfused[0] || unfused[1] > 2 * unfused[0]);
}

static bool is_same_set(const uint64_t *x, size_t n, const uint64_t *y, size_t m)
{
	return n == m && (n == 0 || memcmp(x, y, n * sizeof(*x)) == 0);
}

/* Has every basic block with fused adds or adds of products the same form as before, in any number
 * of copies? */
static bool has_same_forms(struct pair p)
{
	const struct rounding *x = &p.before->rounding, *y = &p.after->rounding;
	return x->forms && is_same_set(x->form, x->forms, y->form, y->forms);
}

/* For a sum of two products: is the other product fused with the add now? */
static bool chooses_otherwise(struct pair p)
{
	const struct rounding *x = &p.before->rounding, *y = &p.after->rounding;
	return !is_same_set(x->chosen, x->choices, y->chosen, y->choices);
}

static bool recontracted(const struct compare *c, struct pair p)
{
	struct fused all = of_all(p);
	struct fused dot = of_width(p, ROUND_DOT);
	if (c->opts->allow_recontraction) {
		return false;
	}
	bool sure = is_recontracted(&all, c->opts->arms_merge) || opposite(dot.fma, all.fma) ||
		    chooses_otherwise(p);
	bool doubt = is_doubtful(&all);
	for (size_t w = 0; w < ROUND_WIDTHS; w++) {
		struct fused f = of_width(p, (enum round_width)w);
		sure |= is_recontracted(&f, c->opts->arms_merge);
		doubt |= is_doubtful(&f);
	}
	return sure || (doubt && !has_same_forms(p));
}

static bool has_paths(struct pair p)
{
	return !is_absent(p, METRIC_PATH_LEAST) && !is_absent(p, METRIC_PATH_MOST);
}

static bool grew(int64_t before, int64_t after)
{
	enum {
		SLACK = 4
	};
	return after * 20 > before * 21 && after > before + SLACK;
}

/* Does a duplicated body run more matrix operations? A few more that LLVM had folded before do not
 * count, nor two arms whose common end it had merged. By the text, the paths of two loops are one
 * path. A split loop has two copies, and how often each runs is unknown. */
static bool matrix_ops_grew(const struct compare *c, struct pair p)
{
	int64_t before = p.before->v[METRIC_MATRIX_OP], after = p.after->v[METRIC_MATRIX_OP];
	if (c->opts->splits) {
		return grew(2 * before, after);
	}
	return grew(before, after) &&
	       (!has_paths(p) || grew(p.before->most.matrix, p.after->most.matrix));
}

/* SGPR spills go to lanes of a VGPR: a few are acceptable for fewer VGPR spills or one more
 * wave. */
static bool sgpr_spills_cost(struct pair p)
{
	return rose(p, METRIC_SGPR_SPILL) && !fell(p, METRIC_SCRATCH) &&
	       !fell(p, METRIC_VGPR_SPILL) && !rose(p, METRIC_RESIDENT_WAVES);
}

static bool veto_contraction(struct compare *c, struct pair p)
{
	static const enum metric others[] = {METRIC_MUL_ADD, METRIC_UNFUSED};
	const char *said = change(c, p, METRIC_FMA);
	said = chooses_otherwise(p) ? "of two products another one is fused" : said;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (p.before->v[others[i]] != p.after->v[others[i]]) {
			said = arena_printf(c->a, "%s, %s", said, change(c, p, others[i]));
		}
	}
	return decide(c, VERDICT_VETO, METRIC_FMA, p.after, said);
}

static bool veto_decides(struct compare *c, struct pair p)
{
	const struct {
		bool hit;
		enum metric metric;
	} vetoes[] = {
		{rose(p, METRIC_SCRATCH), METRIC_SCRATCH},
		{rose(p, METRIC_VGPR_SPILL), METRIC_VGPR_SPILL},
		{sgpr_spills_cost(p), METRIC_SGPR_SPILL},
		{fell(p, METRIC_RESIDENT_WAVES), METRIC_RESIDENT_WAVES},
		{matrix_ops_grew(c, p), METRIC_MATRIX_OP},
		{recontracted(c, p), METRIC_FMA},
		{rose(p, METRIC_MATRIX_UNSKIPPED), METRIC_MATRIX_UNSKIPPED},
		{rose(p, METRIC_LANE_BRANCH_MATRIX), METRIC_LANE_BRANCH_MATRIX},
	};
	for (size_t i = 0; i < sizeof(vetoes) / sizeof(vetoes[0]); i++) {
		if (vetoes[i].hit) {
			return vetoes[i].metric == METRIC_FMA ? veto_contraction(c, p)
							      : veto(c, p, vetoes[i].metric);
		}
	}
	return false;
}

static bool kernels_decide(struct compare *c)
{
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		if (!p.after) {
			return decide(
				c, VERDICT_VETO, METRIC_COUNT, p.before, "the kernel is gone");
		}
	}
	bool unknown = false;
	struct comparison first = {0};
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		if (is_untouched(c, p)) {
			continue;
		}
		if (unknown_decides(c, p)) {
			first = unknown ? first : *c->out;
			unknown = true;
		} else if (veto_decides(c, p)) {
			return true;
		}
	}
	if (unknown) {
		*c->out = first;
	}
	return unknown;
}

struct preference {
	enum metric metric;
	bool more_is_better;
};

/* The kernel with the largest change of m in the direction of the sum's change. */
static struct pair largest_change(const struct compare *c, enum metric m, int64_t direction)
{
	struct pair best = {NULL, NULL};
	int64_t most = 0;
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		int64_t by = (p.after->v[m] - p.before->v[m]) * (direction < 0 ? -1 : 1);
		if (is_reached(c, p.before->symbol) && by > most) {
			best = p;
			most = by;
		}
	}
	return best;
}

static bool preference_decides(struct compare *c, const struct preference *pref)
{
	enum metric m = pref->metric;
	int64_t before = 0;
	int64_t after = 0;
	size_t kernels = 0;
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		if (!is_reached(c, p.before->symbol)) {
			continue;
		}
		if (is_absent(p, m)) {
			return decide(c, VERDICT_UNKNOWN, m, p.after,
				arena_printf(
					c->a, "its %s could not be read", metric_info[m].title));
		}
		before += p.before->v[m];
		after += p.after->v[m];
		kernels++;
	}
	int64_t diff = after - before;
	if (diff == 0) {
		return false;
	}
	struct pair p = largest_change(c, m, diff);
	const char *reason = change(c, p, m);
	if (kernels > 1) {
		reason = arena_printf(c->a, "%s (%zu kernels: %lld -> %lld)", reason, kernels,
			(long long)before, (long long)after);
	}
	bool better = (diff > 0) == pref->more_is_better;
	return decide(c, better ? VERDICT_BETTER : VERDICT_WORSE, m, p.after, reason);
}

/* ---- path costs ---- */

enum {
	PATHS = 2,
	CHEAP_SHARE = 3, /* of four iterations, on the cheapest path */
	ALL_SHARES = 4,
	SPLIT_MIN_GAIN = 10 /* percent, since the iterations of its two loops are unknown */
};

static struct run_cost path_of(
	const struct kernel_metrics *k, enum metric cycles, const struct path_cost *p)
{
	return (struct run_cost){.cycles = (double)k->v[cycles],
		.scalar = (double)p->scalar,
		.scratch = (double)p->scratch,
		.branches = (double)p->branches,
		.waits = (double)p->waits,
		.share = (double)(cycles == METRIC_PATH_LEAST ? CHEAP_SHARE
							      : ALL_SHARES - CHEAP_SHARE) /
			 ALL_SHARES,
		.waves = k->v[METRIC_RESIDENT_WAVES]};
}

/* Scales a path to the same work: an iteration of a less unrolled loop does less. */
static void scale(struct run_cost *c, const struct path_cost *path, int64_t before, bool down)
{
	double by = before > 0 && path->work > 0 ? (double)before / (double)path->work : 1;
	double scalar = c->cycles > 0 ? c->scalar / c->cycles : 0;
	by = by < 1 && !down ? 1 : by;
	c->cycles += (c->cycles - (double)path->outside_cycles) * (by - 1);
	c->scratch += (c->scratch - (double)path->outside_scratch) * (by - 1);
	c->scalar = c->cycles * scalar;
	c->branches *= by;
	c->waits *= by;
}

/* The mean of the two paths. */
static struct run_cost mean_of(const struct run_cost v[PATHS])
{
	return (struct run_cost){.cycles = (v[0].cycles + v[1].cycles) / 2,
		.scalar = (v[0].scalar + v[1].scalar) / 2,
		.scratch = (v[0].scratch + v[1].scratch) / 2,
		.branches = (v[0].branches + v[1].branches) / 2,
		.waits = (v[0].waits + v[1].waits) / 2,
		.share = 1,
		.waves = v[0].waves};
}

/* The paths of a kernel, before and after; returns their number. If one loop became two, with an
 * arm each, a path runs both: then equal work is compared. */
static size_t paths_of(
	struct run_cost x[PATHS], struct run_cost y[PATHS], struct pair p, bool splits)
{
	const struct path_cost *b[] = {&p.before->least, &p.before->most};
	const struct path_cost *a[] = {&p.after->least, &p.after->most};
	for (int i = 0; i < PATHS; i++) {
		enum metric m = i == 0 ? METRIC_PATH_LEAST : METRIC_PATH_MOST;
		x[i] = path_of(p.before, m, b[i]);
		y[i] = path_of(p.after, m, a[i]);
		if (!splits) {
			scale(&y[i], a[i], b[i]->work, false);
		}
	}
	if (!splits) {
		return PATHS;
	}
	x[0] = mean_of(x);
	y[0] = y[1];
	y[0].share = 1;
	scale(&y[0], a[1], (b[0]->work + b[1]->work) / 2, true);
	return 1;
}

static const char *cost_told(const struct compare *c, struct pair p, struct cost_verdict v,
	const struct run_cost *x, const struct run_cost *y)
{
	static const char *const which[] = {"cheapest", "costliest"};
	bool both = c->opts->splits;
	switch (v.by) {
	case COST_BY_SCRATCH:
		return arena_printf(c->a, "scratch accesses on a path %.0f -> %.0f",
			x[0].scratch + (both ? 0 : x[1].scratch),
			y[0].scratch + (both ? 0 : y[1].scratch));
	case COST_BY_WAVES:
		return change(c, p, METRIC_RESIDENT_WAVES);
	case COST_BY_BRANCHES:
		return arena_printf(c->a, "branches on the cheapest path %.0f -> %.0f",
			x[0].branches, y[0].branches);
	case COST_BY_WAITS:
		return arena_printf(c->a, "cycles of waiting for loads on %s %.0f -> %.0f",
			both ? "an iteration" : "the cheapest path", x[0].waits, y[0].waits);
	case COST_BY_CYCLES:
	case COST_BY_NOTHING:
		break;
	}
	return arena_printf(c->a, "issue cycles of %s %.0f -> %.0f",
		both ? "an iteration" : arena_printf(c->a, "the %s path", which[v.at]),
		x[v.at].cycles, y[v.at].cycles);
}

static enum metric metric_of(enum cost_by by)
{
	static const enum metric of[] = {[COST_BY_NOTHING] = METRIC_COUNT,
		[COST_BY_SCRATCH] = METRIC_SCRATCH_ACCESS,
		[COST_BY_WAVES] = METRIC_RESIDENT_WAVES,
		[COST_BY_BRANCHES] = METRIC_BRANCH,
		[COST_BY_WAITS] = METRIC_PATH_LEAST,
		[COST_BY_CYCLES] = METRIC_PATH_LEAST};
	return of[by];
}

/* If the control flow is unknown, only scratch accesses and waves count. */
static struct cost_verdict compare_unread(struct pair p)
{
	int64_t scratch = p.after->v[METRIC_SCRATCH_ACCESS] - p.before->v[METRIC_SCRATCH_ACCESS];
	int64_t waves = p.after->v[METRIC_RESIDENT_WAVES] - p.before->v[METRIC_RESIDENT_WAVES];
	int better = scratch ? (scratch < 0 ? 1 : -1) : (waves > 0) - (waves < 0);
	return (struct cost_verdict){better,
		scratch ? COST_BY_SCRATCH
		: waves ? COST_BY_WAVES
			: COST_BY_NOTHING,
		0};
}

/* Compares one kernel; *why gets the reason. */
static struct cost_verdict compare_kernel(const char **why, const struct compare *c, struct pair p)
{
	struct run_cost x[PATHS], y[PATHS];
	struct cost_verdict v;
	if (!has_paths(p)) {
		v = compare_unread(p);
		*why = v.by == COST_BY_SCRATCH ? change(c, p, METRIC_SCRATCH_ACCESS)
					       : change(c, p, METRIC_RESIDENT_WAVES);
		return v;
	}
	size_t n = paths_of(x, y, p, c->opts->splits);
	struct cost_opts opts = c->opts->cost;
	opts.min_gain =
		c->opts->splits && opts.min_gain < SPLIT_MIN_GAIN ? SPLIT_MIN_GAIN : opts.min_gain;
	v = cost_compare(x, y, n, &opts);
	if (c->opts->fragments && v.better > 0 && v.by == COST_BY_CYCLES) {
		v = (struct cost_verdict){0}; /* repeated loads do not reduce instructions */
	}
	*why = cost_told(c, p, v, x, y);
	return v;
}

/* The ratio after / before. Half the gain of a split loop counts, since the iterations of its two
 * loops are unknown. */
static double ratio_of(const double v[2], bool splits)
{
	double ratio = v[0] > 0 ? v[1] / v[0] : 1;
	return splits && ratio < 1 ? (1 + ratio) / 2 : ratio;
}

void measurement_cost(struct measured_cost *out, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts)
{
	double value = 0, cycles = 0;
	size_t n = 0;
	for (size_t i = 0; i < after->kernels; i++) {
		const struct kernel_metrics *k = &after->kernel[i];
		struct pair p = {measurement_kernel(before, k->symbol), k};
		struct run_cost x[PATHS], y[PATHS];
		out->waves[1] += k->v[METRIC_RESIDENT_WAVES];
		out->scratch += k->v[METRIC_SCRATCH_ACCESS];
		out->spills += k->v[METRIC_SCRATCH] + k->v[METRIC_VGPR_SPILL];
		out->instructions += k->v[METRIC_INSTRUCTION];
		if (!p.before) {
			continue;
		}
		out->waves[0] += p.before->v[METRIC_RESIDENT_WAVES];
		if (!has_paths(p)) {
			continue;
		}
		size_t paths = paths_of(x, y, p, opts->splits);
		struct cost_sums was = cost_sum(x, paths, &opts->cost);
		struct cost_sums is = cost_sum(y, paths, &opts->cost);
		const double v[2] = {was.value, is.value}, c[2] = {was.cycles, is.cycles};
		value += ratio_of(v, opts->splits);
		cycles += ratio_of(c, opts->splits);
		n++;
	}
	out->value += n ? value / (double)n : 1;
	out->cycles += n ? cycles / (double)n : 1;
}

enum {
	GAINS_FOR_A_LOSS =
		4 /* kernels with more waves or less scratch that outweigh one kernel with a loss */
};

/* Compares each kernel that the edit reaches. */
static void paths_decide(struct compare *c)
{
	struct comparison best = {.verdict = VERDICT_EQUAL}, worst = best;
	size_t strong = 0, gains = 0, losses = 0, kernels = 0;
	int weight = INT32_MAX;
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		const char *why;
		if (!is_reached(c, p.before->symbol)) {
			continue;
		}
		struct cost_verdict v = compare_kernel(&why, c, p);
		struct comparison *to = v.better > 0 ? &best : &worst;
		kernels++;
		strong += v.better > 0 && v.by != COST_BY_CYCLES;
		gains += v.better > 0;
		losses += v.better < 0;
		bool first = v.better > 0 ? (int)v.by < weight : losses == 1;
		if (v.better && first) {
			weight = v.better > 0 ? (int)v.by : weight;
			*to = (struct comparison){
				.verdict = v.better > 0 ? VERDICT_BETTER : VERDICT_WORSE,
				.decided_by = metric_of(v.by),
				.kernel = p.after->name,
				.reason = arena_printf(c->a, "%s: %s", p.after->name, why)};
		}
	}
	bool worse = losses > 0 && strong < GAINS_FOR_A_LOSS * losses;
	if (worse || best.verdict == VERDICT_BETTER) {
		*c->out = worse ? worst : best;
		c->out->reason =
			kernels < 2 ? c->out->reason
				    : arena_printf(c->a, "%s (%zu kernels: %zu gain, %zu lose)",
					      c->out->reason, kernels, gains, losses);
	} else {
		decide(c, VERDICT_EQUAL, METRIC_COUNT, NULL,
			c->opts->fragments ? "neither less scratch that runs nor more waves"
					   : "nothing that runs changed enough to count");
	}
}

static void compare(struct compare *c)
{
	/* Without a barrier the compiler schedules more freely: more VGPRs with the same number of
	 * waves, or a few more instructions, do not count as a loss. */
	static const struct preference barriers[] = {
		{METRIC_SCRATCH, false},
		{METRIC_VGPR_SPILL, false},
		{METRIC_SCRATCH_ACCESS, false},
		{METRIC_RESIDENT_WAVES, true},
		{METRIC_REGISTER_WAVES, true},
		{METRIC_BARRIER, false},
	};
	static const struct preference flat = {METRIC_FLAT_ACCESS, false};
	if (kernels_decide(c)) {
		return;
	}
	if (!c->opts->drops_barriers) {
		paths_decide(c);
		bool close = c->out->verdict == VERDICT_EQUAL ||
			     (c->out->verdict == VERDICT_BETTER &&
				     c->out->decided_by == METRIC_PATH_LEAST);
		struct comparison paths = *c->out;
		/* a pointer that crosses a merge may lose its address space */
		if (close && (c->opts->fragments || !preference_decides(c, &flat))) {
			*c->out = paths;
		}
		return;
	}
	for (size_t i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++) {
		bool counts = barriers[i].metric != METRIC_BARRIER;
		if (preference_decides(c, &barriers[i])) {
			if (counts && c->out->verdict == VERDICT_BETTER) {
				continue; /* not worse: then check for fewer barriers */
			}
			return;
		}
	}
	decide(c, VERDICT_EQUAL, METRIC_BARRIER, NULL,
		"the compiler's output has as many barriers");
}

static bool is_a_veto(const struct comparison *c)
{
	return c->verdict == VERDICT_VETO || c->verdict == VERDICT_UNKNOWN;
}

static bool is_a_veto_on_fmas(const struct comparison *c)
{
	return c->verdict == VERDICT_VETO && c->decided_by == METRIC_FMA;
}

void measurement_compare(struct comparison *out, struct arena *a, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts)
{
	static const struct compare_opts none = {0};
	struct compare c = {out, a, before, after, opts ? opts : &none};
	compare(&c);
	bool allowed = c.opts->allow_recontraction && !is_a_veto(out);
	if (!allowed && !is_a_veto_on_fmas(out)) {
		return;
	}
	/* the gain without the veto, or the difference in contraction */
	struct compare_opts other = *c.opts;
	struct comparison would;
	other.allow_recontraction = !allowed;
	c = (struct compare){&would, a, before, after, &other};
	compare(&c);
	if (allowed) {
		out->fused = is_a_veto_on_fmas(&would) ? would.reason : NULL;
	} else if (would.verdict == VERDICT_BETTER) {
		out->allowed = would.reason;
		out->reason = arena_printf(a,
			"%s: float results may change; --allow-recontraction would take it, for %s",
			out->reason, would.reason);
	}
}
