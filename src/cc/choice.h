#pragma once
/* The choice for one source as the cache stores it. Strings are views. */
#include "base/arena.h"
#include "base/str.h"

enum cc_field {
	CC_WHY,	   /* the reason why the source is unchanged */
	CC_TEXT,   /* the text for the compiler; empty: the source */
	CC_KEPT,   /* the name of that text in the cache, */
	CC_LIST,   /* and of the overlay */
	CC_FLAGS,  /* flags for the compiler, one a line; empty: none */
	CC_GAINED, /* the gain, as a line for people */
	CC_ENTRY,  /* the entry of the lock file; empty: none */
	CC_LOCK,   /* the stamp of the lock file it came from; empty: none */
	CC_FIELDS
};

struct cc_choice {
	struct str field[CC_FIELDS];
};

void cc_choice_pack(struct sbuf *out, const struct cc_choice *r);
/* False if the bytes are not from cc_choice_pack. The views point into bytes. */
bool cc_choice_unpack(struct cc_choice *out, struct str bytes);
