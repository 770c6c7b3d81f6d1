/* frontend: compile_commands.json, of which each command that is found is whole. */
#include <stdlib.h>

#include "frontend/frontend.h"
#include "frontend/parse/database.h"
#include "frontend/parse/flags.h"
#include "target.h"

/* libclang looks for the file by its name. */
static const char *in_directory(struct arena *a, struct str text)
{
	static const char *dir;
	if (!dir) {
		dir = tmpdir_create();
		REQUIRE(dir != NULL);
	}
	const char *path = arena_printf(a, "%s/compile_commands.json", dir);
	FILE *f = fopen(path, "w");
	REQUIRE(f && fwrite(text.p, 1, text.n, f) == text.n && fclose(f) == 0);
	return dir;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct unit_commands found;

	const char *dir = in_directory(a, (struct str){(const char *)data, size});
	if (frontend_commands(&found, a, dir) == 0) {
		for (size_t i = 0; i < found.n; i++) {
			const struct unit_command *c = &found.v[i];
			REQUIRE(c->path && c->directory && c->compiler && c->flags);
			REQUIRE(flags_for_parse(a, c->flags) != NULL);
		}
	}
	arena_free(a);
	return 0;
}
