#pragma once
/*
 * How a kernel's instructions round: fused and separate operations, by operation and width. A fused
 * multiply-add rounds once; a multiply followed by an add rounds twice.
 */
#include "measure/isa/text.h"
#include "measure/measure.h"

/* If the control flow is unknown, every add counts as an add of a product, and there are no forms.
 * Forms live in a. */
void isa_round_count(struct rounding *out, struct arena *a, const struct isa_function *f);
