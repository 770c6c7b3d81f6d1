#include "cli/stays.h"

#include "report/suppress.h"

static const char *rule_of(enum decision_kind kind)
{
	switch (kind) {
	case DECISION_MERGE:
		return "unphi-phi-explosion";
	case DECISION_BARRIER:
		return "unphi-dead-sync";
	default:
		return NULL;
	}
}

const char *cli_stays(struct arena *a, struct str source, enum decision_kind kind, unsigned line)
{
	const char *rule = rule_of(kind), *why = NULL;
	struct suppressions all;
	suppressions_find(&all, source);
	if (rule && suppressions_hold(&all, line, rule)) {
		array_each (&all.v, const struct suppression, s) {
			if (s->used && !why) {
				struct str what = str_sub(source, s->begin, s->end);
				why = arena_printf(a, "%.*s: it is to stay%s%.*s", STR_ARG(what),
					s->reason.n ? ", " : "", STR_ARG(s->reason));
			}
		}
	}
	suppressions_release(&all);
	return why;
}
