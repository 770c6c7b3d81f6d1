#include "measure/cost.h"

#include "measure/isa/stall.h"

enum {
	INSTRUCTION_CYCLES = 4, /* most instructions take one pass */
	NEAR = 4		/* a load from the nearest cache takes 1/NEAR of the time */
};

/* Increases up to this factor do not count: moving an instruction changes as much. */
static const double tolerance = 1.01, raised = 1.02;

/* The demand of a wave, in cycles. */
struct demand {
	double vector, scalar; /* of issue */
	double wait;
};

/* Mean value analysis: one wave takes issue plus waits; each further wave finds the queues of the
 * system without it. */
static double value_of(struct demand d, int64_t waves)
{
	double each = d.vector + d.scalar + d.wait, queued[2] = {0};
	for (int64_t n = 1; n <= waves && each > 0; n++) {
		double vector = d.vector * (1 + queued[0]), scalar = d.scalar * (1 + queued[1]);
		each = (d.wait + vector + scalar) / (double)n;
		queued[0] = vector / each;
		queued[1] = scalar / each;
	}
	return each;
}

static void add_value(struct cost_sums *s, struct demand d, int64_t waves, double share)
{
	s->value += value_of(d, waves) * share;
	d.wait /= NEAR;
	s->near += value_of(d, waves) * share;
}

struct cost_sums cost_sum(const struct run_cost *v, size_t n, const struct cost_opts *o)
{
	struct cost_sums s = {0};
	struct demand all = {0};
	for (size_t i = 0; i < n; i++) {
		struct demand d = {v[i].cycles - v[i].scalar, v[i].scalar,
			v[i].waits * (double)o->latency / STALL_MEMORY};
		s.scratch += v[i].scratch * v[i].share;
		s.cycles += v[i].cycles * v[i].share;
		s.branches += v[i].branches * v[i].share;
		s.waves += v[i].waves;
		all.vector += d.vector * v[i].share;
		all.scalar += d.scalar * v[i].share;
		all.wait += d.wait * v[i].share;
		if (!o->paths) {
			add_value(&s, d, v[i].waves, v[i].share);
		}
	}
	if (o->paths && n > 0) {
		add_value(&s, all, v[0].waves, 1);
	}
	return s;
}

static struct cost_verdict by(int better, enum cost_by what, size_t at)
{
	return (struct cost_verdict){better, what, at};
}

/* Is it slower although waves hide latency? Waits are only an estimate, so it must also be slower
 * with all loads from the nearest cache. */
static bool is_slower(
	const struct cost_sums *x, const struct cost_sums *y, const struct cost_opts *o)
{
	return o->prefer == PREFER_BALANCE && y->near > x->near * raised;
}

static struct cost_verdict waves_decide(
	const struct cost_sums *x, const struct cost_sums *y, const struct cost_opts *o)
{
	bool dearer = y->cycles > x->cycles * raised;
	bool pays =
		o->prefer == PREFER_WAVES || (o->prefer == PREFER_BALANCE && y->value < x->value);
	if (dearer && !pays) {
		return by(-1, COST_BY_CYCLES, 0);
	}
	return is_slower(x, y, o) ? by(-1, COST_BY_WAITS, 0) : by(1, COST_BY_WAVES, 0);
}

/* A branch costs as much as several instructions, which issue cycles do not show. */
static bool branches_grew(
	const struct cost_sums *x, const struct cost_sums *y, const struct cost_opts *o)
{
	double more = y->branches - x->branches;
	return o->branch_every > 0 && y->branches >= 2 * x->branches &&
	       more * (double)(o->branch_every * INSTRUCTION_CYCLES) > y->cycles;
}

struct cost_verdict cost_compare(const struct run_cost *before, const struct run_cost *after,
	size_t n, const struct cost_opts *o)
{
	struct cost_sums x = cost_sum(before, n, o), y = cost_sum(after, n, o);
	double least = 1 - (double)o->min_gain / 100;
	bool saves = y.cycles <= x.cycles * least && y.cycles < x.cycles;
	size_t most = 0;
	if (y.scratch > x.scratch * tolerance) {
		return by(-1, COST_BY_SCRATCH, 0);
	}
	if (y.scratch < x.scratch * least) {
		return by(1, COST_BY_SCRATCH, 0);
	}
	if (y.waves != x.waves) {
		return y.waves > x.waves ? waves_decide(&x, &y, o) : by(-1, COST_BY_WAVES, 0);
	}
	if (branches_grew(&x, &y, o)) {
		return by(-1, COST_BY_BRANCHES, 0);
	}
	for (size_t i = 0; i < n; i++) {
		double was = before[i].cycles, is = after[i].cycles;
		if (is > was * tolerance) {
			return by(-1, COST_BY_CYCLES, i);
		}
		saves &= !o->paths || i > 0 || is <= was * least;
		most = after[most].cycles - before[most].cycles > is - was ? i : most;
	}
	if (saves && is_slower(&x, &y, o)) {
		return by(-1, COST_BY_WAITS, 0);
	}
	return saves ? by(1, COST_BY_CYCLES, most) : by(0, COST_BY_NOTHING, 0);
}
