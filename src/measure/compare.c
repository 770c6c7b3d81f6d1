#include <string.h>
#include "measure/measure.h"

/*
 * Order of preference and vetoes: doc/design.md, "Measuring and choosing". A veto on any kernel
 * ends it; then the first metric in order whose sum over the kernels differs (by at least the least
 * gain that counts) decides.
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

/* A kernel that the edit cannot reach and that came out the same may be as unreadable as it likes.
 */
static bool is_untouched(const struct compare *c, struct pair p)
{
	if (!c->opts->only || is_reached(c, p.before->symbol)) {
		return false;
	}
	for (size_t m = 0; m < METRIC_COUNT; m++) {
		/* wide phis are read from IR, which is not made of every text */
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

/* What a kernel fuses and what not, before and after, of one width or of all. */
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
 * The bits of a float result change when a multiply is cut from its add or joined to it. Then one
 * of the counts goes up and the other down, unless arms became more or fewer: an arm's code once
 * more, or once in place of twice, moves both the same way. Where arms became one, more FMAs than
 * before can only come from joining.
 */
static bool is_recontracted(const struct fused *f, bool arms_merge)
{
	return opposite(f->fma, f->mul_add) || (arms_merge && f->fma[1] > f->fma[0]);
}

/*
 * Where the compiler leaves adds of products unfused, arms that were alike may have been fused in
 * other places each, and one of these forms be what stays: of the adds that take a product the same
 * share has to be fused. With as many FMAs as before, at least a copy of what went has to be left,
 * and no more than one may have come. Where it leaves none, all adds of products are fused.
 */
static bool is_doubtful(const struct fused *f)
{
	const int64_t *fma = f->fma, *unfused = f->unfused;
	if (fma[0] != fma[1]) {
		return fma[0] * unfused[1] != fma[1] * unfused[0];
	}
	return fma[0] > 0 && (2 * unfused[1] < unfused[0] || unfused[1] > 2 * unfused[0]);
}

/* Does every block that fuses, or might have, do so as before, in more or fewer copies? */
static bool has_same_forms(struct pair p)
{
	const struct rounding *x = &p.before->rounding, *y = &p.after->rounding;
	return x->forms && x->forms == y->forms &&
	       memcmp(x->form, y->form, x->forms * sizeof(*x->form)) == 0;
}

static bool recontracted(const struct compare *c, struct pair p)
{
	struct fused all = of_all(p);
	struct fused dot = of_width(p, ROUND_DOT);
	if (c->opts->allow_recontraction) {
		return false;
	}
	bool sure = is_recontracted(&all, c->opts->arms_merge) || opposite(dot.fma, all.fma);
	bool doubt = is_doubtful(&all);
	for (size_t w = 0; w < ROUND_WIDTHS; w++) {
		struct fused f = of_width(p, (enum round_width)w);
		sure |= is_recontracted(&f, c->opts->arms_merge);
		doubt |= is_doubtful(&f);
	}
	return sure || (doubt && !has_same_forms(p));
}

/* A duplicated body, not the few operations that LLVM had folded before. */
static bool matrix_ops_grew(struct pair p)
{
	enum {
		SLACK = 4
	};
	int64_t before = p.before->v[METRIC_MATRIX_OP];
	int64_t after = p.after->v[METRIC_MATRIX_OP];
	return after * 20 > before * 21 && after > before + SLACK;
}

/* SGPR spills go to lanes of a VGPR: a few of them are a fair price for VGPR spills that vanish. */
static bool sgpr_spills_cost(struct pair p)
{
	return rose(p, METRIC_SGPR_SPILL) && !fell(p, METRIC_SCRATCH) &&
	       !fell(p, METRIC_VGPR_SPILL);
}

static bool veto_contraction(struct compare *c, struct pair p)
{
	static const enum metric others[] = {METRIC_MUL_ADD, METRIC_UNFUSED};
	const char *said = change(c, p, METRIC_FMA);
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
		{matrix_ops_grew(p), METRIC_MATRIX_OP},
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
	int64_t min_gain;
	int64_t percent; /* of the larger of both sums: less is no gain either */
};

/* The kernel whose change in m is the largest in the direction of the sum's. */
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

/* Kernels whose VGPRs grow: within a step of waves, as fewer waves are a veto. */
static size_t kernels_with_more_vgprs(const struct compare *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		n += is_reached(c, p.before->symbol) && !is_absent(p, METRIC_VGPR) &&
		     rose(p, METRIC_VGPR);
	}
	return n;
}

bool measurement_branches(const struct kernel_metrics *before, const struct kernel_metrics *after,
	const struct compare_opts *opts)
{
	int64_t x = before->v[METRIC_BRANCH], y = after->v[METRIC_BRANCH];
	int64_t instructions = after->v[METRIC_WEIGHTED_INSTRUCTION];
	return opts->branch_every > 0 && x != METRIC_ABSENT && y >= 2 * x &&
	       (y - x) * opts->branch_every > instructions;
}

/*
 * Each operand chosen by a branch of its own gives a text that is no longer than before, and runs
 * longer by far: more waves do not make up for it. A kernel alone decides: in a sum over many it
 * would not show.
 */
static bool branches_decide(struct compare *c)
{
	struct pair fewer = {NULL, NULL};
	for (size_t i = 0; i < c->before->kernels; i++) {
		struct pair p = {
			&c->before->kernel[i], find_kernel(c->after, c->before->kernel[i].symbol)};
		if (!is_reached(c, p.before->symbol)) {
			continue;
		}
		if (measurement_branches(p.before, p.after, c->opts)) {
			return decide(c, VERDICT_WORSE, METRIC_BRANCH, p.after,
				change(c, p, METRIC_BRANCH));
		}
		if (measurement_branches(p.after, p.before, c->opts)) {
			fewer = p;
		}
	}
	return fewer.after && decide(c, VERDICT_BETTER, METRIC_BRANCH, fewer.after,
				      change(c, fewer, METRIC_BRANCH));
}

static const char *sum_told(struct compare *c, size_t kernels, int64_t before, int64_t after)
{
	size_t wider = kernels_with_more_vgprs(c);
	const char *said = arena_printf(
		c->a, "%zu kernels: %lld -> %lld", kernels, (long long)before, (long long)after);
	return wider ? arena_printf(c->a, "%s; %zu take%s more VGPRs without losing a wave", said,
			       wider, wider == 1 ? "s" : "")
		     : said;
}

static bool preference_decides(struct compare *c, const struct preference *pref)
{
	enum metric m = pref->metric;
	if (m == METRIC_BRANCH) {
		return branches_decide(c);
	}
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
	int64_t least = pref->min_gain > 1 ? pref->min_gain : 1;
	int64_t larger = before > after ? before : after;
	least = larger * pref->percent / 100 > least ? larger * pref->percent / 100 : least;
	if (diff < least && diff > -least) {
		return false;
	}
	struct pair p = largest_change(c, m, diff);
	const char *reason = change(c, p, m);
	if (kernels > 1) {
		reason = arena_printf(c->a, "%s (%s)", reason, sum_told(c, kernels, before, after));
	}
	bool better = (diff > 0) == pref->more_is_better;
	return decide(c, better ? VERDICT_BETTER : VERDICT_WORSE, m, p.after, reason);
}

static void compare(struct compare *c)
{
	int64_t percent = c->opts->min_gain_weighted_percent;
	int64_t weighted = percent ? c->opts->min_gain_instructions : INT64_MAX;
	const struct preference preferences[] = {
		{METRIC_SCRATCH, false, 1, 0},
		{METRIC_VGPR_SPILL, false, 1, 0},
		{METRIC_SCRATCH_ACCESS, false, 1, 0},
		{METRIC_BRANCH, false, 1, 0},
		{METRIC_RESIDENT_WAVES, true, 1, 0},
		{METRIC_REGISTER_WAVES, true, 1, 0},
		{METRIC_FLAT_ACCESS, false, 1, 0},
		{METRIC_WEIGHTED_INSTRUCTION, false, weighted, percent},
		{METRIC_VGPR, false, c->opts->min_gain_vgpr, 0},
		{METRIC_COPY, false, c->opts->min_gain_copies, 0},
		{METRIC_INSTRUCTION, false, c->opts->min_gain_instructions, 0},
	};
	/* Without a barrier the compiler schedules more freely: VGPRs within the same step of waves
	 * and a few instructions are no price for it. */
	const struct preference barriers[] = {
		{METRIC_SCRATCH, false, 1, 0},
		{METRIC_VGPR_SPILL, false, 1, 0},
		{METRIC_SCRATCH_ACCESS, false, 1, 0},
		{METRIC_RESIDENT_WAVES, true, 1, 0},
		{METRIC_REGISTER_WAVES, true, 1, 0},
		{METRIC_BARRIER, false, 1, 0},
	};
	bool drops = c->opts->drops_barriers;
	const struct preference *list = drops ? barriers : preferences;
	size_t n = drops ? sizeof(barriers) / sizeof(barriers[0])
			 : sizeof(preferences) / sizeof(preferences[0]);
	for (size_t i = 0; c->opts->fragments && i < n; i++) {
		n = list[i].metric == METRIC_REGISTER_WAVES ? i + 1 : n;
	}
	if (kernels_decide(c)) {
		return;
	}
	for (size_t i = 0; i < n; i++) {
		bool counts = list[i].metric != METRIC_BARRIER;
		if (preference_decides(c, &list[i])) {
			if (drops && counts && c->out->verdict == VERDICT_BETTER) {
				continue; /* and are there fewer? */
			}
			return;
		}
	}
	if (drops) {
		decide(c, VERDICT_EQUAL, METRIC_BARRIER, NULL,
			"the compiler's output has as many barriers");
		return;
	}
	decide(c, VERDICT_EQUAL, METRIC_COUNT, NULL,
		c->opts->fragments ? "neither fewer spills nor more waves"
				   : "no figure changed enough to count");
}

void measurement_compare(struct comparison *out, struct arena *a, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts)
{
	static const struct compare_opts none = {0};
	struct compare c = {out, a, before, after, opts ? opts : &none};
	compare(&c);
	if (out->verdict != VERDICT_VETO || out->decided_by != METRIC_FMA) {
		return;
	}
	/* what it would be worth */
	struct compare_opts allowed = *c.opts;
	struct comparison would;
	allowed.allow_recontraction = true;
	c = (struct compare){&would, a, before, after, &allowed};
	compare(&c);
	if (would.verdict == VERDICT_BETTER) {
		out->allowed = would.reason;
		out->reason = arena_printf(a,
			"%s: float results may change; --allow-recontraction would take it, for %s",
			out->reason, would.reason);
	}
}
