#pragma once
/*
 * Inputs of a decision about a source, beside its text: the files that it includes, by content; the
 * programs and libraries that the compiler runs and links; and all places where the compiler looks
 * for files (frontend/text/lookups.h). The compiler says them; whether they still are what they
 * were is told by their stamps (base/kept/stamp.h), without it.
 */
#include <time.h>

#include "cc/command.h"

struct cc_search {
	const struct cc_command *command;
	struct str text;	    /* of the source */
	const char *const *flags;   /* without those that choose a GPU, NULL-terminated */
	const char *const *targets; /* NULL-terminated */
	time_t before;		    /* nothing may have changed since, or there are no stamps */
};

struct cc_finding;

struct cc_inputs {
	struct cc_finding *finding;
	const char *const *includes; /* absolute, sorted, each once; NULL-terminated */
	struct str stamps; /* as stamps_hold reads them, without the empty line; n 0: none */
	unsigned clang;	   /* major version of the compiler; 0: not known */
	const char *doubt; /* why they cannot say all, as a sentence's end; NULL: they do */
};

/* NULL, or why it cannot be told, as a sentence's end. Everything lives in a. */
const char *cc_inputs_find(struct cc_inputs *out, struct arena *a, const struct cc_search *s);
/* Words that make every compile of a command write what it reads to standard output,
 * NULL-terminated. */
extern const char *const cc_inputs_rule_words[];
/* What the compile for the host reads besides, and looks for: said by a command with these words.
 * Changes the stamps, and doubt. */
void cc_inputs_add(struct cc_inputs *in, struct str rules);
void cc_inputs_release(struct cc_inputs *in);
