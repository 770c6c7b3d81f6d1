#pragma once
/*
 * Operations that a wave must reach as a whole: it is an error if only some of its lanes reach a
 * matrix operation or barrier (`unphi verify` reports it). So a correct kernel enters code that
 * surely reaches one with all lanes of a wave or with none. That is the contract of the operation,
 * not a proof: code that relies on it says so.
 *
 * "Surely" means on every path, with no jump, trap, label or unknown code before it. Asm may be
 * before it if its instructions, such as waits, are listed. A loop counts if its first test is
 * known to be true.
 */
#include "analysis/facts/facts.h"

/* The first such operation that a lane reaches after entering n, or the call in another file that
 * leads to it; NULL: none, or n is NULL. */
const struct kt_node *meets_whole(struct facts *f, const struct kt_node *n);
/* The same for children [first, last) of n, a block. */
const struct kt_node *meets_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last);
