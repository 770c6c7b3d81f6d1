#pragma once
/* The fragment of a compile database that clang's -MJ writes. It names each word of the command,
 * and is to name the user's own. */
#include "cc/command.h"

/* The file that -MJ names; NULL: none. */
const char *cc_fragment_path(const struct cc_command *c);
/* NULL: the driver can be told to write it elsewhere, else why not, as the end of a sentence. */
const char *cc_fragment_refusal(const struct cc_command *c);
/* A command that writes it there, whatever it says. */
const char *const *cc_fragment_words(struct arena *a, const char *const *command, const char *path);
/* Appends a fragment without these words, which the driver had beside the user's. */
void cc_fragment_mend(struct sbuf *out, struct str text, const char *const *more);
