#pragma once
/* The kernels selected by --kernel. */
#include <regex.h>
#include "cli/cli.h"

struct cli_kernels {
	const regex_t *wanted; /* NULL: all */
	regex_t compiled;
};

/* 0, or FAIL_USAGE after a message. *k must not move until it is released. */
int cli_kernels_open(struct cli_kernels *k, const struct cli_opts *o);
void cli_kernels_release(struct cli_kernels *k);
/* symbol may be NULL. */
bool cli_kernels_match(const struct cli_kernels *k, const char *name, const char *symbol);
