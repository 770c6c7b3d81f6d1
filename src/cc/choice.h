#pragma once
/* The choice for one source, as it is kept in the cache. Strings are views. */
#include "base/arena.h"
#include "base/str.h"

enum cc_field {
	CC_WHY,	   /* the source stays as it is, and why that needs a word */
	CC_TEXT,   /* what the compiler is to read; empty: the source */
	CC_KEPT,   /* where the cache keeps that text, */
	CC_LIST,   /* and the overlay */
	CC_FLAGS,  /* words for the compiler, one a line; empty: none */
	CC_GAINED, /* for people, a line */
	CC_ENTRY,  /* of the lock file; empty: none */
	CC_LOCK,   /* the stamp of the lock file that goes with it; empty: none */
	CC_FIELDS
};

struct cc_choice {
	struct str field[CC_FIELDS];
};

void cc_choice_pack(struct sbuf *out, const struct cc_choice *r);
/* False when the bytes are not of cc_choice_pack. The views are of bytes. */
bool cc_choice_unpack(struct cc_choice *out, struct str bytes);
