/*
 * In the place of src/strategy/plan/refuse.c: with UNPHI_MUTATE=STRATEGY.NUMBER,... in the
 * environment, these clauses of these strategies forbid nothing. tests/exec/mutate.py shows for
 * every clause what goes wrong then.
 */
#include <stdlib.h>
#include "strategy/plan/plan.h"

static bool switched_off(const struct plan *p, unsigned clause)
{
	const char *off = getenv("UNPHI_MUTATE");
	struct str rest = str_of(off ? off : "");
	struct str word;
	const char *name = arena_printf(p->a, "%s.%u", strategies[p->out->strategy].name, clause);
	while (str_split(&rest, ',', &word)) {
		if (str_is(word, name)) {
			return true;
		}
	}
	return false;
}

bool plan_refuse(struct plan *p, unsigned clause, const char *fmt, ...)
{
	clause = plan_own_clause(p, clause);
	if (p->out->clause || switched_off(p, clause)) {
		return !p->out->clause;
	}
	struct sbuf s = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf(&s, fmt, ap);
	va_end(ap);
	p->out->clause = clause;
	p->out->why = arena_strdup(p->a, sbuf_cstr(&s));
	sbuf_release(&s);
	return false;
}
