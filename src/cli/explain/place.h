#pragma once
/* Explains one finding, with the results of the other subcommands. */
#include "cli/cli.h"

/* Prints the finding on o's line, or whose code contains the line: the carriers, the phis in the
 * compiler's IR, registers before and after, the rule's reason, and each strategy with its text or
 * the remedy by hand. 0 or enum fail after a message. */
int explain_place(struct sbuf *out, struct arena *a, const struct cli_opts *o);
