#pragma once
/*
 * Adjacent accesses of one lane (analysis/memory/access.h) that the compiler does not combine, by
 * its assembly with line numbers. One access (strategy/join) is offered if the compiler then has
 * fewer memory instructions and the comparison of candidates has no objection.
 */
#include "choose/advise/causes.h"
#include "choose/state/state.h"

/* Findings of kind CAUSE_ACCESS for the text that s has parsed. told_apart: report them without
 * edits. FAIL_USAGE after a message. */
int accesses_find(struct cause **out, size_t *n, struct state *s, bool told_apart);
