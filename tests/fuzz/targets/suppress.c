/* report: comments that take findings back, in any text. They come in source order, lie in the
 * text, and hold for lines in order; every one can be used and judged. */
#include "report/finding/suppress.h"
#include "rule/rule.h"
#include "target.h"

static void check(const struct suppressions *s, struct str text)
{
	for (size_t i = 0; i < s->v.n; i++) {
		const struct suppression *p = &s->v.v[i];
		REQUIRE(p->begin < p->end && p->end <= text.n);
		REQUIRE(i == 0 || s->v.v[i - 1].begin < p->begin);
		REQUIRE(str_starts(str_sub(text, p->begin, p->end), "NOLINT"));
		REQUIRE(p->first <= p->last || p->open);
		REQUIRE(p->rules.n + p->reason.n <= text.n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct suppressions s = {{0}};
	struct diag_list found = {{0}};
	struct arena *a = arena_create();
	suppressions_find(&s, text);
	check(&s, text);
	for (unsigned line = 1; line < 40; line++) {
		suppressions_hold(&s, line, line % 3 ? "unphi-phi-explosion" : suppression_rule);
	}
	suppressions_judge(&found, a, &s, "k.hip", text, size % 2 ? NULL : "-*,unphi-s*");
	REQUIRE(found.v.n <= 2 * s.v.n);
	array_release(&found.v);
	suppressions_release(&s);
	arena_free(a);
	return 0;
}
