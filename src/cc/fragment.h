#pragma once
/* The fragment of a compile database that clang's -MJ writes. It lists the words of the command,
 * and must list the user's, without those that unphi added. */
#include "cc/command.h"

/* The file that -MJ names, or NULL. */
const char *cc_fragment_path(const struct cc_command *c);
/* NULL if the driver can write the fragment to another file. Else the reason why not, as the end of
 * a sentence. */
const char *cc_fragment_refusal(const struct cc_command *c);
/* The command with path in place of the file that its own -MJ names. */
const char *const *cc_fragment_words(struct arena *a, const char *const *command, const char *path);
/* Appends the fragment in text without the words that unphi added (more). */
void cc_fragment_strip(struct sbuf *out, struct str text, const char *const *more);
