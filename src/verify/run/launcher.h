#pragma once
/* The C++ text that runs a kernel file's cases. Internal to the room. */
#include "verify/spec/spec.h"

/* The launcher for the cases of one target: the kernel file's text, whose messages name shown and
 * its lines, and after it the calls, for the CPU or as HIP launches for a GPU. A case is called by
 * its number in the spec. One for machine code writes what a kernel's arguments are, as the digits
 * of their bytes, to stdout. One for trials (trial.h) reads all that a launch
 * is made of, and so does one for a text with faults (fault/fault.h). */
enum launcher_kind {
	LAUNCHER_CPU,
	LAUNCHER_GPU,
	LAUNCHER_ARGUMENTS,
	LAUNCHER_TRIAL,
	LAUNCHER_FAULTS,
};

void launcher_text(struct sbuf *out, const struct spec *s, const struct target *t,
	struct str source, const char *shown, enum launcher_kind kind);
