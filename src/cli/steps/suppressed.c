#include "cli/steps/suppressed.h"

#include <string.h>

#include "base/file.h"
#include "cli/setup/sources.h"
#include "report/finding/baseline.h"
#include "report/finding/place.h"
#include "report/finding/suppress.h"

/* A finding that the baseline lists. */
struct known_finding {
	const char *rule;
	const char *path; /* real */
	unsigned line;
	struct str reason;
};

struct suppressing {
	const char *baseline;
	const struct known_finding *v;
	size_t n;
	unsigned only_line; /* of cli_suppress_all_but */
};

/* ---- queries of a job ---- */

static const char *suppressed_by(struct arena *a, struct str who, struct str reason)
{
	return arena_printf(
		a, "%.*s: suppressed%s%.*s", STR_ARG(who), reason.n ? ", " : "", STR_ARG(reason));
}

static const char *by_comment(struct arena *a, struct str source, const char *rule, unsigned line)
{
	const char *why = NULL;
	struct suppressions all;
	suppressions_find(&all, source);
	if (suppressions_hold(&all, line, rule)) {
		array_each (&all.v, const struct suppression, s) {
			if (s->used && !why) {
				why = suppressed_by(
					a, str_sub(source, s->begin, s->end), s->reason);
			}
		}
	}
	suppressions_release(&all);
	return why;
}

static const char *by_baseline(
	struct arena *a, const struct choose_job *job, const char *rule, unsigned line)
{
	const struct suppressing *by = job->suppressing;
	const char *path = by ? path_real(a, job->path) : NULL;
	for (size_t i = 0; path && i < by->n; i++) {
		const struct known_finding *k = &by->v[i];
		if (k->line == line && strcmp(k->rule, rule) == 0 && strcmp(k->path, path) == 0) {
			return suppressed_by(a, str_of(by->baseline), k->reason);
		}
	}
	return NULL;
}

static const char *suppressed(
	const struct choose_job *job, struct arena *a, enum decision_kind kind, unsigned line)
{
	static const char *const merges[] = {"unphi-phi-explosion", "unphi-outdated-rewrite", NULL};
	static const char *const barriers[] = {"unphi-dead-sync", NULL};
	static const char *const none[] = {NULL};
	const char *const *rule = kind == DECISION_MERGE     ? merges
				  : kind == DECISION_BARRIER ? barriers
							     : none;
	const char *why = NULL;
	for (; *rule && !why; rule++) {
		why = by_comment(a, job->source, *rule, line);
		why = why ? why : by_baseline(a, job, *rule, line);
	}
	return why;
}

/* ---- the baseline ---- */

static bool is_checked(void *user, const char *file)
{
	return source_known(user, file) != NULL;
}

static void keep_known(
	struct suppressing *by, struct arena *a, struct baseline *b, const struct wire_unit *unit)
{
	struct sources sources = {.a = a};
	struct known_finding *known = ARENA_ARRAY(a, struct known_finding, unit->found.v.n);
	for (size_t i = 0; i < unit->files.n; i++) {
		source_of(&sources, unit->files.v[i]);
	}
	struct baseline_scope scope = {is_checked, &sources};
	const struct baseline_entry **entry = baseline_known(a, b, &unit->found, &scope);
	for (size_t i = 0; i < unit->found.v.n; i++) {
		struct diag_place place = unit->found.v.v[i].place;
		struct source *s = entry[i] && place.path ? source_of(&sources, place.path) : NULL;
		if (s) {
			source_read(&sources, s);
			place.source = sbuf_str(&s->text);
			place.lines = s->lines;
			known[by->n++] = (struct known_finding){.rule = unit->found.v.v[i].rule,
				.path = path_real(a, place.path),
				.line = place_begin(&place).line,
				.reason = entry[i]->reason};
		}
	}
	by->v = known;
	sources_release(&sources);
}

static int read_baseline(struct suppressing *by, struct arena *a, const struct cli_finding *of)
{
	struct baseline baseline;
	struct wire_unit unit = {0};
	int rc = baseline_load(&baseline, a, by->baseline);
	rc = rc ? rc : cli_find(&unit, a, of);
	if (rc == 0) {
		keep_known(by, a, &baseline, &unit);
	}
	wire_release(&unit);
	return rc;
}

static const char *suppress_other_line(
	const struct choose_job *job, struct arena *a, enum decision_kind kind, unsigned line)
{
	const struct suppressing *by = job->suppressing;
	(void)a;
	(void)kind;
	return line == by->only_line ? NULL : "it is on another line";
}

void cli_suppress_all_but(struct choose_job *job, struct arena *a, unsigned line)
{
	struct suppressing *by = ARENA_NEW(a, struct suppressing);
	by->only_line = line;
	job->suppressing = by;
	job->suppressed = suppress_other_line;
}

int cli_suppressed_add(struct choose_job *job, struct arena *a, const struct cli_finding *unit)
{
	const struct cli_opts *o = unit->opts;
	struct cli_finding of = *unit;
	of.intrinsics = job->intrinsics;
	of.quiet = true;
	job->suppressed = o->all ? NULL : suppressed;
	if (o->all || !o->baseline || o->command == COMMAND_LINT) {
		return 0; /* lint itself drops the findings that the baseline lists */
	}
	struct suppressing *by = ARENA_NEW(a, struct suppressing);
	by->baseline = o->baseline;
	job->suppressing = by;
	return read_baseline(by, a, &of);
}
