/*
 * Only one arm: the cost of a kernel with only one arm of each wide merge, the costliest of up to
 * three (first, middle, last). It shows the cost of the merges and the possible gain of a rewrite.
 * It is not a bound: with fences, or another order of the same code, a kernel with all arms may
 * need fewer registers than one with a single arm.
 */
#include "choose/judge/compile.h"

enum {
	ARMS_TRIED = 3
};

static const struct merge *merge_of(const struct site *site)
{
	return site->instance[0].merge;
}

static void add_arm(struct state *s, struct sbuf *out, const struct merge *m, size_t k);

/* Adds the text of [begin, end) with its wide merges reduced to one arm. */
static void add_reduced(struct state *s, struct sbuf *out, size_t begin, size_t end,
	const struct kt_node *except, size_t k)
{
	size_t at = begin;
	while (at < end) {
		const struct site *next = NULL;
		span_each (s->site, s->sites, const struct site, x) {
			if (x->begin >= at && x->end <= end && merge_of(x)->node != except &&
				merge_of(x)->kind != MERGE_COND && state_is_chained(s, x) &&
				(!next || x->begin < next->begin ||
					(x->begin == next->begin && x->end > next->end))) {
				next = x;
			}
		}
		sbuf_addstr(out, str_sub(s->text, at, next ? next->begin : end));
		if (!next) {
			return;
		}
		add_arm(s, out, merge_of(next), k);
		at = next->end;
	}
}

static void add_arm(struct state *s, struct sbuf *out, const struct merge *m, size_t k)
{
	size_t tried = m->arms < ARMS_TRIED ? m->arms : ARMS_TRIED;
	size_t pick = tried > 1 ? (k % tried) * (m->arms - 1) / (tried - 1) : 0;
	const struct arm *arm = &m->arm[pick];
	sbuf_adds(out, "{ ");
	for (int slot = KT_IF_INIT; slot <= KT_IF_VAR; slot++) {
		const struct kt_node *d = m->node->child[slot];
		if (d) {
			struct str t = str_trim(str_sub(s->text, d->begin, d->end));
			sbuf_addstr(out, t);
			sbuf_adds(out, str_ends(t, ";") ? " " : "; ");
		}
	}
	if (m->kind != MERGE_SWITCH) {
		add_reduced(s, out, arm->body->begin, arm->body->end, m->node, k);
	} else {
		/* a loop that runs once, for the arm's break to leave */
		sbuf_adds(out, "do { ");
		for (size_t i = arm->first; i < arm->last; i++) {
			const struct kt_node *n = arm->body->child[i];
			n = i == arm->first ? kt_past_labels(n) : n;
			if (n) {
				add_reduced(s, out, n->begin, n->end, m->node, k);
				sbuf_addc(out, '\n');
			}
		}
		sbuf_adds(out, "} while (false);");
	}
	sbuf_adds(out, " }");
}

struct str *one_arm_texts(struct state *s, size_t *n)
{
	size_t arms = 0;
	for (size_t i = 0; i < s->sites && !s->guarded; i++) {
		if (state_is_chained(s, &s->site[i]) && merge_of(&s->site[i])->kind != MERGE_COND) {
			size_t m = merge_of(&s->site[i])->arms;
			arms = m > arms ? m : arms;
		}
	}
	*n = arms < ARMS_TRIED ? arms : ARMS_TRIED;
	struct str *texts = ARENA_ARRAY(s->a, struct str, *n);
	for (size_t k = 0; k < *n; k++) {
		struct sbuf b = {0};
		add_reduced(s, &b, 0, s->text.n, NULL, k);
		texts[k] = sbuf_finish(&b, s->a);
	}
	return texts;
}

static bool more_is_better(enum metric m)
{
	return m == METRIC_REGISTER_WAVES || m == METRIC_RESIDENT_WAVES;
}

static void take_most(struct kernel_metrics *to, const struct kernel_metrics *from)
{
	for (int m = 0; m < METRIC_COUNT; m++) {
		int64_t x = to->v[m], y = from->v[m];
		bool worse = more_is_better((enum metric)m) ? y < x : y > x;
		to->v[m] = x == METRIC_ABSENT || y == METRIC_ABSENT ? METRIC_ABSENT : worse ? y : x;
	}
}

void one_arm_take(
	struct state *s, struct measurement *one_arm, const struct measure_result *r, size_t texts)
{
	struct map reached = {0};
	for (size_t i = 0; i < s->sites; i++) {
		if (state_is_chained(s, &s->site[i])) {
			site_kernels(&reached, s, &s->site[i]);
		}
	}
	for (size_t t = 0; t < s->job->targets; t++) {
		one_arm[t] = (struct measurement){.target = s->job->target[t]->name};
		for (size_t k = 0; k < texts; k++) {
			const struct measure_result *one = &r[k * s->job->targets + t];
			if (one->status != MEASURE_OK) {
				one_arm[t].kernels = 0;
				break;
			}
			struct measurement m = measurement_of(s->a, &one->m, &reached);
			if (k == 0) {
				one_arm[t] = m;
				continue;
			}
			for (size_t i = 0; i < one_arm[t].kernels && i < m.kernels; i++) {
				take_most(&one_arm[t].kernel[i], &m.kernel[i]);
			}
		}
	}
	map_release(&reached);
}
