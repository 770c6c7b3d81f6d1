#pragma once
/* Where in the source the compiler's output says it is: its .file and .loc lines. */
#include <stdbool.h>
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* {.a = ...} is one that has seen nothing. Names live in a, or in the text. */
struct isa_places {
	struct arena *a;
	struct map files;
	struct str file; /* of the last .loc; empty: no .file says which */
	unsigned line;	 /* 0: there was none */
	unsigned column;
};

/* The next line of the text, trimmed; false: it is neither .file nor .loc. */
bool isa_places_read(struct isa_places *p, struct str line);
void isa_places_release(struct isa_places *p);
