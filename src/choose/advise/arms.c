/*
 * Arms that call instances of one function template, without a wide carrier:
 *
 *   if (is_neox) {                          One function that takes the flag as an argument is half
 *           rotate<true>(x, cos, sin);      the code, and the instances' addresses need no
 *   } else {                                registers beside each other.
 *           rotate<false>(x, cos, sin);
 *   }
 *
 * The form alone does not tell whether this helps: the joint body pays for code of only one
 * instance, and compilers merge small arms by themselves. So all such ifs that unify can rewrite
 * are compiled in one text, without those that make a kernel worse. Those with a gain are reported
 * with both figures. If only the clause on contraction refuses one, the report says so, and there
 * is an edit only with --allow-recontraction. Merges with a wide accumulator are left to rewrite.
 */

#include "choose/advise/causing.h"

enum {
	TRIES = 4,
	LEAST_PERCENT = 10 /* of a kernel's instructions */
};

struct dispatch {
	struct site site;
	struct candidate c;
	struct map kernels; /* symbols */
	bool dropped;
};

struct gathering {
	struct causing *q;
	struct map at; /* its range -> 1 + index in all */
	ARRAY(struct site_instance) instance;
	ARRAY(struct dispatch) all;
	struct edit_list edits;
};

static uint64_t key_of(const struct merge *m)
{
	return (uint64_t)m->node->begin << 32 | merge_end(m);
}

static bool is_ours(const struct parse *parse, const struct merge *m)
{
	return parse->unit->file[m->node->file].main && !parse->unit->host;
}

/* Collects the merges without a wide accumulator in any instance. */
static void gather(struct gathering *g, const struct parse *parse, const struct merge *m, bool wide)
{
	unsigned least = g->q->s.opts.threshold;
	size_t known = map_get_u64(&g->at, key_of(m), 0);
	bool is_wide = m->chained >= least;
	if (!is_ours(parse, m) || (wide && !is_wide)) {
		return;
	}
	if (!known) {
		struct dispatch d = {.site = {.path = parse->unit->file[m->node->file].path,
					     .begin = m->node->begin,
					     .end = merge_end(m)},
			.dropped = wide};
		array_push(&g->all, d);
		known = g->all.n;
		map_set_u64(&g->at, key_of(m), known);
	}
	g->all.v[known - 1].site.instances++;
}

static void gather_all(struct gathering *g, bool wide)
{
	for (size_t i = 0; i < g->q->s.views; i++) {
		const struct merge_list *l = &g->q->s.parse[i].merges;
		for (size_t k = 0; k < l->n; k++) {
			gather(g, &g->q->s.parse[i], &l->v[k], wide);
		}
	}
}

/* Finds all instances of a merge, also those with a constant condition. */
static void find_instances(struct gathering *g, struct dispatch *d)
{
	ARRAY(struct site_instance) in = {0};
	for (size_t i = 0; i < g->q->s.views; i++) {
		const struct parse *parse = &g->q->s.parse[i];
		const struct merge_list *l = &parse->merges;
		for (size_t k = 0; k < l->n + l->silents; k++) {
			const struct merge *m = k < l->n ? &l->v[k] : &l->silent[k - l->n];
			if (m->node->begin == d->site.begin && merge_end(m) == d->site.end &&
				is_ours(parse, m)) {
				array_push(
					&in, ((struct site_instance){.parse = parse, .merge = m}));
				parse_kernels(&d->kernels, g->q->s.a, parse, m->fn);
			}
		}
	}
	array_move(d->site.instance, d->site.instances, g->q->s.a, &in);
}

static bool is_inside_other(const struct gathering *g, const struct dispatch *d)
{
	array_each (&g->all, const struct dispatch, o) {
		if (o != d && !o->dropped && o->site.begin <= d->site.begin &&
			o->site.end >= d->site.end) {
			return true;
		}
	}
	return false;
}

/* Plans its only candidate; false if there is none, or if it changes the text of another one. */
static bool plan(struct gathering *g, struct dispatch *d, const struct strategy_opts *opts)
{
	struct candidate *c;
	size_t n;
	find_instances(g, d);
	strategy_plan(&c, &n, g->q->s.a, &strategies[STRATEGY_UNIFY], &d->site, opts);
	bool good = n > 0 && !c[0].clause && !c[0].measure_why &&
		    !candidate_meets(&c[0], &g->edits, reserved_text(opts->declared));
	for (size_t i = good ? 1 : 0; i < n; i++) {
		candidate_release(&c[i]);
	}
	d->c = good ? c[0] : (struct candidate){0};
	return good;
}

static void plan_all(struct gathering *g, bool recontract)
{
	struct reserved added = {0}, declared = {0};
	struct strategy_opts opts = g->q->s.opts;
	opts.recontract |= recontract;
	opts.any = true;
	opts.reserved = &added;
	opts.declared = &declared;
	array_each (&g->all, struct dispatch, d) {
		if (d->dropped || is_inside_other(g, d) || !plan(g, d, &opts)) {
			d->dropped = true;
			continue;
		}
		trial_add_edits(&g->q->s, &g->edits, &d->c);
		reserved_add(&declared, d->c.declares, RESERVED_BESIDE);
	}
	reserved_release(&added);
	reserved_release(&declared);
}

static bool loses(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return cause_is_worse(x, y) || !y->trusted || cause_rises(x, y, METRIC_SGPR_SPILL) ||
	       cause_rises(x, y, METRIC_INSTRUCTION) || cause_rises(x, y, METRIC_FLAT_ACCESS);
}

static int64_t saved(const struct kernel_metrics *x, const struct kernel_metrics *y, enum metric m)
{
	return x->v[m] - y->v[m];
}

