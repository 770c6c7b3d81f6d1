#pragma once
/*
 * The room cc owns what stands between a build and its compiler: which commands are compiles of one
 * HIP file, what a decision about the file depends on, and how the rewritten text takes the file's
 * place. It decides nothing; cli does that with choose.
 *
 * This header: a compile command, read as clang's driver and hipcc read it.
 */
#include "base/arena.h"
#include "base/str.h"

struct cc_command {
	const char *const *argv;  /* as given, NULL-terminated */
	size_t compiler;	  /* index in argv; what stands before it is ccache */
	const char *const *args;  /* after the compiler, response files read; NULL-terminated */
	const char *source;	  /* the one input that is source; NULL: none, or several */
	size_t source_at;	  /* in args */
	size_t language_at;	  /* in args: the -x in force for source, or SIZE_MAX */
	bool wrong_language;	  /* it makes C++ of a file that is named as HIP */
	const char *const *flags; /* of args what decides what source means to the compiler: without
				   * source, language, outputs and dependency files */
};

/* NULL: a compile of one HIP file to code for a GPU, to look at. Else why it is none, as the end of
 * a sentence. What could be read is in out in both cases. Everything lives in a, or in argv. */
const char *cc_command_read(struct cc_command *out, struct arena *a, const char *const *argv);

/* words with those of response files in place of each "@FILE". Where one cannot be read that word
 * stays, as for clang; *why (when not NULL) then says so, as a sentence's end. */
const char *const *cc_words_expand(struct arena *a, const char *const *words, const char **why);

/* What to run: argv with these words (or NULL) after the compiler, and the language that the
 * source's name says where argv says another. */
const char *const *cc_command_words(
	struct arena *a, const struct cc_command *c, const char *const *more);
