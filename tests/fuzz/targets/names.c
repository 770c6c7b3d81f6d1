/* measure: mangled and demangled names. */
#include "measure/isa/demangle.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_create();
	struct str plain = demangle_strip(text);
	REQUIRE(plain.n <= size);
	REQUIRE(plain.n == 0 || (plain.p >= text.p && plain.p + plain.n <= text.p + size));
	demangle_plain(a, text);
	arena_free(a);
	return 0;
}
