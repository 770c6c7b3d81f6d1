#pragma once
/* Source places in the compiler's output, from its .file and .loc lines. */
#include <stdbool.h>
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* Start with {.a = ...}. Names live in a, or in the text. */
struct isa_places {
	struct arena *a;
	struct map files;
	struct str file; /* of the last .loc; empty: no matching .file */
	unsigned line;	 /* 0: no .loc yet */
	unsigned column;
};

/* Reads a trimmed line; false: neither .file nor .loc. */
bool isa_places_read(struct isa_places *p, struct str line);
void isa_places_release(struct isa_places *p);
