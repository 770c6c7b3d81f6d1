/* --strategy: applies one strategy wherever it is legal, outermost merges first, without
 * measuring. */
#include "base/msg.h"
#include "choose/stage/stage.h"

enum {
	ROUNDS_MAX = 100
};

static bool inside_other(const struct state *s, const struct site *site)
{
	span_each (s->site, s->sites, const struct site, o) {
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
		if (!c->declares.n || !candidate_shares(c, e->text)) {
			reserved_add(out, e->text, e->begin);
		}
	}
}

/* A merge of the round and its decision, in the text before the round. */
struct forced {
	struct trial t;
	size_t original;
	const char *kernels;
};

struct forcing {
	struct state *s;
	ARRAY(struct forced) all;
	struct edit_list *edits; /* the edits of all picks */
	unsigned needs;
	bool again; /* another round is needed */
};

/* Takes the first candidate. False if another merge of the round changes the same text. */
static bool take(struct forcing *f, struct trial *t, struct reserved *added)
{
	struct state *s = f->s;
	struct str declared = reserved_text(s->opts.declared);
	if (t->candidates == 0) {
		t->why_kept = t->attempts.n ? t->attempts.v[0].reason : "it has no form for it";
		return true;
	}
	const struct candidate *c = &t->candidate[0];
	if (candidate_meets(c, f->edits, declared)) {
		return false;
	}
	t->pick = 0;
	trial_add_edits(s, f->edits, c);
	f->needs |= c->needs;
	/* two merges of one block must not declare the same name */
	reserve_texts(added, c);
	reserved_add(s->opts.declared, c->declares, RESERVED_BESIDE);
	reserved_add(s->opts.declared, c->forward, RESERVED_BESIDE);
	return true;
}

/* Tries all outermost merges. */
static void take_all(struct forcing *f)
{
	struct state *s = f->s;
	struct reserved added = {0};
	struct reserved declared = {0};
	s->opts.reserved = &added;
	s->opts.declared = &declared;
	for (size_t i = 0; i < s->sites; i++) {
		if (!state_is_pending(s, &s->site[i]) || inside_other(s, &s->site[i])) {
			continue;
		}
		struct forced one = {.original = state_original_offset(s, s->site[i].begin)};
		trial_init(&one.t, s, &s->site[i]);
		if (take(f, &one.t, &added)) {
			one.kernels = state_kernel_names(s, &one.t);
			array_push(&f->all, one);
		} else {
			/* (a loop around both): left to the next round */
			trial_release(&one.t);
		}
		f->again = true;
	}
	s->opts.reserved = NULL;
	s->opts.declared = NULL;
	reserved_release(&added);
	reserved_release(&declared);
}

/* The text with the picks of all merges before index end. */
static struct str text_of(struct forcing *f, size_t end, struct edit_list **edits)
{
	struct state *s = f->s;
	struct edit_list *l = ARENA_NEW(s->a, struct edit_list);
	unsigned needs = 0;
	for (size_t i = 0; i < end; i++) {
		const struct trial *t = &f->all.v[i].t;
		if (t->pick != SIZE_MAX) {
			trial_add_edits(s, l, &t->candidate[t->pick]);
			needs |= t->candidate[t->pick].needs;
		}
	}
	if (!state_finish_edits(s, l, needs)) {
		BUG("%s: edits of different merges overlap", s->job->path);
	}
	*edits = l;
	return state_edited(s, l);
}

/* Parses the text with all picks. If that fails, adds them one after the other, and drops those
 * that do not parse. */
static int parse_picks(struct forcing *f, struct str *text, struct edit_list **edits)
{
	struct state *s = f->s;
	*text = text_of(f, f->all.n, edits);
	if ((*edits)->edits.n == 0) {
		return 0;
	}
	int rc = state_parse(s, *text, true);
	for (size_t i = 0; rc == FAIL_INPUT && i < f->all.n; i++) {
		struct trial *t = &f->all.v[i].t;
		edit_list_release(*edits);
		*text = text_of(f, i + 1, edits);
		if (t->pick != SIZE_MAX && state_parse(s, *text, true) < 0) {
			t->attempts.v[t->attempt_of[t->pick]].outcome = OUTCOME_VETO;
			t->attempts.v[t->attempt_of[t->pick]].reason = TRIAL_UNREAD;
			t->why_kept = TRIAL_UNREAD;
			t->pick = SIZE_MAX;
			edit_list_release(*edits);
			*text = text_of(f, i + 1, edits);
		}
		rc = i + 1 < f->all.n ? rc : 0;
	}
	return rc;
}

/* One round over all outermost merges; *changed says whether another one is needed. */
static int round_of(struct state *s, bool *changed)
{
	struct forcing f = {.s = s, .edits = ARENA_NEW(s->a, struct edit_list)};
	struct edit_list *edits;
	struct str text;
	take_all(&f);
	int rc = parse_picks(&f, &text, &edits);
	array_each (&f.all, struct forced, one) {
		struct trial *t = &one->t;
		if (t->pick != SIZE_MAX) {
			t->attempts.v[t->attempt_of[t->pick]].outcome = OUTCOME_KEPT;
			t->attempts.v[t->attempt_of[t->pick]].reason = "forced, not measured";
			state_keep(s, t);
		}
		state_decide(s, t, one->original, one->kernels);
		array_push(&s->done, t->site->begin);
		trial_release(t);
	}
	if (edits->edits.n > 0) {
		state_accept(s, text, edits);
	}
	*changed = f.again;
	edit_list_release(f.edits);
	array_release(&f.all);
	return rc;
}

int force_run(struct state *s)
{
	bool changed = true, host = s->views > s->job->targets;
	int rc = 0;
	for (unsigned i = 0; changed && rc == 0 && i < ROUNDS_MAX; i++) {
		rc = round_of(s, &changed);
	}
	if (rc == 0 && host && s->views == s->job->targets) {
		rc = state_see_host(s);
	}
	if (rc == 0 && host && s->opts.host_unseen) {
		rc = fail_input(
			"%s: the rewritten text does not parse for the host. That is a fault of "
			"unphi, and the file is unchanged: please report it, with the file and "
			"the command",
			s->job->path);
	}
	return rc;
}
