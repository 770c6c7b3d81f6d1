#pragma once
/* isa_read without messages, for measurements that may fail quietly. */
#include "measure/measure.h"

/* NULL, or why the text could not be read, as the end of a sentence ("it has no
 * .amdgpu_metadata"). */
const char *isa_read_quiet(struct measurement *out, struct arena *a, const struct target *t,
	struct str isa, struct str ir);