/* The saved instructions in percent; fewer spills and more waves count for more. */
static int64_t gain_of(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	int64_t most = x->v[METRIC_INSTRUCTION] ? x->v[METRIC_INSTRUCTION] : 1;
	int64_t percent = saved(x, y, METRIC_INSTRUCTION) * 100 / most;
	int64_t more = saved(x, y, METRIC_VGPR_SPILL) + saved(x, y, METRIC_SGPR_SPILL) +
		       saved(y, x, METRIC_RESIDENT_WAVES);
	return more * 100 + percent;
}

/* Drops the merges that make a kernel worse; false if none does, or none is left. */
static bool drop_losers(struct gathering *g, const struct measure_result *r, bool *dropped)
{
	size_t left = 0;
	*dropped = false;
	for (size_t t = 0; t < g->q->s.job->targets; t++) {
		span_each (g->q->now[t].m.kernel, g->q->now[t].m.kernels,
			const struct kernel_metrics, x) {
			bool worse = loses(x, cause_after(&r[t], x)), known = !worse;
			array_each (&g->all, struct dispatch, d) {
				bool of = map_has(&d->kernels, str_of(x->symbol));
				known |= of;
				*dropped |= worse && of && !d->dropped;
				d->dropped |= worse && of;
			}
			if (!known) {
				return false;
			}
		}
	}
	array_each (&g->all, const struct dispatch, d) {
		left += !d->dropped;
	}
	return left > 0;
}

/* "instructions 403 -> 210, SGPR spills 15 -> 0, VGPRs 66 -> 62" */
static const char *change(
	struct causing *q, const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	const char *rest = cause_change(q, x, y);
	struct sbuf b = {0};
	sbuf_addf(&b, "instructions %lld -> %lld", (long long)x->v[METRIC_INSTRUCTION],
		(long long)y->v[METRIC_INSTRUCTION]);
	if (saved(x, y, METRIC_SGPR_SPILL)) {
		sbuf_addf(&b, ", SGPR spills %lld -> %lld", (long long)x->v[METRIC_SGPR_SPILL],
			(long long)y->v[METRIC_SGPR_SPILL]);
	}
	sbuf_addf(&b, "%s%s", rest && *rest ? ", " : "", rest ? rest : "");
	if (x->v[METRIC_PATH_LEAST] != METRIC_ABSENT && y->v[METRIC_PATH_LEAST] != METRIC_ABSENT) {
		sbuf_addf(&b, ", issue cycles of the cheapest path %lld -> %lld",
			(long long)x->v[METRIC_PATH_LEAST], (long long)y->v[METRIC_PATH_LEAST]);
	}
	return sbuf_finish(&b, q->s.a).p;
}

static void report(struct gathering *g, const struct dispatch *d, const struct subject *s,
	const struct kernel_metrics *with, bool recontract)
{
	struct causing *q = g->q;
	struct cause *c = cause_add(q, s, CAUSE_ARMS);
	const struct merge *m = d->site.instance[0].merge;
	c->path = q->s.job->path;
	c->source = q->s.text;
	c->at = d->site.begin;
	c->end = m->kind == MERGE_IF	   ? c->at + 2
		 : m->kind == MERGE_SWITCH ? c->at + 6
					   : d->site.end;
	c->gains = !recontract && (saved(with, s->k, METRIC_RESIDENT_WAVES) > 0 ||
					  saved(s->k, with, METRIC_VGPR_SPILL) > 0);
	c->weight = (unsigned)(d->site.end - d->site.begin);
	c->text = arena_printf(q->s.a,
		"the arms call instances of '%s': with one function that takes as arguments what "
		"differs, %s has %s (%s)%s",
		d->c.successors ? d->c.successor[0].was : "operator()", s->k->name,
		change(q, s->k, with), q->s.job->target[s->target]->name,
		recontract ? ", but some multiplies and adds may be fused that are not now, or the "
			     "other way round"
			   : "");
	if (!recontract) {
		c->edit = arena_memdup(
			q->s.a, g->edits.edits.v, g->edits.edits.n * sizeof(*g->edits.edits.v));
		c->edits = g->edits.edits.n;
	}
}

static void report_gains(struct gathering *g, const struct measure_result *r, bool recontract)
{
	array_each (&g->all, const struct dispatch, d) {
		struct cause_gain best = {.with = NULL};
		if (!d->dropped) {
			best = cause_most(g->q, r, &d->kernels, LEAST_PERCENT - 1, gain_of);
		}
		if (best.with) {
			report(g, d, &best.s, best.with, recontract);
		}
	}
}

static void look(struct causing *q, bool recontract)
{
	struct gathering g = {.q = q};
	gather_all(&g, true);
	gather_all(&g, false);
	plan_all(&g, recontract);
	bool dropped = true;
	for (size_t i = 0; i < TRIES && dropped; i++) {
		edit_list_release(&g.edits);
		array_each (&g.all, const struct dispatch, d) {
			if (!d->dropped) {
				trial_add_edits(&q->s, &g.edits, &d->c);
			}
		}
		const struct measure_result *r = cause_compile(q, &g.edits);
		if (!r || !drop_losers(&g, r, &dropped)) {
			break;
		}
		if (!dropped) {
			report_gains(&g, r, recontract);
		}
	}
	array_each (&g.all, struct dispatch, d) {
		candidate_release(&d->c);
		map_release(&d->kernels);
	}
	array_release(&g.edits.edits);
	array_release(&g.all);
	map_release(&g.at);
}

void cause_arms(struct causing *q)
{
	size_t before = q->causes.n;
	look(q, false);
	if (q->causes.n == before && !q->s.opts.contract_off && !q->s.opts.recontract) {
		look(q, true);
	}
}
