#pragma once
/*
 * The errors and warnings of a run, kept for the formats that tools read: what stands on stderr
 * stands in each of them. msg_error and msg_warning add to it. One list a process: a child's goes
 * to its parent as bytes, as soon as there is one, so that a crash loses nothing.
 *
 * A message is about the file that it begins with ("a.hip: ...", "a.hip:3:5: ..."), where there is
 * such a file; else about what said_about names.
 */
#include <stdbool.h>
#include "base/str.h"

struct said {
	bool error;	  /* else a warning */
	const char *file; /* as shown, or NULL */
	unsigned line;	  /* from 1; 0: not known */
	unsigned column;  /* the same, in bytes */
	const char *text; /* without the place */
};

/* The directory that paths are shown from; once, at the start. */
void said_open(void);
/* Messages that name no file of their own are about this one from now on; NULL: about none. It
 * lives as long as that holds. */
void said_about(const char *file);
/* A message with its place; s->file NULL: what its text begins with. */
void said_add(const struct said *s);
/* Of "a.hip:3:5: text" the file; line and column are 0 where there are none, and rest is text where
 * no ": " is in it. */
struct str said_split(struct str text, unsigned *line, unsigned *column, struct str *rest);

/* In a child: messages go to fd, and those of the parent are dropped. */
void said_to(int fd);
/* Bytes so far, and those from there on; not in a child. The view dies with the next message. */
size_t said_mark(void);
struct str said_since(size_t mark);
/* As if nothing had been said after the mark. */
void said_forget(size_t mark);
/* False when the bytes are not of said_since; nothing is added then. */
bool said_take(struct str bytes);

/* The next of the bytes of said_since: s without its strings, which are views. False at the end,
 * and where they end early: then some are left in *rest. */
bool said_next(struct said *s, struct str *file, struct str *text, struct str *rest);
