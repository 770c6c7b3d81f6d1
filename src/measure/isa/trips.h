#ifndef UNPHI_MEASURE_ISA_TRIPS_H
#define UNPHI_MEASURE_ISA_TRIPS_H
/*
 * Trip counts of loops that the assembly shows: a counter in a scalar register starts at a
 * constant, grows by a constant in each iteration, and is compared with a constant at the only
 * exit.
 */
#include "measure/isa/loops.h"
#include "measure/isa/values.h"

/* The trip count of each loop, at most 4096, or 0: unknown. Lives in a. */
uint32_t *isa_trips_find(struct arena *a, const struct isa_function *f, const struct isa_blocks *b,
	const struct isa_loops *l, struct isa_values *vs);
#endif
