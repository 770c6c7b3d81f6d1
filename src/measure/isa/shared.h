#pragma once
/*
 * Loops that share their iterations: each continues from the counter value that the other left, up
 * to the same bound. Together they have the iterations of one loop.
 *
 *   while (k < n && !live[k]) { k++; }              finds the first
 *   while (k < n) {
 *           step(k++);                              does the work
 *           while (k < n && !live[k]) { k++; }      finds the next
 *   }
 */
#include "measure/isa/loops.h"

/* Replaces unknown (0) trip counts: 1 if the loop shares its iterations with a working loop around
 * or after it, else ten. works: per block, does it do the kernel's work? */
void isa_shared_guess(uint32_t *trips, struct arena *a, const struct isa_function *f,
	const struct isa_blocks *b, const struct isa_loops *l, const bool *works);
