#pragma once
/* The errors and warnings of a run (base/msglog.h) as a list, for printing. */
#include "base/arena.h"
#include "base/msglog.h"

/* The messages in the bytes of msglog_since, in order and without duplicates; in a. False if the
 * bytes end early. */
bool msglog_read(struct msglog_entry **out, size_t *n, struct arena *a, struct str bytes);
/* The same for all messages so far; returns their number. */
size_t msglog_list(struct msglog_entry **out, struct arena *a);
/* Splits "a.hip:3:5: error: ..." into place and text. False if there is no line number. */
bool msglog_place(struct msglog_entry *out, struct arena *a, struct str line);
