#include "cli/setup/kernels.h"

#include "choose/choose.h"
#include "cli/setup/units.h"

int cli_kernels_open(struct cli_kernels *k, const struct cli_opts *o)
{
	int rc = o->kernel ? cli_regex(&k->compiled, "--kernel", o->kernel) : 0;

	k->wanted = o->kernel && rc == 0 ? &k->compiled : NULL;
	return rc;
}

void cli_kernels_release(struct cli_kernels *k)
{
	if (k->wanted) {
		regfree(&k->compiled);
	}
	k->wanted = NULL;
}

bool cli_kernels_match(const struct cli_kernels *k, const char *name, const char *symbol)
{
	return kernel_is_wanted(k->wanted, name, symbol);
}
