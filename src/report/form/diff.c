#include "report/form/diff.h"

#define RESET "\033[0m"

static const char *color_of(struct str line)
{
	return str_starts(line, "--- ") || str_starts(line, "+++ ") ? "\033[1m"
	       : str_starts(line, "@@")				    ? "\033[36m"
	       : str_starts(line, "-")				    ? "\033[31m"
	       : str_starts(line, "+")				    ? "\033[32m"
								    : NULL;
}

void diff_show(struct sbuf *out, struct str diff, bool color)
{
	struct str line;

	while (str_line(&diff, &line)) {
		const char *sgr = color ? color_of(line) : NULL;
		sbuf_adds(out, sgr ? sgr : "");
		sbuf_add_visible(out, line, "\t");
		sbuf_adds(out, sgr ? RESET : "");
		sbuf_addc(out, '\n');
	}
}
