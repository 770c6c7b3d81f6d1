#pragma once
/*
 * Operations that a wave has to reach as a whole: a matrix operation or barrier that a part of it
 * meets is an error (`unphi verify` says so). So of code that surely reaches one, once it is
 * entered, a kernel that is right enters it with all lanes of a wave or with none. That is the
 * contract of the operation, not a proof: code that builds on it says so.
 *
 * "Surely" is on every path, before anything may leave: no jump, trap, label or code that is not
 * seen stands in front; asm does where its instructions are listed, waits for one. A loop counts
 * where its first test is known to hold.
 */
#include "analysis/facts/facts.h"

/* The first such operation that a lane reaches after entering n, or the call in another file that
 * leads to it; NULL: none, or n is NULL. */
const struct kt_node *meets_whole(struct facts *f, const struct kt_node *n);
/* The same of children [first, last) of n, a block. */
const struct kt_node *meets_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last);
