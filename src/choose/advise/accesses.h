#pragma once
/*
 * Accesses of one lane that lie side by side (analysis/memory/access.h) and that the compiler
 * left apart: its instruction text with lines says so. As one (strategy/join) they are offered
 * where it has fewer memory instructions then, and nothing that the comparison of candidates
 * forbids.
 */
#include "choose/advise/causes.h"
#include "choose/state/state.h"

/* Findings of kind CAUSE_ACCESS for the text that s has parsed. told_apart: no edits. FAIL_USAGE
 * after a message. */
int accesses_find(struct cause **out, size_t *n, struct state *s, bool told_apart);
