/* unphi merge: what the shards of a run have found, joined. */
#include "cli/project/each.h"

int cmd_merge(const struct cli_opts *o)
{
	static const struct each_merge commands[] = {{"lint", lint_is_sound, lint_merge},
		{"rewrite", rewrite_is_sound, rewrite_merge},
		{"measure", measure_is_sound, measure_merge},
		{"verify", verify_is_sound, verify_merge}};
	const struct each_merge *command = commands;
	struct arena *a = arena_create();
	struct each_parts parts;
	int rc = each_parts_load(&parts, a, o, &command, sizeof(commands) / sizeof(commands[0]));
	int code = rc ? cli_exit(rc) : command->merge(o, &parts);

	arena_free(a);
	return code;
}
