#include "choose/advise/causes.h"

#include "base/msg.h"
#include "choose/advise/accesses.h"
#include "choose/advise/causing.h"

/* Beside a fix of another kind these are reported without edits: they were not measured
 * together. */
static int look_at_accesses(struct causing *q)
{
	struct cause *c;
	size_t n;
	bool fixed = false;
	array_each (&q->causes, const struct cause, other) {
		fixed = fixed || other->insert || other->edits;
	}
	int rc = accesses_find(&c, &n, &q->s, fixed);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		array_push(&q->causes, c[i]);
	}
	return rc;
}

static int run(struct causing *q)
{
	int rc = state_parse(&q->s, q->s.text, true);
	if (rc) {
		return rc;
	}
	struct measure_result *now = state_compile(&q->s, &q->s.text, 1, false, false);
	if (!now) {
		return FAIL_USAGE;
	}
	q->now = now;
	for (size_t t = 0; t < q->s.job->targets; t++) {
		if (now[t].status != MEASURE_OK) {
			return FAIL_INPUT;
		}
	}
	if (q->wanted & CAUSE_BOUNDS) {
		cause_bounds(q);
	}
	if (q->wanted & (CAUSE_BOUNDS | CAUSE_FLOOR)) {
		cause_spilling(q);
	}
	if (q->wanted & CAUSE_FORM) {
		cause_forms(q);
	}
	if (q->wanted & CAUSE_WAVE) {
		cause_waves(q);
	}
	if (q->wanted & CAUSE_GUARDED) {
		cause_guarded(q);
	}
	if (q->wanted & CAUSE_ARMS) {
		cause_arms(q);
	}
	rc = q->wanted & CAUSE_PROBE ? cause_probe(q) : 0;
	return rc || !(q->wanted & CAUSE_ACCESS) ? rc : look_at_accesses(q);
}

int causes_find(struct cause **out, size_t *n, struct arena *a, const struct choose_job *job,
	unsigned wanted)
{
	struct causing q = {.s = {.job = job,
				    .a = a,
				    .lines = line_marks_make(a, job->source),
				    .text = job->source},
		.wanted = wanted};
	state_set_limits(&q.s);
	int rc = run(&q);
	state_release_parses(&q.s);
	array_move(*out, *n, a, &q.causes);
	array_release(&q.s.done);
	array_release(&q.s.compiled);
	sbuf_release(&q.s.stamps);
	other_names_release(&q.s.others);
	return rc;
}
