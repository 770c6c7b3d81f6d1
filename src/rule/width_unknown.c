/*
 * unphi-width-unknown: a kernel template without an instantiation in the unit. The widths of its
 * accumulators depend on unknown arguments, so it is not checked, and a note says so.
 */
#include <string.h>

#include "rule/rule.h"
#include "rule/subject.h"

static void report(const struct rule_input *in, const struct kt_unit *u, const struct kt_pattern *p,
	struct diag_list *out)
{
	const struct kt_file *file = &u->file[p->file];
	const char *name = strrchr(p->name, ':') ? strrchr(p->name, ':') + 1 : p->name;
	const char *remedy = arena_printf(in->a, "give arguments for %s with --assume", p->missing);
	if (!*p->missing) {
		remedy = "with the assumed arguments, or its defaults, it does not compile";
	}
	struct diag d = {.level = DIAG_NOTE, .rule = "unphi-width-unknown", .next = "explain"};
	d.place = (struct diag_place){file->path, file->text, p->at, p->at + strlen(name), NULL};
	d.function = subject_function(in->a, p->name);
	d.code = str_hash(str_of(d.function), 0);
	d.text = str_of(arena_printf(in->a,
		"nothing in this unit instantiates the kernel template '%s': its widths are "
		"unknown, and it was not checked; %s",
		p->name, remedy));
	array_push(&out->v, d);
}

void rule_width_unknown(const struct rule_input *in, struct diag_list *out)
{
	const struct kt_unit *u = in->parse[0].unit;
	for (size_t i = 0; i < u->patterns; i++) {
		report(in, u, &u->pattern[i], out);
	}
}
