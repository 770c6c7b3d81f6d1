#ifndef UNPHI_CC_INPUTS_H
#define UNPHI_CC_INPUTS_H
/*
 * Inputs of a decision about a source, beside its text: the files that it includes, by content; the
 * programs and libraries that the compiler runs and links; and the places where another file, had
 * it been there, would have been included in their stead. The compiler says them; whether they
 * still are what they were is told by their stamps (base/kept/stamp.h), without it.
 */
#include <time.h>

#include "cc/command.h"

struct cc_search {
	const struct cc_command *command;
	const char *const *flags;   /* without those that choose a GPU, NULL-terminated */
	const char *const *targets; /* NULL-terminated */
	time_t before;		    /* nothing may have changed since, or there are no stamps */
};

struct cc_inputs {
	const char *const *includes; /* absolute, sorted, each once; NULL-terminated */
	struct str stamps; /* as stamps_hold reads them, without the empty line; n 0: none */
};

/* NULL, or why it cannot be told, as a sentence's end. Everything lives in a. */
const char *cc_inputs_find(struct cc_inputs *out, struct arena *a, const struct cc_search *s);
#endif
