#ifndef UNPHI_VERIFY_LAUNCHER_H
#define UNPHI_VERIFY_LAUNCHER_H
/* The C++ text that runs a kernel file's cases on the host. Internal to the room. */
#include "verify/spec.h"

/* The kernel file in another place: messages name shown and its lines. */
void launcher_source(struct sbuf *out, struct str text, const char *shown);
/* The launcher for the cases of one target. source is the file that launcher_source's text was
 * written to. A case is called by its number in the spec. */
void launcher_text(
	struct sbuf *out, const struct spec *s, const struct target *t, const char *source);
#endif
