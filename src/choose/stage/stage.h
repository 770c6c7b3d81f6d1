#pragma once
/*
 * The stages of choose around its search, each over all that there is of its kind. Each gives 0, or
 * enum fail after a message. Internal to the room.
 */
#include "choose/state/state.h"

/* In place of the search where a strategy is forced: wherever it is legal, unmeasured. */
int force_run(struct state *s);
/* Ifs that leave, after the other merges. */
int exits_run(struct state *s, struct choice *out);
/* After the merges. */
int barriers_run(struct state *s);
/* Fragments that loops only read, after both. */
int fragments_run(struct state *s);
/* Functions that nobody calls any more, after all of them. */
int tidy_run(struct state *s);
