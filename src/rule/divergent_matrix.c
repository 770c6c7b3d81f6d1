/*
 * unphi-divergent-matrix: a matrix operation that only some lanes of a wave reach.
 *
 *   if (limits[threadIdx.x] < n) {
 *           acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, acc, 0, 0, 0);
 *   }
 *
 * A matrix operation works on the operands of all lanes. CDNA GPUs ignore EXEC for it, so it also
 * writes the results of lanes that did not take the if; RDNA GPUs define no result. Reported where
 * the condition, of an if or an exit, is made of the lane's own number, of what the lane loads by
 * that, or of its results of matrix operations; see uniformity_parting_matrix for what is not.
 *
 * One finding for a condition, with the first operation that it guards.
 */
#include <string.h>

#include "rule/rule.h"
#include "rule/subject.h"

static const char rule_name[] = "unphi-divergent-matrix";

/* Has an instance or another target reported the place? */
static bool is_reported(const struct diag_list *out, const struct diag *d)
{
	array_each (&out->v, const struct diag, o) {
		if (o->rule == d->rule && o->place.begin == d->place.begin &&
			strcmp(o->place.path, d->place.path) == 0) {
			return true;
		}
	}
	return false;
}

/* That c parts the lanes that reach n. */
static void report(struct diag_list *out, struct arena *a, const struct kt_unit *u, kt_id fn,
	const struct kt_node *n, struct uniformity_cause c)
{
	struct diag d = {.level = DIAG_WARNING, .rule = rule_name, .next = "explain"};
	d.place = subject_place(u, c.node);
	d.text = STR("only some lanes of a wave reach a matrix operation by this condition: its "
		     "result is undefined");
	if (c.ended) {
		d.text = STR("lanes of a wave end by this condition, and others reach a matrix "
			     "operation: its result is undefined");
	}
	if (is_reported(out, &d)) {
		return;
	}
	subject_set(&d, a, u, fn, c.node->parent);
	d.note = ARENA_ARRAY(a, struct diag_note, 1);
	d.note[d.notes++] = (struct diag_note){.place = subject_place(u, n),
		.text = STR("lanes are missing here"),
		.says = SAYS_WHERE};
	array_push(&out->v, d);
}

static void look_at(struct diag_list *out, struct arena *a, const struct parse *p, kt_id fn)
{
	const struct kt_fn *k = &p->unit->fn[fn];
	const struct kt_node *body = k->in_system_header ? NULL : k->body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		struct uniformity_cause c = uniformity_parting_matrix(p->facts, n);
		if (c.node) {
			report(out, a, p->unit, fn, n, c);
		}
	}
}

void rule_divergent_matrix(const struct rule_input *in, struct diag_list *out)
{
	for (size_t i = 0; i < in->parses; i++) {
		for (kt_id fn = 1; fn < in->parse[i].unit->fns; fn++) {
			look_at(out, in->a, &in->parse[i], fn);
		}
	}
}
