#pragma once
/*
 * Abstract memory locations, and small sorted sets of them. A location names storage:
 *   LOC_VAR(s)    the variable s itself (private, shared or global)
 *   LOC_DEREF(p)  the target of parameter p of the current function
 *   LOC_BEYOND(p) all that is reached from there through more pointers
 *   LOC_THIS, LOC_BEYOND_THIS
 *                 the same for this, if it is not a parameter
 *   LOC_GLOBAL    global memory that no parameter names
 *   LOC_UNKNOWN   anything that may have escaped
 * Sets live in an arena; a zeroed set is empty.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "kernel/kernel.h"

typedef uint32_t loc_id;

enum {
	LOC_NONE = 0,
	LOC_UNKNOWN = 1,
	LOC_GLOBAL = 2,
	LOC_THIS = 3,
	LOC_BEYOND_THIS = 4
};
/* Symbol ids start at 1. */
#define LOC_VAR(sym) ((loc_id)((sym) * 3 + 2))
#define LOC_DEREF(sym) ((loc_id)((sym) * 3 + 3))
#define LOC_BEYOND(sym) ((loc_id)((sym) * 3 + 4))
#define LOC_IS_SYM(loc) ((loc) >= 5)
#define LOC_IS_VAR(loc) (LOC_IS_SYM(loc) && (loc) % 3 == 2)
#define LOC_IS_DEREF(loc) (LOC_IS_SYM(loc) && (loc) % 3 == 0)
#define LOC_IS_BEYOND(loc) (LOC_IS_SYM(loc) && (loc) % 3 == 1)
#define LOC_SYM(loc) ((kt_id)(((loc) - 2) / 3))

struct locset {
	loc_id *v; /* ascending */
	uint32_t n;
	uint32_t cap; /* 0: v belongs to another set; a change of this set copies it */
};

/* True if loc was new. */
bool locset_add(struct locset *s, struct arena *a, loc_id loc);
/* True if any location was new. */
bool locset_union(struct locset *s, struct arena *a, const struct locset *other);
bool locset_has(const struct locset *s, loc_id loc);
void locset_remove(struct locset *s, struct arena *a, loc_id loc);
bool locset_meets(const struct locset *x, const struct locset *y); /* the same ids; no aliasing */
