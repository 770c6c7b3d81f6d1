#pragma once
/*
 * Stamps tell whether the files that a cached result depends on are unchanged. A stamp is a line of
 * text: size, times and a hash of the content. A file with the same size and times counts as
 * unchanged. If only the times differ, the file is read and its hash compared. A list of stamps
 * ends with an empty line, so that the cached content can follow it.
 */
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

/* Appends the stamp of a file. False, and out unchanged, if it cannot be read, has a line end in
 * its name, or was modified at or after before (0: no such time): a program that read it may then
 * have seen other content. */
bool stamp_add(struct sbuf *out, const char *path, time_t before);
/* The same without a hash, for programs and libraries: large files that seldom change. Other times
 * then count as a change. */
bool stamp_add_program(struct sbuf *out, const char *path);
/* Appends the identity of a program or library, without path and times: its size, and its build ID
 * or else a hash of all of it. False, and out unchanged, if it cannot be read. */
bool stamp_add_content(struct sbuf *out, const char *path);
/* Appends that there is no file at path. */
void stamp_add_absent(struct sbuf *out, const char *path);
/* Takes the stamps and their empty line off the front of entry; false if a file has changed. exact:
 * other times count as a change, even with equal content. */
bool stamps_hold(struct arena *a, struct str *entry, bool exact);

/* The path of the next stamp in a list; false at the end. */
bool stamp_next(struct str *stamps, struct str *path);

/* Appends the environment variables that change what clang or hipcc reads, a line NAME=VALUE each:
 * a part of every key for their output. */
void stamp_add_environment(struct sbuf *out);
/* The prerequisites of a make rule as compilers write it (-MD), in order; NULL-terminated, in a. */
const char *const *stamp_rule_files(struct arena *a, struct str rule);
/* "NAME BYTES VALUE\n": a word as part of a key; value may be NULL (absent). */
void stamp_add_word(struct sbuf *out, const char *name, const char *value);
/* "SIZE HASH HASH\n": a text as part of a key. */
void stamp_add_text(struct sbuf *out, struct str text);
