#include "analysis/parse.h"

#include "analysis/merge/alike.h"

void parse_look_into(
	struct parse *out, struct kt_unit *u, struct arena *a, const struct intrinsic_db *db)
{
	*out = (struct parse){.unit = u, .facts = facts_create(u, a, db)};
	out->uniformity = uniformity_create(out->facts, a);
	merges_find(&out->merges, out->facts, a);
	alike_find(&out->merges, out->facts, out->uniformity);
}

void parse_release(struct parse *p)
{
	if (p->facts) {
		facts_release(p->facts);
	}
	p->facts = NULL;
}
