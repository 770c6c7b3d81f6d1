#ifndef UNPHI_REPORT_CHOICE_H
#define UNPHI_REPORT_CHOICE_H
/* What rewrite tried, kept and gained, as text and as JSON. */
#include "choose/choose.h"

struct choice_shown {
	const char *path;
	const struct target *const *target;
	const struct compiler *compiler; /* parallel; NULL when nothing was measured */
	size_t targets;
};

void choice_text(struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
void choice_json(struct sbuf *out, const struct choice *c, const struct choice_shown *shown);
#endif
