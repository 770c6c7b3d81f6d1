/* verify: preprocessed C++ on its way to the wave runner. Lines stay where they were, behind one
 * with the table of arms. */
#include "target.h"
#include "verify/runtime/prepare.h"

static size_t count_lines(struct str text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.n; i++) {
		n += text.p[i] == '\n';
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_create();
	struct sbuf out = {0};
	verify_prepare(&out, a, text, true, false, NULL);
	REQUIRE(count_lines(sbuf_str(&out)) == count_lines(text) + 1);
	sbuf_release(&out);
	arena_free(a);
	return 0;
}
