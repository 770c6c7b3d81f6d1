/* unphi merge: what the shards of a run have found, joined. */
#include <string.h>

#include "cli/project/each.h"

int cmd_merge(const struct cli_opts *o)
{
	static const struct {
		const char *name;
		int (*merge)(const struct cli_opts *o, const struct each_parts *parts);
	} commands[] = {{"lint", lint_merge}, {"rewrite", rewrite_merge},
		{"measure", measure_merge}, {"verify", verify_merge}};
	struct arena *a = arena_create();
	struct each_parts parts;
	int rc = each_parts_load(&parts, a, o);
	int code = cli_exit(rc);

	for (size_t i = 0; rc == 0 && i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(parts.v[0].command, commands[i].name) == 0) {
			code = commands[i].merge(o, &parts);
		}
	}
	arena_free(a);
	return code;
}
