#include "cli/lint/measured.h"

#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/steps/ledgers.h"
#include "edit/edit.h"
#include "report/finding/place.h"
#include "rule/rule.h"

struct measuring {
	const struct cli_unit *u;
	struct arena *a;
	struct str source;
	struct diag_list *found;
	struct choice choice;
	bool bounded;	    /* the choice is for the text with unphi-register-form's bounds */
	const char *remedy; /* the better remedy, and why it is better; NULL: only one applies */
};

/* The place of a decision about this finding; NULL: rewrite decides nothing about it. For advice on
 * lifetimes it is the place of the fragment that a note names. */
static const struct diag_place *subject_of(const struct diag *d, enum decision_kind *kind)
{
	static const struct {
		const char *rule;
		enum decision_kind kind;
	} kinds[] = {{"unphi-phi-explosion", DECISION_MERGE},
		{"unphi-outdated-rewrite", DECISION_MERGE}, {"unphi-dead-sync", DECISION_BARRIER},
		{"unphi-accumulator-lifetime", DECISION_FRAGMENT}};
	const size_t n = sizeof(kinds) / sizeof(kinds[0]);
	size_t at = 0;

	while (at < n && !(d->rule && strcmp(d->rule, kinds[at].rule) == 0)) {
		at++;
	}
	if (at == n) {
		return NULL;
	}
	*kind = kinds[at].kind;
	if (*kind != DECISION_FRAGMENT) {
		bool kept = *kind == DECISION_BARRIER && d->level == DIAG_NOTE;
		/* a kept barrier: the note already has the reason */
		return kept ? NULL : &d->place;
	}
	for (size_t i = 0; i < d->notes; i++) {
		if (d->note[i].place.path) {
			return &d->note[i].place;
		}
	}
	return NULL;
}

static bool is_of(const struct measuring *m, const struct diag *d)
{
	enum decision_kind kind;
	const struct diag_place *of = subject_of(d, &kind);

	return of && of->path && strcmp(of->path, m->u->shown) == 0;
}

static struct cli_choosing choosing(const struct measuring *m)
{
	return (struct cli_choosing){.opts = m->u->opts,
		.path = m->u->path,
		.source = m->source,
		.targets = &m->u->targets,
		.progress = cli_show_progress,
		.user = m->u->shown};
}

static int choose(struct measuring *m)
{
	struct cli_choosing c = choosing(m);

	c.fragments_told = true;
	return cli_choose(&m->choice, m->a, &c);
}

static bool offers_bound(const struct measuring *m, const struct diag *d)
{
	return d->edits && d->rule && strcmp(d->rule, "unphi-register-form") == 0 &&
	       d->place.path && strcmp(d->place.path, m->u->shown) == 0;
}

/* The source with the measured launch bounds; n 0: there are none. */
static struct str bound_text(const struct measuring *m)
{
	struct edit_list all = {{0}};
	struct sbuf text = {0};
	size_t clash[2];

	array_each (&m->found->v, const struct diag, d) {
		for (size_t i = 0; offers_bound(m, d) && i < d->edits; i++) {
			const struct diag_edit *e = &d->edit[i];
			edit_list_add(&all, m->a, e->place.begin, e->place.end, e->text);
		}
	}
	if (all.edits.n && edit_list_check(&all, m->source.n, clash)) {
		edit_list_apply(&text, m->source, &all);
	}
	edit_list_release(&all);
	return sbuf_finish(&text, m->a);
}

/* There are two remedies for copies between two kinds of registers: a second launch bound, and
 * rewrites of the merges. This compares the rewritten file with and without the bounds, and takes
 * the better one. If they are equally good it takes the bounds, which change less. */
static int compare_remedies(struct measuring *m)
{
	struct str text = m->choice.changed ? bound_text(m) : (struct str){0};
	struct cli_choosing c = choosing(m);
	struct choice bounded = {0};
	int better = 0;
	const char *why = NULL;

	if (!text.n) {
		return 0;
	}
	c.source = text;
	c.fragments_told = true;
	int rc = cli_choose(&bounded, m->a, &c);
	rc = rc ? rc : cli_choose_compare(&better, &why, m->a, &c, &m->choice, &bounded);
	if (rc) {
		return rc;
	}
	m->bounded = better >= 0;
	m->remedy = better == 0
			    ? "measured: the second launch bound is as good (unphi-register-form)"
			    : arena_printf(m->a, "measured: %s the second launch bound: %s",
				      m->bounded ? "better by" : "the rewrite is better than", why);
	if (m->bounded) {
		bounded.before = m->choice.before;
		bounded.text = bounded.changed ? bounded.text : m->source;
		m->choice = bounded;
	}
	return 0;
}

