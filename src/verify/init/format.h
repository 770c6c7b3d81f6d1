#pragma once
/*
 * The number formats that a buffer's integers hold: a matrix operation on bf16 takes its factors
 * from vectors of short, one on fp8 from an int or a long. Values are followed from the operands of
 * matrix operations and conversions back to the pointers that they are loaded from: through
 * variables, LDS, calls and casts, but not through indices. Internal to init/.
 */
#include "base/map.h"
#include "kernel/kernel.h"
#include "target/intrinsic.h"
#include "target/target.h"

struct formats {
	struct map of; /* symbols of parameters and members -> 1 + an enum element_type */
};

/* Finds the formats in a kernel and its callees; the caller releases the map. */
void formats_find(struct formats *out, struct arena *a, const struct kt_unit *u, kt_id kernel,
	const struct intrinsic_db *intrinsics, const struct target *target);
