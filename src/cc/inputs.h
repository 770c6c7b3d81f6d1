#pragma once
/*
 * The inputs of a decision about a source, apart from its text: the files that it includes, by
 * content; the programs and libraries that the compiler runs and links; and all places where the
 * compiler looks for files (frontend/text/lookups.h). The compiler lists them once. Later their
 * stamps (base/kept/stamp.h) tell whether they have changed, without the compiler.
 */
#include <time.h>

#include "cc/command.h"

struct cc_search {
	const struct cc_command *command;
	struct str text;	    /* the source's */
	const char *const *flags;   /* without those that choose a GPU; NULL-terminated */
	const char *const *targets; /* NULL-terminated */
	time_t before;		    /* there are no stamps if a file has changed after this time */
};

struct cc_finding;

struct cc_inputs {
	struct cc_finding *finding;
	const char *const *includes; /* absolute, sorted, each once; NULL-terminated */
	struct str stamps; /* as stamps_hold reads them, without the last empty line; n 0: none */
	unsigned clang;	   /* major version of the compiler; 0: not known */
	/* why the stamps are incomplete, as the end of a sentence; NULL: they are complete */
	const char *doubt;
};

/* NULL, or the reason why the inputs are unknown, as the end of a sentence. Everything lives in
 * a. */
const char *cc_inputs_find(struct cc_inputs *out, struct arena *a, const struct cc_search *s);
/* Words that make every compile of a command list the files that it reads on standard output;
 * NULL-terminated. */
extern const char *const cc_inputs_rule_words[];
/* A clang -cc1 command that checks the source for the host with one more option, and lists the
 * files that it reads, as those words do. It avoids hipcc's script, which takes as long as the
 * check. NULL: use the command's own compiler, since that is not ROCm's hipcc, or it printed no
 * host command, or several. */
const char *const *cc_inputs_host_check(const struct cc_inputs *in, const char *option);
/* Adds the files that the host compile reads, from the rules that a command with these words wrote.
 * Updates stamps and doubt. */
void cc_inputs_add(struct cc_inputs *in, struct str rules);
void cc_inputs_release(struct cc_inputs *in);
