#pragma once
/* The launcher's decision, where a file is seen for the first time. */
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

/* In a process of its own, as libclang may crash. Says nothing; what went wrong is in the record's
 * CC_WHY. stamps is what the record is to be kept with, their empty line included; n 0: it is not
 * to be kept. All views are in a. */
void cc_decide(
	struct cc_choice *out, struct str *stamps, struct arena *a, const struct cc_deciding *d);
