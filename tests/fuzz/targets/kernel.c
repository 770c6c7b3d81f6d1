/* kernel: the text form of trees. What was read and printed is read as the same, and printed as the
 * same text. */
#include "tree/tree.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct sbuf first = {0};
	struct sbuf second = {0};
	struct kt_unit *u;
	if (kt_read(&u, a, (struct str){(const char *)data, size}, "in.kt") == 0) {
		REQUIRE(kt_check(u) == NULL);
		kt_print(&first, u);
		REQUIRE(kt_read(&u, a, sbuf_str(&first), "out.kt") == 0);
		kt_print(&second, u);
		REQUIRE(str_eq(sbuf_str(&first), sbuf_str(&second)));
	}
	sbuf_release(&first);
	sbuf_release(&second);
	arena_free(a);
	return 0;
}
