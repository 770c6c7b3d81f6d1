/* frontend: tokens of C++ text, right or wrong. Tokens go forward and stay inside; a bracket closes
 * behind where it opens. */
#include "frontend/text/lex.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	size_t budget = 64; /* of the searches, each of which may go to the end */
	for (size_t at = 0;;) {
		struct lex_token t = lex_next(text, at);
		REQUIRE(t.begin >= at && t.begin <= t.end && t.end <= size);
		if (t.kind == LEX_END) {
			break;
		}
		REQUIRE(t.end > t.begin);
		REQUIRE(lex_skip_space(text, at) == t.begin);
		char c = text.p[t.begin];
		if (t.kind == LEX_PUNCT && (c == '(' || c == '[' || c == '{') && budget > 0) {
			size_t close = lex_close(text, t.begin);
			size_t found = lex_find(text, t.end, size, ';');
			REQUIRE(close == SIZE_MAX || (close > t.begin && close < size));
			REQUIRE(found == SIZE_MAX || (found >= t.end && text.p[found] == ';'));
			budget--;
		}
		at = t.end;
	}
	return 0;
}
