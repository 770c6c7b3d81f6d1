/* In its own file, because tests/mutate links another version that can switch a clause off. */
#include "strategy/plan/plan.h"

bool plan_refuse(struct plan *p, unsigned clause, const char *fmt, ...)
{
	if (p->out->clause) {
		return false;
	}
	struct sbuf s = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf(&s, fmt, ap);
	va_end(ap);
	p->out->clause = plan_own_clause(p, clause);
	p->out->why = sbuf_finish(&s, p->a).p;
	return false;
}
