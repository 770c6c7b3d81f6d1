/* cc: a lock file. Each entry that was read is applied to its file, or says why not. */
#include "cc/lock.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct cc_lock lock;
	char path[64];
	int file = fuzz_file(path, (struct str){(const char *)data, size});

	if (cc_lock_load(&lock, a, path) == 0) {
		for (size_t i = 0; i < lock.n; i++) {
			struct sbuf text = {0};
			const char *why = cc_lock_apply(&text, &lock.v[i]);
			REQUIRE(lock.v[i].file && (!why || why[0]));
			sbuf_release(&text);
		}
	}
	close(file);
	arena_free(a);
	return 0;
}
