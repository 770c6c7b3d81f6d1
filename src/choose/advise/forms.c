/*
 * Two register forms of matrix results. With blocks of at most 256 threads, LLVM up to 21 keeps
 * them in accumulation VGPRs for the matrix operations, and in ordinary VGPRs where they cross a
 * phi or are scaled (rule/register_form.c). Copies show it; those in loops cost most, but they may
 * also be only after a loop. The measured remedy is a second argument of the launch bounds: with 2
 * waves per SIMD there is one form. All kernels with such results get it in one text. Kernels
 * without more waves, or with spills from it, are left out, and the others are compiled again
 * together.
 */
#include "choose/advise/causing.h"

enum {
	RESULTS_LEAST = 16, /* accumulation VGPRs */
	WAVES_ASKED = 2
};

/* A place in the text that bounds kernels, with the effect of the second argument. */
struct place {
	struct bound bound;
	struct subject best; /* the kernel that gains most, by the ratio of its waves */
	const struct kernel_metrics *with;
	bool worse; /* for one of the kernels */
};

struct forming {
	struct causing *q;
	ARRAY(struct place) place;
};

static bool copies(const struct causing *q, const struct subject *s)
{
	const struct kernel_metrics *k = s->k;
	return q->s.job->target[s->target]->unified && k->trusted && k->v[METRIC_MATRIX_OP] > 0 &&
	       k->v[METRIC_ACC_VGPR] >= RESULTS_LEAST && s->u->fn[s->id].waves < WAVES_ASKED;
}

static struct place *place_of(struct forming *f, const struct subject *s)
{
	struct bound b;
	if (!cause_find_bound(&b, f->q, s) || b.second < b.second_end) {
		return NULL;
	}
	array_each (&f->place, struct place, p) {
		if (p->bound.first_end == b.first_end) {
			return p;
		}
	}
	array_push(&f->place, (struct place){.bound = b});
	return &f->place.v[f->place.n - 1];
}

static void find_places(struct forming *f)
{
	struct causing *q = f->q;
	for (size_t t = 0; t < q->s.job->targets; t++) {
		for (size_t i = 0; i < q->now[t].m.kernels; i++) {
			struct subject s;
			if (cause_subject(&s, q, t, &q->now[t].m.kernel[i]) && copies(q, &s)) {
				place_of(f, &s);
			}
		}
	}
}

/* Compiles the text with the second argument at all places that are not worse; NULL: no place is
 * left. */
static const struct measure_result *compile(const struct forming *f)
{
	struct edit_list edits = {{0}};
	array_each (&f->place, const struct place, p) {
		if (!p->worse) {
			edit_list_add(&edits, f->q->s.a, p->bound.first_end, p->bound.first_end,
				str_of(arena_printf(f->q->s.a, ", %d", WAVES_ASKED)));
		}
	}
	const struct measure_result *r = cause_compile(f->q, &edits);
	array_release(&edits.edits);
	return r;
}

/* Fewer waves, more spills, or a path that grows more than the waves: with clang 21, 3 waves
 * instead of 1 cost 1 % more issue cycles. */
static bool is_worse(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	const enum metric w = METRIC_RESIDENT_WAVES, p = METRIC_PATH_MOST;
	return cause_is_worse(x, y) || !y->trusted ||
	       (cause_rises(x, y, p) && y->v[p] * x->v[w] > x->v[p] * y->v[w]);
}

static bool is_gain_over(
	const struct kernel_metrics *x, const struct kernel_metrics *y, const struct place *p)
{
	const enum metric w = METRIC_RESIDENT_WAVES;
	return y->v[w] * p->best.k->v[w] > p->with->v[w] * x->v[w];
}

static void judge(struct forming *f, const struct measure_result *r)
{
	struct causing *q = f->q;
	for (size_t i = 0; i < f->place.n; i++) {
		f->place.v[i].with = NULL;
	}
	for (size_t t = 0; t < q->s.job->targets; t++) {
		for (size_t i = 0; i < q->now[t].m.kernels; i++) {
			struct subject s;
			const struct kernel_metrics *x = &q->now[t].m.kernel[i];
			bool ours = cause_subject(&s, q, t, x);
			struct place *p = ours ? place_of(f, &s) : NULL;
			const struct kernel_metrics *y = cause_after(&r[t], x);
			if (!p || (p->worse |= is_worse(x, y)) || !copies(q, &s)) {
				continue;
			}
			bool gains = cause_rises(x, y, METRIC_RESIDENT_WAVES);
			if (gains && (!p->with || is_gain_over(x, y, p))) {
				p->best = s;
				p->with = y;
			}
		}
	}
	for (size_t i = 0; i < f->place.n; i++) {
		f->place.v[i].worse |= !f->place.v[i].with;
	}
}

static void report(struct forming *f, const struct place *p)
{
	struct causing *q = f->q;
	struct str first = str_sub(q->s.text, p->bound.first, p->bound.first_end);
	const struct kernel_metrics *k = p->best.k;
	struct cause *c = cause_add(q, &p->best, CAUSE_FORM);
	c->gains = true;
	c->weight = (unsigned)k->v[METRIC_ACC_VGPR];
	const char *loops = "";
	const char *what = "has results of matrix operations in accumulation VGPRs, and computes "
			   "with copies of them in the others";
	if (k->form_copies > 0) {
		what = arena_printf(q->s.a,
			"copies results of matrix operations between two kinds of registers: %lld "
			"v_accvgpr instructions in its loops",
			(long long)k->form_copies);
		loops = arena_printf(q->s.a, ", v_accvgpr in loops %lld -> %lld",
			(long long)k->form_copies, (long long)p->with->form_copies);
	}
	c->text = arena_printf(q->s.a, "'%s' %s. With __launch_bounds__(%.*s, %d)%s: %s%s (%s)",
		k->name, what, STR_ARG(first), WAVES_ASKED, p->bound.of,
		cause_change(q, k, p->with), loops, q->s.job->target[p->best.target]->name);
	struct edit *e = ARENA_NEW(q->s.a, struct edit);
	e->begin = e->end = p->bound.first_end;
	e->text = str_of(arena_printf(q->s.a, ", %d", WAVES_ASKED));
	c->edit = e;
	c->edits = 1;
}

void cause_forms(struct causing *q)
{
	struct forming f = {.q = q};
	find_places(&f);
	const struct measure_result *r = f.place.n ? compile(&f) : NULL;
	size_t left = 0;
	if (r) {
		judge(&f, r);
	}
	array_each (&f.place, const struct place, p) {
		left += r && !p->worse;
	}
	if (left && left < f.place.n && (r = compile(&f))) {
		judge(&f, r);
	}
	array_each (&f.place, const struct place, p) {
		if (r && left && !p->worse) {
			report(&f, p);
		}
	}
	array_release(&f.place);
}
