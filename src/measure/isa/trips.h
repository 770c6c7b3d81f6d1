#ifndef UNPHI_MEASURE_ISA_TRIPS_H
#define UNPHI_MEASURE_ISA_TRIPS_H
/*
 * How many iterations a loop has, where the text shows it: a counter in a scalar register starts at
 * a constant, grows by a constant in each iteration, and is compared with a third one at the only
 * exit.
 */
#include "measure/isa/loops.h"
#include "measure/isa/values.h"

/* Of each loop the number of its iterations, at most 4096, or 0: it is not known. Lives in a. */
uint32_t *isa_trips_find(struct arena *a, const struct isa_function *f, const struct isa_blocks *b,
	const struct isa_loops *l, struct isa_values *vs);
#endif
