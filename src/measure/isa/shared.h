#pragma once
/*
 * Loops that share their iterations with another one: each goes on from where the other left the
 * counter, up to the same bound. All together they have the iterations that one loop would have.
 *
 *   while (k < n && !live[k]) { k++; }              looks for the first
 *   while (k < n) {
 *           step(k++);                              does the work
 *           while (k < n && !live[k]) { k++; }      looks for the next
 *   }
 */
#include "measure/isa/loops.h"

/* Into trips of each loop, where 0 says that the text does not show them: 1 if it shares its
 * iterations with a loop around it or after it that works, else ten. works: does a block do the
 * kernel's work? */
void isa_shared_guess(uint32_t *trips, struct arena *a, const struct isa_function *f,
	const struct isa_blocks *b, const struct isa_loops *l, const bool *works);
