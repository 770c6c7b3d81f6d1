/* Code lenses: a line above each kernel with its measured registers and waves, else the ledger's
 * estimate. */
#include <string.h>

#include "cli/server/server.h"

enum {
	OVER_A_LINE = 8 /* lenses: instances of a template, targets */
};

static json_t *lens_of(
	const struct server *s, const struct document *d, size_t line, const char *title)
{
	struct lsp_position at = {line, 0};
	size_t begin = lsp_offset(&d->text, at, s->units);
	json_t *lens = json_object(), *command = json_object();
	json_object_set_new(command, "title", json_of(str_of(title)));
	json_object_set_new(command, "command", json_string("unphi.measure"));
	json_object_set_new(command, "arguments", json_pack("[s]", d->uri));
	json_object_set_new(
		lens, "range", json_range(s, &d->text, begin, begin + lsp_line(&d->text, line).n));
	json_object_set_new(lens, "command", command);
	return lens;
}

static void add_title(struct sbuf *out, const struct document *d, const json_t *ledger)
{
	const char *kernel = json_text(ledger, "kernel");
	if (strchr(kernel, '<')) {
		sbuf_addf(out, "%s, ", kernel);
	}
	sbuf_addf(out, "%s: ", json_text(ledger, "target"));
	if (!figures_measured_text(out, d, ledger)) {
		sbuf_addf(out, "about %lld VGPRs; measure",
			(long long)json_integer_value(json_object_get(ledger, "estimate")));
	}
}

/* How many lenses does this line have already? */
static size_t over(const json_t *lenses, json_int_t line)
{
	size_t i, n = 0;
	json_t *lens;
	json_array_foreach (lenses, i, lens) {
		const json_t *start = json_object_get(json_object_get(lens, "range"), "start");
		n += json_integer_value(json_object_get(start, "line")) == line;
	}
	return n;
}

json_t *lens_answer(const struct server *s, const struct document *d, const json_t *params)
{
	(void)params;
	json_t *all = json_array(), *ledger;
	size_t i;
	json_array_foreach (d->estimate.ledgers, i, ledger) {
		json_int_t line = json_integer_value(json_object_get(ledger, "first_line")) - 1;
		struct sbuf title = {0};
		if (line < 0 || !figures_are_here(d, ledger) || over(all, line) >= OVER_A_LINE) {
			continue;
		}
		add_title(&title, d, ledger);
		json_array_append_new(all, lens_of(s, d, (size_t)line, sbuf_cstr(&title)));
		sbuf_release(&title);
	}
	return all;
}
