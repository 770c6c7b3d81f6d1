#pragma once
/* One finding with all that the other subcommands know of it. */
#include "cli/cli.h"

/* Of the finding on o's line, or whose code the line is in: what crosses, the phis in the
 * compiler's IR, registers before and after, why it matters, each strategy with its text or what a
 * person would do in its place. 0 or enum fail after a message. */
int explain_place(struct sbuf *out, struct arena *a, const struct cli_opts *o);
