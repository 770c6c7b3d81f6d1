#pragma once
/*
 * The errors and warnings of a run, kept for the machine-readable formats: each of them holds what
 * stderr shows. msg_error and msg_warning add to the list. There is one list per process. A child
 * sends each message to its parent at once, as bytes, so that a crash loses nothing.
 *
 * A message is about the file that it begins with ("a.hip: ...", "a.hip:3:5: ..."), if such a file
 * exists; else about the file that msglog_about names.
 */
#include <stdbool.h>
#include "base/str.h"

struct msglog_entry {
	bool error;	  /* else a warning */
	const char *file; /* as shown, or NULL */
	unsigned line;	  /* from 1; 0: not known */
	unsigned column;  /* the same, in bytes */
	const char *text; /* without the place */
};

/* Records the working directory, which paths are shown relative to; once, at the start. */
void msglog_open(void);
/* Messages that name no file are about this one from now on; NULL: about none. The string must live
 * until the next call. */
void msglog_about(const char *file);
/* Adds a message. s->file NULL: the place is read from the start of its text. */
void msglog_add(const struct msglog_entry *s);
/* The file of "a.hip:3:5: text". line and column are 0 if absent; without ": " all of text is
 * rest. */
struct str msglog_split(struct str text, unsigned *line, unsigned *column, struct str *rest);

/* In a child: sends messages to fd, and drops the parent's list. */
void msglog_to(int fd);
/* The list's size in bytes, and the bytes from a mark on; not in a child. The view dies with the
 * next message. */
size_t msglog_mark(void);
struct str msglog_since(size_t mark);
/* Drops the messages after the mark. */
void msglog_forget(size_t mark);
/* Adds the bytes of msglog_since; false, with nothing added, if they are malformed. */
bool msglog_take(struct str bytes);

/* The next message in the bytes of msglog_since; its strings are the views file and text. False at
 * the end; if the bytes end early, *rest is not empty. */
bool msglog_next(struct msglog_entry *s, struct str *file, struct str *text, struct str *rest);
