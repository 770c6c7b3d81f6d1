#include "choose/advise/causing.h"

#include <string.h>

bool cause_subject(
	struct subject *out, const struct causing *q, size_t target, const struct kernel_metrics *k)
{
	const struct kt_unit *u = q->s.parse[target].unit;
	for (kt_id id = 1; id < u->fns; id++) {
		const struct kt_fn *fn = &u->fn[id];
		if (fn->kind == KT_FN_KERNEL && fn->symbol && strcmp(fn->symbol, k->symbol) == 0 &&
			fn->file && !u->file[fn->file].system) {
			*out = (struct subject){k, u, id, target};
			return true;
		}
	}
	return false;
}

struct cause *cause_add(struct causing *q, const struct subject *s, enum cause_kind kind)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	const struct kt_file *file = &s->u->file[fn->file];
	struct cause c = {.kind = kind,
		.function = fn->name,
		.path = file->path,
		.source = file->text,
		.at = fn->name_at,
		.end = fn->name_at + strlen(fn->base)};
	int64_t weight = s->k->v[METRIC_VGPR_SPILL];
	c.weight = weight > 0 ? (unsigned)weight : 0;
	array_push(&q->causes, c);
	return &q->causes.v[q->causes.n - 1];
}

bool cause_has(const struct causing *q, const struct subject *s, enum cause_kind kind)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	array_each (&q->causes, const struct cause, c) {
		if (c->kind == kind && strcmp(c->function, fn->name) == 0) {
			return true;
		}
	}
	return false;
}

const char *cause_change(
	struct causing *q, const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const struct {
		enum metric m;
		const char *name;
	} shown[] = {{METRIC_VGPR_SPILL, "VGPR spills"}, {METRIC_SCRATCH, "scratch bytes"},
		{METRIC_VGPR, "VGPRs"}, {METRIC_RESIDENT_WAVES, "waves/SIMD"}};
	struct sbuf b = {0};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		int64_t from = x->v[shown[i].m], to = y->v[shown[i].m];
		if (from != to) {
			sbuf_addf(&b, "%s%s %lld -> %lld", b.n ? ", " : "", shown[i].name,
				(long long)from, (long long)to);
		}
	}
	return sbuf_finish(&b, q->s.a).p;
}

const struct measure_result *cause_compile(struct causing *q, struct edit_list *edits)
{
	size_t clash[2];
	if (!edits->edits.n || !edit_list_check(edits, q->s.text.n, clash)) {
		return NULL;
	}
	struct str text = state_edited(&q->s, edits);
	return state_compile(&q->s, &text, 1, true, false);
}

const struct kernel_metrics *cause_after(
	const struct measure_result *r, const struct kernel_metrics *now)
{
	return r->status == MEASURE_OK ? measurement_kernel(&r->m, now->symbol) : NULL;
}

bool cause_rises(const struct kernel_metrics *x, const struct kernel_metrics *y, enum metric m)
{
	return y->v[m] > x->v[m];
}

bool cause_is_worse(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return !y || cause_rises(x, y, METRIC_VGPR_SPILL) || cause_rises(x, y, METRIC_SCRATCH) ||
	       cause_rises(y, x, METRIC_RESIDENT_WAVES);
}

bool cause_any(const struct causing *q, const struct measure_result *r, cause_test *is)
{
	for (size_t t = 0; t < q->s.job->targets; t++) {
		span_each (
			q->now[t].m.kernel, q->now[t].m.kernels, const struct kernel_metrics, x) {
			if (is(x, cause_after(&r[t], x))) {
				return true;
			}
		}
	}
	return false;
}

struct cause_gain cause_most(const struct causing *q, const struct measure_result *r,
	const struct map *kernels, int64_t least,
	int64_t (*gain)(const struct kernel_metrics *x, const struct kernel_metrics *y))
{
	struct cause_gain best = {.with = NULL};
	for (size_t t = 0; t < q->s.job->targets; t++) {
		span_each (
			q->now[t].m.kernel, q->now[t].m.kernels, const struct kernel_metrics, x) {
			const struct kernel_metrics *y = cause_after(&r[t], x);
			struct subject s;
			if (x->trusted && y && y->trusted && gain(x, y) > least &&
				map_has(kernels, str_of(x->symbol)) && cause_subject(&s, q, t, x)) {
				best = (struct cause_gain){s, y};
				least = gain(x, y);
			}
		}
	}
	return best;
}
