#pragma once
/*
 * The room cc is the compiler launcher: it tells which commands compile one HIP file, lists the
 * inputs of a decision about that file, and puts the rewritten text in its place. It decides
 * nothing; cli does that with choose.
 *
 * This header: a compile command, as clang's driver and hipcc read it.
 */
#include "base/arena.h"
#include "base/str.h"

struct cc_command {
	const char *const *argv; /* as given, NULL-terminated */
	size_t compiler;	 /* index in argv; before it is only ccache */
	/* the words after the compiler, with response files expanded; NULL-terminated */
	const char *const *args;
	const char *source;  /* the only input; NULL: none, or several */
	size_t source_at;    /* in args */
	size_t language_at;  /* index in args of the -x that applies to source, or SIZE_MAX */
	bool wrong_language; /* it compiles a *.hip file as C++ */
	/* args without source, language, outputs and dependency files */
	const char *const *flags;
};

/* NULL if the command compiles one HIP file to code for a GPU. Else the reason why it runs
 * unchanged, as the end of a sentence; out is then filled in as far as possible. Everything lives
 * in a, or in argv. */
const char *cc_command_read(struct cc_command *out, struct arena *a, const char *const *argv);

/* The words, with the content of each response file in place of "@FILE". A word whose file cannot
 * be read is kept, as clang does, and *why is set to the end of a sentence about it. why may be
 * NULL. */
const char *const *cc_words_expand(struct arena *a, const char *const *words, const char **why);

/* The command to run: argv with more (or NULL) after the compiler, and with -xhip in place of a
 * wrong language. */
const char *const *cc_command_words(
	struct arena *a, const struct cc_command *c, const char *const *more);
