/* unphi merge: joins the results of a run's shards. */
#include "base/msg.h"
#include "cli/project/each.h"

/* Refuses options that the parts' subcommand does not have. */
static int check_options(const struct cli_opts *o, const struct each_merge *m)
{
	static const unsigned formats[FORMATS] = {[FORMAT_TEXT] = COMMAND_ALL,
		[FORMAT_JSON] = COMMAND_ALL,
		[FORMAT_SARIF] = COMMAND_LINT | COMMAND_MEASURE,
		[FORMAT_GITHUB] = COMMAND_LINT,
		[FORMAT_HTML] = COMMAND_ALL,
		[FORMAT_JUNIT] = COMMAND_MEASURE,
		[FORMAT_MARKDOWN] = COMMAND_MEASURE};
	const struct {
		const char *name;
		bool given;
		unsigned commands;
	} option[] = {{"--baseline", o->baseline != NULL, COMMAND_LINT},
		{"--write-baseline", o->write_baseline != NULL, COMMAND_LINT},
		{"--warnings-as-errors", o->warnings_as_errors, COMMAND_LINT},
		{"--diff", o->diff, COMMAND_REWRITE},
		{"--check", o->check, COMMAND_REWRITE | COMMAND_MEASURE},
		{"--against", o->against != NULL, COMMAND_MEASURE}};

	for (size_t i = 0; i < sizeof(option) / sizeof(option[0]); i++) {
		if (option[i].given && !(option[i].commands & m->bit)) {
			return fail_usage("option %s cannot be used with parts of %s",
				option[i].name, m->command);
		}
	}
	if (!(formats[o->format] & m->bit)) {
		return fail_usage("option --format %s cannot be used with parts of %s",
			output_format_words[o->format], m->command);
	}
	return 0;
}

int cmd_merge(const struct cli_opts *o)
{
	static const struct each_merge commands[] = {
		{"lint", COMMAND_LINT, lint_is_sound, lint_merge},
		{"rewrite", COMMAND_REWRITE, rewrite_is_sound, rewrite_merge},
		{"measure", COMMAND_MEASURE, measure_is_sound, measure_merge},
		{"verify", COMMAND_VERIFY, verify_is_sound, verify_merge}};
	const struct each_merge *command = commands;
	struct arena *a = arena_create();
	struct each_parts parts;
	int rc = each_parts_load(&parts, a, o, &command, sizeof(commands) / sizeof(commands[0]));
	rc = rc ? rc : check_options(o, command);
	int code = rc ? cli_exit(rc) : command->merge(o, &parts);

	arena_free(a);
	return code;
}
