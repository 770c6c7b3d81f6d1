#pragma once
/* Finds specs by launching kernels. */
#include "config/options.h"
#include "cli/cli.h"
#include "verify/init/init.h"

/* Finds a spec for the file and fills in job; reads only its cpu_limit_s. Enum fail after a
 * message. */
int cli_spec_first(struct sbuf *out, struct spec_init *job, struct arena *a,
	const struct cli_opts *o, const struct cli_targets *targets);
/* Finds a spec in a short time, in place of the missing one at path, and prints a note. FAIL_USAGE
 * after a message if a kernel could not be launched. */
int cli_spec_quick(struct sbuf *out, struct arena *a, const struct cli_opts *o, const char *path);
