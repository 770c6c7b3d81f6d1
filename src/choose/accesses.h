#ifndef UNPHI_CHOOSE_ACCESSES_H
#define UNPHI_CHOOSE_ACCESSES_H
/*
 * Accesses of one lane that lie side by side (analysis/memory/access.h) and that the compiler
 * left apart: its instruction text with lines says so. As one: a vector that __builtin_memcpy
 * fills in front of the first load, or empties behind the last store. That copies bytes, so it
 * asks neither for alignment nor for a type's leave to alias, and where the bytes stand together
 * the compiler makes one instruction of them. Kept where it has fewer memory instructions then,
 * and nothing that the comparison of candidates forbids.
 *
 * BEFORE
 *	for (int i = 0; i < 4; i++) {
 *		x = f(p[4 * t + i]);
 *	}
 * AFTER
 *	float unphi_p __attribute__((vector_size(16)));
 *	__builtin_memcpy(&unphi_p, &p[4 * t + 0], sizeof(unphi_p));
 *	for (int i = 0; i < 4; i++) {
 *		x = f(unphi_p[i]);
 *	}
 */
#include "choose/causes.h"
#include "choose/state.h"

/* Findings of kind CAUSE_ACCESS for the text that s has parsed. told_apart: no edits. FAIL_USAGE
 * after a message. */
int accesses_find(struct cause **out, size_t *n, struct state *s, bool told_apart);
#endif
