#pragma once
/* The launcher's decision about a file that it sees for the first time. */
#include <time.h>

#include "base/kept/cache.h"
#include "cc/command.h"
#include "cc/lock.h"
#include "cc/choice.h"
#include "cli/cli.h"

struct cc_deciding {
	const struct cli_opts *opts; /* configured */
	const struct cc_command *command;
	struct str source;
	struct cache *cache;	    /* where overlays are kept */
	const struct cc_lock *lock; /* NULL: none */
	time_t started;		    /* before source was read */
};

/* Decides in a child process, since libclang may crash. Prints nothing; a failure is in the
 * record's CC_WHY. stamps: to be cached with the record, with their empty line; n 0: do not cache.
 * All views are in a. */
void cc_decide(
	struct cc_choice *out, struct str *stamps, struct arena *a, const struct cc_deciding *d);
