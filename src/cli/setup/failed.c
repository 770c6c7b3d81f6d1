/* The report of a run that failed before it had results: only its errors. */
#include "base/msg.h"
#include "cli/cli.h"
#include "report/figures/gate.h"
#include "report/finding/sarif.h"
#include "report/form/json.h"
#include "report/form/page.h"

/* The key of a command's list of results, if its form does not depend on options. */
static const char *results_of(const struct cli_opts *o)
{
	switch (o->command) {
	case COMMAND_LINT:
		return "findings";
	case COMMAND_MEASURE:
		return o->run ? "runs" : "measurements";
	case COMMAND_LEDGER:
		return "ledgers";
	case COMMAND_OCCUPANCY:
		return "occupancy";
	default:
		return NULL;
	}
}

static void print_json(struct sbuf *out, const struct cli_opts *o)
{
	struct json j = jsonw_begin(out);
	const char *results = results_of(o);

	if (results) {
		jsonw_key_array(&j, results);
		jsonw_end(&j);
	}
	jsonw_finish(&j);
}

static bool print_empty(struct sbuf *out, struct arena *a, const struct cli_opts *o)
{
	const struct diag_list none = {0};
	const struct gate nothing = {{0}};

	switch (o->format) {
	case FORMAT_JSON:
		print_json(out, o);
		return true;
	case FORMAT_SARIF:
		sarif_print(out, a, &none, NULL, 0);
		return true;
	case FORMAT_GITHUB:
		github_print(out, a, &none);
		return true;
	case FORMAT_HTML:
		page_open(out, "unphi");
		page_close(out);
		return true;
	case FORMAT_JUNIT:
		gate_junit(out, NULL, 0, &nothing);
		return true;
	case FORMAT_MARKDOWN:
		gate_markdown(out, NULL, 0, &nothing);
		return true;
	default:
		return false; /* stderr has the errors */
	}
}

int cli_report_failed(const struct cli_opts *o, int code)
{
	bool other = o->shard || (o->diff && !o->report) || o->help;
	struct sbuf text = {0};
	struct arena *a = arena_create();
	int rc = 0;

	if ((code == EXIT_USAGE || code == EXIT_INPUT) && !other && !cli_report_is_written() &&
		print_empty(&text, a, o)) {
		rc = cli_output_check(o, o->report);
		rc = rc ? rc : cli_report_write(o, sbuf_str(&text));
	}
	sbuf_release(&text);
	arena_free(a);
	return exit_worse(code, cli_exit(rc));
}
