#pragma once
/*
 * The stages of choose around its search. Each returns 0, or enum fail after a message. Internal to
 * the room.
 */
#include "choose/state/state.h"

/* In place of the search if a strategy is forced: applies it wherever it is legal, without
 * measuring. */
int force_run(struct state *s);
/* Ifs that end in continue or return, after the other merges. */
int exits_run(struct state *s, struct choice *out);
/* Barriers, after the merges. */
int barriers_run(struct state *s);
/* Fragments that loops only read, after both. */
int fragments_run(struct state *s);
/* Removes functions that no code calls any more, after all others. */
int tidy_run(struct state *s);
