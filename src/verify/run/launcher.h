#pragma once
/* The C++ text that runs a kernel file's cases. Internal to run/. */
#include "verify/spec/spec.h"

/* The launcher for the cases of one target: the kernel file's text (messages name shown and its
 * lines), then the calls, for the CPU or as HIP launches for a GPU. A case is named by its number
 * in the spec. A launcher for machine code writes the bytes of a kernel's arguments to stdout, as
 * hexadecimal digits. Launchers for trials (trial.h) and for faults (fault/fault.h) read the whole
 * launch from their input. */
enum launcher_kind {
	LAUNCHER_CPU,
	LAUNCHER_GPU,
	LAUNCHER_ARGUMENTS,
	LAUNCHER_TRIAL,
	LAUNCHER_FAULTS,
};

void launcher_text(struct sbuf *out, const struct spec *s, const struct target *t,
	struct str source, const char *shown, enum launcher_kind kind);
