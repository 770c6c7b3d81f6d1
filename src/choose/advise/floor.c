/* Kernels that spill with only one arm of every merge: their widest variables and registers. */
#include <stdlib.h>
#include <string.h>

#include "choose/advise/causing.h"

enum {
	VARIABLES_SHOWN = 5,
	VARIABLE_MIN_VGPRS = 4
};

struct variable {
	const char *name;
	const char *type;
	unsigned width;
};

static int wider(const void *x, const void *y)
{
	const struct variable *v = x, *w = y;
	return v->width != w->width ? (v->width < w->width) - (v->width > w->width)
				    : strcmp(v->name, w->name);
}

/* The widest private variables of all functions that the kernel runs. */
static const char *widest(struct causing *q, const struct subject *s)
{
	struct facts *facts = q->s.parse[s->target].facts;
	ARRAY(struct variable) v = {0};
	for (kt_id i = 1; i < s->u->syms; i++) {
		const struct kt_sym *sym = &s->u->sym[i];
		bool local = sym->kind == KT_S_LOCAL && sym->space == KT_PRIVATE && sym->fn;
		unsigned width = local ? kt_type_width(&s->u->type[sym->type]) : 0;
		kt_id *kernel;
		size_t n = 0;
		if (width >= VARIABLE_MIN_VGPRS && s->u->type[sym->type].kind != KT_T_REFERENCE) {
			facts_kernels_of(&kernel, &n, facts, q->s.a, sym->fn);
		}
		for (size_t k = 0; k < n; k++) {
			if (kernel[k] == s->id) {
				array_push(&v, (struct variable){sym->name,
						       s->u->type[sym->type].name, width});
			}
		}
	}
	struct sbuf b = {0};
	array_sort(&v, wider);
	for (size_t i = 0; i < v.n && i < VARIABLES_SHOWN; i++) {
		sbuf_addf(&b, "%s'%s' (%s, %u)", b.n ? ", " : "", v.v[i].name, v.v[i].type,
			v.v[i].width);
	}
	const char *r =
		b.n ? arena_printf(q->s.a, "the widest of its variables, in VGPRs per lane: %s",
			      sbuf_cstr(&b))
		    : "no variable of it is wide: it keeps many values at a time";
	array_release(&v);
	sbuf_release(&b);
	return r;
}

/* one_arm: the kernel's figures with one arm, or its own if it has no wide merge. */
static void add_one_arm(
	struct causing *q, const struct subject *s, const struct kernel_metrics *one_arm)
{
	const char *still = one_arm == s->k ? "" : "still ";
	const char *merges = one_arm == s->k
				     ? ", and no wide accumulator that unphi sees crosses a merge"
				     : " with only one arm left of each of its wide merges";
	if (!cause_spills(one_arm) || cause_has(q, s, CAUSE_FLOOR)) {
		return;
	}
	struct cause *c = cause_add(q, s, CAUSE_FLOOR);
	c->text = arena_printf(q->s.a,
		"'%s' %shas %lld VGPR spills and %lld bytes of scratch (%s)%s", s->k->name, still,
		(long long)one_arm->v[METRIC_VGPR_SPILL], (long long)one_arm->v[METRIC_SCRATCH],
		q->s.job->target[s->target]->name, merges);
	c->note = ARENA_ARRAY(q->s.a, struct cause_note, 1);
	c->note[c->notes++].text = widest(q, s);
}

/* The measurements with only one arm, one for each target; empty without a wide merge. */
static struct measurement *measure_one_arm(struct causing *q)
{
	size_t n;
	struct measurement *one_arm = ARENA_ARRAY(q->s.a, struct measurement, q->s.job->targets);
	struct str *texts = one_arm_texts(&q->s, &n);
	struct measure_result *r = n ? state_compile(&q->s, texts, n, true, false) : NULL;
	if (r) {
		one_arm_take(&q->s, one_arm, r, n);
	}
	return one_arm;
}

static bool reached_by_merge(struct causing *q, const struct subject *s)
{
	struct map reached = {0};
	for (size_t i = 0; i < q->s.sites; i++) {
		if (state_is_chained(&q->s, &q->s.site[i])) {
			site_kernels(&reached, &q->s, &q->s.site[i]);
		}
	}
	bool is = map_has(&reached, str_of(s->k->symbol));
	map_release(&reached);
	return is;
}

void cause_spilling(struct causing *q)
{
	struct measurement *one_arm = NULL;
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *m = &q->now[t].m;
		for (size_t i = 0; i < m->kernels; i++) {
			struct subject s;
			if (!cause_spills(&m->kernel[i]) ||
				!cause_subject(&s, q, t, &m->kernel[i])) {
				continue;
			}
			if (cause_has(q, &s, CAUSE_BOUNDS) ||
				(q->wanted & CAUSE_BOUNDS &&
					(cause_try_bounds(q, &s) || cause_try_smaller(q, &s))) ||
				!(q->wanted & CAUSE_FLOOR)) {
				continue;
			}
			if (!reached_by_merge(q, &s)) {
				add_one_arm(q, &s, s.k);
				continue;
			}
			one_arm = one_arm ? one_arm : measure_one_arm(q);
			const struct kernel_metrics *f =
				measurement_kernel(&one_arm[t], s.k->symbol);
			if (f) {
				add_one_arm(q, &s, f);
			}
		}
	}
}
