#include "cli/steps/stays.h"

#include <string.h>

#include "base/file.h"
#include "cli/setup/sources.h"
#include "report/finding/baseline.h"
#include "report/finding/place.h"
#include "report/finding/suppress.h"

/* A finding that the baseline knows. */
struct kept {
	const char *rule;
	const char *path; /* real */
	unsigned line;
	struct str reason;
};

struct keeper {
	const char *baseline;
	const struct kept *v;
	size_t n;
	unsigned only_line; /* of cli_stays_but */
};

/* ---- what a job asks ---- */

static const char *is_to_stay(struct arena *a, struct str who, struct str reason)
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
				why = is_to_stay(a, str_sub(source, s->begin, s->end), s->reason);
			}
		}
	}
	suppressions_release(&all);
	return why;
}

static const char *by_baseline(
	struct arena *a, const struct choose_job *job, const char *rule, unsigned line)
{
	const struct keeper *keeper = job->keeper;
	const char *path = keeper ? path_real(a, job->path) : NULL;
	for (size_t i = 0; path && i < keeper->n; i++) {
		const struct kept *k = &keeper->v[i];
		if (k->line == line && strcmp(k->rule, rule) == 0 && strcmp(k->path, path) == 0) {
			return is_to_stay(a, str_of(keeper->baseline), k->reason);
		}
	}
	return NULL;
}

static const char *stays(
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

/* ---- what the baseline knows ---- */

static bool looked_at(void *user, const char *file)
{
	return source_known(user, file) != NULL;
}

static void keep_known(
	struct keeper *keeper, struct arena *a, struct baseline *b, const struct wire_unit *unit)
{
	struct sources sources = {.a = a};
	struct kept *kept = ARENA_ARRAY(a, struct kept, unit->found.v.n);
	for (size_t i = 0; i < unit->files.n; i++) {
		source_of(&sources, unit->files.v[i]);
	}
	struct baseline_scope scope = {looked_at, &sources};
	const struct baseline_entry **entry = baseline_known(a, b, &unit->found, &scope);
	for (size_t i = 0; i < unit->found.v.n; i++) {
		struct diag_place place = unit->found.v.v[i].place;
		struct source *s = entry[i] && place.path ? source_of(&sources, place.path) : NULL;
		if (s) {
			source_read(&sources, s);
			place.source = sbuf_str(&s->text);
			place.lines = s->lines;
			kept[keeper->n++] = (struct kept){.rule = unit->found.v.v[i].rule,
				.path = path_real(a, place.path),
				.line = place_begin(&place).line,
				.reason = entry[i]->reason};
		}
	}
	keeper->v = kept;
	sources_release(&sources);
}

static int read_baseline(struct keeper *keeper, struct arena *a, const struct cli_finding *of)
{
	struct baseline baseline;
	struct wire_unit unit = {0};
	int rc = baseline_load(&baseline, a, keeper->baseline);
	rc = rc ? rc : cli_find(&unit, a, of);
	if (rc == 0) {
		keep_known(keeper, a, &baseline, &unit);
	}
	wire_release(&unit);
	return rc;
}

static const char *stays_elsewhere(
	const struct choose_job *job, struct arena *a, enum decision_kind kind, unsigned line)
{
	const struct keeper *keeper = job->keeper;
	(void)a;
	(void)kind;
	return line == keeper->only_line ? NULL : "it is not at that place";
}

void cli_stays_but(struct choose_job *job, struct arena *a, unsigned line)
{
	struct keeper *keeper = ARENA_NEW(a, struct keeper);
	keeper->only_line = line;
	job->keeper = keeper;
	job->stays = stays_elsewhere;
}

int cli_stays_add(struct choose_job *job, struct arena *a, const struct cli_finding *of)
{
	const struct cli_opts *o = of->opts;
	job->stays = o->all ? NULL : stays;
	if (o->all || !o->baseline || o->command == COMMAND_LINT) {
		return 0; /* lint prints nothing of what its baseline knows */
	}
	struct keeper *keeper = ARENA_NEW(a, struct keeper);
	keeper->baseline = o->baseline;
	job->keeper = keeper;
	return read_baseline(keeper, a, of);
}
