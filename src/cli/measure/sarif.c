/* The gate's findings as SARIF for code scanning, each at its kernel. */
#include "cli/measure/measuring.h"
#include "report/finding/sarif.h"

void measuring_sarif(struct sbuf *out, struct arena *a, const struct gate *g)
{
	static const struct sarif_rule rules[] = {
		{"unphi-budget", "a kernel is over its budget", true, DIAG_ERROR},
		{"unphi-regression",
			"a kernel has more spills or scratch or fewer waves than before", true,
			DIAG_ERROR},
	};
	struct diag_list found = {0};

	array_each (&g->v, const struct gate_line, l) {
		struct sbuf text = {0};
		if (!gate_is_bad(l)) {
			continue;
		}
		gate_sentence(&text, l);
		if (l->kind == GATE_BUDGET) {
			sbuf_addf(&text, " of %s:%u", l->place, l->line);
		}
		uint64_t code = str_hash(str_of(metric_info[l->metric].key), 0);
		array_push(&found.v, ((struct diag){.level = DIAG_ERROR,
					     .rule = rules[l->kind == GATE_WORSE].name,
					     /* readers of SARIF need a line */
					     .place = {.path = l->file},
					     .line = l->at ? l->at : 1,
					     .text = sbuf_finish(&text, a),
					     .function = l->kernel,
					     .code = str_hash(str_of(l->target), code)}));
	}
	sarif_print(out, a, &found, rules, sizeof(rules) / sizeof(rules[0]));
	array_release(&found.v);
}
