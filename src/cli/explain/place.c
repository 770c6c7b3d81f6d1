#include "cli/explain/place.h"

#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/explain/article.h"
#include "cli/explain/phis.h"
#include "cli/steps/findings.h"
#include "edit/edit.h"
#include "report/decision/choice.h"
#include "report/finding/diag.h"
#include "report/finding/place.h"

struct explaining {
	const struct cli_opts *o;
	struct arena *a;
	struct sbuf *out;
	const char *path;
	struct str source;
	const struct line_marks *lines;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	struct wire_unit found;
	const struct diag *d;
	struct choice choice;
	const struct decision *decision;
	const struct compiler *compiler; /* one per target */
};

static void add_heading(struct explaining *e, const char *text)
{
	sbuf_addf_visible(e->out, "\n%-s\n", text);
}

/* ---- the finding ---- */

static bool is_here(const struct explaining *e, const struct diag_place *p)
{
	return p->path && strcmp(p->path, e->path) == 0;
}

static void find_place(const struct explaining *e, struct diag_place *p)
{
	if (is_here(e, p)) {
		p->source = e->source;
		p->lines = e->lines;
	}
}

static unsigned line_of(const struct explaining *e, size_t offset)
{
	return line_marks_at(e->lines, offset).line;
}

/* The number of lines of the finding's code; 0 if the line to explain is not in it. Of two merges
 * around the line, the one with fewer lines is explained. */
static unsigned lines_of(const struct explaining *e, const struct diag *d)
{
	unsigned first = line_of(e, d->place.begin), last = first;
	for (size_t i = 0; i < d->arms; i++) {
		if (is_here(e, &d->arm[i]) && line_of(e, d->arm[i].end) > last) {
			last = line_of(e, d->arm[i].end);
		}
	}
	return e->o->line >= first && e->o->line <= last ? last - first + 1 : 0;
}

static int no_finding(const struct explaining *e)
{
	struct sbuf near = {0};
	unsigned last = 0;
	array_each (&e->found.found.v, const struct diag, d) {
		unsigned line = is_here(e, &d->place) ? line_of(e, d->place.begin) : 0;
		if (line && line != last) {
			sbuf_addf_visible(&near, "%s%u", near.n ? ", " : "", line);
			last = line;
		}
	}
	msg_error("%s: lint has no finding in line %u; it has findings in %s%s", e->path,
		e->o->line, near.n ? "line " : "no other", near.n ? sbuf_cstr(&near) : "");
	sbuf_release(&near);
	return FAIL_USAGE;
}

/* Finds the finding that begins on the line, else the innermost one around it. */
static int find_finding(struct explaining *e)
{
	unsigned best = 0;
	array_each (&e->found.found.v, struct diag, d) {
		unsigned lines = is_here(e, &d->place) ? lines_of(e, d) : 0;
		bool starts = lines && line_of(e, d->place.begin) == e->o->line;
		lines = starts ? 1 : lines;
		if (lines && (!best || lines < best || (lines == best && d->level < e->d->level))) {
			best = lines;
			e->d = d;
		}
	}
	return e->d ? 0 : no_finding(e);
}

static int find_all(struct explaining *e)
{
	struct cli_finding of = {.opts = e->o,
		.path = e->path,
		.shown = e->path,
		.targets = &e->targets,
		.intrinsics = &e->intrinsics};
	int rc = cli_find(&e->found, e->a, &of);
	array_each (&e->found.found.v, struct diag, d) {
		struct diag_place *p;
		for (size_t i = 0; (p = place_at(d, i)); i++) {
			find_place(e, p);
		}
	}
	diag_sort_unique(&e->found.found);
	return rc && e->found.found.v.n == 0 ? rc : find_finding(e);
}

/* Prints the finding with its notes. The notes on strategies follow later, with the strategies'
 * texts. */
static void add_finding(struct explaining *e)
{
	struct diag d = *e->d;
	size_t kept = 0;
	d.note = ARENA_ARRAY(e->a, struct diag_note, d.notes + 1);
	for (size_t i = 0; i < d.notes; i++) {
		bool shown = false;
		for (size_t s = 0; s < STRATEGY_COUNT && d.arms; s++) {
			struct str name = str_of(strategies[s].name);
			shown |= !e->d->note[i].place.path &&
				 str_eq(str_sub(e->d->note[i].text, 0, name.n), name);
		}
		if (!shown) {
			d.note[kept++] = e->d->note[i];
		}
	}
	d.notes = kept;
	diag_text(e->out, &d, DIAG_TEXT_QUOTED, cli_color(e->o, 1));
}

/* ---- the rewrite ---- */

static struct cli_choosing choosing(struct explaining *e)
{
	return (struct cli_choosing){.opts = e->o,
		.path = e->path,
		.source = e->source,
		.targets = &e->targets,
		.explain = true,
		.only_line = line_of(e, e->d->place.begin),
		.progress = cli_show_progress,
		.user = e->path};
}

static bool is_tried(const struct diag *d)
{
	return d->rule && (strcmp(d->rule, "unphi-phi-explosion") == 0 ||
				  strcmp(d->rule, "unphi-outdated-rewrite") == 0 ||
				  strcmp(d->rule, "unphi-dead-sync") == 0);
}

static int choose(struct explaining *e)
{
	struct cli_choosing c = choosing(e);
	int rc = cli_choose(&e->choice, e->a, &c);
	struct line_col at = line_marks_at(e->lines, e->d->place.begin);
	unsigned nearest = 0;
	e->compiler = c.compiler;
	for (size_t i = 0; rc == 0 && i < e->choice.decisions; i++) {
		const struct decision *d = &e->choice.decision[i];
		unsigned far = d->at.col > at.col ? d->at.col - at.col : at.col - d->at.col;
		if (d->in_original && d->at.line == at.line && d->kind != DECISION_FRAGMENT &&
			(!e->decision || far < nearest)) {
			nearest = far;
			e->decision = d;
		}
	}
	return rc;
}

