#pragma once
/*
 * Paths through a text, and what runs on them: both arms of an if are not both run. Of each loop's
 * iterations, and of the kernel around the loops, the costliest path and the cheapest one that does
 * the work. A loop has the iterations that the text shows (measure/isa/trips.h), else ten. The
 * cheapest stands for the arm that runs the most: what is written twice is written the second time
 * to be cheaper.
 */
#include <stdbool.h>
#include "measure/isa/text.h"
#include "measure/measure.h"

/* Into k->least and k->most, and the metrics of paths. Where the text cannot be followed they stay
 * absent. */
void isa_paths_find(struct kernel_metrics *k, const struct isa_function *f, const struct target *t);
