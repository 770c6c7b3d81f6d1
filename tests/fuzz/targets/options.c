/* config: command lines, a line for each word. */
#include "base/arena.h"
#include "config/options.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size};
	struct str line;
	struct arena *a = arena_create();
	ARRAY(char *) argv = {0};
	array_push(&argv, arena_strdup(a, "unphi"));
	while (argv.n < 100 && str_line(&rest, &line)) {
		array_push(&argv, arena_strndup(a, line.p, line.n));
	}
	int argc = (int)argv.n;
	array_push(&argv, NULL);
	struct cli_opts o = {0};
	if (options_parse(&o, argc, argv.v) == 0 && o.command != COMMAND_TOP && !o.help &&
		!o.version) {
		REQUIRE(command_spec(o.command) != NULL);
		REQUIRE(!command_spec(o.command)->one_file || o.files.n <= 1 ||
			o.command == COMMAND_VERIFY);
		for (size_t i = 0; i < o.files.n; i++) {
			REQUIRE(o.files.v[i] != NULL);
		}
	}
	options_release(&o);
	array_release(&argv);
	arena_free(a);
	return 0;
}
