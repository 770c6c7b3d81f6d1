#include "measure/cost.h"

enum {
	INSTRUCTION_CYCLES = 4 /* most take one pass */
};

/* What may come on top without being called more: as much as an instruction moved about changes. */
static const double tolerance = 1.01, raised = 1.02;

double cost_value(const struct run_cost *c, const struct cost_opts *o)
{
	double all = c->cycles + c->waits * (double)o->latency;
	double waves = c->waves > 1 ? (double)c->waves : 1;
	double hidden = all / waves;
	return hidden > c->cycles ? hidden : c->cycles;
}

struct sums {
	double scratch, cycles, branches, value;
	int64_t waves;
};

static struct sums sum(const struct run_cost *v, size_t n, const struct cost_opts *o)
{
	struct sums s = {0};
	for (size_t i = 0; i < n; i++) {
		s.scratch += v[i].scratch * v[i].share;
		s.cycles += v[i].cycles * v[i].share;
		s.branches += v[i].branches * v[i].share;
		s.value += cost_value(&v[i], o) * v[i].share;
		s.waves += v[i].waves;
	}
	return s;
}

static struct cost_verdict by(int better, enum cost_by what, size_t at)
{
	return (struct cost_verdict){better, what, at};
}

static struct cost_verdict waves_decide(
	const struct sums *x, const struct sums *y, const struct cost_opts *o)
{
	bool dearer = y->cycles > x->cycles * raised;
	bool pays =
		o->prefer == PREFER_WAVES || (o->prefer == PREFER_BALANCE && y->value < x->value);
	return by(dearer && !pays ? -1 : 1, dearer && !pays ? COST_BY_CYCLES : COST_BY_WAVES, 0);
}

/* A branch takes the issue of several instructions, which cycles do not show. */
static bool branches_grew(const struct sums *x, const struct sums *y, const struct cost_opts *o)
{
	double more = y->branches - x->branches;
	return o->branch_every > 0 && y->branches >= 2 * x->branches &&
	       more * (double)(o->branch_every * INSTRUCTION_CYCLES) > y->cycles;
}

struct cost_verdict cost_compare(const struct run_cost *before, const struct run_cost *after,
	size_t n, const struct cost_opts *o)
{
	struct sums x = sum(before, n, o), y = sum(after, n, o);
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
		saves &= !o->first_saves || i > 0 || is <= was * least;
		most = after[most].cycles - before[most].cycles > is - was ? i : most;
	}
	return saves ? by(1, COST_BY_CYCLES, most) : by(0, COST_BY_NOTHING, 0);
}