static void add_registers(struct explaining *e)
{
	struct choice_shown shown = {.path = e->path,
		.target = e->targets.v,
		.compiler = e->compiler,
		.targets = e->targets.n,
		.only = e->d->kernels};
	add_heading(e, "Registers");
	for (size_t i = 0; i < e->targets.n; i++) {
		sbuf_addf_visible(e->out, "%s: %s (%s)\n", e->targets.v[i]->name,
			e->compiler[i].path, e->compiler[i].version);
	}
	choice_figures_text(e->out, &e->choice, &shown);
	if (!e->choice.changed) {
		sbuf_addf_visible(e->out, "no rewrite here makes them better%s%s\n",
			e->decision && e->decision->why_kept ? ": " : "",
			e->decision && e->decision->why_kept ? e->decision->why_kept : "");
	}
}

/* ---- the strategies ---- */

/* Adds the diff that the strategy makes. Prints no messages: the first parse did. */
static int add_text_of(struct explaining *e, const struct attempt *t)
{
	struct cli_forced forced = {&strategies[t->strategy], t->variant};
	struct cli_choosing c = choosing(e);
	struct choice made;
	struct sbuf diff = {0};
	c.force = &forced;
	c.progress = NULL;
	int rc = cli_choose(&made, e->a, &c);
	if (rc == 0) {
		diff_unified(&diff, e->source, made.text, arena_printf(e->a, "a/%s", e->path),
			arena_printf(e->a, "b/%s", e->path));
		sbuf_addstr(e->out, sbuf_str(&diff));
	}
	sbuf_release(&diff);
	return rc;
}

static int add_refusal(struct explaining *e, const struct attempt *t)
{
	const char *name = strategies[t->strategy].name;
	struct str by_hand = {0}, line;
	int rc = 0;
	sbuf_addf_visible(
		e->out, "%s does not apply: %s (clause %u)\n", name, t->reason, t->clause);
	if (strategies[t->strategy].subject == SUBJECT_MERGE) {
		rc = article_by_hand(&by_hand, e->a, name, t->clause);
	}
	for (bool first = true; str_line(&by_hand, &line); first = false) {
		sbuf_addf_visible(
			e->out, "  %s %.*s\n", first ? "by hand:" : "        ", STR_ARG(line));
	}
	return rc;
}

/* Is another form of the strategy shown in place of attempt i: a better one, or an earlier equal
 * one? */
static bool is_covered(const struct decision *d, size_t i)
{
	const struct attempt *t = &d->attempt[i];
	bool shown = false;
	for (size_t k = 0; k < d->attempts; k++) {
		const struct attempt *o = &d->attempt[k];
		bool better = o->outcome > t->outcome || (o->outcome == t->outcome && k < i);
		shown |= o->strategy == t->strategy && k != i && better;
	}
	return shown;
}

static int add_strategies(struct explaining *e)
{
	const struct decision *d = e->decision;
	int rc = 0;
	add_heading(e, "Strategies");
	for (size_t i = 0; rc == 0 && i < d->attempts; i++) {
		const struct attempt *t = &d->attempt[i];
		if (is_covered(d, i)) {
			continue;
		}
		if (t->outcome == OUTCOME_REFUSED) {
			rc = add_refusal(e, t);
			continue;
		}
		sbuf_addf_visible(e->out, "%s (%s): %s%s%s\n", strategies[t->strategy].name,
			t->variant, outcome_word(t->outcome), t->reason ? ": " : "",
			t->reason ? t->reason : "");
		if (strategies[t->strategy].subject == SUBJECT_MERGE) {
			rc = add_text_of(e, t);
		}
	}
	return rc;
}

/* ---- from top to bottom ---- */

static int add_measured(struct explaining *e)
{
	int rc = choose(e);
	if (rc || !e->decision) {
		return rc;
	}
	if (e->decision->explanation) {
		add_heading(e, "The merge");
		explanation_text(e->out, e->decision->explanation);
	}
	if (e->d->arms) {
		struct phis_job job = {.opts = e->o,
			.path = e->path,
			.targets = &e->targets,
			.compiler = e->compiler,
			.first = line_of(e, e->d->place.begin),
			.last = line_of(e, e->d->arm[0].begin),
			.kernels = e->d->kernels};
		add_heading(e, "In the compiler's IR");
		rc = phis_text(e->out, e->a, &job);
	}
	add_registers(e);
	return rc ? rc : add_strategies(e);
}

static int open_file(struct explaining *e)
{
	int rc = cli_files_check(e->o);
	rc = rc ? rc : file_text(&e->source, e->a, e->path);
	rc = rc ? rc : cli_targets_find(&e->targets, e->a, e->o);
	rc = rc ? rc : cli_intrinsics(&e->intrinsics, e->a, e->o);
	e->lines = line_marks_make(e->a, e->source);
	return rc;
}

int explain_place(struct sbuf *out, struct arena *a, const struct cli_opts *o)
{
	struct explaining e = {.o = o, .a = a, .out = out, .path = o->files.v[0]};
	int rc = open_file(&e);
	rc = rc ? rc : find_all(&e);
	if (rc == 0) {
		add_finding(&e);
		rc = is_tried(e.d) ? add_measured(&e) : 0;
	}
	if (rc == 0) {
		add_heading(&e, "Why it matters");
		rc = article_add_why(out, a, e.d->rule);
	}
	wire_release(&e.found);
	intrinsic_db_release(&e.intrinsics);
	return rc;
}
