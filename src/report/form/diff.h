#pragma once
/* A unified diff for a terminal: with the colors of git, and with the control characters of the
 * source made visible. A file or pipe gets the diff itself. */
#include "base/str.h"

void diff_show(struct sbuf *out, struct str diff, bool color);
