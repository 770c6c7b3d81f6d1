/* unphi merge: a part as a stranger may have written it, joined and printed in every format. The
 * input is the part, whose checksum is put right, as a stranger can; or the name of a subcommand in
 * a line, what a unit of it gave, a line "=======" and the text of "k.hip". */
#include "cli/cli.h"
#include "report/form/shard.h"
#include "target.h"

static void print(const char *path, enum output_format format, size_t size)
{
	const char *files[] = {path, NULL};
	struct cli_opts o = {.command = COMMAND_MERGE, .format = format, .verbose = size % 2 == 0};

	o.files.v = files;
	o.files.n = 1;
	int code = cmd_merge(&o);
	REQUIRE(code >= EXIT_CLEAN && code <= EXIT_INPUT);
}

/* A part with one unit. */
static void wrap(struct sbuf *out, struct str rest)
{
	char command[16] = "";
	struct str line = {0};

	str_line(&rest, &line);
	snprintf(command, sizeof(command), "%.*s", STR_ARG(line));
	struct str gave = fuzz_split(&rest);
	struct shard_unit unit = {.name = "k.hip", .err = STR(""), .out = gave};
	struct shard_text source = {"k.hip", "/k.hip", rest};
	struct shard_part part = {.command = command,
		.options = "",
		.split = "",
		.shard = 1,
		.of = 1,
		.units = 1,
		.unit = &unit,
		.n = 1,
		.text = &source,
		.texts = 1};
	shard_print(out, &part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum output_format formats[] = {FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF,
		FORMAT_GITHUB, FORMAT_HTML, FORMAT_JUNIT, FORMAT_MARKDOWN};
	static const char seal[] = ",\n  \"checksum\"";
	struct str text = {(const char *)data, size};
	struct sbuf sealed = {0};
	char path[64];

	if (str_starts(text, "{")) {
		sbuf_addstr(&sealed, str_sub(text, 0, str_find(text, seal, 0)));
		shard_seal(&sealed);
	} else {
		wrap(&sealed, text);
	}
	int file = fuzz_file(path, sbuf_str(&sealed));
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		print(path, formats[i], size);
	}
	close(file);
	sbuf_release(&sealed);
	return 0;
}
