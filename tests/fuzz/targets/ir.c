/* measure: textual LLVM IR. No function has more wide phis than the text has lines. */
#include "measure/ir/ir.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct str rest = text;
	struct str line;
	struct map phis = {0};
	uintptr_t lines = 0;
	ir_wide_phis(&phis, text);
	for (rest = text; str_line(&rest, &line);) {
		lines++;
	}
	for (rest = text; str_line(&rest, &line);) {
		size_t at = str_find(line, "@", 0);
		size_t end = str_find(line, "(", 0);
		if (at < end && end != SIZE_MAX) {
			REQUIRE(map_get(&phis, str_sub(line, at + 1, end), 0) <= lines);
		}
	}
	map_release(&phis);
	return 0;
}