int cli_lint_causes(struct diag_list *found, struct arena *a, const struct cli_unit *u,
	const char *cwd, unsigned wanted)
{
	struct measuring m = {.u = u, .a = a};
	struct cause *cause = NULL;
	size_t n = 0;
	int rc = cli_directory_enter(u);

	rc = rc ? rc : file_text(&m.source, a, u->path);
	struct cli_choosing c = choosing(&m);
	rc = rc ? rc : cli_causes(&cause, &n, a, &c, wanted);
	rule_causes(found, a, cause, rc ? 0 : n);
	int back = cli_directory_go(cwd, u->shown);
	return rc ? rc : back;
}

/* The decision about the finding's subject: on its line, at the nearest column. */
static const struct decision *decision_of(const struct measuring *m, const struct diag *d)
{
	enum decision_kind kind = DECISION_KINDS;
	const struct diag_place *of = subject_of(d, &kind);
	struct line_col at = place_begin(of);
	const struct decision *best = NULL;
	unsigned nearest = 0;

	span_each (m->choice.decision, m->choice.decisions, const struct decision, c) {
		unsigned far = c->at.col > at.col ? c->at.col - at.col : at.col - c->at.col;
		if (c->in_original && c->kind == kind && c->at.line == at.line &&
			(!best || far < nearest)) {
			best = c;
			nearest = far;
		}
	}
	return best;
}

/* Do the measurements show that no rewrite gains? Not if a rewrite gained and was dropped for
 * another reason, if one was not tried, or if none is legal. */
static bool shows_no_gain(const struct decision *c)
{
	bool measured = c->costs_nothing;

	for (size_t i = 0; i < c->attempts; i++) {
		enum outcome o = c->attempt[i].outcome;
		if (o != OUTCOME_REFUSED && o != OUTCOME_WORSE && o != OUTCOME_EQUAL) {
			return false;
		}
		measured |= o != OUTCOME_REFUSED;
	}
	return c->kind == DECISION_MERGE && !c->rewritten && measured;
}

static const char *verdict(const struct measuring *m, const struct decision *c)
{
	const char *says = NULL;

	if (c->kind == DECISION_FRAGMENT && c->attempts == 0) {
		return arena_printf(
			m->a, "loading '%s' again is not measured: %s", c->name, c->why_kept);
	}
	if (c->attempts > 0 && c->attempt[0].outcome == OUTCOME_REFUSED &&
		c->kind == DECISION_FRAGMENT) {
		return arena_printf(m->a,
			"loading '%s' again is not measured, because it is not legal (%s, clause "
			"%u): "
			"%s",
			c->name, strategies[STRATEGY_REMATERIALIZE].name, c->attempt[0].clause,
			c->attempt[0].reason);
	}
	span_each (c->attempt, c->attempts, const struct attempt, t) {
		if (t->outcome == OUTCOME_KEPT) {
			says = arena_printf(m->a, "measured: %s (%s) makes it better: %s",
				strategies[t->strategy].name, t->variant,
				t->reason ? t->reason : "");
		}
	}
	if (!says && !c->rewritten && m->bounded) {
		says = m->remedy;
	} else if (!says && !c->rewritten) {
		says = arena_printf(m->a, "measured: no rewrite makes it better%s: %s",
			shows_no_gain(c) ? ", so this is a note" : "",
			c->why_kept ? c->why_kept : "none is legal");
	}
	return says ? says : "measured: it is rewritten with the merge around it";
}

static void add_note(struct arena *a, struct diag *d, const char *text)
{
	struct diag_note *note = ARENA_ARRAY(a, struct diag_note, d->notes + 1);

	memcpy(note, d->note, d->notes * sizeof(*note));
	note[d->notes] = (struct diag_note){.text = str_of(text), .says = SAYS_MEASURED};
	d->note = note;
	d->notes++;
}

/* Gives each finding the edits of the whole file: only all of them together were measured, and some
 * of them may not even compile. */
