/* --strategy: one strategy wherever it is legal, outermost merges first, nothing measured. */
#include "base/msg.h"
#include "choose/state.h"

enum {
	ROUNDS_MAX = 100
};

static bool inside_other(const struct state *s, const struct site *site)
{
	for (size_t i = 0; i < s->sites; i++) {
		const struct site *o = &s->site[i];
		if (o != site && state_is_pending(s, o) && o->begin <= site->begin &&
			o->end >= site->end) {
			return true;
		}
	}
	return false;
}

static void reserve_texts(struct reserved *out, const struct candidate *c)
{
	array_each (&c->edits.edits, const struct edit, e) {
		if (!str_eq(e->text, c->declares)) {
			reserved_add(out, e->text);
		}
	}
}

/* One round over all outermost merges; *changed says whether another one is needed. */
static int round_of(struct state *s, bool *changed)
{
	struct edit_list *l = ARENA_NEW(s->a, struct edit_list);
	unsigned needs = 0;
	struct reserved added = {0};
	struct reserved declared = {0};
	ARRAY(size_t) looked = {0};
	*changed = false;
	s->opts.reserved = &added;
	s->opts.declared = &declared;
	for (size_t i = 0; i < s->sites; i++) {
		if (!state_is_pending(s, &s->site[i]) || inside_other(s, &s->site[i])) {
			continue;
		}
		struct trial t;
		trial_init(&t, s, &s->site[i]);
		if (t.candidates && candidate_meets(&t.candidate[0], l, reserved_text(&declared))) {
			/* both want the same text (a loop around both): the next round's, if it is
			 * still there */
			trial_release(&t);
			*changed = true;
			continue;
		}
		if (t.candidates) {
			t.pick = 0;
			t.attempts.v[t.attempt_of[0]].outcome = OUTCOME_KEPT;
			t.attempts.v[t.attempt_of[0]].reason = "forced, not measured";
			trial_add_edits(s, l, &t.candidate[0]);
			needs |= t.candidate[0].needs;
			/* two merges of one block must not declare the same name */
			reserve_texts(&added, &t.candidate[0]);
			reserved_add(&declared, t.candidate[0].declares);
			reserved_add(&declared, t.candidate[0].forward);
		} else {
			t.why_kept =
				t.attempts.n ? t.attempts.v[0].reason : "it has no form for it";
		}
		state_decide(s, &t, state_original_offset(s, s->site[i].begin),
			state_kernel_names(s, &t));
		array_push(&looked, s->site[i].begin);
		trial_release(&t);
	}
	s->opts.reserved = NULL;
	s->opts.declared = NULL;
	reserved_release(&added);
	reserved_release(&declared);
	*changed |= looked.n > 0;
	for (size_t i = 0; i < looked.n; i++) {
		array_push(&s->done, looked.v[i]);
	}
	array_release(&looked);
	if (l->edits.n == 0) {
		edit_list_release(l);
		return 0;
	}
	if (!state_finish_edits(s, l, needs)) {
		BUG("%s: edits of different merges overlap", s->job->path);
	}
	struct sbuf b = {0};
	edit_list_apply(&b, s->text, l);
	struct str text = {arena_strndup(s->a, sbuf_cstr(&b), b.n), b.n};
	sbuf_release(&b);
	state_accept(s, text, l);
	return state_parse(s, text, false);
}

int force_run(struct state *s)
{
	bool changed = true;
	int rc = 0;
	for (unsigned i = 0; changed && rc == 0 && i < ROUNDS_MAX; i++) {
		rc = round_of(s, &changed);
	}
	return rc;
}
