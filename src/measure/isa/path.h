#pragma once
/*
 * Paths through a kernel's assembly and their costs: a run takes only one arm of an if. For each
 * loop body, and for the kernel around the loops: the costliest path, and the cheapest path that
 * does the work. Trip counts come from the assembly (measure/isa/trips.h), else ten. The cheapest
 * path represents the arm that runs most often: people write a second version of a code to make the
 * common case cheaper.
 */
#include <stdbool.h>
#include "measure/isa/text.h"
#include "measure/measure.h"

/* Sets k->least, k->most and the path metrics. They are absent if the control flow is unknown. */
void isa_paths_find(struct kernel_metrics *k, const struct isa_function *f, const struct target *t);
