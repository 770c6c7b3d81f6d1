#pragma once
/*
 * Which files went into something that is kept, and whether they still are what they were. A stamp
 * is a line of text: size, times and a hash of the content. A file with the size and the times of
 * its stamp is taken for unchanged; where only the times are others, it is read. A list of stamps
 * ends with an empty line, so that it can stand in front of what it vouches for.
 */
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

/* Appends the stamp of a file. False, and out as it was, when it cannot be read, has a name of
 * several lines, or was changed at or after before (0: no such time): what read it since may have
 * read something else. */
bool stamp_add(struct sbuf *out, const char *path, time_t before);
/* The same without a hash, of what is large and seldom touched: programs, libraries. Other times
 * then make it another file. */
bool stamp_add_program(struct sbuf *out, const char *path);
/* Appends what a program or library is, wherever it lies and whenever it was put there: its size,
 * and the build ID in it or a hash of all of it. False, and out as it was, when it cannot be
 * read. */
bool stamp_add_content(struct sbuf *out, const char *path);
/* Appends that there is no file at path. */
void stamp_add_absent(struct sbuf *out, const char *path);
/* Takes the stamps and their empty line off the front of entry; false when one is not true any
 * more. exact: a file with other times is another file, whatever it holds. */
bool stamps_hold(struct arena *a, struct str *entry, bool exact);

/* The next file that has a stamp in a list; false at its end. */
bool stamp_next(struct str *stamps, struct str *path);

/* Environment variables that change what a clang, or hipcc in front of it, reads, NAME=VALUE by
 * lines: part of every key of their work. */
void stamp_add_environment(struct sbuf *out);
/* All files that a make rule, as compilers write it, says that its target depends on, in order;
 * NULL-terminated, in a. */
const char *const *stamp_rule_files(struct arena *a, struct str rule);
/* "NAME BYTES VALUE\n": a word as part of a key, or that there is none (NULL). */
void stamp_add_word(struct sbuf *out, const char *name, const char *value);
/* "SIZE HASH HASH\n": a text as part of a key. */
void stamp_add_text(struct sbuf *out, struct str text);
