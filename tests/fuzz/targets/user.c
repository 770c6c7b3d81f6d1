/* config: .unphi.yaml. What was read is written as a configuration that is read again. */
#include "config/user.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct user_config c, again;
	struct settings settings;
	struct sbuf text = {0};
	char path[64];
	int file = fuzz_file(path, (struct str){(const char *)data, size});

	REQUIRE(settings_builtin(&settings) == 0);
	if (user_config_load(&c, a, path) == 0 &&
		(!c.settings || settings_override(&settings, a, c.settings) == 0)) {
		user_config_print(&text, &c, &settings);
		int copy = fuzz_file(path, sbuf_str(&text));
		REQUIRE(user_config_load(&again, a, path) == 0);
		REQUIRE(again.functions == c.functions && again.budgets == c.budgets);
		close(copy);
	}
	close(file);
	sbuf_release(&text);
	arena_free(a);
	return 0;
}
