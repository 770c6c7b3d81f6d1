#pragma once
/*
 * How a kernel's instructions round: what is fused and what is not, by operation and width. A fused
 * multiply-add rounds once, a multiply and an add that takes it twice.
 */
#include "measure/isa/text.h"
#include "measure/measure.h"

/* Where the text cannot be followed, every add counts as one that takes a product, and there are no
 * forms. These live in a. */
void isa_round_count(struct rounding *out, struct arena *a, const struct isa_function *f);