static void add_edits(struct measuring *m)
{
	struct edit_list l = {{0}};
	struct diag_edit *edit;

	diff_edits(&l, m->a, m->source, m->choice.text);
	edit = ARENA_ARRAY(m->a, struct diag_edit, l.edits.n);
	bool any = false;
	array_each (&m->found->v, struct diag, d) {
		const struct decision *c = is_of(m, d) ? decision_of(m, d) : NULL;
		bool bound = m->bounded && m->choice.changed && offers_bound(m, d);
		if (!bound && (!c || !c->rewritten)) {
			continue;
		}
		any = true;
		for (size_t i = 0; i < l.edits.n; i++) {
			const struct edit *e = &l.edits.v[i];
			edit[i] = (struct diag_edit){
				{d->place.path, d->place.source, e->begin, e->end, NULL}, e->text};
		}
		d->edit = edit;
		d->edits = l.edits.n;
	}
	/* other findings lose their edits, since they were not measured together with these */
	array_each (&m->found->v, struct diag, d) {
		if (any && d->edits && !is_of(m, d) && !(m->bounded && offers_bound(m, d)) &&
			d->place.path && strcmp(d->place.path, m->u->shown) == 0) {
			d->edits = 0;
		}
	}
	edit_list_release(&l);
}

static void add_verdicts(struct measuring *m)
{
	array_each (&m->found->v, struct diag, d) {
		const struct decision *c = is_of(m, d) ? decision_of(m, d) : NULL;
		if (m->remedy && !m->bounded && offers_bound(m, d)) {
			add_note(m->a, d, m->remedy);
		}
		if (!c) {
			continue;
		}
		add_note(m->a, d, verdict(m, c));
		/* the measurement replaces the estimate */
		if (c->kind == DECISION_MERGE && c->rewritten && d->level == DIAG_NOTE) {
			d->level = DIAG_WARNING;
		} else if (shows_no_gain(c) ||
			   (m->bounded && c->kind == DECISION_MERGE && !c->rewritten)) {
			d->level = DIAG_NOTE;
		}
	}
}

/* The ledgers of the source, beside its measured figures. */
static int draw_ledgers(struct str *out, const struct measuring *m)
{
	struct intrinsic_db intrinsics = {0};
	struct ledger_list list = {{0}};
	struct sbuf text = {0};
	int rc = cli_intrinsics(&intrinsics, m->a, m->u->opts);

	for (size_t i = 0; rc == 0 && i < m->u->targets.n; i++) {
		const struct target *t = m->u->targets.v[i];
		struct frontend_job job = {.path = m->u->path,
			.target = t->name,
			.relatives = t->relatives,
			.wave_size = t->wave_size,
			.flags = m->u->targets.flags,
			.no_cache = m->u->opts->no_cache,
			.intrinsics = &intrinsics};
		const struct cli_ledgers how = {.job = &job,
			.target = t,
			.measured = m->choice.before ? &m->choice.before[i] : NULL};
		rc = cli_ledgers_add(&list, m->a, &how);
	}
	if (rc == 0 && list.v.n) {
		ledger_svg(&text, list.v.v, list.v.n);
		*out = sbuf_finish(&text, m->a);
	}
	array_release(&list.v);
	intrinsic_db_release(&intrinsics);
	return rc;
}

int cli_lint_measure(struct lint_measured *out, struct diag_list *found, struct arena *a,
	const struct cli_unit *u, const char *cwd)
{
	struct measuring m = {.u = u, .a = a, .found = found};
	size_t n = 0;

	*out = (struct lint_measured){0};
	array_each (&found->v, const struct diag, d) {
		if (is_of(&m, d)) {
			m.source = d->place.source;
			n++;
		}
	}
	if (n == 0) {
		return 0;
	}
	int rc = cli_directory_enter(u);
	rc = rc ? rc : choose(&m);
	rc = rc ? rc : compare_remedies(&m);
	if (rc == 0 && u->opts->format == FORMAT_HTML) {
		rc = draw_ledgers(&out->ledger, &m);
	}
	int back = cli_directory_go(cwd, u->shown);
	rc = rc ? rc : back;
	if (rc == 0) {
		add_verdicts(&m);
		add_edits(&m);
		out->source = m.source;
		out->choice = arena_memdup(a, &m.choice, sizeof(m.choice));
	}
	return rc;
}
